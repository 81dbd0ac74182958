// SPDX-License-Identifier: GPL-2.0
/* pmc-workload: a program that uses one part of a machine, always with the same instructions. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "workload/workloads.h"

static const struct workload {
	const char *name;
	uint64_t (*work)(const struct workload_size *size);
	const char *text;
} workloads[] = {
	{ "integer", work_integer, "rotations, products and sums, each of the one before" },
	{ "float", work_float, "products of small matrices" },
	{ "divide", work_divide, "divisions of integers and of floating-point numbers" },
	{ "branch", work_branch, "branches that are taken at random" },
	{ "sort", work_sort, "calls, comparisons and copies" },
	{ "stream", work_stream, "memory in order, read and written" },
	{ "chase", work_chase, "memory at random, each access after the one before" },
	{ "tlb", work_tlb, "one word of each page, at random" },
	{ "syscall", work_syscall, "short system calls" },
	{ "fault", work_fault, "page faults" },
	{ "disk", work_disk, "a file, written, read, and brought to its disk" },
};
#define WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

static const char help[] =
"Usage: pmc-workload [OPTION]... KIND\n"
"Use one part of the machine, with the same instructions each time, to see what counters\n"
"and models make of it.\n"
"\n"
"  -n, --rounds=N     do so many rounds, each of about 100 000 instructions (default 10000)\n"
"  -s, --size=MB      memory of stream, chase and tlb, and file size of disk (default 64)\n"
"  -d, --folder=PATH  where disk makes its file (default: TMPDIR, or /tmp)\n"
"  -h, --help         show this text\n"
"\n"
"Kinds:\n";

#define ROUNDS_MAX 1000000000
#define MEGABYTES_MAX 2048

static void print_help(void)
{
	size_t i;

	fputs(help, stdout);
	for (i = 0; i < WORKLOADS; i++)
		printf("  %-8s %s\n", workloads[i].name, workloads[i].text);
	exit(0);
}

static const struct workload *find(const char *name)
{
	size_t i;

	for (i = 0; i < WORKLOADS; i++)
		if (!strcmp(name, workloads[i].name))
			return &workloads[i];
	bad("'%s' is no kind of work; see pmc-workload --help", name);
}

int main(int argc, char **argv)
{
	static const struct option names[] = {
		{ "rounds", required_argument, NULL, 'n' }, { "size", required_argument, NULL, 's' },
		{ "folder", required_argument, NULL, 'd' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	struct workload_size size = { 10000, 64 << 20, getenv("TMPDIR") };
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, "n:s:d:h", names, NULL)) != -1)
		switch (letter) {
		case 'n': size.rounds = option_number("--rounds", optarg, 1, ROUNDS_MAX); break;
		case 's': size.bytes = option_number("--size", optarg, 1, MEGABYTES_MAX) << 20; break;
		case 'd': size.folder = optarg; break;
		case 'h': print_help(); break;
		default: bad("option '%s' is not known, or has no argument; see pmc-workload --help",
			     argv[optind - 1]);
		}
	if (argc - optind != 1)
		bad("name one kind of work; see pmc-workload --help");
	if (!size.folder)
		size.folder = "/tmp";
	printf("%016" PRIx64 "\n", find(argv[optind])->work(&size));
	written(stdout, "standard output");
	return 0;
}
