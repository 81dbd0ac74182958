/* SPDX-License-Identifier: GPL-2.0 */
/* The option --format of the PAPI commands, and the end of their output. */
#ifndef PMCTRACK_PAPI_FORMAT_H
#define PMCTRACK_PAPI_FORMAT_H

#include "../src/option_table.h"
#include "../src/options.h"

enum form {
	FORM_TABLE,
	FORM_CSV,
	FORM_JSON,
};

/* Take the argument of --format: table, csv or json. bad() if it is another word. */
void format_take(struct options *o, const char *text);

/* The form that was taken; without --format the table */
enum form format_taken(void);

#define FORMAT_ROW OPTION_TAKE(LONG_ONLY(0), "format", format_take)

#define FORMAT_HELP \
"      --format=FORMAT       table (default), csv or json\n" \
"  -h, --help                show this text\n"

#endif
