// SPDX-License-Identifier: GPL-2.0
/* Traces for Perfetto: which values each track has, and when; which core types a thread was on. */
#include "cli_report.h"
#include "cli_trace.h"
#include "perfetto_regions.h"
#include "protobuf.h"
#include "region_test.h"

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
static void number_again(unsigned int flags)
{
	struct pmc_reading r = {
		.time = 1000000000, .elapsed = 1000000000, .pid = 1, .tid = 3, .nr_counts = 1,
		.flags = flags, .name = "first",
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

/* The last sample of the first thread may be lost. */
static void test_number_again(void **state)
{
	number_again(PMC_READING_LAST);
	number_again(0);
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

/* ---- regions ---- */

#define MS 1000000ULL

static struct region_block blocks[2];

static void new_blocks(void)
{
	memset(blocks, 0, sizeof(blocks));
	blocks[0].pid = 1;
	blocks[0].tid = 2;
	blocks[1].pid = 8;
	blocks[1].tid = 9;
}

/* The program records blocks. */
static void record_blocks(void)
{
	int fd = open(getenv(REGION_FILE_VARIABLE), O_RDWR);
	uint32_t next = 3;

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, blocks, sizeof(blocks), REGION_BLOCK_BYTES), sizeof(blocks));
	assert_int_equal(pwrite(fd, &next, sizeof(next), offsetof(struct region_file, next)),
			 sizeof(next));
	close(fd);
}

/*
 * A thread has ended when its regions are read, and another one has its number. A third one has no
 * samples.
 */
static void run_regions(const struct report_ops *ops)
{
	struct pmc_reading r = {
		.time = 1000 * MS, .elapsed = 1000 * MS, .pid = 1, .tid = 2, .nr_counts = 1,
		.flags = PMC_READING_LAST, .name = "first",
	};

	setup("skylake", "instr", NULL);
	x.report.ops = ops;
	if (ops->prepare) {
		ops->prepare();
		record_blocks();
	}
	assert_int_equal(ops->begin(&x.report), 0);
	ops->sample(&x.report, 1, &r);
	r.time += r.elapsed;
	strcpy(r.name, "second");
	ops->sample(&x.report, 2, &r);
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

/* A region that overlaps with another one and is not in it is on another track. */
static void run_slices(const struct report_ops *ops)
{
	new_blocks();
	put_region(&blocks[0], "inner", 300 * MS, 400 * MS);
	put_region(&blocks[0], "again in it", 500 * MS, 600 * MS);
	put_region(&blocks[0], "again", 500 * MS, 600 * MS);
	put_region(&blocks[0], "outer", 200 * MS, 800 * MS);
	put_region(&blocks[0], "a\033\377\\", 700 * MS, 900 * MS);
	put_region(&blocks[0], "later", 1500 * MS, 1700 * MS);
	put_region(&blocks[1], "", 500 * MS, 500 * MS);
	run_regions(ops);
}

static const struct track *find_track(const char *name, int nr)
{
	int i;

	for (i = 0; i < nr_tracks; i++)
		if (!strcmp(tracks[i].name, name) && !nr--)
			return &tracks[i];
	fail_msg("no track %s", name);
	return NULL;
}

static void test_regions(void **state)
{
	const char *regions;

	run_slices(&report_perfetto);
	decode();
	regions = strstr(trace_text, "0.2 regions");
	assert_non_null(regions);
	assert_string_equal(regions,
		"0.2 regions 1 'outer'\n"
		"0.3 regions 1 'inner'\n"
		"0.4 regions 2\n"
		"0.5 regions 1 'again'\n"
		"0.5 regions 1 'again in it'\n"
		"0.6 regions 2\n"
		"0.6 regions 2\n"
		"0.7 regions 2 1 'a\\x1b\\xff\\x5c'\n"
		"0.8 regions 2\n"
		"0.9 regions 2 2\n"
		"1.5 regions 1 'later'\n"
		"1.7 regions 2\n"
		"0.5 regions 1 ''\n"
		"0.5 regions 2\n");
	assert_int_equal(find_track("regions", 0)->parent, find_track("first", 0)->uuid);
	assert_int_equal(find_track("regions 2", 0)->parent, find_track("first", 0)->uuid);
	assert_int_equal(find_track("regions", 1)->parent, find_track("second", 0)->uuid);
	assert_int_equal(find_track("regions", 2)->parent, find_track("thread 9", 0)->uuid);
	assert_int_not_equal(access(getenv(REGION_FILE_VARIABLE), F_OK), 0);
	teardown();
}

/* Without samples of threads: of the machine, each thread with regions has a track of its own. */
static void test_regions_of_cpus(void **state)
{
	struct pmc_reading r = {
		.time = 1000 * MS, .elapsed = 1000 * MS, .cpu = 2, .nr_counts = 1,
	};

	new_blocks();
	put_region(&blocks[0], "one", 300 * MS, 400 * MS);
	put_region(&blocks[1], "other", 300 * MS, 400 * MS);
	setup("skylake", "instr", NULL);
	x.o.syswide = 1;
	report_perfetto.prepare();
	record_blocks();
	x.report.ops = &report_perfetto;
	assert_int_equal(report_perfetto.begin(&x.report), 0);
	report_perfetto.sample(&x.report, 1, &r);
	report_perfetto.end(&x.report, &x.summary);
	fclose(x.report.f);
	decode();
	assert_int_equal(find_track("regions", 0)->parent, find_track("thread 2", 0)->uuid);
	assert_int_equal(find_track("regions", 1)->parent, find_track("thread 9", 0)->uuid);
	assert_non_null(strstr(trace_text, "0.3 regions 1 'other'\n0.4 regions 2\n"));
	teardown();
}

/* Check what is read from a file that a program may have damaged. */
static void check_regions(size_t nr, int are_damaged)
{
	struct regions regions;

	assert_int_equal(recorded_regions_start(), 0);
	record_blocks();
	assert_int_equal(recorded_regions_read(&regions), 1);
	assert_int_equal(regions.nr, nr);
	assert_int_equal(regions.are_damaged, are_damaged);
	recorded_regions_free(&regions);
	new_blocks();
}

static void test_damaged(void **state)
{
	new_blocks();
	check_regions(0, 0);
	put_region(&blocks[0], "good", 1, 2);
	put_region(&blocks[1], "good", 0, INT64_MAX);
	check_regions(2, 0);
	put_region(&blocks[0], "good", 1, 2);
	put_region(&blocks[0], "bad", 2, 1);
	put_region(&blocks[0], "good", 1, 2);
	put_region(&blocks[1], "good", 1, 2);
	check_regions(2, 1);
	put_region(&blocks[0], "bad", 1, INT64_MAX + 1ULL);
	check_regions(0, 1);
	put_region(&blocks[0], "bad", 1, 2)->len = REGION_NAME_BYTES + 1;
	blocks[0].used = sizeof(blocks[0].records);
	check_regions(0, 1);
	put_region(&blocks[0], "bad", 1, 2)->len = UINT32_MAX;
	check_regions(0, 1);
	put_region(&blocks[0], "half", 1, 2);
	blocks[0].used--;
	check_regions(0, 1);
	put_region(&blocks[0], "", 1, 2);
	blocks[0].used = 19;
	check_regions(0, 1);
	put_region(&blocks[0], "bad", 1, 2);
	blocks[0].used = sizeof(blocks[0].records) + 1;
	check_regions(0, 1);
	put_region(&blocks[0], "bad", 1, 2);
	blocks[0].tid = 0;
	check_regions(0, 1);
	put_region(&blocks[0], "bad", 1, 2);
	blocks[0].pid = INT32_MAX + 1U;
	check_regions(0, 1);
}

/* More blocks than the file has; no file any more */
static void test_damaged_beginning(void **state)
{
	struct regions regions;
	int fd;

	new_blocks();
	put_region(&blocks[0], "good", 1, 2);
	assert_int_equal(recorded_regions_start(), 0);
	record_blocks();
	fd = open(getenv(REGION_FILE_VARIABLE), O_RDWR);
	memset(&blocks[1], 0xff, sizeof(blocks[1]));
	assert_int_equal(pwrite(fd, &blocks[1], 100, offsetof(struct region_file, left_out)), 100);
	assert_int_equal(ftruncate(fd, 2 * REGION_BLOCK_BYTES - 100), 0);
	close(fd);
	assert_int_equal(recorded_regions_read(&regions), 1);
	assert_int_equal(regions.nr, 1);
	recorded_regions_free(&regions);

	assert_int_equal(recorded_regions_start(), 0);
	assert_int_equal(truncate(getenv(REGION_FILE_VARIABLE), 0), 0);
	assert_int_equal(recorded_regions_read(&regions), 1);
	assert_true(!regions.nr && regions.are_damaged);
	recorded_regions_free(&regions);
}

/* A thread has at most 16 tracks of regions, with at most 256 in each other. */
static void test_many_tracks(void **state)
{
	struct region all[300];
	struct regions regions = { .all = all };
	struct perfetto t = { .f = open_memstream(&x.text, &x.size) };
	size_t i;

	for (i = 0; i < 20; i++)
		all[i] = (struct region){ i, 100 + i, 1, 1, "r", 1 };
	regions.nr = 20;
	assert_int_equal(perfetto_write_regions(&t, &regions, NULL, 0, 0), 4);
	fclose(t.f);
	decode();
	assert_int_equal(nr_tracks, 17);
	assert_string_equal(tracks[16].name, "regions 16");
	free(x.text);
	t.f = open_memstream(&x.text, &x.size);
	for (i = 0; i < 300; i++)
		all[i] = (struct region){ i, 1000 - i, 1, 2, "r", 1 };
	regions.nr = 300;
	assert_int_equal(perfetto_write_regions(&t, &regions, NULL, 0, 1), 0);
	fclose(t.f);
	perfetto_free(&t);
	free(x.text);
}

/* Without a file, there are no regions. */
static void test_no_file(void **state)
{
	struct regions regions;

	unsetenv(REGION_FILE_VARIABLE);
	assert_int_equal(recorded_regions_read(&regions), 0);
	setenv("TMPDIR", "/nosuch", 1);
	assert_int_equal(recorded_regions_start(), -1);
	assert_int_equal(errno, ENOENT);
	unsetenv("TMPDIR");
	assert_null(getenv(REGION_FILE_VARIABLE));
	assert_int_equal(recorded_regions_read(&regions), 0);
}

/* tests/host/perfetto.sh compares these: what protoc reads of a trace, and CSV. */
static void test_kept(void **state)
{
	static const struct {
		const char *name;
		void (*run)(const struct report_ops *ops);
	} runs[] = {
		{ "thread", run_thread }, { "virtuals", run_virtuals }, { "metrics", run_metrics },
		{ "turns", run_turns }, { "losses", run_losses }, { "regions", run_slices },
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
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_regions_of_cpus),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_damaged_beginning),
		cmocka_unit_test(test_many_tracks),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_kept),
		cmocka_unit_test(test_wire),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
