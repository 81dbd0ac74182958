// SPDX-License-Identifier: GPL-2.0
/* Metrics in the table, in CSV and JSON, with invented samples of a hybrid machine. */
#include <fcntl.h>
#include <unistd.h>

#include "cli_report.h"
#include "split_evsets.h"

static pmc_plan_t *plan;
static int room;
static uint64_t nr;	/* of the last sample */

/* As in test_lib_plan.c: counters for instructions and cycles, and @room for others */
static int fits(void *arg, int core_type, const char *events)
{
	const char *p;
	int n = 0;

	for (p = events; (p = strstr(p, "ev=0x")); p++)
		n += strncmp(p, "ev=0xc0", 7) && strncmp(p, "ev=0x3c", 7);
	return n <= room;
}

static void setup_plan(const char *set, const char *metrics, int counters)
{
	pmc_config_t *asked;

	memset(&x, 0, sizeof(x));
	room = counters;
	x.machine = open_machine("hybrid");
	x.config = pmc_config_new(x.machine);
	asked = pmc_config_new(x.machine);
	plan = pmc_plan_new(x.machine);
	if (set) {
		assert_int_equal(pmc_config_add(asked, set, -1, 0), 0);
		assert_int_equal(pmc_plan_add_set(plan, set, -1), 0);
	}
	assert_int_equal(pmc_plan_add_metrics(plan, metrics, -1), 0);
	assert_int_equal(pmc_plan_make(plan, x.config, fits, NULL), 0);
	assert_int_equal(layout_init(&x.layout, x.machine, x.config, NULL), 0);
	assert_int_equal(layout_set_plan(&x.layout, plan, asked), 0);
	pmc_config_free(asked);
	assert_int_equal(totals_init(&x.summary.totals, &x.layout), 0);
	x.o.command = app;
	x.o.period_us = 100000;
	x.report.o = &x.o;
	x.report.layout = &x.layout;
	x.report.f = open_memstream(&x.text, &x.size);
}

static void teardown_plan(void)
{
	pmc_plan_free(plan);
	teardown();
}

/* Set @set of core type @id has counted @a and @b in @running ns. */
static void total(int id, int set, uint64_t a, uint64_t b, uint64_t running)
{
	struct totals *t = &x.summary.totals;
	const struct layout_set *s = layout_set(&x.layout, id, set);
	struct pmc_set_counts *c = &t->sets[t->nr_sets++];
	int i;

	*c = (struct pmc_set_counts){
		.core_type = id, .set = set, .running = running, .nr_counts = s->nr, .counts = { a, b },
	};
	t->exact = 1;
	t->running[id] += running;
	for (i = 0; i < s->nr; i++) {
		t->counts[id * x.layout.nr_names + s->columns[i]] += c->counts[i];
		t->covered[id * x.layout.nr_names + s->columns[i]] += running;
		t->valid[id * x.layout.nr_names + s->columns[i]] = 1;
	}
}

/* A sample of set @set on core type @id, or with -A a sum */
static void sample(const struct report_ops *ops, int id, int set, uint64_t a, uint64_t b)
{
	struct pmc_reading r = {
		.time = 2000000000, .elapsed = 1000, .running = 1000, .pid = 7008, .tid = 7009,
		.core_type = id, .set = set, .nr_counts = 2, .counts = { a, b },
	};

	ops->sample(&x.report, ++nr, &r);
}

/* Half and a quarter of an instruction per cycle; all together 3 of 8 */
static void run_ipc(const struct report_ops *ops, const char *set)
{
	int saved = dup(2), null = open("/dev/null", O_WRONLY);

	setup_plan(set, "ipc,part[%.1f %]=100*instr/cycles", 4);
	/* A program's format says on standard error which events metrics have. */
	dup2(null, 2);
	assert_int_equal(ops->begin(&x.report), 0);
	dup2(saved, 2);
	close(saved);
	close(null);
	nr = 0;
	sample(ops, 0, 0, 2, 4);
	sample(ops, 1, 0, 1, 4);
	sample(ops, 1, 0, 1, 0);
	total(0, 0, 2, 4, 100);
	total(1, 0, 1, 4, 200);
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static void test_table(void **state)
{
	run_ipc(&report_table, "instr");
	has("pmctrack: instr, ipc, part of ./app (user mode), every 100 ms, on core types P, E\n"
	    "pmctrack: metrics are computed from instr, cycles\n"
	    "sample    tid name            core       type         instr     ipc part[%]\n"
	    "     1   7009 -                  P       tick             2    0.50    50.0\n"
	    "     2   7009 -                  E       tick             1    0.25    25.0\n"
	    "     3   7009 -                  E       tick             1       -       -\n");
	has("event               0:P             1:E             all\n"
	    "instr                 2               1               3\n"
	    "ipc                0.50            0.25            0.38\n"
	    "part[%]            50.0            25.0            37.5\n"
	    "running ");
	teardown_plan();
	/* Nobody has asked for the events. */
	run_ipc(&report_table, NULL);
	has("pmctrack: ipc, part of ./app");
	has("sample    tid name            core       type     ipc part[%]\n");
	assert_null(strstr(x.text, "\ninstr"));
	teardown_plan();
}

static void test_csv(void **state)
{
	run_ipc(&report_csv, NULL);
	assert_string_equal(x.text,
		"nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,instr,cycles,ipc,part[%],name\n"
		"1,2.000000,7008,7009,0,0,0,tick,1.000,1.000,2,4,0.50,50.0,\n"
		"2,2.000000,7008,7009,0,1,0,tick,1.000,1.000,1,4,0.25,25.0,\n"
		"3,2.000000,7008,7009,0,1,0,tick,1.000,1.000,1,0,,,\n"
		",,,,,0,,total,,0.100,2,4,0.50,50.0,\n"
		",,,,,1,,total,,0.200,1,4,0.25,25.0,\n");
	teardown_plan();
}

static void test_json(void **state)
{
	run_ipc(&report_json, NULL);
	has("\"title\": \"pmctrack: ipc, part of ./app");
	has("{\"event\": \"instr\", \"counter\": 0, \"ebs_period\": null, \"for_metrics\": true}");
	has("\"metrics\": [\n"
	    "{\"name\": \"ipc\", \"unit\": \"\", \"estimated\": false},\n"
	    "{\"name\": \"part\", \"unit\": \"%\", \"estimated\": false}\n],\n");
	has("\"counts\": {\"instr\": 2, \"cycles\": 4}, \"metrics\": {\"ipc\": 0.5, \"part\": 50}},");
	has("\"metrics\": {\"ipc\": null, \"part\": null}}\n],");
	has("\"metrics\": {\"ipc\": {\"value\": 0.25, \"accuracy\": \"exact\"}, \"part\": {\"value\": 25, \"accuracy\": \"exact\"}}}\n],");
	/* Programs get more digits than people. */
	has("\"all\": {\"metrics\": {\"ipc\": {\"value\": 0.375, \"accuracy\": \"exact\"}, \"part\": {\"value\": 37.5, \"accuracy\": \"exact\"}}},");
	teardown_plan();
	/* One of the events was asked for. */
	run_ipc(&report_json, "instr");
	has("[[{\"event\": \"instr\", \"counter\": 0, \"ebs_period\": null, \"for_metrics\": false}, "
	    "{\"event\": \"cycles\", \"counter\": 1, \"ebs_period\": null, \"for_metrics\": true}]]");
	teardown_plan();
}

/* One counter: the events of the metric are in two sets, and it is estimated. */
static void test_estimated(void **state)
{
	struct pmc_set_counts sets[2] = {
		{ .core_type = 0, .set = 1, .running = 1000, .nr_counts = 1, .counts = { 40 } },
		{ .core_type = 0, .set = 0, .running = 1000, .nr_counts = 1, .counts = { 10 } },
	};

	setup_plan(NULL, "rate=100*branch_misses/branches", 1);
	x.o.aggregate = 1;
	assert_int_equal(report_table.begin(&x.report), 0);
	nr = 0;
	sample(&report_table, 0, 0, 10, 0);
	x.report.sets = sets;
	x.report.nr_sets = 2;
	sample(&report_table, 0, 1, 40, 0);
	total(0, 0, 10, 0, 1000);
	total(0, 1, 40, 0, 3000);
	report_table.end(&x.report, &x.summary);
	fclose(x.report.f);
	has("pmctrack: metrics are computed from in turns branch_misses / branches; ~: estimated, from several event sets\n");
	has("     1   7009 -                  P   0  sum       -\n"
	    "     2   7009 -                  P   1  sum  ~25.00\n");
	/* 10 misses in a quarter of the time, 40 branches in the other three */
	has("event               0:P             1:E             all\n"
	    "rate             ~75.00               -          ~75.00\n");
	teardown_plan();
}

/* Where sets are made anew, an event by two names is counted once: a line names the column. */
static void test_same_event(void **state)
{
	char *said;
	size_t size;
	FILE *f = open_memstream(&said, &size);

	setup_plan("instr,cycles:u,instructions,cpu-cycles,coretype=1", "ipc", 4);
	x.o.configs[x.o.nr_configs++] = "instr,cycles:u,instructions,cpu-cycles,coretype=1";
	x.o.configs[x.o.nr_configs++] = "cpu_atom/instructions/,instr:ebs=7,task_clock,nosuch";
	split_print_same(f, &x.o, x.machine, &x.layout);
	fclose(f);
	assert_string_equal(said,
		"pmctrack: instructions is the same event as instr: its count is in that column\n"
		"pmctrack: cpu_atom/instructions/ is the same event as instr: its count is in that column\n");
	free(said);
	teardown_plan();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_estimated),
		cmocka_unit_test(test_same_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
