// SPDX-License-Identifier: GPL-2.0
/* pmctrack openmetrics: the counts of the machine for Prometheus and others, in a file or a stream. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "interrupted.h"
#include "openmetrics/openmetrics.h"
#include "option_table.h"
#include "options.h"
#include "verb.h"
#include "write_interruptible.h"

#define USUAL_METRICS "ipc"

static const char help[] =
"Usage: pmctrack openmetrics [OPTION]... [-o FILE]\n"
"Count all CPUs, and write the counts in the OpenMetrics text format after each interval: events\n"
"and metrics of each core type, virtual counters, and the threads that ran longest. With -o, FILE\n"
"always has the last interval whole: it is for node_exporter's textfile collector (a name with\n"
".prom), Performance Co-Pilot's openmetrics agent (file://), and others. Without, standard output\n"
"receives one text after the other, each ended by \"# EOF\"; pmctrack-openmetrics-http reads them,\n"
"and answers HTTP requests.\n"
"\n"
"  -d, --delay=SECONDS       length of an interval (default 10)\n"
"  -c, --events=EVENTS       count these events, too\n"
"  -m, --metrics=METRICS     metrics (default ipc)\n"
"  -V, --virtual=NAMES       virtual counters of monitoring modules\n"
"      --threads=N           events and metrics of the N threads that ran longest in the interval\n"
"      --no-cpus             count threads alone, which takes no CAP_PERFMON: those of the user\n"
"      --filter=MODE         count in the modes user, kernel or all (all; with --no-cpus: all, if\n"
"                            that is allowed)\n"
"  -n, --samples=N           end after N intervals\n"
"  -o, --output=FILE         write to FILE; - is standard output\n"
"  -h, --help                show this text\n"
"\n"
"Counting CPUs takes CAP_PERFMON, as root has it. With it, the threads of all users are counted.\n"
"\n"
"Example: pmctrack openmetrics -m ipc,llc_mpki -o /var/lib/prometheus/node-exporter/pmctrack.prom\n";

/* @o: first, for the table of options */
struct openmetrics_options {
	struct options o;
	uint64_t delay_us;
	uint64_t nr;
	int threads;
	int no_cpus;
};

static struct openmetrics_options *of(struct options *o)
{
	return (struct openmetrics_options *)o;
}

static void take_delay(struct options *o, const char *text)
{
	of(o)->delay_us = options_seconds("-d", text);
	if (of(o)->delay_us < 100000)
		bad("openmetrics: -d: at least 0.1 s, not '%s'", text);
}

static void take_events(struct options *o, const char *text)
{
	if (o->nr_configs == MAX_CONFIGS)
		bad("openmetrics: more than %d -c options", MAX_CONFIGS);
	o->configs[o->nr_configs++] = text;
}

static void take_metrics(struct options *o, const char *text)
{
	if (o->nr_metrics == MAX_CONFIGS)
		bad("openmetrics: more than %d -m options", MAX_CONFIGS);
	o->metrics[o->nr_metrics++] = text;
}

static void take_virtuals(struct options *o, const char *text)
{
	if (o->nr_virtuals == MAX_CONFIGS)
		bad("openmetrics: more than %d -V options", MAX_CONFIGS);
	o->virtuals[o->nr_virtuals++] = text;
}

static void take_samples(struct options *o, const char *text)
{
	of(o)->nr = option_number("openmetrics: -n", text, 1, UINT64_MAX);
}

static void take_threads(struct options *o, const char *text)
{
	of(o)->threads = option_number("openmetrics: --threads", text, 1, THREAD_LIST_MAX);
}

static const struct option_row rows[] = {
	OPTION_TAKE('d', "delay", take_delay),
	OPTION_TAKE('c', "events", take_events),
	OPTION_TAKE('m', "metrics", take_metrics),
	OPTION_TAKE('V', "virtual", take_virtuals),
	OPTION_TAKE(LONG_ONLY(1), "threads", take_threads),
	OPTION_FLAG(LONG_ONLY(2), "no-cpus", struct openmetrics_options, no_cpus),
	OPTION_TAKE(LONG_ONLY(0), "filter", options_take_filter),
	OPTION_TAKE('n', "samples", take_samples),
	OPTION_TEXT('o', "output", struct openmetrics_options, o.output),
	{ 0 }
};

static void parse(struct openmetrics_options *m, int argc, char **argv)
{
	char **words;

	memset(m, 0, sizeof(*m));
	m->delay_us = 10000000;
	argv[0] = "pmctrack openmetrics";
	words = option_table_parse(rows, help, &m->o, argc, argv);
	if (words)
		bad("openmetrics: '%s' is no option: all CPUs are counted, whatever runs", words[0]);
	if (m->no_cpus && !m->threads)
		bad("openmetrics: --no-cpus leaves nothing to count: give --threads=N, too");
	if (m->no_cpus && m->o.nr_virtuals)
		bad("openmetrics: -V: virtual counters are those of CPUs, which --no-cpus leaves out");
	if (m->o.output && !strcmp(m->o.output, "-"))
		m->o.output = NULL;
	if (m->o.output)
		openmetrics_file_check(m->o.output);
	if (!m->no_cpus && !m->o.filter)
		m->o.filter = "all";
	if (!m->o.nr_metrics)
		m->o.metrics[m->o.nr_metrics++] = USUAL_METRICS;
}

static void plan(const struct options *o, struct machine_counts *c)
{
	pmc_session_t *scratch = pmc_session_open();
	const struct pmc_virtual_info *v;
	int i, rc = scratch ? pmc_session_command(scratch, "filter %s", o->filter) : -1;

	c->plan = must_have(pmc_plan_new(c->machine));
	c->config = must_have(pmc_config_new(c->machine));
	for (i = 0; i < o->nr_configs && !rc; i++)
		rc = pmc_plan_add_events(c->plan, o->configs[i], PMC_EVERY_CORE_TYPE);
	for (i = 0; i < o->nr_metrics && !rc; i++)
		rc = pmc_plan_add_metrics(c->plan, o->metrics[i], PMC_EVERY_CORE_TYPE);
	for (i = 0; i < o->nr_virtuals && !rc; i++)
		rc = pmc_config_add_virtual(c->config, o->virtuals[i]);
	if (rc || pmc_plan_make(c->plan, c->config, pmc_plan_fits, scratch))
		bad("openmetrics: %s", pmc_last_error());
	pmc_session_close(scratch);
	for (i = 0; (v = pmc_config_virtual(c->config, i)); i++)
		if (!(v->flags & PMC_VIRTUAL_SYSWIDE))
			bad("openmetrics: -V: %s is available for threads, not for CPUs", v->name);
}

/* Threads have the events, metrics and modes of CPUs, with counters of their own. */
static void start_threads(const struct openmetrics_options *m, const struct machine_counts *c,
			  struct thread_list *list)
{
	list->beside_cpus = !m->no_cpus;
	list->most = m->threads;
	list->counting.filter = m->o.filter;
	list->choice = (struct counting_choice){
		.events = m->o.configs, .nr_events = m->o.nr_configs,
		.metrics = m->o.metrics, .nr_metrics = m->o.nr_metrics,
	};
	thread_list_start(list, c->machine);
}

static void write_to_stdout(const struct machine_counts *c, const struct thread_list *threads)
{
	char *text;
	size_t len;
	FILE *f = must_have(open_memstream(&text, &len));

	openmetrics_write(c, threads, f);
	if (fclose(f))
		bad("out of memory");
	if (write_interruptible(STDOUT_FILENO, text, len))
		bad("openmetrics: cannot write standard output: %s", strerror(errno));
	free(text);
}

static void write_text(const struct openmetrics_options *m, const struct machine_counts *c,
		       const struct thread_list *threads)
{
	c = m->no_cpus ? NULL : c;
	threads = m->threads ? threads : NULL;
	if (m->o.output)
		openmetrics_file_replace(c, threads, m->o.output);
	else
		write_to_stdout(c, threads);
}

/* Write the counts of interval after interval. */
static void go_on(const struct openmetrics_options *m, struct machine_counts *c, struct thread_list *threads)
{
	uint64_t since = monotonic_ns(), now, nr;

	for (nr = 0; !interrupted && (!m->nr || nr < m->nr); nr++) {
		counting_sleep_until(&threads->counting, since + m->delay_us * 1000);
		if (interrupted)
			break;
		now = monotonic_ns();
		if (!m->no_cpus)
			machine_counts_take(c, now - since);
		if (m->threads)
			thread_list_take(threads, m->delay_us, now - since);
		since = now;
		write_text(m, c, threads);
		if (!m->no_cpus)
			machine_counts_go_on(c);
		if (m->threads)
			thread_list_go_on(threads);
	}
}

int openmetrics_main(int argc, char **argv)
{
	struct thread_list threads = { 0 };
	struct machine_counts c = { 0 };
	struct openmetrics_options m;
	pmc_machine_t *machine;

	parse(&m, argc, argv);
	machine = pmc_machine_open();
	if (!machine)
		bad("openmetrics: %s", pmc_last_error());
	/* What perf_event_open() counts instead may be an estimate, which the text cannot say. */
	if (!pmc_machine_has_module(machine))
		bad("openmetrics: the kernel module is not loaded: modprobe pmctrack");
	c.machine = machine;
	catch_interrupts();
	if (!m.no_cpus) {
		plan(&m.o, &c);
		c.filter = m.o.filter;
		c.delay_us = m.delay_us;
		machine_counts_start(&c);
	}
	if (m.threads)
		start_threads(&m, &c, &threads);
	go_on(&m, &c, &threads);
	thread_list_stop(&threads);
	machine_counts_free(&c);
	pmc_machine_close(machine);
	return 0;
}
