// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The machine without the kernel module: core types and counters according to sysfs and
 * CPUID, in the form of /proc/pmc/info. The kernel has a PMU for each core type: `cpu`, or
 * PMUs with a list of their CPUs (cpu_core, cpu_atom, armv8_cortex_a53, ...).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "error.h"
#include "machine.h"
#include "sysfs.h"

#define MAX_CORE_TYPES	16
#define LIST		1024	/* longest list of CPUs */
#define CAPACITY	1024	/* of the fastest */

struct pmu {
	char name[64];
	char cpus[LIST];
	int first_cpu;
	unsigned long capacity;
};

/* The hardware counters of a core type */
struct counters {
	int nr_fixed;
	const char *const *fixed;	/* their events */
	int nr_general;
};

static const char *const software[] = {
	"task_clock", "context_switches", "migrations", "page_faults", "minor_faults",
	"major_faults",
};

static int has_only(const char *text, const char *allowed)
{
	return *text && !text[strspn(text, allowed)];
}

static int is_plain_name(const char *name)
{
	return has_only(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") &&
	       *name != '.';
}

static int is_cpu_list(const char *text)
{
	return isdigit((unsigned char)*text) && has_only(text, "0123456789,-");
}

static unsigned long capacity_of(const char *root, int cpu)
{
	char text[32];

	if (sysfs_read(text, sizeof(text), "%s/devices/system/cpu/cpu%d/cpu_capacity", root, cpu))
		return CAPACITY;
	return strtoul(text, NULL, 10);
}

/* Read a PMU, if it belongs to CPUs: `cpu` belongs to all, others have a list in `cpus`. */
static int read_pmu(struct pmu *pmu, const char *root, const char *name)
{
	if (!is_plain_name(name) || strlen(name) >= sizeof(pmu->name))
		return 0;
	if (sysfs_read(pmu->cpus, sizeof(pmu->cpus), "%s/" EVENT_SOURCES "/%s/cpus", root, name) &&
	    (strcmp(name, "cpu") ||
	     sysfs_read(pmu->cpus, sizeof(pmu->cpus), "%s/devices/system/cpu/present", root)))
		return 0;
	if (!is_cpu_list(pmu->cpus))
		return 0;
	strcpy(pmu->name, name);
	pmu->first_cpu = atoi(pmu->cpus);
	pmu->capacity = capacity_of(root, pmu->first_cpu);
	return 1;
}

/* The fastest core type first, as the kernel module has them if the firmware does not mix them */
static int compare(const void *one, const void *other)
{
	const struct pmu *a = one, *b = other;

	if (a->capacity != b->capacity)
		return a->capacity < b->capacity ? 1 : -1;
	return a->first_cpu - b->first_cpu;
}

static int find_pmus(struct pmu *pmus, const char *root)
{
	struct dirent *entry;
	char path[512];
	DIR *dir;
	int n = 0;

	snprintf(path, sizeof(path), "%s/" EVENT_SOURCES, root);
	dir = opendir(path);
	if (!dir)
		return pmc_fail(errno, "cannot read %s: %m; mount sysfs, or load the kernel module (modprobe pmctrack)",
				path);
	while (n < MAX_CORE_TYPES && (entry = readdir(dir)))
		n += read_pmu(&pmus[n], root, entry->d_name);
	closedir(dir);
	qsort(pmus, n, sizeof(*pmus), compare);
	return n;
}

#if defined(__x86_64__) || defined(__i386__)
static const char *const intel_fixed[] = { "instr", "cycles", "ref_cycles" };

/*
 * CPUID leaf 0xa. On machines with several core types it describes the one that this runs
 * on; the kernel refuses sets that are too large for another.
 */
static void intel_counters(struct counters *c)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(0xa, &eax, &ebx, &ecx, &edx) || !(eax & 0xff))
		return;
	c->nr_general = eax >> 8 & 0xff;
	c->fixed = intel_fixed;
	c->nr_fixed = (eax & 0xff) < 2 ? 0 : (edx & 0x1f) < 3 ? edx & 0x1f : 3;
}

/* CPUID leaf 0x80000022 has the number; before that, Zen has six and older ones four. */
static void amd_counters(struct counters *c)
{
	unsigned int eax, ebx, ecx, edx;

	c->nr_general = 4;
	if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) && ecx & 1 << 23)
		c->nr_general = 6;
	if (__get_cpuid(0x80000022, &eax, &ebx, &ecx, &edx) && eax & 1 && ebx & 0xf)
		c->nr_general = ebx & 0xf;
}

static void native_counters(struct counters *c)
{
	unsigned int max, ebx, ecx, edx;

	if (!__get_cpuid(0, &max, &ebx, &ecx, &edx))
		return;
	if (ebx == signature_INTEL_ebx)
		intel_counters(c);
	else
		amd_counters(c);
}

static uint64_t cpuid_of(const char *root, int cpu)
{
	unsigned int eax, ebx, ecx, edx;

	(void)root;
	(void)cpu;
	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) ? eax : 0;
}
#else
static void native_counters(struct counters *c)
{
	(void)c;
}

static uint64_t cpuid_of(const char *root, int cpu)
{
	char text[32];

	if (sysfs_read(text, sizeof(text),
		       "%s/devices/system/cpu/cpu%d/regs/identification/midr_el1", root, cpu))
		return 0;
	/* Upper half: reserved */
	return strtoull(text, NULL, 16) & 0xffffffff;
}
#endif

/*
 * Arm: the kernel does not say how many counters there are. Six are common beside that of
 * cycles; the kernel refuses sets that are too large.
 */
static void find_counters(struct counters *c, const struct pmu *pmu, const char *root)
{
	static const char *const arm_fixed[] = { "cycles" };
	char watchdog[8];

	memset(c, 0, sizeof(*c));
	if (!strncmp(pmu->name, "arm", 3) || !strncmp(pmu->name, "apple", 5)) {
		c->nr_fixed = 1;
		c->fixed = arm_fixed;
		c->nr_general = 6;
	} else {
		native_counters(c);
	}
	(void)root;
	if (c->nr_general > 1 && !sysfs_read(watchdog, sizeof(watchdog), NMI_WATCHDOG) &&
	    *watchdog == '1')
		c->nr_general--;
}

static const char *name_of(const struct pmu *pmus, int nr, int i)
{
	if (nr == 1)
		return "core";
	if (!strcmp(pmus[i].name, "cpu_core"))
		return "P";
	if (!strcmp(pmus[i].name, "cpu_atom"))
		return "E";
	if (!strcmp(pmus[i].name, "cpu_lowpower"))
		return "LPE";
	if (pmus[i].capacity == pmus[0].capacity)
		return "big";
	return pmus[i].capacity == pmus[nr - 1].capacity ? "little" : "mid";
}

/* big, big2: a name that an earlier core type has gets a number. */
static void print_name(FILE *f, const struct pmu *pmus, int nr, int i)
{
	const char *name = name_of(pmus, nr, i);
	int other, number = 1;

	for (other = 0; other < i; other++)
		number += !strcmp(name_of(pmus, nr, other), name);
	fprintf(f, " name %s", name);
	if (number > 1)
		fprintf(f, "%d", number);
}

static int print_range(FILE *f, int id, int first, int nr, const char *what)
{
	fprintf(f, "counter %d pmc%d", id, first);
	if (nr > 1)
		fprintf(f, "-pmc%d", first + nr - 1);
	fprintf(f, " %s\n", what);
	return nr;
}

static int print_hardware(FILE *f, int id, const struct counters *c)
{
	char what[32];
	int i, n = 0;

	for (i = 0; i < c->nr_fixed; i++) {
		snprintf(what, sizeof(what), "fixed %s", c->fixed[i]);
		n += print_range(f, id, n, 1, what);
	}
	if (c->nr_general)
		n += print_range(f, id, n, c->nr_general, "general any");
	return n;
}

/* Numbers of software counters are the same on all core types. */
static void print_software(FILE *f, int id, int first)
{
	size_t i;

	for (i = 0; i < sizeof(software) / sizeof(*software); i++)
		fprintf(f, "counter %d pmc%d software %s\n", id, first + (int)i, software[i]);
}

/* Arm's driver lists the architected events that the processor has. */
static void print_events(FILE *f, int id, const struct pmu *pmu, const char *root)
{
	char path[512], text[64], end;
	struct dirent *entry;
	unsigned int code;
	int n = 0;
	DIR *dir;

	if (strncmp(pmu->name, "arm", 3))
		return;
	if (snprintf(path, sizeof(path), "%s/" EVENT_SOURCES "/%s/events", root, pmu->name) >=
	    (int)sizeof(path))
		return;
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (is_plain_name(entry->d_name) &&
		    !sysfs_read(text, sizeof(text), "%s/%s", path, entry->d_name) &&
		    sscanf(text, "event=%x%c", &code, &end) == 1) {
			if (!n++)
				fprintf(f, "events %d ", id);
			fprintf(f, "%s0x%x", n > 1 ? "," : "", code);
		}
	if (n)
		fputc('\n', f);
	if (dir)
		closedir(dir);
}

static void print_core_type(FILE *f, const struct pmu *pmus, int nr, int i, const char *root)
{
	const struct pmu *pmu = &pmus[i];

	fprintf(f, "core_type %d cpus %s", i, pmu->cpus);
	print_name(f, pmus, nr, i);
	fprintf(f, " pmu %s capacity %lu cpuid 0x%llx\n", pmu->name, pmu->capacity,
		(unsigned long long)cpuid_of(root, pmu->first_cpu));
	if (!strcmp(pmu->name, "cpu_core"))
		fprintf(f, "native_type %d 0x40\n", i);
	if (!strcmp(pmu->name, "cpu_atom") || !strcmp(pmu->name, "cpu_lowpower"))
		fprintf(f, "native_type %d 0x20\n", i);
	print_events(f, i, pmu, root);
}

static void print_counters(FILE *f, const struct pmu *pmus, int nr, const char *root)
{
	struct counters counters[MAX_CORE_TYPES];
	int i, most = 0;

	for (i = 0; i < nr; i++) {
		find_counters(&counters[i], &pmus[i], root);
		if (counters[i].nr_fixed + counters[i].nr_general > most)
			most = counters[i].nr_fixed + counters[i].nr_general;
	}
	for (i = 0; i < nr; i++) {
		print_hardware(f, i, &counters[i]);
		print_software(f, i, most);
	}
}

/* A machine without a PMU, such as many virtual machines, has only software counters. */
static void print_software_only(FILE *f, const char *root)
{
	char cpus[LIST];

	if (sysfs_read(cpus, sizeof(cpus), "%s/devices/system/cpu/present", root) ||
	    !is_cpu_list(cpus))
		strcpy(cpus, "0");
	fprintf(f, "core_type 0 cpus %s name core pmu none capacity %d cpuid 0x%llx\n", cpus,
		CAPACITY, (unsigned long long)cpuid_of(root, 0));
	print_software(f, 0, 0);
}

char *sysfs_info(const char *root)
{
	struct pmu pmus[MAX_CORE_TYPES];
	int i, nr = find_pmus(pmus, root);
	char *text = NULL;
	size_t size;
	FILE *f;

	if (nr < 0)
		return NULL;
	f = open_memstream(&text, &size);
	if (!f) {
		pmc_fail_nomem();
		return NULL;
	}
	fprintf(f, "backend " PERF_EVENT_BACKEND "\n");
	for (i = 0; i < nr; i++)
		print_core_type(f, pmus, nr, i, root);
	if (nr)
		print_counters(f, pmus, nr, root);
	else
		print_software_only(f, root);
	if (!fclose(f))
		return text;
	free(text);
	pmc_fail_nomem();
	return NULL;
}

/* Where perf's driver has a unit mask: config:8-15, or config:8-15,40-47 */
static int has_wide_umask(const struct core_type *ct, const char *root)
{
	char text[64];

	return !sysfs_read(text, sizeof(text), "%s/" EVENT_SOURCES "/%s/format/umask", root,
			   ct->info.pmu) && strstr(text, ",40-47");
}

pmc_machine_t *machine_from_sysfs(const char *root)
{
	char *text = sysfs_info(root);
	pmc_machine_t *machine = text ? machine_parse(text) : NULL;
	int i;

	free(text);
	for (i = 0; machine && i < machine->nr_core_types; i++)
		machine->core_types[i].has_wide_umask = has_wide_umask(&machine->core_types[i], root);
	return machine;
}
