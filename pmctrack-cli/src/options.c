// SPDX-License-Identifier: GPL-2.0
/* The command line of pmctrack. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "options.h"

static const char help[] =
"Usage: pmctrack [OPTION]... PROGRAM [ARGUMENT]...\n"
"       pmctrack [OPTION]... -p PID\n"
"       pmctrack [OPTION]... -S [PROGRAM [ARGUMENT]...]\n"
"Count performance events of a program with its threads and children, of a running\n"
"process, or of the whole machine, and print samples while it runs and totals at the end.\n"
"\n"
"What to count (default: instructions and cycles):\n"
"  -c, --config=EVENTS       an event set, as instr,cycles,llc_misses; pmc-events -L lists\n"
"                            the events. EVENT:ebs=N takes a sample every N events. Several\n"
"                            -c are multiplexed: each sample switches to the next set.\n"
"  -V, --virtual=COUNTERS    virtual counters of monitoring modules, as energy_core,sf;\n"
"                            pmc-events -V lists them. Without -c no events are counted.\n"
"  -P, --pmu=CORETYPE        use the event sets for this core type only (number or name)\n"
"  -r, --raw                 event sets are in raw form: pmc0,pmc3=0x2e,umask3=0x41\n"
"      --filter=MODE         count in user mode (default), kernel or all; EVENT:u and\n"
"                            EVENT:k take precedence\n"
"\n"
"Which threads or CPUs, and how long:\n"
"  -p, --pid=PID[,PID]...    count running processes, and the children they will have\n"
"  -S, --syswide             count all CPUs instead of threads\n"
"  -C, --cpu=CPUS            count these CPUs, as 3, 0-2,5 or mask 0x2f\n"
"  -T, --period=SECONDS      time between samples (default 1); 100ms is 0.1\n"
"  -n, --max-samples=N       end after N samples\n"
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
"      --format=FORMAT       table (default), csv or json\n"
"      --plot[=BY]           draw charts instead of printing samples: by coretype\n"
"                            (default) or by thread\n"
"  -A, --aggregate           print sums only, no samples\n"
"  -e, --extended            add columns for process, CPU, core type and event set (csv\n"
"                            and json always have them; the table has the last two if\n"
"                            there are several event sets)\n"
"  -E, --elapsed             add the time since the previous sample (csv and json always\n"
"                            have it)\n"
"  -L, --no-mapping          do not list which counter counts which event (nor does -r)\n"
"  -t, --times               add real, user and system time of the program (json always\n"
"                            has them; with csv they are on standard error)\n"
"  -s, --plain-seconds       with -t: print the real time in seconds, not minutes:seconds\n"
"  -h, --help                show this text\n"
"      --version             show the version\n"
"\n"
"The exit status is that of the program, 128 + N if signal N ended it, 127 if it was not\n"
"found, 126 if it cannot be run, and 2 if pmctrack cannot do what was asked. It is 0 if\n"
"pmctrack ended the program because of -n, -N or -K.\n";

enum {
	OPT_FORMAT = 256,
	OPT_PLOT,
	OPT_FILTER,
	OPT_VERSION,
};

static const struct option long_options[] = {
	{ "config", required_argument, NULL, 'c' },
	{ "virtual", required_argument, NULL, 'V' },
	{ "period", required_argument, NULL, 'T' },
	{ "syswide", no_argument, NULL, 'S' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "aggregate", no_argument, NULL, 'A' },
	{ "pid", required_argument, NULL, 'p' },
	{ "pmu", required_argument, NULL, 'P' },
	{ "bind", required_argument, NULL, 'b' },
	{ "bind-monitor", required_argument, NULL, 'B' },
	{ "max-samples", required_argument, NULL, 'n' },
	{ "seconds", required_argument, NULL, 'N' },
	{ "output", required_argument, NULL, 'o' },
	{ "extended", no_argument, NULL, 'e' },
	{ "elapsed", no_argument, NULL, 'E' },
	{ "buffer", required_argument, NULL, 'k' },
	{ "raw", no_argument, NULL, 'r' },
	{ "times", no_argument, NULL, 't' },
	{ "plain-seconds", no_argument, NULL, 's' },
	{ "no-mapping", no_argument, NULL, 'L' },
	{ "max-ebs-samples", required_argument, NULL, 'K' },
	{ "help", no_argument, NULL, 'h' },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "plot", optional_argument, NULL, OPT_PLOT },
	{ "filter", required_argument, NULL, OPT_FILTER },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ NULL, 0, NULL, 0 }
};

/* What a unit of time is in seconds, or 0 if it is none */
static double unit_of_time(const char *text)
{
	if (!*text || !strcmp(text, "s"))
		return 1;
	if (!strcmp(text, "ms"))
		return 1e-3;
	return strcmp(text, "us") ? 0 : 1e-6;
}

/* Parse a time: seconds, which may have a fraction, or 100ms, 500us. Return: microseconds. */
static uint64_t seconds(const char *option, const char *text)
{
	char *end;
	double s = strtod(text, &end);

	s *= unit_of_time(end);
	if (!unit_of_time(end) || end == text || !(s >= 0 && s < 1e9))
		bad("%s takes a number of seconds, as 1 or 0.01, or 10ms, not '%s'", option, text);
	if (s * 1e6 < 1)
		bad("%s %s: the time must be above zero", option, text);
	return s * 1e6 + 0.5;
}

static enum format format(const char *text)
{
	if (!strcmp(text, "table"))
		return FORMAT_TABLE;
	if (!strcmp(text, "csv"))
		return FORMAT_CSV;
	if (!strcmp(text, "json"))
		return FORMAT_JSON;
	bad("--format takes table, csv or json, not '%s'", text);
}

static enum plot plot(const char *text)
{
	if (!text || !strcmp(text, "coretype"))
		return PLOT_CORE_TYPES;
	if (!strcmp(text, "thread"))
		return PLOT_THREADS;
	bad("--plot takes coretype or thread, not '%s'", text);
}

void options_cpus(const char *option, const char *text, cpu_set_t *set)
{
	if (cpus_parse(text, set))
		bad("%s takes CPUs as 3, 0-2,5 or a mask 0x2f, not '%s'", option, text);
}

void options_pids(struct options *o, const char *text)
{
	char *copy = must_have(strdup(text)), *next = copy, *word;

	while ((word = strsep(&next, ","))) {
		if (o->nr_pids == MAX_PIDS)
			bad("-p: more than %d processes", MAX_PIDS);
		o->pids[o->nr_pids++] = option_number("-p", word, 1, 1 << 30);
	}
	free(copy);
}

const char *options_filter(const char *text)
{
	if (strcmp(text, "user") && strcmp(text, "kernel") && strcmp(text, "all"))
		bad("--filter takes user, kernel or all, not '%s'", text);
	return text;
}

static void add_config(struct options *o, const char *text)
{
	if (o->nr_configs == MAX_CONFIGS)
		bad("more than %d -c options", MAX_CONFIGS);
	o->configs[o->nr_configs++] = text;
}

static void take(struct options *o, int opt, const char *arg)
{
	switch (opt) {
	case 'c':
		add_config(o, arg);
		break;
	case 'V':
		if (o->nr_virtuals == MAX_CONFIGS)
			bad("more than %d -V options", MAX_CONFIGS);
		o->virtuals[o->nr_virtuals++] = arg;
		break;
	case 'T':
		o->period_us = seconds("-T", arg);
		break;
	case 'S':
		o->syswide = 1;
		break;
	case 'C':
		o->syswide = 1;
		options_cpus("-C", arg, &o->count_cpus);
		o->cpus = arg;
		break;
	case 'A':
		o->aggregate = 1;
		break;
	case 'p':
		options_pids(o, arg);
		break;
	case 'P':
		o->pmu = arg;
		break;
	case 'b':
		options_cpus("-b", arg, &o->bind);
		o->has_bind = 1;
		break;
	case 'B':
		options_cpus("-B", arg, &o->bind_monitor);
		o->has_bind_monitor = 1;
		break;
	case 'n':
		o->max_samples = option_number("-n", arg, 1, UINT64_MAX);
		break;
	case 'N':
		o->limit_us = seconds("-N", arg);
		break;
	case 'o':
		o->output = arg;
		break;
	case 'e':
		o->extended = 1;
		break;
	case 'E':
		o->elapsed = 1;
		break;
	case 'k':
		o->ring = option_number("-k", arg, 1, 1 << 30);
		break;
	case 'r':
		o->raw = 1;
		break;
	case 't':
		o->times = 1;
		break;
	case 's':
		o->plain_seconds = 1;
		break;
	case 'L':
		o->no_mapping = 1;
		break;
	case 'K':
		o->max_ebs_samples = option_number("-K", arg, 1, UINT64_MAX);
		break;
	case OPT_FORMAT:
		o->format = format(arg);
		break;
	case OPT_PLOT:
		o->plot = plot(arg);
		break;
	case OPT_FILTER:
		o->filter = options_filter(arg);
		break;
	case 'h':
		fputs(help, stdout);
		exit(0);
	case OPT_VERSION:
		puts("pmctrack " PMC_VERSION);
		exit(0);
	default:
		/* getopt_long() has printed the error. */
		exit(2);
	}
}

static void check(const struct options *o)
{
	if (o->nr_pids && o->command)
		bad("-p attaches to a running process: leave out '%s'", o->command[0]);
	if (o->nr_pids && o->syswide)
		bad("-p counts processes and -S the machine: choose one");
	if (!o->command && !o->nr_pids && !o->syswide)
		bad("no program to run: name one, or a process with -p, or the machine with -S");
	if (o->has_bind && !o->command)
		bad("-b is for a program that pmctrack runs");
	if (o->times && !o->command)
		bad("-t is for a program that pmctrack runs");
	if (o->plot && o->format != FORMAT_TABLE)
		bad("--plot draws on a terminal: leave out --format");
	if (o->plot && o->aggregate)
		bad("--plot needs the samples that -A leaves out: choose one");
}

void options_parse(struct options *o, int argc, char **argv)
{
	int opt;

	memset(o, 0, sizeof(*o));
	o->period_us = 1000000;
	optind = 0;
	while ((opt = getopt_long(argc, argv, "+c:V:T:SC:Ap:P:b:B:n:N:o:eEk:rtsLK:h",
				  long_options, NULL)) != -1)
		take(o, opt, optarg);
	if (argv[optind])
		o->command = argv + optind;
	check(o);
}
