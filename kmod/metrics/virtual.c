// SPDX-License-Identifier: GPL-2.0
/* Virtual counters of a session: asked for by name, of the modules that are active. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "base/err.h"
#include "engine/module_notify.h"
#include "engine/virtual_read.h"
#include "include/pmctrack/monitoring_module.h"
#include "metrics/module_list.h"
#include "metrics/virtual.h"
#include "session/access.h"
#include "session/module_thread_ref.h"
#include "session/session.h"
#include "session/totals.h"

/* Sessions that use virtual counters; under pmc_modules_lock. */
static LIST_HEAD(users);

static const struct pmc_virtual *virtual_of(const struct pmc_virtual_use *use)
{
	return &use->mm->virtuals[use->nr];
}

/* Under pmc_modules_lock. */
static bool find(const char *name, struct pmc_virtual_use *use)
{
	struct pmc_module *m;
	unsigned int i;

	list_for_each_entry(m, &pmc_modules, link) {
		for (i = 0; i < m->mm->nr_virtuals; i++) {
			const struct pmc_virtual *v = &m->mm->virtuals[i];

			if (strcmp(v->name, name))
				continue;
			*use = (struct pmc_virtual_use){
				.module = m, .mm = m->mm, .nr = i,
				.slot = m->slot,
				.of_threads = pmc_module_monitors(m->mm),
				.count = v->kind == PMC_VIRTUAL_COUNT,
			};
			if (m->active)
				return true;
		}
	}
	return false;
}

static int check_right(struct pmc_session *s, const struct pmc_virtual *v)
{
	if (v->flags & PMC_VIRTUAL_UNPRIVILEGED)
		return pmc_may_count(s, false);
	if (!pmc_may_count_cpus(s))
		return 0;
	return pmc_err(&s->err, -EACCES,
		       "virtual counter %s covers more than your own programs: it needs CAP_PERFMON, or kernel.perf_event_paranoid below 1",
		       v->name);
}

static bool is_used(const struct pmc_session *s,
		    const struct pmc_virtual_use *use)
{
	unsigned int i;

	for (i = 0; i < s->consumer.nr_virtuals; i++)
		if (s->consumer.virtuals[i].module == use->module &&
		    s->consumer.virtuals[i].nr == use->nr)
			return true;
	return false;
}

/* A session's first counter of a module keeps the module from going. */
static int use_module(struct pmc_session *s, struct pmc_module *m)
{
	if (s->config.uses[m->slot])
		return 0;
	if (!try_module_get(m->mm->owner))
		return pmc_err(&s->err, -ENODEV, "module %s is being unloaded",
			       m->mm->name);
	m->users++;
	s->config.uses[m->slot] = m;
	list_move(&s->config.uses_link, &users);
	return 0;
}

static int not_found(struct pmc_session *s, const char *name,
		     const struct pmc_module *inactive)
{
	struct pmc_quoted q;

	if (inactive)
		return pmc_err(&s->err, -ENODEV,
			       "virtual counter %s is of module %s, which is not active: write 'activate %s' to /proc/pmc/mm_manager",
			       name, inactive->mm->name, inactive->mm->name);
	return pmc_err(&s->err, -ENOENT,
		       "no virtual counter %s: /proc/pmc/virtual lists those of the active modules",
		       pmc_quote(&q, name, strlen(name)));
}

static int add_one(struct pmc_session *s, const char *name)
{
	struct pmc_virtual_use use = { };
	int ret;

	if (!find(name, &use))
		return not_found(s, name, use.module);
	if (is_used(s, &use))
		return pmc_err(&s->err, -EEXIST,
			       "virtual counter %s is in this session already",
			       name);
	if (s->consumer.nr_virtuals == PMC_VIRTUALS_MAX)
		return pmc_err(&s->err, -ENOSPC,
			       "a session has at most %u virtual counters",
			       PMC_VIRTUALS_MAX);
	ret = check_right(s, virtual_of(&use)) ?: use_module(s, use.module);
	if (ret)
		return ret;
	s->consumer.virtuals[s->consumer.nr_virtuals++] = use;
	s->consumer.nr_virtual_counts += use.count;
	s->config.cpus |= !(virtual_of(&use)->flags & PMC_VIRTUAL_UNPRIVILEGED);
	return 0;
}

/**
 * pmc_session_add_virtuals - have virtual counters in the samples
 * @s: session that counts nothing; its lock is held
 * @names: their names, separated by commas; written to
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message; those
 * before the name at fault are added.
 */
int pmc_session_add_virtuals(struct pmc_session *s, char *names)
{
	char *name;
	int ret = 0;

	if (!s->config.uses) {
		s->config.uses = kcalloc(PMC_MODULES_MAX, sizeof(*s->config.uses),
					 GFP_KERNEL_ACCOUNT);
		s->consumer.virtuals = kcalloc(PMC_VIRTUALS_MAX, sizeof(*s->consumer.virtuals),
					       GFP_KERNEL_ACCOUNT);
	}
	if (!s->config.uses || !s->consumer.virtuals) {
		pmc_session_clear_virtuals(s);
		return -ENOMEM;
	}
	pmc_session_forget_totals(s);
	mutex_lock(&pmc_modules_lock);
	while (!ret && (name = strsep(&names, ",")))
		ret = add_one(s, strim(name));
	mutex_unlock(&pmc_modules_lock);
	return ret;
}

static void let_go(struct pmc_session *s)
{
	unsigned int i;

	mutex_lock(&pmc_modules_lock);
	list_del_init(&s->config.uses_link);
	for (i = 0; i < PMC_MODULES_MAX; i++) {
		if (!s->config.uses[i])
			continue;
		s->config.uses[i]->users--;
		module_put(s->config.uses[i]->mm->owner);
	}
	mutex_unlock(&pmc_modules_lock);
}

/**
 * pmc_session_clear_virtuals - forget the virtual counters
 * @s: session that counts nothing
 *
 * Context: May sleep.
 */
void pmc_session_clear_virtuals(struct pmc_session *s)
{
	pmc_session_forget_totals(s);
	if (s->config.uses)
		let_go(s);
	kfree(s->config.uses);
	kfree(s->consumer.virtuals);
	s->config.uses = NULL;
	s->consumer.virtuals = NULL;
	s->consumer.nr_virtuals = 0;
	s->consumer.nr_virtual_counts = 0;
}

/**
 * pmc_virtual_user - a session that uses virtual counters of a module
 * @m: module that has users
 *
 * Context: pmc_modules_lock is held, and the session is valid as long.
 */
const struct pmc_session *pmc_virtual_user(const struct pmc_module *m)
{
	const struct pmc_session *s;

	list_for_each_entry(s, &users, config.uses_link)
		if (s->config.uses[m->slot] == m)
			return s;
	return NULL;
}

/**
 * pmc_session_check_virtuals - are the virtual counters available for threads or CPUs
 * @s: session; its lock is held
 * @syswide: CPUs are to be counted, not threads
 *
 * Return: 0, or -EINVAL explained in the session's message.
 */
int pmc_session_check_virtuals(struct pmc_session *s, bool syswide)
{
	unsigned int i;

	for (i = 0; i < s->consumer.nr_virtuals; i++) {
		const struct pmc_virtual_use *use = &s->consumer.virtuals[i];

		if (syswide && !use->mm->read_cpu)
			return pmc_err(&s->err, -EINVAL,
				       "virtual counter %s is available for threads only: leave it out of system-wide counting",
				       virtual_of(use)->name);
		if (!syswide && !use->mm->read)
			return pmc_err(&s->err, -EINVAL,
				       "virtual counter %s is available for CPUs only: count CPUs ('syswide'), or leave it out",
				       virtual_of(use)->name);
	}
	return 0;
}
