// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack stat: count events of a program, of processes or of the machine, and print the
 * counts as perf stat does. A count of all core types is the exact sum of theirs.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "monitor.h"
#include "output.h"
#include "stat.h"
#include "stat_events.h"
#include "stat_metrics.h"
#include "verb.h"

/* With several event sets: how long each is counted at a time */
#define TURN_US 10000

#define HARDWARE "cycles,instructions,branches,branch-misses"
static const char default_hardware[] = HARDWARE;
static const char default_events[] =
	"task-clock,context-switches,cpu-migrations,page-faults," HARDWARE;

static const char help[] =
"Usage: pmctrack stat [OPTION]... PROGRAM [ARGUMENT]...\n"
"       pmctrack stat [OPTION]... -p PID[,PID]... | -a [PROGRAM [ARGUMENT]...]\n"
"Count performance events of a program with its threads and children, and print the counts\n"
"as perf stat does, on standard error. On a machine whose cores differ, each count is the\n"
"exact sum over the core types, whose own counts are below it.\n"
"\n"
"  -e, --event=EVENTS        what to count: instructions,cycles; pmc-events -L lists the\n"
"                            events. Those in braces are counted at the same time:\n"
"                            {instructions,cycles},llc_misses. If the counters are too few,\n"
"                            events take turns, and the counts are estimated. May be repeated.\n"
"  -m, --metrics=METRICS     metrics on the counts: ipc,branch_miss_rate, a group of them as\n"
"                            tma, or own ones: 'x=1000*llc_misses/instr'. Their events are\n"
"                            counted beside those of -e\n"
"  -r, --repeat=N            run the program N times; print means, and the standard error\n"
"  -p, --pid=PID[,PID]...    count running processes\n"
"  -a, --all-cpus            count all CPUs instead of threads\n"
"  -C, --cpu=CPUS            count these CPUs, as 0-2,5\n"
"      --per-core-type       rows for core types only, without the sums\n"
"      --filter=MODE         count in user or kernel mode, or all. Default: all; if the\n"
"                            kernel allows user mode only, that\n"
"  -x, --field-separator=C   fields with C between them, in perf stat's order\n"
"  -j, --json-output         a JSON object a line, with perf stat's members, and `accuracy`:\n"
"                            exact, partial (a lower limit) or estimated\n"
"  -o, --output=FILE         print to FILE instead of standard error\n"
"      --append              add to FILE\n"
"  -b, --bind=CPUS           run the program on these CPUs\n"
"  -h, --help                show this text\n"
"\n"
"Example: pmctrack stat -r 5 -e instructions,cycles,cache-misses -- gzip -k file\n"
"\n"
"The exit status is that of the program (of the last one that failed, with -r), as `pmctrack\n"
"--help` says.\n";

enum {
	OPT_FILTER = 256,
	OPT_PER_CORE_TYPE,
	OPT_APPEND,
};

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "metrics", required_argument, NULL, 'm' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "pid", required_argument, NULL, 'p' },
	{ "all-cpus", no_argument, NULL, 'a' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "per-core-type", no_argument, NULL, OPT_PER_CORE_TYPE },
	{ "filter", required_argument, NULL, OPT_FILTER },
	{ "field-separator", required_argument, NULL, 'x' },
	{ "json-output", no_argument, NULL, 'j' },
	{ "output", required_argument, NULL, 'o' },
	{ "append", no_argument, NULL, OPT_APPEND },
	{ "bind", required_argument, NULL, 'b' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

struct stat_options {
	struct options o;		/* for the monitor */
	struct stat_events events;
	const char *metrics[MAX_CONFIGS];	/* -m */
	int nr_metrics;
	struct stat_metrics compiled;
	struct stat_form form;
	int json;
	int append;
};

static void take(struct stat_options *s, int opt, const char *arg)
{
	struct options *o = &s->o;

	switch (opt) {
	case 'e':
		stat_events_add(&s->events, arg);
		break;
	case 'm':
		if (s->nr_metrics == MAX_CONFIGS)
			bad("more than %d -m options", MAX_CONFIGS);
		s->metrics[s->nr_metrics++] = arg;
		break;
	case 'r':
		s->form.runs = option_number("-r", arg, 1, 1000000);
		break;
	case 'p':
		options_pids(o, arg);
		break;
	case 'a':
		o->syswide = 1;
		break;
	case 'C':
		o->syswide = 1;
		options_cpus("-C", arg, &o->count_cpus);
		o->cpus = arg;
		break;
	case OPT_PER_CORE_TYPE:
		s->form.per_core_type = 1;
		break;
	case OPT_FILTER:
		o->filter = options_filter(arg);
		break;
	case 'x':
		s->form.separator = arg;
		break;
	case 'j':
		s->json = 1;
		break;
	case 'o':
		o->output = arg;
		break;
	case OPT_APPEND:
		s->append = 1;
		break;
	case 'b':
		options_cpus("-b", arg, &o->bind);
		o->has_bind = 1;
		break;
	case 'h':
		fputs(help, stdout);
		exit(0);
	default:
		/* getopt_long() has printed the error. */
		exit(2);
	}
}

static void parse(struct stat_options *s, int argc, char **argv)
{
	struct options *o = &s->o;
	int opt;

	memset(s, 0, sizeof(*s));
	s->form.runs = 1;
	o->aggregate = 1;
	o->period_us = TURN_US;
	optind = 0;
	argv[0] = "pmctrack stat";
	while ((opt = getopt_long(argc, argv, "+e:m:r:p:aC:x:jo:b:h", long_options, NULL)) != -1)
		take(s, opt, optarg);
	if (argv[optind])
		o->command = argv + optind;
	if (!s->events.nr && !s->nr_metrics) {
		/* Events of the kernel itself are those of threads. */
		stat_events_add(&s->events, o->syswide ? default_hardware : default_events);
		s->events.optional = 1;
	}
	if (!o->command && !o->nr_pids && !o->syswide)
		bad("stat: no program to run: name one, or processes with -p, or the machine with -a");
	if (o->nr_pids && (o->command || o->syswide))
		bad("stat: -p counts processes: leave out %s", o->command ? o->command[0] : "-a or -C");
	if (s->form.runs > 1 && !o->command)
		bad("stat: -r repeats a program: name one");
	if (s->json && s->form.separator)
		bad("stat: choose -x or -j");
	if (o->has_bind && !o->command)
		bad("stat: -b is for a program that pmctrack runs");
	if (s->append && !o->output)
		bad("stat: --append needs -o FILE");
}

static pmc_config_t *arrange(const struct stat_options *s, const pmc_machine_t *machine,
			     const char *filter)
{
	int id, nr = pmc_machine_nr_core_types(machine);
	struct stat_events *own = new_array(nr, sizeof(*own));
	pmc_config_t *config;

	for (id = 0; id < nr; id++)
		stat_metrics_events(&s->compiled, id, &own[id]);
	config = stat_events_arrange(&s->events, own, machine, filter);
	for (id = 0; id < nr; id++)
		stat_events_free(&own[id]);
	free(own);
	return config;
}

/* Count in the kernel, too, unless the user may not. */
static pmc_config_t *configure(struct stat_options *s, const pmc_machine_t *machine)
{
	pmc_config_t *config;
	int i;

	for (i = 0; i < s->nr_metrics; i++)
		stat_metrics_add(&s->compiled, machine, s->metrics[i]);
	config = arrange(s, machine, s->o.filter ? s->o.filter : "all");
	if (!config && !s->o.filter && (errno == EACCES || errno == EPERM)) {
		s->o.filter = "user";
		config = arrange(s, machine, "user");
	}
	if (!config)
		bad("%s", pmc_last_error());
	if (!s->o.filter)
		s->o.filter = "all";
	s->form.suffix = !strcmp(s->o.filter, "user") ? ":u" : !strcmp(s->o.filter, "kernel") ? ":k" : "";
	s->form.metrics = &s->compiled;
	return config;
}

/* ---- the report of a run: add it to the counts ---- */

static int begin(struct report *report)
{
	(void)report;
	return 0;
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	(void)report;
	(void)nr;
	(void)r;
}

static void end(struct report *report, const struct summary *summary)
{
	struct stat_counts *counts = report->data;

	if (!counts->nr_names)
		stat_counts_init(counts, report->layout);
	stat_counts_add(counts, report->layout, summary);
}

const struct report_ops report_stat = { begin, sample, end };

/* Without the module, the kernel may have multiplexed a set, and the library scaled its counts. */
static void mark_accuracy(struct stat_counts *counts, const struct layout *layout, pmc_session_t *session)
{
	const struct layout_set *set;
	int id, i;

	for (id = 0; id < layout->nr_core_types; id++) {
		set = layout_set(layout, id, 0);
		for (i = 0; set && i < set->nr; i++)
			stat_counts_mark(counts, set->columns[i], id,
					 pmc_session_accuracy(session, id, 0, i, NULL));
	}
}

/* One run. Return: the exit status. */
static int run(const struct stat_options *s, const pmc_machine_t *machine, const pmc_config_t *config,
	       struct stat_counts *counts, FILE *f, int *failed)
{
	pmc_session_t *session = pmc_session_open();
	struct layout layout;
	/* The monitor empties the report's file when the program runs, but not with --append. */
	struct report report = {
		.ops = &report_stat, .o = &s->o, .layout = &layout, .f = s->append ? stderr : f, .data = counts,
	};
	int id, status, nr_sets = 0;

	if (!session || pmc_session_command(session, "filter %s", s->o.filter) ||
	    pmc_session_configure(session, config) || layout_init(&layout, machine, config, session))
		bad("%s", pmc_last_error());
	for (id = 0; id < layout.nr_core_types; id++)
		if (layout.core_types[id].nr_sets > nr_sets)
			nr_sets = layout.core_types[id].nr_sets;
	/* The module's sets take turns; without it they are counted at the same time, or estimated. */
	if (nr_sets > 1 && !pmc_machine_has_module(machine))
		bad("these events do not fit the counters at the same time, which needs the kernel module: leave some out");
	status = monitor(&s->o, session, &report, 0, nr_sets);
	if (counts->nr_names && !pmc_machine_has_module(machine))
		mark_accuracy(counts, &layout, session);
	*failed = report.failed;
	pmc_session_close(session);
	layout_free(&layout);
	return status;
}

/* "'gzip -k file'", "process id '12'", "'system wide'", "'CPU(s) 0-2'", as perf has it */
static char *title(const struct options *o)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	must_have(f);
	if (o->command) {
		fputc('\'', f);
		for (i = 0; o->command[i]; i++)
			fprintf(f, "%s%s", i ? " " : "", o->command[i]);
		fputc('\'', f);
	} else if (o->cpus) {
		fprintf(f, "'CPU(s) %s'", o->cpus);
	} else if (o->syswide) {
		fprintf(f, "'system wide'");
	} else {
		fprintf(f, "process id '");
		for (i = 0; i < o->nr_pids; i++)
			fprintf(f, "%s%d", i ? "," : "", o->pids[i]);
		fputc('\'', f);
	}
	fclose(f);
	return must_have(text);
}

static FILE *open_output(const struct stat_options *s)
{
	FILE *f = NULL;

	if (s->append)
		f = fopen(s->o.output, "ae");
	else if (s->o.output)
		f = output_open(&s->o);
	else
		return stderr;
	if (!f)
		bad("-o: cannot write %s: %s", output_name(&s->o), strerror(errno));
	return f;
}

static void print(const struct stat_options *s, FILE *f, const struct stat_counts *counts)
{
	if (s->json)
		stat_print_json(f, &s->form, counts);
	else if (s->form.separator)
		stat_print_csv(f, &s->form, counts);
	else
		stat_print_table(f, &s->form, counts);
	written(f, s->o.output ? output_name(&s->o) : "standard error");
}

int stat_main(int argc, char **argv)
{
	struct stat_options s;
	struct stat_counts counts = { 0 };
	pmc_machine_t *machine;
	pmc_config_t *config;
	int status = 0, rc, failed = 0;
	unsigned int i;
	char *what;
	FILE *f;

	parse(&s, argc, argv);
	machine = pmc_machine_open();
	if (!machine)
		bad("%s", pmc_last_error());
	config = configure(&s, machine);
	f = open_output(&s);
	for (i = 0; i < s.form.runs && !failed; i++) {
		rc = run(&s, machine, config, &counts, f, &failed);
		status = rc ? rc : status;
	}
	what = title(&s.o);
	s.form.title = what;
	if (counts.nr_names)
		print(&s, f, &counts);
	free(what);
	stat_counts_free(&counts);
	stat_events_free(&s.events);
	stat_metrics_free(&s.compiled);
	pmc_config_free(config);
	pmc_machine_close(machine);
	return status;
}
