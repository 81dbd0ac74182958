// SPDX-License-Identifier: GPL-2.0
/*
 * PAPI's presets: the reader of event files, good and bad; formulas, against numbers worked out
 * by hand; names and codes. test_papi_preset_rows.c has the tables of presets themselves.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "formula.h"
#include "papi.h"
#include "preset_csv.h"
#include "preset_describe.h"
#include "preset_names.h"

static char error[PRESET_ERROR_SIZE];

static const char *const golden[] = { "alderlake-cpu_core", "adl_glc", NULL };
static const char *const zen[] = { "amdzen4", NULL };

/* The text's definitions, of which @wrong lines are wrong, the first with @what in its error. */
static void parse(struct preset_table *table, const char *text, int for_all, int wrong,
		  const char *what)
{
	int rc = preset_table_parse(table, text, strlen(text), "file.csv", for_all, error);

	if (rc != wrong || !strstr(error, what) || strchr(error, '\n'))
		fail_msg("%d wrong lines: '%s'; expected %d, '%s'", rc, error, wrong, what);
}

static const struct preset_def *find(const struct preset_table *table, const char *const *cpus,
				     const char *name)
{
	const struct preset_def *def = preset_table_find(table, cpus, name);

	if (!def)
		fail_msg("%s is not there", name);
	return def;
}

/* ---------------------------------------------------------------- the reader */

static void test_lines(void **state)
{
	struct preset_table t = { 0 };
	const struct preset_def *def;

	parse(&t, "# a comment\n"
		  "\n"
		  "  CPU , adl_glc \r\n"
		  "CPU,skx,33\n"
		  "PRESET,PAPI_TOT_CYC,NOT_DERIVED, CPU_CLK_UNHALTED:THREAD_P ,\n"
		  "preset,PAPI_FP_OPS,derived_postfix,N0|N1|4|*|+|,A:B,C.D,NOTE,\"one, two\"\n"
		  "\t EVENT,my_event,DERIVED_SUB,A,B,C,SDESC,'short',LDESC,(long one)\n"
		  "CPU,amdzen4\n"
		  "PRESET,PAPI_TOT_CYC,DERIVED_ADD,X,Y", 0, 0, "");

	def = find(&t, golden, "papi_tot_cyc");
	assert_string_equal(def->name, "PAPI_TOT_CYC");
	assert_int_equal(def->kind, PRESET_NOT_DERIVED);
	assert_int_equal(def->nr_terms, 1);
	assert_string_equal(def->terms[0], "CPU_CLK_UNHALTED:THREAD_P");
	assert_null(def->postfix);
	assert_null(def->note);
	assert_int_equal(def->line, 5);

	def = find(&t, golden, "PAPI_FP_OPS");
	assert_int_equal(def->kind, PRESET_POSTFIX);
	assert_string_equal(def->postfix, "N0|N1|4|*|+|");
	assert_int_equal(def->nr_terms, 2);
	assert_string_equal(def->terms[1], "C.D");
	assert_string_equal(def->note, "one, two");

	def = find(&t, golden, "MY_EVENT");
	assert_int_equal(def->kind, PRESET_SUB);
	assert_int_equal(def->nr_terms, 3);
	assert_string_equal(def->short_descr, "short");
	assert_string_equal(def->long_descr, "long one");

	def = find(&t, zen, "PAPI_TOT_CYC");
	assert_int_equal(def->kind, PRESET_ADD);
	assert_string_equal(def->terms[1], "Y");
	assert_null(preset_table_find(&t, zen, "PAPI_FP_OPS"));
	assert_null(preset_table_find(&t, (const char *[]){ "skl", NULL }, "PAPI_TOT_CYC"));
	assert_non_null(preset_table_find(&t, (const char *[]){ "SKX", NULL }, "PAPI_TOT_CYC"));
	preset_table_clear(&t);
	assert_null(preset_table_find(&t, zen, "PAPI_TOT_CYC"));
}

static int list(void *arg, const struct preset_def *def)
{
	strcat(arg, def->name);
	strcat(arg, def->terms[0]);
	strcat(arg, " ");
	return 0;
}

static int stop(void *arg, const struct preset_def *def)
{
	return ++*(int *)arg == 2 ? 7 : 0;
}

/* A model may have several blocks, and a later definition replaces an earlier one. */
static void test_several(void **state)
{
	char names[256] = "";
	struct preset_table t = { 0 };
	int n = 0;

	parse(&t, "CPU,amdzen4\nPRESET,P,NOT_DERIVED,1\nPRESET,Q,NOT_DERIVED,2\n"
		  "CPU,other\nPRESET,P,NOT_DERIVED,3\n"
		  "CPU,other2\nCPU,amdzen4\nPRESET,p,NOT_DERIVED,4\nPRESET,R,NOT_DERIVED,5\n", 0, 0, "");
	parse(&t, "EVENT,everywhere,NOT_DERIVED,6\nCPU,amdzen4\nEVENT,Q,NOT_DERIVED,7\n", 1, 0, "");
	assert_int_equal(preset_table_each(&t, zen, list, names), 0);
	assert_string_equal(names, "p4 Q7 R5 everywhere6 ");
	assert_int_equal(preset_table_each(&t, zen, stop, &n), 7);
	assert_int_equal(n, 2);
	*names = '\0';
	preset_table_each(&t, golden, list, names);
	assert_string_equal(names, "everywhere6 ");
	preset_table_clear(&t);
}

/* A block for all other models */
static void test_others(void **state)
{
	char names[256] = "";
	struct preset_table t = { 0 };

	parse(&t, "CPU,*\nPRESET,P,NOT_DERIVED,1\nPRESET,Q,NOT_DERIVED,2\n"
		  "CPU,amdzen4\nPRESET,P,NOT_DERIVED,3\n", 0, 0, "");
	preset_table_each(&t, golden, list, names);
	assert_string_equal(names, "P1 Q2 ");
	*names = '\0';
	preset_table_each(&t, zen, list, names);
	assert_string_equal(names, "P3 ");
	preset_table_clear(&t);
}

/* A line that is wrong is left out; what follows counts. */
static void test_wrong_lines(void **state)
{
	static const struct {
		const char *line;
		const char *what;
	} cases[] = {
		{ "PRESET", "file.csv:2: the name of an event is missing" },
		{ "PRESET,,NOT_DERIVED,A", "the name of an event is missing" },
		{ "PRESET,P", "P: '' is no kind" },
		{ "PRESET,P,DERIVED_SUM,A", "P: 'DERIVED_SUM' is no kind" },
		{ "PRESET,P,NOT_DERIVED", "P: no events" },
		{ "PRESET,P,NOT_DERIVED,NOTE,x", "P: no events" },
		{ "PRESET,P,NOT_DERIVED,A,B", "'B' is the second" },
		{ "PRESET,P,DERIVED_PS,A", "too few events" },
		{ "PRESET,P,DERIVED_ADD_PS,A", "needs 2 at least" },
		{ "PRESET,P,DERIVED_POSTFIX", "a formula has to follow DERIVED_POSTFIX" },
		{ "PRESET,P,DERIVED_POSTFIX,,A", "a formula has to follow" },
		{ "PRESET,P,DERIVED_POSTFIX,N0|N1|+|,A", "fewer events" },
		{ "PRESET,P,DERIVED_POSTFIX,N99999999999999999999,A", "fewer events" },
		{ "PRESET,P,DERIVED_POSTFIX,N0|+|,A", "an operator lacks" },
		{ "PRESET,P,DERIVED_POSTFIX,N0|N1|,A,B", "left over" },
		{ "PRESET,P,DERIVED_POSTFIX,||,A", "it is empty" },
		{ "PRESET,P,DERIVED_POSTFIX,N0|N1|%|,A,B", "a formula has" },
		{ "PRESET,P,DERIVED_POSTFIX,N|,A", "a formula has" },
		{ "PRESET,P,DERIVED_INFIX,N0+,A", "last operand is missing" },
		{ "PRESET,P,NOT_DERIVED,A,NOTE", "its text is missing" },
		{ "PRESET,P,NOT_DERIVED,A,NOTE,x,y", "'y' is none of NOTE" },
		{ "PRESET,P,DERIVED_ADD,1,2,3,4,5,6,7,8,9,10,11,12,13", "'13' is the event number 13" },
		{ "CORE,amdzen4", "not with 'CORE'" },
		{ "\x01\xff\xfe", "a line begins with" },
	};
	struct preset_table t = { 0 };
	char text[512];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "CPU,amdzen4\n%s\nPRESET,AFTER,NOT_DERIVED,A\n",
			 cases[i].line);
		parse(&t, text, 0, 1, cases[i].what);
		assert_null(preset_table_find(&t, zen, "P"));
		find(&t, zen, "AFTER");
		preset_table_clear(&t);
	}
}

/* Lines of a CPU that is not known are no other CPU's. */
static void test_wrong_cpu(void **state)
{
	struct preset_table t = { 0 };

	parse(&t, "PRESET,P,NOT_DERIVED,A\n", 0, 1, "file.csv:1: there is no CPU line above");
	parse(&t, "CPU,amdzen4\nPRESET,P,NOT_DERIVED,A\nCPU,\nPRESET,Q,NOT_DERIVED,A\n", 0, 1,
	      "file.csv:3: the name of a CPU");
	find(&t, zen, "P");
	assert_null(preset_table_find(&t, zen, "Q"));
	parse(&t, "CPU,adl_glc\nPRESET,R,NONE,A\nCPU,amdzen4\nPRESET,S,NOT_DERIVED,A\n", 0, 1, "NONE");
	assert_null(preset_table_find(&t, golden, "S"));
	find(&t, zen, "S");
	preset_table_clear(&t);
}

/* Other components' presets are neither read nor wrong. */
static void test_components(void **state)
{
	struct preset_table t = { 0 };

	parse(&t, "CPU,amdzen4\nPRESET,P,NOT_DERIVED,A\ncuda,GA100\nPRESET,Q,NOT_DERIVED,A\n"
		  "CPU,adl_glc\nPRESET,R,NOT_DERIVED,A\n", 0, 0, "");
	assert_null(preset_table_find(&t, zen, "Q"));
	assert_null(preset_table_find(&t, golden, "P"));
	find(&t, golden, "R");
	preset_table_clear(&t);
}

static char *repeat(const char *head, const char *part, int times, const char *tail)
{
	char *text = malloc(strlen(head) + times * strlen(part) + strlen(tail) + 1);
	char *end = stpcpy(text, head);

	while (times--)
		end = stpcpy(end, part);
	strcpy(end, tail);
	return text;
}

static void test_limits(void **state)
{
	static const char zero[] = "CPU,amdzen4\nPRESET,P,NOT_\0DERIVED,A\nPRESET,Q,NOT_DERIVED,A\n";
	struct preset_table t = { 0 };
	char *text;

	assert_int_equal(preset_table_parse(&t, zero, sizeof(zero) - 1, "zero", 0, error), 1);
	assert_non_null(strstr(error, "zero:2: the line is not text"));
	find(&t, zen, "Q");
	assert_int_equal(preset_table_parse(&t, "", 0, "empty", 0, error), 0);

	text = repeat("CPU,amdzen4\nPRESET,", "x", 200, ",NOT_DERIVED,A\n");
	parse(&t, text, 0, 1, "missing or too long");
	free(text);
	text = repeat("CPU,amdzen4\nPRESET,P,NOT_DERIVED,", "x", 1024, "\n");
	parse(&t, text, 0, 1, "more than 1023 characters");
	free(text);
	text = repeat("CPU,amdzen4\nPRESET,P,NOT_DERIVED,A,NOTE,", "x", 9000, "\n");
	parse(&t, text, 0, 1, "more than 8191 characters");
	free(text);
	text = repeat("CPU,amdzen4\nPRESET,P,DERIVED_POSTFIX,", "N0|", 100, ",A\n");
	parse(&t, text, 0, 1, "more than 255 characters");
	free(text);
	text = repeat("CPU,amdzen4\nPRESET,P,DERIVED_POSTFIX,", "N0|", 40, ",A\n");
	parse(&t, text, 0, 1, "too many operands");
	free(text);
	text = repeat("CPU,amdzen4\nPRESET,P,NOT_DERIVED,A,NOTE,", "x", 3000, "\n");
	parse(&t, text, 0, 0, "");
	assert_int_equal(strlen(find(&t, zen, "P")->note), PRESET_TEXT_SIZE - 1);
	free(text);
	text = repeat("CPU,amdzen4\n", "PRESET,P,NOT_DERIVED,A\n", 20001, "");
	assert_true(preset_table_parse(&t, text, strlen(text), "long", 0, error) > 0);
	assert_non_null(strstr(error, "long:20001: 20000 lines are the limit"));
	free(text);
	preset_table_clear(&t);
}

/* Any bytes: nothing is read or written that is not there (the sanitizers look). */
static void test_any_bytes(void **state)
{
	static const char words[][16] = {
		"CPU,", "PRESET,", "EVENT,", "P,", "NOT_DERIVED,", "DERIVED_POSTFIX,", "DERIVED_INFIX,",
		"N0", "|", "+", "*", "(", ")", "#", "NOTE,", "\"", "'", "\n", ",", " ", "12", "\xff", "\r\n",
	};
	unsigned int seed = 1, i, k, n;
	struct preset_table t = { 0 };
	char text[512];

	for (i = 0; i < 3000; i++) {
		for (n = 0, k = 0; k < 30; k++) {
			seed = seed * 1103515245 + 12345;
			n += sprintf(text + n, "%s", words[(seed >> 16) % (sizeof(words) / sizeof(words[0]))]);
		}
		assert_true(preset_table_parse(&t, text, n, "any", i & 1, error) >= 0);
		preset_table_clear(&t);
	}
}

/* ---------------------------------------------------------------- files */

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void test_files(void **state)
{
	char top[] = "/tmp/pmctrack-presets.XXXXXX", path[64], user[64], csv[64];
	struct preset_table t = { 0 };

	assert_non_null(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/a.csv", top);
	snprintf(csv, sizeof(csv), "%s/mine", top);
	snprintf(user, sizeof(user), "%s/user", top);
	write_file(path, "CPU,amdzen4\nPRESET,P,NOT_DERIVED,A\nPRESET,Q,WRONG,A\n");
	write_file(csv, "CPU,amdzen4\nPRESET,P,NOT_DERIVED,B\n");
	write_file(user, "EVENT,U,DERIVED_POSTFIX,N0|N1|/|,P,A\n");

	unsetenv("PAPI_CSV_EVENT_FILE");
	unsetenv("PAPI_USER_EVENTS_FILE");
	assert_int_equal(preset_table_presets(&t, top, error), 1);
	assert_non_null(strstr(error, "a.csv:3: Q: 'WRONG'"));
	assert_string_equal(find(&t, zen, "P")->terms[0], "A");
	assert_int_equal(preset_table_user_events(&t, error), 0);
	preset_table_clear(&t);

	setenv("PAPI_CSV_EVENT_FILE", csv, 1);
	setenv("PAPI_USER_EVENTS_FILE", user, 1);
	assert_int_equal(preset_table_presets(&t, top, error), 0);
	assert_int_equal(preset_table_user_events(&t, error), 0);
	assert_string_equal(find(&t, zen, "P")->terms[0], "B");
	assert_string_equal(find(&t, golden, "U")->terms[1], "A");
	preset_table_clear(&t);

	setenv("PAPI_CSV_EVENT_FILE", "/nowhere/presets.csv", 1);
	assert_int_equal(preset_table_presets(&t, top, error), -1);
	assert_string_equal(error, "/nowhere/presets.csv: No such file or directory");
	setenv("PAPI_CSV_EVENT_FILE", top, 1);
	assert_int_equal(preset_table_presets(&t, top, error), -1);
	assert_non_null(strstr(error, "this is no file"));
	unsetenv("PAPI_CSV_EVENT_FILE");
	unsetenv("PAPI_USER_EVENTS_FILE");
	assert_int_equal(preset_table_presets(&t, "/nowhere", error), 0);
	preset_table_clear(&t);

	unlink(path);
	unlink(csv);
	unlink(user);
	rmdir(top);
}

/* ---------------------------------------------------------------- formulas */

#define HZ 2000000000ULL

static struct preset_def def_of(enum preset_kind kind, const char *postfix, int nr, char **terms)
{
	return (struct preset_def){ .name = "P", .kind = kind, .postfix = (char *)postfix,
				    .nr_terms = nr, .terms = terms };
}

static int64_t value(enum preset_kind kind, const char *postfix, int nr, const int64_t *counts)
{
	char *terms[] = { "a", "b", "c", "d" };
	struct preset_def def = def_of(kind, postfix, nr, terms);
	struct formula *f = formula_compile(&def, HZ, NULL, NULL, error);
	int64_t result;

	if (!f)
		fail_msg("%s", error);
	assert_int_equal(formula_nr_terms(f), nr);
	assert_string_equal(formula_term(f, nr - 1), terms[nr - 1]);
	result = formula_value(f, counts);
	formula_free(f);
	return result;
}

#define VALUE(kind, postfix, ...) \
	value(kind, postfix, sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), \
	      (int64_t[]){ __VA_ARGS__ })

static void test_kinds(void **state)
{
	assert_int_equal(VALUE(PRESET_NOT_DERIVED, NULL, 5), 5);
	assert_int_equal(VALUE(PRESET_ADD, NULL, 5, 6, 7), 18);
	assert_int_equal(VALUE(PRESET_SUB, NULL, 5, 6, 7), -8);
	assert_int_equal(VALUE(PRESET_SUB, NULL, 9), 9);
	assert_int_equal(VALUE(PRESET_CMPD, NULL, 5, 6), 5);
	/* 3000 in 1000 cycles at 2 GHz: 6 G a second */
	assert_int_equal(VALUE(PRESET_PS, NULL, 1000, 3000), 6000000000);
	assert_int_equal(VALUE(PRESET_PS, NULL, 0, 3000), 0);
	/* (3000 + 4000 + 1) * 2e9 / 3000 = 4667333333.3 */
	assert_int_equal(VALUE(PRESET_ADD_PS, NULL, 3000, 3000, 4000, 1), 4667333333);
}

static void test_postfix(void **state)
{
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|4|*|+|N2|8|*|+|", 1, 10, 100), 841);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|-|N2|-|", 10, 3, 2), 5);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0N1-", 10, 3), 7);
	assert_int_equal(VALUE(PRESET_POSTFIX, " N0 | 100 * | N1 / |", 1, 3), 33);
	/* 2/3 and then times 300: the fraction is dropped at the end only. */
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|/|300|*|", 2, 3), 200);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|/|", -7, 2), -3);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|/|", 7, -1), -7);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|/|", 7, 0), 0);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|/|2|*|", 7, 0), 0);
	assert_int_equal(VALUE(PRESET_POSTFIX, "#|1000000|/|N0|*|", 3), 6000);
	assert_int_equal(VALUE(PRESET_POSTFIX, "7", 3), 7);
}

/* Counts of more than 53 bits, which a double does not hold */
static void test_exact(void **state)
{
	const int64_t big = 0x7ffffffffffffffe;

	assert_int_equal(VALUE(PRESET_ADD, NULL, big, 1), INT64_MAX);
	assert_int_equal(VALUE(PRESET_ADD, NULL, big, big), INT64_MAX);
	assert_int_equal(VALUE(PRESET_ADD, NULL, big, big, -big), big);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N1|*|N1|/|", big, 1000003), big);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|3|*|N1|/|", big, 2), INT64_MAX);
	/* (2^63 - 2) * 3 / 4, 6917529027641081854.5 */
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|3|*|N1|/|", big, 4), 6917529027641081854);
	assert_int_equal(VALUE(PRESET_POSTFIX, "N0|N0|*|N0|*|0|N0|-|*|", big), INT64_MIN);
	assert_int_equal(VALUE(PRESET_SUB, NULL, INT64_MIN, 1), INT64_MIN);
	assert_int_equal(VALUE(PRESET_POSTFIX, "99999999999999999999999", 1), INT64_MAX);
}

struct named {
	const struct preset_def *defs;
	int nr;
};

static const struct preset_def *find_named(void *arg, const char *name)
{
	const struct named *named = arg;
	int i;

	for (i = 0; i < named->nr; i++)
		if (!strcmp(named->defs[i].name, name))
			return &named->defs[i];
	return NULL;
}

/* Events of events: (a + b) / (a + b + c), in percent */
static void test_nested(void **state)
{
	char *miss[] = { "a", "b" }, *all[] = { "MISS", "c" }, *rate[] = { "MISS", "ALL" };
	struct preset_def defs[] = {
		{ .name = "MISS", .kind = PRESET_ADD, .nr_terms = 2, .terms = miss },
		{ .name = "ALL", .kind = PRESET_ADD, .nr_terms = 2, .terms = all },
		{ .name = "RATE", .kind = PRESET_POSTFIX, .postfix = "N0|100|*|N1|/|",
		  .nr_terms = 2, .terms = rate },
	};
	struct named named = { defs, 3 };
	struct formula *f = formula_compile(&defs[2], HZ, find_named, &named, error);
	char text[64];

	assert_non_null(f);
	assert_int_equal(formula_nr_terms(f), 3);
	assert_string_equal(formula_term(f, 2), "c");
	assert_int_equal(formula_value(f, (int64_t[]){ 10, 20, 90 }), 25);
	formula_print(f, text, sizeof(text));
	assert_string_equal(text, "N0|N1|+|100|*|N0|N1|+|N2|+|/|");
	assert_int_equal(formula_print(f, text, 5), 29);
	assert_string_equal(text, "N0|N");
	formula_free(f);

	/* With nothing to look up, the operands are the terms as they are written. */
	f = formula_compile(&defs[2], HZ, NULL, NULL, error);
	assert_int_equal(formula_nr_terms(f), 2);
	assert_int_equal(formula_value(f, (int64_t[]){ 30, 120 }), 25);
	formula_free(f);
}

static void test_loops(void **state)
{
	char *self[] = { "SELF" }, *b[] = { "B" }, *a[] = { "A" };
	char *many[12] = { "L1", "L1", "L1", "L1", "L1", "L1", "L1", "L1", "L1", "L1", "L1", "L1" };
	char *more[12] = { "L2", "L2", "L2", "L2", "L2", "L2", "L2", "L2", "L2", "L2", "L2", "L2" };
	char *x[] = { "x" };
	struct preset_def defs[] = {
		{ .name = "SELF", .kind = PRESET_NOT_DERIVED, .nr_terms = 1, .terms = self },
		{ .name = "A", .kind = PRESET_NOT_DERIVED, .nr_terms = 1, .terms = b },
		{ .name = "B", .kind = PRESET_NOT_DERIVED, .nr_terms = 1, .terms = a },
		{ .name = "L1", .kind = PRESET_ADD, .nr_terms = 12, .terms = more },
		{ .name = "L2", .kind = PRESET_NOT_DERIVED, .nr_terms = 1, .terms = x },
		{ .name = "L0", .kind = PRESET_ADD, .nr_terms = 12, .terms = many },
		{ .name = "NONE", .kind = PRESET_ADD, .nr_terms = 0 },
	};
	struct named named = { defs, 7 };
	struct formula *f = formula_compile(&defs[0], HZ, find_named, &named, error);

	/* A definition of its own name stands for the native event. */
	assert_non_null(f);
	assert_string_equal(formula_term(f, 0), "SELF");
	formula_free(f);
	assert_null(formula_compile(&defs[1], HZ, find_named, &named, error));
	assert_non_null(strstr(error, "is defined by itself"));
	f = formula_compile(&defs[5], HZ, find_named, &named, error);
	assert_non_null(f);
	assert_int_equal(formula_value(f, (int64_t[]){ 2 }), 288);
	formula_free(f);
	assert_null(formula_compile(&defs[6], HZ, find_named, &named, error));
	assert_non_null(strstr(error, "NONE has too few events"));
}

static void test_infix(void **state)
{
	static const struct {
		const char *infix;
		const char *postfix;
	} good[] = {
		{ "N0", "N0|" },
		{ "N0+N1*2", "N0|N1|2|*|+|" },
		{ "(N0 + N1) * 2 / #", "N0|N1|+|2|*|#|/|" },
		{ "N0-N1-N2", "N0|N1|-|N2|-|" },
		{ "N0/(N1-(N2+3))", "N0|N1|N2|3|+|-|/|" },
		{ "N0*N1+N2*N3", "N0|N1|*|N2|N3|*|+|" },
	}, bad[] = {
		{ "", "last operand" }, { "N0+", "last operand" }, { "+N0", "missing before" },
		{ "N0 N1", "an operator" }, { "(N0", "has no )" }, { "N0)", "has no (" },
		{ "()", "missing before" }, { "N0%N1", "an operator" }, { "N0|N1", "an operator" },
		{ "-N0", "missing before" }, { "N0.5", "an operator" }, { "N", "missing before" },
		{ "((((((((((((((((((((((((((((((((((", "too many" },
	};
	char out[64];
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_null(formula_from_infix(good[i].infix, out, sizeof(out)));
		assert_string_equal(out, good[i].postfix);
	}
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *what = formula_from_infix(bad[i].infix, out, sizeof(out));

		if (!what || !strstr(what, bad[i].postfix))
			fail_msg("'%s': %s", bad[i].infix, what ? what : out);
	}
	assert_non_null(formula_from_infix("N0+N1", out, 8));
	assert_null(formula_from_infix("N0+N1", out, 9));
}

/* ---------------------------------------------------------------- names */

static void test_names(void **state)
{
	int i, k;

	assert_int_equal(nr_preset_names, PAPI_END & PAPI_PRESET_AND_MASK);
	for (i = 0; i < nr_preset_names; i++) {
		const struct preset_name *p = &preset_names[i];

		if (!p->name)
			fail_msg("preset number %d has no name", i);
		assert_int_equal(preset_code_of(p->name), (unsigned int)PAPI_PRESET_MASK | i);
		assert_ptr_equal(preset_name_of(PAPI_PRESET_MASK | i), p);
		assert_true(p->type);
		assert_true(strlen(p->short_descr) < PAPI_MIN_STR_LEN);
		assert_true(strlen(p->long_descr) < PAPI_HUGE_STR_LEN);
		for (k = 0; k < i; k++)
			if (!strcmp(preset_names[k].long_descr, p->long_descr))
				fail_msg("%s and %s: '%s'", preset_names[k].name, p->name, p->long_descr);
	}
	assert_int_equal(preset_code_of("PAPI_TOT_CYC"), (unsigned int)PAPI_TOT_CYC);
	assert_int_equal(preset_code_of("PAPI_NOTHING"), 0);
	assert_null(preset_name_of(PAPI_END));
	assert_null(preset_name_of(PAPI_NATIVE_MASK));
	assert_null(preset_name_of(0));
}

/* An event of two core types: on each of them one native event, or a formula on the second one */
static void describes(struct formula *formula, const char *derived, const char *postfix)
{
	struct papi_part parts[2] = {
		{ .core_type = 0, .nr_terms = 1 },
		{ .core_type = 1, .nr_terms = formula ? 2 : 1, .formula = formula },
	};
	const struct papi_event event = { .nr_parts = 2, .parts = parts };
	PAPI_event_info_t info = { .count = 0 };

	preset_describe_sum(&event, &info);
	assert_string_equal(info.derived, derived);
	assert_string_equal(info.postfix, postfix);
}

static void test_describe(void **state)
{
	char *terms[] = { "A", "B" };
	const struct preset_def def = {
		.name = "P", .kind = PRESET_SUB, .nr_terms = 2, .terms = terms,
	};
	struct formula *formula = formula_compile(&def, 0, NULL, NULL, error);

	assert_non_null(formula);
	describes(NULL, "NOT_DERIVED", "");
	describes(formula, "DERIVED_POSTFIX", "N0|N1|N2|-|+|");
	formula_free(formula);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_others),
		cmocka_unit_test(test_wrong_lines),
		cmocka_unit_test(test_wrong_cpu),
		cmocka_unit_test(test_components),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_any_bytes),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_postfix),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_infix),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_describe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
