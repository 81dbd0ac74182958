// SPDX-License-Identifier: GPL-2.0
/*
 * The reading of the user page by <pmctrack/user_page.h>: its layout and numbers are those of
 * the kernel's header, and its counts are right while a page of this test changes. Counters are
 * an array here.
 */
#include <stdint.h>

static uint64_t fake_counter(uint8_t hw);
#define PMC_USER_PAGE_COUNTER(hw) fake_counter(hw)

#include <pmctrack/user_page.h>

#include "../../kmod/uapi/pmctrack.h"
#include "lib.h"

#define MASK48	((1ULL << 48) - 1)

static struct pmc_user_page page;
static uint64_t counters[256];
/* The number of readings of a counter, from now on, that change the page. */
static int changes;
static int calls;

static uint64_t fake_counter(uint8_t hw)
{
	calls++;
	if (changes) {
		changes--;
		page.seq += 2;
		page.total[0] += 1000;
	}
	return counters[hw];
}

/* Count i is 100 * i + 5 + i, on counter i. */
static void new_page(unsigned int nr)
{
	unsigned int i;

	memset(&page, 0, sizeof(page));
	memset(page.hw, PMC_USER_PAGE_NO_COUNTER, sizeof(page.hw));
	page.direct = 1;
	page.nr_counts = nr;
	page.mask = MASK48;
	for (i = 0; i < 256; i++)
		counters[i] = 0x700000000ULL + i * 10000;
	for (i = 0; i < nr; i++) {
		page.hw[i] = i;
		page.start[i] = counters[i] - 5 - i;
		page.total[i] = 100 * i;
	}
	changes = 0;
	calls = 0;
}

#define SAME_PLACE(user, kernel, field) do { \
	assert_int_equal(offsetof(user, field), offsetof(kernel, field)); \
	assert_int_equal(sizeof(((user *)0)->field), sizeof(((kernel *)0)->field)); \
} while (0)

static void test_layout(void **state)
{
	assert_int_equal(sizeof(struct pmc_user_page), sizeof(struct pmc_caliper_page));
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, seq);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, direct);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, nr_counts);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, core_type);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, set);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, type_changes);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, mask);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, hw);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, start);
	SAME_PLACE(struct pmc_user_page, struct pmc_caliper_page, total);
	assert_int_equal(sizeof(struct pmc_user_counts), sizeof(struct pmc_read));
	SAME_PLACE(struct pmc_user_counts, struct pmc_read, core_type);
	SAME_PLACE(struct pmc_user_counts, struct pmc_read, set);
	SAME_PLACE(struct pmc_user_counts, struct pmc_read, nr_counts);
	SAME_PLACE(struct pmc_user_counts, struct pmc_read, nr_virtual);
	SAME_PLACE(struct pmc_user_counts, struct pmc_read, running);
	SAME_PLACE(struct pmc_user_counts, struct pmc_read, counts);
}

static void test_numbers(void **state)
{
	assert_int_equal(PMC_USER_PAGE_VERSION, PMC_UAPI_VERSION);
	assert_int_equal(PMC_USER_PAGE_OFFSET, PMC_MMAP_CALIPER);
	assert_int_equal(PMC_USER_PAGE_COUNTS, PMC_MAX_COUNTS);
	assert_int_equal(PMC_USER_ALL_CORE_TYPES, PMC_ALL_CORE_TYPES);
	assert_int_equal(PMC_USER_START, PMC_IOC_START);
	assert_int_equal(PMC_USER_STOP, PMC_IOC_STOP);
	assert_int_equal(PMC_USER_READ, PMC_IOC_READ);
}

static void test_sizes(void **state)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS + 1];
	unsigned int nr, i;

	for (nr = 0; nr <= PMC_USER_PAGE_COUNTS; nr++) {
		new_page(nr);
		memset(counts, 0x5a, sizeof(counts));
		assert_int_equal(pmc_user_page_read(&page, counts), nr);
		assert_int_equal(calls, nr);
		for (i = 0; i < nr; i++)
			assert_int_equal(counts[i], 100 * i + 5 + i);
		assert_int_equal(counts[nr], 0x5a5a5a5a5a5a5a5a);
	}
}

static void test_counters(void **state)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS];

	new_page(2);
	page.hw[0] = 31;
	page.hw[1] = 0x40 | 2;
	page.start[0] = counters[31] - 77;
	page.start[1] = counters[0x42] - 88;
	assert_int_equal(pmc_user_page_read(&page, counts), 2);
	assert_int_equal(counts[0], 77);
	assert_int_equal(counts[1], 188);
}

/* A counter passes its highest value. */
static void test_wrap(void **state)
{
	static const uint64_t masks[] = { UINT32_MAX, MASK48, UINT64_MAX };
	uint64_t counts[PMC_USER_PAGE_COUNTS];
	size_t i;

	for (i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
		new_page(1);
		page.mask = masks[i];
		page.start[0] = masks[i] - 9;
		page.total[0] = 1ULL << 60;
		counters[0] = 32;
		assert_int_equal(pmc_user_page_read(&page, counts), 1);
		assert_int_equal(counts[0], (1ULL << 60) + 42);
	}
}

/* A change during a reading makes it begin anew, at most twice. */
static void test_changes(void **state)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS];

	new_page(1);
	changes = 1;
	assert_int_equal(pmc_user_page_read(&page, counts), 1);
	assert_int_equal(counts[0], 1005);
	assert_int_equal(calls, 2);
	changes = 2;
	assert_int_equal(pmc_user_page_read(&page, counts), 1);
	assert_int_equal(counts[0], 3005);
	changes = 3;
	assert_int_equal(pmc_user_page_read(&page, counts), -1);
}

static void test_system_call_needed(void **state)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS];

	new_page(2);
	page.direct = 0;
	assert_int_equal(pmc_user_page_read(&page, counts), -1);
	assert_int_equal(calls, 0);
	new_page(2);
	page.hw[1] = PMC_USER_PAGE_NO_COUNTER;
	assert_int_equal(pmc_user_page_read(&page, counts), -1);
	new_page(2);
	page.nr_counts = PMC_USER_PAGE_COUNTS + 1;
	assert_int_equal(pmc_user_page_read(&page, counts), -1);
	assert_int_equal(calls, 0);
}

static int reply;

int __wrap_ioctl(int fd, unsigned long request, struct pmc_user_counts *arg);
int __wrap_ioctl(int fd, unsigned long request, struct pmc_user_counts *arg)
{
	assert_int_equal(fd, 17);
	assert_int_equal(request, PMC_IOC_READ);
	assert_int_equal(arg->core_type, PMC_ALL_CORE_TYPES);
	assert_int_equal(arg->set, 0);
	memset(arg->counts, 0x11, sizeof(arg->counts));
	arg->nr_counts = reply;
	arg->nr_virtual = 0;
	return reply < 0 ? -1 : 0;
}

/* The system call is made only where the page does not do. */
static void test_read(void **state)
{
	uint64_t counts[PMC_USER_PAGE_COUNTS + 1] = { 0 };

	new_page(2);
	reply = -1;
	assert_int_equal(pmc_user_read(17, &page, counts), 2);
	assert_int_equal(counts[1], 106);
	assert_int_equal(pmc_user_read(17, NULL, counts), -1);
	reply = 3;
	assert_int_equal(pmc_user_read(17, NULL, counts), 3);
	assert_int_equal(counts[2], 0x1111111111111111);
	assert_int_equal(counts[3], 0);
	page.direct = 0;
	assert_int_equal(pmc_user_read(17, &page, counts), 3);
	reply = PMC_USER_PAGE_COUNTS + 1;
	assert_int_equal(pmc_user_read(17, NULL, counts), PMC_USER_PAGE_COUNTS);
	assert_int_equal(counts[PMC_USER_PAGE_COUNTS], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_system_call_needed),
		cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
