// SPDX-License-Identifier: GPL-2.0
/* What pmctrack listen prints of sessions whose owners have chosen names for a reader's terminal. */
#include "lib.h"
#include "listen/listen.h"

#define EVIL "\x1b]0;evil\a"
#define QUOTED "\\x1b]0;evil\\x07"

static struct pmc_listener_event event;
static char *text;

static void describe(const char *description)
{
	event = (struct pmc_listener_event){
		.type = PMC_SESSION_BEGINS, .session = 3, .command = "x", .description = description,
	};
	listen_remember(&event);
	event = (struct pmc_listener_event){
		.type = PMC_SESSION_SAMPLE, .session = 3,
		.reading = { .pid = 7, .tid = 7, .nr_counts = 2, .counts = { 1, 2 }, .nr_virtual = 1 },
	};
}

/* Print the sample, and check that no control character is in it. */
static void print(const struct listen_ops *ops)
{
	struct listen_print p = { .machine = open_machine("hybrid") };
	size_t size, i;

	free(text);
	p.f = open_memstream(&text, &size);
	ops->sample(&p, &event);
	fclose(p.f);
	pmc_machine_close((pmc_machine_t *)p.machine);
	for (i = 0; i < size; i++)
		if (((unsigned char)text[i] < ' ' && text[i] != '\n') || text[i] == 0x7f)
			fail_msg("byte %d in %s", text[i], text);
}

static void has(const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

static void test_names(void **state)
{
	describe("0.0=instr," EVIL " virtual=v" EVIL);
	strcpy(event.reading.name, "n" EVIL);
	print(&listen_table);
	has(" instr ");
	has(" " QUOTED " ");
	has(" v" QUOTED "\n");
	has(" n" QUOTED " ");
	print(&listen_csv);
	has(",instr,1\n");
	has("," QUOTED ",2\n");
	has(",v" QUOTED ",0\n");
	has(",n" QUOTED ",");
	/* One that breaks the line, and a quotation mark of CSV */
	strcpy(event.reading.name, "a\n\"b");
	print(&listen_csv);
	has(",\"a\\x0a\"\"b\",");
	listen_forget(3);
}

/* The longest description has room, whatever its bytes. */
static void test_long(void **state)
{
	static char description[1024] = "0.0=a,";
	struct listen_counts counts;

	memset(description + 6, '\x1b', sizeof(description) - 7);
	describe(description);
	listen_name_counts(&counts, &event);
	assert_int_equal(counts.nr, 3);
	assert_string_equal(counts.names[0], "a");
	assert_int_equal(strlen(counts.names[1]), 4 * (sizeof(description) - 7));
	assert_string_equal(counts.names[2], "count 3");
	print(&listen_csv);
	listen_forget(3);
}

/* Counts that have no name */
static void test_no_names(void **state)
{
	describe("");
	event.reading.nr_counts = PMC_MAX_COUNTS;
	event.reading.nr_virtual = PMC_MAX_VIRTUALS;
	print(&listen_csv);
	has(",count 1,1\n");
	has(",count 48,0\n");
	listen_forget(3);
	free(text);
	text = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names), cmocka_unit_test(test_long), cmocka_unit_test(test_no_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
