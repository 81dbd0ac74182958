// SPDX-License-Identifier: GPL-2.0
/* Read model files, without their formulae. */
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "read_model.h"

static struct shape_core *core(struct shape *s, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < s->nr_cores; i++)
		if (strlen(s->core[i].name) == len && !memcmp(s->core[i].name, name, len))
			return &s->core[i];
	if (s->nr_cores == 2 || len >= sizeof(s->core[0].name))
		return NULL;
	memcpy(s->core[s->nr_cores].name, name, len);
	return &s->core[s->nr_cores++];
}

/* FACTOR*OVER/UNDER or OVER/UNDER */
static const char *read_metric(struct shape_core *c, const char *name, const char *value)
{
	struct shape_metric *m = &c->metric[c->nr_metrics];
	char rest;

	if (c->nr_metrics == SHAPE_METRICS_MAX)
		return "a core type has at most 16 metrics";
	if (sscanf(name, "%23[a-z0-9_]%c", m->name, &rest) != 1)
		return "a metric's name is of a-z, 0-9 and _, at most 23 of them";
	m->factor = 1;
	if (sscanf(value, " %lu * %23[a-z0-9_] / %23[a-z0-9_] %c", &m->factor, m->over,
		   m->under, &rest) != 3 &&
	    sscanf(value, " %23[a-z0-9_] / %23[a-z0-9_] %c", m->over, m->under, &rest) != 2)
		return "a metric is OVER/UNDER or FACTOR*OVER/UNDER";
	c->nr_metrics++;
	return NULL;
}

/* A line of one core type: MODULE.CORETYPE.KEY=VALUE. @keep: out: the model keeps the line. */
static const char *read_core_line(struct shape *s, const char *key, const char *value, int *keep)
{
	const char *point = strchr(key, '.');
	struct shape_core *c = core(s, key, point - key);

	if (!c)
		return "a model is for two core types";
	key = point + 1;
	*keep = strcmp(key, "estimate") && strcmp(key, "inverse") && strcmp(key, "range");
	return strncmp(key, "metric.", 7) ? NULL : read_metric(c, key + 7, value);
}

static const char *read_line(struct shape *s, char *line)
{
	char *point = strchr(line, '.'), *equals = strchr(line, '='), *copy = must_have(strdup(line));
	const char *why = NULL;
	int keep = 1;

	if (!point || !equals || point > equals || point - line >= (long)sizeof(s->module)) {
		free(copy);
		return "a line is MODULE.KEY=VALUE, or begins with #";
	}
	*point = *equals = '\0';
	if (!s->module[0])
		strcpy(s->module, line);
	if (strcmp(s->module, line))
		why = "all lines are of the same module";
	else if (strchr(point + 1, '.'))
		why = read_core_line(s, point + 1, equals + 1, &keep);
	if (why || !keep) {
		free(copy);
		return why;
	}
	s->line = must_have(realloc(s->line, (s->nr_lines + 1) * sizeof(*s->line)));
	s->line[s->nr_lines++] = copy;
	return NULL;
}

void shape_free(struct shape *s)
{
	size_t i;

	for (i = 0; i < s->nr_lines; i++)
		free(s->line[i]);
	free(s->line);
	free(s);
}

struct shape *shape_read(FILE *f, const char *path, char *error, size_t len)
{
	struct shape *s = new_array(1, sizeof(*s));
	const char *why = NULL;
	char *line = NULL;
	size_t size = 0;
	int nr = 0;

	while (!why && getline(&line, &size, f) >= 0) {
		nr++;
		line[strcspn(line, "\r\n")] = '\0';
		if (line[0] && line[0] != '#')
			why = read_line(s, line);
	}
	free(line);
	if (why)
		snprintf(error, len, "%s:%d: %s", path, nr, why);
	else if (s->nr_cores != 2 || !s->core[0].nr_metrics || !s->core[1].nr_metrics)
		snprintf(error, len, "%s: a model has metrics for two core types", path);
	else
		return s;
	shape_free(s);
	return NULL;
}
