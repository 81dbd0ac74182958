// SPDX-License-Identifier: GPL-2.0
/*
 * Core types: CPUs are alike when the kernel serves them by the same PMU,
 * gives them the same capacity and they report the same model and kind of
 * core. MIDR alone is not enough (a hypervisor may show one MIDR on all of them),
 * and neither is capacity (unknown on most x86 machines). core_types= overrides,
 * for equal cores clocked differently.
 */
#include <linux/arch_topology.h>
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/perf_event.h>
#include <linux/sched/topology.h>
#include <linux/slab.h>
#if defined(CONFIG_ARM64) || defined(CONFIG_ARM)
#include <asm/cputype.h>
#endif
#include <base/compat.h>
#include "base/coretypes_param.h"
#include "base/err.h"
#include "pmu/coretypes.h"
#include "pmu/pmu.h"

struct pmc_core_type *pmc_core_types;
unsigned int pmc_nr_core_types;

/* The properties in which CPUs differ. */
struct cpu_identity {
	char pmu[32];
	u32 perf_type;
	unsigned long capacity;
	u32 cpuid;
	u32 native_type;
	u32 native_model;
	bool no_interrupt;
};

/*
 * The PMU that serves a CPU: the one that takes an event there. On x86 raw
 * events are the first PMU's alone; those that all processors know go to that
 * of the CPU.
 */
static void find_pmu(unsigned int cpu, struct cpu_identity *id)
{
	static const u32 types[] = { PERF_TYPE_RAW, PERF_TYPE_HARDWARE };
	struct perf_event *event;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		struct perf_event_attr attr = {
			.type = types[i],
			.size = sizeof(attr),
			.disabled = 1,
			/* A virtual machine may have the PMU by turns. */
			.exclude_guest = IS_ENABLED(CONFIG_X86),
		};

		event = perf_event_create_kernel_counter(&attr, cpu, NULL, NULL,
							 NULL);
		if (IS_ERR(event))
			continue;
		strscpy(id->pmu, event->pmu->name, sizeof(id->pmu));
		id->perf_type = i ? event->pmu->type : PERF_TYPE_RAW;
		id->no_interrupt = event->pmu->capabilities & PERF_PMU_CAP_NO_INTERRUPT;
		perf_event_release_kernel(event);
		return;
	}
	strscpy(id->pmu, "none", sizeof(id->pmu));
}

static unsigned long cpu_capacity(unsigned int cpu)
{
#ifdef CONFIG_GENERIC_ARCH_TOPOLOGY
	return per_cpu(cpu_scale, cpu);
#else
	return SCHED_CAPACITY_SCALE;
#endif
}

#ifdef CONFIG_X86
/*
 * Intel: CPUID leaf 0x1A EAX[31:24], 0x20 for an Atom and 0x40 for a Core, and
 * EAX[23:0] for which of them (Arrow Lake-H has two kinds of Atom). AMD: leaf
 * 0x80000026 EBX[31:28], 0 performance and 1 efficiency, where EAX[30] says that
 * cores differ; numbered here from 1.
 */
static void read_native_type(struct cpu_identity *id)
{
	u32 eax, ebx, ecx, edx;

	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL &&
	    cpuid_eax(0) >= 0x1a) {
		eax = cpuid_eax(0x1a);
		id->native_type = eax >> 24;
		id->native_model = eax & GENMASK(23, 0);
		return;
	}
	if (boot_cpu_data.x86_vendor != X86_VENDOR_AMD ||
	    cpuid_eax(0x80000000) < 0x80000026)
		return;
	cpuid_count(0x80000026, 0, &eax, &ebx, &ecx, &edx);
	if (eax & BIT(30))
		id->native_type = (ebx >> 28) + 1;
}
#endif

static void read_cpuid_here(void *info)
{
	struct cpu_identity *id = info;

#if defined(CONFIG_ARM64) || defined(CONFIG_ARM)
	id->cpuid = read_cpuid_id();
#elif defined(CONFIG_X86)
	id->cpuid = cpuid_eax(1);
	read_native_type(id);
#endif
}

static void identify(unsigned int cpu, struct cpu_identity *id)
{
	memset(id, 0, sizeof(*id));
	find_pmu(cpu, id);
	id->capacity = cpu_capacity(cpu);
	smp_call_function_single(cpu, read_cpuid_here, id, 1);
}

static struct pmc_core_type *add_core_type(const struct cpu_identity *id)
{
	struct pmc_core_type *ct = &pmc_core_types[pmc_nr_core_types];

	ct->id = pmc_nr_core_types++;
	strscpy(ct->pmu, id->pmu, sizeof(ct->pmu));
	ct->capacity = id->capacity;
	ct->cpuid = id->cpuid;
	ct->native_type = id->native_type;
	ct->native_model = id->native_model;
	ct->perf_type = id->perf_type;
	ct->no_interrupt = id->no_interrupt;
	return ct;
}

/* perf's PMU of a CPU can't be found while the PMU is ours. */
static bool is_of(const struct pmc_core_type *ct, const struct cpu_identity *id)
{
	return (!strcmp(ct->pmu, id->pmu) ||
		(pmc_backend && !strcmp(id->pmu, "none"))) &&
	       ct->capacity == id->capacity &&
	       ct->cpuid == id->cpuid && ct->native_type == id->native_type &&
	       ct->native_model == id->native_model;
}

static int discover(const struct cpu_identity *ids)
{
	struct pmc_core_type *ct;
	unsigned int cpu, i;

	for_each_online_cpu(cpu) {
		const struct cpu_identity *id = &ids[cpu];

		for (i = 0; i < pmc_nr_core_types; i++) {
			ct = &pmc_core_types[i];
			if (is_of(ct, id))
				break;
		}
		if (i == PMC_CORE_TYPES_MAX) {
			pr_err("this machine has more than %u core types: name them with core_types=\n",
			       PMC_CORE_TYPES_MAX);
			return -ENOSPC;
		}
		if (i == pmc_nr_core_types)
			ct = add_core_type(id);
		cpumask_set_cpu(cpu, &ct->cpus);
	}
	return 0;
}

/* The common name of a kind of core, or NULL. */
static const char *native_name(u32 type)
{
#ifdef CONFIG_X86
	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL)
		return type == 0x40 ? "P" : type == 0x20 ? "E" : NULL;
	return type == 1 ? "classic" : type == 2 ? "dense" : NULL;
#else
	return NULL;
#endif
}

/* Whether the processor itself says that it is a big core. */
static bool is_big(const struct pmc_core_type *ct)
{
#ifdef CONFIG_X86
	if (boot_cpu_data.x86_vendor == X86_VENDOR_INTEL)
		return ct->native_type == 0x40;
#endif
	return ct->native_type == 1;
}

/**
 * pmc_core_type_faster - is one core type known to be faster than another
 * @a: core type
 * @b: another
 *
 * Context: Any.
 */
bool pmc_core_type_faster(const struct pmc_core_type *a,
			  const struct pmc_core_type *b)
{
	if (a->capacity != b->capacity)
		return a->capacity > b->capacity;
	return is_big(a) && !is_big(b);
}

static bool is_name_taken(const struct pmc_core_type *ct)
{
	unsigned int i;

	for (i = 0; i < ct->id; i++)
		if (!strcmp(pmc_core_types[i].name, ct->name))
			return true;
	return false;
}

/*
 * "core" when all are alike, else by the kind of core or by capacity: big, mid,
 * little; with a number if there are several.
 */
static void name_core_types(void)
{
	unsigned long most = 0, least = ULONG_MAX;
	unsigned int i, nr;

	for (i = 0; i < pmc_nr_core_types; i++) {
		most = max(most, pmc_core_types[i].capacity);
		least = min(least, pmc_core_types[i].capacity);
	}
	for (i = 0; i < pmc_nr_core_types; i++) {
		struct pmc_core_type *ct = &pmc_core_types[i];
		const char *name;

		if (pmc_nr_core_types == 1)
			name = "core";
		else if (most == least)
			name = native_name(ct->native_type);
		else if (ct->capacity == most)
			name = "big";
		else if (ct->capacity == least)
			name = "little";
		else
			name = "mid";
		if (!name) {
			snprintf(ct->name, sizeof(ct->name), "type%u", i);
			continue;
		}
		strscpy(ct->name, name, sizeof(ct->name));
		for (nr = 2; is_name_taken(ct); nr++)
			snprintf(ct->name, sizeof(ct->name), "%s%u", name, nr);
	}
}

/* One range of core_types=. Ranges of one type follow each other. */
static int add_named_range(const struct pmc_core_range *r,
			   const struct cpu_identity *ids)
{
	struct pmc_core_type *ct;
	unsigned int cpu;

	for (cpu = r->first; cpu <= r->last; cpu++) {
		if (cpu >= nr_cpu_ids || !cpu_online(cpu)) {
			pr_err("core_types: CPU %u of '%s' is not online\n",
			       cpu, r->name);
			return -EINVAL;
		}
		if (r->type == pmc_nr_core_types)
			strscpy(add_core_type(&ids[cpu])->name, r->name,
				sizeof(ct->name));
		ct = &pmc_core_types[r->type];
		if (strcmp(ids[cpu].pmu, ct->pmu)) {
			pr_err("core_types: CPU %u of '%s' has PMU %s, others of it have %s\n",
			       cpu, r->name, ids[cpu].pmu, ct->pmu);
			return -EINVAL;
		}
		cpumask_set_cpu(cpu, &ct->cpus);
	}
	return 0;
}

static int apply_override(const char *text, const struct cpu_identity *ids)
{
	unsigned int max = pmc_core_types_max_ranges(text), cpu;
	struct pmc_core_range *range;
	struct pmc_err err = { };
	int nr, i, ret = 0;

	range = kcalloc(max, sizeof(*range), GFP_KERNEL);
	if (!range)
		return -ENOMEM;
	nr = pmc_parse_core_types(text, range, max, &err);
	if (nr < 0) {
		pr_err("core_types: %s\n", err.text);
		ret = nr;
		goto out;
	}
	for (i = 0; i < nr && !ret; i++)
		ret = add_named_range(&range[i], ids);
	if (ret)
		goto out;
	for_each_online_cpu(cpu) {
		if (!pmc_core_type_of(cpu)) {
			pr_err("core_types: CPU %u is in none of the types\n",
			       cpu);
			ret = -EINVAL;
			goto out;
		}
	}
out:
	kfree(range);
	return ret;
}

/**
 * pmc_core_type_of - core type of a CPU
 * @cpu: CPU number
 *
 * Return: the type, or NULL for a CPU that was never seen online.
 */
struct pmc_core_type *pmc_core_type_of(unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < pmc_nr_core_types; i++)
		if (cpumask_test_cpu(cpu, &pmc_core_types[i].cpus))
			return &pmc_core_types[i];
	return NULL;
}

/**
 * pmc_core_type_like - core type for a CPU that is new
 * @cpu: CPU that has come online after pmc_core_types_init()
 *
 * Context: May sleep.
 * Return: the type whose CPUs are like it, or NULL.
 */
struct pmc_core_type *pmc_core_type_like(unsigned int cpu)
{
	struct cpu_identity id;
	unsigned int i;

	identify(cpu, &id);
	for (i = 0; i < pmc_nr_core_types; i++) {
		if (is_of(&pmc_core_types[i], &id))
			return &pmc_core_types[i];
	}
	return NULL;
}

/**
 * pmc_core_types_init - find the core types of this machine
 * @override: the core_types= parameter, or NULL
 *
 * Context: May sleep. Called once, with the set of online CPUs held.
 * Return: 0 or a negative error, after a message that explains it.
 */
int pmc_core_types_init(const char *override)
{
	struct cpu_identity *ids;
	unsigned int cpu;
	int ret = 0;

	ids = kvcalloc(nr_cpu_ids, sizeof(*ids), GFP_KERNEL);
	pmc_core_types = kvcalloc(num_online_cpus(), sizeof(*pmc_core_types),
				  GFP_KERNEL);
	if (!ids || !pmc_core_types) {
		ret = -ENOMEM;
		goto out;
	}
	for_each_online_cpu(cpu)
		identify(cpu, &ids[cpu]);
	if (override && *override) {
		ret = apply_override(override, ids);
	} else {
		ret = discover(ids);
		name_core_types();
	}
out:
	kvfree(ids);
	if (ret)
		pmc_core_types_exit();
	return ret;
}

void pmc_core_types_exit(void)
{
	kvfree(pmc_core_types);
	pmc_core_types = NULL;
	pmc_nr_core_types = 0;
}
