// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that the module makes with the kernel's rights: requests of clients whose rights are
 * checked already, and reads of files in /proc and /sys.
 */
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/export.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/kernel.h>
#include <linux/path.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <base/compat.h>
#include "base/kernel_cred.h"
#include "include/pmctrack/monitoring_module.h"

/**
 * pmc_kernel_creds_begin - go on with the kernel's credentials
 *
 * For a client's request whose rights are checked: other parts of the kernel
 * would check again, by other rules.
 *
 * Context: Process context, may sleep.
 * Return: the caller's own for pmc_kernel_creds_end(), or NULL: no memory.
 */
const struct cred *pmc_kernel_creds_begin(void)
{
	struct cred *kernel = prepare_kernel_cred(&init_task);

	return kernel ? override_creds(kernel) : NULL;
}

/**
 * pmc_kernel_creds_end - go on with one's own credentials
 * @own: from pmc_kernel_creds_begin()
 */
void pmc_kernel_creds_end(const struct cred *own)
{
	const struct cred *kernel = current_cred();

	revert_creds(own);
	put_cred(kernel);
}

/*
 * In the first process's view of the file system: in their own, users can put
 * any file at that path.
 */
static struct file *open_setting(const char *path)
{
	struct file *file = ERR_PTR(-ENOMEM);
	const struct cred *own;
	struct path root;

	pmc_get_system_root(&root);
	own = pmc_kernel_creds_begin();
	if (own) {
		file = file_open_root(&root, path, O_RDONLY, 0);
		pmc_kernel_creds_end(own);
	}
	path_put(&root);
	return file;
}

/**
 * pmc_module_read_number - read a number that the kernel shows in /proc or /sys
 * @path: the file, without the first slash
 * @value: out: the number
 *
 * For monitoring modules, too: for hardware whose driver has no other interface.
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_module_read_number(const char *path, s64 *value)
{
	struct file *file;
	char text[24];
	loff_t pos = 0;
	ssize_t len;

	file = open_setting(path);
	if (IS_ERR(file))
		return PTR_ERR(file);
	len = kernel_read(file, text, sizeof(text) - 1, &pos);
	fput(file);
	if (len < 0)
		return len;
	text[len] = '\0';
	return kstrtos64(strim(text), 10, value);
}
EXPORT_SYMBOL_GPL(pmc_module_read_number);

/**
 * pmc_read_setting - the same for a number that fits
 * @path: the file, without the first slash
 * @value: out: the number
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_read_setting(const char *path, int *value)
{
	s64 number;
	int ret = pmc_module_read_number(path, &number);

	if (ret)
		return ret;
	if (number != (int)number)
		return -ERANGE;
	*value = number;
	return 0;
}
