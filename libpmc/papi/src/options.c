// SPDX-License-Identifier: LGPL-2.1-or-later
/* Options of the library and of EventSets. Each option is a row of the table at the end. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "components.h"
#include "errors.h"
#include "eventset.h"
#include "library.h"

/* A stopped EventSet that has a component; NULL with *@error set otherwise */
static struct eventset *to_change(int id, int *error)
{
	struct eventset *set = eventset_get_stopped(id, error);

	if (set && set->component < 0) {
		*error = PAPI_ENOCMP;
		return NULL;
	}
	return set;
}

/* The same with its counters closed, for a change of what is counted */
static struct eventset *to_change_target(int id, int *error)
{
	struct eventset *set = to_change(id, error);

	if (set)
		eventset_close(set);
	return set;
}

/* Keep a change only if the kernel accepts the events with it. */
static int check_target(struct eventset *set, const struct target *before)
{
	int rc = set->nr && !set->target.multiplex_ns ?
		 counting_try(set->events, set->nr, &set->target) : PAPI_OK;

	if (rc != PAPI_OK)
		set->target = *before;
	return rc;
}

static int set_attach(PAPI_option_t *opt)
{
	int error;
	struct eventset *set = to_change_target(opt->attach.eventset, &error);

	if (!set)
		return error;
	if (set->state & PAPI_CPU_ATTACHED)
		return PAPI_ECMP;
	if (set->state & PAPI_ATTACHED || set->target.cpu >= 0 || set->overflow ||
	    !opt->attach.tid || opt->attach.tid > INT_MAX)
		return PAPI_EINVAL;
	if (kill(opt->attach.tid, 0) && errno == ESRCH)
		return PAPI_EINVAL;
	set->target.tid = opt->attach.tid;
	set->state |= PAPI_ATTACHED;
	return PAPI_OK;
}

static int set_detach(PAPI_option_t *opt)
{
	int error;
	struct eventset *set = to_change_target(opt->attach.eventset, &error);

	if (!set)
		return error;
	if (!(set->state & PAPI_ATTACHED))
		return PAPI_EINVAL;
	set->target.tid = 0;
	set->state &= ~PAPI_ATTACHED;
	return PAPI_OK;
}

static int get_attach(PAPI_option_t *opt, int cidx)
{
	const struct eventset *set = eventset_get(opt->attach.eventset);

	(void)cidx;
	if (!set)
		return PAPI_ENOEVST;
	opt->attach.tid = set->target.tid;
	return !!(set->state & PAPI_ATTACHED);
}

static int get_detach(PAPI_option_t *opt, int cidx)
{
	int rc = get_attach(opt, cidx);

	return rc < 0 ? rc : !rc;
}

static int set_cpu(PAPI_option_t *opt)
{
	int error;
	struct eventset *set = to_change_target(opt->cpu.eventset, &error);

	if (!set)
		return error;
	if (set->state & PAPI_ATTACHED || set->target.inherit || set->overflow ||
	    opt->cpu.cpu_num >= (unsigned int)sysconf(_SC_NPROCESSORS_CONF))
		return PAPI_EINVAL;
	set->target.cpu = opt->cpu.cpu_num;
	set->state |= PAPI_CPU_ATTACHED;
	return PAPI_OK;
}

static int get_cpu(PAPI_option_t *opt, int cidx)
{
	const struct eventset *set = eventset_get(opt->cpu.eventset);

	(void)cidx;
	if (!set)
		return PAPI_ENOEVST;
	opt->cpu.cpu_num = set->target.cpu < 0 ? 0 : set->target.cpu;
	return !!(set->state & PAPI_CPU_ATTACHED);
}

static int set_inherit(PAPI_option_t *opt)
{
	int error;
	struct eventset *set = to_change_target(opt->inherit.eventset, &error);

	if (!set)
		return error;
	if (set->state & PAPI_CPU_ATTACHED)
		return PAPI_ECMP;
	set->target.inherit = opt->inherit.inherit != PAPI_INHERIT_NONE;
	return PAPI_OK;
}

static int get_inherit(PAPI_option_t *opt, int cidx)
{
	const struct eventset *set = eventset_get(opt->inherit.eventset);

	(void)cidx;
	if (!set)
		return PAPI_ENOEVST;
	opt->inherit.inherit = set->target.inherit ? PAPI_INHERIT_ALL : PAPI_INHERIT_NONE;
	return PAPI_OK;
}

/* The shortest turn that the kernel module takes, unless its settings say otherwise */
#define MIN_TURN_NS	1000000

static int turn_ns(int ns)
{
	return ns && ns < MIN_TURN_NS ? MIN_TURN_NS : ns;
}

static int set_multiplex(PAPI_option_t *opt)
{
	int error;
	struct eventset *set = to_change_target(opt->multiplex.eventset, &error);

	if (!set)
		return error;
	if (set->state & PAPI_MULTIPLEXING || opt->multiplex.ns < 0 || set->target.sample_period)
		return PAPI_EINVAL;
	opt->multiplex.ns = opt->multiplex.ns ? turn_ns(opt->multiplex.ns) :
			    eventset_default_multiplex_ns;
	set->target.multiplex_ns = opt->multiplex.ns;
	set->state |= PAPI_MULTIPLEXING;
	return PAPI_OK;
}

static int get_multiplex(PAPI_option_t *opt, int cidx)
{
	const struct eventset *set = eventset_get(opt->multiplex.eventset);

	(void)cidx;
	if (!set)
		return PAPI_ENOEVST;
	opt->multiplex.ns = set->target.multiplex_ns;
	opt->multiplex.flags = PAPI_MULTIPLEX_DEFAULT;
	return !!(set->state & PAPI_MULTIPLEXING);
}

/* PAPI_DEF_MPX_NS, PAPI_DEF_ITIMER_NS */
static int set_interval(PAPI_option_t *opt)
{
	if (opt->multiplex.ns < 0)
		return PAPI_EINVAL;
	opt->multiplex.ns = turn_ns(opt->multiplex.ns);
	if (opt->multiplex.ns)
		eventset_default_multiplex_ns = opt->multiplex.ns;
	return PAPI_OK;
}

static int get_interval(PAPI_option_t *opt, int cidx)
{
	(void)cidx;
	opt->multiplex.ns = eventset_default_multiplex_ns;
	return PAPI_OK;
}

static int set_itimer_interval(PAPI_option_t *opt)
{
	if (opt->itimer.ns < 0)
		return PAPI_EINVAL;
	opt->itimer.ns = turn_ns(opt->itimer.ns);
	if (opt->itimer.ns)
		eventset_default_multiplex_ns = opt->itimer.ns;
	return PAPI_OK;
}

static int get_itimer_interval(PAPI_option_t *opt, int cidx)
{
	(void)cidx;
	opt->itimer.ns = eventset_default_multiplex_ns;
	return PAPI_OK;
}

/* The timer of PAPI's software overflows, which programs ask for. Here counters interrupt. */
static int timer = ITIMER_PROF;
static int timer_signal = SIGPROF;

static int set_itimer(PAPI_option_t *opt)
{
	int rc = set_itimer_interval(opt);

	if (rc != PAPI_OK)
		return rc;
	timer = opt->itimer.itimer_num;
	timer_signal = opt->itimer.itimer_sig;
	return PAPI_OK;
}

static int get_itimer(PAPI_option_t *opt, int cidx)
{
	opt->itimer.itimer_num = timer;
	opt->itimer.itimer_sig = timer_signal;
	opt->itimer.flags = 0;
	return get_itimer_interval(opt, cidx);
}

/* PAPI_OK and the domain without what no hardware here can count */
static int take_domain(int *domain, int component, int wrong, int lacking)
{
	const PAPI_component_info_t *info = component_get(component);

	if (!info)
		return PAPI_ENOCMP;
	if (*domain < PAPI_DOM_MIN || *domain > PAPI_DOM_MAX)
		return wrong;
	if (*domain == PAPI_DOM_ALL)
		*domain = info->available_domains;
	return *domain & ~info->available_domains ? lacking : PAPI_OK;
}

static int set_default_domain(PAPI_option_t *opt)
{
	int domain = opt->defdomain.domain;
	int rc = take_domain(&domain, opt->defdomain.def_cidx, PAPI_EINVAL, PAPI_ENOSUPP);

	if (rc != PAPI_OK)
		return rc;
	component_get(opt->defdomain.def_cidx)->default_domain = domain;
	return PAPI_OK;
}

static int get_default_domain(PAPI_option_t *opt, int cidx)
{
	if (opt)
		opt->defdomain.domain = component_get(cidx)->default_domain;
	return component_get(cidx)->default_domain;
}

static int set_domain(PAPI_option_t *opt)
{
	int error, domain = opt->domain.domain;
	struct eventset *set = to_change_target(opt->domain.eventset, &error);
	struct target before;

	if (!set)
		return error;
	error = take_domain(&domain, set->component, PAPI_EINVAL_DOM, PAPI_EINVAL_DOM);
	if (error != PAPI_OK)
		return error;
	before = set->target;
	set->target.domain = domain;
	error = check_target(set, &before);
	set->own_domain |= error == PAPI_OK;
	return error;
}

static int get_domain(PAPI_option_t *opt, int cidx)
{
	const struct eventset *set = eventset_get(opt->domain.eventset);

	(void)cidx;
	if (!set)
		return PAPI_ENOEVST;
	opt->domain.domain = set->target.domain;
	return PAPI_OK;
}

static int check_granularity(int granularity, int component)
{
	const PAPI_component_info_t *info = component_get(component);

	if (!info)
		return PAPI_ENOCMP;
	if (granularity < PAPI_GRN_MIN || granularity > PAPI_GRN_MAX)
		return PAPI_EINVAL;
	/* The values are bits, of which an EventSet has one. */
	if (granularity & (granularity - 1))
		return PAPI_EINVAL;
	return granularity & ~info->available_granularities ? PAPI_EINVAL : PAPI_OK;
}

static int set_default_granularity(PAPI_option_t *opt)
{
	int rc = check_granularity(opt->defgranularity.granularity, opt->defgranularity.def_cidx);

	if (rc != PAPI_OK)
		return rc;
	component_get(opt->defgranularity.def_cidx)->default_granularity =
		opt->defgranularity.granularity;
	return PAPI_OK;
}

static int get_default_granularity(PAPI_option_t *opt, int cidx)
{
	if (opt)
		opt->defgranularity.granularity = component_get(cidx)->default_granularity;
	return component_get(cidx)->default_granularity;
}

/* PAPI_GRN_SYS is the CPU on which the program is now. */
static int set_granularity(PAPI_option_t *opt)
{
	int error;
	struct eventset *set = to_change_target(opt->granularity.eventset, &error);

	if (!set)
		return error;
	error = check_granularity(opt->granularity.granularity, set->component);
	if (error != PAPI_OK)
		return error;
	if (opt->granularity.granularity == PAPI_GRN_SYS &&
	    (set->state & PAPI_ATTACHED || set->overflow))
		return PAPI_EINVAL;
	set->granularity = opt->granularity.granularity;
	set->own_granularity = 1;
	if (!(set->state & PAPI_CPU_ATTACHED))
		set->target.cpu = set->granularity == PAPI_GRN_SYS ? sched_getcpu() : -1;
	return PAPI_OK;
}

static int get_granularity(PAPI_option_t *opt, int cidx)
{
	const struct eventset *set = eventset_get(opt->granularity.eventset);

	(void)cidx;
	if (!set)
		return PAPI_ENOEVST;
	opt->granularity.granularity = set->granularity;
	return PAPI_OK;
}

static int get_max_counters(PAPI_option_t *opt, int cidx)
{
	(void)opt;
	return component_get(cidx)->num_cntrs;
}

static int get_max_multiplexed(PAPI_option_t *opt, int cidx)
{
	(void)opt;
	return component_get(cidx)->num_mpx_cntrs;
}

static int get_clock(PAPI_option_t *opt, int cidx)
{
	const PAPI_hw_info_t *hw = PAPI_get_hardware_info();

	(void)opt;
	(void)cidx;
	return hw ? hw->cpu_max_mhz : PAPI_ESYS;
}

static int get_max_cpus(PAPI_option_t *opt, int cidx)
{
	const PAPI_hw_info_t *hw = PAPI_get_hardware_info();

	(void)opt;
	(void)cidx;
	return hw ? hw->totalcpus : PAPI_ESYS;
}

static int get_hardware(PAPI_option_t *opt, int cidx)
{
	(void)cidx;
	opt->hw_info = (PAPI_hw_info_t *)PAPI_get_hardware_info();
	return opt->hw_info ? PAPI_OK : PAPI_ESYS;
}

static int get_executable(PAPI_option_t *opt, int cidx)
{
	(void)cidx;
	opt->exe_info = (PAPI_exe_info_t *)PAPI_get_executable_info();
	return opt->exe_info ? PAPI_OK : PAPI_ESYS;
}

static int get_libraries(PAPI_option_t *opt, int cidx)
{
	(void)cidx;
	opt->shlib_info = (PAPI_shlib_info_t *)PAPI_get_shared_lib_info();
	return opt->shlib_info ? PAPI_OK : PAPI_ESYS;
}

static int get_component(PAPI_option_t *opt, int cidx)
{
	opt->cmp_info = (PAPI_component_info_t *)PAPI_get_component_info(cidx);
	return PAPI_OK;
}

static int get_preload(PAPI_option_t *opt, int cidx)
{
	(void)cidx;
	memset(&opt->preload, 0, sizeof(opt->preload));
	strcpy(opt->preload.lib_preload_env, "LD_PRELOAD");
	opt->preload.lib_preload_sep = ' ';
	strcpy(opt->preload.lib_dir_env, "LD_LIBRARY_PATH");
	opt->preload.lib_dir_sep = ':';
	return PAPI_OK;
}

static int get_version(PAPI_option_t *opt, int cidx)
{
	(void)opt;
	(void)cidx;
	return PAPI_VERSION;
}

static int set_debug(PAPI_option_t *opt)
{
	return papi_debug_set(&opt->debug);
}

static int get_debug(PAPI_option_t *opt, int cidx)
{
	(void)cidx;
	papi_debug_get(&opt->debug);
	return PAPI_OK;
}

/**
 * struct option - an option
 * @set: NULL: it cannot be set
 * @get: returns a value, or PAPI_OK with @opt filled; NULL: it cannot be read
 * @no_pointer: get needs no PAPI_option_t
 */
static const struct option {
	int number;
	int (*set)(PAPI_option_t *opt);
	int (*get)(PAPI_option_t *opt, int cidx);
	int no_pointer;
} options[] = {
	{ PAPI_DETACH, set_detach, get_detach, 0 },
	{ PAPI_DEBUG, set_debug, get_debug, 0 },
	{ PAPI_MULTIPLEX, set_multiplex, get_multiplex, 0 },
	{ PAPI_DEFDOM, set_default_domain, get_default_domain, 1 },
	{ PAPI_DOMAIN, set_domain, get_domain, 0 },
	{ PAPI_DEFGRN, set_default_granularity, get_default_granularity, 1 },
	{ PAPI_GRANUL, set_granularity, get_granularity, 0 },
	{ PAPI_DEF_MPX_NS, set_interval, get_interval, 0 },
	{ PAPI_MAX_MPX_CTRS, NULL, get_max_multiplexed, 1 },
	{ PAPI_PRELOAD, NULL, get_preload, 0 },
	{ PAPI_CLOCKRATE, NULL, get_clock, 1 },
	{ PAPI_MAX_HWCTRS, NULL, get_max_counters, 1 },
	{ PAPI_HWINFO, NULL, get_hardware, 0 },
	{ PAPI_EXEINFO, NULL, get_executable, 0 },
	{ PAPI_MAX_CPUS, NULL, get_max_cpus, 1 },
	{ PAPI_ATTACH, set_attach, get_attach, 0 },
	{ PAPI_SHLIBINFO, NULL, get_libraries, 0 },
	{ PAPI_LIB_VERSION, NULL, get_version, 1 },
	{ PAPI_COMPONENTINFO, NULL, get_component, 0 },
	{ PAPI_DEF_ITIMER, set_itimer, get_itimer, 0 },
	{ PAPI_DEF_ITIMER_NS, set_itimer_interval, get_itimer_interval, 0 },
	{ PAPI_CPU_ATTACH, set_cpu, get_cpu, 0 },
	{ PAPI_INHERIT, set_inherit, get_inherit, 0 },
};

static const struct option *find(int number)
{
	size_t i;

	for (i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (options[i].number == number)
			return &options[i];
	return NULL;
}

int PAPI_set_opt(int number, PAPI_option_t *opt)
{
	const struct option *option = find(number);

	if (!papi_machine() && number != PAPI_DEBUG)
		return papi_fail(PAPI_ENOINIT);
	if (!option || !option->set || !opt)
		return papi_fail(PAPI_EINVAL);
	return papi_fail(option->set(opt));
}

int PAPI_get_cmp_opt(int number, PAPI_option_t *opt, int cidx)
{
	const struct option *option = find(number);

	if (!papi_machine() && number != PAPI_DEBUG && number != PAPI_LIB_VERSION)
		return papi_fail(PAPI_ENOINIT);
	if (!component_get(cidx))
		return papi_fail(PAPI_ECMP);
	if (!option || !option->get || (!opt && !option->no_pointer))
		return papi_fail(PAPI_EINVAL);
	return papi_fail(option->get(opt, cidx));
}

int PAPI_get_opt(int number, PAPI_option_t *opt)
{
	return PAPI_get_cmp_opt(number, opt, COMPONENT_CPU);
}

int PAPI_set_cmp_domain(int domain, int cidx)
{
	PAPI_option_t opt = { .defdomain = { .def_cidx = cidx, .domain = domain } };

	return PAPI_set_opt(PAPI_DEFDOM, &opt);
}

int PAPI_set_domain(int domain)
{
	return PAPI_set_cmp_domain(domain, COMPONENT_CPU);
}

int PAPI_set_cmp_granularity(int granularity, int cidx)
{
	PAPI_option_t opt = { .defgranularity = { .def_cidx = cidx, .granularity = granularity } };

	return PAPI_set_opt(PAPI_DEFGRN, &opt);
}

int PAPI_set_granularity(int granularity)
{
	return PAPI_set_cmp_granularity(granularity, COMPONENT_CPU);
}

int PAPI_attach(int id, unsigned long tid)
{
	PAPI_option_t opt = { .attach = { .eventset = id, .tid = tid } };

	return PAPI_set_opt(PAPI_ATTACH, &opt);
}

int PAPI_detach(int id)
{
	PAPI_option_t opt = { .attach = { .eventset = id } };

	return PAPI_set_opt(PAPI_DETACH, &opt);
}

/* Multiplexing needs no preparation. */
int PAPI_multiplex_init(void)
{
	return papi_machine() ? PAPI_OK : papi_fail(PAPI_ENOINIT);
}

int PAPI_set_multiplex(int id)
{
	PAPI_option_t opt = { .multiplex = { .eventset = id } };

	return PAPI_set_opt(PAPI_MULTIPLEX, &opt);
}

int PAPI_get_multiplex(int id)
{
	PAPI_option_t opt = { .multiplex = { .eventset = id } };

	/* As PAPI: what is no EventSet is not multiplexed. */
	return papi_machine() && eventset_get(id) ? PAPI_get_opt(PAPI_MULTIPLEX, &opt) : 0;
}
