// SPDX-License-Identifier: GPL-2.0
/*
 * Cutting text, numbers and choices.
 */
#include "core/words.h"
#include "unit.h"

static void pieces_are_cut_and_empty_ones_kept(void **state)
{
	static const char *const want[] = { "", "a", "", "bc", "" };
	struct pmc_span piece, rest = { ",a,,bc,", 7 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_true(pmc_span_cut(&rest, ',', &piece));
		assert_true(pmc_span_is(piece, want[i]));
	}
	assert_false(pmc_span_cut(&rest, ',', &piece));

	rest = (struct pmc_span){ "", 0 };
	assert_true(pmc_span_cut(&rest, ',', &piece));
	assert_int_equal(piece.len, 0);
	assert_false(pmc_span_cut(&rest, ',', &piece));
}

static void white_space_is_trimmed(void **state)
{
	struct pmc_span span = pmc_span_trim((struct pmc_span){ "\t a b\r\n", 7 });

	assert_true(pmc_span_is(span, "a b"));
	assert_int_equal(pmc_span_trim((struct pmc_span){ "  ", 2 }).len, 0);
}

static void a_name_is_the_whole_piece(void **state)
{
	assert_true(pmc_span_is((struct pmc_span){ "abc", 2 }, "ab"));
	assert_false(pmc_span_is((struct pmc_span){ "abc", 2 }, "abc"));
	assert_false(pmc_span_is((struct pmc_span){ "abc", 3 }, "ab"));
	assert_false(pmc_span_is((struct pmc_span){ "abd", 3 }, "abc"));
}

static void numbers(void **state)
{
	static const struct {
		const char *text;
		int ret;
		u64 value;
	} cases[] = {
		{ "0", 0, 0 },
		{ "7", 0, 7 },
		{ "010", 0, 10 },
		{ "0x10", 0, 16 },
		{ "0XaBcDeF", 0, 0xabcdef },
		{ "18446744073709551615", 0, U64_MAX },
		{ "0xffffffffffffffff", 0, U64_MAX },
		{ "0x0000000000000000ff", 0, 0xff },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999", -ERANGE, 0 },
		{ "0x10000000000000000", -ERANGE, 0 },
		{ "99999999999999999999z", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
		{ "0x", -EINVAL, 0 },
		{ "x1", -EINVAL, 0 },
		{ "0xg", -EINVAL, 0 },
		{ "1a", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "1.0", -EINVAL, 0 },
		{ "\xb2", -EINVAL, 0 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		u64 value = 0xdead, want = cases[i].value;
		int ret = pmc_parse_number(cases[i].text, strlen(cases[i].text),
					   &value);

		if (cases[i].ret)
			want = 0xdead;
		if (ret != cases[i].ret || value != want)
			fail_msg("'%s': %d, %#llx", cases[i].text, ret,
				 (unsigned long long)value);
	}
}

static void a_number_ends_where_its_length_says(void **state)
{
	u64 value;

	assert_int_equal(pmc_parse_number("1234", 2, &value), 0);
	assert_int_equal(value, 12);
	assert_int_equal(pmc_parse_number("0x12", 2, &value), -EINVAL);
}

static void names_are_looked_up(void **state)
{
	static const char *const names[] = { NULL, "one", "two" };
	struct pmc_err err;

	assert_int_equal(pmc_name_index(names, 3, "two", 3), 2);
	assert_int_equal(pmc_name_index(names, 3, "tw", 2), -1);
	assert_int_equal(pmc_name_index(names, 3, "", 0), -1);

	assert_int_equal(pmc_err_choice(&err, "digit", "ten", 3, names, 3),
			 -EINVAL);
	assert_string_equal(err.text,
			    "unknown digit 'ten': use one of one, two");
}

static void a_long_list_of_names_is_cut(void **state)
{
	const char *names[64];
	struct pmc_err err;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		names[i] = "abcdefghij";
	pmc_err_choice(&err, "thing", "x", 1, names, ARRAY_SIZE(names));
	check_message(&err, "unknown thing 'x'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_are_cut_and_empty_ones_kept),
		cmocka_unit_test(white_space_is_trimmed),
		cmocka_unit_test(a_name_is_the_whole_piece),
		cmocka_unit_test(numbers),
		cmocka_unit_test(a_number_ends_where_its_length_says),
		cmocka_unit_test(names_are_looked_up),
		cmocka_unit_test(a_long_list_of_names_is_cut),
	};

	return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
