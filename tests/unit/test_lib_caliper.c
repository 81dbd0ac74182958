// SPDX-License-Identifier: GPL-2.0
/*
 * A caliper's reading by instruction on x86, from a page of this test. RDPMC would fault,
 * so it is replaced by a call of fake_counter() (fake_rdpmc.S). The session is not open, so
 * a reading by system call fails and can be recognized.
 */
#include "caliper.h"
#include "lib.h"
#include "region_test.h"
#include "session.h"
#include "thread_session.h"

#ifdef __x86_64__

#define MASK48	((1ULL << 48) - 1)

static struct pmc_caliper_page page;
static struct pmc_session no_session = { .fd = -1 };
static struct thread_session thread_session = { .session = &no_session };
static uint64_t general[64], fixed[64];
/* The number of readings of a counter, from now on, that change the page. */
static int changes;
static int calls;

uint64_t fake_counter(uint32_t index);
uint64_t fake_counter(uint32_t index)
{
	calls++;
	if (changes) {
		changes--;
		page.seq += 2;
		page.total[0] += 1000;
	}
	return index & 1U << 30 ? fixed[index & 0x3f] : general[index];
}

static pmc_caliper_t caliper;

static void new_caliper(unsigned int nr)
{
	unsigned int i;

	memset(&caliper, 0, sizeof(caliper));
	caliper.no_page_seq = SEQ_NO_PAGE;
	caliper.read_slowly = caliper_read_slowly;
	caliper.page = (uintptr_t)&page - (uintptr_t)&caliper;
	caliper.ts = &thread_session;
	caliper.seq = SEQ_NONE;
	caliper.allowed = 1;
	memset(&page, 0, sizeof(page));
	memset(page.hw, 0xff, sizeof(page.hw));
	page.seq = 2;
	page.direct = 1;
	page.nr_counts = nr;
	page.mask = MASK48;
	for (i = 0; i < 64; i++) {
		general[i] = 0x700000000ULL + i * 10000;
		fixed[i] = 0x900000000ULL + i * 10000;
	}
	for (i = 0; i < nr; i++) {
		page.hw[i] = i;
		page.start[i] = general[i] - 5 - i;
		page.total[i] = 100 * i;
	}
	changes = 0;
	calls = 0;
}

static void check_counts(const uint64_t *counts, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		assert_int_equal(counts[i], 100 * i + 5 + i);
}

static void test_sizes(void **state)
{
	uint64_t counts[PMC_MAX_COUNTS + 1];
	unsigned int nr;

	for (nr = 0; nr <= PMC_MAX_COUNTS; nr++) {
		new_caliper(nr);
		memset(counts, 0x5a, sizeof(counts));
		assert_int_equal(pmc_caliper_read(&caliper, counts), nr);
		check_counts(counts, nr);
		assert_int_equal(counts[nr], 0x5a5a5a5a5a5a5a5a);
		assert_int_equal(calls, nr);
		/* And again, without new steps. */
		assert_int_equal(pmc_caliper_read(&caliper, counts), nr);
		check_counts(counts, nr);
	}
}

static void test_counters(void **state)
{
	uint64_t counts[PMC_MAX_COUNTS];

	new_caliper(3);
	page.hw[0] = 7;
	page.hw[1] = 0x40;
	page.hw[2] = 0x40 | 2;
	page.start[0] = general[7] - 1;
	page.start[1] = fixed[0] - 2;
	page.start[2] = fixed[2] - 3;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 3);
	assert_int_equal(counts[0], 1);
	assert_int_equal(counts[1], 102);
	assert_int_equal(counts[2], 203);
}

static void test_wrap(void **state)
{
	uint64_t counts[PMC_MAX_COUNTS];

	new_caliper(1);
	page.start[0] = MASK48 - 9;
	general[0] = 32;
	page.total[0] = 1ULL << 60;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 1);
	assert_int_equal(counts[0], (1ULL << 60) + 42);
	/* Differences of 32 and 64 bits work like those of 48. */
	page.seq += 2;
	page.mask = UINT32_MAX;
	page.start[0] = UINT32_MAX;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 1);
	assert_int_equal(counts[0], (1ULL << 60) + 33);
	page.seq += 2;
	page.mask = UINT64_MAX;
	page.start[0] = UINT64_MAX;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 1);
	assert_int_equal(counts[0], (1ULL << 60) + 33);
}

/* Changes by the kernel take effect, before a reading and during one. */
static void test_changes(void **state)
{
	uint64_t counts[PMC_MAX_COUNTS];

	new_caliper(4);
	assert_int_equal(pmc_caliper_read(&caliper, counts), 4);
	page.seq += 2;
	page.nr_counts = 2;
	page.hw[0] = 9;
	page.start[0] = general[9] - 77;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 2);
	assert_int_equal(counts[0], 77);
	changes = 1;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 2);
	assert_int_equal(counts[0], 1077);
	/* A page that keeps changing causes a system call, not an endless loop. */
	changes = 1000;
	errno = 0;
	assert_int_equal(pmc_caliper_read(&caliper, counts), -1);
	assert_int_equal(errno, EBADF);
	assert_true(changes > 900);
	changes = 0;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 2);
}

/* A caliper's counts begin at its opening, even if the session has counted before. */
static void test_before(void **state)
{
	uint64_t counts[PMC_MAX_COUNTS];

	new_caliper(3);
	page.total[2] = 1000;
	page.start[2] = general[2] - 30;
	caliper.before[2] = 1020;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 3);
	check_counts(counts, 2);
	assert_int_equal(counts[2], 10);
	page.seq += 2;
	page.total[2] = 2000;
	assert_int_equal(pmc_caliper_read(&caliper, counts), 3);
	assert_int_equal(counts[2], 1010);
}

/* No counter is read that may fault. */
static void check_call(void)
{
	uint64_t counts[PMC_MAX_COUNTS];

	calls = 0;
	errno = 0;
	assert_int_equal(pmc_caliper_read(&caliper, counts), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(calls, 0);
}

static void test_call(void **state)
{
	uint64_t counts[PMC_MAX_COUNTS];

	new_caliper(2);
	assert_int_equal(pmc_caliper_read(&caliper, counts), 2);
	page.seq += 2;
	page.direct = 0;
	check_call();
	new_caliper(2);
	page.hw[1] = 0xff;
	check_call();
	new_caliper(2);
	page.hw[0] = 0x80;
	check_call();
	new_caliper(2);
	page.nr_counts = PMC_MAX_COUNTS + 1;
	check_call();
	new_caliper(2);
	caliper.allowed = 0;
	check_call();
}

/* A region, for programs that were built with another version of the header */
static void test_region(void **state)
{
	struct {
		struct pmc_region known;
		uint64_t later;
	} newer = { .later = 7 };

	new_caliper(2);
	assert_int_equal(pmc_region_begin(&caliper, "r"), 0);
	general[1] += 30;
	assert_int_equal(pmc_region_end(&caliper, "r"), 0);
	assert_int_equal(pmc_region_read_sized(&caliper, "r", &newer.known, sizeof(newer)), 0);
	assert_int_equal(newer.known.nr_counts, 2);
	assert_int_equal(newer.known.counts[1], 30);
	assert_int_equal(newer.later, 0);

	memset(&newer, 7, sizeof(newer));
	assert_int_equal((pmc_region_each)(&caliper, 0, &newer.known), 1);
	assert_int_equal(newer.known.counts[1], 30);
	assert_int_equal(newer.later, 0x0707070707070707);
	assert_int_equal(pmc_region_each_sized(&caliper, 0, &newer.known,
					       offsetof(struct pmc_region, calls)), 1);
	assert_int_equal((pmc_region_read)(&caliper, "s", &newer.known), -1);

	/* A region that cannot be read is left without being counted, and so the outer one can be. */
	assert_int_equal(pmc_region_begin(&caliper, "outer"), 0);
	assert_int_equal(pmc_region_begin(&caliper, "r"), 0);
	page.seq += 2;
	page.direct = 0;
	assert_int_equal(pmc_region_end(&caliper, "r"), -1);
	assert_int_equal(errno, EBADF);
	page.seq += 2;
	page.direct = 1;
	assert_int_equal(pmc_region_end(&caliper, "outer"), 0);
	assert_int_equal(pmc_region_read(&caliper, "r", &newer.known), 0);
	assert_true(newer.known.calls == 1 && newer.known.counts[1] == 30);
	regions_free(&caliper);
}

/*
 * Regions are recorded for a trace if pmctrack asks for that, the inner one first. The library
 * opens the file when a region is entered for the first time, so this test comes before others.
 */
static void test_recorded(void **state)
{
	char path[] = "/tmp/pmctrack-test.XXXXXX";
	int fd = make_region_file(path);
	const struct region_record *record;
	const struct region_block *block;
	uint64_t begin, end;

	new_caliper(2);
	assert_int_equal(pmc_region_begin(&caliper, "r"), 0);
	assert_int_equal(pmc_region_begin(&caliper, "r"), 0);
	assert_int_equal(pmc_region_end(&caliper, "outer"), -1);
	assert_int_equal(pmc_region_end(&caliper, "r"), 0);
	assert_int_equal(pmc_region_end(&caliper, "r"), 0);
	regions_free(&caliper);
	block = read_region_block(fd, 1);
	assert_int_equal(block->pid, getpid());
	assert_int_equal(block->tid, gettid());
	assert_int_equal(block->used, 2 * REGION_RECORD_BYTES(1));
	record = (const void *)block->records;
	assert_true(record->begin && record->begin <= record->end);
	begin = record->begin;
	end = record->end;
	record = (const void *)(block->records + REGION_RECORD_BYTES(1));
	assert_true(record->begin <= begin && record->end >= end);
	assert_memory_equal(record->name, "r", 1);
	close(fd);
	unlink(path);
	unsetenv(REGION_FILE_VARIABLE);
}

#define TESTS	cmocka_unit_test(test_recorded), \
		cmocka_unit_test(test_sizes), cmocka_unit_test(test_counters), \
		cmocka_unit_test(test_wrap), cmocka_unit_test(test_changes), \
		cmocka_unit_test(test_before), cmocka_unit_test(test_call), \
		cmocka_unit_test(test_region)

#else

static void test_x86(void **state)
{
	skip();
}

#define TESTS	cmocka_unit_test(test_x86)

#endif

int main(void)
{
	const struct CMUnitTest tests[] = { TESTS };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
