// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that CPUs share, those of AMD's level 3 cache: an EventSet of the CPU that reports the
 * count has what a session that counts all CPUs has. A thread has no such counters.
 */
#include <unistd.h>

#include "papi_calls.h"

#define EVENTS	2
#define CONFIG	"events l3=0x04:umask=0xff,l3=0x04:umask=0x01"
/* More memory than the cache of 1 MiB holds, its lines, and how often each is read */
#define MEMORY	(4L << 20)
#define LINES	(MEMORY / 64)
#define ROUNDS	8

static const char *const names[EVENTS] = { "cpu::l3_references", "cpu::l3_misses" };
static volatile char memory[MEMORY];

static int reporting_cpu(void)
{
	FILE *f = fopen("/sys/bus/event_source/devices/amd_l3/cpumask", "r");
	int cpu;

	if (!f || fscanf(f, "%d", &cpu) != 1)
		die("no CPU reports the counts of level 3 caches");
	fclose(f);
	return cpu;
}

/* Each line is read when the ones after it have taken its place in the cache: all reads miss. */
static void read_lines(int rounds)
{
	long i;

	for (i = 0; i < rounds * LINES; i++)
		(void)memory[i % LINES * 64];
}

static int begin_session(void)
{
	int fd = open_session();

	command(fd, CONFIG);
	command(fd, "syswide");
	return fd;
}

static int set_of_cpu(int cpu)
{
	PAPI_option_t opt = { .cpu = { .cpu_num = cpu } };
	int set = PAPI_NULL, i;

	OK(PAPI_create_eventset(&set));
	OK(PAPI_assign_eventset_component(set, 0));
	opt.cpu.eventset = set;
	OK(PAPI_set_opt(PAPI_CPU_ATTACH, &opt));
	for (i = 0; i < EVENTS; i++)
		OK(PAPI_add_named_event(set, names[i]));
	return set;
}

/* One session counts a little longer than the EventSet, one a little less. */
static void test_counts(int cpu)
{
	int longer, shorter, i, set = set_of_cpu(cpu);
	long long values[EVENTS];
	uint64_t most, least;

	longer = begin_session();
	/* Pages of a program that has ended may be in the cache, and be this program's now. */
	read_lines(1);
	OK(PAPI_start(set));
	shorter = begin_session();
	read_lines(ROUNDS);
	command(shorter, "stop");
	OK(PAPI_stop(set, values));
	command(longer, "stop");
	for (i = 0; i < EVENTS; i++) {
		least = total(shorter, -1, 0, i);
		most = total(longer, -1, 0, i);
		printf("%s: %lld, between %llu and %llu\n", names[i], values[i],
		       (unsigned long long)least, (unsigned long long)most);
		CHECK(least >= ROUNDS * LINES, "%s: %llu of %ld known ones", names[i],
		      (unsigned long long)least, ROUNDS * LINES);
		within(values[i], least, most, "%s", names[i]);
	}
	close(shorter);
	close(longer);
	end_set(set);
}

static void test_threads(void)
{
	int set = new_set("instr"), i;

	for (i = 0; i < EVENTS; i++) {
		OK(PAPI_query_named_event(names[i]));
		RETURNS(PAPI_ECNFLCT, PAPI_add_named_event(set, names[i]));
	}
	same(PAPI_num_events(set), 1, "events of the thread's set");
	end_set(set);
}

int main(void)
{
	int cpu = reporting_cpu(), set;

	need_counters();
	memset((char *)memory, 1, MEMORY);
	begin_papi();
	test_threads();
	test_counts(cpu);
	/* The driver counts on no other CPU of the cache. */
	set = set_of_cpu((cpu + 1) % sysconf(_SC_NPROCESSORS_ONLN));
	RETURNS(PAPI_EINVAL, PAPI_start(set));
	end_set(set);
	PAPI_shutdown();
	return result();
}
