// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module "energy": virtual counters energy_core, energy_pkg,
 * energy_dram and energy_psys, those of them that the machine can measure, and
 * the metric PMC_METRIC_ENERGY.
 *
 * A thread's value is all that the core, package, memory or platform spent while
 * the thread ran, also on other work: registers don't distinguish users. A CPU's
 * value is all that they spent; of CPUs that share them one reports it and the
 * others report 0.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <pmctrack/monitoring_module.h>
#include "sources.h"

/* How often the metric of threads that run on and on is set, at least. */
#define REPORT_MS		100

/**
 * struct state - a thread
 * @wanted: kinds that are measured, BIT() each: that of the metric, and each one
 *	from when it is asked for first. Registers are slow to read
 * @since: while it runs: what this CPU's domains had spent as it was switched in
 * @spent: what they spent while it ran before
 * @exec: the metric's part of that up to the thread's last exec, which is not in the metric
 * @reported: the metric's part of that when the metric was last set
 *
 * In the kinds' units, so that no conversion loses anything.
 */
struct state {
	u8 wanted;
	u64 since[PMC_ENERGY_NR];
	u64 spent[PMC_ENERGY_NR];
	u64 exec;
	u64 reported;
};

static struct monitoring_module energy;
/* The kinds that there are, in the order of the virtual counters. */
static enum pmc_energy_kind kinds[PMC_ENERGY_NR];
static unsigned int nr_kinds;
static struct pmc_virtual virtuals[PMC_ENERGY_NR];
/* The kind of the scheduler's metric, which is set each time it has grown by a millijoule. */
static enum pmc_energy_kind metric_kind;
static u64 metric_step;
/* The thread that runs on the CPU, if it is monitored */
static DEFINE_PER_CPU(struct pmc_module_thread *, running);
/* Registers are looked at in one of so many ticks. */
static unsigned int ticks_a_read;
static unsigned int ticks;

#define ENERGY(what, whose) {						\
	.name = "energy_" what,						\
	.unit = "uJ",							\
	.description = "energy of " whose,				\
	.kind = PMC_VIRTUAL_COUNT,					\
	.scale = 1,							\
	.flags = PMC_VIRTUAL_SHARED,					\
}

static const struct pmc_virtual all_virtuals[] = {
	[PMC_ENERGY_CORE] = ENERGY("core", "the cores (AMD: of the core)"),
	[PMC_ENERGY_PKG] = ENERGY("pkg", "the package"),
	[PMC_ENERGY_DRAM] = ENERGY("dram", "the memory"),
	[PMC_ENERGY_PSYS] = ENERGY("psys", "the platform"),
};

static void list_kinds(void)
{
	enum pmc_energy_kind kind;

	nr_kinds = 0;
	metric_kind = PMC_ENERGY_NR;
	for (kind = 0; kind < PMC_ENERGY_NR; kind++) {
		if (!pmc_energy_has(kind))
			continue;
		if (metric_kind == PMC_ENERGY_NR || kind == PMC_ENERGY_PKG)
			metric_kind = kind;
		virtuals[nr_kinds] = all_virtuals[kind];
		kinds[nr_kinds++] = kind;
	}
	energy.nr_virtuals = nr_kinds;
	metric_step = pmc_energy_mj(pmc_energy_units[metric_kind]);
}

static int activate(void)
{
	unsigned int period_ms;
	int ret = pmc_energy_get();

	if (ret == -ENODEV)
		return pmc_module_error(ret,
					"this machine has no energy registers that are known: if its board has sensors, name them by energy.sensor");
	if (ret)
		return ret;
	list_kinds();
	period_ms = pmc_energy_period_ms();
	ticks_a_read = DIV_ROUND_UP(period_ms, REPORT_MS);
	ticks = 0;
	energy.tick_ms = period_ms / ticks_a_read;
	return 0;
}

static void thread_start(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	s->wanted = BIT(metric_kind);
}

static __always_inline void enter(struct state *s, enum pmc_energy_kind kind)
{
	const struct pmc_energy_domain *d;

	if (!(s->wanted & BIT(kind)))
		return;
	d = pmc_energy_domain_here(kind);
	if (d)
		s->since[kind] = pmc_energy_read(d);
}

static void switch_in(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	enter(s, PMC_ENERGY_CORE);
	enter(s, PMC_ENERGY_PKG);
	enter(s, PMC_ENERGY_DRAM);
	enter(s, PMC_ENERGY_PSYS);
	__this_cpu_write(running, t);
}

static void report_metric(struct pmc_module_thread *t, struct state *s, u64 spent)
{
	s->reported = spent;
	pmc_module_set_metric(t, PMC_METRIC_ENERGY,
			      pmc_energy_uj(spent - s->exec, pmc_energy_units[metric_kind]));
}

static __always_inline void leave(struct state *s, enum pmc_energy_kind kind)
{
	const struct pmc_energy_domain *d;

	if (!(s->wanted & BIT(kind)))
		return;
	d = pmc_energy_domain_here(kind);
	if (d)
		s->spent[kind] += pmc_energy_read(d) - s->since[kind];
}

static void switch_out(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	leave(s, PMC_ENERGY_CORE);
	leave(s, PMC_ENERGY_PKG);
	leave(s, PMC_ENERGY_DRAM);
	leave(s, PMC_ENERGY_PSYS);
	__this_cpu_write(running, NULL);
	if (s->spent[metric_kind] - s->reported >= metric_step)
		report_metric(t, s, s->spent[metric_kind]);
}

/* The energy so far of a thread that runs on this CPU, or on none */
static u64 spent_by(const struct pmc_module_thread *t, enum pmc_energy_kind kind)
{
	const struct state *s = (const void *)t->data;
	u64 spent = READ_ONCE(s->spent[kind]);
	const struct pmc_energy_domain *d;

	if (!t->loaded)
		return spent;
	d = pmc_energy_domain_here(kind);
	return d ? spent + pmc_energy_read(d) - s->since[kind] : spent;
}

/* The metric is that of the new program; the virtual counters go on. */
static void thread_exec(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	s->exec = spent_by(t, metric_kind);
	s->reported = s->exec;
}

/* Asked for the first time, on the CPU that the thread is on or comes to. */
static noinline void begin(const struct pmc_module_thread *t, enum pmc_energy_kind kind)
{
	struct state *s = (struct state *)t->data;

	s->wanted |= BIT(kind);
	if (t->loaded)
		enter(s, kind);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	const struct state *s = (const void *)t->data;
	enum pmc_energy_kind kind = kinds[i];

	if (unlikely(!(s->wanted & BIT(kind))))
		begin(t, kind);
	return pmc_energy_uj(spent_by(t, kind), pmc_energy_units[kind]);
}

static u64 read_cpu(unsigned int i)
{
	return pmc_energy_uj(pmc_energy_reported_here(kinds[i]),
			     pmc_energy_units[kinds[i]]);
}

/* For threads that are not switched out for long. */
static void report_here(void *unused)
{
	struct pmc_module_thread *t = __this_cpu_read(running);

	if (t)
		report_metric(t, (void *)t->data, spent_by(t, metric_kind));
}

static bool runs_one(int cpu, void *unused)
{
	return per_cpu(running, cpu);
}

static void tick(void)
{
	if (++ticks == ticks_a_read) {
		ticks = 0;
		pmc_energy_tick();
	}
	on_each_cpu_cond(runs_one, report_here, NULL, true);
}

static int set(const char *key, char *value)
{
	if (!strcmp(key, "sensor") || !strcmp(key, "sensor_ms"))
		return pmc_energy_set_sensor(key, value);
	return pmc_module_error(-EINVAL,
				"energy has the parameters sensor and sensor_ms, and no '%s'",
				key);
}

static struct monitoring_module energy = {
	.name = "energy",
	.description = "energy of cores, package, memory and platform",
	.owner = THIS_MODULE,
	.thread_size = sizeof(struct state),
	.virtuals = virtuals,
	.metrics = BIT(PMC_METRIC_ENERGY),
	.tick_ms = REPORT_MS,
	.activate = activate,
	.deactivate = pmc_energy_put,
	.thread_start = thread_start,
	.thread_exec = thread_exec,
	.switch_in = switch_in,
	.switch_out = switch_out,
	.read = read,
	.read_cpu = read_cpu,
	.tick = tick,
	.suspend = pmc_energy_suspend,
	.resume = pmc_energy_resume,
	.set = set,
	.show = pmc_energy_show_sensors,
};

/* What measures energy. Of two for one CPU and kind, the first one counts. */
static const struct pmc_energy_provider *const providers[] = {
	&pmc_energy_sensors,
#ifdef CONFIG_X86
	&pmc_energy_rapl,
#endif
#ifdef CONFIG_ARM64
	&pmc_energy_juno,
#endif
	NULL
};

static int __init energy_init(void)
{
	pmc_energy_set_providers(providers);
	memcpy(virtuals, all_virtuals, sizeof(virtuals));
	energy.nr_virtuals = ARRAY_SIZE(all_virtuals);
	return monitoring_module_register(&energy);
}

static void __exit energy_exit(void)
{
	monitoring_module_unregister(&energy);
	pmc_energy_drop_sensors();
}

module_init(energy_init);
module_exit(energy_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Energy of cores, package, memory and platform, for pmctrack");
