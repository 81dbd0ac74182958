// SPDX-License-Identifier: GPL-2.0
/* The option --format of the PAPI commands. */
#include <string.h>

#include "../src/command.h"
#include "format.h"

void format_take(struct options *o, const char *text)
{
	if (!strcmp(text, "table"))
		o->format = FORMAT_TABLE;
	else if (!strcmp(text, "csv"))
		o->format = FORMAT_CSV;
	else if (!strcmp(text, "json"))
		o->format = FORMAT_JSON;
	else
		bad("--format takes table, csv or json, not '%s'", text);
}
