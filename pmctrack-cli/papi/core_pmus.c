// SPDX-License-Identifier: GPL-2.0
/*
 * The core types of the machine, by the PMUs that events are named after.
 *
 * libpmcpapi has a CPU device and a PMU of the first component for each core type. The component of
 * another library may list PMUs of software events as well. Then preset events say which PMUs are
 * those of cores: presets count what cores do, and their terms name PMUs.
 */
#include <stdio.h>
#include <string.h>

#include "core_pmus.h"
#include "devices.h"

size_t core_pmus_length(const char *name)
{
	const char *colons = strstr(name, "::");

	/* Three colons end the name of a component, as in rapl:::ENERGY. */
	return !colons || colons[2] == ':' ? 0 : colons - name;
}

int core_pmus_of_name(const struct core_pmus *types, const char *name)
{
	size_t len = core_pmus_length(name);
	int i;

	for (i = 0; len && i < types->nr; i++)
		if (strlen(types->name[i]) == len && !strncmp(types->name[i], name, len))
			return i;
	return -1;
}

static void add(struct core_pmus *types, const char *name)
{
	size_t len = core_pmus_length(name);

	if (!len || len >= sizeof(types->name[0]) || types->nr == CORE_PMUS_MAX ||
	    core_pmus_of_name(types, name) >= 0)
		return;
	memcpy(types->name[types->nr], name, len);
	types->name[types->nr++][len] = '\0';
}

static unsigned int nr_terms(const PAPI_event_info_t *info)
{
	return info->count < PAPI_MAX_INFO_TERMS ? info->count : PAPI_MAX_INFO_TERMS;
}

/* PMUs of the first component, which is that of the cores. */
static void find_in_component(struct core_pmus *types)
{
	const PAPI_component_info_t *cpu = PAPI_get_component_info(0);

	while (cpu && types->nr < CORE_PMUS_MAX && cpu->pmu_names[types->nr]) {
		snprintf(types->name[types->nr], sizeof(types->name[0]), "%s",
			 cpu->pmu_names[types->nr]);
		types->nr++;
	}
}

static void find_in_presets(struct core_pmus *types)
{
	static PAPI_event_info_t info;
	int code = PAPI_PRESET_MASK;
	unsigned int i;

	if (PAPI_enum_event(&code, PAPI_ENUM_FIRST) != PAPI_OK)
		return;
	do {
		if (PAPI_get_event_info(code, &info) != PAPI_OK)
			continue;
		for (i = 0; i < nr_terms(&info); i++)
			add(types, info.name[i]);
	} while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
}

void core_pmus_find(struct core_pmus *types)
{
	memset(types, 0, sizeof(*types));
	find_in_component(types);
	if (types->nr == devices_nr_cpu())
		return;
	memset(types, 0, sizeof(*types));
	find_in_presets(types);
}

unsigned int core_pmus_all(const struct core_pmus *types)
{
	return (1U << types->nr) - 1;
}

/* A term without a PMU is counted on all core types. */
static unsigned int of_terms(const struct core_pmus *types, const PAPI_event_info_t *info)
{
	unsigned int set = 0, i;
	int type;

	for (i = 0; i < nr_terms(info); i++) {
		type = core_pmus_of_name(types, info->name[i]);
		set |= type < 0 ? core_pmus_all(types) : 1U << type;
	}
	return set;
}

/*
 * Several core types may have PMUs of one name. They have the event by their own names, too. The
 * kernel's events, of perf, are those of no core type.
 */
static unsigned int of_shared_pmu(const struct core_pmus *types, const char *event)
{
	size_t len = core_pmus_length(event);
	char name[PAPI_2MAX_STR_LEN];
	unsigned int set = 0;
	int i;

	if (len == strlen("perf") && !strncmp(event, "perf", len))
		return 0;
	for (i = 0; i < types->nr; i++) {
		snprintf(name, sizeof(name), "%s%s", types->name[i], event + len);
		if (PAPI_query_named_event(name) == PAPI_OK)
			set |= 1U << i;
	}
	return set;
}

unsigned int core_pmus_of_event(const struct core_pmus *types, const PAPI_event_info_t *info)
{
	int type = core_pmus_of_name(types, info->symbol);

	if (type >= 0)
		return 1U << type;
	if (!IS_NATIVE(info->event_code))
		return of_terms(types, info);
	/* The first component is that of the cores. */
	if (info->component_index)
		return 0;
	return core_pmus_length(info->symbol) ? of_shared_pmu(types, info->symbol) :
		core_pmus_all(types);
}
