// SPDX-License-Identifier: GPL-2.0
/* The command line of pmctrack. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "option_table.h"
#include "options.h"
#include "report_format.h"

static const char help[] =
"Usage: pmctrack [OPTION]... PROGRAM [ARGUMENT]...\n"
"       pmctrack [OPTION]... -p PID\n"
"       pmctrack [OPTION]... -S [PROGRAM [ARGUMENT]...]\n"
"       pmctrack stat ...     the counts of a program, as perf stat prints them\n"
"       pmctrack node ...     runs under the same conditions, with frequency, temperature, power\n"
"       pmctrack probe ...    the counts of its functions\n"
"       pmctrack energy ...   the energy of its threads\n"
"       pmctrack web ...      a page for a browser while a program runs\n"
"       pmctrack report ...   such a page of a recorded run\n"
"       pmctrack plot ...     a figure of a recorded run\n"
"       pmctrack listen ...   the samples that other processes take\n"
"       pmctrack top ...      the threads of the machine as they run\n"
"       pmctrack openmetrics  counts of the machine for Prometheus and others\n"
"       pmctrack doctor       does counting work here, and what to type if it does not\n"
"       pmctrack --remote HOST ...  the same on another machine, by ssh\n"
"Count performance events of a program with its threads and children, of a running\n"
"process, or of the whole machine, and print samples while it runs and totals at the end.\n"
"\n"
"What to count (without -c, -V and -m: instructions and cycles):\n"
"  -c, --config=EVENTS       an event set, as instr,cycles,llc_misses; pmc-events -L lists\n"
"                            the events. EVENT:ebs=N takes a sample every N events. Several\n"
"                            -c are multiplexed: each sample switches to the next set.\n"
"  -V, --virtual=COUNTERS    virtual counters of monitoring modules, as energy_core,sf;\n"
"                            pmc-events -V lists them. Without -c no events are counted.\n"
"  -m, --metrics=METRICS     metrics: ipc,branch_miss_rate, a group as tma, or own ones, as\n"
"                            'x=1000*llc_misses/instr'. Their events are put into as few event\n"
"                            sets as possible. Without -c no other events are counted.\n"
"  -P, --pmu=CORETYPE        use the event sets for this core type only (number or name)\n"
"  -r, --raw                 event sets are in raw form: pmc0,pmc3=0x2e,umask3=0x41. The table\n"
"                            has PMCTrack's columns then: one for each counter\n"
"      --split               events of a set that need more counters than there are take turns\n"
"      --filter=MODE         count in user mode (default), kernel or all; EVENT:u and\n"
"                            EVENT:k take precedence\n"
"\n"
"Which threads or CPUs, and how long:\n"
"  -p, --pid=PID[,PID]...    count running processes (at most 64), and the children they will\n"
"                            have\n"
"  -S, --syswide             count all CPUs instead of threads. The module refuses software\n"
"                            events and sampling periods then\n"
"  -C, --cpu=CPUS            count these CPUs, as 3, 0-2,5 or mask 0x2f\n"
"  -T, --period=SECONDS      time between samples (default 1); 100ms is 0.1\n"
"  -n, --max-samples=N       end after N samples. Totals cover the time until counting stops,\n"
"                            which is later than the last sample\n"
"  -N, --seconds=SECONDS     end after this time\n"
"  -K, --max-ebs-samples=N   end after N samples by event count\n"
"  -b, --bind=CPUS           run the program on these CPUs: 3, 0-2,5 or mask 0x2f\n"
"  -B, --bind-monitor=CPUS   run pmctrack itself on these CPUs\n"
"  -k, --buffer=N            samples that the kernel keeps until pmctrack reads them\n"
"                            (default 1024); use more if samples are lost\n"
"\n"
"Output:\n"
"  -o, --output=FILE         write the report to FILE; - is standard output. Default: standard\n"
"                            error if pmctrack runs a program, whose output is then apart;\n"
"                            else standard output\n"
"      --format=FORMAT       table (default), csv, json or perfetto: a trace for the viewer at\n"
"                            ui.perfetto.dev. Without it, FILE.csv, FILE.json and FILE.pftrace\n"
"                            choose it; FILE.html has charts for a browser\n"
"      --plot[=BY]           draw charts instead of printing samples: by coretype\n"
"                            (default) or by thread. -o FILE.svg or FILE.png draws a figure,\n"
"                            FILE.gp has gnuplot's commands for it\n"
"  -A, --aggregate           print sums only, no samples: by thread and core type\n"
"  -e, --extended            add columns for process, CPU and event set (csv and json always\n"
"                            have them)\n"
"      --time                add the time since counting began, in seconds\n"
"  -E, --elapsed             add the time since the previous sample (csv and json always\n"
"                            have it)\n"
"      --numbers=FORM        digits as they are (raw), with commas (groups), or 1.96G (units).\n"
"                            Default: raw; on a terminal groups, or units if they do not fit\n"
"      --estimate            if event sets take turns: totals are estimates for the whole time\n"
"  -L, --no-mapping          leave out the lines above the table, which say what is counted\n"
"  -t, --times               add real, user and system time of the program (json always\n"
"                            has them; with csv they are on standard error)\n"
"  -s, --plain-seconds       with -t: print the real time in seconds, not minutes:seconds\n"
"  -h, --help                show this text\n"
"      --version             show the version\n"
"\n"
"The exit status is that of the program, 128 + N if signal N ended it, 127 if it was not\n"
"found, 126 if it cannot be run, and 2 if pmctrack cannot do what was asked. It is 0 if\n"
"pmctrack ended the program because of -n, -N or -K.\n";

static enum numbers numbers(const char *text)
{
	if (!strcmp(text, "raw"))
		return NUMBERS_RAW;
	if (!strcmp(text, "groups"))
		return NUMBERS_GROUPS;
	if (!strcmp(text, "units"))
		return NUMBERS_UNITS;
	bad("--numbers takes raw, groups or units, not '%s'", text);
}

static enum plot plot(const char *text)
{
	if (!text || !strcmp(text, "coretype"))
		return PLOT_CORE_TYPES;
	if (!strcmp(text, "thread"))
		return PLOT_THREADS;
	bad("--plot takes coretype or thread, not '%s'", text);
}

static void parse_cpus(const char *option, const char *text, cpu_set_t *set)
{
	if (cpus_parse(text, set))
		bad("%s takes CPUs as 3, 0-2,5 or a mask 0x2f, not '%s'", option, text);
}

/* One that is named twice is counted once. */
static void add_pid(struct options *o, pid_t pid)
{
	int i;

	for (i = 0; i < o->nr_pids; i++)
		if (o->pids[i] == pid)
			return;
	if (o->nr_pids == MAX_PIDS)
		bad("-p: more than %d processes", MAX_PIDS);
	o->pids[o->nr_pids++] = pid;
}

void options_take_pids(struct options *o, const char *text)
{
	char *copy = must_have(strdup(text)), *next = copy, *word;

	while ((word = strsep(&next, ",")))
		add_pid(o, option_number("-p", word, 1, 1 << 30));
	free(copy);
}

void options_take_filter(struct options *o, const char *text)
{
	if (strcmp(text, "user") && strcmp(text, "kernel") && strcmp(text, "all"))
		bad("--filter takes user, kernel or all, not '%s'", text);
	o->filter = text;
}

/* ---- the options ---- */

static void add(const char **all, int *nr, const char *option, const char *text)
{
	if (*nr == MAX_CONFIGS)
		bad("more than %d %s options", MAX_CONFIGS, option);
	all[(*nr)++] = text;
}

static void take_config(struct options *o, const char *text)
{
	add(o->configs, &o->nr_configs, "-c", text);
}

static void take_virtual(struct options *o, const char *text)
{
	add(o->virtuals, &o->nr_virtuals, "-V", text);
}

static void take_metrics(struct options *o, const char *text)
{
	add(o->metrics, &o->nr_metrics, "-m", text);
}

static void take_numbers(struct options *o, const char *text)
{
	o->numbers = numbers(text);
}

void options_take_period(struct options *o, const char *text)
{
	o->period_us = options_seconds("-T", text);
}

void options_take_cpus(struct options *o, const char *text)
{
	o->syswide = 1;
	parse_cpus("-C", text, &o->count_cpus);
	o->cpus = text;
}

void options_take_bind(struct options *o, const char *text)
{
	parse_cpus("-b", text, &o->bind);
	o->has_bind = 1;
}

static void take_bind_monitor(struct options *o, const char *text)
{
	parse_cpus("-B", text, &o->bind_monitor);
	o->has_bind_monitor = 1;
}

static void take_max_samples(struct options *o, const char *text)
{
	o->max_samples = option_number("-n", text, 1, UINT64_MAX);
}

static void take_max_ebs_samples(struct options *o, const char *text)
{
	o->max_ebs_samples = option_number("-K", text, 1, UINT64_MAX);
}

static void take_limit(struct options *o, const char *text)
{
	o->limit_us = options_seconds("-N", text);
}

static void take_ring(struct options *o, const char *text)
{
	o->ring = option_number("-k", text, 1, 1 << 30);
}

void options_take_format(struct options *o, const char *text)
{
	o->format = format_by_name(text);
}

static void take_plot(struct options *o, const char *text)
{
	o->plot = plot(text);
}

static void print_version(struct options *o, const char *text)
{
	(void)o;
	(void)text;
	puts("pmctrack " PMC_VERSION);
	exit(0);
}

#define FLAG(letter, name, member) OPTION_FLAG(letter, name, struct options, member)
#define TEXT(letter, name, member) OPTION_TEXT(letter, name, struct options, member)

static const struct option_row rows[] = {
	OPTION_TAKE('c', "config", take_config),
	OPTION_TAKE('V', "virtual", take_virtual),
	OPTION_TAKE('m', "metrics", take_metrics),
	OPTION_TAKE('T', "period", options_take_period),
	FLAG('S', "syswide", syswide),
	OPTION_TAKE('C', "cpu", options_take_cpus),
	FLAG('A', "aggregate", aggregate),
	OPTION_TAKE('p', "pid", options_take_pids),
	TEXT('P', "pmu", pmu),
	OPTION_TAKE('b', "bind", options_take_bind),
	OPTION_TAKE('B', "bind-monitor", take_bind_monitor),
	OPTION_TAKE('n', "max-samples", take_max_samples),
	OPTION_TAKE('N', "seconds", take_limit),
	TEXT('o', "output", output),
	FLAG('e', "extended", extended),
	FLAG('E', "elapsed", elapsed),
	OPTION_TAKE('k', "buffer", take_ring),
	FLAG('r', "raw", raw),
	FLAG('t', "times", times),
	FLAG('s', "plain-seconds", plain_seconds),
	FLAG('L', "no-mapping", no_mapping),
	OPTION_TAKE('K', "max-ebs-samples", take_max_ebs_samples),
	FLAG(LONG_ONLY(0), "split", split),
	OPTION_TAKE(LONG_ONLY(1), "format", options_take_format),
	{ LONG_ONLY(2), "plot", optional_argument, take_plot, 0, 0 },
	OPTION_TAKE(LONG_ONLY(3), "filter", options_take_filter),
	FLAG(LONG_ONLY(5), "time", time),
	FLAG(LONG_ONLY(6), "estimate", estimate),
	OPTION_TAKE(LONG_ONLY(7), "numbers", take_numbers),
	{ LONG_ONLY(4), "version", no_argument, print_version, 0, 0 },
	{ 0 }
};

static void check(const struct options *o)
{
	if (o->nr_pids && o->command)
		bad("-p attaches to a running process: leave out '%s'", o->command[0]);
	if (o->nr_pids && o->syswide)
		bad("-p counts processes and -S the machine: choose one");
	if (!o->command && !o->nr_pids && !o->syswide)
		bad("no program to run: name one, or a process with -p, or the machine with -S");
	if (o->has_bind && !o->command)
		bad("-b is for a program that pmctrack runs%s",
		    o->syswide ? "; to count some CPUs, write -C instead" : "");
	if (o->times && !o->command)
		bad("-t is for a program that pmctrack runs");
	if (o->split && o->raw)
		bad("--split arranges named events: leave out -r");
	if (o->nr_metrics && o->raw)
		bad("-m needs events by name: leave out -r");
	format_check(o);
}

void options_parse(struct options *o, int argc, char **argv)
{
	memset(o, 0, sizeof(*o));
	o->period_us = 1000000;
	o->command = option_table_parse(rows, help, o, argc, argv);
	format_choose(o);
	check(o);
}
