// SPDX-License-Identifier: GPL-2.0
/*
 * pmc-run: run a program, and print its counts and times.
 *
 * The program's process is made first and waits. The EventSet is attached to it and started, and
 * then the process executes the program: nothing of the program is left out, and PAPI is
 * initialized in this process alone.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <papi.h>

#include "../src/child.h"
#include "../src/common.h"
#include "../src/output.h"
#include "core_pmus.h"
#include "format.h"
#include "library.h"
#include "parse_events.h"
#include "run_report.h"

static const char help[] =
"Usage: pmc-run [OPTION]... PROGRAM [ARGUMENT]...\n"
"Run a program, count events of it, its threads and its children by PAPI, and print counts and\n"
"times on standard error.\n"
"\n"
"  -e, --event=EVENTS        what to count: presets and native events, as\n"
"                            PAPI_TOT_INS,PAPI_L1_DCM; pmc-avail lists them. May be repeated.\n"
"                            Default: PAPI_TOT_CYC, PAPI_TOT_INS, PAPI_BR_INS and PAPI_BR_MSP,\n"
"                            as far as the machine has them\n"
"      --per-core-type       on a machine whose cores differ: below each event, its count on\n"
"                            each core type; below a preset, the native events that it is\n"
"                            made of\n"
"  -m, --multiplex           if the counters are too few, events take turns; the counts are\n"
"                            estimates\n"
"      --filter=MODE         count in user mode (default), kernel or all\n"
"      --no-inherit          leave out children, and threads that the program starts\n"
"  -b, --bind=CPUS           run the program on these CPUs: 3, 0-2,5 or mask 0x2f\n"
"  -o, --output=FILE         print to FILE instead of standard error\n"
FORMAT_HELP
"\n"
"Example: pmc-run -e PAPI_TOT_INS,PAPI_BR_MSP gzip -k file\n"
"\n"
"The exit status is that of the program, 128 + N if signal N ended it, 127 if it was not\n"
"found, 126 if it cannot be run, and 2 if pmc-run cannot do what was asked.\n";

struct run {
	struct options o;	/* first, for the table */
	struct event_names events;
	int is_default;		/* the user named no events */
	int per_core_type;
	int multiplex;
	int no_inherit;
	int domain;		/* 0: PAPI's default, user mode */
};

static void take_events(struct options *o, const char *text)
{
	event_names_add(&((struct run *)o)->events, text);
}

static void take_bind(struct options *o, const char *text)
{
	if (cpus_parse(text, &o->bind))
		bad("-b takes CPUs, as 3, 0-2,5 or mask 0x2f, not '%s'", text);
	o->has_bind = 1;
}

static void take_filter(struct options *o, const char *text)
{
	int *domain = &((struct run *)o)->domain;

	if (!strcmp(text, "user"))
		*domain = PAPI_DOM_USER;
	else if (!strcmp(text, "kernel"))
		*domain = PAPI_DOM_KERNEL;
	else if (!strcmp(text, "all"))
		*domain = PAPI_DOM_USER | PAPI_DOM_KERNEL;
	else
		bad("--filter takes user, kernel or all, not '%s'", text);
}

static const struct option_row rows[] = {
	OPTION_TAKE('e', "event", take_events),
	OPTION_FLAG(LONG_ONLY(1), "per-core-type", struct run, per_core_type),
	OPTION_FLAG('m', "multiplex", struct run, multiplex),
	OPTION_TAKE(LONG_ONLY(2), "filter", take_filter),
	OPTION_FLAG(LONG_ONLY(3), "no-inherit", struct run, no_inherit),
	OPTION_TAKE('b', "bind", take_bind),
	OPTION_TEXT('o', "output", struct run, o.output),
	FORMAT_ROW,
	{ 0 }
};

static void parse(struct run *r, int argc, char **argv)
{
	r->o.command = option_table_parse(rows, help, &r->o, argc, argv);
	if (!r->o.command)
		bad("no program to run: name one, as in pmc-run -e PAPI_TOT_INS ls");
	r->is_default = !r->events.nr;
}

/* ---- the EventSet ---- */

static void set_option(int option, PAPI_option_t *value, const char *what)
{
	library_must(PAPI_set_opt(option, value), "%s", what);
}

/* An empty EventSet that is attached to the process @pid */
static int make_set(const struct run *r, pid_t pid)
{
	PAPI_option_t domain = { 0 }, inherit = { 0 };
	int set = PAPI_NULL;

	library_must(PAPI_create_eventset(&set), "no EventSet can be created");
	/* Options are those of a component; the first is that of the cores. */
	library_must(PAPI_assign_eventset_component(set, 0), "no EventSet for cores");
	if (r->domain) {
		domain.domain.eventset = set;
		domain.domain.domain = r->domain;
		set_option(PAPI_DOMAIN, &domain, "--filter");
	}
	inherit.inherit.eventset = set;
	inherit.inherit.inherit = r->no_inherit ? PAPI_INHERIT_NONE : PAPI_INHERIT_ALL;
	set_option(PAPI_INHERIT, &inherit,
		   "children cannot be counted; leave them out with --no-inherit");
	if (r->multiplex)
		event_names_multiplex(set);
	library_must(PAPI_attach(set, pid), "the process of %s cannot be counted", r->o.command[0]);
	return set;
}

/* Add the default events that the machine has. */
static void add_defaults(struct run *r, int set)
{
	static const char *const names[] = {
		"PAPI_TOT_CYC", "PAPI_TOT_INS", "PAPI_BR_INS", "PAPI_BR_MSP",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (PAPI_add_named_event(set, names[i]) == PAPI_OK)
			event_names_add(&r->events, names[i]);
	if (!r->events.nr)
		bad("the machine cannot count any of the default events: name others with -e (pmc-avail -a -n lists those that can be counted), or look what pmctrack doctor says");
}

static int has_name(const struct event_names *list, const char *name)
{
	int i;

	for (i = 0; i < list->nr; i++)
		if (!strcmp(list->all[i], name))
			return 1;
	return 0;
}

/* Add `PMU::NAME` for each core type. Return: how many of them PAPI knows */
static int add_of_types(const struct core_pmus *types, const char *name, struct event_names *list)
{
	char *text;
	int i, code, nr = 0;

	for (i = 0; i < types->nr; i++) {
		if (asprintf(&text, "%s::%s", types->name[i], name) < 0)
			bad("out of memory");
		if (PAPI_event_name_to_code(text, &code) == PAPI_OK) {
			event_names_add(list, text);
			nr++;
		}
		free(text);
	}
	return nr;
}

/* Add the native events that a preset is made of. */
static void add_terms(const char *name, struct event_names *list)
{
	static PAPI_event_info_t info;
	unsigned int i;
	int code;

	if (PAPI_event_name_to_code(name, &code) != PAPI_OK || IS_NATIVE(code) ||
	    PAPI_get_event_info(code, &info) != PAPI_OK)
		return;
	for (i = 0; i < info.count && i < PAPI_MAX_INFO_TERMS; i++)
		if (!has_name(list, info.name[i]))
			event_names_add(list, info.name[i]);
}

/*
 * --per-core-type: below each event, put the same event on each core type; below a preset that has
 * no such names, its native events. An event that names a PMU is one core type's already.
 */
static void add_per_core_type(struct event_names *events)
{
	struct event_names all = { 0 };
	struct core_pmus types;
	int i;

	core_pmus_find(&types);
	if (types.nr < 2)
		return;
	for (i = 0; i < events->nr; i++) {
		event_names_add(&all, events->all[i]);
		if (!core_pmus_length(events->all[i]) &&
		    !add_of_types(&types, events->all[i], &all))
			add_terms(events->all[i], &all);
	}
	event_names_free(events);
	*events = all;
}

/* The EventSet stays attached, and keeps its options. */
static void remove_all(const struct event_names *events, int set)
{
	int i;

	for (i = 0; i < events->nr; i++)
		library_must(PAPI_remove_named_event(set, events->all[i]), "--per-core-type");
}

/* Add what is counted, in the order of the report. */
static void fill_set(struct run *r, int set)
{
	if (r->is_default)
		add_defaults(r, set);
	if (r->is_default && r->per_core_type)
		remove_all(&r->events, set);
	if (r->per_core_type)
		add_per_core_type(&r->events);
	if (!r->is_default || r->per_core_type)
		event_names_add_to(&r->events, set);
}

/* ---- the program ---- */

/* Signals that a terminal sends are those of the program, too. */
static void awaited_signals(sigset_t *set)
{
	static const int signals[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	size_t i;

	sigemptyset(set);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaddset(set, signals[i]);
}

/*
 * Wait for the end of the program. What another process sends to this one is passed on; what a
 * terminal sends, the program got by itself.
 */
static int wait_for(pid_t pid, const sigset_t *awaited, struct rusage *usage)
{
	siginfo_t info;
	int status;
	pid_t ended;

	for (;;) {
		ended = wait4(pid, &status, WNOHANG, usage);
		if (ended == pid)
			return status;
		if (ended < 0)
			bad("cannot wait for process %d: %s", (int)pid, strerror(errno));
		if (sigwaitinfo(awaited, &info) > 0 && info.si_signo != SIGCHLD &&
		    info.si_code != SI_KERNEL)
			kill(pid, info.si_signo);
	}
}

static double seconds(const struct timeval *t)
{
	return t->tv_sec + t->tv_usec * 1e-6;
}

static int exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* A program that cannot be run: one line, and the status that a shell has for it */
static void refuse_program(const struct options *o, int err)
{
	if (err < 0)
		bad("-b: cannot bind %s to these CPUs: %s", o->command[0], strerror(-err));
	fprintf(stderr, "%s: cannot run %s: %s\n", program_invocation_short_name, o->command[0],
		strerror(err));
	exit(err == ENOENT ? 127 : 126);
}

static void run_program(struct child *child, const struct options *o, int set,
			const sigset_t *awaited, struct run_counts *c, long long *values)
{
	struct rusage usage;
	long long start;
	int err, status;

	library_must(PAPI_start(set), "counting cannot be started");
	start = PAPI_get_real_nsec();
	err = child_release(child);
	if (err)
		refuse_program(o, err);
	status = wait_for(child->pid, awaited, &usage);
	c->real = (PAPI_get_real_nsec() - start) * 1e-9;
	library_must(PAPI_stop(set, values), "the counts cannot be read");
	c->user = seconds(&usage.ru_utime);
	c->system = seconds(&usage.ru_stime);
	c->status = exit_status(status);
}

int main(int argc, char **argv)
{
	struct run r = { 0 };
	struct run_counts counts = { .events = &r.events };
	sigset_t awaited;
	struct child child;
	long long *values;
	int set;
	FILE *f;

	parse(&r, argc, argv);
	awaited_signals(&awaited);
	child_note_signals();
	/* If SIGCHLD is ignored, the kernel does not report the end of a child. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &awaited, NULL);
	/* Whatever PAPI opens stays in this process. */
	if (child_prepare(&child, &r.o))
		bad("cannot make a process for %s: %s", r.o.command[0], strerror(errno));
	library_begin();
	set = make_set(&r, child.pid);
	fill_set(&r, set);
	f = output_open(&r.o);
	if (!f || output_clear(f))
		bad("-o: cannot write %s: %s", output_name(&r.o), strerror(errno));
	values = new_array(r.events.nr, sizeof(*values));
	run_program(&child, &r.o, set, &awaited, &counts, values);
	counts.values = values;
	counts.is_estimated = r.multiplex;
	run_counts_print(f, &r.o, &counts);
	written(f, output_name(&r.o));
	PAPI_cleanup_eventset(set);
	PAPI_destroy_eventset(&set);
	free(values);
	event_names_free(&r.events);
	PAPI_shutdown();
	return counts.status;
}
