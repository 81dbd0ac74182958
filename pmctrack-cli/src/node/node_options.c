// SPDX-License-Identifier: GPL-2.0
/* The command line of pmctrack node. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/figures.h"
#include "node/node_options.h"
#include "node/sources.h"
#include "option_table.h"

#define SETTLE_LIMIT_US 600000000

static const char help[] =
"Usage: pmctrack node [OPTION]... PROGRAM [ARGUMENT]...\n"
"       pmctrack node --summary | --average -o FOLDER | --figure=N | --table=N FOLDER...\n"
"Run a program several times under the same conditions, and sample the machine meanwhile:\n"
"frequency of each CPU, temperatures, energy by domain, power limits, throttling, and events\n"
"of the program on each core type. Each run gets a folder with samples.csv (a row for each\n"
"sample), about.txt (what the run was) and output.txt (what the program printed). Sources\n"
"that the machine has not are named and left out.\n"
"\n"
"  -c, --cores=CORES         where the program runs: CPUs, as 0,2,4-6; or all: one CPU of\n"
"                            each core; or one CPU of each core of some core types, as P or\n"
"                            P,E. OMP_NUM_THREADS is their number. Default: all\n"
"  -n, --runs=N              run the program N times (default 1)\n"
"  -T, --period=SECONDS      time between samples (default 1; at least 0.001)\n"
"  -o, --output=FOLDER       where the folders run-01, ... are made (default: node)\n"
"      --settle=WHAT         before each run wait for a time, as 60; or until a thermal zone\n"
"                            is at most so hot: thermal_zone9:35000, or x86_pkg_temp:35000\n"
"      --settle-limit=SECONDS  the longest time to wait for the zone (default 600)\n"
"      --run-time=SECONDS    how long a run will take; the expected time is then printed\n"
"                            first. Without it, the first run shows it\n"
"  -e, --events=EVENTS       events of the program (default: instr,cycles,llc_references,\n"
"                            llc_misses on core types that have all of them; on others\n"
"                            instr,cycles)\n"
"  -s, --sources=SOURCES     sample these alone: frequency,temperature,energy,limits,\n"
"                            throttling,counters\n"
"      --name=NAME           what tables and figures call the program (default: its name and\n"
"                            arguments)\n"
"\n"
"From folders of runs; runs of the same name on the same cores are averaged:\n"
"      --summary             print the table of runs again\n"
"      --average             write the average of runs, which is a run, into the folder of -o\n"
"      --figure=N            draw, to -o NAME.png, .svg, or .gp for gnuplot's commands (default\n"
"                            figure-N.png): 1 frequencies over time; 2 power and temperature\n"
"                            over time, with limits; 3 frequency against temperature; 4\n"
"                            performance against number and kind of cores\n"
"      --table=N             print, or write to the file of -o: 2 performance of programs on\n"
"                            sets of cores; 3 miss rates and shares of instructions by core\n"
"                            type (the numbers are those of the paper, see pmctrack-node(1))\n"
"  -h, --help                show this text\n"
"\n"
"Example: pmctrack node -n 10 --settle=x86_pkg_temp:35000 -c P -o p-cores ./xhpl\n"
"\n"
"The exit status is that of the last run that failed, or 0; 2 if pmctrack cannot do what was\n"
"asked.\n";

static struct node_options *of(struct options *o)
{
	return (struct node_options *)o;
}

static void take_runs(struct options *o, const char *text)
{
	of(o)->runs = option_number("-n", text, 1, 9999);
}

static void take_settle_limit(struct options *o, const char *text)
{
	of(o)->settle_limit_us = options_seconds("--settle-limit", text);
}

static void take_figure(struct options *o, const char *text)
{
	of(o)->figure = option_number("--figure", text, 1, FIGURES);
}

static void take_table(struct options *o, const char *text)
{
	of(o)->table = option_number("--table", text, 2, 3);
}

static void take_run_time(struct options *o, const char *text)
{
	of(o)->run_time_us = options_seconds("--run-time", text);
}

#define FLAG(letter, name, member) OPTION_FLAG(letter, name, struct node_options, member)
#define TEXT(letter, name, member) OPTION_TEXT(letter, name, struct node_options, member)

static const struct option_row rows[] = {
	TEXT('c', "cores", cores),
	OPTION_TAKE('n', "runs", take_runs),
	OPTION_TAKE('T', "period", options_take_period),
	TEXT('o', "output", o.output),
	TEXT(LONG_ONLY(0), "settle", settle),
	OPTION_TAKE(LONG_ONLY(1), "settle-limit", take_settle_limit),
	OPTION_TAKE(LONG_ONLY(2), "run-time", take_run_time),
	TEXT('e', "events", events),
	TEXT('s', "sources", sources),
	TEXT(LONG_ONLY(3), "name", name),
	FLAG(LONG_ONLY(4), "summary", summary),
	FLAG(LONG_ONLY(5), "average", average),
	OPTION_TAKE(LONG_ONLY(6), "figure", take_figure),
	OPTION_TAKE(LONG_ONLY(7), "table", take_table),
	{ 0 }
};

/* How many of the things that are done with folders were asked for */
static int works_on_folders(const struct node_options *n)
{
	return n->summary + n->average + !!n->figure + !!n->table;
}

void node_options_parse(struct node_options *n, int argc, char **argv)
{
	memset(n, 0, sizeof(*n));
	n->runs = 1;
	n->cores = "all";
	n->settle_limit_us = SETTLE_LIMIT_US;
	n->o.period_us = 1000000;
	argv[0] = "pmctrack node";
	n->o.command = option_table_parse(rows, help, &n->o, argc, argv);
	if (n->o.period_us < 1000)
		bad("node: -T is at least 0.001");
	if (works_on_folders(n) > 1)
		bad("node: choose one of --summary, --average, --figure and --table");
	if (!n->o.command)
		bad(works_on_folders(n) ? "node: name the folders of runs" :
		    "node: no program to run: name one, as in pmctrack node ./xhpl");
	if (n->average && !n->o.output)
		bad("node: --average writes a folder: name it with -o");
}
