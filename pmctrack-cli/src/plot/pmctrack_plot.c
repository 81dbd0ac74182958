// SPDX-License-Identifier: GPL-2.0
/* pmctrack plot: the figure of a run that was recorded in JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "gnuplot.h"
#include "option_table.h"
#include "options.h"
#include "recorded_file.h"
#include "recorded_run.h"

static const char help[] =
"Usage: pmctrack plot [OPTION]... RUN.json\n"
"Draw a figure of a run that pmctrack --format=json recorded: a panel for each quantity over time, with\n"
"a line for each thread or CPU on each core type. gnuplot draws it. (pmctrack -o RUN.svg draws the same\n"
"figure at once.)\n"
"\n"
"  -o, --output=FILE         draw it to FILE.svg or FILE.png; FILE.gp gets gnuplot's commands\n"
"                            (default: RUN.svg)\n"
"      --by=BY               a line for each thread or CPU (thread, default), or for each core type\n"
"                            (coretype)\n"
"  -h, --help                show this text\n"
"\n"
"Example: pmctrack -o run.json -c instr,cycles -T 0.1 ./app && pmctrack plot -o run.png run.json\n";

static void take_by(struct options *o, const char *text)
{
	if (strcmp(text, "thread") && strcmp(text, "coretype"))
		bad("plot: --by takes thread or coretype, not '%s'", text);
	o->plot = strcmp(text, "thread") ? PLOT_CORE_TYPES : PLOT_THREADS;
}

static const struct option_row rows[] = {
	OPTION_TEXT('o', "output", struct options, output),
	OPTION_TAKE(LONG_ONLY(0), "by", take_by),
	{ 0 }
};

/* The samples go the way that they went while the program ran. Return: how many last some time */
static uint64_t take_samples(struct recorded_run *run, struct report *report, struct options *o)
{
	struct pmc_reading r;
	uint64_t nr = 0, lasting = 0;

	while (recorded_run_next(run, &r)) {
		o->syswide = run->of_cpus;
		report->ops->sample(report, ++nr, &r);
		lasting += r.elapsed != 0;
	}
	return lasting;
}

static void draw(struct recorded_run *run, struct options *o)
{
	struct report report = {
		.ops = &report_image, .o = o, .layout = &run->layout, .recorded = run->numbers,
		.title = recorded_run_title(run),
	};
	struct summary summary = { 0 };

	recorded_run_losses(run, &summary);
	if (report.ops->begin(&report))
		bad("out of memory");
	if (!take_samples(run, &report, o))
		bad("plot: %s has no samples to draw: record it with a shorter -T", run->path);
	if (report.no_memory)
		bad("out of memory");
	report.ops->end(&report, &summary);
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct recorded_run run;
	char **words, *output;

	program_invocation_short_name = "pmctrack";
	argv[0] = "pmctrack plot";
	words = option_table_parse(rows, help, &o, argc, argv);
	if (!words || words[1])
		bad("plot: name one file that pmctrack --format=json has written");
	output = o.output ? strdup(o.output) : recorded_rename(words[0], ".svg");
	o.output = must_have(output);
	gnuplot_check(o.output);
	recorded_run_open(&run, words[0]);
	draw(&run, &o);
	recorded_run_close(&run);
	free(output);
	return 0;
}
