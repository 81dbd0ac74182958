// SPDX-License-Identifier: GPL-2.0
/* pmc-model: tables, shapes, matching of windows, and fitting of formulae. */
#include <math.h>
#include <unistd.h>

#include "lib.h"
#include "model/write.h"

static char error[512];

static FILE *text(const char *s)
{
	return fmemopen((void *)s, strlen(s), "r");
}

static struct table *table(const char *s)
{
	FILE *f = text(s);
	struct table *t = table_read(f, "t.csv", error, sizeof(error));

	fclose(f);
	return t;
}

static const char samples[] =
	"nsample,event,running_us,instr:ebs=1000,cycles,\"a \"\"b\"\",c\"\n"
	"1,ebs,10.5,1000,2000,7\n"
	"2,tick,1,5,6,8\n"
	"3,ebs,11,1000,,9\r\n"
	"4,exit,1,10,20,30\n"
	",,,1015,2000,\n";

static void test_table(void **state)
{
	struct table *t = table(samples);

	assert_non_null(t);
	assert_int_equal(t->nr_rows, 2);
	assert_int_equal(t->nr_columns, 6);
	assert_int_equal(table_column(t, "instr"), 3);
	assert_int_equal(table_column(t, "a \"b\",c"), 5);
	assert_int_equal(table_column(t, "nothing"), -1);
	assert_true(table_value(t, 0, 2) == 10.5);
	assert_true(isnan(table_value(t, 1, 4)));
	assert_true(table_value(t, 1, 5) == 9);
	table_free(t);
}

/* Modifiers are removed. The unit masks of libpfm4's names are not. */
static void test_names(void **state)
{
	struct table *t = table("event,instr:ebs=1000:u,cycles:k:pmc=2,l2_rqsts:miss:umask=0x1f,l2_rqsts:references,any\n"
				"ebs,1,2,3,4,5\n");

	assert_non_null(t);
	assert_string_equal(t->name[1], "instr");
	assert_string_equal(t->name[2], "cycles");
	assert_string_equal(t->name[3], "l2_rqsts:miss");
	assert_string_equal(t->name[4], "l2_rqsts:references");
	assert_true(t->period == 1000);
	table_free(t);
	assert_null(table("event,instr:u,cycles,instr:k\nebs,1,2,3\n"));
	assert_string_equal(error, "t.csv: line 1 has two columns 'instr' (modifiers and units do not count)");
	assert_null(table("event,energy,energy[uJ]\nebs,1,2\n"));
	assert_non_null(strstr(error, "two columns 'energy[uJ]'"));
	/* A name that begins like another one is another name. */
	t = table("event,llc,llc_misses,ll\nebs,1,2,3\n");
	assert_non_null(t);
	assert_int_equal(table_column(t, "ll"), 3);
	table_free(t);
}

/* Samples of other types may be of other threads. */
static void test_threads(void **state)
{
	struct table *t = table("tid,event,instr\n7,ebs,1\n8,exit,1\n7,ebs,1\n");

	assert_non_null(t);
	assert_int_equal(t->nr_rows, 2);
	table_free(t);
	assert_null(table("tid,event,instr\n7,ebs,1\n7,ebs,1\n8,ebs,1\n7,ebs,1\n"));
	assert_string_equal(error, "t.csv: samples of several threads (7 and 8); run the program with one");
	assert_null(table("tid,event,instr\n,ebs,1\n"));
	assert_string_equal(error, "t.csv: a sample is not of a thread");
}

static void test_no_table(void **state)
{
	assert_null(table("a,b\n1,2\n"));
	assert_non_null(strstr(error, "t.csv: line 1 has no column 'event'"));
	assert_null(table("event,b\ntick,2\n"));
	assert_non_null(strstr(error, "no sample by event count"));
	/* More fields than columns: no sample */
	assert_null(table("event,b\nebs,2,3\n"));
}

static void test_join(void **state)
{
	struct table *t = table("event,instr,x\nebs,1,10\nebs,2,20\nebs,3,30\n");
	struct table *more = table("event,instr,y\nebs,4,40\nebs,5,50\n");

	table_join(t, more);
	assert_int_equal(t->nr_rows, 2);
	assert_int_equal(t->nr_columns, 4);
	assert_true(table_value(t, 1, table_column(t, "instr")) == 2);
	assert_true(table_value(t, 1, table_column(t, "x")) == 20);
	assert_true(table_value(t, 1, table_column(t, "y")) == 50);
	table_free(t);
	table_free(more);
}

static struct shape *shape(const char *s)
{
	FILE *f = text(s);
	struct shape *shape = shape_read(f, "s.model", error, sizeof(error));

	fclose(f);
	return shape;
}

static const char good_shape[] =
	"# a comment\n"
	"estimated_sf.model=test\n"
	"estimated_sf.P.set=instr:ev=1,cycles:ev=2,m:ev=3\n"
	"estimated_sf.P.metric.ipc=instr/cycles\n"
	"estimated_sf.P.metric.m=1000*m/instr\n"
	"estimated_sf.P.estimate=1+2*ipc\n"
	"\n"
	"estimated_sf.E.set=instr:ev=1,cycles:ev=2,m:ev=3\n"
	"estimated_sf.E.metric.m=1000 * m / instr\n"
	"estimated_sf.E.range=1,2\n";

static void test_shape(void **state)
{
	static const struct {
		const char *text, *message;
	} bad[] = {
		{ "hello\n", "s.model:1: a line is MODULE.KEY=VALUE" },
		{ "m.P.set=1\n\nn.P.set=1\n", "s.model:3: all lines are of the same module" },
		{ "m.P.metric.x=y\n", "s.model:1: a metric is OVER/UNDER" },
		{ "m.P.metric.x=2*y/z/a\n", "s.model:1: a metric is OVER/UNDER" },
		{ "m.P.metric.X=y/z\n", "s.model:1: a metric's name" },
		{ "m.P.set=1\nm.E.set=1\nm.L.set=1\n", "s.model:3: a model is for two core types" },
		{ "m.P.metric.x=y/z\n", "s.model: a model has metrics for two core types" },
	};
	struct shape *s = shape(good_shape);
	size_t i;

	assert_non_null(s);
	assert_string_equal(s->module, "estimated_sf");
	assert_string_equal(s->core[0].name, "P");
	assert_int_equal(s->core[0].nr_metrics, 2);
	assert_int_equal(s->core[0].metric[1].factor, 1000);
	assert_string_equal(s->core[1].metric[0].over, "m");
	/* Formulae and ranges are not part of the shape. */
	assert_int_equal(s->nr_lines, 6);
	shape_free(s);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_null(shape(bad[i].text));
		if (!strstr(error, bad[i].message))
			fail_msg("'%s' is not in '%s'", bad[i].message, error);
	}
}

/*
 * Windows of invented programs on an invented machine: x from 0 to 1, and from 0 to 100,
 * independent.
 */
#define PROGRAMS	20
#define ROWS		(PROGRAMS * 20)
#define METRICS_MAX	10
static double x[ROWS * METRICS_MAX], y[ROWS];
static size_t program[ROWS];
static unsigned int random_state;

/* From 0 to 1 */
static double uniform(void)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 16) / 65536.0;
}

static void make_metrics(void)
{
	unsigned int i;

	random_state = 1;
	for (i = 0; i < ROWS * 2; i++)
		x[i] = uniform() * (i % 2 ? 100 : 1);
	for (i = 0; i < ROWS; i++)
		program[i] = i * PROGRAMS / ROWS;
}

static const struct data windows = { ROWS, 2, PROGRAMS, x, y, program };

static void test_fit_linear(void **state)
{
	struct validation v;
	struct formula f;
	int i;

	make_metrics();
	for (i = 0; i < ROWS; i++)
		y[i] = 1 + 0.5 * x[2 * i] + 0.01 * x[2 * i + 1];
	validate(&windows, 6, &f, &v);
	assert_int_equal(f.nr_terms, 2);
	assert_true(fabs(f.constant - 1) < 1e-9);
	assert_true(v.fitted.all_max < 1e-9);
	assert_true(v.left_out.all_correlation > 0.999999);
	/* A group may have the greatest truth, beyond the range of the others. */
	assert_true(v.left_out.all_max < 0.05);
	assert_true(validation_passed(&v));
	for (i = 0; i < ROWS; i++)
		assert_true(fabs(formula_estimate(&f, x + 2 * i) / y[i] - 1) < 1e-9);
	validation_free(&v);
}

/* If the truth is the inverse of a sum, the inverse formula fits, and the other does not. */
static void test_fit_inverse(void **state)
{
	bool all[PROGRAMS];
	struct formula plain[4], f;
	struct validation v;
	double worst = 0;
	int i;

	make_metrics();
	memset(all, 1, sizeof(all));
	for (i = 0; i < ROWS; i++)
		y[i] = 1 / (0.2 + 0.5 * x[2 * i] + 0.003 * x[2 * i + 1]);
	fit(&windows, all, 3, false, plain);
	for (i = 0; i < ROWS; i++)
		worst = fmax(worst, fabs(formula_estimate(&plain[3], x + 2 * i) / y[i] - 1));
	assert_true(worst > 0.05);
	validate(&windows, 3, &f, &v);
	assert_true(f.inverse);
	assert_true(v.fitted.all_max < 1e-9);
	assert_true(fabs(formula_estimate(&f, x) / y[0] - 1) < 1e-9);
	validation_free(&v);
}

static void test_fit_bend(void **state)
{
	struct validation v;
	struct formula f;
	int i;

	make_metrics();
	for (i = 0; i < ROWS; i++)
		y[i] = 2 - (x[2 * i + 1] > 50 ? 0.01 * (x[2 * i + 1] - 50) : 0);
	validate(&windows, 8, &f, &v);
	assert_true(v.left_out.all_correlation > 0.999);
	assert_true(v.fitted.all_max < 0.01);
	validation_free(&v);
}

/* A metric that is there twice is used once, and the same metric always is no metric. */
static void test_fit_dependent(void **state)
{
	struct data d = windows;
	bool all[PROGRAMS];
	struct formula f[6];
	int i;

	make_metrics();
	memset(all, 1, sizeof(all));
	d.nr_metrics = 3;
	for (i = ROWS; i-- > 0;) {
		double one = x[2 * i];

		x[3 * i] = one;
		x[3 * i + 1] = 2 * one;
		x[3 * i + 2] = 7;
		y[i] = 1 + one;
	}
	fit(&d, all, 5, false, f);
	assert_int_equal(f[5].nr_terms, 1);
	for (i = 0; i < ROWS; i++)
		assert_true(fabs(formula_estimate(&f[5], x + 3 * i) / y[i] - 1) < 1e-9);
}

/* Estimates stay in the range of the truth, as in the kernel. */
static void test_range(void **state)
{
	struct formula f = { .constant = 1, .nr_terms = 1, .term = { { .a = 1 } }, .least = 1.5, .most = 3 };
	double metric = 0;

	assert_true(formula_estimate(&f, &metric) == 1.5);
	metric = 1.25;
	assert_true(formula_estimate(&f, &metric) == 2.25);
	metric = 5;
	assert_true(formula_estimate(&f, &metric) == 3);
	f.inverse = true;
	metric = -0.5;
	assert_true(formula_estimate(&f, &metric) == 2);
	metric = -2;
	assert_true(formula_estimate(&f, &metric) == 3);
}

/* A program counts once, however many windows it has. */
static void test_weights(void **state)
{
	struct data d = { 104, 1, 5, x, y, program };
	bool all[5] = { true, true, true, true, true };
	struct validation v;
	struct formula f;
	int i;

	for (i = 0; i < 104; i++) {
		program[i] = i < 100 ? 0 : i - 99;
		y[i] = i < 100 ? 1 : 2;
		x[i] = i;
	}
	/* Least squares of c - 1 once and c / 2 - 1 four times */
	fit(&d, all, 0, false, &f);
	assert_true(fabs(f.constant - 1.5) < 1e-9);
	fit(&d, all, 0, true, &f);
	assert_true(fabs(formula_estimate(&f, x) - 17.0 / 9) < 1e-9);
	/* Without program 0 the constant is 2; without another one 2.5 / 1.75. */
	validate(&d, 1, &f, &v);
	assert_true(fabs(v.constant.mean[0] - 1) < 1e-9);
	assert_true(fabs(v.constant.mean[4] - (1 - 2.5 / 1.75 / 2)) < 1e-9);
	assert_true(fabs(v.constant.all_mean - (v.constant.mean[0] + 4 * v.constant.mean[4]) / 5) < 1e-9);
	assert_int_equal(v.constant.worst, 0);
	validation_free(&v);
}

/*
 * Invented programs whose windows resemble each other: metrics and truth are constants of
 * the program, with noise of one percent. @related: is the truth made of metrics?
 */
static void make_programs(size_t nr_programs, unsigned int seed, bool related, struct data *d)
{
	size_t nr_metrics = 5, each = 10, i, m;
	double metric[5] = { 0 }, truth = 0;

	*d = (struct data){ nr_programs * each, nr_metrics, nr_programs, x, y, program };
	random_state = seed;
	for (i = 0; i < d->nr_rows; i++) {
		if (i % each == 0) {
			for (m = 0; m < nr_metrics; m++)
				metric[m] = uniform();
			truth = 1.1 + 1.4 * uniform();
			if (related)
				truth = 1.1 + 0.8 * metric[0] + 0.6 * metric[3];
		}
		for (m = 0; m < nr_metrics; m++)
			x[i * nr_metrics + m] = metric[m] * (0.99 + 0.02 * uniform());
		y[i] = truth * (0.99 + 0.02 * uniform());
		program[i] = i / each;
	}
}

/*
 * With few programs, formulae can tell each program by its metrics. That is no knowledge: for
 * programs that they were not fitted to, they are no better than a constant.
 */
static void test_unrelated(void **state)
{
	static const size_t nr[] = { 5, 8, 12, 20 };
	struct validation v;
	struct formula f;
	unsigned int seed;
	struct data d;
	size_t i, nr_terms = 0;

	for (i = 0; i < sizeof(nr) / sizeof(*nr); i++) {
		for (seed = 1; seed <= 5; seed++) {
			make_programs(nr[i], seed, false, &d);
			validate(&d, 12, &f, &v);
			if (validation_passed(&v))
				fail_msg("%zu programs, seed %u: %.3f, a constant: %.3f", nr[i], seed,
					 v.left_out.all_mean, v.constant.all_mean);
			assert_true(v.left_out.all_mean > 0.9 * v.constant.all_mean);
			nr_terms += f.nr_terms;
			validation_free(&v);
		}
	}
	/* Most of these formulae have no term at all. */
	assert_in_range(nr_terms, 0, 10);
}

static void test_related(void **state)
{
	struct validation v;
	struct formula f;
	unsigned int seed;
	struct data d;

	for (seed = 1; seed <= 5; seed++) {
		make_programs(20, seed, true, &d);
		validate(&d, default_terms(20), &f, &v);
		assert_true(validation_passed(&v));
		assert_true(v.left_out.all_mean < 0.03);
		assert_true(v.left_out.all_correlation > 0.98);
		assert_true(v.fitted.all_mean <= v.left_out.all_mean);
		assert_true(v.constant.all_mean > 0.1);
		validation_free(&v);
	}
}

/* A program that is like no other one: nothing but the fit knows it. */
static void test_worst(void **state)
{
	struct validation v;
	struct formula f;
	struct data d;
	size_t i;

	make_programs(20, 3, true, &d);
	for (i = 0; i < d.nr_rows; i++) {
		x[i * 5 + 1] = program[i] == 13;
		if (program[i] == 13)
			y[i] = 7;
	}
	validate(&d, 6, &f, &v);
	assert_int_equal(v.left_out.worst, 13);
	assert_true(v.left_out.mean[13] > 0.6);
	validation_free(&v);
}

/* The groups are of programs, and neighbours are in the same one. */
static void test_groups(void **state)
{
	struct validation v;
	struct formula f;
	struct data d;
	size_t i;

	make_programs(20, 1, false, &d);
	/* Programs in pairs that have the same counts and the same truth */
	for (i = 0; i < d.nr_rows; i++) {
		size_t twin = i - program[i] % 2 * 10;

		memcpy(x + i * 5, x + twin * 5, 5 * sizeof(*x));
		y[i] = y[twin];
	}
	validate(&d, 12, &f, &v);
	assert_false(validation_passed(&v));
	validation_free(&v);
}

static void test_signed_rank(void **state)
{
	static const double positive[] = { 3, 1, 4, 2, 5 }, one_less[] = { 1, 2, 3, 4, -5 };
	static const double negative[] = { -1, -2, -3 }, ties[] = { 1, 0, 1 }, half[] = { 2, 2, -2 };
	double many[100];
	int i;

	assert_true(signed_rank(positive, 5) == 1 / 32.0);
	/* 10 of the 32 sums of 1 to 5 are 10 or more. */
	assert_true(signed_rank(one_less, 5) == 10 / 32.0);
	assert_true(signed_rank(negative, 3) == 1);
	assert_true(signed_rank(ties, 3) == 1 / 4.0);
	assert_true(signed_rank(half, 3) == 4 / 8.0);
	assert_true(signed_rank(NULL, 0) == 1);
	for (i = 0; i < 100; i++)
		many[i] = i % 2 ? i : -i;
	assert_true(signed_rank(many, 100) > 0.3 && signed_rank(many, 100) < 0.5);
}

/* Where the truth of a program is the same, its correlation would be that of noise. */
static void test_correlation(void **state)
{
	struct validation v;
	struct formula f;
	int i;

	make_metrics();
	for (i = 0; i < ROWS; i++) {
		if (program[i] == 3)
			x[2 * i] = 0.5 + 0.01 * uniform();
		y[i] = 1 + 0.5 * x[2 * i] + (program[i] == 5 ? 0.3 * uniform() : 0);
	}
	validate(&windows, 1, &f, &v);
	assert_true(isnan(v.left_out.correlation[3]));
	assert_true(v.left_out.correlation[4] > 0.99);
	assert_true(v.left_out.correlation[5] > 0.5 && v.left_out.correlation[5] < 0.95);
	assert_true(v.left_out.all_correlation > 0.9 && v.left_out.all_correlation < 0.999);
	assert_int_equal(v.left_out.worst, 5);
	validation_free(&v);
}

static void test_passed(void **state)
{
	struct validation v = { .left_out.all_mean = 0.1, .constant.all_mean = 0.2, .chance = 0.05 };

	assert_true(validation_passed(&v));
	v.chance = 0.06;
	assert_false(validation_passed(&v));
	v.chance = 0.01;
	v.left_out.all_mean = 0.21;
	assert_false(validation_passed(&v));
}

static void test_default_terms(void **state)
{
	assert_int_equal(default_terms(5), 1);
	assert_int_equal(default_terms(12), 4);
	assert_int_equal(default_terms(26), 8);
	assert_int_equal(default_terms(1000), 12);
}

static void put(const char *dir, const char *name, const char *what)
{
	char path[600];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(what, f);
	fclose(f);
}

static struct runs *read_runs(const char *dir, const char *list, const struct shape *s)
{
	struct runs *runs;
	char path[600];
	FILE *f = text(list);

	snprintf(path, sizeof(path), "%s/RUNS", dir);
	runs = runs_read(f, path, s, error, sizeof(error));
	fclose(f);
	return runs;
}

static void test_training(void **state)
{
	struct truth what = { 0, "running_us", NULL, 0 };
	struct shape *s = shape(good_shape);
	char dir[] = "/tmp/model.XXXXXX", command[64], long_name[201] = "", list[1000];
	struct training *t;
	struct runs *runs;

	assert_non_null(mkdtemp(dir));
	put(dir, "p0", "event,running_us,instr,cycles\nebs,10,1000,500\nebs,20,1000,500\nebs,1,1000,5\n");
	put(dir, "p1", "event,running_us,instr,m\nebs,11,1000,5\nebs,21,1000,10\nebs,1,1000,5\n");
	put(dir, "e", "event,running_us,instr,m,uj\nebs,30,1000,6,2\nebs,25,1000,0,4\n");
	runs = read_runs(dir, "# windows\na P p0 p1\na E e\n", s);
	assert_non_null(runs);
	t = train(runs, s, &what, error, sizeof(error));
	assert_non_null(t);
	assert_int_equal(t->nr_rows, 2);
	assert_true(t->program[0] == 0 && t->program[1] == 0);
	assert_true(fabs(t->truth[0] - 3) < 1e-9 && fabs(t->truth[1] - 1.25) < 1e-9);
	assert_true(t->metrics[0][0] == 2 && t->metrics[0][1] == 5 && t->metrics[0][3] == 10);
	assert_true(t->metrics[1][0] == 6 && t->metrics[1][1] == 0);
	training_free(t);
	/* The other way round */
	what.fast = 1;
	t = train(runs, s, &what, error, sizeof(error));
	assert_true(fabs(t->truth[1] - 0.8) < 1e-9);
	training_free(t);
	/* Without the first window */
	what.skip = 1;
	t = train(runs, s, &what, error, sizeof(error));
	assert_int_equal(t->nr_rows, 1);
	assert_true(fabs(t->truth[0] - 0.8) < 1e-9);
	training_free(t);
	/* Without both of them */
	what.skip = 2;
	assert_null(train(runs, s, &what, error, sizeof(error)));
	assert_string_equal(error, "a: no window on both core types is left; run it for longer, or use smaller windows");
	what = (struct truth){ 0, "running_us", "uj", 0 };
	assert_null(train(runs, s, &what, error, sizeof(error)));
	assert_string_equal(error, "a on P: 'uj' was not counted; run pmc-train-model with it, by -c or -V");
	runs_free(runs);
	/* With energy: twice the energy and three times the time are six times the product. */
	put(dir, "p2", "event,ujoule,uj[uJ]\nebs,3,1\nebs,5,8\nebs,7,1\n");
	runs = read_runs(dir, "a P p0 p1 p2\na E e\n", s);
	t = train(runs, s, &what, error, sizeof(error));
	assert_non_null(t);
	assert_true(fabs(t->truth[0] - 6) < 1e-9 && fabs(t->truth[1] - 0.625) < 1e-9);
	training_free(t);
	runs_free(runs);
	runs = read_runs(dir, "a P p0\n", s);
	what.energy = NULL;
	assert_null(train(runs, s, &what, error, sizeof(error)));
	assert_string_equal(error, "a: no run on E");
	runs_free(runs);
	/* Windows of different lengths */
	put(dir, "w1", "event,running_us,instr:ebs=1000,cycles,m\nebs,10,1000,500,1\n");
	put(dir, "w2", "event,running_us,instr:ebs=2000,m\nebs,10,2000,1\n");
	assert_null(read_runs(dir, "a P w1 w2\n", s));
	assert_string_equal(error, "w2: windows of 2000 events, but of 1000 in another run of a");
	runs = read_runs(dir, "a P w1\na E w2\n", s);
	assert_null(train(runs, s, &what, error, sizeof(error)));
	assert_string_equal(error, "a: windows of 1000 events on P, and of 2000 on E");
	runs_free(runs);
	/* Names of any length */
	memset(long_name, 'n', sizeof(long_name) - 1);
	snprintf(list, sizeof(list), "%s1 P w1\n%s2 P w1\n%s1 E e\n%s2 E e\n", long_name, long_name,
		 long_name, long_name);
	put(dir, "w1", "event,running_us,instr,cycles,m\nebs,10,1000,500,1\n");
	runs = read_runs(dir, list, s);
	t = train(runs, s, &what, error, sizeof(error));
	assert_non_null(t);
	assert_int_equal(runs->nr, 2);
	assert_true(t->nr_rows == 2 && t->program[0] == 0 && t->program[1] == 1);
	training_free(t);
	runs_free(runs);
	assert_null(read_runs(dir, "a X p0\n", s));
	assert_non_null(strstr(error, "RUNS:1: a run is PROGRAM CORETYPE FILE..., with P or E"));
	assert_null(read_runs(dir, "a P nothing\n", s));
	assert_non_null(strstr(error, "nothing: can't be read"));
	assert_null(read_runs(dir, "#\n", s));
	shape_free(s);
	snprintf(command, sizeof(command), "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}

static void test_write(void **state)
{
	struct formula f[2] = {
		{ .inverse = true, .constant = -0.5, .nr_terms = 2, .term = {
			{ .metric = 1, .a = 0.000000000001 }, { .metric = 1, .bend = true, .at = 2.25, .a = -3 } },
		  .least = 1.14, .most = 2.1 },
		{ .constant = 2, .nr_terms = 0, .least = 1.14, .most = 2.1 },
	};
	double truth[] = { 1.2, 2 }, out_mean[] = { 0.02, 0.04 }, mean[] = { 0.01, 0.005 };
	double correlation[] = { 0.5, NAN };
	struct errors out_errors = { out_mean, correlation, 1, 0.03, 0.1, 0.9 };
	struct errors errors = { mean, correlation, 0, 0.0075, 0.02, 0.95 };
	struct validation v[2] = { { errors, out_errors, out_errors, 0.01 },
				   { errors, out_errors, out_errors, 0.01 } };
	struct run run[] = { { "first", { NULL } }, { "second", { NULL } } };
	struct training t = { .nr_rows = 2, .truth = truth };
	struct runs runs = { 2, run };
	struct shape *s = shape(good_shape);
	char *out;
	size_t size;
	FILE *to = open_memstream(&out, &size);

	write_model(to, s, f, v, &runs, &t);
	fclose(to);
	assert_non_null(strstr(out, "# Fitted by pmc-model to 2 windows of 2 programs, "));
	assert_non_null(strstr(out, "# P: 2 terms, correlation 0.9000 (0.9500), error 3.00 % (0.75 %) on average,\n"
				    "#   4.00 % (1.00 %) for the worst program, second (first); a constant has 3.00 %\n"));
	assert_non_null(strstr(out, "\nestimated_sf.model=test\n"));
	assert_non_null(strstr(out, "\nestimated_sf.P.metric.m=1000*m/instr\n"));
	assert_null(strstr(out, "metric.ipc"));
	assert_null(strstr(out, "E.metric"));
	assert_non_null(strstr(out, "\nestimated_sf.P.range=1.14,2.1\n"));
	assert_non_null(strstr(out, "\nestimated_sf.P.inverse=-0.5+0.000000000001*m-3*above(m,2.25)\n"));
	assert_non_null(strstr(out, "\nestimated_sf.E.estimate=2\n"));
	free(out);
	to = open_memstream(&out, &size);
	print_errors(to, s, v, &runs);
	fclose(to);
	assert_non_null(strstr(out, "\nfirst                         2.00      2.00       0.5000"));
	assert_non_null(strstr(out, "\nsecond                        4.00      4.00            -"));
	assert_non_null(strstr(out, "\nall 2                         3.00      3.00       0.9000"));
	assert_non_null(strstr(out, "\nE: the worst program is second, 4.00 %; the worst window has 10.0 %\n"));
	free(out);
	shape_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_no_table),
		cmocka_unit_test(test_join),
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_fit_linear),
		cmocka_unit_test(test_fit_inverse),
		cmocka_unit_test(test_fit_bend),
		cmocka_unit_test(test_fit_dependent),
		cmocka_unit_test(test_range),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_unrelated),
		cmocka_unit_test(test_related),
		cmocka_unit_test(test_worst),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_signed_rank),
		cmocka_unit_test(test_correlation),
		cmocka_unit_test(test_passed),
		cmocka_unit_test(test_default_terms),
		cmocka_unit_test(test_training),
		cmocka_unit_test(test_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
