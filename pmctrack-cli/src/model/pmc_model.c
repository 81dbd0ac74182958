// SPDX-License-Identifier: GPL-2.0
/* pmc-model: fit a platform model to runs of programs on both core types. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "../command.h"
#include "write.h"

/* Windows that a program can be told to be rid of */
#define SKIP_MAX	1000000

static const char help[] =
"Usage: pmc-model [OPTION]... SHAPE RUNS\n"
"Fit a model that estimates speedup factors, or efficiency factors, from counts.\n"
"\n"
"SHAPE is a model file: its event sets and metrics are taken, its formulae are\n"
"found anew. RUNS lists what programs did on each core type, in lines\n"
"  PROGRAM CORETYPE FILE...\n"
"where each FILE was written by, for example,\n"
"  pmctrack -b CPUS --format=csv -o FILE -c instr:ebs=1000000,cycles,llc_misses PROGRAM\n"
"with names of events as in SHAPE, and the same number of instructions everywhere.\n"
"train-model does such runs; the first lines of a shape say with which options.\n"
"\n"
"  -o, --output=FILE       write the model there instead of to standard output\n"
"  -f, --fast=CORETYPE     how much faster this one is, is estimated (SHAPE's first)\n"
"  -T, --time=COLUMN       the time of each window is in this column (running_us);\n"
"                          cycles where all cores have the same clock, or counts of a\n"
"                          clock that is the same, such as Intel's reference cycles,\n"
"                          leave out what the kernel did meanwhile\n"
"  -e, --energy=COLUMN     estimate the efficiency factor: the energy of each window\n"
"                          is in this column, a virtual counter's\n"
"  -s, --skip=N            leave out so many windows at the start of each program (1)\n"
"  -t, --terms=N           at most so many terms in a formula (12)\n"
"  -h, --help              this text\n";

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "fast", required_argument, NULL, 'f' },
	{ "time", required_argument, NULL, 'T' },
	{ "energy", required_argument, NULL, 'e' },
	{ "skip", required_argument, NULL, 's' },
	{ "terms", required_argument, NULL, 't' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

struct options {
	const char *output;
	const char *fast;
	const char *time;
	const char *energy;
	size_t terms;
	size_t skip;
};

static FILE *must_open(const char *path, const char *mode)
{
	FILE *f = fopen(path, mode);

	if (!f)
		bad("%s: %s", path, strerror(errno));
	return f;
}

static void parse(int argc, char **argv, struct options *o)
{
	int c;

	while ((c = getopt_long(argc, argv, "o:f:T:e:s:t:h", long_options, NULL)) >= 0) {
		switch (c) {
		case 'o':
			o->output = optarg;
			break;
		case 'f':
			o->fast = optarg;
			break;
		case 'T':
			o->time = optarg;
			break;
		case 'e':
			o->energy = optarg;
			break;
		case 's':
			o->skip = option_number("--skip", optarg, 0, SKIP_MAX);
			break;
		case 't':
			o->terms = option_number("--terms", optarg, 1, FIT_TERMS_MAX);
			break;
		case 'h':
			fputs(help, stdout);
			exit(0);
		default:
			exit(2);
		}
	}
	if (argc - optind != 2)
		bad("which shape and which runs? (see --help)");
}

static int find_fast(const struct shape *shape, const char *name)
{
	if (!name || !strcmp(name, shape->core[0].name))
		return 0;
	if (!strcmp(name, shape->core[1].name))
		return 1;
	bad("--fast=%s: the model is for %s and %s", name, shape->core[0].name,
	    shape->core[1].name);
}

/* One formula or the other, as what it was not fitted to says */
static int fit_better(const struct data *data, size_t terms, struct formula *formula)
{
	struct formula inverse;

	if (fit(data, terms, false, formula) || fit(data, terms, true, &inverse))
		return -1;
	if (inverse.cv_error < formula->cv_error)
		*formula = inverse;
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = { .time = "running_us", .terms = 12, .skip = 1 };
	struct truth truth;
	struct formula formula[2];
	struct training *t;
	struct shape *shape;
	struct runs *runs;
	char error[512];
	FILE *f;
	int core;

	parse(argc, argv, &o);
	/* What GSL would end the program for is checked before. */
	gsl_set_error_handler_off();
	f = must_open(argv[optind], "r");
	shape = shape_read(f, argv[optind], error, sizeof(error));
	fclose(f);
	if (!shape)
		bad("%s", error);
	f = must_open(argv[optind + 1], "r");
	runs = runs_read(f, argv[optind + 1], shape, error, sizeof(error));
	fclose(f);
	truth = (struct truth){ find_fast(shape, o.fast), o.time, o.energy, o.skip };
	t = runs ? train(runs, shape, &truth, error, sizeof(error)) : NULL;
	if (!t)
		bad("%s", error);
	for (core = 0; core < 2; core++) {
		struct data data = { t->nr_rows, shape->core[core].nr_metrics, t->metrics[core],
				     t->truth };

		if (fit_better(&data, o.terms, &formula[core]))
			bad("%zu windows are too few for %zu terms; run more, or use smaller windows",
			    t->nr_rows, o.terms);
	}
	f = o.output ? must_open(o.output, "w") : stdout;
	write_model(f, shape, formula, t, runs->nr);
	written(f, o.output ? o.output : "the model");
	training_free(t);
	runs_free(runs);
	shape_free(shape);
	return 0;
}
