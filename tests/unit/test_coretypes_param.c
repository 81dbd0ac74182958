// SPDX-License-Identifier: GPL-2.0
/*
 * The module parameter core_types=.
 */
#include "base/coretypes_param.h"
#include "unit.h"

#define MAX_RANGES 8

struct want {
	unsigned int first, last, type;
	const char *name;
};

static void check(const char *text, const struct want *want, unsigned int nr)
{
	struct pmc_core_range range[MAX_RANGES];
	struct pmc_err err;
	unsigned int i;
	int ret;

	assert_in_range(pmc_core_types_max_ranges(text), nr, MAX_RANGES);
	memset(range, 0xaa, sizeof(range));
	ret = pmc_parse_core_types(text, range, pmc_core_types_max_ranges(text),
				   &err);
	if (ret < 0)
		fail_msg("'%s': %s", text, err.text);
	assert_int_equal(ret, nr);
	for (i = 0; i < nr; i++) {
		assert_int_equal(range[i].first, want[i].first);
		assert_int_equal(range[i].last, want[i].last);
		assert_int_equal(range[i].type, want[i].type);
		assert_string_equal(range[i].name, want[i].name);
	}
}

static void all_the_ways_to_write_it(void **state)
{
	static const struct want big_little[] = {
		{ 0, 1, 0, "big" }, { 2, 3, 1, "little" },
	};
	static const struct want mixed[] = {
		{ 0, 0, 0, "big" }, { 2, 2, 0, "big" },
		{ 1, 1, 1, "little" }, { 3, 5, 1, "little" },
	};
	static const struct want longest[] = { { 0, 0, 0, "a23456789_12-45" } };
	static const struct want far[] = { { 0, INT_MAX, 0, "x" } };

	check("0-1:big,2-3:little", big_little, 2);
	check("0-1:big;2-3:little", big_little, 2);
	check(" 0-1:big,2-3:little\n", big_little, 2);
	check("0+2:big,1+3-5:little", mixed, 4);
	check("0:a23456789_12-45", longest, 1);
	check("0-2147483647:x", far, 1);
}

static void errors(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "", "'' has no name behind a colon: write it as 0-1:big,2-3:little" },
		{ "0-1", "'0-1' has no name behind a colon" },
		{ "0-1:big,", "'' has no name behind a colon" },
		{ "0-1:big,,2:little", "'' has no name behind a colon" },
		{ "0-1:", "'' is not a name of 1 to 15 letters" },
		{ "0-1:abcdefghijklmnop", "'abcdefghijklmnop' is not a name" },
		{ "0-1:Big", "'Big' has more than a-z, 0-9, _ and - in it" },
		{ "0-1:b g", "'b g' has more than" },
		{ "0-1:big:x", "'big:x' has more than" },
		{ "0-1:\xe9t\xe9", "'?t?' has more than" },
		{ "0:big,1:big", "'big' names two core types" },
		{ ":big", "'' is not the number of a CPU" },
		{ "a:big", "'a' is not the number of a CPU" },
		{ "-1:big", "'' is not the number of a CPU" },
		{ "1-:big", "'' is not the number of a CPU" },
		{ "1-2-3:big", "'2-3' is not the number of a CPU" },
		{ "0++1:big", "'' is not the number of a CPU" },
		{ "0 :big", "'0 ' is not the number of a CPU" },
		{ "2147483648:big", "'2147483648' is not the number of a CPU" },
		{ "3-1:big", "'3-1' ends before it begins" },
		{ "0-3:big,3:little", "'3' has a CPU that is there already" },
		{ "3:big,0-3:little", "'0-3' has a CPU that is there already" },
		{ "1-2:big,0-3:little", "'0-3' has a CPU that is there already" },
		{ "0+0:big", "'0' has a CPU that is there already" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pmc_core_range range[MAX_RANGES];
		struct pmc_err err;
		int ret;

		ret = pmc_parse_core_types(cases[i].text, range, MAX_RANGES,
					   &err);
		if (ret != -EINVAL)
			fail_msg("'%s' gives %d", cases[i].text, ret);
		check_message(&err, cases[i].message);
	}
}

static void never_more_than_there_is_room_for(void **state)
{
	struct pmc_core_range range[2];
	struct pmc_err err;

	memset(range, 0xaa, sizeof(range));
	assert_int_equal(pmc_parse_core_types("0+2:big", range, 1, &err),
			 -EINVAL);
	check_message(&err, "'2' is one CPU range too many");
	assert_int_equal(range[1].first, 0xaaaaaaaa);
}

/* Numbers of core types must fit their variable. */
static void only_so_many_core_types(void **state)
{
	struct pmc_core_range range[PMC_CORE_TYPES_MAX + 1];
	char text[(PMC_CORE_TYPES_MAX + 1) * 16];
	struct pmc_err err;
	unsigned int nr;
	int len = 0;

	for (nr = 1; nr <= PMC_CORE_TYPES_MAX + 1; nr++) {
		len += snprintf(text + len, sizeof(text) - len, "%s%u:t%u",
				nr > 1 ? "," : "", nr - 1, nr - 1);
		if (nr < PMC_CORE_TYPES_MAX)
			continue;
		assert_int_equal(pmc_core_types_max_ranges(text), nr);
		assert_int_equal(pmc_parse_core_types(text, range, nr, &err),
				 nr > PMC_CORE_TYPES_MAX ? -EINVAL : (int)nr);
	}
	check_message(&err, "there are more than 255 core types, the most");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_the_ways_to_write_it),
		cmocka_unit_test(errors),
		cmocka_unit_test(never_more_than_there_is_room_for),
		cmocka_unit_test(only_so_many_core_types),
	};

	return cmocka_run_group_tests_name("coretypes_param", tests, NULL, NULL);
}
