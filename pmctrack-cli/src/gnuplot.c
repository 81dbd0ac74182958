// SPDX-License-Identifier: GPL-2.0
/* Pictures that gnuplot draws. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "gnuplot.h"

const char *gnuplot_colour(int n)
{
	static const char *const colours[] = {
		"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
	};

	return colours[n % (sizeof(colours) / sizeof(colours[0]))];
}

void gnuplot_quote(const char *text, FILE *f)
{
	fputc('\'', f);
	for (; *text; text++)
		fprintf(f, *text == '\'' ? "''" : "%c", *text);
	fputc('\'', f);
}

void gnuplot_value(double value, FILE *f)
{
	if (isnan(value))
		fputs(" NaN", f);
	else
		fprintf(f, " %.6g", value);
}

static const char *ending(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? dot : "";
}

static void write_script(const struct picture *picture, const char *path, FILE *f)
{
	int svg = !strcmp(ending(path), ".svg");

	fprintf(f, "set terminal %s size %d,%d noenhanced font 'Sans,11' background rgb 'white'\nset output ",
		svg ? "svg" : "pngcairo", picture->width, picture->height);
	gnuplot_quote(path, f);
	fputs("\nset grid\nset datafile missing 'NaN'\n", f);
	picture->write(picture->arg, f);
}

static void run_gnuplot(const char *script)
{
	char *command;
	int status;

	if (asprintf(&command, "gnuplot '%s'", script) < 0)
		bad("out of memory");
	status = system(command);
	free(command);
	if (status)
		bad("gnuplot failed: status %d; its commands are in %s",
		    WIFEXITED(status) ? WEXITSTATUS(status) : status, script);
	unlink(script);
}

static void close_script(FILE *f, const char *name)
{
	written(f, name);
	fclose(f);
}

/* gnuplot reads its commands from a file beside no other: its name is not the user's. */
static void draw_by_gnuplot(const struct picture *picture, const char *path)
{
	char script[] = "/tmp/pmctrack-figure-XXXXXX";
	int fd = mkstemp(script);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		bad("cannot write %s: %s", script, strerror(errno));
	write_script(picture, path, f);
	close_script(f, script);
	run_gnuplot(script);
}

static int is_image(const char *path)
{
	return !strcmp(ending(path), ".png") || !strcmp(ending(path), ".svg");
}

void gnuplot_check(const char *path)
{
	if (!is_image(path) && strcmp(ending(path), ".gp"))
		bad("-o %s: a figure's name ends in .png, .svg or .gp", path);
	if (is_image(path) && system("command -v gnuplot >/dev/null"))
		bad("gnuplot draws figures, and is not installed: install Debian's package gnuplot-nox, or write its commands to a file (-o NAME.gp)");
}

void gnuplot_draw(const struct picture *picture, const char *path)
{
	char image[512];
	FILE *f;

	gnuplot_check(path);
	if (is_image(path)) {
		draw_by_gnuplot(picture, path);
		return;
	}
	f = fopen(path, "we");
	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	snprintf(image, sizeof(image), "%.*s.png", (int)(strlen(path) - 3), path);
	write_script(picture, image, f);
	close_script(f, path);
}
