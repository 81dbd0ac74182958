// SPDX-License-Identifier: GPL-2.0
/*
 * Error messages are bounded and printable, and contain no old contents of memory.
 */
#include "unit.h"

static void returns_the_code_and_keeps_the_text(void **state)
{
	struct pmc_err err;

	memset(&err, 0xaa, sizeof(err));
	assert_int_equal(pmc_err(&err, -EBUSY, "%s %d", "busy", 3), -EBUSY);
	assert_string_equal(err.text, "busy 3");
	check_message(&err, "busy 3");
}

static void message_buffer_is_optional(void **state)
{
	assert_int_equal(pmc_err(NULL, -ENOMEM, "no memory"), -ENOMEM);
}

static void long_text_is_shortened(void **state)
{
	char text[2 * PMC_ERROR_LEN];
	struct pmc_err err;

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	memset(&err, 0xaa, sizeof(err));
	pmc_err(&err, -EINVAL, "%s", text);
	assert_int_equal(strnlen(err.text, sizeof(err.text)),
			 PMC_ERROR_LEN - 1);
}

static void control_characters_are_replaced(void **state)
{
	struct pmc_err err;

	pmc_err(&err, -EINVAL, "a\nb\x1b[2Jc\x7f\xff.");
	assert_string_equal(err.text, "a?b?[2Jc??.");
}

static void clear_forgets_all(void **state)
{
	static const struct pmc_err zero;
	struct pmc_err err;

	memset(&err, 0xaa, sizeof(err));
	pmc_err_clear(&err);
	assert_memory_equal(&err, &zero, sizeof(err));
}

static void words_are_quoted(void **state)
{
	struct pmc_quoted q;

	assert_string_equal(pmc_quote(&q, "pmc0", 4), "'pmc0'");
	assert_string_equal(pmc_quote(&q, "", 0), "''");
	assert_string_equal(pmc_quote(&q, "a\tb\0c", 5), "'a?b?c'");
	assert_string_equal(pmc_quote(&q, "abcdefghijklmnopqrstuvwxyz012345", 32),
			    "'abcdefghijklmnopqrstuvwxyz012345'");
	assert_string_equal(pmc_quote(&q, "abcdefghijklmnopqrstuvwxyz0123456", 33),
			    "'abcdefghijklmnopqrstuvwxyz012345...'");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(returns_the_code_and_keeps_the_text),
		cmocka_unit_test(message_buffer_is_optional),
		cmocka_unit_test(long_text_is_shortened),
		cmocka_unit_test(control_characters_are_replaced),
		cmocka_unit_test(clear_forgets_all),
		cmocka_unit_test(words_are_quoted),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
