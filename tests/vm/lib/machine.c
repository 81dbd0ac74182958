// SPDX-License-Identifier: GPL-2.0
/* The contents of /proc/pmc, and the machine's CPUs. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"

struct core_type core_types[16];
int nr_core_types;
int first_software;
char backend[16];

/* A list like 0-1,4 */
static void read_cpus(const char *text, struct core_type *ct)
{
	char *end = (char *)text;

	CPU_ZERO(&ct->cpus);
	ct->first_cpu = strtol(text, NULL, 10);
	do {
		long first = strtol(text, &end, 10), last = first;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (; end != text && first <= last; first++)
			CPU_SET(first, &ct->cpus);
		text = end + 1;
	} while (*end == ',');
}

/* counter 0 pmc1-pmc6 general any interrupt */
static void read_counters(const char *line)
{
	char kind[20], event[20];
	struct core_type *ct;
	int id, first, last;

	if (sscanf(line, "counter %d pmc%d-pmc%d %19s %19s", &id, &first, &last, kind,
		   event) != 5) {
		if (sscanf(line, "counter %d pmc%d %19s %19s", &id, &first, kind, event) != 4)
			return;
		last = first;
	}
	ct = &core_types[id];
	if (!strcmp(event, "task_clock")) {
		if (id && first != first_software)
			die("task_clock has another number on core type %d", id);
		first_software = first;
	}
	if (!strcmp(kind, "software"))
		return;
	ct->nr_hw += last - first + 1;
	if (!strcmp(kind, "fixed") && !strcmp(event, "cycles"))
		ct->fixed_cycles = first;
	if (!strcmp(kind, "fixed") && !strcmp(event, "instr"))
		ct->fixed_instructions = true;
	for (; !strcmp(kind, "general") && first <= last; first++)
		ct->general |= 1ULL << first;
}

void read_machine(void)
{
	FILE *f = fopen("/proc/pmc/info", "r");
	char line[400], cpus[100];
	struct core_type *ct;
	int id;

	if (!f)
		die("/proc/pmc/info: %s", strerror(errno));
	nr_core_types = 0;
	while (fgets(line, sizeof(line), f)) {
		sscanf(line, "backend %15s", backend);
		if (sscanf(line, "core_type %d cpus %99s", &id, cpus) == 2) {
			ct = &core_types[nr_core_types++];
			*ct = (struct core_type){ .fixed_cycles = -1 };
			if (id != nr_core_types - 1)
				die("core types are not in order: %s", line);
			read_cpus(cpus, ct);
			sscanf(line, "%*s %*d %*s %*s name %31s pmu %63s",
			       ct->name, ct->pmu);
		}
		read_counters(line);
	}
	fclose(f);
	if (!nr_core_types || !*backend)
		die("/proc/pmc/info lists no core type or backend");
}

void need_counters(void)
{
	read_machine();
	if (!core_types[0].nr_hw)
		skip("this machine has no hardware counters");
}

void need_core_types(void)
{
	need_counters();
	if (nr_core_types < 2)
		skip("this machine has one core type");
}

int core_type_of(int cpu)
{
	int ct;

	for (ct = 0; ct < nr_core_types; ct++)
		if (CPU_ISSET(cpu, &core_types[ct].cpus))
			return ct;
	die("CPU %d is of no core type", cpu);
}

long long proc_value(const char *file, const char *key)
{
	char path[100], line[200], name[100];
	long long value;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/pmc/%s", file);
	f = fopen(path, "r");
	if (!f)
		die("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%99s %lld", name, &value) == 2 && !strcmp(name, key)) {
			fclose(f);
			return value;
		}
	}
	die("%s has no %s", path, key);
}

int write_file(const char *path, const char *fmt, ...)
{
	char text[400];
	va_list args;
	int fd, ret = 0, len;

	va_start(args, fmt);
	len = vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	fd = open(path, O_WRONLY);
	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != len)
		ret = -errno;
	close(fd);
	return ret;
}

int change_number(const char *path, int value)
{
	FILE *f = fopen(path, "r");
	int before;

	if (!f || fscanf(f, "%d", &before) != 1)
		die("%s: %s", path, strerror(errno));
	fclose(f);
	same(write_file(path, "%d", value), 0, "%s can be %d", path, value);
	return before;
}

void set_config(const char *fmt, ...)
{
	char text[200];
	va_list args;
	int ret;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	ret = write_file("/proc/pmc/config", "%s", text);
	if (ret)
		die("/proc/pmc/config: %s: %s", text, strerror(-ret));
}

void load_module(const char *name)
{
	char path[100];
	int fd;

	snprintf(path, sizeof(path), "/lib/pmctrack/%s.ko", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die("%s: %s", path, strerror(errno));
	close(fd);
}

void unload_module(const char *name)
{
	if (syscall(SYS_delete_module, name, 0))
		die("%s cannot be unloaded: %s", name, strerror(errno));
}

/* The error of the module manager. */
static void manage(const char *verb, const char *name)
{
	char line[300] = "";
	FILE *f;

	if (!write_file("/proc/pmc/mm_manager", "%s %s", verb, name))
		return;
	f = fopen("/proc/pmc/mm_manager", "r");
	while (f && fgets(line, sizeof(line), f))
		;
	die("%s %s: %s", verb, name, line);
}

void activate(const char *name)
{
	manage("activate", name);
}

void deactivate(const char *name)
{
	manage("deactivate", name);
}

void pin(pid_t tid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(tid, sizeof(set), &set))
		die("thread %d cannot be moved to CPU %d: %s", tid, cpu, strerror(errno));
}

void unpin(pid_t tid)
{
	cpu_set_t set;

	memset(&set, 0xff, sizeof(set));
	if (sched_setaffinity(tid, sizeof(set), &set))
		die("thread %d cannot be freed: %s", tid, strerror(errno));
}

void change_user(uid_t uid)
{
	if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		die("becoming user %u: %s", uid, strerror(errno));
	/* A process that has changed its user may not be looked into. */
	if (prctl(PR_SET_DUMPABLE, 1))
		die("PR_SET_DUMPABLE: %s", strerror(errno));
}

void wait_until_idle(void)
{
	long long sessions, threads, rounds = 0;

	do {
		sessions = proc_value("stats", "sessions");
		threads = proc_value("stats", "threads");
		if (!sessions && !threads) {
			/* Counters of unprivileged sessions are kept for a second. */
			if (core_types[0].nr_hw)
				usleep(1100000);
			return;
		}
		usleep(10000);
	} while (++rounds < 3000);
	fail("left over: %lld sessions, %lld threads", sessions, threads);
}
