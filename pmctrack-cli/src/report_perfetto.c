// SPDX-License-Identifier: GPL-2.0
/*
 * A trace for Perfetto's viewer (ui.perfetto.dev): for each thread, or CPU, slices that show its
 * core type, and below them a counter track for each event, virtual counter and metric of each
 * core type, and for instructions per cycle where both are counted.
 *
 * A count belongs to the time since the sample before, and a counter's value is valid until
 * the next one: so it is stored at the beginning of that time, and 0 at its end, unless the next
 * sample has that count, too. A level is stored at the end of the time, and is
 * valid until the next one.
 */
#include <errno.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "perfetto.h"
#include "perfetto_regions.h"
#include "quote.h"
#include "report.h"

/**
 * struct thread - a thread or CPU that has samples
 * @tid: the thread; of a CPU: its number
 * @id: number in the trace, as the number of a thread that has ended is given again
 * @pid: its process: if its last sample is lost, its number may be that of a thread of another one
 * @core_type: that of its last sample; -1: it has had none
 * @end: time of that sample
 * @name: as it was described
 * @described: one for each column and core type: its counter track is described
 * @nr: its samples
 * @last: one for each column: number of the sample that has its last count, until 0 is stored
 */
struct thread {
	pid_t tid;
	pid_t pid;
	unsigned int id;
	int core_type;
	uint64_t end;
	char name[PMC_THREAD_NAME];
	char *described;
	unsigned int nr;
	unsigned int *last;
};

struct trace {
	struct perfetto out;
	void *threads;		/* a tree, see tsearch(3) */
	unsigned int nr_threads;	/* or CPUs, in the whole trace */
	struct region_thread *all;	/* the same, if they are no CPUs */
	size_t nr_all;
	size_t room;
	int nr_columns;
	int instr;		/* columns, or -1: there is no IPC */
	int cycles;
};

/* ---- tracks ---- */

static uint64_t thread_track(const struct report *report, const struct thread *thread)
{
	enum perfetto_kind kind = report->o->syswide ? PERFETTO_CPU : PERFETTO_THREAD;

	return perfetto_track(kind, thread->id, 0, 0);
}

static void describe_thread(struct report *report, struct thread *thread, pid_t pid)
{
	uint64_t track = thread_track(report, thread);
	struct trace *t = report->data;
	char name[NAME_QUOTED];

	if (report->o->syswide) {
		snprintf(name, sizeof(name), "CPU %d", thread->tid);
		perfetto_add_track(&t->out, track, 0, name);
		return;
	}
	quote_name(name, sizeof(name), thread->name, "");
	if (thread->tid == pid)
		perfetto_add_process(&t->out, pid, name);
	perfetto_add_thread(&t->out, track, pid, thread->tid, name);
}

/*
 * The track of a column of a thread on a core type: events, then virtual counters, then metrics,
 * then instructions per cycle. It is described when it has its first value.
 */
static uint64_t counter_track(struct report *report, struct thread *thread, int column,
			      const char *name, const char *unit)
{
	struct trace *t = report->data;
	uint64_t track = perfetto_track(PERFETTO_COUNTER, thread->id, column, thread->core_type);
	char *described = &thread->described[thread->core_type * t->nr_columns + column];
	char label[LABEL_MAX + 20];

	if (*described)
		return track;
	*described = 1;
	snprintf(label, sizeof(label), "%s", name);
	if (report->layout->nr_core_types > 1)
		snprintf(label, sizeof(label), "%s (%s)", name,
			 layout_core_type_name(report->layout, thread->core_type));
	perfetto_add_counter(&t->out, track, thread_track(report, thread), label, unit);
	return track;
}

/* ---- samples ---- */

static void free_thread(struct thread *thread)
{
	if (!thread)
		return;
	free(thread->described);
	free(thread->last);
	free(thread);
}

static struct thread *new_thread(const struct report *report, const struct thread *wanted)
{
	const struct trace *t = report->data;
	struct thread *thread = calloc(1, sizeof(*thread));

	if (!thread)
		return NULL;
	thread->tid = wanted->tid;
	thread->pid = wanted->pid;
	thread->described = calloc(report->layout->nr_core_types, t->nr_columns + 1);
	thread->last = calloc(t->nr_columns + 1, sizeof(*thread->last));
	if (thread->described && thread->last)
		return thread;
	free_thread(thread);
	return NULL;
}

static int compare(const void *one, const void *other)
{
	const struct thread *a = one, *b = other;

	return a->tid != b->tid ? (a->tid > b->tid) - (a->tid < b->tid) : (a->pid > b->pid) - (a->pid < b->pid);
}

/* Note a thread for its regions, which come when it may have ended. */
static int keep_thread(struct report *report, const struct thread *thread, uint64_t start)
{
	struct trace *t = report->data;
	size_t room = t->room ? 2 * t->room : 64;
	struct region_thread *all = t->all;

	if (report->o->syswide)
		return 0;
	if (t->nr_all == t->room) {
		all = realloc(all, room * sizeof(*all));
		if (!all)
			return -1;
		t->all = all;
		t->room = room;
	}
	all[t->nr_all++] = (struct region_thread){ thread->tid, thread->id, start };
	return 0;
}

static struct thread *find_thread(struct report *report, const struct pmc_reading *r)
{
	uint64_t start = r->time > r->elapsed ? r->time - r->elapsed : 0;
	struct trace *t = report->data;
	int syswide = report->o->syswide;
	struct thread wanted = { .tid = syswide ? r->cpu : r->tid, .pid = syswide ? 0 : r->pid };
	struct thread **found = tfind(&wanted, &t->threads, compare), *thread;

	if (found)
		return *found;
	thread = new_thread(report, &wanted);
	if (!thread || !tsearch(thread, &t->threads, compare)) {
		free_thread(thread);
		report->no_memory = 1;
		return NULL;
	}
	thread->id = t->nr_threads++;
	report->no_memory |= !!keep_thread(report, thread, start);
	thread->core_type = -1;
	snprintf(thread->name, sizeof(thread->name), "%s", r->name);
	describe_thread(report, thread, r->pid);
	return thread;
}

static void note_name(struct report *report, struct thread *thread, const struct pmc_reading *r)
{
	if (!*r->name || !strcmp(r->name, thread->name))
		return;
	snprintf(thread->name, sizeof(thread->name), "%s", r->name);
	describe_thread(report, thread, r->pid);
}

/* Store 0 at @time for counts of samples before number @nr: they are not of the time after. */
static void end_counts(struct report *report, struct thread *thread, unsigned int nr, uint64_t time)
{
	struct trace *t = report->data;
	int column;

	for (column = 0; column < t->nr_columns; column++) {
		if (!thread->last[column] || thread->last[column] >= nr)
			continue;
		thread->last[column] = 0;
		perfetto_count(&t->out, time, perfetto_track(PERFETTO_COUNTER, thread->id, column,
							     thread->core_type), 0);
	}
}

/* The thread counts no more on the core type of its last sample. */
static void leave_core_type(struct report *report, struct thread *thread)
{
	struct trace *t = report->data;

	if (thread->core_type < 0)
		return;
	perfetto_end(&t->out, thread->end, thread_track(report, thread));
	end_counts(report, thread, thread->nr + 1, thread->end);
	thread->core_type = -1;
}

/* The thread has ended: a later one may get the same number. */
static void end_thread(struct report *report, struct thread *thread)
{
	struct trace *t = report->data;

	leave_core_type(report, thread);
	tdelete(thread, &t->threads, compare);
	free_thread(thread);
}

static void enter_core_type(struct report *report, struct thread *thread, int core_type,
			    uint64_t time)
{
	struct trace *t = report->data;

	if (thread->core_type == core_type)
		return;
	leave_core_type(report, thread);
	thread->core_type = core_type;
	perfetto_begin(&t->out, time, thread_track(report, thread),
		       layout_core_type_name(report->layout, core_type));
}

static void add_counts(struct report *report, struct thread *thread, const struct pmc_reading *r,
		       uint64_t start)
{
	const struct layout *layout = report->layout;
	const struct layout_set *set = layout_set(layout, r->core_type, r->set);
	struct trace *t = report->data;
	int i, column;

	for (i = 0; set && i < set->nr && i < r->nr_counts; i++) {
		column = set->columns[i];
		if (layout->hidden[column])
			continue;
		perfetto_count(&t->out, start,
			       counter_track(report, thread, column, layout->names[column], ""),
			       r->counts[i]);
		thread->last[column] = thread->nr;
	}
}

static void add_virtuals(struct report *report, struct thread *thread, const struct pmc_reading *r,
			 uint64_t start)
{
	const struct layout *layout = report->layout;
	struct trace *t = report->data;
	char text[32];
	int i;

	for (i = 0; i < layout->nr_virtual && i < r->nr_virtual; i++) {
		const struct pmc_virtual_info *v = layout->virtuals[i];

		if (r->virtual_counts[i] == PMC_NO_VALUE)
			continue;
		pmc_virtual_format(v, r->virtual_counts[i], text, sizeof(text));
		perfetto_value(&t->out, v->kind == PMC_VIRTUAL_COUNT ? start : r->time,
			       counter_track(report, thread, layout->nr_names + i, v->name,
					     v->unit),
			       strtod(text, NULL));
		if (v->kind == PMC_VIRTUAL_COUNT)
			thread->last[layout->nr_names + i] = thread->nr;
	}
}

static void add_metrics(struct report *report, struct thread *thread, const struct pmc_reading *r,
			uint64_t start)
{
	const struct layout *layout = report->layout;
	struct trace *t = report->data;
	int i;

	for (i = 0; i < nr_metrics(layout); i++) {
		struct metric_value v = metric_sample(report, i, r);
		const pmc_metric_t *metric = metric_of(layout, i, r->core_type);
		int column = layout->nr_names + layout->nr_virtual + i;

		if (!metric || isnan(v.value))
			continue;
		perfetto_value(&t->out, start,
			       counter_track(report, thread, column, pmc_metric_name(metric),
					     pmc_metric_unit(metric)),
			       v.value);
		thread->last[column] = thread->nr;
	}
}

/* Of samples that have both: the counts of another set are of another time. */
static void add_ipc(struct report *report, struct thread *thread, const struct pmc_reading *r,
		    uint64_t start)
{
	const struct layout_set *set = layout_set(report->layout, r->core_type, r->set);
	struct trace *t = report->data;
	int instr = layout_place(set, t->instr), cycles = layout_place(set, t->cycles);
	int column = t->nr_columns - 1;

	if (instr < 0 || cycles < 0 || instr >= r->nr_counts || cycles >= r->nr_counts ||
	    !r->counts[cycles])
		return;
	perfetto_value(&t->out, start,
		       counter_track(report, thread, column, "instructions per cycle", ""),
		       (double)r->counts[instr] / r->counts[cycles]);
	thread->last[column] = thread->nr;
}

static void mark(struct report *report, const struct thread *thread, uint64_t time,
		 uint64_t nr, const char *what)
{
	struct trace *t = report->data;
	char text[80];

	if (!nr)
		return;
	snprintf(text, sizeof(text), "%llu %s", (unsigned long long)nr, what);
	perfetto_instant(&t->out, time, thread_track(report, thread), text);
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	const struct trace *t = report->data;
	uint64_t start = r->time > r->elapsed ? r->time - r->elapsed : 0;
	struct thread *thread = find_thread(report, r);

	(void)nr;
	report->nr++;
	if (!thread || r->core_type < 0 || r->core_type >= report->layout->nr_core_types)
		return;
	note_name(report, thread, r);
	enter_core_type(report, thread, r->core_type, start);
	thread->nr++;
	mark(report, thread, start, r->lost, "samples were lost");
	mark(report, thread, start, report->left_out, "samples by event count were left out");
	add_counts(report, thread, r, start);
	add_virtuals(report, thread, r, start);
	add_metrics(report, thread, r, start);
	add_ipc(report, thread, r, start);
	end_counts(report, thread, thread->nr, thread->end);
	thread->end = r->time;
	if (r->flags & PMC_READING_LAST)
		end_thread(report, thread);
	report->no_memory |= t->out.no_memory;
}

static void check(const char *path)
{
	if (!path)
		bad("--format=perfetto writes a file for a viewer: name it with -o");
}

static void prepare(void)
{
	if (recorded_regions_start())
		fprintf(stderr, "pmctrack: the trace will have no regions: no file in TMPDIR: %s\n",
			strerror(errno));
}

static int begin(struct report *report)
{
	const struct layout *layout = report->layout;
	struct trace *t = calloc(1, sizeof(*t));

	if (!t)
		return -1;
	t->out.f = report->f;
	t->nr_columns = layout->nr_names + layout->nr_virtual + nr_metrics(layout) +
			layout_find_ipc(layout, &t->instr, &t->cycles);
	report->data = t;
	print_plan(stderr, report);
	return 0;
}

static void add_regions(struct report *report)
{
	struct trace *t = report->data;
	struct regions regions;
	int64_t left_out;
	int rc = recorded_regions_read(&regions);

	if (rc < 0) {
		fprintf(stderr, "pmctrack: cannot read the regions: %s\n", strerror(errno));
		report->failed = 1;
	}
	if (rc <= 0)
		return;
	left_out = perfetto_write_regions(&t->out, &regions, t->all, t->nr_all, t->nr_threads);
	if (left_out < 0 || t->out.no_memory) {
		fprintf(stderr, "pmctrack: out of memory for the regions\n");
		report->failed = 1;
	}
	left_out += regions.left_out;
	if (left_out > 0)
		fprintf(stderr, "pmctrack: %llu regions are not in the trace\n",
			(unsigned long long)left_out);
	if (regions.are_damaged)
		fprintf(stderr, "pmctrack: regions are not in the trace: their file is damaged\n");
	recorded_regions_free(&regions);
}

static void end(struct report *report, const struct summary *summary)
{
	struct trace *t = report->data;

	add_regions(report);
	/* The root of a tree begins with its thread. */
	while (t->threads)
		end_thread(report, *(struct thread **)t->threads);
	perfetto_free(&t->out);
	free(t->all);
	free(t);
	report->data = NULL;
	print_losses(stderr, "pmctrack: ", summary);
	print_times(stderr, report->o, summary);
}

const struct report_ops report_perfetto = {
	.name = "perfetto",
	.endings = ".pftrace",
	.needs_samples = "a trace",
	.check = check,
	.prepare = prepare,
	.begin = begin,
	.sample = sample,
	.end = end,
};
