// SPDX-License-Identifier: GPL-2.0
/* The report of pmc-run: a table, CSV or JSON. */
#include <string.h>

#include <papi.h>

#include "../src/format_count.h"
#include "../src/output.h"
#include "../src/quote.h"
#include "../src/wrap.h"
#include "format.h"
#include "run_report.h"

/* Least width of the column of counts */
#define COUNT_WIDTH	16

/* Blanks between columns */
#define GAP		2

/* What an event counts; "" if PAPI does not say. The text is good until the next call. */
static const char *description(const char *name)
{
	static PAPI_event_info_t info;
	int code;

	if (PAPI_event_name_to_code(name, &code) != PAPI_OK ||
	    PAPI_get_event_info(code, &info) != PAPI_OK)
		return "";
	return *info.long_descr ? info.long_descr : info.short_descr;
}

static int name_width(const struct event_names *events)
{
	int i, width = 0;

	for (i = 0; i < events->nr; i++)
		if ((int)strlen(events->all[i]) > width)
			width = strlen(events->all[i]);
	return width;
}

static void print_count(FILE *f, const struct run_counts *c, int i, int names, int width)
{
	char text[NUMBER_MAX];
	int at;

	number_format(text, c->values[i], width ? NUMBERS_GROUPS : NUMBERS_RAW);
	at = fprintf(f, "%s%*s%*s%-*s%*s", c->is_estimated ? "~" : " ", COUNT_WIDTH, text, GAP, "",
		     names, c->events->all[i], GAP, "");
	print_wrapped(f, description(c->events->all[i]), at, at, width);
}

static void print_table(FILE *f, const struct options *o, const struct run_counts *c)
{
	int width = output_width(f), names = name_width(c->events), i;

	fprintf(f, "\nCounts of '");
	for (i = 0; o->command[i]; i++)
		fprintf(f, "%s%s", i ? " " : "", o->command[i]);
	fprintf(f, "':\n\n");
	for (i = 0; i < c->events->nr; i++)
		print_count(f, c, i, names, width);
	if (c->is_estimated)
		fprintf(f, "\n~ events took turns: each count is an estimate for the whole time\n");
	fprintf(f, "\n%.3f s real, %.3f s user, %.3f s system\n", c->real, c->user, c->system);
}

static void print_csv_time(FILE *f, const char *name, double seconds)
{
	fprintf(f, "%s,%.6f,s,exact\n", name, seconds);
}

static void print_csv(FILE *f, const struct run_counts *c)
{
	int i;

	fprintf(f, "name,value,unit,accuracy\n");
	for (i = 0; i < c->events->nr; i++) {
		print_csv_string(f, c->events->all[i]);
		fprintf(f, ",%lld,,%s\n", c->values[i], c->is_estimated ? "estimated" : "exact");
	}
	print_csv_time(f, "real", c->real);
	print_csv_time(f, "user", c->user);
	print_csv_time(f, "system", c->system);
	fprintf(f, "status,%d,,exact\n", c->status);
}

static void print_json(FILE *f, const struct options *o, const struct run_counts *c)
{
	int i;

	fprintf(f, "{\"command\":[");
	for (i = 0; o->command[i]; i++) {
		fprintf(f, "%s", i ? "," : "");
		print_json_string(f, o->command[i]);
	}
	fprintf(f, "],\"status\":%d,\"real_seconds\":%.6f,\"user_seconds\":%.6f,"
		"\"system_seconds\":%.6f,\"accuracy\":\"%s\",\"events\":[", c->status, c->real,
		c->user, c->system, c->is_estimated ? "estimated" : "exact");
	for (i = 0; i < c->events->nr; i++) {
		fprintf(f, "%s{\"name\":", i ? "," : "");
		print_json_string(f, c->events->all[i]);
		fprintf(f, ",\"count\":%lld}", c->values[i]);
	}
	fprintf(f, "]}\n");
}

void run_counts_print(FILE *f, const struct options *o, const struct run_counts *c)
{
	if (format_taken() == FORM_CSV)
		print_csv(f, c);
	else if (format_taken() == FORM_JSON)
		print_json(f, o, c);
	else
		print_table(f, o, c);
}
