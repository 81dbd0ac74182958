// SPDX-License-Identifier: GPL-2.0
/* Names of events: lists of them, spellings of those that metrics are made of, modifiers, sampling periods. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "event_spelling.h"

size_t event_length(const char *text)
{
	size_t i;
	int slashes = 0;

	for (i = 0; text[i] && (text[i] != ',' || slashes % 2); i++)
		slashes += text[i] == '/';
	return i;
}

int event_is(const char *event, const char *spellings)
{
	const char *e;

	for (;; spellings++) {
		for (e = event; *e && *e != ':' && *spellings && *spellings != '|'; e++, spellings++)
			if (tolower((unsigned char)*e) != *spellings && !(*e == '-' && *spellings == '_'))
				break;
		if ((!*e || *e == ':') && (!*spellings || *spellings == '|'))
			return 1;
		spellings += strcspn(spellings, "|");
		if (!*spellings)
			return 0;
	}
}

int event_same_modifiers(const char *a, const char *b)
{
	a += strcspn(a, ":");
	b += strcspn(b, ":");
	return !strcmp(a, b);
}

/* Length of the modifier @word, if it is at the start of @text and up to one of @ends; or 0 */
static size_t modifier_length(const char *text, const char *word, const char *ends)
{
	size_t len = strlen(word);

	if (strncmp(text, word, len) || (text[len] && !strchr(ends, text[len]) && text[len] != '='))
		return 0;
	return strcspn(text, ends);
}

static void remove_text(char *from, size_t len)
{
	memmove(from, from + len, strlen(from + len) + 1);
}

char *event_without_period(const char *event)
{
	char *name = strdup(event), *p = name;
	int inside = 0;	/* the slashes of perf's form */
	size_t len;

	while (p && *p) {
		if (!inside && *p == ':' && (len = modifier_length(p + 1, "ebs", ":"))) {
			remove_text(p, 1 + len);
		} else if (inside && *p == ',' && (len = modifier_length(p + 1, "period", ",/"))) {
			remove_text(p, 1 + len);
		} else if (inside && p[-1] == '/' && (len = modifier_length(p, "period", ",/"))) {
			remove_text(p, len + (p[len] == ','));
		} else {
			inside ^= *p == '/';
			p++;
		}
	}
	return name;
}
