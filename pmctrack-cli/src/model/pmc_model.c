// SPDX-License-Identifier: GPL-2.0
/* pmc-model: fit a platform model to runs of programs on both core types. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "write.h"

/* Limit of --skip */
#define SKIP_MAX	1000000
/* With fewer programs the errors themselves are uncertain. */
#define PROGRAMS_FEW	20

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
"Errors are printed for each program. They are those of programs that were left out of\n"
"the fit: run 20 programs or more, of different kinds. If the estimates are no better than\n"
"a constant, no model is written, and the exit status is 1.\n"
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
"  -t, --terms=N           use at most N terms in a formula (default: a third of the number\n"
"                          of programs, and at most 12)\n"
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

static void check_number(size_t nr_programs)
{
	if (nr_programs < VALIDATE_PROGRAMS_MIN)
		bad("%zu programs: too few to tell what a model is worth; run %d or more",
		    nr_programs, VALIDATE_PROGRAMS_MIN);
	if (nr_programs < PROGRAMS_FEW)
		fprintf(stderr, "pmc-model: warning: %zu programs are few, and the errors uncertain; run %d or more\n",
			nr_programs, PROGRAMS_FEW);
}

/* Exit if the estimates of a core type contain nothing. */
static void check_errors(const struct shape *shape, const struct validation *v)
{
	int core, failed = 0;

	for (core = 0; core < 2; core++) {
		if (validation_passed(&v[core]))
			continue;
		failed = 1;
		fprintf(stderr, "pmc-model: the metrics on %s say nothing about the factor: the error is %.2f %%, that of a constant %.2f %% (p = %.3f)\n",
			shape->core[core].name, v[core].left_out.all_mean * 100,
			v[core].constant.all_mean * 100, v[core].chance);
	}
	if (!failed)
		return;
	fprintf(stderr, "pmc-model: no model is written\n");
	exit(1);
}

int main(int argc, char **argv)
{
	struct options o = { .time = "running_us", .skip = 1 };
	struct truth truth;
	struct formula formula[2];
	struct validation validation[2];
	struct training *t;
	struct shape *shape;
	struct runs *runs;
	char error[512];
	FILE *f;
	int core;

	parse(argc, argv, &o);
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
	check_number(runs->nr);
	for (core = 0; core < 2; core++) {
		struct data data = { t->nr_rows, shape->core[core].nr_metrics, runs->nr,
				     t->metrics[core], t->truth, t->program };

		validate(&data, o.terms ? o.terms : default_terms(runs->nr), &formula[core],
			 &validation[core]);
	}
	print_errors(stderr, shape, validation, runs);
	check_errors(shape, validation);
	f = o.output ? must_open(o.output, "w") : stdout;
	write_model(f, shape, formula, validation, runs, t);
	written(f, o.output ? o.output : "the model");
	for (core = 0; core < 2; core++)
		validation_free(&validation[core]);
	training_free(t);
	runs_free(runs);
	shape_free(shape);
	return 0;
}
