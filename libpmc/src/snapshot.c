// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Starting and stopping a descriptor without a system call: the thread's counters run all
 * the time; start takes a snapshot of them, and stop reads them again.
 *
 * A reading is the sum over all core types. The counts of each core type are needed only
 * if the thread changed core type between start and stop. Only the counts of the current
 * core type grow, so the kernel can be asked for those of the others at any time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "caliper.h"
#include "error.h"
#include "snapshot.h"
#include "thread_session.h"

/**
 * struct snapshot - a thread's counts at the start of the run
 * @caliper: reads the thread's counters
 * @thread: the thread's number, from thread_number()
 * @nr_core_types: core types of the machine
 * @nr: number of counts
 * @changes: how many times the thread had changed core type
 * @core_type: core type that the thread was on
 * @time: CLOCK_MONOTONIC, ns
 * @sum: counts, all core types together
 * @others: counts of each core type except @core_type
 * @others_at: the value of @changes for which @others is valid; -1: none
 */
struct snapshot {
	pmc_caliper_t *caliper;
	unsigned long thread;
	int nr_core_types;
	int nr;
	uint32_t changes;
	int core_type;
	uint64_t time;
	uint64_t sum[PMC_MAX_COUNTS];
	int64_t others_at;
	uint64_t (*others)[PMC_MAX_COUNTS];
};

/*
 * A number of the calling thread that is never used again. (After a thread has ended, its
 * pthread_t may become another thread's.)
 *
 * This runs between start and stop, so the variable is accessed by a TLS descriptor
 * (Makefile), which takes few instructions. The descriptor's call should preserve vector
 * registers; glibc before 2.40 does not always do so (bug 31372). No caller keeps a value
 * in a vector register across this function.
 */
static __attribute__((noinline)) unsigned long thread_number(void)
{
	static __thread unsigned long number;
	static unsigned long last;

	if (!number)
		number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	return number;
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static uint32_t type_changes(const struct snapshot *snap)
{
	return *(const volatile __u32 *)&caliper_page(snap->caliper)->type_changes;
}

static int core_type(const struct snapshot *snap)
{
	return *(const volatile __u16 *)&caliper_page(snap->caliper)->core_type;
}

/* One event set for every core type, and neither samples nor virtual counters. */
static int simple(const struct setup *setup)
{
	int id, i;

	if (setup->period_ms || pmc_config_virtual(setup->config, 0))
		return 0;
	for (id = 0; id < pmc_machine_nr_core_types(setup->machine); id++) {
		if (pmc_config_nr_sets(setup->config, id) != 1)
			return 0;
		for (i = 0; i < pmc_config_nr_events(setup->config, id, 0); i++)
			if (pmc_config_ebs_period(setup->config, id, 0, i))
				return 0;
	}
	return 1;
}

static struct snapshot *alloc(int nr_core_types)
{
	struct snapshot *snap = calloc(1, sizeof(*snap));

	if (!snap)
		return NULL;
	snap->others = calloc(nr_core_types, sizeof(*snap->others));
	if (!snap->others) {
		free(snap);
		return NULL;
	}
	snap->nr_core_types = nr_core_types;
	snap->thread = thread_number();
	snap->others_at = -1;
	return snap;
}

int snapshot_new(pmctrack_desc_t *desc)
{
	const struct setup *setup = desc->setup;
	struct snapshot *snap;
	int rc;

	if (!simple(setup))
		return 0;
	snap = alloc(pmc_machine_nr_core_types(setup->machine));
	if (!snap)
		return pmc_fail_nomem();
	snap->caliper = caliper_of_config(setup->machine, setup->config);
	rc = snap->caliper ? snap->caliper->page != 0 : -1;
	if (rc > 0)
		rc = slots_load(desc, snap->caliper->ts->session) ? -1 : 1;
	if (rc > 0)
		desc->snapshot = snap;
	else
		snapshot_free(snap);
	return rc;
}

void snapshot_free(struct snapshot *snap)
{
	if (!snap)
		return;
	pmc_caliper_close(snap->caliper);
	free(snap->others);
	free(snap);
}

int snapshot_is_mine(const struct snapshot *snap)
{
	return snap->thread == thread_number() && snap->caliper->page;
}

static int unreadable(void)
{
	return pmc_fail(errno, "the thread's counters cannot be read: %m");
}

/* Read the counts of all core types except the current one. */
static int read_others(struct snapshot *snap, int current, uint64_t (*counts)[PMC_MAX_COUNTS])
{
	int id;

	for (id = 0; id < snap->nr_core_types; id++) {
		memset(counts[id], 0, sizeof(counts[id]));
		if (id != current &&
		    pmc_session_read(snap->caliper->ts->session, id, 0, counts[id], NULL) < 0)
			return -1;
	}
	return 0;
}

/* Read the sum, and the other core types' counts unless @others_at says that they are valid. */
static int read_all(struct snapshot *snap, uint64_t *sum, uint64_t (*others)[PMC_MAX_COUNTS],
		int64_t *others_at)
{
	uint32_t changes;

	do {
		changes = type_changes(snap);
		snap->core_type = core_type(snap);
		snap->nr = pmc_caliper_read(snap->caliper, sum);
		if (snap->nr < 0)
			return unreadable();
		if (*others_at != changes && read_others(snap, snap->core_type, others))
			return -1;
	} while (changes != type_changes(snap));
	*others_at = changes;
	snap->changes = changes;
	return 0;
}

int snapshot_start(struct snapshot *snap)
{
	snap->time = now();
	return read_all(snap, snap->sum, snap->others, &snap->others_at);
}

static void difference(const struct snapshot *snap, const uint64_t *later,
		       const uint64_t *earlier, struct pmc_reading *reading)
{
	int i;

	reading->nr_counts = snap->nr;
	for (i = 0; i < snap->nr; i++)
		reading->counts[i] = later[i] - earlier[i];
}

/* The counts of core type @id; those of @current are the sum minus all others. */
static void part(const struct snapshot *snap, int id, int current, const uint64_t *sum,
		 uint64_t (*others)[PMC_MAX_COUNTS], uint64_t *counts)
{
	int other, i;

	memcpy(counts, id == current ? sum : others[id], snap->nr * sizeof(*counts));
	if (id != current)
		return;
	for (other = 0; other < snap->nr_core_types; other++)
		for (i = 0; other != current && i < snap->nr; i++)
			counts[i] -= others[other][i];
}

static int any(const struct pmc_reading *reading)
{
	int i;

	for (i = 0; i < reading->nr_counts; i++)
		if (reading->counts[i])
			return 1;
	return 0;
}

/*
 * The thread was on several core types: add a sample for each. The counters are read once
 * more, together with the other core types' counts, so the samples include some of the
 * library's own instructions.
 */
static int stop_after_migration(struct snapshot *snap, pmctrack_desc_t *desc, int first,
		      struct pmc_reading *reading)
{
	uint64_t (*others)[PMC_MAX_COUNTS], was[PMC_MAX_COUNTS], is[PMC_MAX_COUNTS];
	int64_t others_at = -1;
	int id, rc = 0, added = 0;

	others = calloc(snap->nr_core_types, sizeof(*others));
	if (!others)
		return pmc_fail_nomem();
	if (read_all(snap, is, others, &others_at))
		rc = -1;
	for (id = 0; !rc && id < snap->nr_core_types; id++) {
		uint64_t part_is[PMC_MAX_COUNTS];

		part(snap, id, first, snap->sum, snap->others, was);
		part(snap, id, snap->core_type, is, others, part_is);
		difference(snap, part_is, was, reading);
		reading->core_type = id;
		if (any(reading)) {
			rc = sample_add(desc, reading);
			added = 1;
		}
	}
	if (!rc && !added) {
		/* No event has happened anywhere. A run has a sample all the same. */
		reading->core_type = snap->core_type;
		rc = sample_add(desc, reading);
	}
	if (!rc) {
		free(snap->others);
		snap->others = others;
		snap->others_at = others_at;
		return 0;
	}
	free(others);
	return rc;
}

int snapshot_stop(struct snapshot *snap, pmctrack_desc_t *desc)
{
	struct pmc_reading reading = { .type = PMC_SELF_SAMPLE };
	uint32_t changes = snap->changes;
	uint64_t sum[PMC_MAX_COUNTS];
	int first = snap->core_type;

	if (!snapshot_is_mine(snap))
		return pmc_fail(ESRCH, "another thread has started the counters: it has to stop them");
	if (pmc_caliper_read(snap->caliper, sum) < 0)
		return unreadable();
	reading.time = now();
	reading.elapsed = reading.time - snap->time;
	reading.tid = desc->tid;
	if (type_changes(snap) != changes)
		return stop_after_migration(snap, desc, first, &reading);
	reading.core_type = first;
	difference(snap, sum, snap->sum, &reading);
	return sample_add(desc, &reading);
}
