// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Lines of event tables. The project's own form is
 *
 *	event	NAME	CODE[:ATTRIBUTE]...	DESCRIPTION
 *	metric	NAME	SCALE	EXPRESSION	GROUPS	THRESHOLD	DESCRIPTION
 *
 * with tabs between the fields; blanks will do before the description of an event. Attributes
 * are those of event_attr.c that say which event is counted, as umask=0x41. The form of
 * PMCTrack, in files *.csv, is
 *
 *	NAME,SUBEVENT or -,CODE or -,DESCRIPTION or -,FLAGS or -
 *
 * where flags are umask=X, cmask=X, or type=fixed;pmc=N.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "event_attr.h"
#include "event_line.h"

static const char blanks[] = " \t";

int same_event_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b) &&
		    !((*a == '.' || *a == ':') && (*b == '.' || *b == ':')))
			return 0;
	return *a == *b;
}

/* The word at *@at, which ends with one of the one or two @ends; *@at is behind it then. */
static size_t word(const char **at, const char *end, const char *ends, const char **start)
{
	const char *p = *at;

	*start = p;
	while (p < end && *p && *p != ends[0] && *p != ends[1])
		p++;
	*at = p;
	return p - *start;
}

/* NAME.SUBEVENT, or NAME. The first line of a table is its heading. */
static enum line_kind csv_name(const char *line, size_t len, char name[EVENT_NAME])
{
	const char *at = line, *end = line + len, *event, *sub;
	size_t n = word(&at, end, ",", &event), m;

	if (!n || at == end)
		return LINE_OTHER;
	at++;
	m = word(&at, end, ",", &sub);
	if (m == 1 && *sub == '-')
		m = 0;
	if (n + m + 1 >= EVENT_NAME || (n == 10 && !memcmp(event, "event_name", n)))
		return LINE_OTHER;
	snprintf(name, EVENT_NAME, "%.*s%s%.*s", (int)n, event, m ? "." : "", (int)m, sub);
	return LINE_EVENT;
}

enum line_kind line_name(const char *line, size_t len, int is_csv, char name[EVENT_NAME])
{
	const char *at = line, *end = line + len, *start;
	enum line_kind kind;
	size_t n;

	if (!len || *line == '#')
		return LINE_OTHER;
	if (is_csv)
		return csv_name(line, len, name);
	n = word(&at, end, blanks, &start);
	kind = n == 5 && !memcmp(start, "event", n) ? LINE_EVENT :
	       n == 6 && !memcmp(start, "metric", n) ? LINE_METRIC : LINE_OTHER;
	while (at < end && *at && strchr(blanks, *at))
		at++;
	n = word(&at, end, kind == LINE_METRIC ? "\t" : blanks, &start);
	if (!kind || !n || n >= EVENT_NAME)
		return LINE_OTHER;
	memcpy(name, start, n);
	name[n] = '\0';
	return kind;
}

int line_split(char *line, const char **fields, int nr)
{
	int i, found = 0;

	for (i = 0; i < nr; i++)
		fields[i] = line ? found++, strsep(&line, "\t") : "";
	return found;
}

static int is_key(const char *text, const char *key)
{
	size_t len = strcspn(text, "=");

	return len == strlen(key) && !memcmp(text, key, len);
}

/* One of the words after the code. 0: taken, -1: no such word. */
static int take_word(struct event *row, const char *text)
{
	return is_key(text, "counters") || is_key(text, "deprecated") ? 0 : attr_take(row, text);
}

static int take_code(struct event *row, const char *text)
{
	row->has_code = !parse_number(text, &row->code);
	return row->has_code ? 0 : -1;
}

/* CODE[:WORD]... */
static int take_encoding(struct event *row, char *text)
{
	char *part = strsep(&text, ":");

	if (take_code(row, part))
		return -1;
	while ((part = strsep(&text, ":")))
		if (take_word(row, part))
			return -1;
	return 0;
}

/*
 * Flags of PMCTrack's: a fixed counter is an event of its own. Other PMUs' numbers mean nothing
 * here, and neither do their events.
 */
static int take_flags(struct event *row, char *text)
{
	char *flag, *save;
	uint64_t n;

	for (flag = strtok_r(text, ";,", &save); flag; flag = strtok_r(NULL, ";,", &save)) {
		if (!strcmp(flag, "-") || !strcmp(flag, "type=fixed"))
			continue;
		if (!strncmp(flag, "pmc=", 4) && !parse_number(flag + 4, &n) && n <= 63) {
			row->place = EVENT_PINNED;
			row->slot = n;
		} else if (take_word(row, flag)) {
			return -1;
		}
	}
	return 0;
}

static int csv_event(char *line, struct event *row, const char **desc)
{
	char *code, *text;

	strsep(&line, ",");
	strsep(&line, ",");
	code = strsep(&line, ",");
	text = line ? strsep(&line, ",") : NULL;
	*desc = text && strcmp(text, "-") ? text : NULL;
	if (!code || (strcmp(code, "-") && take_code(row, code)))
		return -1;
	if (line && take_flags(row, line))
		return -1;
	return row->has_code || row->place == EVENT_PINNED ? 0 : -1;
}

static int own_event(char *line, struct event *row, const char **desc)
{
	char *encoding, *save;

	strtok_r(line, blanks, &save);
	strtok_r(NULL, blanks, &save);
	encoding = strtok_r(NULL, blanks, &save);
	if (!encoding || take_encoding(row, encoding))
		return -1;
	save += strspn(save, blanks);
	*desc = *save ? save : NULL;
	return 0;
}

static int refuse_csv(const char *where)
{
	return pmc_fail(EINVAL, "%s: expected NAME,SUBEVENT,CODE,DESCRIPTION,FLAGS; flags are umask=, cmask=, and type=fixed;pmc=N",
			where);
}

static int refuse_own(const char *where)
{
	char attributes[200];

	attr_print_table(attributes, sizeof(attributes));
	return pmc_fail(EINVAL, "%s: expected event NAME CODE%s", where, attributes);
}

int line_event(char *line, int is_csv, struct event *row, const char **desc, const char *where)
{
	event_init(row);
	*desc = NULL;
	if (is_csv)
		return csv_event(line, row, desc) ? refuse_csv(where) : 0;
	return own_event(line, row, desc) ? refuse_own(where) : 0;
}
