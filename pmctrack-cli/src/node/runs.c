// SPDX-License-Identifier: GPL-2.0
/* All runs of a program: settle, run, and write each run's folder. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "common.h"
#include "node/cpu_affinity.h"
#include "node/folder.h"
#include "node/performance.h"
#include "node/runs.h"
#include "node/sampler.h"
#include "node/settle.h"
#include "node/summary.h"
#include "output.h"

#define SYSFS "/sys"

/**
 * struct runs - all runs
 * @machine: its core types
 * @settle: what to wait for before a run
 * @folder: where the runs' folders are
 * @signals, @probe: see struct sampler
 * @nr_done: runs that have a folder
 * @status: exit status of the last run that failed
 */
struct runs {
	struct node_options *n;
	pmc_machine_t *machine;
	struct core_types types;
	struct settle settle;
	const char *folder;
	int signals;
	struct signal_origin probe;
	unsigned int nr_done;
	int status;
};

static void find_types(struct runs *r)
{
	const struct pmc_core_type_info *info;
	int id;

	for (id = 0; id < pmc_machine_nr_core_types(r->machine) && id < TYPES_MAX; id++) {
		info = pmc_machine_core_type(r->machine, id);
		snprintf(r->types.names[id], sizeof(r->types.names[id]), "%s", info->name);
		if (cpus_parse(info->cpus, &r->types.cpus[id]))
			bad("core type %s has no CPUs, but '%s'", info->name, info->cpus);
		r->types.nr++;
	}
}

static void watch_signals(struct runs *r)
{
	sigset_t mask;

	signal_origin_mask(&mask);
	sigaddset(&mask, SIGCHLD);
	child_note_signals();
	sigprocmask(SIG_BLOCK, &mask, NULL);
	signal(SIGCHLD, SIG_DFL);
	r->signals = signalfd(-1, &mask, SFD_CLOEXEC);
	if (r->signals < 0 || signal_origin_start(&r->probe, &mask))
		bad("cannot start: %s", strerror(errno));
}

/* A program that cannot be run must not leave a folder behind. */
static void check_program(const char *program)
{
	char path[4096], *dir, *all = must_have(strdup(getenv("PATH") ? getenv("PATH") : "")), *rest = all;
	int found = strchr(program, '/') && !access(program, X_OK);

	while (!found && !strchr(program, '/') && (dir = strsep(&rest, ":"))) {
		snprintf(path, sizeof(path), "%s/%s", *dir ? dir : ".", program);
		found = !access(path, X_OK);
	}
	free(all);
	if (!found)
		bad("cannot run '%s': %s", program, strerror(errno));
}

/* (t_run + t_settle) x n, as far as it is known */
static void print_expected(const struct runs *r, double run_time, unsigned int runs)
{
	double settle = r->settle.us / 1e6;
	const char *more = *r->settle.path ? " and the time until the zone has settled" : "";

	if (run_time > 0)
		fprintf(stderr, "pmctrack node: expected time: (%.1f s + %.1f s) x %u = %.1f s%s\n",
			run_time, settle, runs, (run_time + settle) * runs, more);
	else
		fprintf(stderr, "pmctrack node: expected time: (t_run + %.1f s) x %u%s; the first run shows t_run, or give --run-time\n",
			settle, runs, more);
}

/* The program, as typed */
static char *command_line(char *const *command)
{
	char *text = NULL;
	size_t size;
	FILE *f = must_have(open_memstream(&text, &size));

	print_command_line(f, command);
	fclose(f);
	return must_have(text);
}

char *runs_program(char *const *command)
{
	const char *slash = strrchr(command[0], '/');
	char *line = command_line(command), *name;

	name = must_have(strdup(line + (slash ? slash + 1 - command[0] : 0)));
	free(line);
	return name;
}

static void describe(const struct runs *r, struct about *about)
{
	const struct node_options *n = r->n;
	char *command = command_line(n->o.command), *program = runs_program(n->o.command);
	char cpus[CORES_TEXT], when[64];
	time_t now = time(NULL);
	struct tm tm;

	strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	cores_print(cpus, sizeof(cpus), &n->o.bind);
	about_set(about, "command", "%s", command);
	about_set(about, "name", "%s", n->name ? n->name : program);
	about_set(about, "started", "%s", when);
	about_set(about, "cores", "%s", n->cores);
	about_set(about, "cpus", "%s", cpus);
	about_set(about, "threads", "%d", CPU_COUNT(&n->o.bind));
	about_set(about, "period", "%.6f", n->o.period_us / 1e6);
	core_types_set(about, &r->types);
	free(command);
	free(program);
}

static unsigned long long lost(const struct sources *s)
{
	return counters_lost(&s->counters) + module_values_lost(&s->module);
}

static void add_results(struct about *about, const struct sampler *s)
{
	double gflops = performance_read(s->output);

	about_set(about, "seconds", "%.6f", s->seconds);
	about_set(about, "status", "%d", s->status);
	if (!isnan(gflops))
		about_set(about, "gflops", "%.6g", gflops);
	about_set(about, "late", "%llu", s->late);
	about_set(about, "lost", "%llu", lost(s->sources));
	about_set(about, "incomplete", "%llu", counters_incomplete(&s->sources->counters));
	if (*s->sources->missing)
		about_set(about, "missing", "%s", s->sources->missing);
}

static void print_run(const struct runs *r, unsigned int number, const struct sampler *s,
		      size_t nr_rows)
{
	fprintf(stderr, "pmctrack node: run %u of %u: %.3f s, %zu samples", number, r->n->runs,
		s->seconds, nr_rows);
	if (s->late)
		fprintf(stderr, ", %llu periods without one", s->late);
	if (lost(s->sources))
		fprintf(stderr, ", %llu samples lost: the rows lack their counts", lost(s->sources));
	if (s->status)
		fprintf(stderr, ", exit status %d (output: %s)", s->status, s->output);
	fputc('\n', stderr);
	losses_print(stderr, "pmctrack node: ", s->sources->counters.losses);
}

static void open_sources(const struct runs *r, struct sources *sources, struct record *record)
{
	int type;

	*sources = (struct sources){ .sys = SYSFS, .record = record };
	for (type = 0; type < r->types.nr; type++)
		CPU_OR(&sources->cpus, &sources->cpus, &r->types.cpus[type]);
	record_init(record);
	sources_open(sources, r->machine, r->n->sources, r->n->events);
}

/* What cannot be sampled is refused before there is a folder. */
static void try_sources(const struct runs *r)
{
	struct sources sources;
	struct record record;

	open_sources(r, &sources, &record);
	sources_start(&sources, r->n->o.period_us);
	sources_close(&sources);
	record_free(&record);
}

/* One run in the folder @path. Return: the signal that ended it, or 0. */
static int run(struct runs *r, unsigned int number, const char *path, int settled)
{
	struct about about = { 0 };
	struct record record;
	struct sources sources;
	struct sampler s = { .o = &r->n->o, .sources = &sources, .signals = r->signals,
			     .probe = &r->probe };
	char *output = folder_file(path, OUTPUT_FILE), *samples = folder_file(path, SAMPLES_FILE);
	char *about_file = folder_file(path, ABOUT_FILE);

	s.output = output;
	s.samples = samples;
	open_sources(r, &sources, &record);
	if (*sources.missing && number == 1)
		fprintf(stderr, "pmctrack node: not sampled: %s\n", sources.missing);
	describe(r, &about);
	about_set(&about, "settled", "%s", settled ? "yes" : "no");
	sampler_run(&s);
	add_results(&about, &s);
	about_write(&about, about_file);
	print_run(r, number, &s, record.nr_rows);
	if (number == 1 && r->n->runs > 1 && !r->n->run_time_us)
		print_expected(r, s.seconds, r->n->runs);
	r->status = s.status ? s.status : r->status;
	sources_close(&sources);
	record_free(&record);
	about_free(&about);
	free(output);
	free(samples);
	free(about_file);
	return s.signal;
}

static int run_all(struct runs *r)
{
	unsigned int i;
	int settled, signal = 0;
	char name[32], *path;

	for (i = 1; i <= r->n->runs && !signal; i++) {
		settled = settle_wait(&r->settle, r->signals);
		if (settled < 0)
			return 128 - settled;
		snprintf(name, sizeof(name), r->n->runs > 99 ? "run-%04u" : "run-%02u", i);
		path = folder_file(r->folder, name);
		folder_make(path);
		signal = run(r, i, path, settled);
		r->nr_done++;
		free(path);
	}
	return signal ? 128 + signal : r->status;
}

static void print_summary(const struct runs *r)
{
	char *folders[] = { (char *)r->folder, NULL };
	struct run_list list;

	runs_load(&list, folders);
	summary_print(&list, stdout, output_width(stdout));
	written(stdout, "standard output");
	runs_free(&list);
}

int runs_make(struct node_options *n)
{
	struct runs r = { .n = n, .folder = n->o.output ? n->o.output : "node" };
	int status;

	r.machine = pmc_machine_open();
	if (!r.machine)
		bad("%s", pmc_last_error());
	find_types(&r);
	cores_parse(&n->o.bind, n->cores, r.machine, SYSFS);
	n->o.has_bind = 1;
	cores_export(&n->o.bind);
	if (n->settle)
		settle_parse(&r.settle, n->settle, SYSFS);
	r.settle.limit_us = n->settle_limit_us;
	sources_check(n->sources);
	check_program(n->o.command[0]);
	try_sources(&r);
	folder_make(r.folder);
	watch_signals(&r);
	print_expected(&r, n->run_time_us / 1e6, n->runs);
	status = run_all(&r);
	if (r.nr_done)
		print_summary(&r);
	signal_origin_end(&r.probe);
	close(r.signals);
	pmc_machine_close(r.machine);
	return status;
}
