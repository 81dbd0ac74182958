// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity judge: the verdicts on the measurements of a folder */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "additivity/verb.h"
#include "additivity/verdicts.h"
#include "common.h"

static const char help[] =
"Usage: pmc-additivity judge [OPTION]... FOLDER\n"
"Judge the events that `pmc-additivity run` has measured. The error of a compound is\n"
"|a + b - c| / (a + b), where a, b and c are the means of its two programs and of itself. The\n"
"largest error of all compounds decides:\n"
"\n"
"  non-additive          an error is above the tolerance, with 95 % confidence\n"
"  not reproducible      measurements of a program differ from its mean by more than that\n"
"  undecided             an error is above the tolerance, but may be so by chance: measure\n"
"                        more often (run --min)\n"
"  potentially additive  no error of these compounds is above the tolerance\n"
"\n"
"  -t, --tolerance=PERCENT  the tolerance (default 5)\n"
"      --pairs              show each event in each compound\n"
"      --format=FORM        table, csv or json\n"
"  -o, --output=FILE        write to FILE\n"
"      --plot=FILE          draw the largest error of each event to NAME.png, NAME.svg, or\n"
"                           NAME.gp, gnuplot's commands\n"
"  -h, --help               show this text\n"
"\n"
"Columns: +- is the half width of the error's confidence interval; above, the number of\n"
"compounds with larger errors than the tolerance, and of all: an event that fails in few\n"
"compounds may suit other programs; spread, the largest distance of a measurement from its\n"
"program's mean; runs, how often each program was measured.\n";

struct judge_options {
	double tolerance;
	int pairs;
	const char *format;
	const char *output;
	const char *plot;
	const char *folder;
};

static const struct form {
	const char *name;
	void (*print)(const struct verdicts *v, int pairs, FILE *f);
} forms[] = {
	{ "table", verdicts_print_table },
	{ "csv", verdicts_print_csv },
	{ "json", verdicts_print_json },
};

static const struct form *find_form(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (!strcmp(name, forms[i].name))
			return &forms[i];
	bad("--format=%s: it is table, csv or json", name);
}

static void parse(struct judge_options *o, int argc, char **argv)
{
	static const struct option names[] = {
		{ "tolerance", required_argument, NULL, 't' }, { "pairs", no_argument, NULL, 'p' },
		{ "format", required_argument, NULL, 'f' }, { "output", required_argument, NULL, 'o' },
		{ "plot", required_argument, NULL, 'g' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, "t:o:h", names, NULL)) != -1)
		switch (letter) {
		case 't': o->tolerance = option_percent("--tolerance", optarg); break;
		case 'p': o->pairs = 1; break;
		case 'f': o->format = optarg; break;
		case 'o': o->output = optarg; break;
		case 'g': o->plot = optarg; break;
		case 'h': fputs(help, stdout); exit(0);
		default: bad("option '%s' is not known, or has no argument; see pmc-additivity judge --help",
			     argv[optind - 1]);
		}
	if (argc - optind != 1)
		bad("name one folder; see pmc-additivity judge --help");
	o->folder = argv[optind];
}

static void print(const struct verdicts *v, const struct form *form, const struct judge_options *o)
{
	FILE *f = o->output ? fopen(o->output, "we") : stdout;

	if (!f)
		bad("cannot write %s: %s", o->output, strerror(errno));
	form->print(v, o->pairs, f);
	written(f, o->output ? o->output : "standard output");
	if (o->output)
		fclose(f);
}

int verb_judge(int argc, char **argv)
{
	struct judge_options o = { .tolerance = 0.05, .format = "table" };
	const struct form *form;
	struct verdicts v;
	struct results r;

	parse(&o, argc, argv);
	form = find_form(o.format);
	results_read(&r, o.folder);
	verdicts_find(&v, &r, o.tolerance);
	if (o.plot)
		verdicts_draw(&v, o.plot);
	if (!o.plot || o.output)
		print(&v, form, &o);
	verdicts_free(&v);
	results_free(&r);
	return 0;
}
