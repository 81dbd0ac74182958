// SPDX-License-Identifier: LGPL-2.1-or-later
/* Calipers: the calling thread's counts so far. */
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "caliper.h"
#include "error.h"
#include "session.h"

_Static_assert(offsetof(struct pmc_caliper, page) == CALIPER_PAGE &&
	       offsetof(struct pmc_caliper, seq) == CALIPER_SEQ &&
	       offsetof(struct pmc_caliper, nr) == CALIPER_NR,
	       "offsets of the caliper");
#if defined(__aarch64__)
_Static_assert(offsetof(struct pmc_caliper, steps) == CALIPER_STEPS, "offset of the steps");
#elif defined(__x86_64__)
_Static_assert(offsetof(struct pmc_caliper, entry) == CALIPER_ENTRY &&
	       offsetof(struct pmc_caliper, index) == CALIPER_INDEX &&
	       CALIPER_MAX_COUNTS == PMC_MAX_COUNTS,
	       "offsets of the steps");
#endif
_Static_assert(offsetof(struct pmc_caliper_page, seq) == PAGE_SEQ &&
	       offsetof(struct pmc_caliper_page, mask) == PAGE_MASK &&
	       offsetof(struct pmc_caliper_page, start) == PAGE_START &&
	       offsetof(struct pmc_caliper_page, total) == PAGE_TOTAL,
	       "offsets of the kernel's page");

/* Used in place of a page that is not mapped; its "direct" is always 0. */
static const struct pmc_caliper_page no_page;

int caliper_read_all(pmc_caliper_t *caliper, uint64_t *counts, uint64_t *values)
{
	struct pmc_read arg = { .core_type = PMC_ALL_CORE_TYPES };

	if (ioctl(pmc_session_fd(caliper->session), PMC_IOC_READ, &arg))
		return -1;
	memcpy(counts, arg.counts, arg.nr_counts * sizeof(*counts));
	memcpy(values, arg.counts + arg.nr_counts, caliper->nr_virtual * sizeof(*values));
	return arg.nr_counts;
}

int caliper_read_by_call(pmc_caliper_t *caliper, uint64_t *counts)
{
	uint64_t values[PMC_MAX_VIRTUALS];

	return caliper_read_all(caliper, counts, values);
}

int pmc_caliper_read_virtual(pmc_caliper_t *caliper, uint64_t *values)
{
	uint64_t counts[PMC_MAX_COUNTS];

	return caliper_read_all(caliper, counts, values) < 0 ? -1 : caliper->nr_virtual;
}

/* A caliper needs one event set for each core type, without sampling periods. */
static int check(const pmc_machine_t *machine, const pmc_config_t *config)
{
	int id, i;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++) {
		if (pmc_config_nr_sets(config, id) != 1)
			return pmc_fail(EINVAL, "a caliper counts on all core types: leave out coretype=");
		for (i = 0; i < pmc_config_nr_events(config, id, 0); i++)
			if (pmc_config_ebs_period(config, id, 0, i))
				return pmc_fail(EINVAL, "a caliper takes no samples: leave out ebs=");
	}
	return 0;
}

/*
 * The kernel enables direct reading in the background. The page says so after the thread
 * was switched in again or, if it has many calipers, was read by a call. Wait a moment for
 * that, so that all readings have the same cost.
 */
#define DIRECT_TRIES	20
#define DIRECT_WAIT_NS	250000

static void await_direct(pmc_caliper_t *caliper)
{
	uint64_t counts[PMC_MAX_COUNTS];
	const struct timespec wait = { .tv_nsec = DIRECT_WAIT_NS };
	const volatile __u8 *direct = &caliper->page->direct;
	int i;

	for (i = 0; caliper->allowed && i < DIRECT_TRIES && !*direct; i++) {
		nanosleep(&wait, NULL);
		caliper_read_by_call(caliper, counts);
	}
}

/* A caliper reads no samples, so the smallest ring is enough. */
static pmc_session_t *open_session(void)
{
	pmc_session_t *session = pmc_session_open();

	if (!session)
		return NULL;
	session->tried_ring = 1;
	if (!pmc_session_command(session, "ring 1"))
		return session;
	pmc_session_close(session);
	return NULL;
}

/*
 * A child of fork() has the object, but neither the page nor the counters: a reading there
 * has to fail. The list of all calipers is needed to prepare them for that.
 */
static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t all_once = PTHREAD_ONCE_INIT;
static pmc_caliper_t *all;

static void before_fork(void)
{
	pthread_mutex_lock(&all_lock);
}

static void after_fork(void)
{
	pthread_mutex_unlock(&all_lock);
}

static void in_child(void)
{
	pmc_caliper_t *caliper;

	for (caliper = all; caliper; caliper = caliper->next) {
		caliper->page = &no_page;
		caliper->mapped = 0;
		caliper->seq = SEQ_NONE;
	}
	pthread_mutex_unlock(&all_lock);
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork, in_child);
}

static void list_add(pmc_caliper_t *caliper)
{
	pthread_once(&all_once, watch_forks);
	pthread_mutex_lock(&all_lock);
	caliper->next = all;
	all = caliper;
	pthread_mutex_unlock(&all_lock);
}

static void list_del(pmc_caliper_t *caliper)
{
	pmc_caliper_t **link;

	pthread_mutex_lock(&all_lock);
	for (link = &all; *link && *link != caliper; link = &(*link)->next)
		;
	if (*link)
		*link = caliper->next;
	pthread_mutex_unlock(&all_lock);
}

static pmc_caliper_t *caliper_new(void)
{
	pmc_caliper_t *caliper = calloc(1, sizeof(*caliper));

	if (!caliper) {
		pmc_fail_nomem();
		return NULL;
	}
	caliper->page = &no_page;
	caliper->seq = SEQ_NONE;
	list_add(caliper);
	return caliper;
}

/* Map the page; without it every reading is a system call. */
static int map_page(pmc_caliper_t *caliper)
{
	void *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
			  pmc_session_fd(caliper->session), PMC_MMAP_CALIPER);

	if (page == MAP_FAILED)
		return -1;
	caliper->page = page;
	caliper->mapped = 1;
	caliper->allowed = pmc_machine_direct(caliper->machine);
	await_direct(caliper);
	return 0;
}

static int configure(pmc_caliper_t *caliper, pmc_config_t *config, const char *events,
		     const char *virtuals)
{
	const struct pmc_virtual_info *v;

	if (!events && !virtuals)
		return pmc_fail(EINVAL, "a caliper needs events or virtual counters to read");
	if (events && (pmc_config_add(config, events, PMC_EVERY_CORE_TYPE, 0) ||
		       check(caliper->machine, config)))
		return -1;
	if (virtuals && pmc_config_add_virtual(config, virtuals))
		return -1;
	for (; (v = pmc_config_virtual(config, caliper->nr_virtual)); caliper->nr_virtual++)
		caliper->virtual_grows[caliper->nr_virtual] = v->kind == PMC_VIRTUAL_COUNT;
	return 0;
}

static int begin(pmc_caliper_t *caliper, const char *events, const char *virtuals)
{
	pmc_config_t *config;
	int rc;

	caliper->machine = pmc_machine_open();
	if (!caliper->machine)
		return -1;
	config = pmc_config_new(caliper->machine);
	if (!config)
		return -1;
	rc = configure(caliper, config, events, virtuals);
	if (!rc) {
		caliper->session = open_session();
		rc = caliper->session ? pmc_session_configure(caliper->session, config) : -1;
	}
	pmc_config_free(config);
	if (rc || pmc_session_start(caliper->session))
		return -1;
	map_page(caliper);
	return 0;
}

pmc_caliper_t *pmc_caliper_open_virtual(const char *events, const char *virtuals)
{
	pmc_caliper_t *caliper = caliper_new();

	if (!caliper || !begin(caliper, events, virtuals))
		return caliper;
	pmc_caliper_close(caliper);
	return NULL;
}

pmc_caliper_t *pmc_caliper_open(const char *events)
{
	return pmc_caliper_open_virtual(events, NULL);
}

pmc_caliper_t *caliper_over(pmc_session_t *session, pmc_machine_t *machine)
{
	pmc_caliper_t *caliper = caliper_new();

	if (!caliper)
		return NULL;
	caliper->borrowed = 1;
	caliper->session = session;
	caliper->machine = machine;
	if (!map_page(caliper))
		return caliper;
	pmc_caliper_close(caliper);
	return NULL;
}

void pmc_caliper_close(pmc_caliper_t *caliper)
{
	int err = errno;

	if (!caliper)
		return;
	list_del(caliper);
	if (caliper->mapped)
		munmap((void *)caliper->page, sysconf(_SC_PAGESIZE));
	if (!caliper->borrowed) {
		pmc_session_close(caliper->session);
		pmc_machine_close(caliper->machine);
	}
	regions_free(caliper);
	free(caliper);
	errno = err;
}
