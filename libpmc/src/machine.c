// SPDX-License-Identifier: LGPL-2.1-or-later
/* The machine, from a description in the form of /proc/pmc/info. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* "HygonGenuine": GCC's header has no name for it. */
#define SIGNATURE_HYGON_EBX 0x6f677948
#define SIGNATURE_HYGON_ECX 0x656e6975
#endif

#include "error.h"
#include "event_files.h"
#include "format_event.h"
#include "machine.h"
#include "pfm.h"
#include "proc.h"
#include "tables/tables.h"

struct core_type *machine_core_type(const pmc_machine_t *machine, int id)
{
	if (id < 0 || id >= machine->nr_core_types)
		return NULL;
	return &machine->core_types[id];
}

static struct core_type *add_core_type(pmc_machine_t *machine)
{
	struct core_type *all, *ct;

	all = realloc(machine->core_types, (machine->nr_core_types + 1) * sizeof(*all));
	if (!all)
		return NULL;
	machine->core_types = all;
	ct = &all[machine->nr_core_types];
	memset(ct, 0, sizeof(*ct));
	ct->info.id = machine->nr_core_types++;
	ct->pfm_pmu = PFM_NOT_ASKED;
	return ct;
}

/* core_type 0 cpus 0-1 name big pmu armv8_cortex_a72 capacity 1024 cpuid 0x411fd070 */
static int parse_core_type(pmc_machine_t *machine, char *rest)
{
	struct core_type *ct = add_core_type(machine);
	char *save, *key, *value = strtok_r(rest, " ", &save);
	const char **field;

	if (!ct)
		return pmc_fail_nomem();
	if (!value || atoi(value) != ct->info.id)
		return pmc_fail(EPROTO, "core types are out of order");
	while ((key = strtok_r(NULL, " ", &save)) && (value = strtok_r(NULL, " ", &save))) {
		field = !strcmp(key, "cpus") ? &ct->info.cpus :
			!strcmp(key, "name") ? &ct->info.name :
			!strcmp(key, "pmu") ? &ct->info.pmu : NULL;
		if (field && !*field) {
			*field = strdup(value);
			if (!*field)
				return pmc_fail_nomem();
		} else if (!strcmp(key, "capacity")) {
			ct->info.capacity = strtoul(value, NULL, 0);
		} else if (!strcmp(key, "cpuid")) {
			ct->info.cpuid = strtoull(value, NULL, 0);
		}
	}
	return 0;
}

/* native_type 0 0x40 */
static int parse_native_type(pmc_machine_t *machine, const char *rest)
{
	struct core_type *ct;
	int id, type;

	if (sscanf(rest, "%d %i", &id, &type) != 2)
		return pmc_fail(EPROTO, "a native_type lacks a field");
	ct = machine_core_type(machine, id);
	if (!ct)
		return pmc_fail(EPROTO, "a native_type is of no core type");
	ct->native_type = type;
	return 0;
}

/* counter 0 pmc1-pmc6 general any interrupt */
static int parse_counter(pmc_machine_t *machine, char *rest)
{
	char range[32], kind[16], event[64], intr[16] = "";
	struct pmc_counter_info c = { 0 }, *all;
	struct core_type *ct;
	int id, n;

	if (sscanf(rest, "%d %31s %15s %63s %15s", &id, range, kind, event, intr) < 4)
		return pmc_fail(EPROTO, "a counter lacks a field");
	ct = machine_core_type(machine, id);
	n = sscanf(range, "pmc%d-pmc%d", &c.first, &c.last);
	if (!ct || n < 1 || c.first < 0)
		return pmc_fail(EPROTO, "a counter is of no core type, or has no number");
	if (n == 1)
		c.last = c.first;
	c.kind = !strcmp(kind, "software") ? PMC_COUNTER_SOFTWARE :
		 !strcmp(kind, "fixed") ? PMC_COUNTER_FIXED : PMC_COUNTER_GENERAL;
	c.interrupt = !strcmp(intr, "interrupt");
	c.event = strdup(event);
	all = realloc(ct->counters, (ct->info.nr_counters + 1) * sizeof(*all));
	if (all)
		ct->counters = all;
	if (!all || !c.event) {
		free((char *)c.event);
		return pmc_fail_nomem();
	}
	all[ct->info.nr_counters++] = c;
	if (c.kind != PMC_COUNTER_SOFTWARE)
		ct->info.nr_hw_counters += c.last - c.first + 1;
	return 0;
}

/* events 0 0x0,0x8,0x11 */
static int parse_implemented(pmc_machine_t *machine, char *rest)
{
	char *save, *word = strtok_r(rest, " ,", &save);
	struct core_type *ct = machine_core_type(machine, word ? atoi(word) : -1);
	unsigned int *all;

	if (!ct)
		return pmc_fail(EPROTO, "events of a core type there is not");
	ct->knows_implemented = 1;
	while ((word = strtok_r(NULL, " ,", &save))) {
		all = realloc(ct->implemented, (ct->nr_implemented + 1) * sizeof(*all));
		if (!all)
			return pmc_fail_nomem();
		ct->implemented = all;
		all[ct->nr_implemented++] = strtoul(word, NULL, 0);
	}
	return 0;
}

static int parse_line(pmc_machine_t *machine, char *line)
{
	char *rest = strchr(line, ' ');

	if (!rest)
		return 0;
	*rest++ = '\0';
	if (!strcmp(line, "backend"))
		snprintf(machine->backend, sizeof(machine->backend), "%s", rest);
	else if (!strcmp(line, "core_type"))
		return parse_core_type(machine, rest);
	else if (!strcmp(line, "counter"))
		return parse_counter(machine, rest);
	else if (!strcmp(line, "events"))
		return parse_implemented(machine, rest);
	else if (!strcmp(line, "native_type"))
		return parse_native_type(machine, rest);
	else if (!strcmp(line, "uncore"))
		return machine_add_uncore(machine, rest);
	else if (!strcmp(line, "caliper"))
		machine->direct = !strcmp(rest, "direct");
	return 0;	/* lines of a newer module are skipped */
}

/* The vendor of this CPU; /proc/pmc/info describes this machine. */
static enum family host_family(void)
{
#if defined(__aarch64__) || defined(__arm__)
	return FAMILY_ARM;
#elif defined(__x86_64__) || defined(__i386__)
	unsigned int max, ebx, ecx, edx;

	if (!__get_cpuid(0, &max, &ebx, &ecx, &edx))
		return FAMILY_NONE;
	if (ebx == signature_INTEL_ebx && ecx == signature_INTEL_ecx)
		return FAMILY_INTEL;
	if ((ebx == signature_AMD_ebx && ecx == signature_AMD_ecx) ||
	    (ebx == SIGNATURE_HYGON_EBX && ecx == SIGNATURE_HYGON_ECX))
		return FAMILY_AMD;
#endif
	return FAMILY_NONE;
}

static enum family family_of(const pmc_machine_t *machine, const struct core_type *ct)
{
	if (!strncmp(machine->backend, "arm", 3) || !strncmp(ct->info.pmu, "arm", 3))
		return FAMILY_ARM;
	if (!strcmp(machine->backend, "intel") || !strcmp(machine->backend, "knc"))
		return FAMILY_INTEL;
	if (!strcmp(machine->backend, "amd"))
		return FAMILY_AMD;
	return host_family();
}

/* From the kernel module, or else from the name of the kernel's PMU. */
static unsigned int native_type_of(const struct core_type *ct)
{
	if (ct->native_type)
		return ct->native_type;
	return !strcmp(ct->info.pmu, "cpu_core") ? NATIVE_CORE :
	       !strcmp(ct->info.pmu, "cpu_atom") ? NATIVE_ATOM : 0;
}

/*
 * Files come first, then the PMU of libpfm4, or else the library's own table, by the name that
 * libpfm4 has for the model.
 */
static void print_sources(const struct core_type *ct, char *buf, size_t size)
{
	int pmu = pfm_pmu_of(ct);
	size_t n = 0;

	if (ct->files)
		n = snprintf(buf, size, "%s", event_files_name(ct->files));
	if (n < size && pmu >= 0)
		snprintf(buf + n, size - n, "%slibpfm4 %s", n ? ", " : "", pfm_pmu_name(pmu));
	else if (n < size && ct->table)
		snprintf(buf + n, size - n, "%sbuiltin %s", n ? ", " : "",
			 ct->table->pfm ? ct->table->pfm : ct->table->name);
	else if (!n)
		snprintf(buf, size, "none");
}

/* Choose the sources of a core type's event names. */
static int choose_names(pmc_machine_t *machine, struct core_type *ct)
{
	if (!ct->info.name)
		ct->info.name = strdup("core");
	if (!ct->info.pmu)
		ct->info.pmu = strdup("none");
	if (!ct->info.cpus)
		ct->info.cpus = strdup("");
	if (!ct->info.name || !ct->info.pmu || !ct->info.cpus)
		return pmc_fail_nomem();
	ct->info.counters = ct->counters;
	if (!ct->info.nr_hw_counters) {
		ct->pfm_pmu = -1;
		ct->native_type = 0;
		return 0;
	}
	ct->family = family_of(machine, ct);
	ct->native_type = ct->family == FAMILY_INTEL ? native_type_of(ct) : 0;
	ct->table = table_choose(ct->family, ct->info.cpuid, ct->native_type);
	ct->files = event_files_open(ct);
	return 0;
}

pmc_machine_t *machine_parse(const char *text)
{
	pmc_machine_t *machine = calloc(1, sizeof(*machine));
	char *copy = strdup(text), *line, *save;
	int i, bad = 0;

	if (!machine || !copy) {
		pmc_fail_nomem();
		bad = 1;
		line = NULL;
	} else {
		line = strtok_r(copy, "\n", &save);
	}
	for (; line && !bad; line = strtok_r(NULL, "\n", &save))
		bad = parse_line(machine, line);
	for (i = 0; machine && i < machine->nr_core_types && !bad; i++)
		bad = choose_names(machine, &machine->core_types[i]);
	if (!bad && !machine->nr_core_types)
		bad = pmc_fail(EPROTO, "it lists no core types");
	free(copy);
	if (!bad)
		return machine;
	if (errno == EPROTO)
		pmc_fail(EPROTO, "cannot understand /proc/pmc/info: %s; are the kernel module and the library of the same version?",
			 pmc_last_error());
	pmc_machine_close(machine);
	return NULL;
}

void pmc_machine_close(pmc_machine_t *machine)
{
	int err = errno, i, j;

	for (i = 0; machine && i < machine->nr_core_types; i++) {
		struct core_type *ct = &machine->core_types[i];

		for (j = 0; j < ct->info.nr_counters; j++)
			free((char *)ct->counters[j].event);
		event_files_close(ct->files);
		free(ct->table_name);
		free(ct->counters);
		free(ct->implemented);
		free((char *)ct->info.name);
		free((char *)ct->info.pmu);
		free((char *)ct->info.cpus);
	}
	if (machine) {
		free(machine->core_types);
		free(machine->uncore);
	}
	free(machine);
	errno = err;
}

const char *pmc_machine_backend(const pmc_machine_t *machine)
{
	return machine->backend;
}

int pmc_machine_has_module(const pmc_machine_t *machine)
{
	return strcmp(machine->backend, PERF_EVENT_BACKEND) != 0;
}

int pmc_machine_direct(const pmc_machine_t *machine)
{
	return machine->direct;
}

int pmc_machine_nr_core_types(const pmc_machine_t *machine)
{
	return machine->nr_core_types;
}

const struct pmc_core_type_info *
pmc_machine_core_type(const pmc_machine_t *machine, int id)
{
	struct core_type *ct = machine_core_type(machine, id);

	return ct ? &ct->info : NULL;
}

const char *pmc_machine_event_table(const pmc_machine_t *machine, int id)
{
	struct core_type *ct = machine_core_type(machine, id);
	char *name, *other = NULL, text[128];

	if (!ct) {
		pmc_fail(EINVAL, "no core type %d", id);
		return NULL;
	}
	name = __atomic_load_n(&ct->table_name, __ATOMIC_ACQUIRE);
	if (name)
		return name;
	print_sources(ct, text, sizeof(text));
	name = strdup(text);
	if (!name)
		return "none";
	/* As with event files, of two threads that come at a time one frees its copy. */
	if (__atomic_compare_exchange_n(&ct->table_name, &other, name, 0, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return name;
	free(name);
	return other;
}

int pmc_machine_find_core_type(const pmc_machine_t *machine, const char *what)
{
	char list[ERROR_LINE / 2] = "";
	size_t len = 0;
	uint64_t id;
	int i;

	if (!parse_number(what, &id) && id < (uint64_t)machine->nr_core_types)
		return id;
	for (i = 0; i < machine->nr_core_types; i++) {
		const struct pmc_core_type_info *info = &machine->core_types[i].info;

		if (!strcasecmp(info->name, what) || !strcasecmp(info->pmu, what))
			return i;
		if (len < sizeof(list))
			len += snprintf(list + len, sizeof(list) - len, "%s%d (%s)",
					i ? ", " : "", i, info->name);
	}
	return pmc_fail(EINVAL, "no core type '%s'; this machine has %s", what, list);
}
