// SPDX-License-Identifier: GPL-2.0
/* How far totals can be relied on. This test answers ioctl() in place of the kernel module. */
#include <stdarg.h>
#include <unistd.h>

#include "../../kmod/uapi/pmctrack.h"
#include "forks.h"
#include "lib.h"
#include "session.h"

#define CORE_TYPES	2
#define SETS		2

/* Running time of each event set, and what the kernel module has besides */
static struct {
	int nr_sets;
	uint64_t running[SETS];
} core_types[CORE_TYPES];

static struct pmc_ring_info ring_info;

static int answer_placement(struct pmc_placement *p)
{
	if (p->core_type >= CORE_TYPES) {
		errno = EINVAL;
		return -1;
	}
	p->nr_sets = core_types[p->core_type].nr_sets;
	p->nr_counts = p->set < p->nr_sets ? 3 : 0;
	return 0;
}

static int answer_totals(struct pmc_totals *t)
{
	t->nr_counts = 3;
	t->running = core_types[t->core_type].running[t->set];
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == PMC_IOC_PLACEMENT)
		return answer_placement(arg);
	if (request == PMC_IOC_TOTALS)
		return answer_totals(arg);
	errno = ENOTTY;
	return -1;
}

static void set_core_type(int id, int nr_sets, uint64_t first, uint64_t second)
{
	core_types[id].nr_sets = nr_sets;
	core_types[id].running[0] = first;
	core_types[id].running[1] = second;
}

static int make_session(void **state)
{
	pmc_session_t *s = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	s->ops = &kernel_session_ops;
	s->fd = -1;
	s->owner = s->ring.process = forks_process();
	memset(&ring_info, 0, sizeof(ring_info));
	s->ring.info = &ring_info;
	*state = s;
	return 0;
}

static int free_session(void **state)
{
	free(*state);
	return 0;
}

/* Check what is said of event 0. */
static void check(pmc_session_t *s, int core_type, int set, enum pmc_accuracy accuracy,
		  uint64_t expected)
{
	uint64_t available = 77;

	assert_int_equal(pmc_session_accuracy(s, core_type, set, 0, &available), accuracy);
	assert_int_equal(available, expected);
}

/* One set for each core type: exact, also where no thread ever ran. */
static void test_one_set(void **state)
{
	set_core_type(0, 1, 500, 0);
	set_core_type(1, 1, 0, 0);
	check(*state, 0, 0, PMC_EXACT, 500);
	check(*state, 1, 0, PMC_EXACT, 0);
	check(*state, PMC_EVERY_CORE_TYPE, 0, PMC_EXACT, 500);
	assert_int_equal(pmc_session_accuracy(*state, 0, 0, 2, NULL), PMC_EXACT);
}

static void test_turns(void **state)
{
	set_core_type(0, 2, 300, 200);
	set_core_type(1, 2, 100, 0);
	check(*state, 0, 0, PMC_PARTIAL, 500);
	check(*state, 0, 1, PMC_PARTIAL, 500);
	/* The second set has never had a turn, but the first had the whole time. */
	check(*state, 1, 0, PMC_EXACT, 100);
	check(*state, 1, 1, PMC_NOT_COUNTED, 100);
	check(*state, PMC_EVERY_CORE_TYPE, 0, PMC_PARTIAL, 600);
	check(*state, PMC_EVERY_CORE_TYPE, 1, PMC_PARTIAL, 600);
	set_core_type(0, 1, 400, 0);
	/* Only core type 1 has a second set. */
	check(*state, PMC_EVERY_CORE_TYPE, 1, PMC_NOT_COUNTED, 100);
}

/* Counters of a core type were taken away; threads could not be counted. */
static void test_incomplete(void **state)
{
	pmc_session_t *s = *state;

	set_core_type(0, 1, 500, 0);
	set_core_type(1, 1, 300, 0);
	s->incomplete = 2;
	check(s, 0, 0, PMC_EXACT, 500);
	check(s, 1, 0, PMC_PARTIAL, 300);
	s->incomplete = 0;
	ring_info.losses = 1;
	check(s, 0, 0, PMC_EXACT, 500);
	/* The sample that says on which core type may be among them. */
	ring_info.lost = 1;
	check(s, 0, 0, PMC_PARTIAL, 500);
	ring_info.losses = 0;
	check(s, 0, 0, PMC_EXACT, 500);
	ring_info.threads_missed = 1;
	check(s, 0, 0, PMC_PARTIAL, 500);
}

/* Samples say that a counter was taken away. */
static void test_samples(void **state)
{
	struct {
		struct pmc_ring_info info;
		struct pmc_record record;
		uint64_t counts[3];
	} ring = {
		.info = {
			.nr_slots = 1,
			.slot_size = sizeof(ring.record) + sizeof(ring.counts),
			.data_offset = sizeof(ring.info),
		},
		.record = { .seq = 1, .core_type = 1, .nr_counts = 3, .flags = PMC_REC_COUNTER_LOST },
	};
	struct pmc_ring_user user = { 0 };
	struct pmc_reading reading;
	pmc_session_t *s = *state;

	set_core_type(0, 1, 500, 0);
	set_core_type(1, 1, 300, 0);
	s->ring.info = &ring.info;
	s->ring.user = &user;
	check(s, 1, 0, PMC_EXACT, 300);
	assert_int_equal(pmc_session_next(s, &reading), 1);
	check(s, 1, 0, PMC_PARTIAL, 300);
	check(s, 0, 0, PMC_EXACT, 500);
}

static void test_wrong(void **state)
{
	set_core_type(0, 1, 500, 0);
	set_core_type(1, 1, 0, 0);
	assert_int_equal(pmc_session_accuracy(*state, 0, 0, 3, NULL), -1);
	assert_int_equal(errno, EINVAL);
	check_error("core type 0 has no event 3 in an event set 0");
	assert_int_equal(pmc_session_accuracy(*state, 0, 0, -1, NULL), -1);
	assert_int_equal(pmc_session_accuracy(*state, 1, 1, 0, NULL), -1);
	assert_int_equal(pmc_session_accuracy(*state, 2, 0, 0, NULL), -1);
	assert_int_equal(pmc_session_accuracy(*state, PMC_EVERY_CORE_TYPE, 1, 0, NULL), -1);
	check_error("no core type has an event set 1");
}

/* Sets take turns: each could have been counted in the time of all. */
static void test_unscaled(void **state)
{
	struct pmc_set_counts sets[SETS];

	set_core_type(0, 2, 30, 70);
	assert_int_equal(pmc_session_unscaled(*state, 0, sets, 2), 0);
	assert_int_equal(sets[0].running, 30);
	assert_int_equal(sets[0].available, 100);
	assert_int_equal(sets[1].set, 1);
	assert_int_equal(sets[1].nr_counts, 3);
	assert_int_equal(sets[1].running, 70);
	assert_int_equal(sets[1].available, 100);
	assert_int_equal(pmc_session_unscaled(*state, 0, sets, 1), 0);
	assert_int_equal(sets[0].available, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_one_set, make_session, free_session),
		cmocka_unit_test_setup_teardown(test_turns, make_session, free_session),
		cmocka_unit_test_setup_teardown(test_incomplete, make_session, free_session),
		cmocka_unit_test_setup_teardown(test_samples, make_session, free_session),
		cmocka_unit_test_setup_teardown(test_wrong, make_session, free_session),
		cmocka_unit_test_setup_teardown(test_unscaled, make_session, free_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
