/* SPDX-License-Identifier: GPL-2.0 */
/* A report of invented samples, for the tests of reports. */
#ifndef PMC_TESTS_CLI_REPORT_H
#define PMC_TESTS_CLI_REPORT_H

#include "lib.h"
#include "report.h"

struct fixture {
	pmc_machine_t *machine;
	pmc_config_t *config;
	pmc_plan_t *plan;
	struct layout layout;
	struct options o;
	struct summary summary;
	struct rusage usage;
	char *text;
	size_t size;
	struct report report;
};

static struct fixture x;
static char *app[] = { "./app", NULL };

static inline void setup_virtual(const char *machine, const char *set0, const char *set1,
			  const char *virtuals)
{
	memset(&x, 0, sizeof(x));
	x.machine = open_machine(machine);
	x.config = pmc_config_new(x.machine);
	be_machine(machine);
	if (virtuals)
		assert_int_equal(pmc_config_add_virtual(x.config, virtuals), 0);
	unsetenv("PMCTRACK_PROC");
	if (set0)
		assert_int_equal(pmc_config_add(x.config, set0, -1, 0), 0);
	if (set1)
		assert_int_equal(pmc_config_add(x.config, set1, -1, 0), 0);
	assert_int_equal(layout_init(&x.layout, x.machine, x.config, NULL), 0);
	assert_int_equal(totals_init(&x.summary.totals, &x.layout), 0);
	x.report.o = &x.o;
	x.report.layout = &x.layout;
	x.o.command = app;
	x.o.period_us = 100000;
	x.report.f = open_memstream(&x.text, &x.size);
}

static inline void setup(const char *machine, const char *set0, const char *set1)
{
	setup_virtual(machine, set0, set1, NULL);
}

static inline int all_fits(void *arg, int core_type, const char *events)
{
	return 1;
}

/* Metrics, without any other column */
static inline void setup_metrics(const char *machine, const char *metrics)
{
	pmc_config_t *asked;

	memset(&x, 0, sizeof(x));
	x.machine = open_machine(machine);
	x.config = pmc_config_new(x.machine);
	asked = pmc_config_new(x.machine);
	x.plan = pmc_plan_new(x.machine);
	assert_int_equal(pmc_plan_add_metrics(x.plan, metrics, -1), 0);
	assert_int_equal(pmc_plan_make(x.plan, x.config, all_fits, NULL), 0);
	assert_int_equal(layout_init(&x.layout, x.machine, x.config, NULL), 0);
	assert_int_equal(layout_set_plan(&x.layout, x.plan, asked), 0);
	pmc_config_free(asked);
	assert_int_equal(totals_init(&x.summary.totals, &x.layout), 0);
	x.report.o = &x.o;
	x.report.layout = &x.layout;
	x.o.command = app;
	x.o.period_us = 100000;
	x.report.f = open_memstream(&x.text, &x.size);
}

#define BELOW_ZERO "difference=instr-cycles"

/* Of BELOW_ZERO: it is -2000 for a second and 2000 for another; after a second with no sample, it is 0 for four. */
static inline void run_below_zero(const struct report_ops *ops)
{
	static const struct {
		uint64_t from, to, instr, cycles;
	} samples[] = { { 0, 1, 1000, 3000 }, { 1, 2, 3000, 1000 }, { 3, 7, 1000, 1000 } };
	struct pmc_reading r = { .tid = 1, .type = PMC_TICK_SAMPLE, .nr_counts = 2 };
	int i, second;

	second = !!strncmp(x.layout.names[layout_set(&x.layout, 0, 0)->columns[0]], "instr", 5);
	x.o.plot = PLOT_CORE_TYPES;
	x.report.ops = ops;
	assert_int_equal(ops->begin(&x.report), 0);
	for (i = 0; i < 3; i++) {
		r.time = samples[i].to * 1000000000;
		r.elapsed = (samples[i].to - samples[i].from) * 1000000000;
		r.running = r.elapsed;
		r.counts[second] = samples[i].instr;
		r.counts[!second] = samples[i].cycles;
		ops->sample(&x.report, i + 1, &r);
	}
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

/* tests/host/output.sh checks what JSON has to be like. */
static inline void keep_json(void)
{
	static int nr;
	const char *folder = getenv("PMCTRACK_TEST_REPORTS");
	char path[512];
	FILE *f;

	if (!folder || !x.text || *x.text != '{' || !strstr(x.text, "\"evicted\""))
		return;
	snprintf(path, sizeof(path), "%s/%s-%d.json", folder, program_invocation_short_name, ++nr);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(x.text, f);
	fclose(f);
}

static inline void teardown(void)
{
	keep_json();
	free(x.text);
	totals_free(&x.summary.totals);
	layout_free(&x.layout);
	pmc_config_free(x.config);
	pmc_plan_free(x.plan);
	pmc_machine_close(x.machine);
}

/* Two samples of a thread that moves to the other core type in between. */
static inline void run(const struct report_ops *ops)
{
	struct pmc_reading r = {
		.time = 2000000000, .elapsed = 1000000000, .running = 900000000,
		.pid = 7008, .tid = 7009, .cpu = 1, .type = PMC_MIGRATION_SAMPLE,
		.nr_counts = 2, .counts = { 1961001132, 110634 },
		.nr_virtual = 3, .virtual_counts = { 2500, PMC_NO_VALUE, 1250 }, .name = "main",
	};

	if (!x.layout.nr_virtual)
		r.nr_virtual = 0;
	totals_sample(&x.summary.totals, &x.layout, &r);
	x.report.ops = ops;
	assert_int_equal(ops->begin(&x.report), 0);
	ops->sample(&x.report, 1, &r);
	r.time += 500000000;
	r.elapsed = 500000000;
	r.core_type = x.layout.nr_core_types - 1;
	r.cpu = 3;
	r.type = PMC_EXIT_SAMPLE;
	r.set = x.layout.core_types[0].nr_sets - 1;
	r.counts[0] = 5;
	r.running = 300000000;
	r.virtual_counts[0] = 70;
	r.virtual_counts[2] = 2000;
	totals_sample(&x.summary.totals, &x.layout, &r);
	ops->sample(&x.report, 2, &r);
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

static inline void has(const char *part)
{
	if (!strstr(x.text, part))
		fail_msg("no\n%s\nin\n%s", part, x.text);
}

/* Virtual counters of the hybrid machine: a count, one without values, a ratio. */
#define VIRTUALS "energy_core,energy_psys,sf"

/* A sample by event count with these counts */
static inline struct pmc_reading ebs_sample(uint64_t first, uint64_t second)
{
	return (struct pmc_reading){
		.tid = 1, .type = PMC_EBS_SAMPLE, .nr_counts = 2, .counts = { first, second },
		.running = 1,
	};
}

/* Two samples, and others that are missing before the second one. */
static inline void run_left_out(const struct report_ops *ops, int aggregate)
{
	struct pmc_reading r = ebs_sample(1000, 5);

	setup("skylake", "instr:ebs=1000,cycles", NULL);
	x.o.aggregate = aggregate;
	x.summary.totals.exact = 1;
	x.summary.left_out = 4887;
	x.summary.throttled = 2;
	assert_int_equal(ops->begin(&x.report), 0);
	ops->sample(&x.report, 1, &r);
	r.counts[0] = 4888000;
	r.flags = ops == &report_csv ? PMC_READING_THROTTLED : 0;
	x.report.left_out = 4887;
	ops->sample(&x.report, 2, &r);
	x.report.left_out = 0;
	ops->end(&x.report, &x.summary);
	fclose(x.report.f);
}

#endif
