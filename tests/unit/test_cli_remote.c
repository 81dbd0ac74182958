// SPDX-License-Identifier: GPL-2.0
/* Words of a remote command: a shell gives back each as it was. */
#include <stdlib.h>

#include "lib.h"
#include "remote.h"

static void same_words(char *const *words)
{
	char *line = remote_command_line(words), script[4096], got[4096];
	size_t n = 0, nr = 0;
	FILE *f;

	/* A function in place of the program prints its words, each ended by a zero. */
	snprintf(script, sizeof(script), "pmctrack() { printf '%%s\\0' \"$@\"; }\n%s\n", line);
	setenv("SCRIPT", script, 1);
	f = popen("sh -c \"$SCRIPT\"", "r");
	assert_non_null(f);
	nr = fread(got, 1, sizeof(got), f);
	assert_int_equal(pclose(f), 0);
	for (; *words; words++) {
		assert_true(n < nr);
		assert_string_equal(got + n, *words);
		n += strlen(*words) + 1;
	}
	assert_int_equal(n, nr);
	free(line);
}

static void test_words(void **state)
{
	same_words((char *[]){ "top", "-b", NULL });
	same_words((char *[]){ "-c", "instr,cycles", "--", "sh", "-c", "echo \"$HOME\" `id` $(id); rm -rf '/x'", NULL });
	same_words((char *[]){ "", " ", "'", "''", "\\", "\n", "a\tb", "*", "~", "!x", "\xc3\xa9\xff", NULL });
}

/* In fish, quotation marks do not keep a backslash; outside of them each shell takes the second of two. */
static void test_backslash(void **state)
{
	char *line = remote_command_line((char *[]){ "a\\b'", "\\", NULL });

	assert_string_equal(line, "pmctrack 'a'\\\\'b'\\''' ''\\\\''");
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_words), cmocka_unit_test(test_backslash) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
