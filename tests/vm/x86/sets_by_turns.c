// SPDX-License-Identifier: GPL-2.0
/*
 * Two event sets take turns on the same counters of a P-core. In each, other counters have
 * events that only the first four counters can count. Whatever else uses the PMU, every
 * counter that perf chooses suits both events of its slot: counts are right, and no record
 * says that a counter was lost.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define ROUNDS		4000000L
/* Events of the calls around the loop */
#define AROUND		300
/* The first counter for any event */
#define FIRST		3
#define MAX_EVENTS	9

/*
 * A set: a letter for each event, L for loads, B for branches, from pmc3 on. The highest one
 * comes first: counters are claimed in the order of the text.
 */
static const char *set_of(const char *kinds, const char *before)
{
	static char text[400];
	int len = snprintf(text, sizeof(text), "events coretype=0%s", before);
	int i;

	for (i = strlen(kinds) - 1; i >= 0; i--) {
		int slot = FIRST + i;

		if (kinds[i] == 'L')
			len += snprintf(text + len, sizeof(text) - len, ",pmc%d=%#x,umask%d=%#x",
					slot, P_LOADS & 0xff, slot, P_LOADS >> 8);
		else
			len += snprintf(text + len, sizeof(text) - len, ",pmc%d=%#x",
					slot, P_BRANCHES);
	}
	return text;
}

/* A session of two sets, with the same @before in front of each. */
static int open_sets(const char *one, const char *other, const char *before)
{
	int fd = open_session();

	command(fd, "ring 4096\nperiod 200us");
	command(fd, "%s", set_of(one, before));
	command(fd, "%s", set_of(other, before));
	return fd;
}

/* The records since the last call. Return: how many say that a counter was lost. */
static int read_all(int fd, struct records *records)
{
	int i, lost = 0;

	read_records(fd, records);
	for (i = 0; i < records->nr; i++)
		lost += !!(records->all[i].head.flags & PMC_REC_COUNTER_LOST);
	return lost;
}

static int lost_in(int fd, long rounds)
{
	struct records records = { };
	int lost;

	start(fd);
	load_loop(rounds);
	stop(fd);
	lost = read_all(fd, &records);
	forget_records(&records);
	return lost;
}

/*
 * A tick may come between the load and the branch of a round. Of the sets together, each
 * round has one load and one branch.
 */
static void check_counts(const struct records *records, long rounds, int nr, int first,
			 const char *when)
{
	int bad = 0, turns[2] = { 0, 0 }, i, k;
	uint64_t sum = 0;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		turns[r->head.set & 1]++;
		sum += r->counts[first];
		for (k = first + 1; k < first + nr; k++)
			bad += llabs((long long)(r->counts[k] - r->counts[first])) > AROUND;
	}
	same(bad, 0, "%s: counts that differ from the first one's", when);
	within(sum, rounds, rounds + AROUND, "%s: events", when);
	for (i = 0; i < 2; i++)
		CHECK(turns[i] > 10, "%s: set %d had %d turns", when, i, turns[i]);
}

static void is_right(int fd, int nr, int first, const char *when)
{
	struct records records = { };

	start(fd);
	load_loop(ROUNDS);
	stop(fd);
	same(read_all(fd, &records), 0, "%s: records with a lost counter", when);
	check_counts(&records, ROUNDS, nr, first, when);
	forget_records(&records);
}

static struct perf_event_attr on_cpu(int config)
{
	return (struct perf_event_attr){
		.type = perf_type(0), .config = config, .exclude_kernel = 1, .pinned = 1,
		.read_format = PERF_TIMES,
	};
}

/* All general counters, and no other user. */
static void alone(void)
{
	int fd = open_sets("LLBBBBBB", "BBLLBBBB", "");

	is_right(fd, 8, 0, "alone");
	close(fd);
	fd = open_sets("BLBLBBBB", "LBLBBBBB", "");
	is_right(fd, 8, 0, "alone, by turns");
	close(fd);
}

/* perf has a counter first, which any of the sets' events might be on. */
static void beside_perf(void)
{
	struct perf_event_attr attr = on_cpu(P_BRANCHES);
	int perf = perf_open(&attr, -1, 0, -1), fd = open_sets("LLBBBBB", "BBLLBBB", "");
	struct value v;

	is_right(fd, 7, 0, "beside perf");
	CHECK(perf_read(perf, &v) && v.running == v.enabled, "perf's event has lost its counter");
	within(v.count, ROUNDS, 10 * ROUNDS, "perf's branches");
	close(perf);
	close(fd);
}

/* The NMI watchdog has the fixed counter of cycles: the session's is a general one. */
static void beside_watchdog(void)
{
	static const char file[] = "/proc/sys/kernel/nmi_watchdog";
	int fd;

	same(write_file(file, "1"), 0, "turning the NMI watchdog on");
	fd = open_sets("LLBBBBB", "BBLLBBB", ",pmc1");
	is_right(fd, 7, 1, "beside the NMI watchdog");
	close(fd);
	write_file(file, "0");
}

/* Another session's counter comes and goes in the middle of either set's turn. */
static void beside_a_session(void)
{
	int fd = open_sets("LLBBBBB", "BBLLBBB", ""), other, i;
	struct records records = { };

	start(fd);
	for (i = 0; i < 50; i++) {
		other = open_session();
		command(other, "events coretype=0,pmc10=%#x", P_BRANCHES);
		start(other);
		load_loop(1000 + 1000 * i);
		stop(other);
		close(other);
	}
	stop(fd);
	same(read_all(fd, &records), 0, "another session comes and goes: lost counters");
	forget_records(&records);
	close(fd);
}

/* perf comes while the sets take turns: what it moves is put right once, for both. */
static void perf_comes(void)
{
	struct perf_event_attr attr = on_cpu(P_BRANCHES);
	int fd = open_sets("LLBBBBB", "BBLLBBB", ""), perf, patience = 0;

	is_right(fd, 7, 0, "before perf comes");
	perf = perf_open(&attr, -1, 0, -1);
	/* After some tries that have not helped, in other tests, the module waits for a minute. */
	while (lost_in(fd, ROUNDS) && ++patience < 200)
		usleep(500000);
	CHECK(patience < 200, "counters are not placed for both sets");
	is_right(fd, 7, 0, "when perf has come");
	close(perf);
	is_right(fd, 7, 0, "when perf has gone");
	close(fd);
}

/* perf has some of the first four counters, for events that no other can count. */
static void no_room(void)
{
	struct perf_event_attr attr = on_cpu(P_LOADS);
	int perf = perf_open(&attr, -1, 0, -1), fd = open_sets("LLBBBB", "BBLLBB", "");

	refused_start(fd, EBUSY, "0xd0");
	close(perf);
	is_right(fd, 6, 0, "perf has made room");
	close(fd);
}

int main(void)
{
	long long shortest;

	need_counters();
	shortest = proc_value("config", "tbs_min_us");
	set_config("tbs_min_us=200");
	pin(0, 0);
	alone();
	beside_perf();
	beside_watchdog();
	beside_a_session();
	perf_comes();
	no_room();
	set_config("tbs_min_us=%lld", shortest);
	wait_until_idle();
	return result();
}
