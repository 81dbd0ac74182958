// SPDX-License-Identifier: GPL-2.0
/* Resources that are free while nothing is counted, and have to be free again afterwards. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftovers.h"
#include "perf.h"
#include "vm.h"

#define MAX_COUNTERS	32
#define MAX_CACHES	400
#define MAX_USERS	8
#define SLABS		"/sys/kernel/debug/slab"

/* Caches of the kernel's own grow by that, KiB. A leak in each round of a test is more. */
#define MEMORY_SLACK	4096

/* ---- counters ---- */

/*
 * The number of a CPU's counters that perf gets, by pinned events. Reading an event without
 * a counter returns the end of the file. The first event takes the counter of cycles, if
 * there is one for cycles alone.
 */
static int perf_counters(int ct, int cpu)
{
	struct perf_event_attr attr = {
		.type = perf_type(ct), .pinned = 1, .read_format = PERF_TIMES,
	};
	int fds[MAX_COUNTERS], i, nr = 0;
	struct value value;

	for (i = 0; i < MAX_COUNTERS; i++) {
		attr.config = i ? event_codes()->instructions : event_codes()->cycles;
		fds[i] = perf_open(&attr, -1, cpu, -1);
	}
	for (i = 0; i < MAX_COUNTERS; i++) {
		nr += perf_read(fds[i], &value);
		close(fds[i]);
	}
	return nr;
}

void counters_are_free(const char *when)
{
	static int at_first[CPU_SETSIZE];
	int ct, cpu, nr;

	for (ct = 0; ct < nr_core_types; ct++) {
		for (cpu = 0; core_types[ct].nr_hw && cpu < CPU_SETSIZE; cpu++) {
			if (!CPU_ISSET(cpu, &core_types[ct].cpus))
				continue;
			nr = perf_counters(ct, cpu);
			if (!at_first[cpu])
				at_first[cpu] = nr;
			same(nr, at_first[cpu], "%s: counters for perf of CPU %d", when, cpu);
			/* With backend perf, slots are not counters. */
			if (strcmp(backend, "perf") &&
			    nr < __builtin_popcountll(core_types[ct].general))
				fail("%s: only %d counters for perf on CPU %d", when, nr, cpu);
		}
	}
}

/* ---- memory ---- */

/* Caches give back the slabs that have no object, of which each keeps some. */
static void shrink_caches(void)
{
	DIR *dir = opendir("/sys/kernel/slab");
	struct dirent *entry;
	char path[300];

	while (dir && (entry = readdir(dir))) {
		snprintf(path, sizeof(path), "/sys/kernel/slab/%s/shrink", entry->d_name);
		if (entry->d_name[0] != '.')
			write_file(path, "1");
	}
	if (dir)
		closedir(dir);
}

long kernel_memory(void)
{
	long sum = 0, value;
	char line[128];
	FILE *f;

	shrink_caches();
	f = fopen("/proc/meminfo", "r");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "SUnreclaim: %ld", &value) == 1 ||
		    sscanf(line, "VmallocUsed: %ld", &value) == 1 ||
		    sscanf(line, "Percpu: %ld", &value) == 1)
			sum += value;
	if (f)
		fclose(f);
	return sum;
}

/*
 * Objects whose allocation has the module in its stack: lines "NR FUNCTION ..." with lines
 * of the stack below. The module's own come with those of the kernel made for it, except for
 * a worker of a work queue, which the kernel ends after five idle minutes.
 */
static long in_cache(const char *name, bool print)
{
	char path[300], line[600], head[600] = "";
	long sum = 0, nr = 0;
	FILE *f;

	snprintf(path, sizeof(path), SLABS "/%s/alloc_traces", name);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (line[0] == ' ' && strtol(line, NULL, 10)) {
			nr = strtol(line, NULL, 10);
			snprintf(head, sizeof(head), "%s", line);
		}
		if (strstr(line, "create_worker+"))
			nr = 0;
		if (strstr(line, "[pmctrack]")) {
			if (print && nr)
				printf("%s%s", head, line);
			sum += nr;
			nr = 0;
		}
	}
	if (f)
		fclose(f);
	return sum;
}

/* The same for areas of virtual memory */
static long in_vmalloc(void)
{
	FILE *f = fopen("/proc/vmallocinfo", "r");
	char line[600];
	long sum = 0;

	while (f && fgets(line, sizeof(line), f))
		sum += strstr(line, "[pmctrack]") != NULL;
	if (f)
		fclose(f);
	return sum;
}

/*
 * The kernel keeps these objects for later: names of files that the module opens for a moment,
 * and free areas of virtual memory, of some MiB together. in_vmalloc() counts those in use.
 */
static bool is_kept(const char *cache)
{
	return strstr(cache, "dentry") || strstr(cache, "inode") || strstr(cache, "vmap_area");
}

static struct cache {
	char name[256];
	long before;
} caches[MAX_CACHES];

static int nr_caches;

/*
 * Count the module's allocations. The kernel knows these if it was started with
 * slub_debug=U. Return: the number of objects.
 */
static long note_objects(void)
{
	struct dirent *entry;
	long sum = 0;
	DIR *dir;

	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	dir = opendir(SLABS);
	while (dir && (entry = readdir(dir)) && nr_caches < MAX_CACHES) {
		struct cache *c = &caches[nr_caches];

		if (entry->d_name[0] == '.' || is_kept(entry->d_name))
			continue;
		nr_caches++;
		snprintf(c->name, sizeof(c->name), "%s", entry->d_name);
		c->before = in_cache(c->name, false);
		sum += c->before;
	}
	if (dir)
		closedir(dir);
	return sum;
}

/* If not, print what there is, with the functions and the age in jiffies. */
static void same_objects(void)
{
	int i;

	for (i = 0; i < nr_caches; i++)
		if (!same(in_cache(caches[i].name, false), caches[i].before,
			  "objects of the module in %s", caches[i].name))
			in_cache(caches[i].name, true);
}

/* ---- locked memory ---- */

static struct {
	uid_t uid;
	int ask, answer;
	long samples;
} users[MAX_USERS];

static int nr_users;

/* The biggest ring that a user gets */
static long biggest_ring(void)
{
	long low = 0, high = 1 << 20, middle;

	while (high - low > 1) {
		int fd = open_session();

		middle = (low + high) / 2;
		if (!try_command(fd, "ring %ld\nevents sw=page_faults", middle) && !try_start(fd))
			low = middle;
		else
			high = middle;
		close(fd);
	}
	return low;
}

/* A process of a user, which says how much the user may lock whenever it is asked. */
static void be_user(uid_t uid, int asked, int answer)
{
	/* The ring is then limited by this, not by ring_max. */
	const struct rlimit limit = { 512 << 10, 512 << 10 };
	long samples;
	char c;

	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		die("RLIMIT_MEMLOCK: %s", strerror(errno));
	change_user(uid);
	while (read(asked, &c, 1) == 1) {
		samples = biggest_ring();
		if (write(answer, &samples, sizeof(samples)) != sizeof(samples))
			break;
	}
	_exit(result());
}

static long ask_user(int i)
{
	long samples;

	if (write(users[i].ask, "", 1) != 1 ||
	    read(users[i].answer, &samples, sizeof(samples)) != sizeof(samples))
		die("user %d has no answer", users[i].uid);
	return samples;
}

static void add_user(uid_t uid)
{
	int there[2], back[2], i;

	if (pipe(there) || pipe(back))
		die("no pipe: %s", strerror(errno));
	if (!fork()) {
		for (i = 0; i < nr_users; i++) {
			close(users[i].ask);
			close(users[i].answer);
		}
		close(there[1]);
		close(back[0]);
		be_user(uid, there[0], back[1]);
	}
	close(there[0]);
	close(back[1]);
	users[nr_users].uid = uid;
	users[nr_users].ask = there[1];
	users[nr_users].answer = back[0];
	nr_users++;
}

/* ---- all of it ---- */

/*
 * kfree_rcu() frees memory up to 5 s later, and hooks stay for a while. Without counters the
 * machine's clock is the host's, and the whole time is not worth it where no objects are counted.
 */
static void settle(void)
{
	sleep(core_types[0].nr_hw || by_size(0, 1) ? 7 : 2);
}

static long memory, areas;

void note_resources(const uid_t *uids, int nr)
{
	int i;

	wait_until_idle();
	counters_are_free("at first");
	for (i = 0; i < nr; i++)
		add_user(uids[i]);
	for (i = 0; i < nr; i++)
		users[i].samples = ask_user(i);
	settle();
	areas = in_vmalloc();
	printf("before: %ld objects of the module\n", note_objects());
	memory = kernel_memory();
	fflush(stdout);
}

static void hooks_are_gone(void)
{
	unload_module("pmctrack");
	/* Processes, programs and switches find a hook that was left. */
	if (!fork()) {
		usleep(1000);
		execl("/bin/busybox", "true", NULL);
	}
	wait(NULL);
	sleep(1);
}

void nothing_is_left(void)
{
	long more;
	int i;

	wait_until_idle();
	settle();
	counters_are_free("at the end");
	for (i = 0; i < nr_users; i++)
		same(ask_user(i), users[i].samples, "user %d: the biggest ring", users[i].uid);
	settle();
	same_objects();
	same(in_vmalloc(), areas, "areas of virtual memory of the module");
	more = kernel_memory() - memory;
	printf("at the end: %+ld KiB of kernel memory\n", more);
	if (more > MEMORY_SLACK)
		fail("%ld KiB of kernel memory are gone", more);
	for (i = 0; i < nr_users; i++) {
		close(users[i].ask);
		close(users[i].answer);
	}
	for (i = 0; i < nr_users; i++)
		wait(NULL);
	hooks_are_gone();
}
