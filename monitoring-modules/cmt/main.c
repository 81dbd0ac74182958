// SPDX-License-Identifier: GPL-2.0
/*
 * How much of the last-level cache each process holds, and its traffic with
 * memory: the processors' cache monitoring, by which Linux's resctrl does the
 * same for groups that an administrator makes.
 *
 * A process that finds no RMID free has no value until it gets one; the traffic of
 * its threads before then, and of threads that are not monitored, is not reported.
 * Of several caches, the CPU's own is reported as it is, the others as they were
 * at the last look.
 *
 * Each process has an RMID (processes.c), which is written to a CPU when one of its
 * threads is switched in (association.c). The hardware marks by it the lines that
 * the CPU brings in, and counts them for each cache (domains.c).
 */
#include <linux/cpu.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/string.h>

#include <pmctrack/monitoring_module.h>

#include "association.h"
#include "classes.h"
#include "domains.h"
#include "processes.h"

/* Looks are taken so often: no counter goes round in the meantime, see set_tick(). */
#define TICK_MIN_MS	10
#define TICK_MAX_MS	100

static struct monitoring_module cmt;
/* The loss of the registers has been handled. */
static bool given_up;
static unsigned long tick_jiffies __read_mostly;

/* ---- threads ---- */

/* The RMID of tasks without one. */
static const struct cmt_process no_process = { .class = CMT_NO_CLASS };

static struct cmt_thread *of(const struct pmc_module_thread *t)
{
	return (struct cmt_thread *)t->data;
}

/* There may be an RMID for it by now. */
static noinline const struct cmt_process *ask_again(struct pmc_module_thread *t)
{
	if (cmt_may_join(of(t)) && cmt_join(t->task, of(t)))
		return of(t)->process;
	return &no_process;
}

/* The thread that runs on this CPU works for its process. */
static __always_inline void load(struct cmt_cpu *c, struct pmc_module_thread *t)
{
	const struct cmt_process *p = of(t)->process;

	if (unlikely(!p))
		p = ask_again(t);
	cmt_associate(c, p->rmid, READ_ONCE(p->class));
}

static void report_metric(struct pmc_module_thread *t)
{
	struct cmt_thread *thread = of(t);
	u64 bytes;

	if (!thread->process || READ_ONCE(cmt_lost))
		return;
	bytes = cmt_value(thread->process->rmid, CMT_OCCUPANCY);
	thread->reported = jiffies;
	if (bytes != PMC_NO_VALUE)
		pmc_module_set_metric(t, PMC_METRIC_LLC_OCCUPANCY, bytes);
}

static void thread_start(struct pmc_module_thread *t)
{
	of(t)->reported = jiffies - tick_jiffies;
	cmt_join(t->task, of(t));
}

static u64 value_of(const struct cmt_thread *t, const struct cmt_process *p,
		    unsigned int i)
{
	u64 value = cmt_value(p->rmid, CMT_OCCUPANCY + i);

	if (i == CMT_PLACE(CMT_OCCUPANCY) || value == PMC_NO_VALUE)
		return value;
	return value - t->base[i - CMT_PLACE(CMT_TOTAL)];
}

static void thread_exit(struct pmc_module_thread *t)
{
	struct cmt_thread *thread = of(t);
	unsigned long flags;
	struct cmt_cpu *c;
	int i;

	/* It will be asked about once more. */
	for (i = 0; i < CMT_EVENTS; i++)
		thread->last[i] = thread->process && !READ_ONCE(cmt_lost) ?
			value_of(thread, thread->process, i) : PMC_NO_VALUE;
	/* Pairs with read(). */
	smp_store_release(&thread->ended, true);
	local_irq_save(flags);
	c = this_cpu_ptr(&cmt_cpus);
	if (c->loaded == t) {
		c->loaded = NULL;
		cmt_associate(c, 0, CMT_NO_CLASS);
	}
	local_irq_restore(flags);
	cmt_leave(thread);
}

/* Has another program written the register of this CPU since we did? */
static __always_inline void check_association(const struct cmt_cpu *c)
{
	if (c->domain &&
	    cmt_read_association() != ((u64)c->class << 32 | c->rmid))
		cmt_lose("another program has given a CPU another RMID");
}

static void switch_in(struct pmc_module_thread *t)
{
	struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);

	c->loaded = t;
	load(c, t);
}

static void switch_out(struct pmc_module_thread *t)
{
	struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);
	unsigned long now = jiffies;

	/*
	 * Before it is overwritten. A write while no thread of ours runs here is
	 * overwritten by the next one's switch-in, unseen.
	 */
	check_association(c);
	if (time_after_eq(now, of(t)->reported + tick_jiffies))
		report_metric(t);
	c->loaded = NULL;
	cmt_associate(c, 0, CMT_NO_CLASS);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	const struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);
	const struct cmt_thread *thread = of(t);
	const struct cmt_process *p;

	/* Pairs with thread_exit(). */
	if (smp_load_acquire(&thread->ended))
		return thread->last[i];
	/* Pairs with cmt_join(). */
	p = smp_load_acquire(&thread->process);
	if (!READ_ONCE(c->writing))
		check_association(c);
	if (!p || READ_ONCE(cmt_lost))
		return PMC_NO_VALUE;
	return value_of(thread, p, i);
}

/* ---- from time to time ---- */

static void refresh_here(void *arg)
{
	struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);
	struct pmc_module_thread *t = c->loaded;

	if (!t || READ_ONCE(cmt_lost))
		return;
	load(c, t);
	if (arg)
		report_metric(t);
}

static bool has_loaded(int cpu, void *arg)
{
	return per_cpu(cmt_cpus, cpu).loaded;
}

static void refresh(void)
{
	on_each_cpu_cond(has_loaded, refresh_here, NULL, true);
}

static void dissociate_here(void *arg)
{
	cmt_dissociate();
}

/* Another program has the registers: leave them to it in the state that it expects. */
static void give_up(void)
{
	const char *why = cmt_lost_why();

	if (given_up)
		return;
	given_up = true;
	pr_warn("pmc_cmt: %s: no values from now on; deactivate cmt and activate it again when that is over\n",
		why);
	cmt_classes_restore();
	on_each_cpu(dissociate_here, NULL, 1);
}

static void tick(void)
{
	if (!READ_ONCE(cmt_lost) && cmt_resctrl_mounted())
		cmt_lose("resctrl was mounted");
	if (READ_ONCE(cmt_lost)) {
		give_up();
		return;
	}
	cpus_read_lock();
	cmt_watch_limbo();
	cpus_read_unlock();
	on_each_cpu_cond(has_loaded, refresh_here, &cmt, true);
}

/* ---- sleep: caches and registers lose their contents ---- */

static void suspend(void)
{
	check_association(this_cpu_ptr(&cmt_cpus));
	if (!READ_ONCE(cmt_lost))
		cmt_domains_suspend();
}

static void resume(void)
{
	if (!READ_ONCE(cmt_lost))
		cmt_domains_resume();
}

/* ---- the whole ---- */

/* Virtual counters are in the order of the events, of which traffic may not be there. */
static void offer_virtuals(void)
{
	cmt.nr_virtuals = fls(cmt_hw.events) - CMT_OCCUPANCY;
	if (cmt_hw.assigned)
		pr_warn("pmc_cmt: no memory traffic: ABMC is on, and counts only what resctrl has assigned a counter to; boot with rdt=!abmc, or mount resctrl, write 'default' to info/L3_MON/mbm_assign_mode, unmount resctrl and activate cmt again\n");
}

static int activate(void)
{
	int ret;

	if (!cmt_find_hardware())
		return pmc_module_error(-ENODEV,
					"cmt: these processors can't monitor their caches");
	if (cmt_hw.errata.monitoring)
		return pmc_module_error(-EOPNOTSUPP,
					"cmt: these processors monitor their caches wrong (Skylake up to stepping 4: errata SKZ4, SKZ17, SKZ19)");
	given_up = false;
	cmt_resctrl_find();
	ret = -EBUSY;
	if (cmt_resctrl_mounted()) {
		pmc_module_error(ret,
				 "cmt: resctrl is mounted and has the registers: umount /sys/fs/resctrl");
		goto forget;
	}
	ret = cmt_classes_start();
	if (ret)
		goto forget;
	ret = cmt_processes_start();
	if (ret)
		goto stop_classes;
	ret = cmt_domains_start(cmt_classes_apply);
	if (!ret) {
		offer_virtuals();
		return 0;
	}
	if (ret == -EBUSY)
		pmc_module_error(ret,
				 "cmt: a CPU has an RMID (PQR_ASSOC): something else monitors the caches");
	else if (ret == -EOPNOTSUPP)
		pmc_module_error(ret,
				 "cmt: sub-NUMA clusters divide the caches and their counts");
	cmt_processes_stop();
stop_classes:
	cmt_classes_stop();
forget:
	cmt_resctrl_forget();
	return ret;
}

static void deactivate(void)
{
	/* A loss since the last tick has not been handled. */
	if (!given_up)
		cmt_classes_restore();
	cmt_domains_stop();
	cmt_processes_stop();
	cmt_classes_stop();
	cmt_resctrl_forget();
	cmt_settings.class = CMT_NO_CLASS;
	cmt.nr_virtuals = CMT_EVENTS;
}

/* ---- parameters ---- */

static const char * const policies[] = {
	[RMID_FIFO] = "fifo",
	[RMID_LIFO] = "lifo",
	[RMID_RANDOM] = "random",
};

static int set_policy(const char *value)
{
	int i = match_string(policies, ARRAY_SIZE(policies), value);

	if (i < 0)
		return pmc_module_error(-EINVAL, "cmt.policy is fifo, lifo or random");
	cmt_set_policy(i);
	return 0;
}

static int set_residue_max(const char *value)
{
	u64 bytes = CMT_RESIDUE_OFF;

	if (strcmp(value, "off") && kstrtou64(value, 0, &bytes))
		return pmc_module_error(-EINVAL,
					"cmt.residue_max is a number of bytes, 0 for the usual one, or off");
	WRITE_ONCE(cmt_settings.residue_max, bytes);
	return 0;
}

static int set(const char *key, char *value)
{
	if (!strcmp(key, "policy"))
		return set_policy(value);
	if (!strcmp(key, "residue_max"))
		return set_residue_max(value);
	if (!strcmp(key, "cat"))
		return cmt_classes_set(value);
	if (!strcmp(key, "class"))
		return cmt_classes_assign(value, refresh);
	return pmc_module_error(-EINVAL,
				"cmt has parameters policy, residue_max, cat and class, and no '%s'",
				key);
}

static void show_use(struct seq_file *m)
{
	struct cmt_rmid_counts counts;

	cmt_count_rmids(&counts);
	pmc_module_show(m, "caches", "%u", cmt_domains_nr());
	pmc_module_show(m, "rmids", "%u", cmt_hw.nr_rmids - 1);
	pmc_module_show(m, "rmids_free", "%u", counts.free);
	pmc_module_show(m, "rmids_in_limbo", "%u", counts.limbo);
	pmc_module_show(m, "threads_without_rmid", "%u", counts.waiting);
	pmc_module_show(m, "threads_refused", "%llu", counts.refused);
	if (!(cmt_hw.events & CMT_TRAFFIC_EVENTS))
		pmc_module_show(m, "traffic", "not counted%s",
				cmt_hw.assigned ? ": ABMC is on" : " by these processors");
	if (READ_ONCE(cmt_lost))
		pmc_module_show(m, "stopped", "%s", cmt_lost_why());
}

static void show(struct seq_file *m)
{
	u64 residue_max = cmt_hw.nr_rmids ? cmt_residue_max() :
			  cmt_settings.residue_max;

	pmc_module_show(m, "policy", "%s", policies[cmt_settings.policy]);
	if (residue_max == CMT_RESIDUE_OFF)
		pmc_module_show(m, "residue_max", "off");
	else
		pmc_module_show(m, "residue_max", "%llu", residue_max);
	if (cmt_settings.class == CMT_NO_CLASS)
		pmc_module_show(m, "class", "none");
	else
		pmc_module_show(m, "class", "%u", cmt_settings.class);
	cmt_classes_show(m);
	if (cmt_domains_nr())
		show_use(m);
}

static const struct pmc_virtual virtuals[CMT_EVENTS] = {
	[CMT_PLACE(CMT_OCCUPANCY)] = {
		.name = "llc_occupancy",
		.unit = "bytes",
		.description = "last-level cache that the process's lines fill",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1,
	},
	[CMT_PLACE(CMT_TOTAL)] = {
		.name = "mem_bandwidth_total",
		.unit = "bytes",
		.description = "traffic of the process's lines with memory",
		.kind = PMC_VIRTUAL_COUNT,
		.scale = 1,
	},
	[CMT_PLACE(CMT_LOCAL)] = {
		.name = "mem_bandwidth_local",
		.unit = "bytes",
		.description = "the same, with memory of the CPU's own node",
		.kind = PMC_VIRTUAL_COUNT,
		.scale = 1,
	},
};

static struct monitoring_module cmt = {
	.name = "cmt",
	.description = "last-level cache occupancy and memory bandwidth of processes",
	.owner = THIS_MODULE,
	.thread_size = sizeof(struct cmt_thread),
	.virtuals = virtuals,
	.nr_virtuals = ARRAY_SIZE(virtuals),
	.metrics = BIT(PMC_METRIC_LLC_OCCUPANCY),
	.activate = activate,
	.deactivate = deactivate,
	.thread_start = thread_start,
	.thread_exit = thread_exit,
	.switch_in = switch_in,
	.switch_out = switch_out,
	.read = read,
	.tick = tick,
	.suspend = suspend,
	.resume = resume,
	.set = set,
	.show = show,
};

/* 400 GB/s, more than a cache has today, are no full turn between two looks. */
static void set_tick(void)
{
	u64 ms = TICK_MAX_MS;

	if (cmt_find_hardware() && cmt_hw.mask < U64_MAX / cmt_hw.scale)
		ms = cmt_hw.mask * cmt_hw.scale / 400000000;
	cmt.tick_ms = clamp_t(u64, ms, TICK_MIN_MS, TICK_MAX_MS);
	tick_jiffies = msecs_to_jiffies(cmt.tick_ms);
}

static int __init cmt_init(void)
{
	set_tick();
	return monitoring_module_register(&cmt);
}

static void __exit cmt_exit(void)
{
	monitoring_module_unregister(&cmt);
}

module_init(cmt_init);
module_exit(cmt_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Last-level cache occupancy and memory bandwidth of processes");
