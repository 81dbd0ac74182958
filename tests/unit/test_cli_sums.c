// SPDX-License-Identifier: GPL-2.0
/* Sums by thread and core type, totals, and samples that are missing. */
#include <time.h>

#include "cli_report.h"
#include "event_spelling.h"

int __wrap_pmc_session_totals(pmc_session_t *session, int core_type, int set,
			      uint64_t *counts, uint64_t *running, uint64_t *nr_threads);
int __wrap_pmc_session_totals_virtual(pmc_session_t *session, int core_type, int set,
				      uint64_t *values);

static void test_sums(void **state)
{
	struct pmc_reading r = { .tid = 1, .nr_counts = 1, .counts = { 10 } };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);
	int i;

	for (i = 0; i < 100; i++) {
		r.tid = i % 40;
		r.core_type = i & 1;
		r.time = 1000 + i;
		r.elapsed = 2;
		r.lost = i == 41 || i == 81 ? i : 0;
		assert_int_equal(sums_add(sums, &r), 0);
	}
	assert_int_equal(sums_get(sums, 0)->counts[0], 30);
	assert_int_equal(sums_get(sums, 39)->counts[0], 20);
	/* A sum has the time of its last sample, and all losses. */
	assert_int_equal(sums_get(sums, 1)->time, 1081);
	assert_int_equal(sums_get(sums, 1)->elapsed, 6);
	assert_int_equal(sums_get(sums, 1)->lost, 41 + 81);
	assert_int_equal(sums_get(sums, 2)->lost, 0);
	/* What an empty record reports is not lost: samples lost before it, and its flags. */
	r.tid = 3;
	r.core_type = 0;
	r.counts[0] = 0;
	r.lost = 7;
	r.flags = PMC_READING_COUNTER_LOST;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_null(sums_get(sums, 40));
	assert_int_equal(sums_get(sums, 3)->lost, 7);
	assert_int_equal(sums_get(sums, 3)->flags, PMC_READING_COUNTER_LOST);
	/* A flag of one sample is a flag of the sum. */
	r.core_type = 1;
	r.counts[0] = 1;
	r.flags = PMC_READING_THROTTLED;
	assert_int_equal(sums_add(sums, &r), 0);
	r.flags = 0;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_null(sums_get(sums, 40));
	assert_int_equal(sums_get(sums, 3)->flags,
			 PMC_READING_THROTTLED | PMC_READING_COUNTER_LOST);
	/* Each set has sums of its own. */
	r.set = 1;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 40)->set, 1);
	assert_int_equal(sums_get(sums, 40)->counts[0], 1);
	sums_free(sums);
}

/* The time for a sample does not grow with the number of threads. */
static void test_sums_many_threads(void **state)
{
	struct pmc_reading r = { .nr_counts = 1, .counts = { 1 }, .running = 1 };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);
	clock_t begin = clock();
	int i;

	/* With a list these are 10 thousand million steps. */
	for (i = 0; i < 200000; i++) {
		r.tid = i % 100000;
		assert_int_equal(sums_add(sums, &r), 0);
	}
	assert_in_range(clock() - begin, 0, 5 * CLOCKS_PER_SEC);
	assert_int_equal(sums_get(sums, 99999)->counts[0], 2);
	assert_null(sums_get(sums, 100000));
	sums_free(sums);
}

/* After a thread has ended, another one may get its number. */
static void test_sums_same_tid(void **state)
{
	struct pmc_reading r = { .tid = 5, .nr_counts = 1, .counts = { 10 }, .running = 1 };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);

	assert_int_equal(sums_add(sums, &r), 0);
	r.flags = PMC_READING_LAST;
	assert_int_equal(sums_add(sums, &r), 0);
	r.flags = 0;
	r.counts[0] = 3;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 0)->counts[0], 20);
	assert_int_equal(sums_get(sums, 1)->counts[0], 3);
	/* A CPU with the same number has a sum of its own. */
	r.flags = PMC_READING_SYSWIDE;
	r.cpu = 5;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 1)->counts[0], 3);
	assert_int_equal(sums_get(sums, 2)->counts[0], 3);
	assert_null(sums_get(sums, 3));
	/* So has a thread of another process, if the last sample of the one before is lost. */
	r.flags = 0;
	r.pid = 4;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 1)->counts[0], 3);
	assert_int_equal(sums_get(sums, 3)->counts[0], 3);
	sums_free(sums);
}

/* Totals of a session: by core type and set. @turn: did the set have a turn? */
static const struct {
	uint64_t counts[2], turn;
} asked[2][2] = {
	{ { { 10, 20 }, 5 }, { { 0, 0 }, 0 } },
	{ { { 1, 2 }, 7 }, { { 3, 4 }, 8 } },
};
static int nothing_ran;

int __wrap_pmc_session_totals(pmc_session_t *session, int core_type, int set,
			      uint64_t *counts, uint64_t *running, uint64_t *nr_threads)
{
	memcpy(counts, asked[core_type][set].counts, sizeof(asked[0][0].counts));
	*running = nothing_ran ? 0 : asked[core_type][set].turn;
	*nr_threads = 4;
	return 2;
}

int __wrap_pmc_session_totals_virtual(pmc_session_t *session, int core_type, int set,
				      uint64_t *values)
{
	values[0] = core_type ? 0 : 6;
	values[1] = PMC_NO_VALUE;
	return 2;
}

static void test_totals(void **state)
{
	struct totals *totals = &x.summary.totals;

	setup_virtual("hybrid", "instr,cycles", "instr,branches", "energy_core,energy_psys");
	assert_int_equal(totals_ask(totals, &x.layout, NULL), 0);
	assert_true(totals->exact);
	assert_int_equal(totals->nr_threads, 4);
	/* Columns: instr, cycles, branches. Without a turn a set's count is unknown. */
	assert_int_equal(x.layout.nr_names, 3);
	assert_int_equal(totals->counts[0], 10);
	assert_int_equal(totals->counts[1], 20);
	assert_memory_equal(totals->valid, "\1\1\0\1\1\1", 6);
	assert_int_equal(totals->counts[3], 1 + 3);
	assert_int_equal(totals->counts[5], 4);
	assert_int_equal(totals->running[0], 5);
	assert_int_equal(totals->running[1], 7 + 8);
	/* Virtual counters are asked for with each set. A sum of zero may be no value at all. */
	assert_int_equal(totals_virtual(totals, &x.layout, 0, 0), 6 + 6);
	assert_true(totals_virtual(totals, &x.layout, 1, 0) == PMC_NO_VALUE);
	assert_true(totals_virtual(totals, &x.layout, 0, 1) == PMC_NO_VALUE);
	fclose(x.report.f);
	teardown();

	/* The counts of the only set are known even if nothing has run. */
	setup("skylake", "instr,cycles", NULL);
	nothing_ran = 1;
	assert_int_equal(totals_ask(totals, &x.layout, NULL), 0);
	assert_memory_equal(totals->valid, "\1\1", 2);
	fclose(x.report.f);
	teardown();
}

/* Counts are summed up, ratios are weighted by time, unknown values are left out. */
static void test_virtual_sums(void **state)
{
	struct pmc_reading r = { .tid = 1, .nr_virtual = 3 };
	const struct pmc_reading *sum;
	struct sums *sums;

	setup_virtual("hybrid", NULL, NULL, VIRTUALS);
	sums = sums_new(&x.layout);
	r.running = 3000;
	r.virtual_counts[0] = 10;
	r.virtual_counts[1] = PMC_NO_VALUE;
	r.virtual_counts[2] = 1000;
	sums_add(sums, &r);
	r.running = 1000;
	r.virtual_counts[1] = 5;
	r.virtual_counts[2] = 2000;
	sums_add(sums, &r);
	r.virtual_counts[0] = PMC_NO_VALUE;
	r.virtual_counts[2] = PMC_NO_VALUE;
	sums_add(sums, &r);
	sum = sums_get(sums, 0);
	assert_int_equal(sum->running, 5000);
	assert_int_equal(sum->virtual_counts[0], 20);
	assert_int_equal(sum->virtual_counts[1], 10);
	assert_int_equal(sum->virtual_counts[2], 1250);
	assert_null(sums_get(sums, 1));
	/* A thread that ended on another core type, where it never ran, adds no row. */
	r.core_type = 1;
	r.running = 0;
	r.virtual_counts[1] = 0;
	sums_add(sums, &r);
	assert_null(sums_get(sums, 1));
	r.virtual_counts[0] = 1;
	sums_add(sums, &r);
	assert_non_null(sums_get(sums, 1));
	sums_free(sums);
	fclose(x.report.f);
	teardown();
}

/* Whole periods in a sample's counts, besides the one that the sample reports */
static void test_left_out(void **state)
{
	struct pmc_reading r = ebs_sample(1000, 99);

	setup("skylake", "instr:ebs=1000,cycles", NULL);
	assert_true(x.layout.uses_ebs);
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	r.counts[0] = 1999;
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	r.counts[0] = 2000;
	assert_int_equal(layout_left_out(&x.layout, &r), 1);
	r.counts[0] = 1400123;
	assert_int_equal(layout_left_out(&x.layout, &r), 1399);
	/* No period ended with this one. */
	r.type = PMC_EXIT_SAMPLE;
	r.counts[0] = 999;
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	r.counts[0] = 3999;
	assert_int_equal(layout_left_out(&x.layout, &r), 3);
	/* Of a set that the layout does not have */
	r.set = 1;
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	fclose(x.report.f);
	teardown();

	/* The period that ended is that of the second event. */
	r = ebs_sample(2500, 300);
	r.ebs_event = 1;
	setup("skylake", "instr:ebs=1000,cycles:ebs=100", NULL);
	assert_int_equal(layout_left_out(&x.layout, &r), 2 + 2);
	r.counts[1] = 0;
	assert_int_equal(layout_left_out(&x.layout, &r), 2);
	fclose(x.report.f);
	teardown();

	setup("skylake", "instr,cycles", NULL);
	assert_false(x.layout.uses_ebs);
	assert_int_equal(layout_left_out(&x.layout, &r), 0);
	fclose(x.report.f);
	teardown();
}

static void test_sums_left_out(void **state)
{
	struct pmc_reading r = ebs_sample(3000, 0);
	struct sums *sums;

	setup("skylake", "instr:ebs=1000,cycles", NULL);
	sums = sums_new(&x.layout);
	assert_int_equal(sums_add(sums, &r), 0);
	r.counts[0] = 1000;
	assert_int_equal(sums_add(sums, &r), 0);
	r.counts[0] = 6000;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_int_equal(sums_get(sums, 0)->counts[0], 10000);
	assert_int_equal(sums_left_out(sums, 0), 2 + 5);
	sums_free(sums);
	fclose(x.report.f);
	teardown();
}

/* A thread's sums have the name that it ended with; one without events has no sum. */
static void test_sums_have_names(void **state)
{
	struct pmc_reading r = { .tid = 5, .nr_counts = 1, .counts = { 10 }, .running = 1,
				 .name = "before" };
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);

	assert_int_equal(sums_add(sums, &r), 0);
	r.core_type = 1;
	assert_int_equal(sums_add(sums, &r), 0);
	strcpy(r.name, "");
	assert_int_equal(sums_add(sums, &r), 0);
	assert_string_equal(sums_get(sums, 1)->name, "before");
	strcpy(r.name, "last");
	r.flags = PMC_READING_LAST;
	r.core_type = 2;
	r.nr_counts = 0;
	r.running = 0;
	assert_int_equal(sums_add(sums, &r), 0);
	r.tid = 6;
	assert_int_equal(sums_add(sums, &r), 0);
	assert_string_equal(sums_get(sums, 0)->name, "last");
	assert_string_equal(sums_get(sums, 1)->name, "last");
	assert_null(sums_get(sums, 2));
	sums_free(sums);
}

/* Sorted sums: by process, thread, core type and set; the last of a thread has its sets. */
static void test_sums_sorted(void **state)
{
	static const struct {
		int pid, tid, core_type, set, last;
	} wanted[] = {
		{ 7, 8, 0, 0, 0 }, { 7, 8, 0, 1, 2 }, { 7, 8, 1, 0, 1 }, { 7, 9, 0, 0, 1 }, { 9, 3, 0, 0, 1 },
	};
	static const int added[] = { 3, 4, 2, 1, 0, 1 };
	struct pmc_reading r = { .nr_counts = 1, .running = 1, .elapsed = 10 };
	struct pmc_set_counts sets[4];
	const struct pmc_reading *sum;
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);
	uint64_t elapsed;
	size_t i;

	for (i = 0; i < sizeof(added) / sizeof(added[0]); i++) {
		r.pid = wanted[added[i]].pid;
		r.tid = wanted[added[i]].tid;
		r.core_type = wanted[added[i]].core_type;
		r.set = wanted[added[i]].set;
		r.counts[0] = 100 + added[i];
		assert_int_equal(sums_add(sums, &r), 0);
	}
	sums_sort(sums);
	for (i = 0; (sum = sums_get(sums, i)); i++) {
		assert_int_equal(sum->tid, wanted[i].tid);
		assert_int_equal(sum->core_type, wanted[i].core_type);
		assert_int_equal(sum->set, wanted[i].set);
		assert_int_equal(sums_sets(sums, i, sets, 4, &elapsed), wanted[i].last);
	}
	assert_int_equal(i, 5);
	assert_int_equal(sums_sets(sums, 1, sets, 4, &elapsed), 2);
	assert_int_equal(elapsed, 30);
	assert_int_equal(sets[0].set, 1);
	assert_int_equal(sets[0].counts[0], 202);
	assert_int_equal(sets[0].running, 2);
	assert_int_equal(sets[1].counts[0], 100);
	sums_free(sums);
}

/* CPUs are sorted, too; a thread that gets the number of one that has ended is another one. */
static void test_sums_sorted_cpus(void **state)
{
	struct pmc_reading r = {
		.nr_counts = 1, .counts = { 1 }, .running = 1, .flags = PMC_READING_SYSWIDE,
	};
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);
	struct pmc_set_counts sets[4];
	uint64_t elapsed;
	int i;

	for (i = 3; i >= 0; i--) {
		r.cpu = i;
		assert_int_equal(sums_add(sums, &r), 0);
	}
	sums_sort(sums);
	for (i = 0; i < 4; i++)
		assert_int_equal(sums_get(sums, i)->cpu, i);
	sums_free(sums);

	sums = sums_new(&layout);
	r.flags = PMC_READING_LAST;
	for (i = 0; i < 2; i++)
		assert_int_equal(sums_add(sums, &r), 0);
	sums_sort(sums);
	assert_int_equal(sums_sets(sums, 0, sets, 4, &elapsed), 1);
	assert_int_equal(sums_sets(sums, 1, sets, 4, &elapsed), 1);
	sums_free(sums);
}

/* Without anything counted there is nothing to sort. */
static void test_sums_none(void **state)
{
	struct layout layout = { 0 };
	struct sums *sums = sums_new(&layout);

	sums_sort(sums);
	assert_null(sums_get(sums, 0));
	sums_free(sums);
}

static void name_is(const char *event, const char *expected)
{
	char *name = event_without_period(event);

	assert_string_equal(name, expected);
	free(name);
}

/* Events keep their names, whatever their period. */
static void test_names(void **state)
{
	const struct layout_set *set;

	name_is("instr", "instr");
	name_is("instr:ebs=1000", "instr");
	name_is("instr:ebs", "instr");
	name_is("instr:u:ebs=1e6:k", "instr:u:k");
	name_is("l2:ebsx:cmask=1", "l2:ebsx:cmask=1");
	name_is("cpu_core/event=0xc0,period=1000,umask=0x1/u", "cpu_core/event=0xc0,umask=0x1/u");
	name_is("cpu/period=5,cycles/", "cpu/cycles/");
	name_is("cpu/cycles,period=5/:ebs=7", "cpu/cycles/");
	setup("biglittle", "instr:ebs=1000,instr,instr:ebs=5,coretype=0", "instr,coretype=1");
	assert_int_equal(x.layout.nr_names, 3);
	assert_string_equal(x.layout.names[0], "instr");
	assert_string_equal(x.layout.names[1], "instr#2");
	assert_string_equal(x.layout.names[2], "instr#3");
	set = layout_set(&x.layout, 1, 0);
	assert_int_equal(set->columns[0], 0);
	fclose(x.report.f);
	teardown();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_sums_many_threads),
		cmocka_unit_test(test_sums_same_tid),
		cmocka_unit_test(test_sums_have_names),
		cmocka_unit_test(test_sums_sorted),
		cmocka_unit_test(test_sums_sorted_cpus),
		cmocka_unit_test(test_sums_none),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_virtual_sums),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_sums_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
