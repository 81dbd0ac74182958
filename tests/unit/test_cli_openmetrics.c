// SPDX-License-Identifier: GPL-2.0
/* The OpenMetrics text of invented counts of a hybrid machine, and names that have to be escaped. */
#include "lib.h"
#include "openmetrics/openmetrics.h"

static struct machine_counts c;
static struct machine_set sets[2];
static char *text;
static size_t size;

static int fits(void *arg, int core_type, const char *events)
{
	return 1;
}

static void begin(const char *metrics, const char *virtuals)
{
	memset(&c, 0, sizeof(c));
	memset(sets, 0, sizeof(sets));
	be_machine("hybrid");
	c.machine = open_machine("hybrid");
	be_machine("hybrid");
	c.plan = pmc_plan_new(c.machine);
	c.config = pmc_config_new(c.machine);
	assert_int_equal(pmc_plan_add_metrics(c.plan, metrics, PMC_EVERY_CORE_TYPE), 0);
	assert_int_equal(pmc_plan_make(c.plan, c.config, fits, NULL), 0);
	if (virtuals)
		assert_int_equal(pmc_config_add_virtual(c.config, virtuals), 0);
	unsetenv("PMCTRACK_PROC");
	c.sets = sets;
	c.nr_sets = 2;
	c.interval_ns = 10000000000;
}

static void count(int id, uint64_t instr, uint64_t cycles, uint64_t ns)
{
	sets[id].total = (struct pmc_set_counts){
		.core_type = id, .running = 2 * ns, .nr_counts = 2, .counts = { 3 * instr, 3 * cycles },
	};
	sets[id].interval = (struct pmc_set_counts){
		.core_type = id, .running = ns, .nr_counts = 2, .counts = { instr, cycles },
	};
}

static void write_text(void)
{
	FILE *f = open_memstream(&text, &size);

	openmetrics_write(&c, f);
	fclose(f);
}

static void end(void)
{
	free(text);
	pmc_plan_free(c.plan);
	pmc_config_free(c.config);
	pmc_machine_close((pmc_machine_t *)c.machine);
}

static void test_text(void **state)
{
	begin("ipc", NULL);
	count(0, 1000, 500, 4000000000);
	count(1, 18446744073709551ULL, 36893488147419102ULL, 1000000001);
	write_text();
	assert_string_equal(text,
		"# TYPE pmctrack_events counter\n"
		"# HELP pmctrack_events Events on the CPUs of a core type while the event set was counted.\n"
		"pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"instr\"} 3000\n"
		"pmctrack_events_total{core_type=\"P\",set=\"0\",event=\"cycles\"} 1500\n"
		"pmctrack_events_total{core_type=\"E\",set=\"0\",event=\"instr\"} 55340232221128653\n"
		"pmctrack_events_total{core_type=\"E\",set=\"0\",event=\"cycles\"} 110680464442257306\n"
		"# TYPE pmctrack_counted_seconds counter\n"
		"# UNIT pmctrack_counted_seconds seconds\n"
		"# HELP pmctrack_counted_seconds Time for which an event set was counted, of all CPUs of a core type together.\n"
		"pmctrack_counted_seconds_total{core_type=\"P\",set=\"0\"} 8.000000000\n"
		"pmctrack_counted_seconds_total{core_type=\"E\",set=\"0\"} 2.000000002\n"
		"# TYPE pmctrack_metric gauge\n"
		"# HELP pmctrack_metric A metric of the last interval, on the CPUs of a core type.\n"
		"pmctrack_metric{core_type=\"P\",metric=\"ipc\",metric_unit=\"\"} 2\n"
		"pmctrack_metric{core_type=\"E\",metric=\"ipc\",metric_unit=\"\"} 0.5\n"
		"# TYPE pmctrack_interval_seconds gauge\n"
		"# UNIT pmctrack_interval_seconds seconds\n"
		"# HELP pmctrack_interval_seconds Length of the last interval.\n"
		"pmctrack_interval_seconds 10.000000000\n"
		"# TYPE pmctrack_lost_samples counter\n"
		"# HELP pmctrack_lost_samples Samples that were lost. Counts are complete nevertheless.\n"
		"pmctrack_lost_samples_total 0\n"
		"# EOF\n");
	end();
}

/* A metric that is not defined has no sample; metrics of the real time; labels of any text */
static void test_metrics(void **state)
{
	begin("rate[%.0f \"a\\b\"]=instr/duration_time,ipc", NULL);
	count(0, 1000, 500, 4000000000);
	count(1, 0, 0, 0);
	write_text();
	assert_non_null(strstr(text, "{core_type=\"P\",metric=\"rate\",metric_unit=\"\\\"a\\\\b\\\"\"} 100\n"));
	assert_non_null(strstr(text, "{core_type=\"P\",metric=\"ipc\",metric_unit=\"\"} 2\n"));
	assert_null(strstr(text, "{core_type=\"E\",metric=\"ipc\""));
	end();
}

static void test_virtuals(void **state)
{
	uint64_t levels[2][PMC_MAX_VIRTUALS];
	const struct pmc_virtual_info *v;
	int i, counts = 0, others = 0;
	char wanted[200];

	begin("ipc", "virt0,virt1,virt2");
	count(0, 1, 1, 1);
	count(1, 1, 1, 1);
	c.nr_cpus = 2;
	c.levels = levels;
	for (i = 0; i < PMC_MAX_VIRTUALS; i++) {
		c.sums[i] = 5000;
		levels[0][i] = PMC_NO_VALUE;
		levels[1][i] = 7000;
	}
	write_text();
	for (i = 0; (v = pmc_config_virtual(c.config, i)); i++) {
		if (v->kind == PMC_VIRTUAL_COUNT)
			snprintf(wanted, sizeof(wanted), "\npmctrack_virtual_total{name=\"%s\",value_unit=\"%s\"", v->name,
				 v->unit);
		else
			snprintf(wanted, sizeof(wanted), "\npmctrack_virtual_level{name=\"%s\",value_unit=\"%s\"", v->name,
				 v->unit);
		assert_non_null(strstr(text, wanted));
		counts += v->kind == PMC_VIRTUAL_COUNT;
		others += v->kind != PMC_VIRTUAL_COUNT;
	}
	assert_true(counts && others);
	assert_null(strstr(text, "cpu=\"0\""));
	assert_non_null(strstr(text, "cpu=\"1\""));
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_metrics), cmocka_unit_test(test_virtuals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
