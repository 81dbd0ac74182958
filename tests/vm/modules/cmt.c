// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module cmt, compared with the emulated machine's last-level cache, into
 * which each process brings known lines: occupancy, traffic, too few RMIDs and RMIDs in
 * limbo, classes of service, and other users of the registers.
 */
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "consumer.h"
#include "vm.h"
#include "msr.h"
#include "worker.h"

#define CPUS		4
/* RMIDs for processes */
#define RMIDS		7
#define RESCTRL		"/sys/fs/resctrl"
#define TRACING		"/sys/kernel/tracing"

#define VIRTUALS	"llc_occupancy, mem_bandwidth_total, mem_bandwidth_local"
enum { OCCUPANCY, TOTAL, LOCAL };

static const char *last_error(void)
{
	static char line[400];
	FILE *f = fopen("/proc/pmc/mm_manager", "r");

	line[0] = '\0';
	while (f && fgets(line, sizeof(line), f))
		;
	fclose(f);
	return line;
}

static int config(const char *text)
{
	return write_file("/proc/pmc/config", "%s", text);
}

static long long param(const char *key)
{
	char name[50];

	snprintf(name, sizeof(name), "cmt.%s", key);
	return proc_value("config", name);
}

/* The module checks the RMIDs in limbo every 10 to 100 ms. */
static void wait_for_check(void)
{
	usleep(250000);
}

/* Wait: a worker that has just answered may still be running. */
static void check_no_rmid(const char *when)
{
	int cpu, i;

	for (cpu = 0; cpu < CPUS; cpu++) {
		for (i = 0; i < 20 && read_msr(cpu, PQR_ASSOC); i++)
			usleep(1000);
		same(read_msr(cpu, PQR_ASSOC), 0, "%s: PQR_ASSOC of CPU %d", when, cpu);
	}
}

/* Evict the lines of ended processes, so that their RMIDs become free. */
static void all_free(void)
{
	int round;

	for (round = 0; round < 20 && param("rmids_free") != RMIDS; round++) {
		load_memory(4 * CACHE, 4 * CACHE);
		wait_for_check();
	}
	same(param("rmids_free"), RMIDS, "free RMIDs");
	same(param("rmids_in_limbo"), 0, "RMIDs in limbo");
}

/*
 * Tolerance: lines that a process' other work and interrupts bring in, or evict. 157 KiB
 * were measured on a busy host, 5 KiB are usual. An error in the assignment of lines is at
 * least a quarter of the cache.
 */
#define OTHERS	(3 * CACHE / 16)

/* Check for this many bytes, or some more. */
static void bytes(uint64_t got, long expected, const char *what)
{
	within(got, expected, expected + OTHERS, "%s", what);
}

/* Occupancy of an RMID, read from the cache itself */
static uint64_t lines_of(int rmid)
{
	write_msr(0, QM_EVTSEL, (uint64_t)rmid << 32 | QM_OCCUPANCY);
	return read_msr(0, QM_CTR) * LINE;
}

/* ---- what processes hold and move ---- */

static void occupancy(void)
{
	struct worker a = worker_start(0, VIRTUALS), b = worker_start(1, VIRTUALS);
	uint64_t va[WORKER_VALUES], vb[WORKER_VALUES], before, others, rmid = 0;
	int i;

	/* No line that the first one loads is in the cache. */
	load_memory(4 * CACHE, 4 * CACHE);
	worker_load(&a, 0, 4 * CACHE);
	worker_read(&a, va);
	within(va[OCCUPANCY], CACHE - OTHERS, CACHE, "after 4 times the cache");
	bytes(va[TOTAL], 4 * CACHE, "fetched 4 times the cache");

	worker_read(&b, vb);
	before = vb[TOTAL];
	worker_load(&b, 4 * CACHE, CACHE / 2);
	worker_read(&b, vb);
	bytes(vb[OCCUPANCY], CACHE / 2, "the other one, after half of the cache");
	bytes(vb[TOTAL] - before, CACHE / 2, "fetched half of the cache");
	others = lines_of(0);
	worker_read(&a, va);
	within(va[OCCUPANCY], CACHE / 4, CACHE / 2, "what it left of the first one's");
	/* The cache is full: the other lines belong to processes that are not monitored. */
	within(va[OCCUPANCY] + vb[OCCUPANCY], CACHE - lines_of(0) - 32 * KIB,
	       CACHE - others + 32 * KIB, "their lines together");

	/* All lines are in the cache. */
	before = vb[TOTAL];
	worker_load(&b, 4 * CACHE, CACHE / 2);
	worker_read(&b, vb);
	bytes(vb[TOTAL] - before, 0, "fetched again");
	if (vb[LOCAL] > vb[TOTAL])
		fail("local traffic of %lld is more than all, %lld", (long long)vb[LOCAL],
		     (long long)vb[TOTAL]);

	/* For each CPU, whichever thread runs there. */
	worker_spin(&a, 100000000);
	for (i = 0; i < 100 && !rmid; i++) {
		usleep(1000);
		rmid = read_msr(0, PQR_ASSOC);
	}
	within(rmid, 1, RMIDS, "PQR_ASSOC while a process runs");
	worker_spun(&a, va);
	check_no_rmid("no process runs");
	worker_end(&a);
	worker_end(&b);
}

/*
 * A scheduler gets the value of a running process from its last tick; the session's value
 * shortly after is the same, except for the kernel's work in between.
 */
static uint64_t reported(const struct worker *p)
{
	unsigned long long value = 0, age = 0;
	uint64_t values[WORKER_VALUES];
	int i;

	for (i = 0; i < 3; i++) {
		worker_spin(p, 300000000);
		worker_spun(p, values);
		same(metric(p->pid, METRIC_OCCUPANCY, &value, &age), 0, "the scheduler's occupancy");
		within(age, 0, 120000000, "age of the value, ns");
		if (labs((long)(value - values[OCCUPANCY])) <= 8 * KIB)
			return value;
	}
	fail("the scheduler gets %llu bytes, the session %lld", value,
	     (long long)values[OCCUPANCY]);
	return value;
}

static void scheduler(void)
{
	struct worker p = worker_start(0, VIRTUALS), q = worker_start(1, NULL);

	load_module("test_consumer");
	same(consumer("on", p.pid, 0), 0, "having a process monitored");
	worker_load(&p, 0, CACHE / 2);
	within(reported(&p), CACHE / 4, CACHE / 2 + OTHERS, "reported after half of the cache");
	worker_load(&q, 4 * CACHE, 4 * CACHE);
	within(reported(&p), 0, OTHERS, "reported after another process's loads");
	worker_end(&p);
	worker_end(&q);
	unload_module("test_consumer");
}

/* Counters of 24 bits wrap after 1 GiB of traffic. */
static void traffic_wraps(void)
{
	struct worker p = worker_start(2, VIRTUALS);
	uint64_t before[WORKER_VALUES], after[WORKER_VALUES];
	const int times = 150;

	worker_store(&p, 4 * CACHE, 2);
	worker_read(&p, before);
	worker_store(&p, 4 * CACHE, times);
	worker_read(&p, after);
	/* Each store fetches a line, and writes back another one. */
	within(after[TOTAL] - before[TOTAL], times * 8l * CACHE,
	       times * (8l * CACHE + 4 * KIB), "traffic of 1.2 GB of stores");
	worker_end(&p);
}

/*
 * A process that loads known memory, and reads its counters after every 16 KiB. NMIs read
 * them, too, some of them while another CPU does.
 */
static void load_and_read(int cpu, long from)
{
	uint64_t before[WORKER_VALUES], after[WORKER_VALUES];
	const long step = 16 * KIB, size = 40 * CACHE;
	int fd = open_session(), wrong = 0;
	long done;

	pin(0, cpu);
	command(fd, "ring 65536\nevents " INSTRUCTIONS ":k:ebs=1009\nvirtual " VIRTUALS);
	start(fd);
	load_memory(from, 4 * CACHE);
	worker_read_here(fd, before);
	for (done = 0; done < size; done += step) {
		load_memory(from + done % (4 * CACHE), step);
		worker_read_here(fd, after);
		wrong += after[OCCUPANCY] > CACHE;
	}
	same(wrong, 0, "occupancies of more than the cache, CPU %d", cpu);
	/* And what the system calls and NMIs bring in, 0.7 % */
	within(after[TOTAL] - before[TOTAL], size, size + size / 32, "fetched beside another reader");
	within(after[LOCAL] - before[LOCAL], 0, after[TOTAL] - before[TOTAL], "of it local");
	_exit(result());
}

/* Where CPUs have one QM_EVTSEL together (see cmt_zen3.sh), the selections would mix. */
static void readers_at_once(void)
{
	int cpu, status;
	pid_t pid[2];

	set_config("ebs_max_rate=10000");
	for (cpu = 0; cpu < 2; cpu++) {
		pid[cpu] = fork();
		if (!pid[cpu])
			load_and_read(cpu, 4 * CACHE * cpu);
	}
	for (cpu = 0; cpu < 2; cpu++) {
		waitpid(pid[cpu], &status, 0);
		same(status, 0, "status of the reader on CPU %d", cpu);
	}
	set_config("ebs_max_rate=100");
}

/* A process has an RMID, and its child another one. */
static void family(void)
{
	struct records records = {};
	int fd = open_session(), i, nr = 0, go[2];
	pid_t pid;
	char c;

	all_free();
	if (pipe(go))
		die("no pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		pid_t tid;

		pin(0, 0);
		if (read(go[0], &c, 1) != 1)
			_exit(1);
		load_memory(0, 4 * CACHE);
		/* Another process, which brings in as many lines. */
		tid = fork();
		if (!tid) {
			load_memory(4 * CACHE, 4 * CACHE);
			_exit(0);
		}
		waitpid(tid, NULL, 0);
		_exit(0);
	}
	command(fd, "follow children\nvirtual " VIRTUALS "\nattach %d", pid);
	same(param("rmids_free"), RMIDS - 1, "free RMIDs, a process has one");
	if (write(go[1], "x", 1) != 1)
		die("write: %s", strerror(errno));
	waitpid(pid, NULL, 0);
	read_to_end(fd, &records);
	for (i = 0; i < records.nr; i++) {
		const struct record *r = &records.all[i];

		if (!(r->head.flags & PMC_REC_LAST))
			continue;
		nr++;
		/* To fork and to exit takes lines, too: for each page of the 8 MiB. */
		within(r->counts[TOTAL], 4 * CACHE, 5 * CACHE, "traffic of process %d",
		       r->head.pid);
	}
	same(nr, 2, "processes that have ended");
	forget_records(&records);
	close(go[0]);
	close(go[1]);
	close(fd);
}

/* ---- RMIDs ---- */

/* Occupancy and traffic are not known, and no sample says 0. */
static void no_value_in_samples(const char *period, const char *when)
{
	struct records records = {};
	int fd = open_session(), i, go[2];
	pid_t pid;
	char c;

	if (pipe(go))
		die("no pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		if (read(go[0], &c, 1) == 1)
			load_memory(0, CACHE);
		_exit(0);
	}
	command(fd, "%s\nvirtual " VIRTUALS "\nattach %d", period, pid);
	if (write(go[1], "x", 1) != 1)
		die("write: %s", strerror(errno));
	waitpid(pid, NULL, 0);
	read_to_end(fd, &records);
	CHECK(records.nr > 0, "%s: no sample", when);
	for (i = 0; i < records.nr; i++) {
		same(records.all[i].counts[OCCUPANCY], PMC_NO_VALUE, "%s: occupancy in a sample", when);
		same(records.all[i].counts[TOTAL], PMC_NO_VALUE, "%s: traffic in a sample", when);
	}
	forget_records(&records);
	close(go[0]);
	close(go[1]);
	close(fd);
}

/* The same of a thread that reads its own. */
static void no_value_in_reads(void)
{
	struct pmc_read r = { .core_type = PMC_ALL_CORE_TYPES };
	int status, fd;
	pid_t pid = fork();

	if (!pid) {
		fd = open_session();
		command(fd, "virtual " VIRTUALS);
		start(fd);
		load_memory(0, CACHE);
		if (ioctl(fd, PMC_IOC_READ, &r))
			die("PMC_IOC_READ: %s", strerror(errno));
		same(r.counts[r.nr_counts + OCCUPANCY], PMC_NO_VALUE, "own occupancy, all RMIDs in use");
		same(r.counts[r.nr_counts + TOTAL], PMC_NO_VALUE, "own traffic, all RMIDs in use");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "exit status of the thread that reads its own");
}

static void more_processes_than_rmids(void)
{
	struct worker p[RMIDS + 2];
	int i;

	same(param("rmids"), RMIDS, "RMIDs");
	all_free();
	for (i = 0; i < RMIDS + 2; i++)
		p[i] = worker_start(i % CPUS, VIRTUALS);
	same(param("rmids_free"), 0, "free RMIDs, all in use");
	same(param("threads_without_rmid"), 2, "threads without one");
	for (i = 0; i < RMIDS; i++)
		within(worker_value(&p[i]), 0, CACHE, "process %d of all that have one", i);
	same(worker_value(&p[RMIDS]), PMC_NO_VALUE, "one too many");
	same(worker_value(&p[RMIDS + 1]), PMC_NO_VALUE, "two too many");
	no_value_in_samples("period 0", "all RMIDs are in use");
	no_value_in_samples("period 10ms", "all RMIDs are in use, by time");
	no_value_in_reads();

	/* The processes have few lines, so their RMIDs are free after the next check. */
	worker_end(&p[0]);
	wait_for_check();
	within(worker_value(&p[RMIDS]), 0, CACHE, "one that waited");
	same(worker_value(&p[RMIDS + 1]), PMC_NO_VALUE, "one that waits still");
	same(param("threads_without_rmid"), 1, "threads without one");
	for (i = 1; i < RMIDS + 2; i++)
		worker_end(&p[i]);
	wait_for_check();
	same(param("rmids_free"), RMIDS, "free RMIDs at the end");
	same(param("threads_without_rmid"), 0, "threads without one at the end");
}

static void *run_often(void *unused)
{
	for (;;)
		usleep(5000);
	return unused;
}

/* A process of two monitored threads, which both run from time to time until it is killed. */
static pid_t start_two_threads(int cpu)
{
	int there[2], fd;
	pthread_t thread;
	pid_t pid;
	char c;

	if (pipe(there))
		die("no pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		pin(0, cpu);
		fd = open_session();
		command(fd, "follow threads\nvirtual " VIRTUALS);
		start(fd);
		if (pthread_create(&thread, NULL, run_often, NULL) ||
		    write(there[1], "x", 1) != 1)
			_exit(1);
		run_often(NULL);
	}
	close(there[1]);
	if (read(there[0], &c, 1) != 1)
		die("the process of two threads has died");
	close(there[0]);
	return pid;
}

/* The first thread takes the only free RMID, the second one has it, too. */
static void threads_share_a_late_rmid(void)
{
	struct worker p[RMIDS];
	pid_t pid;
	int i;

	all_free();
	for (i = 0; i < RMIDS; i++)
		p[i] = worker_start(i % CPUS, VIRTUALS);
	pid = start_two_threads(1);
	same(param("threads_without_rmid"), 2, "threads of a process without an RMID");
	worker_end(&p[0]);
	for (i = 0; i < 20 && param("threads_without_rmid"); i++)
		wait_for_check();
	same(param("rmids_free"), 0, "free RMIDs, the process has got one");
	same(param("threads_without_rmid"), 0, "threads without the RMID of their process");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (i = 1; i < RMIDS; i++)
		worker_end(&p[i]);
}

/* End a process. Return: was its RMID in limbo before this many were free? */
static bool is_in_limbo_once(struct worker *p, int free)
{
	bool seen = false;

	kill(p->pid, SIGKILL);
	/* A check comes after 10 ms at the earliest. */
	while (param("rmids_free") < free) {
		seen = seen || param("rmids_in_limbo");
		usleep(500);
	}
	worker_kill(p);
	return seen;
}

static void limbo(void)
{
	struct worker p, q;
	int waits = 0, i;

	all_free();
	p = worker_start(0, VIRTUALS);
	within(param("residue_max"), CACHE / (RMIDS + 1), CACHE / (RMIDS + 1), "residue_max");
	worker_load(&p, 0, 4 * CACHE);
	worker_end(&p);
	wait_for_check();
	same(param("rmids_in_limbo"), 1, "its lines are there still");
	/* The tick reads counters, so the cache is used. */
	load_memory(4 * CACHE, 4 * CACHE);
	wait_for_check();
	same(param("rmids_in_limbo"), 0, "its lines are gone");

	set_config("cmt.residue_max=off");
	/* A process that ends shortly before a check may leave limbo between two readings. */
	for (i = 0; i < 20 && waits < 10; i++) {
		p = worker_start(0, VIRTUALS);
		q = worker_start(1, VIRTUALS);
		worker_load(&q, 0, CACHE);
		/* If one RMID is free a check was just done: the other waits for the next. */
		is_in_limbo_once(&p, RMIDS - 1);
		waits += is_in_limbo_once(&q, RMIDS);
		same(param("rmids_in_limbo"), 0, "no process needs its lines");
	}
	same(waits, 10, "RMIDs that were seen to wait for a check");
	/* The next process with one of these RMIDs would be charged these lines. */
	load_memory(4 * CACHE, 4 * CACHE);
	set_config("cmt.residue_max=0");
	same(config("cmt.residue_max=lots"), -EINVAL, "a wrong residue");
	same(config("cmt.policy=best"), -EINVAL, "a wrong policy");
	mentions(last_error(), "fifo, lifo or random", "the last error");
	same(config("cmt.colour=red"), -EINVAL, "a wrong parameter");
}

/* ---- classes of service ---- */

static void classes(void)
{
	struct worker p = worker_start(0, VIRTUALS), q;
	char text[50];

	same(config("cmt.cat=1:0"), -EINVAL, "an empty mask");
	same(config("cmt.cat=1:0x10000"), -EINVAL, "a mask of too many ways");
	same(config("cmt.cat=4:1"), -ERANGE, "a class that does not exist");
	same(config("cmt.cat=1"), -EINVAL, "no mask");
	same(config("cmt.class=4"), -ERANGE, "processes in a class that does not exist");
	same(config("cmt.class=1:1"), -ESRCH, "a process that is not monitored");
	set_config("cmt.cat=1:0xf");
	same(read_msr(2, L3_MASK + 1), 0xf, "mask of class 1");
	snprintf(text, sizeof(text), "cmt.class=%d:1", p.pid);
	set_config("%s", text);
	worker_load(&p, 0, 4 * CACHE);
	/* And the lines that it had brought in before. */
	bytes(worker_value(&p), CACHE / 4, "4 ways of 16");

	/* All processes that start from now on. */
	set_config("cmt.cat=2:0x3");
	set_config("cmt.cat=3:0x30");
	write_msr(3, L3_MASK + 3, 0xc00);
	set_config("cmt.class=2");
	q = worker_start(1, VIRTUALS);
	worker_load(&q, 4 * CACHE, 4 * CACHE);
	same(worker_value(&q), CACHE / 8, "2 ways of 16");
	worker_end(&p);
	worker_end(&q);
	check_no_rmid("classes");
	deactivate("cmt");
	same(read_msr(0, L3_MASK + 1), 0xffff, "mask of class 1, afterwards");
	same(read_msr(0, L3_MASK + 2), 0xffff, "mask of class 2, afterwards");
	same(read_msr(0, L3_MASK + 3), 0xc00, "a mask that another user has written, afterwards");
	write_msr(0, L3_MASK + 3, 0xffff);
	same(config("cmt.cat=1:0xf"), -ENXIO, "a mask while it is not active");
	activate("cmt");
}

/* ---- others ---- */

static void refused_now(const char *word, const char *what)
{
	same(write_file("/proc/pmc/mm_manager", "activate cmt"), -EBUSY, "%s", what);
	mentions(last_error(), word, "%s", what);
}

static void other_user_first(void)
{
	deactivate("cmt");
	write_msr(1, PQR_ASSOC, 3);
	refused_now("PQR_ASSOC", "activating when a CPU has an RMID");
	write_msr(1, PQR_ASSOC, 0);
	if (mount("resctrl", RESCTRL, "resctrl", 0, NULL))
		die("resctrl cannot be mounted: %s", strerror(errno));
	refused_now("resctrl is mounted", "activating when resctrl is mounted");
	umount(RESCTRL);
	activate("cmt");
}

/*
 * How often the kernel writes QM_EVTSEL while a process begins to be monitored, and ends.
 * Return: -1 if this kernel cannot trace registers.
 */
static int selections(void)
{
	struct worker p;
	char line[400];
	int nr = 0;
	FILE *f;

	if (access(TRACING "/trace", F_OK))
		mount("tracefs", TRACING, "tracefs", 0, NULL);
	if (write_file(TRACING "/events/msr/write_msr/filter", "msr == %d", QM_EVTSEL))
		return -1;
	/* To open it so empties it. */
	f = fopen(TRACING "/trace", "w");
	if (f)
		fclose(f);
	write_file(TRACING "/events/msr/write_msr/enable", "1");
	p = worker_start(1, VIRTUALS);
	worker_value(&p);
	worker_end(&p);
	write_file(TRACING "/events/msr/write_msr/enable", "0");
	write_file(TRACING "/events/msr/write_msr/filter", "0");
	f = fopen(TRACING "/trace", "r");
	while (f && fgets(line, sizeof(line), f))
		nr += line[0] != '#' && strstr(line, "write_msr");
	if (f)
		fclose(f);
	return nr;
}

static void has_no_value(struct worker *p, const char *when)
{
	same(worker_value(p), PMC_NO_VALUE, "%s", when);
	mentions(last_error(), "cmt", "module list");
	worker_end(p);
	check_no_rmid(when);
	deactivate("cmt");
	activate("cmt");
	*p = worker_start(0, VIRTUALS);
	within(worker_value(p), 0, CACHE, "a value again");
}

static void other_user_later(void)
{
	struct worker p = worker_start(0, VIRTUALS);
	uint64_t values[WORKER_VALUES];
	int traced = selections();

	within(worker_value(&p), 0, CACHE, "a value");
	if (traced >= 0)
		within(traced, 1, 100000, "selections that the trace has");
	set_config("cmt.cat=3:0xff");
	set_config("cmt.cat=2:0xf0");
	write_msr(0, L3_MASK + 2, 0x3);
	if (mount("resctrl", RESCTRL, "resctrl", 0, NULL))
		die("resctrl cannot be mounted: %s", strerror(errno));
	wait_for_check();
	same(read_msr(0, L3_MASK + 3), 0xffff, "a mask is given back to resctrl");
	same(read_msr(3, L3_MASK + 2), 0x3, "a mask that another user has written");
	umount(RESCTRL);
	if (traced >= 0)
		same(selections(), 0, "selections after the registers were lost");
	has_no_value(&p, "resctrl was mounted");

	worker_spin(&p, 200000000);
	usleep(20000);
	write_msr(0, PQR_ASSOC, 0);
	worker_spun(&p, values);
	same(values[OCCUPANCY], PMC_NO_VALUE, "another value in PQR_ASSOC");
	wait_for_check();
	has_no_value(&p, "another value in PQR_ASSOC");
	worker_end(&p);
}

/* Does a line of /proc/pmc/config begin so? */
static bool shows(const char *beginning)
{
	FILE *f = fopen("/proc/pmc/config", "r");
	char text[400];
	bool found = false;

	while (f && !found && fgets(text, sizeof(text), f))
		found = !strncmp(text, beginning, strlen(beginning));
	fclose(f);
	return found;
}

/*
 * A loss is noticed when the worker's session reads its last counts. The module is deactivated
 * a few ms later, in most rounds before its next tick, which comes after 12 ms.
 */
static void deactivated_at_once(void)
{
	struct worker p;
	int i;

	for (i = 0; i < 10; i++) {
		p = worker_start(0, VIRTUALS);
		set_config("cmt.cat=3:0xff");
		worker_spin(&p, 100000000);
		usleep(20000);
		write_msr(0, PQR_ASSOC, 0);
		worker_kill(&p);
		same(shows("cmt.stopped "), true, "the loss is noticed, round %d", i);
		deactivate("cmt");
		same(read_msr(0, L3_MASK + 3), 0xffff, "a mask after round %d", i);
		activate("cmt");
	}
}

static void online(int cpu, int on)
{
	char path[100];
	int ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	ret = write_file(path, "%d", on);
	if (ret)
		die("%s: %s", path, strerror(-ret));
}

static void cpus_come_and_go(void)
{
	struct worker p = worker_start(3, VIRTUALS);
	int round;

	worker_load(&p, 0, CACHE / 2);
	for (round = 0; round < 3; round++) {
		/* The kernel uses so much memory for this that lines are evicted. */
		online(3, 0);
		worker_load(&p, 0, CACHE / 2);
		bytes(worker_value(&p), CACHE / 2, "on another CPU");
		online(3, 1);
		pin(p.pid, 3);
		worker_load(&p, 0, CACHE / 2);
		bytes(worker_value(&p), CACHE / 2, "back on its CPU");
	}
	worker_spin(&p, 100000000);
	usleep(20000);
	within(read_msr(3, PQR_ASSOC), 1, RMIDS, "PQR_ASSOC of a CPU that came back");
	worker_spun(&p, (uint64_t[WORKER_VALUES]){});
	worker_end(&p);
}

static void not_for_everybody(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		int fd;

		if (setresgid(1000, 1000, 1000) || setresuid(1000, 1000, 1000))
			die("becoming a user: %s", strerror(errno));
		fd = open_session();
		refused(fd, EACCES, "CAP_PERFMON", "virtual llc_occupancy");
		same(config("cmt.policy=lifo"), -EACCES, "a parameter");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of a user");
}

static bool has_abmc(void)
{
#ifdef __x86_64__
	uint32_t a, b, c, d;

	return __get_cpuid_count(0x80000020, 0, &a, &b, &c, &d) && b >> 5 & 1;
#else
	return false;
#endif
}

/* AMD's ABMC: no RMID has a counter assigned. */
static void traffic_is_not_counted(void)
{
	struct worker p;
	int fd;

	deactivate("cmt");
	write_msr(0, L3_EXT_CFG, 1);
	activate("cmt");
	fd = open_session();
	refused(fd, ENOENT, "mem_bandwidth_total", "virtual mem_bandwidth_total");
	refused(fd, ENOENT, "mem_bandwidth_local", "virtual mem_bandwidth_local");
	close(fd);
	if (!shows("cmt.traffic not counted: ABMC is on"))
		fail("/proc/pmc/config does not say that traffic is not counted");
	p = worker_start(0, "llc_occupancy");
	worker_load(&p, 0, CACHE / 2);
	bytes(worker_value(&p), CACHE / 2, "occupancy while no traffic is counted");
	worker_end(&p);
	deactivate("cmt");
	fd = open_session();
	/* The module has it, but is not active. */
	refused(fd, ENODEV, "activate cmt", "virtual mem_bandwidth_total");
	close(fd);
	write_msr(0, L3_EXT_CFG, 0);
	activate("cmt");
	if (shows("cmt.traffic "))
		fail("/proc/pmc/config says that traffic is not counted");
}

static void traffic_again(void)
{
	struct worker p = worker_start(0, VIRTUALS);
	uint64_t before[WORKER_VALUES], after[WORKER_VALUES];

	worker_load(&p, 4 * CACHE, 4 * CACHE);
	worker_read(&p, before);
	worker_load(&p, 0, 4 * CACHE);
	worker_read(&p, after);
	bytes(after[TOTAL] - before[TOTAL], 4 * CACHE, "traffic after ABMC");
	worker_end(&p);
}

/* usage: modules/cmt [readers]: only that what several CPUs read at once is right */
int main(int argc, char **argv)
{
	/* This loads the driver, which needs many lines. */
	lines_of(0);
	/* Wait for the kernel's work after its boot. */
	sleep(5);
	worker_memory(8 * CACHE);
	load_module("pmc_cmt");
	activate("cmt");
	readers_at_once();
	cpus_come_and_go();
	if (argc > 1 && !strcmp(argv[1], "readers"))
		goto end;
	occupancy();
	scheduler();
	traffic_wraps();
	family();
	more_processes_than_rmids();
	threads_share_a_late_rmid();
	limbo();
	classes();
	not_for_everybody();
	other_user_first();
	other_user_later();
	deactivated_at_once();
	if (has_abmc()) {
		traffic_is_not_counted();
		traffic_again();
	}
end:
	wait_until_idle();
	deactivate("cmt");
	check_no_rmid("the end");
	unload_module("pmc_cmt");
	return result();
}
