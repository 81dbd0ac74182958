// SPDX-License-Identifier: GPL-2.0
/*
 * pmc-lu: solve a dense system of equations by threads, as the Linpack benchmark does, and
 * print how fast that was. Work is split equally, or stolen by threads that have none left.
 */
#include <getopt.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "lu/system.h"
#include "lu/team.h"

static const char help[] =
"Usage: pmc-lu [OPTION]...\n"
"Solve a dense system of equations with several threads, check the solution, and print the\n"
"performance in Gflops.\n"
"\n"
"  -n, --size=N        number of equations (default 1000)\n"
"  -b, --block=N       columns of a block (default 32)\n"
"  -t, --threads=N     number of threads (default: OMP_NUM_THREADS, or one for each CPU that\n"
"                      the program may run on)\n"
"      --static        each thread has an equal number of blocks in all steps (default); all\n"
"                      wait for the slowest core\n"
"      --steal         a thread that has no block left takes one of another thread\n"
"  -h, --help          show this text\n"
"\n"
"Example: pmctrack node -c all -o steal pmc-lu --steal -n 4000\n"
"\n"
"The exit status is 0 if the solution is right, 1 if it is wrong, 2 for other errors.\n";

struct lu_options {
	int n;
	int nb;
	int threads;
	int steal;
};

/* The matrix of the largest size takes 12.8 GB. */
#define SIZE_MAX_N	40000
#define THREADS_MAX	4096

static int default_threads(void)
{
	const char *text = getenv("OMP_NUM_THREADS");
	cpu_set_t cpus;

	if (text && *text)
		return option_number("OMP_NUM_THREADS", text, 1, THREADS_MAX);
	return sched_getaffinity(0, sizeof(cpus), &cpus) ? 1 : CPU_COUNT(&cpus);
}

static void parse(struct lu_options *o, int argc, char **argv)
{
	static const struct option names[] = {
		{ "size", required_argument, NULL, 'n' }, { "block", required_argument, NULL, 'b' },
		{ "threads", required_argument, NULL, 't' }, { "static", no_argument, NULL, 's' },
		{ "steal", no_argument, NULL, 'w' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	int letter;

	*o = (struct lu_options){ .n = 1000, .nb = 32 };
	opterr = 0;
	while ((letter = getopt_long(argc, argv, "n:b:t:h", names, NULL)) != -1)
		switch (letter) {
		case 'n': o->n = option_number("-n", optarg, 1, SIZE_MAX_N); break;
		case 'b': o->nb = option_number("-b", optarg, 1, SIZE_MAX_N); break;
		case 't': o->threads = option_number("-t", optarg, 1, THREADS_MAX); break;
		case 's': o->steal = 0; break;
		case 'w': o->steal = 1; break;
		case 'h': fputs(help, stdout); exit(0);
		default: bad("option '%s' is not known, or has no argument; see pmc-lu --help",
			     argv[optind - 1]);
		}
	if (argv[optind])
		bad("'%s' is not an option; see pmc-lu --help", argv[optind]);
	if (!o->threads)
		o->threads = default_threads();
}

/* Floating-point operations as HPL counts them: 2/3 n^3 + 3/2 n^2 */
static double operations(double n)
{
	return (2.0 / 3 * n + 1.5) * n * n;
}

int main(int argc, char **argv)
{
	struct lu_options o;
	struct matrix m;
	double took, residual;

	parse(&o, argc, argv);
	if (system_init(&m, o.n, o.nb))
		bad("no memory for %d equations: choose a smaller -n", o.n);
	took = team_factorise(&m, o.threads, o.steal);
	printf("N %d, NB %d, %d threads, %s\n", o.n, o.nb, o.threads,
	       o.steal ? "work stealing" : "equal shares");
	printf("%.6f s, %.6g Gflops\n", took, operations(o.n) / took / 1e9);
	residual = system_residual(&m);
	if (residual < 0)
		bad("no memory to check the solution");
	printf("scaled residual %.3g: %s\n", residual, residual < RESIDUAL_MOST ? "PASSED" : "FAILED");
	written(stdout, "standard output");
	system_free(&m);
	return residual < RESIDUAL_MOST ? 0 : 1;
}
