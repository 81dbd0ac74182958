// SPDX-License-Identifier: GPL-2.0
/* Facts of a run, as lines "KEY: TEXT" of a file. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "node/about.h"

static struct fact *find(const struct about *about, const char *key)
{
	int i;

	for (i = 0; i < about->nr; i++)
		if (!strcmp(about->facts[i].key, key))
			return &about->facts[i];
	return NULL;
}

static struct fact *add(struct about *about, const char *key)
{
	struct fact *fact;

	about->facts = must_have(realloc(about->facts, (about->nr + 1) * sizeof(*about->facts)));
	fact = &about->facts[about->nr++];
	fact->key = must_have(strdup(key));
	fact->text = NULL;
	return fact;
}

void about_set(struct about *about, const char *key, const char *fmt, ...)
{
	struct fact *fact = find(about, key);
	va_list args;
	char *p;

	if (!fact)
		fact = add(about, key);
	free(fact->text);
	va_start(args, fmt);
	if (vasprintf(&fact->text, fmt, args) < 0)
		bad("out of memory");
	va_end(args);
	for (p = fact->text; *p; p++)
		if (*p == '\n')
			*p = ' ';
}

const char *about_get(const struct about *about, const char *key)
{
	const struct fact *fact = find(about, key);

	return fact ? fact->text : NULL;
}

double about_number(const struct about *about, const char *key)
{
	const char *text = about_get(about, key);

	return text && *text ? strtod(text, NULL) : NAN;
}

void about_write(const struct about *about, const char *path)
{
	FILE *f = fopen(path, "we");
	int i;

	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	for (i = 0; i < about->nr; i++)
		fprintf(f, "%s: %s\n", about->facts[i].key, about->facts[i].text);
	written(f, path);
	fclose(f);
}

void about_read(struct about *about, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL, *text;
	size_t size = 0;

	memset(about, 0, sizeof(*about));
	if (!f)
		bad("cannot read %s: %s", path, strerror(errno));
	while (getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		text = strstr(line, ": ");
		if (!text)
			continue;
		*text = '\0';
		about_set(about, line, "%s", text + 2);
	}
	free(line);
	fclose(f);
}

void about_free(struct about *about)
{
	int i;

	for (i = 0; i < about->nr; i++) {
		free(about->facts[i].key);
		free(about->facts[i].text);
	}
	free(about->facts);
}
