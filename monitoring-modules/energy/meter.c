// SPDX-License-Identifier: GPL-2.0
/*
 * Energy meters. A domain is a group of CPUs that share an energy register.
 *
 * Registers wrap, so a domain keeps a 64-bit total that the register is never
 * half its range away from: the tick sees to that. A reader of the energy reads
 * the register and extends it by that total, and changes nothing: any number of
 * readers, in any context, get the register's value at that very instant.
 *
 * Of CPUs that share a domain the first one reports its energy, to sessions that
 * count CPUs; when it goes offline another one goes on from there.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include "meter.h"

/**
 * struct cpu_kind - what one CPU has to do with one kind of energy
 * @reports: the CPU reports the domain's energy: the domain's total less @less
 * @less: see above
 * @before: its reported energy while it does not report
 * @last: its last reported energy
 */
struct cpu_kind {
	bool reports;
	u64 less;
	u64 before;
	u64 last;
};

DEFINE_PER_CPU(struct pmc_energy_here, pmc_energy_here);
static DEFINE_PER_CPU(struct cpu_kind[PMC_ENERGY_NR], cpu_kinds);

/* The most time between two ticks */
#define PERIOD_MAX_MS	10000

/* Ends with NULL. */
static const struct pmc_energy_provider *const *providers;
static LIST_HEAD(sources);
static LIST_HEAD(domains);
/* Users come and go. Taken before the lock of CPU hotplug. */
static DEFINE_MUTEX(meter_lock);
static unsigned int users;
static enum cpuhp_state hotplug_state;
static unsigned int period_ms;
struct pmc_energy_unit pmc_energy_units[PMC_ENERGY_NR];

/* The users' names of the kinds. */
const char *const pmc_energy_kind_names[] = {
	[PMC_ENERGY_CORE] = "core",
	[PMC_ENERGY_PKG] = "pkg",
	[PMC_ENERGY_DRAM] = "dram",
	[PMC_ENERGY_PSYS] = "psys",
};
EXPORT_SYMBOL_GPL(pmc_energy_kind_names);

/**
 * pmc_energy_has - can energy of a kind be measured
 * @kind: the kind
 *
 * Context: Any, between pmc_energy_get() and pmc_energy_put().
 */
bool pmc_energy_has(enum pmc_energy_kind kind)
{
	return pmc_energy_units[kind].den;
}
EXPORT_SYMBOL_GPL(pmc_energy_has);

/**
 * pmc_energy_is_divided - do CPUs have energy of a kind that not all of them can
 *	read
 * @kind: the kind
 *
 * Then pmc_energy_total() is, in part, as of the last pmc_energy_tick().
 *
 * Context: May sleep. As pmc_energy_has().
 */
bool pmc_energy_is_divided(enum pmc_energy_kind kind)
{
	const struct pmc_energy_domain *d;
	unsigned int nr = 0;

	cpus_read_lock();
	list_for_each_entry(d, &domains, link)
		nr += d->src->kind == kind && !d->src->anywhere && d->reader >= 0;
	cpus_read_unlock();
	return nr > 1;
}
EXPORT_SYMBOL_GPL(pmc_energy_is_divided);

/* For pmc_energy_read(), of a domain that has no model-specific register. */
u64 pmc_energy_read_raw(const struct pmc_energy_domain *d, u64 known)
{
	return pmc_energy_extend(known, d->src->raw(d->src) - d->offset,
				 d->src->shift);
}

/* The same as pmc_energy_read(), and take note of it. */
static u64 advance(struct pmc_energy_domain *d)
{
	s64 known = atomic64_read(&d->known);
	u64 now = pmc_energy_read(d);

	while ((s64)(now - known) > 0 &&
	       !atomic64_try_cmpxchg(&d->known, &known, now))
		;
	return now;
}

/**
 * pmc_energy_reported_here - the part of its domain's energy that this CPU has reported
 * @kind: which of its domains
 *
 * Grows; over all CPUs together, by what the domains spend.
 *
 * Context: Interrupts off, or NMI.
 * Return: in the kind's unit.
 */
u64 pmc_energy_reported_here(enum pmc_energy_kind kind)
{
	const struct pmc_energy_domain *d = pmc_energy_domain_here(kind);
	struct cpu_kind *h = &this_cpu_ptr(cpu_kinds)[kind];
	u64 value;

	/* With the @less that start_reporting() wrote before. */
	if (smp_load_acquire(&h->reports))
		value = pmc_energy_read(d) - READ_ONCE(h->less);
	else
		value = READ_ONCE(h->before);
	/* An NMI may have come while stop_reporting() was at it. */
	if (value < READ_ONCE(h->last))
		value = READ_ONCE(h->last);
	WRITE_ONCE(h->last, value);
	return value;
}

/* From when the domain had spent @from. */
static void start_reporting(struct pmc_energy_domain *d, int cpu, u64 from)
{
	struct cpu_kind *h = &per_cpu(cpu_kinds, cpu)[d->src->kind];

	WRITE_ONCE(h->less, from - h->before);
	d->reader = cpu;
	/* For pmc_energy_reported_here(): @less first. */
	smp_store_release(&h->reports, true);
}

/* On the CPU. Return: the domain's energy when it was last reported. */
static u64 stop_reporting(struct pmc_energy_domain *d, int cpu)
{
	struct cpu_kind *h = &per_cpu(cpu_kinds, cpu)[d->src->kind];

	d->reader = -1;
	WRITE_ONCE(h->before, advance(d) - h->less);
	WRITE_ONCE(h->reports, false);
	barrier();
	if (h->before < READ_ONCE(h->last))
		WRITE_ONCE(h->before, READ_ONCE(h->last));
	return h->before + h->less;
}

static struct pmc_energy_domain *find_domain(const struct pmc_energy_source *src, s64 key)
{
	struct pmc_energy_domain *d;

	list_for_each_entry(d, &domains, link)
		if (d->src == src && d->key == key)
			return d;
	return NULL;
}

/* The register was not read for some time or ever: energy in between is not reported. */
static void wake_domain(struct pmc_energy_domain *d)
{
	u64 raw = d->msr ? pmc_energy_msr(d->msr) : d->src->raw(d->src);

	d->offset = raw - atomic64_read(&d->known);
}

static struct pmc_energy_domain *add_domain(struct pmc_energy_source *src, s64 key)
{
	struct pmc_energy_domain *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return NULL;
	d->src = src;
	d->msr = src->msr;
	d->key = key;
	d->reader = -1;
	wake_domain(d);
	list_add_rcu(&d->link, &domains);
	return d;
}

static int join(struct pmc_energy_source *src, unsigned int cpu, s64 key)
{
	struct pmc_energy_domain *d = find_domain(src, key) ?: add_domain(src, key);

	if (!d)
		return -ENOMEM;
	if (cpumask_empty(&d->cpus) && !src->anywhere)
		wake_domain(d);
	cpumask_set_cpu(cpu, &d->cpus);
	WRITE_ONCE(per_cpu(pmc_energy_here, cpu).of[src->kind], d);
	if (d->reader < 0)
		start_reporting(d, cpu, pmc_energy_read(d));
	return 0;
}

static int cpu_leaves(unsigned int cpu)
{
	unsigned int kind, next;
	struct pmc_energy_domain *d;
	u64 from;

	for (kind = 0; kind < PMC_ENERGY_NR; kind++) {
		d = per_cpu(pmc_energy_here, cpu).of[kind];
		if (!d)
			continue;
		cpumask_clear_cpu(cpu, &d->cpus);
		if (d->reader == cpu) {
			from = stop_reporting(d, cpu);
			next = cpumask_first(&d->cpus);
			if (next < nr_cpu_ids)
				start_reporting(d, next, from);
		}
		WRITE_ONCE(per_cpu(pmc_energy_here, cpu).of[kind], NULL);
	}
	return 0;
}

static int cpu_joins(unsigned int cpu)
{
	struct pmc_energy_source *src;
	int ret;
	s64 key;

	list_for_each_entry(src, &sources, link) {
		key = src->key(src, cpu);
		if (key < 0 || per_cpu(pmc_energy_here, cpu).of[src->kind])
			continue;
		ret = join(src, cpu, key);
		if (ret) {
			cpu_leaves(cpu);
			return ret;
		}
	}
	return 0;
}

/**
 * pmc_energy_add_source - measure energy by a source
 * @src: the source, whose registers are there
 *
 * Context: While meters are started, before any CPU uses them.
 */
void pmc_energy_add_source(struct pmc_energy_source *src)
{
	unsigned int ms = pmc_energy_tick_ms(src->unit, 64 - src->shift);
	struct pmc_energy_unit *unit = &pmc_energy_units[src->kind];

	if (unit->den &&
	    (unit->num != src->unit.num || unit->den != src->unit.den)) {
		pr_warn("energy: %s is left out: it counts %s in another unit\n",
			src->name, pmc_energy_kind_names[src->kind]);
		return;
	}
	*unit = src->unit;
	if (src->tick)
		ms = min(ms, src->tick_ms);
	period_ms = min(period_ms, ms);
	list_add_tail(&src->link, &sources);
}

/**
 * pmc_energy_set_providers - what can measure energy
 * @list: of providers, in the order of preference; ends with NULL, and stays
 *
 * Context: Before any use of the meters.
 */
void pmc_energy_set_providers(const struct pmc_energy_provider *const *list)
{
	providers = list;
}

static void free_all(void)
{
	const struct pmc_energy_provider *const *provider;
	struct pmc_energy_domain *d, *next;

	/* Readers that found one by list or CPU. */
	synchronize_rcu();
	list_for_each_entry_safe(d, next, &domains, link)
		kfree(d);
	INIT_LIST_HEAD(&domains);
	INIT_LIST_HEAD(&sources);
	memset(pmc_energy_units, 0, sizeof(pmc_energy_units));
	for (provider = providers; *provider; provider++)
		if ((*provider)->forget)
			(*provider)->forget();
}

static int start(void)
{
	const struct pmc_energy_provider *const *provider;
	unsigned int cpu;
	int ret;

	for_each_possible_cpu(cpu)
		memset(&per_cpu(cpu_kinds, cpu), 0, sizeof(per_cpu(cpu_kinds, cpu)));
	period_ms = PERIOD_MAX_MS;
	for (provider = providers; *provider; provider++)
		(*provider)->find();
	if (list_empty(&sources))
		return -ENODEV;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "pmc_energy:online",
				cpu_joins, cpu_leaves);
	if (ret < 0) {
		free_all();
		return ret;
	}
	hotplug_state = ret;
	return 0;
}

/**
 * pmc_energy_get - begin to use the meters
 *
 * Context: May sleep.
 * Return: 0, -ENODEV when the machine has none, or another negative error. When
 * 0, pmc_energy_put() is due, and pmc_energy_tick() every
 * pmc_energy_period_ms() ms until then.
 */
int pmc_energy_get(void)
{
	int ret = 0;

	mutex_lock(&meter_lock);
	if (!users)
		ret = start();
	if (!ret)
		users++;
	mutex_unlock(&meter_lock);
	return ret;
}
EXPORT_SYMBOL_GPL(pmc_energy_get);

/**
 * pmc_energy_put - undo pmc_energy_get()
 *
 * Context: May sleep.
 */
void pmc_energy_put(void)
{
	mutex_lock(&meter_lock);
	if (!--users) {
		cpuhp_remove_state(hotplug_state);
		free_all();
	}
	mutex_unlock(&meter_lock);
}
EXPORT_SYMBOL_GPL(pmc_energy_put);

/**
 * pmc_energy_in_use - are the meters in use
 *
 * Context: Where no use can begin.
 */
bool pmc_energy_in_use(void)
{
	return users;
}

/**
 * pmc_energy_period_ms - how often pmc_energy_tick() is due
 *
 * Context: As pmc_energy_has().
 */
unsigned int pmc_energy_period_ms(void)
{
	return period_ms;
}
EXPORT_SYMBOL_GPL(pmc_energy_period_ms);

static void advance_here(void *d)
{
	advance(d);
}

/**
 * pmc_energy_tick - look at all registers before they have gone too far
 *
 * Context: May sleep. As pmc_energy_has().
 */
void pmc_energy_tick(void)
{
	struct pmc_energy_source *src;
	struct pmc_energy_domain *d;

	/* One at a time: a source's tick is not for two. */
	mutex_lock(&meter_lock);
	list_for_each_entry(src, &sources, link)
		if (src->tick)
			src->tick(src);
	cpus_read_lock();
	list_for_each_entry(d, &domains, link)
		if (d->src->anywhere)
			advance(d);
		else if (d->reader >= 0)
			smp_call_function_single(d->reader, advance_here, d, 1);
	cpus_read_unlock();
	mutex_unlock(&meter_lock);
}
EXPORT_SYMBOL_GPL(pmc_energy_tick);

static bool can_read(const struct pmc_energy_domain *d)
{
	return d->src->anywhere ||
	       pmc_energy_domain_here(d->src->kind) == d;
}

/**
 * pmc_energy_suspend - registers may be lost
 *
 * Those of other CPUs were read when these went offline.
 *
 * Context: monitoring_module.suspend. As pmc_energy_has(). Again for each user.
 */
void pmc_energy_suspend(void)
{
	struct pmc_energy_domain *d;

	list_for_each_entry(d, &domains, link)
		if (can_read(d))
			advance(d);
}
EXPORT_SYMBOL_GPL(pmc_energy_suspend);

/**
 * pmc_energy_resume - go on from whatever the registers are now
 *
 * Energy while suspended belongs to no thread, and neither does energy of sensors
 * since they were last read.
 *
 * Context: monitoring_module.resume. As pmc_energy_suspend().
 */
void pmc_energy_resume(void)
{
	struct pmc_energy_domain *d;

	list_for_each_entry(d, &domains, link)
		if (can_read(d))
			wake_domain(d);
}
EXPORT_SYMBOL_GPL(pmc_energy_resume);

/**
 * pmc_energy_total - the machine's energy since some time
 * @kind: of what
 *
 * The sum of all domains. Another package's value is the last one read, which is
 * not older than a tick.
 *
 * Context: Any, on a CPU that is not left meanwhile. As pmc_energy_has().
 * Return: microjoules, which grow.
 */
u64 pmc_energy_total(enum pmc_energy_kind kind)
{
	struct pmc_energy_domain *d;
	u64 sum = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(d, &domains, link) {
		if (d->src->kind != kind)
			continue;
		/* Noted, so that no other CPU's total is of before. */
		if (can_read(d))
			advance(d);
		sum += atomic64_read(&d->known);
	}
	rcu_read_unlock();
	return pmc_energy_units[kind].den ? pmc_energy_uj(sum, pmc_energy_units[kind]) : 0;
}
EXPORT_SYMBOL_GPL(pmc_energy_total);
