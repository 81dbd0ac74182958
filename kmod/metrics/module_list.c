// SPDX-License-Identifier: GPL-2.0
/* The monitoring modules that are registered, and why a request to one was refused last. */
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "base/err.h"
#include "include/pmctrack/monitoring_module.h"
#include "metrics/module_list.h"

/* Registration, activation, parameters; which threads are monitored. */
DEFINE_MUTEX(pmc_modules_lock);
LIST_HEAD(pmc_modules);

static struct pmc_err last_error;

/**
 * pmc_module_error - say why something is refused
 * @code: negative error
 * @fmt: one line without a newline, as for printf()
 *
 * Context: From a module's activate and set, and under pmc_modules_lock.
 * Return: @code.
 */
int pmc_module_error(int code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	pmc_verr(&last_error, code, fmt, args);
	va_end(args);
	return code;
}
EXPORT_SYMBOL_GPL(pmc_module_error);

/**
 * pmc_modules_last_error - why something was refused last
 *
 * Context: Under pmc_modules_lock.
 * Return: one line, "" when the last request was not refused.
 */
const char *pmc_modules_last_error(void)
{
	return last_error.text;
}

/**
 * pmc_modules_clear_error - nothing is refused
 *
 * Context: Under pmc_modules_lock.
 */
void pmc_modules_clear_error(void)
{
	pmc_err_clear(&last_error);
}

/**
 * pmc_module_by_name - find a registered module
 * @name: its name, or its number
 * @len: length of @name
 *
 * Context: Under pmc_modules_lock.
 * Return: the module or NULL.
 */
struct pmc_module *pmc_module_by_name(const char *name, size_t len)
{
	struct pmc_module *m;
	char number[12];

	list_for_each_entry(m, &pmc_modules, link) {
		snprintf(number, sizeof(number), "%u", m->id);
		if ((strlen(m->mm->name) == len &&
		     !memcmp(m->mm->name, name, len)) ||
		    (strlen(number) == len && !memcmp(number, name, len)))
			return m;
	}
	return NULL;
}
