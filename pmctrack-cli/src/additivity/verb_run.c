// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity run: measure all events in programs and compounds */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "additivity/collect.h"
#include "additivity/verb.h"
#include "additivity/verdicts.h"
#include "common.h"
#include "node/cpu_affinity.h"
#include "node/folder.h"
#include "options.h"

static const char help[] =
"Usage: pmc-additivity run [OPTION]... FOLDER PROGRAMS\n"
"Count all events of a core type in each program and compound of the file PROGRAMS, in as\n"
"few runs as the counters allow, and judge which are additive. Measurements are kept in\n"
"FOLDER: the same command continues what was interrupted. The file has lines\n"
"\n"
"  NAME: COMMAND ...            a base program\n"
"  NAME = BASE + BASE           a compound: the commands of both, one after the other\n"
"  NAME = BASE + BASE: COMMAND  a compound with a command of its own\n"
"\n"
"Without any compound, each two base programs make one.\n"
"\n"
"  -c, --core-type=NAME  the core type (default: the first one)\n"
"  -C, --cpus=LIST       its CPUs that programs are bound to (default: all)\n"
"  -m, --memory[=NODE]   measure twice, the second time with memory bound to this node\n"
"                        (default: 0), and compare the verdicts\n"
"  -e, --events=LIST     test these events (default: all that the core type has)\n"
"  -k, --kernel          count in the kernel, too\n"
"  -d, --domain=DOMAIN   energy is that of package (default), core, dram or psys\n"
"      --min=N           measure each event at least so often in each program (default 5)\n"
"      --max=N           repeat at most so often (default 30), until the confidence interval\n"
"                        of the mean is within 5 %\n"
"      --idle=SECONDS    measure the power of the idle machine for so long (default 5)\n"
"      --dry-run         print the number of runs and the event set of each, and stop\n"
"  -h, --help            show this text\n"
"\n"
"Events never take turns on a counter. Nothing else should run on the machine meanwhile.\n";

/* Measurements of a mean, at most */
#define REPEATS_MOST 100000
#define NODE_MOST 1023

struct run_options {
	const char *core_type;
	const char *cpus;
	int memory_node;
	const char *events;
	int kernel;
	const char *domain;
	int needs_energy;
	struct repeats repeats;
	double idle;
	int dry_run;
	const char *folder;
	const char *programs;
};

static void parse(struct run_options *o, int argc, char **argv)
{
	static const struct option names[] = {
		{ "core-type", required_argument, NULL, 'c' }, { "cpus", required_argument, NULL, 'C' },
		{ "memory", optional_argument, NULL, 'm' }, { "events", required_argument, NULL, 'e' },
		{ "kernel", no_argument, NULL, 'k' }, { "domain", required_argument, NULL, 'd' }, { "min", required_argument, NULL, 'n' },
		{ "max", required_argument, NULL, 'x' }, { "idle", required_argument, NULL, 'i' },
		{ "dry-run", no_argument, NULL, 'y' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, "c:C:m::e:kd:h", names, NULL)) != -1)
		switch (letter) {
		case 'c': o->core_type = optarg; break;
		case 'C': o->cpus = optarg; break;
		case 'm': o->memory_node = optarg ? option_number("--memory", optarg, 0, NODE_MOST) : 0; break;
		case 'e': o->events = optarg; break;
		case 'k': o->kernel = 1; break;
		case 'n': o->repeats.least = option_number("--min", optarg, 2, REPEATS_MOST); break;
		case 'x': o->repeats.most = option_number("--max", optarg, 2, REPEATS_MOST); break;
		case 'i': o->idle = options_seconds("--idle", optarg) / 1e6; break;
		case 'd': o->domain = optarg; o->needs_energy = 1; break;
		case 'y': o->dry_run = 1; break;
		case 'h': fputs(help, stdout); exit(0);
		default: bad("option '%s' is not known, or has no argument; see pmc-additivity run --help",
			     argv[optind - 1]);
		}
	if (argc - optind != 2)
		bad("name a folder and a file with programs; see pmc-additivity run --help");
	if (o->repeats.most < o->repeats.least)
		bad("--max=%d is below --min=%d", o->repeats.most, o->repeats.least);
	o->folder = argv[optind];
	o->programs = argv[optind + 1];
}

static int find_core_type(const pmc_machine_t *machine, const char *name)
{
	const struct pmc_core_type_info *info;
	char names[256] = "";
	int id;

	for (id = 0; (info = pmc_machine_core_type(machine, id)); id++) {
		if (!name || !strcmp(name, info->name))
			return id;
		snprintf(names + strlen(names), sizeof(names) - strlen(names), " %s", info->name);
	}
	bad("-c %s: the machine has the core types%s", name, names);
}

/* The CPUs of the core type that this process may use, or those of them in @list */
static void find_cpus(cpu_set_t *cpus, const struct pmc_core_type_info *info, const char *list)
{
	cpu_set_t other;

	if (cpus_parse(info->cpus, cpus) || sched_getaffinity(0, sizeof(other), &other))
		bad("core type %s has CPUs '%s'?", info->name, info->cpus);
	CPU_AND(cpus, cpus, &other);
	if (!CPU_COUNT(cpus))
		bad("this process may not run on any CPU of core type %s", info->name);
	if (!list)
		return;
	if (cpus_parse(list, &other))
		bad("-C takes CPUs, such as 0-3,8, not '%s'", list);
	CPU_AND(cpus, cpus, &other);
	if (!CPU_COUNT(cpus))
		bad("-C %s: core type %s has CPUs %s", list, info->name, info->cpus);
}

static void print_runs(const struct events *events)
{
	int numbers[PMC_MAX_COUNTS], run;
	char *set;

	events_print_runs(events);
	for (run = 0; run < events->nr_runs; run++) {
		events_of_run(events, run, &set, numbers);
		printf("%d: %s\n", run + 1, set);
		free(set);
	}
	written(stdout, "standard output");
}

static void write_left_out(struct about *about, const struct events *events)
{
	size_t size;
	char *list;
	FILE *f = must_have(open_memstream(&list, &size));
	int i;

	for (i = 0; i < events->nr_refused; i++)
		fprintf(f, "%s%s", i ? ", " : "", events->refused[i]);
	if (fclose(f))
		bad("out of memory");
	about_set(about, LEFT_OUT_FACT, "%s", list);
	free(list);
}

static void write_facts(struct about *about, const struct run_options *o, struct bench *bench,
			const struct events *events)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(bench->machine, bench->core_type);
	char cpus[CORES_TEXT], *file = folder_file(o->folder, ABOUT_FILE);
	struct utsname system;

	uname(&system);
	cores_print(cpus, sizeof(cpus), &bench->cpus);
	about_set(about, CORE_TYPE_FACT, "%s", info->name);
	about_set(about, PROCESSOR_FACT, "0x%llx", (unsigned long long)info->cpuid);
	about_set(about, "cpus", "%s", cpus);
	about_set(about, "events", "%s", o->events ? o->events : "all");
	about_set(about, DOMAIN_FACT, "%s", o->domain);
	about_set(about, MODES_FACT, "%s", o->kernel ? "user and kernel" : MODES_USER);
	about_set(about, "kernel", "%s %s", system.release, system.machine);
	if (o->memory_node >= 0)
		about_set(about, MEMORY_NODE_FACT, "%d", o->memory_node);
	if (access(file, F_OK) && events->nr_refused)
		write_left_out(about, events);
	if (access(file, F_OK) && bench_has_energy(bench) && o->idle > 0) {
		fprintf(stderr, "pmc-additivity: the idle machine is measured for %g s\n", o->idle);
		about_set(about, IDLE_POWER_FACT, "%.6f", bench_idle_joules(bench, o->idle) / o->idle);
	}
	free(file);
}

static void measure(const struct run_options *o, struct bench *bench, struct events *events)
{
	struct about about = { 0 };
	struct programs programs;
	struct verdicts v;
	struct results r;

	programs_read(&programs, o->programs);
	write_facts(&about, o, bench, events);
	results_open(&r, o->folder, &about, &programs);
	if (!bench_has_energy(bench))
		fprintf(stderr, "pmc-additivity: energy cannot be read, and is not tested\n");
	collect(&r, bench, events, &o->repeats, o->memory_node < 0 ? PHASE_MEMORY : PHASES, o->memory_node);
	verdicts_find(&v, &r, 0.05);
	verdicts_print_table(&v, 0, stdout);
	written(stdout, "standard output");
	verdicts_free(&v);
	results_free(&r);
	programs_free(&programs);
	about_free(&about);
}

int verb_run(int argc, char **argv)
{
	struct run_options o = { .memory_node = -1, .domain = "package", .repeats = { 5, 30 }, .idle = 5 };
	pmc_machine_t *machine;
	struct events events;
	struct bench bench;
	cpu_set_t cpus;
	int core_type;

	parse(&o, argc, argv);
	machine = pmc_machine_open();
	if (!machine)
		bad("%s", pmc_last_error());
	core_type = find_core_type(machine, o.core_type);
	find_cpus(&cpus, pmc_machine_core_type(machine, core_type), o.cpus);
	events_find(&events, machine, core_type, o.events, o.kernel ? ":u:k" : "");
	bench_open(&bench, machine, core_type, &cpus, o.domain, "/sys");
	if (!energy_domain_is_whole(bench.domain, pmc_machine_core_type(machine, core_type)->cpuid))
		bad("the energy of %s is that of one core in each package on this processor: measure the package", o.domain);
	if (o.needs_energy && !bench_has_energy(&bench))
		bad("the energy of %s cannot be read: leave out -d to test events alone", o.domain);
	if (o.dry_run)
		print_runs(&events);
	else
		measure(&o, &bench, &events);
	bench_close(&bench);
	events_free(&events);
	pmc_machine_close(machine);
	return 0;
}
