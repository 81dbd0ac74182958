// SPDX-License-Identifier: GPL-2.0
/*
 * Speedup factor by sampling: how many instructions a thread executes in a
 * second on the fastest core type and on the slowest, as running averages; the
 * factor is known once it was on both. It needs no model, and is as good as what
 * is remembered of the other core type: a new phase of the program makes that
 * worthless until the thread is there again.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <pmctrack/monitoring_module.h>
#include "../average.h"
#include "settings.h"

/**
 * struct speed - on a core type
 * @average: running average of instructions per millisecond
 * @known: by so much of a period, thousandths, until it is KNOWN
 */
struct speed {
	u64 average;
	u64 known;
};

/* Half a period, thousandths: shorter samples begin no phase. */
#define KNOWN	500

/**
 * struct state - what is kept for each thread
 * @sf: speedup factor, thousandths
 * @speed: of each core type
 */
struct state {
	u64 sf;
	struct speed speed[];
};

static struct monitoring_module ipc_sampling_sf;
static unsigned int period_ms = 200;
static unsigned int weight = SETTINGS_WEIGHT;
static unsigned int threshold = SETTINGS_THRESHOLD;
/*
 * Samples of fewer instructions are not used: too many of them are the kernel's own,
 * as of the switch or the migration that ended the sample.
 */
static unsigned int least_instructions = 100000;

static struct state *state_of(struct pmc_module_thread *t)
{
	return (void *)t->data;
}

/* The counts of a core type's one event set. */
enum {
	INSTRUCTIONS,
	CYCLES,
};

static int add_set(unsigned int core_type)
{
	const char *instructions = pmc_module_generic(core_type,
						      PMC_GENERIC_INSTRUCTIONS);
	const char *cycles = pmc_module_generic(core_type, PMC_GENERIC_CYCLES);
	char events[128];
	int ret;

	if (!instructions || !cycles)
		return pmc_module_error(-ENODEV,
					"ipc_sampling_sf: core type %u counts no instructions, or no cycles",
					core_type);
	snprintf(events, sizeof(events), "%s:u:k,%s:u:k", instructions, cycles);
	ret = pmc_module_add_set(&ipc_sampling_sf, core_type, events);
	return ret < 0 ? ret : 0;
}

static int activate(void)
{
	unsigned int ct;
	int ret;

	if (pmc_module_fastest() == pmc_module_slowest())
		return pmc_module_error(-ENODEV,
					"ipc_sampling_sf: all cores of this machine are of one type, %s",
					pmc_module_core_type_name(0));
	for (ct = 0; ct < pmc_module_nr_core_types(); ct++) {
		ret = add_set(ct);
		if (ret)
			return ret;
	}
	pmc_module_set_period(&ipc_sampling_sf, period_ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static void thread_start(struct pmc_module_thread *t)
{
	state_of(t)->sf = PMC_NO_VALUE;
}

/* Another program: nothing is known of it. */
static void thread_exec(struct pmc_module_thread *t)
{
	struct state *s = state_of(t);

	s->sf = PMC_NO_VALUE;
	memset(s->speed, 0, pmc_module_nr_core_types() * sizeof(s->speed[0]));
}

/*
 * A sample has the weight of its part of a period. One that ends early, as by a
 * migration, may be the last one on a core type for long, and much of it may be the
 * kernel's.
 */
static void add_speed(struct speed *s, u64 speed, u64 running)
{
	u64 part = min_t(u64, div_u64(running, READ_ONCE(period_ms) * 1000), 1000);

	if (!part)
		return;
	if (s->known >= KNOWN) {
		pmc_average_add(&s->average, speed, weight * (u32)part / 1000,
				part < KNOWN ? U32_MAX : threshold);
		return;
	}
	s->average = div64_u64(s->average * s->known + speed * part, s->known + part);
	s->known += part;
}

static void sample(struct pmc_module_thread *t,
		   const struct pmc_module_sample *sample)
{
	struct state *s = state_of(t);
	const struct speed *fast = &s->speed[pmc_module_fastest()];
	const struct speed *slow = &s->speed[pmc_module_slowest()];
	u64 instructions, cycles;

	if (sample->nr_counts <= CYCLES)
		return;
	instructions = sample->counts[INSTRUCTIONS];
	cycles = sample->counts[CYCLES];
	if (instructions < least_instructions || !sample->running || !cycles)
		return;
	pmc_module_set_metric(t, PMC_METRIC_IPC,
			      div64_u64(instructions * 1000, cycles));
	add_speed(&s->speed[sample->core_type],
		  div64_u64(instructions * NSEC_PER_MSEC, sample->running),
		  sample->running);
	if (fast->known < KNOWN || slow->known < KNOWN || !slow->average)
		return;
	s->sf = div64_u64(fast->average * 1000 + slow->average / 2, slow->average);
	pmc_module_set_metric(t, PMC_METRIC_SPEEDUP_FACTOR, s->sf);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	return ((const struct state *)t->data)->sf;
}

static const struct parameter {
	const char *key;
	unsigned int *value;
	unsigned int most;
} parameters[] = {
	{ "period_ms", &period_ms, 10000 },
	{ "weight", &weight, 1000 },
	{ "threshold", &threshold, 100000 },
	{ "instructions", &least_instructions, 1000000000 },
};

static int set(const char *key, char *value)
{
	const struct parameter *p;
	unsigned int n;

	for (p = parameters; p < parameters + ARRAY_SIZE(parameters); p++) {
		if (strcmp(key, p->key))
			continue;
		if (kstrtouint(value, 0, &n) || !n || n > p->most)
			return pmc_module_error(-ERANGE,
						"ipc_sampling_sf.%s=%.32s: it is a number from 1 to %u",
						key, value, p->most);
		*p->value = n;
		if (p->value == &period_ms)
			pmc_module_set_period(&ipc_sampling_sf,
					      n * (u64)NSEC_PER_MSEC);
		return 0;
	}
	return pmc_module_error(-EINVAL,
				"ipc_sampling_sf.%.32s: no such parameter; there are period_ms, weight, threshold and instructions",
				key);
}

static void show(struct seq_file *m)
{
	const struct parameter *p;

	for (p = parameters; p < parameters + ARRAY_SIZE(parameters); p++)
		pmc_module_show(m, p->key, "%u", *p->value);
}

static const struct pmc_virtual virtuals[] = {
	{
		.name = "sf_sampled",
		.unit = "",
		.description = "speedup factor of the thread, from its speed on both core types",
		.kind = PMC_VIRTUAL_RATIO,
		.scale = 1000,
		.flags = PMC_VIRTUAL_ESTIMATED,
	},
};

static struct monitoring_module ipc_sampling_sf = {
	.name = "ipc_sampling_sf",
	.description = "speedup factor from a thread's speed on both core types",
	.owner = THIS_MODULE,
	.virtuals = virtuals,
	.nr_virtuals = ARRAY_SIZE(virtuals),
	.metrics = BIT(PMC_METRIC_SPEEDUP_FACTOR) | BIT(PMC_METRIC_IPC),
	.activate = activate,
	.thread_start = thread_start,
	.thread_exec = thread_exec,
	.sample = sample,
	.read = read,
	.set = set,
	.show = show,
};

static int __init ipc_sampling_sf_init(void)
{
	ipc_sampling_sf.thread_size = sizeof(struct state) +
				      pmc_module_nr_core_types() * sizeof(struct speed);
	return monitoring_module_register(&ipc_sampling_sf);
}

static void __exit ipc_sampling_sf_exit(void)
{
	monitoring_module_unregister(&ipc_sampling_sf);
}

module_init(ipc_sampling_sf_init);
module_exit(ipc_sampling_sf_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Speedup factor of threads by sampling their speed on both core types");
