// SPDX-License-Identifier: GPL-2.0
/*
 * Tokens, numbers and choices.
 */
#include "base/tokenize.h"
#include "unit.h"

static void tokens_are_found_and_empty_ones_kept(void **state)
{
	static const char *const want[] = { "", "a", "", "bc", "" };
	struct pmc_tok tok, rest = { ",a,,bc,", 7 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(want); i++) {
		assert_true(pmc_tok_next(&rest, ',', &tok));
		assert_true(pmc_tok_is(tok, want[i]));
	}
	assert_false(pmc_tok_next(&rest, ',', &tok));

	rest = (struct pmc_tok){ "", 0 };
	assert_true(pmc_tok_next(&rest, ',', &tok));
	assert_int_equal(tok.len, 0);
	assert_false(pmc_tok_next(&rest, ',', &tok));
}

static void white_space_is_trimmed(void **state)
{
	struct pmc_tok tok = pmc_tok_trim((struct pmc_tok){ "\t a b\r\n", 7 });

	assert_true(pmc_tok_is(tok, "a b"));
	assert_int_equal(pmc_tok_trim((struct pmc_tok){ "  ", 2 }).len, 0);
}

static void a_name_is_the_whole_token(void **state)
{
	assert_true(pmc_tok_is((struct pmc_tok){ "abc", 2 }, "ab"));
	assert_false(pmc_tok_is((struct pmc_tok){ "abc", 2 }, "abc"));
	assert_false(pmc_tok_is((struct pmc_tok){ "abc", 3 }, "ab"));
	assert_false(pmc_tok_is((struct pmc_tok){ "abd", 3 }, "abc"));
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

static void a_long_list_of_names_is_shortened(void **state)
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
		cmocka_unit_test(tokens_are_found_and_empty_ones_kept),
		cmocka_unit_test(white_space_is_trimmed),
		cmocka_unit_test(a_name_is_the_whole_token),
		cmocka_unit_test(numbers),
		cmocka_unit_test(a_number_ends_where_its_length_says),
		cmocka_unit_test(names_are_looked_up),
		cmocka_unit_test(a_long_list_of_names_is_shortened),
	};

	return cmocka_run_group_tests_name("token", tests, NULL, NULL);
}
