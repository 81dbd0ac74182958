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

/* Samples of an invented machine: x from 0 to 1, y from 0 to 100, independent. */
#define ROWS 400
static double x[ROWS * 2], y[ROWS];

static void make_metrics(void)
{
	unsigned int i, random = 1;

	for (i = 0; i < ROWS * 2; i++) {
		random = random * 1103515245 + 12345;
		x[i] = (random >> 16) % 1000 * (i % 2 ? 0.1 : 0.001);
	}
}

static void test_fit_linear(void **state)
{
	struct data d = { ROWS, 2, x, y };
	struct formula f;
	int i;

	make_metrics();
	for (i = 0; i < ROWS; i++)
		y[i] = 1 + 0.5 * x[2 * i] + 0.01 * x[2 * i + 1];
	assert_int_equal(fit(&d, 6, false, &f), 0);
	assert_true(f.correlation > 0.999999);
	assert_true(f.cv_correlation > 0.999999);
	assert_true(f.max_error < 1e-6);
	for (i = 0; i < ROWS; i++)
		assert_true(fabs(formula_estimate(&f, x + 2 * i) / y[i] - 1) < 1e-6);
}

/* If the truth is the inverse of a sum, the inverse formula fits, and the other does not. */
static void test_fit_inverse(void **state)
{
	struct data d = { ROWS, 2, x, y };
	struct formula plain, inverse;
	int i;

	make_metrics();
	for (i = 0; i < ROWS; i++)
		y[i] = 1 / (0.2 + 0.5 * x[2 * i] + 0.003 * x[2 * i + 1]);
	assert_int_equal(fit(&d, 3, false, &plain), 0);
	assert_int_equal(fit(&d, 3, true, &inverse), 0);
	assert_true(inverse.max_error < 1e-6);
	assert_true(plain.max_error > 0.05);
	assert_true(fabs(formula_estimate(&inverse, x) / y[0] - 1) < 1e-6);
}

static void test_fit_bend(void **state)
{
	struct data d = { ROWS, 2, x, y };
	struct formula f;
	int i;

	make_metrics();
	for (i = 0; i < ROWS; i++)
		y[i] = 2 - (x[2 * i + 1] > 50 ? 0.01 * (x[2 * i + 1] - 50) : 0);
	assert_int_equal(fit(&d, 8, false, &f), 0);
	assert_true(f.correlation > 0.999);
	assert_true(f.max_error < 0.01);
}

/* Noise adds no term: a metric that has no effect is not in the formula. */
static void test_fit_noise(void **state)
{
	static double wide[ROWS * 10], noise[ROWS];
	struct data d = { ROWS, 10, wide, noise };
	unsigned int i, random = 7;
	struct formula f;

	for (i = 0; i < ROWS * 10; i++) {
		random = random * 1103515245 + 12345;
		wide[i] = (random >> 16) % 1000;
		if (i < ROWS)
			noise[i] = 1 + (random >> 20) % 100 * 0.01;
	}
	assert_int_equal(fit(&d, 12, false, &f), 0);
	assert_in_range(f.nr_terms, 0, 3);
	assert_true(f.cv_correlation < 0.4);
	d.nr_rows = 19;
	assert_int_equal(fit(&d, 2, false, &f), -1);
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
			{ .metric = 1, .a = 0.000000000001 }, { .metric = 1, .bend = true, .at = 2.25, .a = -3 } } },
		{ .constant = 2, .nr_terms = 0 },
	};
	double truth[] = { 1.2, 2 };
	struct training t = { .nr_rows = 2, .truth = truth };
	struct shape *s = shape(good_shape);
	char *out;
	size_t size;
	FILE *to = open_memstream(&out, &size);

	write_model(to, s, f, &t, 1);
	fclose(to);
	assert_non_null(strstr(out, "\nestimated_sf.model=test\n"));
	assert_non_null(strstr(out, "\nestimated_sf.P.metric.m=1000*m/instr\n"));
	assert_null(strstr(out, "metric.ipc"));
	assert_null(strstr(out, "E.metric"));
	assert_non_null(strstr(out, "\nestimated_sf.P.range=1.14,2.1\n"));
	assert_non_null(strstr(out, "\nestimated_sf.P.inverse=-0.5+0.000000000001*m-3*above(m,2.25)\n"));
	assert_non_null(strstr(out, "\nestimated_sf.E.estimate=2\n"));
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
		cmocka_unit_test(test_fit_noise),
		cmocka_unit_test(test_training),
		cmocka_unit_test(test_write),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
