// SPDX-License-Identifier: GPL-2.0
/* The events of pmctrack stat, arranged in event sets for each core type. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "stat_events.h"

static void add_group(struct stat_events *events, const char *text, size_t len)
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
			add_group(events, text + 1, end - text - 1);
			text = end + 1;
		} else {
			len = event_length(text);
			if (!len)
				bad("-e: an event is missing beside a comma in '%s'", start);
			add_group(events, text, len);
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

static char *join(const char *a, const char *b)
{
	char *text;

	if (asprintf(&text, "%s%s%s", a, *a && *b ? "," : "", b) < 0)
		must_have(NULL);
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

static int arrange_core_type(const struct stat_events *events, const pmc_machine_t *machine,
			     const char *filter, pmc_config_t *config, int id)
{
	struct sets sets = { 0 };
	char *software = must_have(strdup("")), *text;
	int i, can, rc = 0;

	for (i = 0; i < events->nr && !rc; i++) {
		can = can_count(machine, events->groups[i], id);
		if (can == 2) {
			text = join(software, events->groups[i]);
			free(software);
			software = text;
		} else if (can) {
			rc = place(&sets, machine, filter, events->groups[i], id);
		}
	}
	if (!rc && !sets.nr && *software)
		rc = pmc_config_add(config, software, id, 0);
	for (i = 0; i < sets.nr; i++) {
		text = join(software, sets.text[i]);
		rc = rc ? rc : pmc_config_add(config, text, id, 0);
		free(text);
		free(sets.text[i]);
	}
	free(software);
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

pmc_config_t *stat_events_arrange(const struct stat_events *events, const pmc_machine_t *machine,
				  const char *filter)
{
	pmc_config_t *config = must_have(pmc_config_new(machine));
	int i, id, rc = 0;

	for (i = 0; i < events->nr && !rc; i++)
		rc = events->optional || is_countable(events->groups[i], machine) ? 0 : -1;
	for (id = 0; id < pmc_machine_nr_core_types(machine) && !rc; id++)
		rc = arrange_core_type(events, machine, filter, config, id);
	if (!rc)
		return config;
	pmc_config_free(config);
	return NULL;
}
