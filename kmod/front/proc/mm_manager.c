// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc/mm_manager: the monitoring modules, listed and activated. */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "front/proc/line.h"
#include "front/proc/mm_manager.h"
#include "include/pmctrack/monitoring_module.h"
#include "metrics/module_list.h"
#include "metrics/modules.h"

#define LINE_MAX	128

static int show(struct seq_file *m, void *unused)
{
	const struct pmc_module *module;

	mutex_lock(&pmc_modules_lock);
	seq_puts(m, "# id state users name description\n");
	list_for_each_entry(module, &pmc_modules, link)
		seq_printf(m, "%u %s %u %s %s\n", module->id,
			   module->active ? "active" : "inactive",
			   module->users, module->mm->name,
			   module->mm->description);
	if (pmc_modules_last_error()[0])
		seq_printf(m, "# last error: %s\n", pmc_modules_last_error());
	mutex_unlock(&pmc_modules_lock);
	return 0;
}

static int manager_open(struct inode *inode, struct file *file)
{
	return pmc_seq_open(file, show);
}

static int change(char *text)
{
	char *verb = strsep(&text, " \t"), *name = text ? strim(text) : "";
	struct pmc_module *m = pmc_module_by_name(name, strlen(name));
	bool on = !strcmp(verb, "activate");

	if (!on && strcmp(verb, "deactivate"))
		return pmc_module_error(-EINVAL,
					"write 'activate NAME' or 'deactivate NAME'");
	if (!m)
		return pmc_module_error(-ENOENT,
					"there is no monitoring module '%s': load it first (insmod pmc_%s.ko)",
					name, name);
	if (m->active == on)
		return pmc_module_error(on ? -EEXIST : -ENOENT,
					"module %s is %s already", m->mm->name,
					on ? "active" : "inactive");
	return on ? pmc_module_activate(m) : pmc_module_deactivate(m);
}

static ssize_t manager_write(struct file *file, const char __user *buf,
			     size_t len, loff_t *pos)
{
	char *text = pmc_proc_line(file, buf, len, LINE_MAX);
	int ret;

	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&pmc_modules_lock);
	ret = change(strim(text));
	if (ret)
		pr_notice("mm_manager: %s\n", pmc_modules_last_error());
	mutex_unlock(&pmc_modules_lock);
	kfree(text);
	return ret ?: len;
}

const struct proc_ops pmc_mm_manager_ops = {
	.proc_open = manager_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = manager_write,
};
