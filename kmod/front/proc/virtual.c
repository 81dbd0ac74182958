// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc/virtual: the virtual counters of the active monitoring modules. */
#include <linux/fs.h>
#include <linux/seq_file.h>
#include "front/proc/line.h"
#include "front/proc/virtual.h"
#include "include/pmctrack/monitoring_module.h"
#include "metrics/module_list.h"

static const char *const kinds[] = {
	[PMC_VIRTUAL_COUNT] = "count",
	[PMC_VIRTUAL_LEVEL] = "level",
	[PMC_VIRTUAL_RATIO] = "ratio",
};

static void show_flag(struct seq_file *m, bool set, const char *name,
		      const char **before)
{
	if (!set)
		return;
	seq_printf(m, "%s%s", *before, name);
	*before = ",";
}

static void show_flags(struct seq_file *m, const struct monitoring_module *mm,
		       u32 flags)
{
	const char *before = "";

	show_flag(m, mm->read, "threads", &before);
	show_flag(m, mm->read_cpu, "syswide", &before);
	show_flag(m, flags & PMC_VIRTUAL_ESTIMATED, "estimated", &before);
	show_flag(m, flags & PMC_VIRTUAL_SHARED, "shared", &before);
	show_flag(m, flags & PMC_VIRTUAL_UNPRIVILEGED, "unprivileged", &before);
	if (!before[0])
		seq_putc(m, '-');
}

static void show_module(struct seq_file *m, const struct monitoring_module *mm)
{
	unsigned int i;

	for (i = 0; i < mm->nr_virtuals; i++) {
		const struct pmc_virtual *v = &mm->virtuals[i];

		seq_printf(m, "%s %s %s %s %u ", v->name, mm->name,
			   kinds[v->kind], v->unit[0] ? v->unit : "-",
			   v->scale);
		show_flags(m, mm, v->flags);
		seq_printf(m, " %s\n", v->description);
	}
}

static int show(struct seq_file *m, void *unused)
{
	const struct pmc_module *module;

	seq_puts(m, "# name module kind unit scale flags description\n");
	mutex_lock(&pmc_modules_lock);
	list_for_each_entry(module, &pmc_modules, link)
		if (module->active)
			show_module(m, module->mm);
	mutex_unlock(&pmc_modules_lock);
	return 0;
}

static int virtual_open(struct inode *inode, struct file *file)
{
	return pmc_seq_open(file, show);
}

const struct proc_ops pmc_virtual_ops = {
	.proc_open = virtual_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};
