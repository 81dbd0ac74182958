// SPDX-License-Identifier: GPL-2.0
/* pmctrack listen: the samples of sessions that other processes have opened. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "interrupted.h"
#include "listen/listen.h"
#include "option_table.h"
#include "options.h"
#include "output.h"
#include "verb.h"
#include "write_interruptible.h"

/* After such a silence, ms, the session may have ended. */
#define SILENCE_MS 2000

/*
 * After so many messages, write what was printed, and look at the time: messages may come as fast as
 * they are printed.
 */
#define MESSAGES_AT_ONCE 256

static const char help[] =
"Usage: pmctrack listen [OPTION]... [SESSION]\n"
"Print the samples that other processes take, as those processes receive them: of all sessions\n"
"that you may read, or of one. The sessions lose nothing by it, and any number of commands may\n"
"listen to the same session.\n"
"\n"
"  -l, --list                list the sessions that count now, and their numbers\n"
"  -m, --metrics=METRICS     metrics of each sample, of events that the session counts: ipc,\n"
"                            or own ones: 'x=1000*llc_misses/instr'\n"
"  -n, --samples=N           end after N samples\n"
"  -N, --limit=SECONDS       end after this time\n"
"  -o, --output=FILE         print to FILE\n"
"      --csv                 values separated by commas: a row for each count\n"
"  -h, --help                show this text\n"
"\n"
"You may listen to the sessions of your own user; with CAP_PERFMON, as root, to all.\n"
"It ends when SESSION ends, or at ^C.\n"
"\n"
"Example: pmctrack -T 1 -c instr,cycles -p 1234 >/dev/null & pmctrack listen -m ipc\n";

/**
 * struct listen_options - the command line
 * @o: for the output; first, for the table
 */
struct listen_options {
	struct options o;
	int list;
	int csv;
	uint64_t nr_samples;
	unsigned int session;
};

static struct listen_options *of(struct options *o)
{
	return (struct listen_options *)o;
}

static void take_samples(struct options *o, const char *text)
{
	of(o)->nr_samples = option_number("listen: -n", text, 1, UINT64_MAX);
}

/* Length up to a comma that is not between brackets */
static size_t length_of_one(const char *text)
{
	int depth = 0;
	size_t i;

	for (i = 0; text[i] && (depth > 0 || text[i] != ','); i++)
		depth += !!strchr("([", text[i]) - !!strchr(")]", text[i]);
	return i;
}

static void take_metrics(struct options *o, const char *text)
{
	size_t len;

	for (; *text; text += len + (text[len] == ',')) {
		len = length_of_one(text);
		if (o->nr_metrics == MAX_CONFIGS)
			bad("listen: more than %d metrics", MAX_CONFIGS);
		o->metrics[o->nr_metrics++] = must_have(strndup(text, len));
	}
}

static void take_limit(struct options *o, const char *text)
{
	o->limit_us = options_seconds("-N", text);
}

#define FLAG(letter, name, member) OPTION_FLAG(letter, name, struct listen_options, member)
#define TEXT(letter, name, member) OPTION_TEXT(letter, name, struct listen_options, member)

static const struct option_row rows[] = {
	FLAG('l', "list", list),
	OPTION_TAKE('m', "metrics", take_metrics),
	OPTION_TAKE('n', "samples", take_samples),
	OPTION_TAKE('N', "limit", take_limit),
	TEXT('o', "output", o.output),
	FLAG(LONG_ONLY(0), "csv", csv),
	{ 0 }
};

static void parse(struct listen_options *l, int argc, char **argv)
{
	char **words;

	memset(l, 0, sizeof(*l));
	argv[0] = "pmctrack listen";
	words = option_table_parse(rows, help, &l->o, argc, argv);
	if (words && words[1])
		bad("listen: one session, or none for all: '%s' is too much", words[1]);
	if (words)
		l->session = option_number("listen: SESSION", words[0], 1, UINT32_MAX);
	if (l->list && words)
		bad("listen: -l lists all sessions: leave out %s", words[0]);
	if (l->list && (l->o.nr_metrics || l->nr_samples || l->o.limit_us || l->csv))
		bad("listen: -l prints no samples: leave out -m, -n, -N and --csv");
}

static uint64_t now_us(void)
{
	return monotonic_ns() / 1000;
}

/* The sessions that count now, by a socket of its own. Return: whether they could be listed. */
static int list_sessions(void (*fn)(void *arg, const struct pmc_listener_event *event), void *arg)
{
	pmc_listener_t *other = pmc_listener_open();
	int rc;

	if (!other)
		return 0;
	rc = pmc_listener_list(other, fn, arg);
	pmc_listener_close(other);
	return !rc;
}

static void remember_session(void *unused, const struct pmc_listener_event *event)
{
	(void)unused;
	listen_remember(event);
}

/*
 * The message of a session's beginning is lost if the listener has not read for long. Ask for
 * the names of its counts once: the session may have ended.
 */
static void learn_names(unsigned int session)
{
	struct pmc_listener_event unnamed = { .session = session, .description = "" };

	if (listen_knows(session))
		return;
	list_sessions(remember_session, NULL);
	if (!listen_knows(session))
		listen_remember(&unnamed);
}

/* Print an event. Return: whether it was the last. */
static int print(const struct listen_options *l, const struct listen_ops *ops,
		 const struct listen_print *p, const struct pmc_listener_event *event)
{
	static uint64_t nr_samples;

	switch (event->type) {
	case PMC_SESSION_BEGINS:
		listen_remember(event);
		ops->begin(p, event);
		return 0;
	case PMC_SESSION_SAMPLE:
		learn_names(event->session);
		ops->sample(p, event);
		return ++nr_samples == l->nr_samples;
	case PMC_SESSION_ENDS:
		listen_forget(event->session);
		ops->end(p, event);
		return event->session == l->session;
	}
	return 0;
}

struct search {
	unsigned int session;
	int found;
};

static void compare_session(void *arg, const struct pmc_listener_event *event)
{
	struct search *search = arg;

	search->found |= event->session == search->session;
}

/* The message of a session's end is lost if the listener has not read for long. */
static int has_ended(unsigned int session)
{
	struct search search = { .session = session };

	return list_sessions(compare_session, &search) && !search.found;
}

/* How long to wait for messages, ms; -1: for ever */
static int patience(const struct listen_options *l, uint64_t now, uint64_t end)
{
	uint64_t left = end == UINT64_MAX ? UINT64_MAX : (end - now) / 1000 + 1;

	if (l->session && left > SILENCE_MS)
		return SILENCE_MS;
	return left > INT_MAX ? -1 : (int)left;
}

/* Text that waits to be written */
static char *printed;
static size_t printed_len;

static void begin_text(struct listen_print *p)
{
	p->f = must_have(open_memstream(&printed, &printed_len));
}

/* Write it; after a signal, what the reader has room for. */
static void end_text(const struct options *o, struct listen_print *p, FILE *output)
{
	if (fclose(p->f))
		bad("out of memory");
	if (write_interruptible(fileno(output), printed, printed_len))
		bad("listen: cannot write %s: %s", output_name(o), strerror(errno));
	free(printed);
}

static void follow(const struct listen_options *l, pmc_listener_t *listener,
		   const struct listen_ops *ops, struct listen_print *p, FILE *output)
{
	struct pollfd fd = { .fd = pmc_listener_fd(listener), .events = POLLIN };
	uint64_t end = l->o.limit_us ? now_us() + l->o.limit_us : UINT64_MAX, now = now_us();
	struct pmc_listener_event event;
	int rc, nr, ended = 0;

	while (!interrupted && now < end) {
		for (nr = 0; nr < MESSAGES_AT_ONCE && (rc = pmc_listener_next(listener, &event)) > 0; nr++)
			if (print(l, ops, p, &event))
				return;
		end_text(&l->o, p, output);
		begin_text(p);
		if (rc < 0)
			bad("listen: %s", pmc_last_error());
		if (rc > 0) {
			now = now_us();
			continue;
		}
		if (ended) {
			fprintf(stderr, "pmctrack listen: session %u has ended; its last messages were lost\n",
				l->session);
			return;
		}
		nr = poll_interruptible(&fd, patience(l, now, end));
		if (nr < 0 && errno != EINTR)
			bad("listen: cannot wait for samples: %m");
		now = now_us();
		/* Its messages may have come meanwhile. */
		ended = !nr && now < end && l->session && has_ended(l->session);
	}
}

static void list_session(void *arg, const struct pmc_listener_event *event)
{
	listen_print_session(event, arg);
}

int listen_main(int argc, char **argv)
{
	struct listen_options l;
	struct listen_print p = { 0 };
	const struct listen_ops *ops;
	pmc_listener_t *listener;
	FILE *output;

	parse(&l, argc, argv);
	ops = l.csv ? &listen_csv : &listen_table;
	p.machine = pmc_machine_open();
	if (!p.machine)
		bad("listen: %s", pmc_last_error());
	p.metrics = l.o.metrics;
	p.nr_metrics = l.o.nr_metrics;
	listen_metrics_check(&p);
	listener = pmc_listener_open();
	if (!listener)
		bad("listen: %s", pmc_last_error());
	output = output_open(&l.o);
	if (!output || output_clear(output))
		bad("listen: %s: %s", output_name(&l.o), strerror(errno));
	p.width = output_width(output);
	catch_interrupts();
	begin_text(&p);
	if (l.list ? pmc_listener_list(listener, list_session, p.f) :
		     pmc_listener_start(listener, l.session))
		bad("listen: %s", pmc_last_error());
	if (!l.list)
		follow(&l, listener, ops, &p, output);
	if (ops->finish)
		ops->finish();
	end_text(&l.o, &p, output);
	pmc_listener_close(listener);
	pmc_machine_close((pmc_machine_t *)p.machine);
	return 0;
}
