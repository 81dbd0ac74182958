// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of PMUs and events, as PAPI's users write them:
 *
 *   adl_glc::INST_RETIRED:ANY    libpfm4's name of the PMU, also if the installed libpfm4 lacks it
 *   cpu_core::INST_RETIRED.ANY   the kernel's name
 *   P::instr                     the name of the core type
 *   perf::PAGE-FAULTS            events that libpfm4 knows by the kernel's names, also with
 *   perf::PERF_COUNT_SW_PAGE_FAULTS
 *   perf_raw::r01c2              event codes
 *   INST_RETIRED:ANY             every core type
 *   perf_event:::EVENT           the component may be named before all
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "papi.h"
#include "pmu_names.h"

/* Names of libpfm4's that stand for events of any PMU: the kernel's, and Intel's architectural ones */
static const char *const any_pmu[] = { "perf", "perf_raw", "ix86arch" };

static const char *const names[][2] = {
	{ "instructions", "instr" },
	{ "instruction_retired", "instr" },
	{ "instructions_retired", "instr" },
	{ "cpu_cycles", "cycles" },
	{ "unhalted_core_cycles", "cycles" },
	{ "ref_cpu_cycles", "ref_cycles" },
	{ "unhalted_reference_cycles", "ref_cycles" },
	{ "cache_references", "llc_references" },
	{ "cache_misses", "llc_misses" },
	{ "llc_references", "llc_references" },
	{ "branch_instructions", "branches" },
	{ "branch_instructions_retired", "branches" },
	{ "mispredicted_branch_retired", "branch_misses" },
	{ "page_faults", "page_faults" },
	{ "minor_faults", "minor_faults" },
	{ "major_faults", "major_faults" },
	{ "context_switches", "context_switches" },
	{ "task_clock", "task_clock" },
	{ "faults", "page_faults" },
	{ "page_faults_min", "minor_faults" },
	{ "page_faults_maj", "major_faults" },
	{ "cs", "context_switches" },
	{ "cpu_migrations", "migrations" },
	{ "cpu_clock", "task_clock" },
};

/* Attributes of libpfm4's that ask for what is done anyway */
static const char *const without_effect[] = {
	"mg=1", "mh=1", "mg", "mh", "excl=0", "pinned=0", "precise=0", "h=0", "t=0",
};

/* Beginnings of the kernel's names of Arm PMUs, and of libpfm4's */
static const char *const arm_names[][2] = {
	{ "armv8_cortex_a", "arm_ac" },
	{ "armv8_neoverse_", "arm_" },
};

/* The name of a kind of source, such as "libpfm4 adl_glc", among the sources of names */
static const char *source_name(const pmc_machine_t *machine, int core_type, const char *kind,
			       size_t *len)
{
	const char *name = strstr(pmc_machine_event_table(machine, core_type), kind);

	if (!name)
		return NULL;
	name += strlen(kind);
	*len = strcspn(name, ", ");
	return name;
}

void pmu_name(const pmc_machine_t *machine, int core_type, char *name, size_t size)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(machine, core_type);
	const char *pfm;
	size_t len;

	pfm = source_name(machine, core_type, "libpfm4 ", &len);
	if (pfm)
		snprintf(name, size, "%.*s", (int)len, pfm);
	else
		snprintf(name, size, "%s", *info->pmu ? info->pmu : info->name);
}

void pmu_name_of_one(const pmc_machine_t *machine, int core_type, char *name, size_t size)
{
	char other[PAPI_MIN_STR_LEN];
	int id;

	pmu_name(machine, core_type, name, size);
	for (id = 0; id < pmc_machine_nr_core_types(machine); id++) {
		pmu_name(machine, id, other, sizeof(other));
		if (id != core_type && !strcasecmp(name, other)) {
			snprintf(name, size, "%s", pmc_machine_core_type(machine, core_type)->name);
			return;
		}
	}
}

static int equal(const char *a, const char *b, size_t len)
{
	return a && strlen(a) == len && !strncasecmp(a, b, len);
}

static int is_source(const pmc_machine_t *machine, int core_type, const char *kind,
		     const char *name, size_t len)
{
	size_t source_len;
	const char *source = source_name(machine, core_type, kind, &source_len);

	return source && source_len == len && !strncasecmp(source, name, len);
}

/* Is @name libpfm4's of an Arm PMU? */
static int is_arm_name(const char *pmu, const char *name, size_t len)
{
	size_t i, kernel, pfm;

	for (i = 0; pmu && i < sizeof(arm_names) / sizeof(arm_names[0]); i++) {
		kernel = strlen(arm_names[i][0]);
		pfm = strlen(arm_names[i][1]);
		if (len > pfm && !strncmp(pmu, arm_names[i][0], kernel) &&
		    !strncasecmp(name, arm_names[i][1], pfm) &&
		    equal(pmu + kernel, name + pfm, len - pfm))
			return 1;
	}
	return 0;
}

/* The library's own table of a model has libpfm4's name. */
int pmu_is(const pmc_machine_t *machine, int core_type, const char *name, size_t len)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(machine, core_type);

	return is_source(machine, core_type, "libpfm4 ", name, len) ||
	       is_source(machine, core_type, "builtin ", name, len) ||
	       is_arm_name(info->pmu, name, len) || equal(info->pmu, name, len) ||
	       equal(info->name, name, len);
}

/* Leave out attributes without effect. */
static void drop_attributes(char *words)
{
	size_t i, len;
	char *p = words;

	while ((p = strchr(p, ':'))) {
		for (i = 0; i < sizeof(without_effect) / sizeof(without_effect[0]); i++) {
			len = strlen(without_effect[i]);
			if (!strncasecmp(p + 1, without_effect[i], len) &&
			    (!p[1 + len] || p[1 + len] == ':'))
				break;
		}
		if (i < sizeof(without_effect) / sizeof(without_effect[0]))
			memmove(p, p + 1 + len, strlen(p + 1 + len) + 1);
		else
			p++;
	}
}

/* Translate the kernel's and Intel's architectural names of events. */
static void translate(char *words, size_t size)
{
	static const char *const prefixes[] = { "perf_count_hw_", "perf_count_sw_" };
	char name[PAPI_MIN_STR_LEN], rest[PAPI_MAX_STR_LEN];
	size_t i, n = strcspn(words, ":"), skip = 0;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncasecmp(words, prefixes[i], strlen(prefixes[i])))
			skip = strlen(prefixes[i]);
	if (n - skip >= sizeof(name) || strlen(words + n) >= sizeof(rest))
		return;
	strcpy(rest, words + n);
	for (i = skip; i < n; i++)
		name[i - skip] = words[i] == '-' ? '_' : tolower((unsigned char)words[i]);
	name[n - skip] = '\0';
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i][0])) {
			snprintf(words, size, "%s%s", names[i][1], rest);
			return;
		}
	/* Other names with hyphens are perf's for events of caches, which libpmctrack knows. */
	if (skip || !strchr(words, '-'))
		snprintf(words, size, "%s%s", name, rest);
}

static int is_any_pmu(const char *pmu, size_t len)
{
	size_t i;

	for (i = 0; i < sizeof(any_pmu) / sizeof(any_pmu[0]); i++)
		if (equal(any_pmu[i], pmu, len))
			return 1;
	return 0;
}

int pmu_split(const char *event, const char **pmu, size_t *pmu_len, char *words, size_t size)
{
	const char *component = strstr(event, ":::"), *colons;

	if (component) {
		if (strncmp(event, "perf_event:::", 13) && strncmp(event, "cpu:::", 6))
			return PAPI_ENOEVNT;
		event = component + 3;
	}
	*pmu = NULL;
	colons = strstr(event, "::");
	if (colons) {
		*pmu = event;
		*pmu_len = colons - event;
		event = colons + 2;
	}
	if (!*event || strlen(event) >= size || strpbrk(event, ", \t\n") || strcasestr(event, ":ebs"))
		return PAPI_ENOEVNT;
	strcpy(words, event);
	drop_attributes(words);
	if (*pmu && is_any_pmu(*pmu, *pmu_len)) {
		if (!equal("perf_raw", *pmu, *pmu_len))
			translate(words, size);
		*pmu = NULL;
	}
	return PAPI_OK;
}
