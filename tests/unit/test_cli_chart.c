// SPDX-License-Identifier: GPL-2.0
/* Charts in characters. */
#include <math.h>

#include "lib.h"
#include "text_chart.h"

/* Characters, not bytes, of a UTF-8 text. */
static int columns(const char *text, size_t len)
{
	int n = 0;

	while (len--)
		n += (*text++ & 0xc0) != 0x80;
	return n;
}

static char *drawn(const struct chart *chart)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	chart_draw(chart, f);
	fclose(f);
	return text;
}

static void test_fits(void **state)
{
	struct chart chart = { .title = "instructions per cycle, core type 0 (big)", .seconds = 3.25 };
	char *text, *line, *end;
	int i, utf8, lines;

	for (i = 0; i < CHART_WIDTH; i++)
		chart.values[i] = i % 7 ? 1e12 / (i + 1) : NAN;
	for (utf8 = 0; utf8 < 2; utf8++) {
		chart.utf8 = utf8;
		text = drawn(&chart);
		lines = 0;
		for (line = text; (end = strchr(line, '\n')); line = end + 1) {
			assert_in_range(columns(line, end - line), 1, 80);
			lines++;
		}
		assert_int_equal(lines, CHART_HEIGHT + 3);
		for (i = 0; !utf8 && text[i]; i++)
			assert_true(text[i] == '\n' || (text[i] >= ' ' && text[i] < 127));
		free(text);
	}
}

static void test_shape(void **state)
{
	struct chart chart = { .title = "x", .seconds = 1 };
	char *text, *row;
	int i;

	for (i = 0; i < CHART_WIDTH; i++)
		chart.values[i] = i < 10 ? 4 : i < 20 ? 2 : i < 30 ? 0.001 : i < 40 ? 0 : NAN;
	text = drawn(&chart);
	row = strchr(text, '\n') + 1;
	assert_memory_equal(row, "   4.00 +########## ", 20);
	row = strchr(row, '\n') + 1;
	row = strchr(row, '\n') + 1;
	assert_memory_equal(row, "        |#################### ", 30);
	/* The smallest value above 0 is visible; 0 is not. */
	row = strchr(row, '\n') + 1;
	assert_memory_equal(row, "        |####################..........          ", 49);
	free(text);
}

static void test_numbers(void **state)
{
	static const struct {
		double value;
		const char *text;
	} numbers[] = {
		{ 0, "0.00" }, { 0.00012, "1e-04" }, { 0.01, "0.01" }, { 1.234, "1.23" }, { 9.999, "10.0" }, { 12.34, "12.3" },
		{ 99.96, "100" }, { -0.001, "-1e-03" }, { -1.5, "-1.50" }, { -99.96, "-100" }, { -1.5e6, "-1.50M" },
		{ 999.4, "999" }, { 999.9, "1.00k" }, { 1.5e6, "1.50M" },
		{ 2.5e9, "2.50G" }, { 123e12, "123T" },
	};
	char buf[16];
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		chart_number(buf, sizeof(buf), numbers[i].value);
		assert_string_equal(buf, numbers[i].text);
	}
	assert_true(chart_round_up(0) == 1);
	assert_true(chart_round_up(1) == 1);
	assert_true(chart_round_up(7) == 8);
	assert_true(chart_round_up(9.5e6) == 1e7);
	assert_true(chart_round_up(0.013) > 0.0149 && chart_round_up(0.013) < 0.0151);
}

static void test_locale(void **state)
{
	unsetenv("LC_ALL");
	unsetenv("LC_CTYPE");
	setenv("LANG", "de_DE.UTF-8", 1);
	assert_int_equal(chart_utf8(), 1);
	setenv("LC_ALL", "C", 1);
	assert_int_equal(chart_utf8(), 0);
	/* An empty variable is as good as none. */
	setenv("LC_ALL", "", 1);
	assert_int_equal(chart_utf8(), 1);
	setenv("LC_ALL", "C.utf8", 1);
	assert_int_equal(chart_utf8(), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fits),
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_locale),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
