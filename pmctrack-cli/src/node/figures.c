// SPDX-License-Identifier: GPL-2.0
/* Figures of runs, drawn by gnuplot. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "node/figures.h"

/* Size of a panel in points */
#define WIDTH	900
#define HEIGHT	420

static const struct figure_kind *const kinds[FIGURES] = {
	&figure_frequency, &figure_power, &figure_throttling, &figure_cores,
};

const char *figure_colour(int n)
{
	/* Okabe and Ito's palette, which colour-blind readers can tell apart */
	static const char *const colours[] = {
		"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
	};

	return colours[n % (sizeof(colours) / sizeof(colours[0]))];
}

void figure_quote(const char *text, FILE *f)
{
	fputc('\'', f);
	for (; *text; text++)
		fprintf(f, *text == '\'' ? "''" : "%c", *text);
	fputc('\'', f);
}

void figure_value(double value, FILE *f)
{
	if (isnan(value))
		fputs(" NaN", f);
	else
		fprintf(f, " %.6g", value);
}

void figure_panel_title(const struct run_group *group, FILE *f)
{
	char title[256];

	snprintf(title, sizeof(title), "%s on cores %s, mean of %d run%s", group->name, group->cores,
		 group->nr, group->nr == 1 ? "" : "s");
	fputs("set title ", f);
	figure_quote(title, f);
	fputc('\n', f);
}

static const char *ending(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot : "";
}

static void write_terminal(const char *path, int panels, FILE *f)
{
	int svg = !strcmp(ending(path), ".svg");

	fprintf(f, "set terminal %s size %d,%d noenhanced font 'Sans,11' background rgb 'white'\nset output ",
		svg ? "svg" : "pngcairo", WIDTH, HEIGHT * panels);
	figure_quote(path, f);
	fputs("\nset grid\nset key outside right top\nset offsets 0, graph 0.03, graph 0.08, 0\nset datafile missing 'NaN'\n", f);
}

static void write_commands(int number, const struct run_groups *groups, const char *path, FILE *f)
{
	const struct figure_kind *kind = kinds[number - 1];
	int panels = kind->by_group ? groups->nr : 1, i, drawn = 0;

	for (i = 0; i < groups->nr; i++)
		drawn += kind->data(groups, i, f);
	if (drawn < groups->nr)
		bad("figure %d shows %s: %s has not sampled all of that", number, kind->title,
		    drawn || groups->nr > 1 ? "a run" : groups->all[0].mean.path);
	write_terminal(path, panels, f);
	fprintf(f, "set multiplot layout %d,1\n", panels);
	for (i = 0; i < panels; i++)
		kind->plot(groups, i, f);
	fputs("unset multiplot\n", f);
}

static void run_gnuplot(const char *script)
{
	char *command;
	int status;

	if (system("command -v gnuplot >/dev/null"))
		bad("gnuplot draws figures, and is not installed: install Debian's package gnuplot-nox, or write its commands to a file (-o NAME.gp)");
	if (asprintf(&command, "gnuplot '%s'", script) < 0)
		bad("out of memory");
	status = system(command);
	free(command);
	unlink(script);
	if (status)
		bad("gnuplot failed: status %d", WIFEXITED(status) ? WEXITSTATUS(status) : status);
}

static void close_script(FILE *f, const char *name)
{
	written(f, name);
	fclose(f);
}

/* gnuplot reads its commands from a file beside no other: its name is not the user's. */
static void draw_by_gnuplot(int number, const struct run_groups *groups, const char *path)
{
	char script[] = "/tmp/pmctrack-figure-XXXXXX";
	int fd = mkstemp(script);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		bad("cannot write %s: %s", script, strerror(errno));
	write_commands(number, groups, path, f);
	close_script(f, script);
	run_gnuplot(script);
}

void figure_draw(int number, const struct run_groups *groups, const char *path)
{
	char image[512];
	FILE *f;

	if (!strcmp(ending(path), ".png") || !strcmp(ending(path), ".svg")) {
		draw_by_gnuplot(number, groups, path);
		return;
	}
	if (strcmp(ending(path), ".gp"))
		bad("-o %s: a figure's name ends in .png, .svg or .gp", path);
	f = fopen(path, "we");
	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	snprintf(image, sizeof(image), "%.*s.png", (int)(strlen(path) - 3), path);
	write_commands(number, groups, image, f);
	close_script(f, path);
}
