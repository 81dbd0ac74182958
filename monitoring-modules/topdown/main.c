// SPDX-License-Identifier: GPL-2.0
/*
 * Top-down analysis of each thread, of its last sample: slots are counted by
 * general counters, exactly, and not read from PERF_METRICS, whose fractions
 * have 8 bits. On core types that don't count slots there is no value.
 */
#include <base/compat.h>
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/time64.h>
#include <pmctrack/monitoring_module.h>

#include "topdown.h"

#define DEFAULT_PERIOD_MS	100
#define MAX_PERIOD_MS		10000

/**
 * struct state - what is kept of each thread
 * @core_type: core type of the last sample
 * @ratios: its ratios, by enum topdown_part, or PMC_NO_VALUE
 */
struct state {
	u32 core_type;
	u64 ratios[TOPDOWN_PARTS];
};

static unsigned int period_ms = DEFAULT_PERIOD_MS;
static struct monitoring_module topdown;

/* How each core type counts, NULL if it does not. */
static const struct topdown_model *models[64];

static void identify(void *arg)
{
	u32 *kind = arg;

	*kind = cpuid_eax(0) >= 0x1a ? cpuid_eax(0x1a) >> 24 : 0;
}

static const struct topdown_model *find_model(unsigned int core_type)
{
	const struct cpumask *cpus = pmc_module_core_type_cpus(core_type);
	const struct cpuinfo_x86 *c = &boot_cpu_data;
	u32 kind = 0;

	if (c->x86_vendor != X86_VENDOR_INTEL)
		return NULL;
	/* All cores of a hybrid processor have the same family and model. */
	if (smp_call_function_any(cpus, identify, &kind, 1))
		return NULL;
	return topdown_model(c->x86, c->x86_model, kind);
}

static int activate(void)
{
	unsigned int ct, nr = pmc_module_nr_core_types(), found = 0;
	int ret;

	for (ct = 0; ct < min_t(unsigned int, nr, ARRAY_SIZE(models)); ct++) {
		models[ct] = find_model(ct);
		if (!models[ct])
			continue;
		ret = pmc_module_add_set(&topdown, ct, models[ct]->events);
		if (ret < 0)
			return ret;
		found++;
	}
	if (!found)
		return pmc_module_error(-ENODEV,
					"topdown: these processors are not known to count slots");
	pmc_module_set_period(&topdown, period_ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static void no_value(struct state *s)
{
	int i;

	for (i = 0; i < TOPDOWN_PARTS; i++)
		WRITE_ONCE(s->ratios[i], PMC_NO_VALUE);
}

static void thread_start(struct pmc_module_thread *t)
{
	no_value((void *)t->data);
}

static void sample(struct pmc_module_thread *t,
		   const struct pmc_module_sample *sample)
{
	struct state *s = (void *)t->data;
	u64 ratios[TOPDOWN_PARTS];
	int i;

	/* A core type without a model, or whose CPUs were all offline, has none. */
	if (!sample->nr_counts ||
	    !topdown_ratios(models[sample->core_type], sample->counts, ratios)) {
		no_value(s);
		return;
	}
	WRITE_ONCE(s->core_type, sample->core_type);
	for (i = 0; i < TOPDOWN_PARTS; i++)
		WRITE_ONCE(s->ratios[i], ratios[i]);
}

/* Counts on another core type say nothing of this one. */
static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	const struct state *s = (const void *)t->data;

	if (READ_ONCE(s->core_type) != READ_ONCE(t->core_type))
		return PMC_NO_VALUE;
	return READ_ONCE(s->ratios[i]);
}

static int set(const char *key, char *value)
{
	unsigned int ms;

	if (strcmp(key, "period_ms"))
		return pmc_module_error(-EINVAL,
					"topdown has one parameter, period_ms, and no '%s'",
					key);
	if (kstrtouint(value, 0, &ms) || !ms || ms > MAX_PERIOD_MS)
		return pmc_module_error(-ERANGE,
					"topdown.period_ms is a number from 1 to %u",
					MAX_PERIOD_MS);
	period_ms = ms;
	pmc_module_set_period(&topdown, ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static void show(struct seq_file *m)
{
	pmc_module_show(m, "period_ms", "%u", period_ms);
}

#define RATIO(part, which, text)						\
	[part] = {								\
		.name = which,							\
		.unit = "",							\
		.description = text,						\
		.kind = PMC_VIRTUAL_RATIO,					\
		.scale = TOPDOWN_SCALE,						\
	}

static const struct pmc_virtual virtuals[TOPDOWN_PARTS] = {
	RATIO(TOPDOWN_RETIRING, "topdown_retiring",
	      "slots whose micro-operations retired, of all"),
	RATIO(TOPDOWN_BAD_SPECULATION, "topdown_bad_speculation",
	      "slots lost to wrong speculation"),
	RATIO(TOPDOWN_FRONTEND_BOUND, "topdown_frontend_bound",
	      "slots empty because of the frontend"),
	RATIO(TOPDOWN_BACKEND_BOUND, "topdown_backend_bound",
	      "slots empty because of the backend"),
};

static struct monitoring_module topdown = {
	.name = "topdown",
	.description = "where the slots of each thread go: top-down analysis, level 1",
	.owner = THIS_MODULE,
	.thread_size = sizeof(struct state),
	.virtuals = virtuals,
	.nr_virtuals = ARRAY_SIZE(virtuals),
	.activate = activate,
	.thread_start = thread_start,
	.sample = sample,
	.read = read,
	.set = set,
	.show = show,
};

static int __init topdown_init(void)
{
	return monitoring_module_register(&topdown);
}

static void __exit topdown_exit(void)
{
	monitoring_module_unregister(&topdown);
}

module_init(topdown_init);
module_exit(topdown_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Top-down analysis of each thread, level 1");
