// SPDX-License-Identifier: GPL-2.0
/* The option --format of the PAPI commands. */
#include <string.h>

#include "../src/common.h"
#include "format.h"

static enum form taken = FORM_TABLE;

void format_take(struct options *o, const char *text)
{
	(void)o;
	if (!strcmp(text, "table"))
		taken = FORM_TABLE;
	else if (!strcmp(text, "csv"))
		taken = FORM_CSV;
	else if (!strcmp(text, "json"))
		taken = FORM_JSON;
	else
		bad("--format takes table, csv or json, not '%s'", text);
}

enum form format_taken(void)
{
	return taken;
}
