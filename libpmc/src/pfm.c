// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event names of libpfm4.
 *
 * libpfm4 lists the events of all PMUs, but encodes events only of PMUs that it detects,
 * unless the user has set LIBPFM_ENCODE_INACTIVE. That is enough on x86. On Arm it detects
 * at most one core type; there the listed code is the encoding. PMUs are looked up by
 * name, because the kernel knows better what the cores are.
 *
 * The program and this library share one libpfm4. So the library initialises it, as a
 * program would, and changes nothing else of its state. Copies of libpfm4 with the same
 * version number may know different PMUs, so versions are never compared.
 */
#include <errno.h>
#include <perfmon/pfmlib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_attr.h"
#include "pfm.h"
#include "tables/tables.h"

/* A bit of Intel's event select register, in which AMD's has another meaning */
#define ANY_THREAD (1ULL << 21)

static pthread_mutex_t pfm_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock(void)
{
	pthread_mutex_lock(&pfm_lock);
}

static void unlock(void)
{
	pthread_mutex_unlock(&pfm_lock);
}

/* fork() waits until no thread holds the lock: nobody would release it in the child. */
__attribute__((constructor)) static void prepare_forks(void)
{
	pthread_atfork(lock, unlock, unlock);
}

/* pfm_initialize() does nothing if the program has called it already. */
static int initialize(void)
{
	int rc;

	lock();
	rc = pfm_initialize();
	unlock();
	return rc;
}

static int get_pmu(int pmu, pfm_pmu_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	if (initialize() != PFM_SUCCESS)
		return -1;
	return pfm_get_pmu_info(pmu, info) == PFM_SUCCESS ? 0 : -1;
}

static int is_arm(const pfm_pmu_info_t *pmu)
{
	return !strncmp(pmu->name, "arm", 3);
}

static int get_event(int index, pfm_event_info_t *event)
{
	memset(event, 0, sizeof(*event));
	event->size = sizeof(*event);
	return pfm_get_event_info(index, PFM_OS_NONE, event) == PFM_SUCCESS ? 0 : -1;
}

/* Return: a PFM_ERR_* code or PFM_SUCCESS. */
static int get_codes(const pfm_pmu_info_t *pmu, const char *event, uint64_t *codes, int nr)
{
	pfm_pmu_encode_arg_t arg = { .codes = codes, .count = nr, .size = sizeof(arg) };
	char name[EVENT_NAME + 64];
	int rc;

	snprintf(name, sizeof(name), "%s::%s", pmu->name, event);
	lock();
	rc = pfm_get_os_event_encoding(name, PFM_PLM3, PFM_OS_NONE, &arg);
	unlock();
	return rc;
}

/* libpfm4 does not find the events of a PMU that it lists but does not encode. */
static int can_encode(const pfm_pmu_info_t *pmu)
{
	pfm_event_info_t event;
	uint64_t codes[8] = { 0 };

	if (is_arm(pmu) || pmu->is_present)
		return 1;
	return !get_event(pmu->first_event, &event) &&
	       get_codes(pmu, event.name, codes, 8) != PFM_ERR_NOTFOUND;
}

const char *pfm_pmu_name(int pmu)
{
	pfm_pmu_info_t info;

	return get_pmu(pmu, &info) ? "" : info.name;
}

int pfm_pmu_by_name(const char *name)
{
	pfm_pmu_info_t info;
	int pmu;

	pfm_for_all_pmus(pmu)
		if (!get_pmu(pmu, &info) && info.type == PFM_PMU_TYPE_CORE &&
		    !strcmp(info.name, name))
			return can_encode(&info) ? pmu : -1;
	return -1;
}

/* Beginnings of the kernel's names of PMUs, and of libpfm4's names. */
static const char *const prefixes[][2] = {
	{ "armv8_cortex_a", "arm_ac" },		/* armv8_cortex_a53: arm_ac53 */
	{ "armv8_neoverse_", "arm_" },		/* armv8_neoverse_n1: arm_n1 */
	{ "armv8_brcm_vulcan", "arm_thunderx2" },
	{ "armv8_cavium_thunder", "arm_thunderx2" },
	{ "armv7_cortex_a", "arm_ac" },
};

static int is_generic(const char *kernel_name)
{
	return !strncmp(kernel_name, "armv8_pmuv3", 11) || !strncmp(kernel_name, "cpu", 3);
}

/* Is this libpfm4's name of a PMU of this native type? */
static int is_of_kind(unsigned int native_type, const char *name)
{
	static const char *const core[] = { "_glc", "_rwc", "_lnc" };
	static const char *const atom[] = { "_grt", "_cmt", "_skt" };
	const char *end = strrchr(name, '_');
	size_t i;

	if (!native_type)
		return 1;
	for (i = 0; end && i < sizeof(core) / sizeof(core[0]); i++)
		if (!strcmp(end, (native_type == NATIVE_CORE ? core : atom)[i]))
			return 1;
	return 0;
}

/* The PMU that libpfm4 detects, if the kernel's name says nothing about the model. */
static int detected_pmu(enum family family, unsigned int native_type)
{
	pfm_pmu_info_t info;
	int pmu;

	pfm_for_all_pmus(pmu) {
		if (get_pmu(pmu, &info) || info.type != PFM_PMU_TYPE_CORE ||
		    !info.is_present || !strcmp(info.name, "ix86arch"))
			continue;
		if ((family == FAMILY_ARM) != is_arm(&info) ||
		    (family == FAMILY_AMD) != !strncmp(info.name, "amd64", 5))
			continue;
		if (is_of_kind(native_type, info.name))
			return pmu;
	}
	return -1;
}

static int find_pmu(const struct core_type *ct)
{
	const char *kernel_name = ct->info.pmu;
	const char *model = ct->table ? ct->table->pfm : NULL;
	char name[64];
	size_t i, len;
	int pmu = pfm_pmu_by_name(kernel_name);

	for (i = 0; pmu < 0 && i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		len = strlen(prefixes[i][0]);
		if (strncmp(kernel_name, prefixes[i][0], len))
			continue;
		snprintf(name, sizeof(name), "%s%s", prefixes[i][1], kernel_name + len);
		pmu = pfm_pmu_by_name(name);
	}
	/* If the library's tables know the model, use no PMU of libpfm4 but the model's. */
	if (pmu < 0 && model)
		pmu = pfm_pmu_by_name(model);
	else if (pmu < 0 && is_generic(kernel_name))
		pmu = detected_pmu(ct->family, ct->native_type);
	return pmu;
}

int pfm_pmu_of(const struct core_type *ct)
{
	/* Threads that ask at the same time find the same PMU. */
	int *known = (int *)&ct->pfm_pmu, pmu = __atomic_load_n(known, __ATOMIC_RELAXED);

	if (pmu == PFM_NOT_ASKED) {
		pmu = find_pmu(ct);
		__atomic_store_n(known, pmu, __ATOMIC_RELAXED);
	}
	return pmu;
}

/*
 * Take over the fields of PERFEVTSEL except OS, USR, INT and EN. An event of a fixed counter
 * has code 0 and the counter's number + 1 as unit mask, as the kernel module expects. The
 * second code is the value of the event's second register.
 */
static void take_x86(struct event *ev, const uint64_t *codes, const char *pmu)
{
	uint64_t code = codes[0];
	int amd = !strncmp(pmu, "amd64", 5);

	ev->code = code & 0xff;
	if (amd)
		ev->code |= (code >> 32 & 0xf) << 8;
	event_take_register(ev, amd ? code & ~ANY_THREAD : code);
	if (!ev->extra)
		ev->extra = codes[1];
}

/* The low 16 bits are the event; the other bits filter modes. */
static int encode_arm(struct event *ev, const pfm_pmu_info_t *pmu)
{
	pfm_event_info_t event;
	int i;

	for (i = pmu->first_event; i >= 0; i = pfm_get_event_next(i)) {
		if (get_event(i, &event) || strcasecmp(event.name, ev->base))
			continue;
		ev->has_code = 1;
		ev->code = event.code & 0xffff;
		return PFM_SUCCESS;
	}
	return PFM_ERR_NOTFOUND;
}

/* Return: a PFM_ERR_* code or PFM_SUCCESS. */
static int encode(struct event *ev, const pfm_pmu_info_t *pmu)
{
	uint64_t codes[8] = { 0 };
	int rc;

	if (is_arm(pmu))
		return encode_arm(ev, pmu);
	rc = get_codes(pmu, ev->base, codes, 8);
	if (rc != PFM_SUCCESS)
		return rc;
	ev->has_code = 1;
	take_x86(ev, codes, pmu->name);
	return rc;
}

int pfm_encode(struct event *ev, int pmu)
{
	pfm_pmu_info_t info;
	int rc;

	if (pmu < 0 || get_pmu(pmu, &info))
		return 0;
	rc = encode(ev, &info);
	if (rc == PFM_ERR_NOTFOUND)
		return 0;
	if (rc == PFM_ERR_UMASK || rc == PFM_ERR_ATTR || rc == PFM_ERR_ATTR_VAL ||
	    rc == PFM_ERR_FEATCOMB)
		return pmc_fail(EINVAL, "event '%s' of %s: %s; `pmc-events -L %.*s` lists its unit masks",
				ev->base, info.name, pfm_strerror(rc),
				(int)strcspn(ev->base, ":."), ev->base);
	return rc == PFM_SUCCESS;
}

/*
 * List the unit masks of an event, but not its modifiers. Some unit masks set a second
 * register; if the event with this unit mask alone can be encoded, that encoding is shown.
 */
static int each_umask(const pfm_pmu_info_t *pmu, const pfm_event_info_t *event, const char *raw,
		      int (*fn)(void *arg, const struct pmc_event_info *ev), void *arg)
{
	pfm_event_attr_info_t attr;
	struct pmc_event_info info;
	char name[2 * EVENT_NAME], code[128];
	struct event ev;
	int i, rc = 0;

	for (i = 0; i < event->nattrs && !rc; i++) {
		memset(&attr, 0, sizeof(attr));
		attr.size = sizeof(attr);
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_NONE, &attr) ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		snprintf(name, sizeof(name), "%s:%s", event->name, attr.name);
		snprintf(code, sizeof(code), "%s:umask=0x%02x", raw,
			 (unsigned int)attr.code & 0xff);
		event_init(&ev);
		if (snprintf(ev.base, sizeof(ev.base), "%s", name) < (int)sizeof(ev.base) &&
		    encode(&ev, pmu) == PFM_SUCCESS)
			event_print(&ev, code, sizeof(code));
		info.name = name;
		info.desc = attr.desc;
		info.raw = code;
		info.umask_of = event->name;
		rc = fn(arg, &info);
	}
	return rc;
}

int pfm_each_event(int pmu, int (*fn)(void *arg, const struct pmc_event_info *ev),
		   void *arg)
{
	struct pmc_event_info info;
	pfm_event_info_t event;
	pfm_pmu_info_t pinfo;
	char raw[32];
	int i, rc = 0;

	if (pmu < 0 || get_pmu(pmu, &pinfo))
		return 0;
	for (i = pinfo.first_event; i >= 0 && !rc; i = pfm_get_event_next(i)) {
		if (get_event(i, &event))
			continue;
		snprintf(raw, sizeof(raw), "ev=0x%llx", (unsigned long long)event.code & 0xffff);
		info.name = event.name;
		info.desc = event.desc;
		info.raw = raw;
		info.umask_of = NULL;
		rc = fn(arg, &info);
		if (!rc)
			rc = each_umask(&pinfo, &event, raw, fn, arg);
	}
	return rc;
}
