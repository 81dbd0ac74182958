// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module "energy": virtual counters energy_core, energy_pkg,
 * energy_dram and energy_psys, those of them that the machine can measure, and
 * the metric PMC_METRIC_ENERGY.
 *
 * Of a thread it tells all that the core, package, memory or platform spent
 * while the thread ran, on whatever else, too: no register says whose it was.
 * Of a CPU, all that they spent; of CPUs that share them one tells it and the
 * others tell 0.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <pmctrack/monitoring_module.h>
#include "meter.h"

/**
 * struct state - a thread
 * @running: it runs, since
 * @wanted: kinds that are measured, BIT() each: that of the metric, and each one
 *	from when it is asked for first. Registers are slow to read
 * @since: had this CPU's domains spent so much
 * @spent: what they spent while it ran before
 * @told: what the scheduler knows of it
 *
 * In the kinds' units, so that no conversion loses anything.
 */
struct state {
	bool running;
	u8 wanted;
	u64 since[PMC_ENERGY_NR];
	u64 spent[PMC_ENERGY_NR];
	u64 told;
};

static struct monitoring_module energy;
/* What there is, in the order of the virtual counters. */
static enum pmc_energy_kind kinds[PMC_ENERGY_NR];
static unsigned int nr_kinds;
static struct pmc_virtual virtuals[PMC_ENERGY_NR];
/* The one that the scheduler is told of, each time it has grown by a millijoule. */
static enum pmc_energy_kind metric_kind;
static u64 metric_step;

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
	int ret = pmc_energy_get();

	if (ret == -ENODEV)
		return pmc_module_error(ret,
					"this machine has no energy registers that are known: if its board has sensors, name them by energy.sensor");
	if (ret)
		return ret;
	list_kinds();
	energy.tick_ms = pmc_energy_period_ms();
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
		s->since[kind] = pmc_energy_look(d);
}

static void switch_in(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	enter(s, PMC_ENERGY_CORE);
	enter(s, PMC_ENERGY_PKG);
	enter(s, PMC_ENERGY_DRAM);
	enter(s, PMC_ENERGY_PSYS);
	s->running = true;
}

static void tell_scheduler(struct pmc_module_thread *t, struct state *s)
{
	s->told = s->spent[metric_kind];
	pmc_module_set_metric(t, PMC_METRIC_ENERGY,
			      pmc_energy_uj(s->told, pmc_energy_units[metric_kind]));
}

static __always_inline void leave(struct state *s, enum pmc_energy_kind kind)
{
	const struct pmc_energy_domain *d;

	if (!(s->wanted & BIT(kind)))
		return;
	d = pmc_energy_domain_here(kind);
	if (d)
		s->spent[kind] += pmc_energy_look(d) - s->since[kind];
}

static void switch_out(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	leave(s, PMC_ENERGY_CORE);
	leave(s, PMC_ENERGY_PKG);
	leave(s, PMC_ENERGY_DRAM);
	leave(s, PMC_ENERGY_PSYS);
	s->running = false;
	if (s->spent[metric_kind] - s->told >= metric_step)
		tell_scheduler(t, s);
}

/* Somebody asks for the first time, on the CPU that the thread is on or comes to. */
static noinline void begin(struct state *s, enum pmc_energy_kind kind)
{
	s->wanted |= BIT(kind);
	if (s->running)
		enter(s, kind);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	struct state *s = (struct state *)t->data;
	enum pmc_energy_kind kind = kinds[i];
	const struct pmc_energy_domain *d;
	u64 spent;

	if (unlikely(!(s->wanted & BIT(kind))))
		begin(s, kind);
	spent = READ_ONCE(s->spent[kind]);
	if (s->running) {
		d = pmc_energy_domain_here(kind);
		if (d)
			spent += pmc_energy_look(d) - s->since[kind];
	}
	return pmc_energy_uj(spent, pmc_energy_units[kind]);
}

static u64 read_cpu(unsigned int i)
{
	return pmc_energy_uj(pmc_energy_told_here(kinds[i]),
			     pmc_energy_units[kinds[i]]);
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
	.tick_ms = 1000,
	.activate = activate,
	.deactivate = pmc_energy_put,
	.thread_start = thread_start,
	.switch_in = switch_in,
	.switch_out = switch_out,
	.read = read,
	.read_cpu = read_cpu,
	.tick = pmc_energy_tick,
	.suspend = pmc_energy_suspend,
	.resume = pmc_energy_resume,
	.set = set,
	.show = pmc_energy_show_sensors,
};

static int __init energy_init(void)
{
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
