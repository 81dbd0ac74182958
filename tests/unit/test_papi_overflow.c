// SPDX-License-Identifier: GPL-2.0
/*
 * How counters that interrupt are opened, and histograms of their addresses. The kernel is part of
 * the test.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "count_events.h"
#include "errors.h"
#include "eventset.h"
#include "histograms.h"
#include "kernel_file.h"
#include "library.h"
#include "overflow_events.h"
#include "papi_thread.h"

/*
 * @pmu_precise: the number in the PMU's file; -1: there is no file
 * @accepted: the highest precision that the kernel accepts; -1: it accepts no event
 */
static int pmu_precise, accepted;
/* The calls of perf_event_open() */
static struct perf_event_attr calls[8];
static int nr_calls;
/* The file of the last call */
static int last_file;

__thread struct papi_thread *papi_this_thread;

long syscall(long number, ...)
{
	const struct perf_event_attr *attr;
	va_list args;
	int fd;

	assert_int_equal(number, SYS_perf_event_open);
	assert_true(nr_calls < 8);
	va_start(args, number);
	attr = va_arg(args, const struct perf_event_attr *);
	va_end(args);
	calls[nr_calls++] = *attr;
	if ((int)attr->precise_ip > accepted) {
		errno = EINVAL;
		return -1;
	}
	fd = memfd_create("ring", 0);
	assert_int_equal(ftruncate(fd, 2 * sysconf(_SC_PAGESIZE)), 0);
	last_file = fd;
	return fd;
}

const pmc_machine_t *papi_machine(void)
{
	return NULL;
}

const struct pmc_core_type_info *pmc_machine_core_type(const pmc_machine_t *machine, int id)
{
	static const struct pmc_core_type_info types[] = {
		{ .name = "P", .pmu = "cpu_core" }, { .name = "E", .pmu = "cpu_atom" },
	};

	return &types[id];
}

long long kernel_file_number(long long missing, const char *root, const char *format, ...)
{
	char path[256];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	assert_string_equal(path, "/sys/bus/event_source/devices/cpu_core/caps/max_precise");
	return pmu_precise < 0 ? missing : pmu_precise;
}

int pmc_event_perf_attr(const pmc_machine_t *machine, int core_type, const char *event,
			struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->config = 0xc0;
	return 0;
}

void counting_words(const char *term, int domain, char words[COUNTING_WORDS])
{
	*words = '\0';
}

int papi_error_of(int err)
{
	return err == EINVAL ? PAPI_EINVAL : PAPI_ESYS;
}

static struct overflow_counter *open_pinned(int precise, int accepts, int nr_parts, int pinned)
{
	char *terms[] = { (char *)"instr" };
	struct papi_part parts[] = {
		{ .core_type = 0, .nr_terms = 1, .terms = terms },
		{ .core_type = 0, .nr_terms = 1, .terms = terms },
	};
	struct papi_event event = { .nr_parts = nr_parts, .parts = parts };
	struct overflow_counter *counter;
	int error = PAPI_OK;

	pmu_precise = precise;
	accepted = accepts;
	nr_calls = 0;
	counter = overflow_counter_open(&event, PAPI_DOM_USER, 1000, pinned, &error);
	if (!counter)
		assert_int_equal(error, PAPI_EINVAL);
	return counter;
}

/* Open the counter of an event of @nr_parts core types. Return: it worked */
static int open_counter(int precise, int accepts, int nr_parts)
{
	struct overflow_counter *counter = open_pinned(precise, accepts, nr_parts, 0);

	overflow_counter_close(counter);
	return !!counter;
}

/* Check the precision of call @n. Precise addresses may not wait in the kernel. */
static void asked(int n, int precise)
{
	assert_true(n < nr_calls);
	assert_int_equal(calls[n].precise_ip, precise);
	assert_int_equal(calls[n].wakeup_events, precise > 0);
	assert_int_equal(calls[n].sample_period, 1000);
}

static void test_precise(void **state)
{
	assert_true(open_counter(3, 3, 1));
	assert_int_equal(nr_calls, 1);
	asked(0, 2);
	assert_true(open_counter(1, 3, 1));
	assert_int_equal(nr_calls, 1);
	asked(0, 1);
}

/* Not each event of a PMU has precise addresses. */
static void test_fallback(void **state)
{
	assert_true(open_counter(2, 1, 1));
	assert_int_equal(nr_calls, 2);
	asked(0, 2);
	asked(1, 1);
	assert_true(open_counter(2, 0, 1));
	assert_int_equal(nr_calls, 3);
	asked(2, 0);
	assert_false(open_counter(2, -1, 1));
	assert_int_equal(nr_calls, 3);
}

static void test_without(void **state)
{
	assert_true(open_counter(-1, 3, 1));
	assert_int_equal(nr_calls, 1);
	asked(0, 0);
	assert_false(open_counter(0, -1, 1));
	assert_int_equal(nr_calls, 1);
}

/* Core types that share a PMU have one counter. */
static void test_shared_pmu(void **state)
{
	assert_true(open_counter(2, 1, 2));
	assert_int_equal(nr_calls, 2);
}

/* perf returns no bytes for a pinned event that it has had no counter for. */
static void test_lost(void **state)
{
	struct overflow_counter *counter = open_pinned(0, 3, 1, 1);
	const long long value = 1234;
	long long sum;

	assert_non_null(counter);
	assert_int_equal(calls[0].pinned, 1);
	assert_int_equal(pwrite(last_file, &value, sizeof(value), 0), sizeof(value));
	assert_int_equal(overflow_counter_count(counter, &sum), PAPI_OK);
	assert_int_equal(sum, value);
	assert_int_equal(ftruncate(last_file, 0), 0);
	assert_int_equal(overflow_counter_count(counter, &sum), PAPI_ECLOST);
	assert_int_equal(sum, 0);
	overflow_counter_close(counter);
	/* Counters beside those of the EventSet may take turns. */
	overflow_counter_close(open_pinned(0, 3, 1, 0));
	assert_int_equal(calls[0].pinned, 0);
}

/* Count an overflow of the only event at each address. */
static void count(const struct histogram *wanted, const uintptr_t *addresses, int nr)
{
	static const struct papi_event event;
	const struct papi_event *events[] = { &event };
	struct overflow overflow = { .nr = 0 };
	struct eventset set = { .nr = 1, .events = events, .overflow = &overflow };
	int i;

	assert_int_equal(histograms_set(&set, 0, wanted), PAPI_OK);
	for (i = 0; i < nr; i++)
		histograms_count(&set, 0, (void *)addresses[i], 0, NULL);
	histograms_free(overflow.profile);
}

/* The scale 2 is a bucket for 64 KiB; with the offset 0, it is one for all other addresses. */
static void test_smallest_scale(void **state)
{
	static const uintptr_t addresses[] = {
		0x400100, 0x400200, 0x410000, 0x7f0000000010, 0x1000
	};
	uint16_t program[2] = { 0 }, library[1] = { 0 }, others[1] = { 0 }, all[4] = { 0 };
	const PAPI_sprofil_t ranges[] = {
		{ .pr_base = program, .pr_size = sizeof(program), .pr_off = (void *)0x400000,
		  .pr_scale = 2 },
		{ .pr_base = library, .pr_size = sizeof(library), .pr_off = (void *)0x7f0000000000,
		  .pr_scale = 2 },
		{ .pr_base = others, .pr_size = sizeof(others), .pr_scale = 2 },
	};
	struct histogram wanted = { .ranges = ranges, .nr = 3 };

	count(&wanted, addresses, 5);
	assert_int_equal(program[0], 2);
	assert_int_equal(program[1], 1);
	assert_int_equal(library[0], 1);
	assert_int_equal(others[0], 1);
	wanted = (struct histogram){
		.own = { .pr_base = all, .pr_size = sizeof(all), .pr_scale = 2 }, .nr = 1,
	};
	count(&wanted, addresses, 5);
	assert_int_equal(all[0], 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_precise),
		cmocka_unit_test(test_fallback),
		cmocka_unit_test(test_without),
		cmocka_unit_test(test_shared_pmu),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_smallest_scale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
