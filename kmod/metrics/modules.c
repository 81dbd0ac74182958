// SPDX-License-Identifier: GPL-2.0
/*
 * Monitoring modules: registered and unregistered at run time, activated and
 * deactivated by the administrator, several at once as long as no two want the
 * same counters, provide the same metric or have virtual counters of one name.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "base/err.h"
#include "base/work.h"
#include "engine/evset_counters.h"
#include "include/pmctrack/monitoring_module.h"
#include "include/pmctrack/scheduler.h"
#include "metrics/module_list.h"
#include "metrics/modules.h"
#include "metrics/scheduler.h"
#include "metrics/virtual.h"
#include "pmu/coretypes.h"
#include "session/module_thread_ref.h"
#include "session/session.h"
#include "session/session_life.h"
#include "session/session_prepare.h"

static struct pmc_module *active[PMC_MODULES_MAX];

/* A metric or setting of a module that an active one has, too. */
static int check_provides(const struct pmc_module *m)
{
	const struct monitoring_module *mm = m->mm;
	const struct pmc_module *other;
	unsigned int i, j;

	list_for_each_entry(other, &pmc_modules, link) {
		if (!other->active)
			continue;
		if (other->mm->metrics & mm->metrics)
			return pmc_module_error(-EBUSY,
						"modules %s and %s both provide the scheduler's metric %llu: deactivate %s first",
						mm->name, other->mm->name,
						(u64)__ffs64(other->mm->metrics &
							     mm->metrics),
						other->mm->name);
		for (i = 0; i < mm->nr_virtuals; i++)
			for (j = 0; j < other->mm->nr_virtuals; j++)
				if (!strcmp(mm->virtuals[i].name,
					    other->mm->virtuals[j].name))
					return pmc_module_error(-EBUSY,
								"modules %s and %s both have a virtual counter %s: deactivate %s first",
								mm->name,
								other->mm->name,
								mm->virtuals[i].name,
								other->mm->name);
	}
	return 0;
}

/* Two modules may monitor one thread: no counter can be set two ways. */
static int check_counters(const struct pmc_module *m)
{
	const struct pmc_module *other;

	list_for_each_entry(other, &pmc_modules, link)
		if (other->active &&
		    pmc_rotations_conflict(m->session->consumer.rotation,
					   other->session->consumer.rotation, pmc_nr_core_types))
			return pmc_module_error(-EBUSY,
						"modules %s and %s both need the same counters: deactivate %s first, or give one of them fewer events",
						m->mm->name, other->mm->name,
						other->mm->name);
	return 0;
}

static void run_tick(struct work_struct *work)
{
	struct pmc_module *m = container_of(to_delayed_work(work),
					    struct pmc_module, tick);

	m->mm->tick();
	queue_delayed_work(pmc_wq, &m->tick,
			   msecs_to_jiffies(m->mm->tick_ms));
}

static int free_slot(void)
{
	unsigned int i;

	for (i = 0; i < PMC_MODULES_MAX; i++)
		if (!active[i])
			return i;
	return pmc_module_error(-ENOSPC, "%u modules are active, the most",
				PMC_MODULES_MAX);
}

static void close_session(struct pmc_module *m)
{
	struct pmc_session *s = m->session;

	m->session = NULL;
	pmc_session_destroy(s);
}

/* Its session's message may explain more. */
static int prepare(struct pmc_module *m)
{
	struct pmc_session *s = m->session;
	int ret;

	pmc_err_clear(&s->err);
	ret = pmc_session_prepare_module(s);
	if (ret && s->err.text[0])
		return pmc_module_error(ret, "module %s: %s", m->mm->name,
					s->err.text);
	return ret;
}

/**
 * pmc_module_activate - let a module monitor
 * @m: module that is not active
 *
 * Context: May sleep; pmc_modules_lock is held.
 * Return: 0, or a negative error explained in the last error.
 */
int pmc_module_activate(struct pmc_module *m)
{
	int slot = free_slot(), ret;

	if (slot < 0)
		return slot;
	ret = check_provides(m);
	if (ret)
		return ret;
	m->session = pmc_session_create_internal();
	if (IS_ERR(m->session)) {
		m->session = NULL;
		return pmc_module_error(-ENOMEM, "out of memory");
	}
	m->session->owner.mm = m->mm;
	m->slot = slot;
	m->period = 0;
	pmc_modules_clear_error();
	ret = m->mm->activate ? m->mm->activate() : 0;
	if (ret)
		goto close;
	ret = check_counters(m) ?: prepare(m);
	if (ret)
		goto deactivate;
	active[slot] = m;
	m->active = true;
	pmc_scheduler_module_up(m);
	if (m->mm->tick && m->mm->tick_ms)
		queue_delayed_work(pmc_wq, &m->tick,
				   msecs_to_jiffies(m->mm->tick_ms));
	pmc_modules_clear_error();
	return 0;
deactivate:
	if (m->mm->deactivate)
		m->mm->deactivate();
close:
	close_session(m);
	if (!pmc_modules_last_error()[0])
		pmc_module_error(ret, "module %s can't be activated here: error %d",
				 m->mm->name, -ret);
	return ret;
}

static void deactivate(struct pmc_module *m)
{
	cancel_delayed_work_sync(&m->tick);
	pmc_scheduler_module_down(m);
	active[m->slot] = NULL;
	m->active = false;
	pmc_session_stop(m->session);
	if (m->mm->deactivate)
		m->mm->deactivate();
	close_session(m);
}

/*
 * Name a process that the administrator can end. Its session may have been handed on; a process
 * that has ended is not named, as another one may have its number.
 */
static int refuse_in_use(const struct pmc_module *m)
{
	struct pid *opener = pmc_virtual_user(m)->owner.process;
	pid_t pid = pid_has_task(opener, PIDTYPE_TGID) ? pid_vnr(opener) : 0;
	char opened[40] = "";

	if (pid)
		snprintf(opened, sizeof(opened), " (process %d has opened one)", pid);
	return pmc_module_error(-EBUSY,
				"%u session(s) use virtual counters of module %s%s: close them first, or have them forget their configuration (clear)",
				m->users, m->mm->name, opened);
}

/**
 * pmc_module_deactivate - have a module monitor no more
 * @m: active module
 *
 * Context: May sleep; pmc_modules_lock is held.
 * Return: 0, or -EBUSY while sessions use it.
 */
int pmc_module_deactivate(struct pmc_module *m)
{
	if (m->users)
		return refuse_in_use(m);
	deactivate(m);
	pmc_modules_clear_error();
	return 0;
}

/**
 * pmc_modules_suspend - the machine is about to be suspended
 *
 * Context: On the last CPU that is awake, interrupts off. Processes are frozen,
 * and none of them in the middle of a system call that activates a module or
 * deactivates one: there is no need of pmc_modules_lock, which a worker that is
 * not on the CPU may have.
 */
void pmc_modules_suspend(void)
{
	unsigned int i;

	for (i = 0; i < PMC_MODULES_MAX; i++)
		if (active[i] && active[i]->mm->suspend)
			active[i]->mm->suspend();
}

/**
 * pmc_modules_resume - the machine is awake again
 *
 * Context: As pmc_modules_suspend().
 */
void pmc_modules_resume(void)
{
	unsigned int i;

	for (i = 0; i < PMC_MODULES_MAX; i++)
		if (active[i] && active[i]->mm->resume)
			active[i]->mm->resume();
}

static bool good_name(const char *name)
{
	size_t i;

	if (!name || !name[0] || isdigit(name[0]))
		return false;
	for (i = 0; name[i]; i++)
		if (i + 1 >= PMC_MODULE_NAME_LEN ||
		    !(islower(name[i]) || isdigit(name[i]) || name[i] == '_'))
			return false;
	return true;
}

static bool good_text(const char *text)
{
	return text && !strpbrk(text, "\n\r");
}

static bool good_virtual(const struct pmc_virtual *v)
{
	return good_name(v->name) && good_text(v->unit) &&
	       !strpbrk(v->unit, " \t") && good_text(v->description) &&
	       v->scale && v->kind >= PMC_VIRTUAL_COUNT &&
	       v->kind <= PMC_VIRTUAL_RATIO;
}

static int check(const struct monitoring_module *mm)
{
	unsigned int i;

	if (!good_name(mm->name) || !good_text(mm->description) || !mm->owner ||
	    mm->nr_virtuals > PMC_VIRTUALS_MAX ||
	    (mm->nr_virtuals && !mm->virtuals) || !mm->tick != !mm->tick_ms ||
	    mm->metrics & ~(BIT_ULL(PMC_METRIC_NR) - 1))
		return -EINVAL;
	for (i = 0; i < mm->nr_virtuals; i++)
		if (!good_virtual(&mm->virtuals[i]) ||
		    !(mm->read || mm->read_cpu))
			return -EINVAL;
	return 0;
}

/**
 * monitoring_module_register - make a monitoring module known
 * @mm: its description, which stays. Only its activate and deactivate may change it: they
 *	choose the virtual counters, of which there are never more than now
 *
 * It monitors nothing until the administrator activates it.
 *
 * Context: May sleep.
 * Return: 0; -EINVAL when the description is no good; -EEXIST when there is a
 * module of that name; -ENOMEM.
 */
int monitoring_module_register(struct monitoring_module *mm)
{
	struct list_head *before = &pmc_modules;
	struct pmc_module *m, *other;
	unsigned int id = 1;

	if (check(mm)) {
		pr_err("monitoring module '%s': its description is not valid\n",
		       mm->name);
		return -EINVAL;
	}
	m = kzalloc(sizeof(*m), GFP_KERNEL);
	if (!m)
		return -ENOMEM;
	mutex_lock(&pmc_modules_lock);
	if (pmc_module_by_name(mm->name, strlen(mm->name))) {
		mutex_unlock(&pmc_modules_lock);
		kfree(m);
		pr_err("there is a monitoring module '%s' already\n", mm->name);
		return -EEXIST;
	}
	/* The first number that is free; the list is in their order. */
	list_for_each_entry(other, &pmc_modules, link) {
		if (other->id != id) {
			before = &other->link;
			break;
		}
		id++;
	}
	m->mm = mm;
	m->id = id;
	INIT_DELAYED_WORK(&m->tick, run_tick);
	mm->internal = m;
	list_add_tail(&m->link, before);
	mutex_unlock(&pmc_modules_lock);
	return 0;
}
EXPORT_SYMBOL_GPL(monitoring_module_register);

/**
 * monitoring_module_unregister - undo monitoring_module_register()
 * @mm: its description
 *
 * Deactivates it if it is active: sessions that used it would have kept the
 * kernel module from being unloaded. No callback runs any more on return.
 *
 * Context: May sleep.
 */
void monitoring_module_unregister(struct monitoring_module *mm)
{
	struct pmc_module *m = mm->internal;

	mutex_lock(&pmc_modules_lock);
	if (m->active)
		deactivate(m);
	list_del(&m->link);
	mutex_unlock(&pmc_modules_lock);
	mm->internal = NULL;
	kfree(m);
}
EXPORT_SYMBOL_GPL(monitoring_module_unregister);
