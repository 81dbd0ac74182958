// SPDX-License-Identifier: GPL-2.0
/*
 * Counters that CPUs share belong to drivers of the kernel's own, which alone know
 * the users of each. So each counter is one of perf's, pinned, from the start of a
 * system-wide session to its end: perf's rules decide between its users and
 * ours, and where there is no driver there are no such counters.
 */
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include "base/err.h"
#include "base/kernel_cred.h"
#include "base/parse_evset.h"
#include "engine/evset_counters.h"
#include "engine/uncore_read.h"
#include "pmu/coretypes.h"
#include "pmu/event_set.h"
#include "pmu/uncore_encode.h"
#include "session/session.h"
#include "session/uncore.h"

/* perf's numbers of the PMUs, as they were when last looked up; 0: none. */
static int types[PMC_UNCORE_NR];

/**
 * pmc_uncore_look - find the kernel's PMU of a kind
 * @kind: the kind
 *
 * Drivers come and go. Its number is in sysfs and nowhere else.
 *
 * Context: May sleep. Not under the lock of a seq_file or one of ours that
 * hotplug takes: reading sysfs takes others.
 */
void pmc_uncore_look(enum pmc_uncore kind)
{
	char path[80];
	int type;

	snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/type",
		 pmc_uncore_formats[kind].pmu);
	if (pmc_read_setting(path, &type))
		type = 0;
	WRITE_ONCE(types[kind], type);
}

/**
 * pmc_uncore_known - was there a PMU of a kind when last looked up
 * @kind: the kind
 *
 * Context: Any.
 */
bool pmc_uncore_known(enum pmc_uncore kind)
{
	return READ_ONCE(types[kind]);
}

/**
 * pmc_uncore_check - has the machine the shared counters that a set is for
 * @req: the set
 * @err: says which it has not
 *
 * Context: May sleep, as pmc_uncore_look().
 * Return: 0 or -ENODEV.
 */
int pmc_uncore_check(const struct pmc_setreq *req, struct pmc_err *err)
{
	unsigned int i, kind;

	for (i = 0; i < req->nr; i++) {
		kind = req->ev[i].uncore;
		if (req->ev[i].kind != PMC_EVREQ_UNCORE)
			continue;
		pmc_uncore_look(kind);
		if (!pmc_uncore_known(kind))
			return pmc_err(err, -ENODEV,
				       "%s: the kernel has no PMU %s; if the processor has such counters, load their driver (modprobe %s)",
				       pmc_uncore_names[kind],
				       pmc_uncore_formats[kind].pmu,
				       pmc_uncore_formats[kind].driver);
	}
	return 0;
}

/* A counter that does not count yet, on the CPU that stands for @cpu. */
static struct perf_event *open_event(unsigned int cpu, unsigned int kind,
				     u64 config)
{
	struct perf_event_attr attr = {
		.type = READ_ONCE(types[kind]),
		.size = sizeof(attr),
		.config = config,
		.pinned = 1,
		.disabled = 1,
	};
	const struct cred *own = pmc_kernel_creds_begin();
	struct perf_event *event;

	if (!own)
		return ERR_PTR(-ENOMEM);
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL, NULL);
	pmc_kernel_creds_end(own);
	if (IS_ERR(event) ||
	    !strcmp(event->pmu->name, pmc_uncore_formats[kind].pmu))
		return event;
	/* The driver has gone, and its number is another's. */
	perf_event_release_kernel(event);
	return ERR_PTR(-ENODEV);
}

static void drop(struct pmc_uncore_counter *c)
{
	list_del_rcu(&c->link);
	perf_event_release_kernel(c->event);
	kfree_rcu(c, rcu);
}

/* One that was on the last CPU of a cache to go offline never counts again. */
static bool find_counter(struct pmc_session *s, int cpu,
			 const struct pmc_hw_event *ev)
{
	struct pmc_uncore_counter *c, *next;

	list_for_each_entry_safe(c, next, &s->consumer.uncore, link) {
		if (!pmc_uncore_is_of(c, ev) || c->event->cpu != cpu)
			continue;
		if (READ_ONCE(c->event->state) == PERF_EVENT_STATE_ACTIVE)
			return true;
		drop(c);
	}
	return false;
}

/* Another set may have the event, too. */
static bool is_refused(const struct list_head *refused, int cpu, const struct pmc_hw_event *ev)
{
	const struct pmc_uncore_counter *c;

	list_for_each_entry(c, refused, link)
		if (pmc_uncore_is_of(c, ev) && c->event->cpu == cpu)
			return true;
	return false;
}

/* One for which there is no counter is refused. */
static int add_counter(struct pmc_session *s, struct perf_event *event,
		       const struct pmc_hw_event *ev, struct list_head *refused)
{
	struct pmc_uncore_counter *c = kzalloc(sizeof(*c), GFP_KERNEL_ACCOUNT);

	if (!c)
		return -ENOMEM;
	c->event = event;
	c->kind = ev->slot;
	c->config = ev->config;
	perf_event_enable(event);
	if (READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE)
		list_add_rcu(&c->link, &s->consumer.uncore);
	else
		list_add_tail(&c->link, refused);
	return 0;
}

static int err_refused(struct list_head *refused, struct pmc_err *err)
{
	const struct pmc_uncore_counter *c;

	c = list_first_entry_or_null(refused, struct pmc_uncore_counter, link);
	if (!c)
		return 0;
	return pmc_err(err, -EBUSY,
		       "%s: all counters of %s that CPU %d stands for are taken: end others (perf, other sessions), or ask for fewer events",
		       pmc_uncore_names[c->kind], c->event->pmu->name, c->event->cpu);
}

/* Have an event counted for the CPUs that @cpu shares counters with. */
static int cover_event(struct pmc_session *s, unsigned int cpu, const struct pmc_hw_event *ev,
		       struct list_head *refused, struct pmc_err *err)
{
	struct perf_event *event = open_event(cpu, ev->slot, ev->config);
	int ret = 0;

	if (IS_ERR(event))
		return pmc_err(err, PTR_ERR(event),
			       "%s: the kernel's PMU %s refuses the event on CPU %u (error %ld)",
			       pmc_uncore_names[ev->slot],
			       pmc_uncore_formats[ev->slot].pmu, cpu,
			       PTR_ERR(event));
	if (!cpumask_test_cpu(event->cpu, s->syswide.cpus))
		ret = pmc_err(err, -EINVAL,
			      "%s: CPU %u shares it with CPU %d, which reports the count: count that CPU, too",
			      pmc_uncore_names[ev->slot], cpu, event->cpu);
	else if (!find_counter(s, event->cpu, ev) && !is_refused(refused, event->cpu, ev))
		ret = add_counter(s, event, ev, refused) ?: 1;
	if (ret != 1)
		perf_event_release_kernel(event);
	return min(ret, 0);
}

/* The events of all core types: another type's CPU may come to report them. */
static int cover(struct pmc_session *s, unsigned int cpu, struct list_head *refused,
		 struct pmc_err *err)
{
	unsigned int ct, i, n;
	int ret;

	for (ct = 0; ct < pmc_nr_core_types; ct++) {
		for (i = 0; i < s->consumer.rotation[ct].nr; i++) {
			const struct pmc_evset *set = s->consumer.rotation[ct].sets[i];

			for (n = 0; n < set->nr_uncore; n++) {
				ret = cover_event(s, cpu, &set->hw[set->nr_hw + n], refused, err);
				if (ret)
					return ret;
			}
		}
	}
	return 0;
}

/**
 * pmc_uncore_start - take the shared counters that a session wants
 * @s: session about to count CPUs
 * @refused: an empty list; out: all that others have, for the caller to release
 *
 * Context: May sleep. CPUs can't come or go, pmc_cpus_lock is held.
 * Return: 0, or a negative error explained in the session's message, with
 * nothing taken.
 */
int pmc_uncore_start(struct pmc_session *s, struct list_head *refused)
{
	unsigned int cpu;
	int ret = 0;

	for_each_cpu_and(cpu, s->syswide.cpus, cpu_online_mask) {
		ret = cover(s, cpu, refused, &s->err);
		if (ret)
			break;
	}
	ret = ret ?: err_refused(refused, &s->err);
	if (ret)
		pmc_uncore_release(&s->consumer.uncore);
	return ret;
}

/**
 * pmc_uncore_release - give shared counters back
 * @counters: those of a session that counts on no CPU any more, or those refused
 *
 * Context: May sleep; pmc_cpus_lock is held.
 */
void pmc_uncore_release(struct list_head *counters)
{
	struct pmc_uncore_counter *c, *next;

	list_for_each_entry_safe(c, next, counters, link)
		drop(c);
}

/**
 * pmc_uncore_nr_beside - how many counters are of the same PMU and the same CPUs as another
 * @counters: the counters
 * @other: the other one
 *
 * Context: pmc_cpus_lock is held.
 */
unsigned int pmc_uncore_nr_beside(const struct list_head *counters,
				  const struct pmc_uncore_counter *other)
{
	const struct pmc_uncore_counter *c;
	unsigned int nr = 0;

	list_for_each_entry(c, counters, link)
		nr += c->kind == other->kind && c->event->cpu == other->event->cpu;
	return nr;
}

/**
 * pmc_uncore_cpu_up - count for a CPU that has come online
 * @s: session that counts it, too
 * @cpu: the CPU
 *
 * Context: May sleep; pmc_cpus_lock is held.
 * Return: 0, or a negative error: the session lacks some counter.
 */
int pmc_uncore_cpu_up(struct pmc_session *s, unsigned int cpu)
{
	struct pmc_err err = { };
	LIST_HEAD(refused);
	int ret = cover(s, cpu, &refused, &err) ?: err_refused(&refused, &err);

	if (ret)
		pr_warn("CPU %u came online, but is not counted: %s\n", cpu,
			err.text);
	pmc_uncore_release(&refused);
	return ret;
}
