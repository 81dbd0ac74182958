// SPDX-License-Identifier: GPL-2.0
/*
 * The user-space half of a scheduler: find the big CPUs, load the BPF program, and wait
 * until it ends. pmctrack.ko knows which CPUs are big; a scheduler needs no other
 * information about the machine.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "common.h"
#include "scheduler.h"
#include "settings.h"
#include "statistics.h"

/* From include/uapi/linux/bpf.h; libbpf 1.1 has an older copy. */
#define STRUCT_OPS_LINK		(1U << 13)
#define ATTACH_STRUCT_OPS	44
#define INFO			"/proc/pmc/info"
#define ONLINE			"/sys/devices/system/cpu/online"
#define HOTPLUG_SEQ		"/sys/kernel/sched_ext/hotplug_seq"
/* From kernel/sched/ext: the scheduler should be started again. */
#define ECODE_ACT_RESTART	(1ULL << 48)

static struct settings settings;
static bool verbose;

static void die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Like bad(), but with exit status 1: the command line was right. */
static void die(const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", scheduler.name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/* With --verbose, show libbpf's own messages: they explain those of die(). */
static int print(enum libbpf_print_level level, const char *fmt, va_list args)
{
	return verbose && level == LIBBPF_WARN ? vfprintf(stderr, fmt, args) : 0;
}

static unsigned long number(const char *option, const char *text)
{
	return option_number(option, text, 1, 1000000);
}

static void parse(int argc, char **argv)
{
	const struct option options[] = {
		{ scheduler.margin_option, required_argument, NULL, scheduler.margin_option[0] },
		{ "slice", required_argument, NULL, 's' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ scheduler.asks ? "explore" : NULL, required_argument, NULL, 'e' },
		{ "keep", required_argument, NULL, 'k' },
		{ NULL, 0, NULL, 0 }
	};
	char letters[16], margin[32];
	int c;

	snprintf(letters, sizeof(letters), "%c:s:vh%s", scheduler.margin_option[0],
		 scheduler.asks ? "e:k:" : "");
	snprintf(margin, sizeof(margin), "--%s", scheduler.margin_option);
	settings.margin = scheduler.margin * scheduler.margin_unit;
	settings.slice = 20000000;
	settings.patience = 1000000000;
	/* Without a metric, two threads swap places only when the margin has grown again. */
	settings.keep = scheduler.asks ? 200000000 : 0;
	settings.explore = 400000000;
	while ((c = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (c == scheduler.margin_option[0])
			settings.margin = number(margin, optarg) * scheduler.margin_unit;
		else if (c == 's')
			settings.slice = number("--slice", optarg) * 1000000;
		else if (c == 'e')
			settings.explore = number("--explore", optarg) * 1000000;
		else if (c == 'k')
			settings.keep = number("--keep", optarg) * 1000000;
		else if (c == 'v')
			verbose = true;
		else if (c == 'h')
			exit(printf("%s", scheduler.help) < 0);
		else
			exit(2);
	}
	if (optind < argc)
		bad("'%s': this command takes options only (see --help)", argv[optind]);
}

/* Set the value of each CPU of a list such as 0-1,4. */
static void set_cpus(int *of_cpu, int value, const char *list)
{
	unsigned int first, last;
	int n;

	while (sscanf(list, "%u%n", &first, &n) == 1) {
		list += n;
		last = first;
		if (sscanf(list, "-%u%n", &last, &n) == 1)
			list += n;
		if (last >= MAX_CPUS)
			die("CPU %u: only CPUs 0 to %d are supported", last, MAX_CPUS - 1);
		for (; first <= last; first++)
			of_cpu[first] = value;
		list += *list == ',';
	}
}

/* The first line of a file; empty if there is none */
static void read_line(const char *path, char *line, int size)
{
	FILE *f = fopen(path, "r");

	if (!f || !fgets(line, size, f))
		*line = '\0';
	if (f)
		fclose(f);
}

static void find_siblings(int cpu)
{
	int same_core[MAX_CPUS] = { }, next = cpu;
	char path[80], list[4096];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
		 cpu);
	read_line(path, list, sizeof(list));
	set_cpus(same_core, 1, list);
	do
		next = (next + 1) % MAX_CPUS;
	while (next != cpu && !same_core[next]);
	settings.sibling[cpu] = next;
}

/* "core_type 0 cpus 0-1 name big ..." and "fastest 0" */
static void find_big(void)
{
	int type_of[MAX_CPUS], online[MAX_CPUS] = { };
	FILE *f = fopen(INFO, "r");
	int type, fastest = -1, cpu;
	char line[8192], list[4096];

	if (!f)
		die("cannot open " INFO ": %s; load the kernel module first (modprobe pmctrack)",
		    strerror(errno));
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		type_of[cpu] = -1;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "core_type %d cpus %4095s", &type, list) == 2)
			set_cpus(type_of, type, list);
		sscanf(line, "fastest %d", &fastest);
	}
	fclose(f);
	read_line(ONLINE, list, sizeof(list));
	set_cpus(online, 1, list);
	memset(settings.nr_cpus, 0, sizeof(settings.nr_cpus));
	for (cpu = 0; cpu < MAX_CPUS; cpu++) {
		/* The core type of a CPU that was offline before may be unknown. */
		int cluster = type_of[cpu] >= 0 && type_of[cpu] == fastest ? BIG : LITTLE;

		if (!online[cpu])
			continue;
		settings.cluster[cpu] = cluster;
		settings.cpus[cluster][settings.nr_cpus[cluster]++] = cpu;
		find_siblings(cpu);
	}
	if (!settings.nr_cpus[BIG] || !settings.nr_cpus[LITTLE])
		die("this scheduler needs CPUs of different speed, but " INFO
		    " lists none that are faster than others");
}

static struct bpf_map *map_named(struct bpf_object *object, const char *name)
{
	struct bpf_map *map = bpf_object__find_map_by_name(object, name);

	if (!map)
		die("the BPF program has no map '%s'", name);
	return map;
}

static struct bpf_object *load(void)
{
	struct bpf_program *init;
	struct bpf_object *object;
	struct bpf_map *ops;
	int ret;

	object = bpf_object__open_mem(scheduler.object,
				      scheduler.object_end - scheduler.object, NULL);
	if (!object)
		die("cannot read the BPF program: %s", strerror(errno));
	ret = bpf_map__set_initial_value(map_named(object, ".rodata.settings"), &settings,
					 sizeof(settings));
	if (ret)
		die("cannot set the BPF program's settings: %s", strerror(-ret));
	/* scx_bpf_create_dsq() may sleep; libbpf 1.1 has no section name for that. */
	init = bpf_object__find_program_by_name(object, "amp_init");
	bpf_program__set_flags(init, BPF_F_SLEEPABLE);
	/* With a link the scheduler ends with this process, however the process ends. */
	ops = map_named(object, "scheduler");
	bpf_map__set_map_flags(ops, STRUCT_OPS_LINK);
	ret = bpf_object__load(object);
	if (ret == -EPERM)
		die("no permission to load BPF programs: run this command as root");
	if (ret)
		die("the kernel refused the BPF program: %s; it needs Linux 6.12 or newer with "
		    "CONFIG_SCHED_CLASS_EXT, and a pmctrack.ko with types (BTF)%s",
		    strerror(-ret), verbose ? "" : "; --verbose shows the details");
	return object;
}

/*
 * Return: a file; the scheduler ends when it is closed. After a scheduler has ended, the
 * kernel takes some time until it takes another one: try again @tries times.
 */
static int attach(struct bpf_map *ops, int tries)
{
	/* Before version 1.2 libbpf attaches, but makes no link. */
	bool makes_link = libbpf_major_version() > 1 || libbpf_minor_version() >= 2;
	struct bpf_link *link = NULL;
	int fd;

	for (;; tries--) {
		if (!link)
			link = bpf_map__attach_struct_ops(ops);
		if (!link)
			fd = -errno;
		else if (makes_link)
			return bpf_link__fd(link);
		else
			fd = bpf_link_create(bpf_map__fd(ops), 0, ATTACH_STRUCT_OPS, NULL);
		if (fd != -EBUSY || !tries)
			break;
		usleep(10000);
	}
	if (fd < 0)
		die("the kernel refused the scheduler: %s%s", strerror(-fd),
		    fd == -EBUSY ? " (another one is loaded)" : "");
	return fd;
}

/* Is the scheduler in force? It is started again (false) when a CPU came or went. */
static bool in_force(struct bpf_map *map)
{
	static struct report report;
	int key = 0;

	if (bpf_map_lookup_elem(bpf_map__fd(map), &key, &report))
		die("cannot read why the scheduler ended: %s", strerror(errno));
	if (report.ended && !(report.code & ECODE_ACT_RESTART))
		die("the kernel ended the scheduler: %s%s%s", report.reason,
		    *report.message ? ": " : "", report.message);
	return !report.ended;
}

/*
 * Wait until a signal comes or the kernel ends the scheduler. Return: the scheduler should be
 * started again, as a CPU came or went.
 */
static bool wait(struct bpf_object *object, const sigset_t *signals)
{
	int statistics = bpf_map__fd(map_named(object, "statistics"));
	struct bpf_map *report = map_named(object, ".data.report");
	__u64 now[NR_STATISTICS], before[NR_STATISTICS] = { };
	const struct timespec second = { .tv_sec = 1 };
	int seconds = 0, caught, ret;

	for (;;) {
		caught = sigtimedwait(signals, NULL, &second);
		if (!in_force(report) && caught <= 0)
			return true;
		ret = read_statistics(statistics, now);
		if (ret)
			die("cannot read the statistics: %s", strerror(-ret));
		if (verbose)
			print_statistics(now, before);
		/* A thread has a metric only after some sampling periods. */
		if (++seconds == 5 && scheduler.asks && !now[STAT_KNOWN])
			fprintf(stderr, "%s: no thread has a metric: activate a monitoring module that "
				"provides it (see --help)\n", scheduler.name);
		memcpy(before, now, sizeof(before));
		if (caught > 0)
			return false;
	}
}

/* Return: CPUs came or went while the scheduler was loaded or in force: start it again. */
static bool schedule(const sigset_t *signals, bool again)
{
	char before[32], after[32];
	struct bpf_object *object;
	int fd;

	read_line(HOTPLUG_SEQ, before, sizeof(before));
	find_big();
	object = load();
	fd = attach(map_named(object, "scheduler"), again ? 500 : 0);
	/* From here on the kernel ends the scheduler when a CPU comes or goes. */
	read_line(HOTPLUG_SEQ, after, sizeof(after));
	again = strcmp(before, after);
	if (!again) {
		fprintf(stderr, "%s: in force, on %u big and %u little CPUs\n", scheduler.name,
			settings.nr_cpus[BIG], settings.nr_cpus[LITTLE]);
		again = wait(object, signals);
	}
	close(fd);
	bpf_object__close(object);
	return again;
}

int main(int argc, char **argv)
{
	bool again = false;
	sigset_t signals;

	parse(argc, argv);
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	libbpf_set_print(print);
	while ((again = schedule(&signals, again)))
		fprintf(stderr, "%s: a CPU came or went: starting again\n", scheduler.name);
	return 0;
}
