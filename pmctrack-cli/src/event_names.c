// SPDX-License-Identifier: GPL-2.0
/* The spellings of events that metrics are made of. */
#include <ctype.h>
#include <string.h>

#include "event_names.h"

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
