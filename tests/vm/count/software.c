// SPDX-License-Identifier: GPL-2.0
/*
 * Software events: counts are right, by PMC_IOC_READ and by records. The thread's own script
 * causes the migrations, and a file with holes the major faults. getrusage() has all faults and
 * context switches; it is called before and after a start, a reading and a stop. task_clock
 * is the running time, also of sets that take turns.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define MOVES		40
#define NAPS		30
#define HOLES		16
#define TOUCHED		50
#define FOLDER		"/tmp/holes"

static long long ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/*
 * Every other step of the script moves the thread to another CPU, of another core type or not;
 * between them it sleeps, so that there are more switches than migrations.
 */
static void migrations(void)
{
	int cpus[3] = { 1, sysconf(_SC_NPROCESSORS_ONLN) - 1, 0 }, fd = open_session(), i;
	const struct timespec nap = { .tv_nsec = 100000 };
	struct records records = { };
	struct step s[2 * MOVES + 2];
	cpu_set_t masks[3];

	for (i = 0; i < 3; i++) {
		CPU_ZERO(&masks[i]);
		CPU_SET(cpus[i], &masks[i]);
	}
	pin(0, 0);
	command(fd, "ring 4096\nperiod 1ms\nevents sw=migrations");
	make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	for (i = 0; i < MOVES; i++) {
		make_step(&s[2 * i + 1], SYS_sched_setaffinity, 0, sizeof(cpu_set_t),
			  (long)&masks[i % 3]);
		make_step(&s[2 * i + 2], SYS_nanosleep, (long)&nap, 0, 0);
	}
	make_step(&s[2 * MOVES + 1], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	for (i = 0; i <= 2 * MOVES; i++)
		s[i].loops = 100000;
	script(s, 2 * MOVES + 2);
	read_records(fd, &records);
	check_records(&records);
	same(own_count(fd, -1, 0, 0), MOVES, "migrations");
	same(sum_records(&records, 0, -1, -1, 0), MOVES, "migrations, by records");
	forget_records(&records);
	close(fd);
}

/* A file of ramfs has no other place for its pages than memory. */
static char *holes(void)
{
	size_t size = HOLES * getpagesize();
	char *p;
	int fd;

	if ((mkdir(FOLDER, 0700) && errno != EEXIST) || mount("none", FOLDER, "ramfs", 0, NULL))
		die(FOLDER ": %s", strerror(errno));
	fd = open(FOLDER "/file", O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, size))
		die("no file with holes: %s", strerror(errno));
	p = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED || madvise(p, size, MADV_RANDOM))
		die("mmap of the file: %s", strerror(errno));
	close(fd);
	return p;
}

/* The session's events; rusage has the same. */
enum { SWITCHES, PAGE_FAULTS, MINOR_FAULTS, MAJOR_FAULTS, NR_KINDS };

static const char *const kinds[] = {
	"context_switches", "page_faults", "minor_faults", "major_faults",
};

static void get_usage(long long *values)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	values[SWITCHES] = usage.ru_nvcsw + usage.ru_nivcsw;
	values[PAGE_FAULTS] = usage.ru_minflt + usage.ru_majflt;
	values[MINOR_FAULTS] = usage.ru_minflt;
	values[MAJOR_FAULTS] = usage.ru_majflt;
}

static void sleep_and_fault(const volatile char *file)
{
	const struct timespec nap = { .tv_nsec = 100000 };
	int i;

	for (i = 0; i < NAPS; i++)
		nanosleep(&nap, NULL);
	for (i = 0; i < HOLES; i++)
		(void)file[i * getpagesize()];
	touch_pages(TOUCHED);
}

/* When rusage is looked at */
enum { BEFORE_START, STARTED, WORKED, WAS_READ, STOPPED, NR_TIMES };

static void check_count(long long count, int kind, long long (*usage)[NR_KINDS], int end,
			const char *by)
{
	within(count, usage[WORKED][kind] - usage[STARTED][kind],
	       usage[end][kind] - usage[BEFORE_START][kind], "%s, by %s", kinds[kind], by);
	if (kind == MAJOR_FAULTS)
		same(count, HOLES, "major faults, by %s", by);
}

static void switches_and_faults(void)
{
	long long usage[NR_TIMES][NR_KINDS];
	struct records records = { };
	int fd = open_session(), i;
	char *file = holes();
	struct pmc_read r;

	pin(0, 1);
	command(fd, "ring 4096\nperiod 1ms\n"
		"events sw=context_switches,sw=page_faults,sw=minor_faults,sw=major_faults");
	get_usage(usage[BEFORE_START]);
	start(fd);
	get_usage(usage[STARTED]);
	sleep_and_fault(file);
	get_usage(usage[WORKED]);
	own_reading(fd, -1, 0, &r);
	get_usage(usage[WAS_READ]);
	stop(fd);
	get_usage(usage[STOPPED]);
	read_records(fd, &records);
	for (i = 0; i < NR_KINDS; i++) {
		check_count(r.counts[i], i, usage, WAS_READ, "PMC_IOC_READ");
		check_count(sum_records(&records, 0, -1, -1, i), i, usage, STOPPED, "records");
	}
	CHECK(usage[WORKED][SWITCHES] - usage[STARTED][SWITCHES] >= NAPS, "too few switches");
	CHECK(usage[WORKED][MINOR_FAULTS] - usage[STARTED][MINOR_FAULTS] >= TOUCHED,
	      "too few minor faults");
	forget_records(&records);
	munmap(file, HOLES * getpagesize());
	umount(FOLDER);
	rmdir(FOLDER);
	close(fd);
}

/* Of the records of a set. Each record's may be some ns too small: it has two clocks. */
static void check_running(const struct records *records, int set, long long running)
{
	long long sum = 0, nr = 0;
	int i;

	for (i = 0; i < records->nr; i++) {
		if (records->all[i].head.set != set)
			continue;
		sum += records->all[i].head.running;
		nr++;
	}
	CHECK(running, "set %d had no turn", set);
	within(sum, running - 1000 * nr, running, "set %d: running time of %lld records", set, nr);
	same(sum_records(records, 0, -1, set, 0), running, "set %d: task_clock of records", set);
}

/* Two sets that take turns: together they run as long as the thread does. */
static void running_time(void)
{
	long long began = ns(CLOCK_MONOTONIC), cpu_began, cpu;
	struct records records = { };
	int fd = open_session(), i, set;
	struct pmc_read r[2];

	pin(0, 1);
	command(fd, "ring 4096\nperiod 1ms\nevents sw=task_clock\n"
		"events sw=task_clock,sw=migrations");
	start(fd);
	cpu_began = ns(CLOCK_THREAD_CPUTIME_ID);
	for (i = 0; i < 30; i++) {
		spin(300000);
		cpu = ns(CLOCK_THREAD_CPUTIME_ID) - cpu_began;
		for (set = 0; set < 2; set++) {
			own_reading(fd, -1, set, &r[set]);
			same(r[set].counts[0], r[set].running, "reading %d, set %d: task_clock", i, set);
		}
		within(r[0].running + r[1].running, cpu * 9 / 10, ns(CLOCK_MONOTONIC) - began,
		       "reading %d: running time of both sets", i);
	}
	stop(fd);
	read_records(fd, &records);
	for (set = 0; set < 2; set++) {
		own_reading(fd, -1, set, &r[set]);
		check_running(&records, set, r[set].running);
	}
	forget_records(&records);
	close(fd);
}

int main(void)
{
	read_machine();
	migrations();
	switches_and_faults();
	running_time();
	unpin(0);
	wait_until_idle();
	return result();
}
