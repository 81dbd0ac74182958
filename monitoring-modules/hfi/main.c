// SPDX-License-Identifier: GPL-2.0
/*
 * Each CPU's performance and efficiency, as the processors report them by hardware
 * feedback, and, with Intel Thread Director, the class of the thread that runs on
 * it. Both change with temperature and power.
 *
 * A thread's class is known while classification is switched on, which Linux does
 * not do so far.
 */
#include <base/compat.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <pmctrack/monitoring_module.h>

#include "listen.h"
#include "tables.h"

#define MSR_HW_FEEDBACK_THREAD_CONFIG	0x17d4
#define MSR_THREAD_FEEDBACK_CHAR	0x17d2

#define THREAD_CONFIG_ENABLE	BIT_ULL(0)
#define CHAR_VALID		BIT_ULL(63)

#define TICK_MS	1000

/* Virtual counters, by their place in virtuals[]. */
enum {
	PERF,
	EFF,
	CLASS,
};

/* The class of what runs on this CPU, or PMC_NO_VALUE. */
static u64 class_here(void)
{
	u64 config, value;

	if (!hfi_layout.threads)
		return PMC_NO_VALUE;
	rdmsrq(MSR_HW_FEEDBACK_THREAD_CONFIG, config);
	if (!(config & THREAD_CONFIG_ENABLE))
		return PMC_NO_VALUE;
	rdmsrq(MSR_THREAD_FEEDBACK_CHAR, value);
	if (!(value & CHAR_VALID) || (value & 0xff) >= hfi_layout.classes)
		return PMC_NO_VALUE;
	return value & 0xff;
}

/* The feedback for this CPU; class 0 is that without Thread Director. */
static u64 capability_here(enum hfi_capability capability, u64 class)
{
	const struct hfi_cpu *c = this_cpu_ptr(&hfi_cpus);
	const u8 *table = READ_ONCE(c->table);
	u32 at = hfi_cell(&hfi_layout, c->row,
			  class == PMC_NO_VALUE ? 0 : class, capability);

	/* It has a time stamp as soon as the hardware has filled it in. */
	if (!table || !at || !READ_ONCE(*(const u64 *)table))
		return PMC_NO_VALUE;
	return READ_ONCE(table[at]);
}

static u64 value_here(unsigned int i)
{
	u64 class = class_here();

	switch (i) {
	case PERF:
		return capability_here(HFI_PERFORMANCE, class);
	case EFF:
		return capability_here(HFI_EFFICIENCY, class);
	default:
		return class;
	}
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	return value_here(i);
}

/* With Thread Director only. */
static void switch_out(struct pmc_module_thread *t)
{
	u64 class = class_here();

	if (class != PMC_NO_VALUE)
		pmc_module_set_metric(t, PMC_METRIC_CLASS, class);
}

static void tick(void)
{
	hfi_listen_drain();
	hfi_tables_update();
}

static int activate(void)
{
	int ret;

	if (!hfi_find())
		return pmc_module_error(-ENODEV,
					"hfi: these processors have no hardware feedback");
	ret = hfi_listen();
	if (ret)
		return pmc_module_error(ret,
					"hfi: the kernel has no thermal events (CONFIG_INTEL_HFI_THERMAL)");
	if (hfi_tables_update())
		return 0;
	hfi_listen_stop();
	return pmc_module_error(-ENODEV,
				"hfi: the kernel's driver has not enabled hardware feedback");
}

static void deactivate(void)
{
	hfi_listen_stop();
	hfi_tables_forget();
}

static void show(struct seq_file *m)
{
	pmc_module_show(m, "classes", "%u", hfi_layout.classes);
}

static const struct pmc_virtual virtuals[] = {
	[PERF] = {
		.name = "hfi_perf",
		.unit = "",
		.description = "performance of the CPU by hardware feedback, from 0 to 255",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1,
	},
	[EFF] = {
		.name = "hfi_eff",
		.unit = "",
		.description = "efficiency of the CPU by hardware feedback, from 0 to 255",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1,
	},
	[CLASS] = {
		.name = "hfi_class",
		.unit = "",
		.description = "class of the thread by Intel Thread Director",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1,
	},
};

static struct monitoring_module hfi = {
	.name = "hfi",
	.description = "performance and efficiency of CPUs by hardware feedback",
	.owner = THIS_MODULE,
	.virtuals = virtuals,
	.nr_virtuals = ARRAY_SIZE(virtuals),
	.tick_ms = TICK_MS,
	.activate = activate,
	.deactivate = deactivate,
	.read = read,
	.read_cpu = value_here,
	.tick = tick,
	.show = show,
};

static int __init hfi_init(void)
{
	/* Without it the module needs nothing of threads. */
	if (hfi_find() && hfi_layout.threads) {
		hfi.metrics = BIT(PMC_METRIC_CLASS);
		hfi.switch_out = switch_out;
	}
	return monitoring_module_register(&hfi);
}

static void __exit hfi_exit(void)
{
	monitoring_module_unregister(&hfi);
}

module_init(hfi_init);
module_exit(hfi_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Performance and efficiency of CPUs by hardware feedback");
