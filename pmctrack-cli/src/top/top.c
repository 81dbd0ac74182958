// SPDX-License-Identifier: GPL-2.0
/* pmctrack top: the threads of the machine, with metrics, as they run. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "interrupted.h"
#include "option_table.h"
#include "options.h"
#include "output.h"
#include "top/screen.h"
#include "top/view.h"
#include "verb.h"
#include "write_interruptible.h"

/* Metrics that are always counted. All are of counters that every core type has. */
#define USUAL_METRICS "ipc,mips[%.0f]=instr/duration_time/1e6,migr[%.0f]=migrations"

static const char help[] =
"Usage: pmctrack top [OPTION]...\n"
"Show the threads of the machine as they run: on which core type, how much of the time, and\n"
"metrics such as instructions per cycle. Press ? for the keys.\n"
"\n"
"  -d, --delay=SECONDS       time between two looks (default 1)\n"
"  -m, --metrics=METRICS     show these metrics, too: names, groups, or own ones:\n"
"                            'x[%.1f]=1000*llc_misses/instr'\n"
"  -V, --virtual=NAMES       show virtual counters of monitoring modules: energy_core, ...\n"
"  -p, --pid=PID[,PID]...    only these processes and their children\n"
"      --filter=MODE         count in the modes user, kernel or all (all, if that is allowed)\n"
"  -s, --sort=COLUMN         sort by this column: a heading, or the name of a metric (%CPU)\n"
"  -r, --reverse             least first\n"
"      --show=TEXT           only threads with this name, user or number\n"
"  -b, --batch               print to standard output, for files and pipes\n"
"  -n, --frames=N            end after N frames\n"
"      --rows=N              with -b: at most N threads a frame\n"
"  -h, --help                show this text\n"
"\n"
"Your own processes are counted; with CAP_PERFMON, as root, those of all users.\n"
"\n"
"Example: pmctrack top -m llc_mpki -s llc_mpki\n";

/**
 * struct top_options - the command line
 * @o: for the table of options
 * @frames: 0: no limit
 * @rows: 0: no limit
 */
struct top_options {
	struct options o;
	struct top_view view;
	const char *sort;
	const char *show;
	int batch;
	uint64_t frames;
	int rows;
};

static struct top_options *of(struct options *o)
{
	return (struct top_options *)o;
}

static void take_delay(struct options *o, const char *text)
{
	of(o)->view.delay_us = options_seconds("-d", text);
	if (of(o)->view.delay_us < 100000)
		bad("top: -d: at least 0.1 s, not '%s'", text);
}

static void take_metrics(struct options *o, const char *text)
{
	names_add(&of(o)->view.metrics, text);
}

static void take_virtuals(struct options *o, const char *text)
{
	names_add(&of(o)->view.virtuals, text);
}

static void take_frames(struct options *o, const char *text)
{
	of(o)->frames = option_number("top: -n", text, 1, UINT64_MAX);
}

static void take_rows(struct options *o, const char *text)
{
	of(o)->rows = option_number("top: --rows", text, 1, 1000000);
}

#define FLAG(letter, name, member) OPTION_FLAG(letter, name, struct top_options, member)
#define TEXT(letter, name, member) OPTION_TEXT(letter, name, struct top_options, member)

static const struct option_row rows[] = {
	OPTION_TAKE('d', "delay", take_delay),
	OPTION_TAKE('m', "metrics", take_metrics),
	OPTION_TAKE('V', "virtual", take_virtuals),
	OPTION_TAKE('p', "pid", options_take_pids),
	OPTION_TAKE(LONG_ONLY(2), "filter", options_take_filter),
	TEXT('s', "sort", sort),
	FLAG('r', "reverse", view.reverse),
	TEXT(LONG_ONLY(0), "show", show),
	FLAG('b', "batch", batch),
	OPTION_TAKE('n', "frames", take_frames),
	OPTION_TAKE(LONG_ONLY(1), "rows", take_rows),
	{ 0 }
};

static void parse(struct top_options *t, int argc, char **argv)
{
	char **words;

	memset(t, 0, sizeof(*t));
	view_init(&t->view);
	argv[0] = "pmctrack top";
	words = option_table_parse(rows, help, &t->o, argc, argv);
	if (words)
		bad("top: '%s' is no option: to count a program, start it first and name it with -p", words[0]);
	if (t->rows && !t->batch)
		bad("top: --rows is for -b: a terminal shows as many rows as it has lines");
	if (t->show)
		snprintf(t->view.filter, sizeof(t->view.filter), "%s", t->show);
}

/* ---- counting ---- */

static int start(struct top_view *view, struct thread_counting *c, char *error, size_t size)
{
	const struct counting_choice choice = {
		.usual = USUAL_METRICS,
		.metrics = (const char *const *)view->metrics.all, .nr_metrics = view->metrics.nr,
		.virtuals = (const char *const *)view->virtuals.all, .nr_virtuals = view->virtuals.nr,
	};
	int rc = counting_start(c, &choice, error, size);

	if (!rc) {
		counting_look(c);
		counting_sample(c);
	}
	return rc;
}

/* The user's choice before the present one, for the case that the present one cannot be counted */
static struct top_names metrics_before, virtuals_before;

static void remember_choice(const struct top_view *view)
{
	names_copy(&metrics_before, &view->metrics);
	names_copy(&virtuals_before, &view->virtuals);
}

/* Count what the view wants now; if that is not possible, what it wanted before. */
static void restart(struct top_view *view, struct thread_counting *c)
{
	counting_stop(c);
	view->nr_rows = 0;
	if (!start(view, c, view->message, sizeof(view->message))) {
		remember_choice(view);
		return;
	}
	names_copy(&view->metrics, &metrics_before);
	names_copy(&view->virtuals, &virtuals_before);
	/* With an error that stays, it is tried again after each interval. */
	start(view, c, view->message, sizeof(view->message));
}

/* Take the samples of an interval that began at @since. Return: when the next one began */
static uint64_t take_interval(struct top_view *view, struct thread_counting *c, uint64_t since)
{
	uint64_t now = monotonic_ns();

	if (c->session)
		counting_end_interval(c, view->delay_us, now - since);
	return now;
}

/* After the frame was made: count new processes, and count anew after the counters were taken. */
static void go_on(struct top_view *view, struct thread_counting *c)
{
	if (c->session && !c->threads.evicted) {
		counting_look(c);
		return;
	}
	restart(view, c);
	if (c->session)
		snprintf(view->message, sizeof(view->message),
			 "A privileged session has taken the counters; counting has begun anew");
}

/* ---- to a file ---- */

static void print_frame(const struct top_frame *frame, FILE *f)
{
	int i, end;

	for (i = 0; i < frame->nr; i++) {
		for (end = frame->lines[i].len; end && frame->lines[i].text[end - 1] == ' '; end--)
			;
		fprintf(f, "%.*s\n", end, frame->lines[i].text);
	}
	fputc('\n', f);
}

static void write_frame(const struct top_frame *frame)
{
	char *text;
	size_t len;
	FILE *f = must_have(open_memstream(&text, &len));

	print_frame(frame, f);
	if (fclose(f))
		bad("out of memory");
	if (write_interruptible(STDOUT_FILENO, text, len))
		bad("top: cannot write standard output: %s", strerror(errno));
	free(text);
}

/* A message that stays the same is printed once. */
static void print_message(struct top_view *view)
{
	static char printed[sizeof(view->message)];

	if (*view->message && strcmp(view->message, printed))
		fprintf(stderr, "pmctrack top: %s\n", view->message);
	snprintf(printed, sizeof(printed), "%s", view->message);
	*view->message = '\0';
}

static int batch(struct top_options *t, struct thread_counting *c)
{
	struct top_frame frame = { .width = FRAME_WIDTH_MAX };
	struct top_view *view = &t->view;
	uint64_t since = monotonic_ns(), nr;
	int width = output_width(stdout);

	if (width)
		frame.width = width;
	for (nr = 0; !interrupted && (!t->frames || nr < t->frames); nr++) {
		counting_sleep_until(c, since + view->delay_us * 1000);
		if (interrupted)
			break;
		since = take_interval(view, c, since);
		table_sort(view, c);
		if (t->rows && view->nr_rows > t->rows)
			view->nr_rows = t->rows;
		view_frame(view, c, &frame, 0);
		write_frame(&frame);
		/* No process is known while nothing can be counted. */
		if (c->session && t->o.nr_pids && !c->nr_processes)
			break;
		go_on(view, c);
		print_message(view);
	}
	frame_free(&frame);
	return 0;
}

/* ---- on the terminal ---- */

static void draw(struct top_view *view, struct thread_counting *c, struct top_frame *frame)
{
	screen_size(frame);
	view_frame(view, c, frame, 1);
	screen_draw(frame);
}

/* Take keys until @end. Return: 0 if the user wants to quit */
static int take_keys(struct top_view *view, struct thread_counting *c, struct top_frame *frame, uint64_t end)
{
	struct pollfd fds[] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = c->session ? pmc_session_fd(c->session) : -1, .events = POLLIN },
	};
	enum top_action action;
	uint64_t now;
	int key;

	while (!interrupted && (now = monotonic_ns()) < end) {
		poll(fds, 2, (end - now) / 1000000 + 1);
		if (fds[1].revents & POLLIN)
			counting_drain(c);
		else if (fds[1].revents)
			fds[1].fd = -1;
		/* The terminal is gone. */
		if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
			return 0;
		while ((key = screen_key()) >= 0) {
			action = key ? view_key(view, c, key) : TOP_REDRAW;
			if (action == TOP_QUIT)
				return 0;
			if (action == TOP_RESTART) {
				restart(view, c);
				fds[1].fd = c->session ? pmc_session_fd(c->session) : -1;
			}
			draw(view, c, frame);
		}
	}
	return !interrupted;
}

static int interactive(struct top_options *t, struct thread_counting *c)
{
	struct top_view *view = &t->view;
	struct top_frame frame = { 0 };
	uint64_t since = monotonic_ns(), last_drain = since, nr = 0;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		bad("top: standard input and output are no terminal: use -b to print to a file or a pipe");
	if (screen_begin())
		bad("top: ncurses does not know the terminal '%s': set TERM, or use -b", getenv("TERM") ?: "");
	snprintf(view->message, sizeof(view->message), "The first values come in %.3g s", view->delay_us / 1e6);
	draw(view, c, &frame);
	while (take_keys(view, c, &frame, (view->paused ? last_drain : since) + view->delay_us * 1000)) {
		if (!nr)
			*view->message = '\0';
		/* The interval goes on while the screen stays as it is. */
		if (view->paused) {
			counting_drain(c);
			last_drain = monotonic_ns();
			continue;
		}
		since = take_interval(view, c, since);
		table_sort(view, c);
		draw(view, c, &frame);
		if (++nr == t->frames)
			break;
		go_on(view, c);
	}
	screen_end();
	frame_free(&frame);
	return 0;
}

int top_main(int argc, char **argv)
{
	struct top_options t;
	struct thread_counting c = { 0 };
	pmc_machine_t *machine;
	char error[256];
	int status;

	parse(&t, argc, argv);
	machine = pmc_machine_open();
	if (!machine)
		bad("top: %s", pmc_last_error());
	if (!pmc_machine_has_module(machine))
		bad("top: the kernel module is not loaded: modprobe pmctrack");
	c.verb = "top";
	c.machine = machine;
	c.filter = t.o.filter;
	c.pids = t.o.pids;
	c.nr_pids = t.o.nr_pids;
	if (start(&t.view, &c, error, sizeof(error)))
		bad("top: %s", error);
	if (c.nr_processes == c.nr_refused)
		bad("top: no process may be counted: %s", c.nr_refused ? c.why : "there is none with these numbers");
	remember_choice(&t.view);
	if (t.sort && (t.view.sort = table_column(&c, t.sort)) < 0)
		bad("top: -s: there is no column '%s'", t.sort);
	catch_interrupts();
	status = t.batch ? batch(&t, &c) : interactive(&t, &c);
	names_free(&metrics_before);
	names_free(&virtuals_before);
	view_free(&t.view);
	counting_stop(&c);
	pmc_machine_close(machine);
	return status;
}
