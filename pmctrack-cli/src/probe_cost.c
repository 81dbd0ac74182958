// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of a probe: a process of pmctrack's own calls functions a number of times and twice
 * that number, with probes and without, on a CPU of each core type. The differences are the
 * costs of so many calls; what starts and ends a loop is in both.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "probe_cost.h"
#include "probe_cost_calls.h"
#include "probe_elf.h"
#include "probe_run.h"

#define CALLS 500
#define WARM_UP 50

/*
 * The functions that have probes: one of each kind, one of each kind that has none at its return,
 * then those that call them
 */
enum { ENTRY_ONLY = PROBE_KINDS, CALL = 2 * PROBE_KINDS, JUMP, NR_FUNCTIONS };

static const void *const probed[PROBE_KINDS] = {
	probe_cost_copied, probe_cost_push, probe_cost_nop
};
static const void *const entered[PROBE_KINDS] = {
	probe_cost_copied_entered, probe_cost_push_entered, probe_cost_nop_entered
};
static const void *const plain[PROBE_KINDS] = {
	probe_cost_copied_too, probe_cost_push_too, probe_cost_nop_too
};

/* The loops in the order in which they are run */
enum loop { JUMPS, PLAIN, ENTERED, PROBED, NR_LOOPS };

/**
 * struct trial - the loops of a core type and a kind
 * @nr: number of loops that have ended, those to warm up first
 * @counts: of a loop, and of the loop with twice the rounds
 * @inside: sums of what was counted in the function that has a probe
 */
struct trial {
	const struct probe_events *events;
	int core_type;
	int kind;
	int go;
	int nr;
	uint64_t counts[NR_LOOPS][2][PMC_MAX_COUNTS];
	uint64_t ns[NR_LOOPS][2];
	uint64_t inside[PMC_MAX_COUNTS];
	uint64_t nr_inside;
};

static void run_loop(enum loop loop, int kind, unsigned long nr)
{
	const void *functions[NR_LOOPS] = {
		[PLAIN] = plain[kind], [ENTERED] = entered[kind], [PROBED] = probed[kind],
	};

	if (loop == JUMPS)
		probe_cost_jump(nr);
	else
		probe_cost_call(functions[loop], nr);
}

/* Each loop runs three times: to warm up, then with the number of calls and with twice that. */
static _Noreturn void run_loops(const struct trial *t, const int *ends)
{
	int loop;
	char c;

	/* If pmctrack ends before, so does this process. */
	close(ends[1]);
	if (sched_setaffinity(0, sizeof(cpu_set_t), &t->events->core_types[t->core_type].cpus) ||
	    read(ends[0], &c, 1) != 1)
		_exit(1);
	for (loop = 0; loop < NR_LOOPS; loop++) {
		run_loop(loop, t->kind, WARM_UP);
		run_loop(loop, t->kind, CALLS);
		run_loop(loop, t->kind, 2 * CALLS);
	}
	_exit(0);
}

static void release(void *arg)
{
	const struct trial *t = arg;

	if (write(t->go, "", 1) != 1)
		bad("probe: cannot start the measurement of probes: %s", strerror(errno));
}

static void take(void *arg, const struct probe_call *call)
{
	struct trial *t = arg;
	const uint64_t *values = call->inclusive + t->core_type * t->events->width;
	int i, loop = t->nr / 3, step = t->nr % 3 - 1;

	if (call->function >= ENTRY_ONLY && call->function < CALL)
		return;
	if (call->function < ENTRY_ONLY) {
		for (i = 0; i < t->events->most; i++)
			t->inside[i] += values[i];
		t->nr_inside++;
		return;
	}
	if (step >= 0 && loop < NR_LOOPS) {
		memcpy(t->counts[loop][step], values, t->events->most * sizeof(*values));
		t->ns[loop][step] = call->end - call->start;
	}
	t->nr++;
}

/* The count of one round of a loop */
static double round_of(const struct trial *t, enum loop loop, int event)
{
	return ((double)t->counts[loop][1][event] - t->counts[loop][0][event]) / CALLS;
}

static void evaluate(const struct trial *t, struct probe_cost *cost)
{
	double body, all;
	int i;

	for (i = 0; i < t->events->most; i++) {
		body = round_of(t, PLAIN, i) - round_of(t, JUMPS, i);
		all = round_of(t, PROBED, i) - round_of(t, PLAIN, i);
		cost->entry[i] = round_of(t, ENTERED, i) - round_of(t, PLAIN, i);
		cost->inside[i] = (double)t->inside[i] / t->nr_inside - body - cost->entry[i];
		cost->outside[i] = all - cost->entry[i] - cost->inside[i];
	}
	cost->ns = ((double)t->ns[PROBED][1] - t->ns[PROBED][0] -
		    ((double)t->ns[PLAIN][1] - t->ns[PLAIN][0])) / CALLS;
}

static void add_own(struct probe_function *f, const void *code)
{
	*f = (struct probe_function){ .name = "pmctrack", .path = "/proc/self/exe" };
	if (probe_own_offset(code, &f->offset))
		bad("probe: pmctrack's own functions are not in its file");
}

static void own_functions(struct probe_functions *functions, struct probe_function *all)
{
	int i;

	for (i = 0; i < PROBE_KINDS; i++) {
		add_own(&all[i], probed[i]);
		add_own(&all[ENTRY_ONLY + i], entered[i]);
		all[ENTRY_ONLY + i].entry_only = 1;
	}
	add_own(&all[CALL], probe_cost_call);
	add_own(&all[JUMP], probe_cost_jump);
	functions->nr = NR_FUNCTIONS;
	functions->all = all;
}

static void measure(struct trial *t, struct probe_cost *cost)
{
	struct probe_function all[NR_FUNCTIONS];
	struct probe_functions functions;
	struct probe_result result;
	struct probe_calls calls;
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		bad("probe: no pipe: %s", strerror(errno));
	pid = fork();
	if (!pid)
		run_loops(t, ends);
	if (pid < 0)
		bad("probe: cannot measure what probes cost: %s", strerror(errno));
	own_functions(&functions, all);
	t->go = ends[1];
	probe_calls_init(&calls, t->events, &functions, pid, take, t);
	probe_run(t->events, &functions, pid, release, NULL, t, &calls, &result);
	probe_calls_free(&calls);
	close(ends[0]);
	close(ends[1]);
	if (result.status || result.lost || t->nr != 3 * NR_LOOPS || !t->nr_inside)
		bad("probe: cannot measure what probes cost on core type %s (%d of %d loops): bring one of its CPUs online",
		    t->events->core_types[t->core_type].info->name, t->nr, 3 * NR_LOOPS);
	evaluate(t, cost);
}

static int has_kind(const struct probe_functions *functions, int kind)
{
	int i;

	for (i = 0; i < functions->nr; i++)
		if (functions->all[i].kind == kind)
			return 1;
	return 0;
}

void probe_costs_measure(struct probe_costs *costs, const struct probe_events *events,
			 const struct probe_functions *functions)
{
	struct trial trial;
	int id, kind;

	costs->events = events;
	costs->all = new_array(events->nr_core_types * PROBE_KINDS, sizeof(*costs->all));
	for (id = 0; id < events->nr_core_types; id++)
		for (kind = 0; kind < PROBE_KINDS; kind++) {
			if (!has_kind(functions, kind))
				continue;
			trial = (struct trial){ .events = events, .core_type = id, .kind = kind };
			measure(&trial, &costs->all[id * PROBE_KINDS + kind]);
		}
}

void probe_costs_free(struct probe_costs *costs)
{
	free(costs->all);
}

double probe_cost_of(const struct probe_costs *costs, const uint64_t *values, int core_type, int event)
{
	const struct probe_cost *cost = &costs->all[core_type * PROBE_KINDS];
	const uint64_t *paid;
	double sum = 0;
	int kind;

	for (kind = 0; kind < PROBE_KINDS; kind++) {
		paid = values + probe_payment(costs->events, 0, kind);
		sum += paid[PROBE_PAID_AT_ENTRY * PROBE_KINDS] * cost[kind].entry[event] +
		       paid[PROBE_PAID_INSIDE * PROBE_KINDS] * cost[kind].inside[event] +
		       paid[PROBE_PAID_OUTSIDE * PROBE_KINDS] * cost[kind].outside[event];
	}
	return sum;
}
