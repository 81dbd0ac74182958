// SPDX-License-Identifier: GPL-2.0
/* EventSets and what they count, with counters that are part of the test. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "components.h"
#include "errors.h"
#include "eventset.h"
#include "histograms.h"
#include "library.h"
#include "overflow_events.h"
#include "papi_thread.h"

#define EVENT	PAPI_TOT_INS
#define VIRTUAL	0x40000001

static int machine;
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static _Atomic int nr_closed;

const pmc_machine_t *papi_machine(void)
{
	return (const pmc_machine_t *)&machine;
}

const char *pmc_last_error(void)
{
	return "the cause";
}

int pmc_machine_nr_core_types(const pmc_machine_t *m)
{
	return 1;
}

const struct pmc_core_type_info *pmc_machine_core_type(const pmc_machine_t *m, int id)
{
	static const struct pmc_core_type_info info = { .name = "P", .pmu = "cpu" };

	return &info;
}

int PAPI_is_initialized(void)
{
	return PAPI_LOW_LEVEL_INITED;
}

const PAPI_hw_info_t *PAPI_get_hardware_info(void)
{
	return NULL;
}

const PAPI_exe_info_t *PAPI_get_executable_info(void)
{
	return NULL;
}

const PAPI_shlib_info_t *PAPI_get_shared_lib_info(void)
{
	return NULL;
}

const PAPI_component_info_t *PAPI_get_component_info(int component)
{
	return component_get(component);
}

static int lock_depth;

void papi_lock(void)
{
	pthread_mutex_lock(&lock);
	lock_depth++;
}

void papi_unlock(void)
{
	lock_depth--;
	pthread_mutex_unlock(&lock);
}

void papi_set_level(int add)
{
}

PAPI_component_info_t *component_get(int component)
{
	static PAPI_component_info_t infos[] = {
		[COMPONENT_CPU] = { .available_domains = PAPI_DOM_USER | PAPI_DOM_KERNEL },
		[COMPONENT_VIRTUAL] = { .available_domains = PAPI_DOM_USER | PAPI_DOM_KERNEL },
	};

	if (component < 0 || component > COMPONENT_VIRTUAL)
		return NULL;
	infos[component].available_granularities = PAPI_GRN_THR | PAPI_GRN_SYS;
	return &infos[component];
}

const struct papi_event *papi_event_by_code(unsigned int code)
{
	static struct papi_part part;
	static const struct papi_event event = { .code = EVENT, .nr_parts = 1, .parts = &part };

	static const struct papi_event virt = { .code = VIRTUAL, .component = COMPONENT_VIRTUAL };

	return code == (unsigned int)EVENT ? &event : code == VIRTUAL ? &virt : NULL;
}

const struct papi_event *papi_event_by_name(const char *name, int *error)
{
	return NULL;
}

static int fits = PAPI_OK;

int counting_try(const struct papi_event *const *events, int nr, const struct target *target)
{
	return fits;
}

int counting_init(struct counting *c, const struct papi_event *const *events, int nr,
		  const struct target *target)
{
	return PAPI_OK;
}

/* The kernel's answer to a handler's counter beside the EventSet's */
static int twice = PAPI_OK;

int counting_try_twice(const struct counting *c)
{
	return twice;
}

int counting_stop(struct counting *c, long long *values)
{
	return PAPI_OK;
}

void counting_close(struct counting *c)
{
	atomic_fetch_add(&nr_closed, 1);
}

void counting_free(struct counting *c)
{
	free(c->twice);
	c->twice = NULL;
}

struct overflow_counter *overflow_counter_open(const struct papi_event *event, int domain,
					       int threshold, int pinned, int *error)
{
	return NULL;
}

void overflow_counter_enable(struct overflow_counter *counters)
{
}

void overflow_counter_disable(struct overflow_counter *counters)
{
}

int overflow_counter_count(const struct overflow_counter *counters, long long *sum)
{
	*sum = 0;
	return PAPI_OK;
}

void overflow_counter_close(struct overflow_counter *counters)
{
	atomic_fetch_add(&nr_closed, !!counters);
}

void overflow_counter_forget_parent(struct overflow_counter *counters)
{
}

void histograms_free(struct profile *profile)
{
}

/* An EventSet with an event */
static int new_set(void)
{
	int set = PAPI_NULL;

	assert_int_equal(PAPI_create_eventset(&set), PAPI_OK);
	assert_int_equal(PAPI_add_event(set, EVENT), PAPI_OK);
	return set;
}

static int teardown(void **state)
{
	eventsets_exit();
	atomic_store(&nr_closed, 0);
	twice = PAPI_OK;
	fits = PAPI_OK;
	assert_int_equal(PAPI_set_domain(PAPI_DOM_USER), PAPI_OK);
	assert_int_equal(PAPI_set_granularity(PAPI_GRN_THR), PAPI_OK);
	return 0;
}

static _Atomic bool begun;

static void *cleans_up(void *set)
{
	atomic_store(&begun, true);
	return (void *)(long)PAPI_cleanup_eventset(*(int *)set);
}

/*
 * A thread that ends closes its EventSets while it has the lock. Another one that cleans them up
 * waits, and finds nothing to close.
 */
static void check_closed_once(int set, int nr)
{
	struct papi_thread owner = { .quick_id = NO_QUICK_ID };
	pthread_t thread;
	void *rc;

	eventset_get(set)->open = 1;
	eventset_get(set)->thread = &owner;
	atomic_store(&begun, false);
	papi_lock();
	assert_int_equal(pthread_create(&thread, NULL, cleans_up, &set), 0);
	while (!atomic_load(&begun))
		usleep(1000);
	usleep(100000);
	assert_int_equal(atomic_load(&nr_closed), 0);
	eventsets_leave_thread(&owner);
	papi_unlock();
	pthread_join(thread, &rc);
	assert_null(rc);
	assert_int_equal(atomic_load(&nr_closed), nr);
}

static void test_closed_once(void **state)
{
	check_closed_once(new_set(), 1);
}

static void test_overflows_closed_once(void **state)
{
	int set = new_set();

	assert_int_equal(overflow_set(eventset_get(set), 0, 1000, NULL), PAPI_OK);
	eventset_get(set)->overflow->events[0].counters = (struct overflow_counter *)&machine;
	check_closed_once(set, 2);
}

/* <sanitizer/allocator_interface.h>, which not every compiler has */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));

/* The lock's depth when this memory is freed */
static const volatile void *watched;
static int depth_at_free;

static void on_malloc(const volatile void *ptr, size_t size)
{
}

static void on_free(const volatile void *ptr)
{
	if (ptr && ptr == watched)
		depth_at_free = lock_depth;
}

/* fork() in another thread waits for the lock, and a child finds the old arrays or the new ones. */
static void test_grows_with_the_lock(void **state)
{
	int set = new_set();

	assert_true(__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free));
	watched = eventset_get(set)->events;
	depth_at_free = -1;
	assert_int_equal(PAPI_add_event(set, VIRTUAL), PAPI_OK);
	assert_int_equal(depth_at_free, 1);
	assert_int_equal(lock_depth, 0);
}

/*
 * What still has the number of an EventSet after PAPI_shutdown(), as the rates have, finds no
 * other one by it. The numbers begin anew when all were given.
 */
static void test_numbers(void **state)
{
	int i, first = PAPI_NULL, set;

	assert_int_equal(PAPI_create_eventset(&first), PAPI_OK);
	for (i = 0; i < 70000; i++) {
		eventsets_exit();
		set = PAPI_NULL;
		assert_int_equal(PAPI_create_eventset(&set), PAPI_OK);
		if (i < 1000)
			assert_int_not_equal(set, first);
		assert_non_null(eventset_get(set));
		assert_true(set == first || !eventset_get(first));
	}
}

/* A number is used again after its EventSet was destroyed. */
static void test_numbers_used_again(void **state)
{
	int i, set, last = PAPI_NULL;

	for (i = 0; i < 100; i++) {
		set = PAPI_NULL;
		assert_int_equal(PAPI_create_eventset(&set), PAPI_OK);
		assert_true(last == PAPI_NULL || set == last);
		last = set;
		assert_int_equal(PAPI_destroy_eventset(&set), PAPI_OK);
	}
}

static int set_granularity(int set, int granularity)
{
	PAPI_option_t opt = { .granularity = { .eventset = set, .granularity = granularity } };

	return PAPI_set_opt(PAPI_GRANUL, &opt);
}

/* No thread is interrupted by an EventSet that counts a CPU, nor does it count another thread. */
static void test_cpu(void **state)
{
	int set = new_set();

	assert_int_equal(set_granularity(set, PAPI_GRN_SYS), PAPI_OK);
	assert_int_equal(overflow_check(eventset_get(set), EVENT, 1000), PAPI_EINVAL);
	assert_int_equal(PAPI_attach(set, getpid()), PAPI_EINVAL);
	assert_int_equal(set_granularity(set, PAPI_GRN_THR), PAPI_OK);
	assert_int_equal(overflow_check(eventset_get(set), EVENT, 1000), 0);

	assert_int_equal(PAPI_attach(set, getpid()), PAPI_OK);
	assert_int_equal(overflow_check(eventset_get(set), EVENT, 1000), PAPI_EINVAL);
	assert_int_equal(set_granularity(set, PAPI_GRN_SYS), PAPI_EINVAL);
	assert_int_equal(set_granularity(set, PAPI_GRN_THR), PAPI_OK);
	assert_int_equal(PAPI_detach(set), PAPI_OK);

	assert_int_equal(overflow_set(eventset_get(set), 0, 1000, NULL), PAPI_OK);
	assert_int_equal(set_granularity(set, PAPI_GRN_SYS), PAPI_EINVAL);
	assert_int_equal(eventset_get(set)->target.cpu, -1);
}

static int leave_counters(struct eventset *set)
{
	counting_free(&set->counting);
	return overflow_leave_counters(set);
}

/* An event that is counted by its handler's counter has no counts of children. */
static void test_inherited_by_a_handler(void **state)
{
	PAPI_option_t opt = { .inherit = { .inherit = PAPI_INHERIT_ALL } };
	struct eventset *set = eventset_get(new_set());

	assert_int_equal(overflow_set(set, 0, 1000, NULL), PAPI_OK);
	twice = PAPI_ECNFLCT;
	assert_int_equal(leave_counters(set), PAPI_OK);
	assert_non_null(set->overflow->counted_apart);
	opt.inherit.eventset = set->id;
	assert_int_equal(PAPI_set_opt(PAPI_INHERIT, &opt), PAPI_OK);
	assert_int_equal(leave_counters(set), PAPI_ECNFLCT);
	twice = PAPI_OK;
	assert_int_equal(leave_counters(set), PAPI_OK);
	assert_null(set->overflow->counted_apart);
	counting_free(&set->counting);
}

/* An EventSet counts a thread or a CPU, not both. */
static void test_one_granularity(void **state)
{
	int set = new_set();

	assert_int_equal(set_granularity(set, PAPI_GRN_THR | PAPI_GRN_SYS), PAPI_EINVAL);
	assert_int_equal(eventset_get(set)->granularity, PAPI_GRN_THR);
	assert_int_equal(PAPI_set_granularity(PAPI_GRN_THR | PAPI_GRN_SYS), PAPI_EINVAL);
	assert_int_equal(PAPI_set_granularity(PAPI_GRN_THR), PAPI_OK);
}

static struct eventset *set_with(int first, int second)
{
	int set = PAPI_NULL;

	assert_int_equal(PAPI_create_eventset(&set), PAPI_OK);
	assert_int_equal(PAPI_add_event(set, first), PAPI_OK);
	if (second)
		assert_int_equal(PAPI_add_event(set, second), PAPI_OK);
	return eventset_get(set);
}

/* Modes and granularity of the CPU's events are the default ones, whatever was added before. */
static void test_defaults(void **state)
{
	PAPI_option_t opt = { .domain = { .domain = PAPI_DOM_USER } };
	const struct eventset *set;

	assert_int_equal(PAPI_set_domain(PAPI_DOM_ALL), PAPI_OK);
	assert_int_equal(PAPI_set_granularity(PAPI_GRN_SYS), PAPI_OK);
	set = set_with(VIRTUAL, 0);
	assert_int_equal(set->target.cpu, -1);
	fits = PAPI_ECNFLCT;
	assert_int_equal(PAPI_add_event(set->id, EVENT), PAPI_ECNFLCT);
	assert_int_equal(set->target.cpu, -1);
	assert_int_equal(set->granularity, PAPI_GRN_THR);
	fits = PAPI_OK;
	assert_int_equal(PAPI_add_event(set->id, EVENT), PAPI_OK);
	assert_int_equal(set->target.domain, PAPI_DOM_USER | PAPI_DOM_KERNEL);
	assert_int_equal(set->granularity, PAPI_GRN_SYS);
	assert_true(set->target.cpu >= 0);
	set = set_with(EVENT, VIRTUAL);
	assert_int_equal(set->target.domain, PAPI_DOM_USER | PAPI_DOM_KERNEL);
	assert_true(set->target.cpu >= 0);

	/* The program's own choice for the EventSet stays. */
	set = set_with(VIRTUAL, 0);
	opt.domain.eventset = set->id;
	assert_int_equal(PAPI_set_opt(PAPI_DOMAIN, &opt), PAPI_OK);
	assert_int_equal(set_granularity(set->id, PAPI_GRN_THR), PAPI_OK);
	assert_int_equal(PAPI_add_event(set->id, EVENT), PAPI_OK);
	assert_int_equal(set->target.domain, PAPI_DOM_USER);
	assert_int_equal(set->target.cpu, -1);
}

/* No turn is shorter than a millisecond, which the kernel module takes at least. */
static void test_turns(void **state)
{
	PAPI_option_t opt = { .multiplex = { .ns = 999999 } };

	opt.multiplex.eventset = new_set();
	assert_int_equal(PAPI_set_opt(PAPI_MULTIPLEX, &opt), PAPI_OK);
	assert_int_equal(opt.multiplex.ns, 1000000);
	assert_int_equal(eventset_get(opt.multiplex.eventset)->target.multiplex_ns, 1000000);
	opt.multiplex.eventset = new_set();
	opt.multiplex.ns = 1500000;
	assert_int_equal(PAPI_set_opt(PAPI_MULTIPLEX, &opt), PAPI_OK);
	assert_int_equal(opt.multiplex.ns, 1500000);

	opt.multiplex.ns = 1;
	assert_int_equal(PAPI_set_opt(PAPI_DEF_MPX_NS, &opt), PAPI_OK);
	assert_int_equal(opt.multiplex.ns, 1000000);
	assert_int_equal(eventset_default_multiplex_ns, 1000000);
	opt.multiplex.ns = 0;
	assert_int_equal(PAPI_set_opt(PAPI_DEF_MPX_NS, &opt), PAPI_OK);
	assert_int_equal(eventset_default_multiplex_ns, 1000000);
	opt.itimer.ns = 2;
	assert_int_equal(PAPI_set_opt(PAPI_DEF_ITIMER_NS, &opt), PAPI_OK);
	assert_int_equal(opt.itimer.ns, 1000000);
	assert_int_equal(eventset_default_multiplex_ns, 1000000);
}

/* The timer is the one that the program has set, and known before. */
static void test_timer(void **state)
{
	PAPI_option_t opt;

	memset(&opt, 0x5a, sizeof(opt));
	assert_int_equal(PAPI_get_opt(PAPI_DEF_ITIMER, &opt), PAPI_OK);
	assert_int_equal(opt.itimer.itimer_num, ITIMER_PROF);
	assert_int_equal(opt.itimer.itimer_sig, SIGPROF);
	assert_int_equal(opt.itimer.ns, eventset_default_multiplex_ns);
	assert_int_equal(opt.itimer.flags, 0);
	opt.itimer.itimer_num = ITIMER_REAL;
	opt.itimer.itimer_sig = SIGALRM;
	assert_int_equal(PAPI_set_opt(PAPI_DEF_ITIMER, &opt), PAPI_OK);
	memset(&opt, 0x5a, sizeof(opt));
	assert_int_equal(PAPI_get_opt(PAPI_DEF_ITIMER, &opt), PAPI_OK);
	assert_int_equal(opt.itimer.itimer_num, ITIMER_REAL);
	assert_int_equal(opt.itimer.itimer_sig, SIGALRM);
}

static int all_threads(PAPI_all_thr_spec_t *all)
{
	return PAPI_get_thr_specific(PAPI_USR1_TLS | PAPI_TLS_ALL_THREADS, (void **)all);
}

/* Return: how many threads there are; -1: the call fails. */
static void *counts_threads(void *unused)
{
	PAPI_all_thr_spec_t all = { .num = 0 };

	int rc = PAPI_set_thr_specific(PAPI_USR1_TLS, &machine);

	if (rc == PAPI_OK)
		rc = all_threads(&all);
	return (void *)(long)(rc == PAPI_OK ? all.num : -1);
}

/* Without arrays the threads are only counted, whatever room they would have. */
static void test_threads_are_counted(void **state)
{
	PAPI_all_thr_spec_t all = { .num = 0 };
	PAPI_thread_id_t ids[2] = { 0 };
	void *data[2] = { NULL }, *nr;
	pthread_t thread;

	threads_init(eventsets_leave_thread);
	assert_int_equal(PAPI_set_thr_specific(PAPI_USR1_TLS, data), PAPI_OK);
	assert_int_equal(pthread_create(&thread, NULL, counts_threads, NULL), 0);
	pthread_join(thread, &nr);
	assert_int_equal((long)nr, 2);
	assert_int_equal(all_threads(&all), PAPI_OK);
	assert_int_equal(all.num, 1);

	all = (PAPI_all_thr_spec_t){ .num = 2, .id = ids, .data = data };
	assert_int_equal(all_threads(&all), PAPI_OK);
	assert_int_equal(all.num, 1);
	assert_int_equal(ids[0], gettid());
	assert_ptr_equal(data[0], data);
	all.num = 0;
	assert_int_equal(all_threads(&all), PAPI_OK);
	assert_int_equal(all.num, 0);
	threads_exit();
}

static pthread_barrier_t registered, forked;

static void *stays(void *unused)
{
	long rc = PAPI_register_thread();

	pthread_barrier_wait(&registered);
	pthread_barrier_wait(&forked);
	return (void *)rc;
}

/* 0: the only thread of a child is the only one in the list, by its own number and pointers. */
static int check_child(void)
{
	PAPI_thread_id_t ids[2];
	void *data[2];
	PAPI_all_thr_spec_t all = { .num = 2, .id = ids, .data = data };

	threads_in_child();
	if (all_threads(&all) || all.num != 1)
		return 1;
	return ids[0] == (PAPI_thread_id_t)gettid() && data[0] == &machine ? 0 : 2;
}

static void test_threads_of_a_child(void **state)
{
	pthread_t thread;
	int status;
	pid_t pid;

	threads_init(eventsets_leave_thread);
	pthread_barrier_init(&registered, NULL, 2);
	pthread_barrier_init(&forked, NULL, 2);
	assert_int_equal(PAPI_set_thr_specific(PAPI_USR1_TLS, &machine), PAPI_OK);
	assert_int_equal(pthread_create(&thread, NULL, stays, NULL), 0);
	pthread_barrier_wait(&registered);
	pid = fork();
	if (!pid)
		_exit(check_child());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	pthread_barrier_wait(&forked);
	pthread_join(thread, NULL);
	assert_int_equal(status, 0);
	threads_exit();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_closed_once, teardown),
		cmocka_unit_test_teardown(test_overflows_closed_once, teardown),
		cmocka_unit_test_teardown(test_grows_with_the_lock, teardown),
		cmocka_unit_test_teardown(test_numbers, teardown),
		cmocka_unit_test_teardown(test_cpu, teardown),
		cmocka_unit_test_teardown(test_inherited_by_a_handler, teardown),
		cmocka_unit_test_teardown(test_one_granularity, teardown),
		cmocka_unit_test_teardown(test_defaults, teardown),
		cmocka_unit_test_teardown(test_turns, teardown),
		cmocka_unit_test_teardown(test_timer, teardown),
		cmocka_unit_test_teardown(test_numbers_used_again, teardown),
		cmocka_unit_test_teardown(test_threads_are_counted, teardown),
		cmocka_unit_test_teardown(test_threads_of_a_child, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
