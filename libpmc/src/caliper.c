// SPDX-License-Identifier: LGPL-2.1-or-later
/* Calipers: the calling thread's counts so far. */
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "caliper.h"
#include "error.h"
#include "thread_session.h"

_Static_assert(!offsetof(struct pmc_caliper, no_page_seq) &&
	       offsetof(struct pmc_caliper, page) == CALIPER_PAGE &&
	       offsetof(struct pmc_caliper, seq) == CALIPER_SEQ &&
	       offsetof(struct pmc_caliper, nr) == CALIPER_NR &&
	       offsetof(struct pmc_caliper, mask) == CALIPER_MASK &&
	       offsetof(struct pmc_caliper, counts) == CALIPER_COUNTS,
	       "offsets of the caliper");
#if defined(__aarch64__)
_Static_assert(offsetof(struct pmc_caliper, steps) == CALIPER_STEPS, "offset of the steps");
#elif defined(__x86_64__)
_Static_assert(offsetof(struct pmc_caliper, entry) == CALIPER_ENTRY &&
	       offsetof(struct pmc_caliper, index) == CALIPER_INDEX &&
	       CALIPER_MAX_COUNTS == PMC_MAX_COUNTS,
	       "offsets of the steps");
#endif
#ifdef CALIPER_DIRECT
_Static_assert(offsetof(struct pmc_caliper, read_slowly) == CALIPER_SLOWLY &&
	       offsetof(struct pmc_caliper, spread) == CALIPER_SPREAD,
	       "offsets of the assembler's ways on");
#endif
#if defined(__aarch64__)
_Static_assert(offsetof(struct pmc_caliper, rseq_cs) == CALIPER_RSEQ &&
	       offsetof(struct pmc_caliper, sequence) == CALIPER_RSEQ + 8,
	       "offsets of the restartable sequence");
#endif
_Static_assert(!offsetof(struct pmc_caliper_page, seq), "offset of the kernel's seq");

int caliper_check(const pmc_machine_t *machine, const pmc_config_t *config)
{
	int id, i;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++) {
		if (pmc_config_nr_sets(config, id) != 1)
			return pmc_fail(EINVAL, "a caliper needs one event set for each core type: leave out coretype=");
		for (i = 0; i < pmc_config_nr_events(config, id, 0); i++)
			if (pmc_config_ebs_period(config, id, 0, i))
				return pmc_fail(EINVAL, "a caliper takes no samples: leave out ebs=");
	}
	return 0;
}

/* Two pages; children find the second one cleared, which begins with the caliper's @page. */
static pmc_caliper_t *caliper_new(void)
{
	size_t size = sysconf(_SC_PAGESIZE);
	char *pages = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	pmc_caliper_t *caliper;

	if (pages == MAP_FAILED) {
		pmc_fail_nomem();
		return NULL;
	}
	if (madvise(pages + size, size, MADV_WIPEONFORK)) {
		pmc_fail(errno, "calipers need a kernel with MADV_WIPEONFORK: %m");
		munmap(pages, 2 * size);
		return NULL;
	}
	caliper = (pmc_caliper_t *)(pages + size - CALIPER_PAGE);
	caliper->no_page_seq = SEQ_NO_PAGE;
	caliper->read_slowly = caliper_read_slowly;
	caliper->seq = SEQ_NONE;
	return caliper;
}

void caliper_free(pmc_caliper_t *caliper)
{
	size_t size = sysconf(_SC_PAGESIZE);
	int err = errno;

	if (!caliper)
		return;
	thread_session_put(caliper->ts);
	munmap((char *)caliper + CALIPER_PAGE - size, 2 * size);
	errno = err;
}

/* Count by the calling thread's session with this configuration. */
static int begin(pmc_caliper_t *caliper, const pmc_machine_t *machine,
		 const pmc_config_t *config, struct pmc_read *before)
{
	int direct = pmc_machine_direct(machine);

	caliper->ts = thread_session_get(config, direct, before);
	if (!caliper->ts)
		return -1;
	if (!caliper->ts->page)
		return 0;
	caliper->page = (uintptr_t)caliper->ts->page - (uintptr_t)caliper;
	caliper->allowed = direct;
	caliper_find_rseq(caliper);
	return 0;
}

static int configure(pmc_caliper_t *caliper, const pmc_machine_t *machine,
		     pmc_config_t *config, const char *events, const char *virtuals)
{
	const struct pmc_virtual_info *v;

	if (!events && !virtuals)
		return pmc_fail(EINVAL, "a caliper needs events or virtual counters to read");
	if (events && (pmc_config_add(config, events, PMC_EVERY_CORE_TYPE, 0) ||
		       caliper_check(machine, config)))
		return -1;
	if (virtuals && pmc_config_add_virtual(config, virtuals))
		return -1;
	for (; (v = pmc_config_virtual(config, caliper->nr_virtual)); caliper->nr_virtual++)
		caliper->virtual_grows[caliper->nr_virtual] = v->kind == PMC_VIRTUAL_COUNT;
	return 0;
}

static int begin_by_names(pmc_caliper_t *caliper, const pmc_machine_t *machine,
			  const char *events, const char *virtuals)
{
	pmc_config_t *config = pmc_config_new(machine);
	struct pmc_read before;
	int rc;

	if (!config)
		return -1;
	rc = configure(caliper, machine, config, events, virtuals);
	if (!rc)
		rc = begin(caliper, machine, config, &before);
	if (!rc)
		memcpy(caliper->before, before.counts, sizeof(caliper->before));
	pmc_config_free(config);
	return rc;
}

pmc_caliper_t *pmc_caliper_open_virtual(const char *events, const char *virtuals)
{
	pmc_machine_t *machine = pmc_machine_open();
	pmc_caliper_t *caliper = machine ? caliper_new() : NULL;

	if (caliper && begin_by_names(caliper, machine, events, virtuals)) {
		caliper_free(caliper);
		caliper = NULL;
	}
	pmc_machine_close(machine);
	return caliper;
}

pmc_caliper_t *pmc_caliper_open(const char *events)
{
	return pmc_caliper_open_virtual(events, NULL);
}

pmc_caliper_t *caliper_of_config(const pmc_machine_t *machine, const pmc_config_t *config)
{
	pmc_caliper_t *caliper = caliper_new();
	struct pmc_read before;

	if (!caliper || !begin(caliper, machine, config, &before))
		return caliper;
	caliper_free(caliper);
	return NULL;
}
