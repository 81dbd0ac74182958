// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of the level 3 cache, which CPUs share: counting CPUs with them beside perf,
 * which counts the same; requests that are refused; and machines without such counters.
 *
 * The counters count for all CPUs and in all modes, so a known piece of work is a lower
 * limit of their count. The right value is the count of perf at the same time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define LOOKUPS		"l3=0x04:umask=0xff"
#define HITS		"l3=0x04:umask=0xfe"
#define MISSES		"l3=0x04:umask=0x01"
#define LOADS		10000000L
/* More memory than the cache of 1 MiB holds, and the lines of it that are read */
#define MEMORY		(4L << 20)
#define LINES		(8 * MEMORY / 64)
/* The same for perf */
#define CONFIG_LOOKUPS	0xff04
#define CONFIG_MISSES	0x0104
#define COUNTERS	6

static int nr_cpus, reader_cpu;
static volatile char memory[MEMORY];

static void refusals_without(void)
{
	int fd = open_session();

	refused(fd, ENODEV, "modprobe amd-uncore", "events " LOOKUPS);
	/* The session is unchanged. */
	command(fd, "events sw=page_faults");
	start(fd);
	touch_pages(50);
	stop(fd);
	within(total(fd, -1, 0, 0), 50, 60, "page faults");
	close(fd);
}

static int file_number(const char *name)
{
	char path[200];
	int value;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/amd_l3/%s", name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	if (fscanf(f, "%d", &value) != 1)
		die("%s has no number", path);
	fclose(f);
	return value;
}

/* perf's event, for the same CPUs */
static int open_perf(int config, bool pinned)
{
	struct perf_event_attr attr = {
		.type = file_number("type"),
		.config = config,
		.pinned = pinned,
		.read_format = PERF_TIMES,
	};

	return perf_open(&attr, -1, reader_cpu, -1);
}

static struct value value_of(int perf)
{
	struct value v;

	if (!perf_read(perf, &v))
		die("perf's event is in its error state");
	return v;
}

/* LOADS + LINES lookups and LINES misses, on a CPU that does not report the count. */
static void work(void)
{
	volatile long place = 0;
	long i;

	pin(0, (reader_cpu + 1) % nr_cpus);
	for (i = 0; i < LOADS; i++)
		(void)place;
	for (i = 0; i < LINES; i++)
		(void)memory[i * 64 % MEMORY];
	unpin(0);
}

static void others_off_and_on(void)
{
	char path[100];
	int cpu, round;

	for (round = 0; round < 4; round++) {
		for (cpu = 1; cpu < nr_cpus; cpu++) {
			snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
			if (write_file(path, "%d", round & 1))
				die("%s cannot be written", path);
		}
	}
}

/* The count of perf before and after a sample was taken. */
struct sample {
	uint64_t before, after;
};

static struct sample take_sample(int fd, int perf)
{
	struct sample sample;

	pin(0, reader_cpu);
	sample.before = value_of(perf).count;
	command(fd, "sample");
	sample.after = value_of(perf).count;
	unpin(0);
	return sample;
}

/* The counts @n, one of each set, add up to perf's count of the same time. */
static void beside_perf(const char *what, const char *commands, int n, int config,
			void (*also)(void))
{
	int fd = open_session(), perf = open_perf(config, false), i, nr_samples = 0;
	uint64_t known = 2 * (config == CONFIG_MISSES ? LINES : LOADS + LINES);
	struct records records = { };
	struct sample first, last;
	uint64_t sum = 0;

	command(fd, "ring 16384\n%s", commands);
	command(fd, "syswide");
	first = take_sample(fd, perf);
	work();
	if (also)
		also();
	work();
	last = take_sample(fd, perf);
	command(fd, "stop");
	read_records(fd, &records);
	for (i = 0; i < records.nr; i++) {
		const struct record *r = &records.all[i];

		if (r->head.flags & PMC_REC_COUNTER_LOST)
			fail("%s: record %d says that a counter was lost", what, i);
		if ((int)r->head.cpu != reader_cpu)
			same(r->counts[n], 0, "%s: record %d, of CPU %u", what, i, r->head.cpu);
		else if (nr_samples == 1)
			sum += r->counts[n];
		nr_samples += (int)r->head.cpu == reader_cpu && r->head.event == PMC_SAMPLE_SELF;
	}
	same(nr_samples, 3, "%s: requested samples", what);
	printf("%s: %llu in %d records, perf %llu to %llu\n", what, (unsigned long long)sum,
	       records.nr, (unsigned long long)(last.before - first.after),
	       (unsigned long long)(last.after - first.before));
	within(sum, last.before - first.after, last.after - first.before, "%s: count", what);
	if (sum < known)
		fail("%s: %llu are not even the known ones", what, (unsigned long long)sum);
	forget_records(&records);
	close(perf);
	close(fd);
}

/* Lookups by type add up to all lookups, and so do those by core. */
static void kinds(void)
{
	int fd = open_session(), core;
	uint64_t all, parts, cores = 0;

	command(fd, "events " HITS ",ev=0x64:umask=0xff:u:k," LOOKUPS "," MISSES);
	command(fd, "syswide");
	work();
	command(fd, "stop");
	all = total(fd, -1, 0, 2);
	parts = total(fd, -1, 0, 0) + total(fd, -1, 0, 3);
	for (core = 0; core < nr_core_types; core++)
		cores += total(fd, core, 0, 1);
	printf("%llu lookups, %llu of each kind, %llu of all cores\n", (unsigned long long)all,
	       (unsigned long long)parts, (unsigned long long)cores);
	within(all, LOADS + LINES, 2 * (LOADS + LINES), "lookups");
	within(total(fd, -1, 0, 3), LINES, LINES + LINES / 4, "misses");
	within(parts, all - all / 100, all + all / 100, "hits and misses");
	within(cores, all - all / 50, all + all / 50, "lookups of the cores");
	close(fd);
}

static void refusals(void)
{
	int fd = open_session(), status;
	pid_t pid;

	refused(fd, EINVAL, "at most 0xff", "events l3=0x104");
	refused(fd, EINVAL, "umask", "events " LOOKUPS ":u");
	refused(fd, EINVAL, "twice", "events " LOOKUPS ",ev=@I," LOOKUPS);
	command(fd, "events ev=@I," LOOKUPS);
	refused(fd, EINVAL, "not for a thread", "attach %d", getpid());
	if (!ioctl(fd, PMC_IOC_START) || errno != EINVAL)
		fail("a thread may count lookups");
	mentions(why(fd), "not for a thread", "PMC_IOC_START");
	refused(fd, EINVAL, "reports the count", "syswide %d", (reader_cpu + 1) % nr_cpus);
	command(fd, "syswide %d", reader_cpu);
	command(fd, "stop\nclear\nevents sw=page_faults," LOOKUPS);
	refused(fd, EINVAL, "software", "syswide");
	close(fd);
	pid = fork();
	if (!pid) {
		if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
			die("becoming a user: %s", strerror(errno));
		fd = open_session();
		/* If kernel.perf_event_paranoid permits, a user may configure these events. */
		try_command(fd, "events " LOOKUPS);
		refused(fd, EACCES, "perf_event_paranoid", "syswide");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of a user");
}

/* When all counters are in use a further session is refused; existing counts stay right. */
static void shares(void)
{
	int one = open_session(), two = open_session(), perf[COUNTERS], i;
	bool waited = false;
	struct value v;

	command(one, "events l3=4,l3=5,l3=6,l3=7");
	command(one, "syswide");
	command(two, "events l3=4,l3=5,l3=6");
	refused(two, EBUSY, "are taken", "syswide");
	command(two, "clear\nevents " LOOKUPS ",l3=5");
	command(two, "syswide");
	perf[0] = open_perf(CONFIG_LOOKUPS, true);
	if (perf_read(perf[0], &v))
		fail("perf has a seventh counter");
	close(perf[0]);
	close(two);
	close(one);

	/* perf's events that may wait do so while the session counts. */
	for (i = 0; i < COUNTERS; i++)
		perf[i] = open_perf(CONFIG_LOOKUPS, false);
	one = open_session();
	command(one, "events " LOOKUPS);
	command(one, "syswide");
	work();
	command(one, "stop");
	within(total(one, -1, 0, 0), LOADS + LINES, 2 * (LOADS + LINES), "lookups while perf's events are multiplexed");
	for (i = 0; i < COUNTERS; i++) {
		v = value_of(perf[i]);
		waited |= v.running < v.enabled;
		close(perf[i]);
	}
	CHECK(waited, "seven counters were six");
	/* perf's pinned events keep their counters. */
	for (i = 0; i < COUNTERS; i++)
		perf[i] = open_perf(CONFIG_LOOKUPS, true);
	refused(one, EBUSY, "are taken", "syswide");
	work();
	for (i = 0; i < COUNTERS; i++) {
		v = value_of(perf[i]);
		same(v.running, v.enabled, "perf's %d: time counted", i);
		close(perf[i]);
	}
	command(one, "syswide");
	close(one);
}

/* An unprivileged session has to give its counters to root's, unless root is refused anyway. */
static void root_first(const char *users, const char *roots, bool enough)
{
	int fd = open_session(), root = open_session(), status, go[2], ready[2], i;
	struct records records = { };
	pid_t pid;
	char c;

	write_file("/proc/sys/kernel/perf_event_paranoid", "0");
	if (pipe(go) || pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		change_user(1000);
		fd = open_session();
		command(fd, "events %s", users);
		command(fd, "syswide");
		if (write(ready[1], "", 1) != 1 || read(go[0], &c, 1) != 1)
			die("pipe: %s", strerror(errno));
		read_records(fd, &records);
		for (i = 0; i < records.nr && !(records.all[i].head.flags & PMC_REC_EVICTED); i++)
			;
		if (enough)
			CHECK(i < records.nr, "no record says that the user's counters were revoked");
		else
			CHECK(i == records.nr, "the user's counter was revoked for nothing");
		_exit(result());
	}
	if (read(ready[0], &c, 1) != 1)
		die("pipe: %s", strerror(errno));
	command(root, "events %s", roots);
	if (enough) {
		command(root, "syswide");
		work();
		command(root, "stop");
		within(total(root, -1, 0, 0), LOADS + LINES, 2 * (LOADS + LINES), "what root counts");
	} else {
		refused(root, EBUSY, "are taken", "syswide");
	}
	if (write(go[1], "", 1) != 1)
		die("pipe: %s", strerror(errno));
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user");
	write_file("/proc/sys/kernel/perf_event_paranoid", "3");
	close(root);
	close(fd);
	for (i = 0; i < 2; i++) {
		close(go[i]);
		close(ready[i]);
	}
}

int main(void)
{
	bool there = file_number("type") >= 0;

	read_machine();
	same(there, !strcmp(backend, "amd"), "PMU amd_l3");
	if (!there) {
		refusals_without();
		return result();
	}
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	reader_cpu = file_number("cpumask");
	refusals();
	memset((char *)memory, 1, MEMORY);
	beside_perf("counting", "events " LOOKUPS, 0, CONFIG_LOOKUPS, NULL);
	beside_perf("with events of the core", "period 10ms\nevents ev=@I," MISSES ",ev=@C", 1,
		    CONFIG_MISSES, NULL);
	beside_perf("two sets", "period 5ms\nevents ev=@I," LOOKUPS "\nevents ev=@C," LOOKUPS, 1,
		    CONFIG_LOOKUPS, NULL);
	beside_perf("others go and come", "period 10ms\nevents " MISSES "," LOOKUPS, 1,
		    CONFIG_LOOKUPS, others_off_and_on);
	/* So many samples that events missed in between would exceed the difference to perf. */
	set_config("tbs_min_us=100");
	beside_perf("two sets, multiplexed fast",
		    "period 100us\nevents ev=@I," LOOKUPS "\nevents ev=@C," LOOKUPS, 1,
		    CONFIG_LOOKUPS, NULL);
	set_config("tbs_min_us=1000");
	kinds();
	shares();
	root_first("l3=4,l3=5,l3=6,l3=7", LOOKUPS ",l3=5,l3=6", true);
	root_first("l3=4", "l3=1,l3=2,l3=3,l3=4,l3=5,l3=6,l3=7", false);
	wait_until_idle();
	return result();
}
