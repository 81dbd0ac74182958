// SPDX-License-Identifier: GPL-2.0
/*
 * A monitoring module to start from. It keeps, for each thread, how often it
 * was switched in and the instructions per cycle of its last sample: a virtual
 * counter that is a count, one that is a ratio, and a metric for schedulers.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/time64.h>
#include <pmctrack/monitoring_module.h>

/* Virtual counters, by their place in virtuals[]. */
enum {
	SWITCHES,
	IPC,
};

/* The state of each thread: the data[] of struct pmc_module_thread. */
struct state {
	u64 switches;
	u64 ipc;
};

static unsigned int period_ms = 100;
static struct monitoring_module template;

static int add_set(unsigned int core_type)
{
	char events[128];

	/* Numbers of events differ from core type to core type. */
	snprintf(events, sizeof(events), "%s:u:k,%s:u:k",
		 pmc_module_generic(core_type, PMC_GENERIC_INSTRUCTIONS),
		 pmc_module_generic(core_type, PMC_GENERIC_CYCLES));
	return pmc_module_add_set(&template, core_type, events);
}

static int activate(void)
{
	unsigned int ct;
	int ret;

	for (ct = 0; ct < pmc_module_nr_core_types(); ct++) {
		ret = add_set(ct);
		if (ret < 0)
			return ret;
	}
	pmc_module_set_period(&template, period_ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static void thread_start(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	s->ipc = PMC_NO_VALUE;
}

/* With the run-queue lock held: a few instructions, and nothing that waits. */
static void switch_in(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	s->switches++;
}

static void sample(struct pmc_module_thread *t,
		   const struct pmc_module_sample *sample)
{
	struct state *s = (void *)t->data;
	u64 instructions, cycles;

	/* A counter was taken away, by perf for example. */
	if (!sample->nr_counts) {
		s->ipc = PMC_NO_VALUE;
		return;
	}
	instructions = sample->counts[0];
	cycles = sample->counts[1];
	if (!cycles)
		return;
	s->ipc = div64_u64(instructions * 1000, cycles);
	pmc_module_set_metric(t, PMC_METRIC_IPC, s->ipc);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	const struct state *s = (const void *)t->data;

	return i == SWITCHES ? s->switches : s->ipc;
}

static int set(const char *key, char *value)
{
	unsigned int ms;

	if (strcmp(key, "period_ms"))
		return pmc_module_error(-EINVAL,
					"template has one parameter, period_ms, and no '%s'",
					key);
	if (kstrtouint(value, 0, &ms) || !ms || ms > 10000)
		return pmc_module_error(-ERANGE,
					"template.period_ms is a number from 1 to 10000");
	period_ms = ms;
	pmc_module_set_period(&template, ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static void show(struct seq_file *m)
{
	pmc_module_show(m, "period_ms", "%u", period_ms);
}

static const struct pmc_virtual virtuals[] = {
	[SWITCHES] = {
		.name = "template_switches",
		.unit = "",
		.description = "times the thread was switched in",
		.kind = PMC_VIRTUAL_COUNT,
		.scale = 1,
		.flags = PMC_VIRTUAL_UNPRIVILEGED,
	},
	[IPC] = {
		.name = "template_ipc",
		.unit = "",
		.description = "instructions per cycle in the last sample",
		.kind = PMC_VIRTUAL_RATIO,
		.scale = 1000,
	},
};

static struct monitoring_module template = {
	.name = "template",
	.description = "switches and IPC of each thread: a module to start from",
	.owner = THIS_MODULE,
	.thread_size = sizeof(struct state),
	.virtuals = virtuals,
	.nr_virtuals = ARRAY_SIZE(virtuals),
	.metrics = BIT(PMC_METRIC_IPC),
	.activate = activate,
	.thread_start = thread_start,
	.switch_in = switch_in,
	.sample = sample,
	.read = read,
	.set = set,
	.show = show,
};

static int __init template_init(void)
{
	return monitoring_module_register(&template);
}

static void __exit template_exit(void)
{
	monitoring_module_unregister(&template);
}

module_init(template_init);
module_exit(template_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A monitoring module to start from");
