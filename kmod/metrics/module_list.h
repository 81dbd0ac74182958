/* SPDX-License-Identifier: GPL-2.0 */
/* The monitoring modules that are registered. */
#ifndef PMC_MODULE_LIST_H
#define PMC_MODULE_LIST_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct monitoring_module;
struct pmc_session;

/**
 * struct pmc_module - a registered monitoring module
 * @mm: its own description
 * @link: in the list of modules
 * @id: number to call it by, from 1
 * @slot: place among the active ones
 * @active: it monitors
 * @users: sessions that use its virtual counters
 * @period: sampling period of the threads it monitors, ns; 0: none
 * @session: by which it counts, while it is being activated or active
 * @tick: calls its tick
 *
 * Belongs to pmc_modules_lock, except for the fields that @session's threads use.
 */
struct pmc_module {
	struct monitoring_module *mm;
	struct list_head link;
	unsigned int id;
	unsigned int slot;
	bool active;
	unsigned int users;
	u64 period;
	struct pmc_session *session;
	struct delayed_work tick;
};

extern struct mutex pmc_modules_lock;
extern struct list_head pmc_modules;

/* Under pmc_modules_lock. */
struct pmc_module *pmc_module_by_name(const char *name, size_t len);
const char *pmc_modules_last_error(void);
void pmc_modules_clear_error(void);

#endif /* PMC_MODULE_LIST_H */
