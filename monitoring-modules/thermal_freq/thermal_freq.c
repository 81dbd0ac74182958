// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module "thermal_freq": the frequency of a core, the temperatures
 * of it and its package, and whether it is slowed down.
 *
 * A CPU's frequency is the average over the time it was not halted since the query
 * before. Processors that have no registers for it count cycles for threads: then
 * it is that of a thread's last sample, and CPUs have none.
 *
 * All are levels of the CPU, so a thread that is not running has none of them.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/time64.h>
#include "decode.h"
#include "registers.h"

/* How often sensors are looked at; how often threads' cycles are. */
#define TICK_MS		100
#define PERIOD_NS	(100 * NSEC_PER_MSEC)

/* A cycle each nanosecond */
#define GHZ_IN_KHZ	1000000

/**
 * struct state - a thread
 * @khz: its frequency by the cycles it took; 0: not known
 * @core_type: the core type on which it took them
 */
struct state {
	u64 khz;
	u32 core_type;
};

static struct monitoring_module thermal_freq;
static bool active;
/* By counted cycles, for want of registers. */
static bool by_cycles;

/**
 * struct value - a virtual counter that the machine has
 * @what: which
 * @sensor: by sensors of the board, which have precedence on their CPUs
 * @reg: by registers
 */
struct value {
	enum what what;
	bool sensor;
	bool reg;
};

static struct value values[NR_WHAT];
static unsigned int nr_values;
static struct pmc_virtual virtuals[NR_WHAT];

static const struct pmc_virtual all_virtuals[] = {
	[FREQ] = {
		.name = "freq",
		.unit = "MHz",
		.description = "average frequency while not halted",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1000,
	},
	[TEMP_CORE] = {
		.name = "temp_core",
		.unit = "degC",
		.description = "temperature of the core",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1000,
	},
	[TEMP_PKG] = {
		.name = "temp_pkg",
		.unit = "degC",
		.description = "temperature of the package",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1000,
	},
	[THROTTLED] = {
		.name = "throttled",
		.unit = "",
		.description = "reasons why it is slowed down, one bit each: 1 heat, 8 power",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1,
	},
};

/* Return: has every core type an event for it? */
static bool can_count_cycles(void)
{
	unsigned int ct;

	for (ct = 0; ct < pmc_module_nr_core_types(); ct++)
		if (!pmc_module_generic(ct, PMC_GENERIC_CYCLES))
			return false;
	return pmc_module_nr_core_types();
}

static bool is_there(enum what what)
{
	return has_register(what) || has_sensor(what) ||
	       (what == FREQ && by_cycles);
}

static void list_values(void)
{
	enum what what;

	nr_values = 0;
	for (what = 0; what < NR_WHAT; what++) {
		if (!is_there(what))
			continue;
		virtuals[nr_values] = all_virtuals[what];
		values[nr_values++] = (struct value){
			what, has_sensor(what), has_register(what),
		};
	}
	thermal_freq.nr_virtuals = nr_values;
}

static int count_cycles(void)
{
	unsigned int ct;
	char events[32];
	int ret;

	for (ct = 0; ct < pmc_module_nr_core_types(); ct++) {
		snprintf(events, sizeof(events), "%s:u:k",
			 pmc_module_generic(ct, PMC_GENERIC_CYCLES));
		ret = pmc_module_add_set(&thermal_freq, ct, events);
		if (ret < 0)
			return ret;
	}
	pmc_module_set_period(&thermal_freq, PERIOD_NS);
	return 0;
}

static int activate(void)
{
	int ret;

	by_cycles = !has_register(FREQ) && can_count_cycles();
	list_values();
	if (!nr_values)
		return pmc_module_error(-ENODEV,
					"this machine has no registers of frequency or temperature that are known: if it shows temperatures in files, name them by thermal_freq.sensor");
	ret = by_cycles ? count_cycles() : 0;
	if (ret)
		return ret;
	forget_registers();
	look_at_sensors();
	active = true;
	return 0;
}

static void deactivate(void)
{
	active = false;
}

static void sample(struct pmc_module_thread *t,
		   const struct pmc_module_sample *sample)
{
	struct state *s = (void *)t->data;

	if (!sample->running)
		return;
	WRITE_ONCE(s->core_type, sample->core_type);
	WRITE_ONCE(s->khz, sample->nr_counts ?
			   frequency_khz(sample->counts[0], sample->running,
					 GHZ_IN_KHZ) : 0);
}

static u64 read_cpu(unsigned int i)
{
	u64 value;

	if (values[i].sensor && read_sensor(values[i].what, &value))
		return value;
	return values[i].reg ? read_register(values[i].what) : PMC_NO_VALUE;
}

/* Cycles on another core type say nothing of this one. */
static u64 khz_by_cycles(const struct pmc_module_thread *t)
{
	const struct state *s = (const void *)t->data;
	u64 khz = READ_ONCE(s->khz);

	if (READ_ONCE(s->core_type) != READ_ONCE(t->core_type))
		return PMC_NO_VALUE;
	return khz ?: PMC_NO_VALUE;
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	if (by_cycles && values[i].what == FREQ)
		return khz_by_cycles(t);
	/* A thread that is on no CPU has no value. */
	return t->task == current ? read_cpu(i) : PMC_NO_VALUE;
}

static int set(const char *key, char *value)
{
	if (strcmp(key, "sensor"))
		return pmc_module_error(-EINVAL,
					"thermal_freq has one parameter, sensor, and no '%s'",
					key);
	if (active)
		return pmc_module_error(-EBUSY,
					"deactivate thermal_freq before you change its sensors");
	if (strcmp(value, "none"))
		return add_sensor(value);
	drop_sensors();
	return 0;
}

static struct monitoring_module thermal_freq = {
	.name = "thermal_freq",
	.description = "frequency and temperature of cores and packages",
	.owner = THIS_MODULE,
	.thread_size = sizeof(struct state),
	.virtuals = virtuals,
	.tick_ms = TICK_MS,
	.activate = activate,
	.deactivate = deactivate,
	.sample = sample,
	.read = read,
	.read_cpu = read_cpu,
	.tick = look_at_sensors,
	.resume = forget_registers,
	.set = set,
	.show = show_sensors,
};

static int __init thermal_freq_init(void)
{
	memcpy(virtuals, all_virtuals, sizeof(virtuals));
	thermal_freq.nr_virtuals = ARRAY_SIZE(all_virtuals);
	return monitoring_module_register(&thermal_freq);
}

static void __exit thermal_freq_exit(void)
{
	monitoring_module_unregister(&thermal_freq);
	drop_sensors();
}

module_init(thermal_freq_init);
module_exit(thermal_freq_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Frequency and temperature of cores and packages, for pmctrack");
