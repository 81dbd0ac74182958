// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack probe: what functions of a program count, by probes that the kernel sets while it
 * runs; nothing is built anew.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "common.h"
#include "option_table.h"
#include "output.h"
#include "probe_find.h"
#include "probe_print.h"
#include "probe_run.h"
#include "probe_trace.h"
#include "report.h"
#include "report_format.h"
#include "signal_origin.h"
#include "verb.h"

static const char default_events[] = "instr,cycles";

static const char help[] =
"Usage: pmctrack probe [OPTION]... PROGRAM [FUNCTION]... [-- ARGUMENT...]\n"
"Run a program and count events of its functions, in user mode, by thread and core type. The\n"
"kernel sets probes (uprobes) at the functions' entries and returns, so nothing is built anew.\n"
"Without a FUNCTION, list those in the program's symbol tables. Root is needed.\n"
"\n"
"FUNCTION may have *, ? and [] in it, as in 'parse_*'. LIBRARY:FUNCTION is one of a library, as\n"
"libm.so.6:exp or /opt/lib/libx.so:f.\n"
"\n"
"  -e, --event=EVENTS        what to count, all at once. Default: instr,cycles; pmc-events -L\n"
"                            lists the events\n"
"  -m, --metrics=METRICS     metrics on the counts: ipc,branch_miss_rate, or own ones:\n"
"                            'x=1000*llc_misses/instr'\n"
"      --per-thread          rows for each thread\n"
"  -l, --list                list the functions instead of running the program\n"
"  -x, --field-separator=C   fields with C between them: function, thread, core type, calls,\n"
"                            event, inclusive count, exclusive count\n"
"  -o, --output=FILE         print to FILE instead of standard error\n"
"      --format=FORMAT       table (default), csv, json or perfetto: a trace with a slice for each\n"
"                            call, for the viewer at ui.perfetto.dev. Without it, FILE.csv,\n"
"                            FILE.json and FILE.pftrace choose\n"
"  -b, --bind=CPUS           run the program on these CPUs\n"
"  -h, --help                show this text\n"
"\n"
"A count includes the functions that are called; the column `own` is without those that have\n"
"probes. What the probes cost is measured first, and taken off.\n"
"\n"
"Example: pmctrack probe -m ipc gzip deflate 'longest_*' -- -k file\n"
"\n"
"The exit status is that of the program, as `pmctrack --help` says.\n";

struct probe_options {
	struct options o;	/* first, for the table */
	const char *events;
	const char *metrics;
	int list;
	const char *separator;
	const char *program;
	char **words;		/* functions, up to @nr_words */
	int nr_words;
};

#define FLAG(letter, name, member) OPTION_FLAG(letter, name, struct probe_options, member)
#define TEXT(letter, name, member) OPTION_TEXT(letter, name, struct probe_options, member)

static const struct option_row rows[] = {
	TEXT('e', "event", events),
	TEXT('m', "metrics", metrics),
	FLAG(LONG_ONLY(0), "per-thread", o.per_thread),
	FLAG('l', "list", list),
	TEXT('x', "field-separator", separator),
	TEXT('o', "output", o.output),
	OPTION_TAKE(LONG_ONLY(1), "format", options_take_format),
	OPTION_TAKE('b', "bind", options_take_bind),
	{ 0 }
};

/* PROGRAM [FUNCTION]... [-- ARGUMENT...]: the program's command line is made of both ends. */
static void split_words(struct probe_options *p, char **words)
{
	int i, n = 0;

	p->program = words[0];
	p->words = words + 1;
	while (p->words[n] && strcmp(p->words[n], "--"))
		n++;
	p->nr_words = n;
	for (i = n + !!p->words[n]; words[i + 1]; i++)
		;
	p->o.command = new_array(i - n + 2, sizeof(*p->o.command));
	p->o.command[0] = words[0];
	if (p->words[n])
		memcpy(p->o.command + 1, p->words + n + 1, (i - n) * sizeof(*words));
}

typedef void print_fn(FILE *f, const struct probe_report *r);

static const struct {
	const struct report_ops *format;
	print_fn *print;
} forms[] = {
	{ &report_table, probe_print_table },
	{ &report_csv, probe_print_csv },
	{ &report_json, probe_print_json },
	{ &report_perfetto, probe_print_after_trace },
};

/* The function that prints; NULL: there is none for this format. */
static print_fn *form(const struct probe_options *p)
{
	size_t i;

	if (p->separator)
		return probe_print_fields;
	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (forms[i].format == p->o.format)
			return forms[i].print;
	return NULL;
}

static void parse(struct probe_options *p, int argc, char **argv)
{
	char **words;

	memset(p, 0, sizeof(*p));
	argv[0] = "pmctrack probe";
	words = option_table_parse(rows, help, &p->o, argc, argv);
	if (!words)
		bad("probe: no program to run: name one, and its functions behind it");
	split_words(p, words);
	if ((p->list || !p->nr_words) && (p->o.output || p->o.format || p->separator))
		bad("probe: the list of functions is plain text on standard output: leave out %s",
		    p->o.output ? "-o" : p->o.format ? "--format" : "-x");
	if (p->separator && !*p->separator)
		bad("probe: -x needs a character");
	if (p->separator && p->o.format)
		bad("probe: -x and --format exclude each other");
	if (!p->separator)
		format_choose(&p->o);
	if (!form(p))
		bad("probe: the report is a table, CSV, JSON or a trace: choose one with --format, or name the file of -o so");
	if (p->o.format && p->o.format->check)
		p->o.format->check(p->o.output);
}

/* ---- events ---- */

/* Each core type has one set. Whether its counters are enough for it, the kernel says. */
static int fits(void *arg, int core_type, const char *events)
{
	(void)arg;
	(void)core_type;
	(void)events;
	return 1;
}

struct arrangement {
	pmc_plan_t *plan;
	pmc_config_t *asked;
	pmc_config_t *config;
	struct layout layout;
	struct probe_events events;
};

static void add_core_type(struct arrangement *a, const pmc_machine_t *machine, int id)
{
	struct probe_core_type *ct = &a->events.core_types[id];
	const char *event;

	ct->info = pmc_machine_core_type(machine, id);
	if (cpus_parse(ct->info->cpus, &ct->cpus))
		CPU_ZERO(&ct->cpus);
	while ((event = pmc_config_event(a->config, id, 0, ct->nr)))
		if (pmc_event_perf_attr(machine, id, event, &ct->attrs[ct->nr++]))
			bad("%s", pmc_last_error());
	if (ct->nr > a->events.most)
		a->events.most = ct->nr;
}

static void arrange(struct arrangement *a, const struct probe_options *p, const pmc_machine_t *machine)
{
	const char *events = p->events ? p->events : default_events;
	int id;

	a->plan = must_have(pmc_plan_new(machine));
	a->asked = must_have(pmc_config_new(machine));
	a->config = must_have(pmc_config_new(machine));
	if ((p->events || !p->metrics) && (pmc_plan_add_set(a->plan, events, PMC_EVERY_CORE_TYPE) ||
	     pmc_config_add(a->asked, events, PMC_EVERY_CORE_TYPE, 0)))
		bad("%s", pmc_last_error());
	if (p->metrics && pmc_plan_add_metrics(a->plan, p->metrics, PMC_EVERY_CORE_TYPE))
		bad("-m: %s", pmc_last_error());
	if (pmc_plan_make(a->plan, a->config, fits, NULL) ||
	    layout_init(&a->layout, machine, a->config, NULL))
		bad("%s", pmc_last_error());
	if (layout_most_sets(&a->layout) > 1)
		bad("probe: all events have to be counted at once: ask for fewer");
	must_have(layout_set_plan(&a->layout, a->plan, a->asked) ? NULL : a);
	a->events.nr_core_types = pmc_machine_nr_core_types(machine);
	a->events.core_types = new_array(a->events.nr_core_types, sizeof(*a->events.core_types));
	for (id = 0; id < a->events.nr_core_types; id++)
		add_core_type(a, machine, id);
	a->events.width = PROBE_WIDTH(a->events.most);
}

static void forget(struct arrangement *a)
{
	free(a->events.core_types);
	layout_free(&a->layout);
	pmc_plan_free(a->plan);
	pmc_config_free(a->config);
	pmc_config_free(a->asked);
}

/* ---- the list ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct probe_function *)a)->name, ((const struct probe_function *)b)->name);
}

static int list(struct probe_functions *functions)
{
	char *name;
	int i;

	if (functions->nr)
		qsort(functions->all, functions->nr, sizeof(*functions->all), by_name);
	for (i = 0; i < functions->nr; i++) {
		name = probe_name(&functions->all[i], "");
		printf("%s\n", name);
		free(name);
	}
	written(stdout, "standard output");
	return 0;
}

/* ---- the run ---- */

/**
 * struct program - the program, and its report
 * @err: why it could not be run
 * @signals: the file of the signals that end pmctrack
 * @origin: whether they are for the program
 * @signal: the one that ended pmctrack, or 0
 * @f: the file of the report
 * @report: what is known of it
 * @trace: what it is if it is a trace, which begins when the program runs
 */
struct program {
	const struct options *o;
	struct child child;
	int err;
	int signals;
	struct signal_origin origin;
	int signal;
	FILE *f;
	const struct probe_report *report;
	struct probe_trace *trace;
};

/* The sums and the trace of calls. Without a trace, @trace has no file. */
struct calls_made {
	struct probe_sums sums;
	struct probe_trace trace;
};

static void take_entry(void *arg, const struct probe_call *call)
{
	struct calls_made *made = arg;

	if (made->trace.out.f)
		probe_trace_enter(&made->trace, call);
}

static void take_call(void *arg, const struct probe_call *call)
{
	struct calls_made *made = arg;

	probe_sums_add(&made->sums, call);
	if (made->trace.out.f)
		probe_trace_leave(&made->trace, call);
}

static void cannot_write(const struct options *o)
{
	bad("-o: cannot write %s: %s", output_name(o), strerror(errno));
}

/* A program that cannot be run leaves the file as it was. */
static void release(void *arg)
{
	struct program *program = arg;

	program->err = child_release(&program->child);
	if (program->err || program->o->format != &report_perfetto)
		return;
	if (output_clear(program->f))
		cannot_write(program->o);
	probe_trace_begin(program->trace, program->f, program->report, program->child.pid);
}

/*
 * Signals are for the program, as with `pmctrack`. Return: pmctrack is to end, because of a second
 * one, or because the trace cannot be written any more.
 */
static int take_signals(void *arg)
{
	struct program *program = arg;
	struct signalfd_siginfo info;

	while (read(program->signals, &info, sizeof(info)) == sizeof(info))
		if (signal_origin_take(&program->origin, info.ssi_signo))
			program->signal = info.ssi_signo;
	signal_origin_pass_on(&program->origin, program->child.pid);
	return program->signal || ferror(program->f);
}

/* pmctrack ends before the program. Nobody would see the program otherwise. */
static void announce(const struct program *program)
{
	fprintf(stderr, "pmctrack: process %d keeps running and is not counted any more\n",
		program->child.pid);
}

/* As a shell has it */
static int exit_status(const struct program *program, const struct probe_result *result)
{
	int status = result->status;

	if (program->err)
		fprintf(stderr, "pmctrack: cannot run %s: %s\n", program->o->command[0],
			strerror(abs(program->err)));
	if (program->err > 0)
		return program->err == ENOENT ? 127 : 126;
	if (program->err)
		return 2;
	if (!result->has_ended)
		return 128 + program->signal;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void start(struct program *program)
{
	sigset_t mask;

	signal_origin_mask(&mask);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	program->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (program->signals < 0 || child_prepare(&program->child, program->o) ||
	    signal_origin_start(&program->origin, &mask))
		bad("probe: cannot make a process: %s", strerror(errno));
	/* A key typed at the terminal sends this one to the program, too. */
	signal(SIGQUIT, SIG_IGN);
}

static void print(const struct probe_options *p, FILE *f, struct probe_report *report)
{
	if (p->o.format != &report_perfetto && output_clear(f))
		cannot_write(&p->o);
	report->width = output_width(f);
	form(p)(f, report);
	written(f, output_name(&p->o));
}

static int nr_refused(const struct probe_functions *functions)
{
	int i, nr = 0;

	for (i = 0; i < functions->nr; i++)
		nr += functions->all[i].refused;
	return nr;
}

/* One line, of the program or of the first library for which it is known */
static void warn(const struct probe_files *files)
{
	const char *danger = NULL;
	int i;

	for (i = 0; i < files->nr && !danger; i++) {
		danger = probe_elf_danger(&files->all[i]);
		if (danger)
			fprintf(stderr, "pmctrack: %s %s (see NOTES in pmctrack-probe(1))\n",
				files->all[i].path, danger);
	}
}

static int run(const struct probe_options *p, const struct probe_files *files,
	       struct probe_functions *functions, const struct arrangement *a)
{
	struct calls_made made = {
		.sums = { .events = &a->events, .per_thread = p->o.per_thread },
	};
	struct probe_costs costs;
	struct probe_calls calls;
	struct probe_result result;
	struct probe_report report = {
		.events = &a->events, .functions = functions, .layout = &a->layout,
		.costs = &costs, .sums = &made.sums, .command = p->o.command,
		.separator = p->separator,
	};
	struct program program = {
		.o = &p->o, .f = output_open(&p->o), .report = &report, .trace = &made.trace,
	};

	if (!program.f)
		cannot_write(&p->o);
	child_note_signals();
	/* If SIGCHLD is ignored, the kernel does not report how a child ended. */
	signal(SIGCHLD, SIG_DFL);
	/* If the reader of a pipe ends, pmctrack has to say that the program runs on. */
	signal(SIGPIPE, SIG_IGN);
	probe_costs_measure(&costs, &a->events, functions);
	warn(files);
	start(&program);
	probe_calls_init(&calls, &a->events, functions, program.child.pid, take_call, &made);
	calls.entered = take_entry;
	probe_run(&a->events, functions, program.child.pid, release, take_signals, &program, &calls,
		  &result);
	signal_origin_end(&program.origin);
	close(program.signals);
	if (!result.has_ended)
		announce(&program);
	if (nr_refused(functions) == functions->nr)
		bad("probe: the kernel sets no probe at the first instruction of any of the functions");
	probe_sums_sort(&made.sums, functions);
	report.totals = calls.totals;
	report.lost = result.lost;
	report.left_out = made.trace.left_out;
	if (!program.err)
		print(p, program.f, &report);
	probe_sums_free(&made.sums);
	probe_trace_free(&made.trace);
	probe_calls_free(&calls);
	probe_costs_free(&costs);
	return exit_status(&program, &result);
}

int probe_main(int argc, char **argv)
{
	struct probe_functions functions = { 0 };
	struct probe_files files;
	struct probe_options p;
	struct arrangement a = { 0 };
	pmc_machine_t *machine;
	int i, status;

	parse(&p, argc, argv);
	probe_files_open(&files, p.program);
	for (i = 0; i < p.nr_words; i++)
		probe_find(&files, p.words[i], &functions);
	if (!p.nr_words || p.list) {
		if (!p.nr_words)
			probe_find(&files, "*", &functions);
		status = list(&functions);
	} else {
		machine = pmc_machine_open();
		if (!machine)
			bad("%s", pmc_last_error());
		arrange(&a, &p, machine);
		status = run(&p, &files, &functions, &a);
		forget(&a);
		pmc_machine_close(machine);
	}
	probe_functions_free(&functions);
	probe_files_close(&files);
	free(p.o.command);
	return status;
}
