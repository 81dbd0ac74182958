// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity: models of energy, and the domains that have it. */
#include <math.h>

#include "additivity.h"
#include "additivity/energy_domain.h"
#include "additivity/energy_model.h"
#include "additivity/means.h"
#include "additivity/metric_model.h"
#include "additivity/module_model.h"
#include "additivity/nnls.h"
#include "additivity/verb.h"

/* Programs whose energy is a sum of some of their counts; @noise of it is random. */
static void make_energy(struct energy_data *data, int nr, int nr_events, double noise)
{
	int i, k;

	*data = (struct energy_data){ nr, nr_events, calloc(nr * nr_events, sizeof(double)),
				      calloc(nr, sizeof(double)) };
	for (i = 0; i < nr; i++) {
		for (k = 0; k < nr_events; k++)
			data->counts[i * nr_events + k] = 1e6 * (1 + next() % 1000);
		data->joules[i] = (3e-9 * data->counts[i * nr_events + 1] + 2e-9 * data->counts[i * nr_events + 4]) *
				  (1 + noise * normal());
	}
}

static void test_nnls(void **state)
{
	/* The least squares are at x = (2, -1): without what is negative, at (1, 0). */
	static const double a[] = { 1, 1, 1, 2, 0, 1 }, b[] = { 1, 0, -1 };
	static const int columns[] = { 0, 1 };
	double x[2];

	nnls(a, 3, 2, columns, 2, b, x);
	assert_float_equal(x[0], 0.5, 1e-12);
	assert_float_equal(x[1], 0, 1e-12);
	nnls(a, 3, 2, columns + 1, 1, b, x);
	assert_float_equal(x[0], 0, 1e-12);
}

/* What energies are made of is found, and said of programs that were left out. */
static void test_energy(void **state)
{
	struct energy_model m;
	struct energy_data data;
	char may[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	double errors[12];
	int i;

	seed = 7;
	make_energy(&data, 12, 6, 0);
	energy_fit(&m, &data, may, 0, 4);
	assert_int_equal(m.nr, 2);
	assert_int_equal(m.events[0] + m.events[1], 5);
	assert_float_equal(m.joules[m.events[0] == 1 ? 0 : 1], 3e-9, 1e-15);
	energy_left_out(&data, may, -1, 4, errors);
	for (i = 0; i < 12; i++)
		assert_float_equal(errors[i], 0, 1e-6);
	assert_float_equal(energy_chance(&data, may, 2), 1.0 / (PERMUTATIONS + 1), 1e-12);
	/* An event that may not be chosen is not; a given one stays. */
	may[1] = 0;
	energy_fit(&m, &data, may, 0, 3);
	for (i = 0; i < m.nr; i++)
		assert_int_not_equal(m.events[i], 1);
	m.events[0] = 5;
	energy_fit(&m, &data, may, 1, 2);
	assert_int_equal(m.events[0], 5);
	energy_data_free(&data);
}

static double error_in(const struct energy_model *m, const struct energy_data *data)
{
	double sum = 0;
	int i;

	for (i = 0; i < data->nr; i++)
		sum += fabs(energy_of(m, data->counts + i * data->nr_events) / data->joules[i] - 1);
	return sum / data->nr;
}

/*
 * Event 0 is as good as event 1 for base programs, even better. In compounds there is half as much
 * again: a model with it is wrong there.
 */
static void test_non_additive(void **state)
{
	static const char additive[6] = { 0, 1, 1, 1, 1, 1 }, all[6] = { 1, 1, 1, 1, 1, 1 };
	struct energy_data bases, compounds;
	struct energy_model with, without;
	int i;

	seed = 11;
	make_energy(&bases, 12, 6, 0);
	make_energy(&compounds, 12, 6, 0);
	for (i = 0; i < 12; i++) {
		bases.counts[i * 6] = bases.counts[i * 6 + 1];
		compounds.counts[i * 6] = 1.5 * compounds.counts[i * 6 + 1];
		bases.counts[i * 6 + 1] *= 1 + 0.01 * normal();
	}
	energy_fit(&without, &bases, additive, 0, 3);
	energy_fit(&with, &bases, all, 0, 3);
	assert_true(error_in(&with, &bases) < error_in(&without, &bases));
	assert_true(error_in(&without, &compounds) < 0.02);
	assert_true(error_in(&with, &compounds) > 0.1);
	energy_data_free(&bases);
	energy_data_free(&compounds);
}

#define ADDITIVE "cpu/event=0xc0,umask=0x1/"

/* Each of three runs of a program has these counts. The program takes 1 s. */
static void add_counts(struct results *r, int program, double additive, double context, double joules)
{
	int n;

	for (n = 0; n < 3; n++) {
		add(r, program, ADDITIVE ":u", additive, 1, joules);
		add(r, program, "context", context, 1, joules);
	}
}

/* What `pmc-additivity energy -n 1 -e @events @name` prints, and its exit status */
static int energy_prints(const char *name, char *events, char *text, size_t size)
{
	char path[128], *argv[] = { "energy", "-n", "1", "-e", events, path, NULL };
	FILE *f = tmpfile();
	int status, out = dup(1);

	snprintf(path, sizeof(path), "%s", path_of(name));
	fflush(stdout);
	dup2(fileno(f), 1);
	optind = 0;
	status = verb_energy(6, argv);
	fflush(stdout);
	dup2(out, 1);
	close(out);
	rewind(f);
	text[fread(text, 1, size - 1, f)] = '\0';
	fclose(f);
	return status;
}

static void prints(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in:\n%s", part, text);
}

/*
 * A program has 1 J for 1000 of the additive event. The other event has the same counts except for f,
 * which has twice as many: that model without f has 1 mJ for each, which is wrong for f by 100 %. One without
 * another program has the least squares (4 * 1 + 2) / (4 * 1 + 4), wrong by 25 %. Its model of all has 7/9,
 * wrong for compounds, which have half as much again, by 1/6.
 */
static void test_energy_of_others(void **state)
{
	struct results r;
	char text[4000];
	int i;

	begin_programs(&r, "energy", "a: true\nb: true\nc: true\nd: true\ne: true\nf: true\nab = a + b\ncd = c + d\n", 0, NULL);
	for (i = 0; i < 6; i++)
		add_counts(&r, i, 1000 * (i + 1), 1000 * (i + 1) * (i == 5 ? 2 : 1), i + 1);
	add_counts(&r, 6, 3000, 4500, 3);
	add_counts(&r, 7, 7000, 10500, 7);
	results_free(&r);
	assert_int_equal(energy_prints("energy", "other," ADDITIVE, text, sizeof(text)), 0);
	prints(text, "\nerrors of 6 programs that were left out: mean 0.00 %, largest 0.00 %; of a constant: ");
	prints(text, "\ncontext ");
	prints(text, "\nerrors of 6 programs that were left out: mean 37.50 %, largest 100.00 %\n"
	       "errors of 2 compounds of the programs of the fit: mean 16.67 %, largest 16.67 %\n");
}

/* Each program takes 1 J for 1000 of both events. */
static void make_umasks(const char *name, const char *one, const char *other)
{
	struct results r;
	int i, n;

	begin_programs(&r, name, "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\nab = a + b\n", 0, NULL);
	for (i = 0; i < 7; i++)
		for (n = 0; n < 3; n++) {
			add(&r, i, one, 1000 * (i < 6 ? i + 1 : 3), 1, i < 6 ? i + 1 : 3);
			add(&r, i, other, 1000 * (i < 6 ? i + 1 : 3), 1, i < 6 ? i + 1 : 3);
		}
	results_free(&r);
}

static void model_of_others(void *events)
{
	char text[4000];

	energy_prints("umasks", events, text, sizeof(text));
}

/* An event is named as for `run`. Umasks and attributes belong to the name, and modes do not. */
static void test_umasks(void **state)
{
	char text[4000];

	make_umasks("umasks", "L2:MISS:u:k", "L2:HIT:u:k");
	assert_int_equal(energy_prints("umasks", "L2:HIT", text, sizeof(text)), 0);
	prints(text, "\nL2:HIT:u:k ");
	assert_int_equal(energy_prints("umasks", "L2:MISS", text, sizeof(text)), 0);
	prints(text, "\nL2:MISS:u:k ");
	assert_int_equal(energy_prints("umasks", "L2:HIT:u:k", text, sizeof(text)), 0);
	prints(text, "\nL2:HIT:u:k ");
	check_refused(model_of_others, "L2",
		      "no event is potentially additive, and in the list of -e");
	make_umasks("attributes", "instr:cmask=1:u", "instr:u");
	assert_int_equal(energy_prints("attributes", "instr", text, sizeof(text)), 0);
	prints(text, "\ninstr:u ");
}

/*
 * A model has to beat the constant with the least squared relative errors. Energies are those of
 * docs/additivity.md; by the mean of the others, the mean error is 0.7348.
 */
static void test_constant(void **state)
{
	static double joules[] = {
		0.094039, 0.067879, 0.238200, 0.190193, 0.178684, 0.260636, 0.126723, 0.517422,
	};
	static double two[] = { 1, 2 };
	struct energy_data data = { .nr = 8, .joules = joules };

	assert_float_equal(energy_constant_error(&data), 0.5382, 1e-4);
	/* Each of two is predicted to be the other. */
	data = (struct energy_data){ .nr = 2, .joules = two };
	assert_float_equal(energy_constant_error(&data), 0.75, 1e-12);
}

/* No model of random, unrelated numbers is called good. Three of these sets have p of at most 0.05. */
static void test_random(void **state)
{
	struct energy_data data;
	char may[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	double errors[10];
	int round, i, good = 0;

	seed = 3;
	for (round = 0; round < 20; round++) {
		make_energy(&data, 10, 5, 0);
		for (i = 0; i < data.nr; i++)
			data.joules[i] = 0.001 * (1 + next() % 1000);
		energy_left_out(&data, may, -1, 2, errors);
		good += energy_is_good(mean_of(errors, data.nr).mean, energy_constant_error(&data),
				       energy_chance(&data, may, 2));
		energy_data_free(&data);
	}
	assert_int_equal(good, 0);
	/* A model has to have smaller errors than a constant. */
	assert_true(energy_is_good(0.1, 0.2, 0.005));
	assert_false(energy_is_good(0.2, 0.2, 0.005));
}

/* The names that powercap and perf have for them */
static void test_domains(void **state)
{
	static const struct {
		const char *name, *where[2], *other;
	} domains[] = {
		{ "package", { "package-0", "pkg-cpu0" }, "package-0/core" },
		{ "core", { "package-1/core", "cores-cpu4" }, "package-1" },
		{ "dram", { "package-0/dram", "ram-cpu0" }, "psys" },
		{ "psys", { "psys", "psys-cpu0" }, "package-0/dram" },
	};
	const struct energy_domain *d;
	size_t i, k;

	for (i = 0; i < 4; i++) {
		d = energy_domain_find(domains[i].name);
		assert_true(energy_domain_has(d, domains[i].where[0]));
		assert_true(energy_domain_has(d, domains[i].where[1]));
		assert_false(energy_domain_has(d, domains[i].other));
		for (k = 0; k < 8; k++)
			assert_true(k / 2 == i || !energy_domain_has(d, domains[k / 2].where[k % 2]));
	}
}

/* On AMD's processors the zone of the cores has the energy of one core. */
static void test_one_core(void **state)
{
	const struct energy_domain *core = energy_domain_find("core"), *package = energy_domain_find("package");

	assert_false(energy_domain_is_whole(core, 0xa20f12));
	assert_false(energy_domain_is_whole(core, 0x800f82));
	assert_true(energy_domain_is_whole(package, 0xa20f12));
	/* Raptor Lake, a later family of Intel's, an Arm core */
	assert_true(energy_domain_is_whole(core, 0xb0671));
	assert_true(energy_domain_is_whole(core, 0x400f10));
	assert_true(energy_domain_is_whole(core, 0x411fd070));
}

/* Instructions and cycles are in the set once, and watts are nanojoules by events per nanosecond. */
static void test_module(void **state)
{
	static const char *const events[] = { "branches:u:k", "instr:u:k" };
	static const double joules[] = { 0.25e-9, 3.5e-9 };
	struct module_model m = {
		.machine = open_machine("biglittle"), .core_type = 1, .modes = ":u:k", .nr = 2,
		.events = events, .joules = joules,
	};
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	module_model_write(f, &m);
	fclose(f);
	assert_string_equal(text,
			    "# Dynamic power on core type little, estimated by pmc-additivity: pmc-load-model loads this file.\n"
			    "estimated_power.little.set=instr:ev=0x08:u:k,cycles:ev=0x11:u:k,event_1:ev=0x0c:u:k\n"
			    "# branches:u:k\n"
			    "estimated_power.little.metric.rate_1=1000*event_1/ns\n"
			    "# instr:u:k\n"
			    "estimated_power.little.metric.rate_2=1000*instr/ns\n"
			    "estimated_power.little.estimate=0.000250000000*rate_1+0.003500000000*rate_2\n");
	free(text);
	pmc_machine_close((pmc_machine_t *)m.machine);
}

/* Sessions may count all modes by default: events that were counted in user mode have it in their names. */
static void test_metric(void **state)
{
	static const char *const events[] = { "instr", "page_faults", "branches:k", "no_such_event" };
	static const double joules[] = { 2e-9, 3e-6, 1e-9, 5e-9 };
	struct metric_model m = {
		.machine = open_machine("biglittle"), .core_type = "little", .domain = "package",
		.user = 1, .nr = 4, .events = events, .joules = joules,
	};
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	metric_model_write(f, &m);
	pmc_machine_close((pmc_machine_t *)m.machine);
	m.machine = NULL;
	m.domain = "dram";
	m.nr = 1;
	metric_model_write(f, &m);
	m.user = 0;
	metric_model_write(f, &m);
	fclose(f);
	assert_string_equal(text,
			    "# Dynamic energy on core type little, estimated by pmc-additivity\n"
			    "energy[%.6f J]=2e-09*instr:u+3e-06*page_faults+1e-09*branches:k+5e-09*no_such_event:u\n"
			    "# Dynamic energy on core type little, estimated by pmc-additivity\n"
			    "energy_dram[%.6f J]=2e-09*instr:u\n"
			    "# Dynamic energy on core type little, estimated by pmc-additivity\n"
			    "energy_dram[%.6f J]=2e-09*instr\n");
	free(text);
}

/* The metric that is written has these events, and no others. */
static void test_names_in_metric(void **state)
{
	static const char *const events[] = {
		"branch-misses", "cpu_core/cycles/", "cpu/event=0xc0,umask=0x1/",
		"cpu/instructions/k",
	};
	static const double joules[] = { 1e-9, 2e-9, 3e-9, 4e-9 };
	struct metric_model m = {
		.machine = open_machine("hybrid"), .core_type = "P", .domain = "package",
		.user = 1, .nr = 4, .events = events, .joules = joules,
	};
	const pmc_metric_t *metric;
	pmc_plan_t *plan;
	char *text, *line;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	metric_model_write(f, &m);
	fclose(f);
	line = strchr(text, '\n') + 1;
	line[strcspn(line, "\n")] = '\0';
	plan = pmc_plan_new(m.machine);
	if (pmc_plan_add_metrics(plan, line, 0))
		fail_msg("%s: %s", line, pmc_last_error());
	metric = pmc_plan_metric(plan, 0, 0);
	assert_non_null(metric);
	assert_string_equal(pmc_metric_event(metric, 0), "branch-misses:u");
	assert_string_equal(pmc_metric_event(metric, 1), "cpu_core/cycles/:u");
	assert_string_equal(pmc_metric_event(metric, 2), "cpu/event=0xc0,umask=0x1/:u");
	assert_string_equal(pmc_metric_event(metric, 3), "cpu/instructions/k");
	assert_null(pmc_metric_event(metric, 4));
	pmc_plan_free(plan);
	free(text);
	pmc_machine_close((pmc_machine_t *)m.machine);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nnls),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_non_additive),
		cmocka_unit_test(test_energy_of_others),
		cmocka_unit_test(test_umasks),
		cmocka_unit_test(test_constant),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_one_core),
		cmocka_unit_test(test_module),
		cmocka_unit_test(test_metric),
		cmocka_unit_test(test_names_in_metric),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
