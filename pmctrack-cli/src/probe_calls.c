// SPDX-License-Identifier: GPL-2.0
/*
 * Calls of functions: each thread has a stack of those that it is in. The stack pointer says
 * which entry a return belongs to, and which calls have ended without one (longjmp(); and the
 * kernel sees 64 returns to come and no more).
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "probe_calls.h"

/* A return on x86 has taken its address off the stack. */
#ifdef __aarch64__
#define RETURN_BYTES 0
#else
#define RETURN_BYTES 8
#endif

/* A call: @start: what the thread had counted at the entry; @calls: what calls in it did */
struct frame {
	uint64_t nr;
	int function;
	int core_type;
	uint64_t sp;
	uint64_t time;
	uint64_t *start;
	uint64_t *calls;
};

/**
 * struct thread - a thread
 * @number: in the order of first calls; -1: it has had none
 * @nr_others: of the first thread of a process: the other threads that have not ended
 * @has_ended: it is the first thread of a process, and has ended before others
 * @counts: what it has counted
 * @owed: the one of @counts for a payment that is in what will be counted next, or NULL
 * @open: for each function, the number of its calls among the frames
 * @nr: number of @frames in use, of @room
 */
struct thread {
	pid_t tid;
	pid_t pid;
	int number;
	int nr_others;
	int has_ended;
	uint64_t time;
	uint64_t *counts;
	uint64_t *owed;
	int *open;
	int nr;
	int room;
	struct frame *frames;
};

static int compare(const void *a, const void *b)
{
	const struct thread *one = a, *other = b;

	return (one->tid > other->tid) - (one->tid < other->tid);
}

static struct thread *find(const struct probe_calls *calls, pid_t tid)
{
	const struct thread wanted = { .tid = tid };
	struct thread **found = tfind(&wanted, &calls->threads, compare);

	return found ? *found : NULL;
}

static void add_thread(struct probe_calls *calls, pid_t pid, pid_t tid)
{
	struct thread *t = new_array(1, sizeof(*t)), *first = find(calls, pid);

	if (first)
		first->nr_others++;
	t->tid = tid;
	t->pid = pid;
	t->number = -1;
	t->counts = new_array(probe_nr_values(calls->events), sizeof(*t->counts));
	t->open = new_array(calls->functions->nr, sizeof(*t->open));
	must_have(tsearch(t, &calls->threads, compare));
}

void probe_calls_init(struct probe_calls *calls, const struct probe_events *events,
		      const struct probe_functions *functions, pid_t pid,
		      probe_call_fn *done, void *arg)
{
	*calls = (struct probe_calls){
		.events = events, .functions = functions, .done = done, .arg = arg,
		.totals = new_array(probe_nr_values(events), sizeof(*calls->totals)),
	};
	add_thread(calls, pid, pid);
}

static void add_frame(const struct probe_calls *calls, struct thread *t)
{
	int nr = probe_nr_values(calls->events);
	struct frame *f;

	if (t->nr == t->room) {
		t->frames = must_have(realloc(t->frames, (t->room + 1) * sizeof(*t->frames)));
		f = &t->frames[t->room++];
		f->start = new_array(2 * nr, sizeof(*f->start));
		f->calls = f->start + nr;
	}
	t->nr++;
}

/* Return the innermost call as far as it is known at its beginning. */
static struct probe_call innermost(const struct thread *t)
{
	const struct frame *f = &t->frames[t->nr - 1];

	return (struct probe_call){
		.nr = f->nr, .thread = t->number, .start = f->time, .function = f->function,
		.pid = t->pid, .tid = t->tid, .core_type = f->core_type,
	};
}

/* End the innermost call. */
static void end_call(const struct probe_calls *calls, struct thread *t, int is_whole)
{
	struct frame *f = &t->frames[t->nr - 1], *caller = t->nr > 1 ? f - 1 : NULL;
	int i, nr = probe_nr_values(calls->events);
	struct probe_call call = innermost(t);

	call.end = t->time;
	call.is_outermost = !--t->open[f->function];
	call.is_whole = is_whole;
	call.inclusive = f->start;
	call.exclusive = f->calls;
	for (i = 0; i < nr; i++) {
		f->start[i] = t->counts[i] - f->start[i];
		if (caller)
			caller->calls[i] += f->start[i];
		f->calls[i] = f->start[i] - f->calls[i];
	}
	t->nr--;
	calls->done(calls->arg, &call);
}

static void end_calls(const struct probe_calls *calls, struct thread *t)
{
	while (t->nr)
		end_call(calls, t, 0);
}

/* How often a probe's cost was paid on the core type */
static uint64_t *payments(const struct probe_calls *calls, struct thread *t,
			  const struct probe_record *r, enum probe_payment payment)
{
	int kind = calls->functions->all[r->function].kind;

	return &t->counts[r->core_type * calls->events->width +
			  probe_payment(calls->events, payment, kind)];
}

/* A call of the same function at the same place of the stack: its index, or the number of calls */
static int same_call(const struct thread *t, const struct probe_record *r)
{
	int i;

	for (i = t->nr - 1; i >= 0 && t->frames[i].sp == r->sp; i--)
		if (t->frames[i].function == r->function)
			return i;
	return t->nr;
}

/*
 * End the calls that have ended without a return, as a function is entered. A tail call has the
 * stack pointer of its caller; but if the same function is there already, that call has ended.
 */
static void end_left_calls(const struct probe_calls *calls, struct thread *t,
			   const struct probe_record *r)
{
	int same;

	while (t->nr && t->frames[t->nr - 1].sp < r->sp)
		end_call(calls, t, 0);
	same = same_call(t, r);
	while (t->nr > same)
		end_call(calls, t, 0);
}

static void enter(struct probe_calls *calls, struct thread *t, const struct probe_record *r)
{
	int nr = probe_nr_values(calls->events);
	struct probe_call call;
	struct frame *f;

	end_left_calls(calls, t, r);
	add_frame(calls, t);
	if (t->number < 0)
		t->number = calls->nr_callers++;
	f = &t->frames[t->nr - 1];
	f->nr = calls->nr++;
	f->function = r->function;
	t->open[f->function]++;
	f->core_type = r->core_type;
	f->sp = r->sp;
	f->time = r->time;
	memcpy(f->start, t->counts, nr * sizeof(*f->start));
	memset(f->calls, 0, nr * sizeof(*f->calls));
	t->owed = payments(calls, t, r, PROBE_PAID_AT_ENTRY);
	call = innermost(t);
	if (calls->entered)
		calls->entered(calls->arg, &call);
}

static void leave(struct probe_calls *calls, struct thread *t, const struct probe_record *r)
{
	int i;

	for (i = t->nr - 1; i >= 0; i--)
		if (t->frames[i].function == r->function && t->frames[i].sp + RETURN_BYTES == r->sp)
			break;
	while (i >= 0 && t->nr > i + 1)
		end_call(calls, t, 0);
	++*payments(calls, t, r, PROBE_PAID_INSIDE);
	/* Without an entry: that was in the parent, before fork(). */
	if (i >= 0)
		end_call(calls, t, 1);
	t->owed = payments(calls, t, r, PROBE_PAID_OUTSIDE);
}

static void count(const struct probe_calls *calls, struct thread *t, const struct probe_record *r)
{
	int i, first = r->core_type * calls->events->width;

	for (i = 0; i < calls->events->most; i++)
		t->counts[first + i] += r->counts[i];
	if (t->owed)
		++*t->owed;
	t->owed = NULL;
	t->time = r->time;
}

static void free_thread(struct thread *t)
{
	while (t->room)
		free(t->frames[--t->room].start);
	free(t->frames);
	free(t->open);
	free(t->counts);
	free(t);
}

/* Forget the thread. Its counts stay. */
static void end_thread(struct probe_calls *calls, struct thread *t)
{
	struct thread *first = find(calls, t->pid);
	int i;

	end_calls(calls, t);
	if (first && first != t)
		first->nr_others--;
	for (i = 0; i < probe_nr_values(calls->events); i++)
		calls->totals[i] += t->counts[i];
	tdelete(t, &calls->threads, compare);
	free_thread(t);
}

/*
 * The thread has ended. The first thread of a process stays as long as others run: they may make
 * new threads and processes, which have its number as their parent, and one that executes another
 * program takes that number over.
 */
static void exit_thread(struct probe_calls *calls, struct thread *t)
{
	struct thread *first = find(calls, t->pid);

	end_calls(calls, t);
	t->has_ended = 1;
	if (first != t)
		end_thread(calls, t);
	if (first && first->has_ended && first->nr_others <= 0)
		end_thread(calls, first);
}

static void exec_thread(const struct probe_calls *calls, struct thread *t)
{
	end_calls(calls, t);
	t->has_ended = 0;
}

static void fork_thread(struct probe_calls *calls, const struct probe_record *r)
{
	struct thread *old = find(calls, r->tid);

	if (!find(calls, r->parent))
		return;
	/* Numbers of threads that have ended are given again. */
	if (old)
		end_thread(calls, old);
	add_thread(calls, r->pid, r->tid);
}

void probe_calls_take(void *arg, const struct probe_record *r)
{
	struct probe_calls *calls = arg;
	struct thread *t;

	if (r->what == PROBE_FORK) {
		fork_thread(calls, r);
		return;
	}
	t = find(calls, r->tid);
	if (!t)
		return;
	/* The counts before exec come with the next sample. */
	if (r->what != PROBE_EXEC)
		count(calls, t, r);
	if (r->what == PROBE_ENTRY)
		enter(calls, t, r);
	else if (r->what == PROBE_RETURN)
		leave(calls, t, r);
	else if (r->what == PROBE_EXEC)
		exec_thread(calls, t);
	else if (r->what == PROBE_EXIT)
		exit_thread(calls, t);
}

void probe_calls_end(struct probe_calls *calls)
{
	while (calls->threads)
		end_thread(calls, *(struct thread **)calls->threads);
}

void probe_calls_free(struct probe_calls *calls)
{
	free(calls->totals);
}
