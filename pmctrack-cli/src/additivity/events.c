// SPDX-License-Identifier: GPL-2.0
/* The events of a core type that are to be tested, and the runs that count them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "additivity/events.h"
#include "common.h"
#include "event_spelling.h"

/* Events that the kernel counts take no counter, and their encoding begins so. */
#define SOFTWARE "sw="
/* The encoding of an event with a second register has this. */
#define SECOND_REGISTER ":extra="

struct finder {
	struct events *events;
	pmc_session_t *session;
	const char *modes;
	char **raws;		/* of each event */
};

static pmc_session_t *open_session(void)
{
	pmc_session_t *session = pmc_session_open();

	if (!session)
		bad("cannot count: %s", pmc_last_error());
	return session;
}

/* Can the counters of the core type count this set? */
static int fits(const struct events *e, pmc_session_t *session, const char *set)
{
	pmc_config_t *config = must_have(pmc_config_new(e->machine));
	int rc = pmc_config_add(config, set, e->core_type, 0);

	if (!rc && pmc_session_command(session, "clear"))
		bad("cannot ask for the counters of an event: %s", pmc_last_error());
	if (!rc)
		rc = pmc_session_configure(session, config);
	pmc_config_free(config);
	return !rc;
}

static void add(struct finder *f, const char *name, const char *raw)
{
	struct events *e = f->events;
	int i;

	for (i = 0; i < e->nr; i++)
		if (!strcmp(f->raws[i], raw))
			return;
	e->names = must_have(realloc(e->names, (e->nr + 1) * sizeof(*e->names)));
	f->raws = must_have(realloc(f->raws, (e->nr + 1) * sizeof(*f->raws)));
	if (asprintf(&e->names[e->nr], "%s%s", name, strncmp(raw, SOFTWARE, 3) ? f->modes : "") < 0)
		bad("out of memory");
	f->raws[e->nr++] = must_have(strdup(raw));
}

static int add_event(void *arg, const struct pmc_event_info *ev)
{
	if (ev->raw && *ev->raw)
		add(arg, ev->name, ev->raw);
	return 0;
}

static void add_list(struct finder *f, const char *list)
{
	pmc_config_t *config;
	size_t len;
	char *name;

	for (;; list += len + 1) {
		len = event_length(list);
		name = must_have(strndup(list, len));
		config = must_have(pmc_config_new(f->events->machine));
		if (pmc_config_add(config, name, f->events->core_type, 0))
			bad("-e: %s", pmc_last_error());
		add(f, name, pmc_config_raw(config, 0));
		pmc_config_free(config);
		free(name);
		if (!list[len])
			return;
	}
}

/* The counters that take the event by themselves */
static uint64_t counters_of(const struct finder *f, const char *name)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(f->events->machine, f->events->core_type);
	const struct pmc_counter_info *c;
	uint64_t counters = 0;
	char set[512];
	int i, n;

	for (i = 0; i < info->nr_counters; i++) {
		c = &info->counters[i];
		for (n = c->first; n <= c->last && c->kind != PMC_COUNTER_SOFTWARE && n < 64; n++) {
			snprintf(set, sizeof(set), "%s:pmc=%d", name, n);
			if (fits(f->events, f->session, set))
				counters |= 1ULL << n;
		}
	}
	return counters;
}

/* A number above 0 for the events of one code that have second registers; 0 for others */
static int kind_of(const struct finder *f, int event)
{
	const char *raw = f->raws[event], *code = strstr(raw, "ev=");

	if (!strstr(raw, SECOND_REGISTER) || !code)
		return 0;
	return 1 + (int)strtol(code + 3, NULL, 16);
}

/* How many different events of a kind are counted in a run: one or two */
static int limit_of(const struct finder *f, int event)
{
	const struct events *e = f->events;
	char set[1024];
	int i;

	for (i = 0; i < e->nr; i++) {
		if (i == event || e->cover[i].kind != e->cover[event].kind)
			continue;
		snprintf(set, sizeof(set), "%s,%s", e->names[event], e->names[i]);
		return fits(e, f->session, set) ? 2 : 1;
	}
	return 1;
}

/* Does the second register take the event's value? The kernel tries that when counting begins. */
static int has_register(const struct finder *f, int event)
{
	pmc_session_t *session = open_session();
	int taken = fits(f->events, session, f->events->names[event]) &&
		    !pmc_session_command(session, "attach %d", (int)getpid());

	pmc_session_close(session);
	return taken;
}

static void refuse(struct events *e, const char *name)
{
	e->refused = must_have(realloc(e->refused, (e->nr_refused + 1) * sizeof(*e->refused)));
	e->refused[e->nr_refused++] = must_have(strdup(name));
}

/* Events that are alike in all but their mode or their number have been found once. */
static void find_counters(struct finder *f)
{
	struct events *e = f->events;
	char *keep = new_array(e->nr, 1);
	int i;

	e->cover = new_array(e->nr, sizeof(*e->cover));
	for (i = 0; i < e->nr; i++) {
		keep[i] = 1;
		if (!strncmp(f->raws[i], SOFTWARE, 3))
			continue;
		e->cover[i].counters = counters_of(f, e->names[i]);
		e->cover[i].kind = kind_of(f, i);
		if (!e->cover[i].counters || (e->cover[i].kind && !has_register(f, i))) {
			keep[i] = 0;
			refuse(e, e->names[i]);
		}
	}
	for (i = 0; i < e->nr; i++)
		e->cover[i].limit = e->cover[i].kind ? limit_of(f, i) : 0;
	events_keep(e, keep);
	free(keep);
}

/*
 * As few runs as possible. There are restrictions that the kernel alone knows: half of a run's events
 * move to another run then.
 */
static void assign_runs(struct events *e)
{
	pmc_session_t *session = open_session();
	int least, run, nr, i, numbers[PMC_MAX_COUNTS];
	char *set;

	least = e->nr_runs = e->nr ? cover_runs(e->cover, e->nr) : 0;
	for (run = 0; run < e->nr_runs; run++) {
		nr = events_of_run(e, run, &set, numbers);
		if (!fits(e, session, set)) {
			if (nr < 2)
				bad("the counters cannot count '%s': %s", set, pmc_last_error());
			for (i = nr / 2; i < nr; i++)
				e->cover[numbers[i]].run = e->nr_runs;
			e->nr_runs++;
			run--;
		}
		free(set);
	}
	e->nr_split = e->nr_runs - least;
	pmc_session_close(session);
}

void events_find(struct events *events, const pmc_machine_t *machine, int core_type,
		 const char *list, const char *modes)
{
	struct finder f = { events, NULL, modes, NULL };
	int i, all;

	*events = (struct events){ .machine = machine, .core_type = core_type };
	if (list)
		add_list(&f, list);
	else
		pmc_machine_each_event(machine, core_type, add_event, &f);
	f.session = open_session();
	all = events->nr;
	find_counters(&f);
	pmc_session_close(f.session);
	for (i = 0; i < all; i++)
		free(f.raws[i]);
	free(f.raws);
	if (!events->nr)
		bad("core type %s counts none of the events: %s", pmc_machine_core_type(machine, core_type)->name,
		    pmc_last_error());
}

void events_keep(struct events *events, const char *keep)
{
	int i, n = 0;

	for (i = 0; i < events->nr; i++) {
		if (!keep[i]) {
			free(events->names[i]);
			continue;
		}
		events->names[n] = events->names[i];
		events->cover[n++] = events->cover[i];
	}
	events->nr = n;
	assign_runs(events);
}

void events_free(struct events *events)
{
	int i;

	for (i = 0; i < events->nr; i++)
		free(events->names[i]);
	for (i = 0; i < events->nr_refused; i++)
		free(events->refused[i]);
	free(events->names);
	free(events->refused);
	free(events->cover);
}

int events_of_run(const struct events *events, int run, char **set, int *numbers)
{
	size_t size;
	FILE *f = must_have(open_memstream(set, &size));
	int i, n = 0;

	for (i = 0; i < events->nr && n < PMC_MAX_COUNTS; i++)
		if (events->cover[i].run == run) {
			fprintf(f, "%s%s", n ? "," : "", events->names[i]);
			numbers[n++] = i;
		}
	if (fclose(f))
		bad("out of memory");
	return n;
}

void events_print_runs(const struct events *events)
{
	fprintf(stderr, "pmc-additivity: %d events are counted in %d runs", events->nr, events->nr_runs);
	if (events->nr_split)
		fprintf(stderr, ", %d more than their counters need, as the kernel does not count some of them together\n",
			events->nr_split);
	else
		fprintf(stderr, ", the fewest possible\n");
	if (events->nr_refused)
		fprintf(stderr, "pmc-additivity: %d events are left out, as this machine does not count them\n",
			events->nr_refused);
}
