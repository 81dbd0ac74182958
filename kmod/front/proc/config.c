// SPDX-License-Identifier: GPL-2.0
/* /proc/pmc/config: the settings, shown and set. */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "base/settings.h"
#include "front/proc/config.h"
#include "front/proc/line.h"
#include "metrics/module_api.h"

/* Models are set by lines of this file, too. */
#define LINE_MAX	SZ_4K

static int show(struct seq_file *m, void *unused)
{
	pmc_settings_show(m);
	pmc_module_params_show(m);
	return 0;
}

static int config_open(struct inode *inode, struct file *file)
{
	return pmc_seq_open(file, show);
}

/* "MODULE.key=value" is the module's. */
static int set(char *text)
{
	char *value = strchr(text, '='), *key = strchr(text, '.');

	if (!value || !key || key > value)
		return pmc_settings_set(text);
	*key++ = '\0';
	*value++ = '\0';
	return pmc_module_params_set(strim(text), strim(key), strim(value));
}

static ssize_t config_write(struct file *file, const char __user *buf,
			    size_t len, loff_t *pos)
{
	char *text = pmc_proc_line(file, buf, len, LINE_MAX);
	int ret;

	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = set(strim(text));
	kfree(text);
	return ret ?: len;
}

const struct proc_ops pmc_config_ops = {
	.proc_open = config_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = config_write,
};
