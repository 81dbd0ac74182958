// SPDX-License-Identifier: GPL-2.0
/* pmc-model: fit a platform model to runs of programs on both core types. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>

#include "../command.h"
#include "write.h"

/* Limit of --skip */
#define SKIP_MAX	1000000

static const char help[] =
"Usage: pmc-model [OPTION]... SHAPE RUNS\n"
"Fit a model that estimates speedup factors or efficiency factors from event counts.\n"
"\n"
"SHAPE is a model file. The new model has its event sets and metrics; its formulae are\n"
"fitted. RUNS lists runs of programs on each core type, in lines\n"
"  PROGRAM CORETYPE FILE...\n"
"where each FILE was written by, for example,\n"
"  pmctrack -b CPUS --format=csv -o FILE -c instr:ebs=1000000,cycles,llc_misses PROGRAM\n"
"A sample in such a file is a window: a fixed number of instructions, the same in all\n"
"files. Events need the names that SHAPE uses. pmc-train-model makes such runs; the first\n"
"lines of a shape say with which options.\n"
"\n"
"  -o, --output=FILE       write the model to FILE (default: standard output)\n"
"  -f, --fast=CORETYPE     estimate how much faster this core type is than the other\n"
"                          (default: the first one in SHAPE)\n"
"  -T, --time=COLUMN       column with the time of each window (default: running_us).\n"
"                          Cycles, if all cores have the same clock rate, or counts of a\n"
"                          constant clock, such as Intel's reference cycles, do not\n"
"                          include the kernel's time\n"
"  -e, --energy=COLUMN     estimate the efficiency factor; COLUMN, that of a virtual\n"
"                          counter, has the energy of each window\n"
"  -s, --skip=N            leave out the first N windows of each program (default: 1)\n"
"  -t, --terms=N           use at most N terms in a formula (default: 12)\n"
"  -h, --help              show this text\n";

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
		bad("name a shape and a list of runs (see --help)");
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

/* Fit the factor and its inverse, and take the formula with less error in cross-validation. */
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
	/* GSL must not end the program: its errors are checked here. */
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
