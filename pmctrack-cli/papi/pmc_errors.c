// SPDX-License-Identifier: GPL-2.0
/* pmc-errors: the error codes of PAPI, their names, and what to do. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <papi.h>

#include "../src/common.h"
#include "../src/output.h"
#include "../src/quote.h"
#include "../src/wrap.h"
#include "error_table.h"
#include "format.h"
#include "library.h"

static const char help[] =
"Usage: pmc-errors [OPTION]... [CODE|NAME]...\n"
"Show what the error codes of PAPI mean, and what to do.\n"
"\n"
"CODE is a number, as -8 or 8; NAME is a name of papi.h, as PAPI_ECNFLCT or ecnflct. Without\n"
"either, all codes are listed.\n"
"\n"
FORMAT_HELP
"\n"
"Example: pmc-errors -8\n";

static const struct option_row rows[] = {
	FORMAT_ROW,
	{ 0 }
};

static const char *description(const struct error_row *row)
{
	const char *text = PAPI_strerror(row->code);

	return text ? text : row->meaning;
}

/* Columns of the table where the name and the description begin */
struct widths {
	int name;
	int text;
	int terminal;
};

static struct widths measure(void)
{
	struct widths w = { .name = 6, .text = 0, .terminal = output_width(stdout) };
	size_t i;

	for (i = 0; i < error_table_nr; i++)
		if ((int)strlen(error_table[i].name) > w.text)
			w.text = strlen(error_table[i].name);
	w.text += w.name + 2;
	return w;
}

static void print_table(const struct error_row *row, const struct widths *w)
{
	int at = printf("%4d  %-*s  ", row->code, w->text - w->name - 2, row->name);

	print_wrapped(stdout, description(row), at, w->text, w->terminal);
	printf("%*s", w->text, "");
	print_wrapped(stdout, row->remedy, w->text, w->text, w->terminal);
}

static void print_csv(const struct error_row *row)
{
	printf("%d,%s,", row->code, row->name);
	print_csv_string(stdout, description(row));
	putchar(',');
	print_csv_string(stdout, row->remedy);
	putchar('\n');
}

static void print_json(const struct error_row *row)
{
	printf("{\"code\":%d,\"name\":\"%s\",\"description\":", row->code, row->name);
	print_json_string(stdout, description(row));
	printf(",\"remedy\":");
	print_json_string(stdout, row->remedy);
	printf("}\n");
}

static void print(const struct error_row *row, const struct widths *w)
{
	if (format_taken() == FORM_CSV)
		print_csv(row);
	else if (format_taken() == FORM_JSON)
		print_json(row);
	else
		print_table(row, w);
}

static const struct error_row *find(const char *word)
{
	const struct error_row *row;
	char *end;
	long code = strtol(word, &end, 10);

	if (end == word || *end)
		row = error_find_name(word);
	else
		row = code < -PAPI_NUM_ERRORS || code > PAPI_NUM_ERRORS ? NULL :
			error_find(-labs(code));
	if (!row)
		bad("'%s' is no error of PAPI: pmc-errors lists their codes and names", word);
	return row;
}

/* A code below 0 looks like an option: take its sign away. */
static void drop_signs(int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++)
		if (argv[i][0] == '-' && isdigit((unsigned char)argv[i][1]))
			argv[i]++;
}

/* Wrong words are refused before anything is printed. */
static void check(char **words)
{
	for (; words && *words; words++)
		find(*words);
}

static void print_all(const struct widths *w)
{
	size_t i;

	for (i = 0; i < error_table_nr; i++)
		print(&error_table[i], w);
}

static void print_heading(const struct widths *w)
{
	if (format_taken() == FORM_CSV)
		puts("code,name,description,remedy");
	else if (format_taken() == FORM_TABLE)
		printf("code  %-*s  meaning, and what to do\n", w->text - w->name - 2, "name");
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct widths w = measure();
	char **words;

	drop_signs(argc, argv);
	words = option_table_parse(rows, help, &o, argc, argv);
	/* Not library_begin(): what a code means is asked where PAPI does not start. */
	PAPI_library_init(PAPI_VER_CURRENT);
	check(words);
	print_heading(&w);
	if (!words)
		print_all(&w);
	for (; words && *words; words++)
		print(find(*words), &w);
	written(stdout, "the list");
	return 0;
}
