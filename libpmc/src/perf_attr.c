// SPDX-License-Identifier: LGPL-2.1-or-later
/* Events in the form of perf_event_open(). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_attr.h"
#include "perf_set.h"
#include "sysfs.h"

/* Beside the attributes' bits of the event select register, x86 PMUs have in attr.config: */
#define X86_UMASK_HIGH	40	/* bits 8 to 15 of a unit mask, from Lion Cove on */
#define AMD_CODE_HIGH	32	/* bits 8 to 11 of AMD's event codes */

#define ARM_CYCLES	0x11

static const struct {
	const char *name;
	__u64 config;
} software[] = {
	{ "task_clock", PERF_COUNT_SW_TASK_CLOCK },
	{ "context_switches", PERF_COUNT_SW_CONTEXT_SWITCHES },
	{ "migrations", PERF_COUNT_SW_CPU_MIGRATIONS },
	{ "page_faults", PERF_COUNT_SW_PAGE_FAULTS },
	{ "minor_faults", PERF_COUNT_SW_PAGE_FAULTS_MIN },
	{ "major_faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ },
};

/* Events of fixed counters. Intel's third one has a code that only the kernel knows. */
static const struct {
	const char *name;
	enum family family;
	unsigned int code;
	unsigned int umask;
} fixed[] = {
	{ "instr", FAMILY_INTEL, 0xc0, 0x00 },
	{ "cycles", FAMILY_INTEL, 0x3c, 0x00 },
	{ "ref_cycles", FAMILY_INTEL, 0x00, 0x03 },
	{ "cycles", FAMILY_ARM, ARM_CYCLES, 0x00 },
};

int perf_pmu_type(const struct core_type *ct, const char *root)
{
	char text[16];

	if (sysfs_read(text, sizeof(text), "%s/" EVENT_SOURCES "/%s/type", root, ct->info.pmu))
		return -1;
	return atoi(text);
}

static int encode_software(struct perf_event_attr *attr, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(software) / sizeof(*software); i++)
		if (!strcmp(software[i].name, name)) {
			attr->type = PERF_TYPE_SOFTWARE;
			attr->config = software[i].config;
			return 0;
		}
	return pmc_fail(EINVAL, "there is no software event '%s'", name);
}

/* pmcN without a code: the event of the fixed counter. */
static int use_fixed_event(struct event *ev, const struct core_type *ct, const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
		if (fixed[i].family == ct->family && !strcmp(fixed[i].name, name)) {
			ev->has_code = 1;
			ev->code = fixed[i].code;
			if (ev->umask == UNSET)
				ev->umask = fixed[i].umask;
			return 0;
		}
	return pmc_fail(EINVAL, "pmc%d needs an event code: write pmc%d=CODE", ev->slot, ev->slot);
}

/* perf has no codes for the first two fixed counters: it takes those of the same events. */
static void avoid_fixed_codes(struct event *ev)
{
	if (ev->code || ev->umask < 1 || ev->umask > 2)
		return;
	ev->code = ev->umask == 1 ? 0xc0 : 0x3c;
	ev->umask = 0;
}

static __u64 umask_high(int umask)
{
	return umask > 0 ? (__u64)(umask >> 8) << X86_UMASK_HIGH : 0;
}

static int encode_x86(struct perf_event_attr *attr, struct event *ev, const struct core_type *ct)
{
	enum family family = ct->family;
	unsigned int max = family == FAMILY_AMD ? 0xfff : 0xff;

	if (family == FAMILY_INTEL)
		avoid_fixed_codes(ev);
	if (ev->code > max)
		return pmc_fail(EINVAL, "'%s': event codes end at 0x%x here", ev->name, max);
	/* The kernel would leave out the bits that it does not know, and count another event. */
	if (ev->umask > 0xff && !ct->has_wide_umask)
		return pmc_fail(EINVAL, "'%s' needs a unit mask of 16 bits (0x%x), which the kernel's driver of %s does not take: this needs a newer kernel or processor",
				ev->name, ev->umask, ct->info.pmu);
	if (ev->extra && family != FAMILY_INTEL)
		return pmc_fail(EINVAL, "'%s': extra= is for processors of Intel", ev->name);
	attr->config = (ev->code & 0xff) | (ev->code >> 8) << AMD_CODE_HIGH |
		       event_register(ev) | umask_high(ev->umask);
	attr->config1 = ev->extra;
	return 0;
}

static int encode_arm(struct perf_event_attr *attr, const struct event *ev)
{
	if (event_has_selector(ev))
		return pmc_fail(EINVAL, "'%s': an event of Arm takes no modifiers but u and k",
				ev->name);
	if (ev->code > 0xffff)
		return pmc_fail(EINVAL, "'%s': event codes end at 0xffff here", ev->name);
	attr->config = ev->code;
	return 0;
}

/* As in the kernel module, an event that names a mode is not counted in the other one. */
static int set_modes(struct perf_event_attr *attr, const struct event *ev, unsigned int filter)
{
	int user = ev->user == 1, kernel = ev->kernel == 1;

	if (ev->user == UNSET && ev->kernel == UNSET) {
		user = filter & FILTER_USER;
		kernel = filter & FILTER_KERNEL;
	}
	attr->exclude_user = !user;
	attr->exclude_kernel = !kernel;
	attr->exclude_hv = !kernel;
	return user || kernel ? 0 :
	       pmc_fail(EINVAL, "'%s' counts in neither user nor kernel mode: set usr or os", ev->name);
}

static void init(struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			    PERF_FORMAT_TOTAL_TIME_RUNNING;
}

unsigned int perf_cycles_code(const struct core_type *ct)
{
	return ct->family == FAMILY_ARM ? ARM_CYCLES : ct->family == FAMILY_AMD ? 0x76 : 0x3c;
}

void perf_attr_cycles(struct perf_event_attr *attr, const struct core_type *ct, unsigned int type)
{
	init(attr);
	attr->type = type;
	attr->config = perf_cycles_code(ct);
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

void perf_attr_time(struct perf_event_attr *attr)
{
	init(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_TASK_CLOCK;
}

int perf_attr_encode(struct perf_event_attr *attr, const struct event *event,
		     const struct core_type *ct, unsigned int type, unsigned int filter)
{
	const struct pmc_counter_info *counter = NULL;
	struct event ev = *event;

	init(attr);
	if (ev.ebs)
		return pmc_fail(EOPNOTSUPP, "ebs=%llu: sampling by event count needs the kernel module: load it (modprobe pmctrack)",
				(unsigned long long)ev.ebs);
	if (ev.place == EVENT_SOFTWARE)
		return encode_software(attr, ev.base);
	if (ev.place == EVENT_PINNED) {
		counter = core_type_counter(ct, ev.slot);
		if (!counter)
			return pmc_fail(EINVAL, "core type %d (%s) has no counter pmc%d; `pmc-events -I` lists them",
					ct->info.id, ct->info.name, ev.slot);
		if (counter->kind == PMC_COUNTER_SOFTWARE)
			return encode_software(attr, counter->event);
		if (!ev.has_code && use_fixed_event(&ev, ct, counter->event))
			return -1;
	}
	if (!ct->info.nr_hw_counters)
		return pmc_fail(ENODEV, "'%s': this machine has no hardware counters; in a virtual machine, enable its PMU",
				ev.name);
	if (set_modes(attr, &ev, filter))
		return -1;
	attr->type = type;
	return ct->family == FAMILY_ARM ? encode_arm(attr, &ev) :
	       encode_x86(attr, &ev, ct);
}
