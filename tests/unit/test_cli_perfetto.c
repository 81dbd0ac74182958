// SPDX-License-Identifier: GPL-2.0
/* Traces for Perfetto: which values each track has, and when; which core types a thread was on. */
#include "cli_report.h"
#include "cli_trace.h"
#include "protobuf.h"

static void decode(void)
{
	decode_trace(x.text, x.size);
}

static void run_thread(const struct report_ops *ops)
{
	setup("biglittle", "instr,cycles", NULL);
	run(ops);
}

static void test_thread(void **state)
{
	run_thread(&report_perfetto);
	decode();
	assert_string_equal(trace_text,
		"1.0 main 1 'big'\n"
		"1.0 instr (big) 4 1961001132\n"
		"1.0 cycles (big) 4 110634\n"
		"1.0 instructions per cycle (big) 4 17725.1\n"
		"2.0 main 2\n"
		"2.0 instr (big) 4 0\n"
		"2.0 cycles (big) 4 0\n"
		"2.0 instructions per cycle (big) 4 0\n"
		"2.0 main 1 'little'\n"
		"2.0 instr (little) 4 5\n"
		"2.0 cycles (little) 4 110634\n"
		"2.0 instructions per cycle (little) 4 4.51941e-05\n"
		"2.5 main 2\n"
		"2.5 instr (little) 4 0\n"
		"2.5 cycles (little) 4 0\n"
		"2.5 instructions per cycle (little) 4 0\n");
	teardown();
}

/*
 * Counts begin with the time that they are of, and end with it. Levels and ratios are those at the
 * sample, and no 0 follows.
 */
static void run_virtuals(const struct report_ops *ops)
{
	setup_virtual("hybrid", "instr", NULL, VIRTUALS);
	run(ops);
}

static void test_virtuals(void **state)
{
	run_virtuals(&report_perfetto);
	decode();
	assert_non_null(strstr(trace_text, "1.0 energy_core (P)[uJ] 4 2500\n"));
	assert_non_null(strstr(trace_text, "2.0 energy_core (P)[uJ] 4 0\n"));
	assert_non_null(strstr(trace_text, "2.0 sf (P) 4 1.25\n"));
	assert_non_null(strstr(trace_text, "2.5 sf (E) 4 2\n"));
	assert_null(strstr(trace_text, "sf (P) 4 0\n"));
	assert_null(strstr(trace_text, "sf (E) 4 0\n"));
	assert_null(strstr(trace_text, "energy_psys"));
	teardown();
}

/*
 * A metric begins and ends with the time that it is of. The second sample has no cycles, so there
 * is nothing to divide by. Nobody has asked for the events.
 */
static void run_metrics(const struct report_ops *ops)
{
	static const struct {
		int core_type;
		uint64_t cycles;
	} samples[] = { { 0, 4 }, { 0, 0 }, { 1, 8 } };
	struct pmc_reading r = {
		.elapsed = 1000000000, .running = 1000000000, .pid = 1, .tid = 2, .nr_counts = 2,
		.counts = { 2 }, .name = "main",
	};
	int i;

	setup_metrics("hybrid", "ipc,part[%.1f %]=100*instr/cycles");
	x.report.ops = ops;
	assert_int_equal(ops->begin(&x.report), 0);
	for (i = 0; i < 3; i++) {
		r.time += r.elapsed;
		r.core_type = samples[i].core_type;
		r.counts[1] = samples[i].cycles;
		ops->sample(&x.report, i + 1, &r);
	}
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void test_metrics(void **state)
{
	run_metrics(&report_perfetto);
	decode();
	assert_string_equal(trace_text,
		"0.0 main 1 'P'\n"
		"0.0 ipc (P) 4 0.5\n"
		"0.0 part (P)[%] 4 50\n"
		"1.0 ipc (P) 4 0\n"
		"1.0 part (P)[%] 4 0\n"
		"2.0 main 2\n"
		"2.0 main 1 'E'\n"
		"2.0 ipc (E) 4 0.25\n"
		"2.0 part (E)[%] 4 25\n"
		"3.0 main 2\n"
		"3.0 ipc (E) 4 0\n"
		"3.0 part (E)[%] 4 0\n");
	teardown();
}

/* A count is of its sample's time, not of that in which another set has its turn. */
static void run_turns(const struct report_ops *ops)
{
	struct pmc_reading r = {
		.elapsed = 1000000000, .running = 1000000000, .pid = 1, .tid = 2, .nr_counts = 2,
		.name = "main",
	};
	int i;

	setup("skylake", "instr,cycles", "instr,branches");
	x.report.ops = ops;
	assert_int_equal(ops->begin(&x.report), 0);
	for (i = 0; i < 3; i++) {
		r.time += r.elapsed;
		r.set = i & 1;
		r.counts[0] = 5 + 2 * i;
		r.counts[1] = 6 + 2 * i;
		ops->sample(&x.report, i + 1, &r);
	}
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void test_turns(void **state)
{
	run_turns(&report_perfetto);
	decode();
	assert_string_equal(trace_text,
		"0.0 main 1 'core'\n"
		"0.0 instr 4 5\n"
		"0.0 cycles 4 6\n"
		"0.0 instructions per cycle 4 0.833333\n"
		"1.0 instr 4 7\n"
		"1.0 branches 4 8\n"
		"1.0 cycles 4 0\n"
		"1.0 instructions per cycle 4 0\n"
		"2.0 instr 4 9\n"
		"2.0 cycles 4 10\n"
		"2.0 instructions per cycle 4 0.9\n"
		"2.0 branches 4 0\n"
		"3.0 main 2\n"
		"3.0 instr 4 0\n"
		"3.0 cycles 4 0\n"
		"3.0 instructions per cycle 4 0\n");
	teardown();
}

/*
 * There are no instructions per cycle of different modes, nor of different times, nor without
 * cycles.
 */
static void test_no_ipc(void **state)
{
	struct pmc_reading r = { .time = 1000000000, .tid = 2, .nr_counts = 2, .counts = { 5 } };

	setup("biglittle", "instr:u,cycles:k", NULL);
	run(&report_perfetto);
	decode();
	assert_non_null(strstr(trace_text, "cycles:k (big) 4 110634\n"));
	assert_null(strstr(trace_text, "per cycle"));
	teardown();
	setup("biglittle", "instr", "cycles");
	run(&report_perfetto);
	decode();
	assert_non_null(strstr(trace_text, "cycles (little) 4 "));
	assert_null(strstr(trace_text, "per cycle"));
	teardown();
	setup("skylake", "instr,cycles", NULL);
	x.report.ops = &report_perfetto;
	assert_int_equal(report_perfetto.begin(&x.report), 0);
	report_perfetto.sample(&x.report, 1, &r);
	report_perfetto.end(&x.report, &x.summary);
	fclose(x.report.f);
	decode();
	assert_non_null(strstr(trace_text, "1.0 cycles 4 0\n"));
	assert_null(strstr(trace_text, "per cycle"));
	teardown();
}

/*
 * A thread has ended: its number may be that of a thread of another process. That thread has other
 * tracks, as Perfetto takes no second description of a track.
 */
static void test_number_again(void **state)
{
	struct pmc_reading r = {
		.time = 1000000000, .elapsed = 1000000000, .pid = 1, .tid = 3, .nr_counts = 1,
		.flags = PMC_READING_LAST, .name = "first",
	};
	int i, j;

	setup("skylake", "instr", NULL);
	x.report.ops = &report_perfetto;
	assert_int_equal(report_perfetto.begin(&x.report), 0);
	report_perfetto.sample(&x.report, 1, &r);
	r.time += r.elapsed;
	r.pid = 2;
	*r.name = '\0';
	report_perfetto.sample(&x.report, 2, &r);
	report_perfetto.end(&x.report, &x.summary);
	fclose(x.report.f);
	decode();
	/* Each has a track for itself and one for its counts. */
	assert_int_equal(nr_tracks, 4);
	assert_string_equal(tracks[0].name, "first");
	assert_string_equal(tracks[2].name, "thread 3");
	for (i = 0; i < nr_tracks; i++)
		for (j = 0; j < i; j++)
			assert_int_not_equal(tracks[i].uuid, tracks[j].uuid);
	assert_int_not_equal(tracks[2].parent, tracks[0].parent);
	assert_int_equal(tracks[3].parent, tracks[2].uuid);
	teardown();
}

static void run_losses(const struct report_ops *ops)
{
	struct pmc_reading r = {
		.time = 3000000000, .elapsed = 1000000000, .cpu = 2, .nr_counts = 1,
		.counts = { 7 }, .flags = PMC_READING_SYSWIDE, .lost = 3,
	};

	setup("skylake", "instr", NULL);
	x.o.syswide = 1;
	x.report.ops = ops;
	assert_int_equal(ops->begin(&x.report), 0);
	ops->sample(&x.report, 1, &r);
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void test_losses(void **state)
{
	run_losses(&report_perfetto);
	decode();
	assert_string_equal(trace_text,
		"2.0 CPU 2 1 'core'\n"
		"2.0 CPU 2 3 '3 samples were lost'\n"
		"2.0 instr 4 7\n"
		"3.0 CPU 2 2\n"
		"3.0 instr 4 0\n");
	teardown();
}

/* tests/host/perfetto.sh compares these: what protoc reads of a trace, and CSV. */
static void test_kept(void **state)
{
	static const struct {
		const char *name;
		void (*run)(const struct report_ops *ops);
	} runs[] = {
		{ "thread", run_thread }, { "virtuals", run_virtuals }, { "metrics", run_metrics },
		{ "turns", run_turns }, { "losses", run_losses },
	};
	size_t i;

	for (i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
		runs[i].run(&report_perfetto);
		keep_trace(runs[i].name, ".pftrace", x.text, x.size);
		teardown();
		runs[i].run(&report_csv);
		keep_trace(runs[i].name, ".csv", x.text, x.size);
		teardown();
	}
}

/* Numbers of one and of ten bytes, a part in a part */
static void test_wire(void **state)
{
	static const unsigned char expected[] = {
		0x08, 0x96, 0x01, 0x12, 0x0d, 0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0x01, 0x22, 0x00, 0x29, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f,
	};
	struct protobuf p = { 0 }, part = { 0 };

	protobuf_number(&p, 1, 150);
	protobuf_number(&part, 3, UINT64_MAX);
	protobuf_string(&part, 4, "");
	protobuf_message(&p, 2, &part);
	assert_int_equal(part.len, 0);
	protobuf_double(&p, 5, 1.0);
	assert_int_equal(p.len, sizeof(expected));
	assert_memory_equal(p.bytes, expected, sizeof(expected));
	protobuf_free(&p);
	protobuf_free(&part);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thread),
		cmocka_unit_test(test_virtuals),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_no_ipc),
		cmocka_unit_test(test_number_again),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_wire),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
