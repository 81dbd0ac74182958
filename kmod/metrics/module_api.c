// SPDX-License-Identifier: GPL-2.0
/* The core's functions for monitoring modules. */
#include <linux/export.h>
#include <linux/ktime.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "base/percpu.h"
#include "base/settings.h"
#include "engine/evset_counters.h"
#include "include/pmctrack/monitoring_module.h"
#include "include/pmctrack/scheduler.h"
#include "metrics/module_api.h"
#include "metrics/module_list.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"
#include "session/evset.h"
#include "session/session.h"
#include "uapi/pmctrack.h"

/**
 * pmc_module_add_set - add an event set to the rounds of a core type
 * @mm: module, which is being activated
 * @core_type: which
 * @events: as the session protocol writes them, by number: "ev=0x8:u:k,pmc0";
 *	without sampling periods
 *
 * Context: From activate.
 * Return: the set's number on that core type, from 0; or a negative error that
 * is explained in the last error.
 */
int pmc_module_add_set(struct monitoring_module *mm, unsigned int core_type,
		       const char *events)
{
	struct pmc_module *m = mm->internal;
	struct pmc_session *s = m->session;
	char *spec;
	int ret;

	lockdep_assert_held(&pmc_modules_lock);
	if (!s || m->active || core_type >= pmc_nr_core_types)
		return pmc_module_error(-EINVAL,
					"module %s adds an event set at the wrong time, or for a core type that is not there",
					mm->name);
	spec = kasprintf(GFP_KERNEL, "coretype=%u,%s", core_type, events);
	if (!spec)
		return -ENOMEM;
	ret = pmc_session_add_events(s, spec, strlen(spec));
	kfree(spec);
	if (ret)
		return pmc_module_error(ret, "module %s: events '%s': %s",
					mm->name, events, s->err.text);
	return s->consumer.rotation[core_type].nr - 1;
}
EXPORT_SYMBOL_GPL(pmc_module_add_set);

/**
 * pmc_module_set_period - how often threads give a module a sample
 * @mm: module
 * @ns: sampling period in ns of CPU or waiting time; 0: none. One that is
 *	shorter than a session may have (tbs_min_us) becomes that one
 *
 * For threads that are monitored already it holds from their next sample on,
 * if they had a period before. From activate and set.
 *
 * Context: Under pmc_modules_lock.
 */
void pmc_module_set_period(struct monitoring_module *mm, u64 ns)
{
	struct pmc_module *m = mm->internal;

	if (ns)
		ns = max(ns, pmc_settings.tbs_min_us * (u64)NSEC_PER_USEC);
	m->period = ns;
	if (m->session)
		WRITE_ONCE(m->session->consumer.period, ns);
}
EXPORT_SYMBOL_GPL(pmc_module_set_period);

/**
 * pmc_module_generic - a core type's own number of an event
 * @core_type: which
 * @event: what is to be counted
 *
 * Context: Any.
 * Return: the event as pmc_module_add_set() wants it, without modes: "ev=0x8";
 * NULL when the core type has none.
 */
const char *pmc_module_generic(unsigned int core_type, enum pmc_generic event)
{
	if (core_type >= pmc_nr_core_types || event >= PMC_GENERIC_NR || !pmc_backend->generic)
		return NULL;
	return pmc_backend->generic(&pmc_core_types[core_type], event);
}
EXPORT_SYMBOL_GPL(pmc_module_generic);

/**
 * pmc_module_nr_core_types - how many core types the machine has
 *
 * Context: Any.
 */
unsigned int pmc_module_nr_core_types(void)
{
	return pmc_nr_core_types;
}
EXPORT_SYMBOL_GPL(pmc_module_nr_core_types);

/**
 * pmc_module_core_type_name - what a core type is called
 * @core_type: which, below pmc_module_nr_core_types()
 *
 * Context: Any.
 */
const char *pmc_module_core_type_name(unsigned int core_type)
{
	return pmc_core_types[core_type].name;
}
EXPORT_SYMBOL_GPL(pmc_module_core_type_name);

/**
 * pmc_module_core_type_cpus - a core type's CPUs, online or not
 * @core_type: which, below pmc_module_nr_core_types()
 *
 * Context: Any.
 */
const struct cpumask *pmc_module_core_type_cpus(unsigned int core_type)
{
	return &pmc_core_types[core_type].cpus;
}
EXPORT_SYMBOL_GPL(pmc_module_core_type_cpus);

/**
 * pmc_module_core_type_of - a CPU's core type
 * @cpu: the CPU, which has been online
 *
 * Context: Any.
 */
unsigned int pmc_module_core_type_of(unsigned int cpu)
{
	const struct pmc_core_type *ct = per_cpu(pmc_cpus, cpu).ct;

	return ct ? ct->id : 0;
}
EXPORT_SYMBOL_GPL(pmc_module_core_type_of);

/**
 * pmc_module_fastest - the core type with the biggest cores
 *
 * Context: Any.
 * Return: its number; that of the first one when the machine does not say.
 */
unsigned int pmc_module_fastest(void)
{
	unsigned int ct, best = 0;

	for (ct = 1; ct < pmc_nr_core_types; ct++)
		if (pmc_core_type_faster(&pmc_core_types[ct],
					 &pmc_core_types[best]))
			best = ct;
	return best;
}
EXPORT_SYMBOL_GPL(pmc_module_fastest);

/**
 * pmc_module_slowest - the core type with the smallest cores
 *
 * Context: Any.
 * Return: its number; that of the last one when the machine does not say.
 */
unsigned int pmc_module_slowest(void)
{
	unsigned int ct, worst = pmc_nr_core_types - 1;

	for (ct = 0; ct + 1 < pmc_nr_core_types; ct++)
		if (pmc_core_type_faster(&pmc_core_types[worst],
					 &pmc_core_types[ct]))
			worst = ct;
	return worst;
}
EXPORT_SYMBOL_GPL(pmc_module_slowest);

/**
 * pmc_module_set_metric - set a thread's metric, for the scheduler
 * @t: the thread
 * @metric: one of those that the module's description has
 * @value: in the metric's unit
 *
 * Context: Any, from the thread's own callbacks.
 */
void pmc_module_set_metric(struct pmc_module_thread *t, enum pmc_metric metric,
			   u64 value)
{
	struct pmc_metric_value *v = &t->metric[metric];

	atomic64_set((atomic64_t *)&v->value, value);
	atomic64_set_release((atomic64_t *)&v->time, ktime_get_mono_fast_ns());
}
EXPORT_SYMBOL_GPL(pmc_module_set_metric);

/**
 * pmc_module_metric - a thread's metric as the module set it last
 * @t: the thread
 * @metric: which
 *
 * Context: Any.
 * Return: its value, PMC_NO_VALUE when it was never set.
 */
u64 pmc_module_metric(const struct pmc_module_thread *t, enum pmc_metric metric)
{
	const struct pmc_metric_value *v = &t->metric[metric];

	if (!atomic64_read_acquire((const atomic64_t *)&v->time))
		return PMC_NO_VALUE;
	return atomic64_read((const atomic64_t *)&v->value);
}
EXPORT_SYMBOL_GPL(pmc_module_metric);

/* The module whose parameters are being shown. */
static const struct monitoring_module *showing;

/**
 * pmc_module_show - write one parameter
 * @m: where to, as show was given it
 * @key: its name
 * @fmt: its value, as for printf()
 *
 * Context: From a module's show.
 */
void pmc_module_show(struct seq_file *m, const char *key, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	seq_printf(m, "%s.%s ", showing->name, key);
	seq_vprintf(m, fmt, args);
	seq_putc(m, '\n');
	va_end(args);
}
EXPORT_SYMBOL_GPL(pmc_module_show);

/**
 * pmc_module_params_show - write the parameters of all modules
 * @m: where to
 *
 * Context: May sleep.
 */
void pmc_module_params_show(struct seq_file *m)
{
	struct pmc_module *module;

	mutex_lock(&pmc_modules_lock);
	list_for_each_entry(module, &pmc_modules, link) {
		showing = module->mm;
		if (module->mm->show)
			module->mm->show(m);
	}
	mutex_unlock(&pmc_modules_lock);
}

/**
 * pmc_module_params_set - set a parameter of a module
 * @name: the module's
 * @key: the parameter's
 * @value: what to set it to; may be written to
 *
 * Context: May sleep.
 * Return: 0 or a negative error, which is in the last error and in the log.
 */
int pmc_module_params_set(const char *name, const char *key, char *value)
{
	struct pmc_module *m;
	int ret;

	mutex_lock(&pmc_modules_lock);
	pmc_modules_clear_error();
	m = pmc_module_by_name(name, strlen(name));
	if (!m)
		ret = pmc_module_error(-ENOENT,
				       "there is no monitoring module '%s'",
				       name);
	else if (!m->mm->set)
		ret = pmc_module_error(-EINVAL,
				       "module %s has no parameters", name);
	else
		ret = m->mm->set(key, value);
	if (!ret)
		pmc_modules_clear_error();
	else if (!pmc_modules_last_error()[0])
		pmc_module_error(ret, "module %s takes no such %s: error %d",
				 name, key, -ret);
	if (ret)
		pr_notice("config: %s\n", pmc_modules_last_error());
	mutex_unlock(&pmc_modules_lock);
	return ret;
}
