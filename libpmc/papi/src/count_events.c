// SPDX-License-Identifier: LGPL-2.1-or-later
/* From PAPI's events to event sets of libpmctrack, and from counts to values. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"
#include "virtuals.h"

/* On a core type that counts none of the events, another one is counted and not used. */
static const char *unused_event(int core_type)
{
	return pmc_machine_core_type(papi_machine(), core_type)->nr_hw_counters ? "instr" : "task_clock";
}

/* Does an event say itself in which modes it is counted? */
static int has_modes(const char *words)
{
	static const char *const modes[] = { "u", "k", "uk", "ku", "usr", "os" };
	const char *p = words;
	size_t i, len;

	while ((p = strchr(p, ':'))) {
		len = strcspn(++p, ":=");
		for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
			if (strlen(modes[i]) == len && !strncmp(p, modes[i], len))
				return 1;
	}
	return 0;
}

static const char *modifier(int domain)
{
	int user = domain & PAPI_DOM_USER;
	int kernel = domain & (PAPI_DOM_KERNEL | PAPI_DOM_SUPERVISOR | PAPI_DOM_OTHER);

	return user && kernel ? ":uk" : kernel ? ":k" : ":u";
}

/* As libpmctrack compares names: case does not matter, and - is the same as _. */
static int same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (tolower((unsigned char)*a) != *b && !(*a == '-' && *b == '_'))
			return 0;
	return *a == *b;
}

static int is_one_of(const char *words, const char *const *names, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (same_name(words, names[i]))
			return 1;
	return 0;
}

/* The kernel's events have no modes. */
static int is_software(const char *words)
{
	static const char *const names[] = {
		"task_clock", "context_switches", "cs", "migrations", "cpu_migrations", "page_faults",
		"faults", "minor_faults", "major_faults",
	};

	return is_one_of(words, names, sizeof(names) / sizeof(names[0]));
}

/* Counters that CPUs share count for all of them, in all modes. */
static int is_shared(const char *words)
{
	static const char *const names[] = { "l3_references", "l3_misses" };

	return is_one_of(words, names, sizeof(names) / sizeof(names[0])) || !strncmp(words, "l3=", 3);
}

void counting_words(const char *term, int domain, char words[COUNTING_WORDS])
{
	int has_none = has_modes(term) || is_software(term) || is_shared(term);

	snprintf(words, COUNTING_WORDS, "%.255s%s", term, has_none ? "" : modifier(domain));
}

/* The place of an event among those of a core type, where it is added if need be; or PAPI_E* */
static int add_words(struct counted_type *type, const char *term, int domain)
{
	char **words, text[COUNTING_WORDS];
	int i;

	counting_words(term, domain, text);
	for (i = 0; i < type->nr; i++)
		if (!strcmp(type->words[i], text))
			return i;
	if (type->nr == COUNTED_MAX)
		return PAPI_ECNFLCT;
	words = realloc(type->words, (type->nr + 1) * sizeof(*words));
	if (!words)
		return PAPI_ENOMEM;
	type->words = words;
	words[type->nr] = strdup(text);
	return words[type->nr] ? type->nr++ : PAPI_ENOMEM;
}

static int add_part(struct counting *c, struct counted_part *out, const struct papi_part *part)
{
	int i;

	out->core_type = part->core_type;
	out->formula = part->formula;
	out->nr_terms = part->nr_terms;
	for (i = 0; i < part->nr_terms; i++) {
		if (c->target.cpu < 0 && is_shared(part->terms[i]))
			return PAPI_ECNFLCT;
		out->place[i] = add_words(&c->types[part->core_type], part->terms[i],
					  c->target.domain);
		if (out->place[i] < 0)
			return out->place[i];
	}
	return PAPI_OK;
}

static int add_event(struct counting *c, struct counted_event *out, const struct papi_event *event)
{
	int i, rc = PAPI_OK;

	if (!event->nr_parts)
		return PAPI_OK;
	out->parts = calloc(event->nr_parts, sizeof(*out->parts));
	if (!out->parts)
		return PAPI_ENOMEM;
	out->nr_parts = event->nr_parts;
	for (i = 0; i < event->nr_parts && rc == PAPI_OK; i++)
		rc = add_part(c, &out->parts[i], &event->parts[i]);
	return rc;
}

static int make(struct counting *c, const struct papi_event *const *events)
{
	int i, rc = PAPI_OK;

	c->nr_types = pmc_machine_nr_core_types(papi_machine());
	c->types = calloc(c->nr_types, sizeof(*c->types));
	c->events = calloc(c->nr_events, sizeof(*c->events));
	if (!c->types || !c->events)
		return PAPI_ENOMEM;
	for (i = 0; i < c->nr_events && rc == PAPI_OK; i++)
		rc = add_event(c, &c->events[i], events[i]);
	if (rc != PAPI_OK)
		return rc;
	c->rows = counting_alloc_rows(c);
	return c->rows ? PAPI_OK : PAPI_ENOMEM;
}

int counting_init(struct counting *c, const struct papi_event *const *events, int nr,
		  const struct target *target)
{
	int rc;

	memset(c, 0, sizeof(*c));
	c->target = *target;
	c->nr_events = nr;
	c->papi_events = events;
	rc = make(c, events);
	if (rc != PAPI_OK)
		counting_free(c);
	return rc;
}

void counting_free(struct counting *c)
{
	int i, j;

	for (i = 0; c->events && i < c->nr_events; i++)
		free(c->events[i].parts);
	for (i = 0; c->types && i < c->nr_types; i++) {
		for (j = 0; j < c->types[i].nr; j++)
			free(c->types[i].words[j]);
		free(c->types[i].words);
	}
	free(c->events);
	free(c->types);
	free(c->rows);
	free(c->twice);
	memset(c, 0, sizeof(*c));
}

static size_t words_size(const struct counted_type *type)
{
	size_t size = 1;
	int i;

	for (i = 0; i < type->nr; i++)
		size += strlen(type->words[i]) + 1;
	return size;
}

/* Not a stream, whose buffer costs more than the text */
static char *join(const struct counted_type *type, int core_type)
{
	char *text, *end;
	int i;

	if (!type->nr)
		return strdup(unused_event(core_type));
	text = malloc(words_size(type));
	end = text;
	for (i = 0; text && i < type->nr; i++) {
		end = stpcpy(end, i ? "," : "");
		end = stpcpy(end, type->words[i]);
	}
	return text;
}

int counting_configure(const struct counting *c, pmc_config_t *config)
{
	char *text;
	int id, rc;

	for (id = 0; id < c->nr_types; id++) {
		text = join(&c->types[id], id);
		if (!text)
			return PAPI_ENOMEM;
		rc = pmc_config_add(config, text, id, 0);
		free(text);
		/* The events were found before, so there are too many. */
		if (rc)
			return errno == ENOMEM ? PAPI_ENOMEM : PAPI_ECNFLCT;
	}
	return PAPI_OK;
}

/* Ask the kernel whether an event set of a core type fits the counters. PAPI_OK or PAPI_E* */
static int ask(pmc_session_t *session, int core_type, const char *raw)
{
	int fits = pmc_plan_fits(session, core_type, raw);

	return fits > 0 ? PAPI_OK : fits ? papi_error_of(errno) : PAPI_ECNFLCT;
}

static int try_config(const pmc_config_t *config, int nr_types)
{
	pmc_session_t *session = pmc_session_open();
	int id, rc = PAPI_OK;

	if (!session)
		return papi_error_of(errno);
	for (id = 0; id < nr_types && rc == PAPI_OK; id++)
		rc = ask(session, id, pmc_config_raw(config, id));
	pmc_session_close(session);
	return rc;
}

/* Without an event of a counter, there is nothing for @ops to count. */
static int has_counters(const struct counting *c)
{
	int id;

	for (id = 0; id < c->nr_types; id++)
		if (c->types[id].nr)
			return 1;
	return 0;
}

/* A set for each of the event's terms on a core type */
static int add_terms(pmc_config_t *config, const struct counting *c, int core_type,
		     const struct papi_event *event)
{
	char words[COUNTING_WORDS];
	int i, j;

	for (i = 0; i < event->nr_parts; i++)
		for (j = 0; event->parts[i].core_type == core_type && j < event->parts[i].nr_terms; j++) {
			counting_words(event->parts[i].terms[j], c->target.domain, words);
			if (pmc_config_add(config, words, core_type, 0))
				return papi_error_of(errno);
		}
	return PAPI_OK;
}

/*
 * The event set @raw with the events of all sets of @config, which are of the same core type. A
 * config has no event twice, but the session's text may: it ends with the core type.
 */
static char *raw_of_all(const char *raw, const pmc_config_t *config)
{
	char *all = strdup(raw), *text;
	const char *one;
	int n;

	for (n = 0; all && (one = pmc_config_raw(config, n)); n++) {
		int rc = asprintf(&text, "%.*s%s", (int)(strstr(one, "coretype=") - one), one, all);

		free(all);
		all = rc < 0 ? NULL : text;
	}
	return all;
}

int counting_fits_twice(const struct counting *c, pmc_session_t *session, int core_type,
			const char *raw)
{
	pmc_config_t *config = pmc_config_new(papi_machine());
	int i, rc = config ? PAPI_OK : PAPI_ENOMEM, fits = -1;
	char *all;

	for (i = 0; i < c->nr_twice && rc == PAPI_OK; i++)
		rc = add_terms(config, c, core_type, c->twice[i]);
	all = rc == PAPI_OK ? raw_of_all(raw, config) : NULL;
	if (all)
		fits = pmc_plan_fits(session, core_type, all);
	free(all);
	pmc_config_free(config);
	return fits;
}

/* A set for each event: those that take turns need not fit together. */
static int add_each(const struct counting *c, pmc_config_t *config)
{
	int id, i;

	for (id = 0; id < c->nr_types; id++)
		for (i = 0; i < c->types[id].nr; i++)
			if (pmc_config_add(config, c->types[id].words[i], id, 0))
				return papi_error_of(errno);
	return PAPI_OK;
}

static int try_twice(const struct counting *c, const pmc_config_t *config)
{
	pmc_session_t *session = pmc_session_open();
	int id, i, n = 0, fits = session ? 1 : -1, rc;

	for (id = 0; id < c->nr_types; id++)
		for (i = c->target.multiplex_ns ? c->types[id].nr : 1; i > 0 && fits > 0; i--)
			fits = counting_fits_twice(c, session, id, pmc_config_raw(config, n++));
	rc = fits > 0 ? PAPI_OK : fits ? papi_error_of(errno) : PAPI_ECNFLCT;
	pmc_session_close(session);
	return rc;
}

int counting_try_twice(const struct counting *c)
{
	pmc_config_t *config = pmc_config_new(papi_machine());
	int rc;

	if (!config)
		return PAPI_ENOMEM;
	rc = c->target.multiplex_ns ? add_each(c, config) : counting_configure(c, config);
	if (rc == PAPI_OK)
		rc = try_twice(c, config);
	pmc_config_free(config);
	return rc;
}

static int try_counters(const struct counting *c)
{
	pmc_config_t *config;
	int rc;

	if (!has_counters(c))
		return PAPI_OK;
	config = pmc_config_new(papi_machine());
	rc = config ? counting_configure(c, config) : PAPI_ENOMEM;
	if (rc == PAPI_OK)
		rc = try_config(config, c->nr_types);
	pmc_config_free(config);
	return rc;
}

int counting_try(const struct papi_event *const *events, int nr, const struct target *target)
{
	struct counting c;
	int rc = counting_init(&c, events, nr, target);

	if (rc != PAPI_OK)
		return rc;
	rc = try_counters(&c);
	if (rc == PAPI_OK)
		rc = virtual_open(&c.virtuals, events, nr, target);
	virtual_close(c.virtuals);
	counting_free(&c);
	return rc;
}

uint64_t **counting_alloc_rows(const struct counting *c)
{
	size_t nr = 0;
	uint64_t **rows, *row;
	int id;

	for (id = 0; id < c->nr_types; id++)
		nr += c->types[id].nr > PMC_MAX_COUNTS ? c->types[id].nr : PMC_MAX_COUNTS;
	rows = calloc(1, c->nr_types * sizeof(*rows) + nr * sizeof(*row));
	row = rows ? (uint64_t *)(rows + c->nr_types) : NULL;
	for (id = 0; rows && id < c->nr_types; id++) {
		rows[id] = row;
		row += c->types[id].nr > PMC_MAX_COUNTS ? c->types[id].nr : PMC_MAX_COUNTS;
	}
	return rows;
}

void counting_copy_rows(const struct counting *c, uint64_t **to, uint64_t *const *from)
{
	int id;

	for (id = 0; id < c->nr_types; id++)
		memcpy(to[id], from[id], c->types[id].nr * sizeof(*to[id]));
}

static long long part_value(const struct counted_part *part, uint64_t *const *counts)
{
	int64_t terms[PAPI_MAX_TERMS];
	int i;

	if (!part->formula)
		return counts[part->core_type][part->place[0]];
	for (i = 0; i < part->nr_terms; i++)
		terms[i] = counts[part->core_type][part->place[i]];
	return formula_value(part->formula, terms);
}

/* A quotient is that of the sums of all core types. */
static long long quotient(const struct counted_event *event, uint64_t *const *counts)
{
	int64_t terms[PAPI_MAX_TERMS] = { 0 };
	int i, t;

	for (i = 0; i < event->nr_parts; i++)
		for (t = 0; t < event->parts[i].nr_terms; t++)
			terms[t] += counts[event->parts[i].core_type][event->parts[i].place[t]];
	return formula_value(event->parts[0].formula, terms);
}

static int divides(const struct counted_event *event)
{
	return event->nr_parts && event->parts[0].formula &&
	       formula_divides(event->parts[0].formula);
}

long long counting_value(const struct counting *c, int event, uint64_t *const *counts)
{
	long long value = 0;
	int i;

	if (divides(&c->events[event]))
		return quotient(&c->events[event], counts);
	for (i = 0; i < c->events[event].nr_parts; i++)
		value += part_value(&c->events[event].parts[i], counts);
	return value;
}

long long counting_part_value(const struct counting *c, int event, int core_type,
			      uint64_t *const *counts)
{
	int i;

	for (i = 0; i < c->events[event].nr_parts; i++)
		if (c->events[event].parts[i].core_type == core_type)
			return part_value(&c->events[event].parts[i], counts);
	return 0;
}

int counting_open(struct counting *c)
{
	int rc = virtual_open(&c->virtuals, c->papi_events, c->nr_events, &c->target);

	return rc == PAPI_OK && has_counters(c) ? c->ops->open(c) : rc;
}

int counting_start(struct counting *c)
{
	int rc = virtual_start(c->virtuals);

	return rc == PAPI_OK && has_counters(c) ? c->ops->start(c) : rc;
}

/* Virtual counters have values where a counter was lost, too. @rc: of the counters */
static int read_virtuals(const struct counting *c, long long *values, int rc)
{
	int error;

	if (rc != PAPI_OK && rc != PAPI_ECLOST)
		return rc;
	error = virtual_read(c->virtuals, values);
	return error == PAPI_OK ? rc : error;
}

int counting_read(struct counting *c, long long *values)
{
	if (!c->virtuals && has_counters(c))
		return c->ops->read(c, values);
	return read_virtuals(c, values, has_counters(c) ? c->ops->read(c, values) : PAPI_OK);
}

void counting_restart(struct counting *c)
{
	virtual_restart(c->virtuals);
	if (has_counters(c))
		c->ops->restart(c);
}

int counting_stop(struct counting *c, long long *values)
{
	return read_virtuals(c, values, has_counters(c) ? c->ops->stop(c, values) : PAPI_OK);
}

void counting_close(struct counting *c)
{
	virtual_close(c->virtuals);
	c->virtuals = NULL;
	c->ops->close(c);
}
