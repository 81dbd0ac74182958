// SPDX-License-Identifier: GPL-2.0
/*
 * Any text for the library's parsers of event sets and of lines of event tables. The first
 * byte chooses: S an event set, C a line of PMCTrack's CSV, all others a line of a table.
 */
#include <stdlib.h>
#include <string.h>

#include "event_line.h"

#define MUST(condition) ({ \
	if (!(condition)) { \
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
		abort(); \
	} \
})

/* A refusal is one line. */
static void check_error(void)
{
	MUST(*pmc_last_error() && !strchr(pmc_last_error(), '\n'));
}

static void check_name(const char *name)
{
	MUST(memchr(name, '\0', EVENT_NAME));
}

static void fuzz_set(const char *text)
{
	static struct event_set set;
	int i;

	if (parse_events(&set, text, 0)) {
		MUST(*pmc_last_error());
		return;
	}
	MUST(set.nr_events >= 1 && set.nr_events <= PMC_MAX_COUNTS);
	for (i = 0; i < set.nr_events; i++) {
		check_name(set.events[i].name);
		check_name(set.events[i].base);
		MUST(memchr(set.events[i].pmu, '\0', sizeof(set.events[i].pmu)));
		MUST(set.events[i].umask <= 0xffff && set.events[i].cmask <= 0xff);
	}
}

static void fuzz_line(const char *text, size_t len, int is_csv)
{
	char name[EVENT_NAME], *line = strndup(text, len);
	enum line_kind kind = line_name(text, len, is_csv, name);
	const char *desc, *fields[7];
	struct event row;

	MUST(line);
	if (kind != LINE_OTHER) {
		check_name(name);
		MUST(*name);
	}
	if (kind == LINE_METRIC)
		MUST(line_split(line, fields, 7) <= 7);
	else if (kind == LINE_EVENT && line_event(line, is_csv, &row, &desc, "x"))
		check_error();
	else if (kind == LINE_EVENT)
		MUST(row.umask <= 0xffff && (row.has_code || row.place == EVENT_PINNED));
	free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	if (data[0] == 'S') {
		text = strndup((const char *)data + 1, size - 1);
		MUST(text);
		fuzz_set(text);
	} else {
		/* Exactly this length, and no zero at the end */
		text = malloc(size - 1 ? size - 1 : 1);
		MUST(text);
		memcpy(text, data + 1, size - 1);
		fuzz_line(text, size - 1, data[0] == 'C');
	}
	free(text);
	return 0;
}
