// SPDX-License-Identifier: GPL-2.0
/* The events of pmctrack stat -e: perf's lists, with groups in braces. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "event_spelling.h"
#include "stat_events.h"

static void add_group(struct stat_events *events, const char *text, size_t len, int together)
{
	char *group = must_have(strndup(text, len));
	int i;

	for (i = 0; i < events->nr && strcmp(events->groups[i].text, group); i++)
		;
	/* An event that is named twice is counted once. */
	if (i < events->nr) {
		free(group);
		return;
	}
	events->groups = must_have(realloc(events->groups, (events->nr + 1) * sizeof(*events->groups)));
	events->groups[events->nr++] = (struct stat_group){ .text = group, .together = together };
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
			add_group(events, text + 1, end - text - 1, 1);
			text = end + 1;
		} else {
			len = event_length(text);
			if (!len)
				bad("-e: an event is missing beside a comma in '%s'", start);
			add_group(events, text, len, 0);
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
		free(events->groups[i].text);
	free(events->groups);
}

/* The event as the kernel gets it from core type @id. For free(); NULL: there is no such event */
static char *encoding(const pmc_machine_t *machine, const char *event, int id)
{
	pmc_config_t *config = must_have(pmc_config_new(machine));
	char *raw = NULL;

	if (!pmc_config_add(config, event, id, 0))
		raw = must_have(strdup(pmc_config_raw(config, 0)));
	pmc_config_free(config);
	return raw;
}

static int find_encoding(const pmc_machine_t *machine, const struct layout *layout, const char *raw,
			 int id)
{
	char *other;
	int i, found = 0;

	for (i = 0; i < layout->nr_names; i++) {
		other = layout_has_event(layout, id, i) ? encoding(machine, layout->names[i], id) : NULL;
		found = other && !strcmp(other, raw);
		free(other);
		if (found)
			return i;
	}
	return -1;
}

void stat_events_columns(const pmc_machine_t *machine, const struct layout *layout,
			 const char *event, int *columns)
{
	int id, name = layout_name(layout, event);
	char *raw;

	for (id = 0; id < layout->nr_core_types; id++) {
		columns[id] = name;
		if (name >= 0 && layout_has_event(layout, id, name))
			continue;
		raw = encoding(machine, event, id);
		columns[id] = raw ? find_encoding(machine, layout, raw, id) : -1;
		free(raw);
	}
}

char *stat_events_in_state(const struct stat_events *events, int state)
{
	char *text;
	size_t size;
	FILE *f = must_have(open_memstream(&text, &size));
	int i, n = 0;

	for (i = 0; i < events->nr; i++)
		if ((int)events->groups[i].state == state)
			fprintf(f, "%s%s", n++ ? ", " : "", events->groups[i].text);
	fclose(f);
	must_have(text);
	if (n)
		return text;
	free(text);
	return NULL;
}

static int is_of_kernel(const char *event)
{
	return !strcmp(event, "context-switches") || !strcmp(event, "cpu-migrations");
}

int stat_events_plan(struct stat_events *events, pmc_plan_t *plan)
{
	struct stat_group *group;
	int i, rc;

	for (i = 0; i < events->nr; i++) {
		group = &events->groups[i];
		group->state = STAT_FORBIDDEN;
		if (events->optional && events->user_mode && is_of_kernel(group->text))
			continue;
		rc = group->together ? pmc_plan_add_set(plan, group->text, PMC_EVERY_CORE_TYPE) :
				       pmc_plan_add_events(plan, group->text, PMC_EVERY_CORE_TYPE);
		if (rc && (!events->optional || errno == ENOMEM))
			return -1;
		group->state = rc ? STAT_MISSING : STAT_COUNTED;
	}
	return 0;
}
