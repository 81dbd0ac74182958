// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs go offline and come back, one by one and the whole little cluster at once, while
 * counted threads are moved away: no instruction is lost, and sessions that count CPUs
 * continue when the CPUs return.
 *
 * usage: kernel/hotplug [beside-perf]
 *
 * With beside-perf, another user may take the counters of a CPU that comes online. Then
 * threads are not counted there, and their samples say so.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define THREADS	8
#define RING	262144

static int nr_cpus;
static bool beside_perf;
static atomic_bool enough;
/* Instructions, or a software event on a machine without counters. */
static const char *event = "sw=page_faults";

struct worker {
	pthread_t id;
	int session, nr;
	pid_t tid;
	long truth, rounds;
	uint64_t found;
};

/* CPU @cpu on or off. Return: 0 or -errno. */
static int set_online(int cpu, int online)
{
	char path[100];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_file(path, "%d", online);
}

static void must(int cpu, int online)
{
	int ret = set_online(cpu, online);

	if (ret)
		die("CPU %d cannot be put %s: %s", cpu, online ? "online" : "offline",
		    strerror(-ret));
}

static void *work(void *arg)
{
	struct worker *w = arg;
	cpu_set_t set;

	w->tid = gettid();
	while (!enough) {
		if (core_types[0].nr_hw) {
			w->truth += counted_loop(w->session, 20000 + 100 * w->nr);
		} else {
			start(w->session);
			touch_pages(10);
			stop(w->session);
			w->truth += 10;
		}
		/* Move to another CPU, which may be offline. */
		CPU_ZERO(&set);
		CPU_SET((w->nr + w->rounds++) % nr_cpus, &set);
		CPU_SET(0, &set);
		sched_setaffinity(0, sizeof(set), &set);
	}
	w->found = own_count(w->session, -1, 0, 0);
	return NULL;
}

/* Does a record say that a counter was taken away? @tid: the thread; 0: any */
static bool says_lost(const struct records *records, pid_t tid)
{
	int i;

	for (i = 0; i < records->nr; i++)
		if ((!tid || (pid_t)records->all[i].head.tid == tid) &&
		    records->all[i].head.flags & PMC_REC_COUNTER_LOST)
			return true;
	return false;
}

static void check_worker(const struct worker *w, const struct records *records)
{
	bool lost = says_lost(records, w->tid);

	CHECK(beside_perf || !lost, "thread %d: a counter was taken away", w->nr);
	if (!core_types[0].nr_hw)
		within(w->found, w->truth, w->truth * 2, "thread %d", w->nr);
	else if (lost)
		within(w->found, 0, w->truth, "thread %d, which has lost a counter", w->nr);
	else
		same(w->found, w->truth, "thread %d", w->nr);
	if (!w->rounds)
		fail("thread %d did nothing", w->nr);
}

static void under_load(const char *options)
{
	struct worker workers[THREADS] = { };
	int fd = open_session(), all = -1, round, cpu, i;
	struct records records = { };

	enough = false;
	command(fd, "ring %d\nevents %s%s", RING, event, options);
	if (core_types[0].nr_hw) {
		all = open_session();
		command(all, "ring 65536\nperiod 1ms\nevents " CYCLES);
		command(all, "syswide");
	}
	for (i = 0; i < THREADS; i++) {
		workers[i].session = fd;
		workers[i].nr = i;
		pthread_create(&workers[i].id, NULL, work, &workers[i]);
	}
	for (round = 0; round < by_size(9, 25); round++) {
		cpu = 1 + round % (nr_cpus - 1);
		must(cpu, 0);
		usleep(2000);
		must(cpu, 1);
		if (round % 5)
			continue;
		/* All but the first, or all of the last core type. */
		i = round % 2 ? 1 : core_types[nr_core_types - 1].first_cpu;
		for (cpu = i ? i : 1; cpu < nr_cpus; cpu++)
			must(cpu, 0);
		usleep(5000);
		for (cpu = i ? i : 1; cpu < nr_cpus; cpu++)
			must(cpu, 1);
	}
	usleep(50000);
	enough = true;
	for (i = 0; i < THREADS; i++)
		pthread_join(workers[i].id, NULL);
	command(fd, "stop");
	read_records(fd, &records);
	CHECK(records.nr < RING, "more records than fit the ring");
	for (i = 0; i < THREADS; i++)
		check_worker(&workers[i], &records);
	if (records.nr < RING)
		same(sum_records(&records, 0, -1, -1, 0), total(fd, -1, 0, 0), "sum of the samples");
	forget_records(&records);
	close(fd);
	if (all < 0)
		return;
	command(all, "stop");
	read_records(all, &records);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		int last = 0, after = 0;
		uint64_t end = 0;

		for (i = 0; i < records.nr; i++) {
			const struct pmc_record *h = &records.all[i].head;

			if ((int)h->cpu != cpu)
				continue;
			last += !!(h->flags & PMC_REC_LAST);
			after += last && !(h->flags & PMC_REC_LAST);
			end = h->time;
		}
		/* One record for each time the CPU went offline, and one at the end. */
		if (cpu ? last < 5 : last != 1)
			fail("CPU %d: %d last records", cpu, last);
		if (cpu && !after)
			fail("CPU %d: no record after it came back", cpu);
		if (!end)
			fail("CPU %d: no record", cpu);
	}
	same(sum_records(&records, 0, -1, -1, 0), total(all, -1, 0, 0), "sum of the CPUs' samples");
	forget_records(&records);
	close(all);
}

static void load_again(void)
{
	if (system("rmmod pmctrack && insmod /lib/pmctrack/pmctrack.ko"))
		die("the module can't be loaded again");
	read_machine();
}

/* Beside perf this may take a moment. */
static void none_left_out(const char *when)
{
	int patience = beside_perf ? 200 : 0;

	while (patience-- && proc_value("stats", "cpus_left_out"))
		usleep(10000);
	same(proc_value("stats", "cpus_left_out"), 0, "CPUs left out, %s", when);
}

/*
 * A session that was opened while CPUs were offline counts on them when they are back. This
 * includes CPUs that are new to the module, although the module could not query the kernel
 * when they came, because the session had the PMU.
 */
static void opened_before(bool unseen)
{
	int fd, cpu = nr_cpus - 1;
	uint64_t before;
	long truth = 10;

	must(cpu, 0);
	if (unseen)
		load_again();
	fd = open_session();
	command(fd, "events %s", event);
	start(fd);
	stop(fd);
	must(cpu, 1);
	none_left_out("when all are online");
	pin(0, cpu);
	before = own_count(fd, -1, 0, 0);
	if (core_types[0].nr_hw) {
		truth = counted_loop(fd, 100000);
		same(own_count(fd, -1, 0, 0) - before, truth, "count on a CPU that came later");
	} else {
		start(fd);
		touch_pages(truth);
		stop(fd);
		within(own_count(fd, -1, 0, 0) - before, truth, 3 * truth,
		       "count on a CPU that came later");
	}
	unpin(0);
	must(cpu, 0);
	close(fd);
	must(cpu, 1);
}

#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

/* On other machines the NMI watchdog has no counter. */
#ifdef __x86_64__
#define WATCHDOG_COUNTS	true
#else
#define WATCHDOG_COUNTS	false
#endif

/* The same for the records since the last call. */
static bool counter_was_lost(int fd)
{
	struct records records = { };
	bool lost;

	read_records(fd, &records);
	lost = says_lost(&records, 0);
	forget_records(&records);
	return lost;
}

#define ALL_EVENTS	(50 + 50 * PMC_MAX_COUNTS)

/* An event set that takes all counters of a core type for any event */
static void all_counters(char *events, int ct)
{
	int i = core_types[ct].fixed_cycles < 0;

	snprintf(events, ALL_EVENTS, "coretype=%d,@F", ct);
	for (; i < __builtin_popcountll(core_types[ct].general) + core_types[ct].fixed_instructions; i++)
		strcat(events, "," INSTRUCTIONS);
}

/*
 * A session has all counters of all CPUs, and on a CPU that comes online the NMI watchdog
 * takes one first. Threads are then not counted there, and their samples say so, until the
 * watchdog is off.
 */
static void taken_when_it_comes(void)
{
	int cpu = nr_cpus - 1, ct, fd = open_session(), i;
	char events[ALL_EVENTS];
	uint64_t before;
	long truth;

	read_machine();
	ct = core_type_of(cpu);
	all_counters(events, ct);
	must(cpu, 0);
	command(fd, "events %s", events);
	start(fd);
	stop(fd);
	if (write_file(WATCHDOG, "1"))
		die("the NMI watchdog can't be switched on");
	must(cpu, 1);
	same(proc_value("stats", "cpus_left_out"), 1, "CPUs left out while the watchdog is on");
	pin(0, cpu);
	CHECK(!counter_was_lost(fd), "a loss is reported for a CPU that the thread has not run on");
	before = own_count(fd, ct, 0, 1);
	counted_loop(fd, 10000);
	same(own_count(fd, ct, 0, 1), before, "instructions there");
	pin(0, core_types[ct].first_cpu);
	start(fd);
	stop(fd);
	CHECK(counter_was_lost(fd), "no sample says that nothing is counted there");
	write_file(WATCHDOG, "0");
	for (i = 0; i < 200 && proc_value("stats", "cpus_left_out"); i++)
		usleep(10000);
	same(proc_value("stats", "cpus_left_out"), 0, "CPUs left out when the watchdog is off");
	pin(0, cpu);
	before = own_count(fd, ct, 0, 1);
	truth = counted_loop(fd, 100000);
	same(own_count(fd, ct, 0, 1) - before, truth, "instructions where counters came later");
	CHECK(!counter_was_lost(fd), "a loss is reported when nothing is lost any more");
	unpin(0);
	close(fd);
}

/* Map the page that describes a session's ring. */
static const struct pmc_ring_info *map_ring(int fd)
{
	const struct pmc_ring_info *info = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);

	if (info == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	return info;
}

/* The same for a session that counts CPUs: its ring says so, and the CPU's first record. */
static void missed_when_it_comes(void)
{
	int cpu = nr_cpus - 1, fd = open_session(), i;
	const struct pmc_ring_info *info;
	struct records records = { };
	char events[ALL_EVENTS];

	all_counters(events, core_type_of(cpu));
	must(cpu, 0);
	command(fd, "ring 4096\nperiod 5ms\nevents %s\nsyswide", events);
	info = map_ring(fd);
	same(info->losses, 0, "losses before the CPU comes");
	if (write_file(WATCHDOG, "1"))
		die("the NMI watchdog can't be switched on");
	must(cpu, 1);
	same(info->losses, 1, "losses when the CPU has come and is not counted");
	write_file(WATCHDOG, "0");
	for (i = 0; i < 200 && proc_value("stats", "cpus_left_out"); i++)
		usleep(10000);
	usleep(50000);
	read_records(fd, &records);
	for (i = 0; i < records.nr && (int)records.all[i].head.cpu != cpu; i++)
		;
	CHECK(i < records.nr, "no record of the CPU that came");
	CHECK(i == records.nr || records.all[i].head.flags & PMC_REC_COUNTER_LOST,
	      "the first record of the CPU that came does not say that counts are missing");
	forget_records(&records);
	munmap((void *)info, 4096);
	close(fd);
}

/* A session that counts one CPU goes on when that CPU comes back: it has not ended before. */
static void only_cpu_goes(void)
{
	int fd = open_session(), cpu = nr_cpus - 1;
	struct records records = { };
	struct pollfd p = { .fd = fd, .events = POLLIN };

	command(fd, "ring 4096\nperiod 5ms\nevents " CYCLES "\nsyswide %d", cpu);
	must(cpu, 0);
	read_records(fd, &records);
	forget_records(&records);
	same(poll(&p, 1, 50), 0, "poll() while the CPU is away (events 0x%x)", p.revents);
	must(cpu, 1);
	same(poll(&p, 1, 5000), 1, "poll() when the CPU is back");
	same(p.revents, POLLIN, "what poll() returned");
	read_records(fd, &records);
	CHECK(records.nr > 0, "no record of the CPU that is back");
	forget_records(&records);
	close(fd);
}

/* A child of the first fork on a CPU that came online later is counted, too. */
static void fork_on_new_cpu(void)
{
	long long before = proc_value("stats", "pool_misses");
	int fd, cpu = nr_cpus - 1;
	pid_t pid;

	must(cpu, 0);
	fd = open_session();
	command(fd, "events %s\nfollow children", event);
	start(fd);
	must(cpu, 1);
	pin(0, cpu);
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	unpin(0);
	stop(fd);
	same(proc_value("stats", "pool_misses") - before, 0, "children missed");
	same(threads_counted(fd), 2, "threads counted, the child among them");
	close(fd);
}

/* A core type without a CPU when the module was loaded is not counted, which is reported. */
static void unknown_type(void)
{
	const struct pmc_ring_info *info;
	const struct core_type *last;
	char backend_was[sizeof(backend)];
	int first, nr, cpu, fd, all;
	uint64_t before;
	void *page;
	long truth;

	read_machine();
	last = &core_types[nr_core_types - 1];
	first = last->first_cpu;
	nr = CPU_COUNT(&last->cpus);
	for (cpu = first; cpu < first + nr; cpu++)
		must(cpu, 0);
	strcpy(backend_was, backend);
	load_again();
	CHECK(!strcmp(backend, backend_was), "backend %s, not %s", backend, backend_was);
	fd = open_session();
	command(fd, "events " INSTRUCTIONS);
	all = open_session();
	command(all, "events " CYCLES "\nsyswide");
	info = map_ring(all);
	before = info->losses;
	for (cpu = first; cpu < first + nr; cpu++)
		must(cpu, 1);
	same(proc_value("stats", "cpus_left_out"), nr, "CPUs of no known type");
	/* perf_workload may take counters of the other CPUs meanwhile. */
	within(info->losses - before, nr, beside_perf ? LONG_MAX : nr,
	       "losses of a session that counts all CPUs");
	munmap((void *)info, 4096);
	close(all);
	pin(0, first);
	start(fd);
	/* By a thread that may read counters, too. */
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_CALIPER);
	if (page == MAP_FAILED)
		die("no caliper page: %s", strerror(errno));
	spin(10000);
	usleep(1000);
	pin(0, 0);
	truth = counted_loop(fd, 100000);
	within(own_count(fd, -1, 0, 0), truth, truth + 1000, "instructions, but those there");
	unpin(0);
	munmap(page, 4096);
	close(fd);
	wait_until_idle();
	load_again();
	none_left_out("when all were there");
}

int main(int argc, char **argv)
{
	beside_perf = argc > 1 && !strcmp(argv[1], "beside-perf");
	read_machine();
	if (core_types[0].nr_hw)
		event = INSTRUCTIONS;
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	if (set_online(nr_cpus - 1, 0))
		skip("CPU %d of this machine cannot be put offline", nr_cpus - 1);
	must(nr_cpus - 1, 1);
	opened_before(false);
	opened_before(true);
	if (core_types[0].nr_hw)
		only_cpu_goes();
	fork_on_new_cpu();
	/* perf_workload changes it, too. */
	if (WATCHDOG_COUNTS && core_types[0].nr_hw && !beside_perf) {
		taken_when_it_comes();
		missed_when_it_comes();
	}
	if (nr_core_types > 1)
		unknown_type();
	under_load("");
	under_load(",sw=migrations\nperiod 1ms");
	if (core_types[0].nr_hw)
		under_load(":ebs=20000");
	wait_until_idle();
	return result();
}
