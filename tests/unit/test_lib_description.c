// SPDX-License-Identifier: GPL-2.0
/* The names of a session's counts, as its listeners are sent them. */
#include "format_description.h"
#include "lib.h"

static void has(const char *description, int core_type, int set, const char *expected)
{
	size_t len = 0;
	const char *names = pmc_description_names(description, core_type, set, &len);

	if (!expected) {
		assert_null(names);
		return;
	}
	assert_non_null(names);
	assert_int_equal(len, strlen(expected));
	assert_memory_equal(names, expected, len);
}

static void test_printed(void **state)
{
	pmc_machine_t *m = open_machine("biglittle");
	pmc_config_t *config = pmc_config_new(m);
	char *text;

	assert_int_equal(pmc_config_add(config, "instr,cycles", PMC_EVERY_CORE_TYPE, 0), 0);
	assert_int_equal(pmc_config_add(config, "branches", 1, 0), 0);
	text = description_print(config, 2);
	assert_string_equal(text, "0.0=instr,cycles 1.0=instr,cycles 1.1=branches");
	has(text, 0, 0, "instr,cycles");
	has(text, 1, 1, "branches");
	has(text, 0, 1, NULL);
	has(text, -1, 0, NULL);
	free(text);
	pmc_config_free(config);
	pmc_machine_close(m);
}

/* A description that the kernel module would refuse becomes an empty one. */
static void test_too_long(void **state)
{
	pmc_machine_t *m = open_machine("biglittle");
	pmc_config_t *config = pmc_config_new(m);
	char *text;
	int i;

	for (i = 0; i < 100; i++)
		assert_int_equal(pmc_config_add(config, "instr,cycles", 0, 0), 0);
	text = description_print(config, 2);
	assert_string_equal(text, "");
	free(text);
	pmc_config_free(config);
	pmc_machine_close(m);
}

/* A description is any text of another user's. */
static void test_foreign(void **state)
{
	has("", 0, 0, NULL);
	has("   ", 0, 0, NULL);
	has("0.0", 0, 0, NULL);
	has("0.0=", 0, 0, "");
	has(" 0.0=a  virtual=b,c ", -1, 0, "b,c");
	has("10.0=a 0.0=b", 0, 0, "b");
	has("x=0.0=a", 0, 0, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_printed),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
