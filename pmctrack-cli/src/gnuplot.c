// SPDX-License-Identifier: GPL-2.0
/* Pictures that gnuplot draws. */
#include <errno.h>
#include <math.h>
#include <signal.h>
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

/* @output: the picture's file; NULL: standard output */
static void write_script(const struct picture *picture, int svg, const char *output, FILE *f)
{
	fprintf(f, "set terminal %s size %d,%d noenhanced font 'Sans,11' background rgb 'white'\n",
		svg ? "svg" : "pngcairo", picture->width, picture->height);
	if (output) {
		fputs("set output ", f);
		gnuplot_quote(output, f);
		fputc('\n', f);
	}
	fputs("set grid\n", f);
	picture->write(picture->arg, f);
}

static FILE *open_file(const char *path)
{
	FILE *f = fopen(path, "we");

	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	return f;
}

static void close_file(FILE *f, const char *name)
{
	written(f, name);
	fclose(f);
}

/*
 * If SIGCHLD is ignored, the kernel does not report how a child ended. @before: out: what sets it
 * back, as the program that pmctrack runs gets the original
 */
static void notice_children(struct sigaction *before)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };

	sigaction(SIGCHLD, &usual, before);
}

/* gnuplot does not say that the disk is full: this process writes the picture. */
static void run_gnuplot(const char *script, FILE *to)
{
	char *command, buf[1 << 14];
	struct sigaction sigchld;
	FILE *picture;
	int status;
	size_t n;

	if (asprintf(&command, "gnuplot '%s'", script) < 0)
		bad("out of memory");
	notice_children(&sigchld);
	picture = popen(command, "re");
	if (!picture)
		bad("cannot run gnuplot: %s", strerror(errno));
	free(command);
	while ((n = fread(buf, 1, sizeof(buf), picture)))
		fwrite(buf, 1, n, to);
	status = pclose(picture);
	sigaction(SIGCHLD, &sigchld, NULL);
	if (status)
		bad("gnuplot failed: status %d; its commands are in %s",
		    WIFEXITED(status) ? WEXITSTATUS(status) : status, script);
	unlink(script);
}

/* gnuplot reads its commands from a file beside no other: its name is not the user's. */
static void draw_by_gnuplot(const struct picture *picture, const char *path)
{
	char script[] = "/tmp/pmctrack-figure-XXXXXX";
	FILE *to = open_file(path);
	int fd = mkstemp(script);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		bad("cannot write %s: %s", script, strerror(errno));
	write_script(picture, !strcmp(ending(path), ".svg"), NULL, f);
	close_file(f, script);
	run_gnuplot(script, to);
	close_file(to, path);
}

static int is_image(const char *path)
{
	return !strcmp(ending(path), ".png") || !strcmp(ending(path), ".svg");
}

static int is_installed(void)
{
	struct sigaction sigchld;
	int status;

	notice_children(&sigchld);
	status = system("command -v gnuplot >/dev/null");
	sigaction(SIGCHLD, &sigchld, NULL);
	return !status;
}

void gnuplot_check(const char *path)
{
	if (!is_image(path) && strcmp(ending(path), ".gp"))
		bad("-o %s: a figure's name ends in .png, .svg or .gp", path);
	if (is_image(path) && !is_installed())
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
	f = open_file(path);
	snprintf(image, sizeof(image), "%.*s.png", (int)(strlen(path) - 3), path);
	write_script(picture, 0, image, f);
	close_file(f, path);
}
