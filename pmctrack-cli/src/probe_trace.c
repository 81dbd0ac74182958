// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions as a trace for Perfetto: a slice for each call on the track of its thread,
 * with what the call has counted. A slice begins and ends in the file as it does in the thread, so
 * no call has to be kept, and calls at the same time are in each other as they should be.
 */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "probe_trace.h"
#include "quote.h"
#include "report.h"

static uint64_t track_of(const struct probe_call *call)
{
	return perfetto_track(PERFETTO_THREAD, call->thread, 0, 0);
}

static void check_memory(const struct probe_trace *t)
{
	must_have(t->out.no_memory ? NULL : (void *)t);
}

void probe_trace_begin(struct probe_trace *t, FILE *f, const struct probe_report *report,
		       pid_t pid)
{
	const char *path = report->command[0], *slash = strrchr(path, '/');
	size_t size = 4 * strlen(path) + 1;
	char *name = new_array(size, 1);

	*t = (struct probe_trace){
		.out.f = f, .report = report, .pid = pid, .most_calls = PROBE_TRACE_CALLS,
	};
	perfetto_add_process(&t->out, pid, quote_name(name, size, slash ? slash + 1 : path, ""));
	free(name);
	check_memory(t);
}

/* Processes that the program has made may run another program. */
static void describe_thread(struct probe_trace *t, const struct probe_call *call)
{
	if (call->pid != t->pid && call->pid == call->tid)
		perfetto_add_process(&t->out, call->pid, "");
	perfetto_add_thread(&t->out, track_of(call), call->pid, call->tid, "");
	t->nr_threads = call->thread + 1;
}

void probe_trace_enter(struct probe_trace *t, const struct probe_call *call)
{
	const struct probe_report *r = t->report;
	char *name;

	t->left_out += call->nr >= t->most_calls;
	if (t->left_out > 1)
		return;
	if (call->thread >= t->nr_threads)
		describe_thread(t, call);
	if (t->left_out) {
		perfetto_instant(&t->out, call->start, track_of(call), "later calls are left out");
		return;
	}
	if (r->events->nr_core_types > 1)
		perfetto_note_text(&t->out, "core_type",
				   layout_core_type_name(r->layout, call->core_type));
	name = probe_name(&r->functions->all[call->function], "");
	perfetto_begin(&t->out, call->start, track_of(call), name);
	free(name);
	check_memory(t);
}

static void note_counts(struct probe_trace *t, const struct probe_call *call, int n)
{
	const char *name = t->report->layout->names[n];
	const struct probe_report *r = t->report;
	char own[LABEL_MAX + 8];

	snprintf(own, sizeof(own), "own_%s", name);
	perfetto_note_count(&t->out, name, probe_count(r, call->inclusive, PMC_EVERY_CORE_TYPE, n));
	perfetto_note_count(&t->out, own, probe_count(r, call->exclusive, PMC_EVERY_CORE_TYPE, n));
}

/* As other forms print it */
static void note_metric(struct probe_trace *t, const char *name, const uint64_t *values, int n)
{
	char text[64];

	if (probe_metric(t->report, values, PMC_EVERY_CORE_TYPE, n, text, sizeof(text)))
		perfetto_note_value(&t->out, name, strtod(text, NULL));
}

static void note_metrics(struct probe_trace *t, const struct probe_call *call, int n)
{
	char name[LABEL_MAX], own[LABEL_MAX + 8];

	metric_label(t->report->layout, n, name, sizeof(name));
	snprintf(own, sizeof(own), "own_%s", name);
	note_metric(t, name, call->inclusive, n);
	note_metric(t, own, call->exclusive, n);
}

void probe_trace_leave(struct probe_trace *t, const struct probe_call *call)
{
	const struct layout *layout = t->report->layout;
	int i;

	if (call->nr >= t->most_calls)
		return;
	for (i = 0; i < layout->nr_names; i++)
		if (!layout->hidden[i])
			note_counts(t, call, i);
	for (i = 0; i < nr_metrics(layout); i++)
		note_metrics(t, call, i);
	if (!call->is_whole)
		perfetto_note_text(&t->out, "end", "without a return");
	perfetto_end(&t->out, call->end, track_of(call));
	check_memory(t);
}

void probe_trace_free(struct probe_trace *t)
{
	perfetto_free(&t->out);
}

void probe_print_after_trace(FILE *f, const struct probe_report *r)
{
	(void)f;
	probe_print_notes(stderr, "pmctrack: ", r);
}
