// SPDX-License-Identifier: LGPL-2.1-or-later
/* A configuration: event sets, translated for each core type, and virtual counters. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "format_event.h"
#include "session_config.h"
#include "tables/tables.h"
#include "virtual.h"

/* An event set for one core type, and its text in the kernel's form */
struct line {
	struct event_set set;
	char *text;
};

struct pmc_config {
	const pmc_machine_t *machine;
	int nr_lines;
	struct line **lines;	/* which stay where they are: callers have names of events */
	pmc_virtuals_t *list;	/* owns @virtuals */
	int nr_virtuals;
	const struct pmc_virtual_info *virtuals[PMC_MAX_VIRTUALS];
	char *virtual_names;
};

pmc_config_t *pmc_config_new(const pmc_machine_t *machine)
{
	pmc_config_t *config = calloc(1, sizeof(*config));

	if (!config)
		pmc_fail_nomem();
	else
		config->machine = machine;
	return config;
}

static void free_line(struct line *line)
{
	free(line->text);
	free(line);
}

static void forget_lines(pmc_config_t *config, int from)
{
	while (config->nr_lines > from)
		free_line(config->lines[--config->nr_lines]);
}

void pmc_config_free(pmc_config_t *config)
{
	if (!config)
		return;
	forget_lines(config, 0);
	free(config->lines);
	pmc_virtuals_close(config->list);
	free(config->virtual_names);
	free(config);
}

/* Check the set against the description of the machine; the kernel checks the rest. */
static int check_counters(const struct event_set *set, const struct core_type *ct)
{
	const struct pmc_counter_info *counter;
	int i, nr_hw = 0;

	for (i = 0; i < set->nr_events; i++) {
		const struct event *ev = &set->events[i];

		if (ev->place == EVENT_SOFTWARE || ev->place == EVENT_UNCORE)
			continue;
		if (ev->place == EVENT_ANYWHERE) {
			nr_hw++;
			continue;
		}
		counter = core_type_counter(ct, ev->slot);
		if (!counter)
			return pmc_fail(EINVAL, "'%s': core type %d (%s) has no counter pmc%d; `pmc-events -I` lists them",
					ev->name, ct->info.id, ct->info.name, ev->slot);
		if (counter->kind == PMC_COUNTER_GENERAL && !ev->has_code)
			return pmc_fail(EINVAL, "'%s': pmc%d of core type %d (%s) needs an event code: pmc%d=0x..",
					ev->name, ev->slot, ct->info.id, ct->info.name, ev->slot);
		if (counter->kind == PMC_COUNTER_SOFTWARE &&
		    (ev->has_code || ev->umask != UNSET || event_is_modified(ev)))
			return pmc_fail(EINVAL, "'%s': pmc%d counts %s and takes neither event code nor attributes",
					ev->name, ev->slot, counter->event);
		nr_hw += counter->kind != PMC_COUNTER_SOFTWARE;
	}
	if (nr_hw > ct->info.nr_hw_counters)
		return pmc_fail(EINVAL, "%d events in one set, but core type %d (%s) has %d counters; split them into several sets, which are multiplexed",
				nr_hw, ct->info.id, ct->info.name, ct->info.nr_hw_counters);
	return 0;
}

/* Longer than the text of any event */
#define EVENT_TEXT	512

/* Not a stream, whose buffer costs more than the text */
static char *print_set(const struct event_set *set, int core_type)
{
	char *text = malloc(set->nr_events * EVENT_TEXT + sizeof("coretype=") + 11), *end = text;
	int i;

	for (i = 0; text && i < set->nr_events; i++) {
		event_print(&set->events[i], end, EVENT_TEXT - 1);
		end = stpcpy(end + strlen(end), ",");
	}
	if (text)
		sprintf(end, "coretype=%d", core_type);
	return text;
}

/* Encode the events. */
static int encode_set(const pmc_machine_t *machine, struct event_set *set,
		      const struct core_type *ct)
{
	int i;

	for (i = 0; i < set->nr_events; i++)
		if (event_encode(&set->events[i], machine, ct))
			return -1;
	return check_counters(set, ct);
}

/* A set has room for many events, and mostly few. */
static void copy_set(struct event_set *to, const struct event_set *from)
{
	memcpy(to, from, offsetof(struct event_set, events) +
			 from->nr_events * sizeof(from->events[0]));
}

int config_suits(const pmc_machine_t *machine, const struct event_set *set, int core_type)
{
	struct event_set copy;

	copy_set(&copy, set);
	return !encode_set(machine, &copy, &machine->core_types[core_type]);
}

static struct line *new_line(const pmc_machine_t *machine, const struct event_set *set,
			     const struct core_type *ct)
{
	struct line *line = calloc(1, sizeof(*line));

	if (!line) {
		pmc_fail_nomem();
		return NULL;
	}
	copy_set(&line->set, set);
	line->set.core_type = ct->info.id;
	if (!encode_set(machine, &line->set, ct)) {
		line->text = print_set(&line->set, ct->info.id);
		if (line->text)
			return line;
		pmc_fail_nomem();
	}
	free_line(line);
	return NULL;
}

static int add_line(pmc_config_t *config, const struct event_set *set,
		    const struct core_type *ct)
{
	struct line **lines, *line;

	lines = realloc(config->lines, (config->nr_lines + 1) * sizeof(*lines));
	if (!lines)
		return pmc_fail_nomem();
	config->lines = lines;
	line = new_line(config->machine, set, ct);
	if (!line)
		return -1;
	lines[config->nr_lines++] = line;
	return 0;
}

int config_add_set(pmc_config_t *config, const struct event_set *set, int core_type)
{
	return add_line(config, set, &config->machine->core_types[core_type]);
}

/*
 * A core type refused a set. If the set suits another core type, the error says which one,
 * and how to write that.
 */
static void suggest_core_type(pmc_config_t *config, const struct event_set *set,
			      int refused_by, int was_named)
{
	int id, err = errno, before = config->nr_lines;
	const struct core_type *ct = NULL;
	char why[ERROR_LINE];

	snprintf(why, sizeof(why), "%s", pmc_last_error());
	for (id = 0; id < config->machine->nr_core_types && !ct; id++)
		if (id != refused_by && !add_line(config, set, &config->machine->core_types[id]))
			ct = &config->machine->core_types[id];
	forget_lines(config, before);
	if (!ct)
		pmc_fail(err, "%s", why);
	else if (was_named)
		pmc_fail(err, "%s; the set suits core type %d (%s): write coretype=%d instead",
			 why, ct->info.id, ct->info.name, ct->info.id);
	else
		pmc_fail(err, "%s; the set suits core type %d (%s): add coretype=%d to it",
			 why, ct->info.id, ct->info.name, ct->info.id);
}

/* Is @pmu the kernel's name of the core type's PMU, or what that would be on a hybrid? */
static int is_pmu_of(const char *pmu, const struct core_type *ct)
{
	return !strcasecmp(pmu, ct->info.pmu) ||
	       (ct->native_type == NATIVE_CORE && !strcasecmp(pmu, "cpu_core")) ||
	       (ct->native_type == NATIVE_ATOM && !strcasecmp(pmu, "cpu_atom"));
}

int config_take_pmus(const pmc_machine_t *machine, struct event_set *set)
{
	const char *pmu;
	int i, id;

	if (*set->core_type_name) {
		set->core_type = pmc_machine_find_core_type(machine, set->core_type_name);
		if (set->core_type < 0)
			return -1;
	}

	for (i = 0; i < set->nr_events; i++) {
		pmu = set->events[i].pmu;
		if (!*pmu || !strcmp(pmu, "cpu"))
			continue;
		for (id = 0; id < machine->nr_core_types; id++)
			if (is_pmu_of(pmu, &machine->core_types[id]))
				break;
		if (id == machine->nr_core_types)
			return pmc_machine_find_core_type(machine, pmu);
		if (set->core_type != PMC_EVERY_CORE_TYPE && set->core_type != id)
			return pmc_fail(EINVAL, "'%s' is of core type %d (%s), and the set of another; write a set for each core type",
					set->events[i].name, id, machine->core_types[id].info.name);
		set->core_type = id;
	}
	return 0;
}

int pmc_config_add(pmc_config_t *config, const char *spec, int core_type,
		   unsigned int flags)
{
	const pmc_machine_t *machine = config->machine;
	int i, before = config->nr_lines, rc = 0;
	struct event_set set;

	if (parse_events(&set, spec, flags) || config_take_pmus(machine, &set))
		return -1;
	if (set.core_type != PMC_EVERY_CORE_TYPE)
		core_type = set.core_type;
	if (core_type != PMC_EVERY_CORE_TYPE && !machine_core_type(machine, core_type)) {
		char name[16];

		snprintf(name, sizeof(name), "%d", core_type);
		pmc_machine_find_core_type(machine, name);
		return -1;
	}
	for (i = 0; i < machine->nr_core_types; i++) {
		if (core_type != PMC_EVERY_CORE_TYPE && core_type != i)
			continue;
		rc = add_line(config, &set, &machine->core_types[i]);
		if (rc)
			break;
	}
	if (rc) {
		forget_lines(config, before);
		suggest_core_type(config, &set, i, core_type != PMC_EVERY_CORE_TYPE);
	}
	return rc;
}

const pmc_machine_t *config_machine(const pmc_config_t *config)
{
	return config->machine;
}

static const struct event_set *find_set(const pmc_config_t *config, int core_type, int set)
{
	int i;

	for (i = 0; i < config->nr_lines; i++)
		if (config->lines[i]->set.core_type == core_type && set-- == 0)
			return &config->lines[i]->set;
	return NULL;
}

int pmc_config_nr_sets(const pmc_config_t *config, int core_type)
{
	int n = 0;

	while (find_set(config, core_type, n))
		n++;
	return n;
}

int pmc_config_nr_events(const pmc_config_t *config, int core_type, int set)
{
	const struct event_set *s = find_set(config, core_type, set);

	return s ? s->nr_events : 0;
}

const char *pmc_config_event(const pmc_config_t *config, int core_type, int set, int event)
{
	const struct event_set *s = find_set(config, core_type, set);

	return s && event >= 0 && event < s->nr_events ? s->events[event].name : NULL;
}

uint64_t pmc_config_ebs_period(const pmc_config_t *config, int core_type, int set, int event)
{
	const struct event_set *s = find_set(config, core_type, set);

	return s && event >= 0 && event < s->nr_events ? s->events[event].ebs : 0;
}

const char *pmc_config_raw(const pmc_config_t *config, int n)
{
	return n >= 0 && n < config->nr_lines ? config->lines[n]->text : NULL;
}

static int add_virtual(pmc_config_t *config, const char *name)
{
	const struct pmc_virtual_info *v = pmc_virtuals_find(config->list, name);
	int i;

	if (!v)
		return -1;
	for (i = 0; i < config->nr_virtuals; i++)
		if (config->virtuals[i] == v)
			return pmc_fail(EINVAL, "virtual counter %s is listed twice", v->name);
	if (config->nr_virtuals == PMC_MAX_VIRTUALS)
		return pmc_fail(E2BIG, "more than %d virtual counters", PMC_MAX_VIRTUALS);
	config->virtuals[config->nr_virtuals++] = v;
	return 0;
}

static int print_virtuals(pmc_config_t *config)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	if (!f)
		return pmc_fail_nomem();
	for (i = 0; i < config->nr_virtuals; i++)
		fprintf(f, "%s%s", i ? "," : "", config->virtuals[i]->name);
	if (fclose(f)) {
		free(text);
		return pmc_fail_nomem();
	}
	free(config->virtual_names);
	config->virtual_names = text;
	return 0;
}

int pmc_config_add_virtual(pmc_config_t *config, const char *names)
{
	char *copy = strdup(names), *next = copy, *name;
	int before = config->nr_virtuals, rc = 0;

	if (!copy)
		return pmc_fail_nomem();
	if (!config->list)
		config->list = pmc_virtuals_open();
	if (!config->list)
		rc = -1;
	while (!rc && (name = strsep(&next, ","))) {
		if (*name)
			rc = add_virtual(config, name);
		else
			rc = pmc_fail(EINVAL, "'%s': the name of a virtual counter is missing",
				      names);
	}
	if (!rc)
		rc = print_virtuals(config);
	if (rc)
		config->nr_virtuals = before;
	free(copy);
	return rc;
}

const struct pmc_virtual_info *pmc_config_virtual(const pmc_config_t *config, int n)
{
	return n >= 0 && n < config->nr_virtuals ? config->virtuals[n] : NULL;
}

const char *config_virtual_names(const pmc_config_t *config)
{
	return config->virtual_names;
}

int pmc_config_virtual_number(const pmc_config_t *config, int n)
{
	return n >= 0 && n < config->nr_virtuals ?
	       virtual_number(config->list, config->virtuals[n]) : -1;
}
