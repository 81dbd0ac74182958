// SPDX-License-Identifier: GPL-2.0
/*
 * A replacement for libFuzzer: random words from a dictionary, shortened and changed at
 * random, the same in every run. It takes libFuzzer's -dict=, -runs= and -max_total_time=,
 * and ignores other options.
 */
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_WORDS	256
#define MAX_LEN		400

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *words[MAX_WORDS];
static unsigned int nr_words;

static uint64_t next_random(void)
{
	static uint64_t state = 1;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;

	return state * 0x2545f4914f6cdd1dULL;
}

static void read_dictionary(const char *name)
{
	FILE *file = fopen(name, "r");
	char line[128], *end;

	if (!file) {
		perror(name);
		exit(1);
	}
	while (nr_words < MAX_WORDS && fgets(line, sizeof(line), file)) {
		end = strrchr(line, '"');
		if (line[0] != '"' || !end || end == line || line[1] == '\\')
			continue;
		*end = '\0';
		words[nr_words++] = strdup(line + 1);
	}
	fclose(file);
}

static size_t make_text(uint8_t *text)
{
	unsigned int n = 1 + next_random() % 16;
	size_t len = 1;

	text[0] = "CCEEETSL"[next_random() % 8];
	while (n--) {
		const char *word = words[next_random() % nr_words];

		if (len + strlen(word) + 1 >= MAX_LEN)
			break;
		memcpy(text + len, word, strlen(word));
		len += strlen(word);
		if (next_random() % 3 == 0)
			text[len++] = ',';
	}
	while (next_random() % 4 == 0)
		text[next_random() % len] = next_random();
	if (next_random() % 16 == 0)
		len = next_random() % (len + 1);

	return len;
}

int main(int argc, char **argv)
{
	unsigned long seconds = 60, runs = ULONG_MAX, texts = 0;
	uint8_t text[MAX_LEN];
	time_t end;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "-dict=", 6))
			read_dictionary(argv[i] + 6);
		else if (!strncmp(argv[i], "-max_total_time=", 16))
			seconds = strtoul(argv[i] + 16, NULL, 10);
		else if (!strncmp(argv[i], "-runs=", 6))
			runs = strtoul(argv[i] + 6, NULL, 10);
	}
	if (!nr_words) {
		fprintf(stderr, "no words: use -dict=FILE\n");
		return 1;
	}

	for (end = time(NULL) + seconds; texts < runs && time(NULL) < end; texts++)
		LLVMFuzzerTestOneInput(text, make_text(text));
	printf("%lu texts, nothing wrong\n", texts);

	return 0;
}
