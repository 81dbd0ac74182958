// SPDX-License-Identifier: GPL-2.0
/* Lines of pmctrack openmetrics: NAME{LABEL="VALUE",...} NUMBER (openmetrics/text.c) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse_openmetrics.h"

#define MAX_LABEL 64

/**
 * struct family_row - a family of values
 * @name: in the text
 * @labels: whose values, with colons between, are the name of an instance
 * @prefix: in front of the last label's value
 * @thread: it is of threads: behind a blank, the name of an instance has that of the thread
 */
struct family_row {
	const char *name;
	const char *labels[5];
	const char *prefix;
	int thread;
};

static const struct family_row rows[NR_FAMILIES] = {
	[FAMILY_EVENTS] = { "pmctrack_events_total", { "core_type", "set", "event" }, "" },
	[FAMILY_COUNTED] = { "pmctrack_counted_seconds_total", { "core_type", "set" }, "" },
	[FAMILY_METRIC] = { "pmctrack_metric", { "core_type", "metric" }, "" },
	[FAMILY_VIRTUAL_COUNT] = { "pmctrack_virtual_total", { "name" }, "" },
	[FAMILY_VIRTUAL_LEVEL] = { "pmctrack_virtual_level", { "name", "cpu" }, "cpu" },
	[FAMILY_INTERVAL] = { "pmctrack_interval_seconds", { NULL }, "" },
	[FAMILY_LOST] = { "pmctrack_lost_samples_total", { NULL }, "" },
	[FAMILY_THREAD_TIME] = { "pmctrack_thread_cpu_seconds_total", { "tid" }, "", 1 },
	[FAMILY_THREAD_COUNTED] = { "pmctrack_thread_counted_seconds_total", { "tid", "core_type", "set" }, "", 1 },
	[FAMILY_THREAD_EVENTS] = { "pmctrack_thread_events_total", { "tid", "core_type", "set", "event" }, "", 1 },
	[FAMILY_THREAD_METRIC] = { "pmctrack_thread_metric", { "tid", "core_type", "metric" }, "", 1 },
	[FAMILY_THREADS] = { "pmctrack_threads", { "state" }, "" },
	[FAMILY_THREADS_LOST] = { "pmctrack_thread_lost_samples_total", { NULL }, "" },
};

/* A sign of a label's value; PCP's programs print an instance a line, to terminals. */
static char sign(const char *s, int escaped)
{
	return (escaped && *s == 'n') || (unsigned char)*s < ' ' || *s == 0x7f ? '?' : *s;
}

/* The value of a label between { and }, without the backslashes in front of its signs. Return: it has one. */
static int find_label(const char *labels, const char *name, char *value)
{
	size_t len = strlen(name), n = 0;
	int ours, escaped;

	while (*labels && *labels != '}') {
		ours = !strncmp(labels, name, len) && !strncmp(labels + len, "=\"", 2);
		labels = strchr(labels, '"');
		for (labels = labels ? labels + 1 : ""; *labels && *labels != '"'; labels++) {
			escaped = *labels == '\\' && labels[1];
			labels += escaped;
			if (ours && n < MAX_LABEL - 1)
				value[n++] = sign(labels, escaped);
		}
		value[n] = '\0';
		if (ours)
			return 1;
		labels += *labels == '"';
		labels += *labels == ',';
	}
	return 0;
}

/* The process and the name of a thread, which has no name if the label is empty. Return: it has both. */
static int add_thread(const char *labels, struct value *v)
{
	size_t len = strlen(v->instance);
	char value[MAX_LABEL];

	if (!find_label(labels, "pid", value))
		return 0;
	v->pid = strtoul(value, NULL, 10);
	if (!find_label(labels, "name", value))
		return 0;
	return !*value || snprintf(v->instance + len, sizeof(v->instance) - len, " %s", value) <
			  (int)(sizeof(v->instance) - len);
}

static int make_instance(const struct family_row *row, const char *labels, struct value *v)
{
	char value[MAX_LABEL];
	size_t len = 0;
	int i;

	v->instance[0] = '\0';
	for (i = 0; row->labels[i]; i++) {
		if (!find_label(labels, row->labels[i], value))
			return 0;
		len += snprintf(v->instance + len, sizeof(v->instance) - len, "%s%s%s", i ? ":" : "",
				row->labels[i + 1] ? "" : row->prefix, value);
		if (len >= sizeof(v->instance))
			return 0;
	}
	return !row->thread || add_thread(labels, v);
}

/* Where the labels end: behind the brace that is in no label */
static const char *behind_labels(const char *s)
{
	int quoted = 0;

	for (; *s && (quoted || *s != '}'); s++) {
		if (quoted && *s == '\\' && s[1])
			s++;
		else if (*s == '"')
			quoted = !quoted;
	}
	return *s ? s + 1 : s;
}

int text_parse(const char *line, struct value *v)
{
	size_t len = strcspn(line, "{ ");
	const char *labels = line[len] == '{' ? line + len + 1 : "", *number;
	char *end;
	int i;

	for (i = 0; i < NR_FAMILIES; i++)
		if (strlen(rows[i].name) == len && !strncmp(line, rows[i].name, len))
			break;
	if (i == NR_FAMILIES || !make_instance(&rows[i], labels, v))
		return 0;
	v->family = i;
	number = *labels ? behind_labels(labels) : line + len;
	v->number = strtod(number, &end);
	v->count = strtoull(number, NULL, 10);
	return end != number;
}
