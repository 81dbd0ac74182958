// SPDX-License-Identifier: GPL-2.0
/* pmc-epapi-read: show the counts in the results area of ePAPI, in a TriCore's memory. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "dump.h"

#define MOST_BYTES	(64u << 20)	/* a core's scratchpad has 240 KiB */

static const char help[] =
"Usage: pmc-epapi-read [OPTION]... DUMP...\n"
"Show the counts that a program with ePAPI stored in the memory of a TriCore's cores.\n"
"\n"
"A DUMP is a file (- for standard input) with a part of a core's memory, as a debugger\n"
"saves it. ePAPI's results area (symbol epapi_results) may be anywhere in the dump, so\n"
"you can save the core's whole data scratchpad. It begins at\n"
"\n"
"  core 0  0x70000000    core 2  0x50000000    core 4  0x30000000\n"
"  core 1  0x60000000    core 3  0x40000000    core 5  0x10000000\n"
"\n"
"  -a, --at=OFFSET       the results area begins at this offset of each dump\n"
"      --format=FORMAT   table (default), csv or json\n"
"  -h, --help            show this text\n"
"\n"
"A value whose counter overflowed is marked; it includes the overflow. If further\n"
"overflows may have been missed, the value is a lower limit, and a difference of counters\n"
"is meaningless. Then the program has to read its counters more often: at 300 MHz every\n"
"14 s, instructions every 4 s.\n"
"\n"
"With GDB, for instance:\n"
"  (gdb) dump binary memory core0.bin 0x70000000 0x70000090\n"
"  $ pmc-epapi-read core0.bin\n"
"\n"
"The exit status is 0, or 2 if a dump cannot be read, contains no results area, or ends\n"
"within one.\n";

static const struct option long_options[] = {
	{ "at", required_argument, NULL, 'a' },
	{ "format", required_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

struct what {
	const struct dump_format *format;
	long long at;
	bool shown;
};

static uint8_t *read_all(const char *name, size_t *size)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "rb") : stdin;
	uint8_t *data = malloc(MOST_BYTES + 1);

	if (!f)
		bad("cannot open %s: %s", name, strerror(errno));
	if (!data)
		bad("out of memory");
	*size = fread(data, 1, MOST_BYTES + 1, f);
	if (ferror(f))
		bad("cannot read %s: %s", name, strerror(errno));
	if (*size > MOST_BYTES)
		bad("%s: more than %u MiB: dump the core's data scratchpad only", name,
		     MOST_BYTES >> 20);
	if (f != stdin)
		fclose(f);
	return data;
}

static void show(struct what *what, const char *name, const struct dump_area *area)
{
	what->format->area(stdout, name, area, !what->shown);
	what->shown = true;
}

static void show_all(struct what *what, const char *name)
{
	struct dump_area area;
	const char *why = NULL;
	size_t size, from = 0, at = 0;
	uint8_t *data = read_all(name, &size);

	if (what->at >= 0) {
		why = dump_parse(data, size, what->at, &area);
		if (why)
			bad("%s: offset %lld: %s", name, what->at, why);
		show(what, name, &area);
		free(data);
		return;
	}

	while (dump_search(data, size, from, &area, &why, &at)) {
		show(what, name, &area);
		from = dump_end(&area);
	}
	/* If an area was found, report others only if they are incomplete, not false starts. */
	if (why && (!from || why == dump_incomplete))
		bad("%s: offset %zu: %s", name, at, why);
	if (!from)
		bad("%s: no results area in its %zu bytes: this is the wrong memory, or nothing was counted yet",
		     name, size);
	free(data);
}

static void parse(struct what *what, int argc, char **argv)
{
	char *end;
	int opt;

	while ((opt = getopt_long(argc, argv, "a:h", long_options, NULL)) != -1) {
		switch (opt) {
		case 'a':
			errno = 0;
			what->at = strtoll(optarg, &end, 0);
			if (errno || what->at < 0 || end == optarg || *end)
				bad("-a %s: an offset is a number of bytes, as 512 or 0x200", optarg);
			break;
		case 'f':
			what->format = dump_find_format(optarg);
			if (!what->format)
				bad("--format=%s: there are table, csv and json", optarg);
			break;
		case 'h':
			fputs(help, stdout);
			exit(0);
		default:
			exit(2);
		}
	}
	if (optind == argc)
		bad("name a file with a core's memory (see pmc-epapi-read --help)");
}

int main(int argc, char **argv)
{
	struct what what = { .format = dump_find_format("table"), .at = -1 };
	int i;

	parse(&what, argc, argv);
	if (what.format->begin)
		what.format->begin(stdout);
	for (i = optind; i < argc; i++)
		show_all(&what, argv[i]);
	if (what.format->end)
		what.format->end(stdout);
	written(stdout, "the counts");
	return 0;
}
