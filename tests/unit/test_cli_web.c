// SPDX-License-Identifier: GPL-2.0
/* The report that viewers of pmctrack web read: all of it, or what is kept. */
#include <stdlib.h>

#include "history.h"
#include "lib.h"

#define HEAD "{\n\"core_types\": [\n],\n\"samples\": ["

#define KEPT "\n{000004},\n{000005},\n{000006},\n{000007},\n{000008},\n{000009}"

static struct history h;

static void add(const char *text)
{
	assert_int_equal(history_add(&h, text, strlen(text)), 0);
}

/* Return the text that a viewer reads from @place on, at most @size bytes at once. */
static char *read_from(uint64_t *place, size_t size)
{
	static char all[4096];
	size_t len = 0, n;

	while ((n = history_read(&h, place, all + len, size)))
		len += n;
	all[len] = '\0';
	return all;
}

static char *read_all(size_t size)
{
	uint64_t place = 0;

	return read_from(&place, size);
}

static void test_all(void **state)
{
	uint64_t place = 0;

	history_init(&h, 1000);
	assert_string_equal(read_all(9), "");
	add("{\n\"core_types\": [\n],\n\"sam");
	assert_string_equal(read_from(&place, 7), "{\n\"core_types\": [\n],\n\"sam");
	add("ples\": [\n{1},\n{2}");
	assert_string_equal(read_from(&place, 3), "ples\": [\n{1},\n{2}");
	assert_string_equal(read_from(&place, 3), "");
	add("\n]\n}\n");
	assert_string_equal(read_from(&place, 100), "\n]\n}\n");
	assert_string_equal(read_all(1), HEAD "\n{1},\n{2}\n]\n}\n");
	assert_string_equal(read_all(100), HEAD "\n{1},\n{2}\n]\n}\n");
	history_free(&h);
}

/* Samples 0 to 9 of 10 bytes each; no more than the head and 60 bytes are kept. */
static void test_dropped(void **state)
{
	char sample[16];
	uint64_t early = 0, half = 0;
	int i;

	history_init(&h, strlen(HEAD) + 60);
	add(HEAD);
	assert_string_equal(read_from(&half, 5), HEAD);
	for (i = 0; i < 10; i++) {
		snprintf(sample, sizeof(sample), "\n{%06d}%s", i, i < 9 ? "," : "");
		add(sample);
		if (i == 1) {
			/* One viewer has read half of the second sample. */
			char buf[15];

			assert_int_equal(history_read(&h, &half, buf, sizeof(buf)), 15);
			assert_memory_equal(buf, "\n{000000},\n{000", 15);
		}
	}
	/* It goes on with a newline, and a whole sample. */
	assert_string_equal(read_from(&half, 4), KEPT);
	assert_string_equal(read_from(&early, 4), HEAD KEPT);
	assert_string_equal(read_all(1), HEAD KEPT);
	add("\n]\n}\n");
	assert_string_equal(read_from(&half, 4), "\n]\n}\n");
	assert_string_equal(read_from(&early, 40), "\n]\n}\n");
	assert_true(h.len <= h.most);
	history_free(&h);
}

/* Whatever is dropped, and however a viewer reads: its text is the head, and then whole lines. */
static void test_random(void **state)
{
	unsigned int seed = 1;
	char line[64], text[64];
	int round, i;

	for (round = 0; round < 200; round++) {
		uint64_t place = 0;
		int last = -1, n;

		history_init(&h, 100 + rand_r(&seed) % 200);
		add(HEAD);
		read_from(&place, 1 + rand_r(&seed) % 20);
		for (i = 0; i < 100; i++) {
			snprintf(line, sizeof(line), "\n{%d}%.*s,", i, (int)(rand_r(&seed) % 20), "                    ");
			add(line);
			if (rand_r(&seed) % 4)
				continue;
			for (char *at = read_from(&place, 1 + rand_r(&seed) % 30); *at; at++) {
				if (*at != '\n' || sscanf(at, "\n{%d%63[ }]", &n, text) != 2)
					continue;
				assert_true(n > last && n <= i);
				last = n;
			}
			assert_int_equal(last, i);
		}
		history_free(&h);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all), cmocka_unit_test(test_dropped), cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
