// SPDX-License-Identifier: GPL-2.0
/* pmctrack report: a page for a browser, of a run that was recorded in JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "option_table.h"
#include "options.h"
#include "page.h"
#include "recorded_file.h"
#include "verb.h"

static const char help[] =
"Usage: pmctrack report [OPTION]... RUN.json\n"
"Make a page for a browser of a run that pmctrack --format=json recorded: charts of each quantity over\n"
"time, by thread and core type, which can be zoomed; metrics can be defined in the page. The page is\n"
"one file, which needs no network. (pmctrack -o RUN.html writes such a page at once.)\n"
"\n"
"      --html                make a page (default)\n"
"  -o, --output=FILE         write it to FILE (default: RUN.html)\n"
"  -h, --help                show this text\n"
"\n"
"Example: pmctrack --format=json -o run.json -c instr,cycles -T 0.1 ./app && pmctrack report run.json\n";

/* There is no other form. */
static void take_html(struct options *o, const char *none)
{
	(void)o;
	(void)none;
}

static const struct option_row rows[] = {
	{ LONG_ONLY(0), "html", no_argument, take_html, 0, 0 },
	OPTION_TEXT('o', "output", struct options, output),
	{ 0 }
};

static void check(const char *path, const char *text)
{
	size_t len = strlen(text);

	while (len && strchr(" \n", text[len - 1]))
		len--;
	/* Its last line is a brace; samples end with one, too, but not in a line of its own. */
	if (*text != '{' || !strstr(text, "\"samples\": [") || strncmp(text + len - 2, "\n}", 2))
		bad("report: %s is no report of pmctrack --format=json, or it is not whole", path);
	if (strstr(text, "\"type\": \"sum\""))
		bad("report: %s has sums only (-A): a page needs samples", path);
}

/* Strings alone have <, and there it may be written as a number. */
static void print_escaped(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("\\u003c", f);
		else
			fputc(*text, f);
	}
}

int report_main(int argc, char **argv)
{
	struct options o = { 0 };
	char **words, *text, *name;
	FILE *f;

	argv[0] = "pmctrack report";
	words = option_table_parse(rows, help, &o, argc, argv);
	if (!words || words[1])
		bad("report: name one file that pmctrack --format=json has written");
	text = recorded_read("report", words[0]);
	check(words[0], text);
	page_check();
	name = o.output ? strdup(o.output) : recorded_rename(words[0], ".html");
	f = strcmp(name, "-") ? fopen(name, "we") : stdout;
	if (!f)
		bad("report: cannot write %s: %s", name, strerror(errno));
	page_begin(f);
	print_escaped(f, text);
	page_end(f);
	written(f, name);
	if (f != stdout)
		fclose(f);
	free(name);
	free(text);
	return 0;
}
