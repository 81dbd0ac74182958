// SPDX-License-Identifier: LGPL-2.1-or-later
/* The components and what they can do. */
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "components.h"
#include "count_events.h"
#include "errors.h"
#include "library.h"
#include "native.h"
#include "pmu_names.h"
#include "presets.h"

static PAPI_component_info_t components[NR_COMPONENTS] = {
	[COMPONENT_CPU] = {
		.CmpIdx = COMPONENT_CPU,
		.name = "perf_event",
		.short_name = "perf",
		.description = "counters of the CPUs, and events that the kernel counts",
	},
	[COMPONENT_VIRTUAL] = {
		.CmpIdx = COMPONENT_VIRTUAL,
		.name = "pmctrack",
		.short_name = "pmctrack",
		.description = "virtual counters of pmctrack's monitoring modules: energy, caches, ...",
		.num_cntrs = PMC_MAX_VIRTUALS,
		.num_mpx_cntrs = PMC_MAX_VIRTUALS,
		.available_domains = PAPI_DOM_USER | PAPI_DOM_KERNEL,
		.available_granularities = PAPI_GRN_THR | PAPI_GRN_SYS,
		.cpu = 1,
	},
	[COMPONENT_SYSDETECT] = {
		.CmpIdx = COMPONENT_SYSDETECT,
		.name = "sysdetect",
		.short_name = "sysdetect",
		.description = "information about the hardware",
	},
};

/* Programs find a component by these, too. They disable none: it has more events than PAPI's. */
static const struct {
	const char *name;
	int component;
} aliases[] = {
	{ "perf", COMPONENT_CPU },
	{ "cpu", COMPONENT_CPU },
	{ "rapl", COMPONENT_VIRTUAL },
};

PAPI_component_info_t *component_get(int component)
{
	return component >= 0 && component < NR_COMPONENTS ? &components[component] : NULL;
}

/* An event without a core type is counted on all, so the core type with fewest counters decides. */
static int nr_counters(const pmc_machine_t *machine)
{
	int id, nr = 0, least = 0;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++) {
		nr = pmc_machine_core_type(machine, id)->nr_hw_counters;
		if (nr && (!least || nr < least))
			least = nr;
	}
	return least;
}

static void name_pmus(PAPI_component_info_t *info, const pmc_machine_t *machine)
{
	char name[PAPI_MIN_STR_LEN];
	int id;

	for (id = 0; id < pmc_machine_nr_core_types(machine) && id < PAPI_PMU_MAX; id++) {
		pmu_name_of_one(machine, id, name, sizeof(name));
		free(info->pmu_names[id]);
		info->pmu_names[id] = strdup(name);
	}
}

/* Users without rights count kernel mode only where the sysctl is below 2. */
static int may_count_kernel(void)
{
	unsigned long long rights = 0;
	int paranoid = 2, found;
	char line[PAPI_MIN_STR_LEN];
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");

	found = f && fscanf(f, "%d", &paranoid) == 1;
	if (f)
		fclose(f);
	if (found && paranoid < 2)
		return 1;
	f = fopen("/proc/self/status", "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "CapEff: %llx", &rights) == 1)
			break;
	if (f)
		fclose(f);
	return !!(rights & (1ULL << CAP_PERFMON | 1ULL << CAP_SYS_ADMIN));
}

static void set_defaults(PAPI_component_info_t *info)
{
	info->default_domain = PAPI_DOM_USER;
	info->default_granularity = PAPI_GRN_THR;
}

static void init_cpu(PAPI_component_info_t *info, const pmc_machine_t *machine)
{
	info->num_cntrs = nr_counters(machine);
	info->num_mpx_cntrs = COUNTED_MAX;
	set_defaults(info);
	info->available_domains = PAPI_DOM_USER | (may_count_kernel() ? PAPI_DOM_KERNEL : 0);
	info->available_granularities = PAPI_GRN_THR | PAPI_GRN_SYS;
	info->hardware_intr = 1;
	info->hardware_intr_sig = SIGRTMIN + 2;
	info->kernel_multiplex = 1;
	info->fast_counter_read = pmc_machine_direct(machine);
	info->fast_real_timer = 1;
	info->attach = 1;
	info->attach_must_ptrace = 1;
	info->cntr_umasks = 1;
	info->cpu = 1;
	info->inherit = 1;
	snprintf(info->support_version, sizeof(info->support_version), "%s",
		 pmc_machine_backend(machine));
	name_pmus(info, machine);
	if (info->num_cntrs)
		return;
	/* The kernel's own events can be counted all the same. */
	info->partially_disabled = 1;
	info->partially_disabled_reason =
		"no CPU has counters that can be used; `pmctrack doctor` says why";
}

void components_init(const pmc_machine_t *machine)
{
	struct utsname uts;
	int i;

	uname(&uts);
	for (i = 0; i < NR_COMPONENTS; i++) {
		components[i].initialized = 1;
		components[i].partially_disabled = 0;
		components[i].partially_disabled_reason = "";
		components[i].num_native_events = 0;
		components[i].num_preset_events = 0;
		snprintf(components[i].version, sizeof(components[i].version), "%d.%d",
			 PAPI_VERSION_MAJOR(PAPI_VERSION), PAPI_VERSION_MINOR(PAPI_VERSION));
		snprintf(components[i].kernel_version, sizeof(components[i].kernel_version),
			 "%.63s", uts.release);
	}
	set_defaults(&components[COMPONENT_VIRTUAL]);
	init_cpu(&components[COMPONENT_CPU], machine);
}

/* Programs choose those that they disable before the library is initialized. */
int PAPI_num_components(void)
{
	return NR_COMPONENTS;
}

/* Counting the events takes a while, so their number is found out when it is asked for. */
const PAPI_component_info_t *PAPI_get_component_info(int cidx)
{
	PAPI_component_info_t *info = component_get(cidx);

	if (!papi_machine())
		return info;
	if (info && !info->num_native_events)
		info->num_native_events = native_count(cidx);
	if (info && cidx == COMPONENT_CPU && !info->num_preset_events)
		info->num_preset_events = presets_nr_available();
	return info;
}

/* PAPI_ENOCMP: no component has this name of its own. */
static int find(const char *name)
{
	int i;

	for (i = 0; i < NR_COMPONENTS; i++)
		if (!strcmp(name, components[i].name))
			return i;
	return PAPI_ENOCMP;
}

int PAPI_get_component_index(const char *name)
{
	size_t i;

	if (!name)
		return papi_fail(PAPI_EINVAL);
	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcmp(name, aliases[i].name))
			return aliases[i].component;
	return papi_fail(find(name));
}

int PAPI_disable_component(int cidx)
{
	PAPI_component_info_t *info = component_get(cidx);

	if (!info)
		return papi_fail(PAPI_ENOCMP);
	/* Too late: the library is in use. */
	if (papi_machine())
		return papi_fail(PAPI_ENOINIT);
	info->disabled = PAPI_ECMP_DISABLED;
	snprintf(info->disabled_reason, sizeof(info->disabled_reason),
		 "the program has disabled the component");
	return PAPI_OK;
}

int PAPI_disable_component_by_name(const char *name)
{
	int cidx = name ? find(name) : PAPI_EINVAL;

	return cidx < 0 ? papi_fail(cidx) : PAPI_disable_component(cidx);
}

int PAPI_num_cmp_hwctrs(int cidx)
{
	const PAPI_component_info_t *info = component_get(cidx);

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	return info ? info->num_cntrs : papi_fail(PAPI_ECMP);
}

int PAPI_num_hwctrs(void)
{
	return PAPI_num_cmp_hwctrs(COMPONENT_CPU);
}
