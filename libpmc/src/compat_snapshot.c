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
#include "compat_snapshot.h"
#include "error.h"
#include "thread_session.h"
#include "type_counts.h"

/**
 * struct snapshot - a thread's counts at the start of the run
 * @caliper: reads the thread's counters
 * @thread: the thread's number, from thread_number()
 * @time: CLOCK_MONOTONIC, ns
 * @start: the counts
 */
struct snapshot {
	pmc_caliper_t *caliper;
	unsigned long thread;
	uint64_t time;
	struct type_counts start;
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

	if (!snap) {
		pmc_fail_nomem();
		return NULL;
	}
	if (type_counts_init(&snap->start, nr_core_types)) {
		free(snap);
		return NULL;
	}
	snap->thread = thread_number();
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
		return -1;
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
	free(snap->start.others);
	free(snap);
}

int snapshot_is_mine(const struct snapshot *snap)
{
	return snap->thread == thread_number() && snap->caliper->page;
}

int snapshot_start(struct snapshot *snap)
{
	snap->time = now();
	return type_counts_read(snap->caliper, &snap->start);
}

static void difference(const uint64_t *later, const uint64_t *earlier, int nr,
		       struct pmc_reading *reading)
{
	int i;

	reading->nr_counts = nr;
	for (i = 0; i < nr; i++)
		reading->counts[i] = later[i] - earlier[i];
}

static int any(const struct pmc_reading *reading)
{
	int i;

	for (i = 0; i < reading->nr_counts; i++)
		if (reading->counts[i])
			return 1;
	return 0;
}

/* Add a sample for each core type that counted anything, or else for the current one. */
static int add_samples(const struct type_counts *is, const struct type_counts *was,
		       pmctrack_desc_t *desc, struct pmc_reading *reading)
{
	uint64_t later[PMC_MAX_COUNTS], earlier[PMC_MAX_COUNTS];
	int id, nr, rc = 0, added = 0;

	for (id = 0; !rc && id < is->nr_core_types; id++) {
		nr = pmc_config_nr_events(desc->setup->config, id, 0);
		type_counts_get(was, id, nr, earlier);
		type_counts_get(is, id, nr, later);
		difference(later, earlier, nr, reading);
		reading->core_type = id;
		if (any(reading)) {
			rc = sample_add(desc, reading);
			added = 1;
		}
	}
	if (rc || added)
		return rc;
	reading->core_type = is->core_type;
	return sample_add(desc, reading);
}

/*
 * The thread was on several core types: add a sample for each. The counters are read once
 * more, together with the other core types' counts, so the samples include some of the
 * library's own instructions.
 */
static int stop_after_migration(struct snapshot *snap, pmctrack_desc_t *desc,
				struct pmc_reading *reading)
{
	struct type_counts is;
	int rc;

	if (type_counts_init(&is, snap->start.nr_core_types))
		return -1;
	rc = type_counts_read(snap->caliper, &is);
	if (!rc)
		rc = add_samples(&is, &snap->start, desc, reading);
	if (rc) {
		free(is.others);
		return rc;
	}
	free(snap->start.others);
	snap->start = is;
	return 0;
}

int snapshot_stop(struct snapshot *snap, pmctrack_desc_t *desc)
{
	struct pmc_reading reading = { .type = PMC_SELF_SAMPLE };
	uint64_t sum[PMC_MAX_COUNTS];
	int nr;

	if (!snapshot_is_mine(snap))
		return pmc_fail(ESRCH, "another thread has started the counters: it has to stop them");
	nr = pmc_caliper_read(snap->caliper, sum);
	if (nr < 0)
		return pmc_fail(errno, "the thread's counters cannot be read: %m");
	reading.time = now();
	reading.elapsed = reading.time - snap->time;
	reading.tid = desc->tid;
	if (type_changes(snap->caliper) != snap->start.changes)
		return stop_after_migration(snap, desc, &reading);
	reading.core_type = snap->start.core_type;
	difference(sum, snap->start.sum, nr, &reading);
	return sample_add(desc, &reading);
}
