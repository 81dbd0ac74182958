// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack stat: count events of a program, of processes or of the machine, and print the
 * counts as perf stat does. A count of all core types is the exact sum of theirs.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "event_spelling.h"
#include "option_table.h"
#include "output.h"
#include "sampling_loop.h"
#include "stat.h"
#include "stat_events.h"
#include "stat_metrics.h"
#include "stat_threads.h"
#include "verb.h"

/* With several event sets: how long each is counted at a time */
#define TURN_US 4000

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
"  -a, --all-cpus            count all CPUs instead of threads. The module refuses software\n"
"                            events then\n"
"  -C, --cpu=CPUS            count these CPUs, as 0-2,5\n"
"      --per-core-type       rows for core types only, without the sums\n"
"      --per-thread          rows for each thread, as NAME-TID, those with most events first\n"
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
"Example: pmctrack stat -r 5 -e instructions,cycles,cache-misses -- gzip -kf file\n"
"\n"
"The exit status is that of the program (of the last one that failed, with -r), as `pmctrack\n"
"--help` says. A signal to pmctrack ends the repetition of -r, with status 128 + its number.\n";

struct stat_options {
	struct options o;		/* for the monitor; first, for the table */
	struct stat_events events;
	const char *metrics[MAX_CONFIGS];	/* -m */
	int nr_metrics;
	struct stat_form form;
	int json;
	int append;
};

static struct stat_options *of(struct options *o)
{
	return (struct stat_options *)o;
}

static void take_events(struct options *o, const char *text)
{
	stat_events_add(&of(o)->events, text);
}

static void take_metrics(struct options *o, const char *text)
{
	struct stat_options *s = of(o);

	if (s->nr_metrics == MAX_CONFIGS)
		bad("more than %d -m options", MAX_CONFIGS);
	s->metrics[s->nr_metrics++] = text;
}

static void take_runs(struct options *o, const char *text)
{
	of(o)->form.runs = option_number("-r", text, 1, 1000000);
}

#define FLAG(letter, name, member) OPTION_FLAG(letter, name, struct stat_options, member)
#define TEXT(letter, name, member) OPTION_TEXT(letter, name, struct stat_options, member)

static const struct option_row rows[] = {
	OPTION_TAKE('e', "event", take_events),
	OPTION_TAKE('m', "metrics", take_metrics),
	OPTION_TAKE('r', "repeat", take_runs),
	OPTION_TAKE('p', "pid", options_take_pids),
	FLAG('a', "all-cpus", o.syswide),
	OPTION_TAKE('C', "cpu", options_take_cpus),
	FLAG(LONG_ONLY(0), "per-core-type", form.per_core_type),
	FLAG(LONG_ONLY(1), "per-thread", o.per_thread),
	OPTION_TAKE(LONG_ONLY(2), "filter", options_take_filter),
	TEXT('x', "field-separator", form.separator),
	FLAG('j', "json-output", json),
	TEXT('o', "output", o.output),
	FLAG(LONG_ONLY(3), "append", append),
	OPTION_TAKE('b', "bind", options_take_bind),
	{ 0 }
};

static void check(const struct stat_options *s)
{
	const struct options *o = &s->o;

	if (!o->command && !o->nr_pids && !o->syswide)
		bad("stat: no program to run: name one, or processes with -p, or the machine with -a");
	if (o->nr_pids && (o->command || o->syswide))
		bad("stat: -p counts processes: leave out %s", o->command ? o->command[0] : "-a or -C");
	if (s->form.runs > 1 && !o->command)
		bad("stat: -r repeats a program: name one");
	if (s->form.runs > 1 && o->per_thread)
		bad("stat: the threads of one run are not those of another: leave out -r or --per-thread");
	if (o->per_thread && o->syswide)
		bad("stat: --per-thread counts threads, and -a and -C CPUs: choose one");
	if (s->form.separator && !*s->form.separator)
		bad("stat: -x needs a character");
	if (s->json && s->form.separator)
		bad("stat: choose -x or -j");
	if (o->has_bind && !o->command)
		bad("stat: -b is for a program that pmctrack runs");
	if (s->append && !o->output)
		bad("stat: --append needs -o FILE");
}

static void parse(struct stat_options *s, int argc, char **argv)
{
	struct options *o = &s->o;

	memset(s, 0, sizeof(*s));
	s->form.runs = 1;
	o->aggregate = 1;
	o->period_us = TURN_US;
	argv[0] = "pmctrack stat";
	o->command = option_table_parse(rows, help, o, argc, argv);
	if (!s->events.nr && !s->nr_metrics) {
		/* Events of the kernel itself are those of threads. */
		stat_events_add(&s->events, o->syswide ? default_hardware : default_events);
		s->events.optional = 1;
	}
	check(s);
}

/* ---- event sets ---- */

struct arrangement {
	pmc_plan_t *plan;
	pmc_config_t *config;
};

static void forget(struct arrangement *a)
{
	pmc_plan_free(a->plan);
	pmc_config_free(a->config);
}

/* Arrange events and metrics in sets that the kernel accepts. -1 with an error line. */
static int arrange(struct stat_options *s, const pmc_machine_t *machine, const char *filter,
		   struct arrangement *a)
{
	pmc_session_t *scratch = pmc_session_open();
	int i, rc;

	a->plan = must_have(pmc_plan_new(machine));
	a->config = must_have(pmc_config_new(machine));
	rc = !scratch || pmc_session_command(scratch, "filter %s", filter) ||
	     stat_events_plan(&s->events, a->plan) ? -1 : 0;
	for (i = 0; i < s->nr_metrics && !rc; i++)
		if (pmc_plan_add_metrics(a->plan, s->metrics[i], PMC_EVERY_CORE_TYPE))
			bad("-m: %s", pmc_last_error());
	if (!rc)
		rc = pmc_plan_make(a->plan, a->config, pmc_plan_fits, scratch);
	pmc_session_close(scratch);
	if (rc)
		forget(a);
	return rc;
}

/* Count in the kernel, too, unless the user may not. */
static void configure(struct stat_options *s, const pmc_machine_t *machine, struct arrangement *a)
{
	int rc = arrange(s, machine, s->o.filter ? s->o.filter : "all", a);

	if (rc && !s->o.filter && (errno == EACCES || errno == EPERM)) {
		s->o.filter = "user";
		rc = arrange(s, machine, "user", a);
	}
	/* Without the module, a user may not count what happens in kernel mode only. */
	if (rc && s->events.optional && (errno == EACCES || errno == EPERM)) {
		s->events.user_mode = 1;
		rc = arrange(s, machine, s->o.filter, a);
	}
	if (rc)
		bad("%s", pmc_last_error());
	if (!s->o.filter)
		s->o.filter = "all";
	s->form.suffix = !strcmp(s->o.filter, "user") ? ":u" : !strcmp(s->o.filter, "kernel") ? ":k" : "";
}

/* ---- the report of a run: add it to the counts ---- */

/**
 * struct stat_runs - what all runs have counted, and the session of the present one
 * @nr: runs that began
 * @signal: the signal that ended the repetition, or 0
 * @failed: a run failed, and the error was printed
 */
struct stat_runs {
	const struct stat_options *s;
	unsigned int nr;
	int signal;
	int failed;
	const pmc_machine_t *machine;
	const struct arrangement *arrangement;
	pmc_session_t *session;
	struct stat_counts counts;
	struct stat_metrics metrics;
	struct stat_threads threads;
};

/* The threads of -p's processes have rows, whether they run or not. */
static int begin(struct report *report)
{
	struct stat_runs *runs = report->data;
	int i;

	for (i = 0; report->o->per_thread && i < report->o->nr_pids; i++)
		stat_threads_of_process(&runs->threads, report->o->pids[i]);
	return 0;
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	struct stat_runs *runs = report->data;

	(void)nr;
	if (report->o->per_thread)
		stat_threads_add(&runs->threads, r);
}

/* Each spelling of -e has its rows, in that order; then come those for metrics. */
static void init(struct stat_runs *runs, const struct layout *layout)
{
	const struct stat_events *events = &runs->s->events;
	int *columns = new_array(layout->nr_core_types, sizeof(*columns));
	const char *text;
	size_t len;
	int i, n = 0;
	char *one;

	stat_counts_init(&runs->counts, layout);
	stat_metrics_init(&runs->metrics, runs->arrangement->plan, layout->nr_core_types);
	for (i = 0; i < events->nr; i++)
		for (text = events->groups[i].text; *text && !events->groups[i].state;
		     text += len + (text[len] == ',')) {
			len = event_length(text);
			one = must_have(strndup(text, len));
			stat_events_columns(runs->machine, layout, one, columns);
			n = stat_counts_next(&runs->counts, n,
					     stat_counts_name(&runs->counts, one, columns));
			free(one);
		}
	free(columns);
}

/*
 * Without the module, the kernel may have multiplexed a set, and the library scaled its counts.
 * Of several sets with an event the best one counts.
 */
static void mark_accuracy(struct stat_runs *runs, const struct layout *layout)
{
	const struct layout_set *set;
	int id, i, n, name, accuracy, best;

	for (id = 0; id < layout->nr_core_types; id++)
		for (name = 0; name < layout->nr_names; name++) {
			best = -1;
			for (n = 0; (set = layout_set(layout, id, n)); n++)
				for (i = 0; i < set->nr; i++) {
					if (set->columns[i] != name)
						continue;
					accuracy = pmc_session_accuracy(runs->session, id, n, i, NULL);
					if (best < 0 || accuracy < best)
						best = accuracy;
				}
			if (best > 0)
				stat_counts_mark(&runs->counts, name, id, best);
		}
}

static void add_metrics(struct stat_runs *runs, const struct layout *layout)
{
	struct pmc_set_counts *sets;
	int id, set, nr = 0, n = 0;

	for (id = 0; id < layout->nr_core_types; id++)
		nr += layout->core_types[id].nr_sets;
	sets = new_array(nr, sizeof(*sets));
	for (id = 0; id < layout->nr_core_types; id++)
		for (set = 0; set < layout->core_types[id].nr_sets; set++)
			n += pmc_session_set_counts(runs->session, id, set, &sets[n]) >= 0;
	stat_metrics_add(&runs->metrics, sets, n, runs->counts.last_ns, runs->counts.is_partial);
	free(sets);
}

static void end(struct report *report, const struct summary *summary)
{
	struct stat_runs *runs = report->data;

	/* An incomplete run has no mean with complete ones. */
	if (report->signal && runs->nr > 1)
		return;
	if (!runs->counts.nr_names)
		init(runs, report->layout);
	stat_counts_add(&runs->counts, report->layout, summary);
	if (report->layout->without_module)
		mark_accuracy(runs, report->layout);
	add_metrics(runs, report->layout);
	if (report->o->per_thread)
		stat_threads_end(&runs->threads, report->layout, runs->session,
				 runs->arrangement->plan, summary, &runs->counts);
}

const struct report_ops report_stat = {
	.begin = begin,
	.sample = sample,
	.end = end,
};

static int most_sets(const struct layout *layout)
{
	int id, most = 0;

	for (id = 0; id < layout->nr_core_types; id++)
		if (layout->core_types[id].nr_sets > most)
			most = layout->core_types[id].nr_sets;
	return most;
}

/* One run. Return: the exit status. */
static int run(struct stat_runs *runs, FILE *f)
{
	const struct stat_options *s = runs->s;
	pmc_session_t *session = pmc_session_open();
	struct layout layout;
	/* The monitor empties the report's file when the program runs, but not with --append. */
	struct report report = {
		.ops = &report_stat, .o = &s->o, .layout = &layout, .f = s->append ? stderr : f, .data = runs,
	};
	int status;

	if (!session || pmc_session_command(session, "filter %s", s->o.filter) ||
	    (s->o.per_thread && pmc_session_command(session, "names")) ||
	    pmc_session_configure(session, runs->arrangement->config) ||
	    layout_init(&layout, runs->machine, runs->arrangement->config, session))
		bad("%s", pmc_last_error());
	runs->session = session;
	/* The module's sets take turns; without it they are counted at the same time, or estimated. */
	status = monitor(&s->o, session, &report, 0, layout.without_module ? 1 : most_sets(&layout));
	runs->failed = report.failed;
	runs->signal = report.signal;
	pmc_session_close(session);
	layout_free(&layout);
	return status;
}

/* With -r: is there a signal that ends the repetition? It may have come between two runs. */
static void check_signal(struct stat_runs *runs)
{
	unsigned int wanted = runs->s->form.runs;
	const char *when = "in", *what = "its counts are left out";

	if (wanted == 1 || runs->failed)
		return;
	if (runs->signal && runs->nr == 1)
		what = "the counts are those of this run alone";
	if (!runs->signal && runs->nr < wanted) {
		runs->signal = monitor_pending_signal();
		when = "after";
		what = "there are no further runs";
	}
	if (runs->signal)
		fprintf(stderr, "pmctrack: signal %d came %s run %u of %u: %s\n", runs->signal, when,
			runs->nr, wanted, what);
}

/* Return: the exit status. */
static int run_all(struct stat_runs *runs, FILE *f)
{
	unsigned int wanted = runs->s->form.runs;
	int status = 0, rc;

	while (runs->nr < wanted && !runs->failed && !runs->signal) {
		runs->nr++;
		rc = run(runs, f);
		status = rc ? rc : status;
		check_signal(runs);
	}
	return wanted > 1 && runs->signal && !runs->failed ? 128 + runs->signal : status;
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
		print_command_line(f, o->command);
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

static int has_pmu(const pmc_machine_t *machine)
{
	int id;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++)
		if (pmc_machine_core_type(machine, id)->nr_hw_counters)
			return 1;
	return 0;
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
	struct arrangement arrangement;
	struct stat_runs runs = { .s = &s, .arrangement = &arrangement };
	pmc_machine_t *machine;
	char *what, *missing, *forbidden;
	int status;
	FILE *f;

	parse(&s, argc, argv);
	machine = pmc_machine_open();
	if (!machine)
		bad("%s", pmc_last_error());
	if (s.o.per_thread && s.o.command && !pmc_machine_has_module(machine))
		bad("stat: --per-thread of a program needs the kernel module, which counts each thread by itself: load it (modprobe pmctrack), leave out --per-thread, or use -p on a running process");
	runs.machine = machine;
	configure(&s, machine, &arrangement);
	f = open_output(&s);
	status = run_all(&runs, f);
	what = title(&s.o);
	missing = stat_events_in_state(&s.events, STAT_MISSING);
	forbidden = stat_events_in_state(&s.events, STAT_FORBIDDEN);
	s.form.title = what;
	s.form.missing = missing;
	s.form.forbidden = forbidden;
	s.form.has_pmu = has_pmu(machine);
	s.form.width = output_width(f);
	s.form.metrics = &runs.metrics;
	s.form.threads = s.o.per_thread ? &runs.threads : NULL;
	if (runs.counts.nr_names)
		print(&s, f, &runs.counts);
	free(forbidden);
	free(missing);
	free(what);
	stat_threads_free(&runs.threads);
	stat_metrics_free(&runs.metrics);
	stat_counts_free(&runs.counts);
	stat_events_free(&s.events);
	forget(&arrangement);
	pmc_machine_close(machine);
	return status;
}
