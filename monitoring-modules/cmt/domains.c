// SPDX-License-Identifier: GPL-2.0
/*
 * Last-level caches, what RMIDs use of each, and which CPUs they have. A CPU
 * can read the counters of its own cache only: those of others are as old as the
 * last look, which is taken on a CPU of each from time to time.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include <pmctrack/monitoring_module.h>

#include "association.h"
#include "domains.h"

/* How many RMIDs are looked at with interrupts off. */
#define AT_ONCE	16

static struct cmt_domain **domains;
static unsigned int nr_domains;
static enum cpuhp_state hotplug_state;
/* The error of a CPU that can't be used, at activation; later ones are a reason to stop. */
static int start_error;
static bool started;
/* Called on a CPU that has come, with its cache */
static void (*cpu_came)(struct cmt_domain *domain);

/* On a CPU of the domain. */
static void look_at(struct cmt_domain *domain, u32 rmid)
{
	struct cmt_use *use = &domain->use[rmid];
	int i;

	WRITE_ONCE(use->lines, cmt_read_raw(rmid, CMT_OCCUPANCY));
	for (i = 0; i < 2; i++)
		cmt_counter_follow(&use->traffic[i],
				   cmt_read_raw(rmid, CMT_TOTAL + i),
				   cmt_hw.mask);
}

static void begin_at(struct cmt_domain *domain, u32 rmid)
{
	struct cmt_use *use = &domain->use[rmid];
	int i;

	use->lines = cmt_read_raw(rmid, CMT_OCCUPANCY);
	for (i = 0; i < 2; i++)
		cmt_counter_begin(&use->traffic[i],
				  cmt_read_raw(rmid, CMT_TOTAL + i));
}

static void look_at_all(struct cmt_domain *domain)
{
	u32 rmid;

	for (rmid = 0; rmid < cmt_hw.nr_rmids; rmid++)
		look_at(domain, rmid);
}

/* Since it was looked at the cache has slept, or had no CPU. */
static void resume_all(struct cmt_domain *domain)
{
	u32 rmid;
	int i;

	for (rmid = 0; rmid < cmt_hw.nr_rmids; rmid++) {
		struct cmt_use *use = &domain->use[rmid];

		WRITE_ONCE(use->lines, cmt_read_raw(rmid, CMT_OCCUPANCY));
		for (i = 0; i < 2; i++)
			cmt_counter_resume(&use->traffic[i],
					   cmt_read_raw(rmid, CMT_TOTAL + i));
	}
}

/* ---- CPUs come and go ---- */

static struct cmt_domain *find_domain(u32 id)
{
	unsigned int i;

	for (i = 0; i < nr_domains; i++)
		if (domains[i]->id == id)
			return domains[i];
	return NULL;
}

/* The domain of this CPU, whose cache is not known yet. */
static struct cmt_domain *add_domain(u32 id)
{
	struct cmt_domain *domain;
	u32 rmid;

	domain = kvzalloc(struct_size(domain, use, cmt_hw.nr_rmids),
			  GFP_KERNEL);
	if (!domain)
		return NULL;
	domain->masks = kcalloc(cmt_hw.nr_classes + 1,
				sizeof(*domain->masks), GFP_KERNEL);
	if (!domain->masks) {
		kvfree(domain);
		return NULL;
	}
	domain->id = id;
	domain->node = cpu_to_node(smp_processor_id());
	raw_spin_lock_init(&domain->pair_lock);
	cmt_set_pair_lock(&domain->pair_lock);
	for (rmid = 0; rmid < cmt_hw.nr_rmids; rmid++)
		begin_at(domain, rmid);
	domains[nr_domains] = domain;
	/* Pairs with cmt_value() and cmt_traffic_so_far(). */
	smp_store_release(&nr_domains, nr_domains + 1);
	return domain;
}

/*
 * With sub-NUMA clusters, a cache is shared by several nodes, RMIDs are divided
 * among these, and what is read is not what they use.
 */
static int check_cpu(const struct cmt_domain *domain, unsigned int cpu)
{
	if (cpu_to_node(cpu) != domain->node)
		return -EOPNOTSUPP;
	return (u32)cmt_read_association() ? -EBUSY : 0;
}

/* Is the traffic that we report counted by this CPU's cache? */
static void check_traffic(void)
{
	if (!(cmt_hw.events & CMT_TRAFFIC_EVENTS) || !cmt_traffic_assigned())
		return;
	if (started) {
		cmt_lose("a CPU came whose cache counts no traffic (ABMC is on)");
		return;
	}
	cmt_hw.assigned = true;
	cmt_hw.events &= ~CMT_TRAFFIC_EVENTS;
}

static int cpu_comes(unsigned int cpu)
{
	struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);
	u32 id = cmt_cache_id();
	struct cmt_domain *domain = find_domain(id);
	int ret;

	check_traffic();
	if (!domain) {
		domain = add_domain(id);
	} else {
		cmt_set_pair_lock(&domain->pair_lock);
		if (cpumask_empty(&domain->cpus))
			resume_all(domain);
	}
	ret = domain ? check_cpu(domain, cpu) : -ENOMEM;
	if (ret)
		cmt_set_pair_lock(NULL);
	if (ret && !started) {
		start_error = ret;
		return ret;
	}
	if (ret) {
		cmt_lose(ret == -EBUSY ? "another program has given a CPU an RMID" :
			 "a CPU came whose cache cannot be monitored");
		return 0;
	}
	c->own_class = cmt_read_association() >> 32;
	c->class = c->own_class;
	c->rmid = 0;
	cpumask_set_cpu(cpu, &domain->cpus);
	cpu_came(domain);
	WRITE_ONCE(c->domain, domain);
	return 0;
}

/* The last CPU goes: all values stay, except the lines. */
static void leave(struct cmt_domain *domain)
{
	u32 rmid;

	look_at_all(domain);
	for (rmid = 0; rmid < cmt_hw.nr_rmids; rmid++)
		WRITE_ONCE(domain->use[rmid].lines, 0);
}

static int cpu_goes(unsigned int cpu)
{
	struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);
	struct cmt_domain *domain = c->domain;

	if (!domain)
		return 0;
	cmt_dissociate();
	WRITE_ONCE(c->domain, NULL);
	cpumask_clear_cpu(cpu, &domain->cpus);
	if (cpumask_empty(&domain->cpus))
		leave(domain);
	cmt_set_pair_lock(NULL);
	return 0;
}

/**
 * cmt_domains_start - find the caches, and check that they are not monitored
 * @came: called on each CPU that comes online or resumes, with its cache: other
 *	registers of it may have lost their contents
 *
 * Return: 0, -ENOMEM; -EBUSY: a CPU has an RMID; -EOPNOTSUPP: caches are shared
 * by NUMA nodes.
 */
int cmt_domains_start(void (*came)(struct cmt_domain *domain))
{
	int ret;

	domains = kcalloc(nr_cpu_ids, sizeof(*domains), GFP_KERNEL);
	if (!domains)
		return -ENOMEM;
	cpu_came = came;
	start_error = 0;
	started = false;
	ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "pmctrack/cmt:online",
				cpu_comes, cpu_goes);
	if (ret < 0) {
		cmt_domains_stop();
		return start_error ? start_error : ret;
	}
	hotplug_state = ret;
	started = true;
	return 0;
}

/**
 * cmt_domains_stop - leave the CPUs as they were
 */
void cmt_domains_stop(void)
{
	unsigned int i;

	if (started)
		cpuhp_remove_state(hotplug_state);
	started = false;
	for (i = 0; i < nr_domains; i++) {
		kfree(domains[i]->masks);
		kvfree(domains[i]);
	}
	nr_domains = 0;
	kfree(domains);
	domains = NULL;
}

unsigned int cmt_domains_nr(void)
{
	return nr_domains;
}

/* ---- sleep ---- */

/**
 * cmt_domains_suspend - registers of this CPU and its cache may be lost
 *
 * Those of other caches were read when their last CPU went offline.
 *
 * Context: monitoring_module.suspend.
 */
void cmt_domains_suspend(void)
{
	struct cmt_domain *domain = this_cpu_read(cmt_cpus.domain);

	if (domain)
		look_at_all(domain);
}

/**
 * cmt_domains_resume - as before, by whatever the registers are now
 *
 * Context: monitoring_module.resume; the registers are ours.
 */
void cmt_domains_resume(void)
{
	const struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);

	if (!c->domain)
		return;
	cpu_came(c->domain);
	cmt_write_association(c->rmid, c->class);
	resume_all(c->domain);
}

/* ---- looking, from time to time ---- */

struct look {
	struct cmt_domain *domain;
	bool (*wanted)(u32 rmid);
	u32 from, to;
};

static void look_here(void *arg)
{
	struct look *look = arg;
	u32 rmid;

	for (rmid = look->from; rmid < look->to; rmid++)
		if (look->wanted(rmid))
			look_at(look->domain, rmid);
}

static bool any_wanted(const struct look *look)
{
	u32 rmid;

	for (rmid = look->from; rmid < look->to; rmid++)
		if (look->wanted(rmid))
			return true;
	return false;
}

/**
 * cmt_domains_look - read the use of each cache
 * @wanted: is that of an RMID to be read? Called with interrupts off, too
 *
 * Context: Process, CPUs neither come nor go.
 */
void cmt_domains_look(bool (*wanted)(u32 rmid))
{
	unsigned int i;
	u32 rmid;

	for (i = 0; i < nr_domains; i++) {
		for (rmid = 1; rmid < cmt_hw.nr_rmids; rmid += AT_ONCE) {
			struct look look = {
				.domain = domains[i],
				.wanted = wanted,
				.from = rmid,
				.to = min(rmid + AT_ONCE, cmt_hw.nr_rmids),
			};

			if (any_wanted(&look))
				smp_call_function_any(&domains[i]->cpus,
						      look_here, &look, 1);
		}
	}
}

struct each {
	void (*fn)(struct cmt_domain *domain);
	struct cmt_domain *domain;
};

static void each_here(void *arg)
{
	struct each *each = arg;

	each->fn(each->domain);
}

/**
 * cmt_domains_each - call a function on a CPU of each cache, interrupts off
 * @fn: the function
 */
void cmt_domains_each(void (*fn)(struct cmt_domain *domain))
{
	unsigned int i;

	cpus_read_lock();
	for (i = 0; i < nr_domains; i++) {
		struct each each = { .fn = fn, .domain = domains[i] };

		smp_call_function_any(&domains[i]->cpus, each_here, &each, 1);
	}
	cpus_read_unlock();
}

/**
 * cmt_domains_residue - bytes of an RMID's in the cache that has most of them
 * @rmid: the RMID
 *
 * Return: as at the last look; CMT_UNAVAILABLE if that is not known.
 */
u64 cmt_domains_residue(u32 rmid)
{
	u64 most = 0, lines;
	unsigned int i;

	for (i = 0; i < nr_domains; i++) {
		lines = READ_ONCE(domains[i]->use[rmid].lines);
		if (lines == CMT_UNAVAILABLE)
			return CMT_UNAVAILABLE;
		most = max(most, lines * cmt_hw.scale);
	}
	return most;
}

/* ---- values ---- */

/*
 * Return the counter's state, and in @raw the register of this CPU's cache. Another CPU may replace
 * the state in between; both are read again then. The register may say only once that it is
 * unavailable, so that this is not read again.
 */
static struct cmt_count read_traffic(const struct cmt_counter *counter, u32 rmid,
				     enum cmt_event event, u64 *raw)
{
	struct cmt_count state;

	do {
		state = cmt_counter_state(counter);
		*raw = cmt_read_raw(rmid, event);
	} while (*raw != CMT_UNAVAILABLE && !cmt_counter_is_state(counter, &state));
	return state;
}

/* Of this CPU's cache. */
static bool value_here(struct cmt_domain *domain, u32 rmid,
		       enum cmt_event event, u64 *value)
{
	struct cmt_counter *counter;
	struct cmt_count state;
	u64 raw;

	if (event == CMT_OCCUPANCY) {
		*value = cmt_read_raw(rmid, event);
		return *value != CMT_UNAVAILABLE && *value != CMT_BUSY;
	}
	counter = &domain->use[rmid].traffic[event - CMT_TOTAL];
	state = read_traffic(counter, rmid, event, &raw);
	if (!cmt_counter_value(counter, &state, raw, cmt_hw.mask, value))
		return false;
	/* Traffic for it that is not counted is not known. */
	return raw != CMT_UNAVAILABLE || this_cpu_read(cmt_cpus.rmid) != rmid;
}

static bool value_there(struct cmt_domain *domain, u32 rmid,
			enum cmt_event event, u64 *value)
{
	struct cmt_use *use = &domain->use[rmid];
	struct cmt_counter *counter;

	if (event == CMT_OCCUPANCY) {
		*value = READ_ONCE(use->lines);
		return *value != CMT_UNAVAILABLE;
	}
	counter = &use->traffic[event - CMT_TOTAL];
	*value = cmt_counter_report(counter, cmt_counter_state(counter).before);
	return true;
}

/**
 * cmt_value - what an RMID uses of all caches
 * @rmid: the RMID
 * @event: occupancy now, or traffic since the module was activated
 *
 * Context: Any; preemption off.
 * Return: bytes, or PMC_NO_VALUE.
 */
u64 cmt_value(u32 rmid, enum cmt_event event)
{
	struct cmt_domain *here = this_cpu_read(cmt_cpus.domain);
	/* Pairs with add_domain(). */
	unsigned int i, nr = smp_load_acquire(&nr_domains);
	u64 sum = 0, value;

	if (!(cmt_hw.events & BIT(event)))
		return PMC_NO_VALUE;
	for (i = 0; i < nr; i++) {
		bool reported = domains[i] == here ?
			value_here(here, rmid, event, &value) :
			value_there(domains[i], rmid, event, &value);

		if (!reported)
			return PMC_NO_VALUE;
		sum += value;
	}
	sum *= cmt_hw.scale;
	return event == CMT_OCCUPANCY ? sum :
	       cmt_errata_correct(&cmt_hw.errata, rmid, sum);
}

/**
 * cmt_traffic_so_far - the traffic, also when the register is not available
 * @rmid: the RMID
 * @event: CMT_TOTAL or CMT_LOCAL
 *
 * Context: Any but NMI; preemption off.
 * Return: bytes.
 */
u64 cmt_traffic_so_far(u32 rmid, enum cmt_event event)
{
	struct cmt_domain *here = this_cpu_read(cmt_cpus.domain);
	/* Pairs with add_domain(). */
	unsigned int i, nr = smp_load_acquire(&nr_domains);
	u64 sum = 0, raw;

	for (i = 0; i < nr; i++) {
		struct cmt_counter *counter =
			&domains[i]->use[rmid].traffic[event - CMT_TOTAL];
		struct cmt_count state;

		if (domains[i] != here) {
			sum += cmt_counter_report(counter, cmt_counter_state(counter).before);
			continue;
		}
		state = read_traffic(counter, rmid, event, &raw);
		sum += cmt_counter_so_far(counter, &state, raw, cmt_hw.mask);
	}
	return cmt_errata_correct(&cmt_hw.errata, rmid, sum * cmt_hw.scale);
}
