// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Starting and stopping a descriptor without the kernel: the thread's counters
 * run on, and start and stop note what they show.
 *
 * They show the sum over core types. Which part is whose matters only when the
 * thread has changed core type, and then only that of the core type it is on
 * grows: the others' stand still, so they can be asked for at leisure.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "caliper.h"
#include "error.h"
#include "marks.h"

/**
 * struct marks - the marks of a thread
 * @caliper: what reads its counters
 * @thread: the thread's number
 * @nr_core_types: core types of the machine
 * @nr: counts
 * @changes: how often it had changed core type at the start
 * @core_type: core type it was on then
 * @time: CLOCK_MONOTONIC then, ns
 * @sum: counts then
 * @others: counts then of each core type but the one it was on
 * @others_at: @changes that @others is right for, -1: none
 */
struct marks {
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
 * Of the calling thread. A pthread_t is another thread's when this one has ended.
 *
 * This is between start and stop, so the variable is found by a TLS descriptor
 * (Makefile), which takes few instructions. Its call is to keep vector registers,
 * which glibc before 2.40 does not always do (bug 31372): no caller has any across it.
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

static uint32_t type_changes(const struct marks *marks)
{
	return *(const volatile __u32 *)&marks->caliper->page->type_changes;
}

static int core_type(const struct marks *marks)
{
	return *(const volatile __u16 *)&marks->caliper->page->core_type;
}

/* Only counters, all the time, and the same ones on all core types. */
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

struct marks *marks_new(pmctrack_desc_t *desc)
{
	const struct setup *setup = desc->setup;
	struct marks *marks;

	if (!simple(setup))
		return NULL;
	marks = calloc(1, sizeof(*marks));
	if (!marks)
		return NULL;
	marks->nr_core_types = pmc_machine_nr_core_types(setup->machine);
	marks->others = calloc(marks->nr_core_types, sizeof(*marks->others));
	marks->caliper = caliper_over(desc->session, setup->machine);
	marks->thread = thread_number();
	marks->others_at = -1;
	if (marks->others && marks->caliper)
		return marks;
	marks_free(marks);
	return NULL;
}

void marks_free(struct marks *marks)
{
	if (!marks)
		return;
	pmc_caliper_close(marks->caliper);
	free(marks->others);
	free(marks);
}

int marks_mine(const struct marks *marks)
{
	return marks->thread == thread_number() && marks->caliper->mapped;
}

static int unreadable(void)
{
	return pmc_fail(errno, "the thread's counters cannot be read: %m");
}

/* Counts of the core types the thread is not on. */
static int read_others(struct marks *marks, int current, uint64_t (*counts)[PMC_MAX_COUNTS])
{
	int id;

	for (id = 0; id < marks->nr_core_types; id++) {
		memset(counts[id], 0, sizeof(counts[id]));
		if (id != current &&
		    pmc_session_read(marks->caliper->session, id, 0, counts[id], NULL) < 0)
			return -1;
	}
	return 0;
}

/* What all counters show, and the others' part if that is not known. */
static int note(struct marks *marks, uint64_t *sum, uint64_t (*others)[PMC_MAX_COUNTS],
		int64_t *others_at)
{
	uint32_t changes;

	do {
		changes = type_changes(marks);
		marks->core_type = core_type(marks);
		marks->nr = pmc_caliper_read(marks->caliper, sum);
		if (marks->nr < 0)
			return unreadable();
		if (*others_at != changes && read_others(marks, marks->core_type, others))
			return -1;
	} while (changes != type_changes(marks));
	*others_at = changes;
	marks->changes = changes;
	return 0;
}

int marks_start(struct marks *marks)
{
	marks->time = now();
	return note(marks, marks->sum, marks->others, &marks->others_at);
}

static void difference(const struct marks *marks, const uint64_t *later,
		       const uint64_t *earlier, struct pmc_reading *reading)
{
	int i;

	reading->nr_counts = marks->nr;
	for (i = 0; i < marks->nr; i++)
		reading->counts[i] = later[i] - earlier[i];
}

/* A core type's part: the sum less the others', for the one it was on. */
static void part(const struct marks *marks, int id, int current, const uint64_t *sum,
		 uint64_t (*others)[PMC_MAX_COUNTS], uint64_t *counts)
{
	int other, i;

	memcpy(counts, id == current ? sum : others[id], marks->nr * sizeof(*counts));
	if (id != current)
		return;
	for (other = 0; other < marks->nr_core_types; other++)
		for (i = 0; other != current && i < marks->nr; i++)
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
 * The thread was on several core types: a sample for each. All is read anew,
 * together with the others' parts, so a few of our own instructions are in it.
 */
static int stop_moved(struct marks *marks, pmctrack_desc_t *desc, int first,
		      struct pmc_reading *reading)
{
	uint64_t (*others)[PMC_MAX_COUNTS], was[PMC_MAX_COUNTS], is[PMC_MAX_COUNTS];
	int64_t others_at = -1;
	int id, rc = 0;

	others = calloc(marks->nr_core_types, sizeof(*others));
	if (!others)
		return pmc_fail_nomem();
	if (note(marks, is, others, &others_at))
		rc = -1;
	for (id = 0; !rc && id < marks->nr_core_types; id++) {
		uint64_t part_is[PMC_MAX_COUNTS];

		part(marks, id, first, marks->sum, marks->others, was);
		part(marks, id, marks->core_type, is, others, part_is);
		difference(marks, part_is, was, reading);
		reading->core_type = id;
		if (any(reading))
			rc = sample_add(desc, reading);
	}
	if (!rc) {
		free(marks->others);
		marks->others = others;
		marks->others_at = others_at;
		return 0;
	}
	free(others);
	return rc;
}

int marks_stop(struct marks *marks, pmctrack_desc_t *desc)
{
	struct pmc_reading reading = { .type = PMC_SELF_SAMPLE };
	uint32_t changes = marks->changes;
	uint64_t sum[PMC_MAX_COUNTS];
	int first = marks->core_type;

	if (!marks_mine(marks))
		return pmc_fail(ESRCH, "another thread has started the counters: it has to stop them");
	if (pmc_caliper_read(marks->caliper, sum) < 0)
		return unreadable();
	reading.time = now();
	reading.elapsed = reading.time - marks->time;
	reading.tid = desc->tid;
	if (type_changes(marks) != changes)
		return stop_moved(marks, desc, first, &reading);
	reading.core_type = first;
	difference(marks, sum, marks->sum, &reading);
	return sample_add(desc, &reading);
}
