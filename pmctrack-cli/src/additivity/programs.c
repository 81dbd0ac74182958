// SPDX-License-Identifier: GPL-2.0
/* Base programs, and compounds of two of them, from a file. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "additivity/programs.h"
#include "common.h"

/* More would take days. */
#define PROGRAMS_MAX 1000
#define NAME_MAX_LENGTH 40
/* The names of two base programs, with _ between */
#define COMPOUND_MAX_LENGTH (2 * NAME_MAX_LENGTH + 1)

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	for (end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
		*--end = '\0';
	return text;
}

int programs_find(const struct programs *programs, const char *name)
{
	int i;

	for (i = 0; i < programs->nr; i++)
		if (!strcmp(programs->all[i].name, name))
			return i;
	return -1;
}

/* Names are in tables, in CSV, and beside + and = in this file. */
static int is_name(const char *name, size_t most)
{
	return *name && strlen(name) <= most &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
	       strlen(name);
}

static struct program *add(struct programs *programs, const char *name, const char *line)
{
	struct program *p;

	if (programs->nr == PROGRAMS_MAX)
		bad("more than %d programs and compounds: name the compounds that are wanted", PROGRAMS_MAX);
	programs->all = must_have(realloc(programs->all, (programs->nr + 1) * sizeof(*p)));
	p = &programs->all[programs->nr++];
	*p = (struct program){ must_have(strdup(name)), line ? must_have(strdup(line)) : NULL, { -1, -1 } };
	return p;
}

static void parse_compound(struct programs *programs, char *name, char *rest, const char *where)
{
	char *line = strchr(rest, ':'), *second, *parts[2];
	struct program *p;
	int i, bases[2];

	if (line)
		*line++ = '\0';
	second = strchr(rest, '+');
	if (!second || strchr(second + 1, '+'))
		bad("%s: a compound is NAME = BASE + BASE", where);
	*second++ = '\0';
	parts[0] = trim(rest);
	parts[1] = trim(second);
	for (i = 0; i < 2; i++) {
		bases[i] = programs_find(programs, parts[i]);
		if (bases[i] < 0 || programs->all[bases[i]].parts[0] >= 0)
			bad("%s: '%s' is no base program of a line before", where, parts[i]);
	}
	if (line && !*trim(line))
		bad("%s: which command? (Without one, there is no colon.)", where);
	p = add(programs, name, line ? trim(line) : NULL);
	memcpy(p->parts, bases, sizeof(bases));
}

static void parse_line(struct programs *programs, char *text, const char *where)
{
	char *colon = strchr(text, ':'), *equal = strchr(text, '='), *name = text, *rest;
	int compound = equal && (!colon || equal < colon);
	int most = compound ? COMPOUND_MAX_LENGTH : NAME_MAX_LENGTH;

	rest = compound ? equal : colon;
	if (!rest)
		bad("%s: expected NAME: COMMAND, or NAME = BASE + BASE", where);
	*rest++ = '\0';
	name = trim(name);
	if (!is_name(name, most))
		bad("%s: '%s' is no name: it has 1 to %d letters, digits and ._-", where, name, most);
	if (programs_find(programs, name) >= 0)
		bad("%s: '%s' is named twice", where, name);
	rest = trim(rest);
	if (compound) {
		parse_compound(programs, name, rest, where);
	} else {
		if (!*rest)
			bad("%s: which command does '%s' run?", where, name);
		add(programs, name, rest);
	}
}

/* Base programs first, in the order of the file */
static void sort(struct programs *programs)
{
	struct program *sorted = new_array(programs->nr, sizeof(*sorted));
	int *place = new_array(programs->nr, sizeof(*place));
	int compounds, i, k, n = 0;

	for (compounds = 0; compounds < 2; compounds++) {
		for (i = 0; i < programs->nr; i++)
			if ((programs->all[i].parts[0] >= 0) == compounds) {
				place[i] = n;
				sorted[n++] = programs->all[i];
			}
		if (!compounds)
			programs->nr_bases = n;
	}
	for (i = programs->nr_bases; i < n; i++)
		for (k = 0; k < 2; k++)
			sorted[i].parts[k] = place[sorted[i].parts[k]];
	free(place);
	free(programs->all);
	programs->all = sorted;
}

static void add_all_pairs(struct programs *programs)
{
	char name[COMPOUND_MAX_LENGTH + 1];
	struct program *p;
	int i, k;

	for (i = 0; i < programs->nr_bases; i++)
		for (k = i + 1; k < programs->nr_bases; k++) {
			snprintf(name, sizeof(name), "%s_%s", programs->all[i].name, programs->all[k].name);
			if (programs_find(programs, name) >= 0)
				bad("'%s' is a program, and would be a compound's name", name);
			p = add(programs, name, NULL);
			p->parts[0] = i;
			p->parts[1] = k;
		}
}

void programs_read(struct programs *programs, const char *path)
{
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	char *line = NULL, *text, where[512];
	size_t size = 0;
	int number = 0;

	*programs = (struct programs){ 0 };
	if (!f)
		bad("cannot read %s: %s", path, strerror(errno));
	while (getline(&line, &size, f) >= 0) {
		snprintf(where, sizeof(where), "%.480s:%d", f == stdin ? "standard input" : path, ++number);
		text = trim(line);
		if (*text && *text != '#')
			parse_line(programs, text, where);
	}
	if (ferror(f))
		bad("cannot read %s: %s", path, strerror(errno));
	if (f != stdin)
		fclose(f);
	free(line);
	sort(programs);
	if (!programs->nr_bases)
		bad("%s: no program: write lines as NAME: COMMAND", path);
	if (programs->nr == programs->nr_bases)
		add_all_pairs(programs);
	if (programs->nr == programs->nr_bases)
		bad("%s: no compound: it takes two base programs, or NAME = BASE + BASE", path);
}

void programs_write(const struct programs *programs, const char *path)
{
	FILE *f = fopen(path, "we");
	const struct program *p;
	int i;

	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	for (i = 0; i < programs->nr; i++) {
		p = &programs->all[i];
		if (p->parts[0] < 0)
			fprintf(f, "%s: %s\n", p->name, p->line);
		else
			fprintf(f, "%s = %s + %s%s%s\n", p->name, programs->all[p->parts[0]].name,
				programs->all[p->parts[1]].name, p->line ? ": " : "", p->line ? p->line : "");
	}
	written(f, path);
	fclose(f);
}

void programs_free(struct programs *programs)
{
	int i;

	for (i = 0; i < programs->nr; i++) {
		free(programs->all[i].name);
		free(programs->all[i].line);
	}
	free(programs->all);
}
