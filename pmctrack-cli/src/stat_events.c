// SPDX-License-Identifier: GPL-2.0
/* The events of pmctrack stat, arranged in event sets for each core type. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "stat_events.h"

void stat_events_add_group(struct stat_events *events, const char *text, size_t len)
{
	char *group = must_have(strndup(text, len));
	int i;

	for (i = 0; i < events->nr && strcmp(events->groups[i], group); i++)
		;
	/* An event that is named twice is counted once. */
	if (i < events->nr) {
		free(group);
		return;
	}
	events->groups = must_have(realloc(events->groups, (events->nr + 1) * sizeof(*events->groups)));
	events->groups[events->nr++] = group;
}

/* Length of one event: up to a comma that is not between slashes */
static size_t event_length(const char *text)
{
	size_t i;
	int slashes = 0;

	for (i = 0; text[i] && (text[i] != ',' || slashes % 2); i++)
		slashes += text[i] == '/';
	return i;
}

void stat_events_add(struct stat_events *events, const char *text)
{
	const char *start = text, *end;
	size_t len;

	for (;;) {
		if (*text == '{') {
			end = strchr(text, '}');
			if (!end || (end[1] && end[1] != ','))
				bad("-e: a group is written as {EVENT,EVENT}, not as in '%s'", start);
			stat_events_add_group(events, text + 1, end - text - 1);
			text = end + 1;
		} else {
			len = event_length(text);
			if (!len)
				bad("-e: an event is missing beside a comma in '%s'", start);
			stat_events_add_group(events, text, len);
			text += len;
		}
		if (!*text)
			return;
		text++;
	}
}

void stat_events_free(struct stat_events *events)
{
	int i;

	for (i = 0; i < events->nr; i++)
		free(events->groups[i]);
	free(events->groups);
}

/* Event sets of a core type, as text */
struct sets {
	int nr;
	char *text[MAX_COUNTER_CONFIGS];
};

/* Is the event, of @len bytes, one of @set? */
static int is_in(const char *set, const char *event, size_t len)
{
	size_t n;

	for (; *set; set += n + (set[n] == ',')) {
		n = event_length(set);
		if (n == len && !strncmp(set, event, len))
			return 1;
	}
	return 0;
}

/* The events of @set, and those of @group that are not among them */
static char *join(const char *set, const char *group)
{
	char *text = must_have(strdup(set)), *longer;
	size_t len;

	for (; *group; group += len + (group[len] == ',')) {
		len = event_length(group);
		if (is_in(text, group, len))
			continue;
		if (asprintf(&longer, "%s%s%.*s", text, *text ? "," : "", (int)len, group) < 0)
			must_have(NULL);
		free(text);
		text = longer;
	}
	return text;
}

/* Try @events as a set of core type @id. Return: -1 with an error line if it cannot be one. */
static int try_set(const pmc_machine_t *machine, const char *filter, const char *events, int id)
{
	pmc_config_t *config = must_have(pmc_config_new(machine));
	pmc_session_t *session = NULL;
	int rc = pmc_config_add(config, events, id, 0);

	if (!rc) {
		session = pmc_session_open();
		rc = session && !pmc_session_command(session, "filter %s", filter) ?
		     pmc_session_configure(session, config) : -1;
	}
	pmc_session_close(session);
	pmc_config_free(config);
	return rc;
}

/* Can core type @id count the events? 2: yes, and all are counted by the kernel itself */
static int can_count(const pmc_machine_t *machine, const char *events, int id)
{
	pmc_config_t *config = must_have(pmc_config_new(machine));
	int rc = !pmc_config_add(config, events, id, 0);
	const char *raw;

	/* A set of software events has no other than sw=NAME, and coretype=N. */
	if (rc && (raw = pmc_config_raw(config, 0)) && !strncmp(raw, "sw=", 3) && !strchr(events, ','))
		rc = 2;
	pmc_config_free(config);
	return rc;
}

/* Add a group to the first set that has room for it. Return: -1 with an error line. */
static int place(struct sets *sets, const pmc_machine_t *machine, const char *filter,
		 const char *group, int id)
{
	char *text;
	int i;

	for (i = 0; i < sets->nr; i++) {
		text = join(sets->text[i], group);
		if (!try_set(machine, filter, text, id)) {
			free(sets->text[i]);
			sets->text[i] = text;
			return 0;
		}
		free(text);
	}
	if (try_set(machine, filter, group, id))
		return -1;
	if (sets->nr == MAX_COUNTER_CONFIGS)
		bad("-e: these events need more than %d event sets", MAX_COUNTER_CONFIGS);
	sets->text[sets->nr++] = must_have(strdup(group));
	return 0;
}

/* Events of a core type: of the kernel itself, and in sets */
struct arrangement {
	const pmc_machine_t *machine;
	const char *filter;
	int id;
	char *software;
	struct sets sets;
};

static int arrange_group(struct arrangement *a, const char *group)
{
	int can = can_count(a->machine, group, a->id);
	char *text;

	if (can == 1)
		return place(&a->sets, a->machine, a->filter, group, a->id);
	if (can == 2) {
		text = join(a->software, group);
		free(a->software);
		a->software = text;
	}
	return 0;
}

/* A metric's events one by one, if they cannot be counted at the same time */
static int arrange_metric(struct arrangement *a, const char *group)
{
	size_t len;
	char *event;
	int rc = 0;

	if (!strchr(group, ',') || !arrange_group(a, group))
		return arrange_group(a, group);
	for (; *group && !rc; group += len + (group[len] == ',')) {
		len = event_length(group);
		event = must_have(strndup(group, len));
		rc = arrange_group(a, event);
		free(event);
	}
	return rc;
}

static int add_sets(struct arrangement *a, pmc_config_t *config)
{
	char *text;
	int i, rc = 0;

	if (!a->sets.nr && *a->software)
		return pmc_config_add(config, a->software, a->id, 0);
	for (i = 0; i < a->sets.nr && !rc; i++) {
		text = join(a->software, a->sets.text[i]);
		rc = pmc_config_add(config, text, a->id, 0);
		free(text);
	}
	return rc;
}

static int arrange_core_type(struct arrangement *a, const struct stat_events *events,
			     const struct stat_events *own, pmc_config_t *config)
{
	int i, rc = 0;

	a->software = must_have(strdup(""));
	for (i = 0; i < events->nr && !rc; i++)
		rc = arrange_group(a, events->groups[i]);
	for (i = 0; i < own->nr && !rc; i++)
		rc = arrange_metric(a, own->groups[i]);
	if (!rc)
		rc = add_sets(a, config);
	for (i = 0; i < a->sets.nr; i++)
		free(a->sets.text[i]);
	free(a->software);
	return rc;
}

/* Can any core type count the group? Otherwise there is an error line. */
static int is_countable(const char *group, const pmc_machine_t *machine)
{
	int id;

	for (id = pmc_machine_nr_core_types(machine) - 1; id >= 0; id--)
		if (can_count(machine, group, id))
			return 1;
	return 0;
}

pmc_config_t *stat_events_arrange(const struct stat_events *events, const struct stat_events *own,
				  const pmc_machine_t *machine, const char *filter)
{
	pmc_config_t *config = must_have(pmc_config_new(machine));
	int i, id, rc = 0;

	for (i = 0; i < events->nr && !rc; i++)
		rc = events->optional || is_countable(events->groups[i], machine) ? 0 : -1;
	for (id = 0; id < pmc_machine_nr_core_types(machine) && !rc; id++) {
		struct arrangement a = { .machine = machine, .filter = filter, .id = id };

		rc = arrange_core_type(&a, events, &own[id], config);
	}
	if (!rc)
		return config;
	pmc_config_free(config);
	return NULL;
}
