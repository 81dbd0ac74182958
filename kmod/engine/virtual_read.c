// SPDX-License-Identifier: GPL-2.0
/*
 * Reading virtual counters from their modules, at the very instant that a sample is
 * taken.
 */
#include "engine/consumer.h"
#include "engine/thread.h"
#include "engine/total.h"
#include "engine/virtual_read.h"
#include "include/pmctrack/monitoring_module.h"
#include "uapi/pmctrack.h"

static __always_inline u64 read_of_thread(const struct pmc_thread *t,
					  const struct pmc_virtual_use *use)
{
	const struct pmc_thread *own;

	if (!use->of_threads)
		return use->mm->read(NULL, use->nr);
	own = READ_ONCE(t->modules[use->slot]);
	return own ? use->mm->read(own->monitored, use->nr) : PMC_NO_VALUE;
}

static u64 read_now(const struct pmc_thread *t,
		    const struct pmc_virtual_use *use)
{
	return t->task ? read_of_thread(t, use) : use->mm->read_cpu(use->nr);
}

static u64 difference(u64 from, u64 to)
{
	return from == PMC_NO_VALUE || to == PMC_NO_VALUE ? PMC_NO_VALUE : to - from;
}

/**
 * pmc_virtual_begin - begin to count
 * @t: thread or CPU that is about to be loaded for the first time
 *
 * Context: Interrupts off, on the CPU concerned.
 */
void pmc_virtual_begin(struct pmc_thread *t)
{
	const struct pmc_consumer *c = t->consumer;
	unsigned int i;

	for (i = 0; i < c->nr_virtuals; i++) {
		t->virt_prev[i] = read_now(t, &c->virtuals[i]);
		t->virt_base[i] = t->virt_prev[i];
	}
}

/**
 * pmc_virtual_unknown - there are no values
 * @t: thread or CPU that ends and was never loaded
 *
 * Context: Interrupts off.
 */
void pmc_virtual_unknown(struct pmc_thread *t)
{
	unsigned int i;

	for (i = 0; i < t->consumer->nr_virtuals; i++) {
		t->virt_prev[i] = PMC_NO_VALUE;
		t->virt_base[i] = PMC_NO_VALUE;
	}
}

/**
 * pmc_virtual_save - save the values of now for later samples
 * @t: thread or CPU that leaves this CPU
 *
 * Once it has left, only the CPU that it goes on to may ask the module.
 *
 * Context: Interrupts off, on the CPU concerned.
 */
void pmc_virtual_save(struct pmc_thread *t)
{
	const struct pmc_consumer *c = t->consumer;
	unsigned int i;

	for (i = 0; i < c->nr_virtuals; i++)
		t->virt_prev[i] = read_now(t, &c->virtuals[i]);
}

/**
 * pmc_virtual_save_counts - the same, of those that grow
 * @t: thread that is being switched out: for levels and ratios the values of the
 *	last sample will do
 *
 * Context: Interrupts off, run-queue lock held.
 */
void pmc_virtual_save_counts(struct pmc_thread *t)
{
	const struct pmc_virtual_use *use = t->consumer->virtuals;
	const struct pmc_virtual_use *end = use + t->consumer->nr_virtuals;
	u64 *prev = t->virt_prev;

	for (; use < end; use++, prev++)
		if (use->count)
			*prev = read_of_thread(t, use);
}

static u64 value_of(const struct pmc_thread *t, unsigned int i)
{
	return t->cpu >= 0 ? read_now(t, &t->consumer->virtuals[i]) : t->virt_prev[i];
}

/**
 * pmc_virtual_close - the values of a sample
 * @t: thread or CPU, loaded here, or loaded nowhere and in the caller's hands
 * @total: where counts are summed up
 * @values: out: values of the sample, or NULL
 *
 * A count that is not known now is part of the next one that is.
 *
 * Context: Interrupts off, or NMI.
 */
void pmc_virtual_close(struct pmc_thread *t, u64 *total, u64 *values)
{
	const struct pmc_consumer *c = t->consumer;
	unsigned int i;

	for (i = 0; i < c->nr_virtuals; i++) {
		u64 value = value_of(t, i);

		t->virt_prev[i] = value;
		if (c->virtuals[i].count) {
			u64 from = t->virt_base[i];

			if (value != PMC_NO_VALUE)
				t->virt_base[i] = value;
			value = difference(from, value);
			if (value != PMC_NO_VALUE)
				pmc_total_add(&total[i], value);
		}
		if (values)
			values[i] = value;
	}
}

/**
 * pmc_virtual_peek - values now, without closing a sample
 * @t: current's own thread
 * @total: sums of counts up to the last sample
 * @values: out: sums of counts up to now; levels and ratios now
 *
 * Context: Interrupts off.
 */
void pmc_virtual_peek(struct pmc_thread *t, const u64 *total, u64 *values)
{
	const struct pmc_consumer *c = t->consumer;
	unsigned int i;

	for (i = 0; i < c->nr_virtuals; i++) {
		values[i] = value_of(t, i);
		if (!c->virtuals[i].count)
			continue;
		values[i] = difference(t->virt_base[i], values[i]);
		values[i] = total[i] + (values[i] != PMC_NO_VALUE ? values[i] : 0);
	}
}
