// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity: which events may be part of a linear model of a machine. */
#include <stdio.h>
#include <string.h>

#include "additivity/verb.h"
#include "common.h"

static const char help[] =
"Usage: pmc-additivity VERB [OPTION]... FOLDER ...\n"
"Test which events are additive: whether a compound of two programs has as many of them as\n"
"both programs together. An event that is not counts something else besides the work of a\n"
"program, and cannot be part of a linear model, such as that of energy.\n"
"\n"
"  pmc-additivity run FOLDER PROGRAMS   measure all events in programs and compounds, and\n"
"                                       judge them; what was interrupted is continued\n"
"  pmc-additivity judge FOLDER          judge the events again, and print or draw it\n"
"  pmc-additivity energy FOLDER         a model of energy by potentially additive events\n"
"\n"
"pmc-additivity VERB --help shows the options of a verb.\n";

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} verbs[] = {
	{ "run", verb_run },
	{ "judge", verb_judge },
	{ "energy", verb_energy },
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc < 2)
		bad("say what to do: run, judge or energy; see pmc-additivity --help");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
		fputs(help, stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("pmc-additivity " PMC_VERSION);
		return 0;
	}
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(argv[1], verbs[i].name))
			return verbs[i].run(argc - 1, argv + 1);
	bad("'%s' is no verb: it is run, judge or energy; see pmc-additivity --help", argv[1]);
}
