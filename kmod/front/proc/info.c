// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc/info: core types, their counters and events. */
#include <linux/cpumask.h>
#include <linux/seq_file.h>
#include "base/parse_evset.h"
#include "front/hooks/provider.h"
#include "front/proc/info.h"
#include "include/pmctrack/monitoring_module.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"
#include "pmu/uncore_encode.h"
#include "session/uncore.h"
#include "uapi/pmctrack.h"

/* Slots that are alike, on one line. */
static void show_counters(struct seq_file *m, const struct pmc_core_type *ct)
{
	unsigned int i, last;

	for (i = 0; i < ct->nr_hw; i = last + 1) {
		bool fixed = ct->fixed & BIT_ULL(i);
		bool interrupt = ct->interrupts & BIT_ULL(i);

		last = i;
		if (ct->absent & BIT_ULL(i))
			continue;
		while (!fixed && last + 1 < ct->nr_hw &&
		       !((ct->fixed | ct->absent) & BIT_ULL(last + 1)) &&
		       !!(ct->interrupts & BIT_ULL(last + 1)) == interrupt)
			last++;
		seq_printf(m, "counter %u pmc%u", ct->id, i);
		if (last > i)
			seq_printf(m, "-pmc%u", last);
		seq_printf(m, " %s %s%s\n", fixed ? "fixed" : "general",
			   fixed ? ct->fixed_names[hweight64(ct->fixed & (BIT_ULL(i) - 1))] :
				   "any",
			   interrupt ? " interrupt" : "");
	}
	for (i = 0; i < PMC_SW_NR; i++)
		seq_printf(m, "counter %u pmc%u software %s\n", ct->id,
			   pmc_first_software + i, pmc_sw_names[i]);
}

static void show_bits(struct seq_file *m, u64 bits, unsigned int base,
		      bool *first)
{
	for (; bits; bits &= bits - 1) {
		seq_printf(m, "%c0x%x", *first ? ' ' : ',',
			   base + (unsigned int)__ffs64(bits));
		*first = false;
	}
}

static void show_events(struct seq_file *m, const struct pmc_core_type *ct)
{
	bool first = true;

	if (!ct->common_known)
		return;
	seq_printf(m, "events %u", ct->id);
	show_bits(m, ct->common, 0, &first);
	show_bits(m, ct->common_ext, 0x4000, &first);
	seq_puts(m, "\n");
}

static int info_show(struct seq_file *m, void *unused)
{
	unsigned int i;

	seq_printf(m, "pmctrack " PMC_VERSION " uapi %u\n", PMC_UAPI_VERSION);
	seq_printf(m, "backend %s\n", pmc_backend->name);
	seq_printf(m, "exclusive %d\n", pmc_backend->exclusive);
	seq_printf(m, "hooks %s\n", pmc_hooks_name());
	seq_printf(m, "caliper %s\n", pmc_backend->direct ? "direct" : "call");
	seq_printf(m, "core_types %u\n", pmc_nr_core_types);
	for (i = 0; i < pmc_nr_core_types; i++) {
		const struct pmc_core_type *ct = &pmc_core_types[i];

		seq_printf(m, "core_type %u cpus %*pbl name %s pmu %s capacity %lu cpuid 0x%x\n",
			   i, cpumask_pr_args(&ct->cpus), ct->name, ct->pmu,
			   ct->capacity, ct->cpuid);
		if (ct->native_type)
			seq_printf(m, "native_type %u 0x%x\n", i,
				   ct->native_type);
		show_counters(m, ct);
		show_events(m, ct);
	}
	seq_printf(m, "fastest %u\n", pmc_module_fastest());
	seq_printf(m, "slowest %u\n", pmc_module_slowest());
	for (i = 0; i < PMC_UNCORE_NR; i++)
		seq_printf(m, "uncore %s pmu %s driver %s\n",
			   pmc_uncore_names[i],
			   pmc_uncore_known(i) ? pmc_uncore_formats[i].pmu : "none",
			   pmc_uncore_formats[i].driver);
	return 0;
}

/* Drivers are looked for while seq_file holds no lock: see pmc_uncore_look(). */
static int info_open(struct inode *inode, struct file *file)
{
	unsigned int i;

	for (i = 0; i < PMC_UNCORE_NR; i++)
		pmc_uncore_look(i);
	return single_open(file, info_show, NULL);
}

const struct proc_ops pmc_info_ops = {
	.proc_open = info_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};
