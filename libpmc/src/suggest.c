// SPDX-License-Identifier: LGPL-2.1-or-later
/* Suggestions for an unknown name: the known names that are most similar. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "suggest.h"

#define WORD_MAX 63

static int least(int a, int b, int c)
{
	int m = a < b ? a : b;

	return m < c ? m : c;
}

static int same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The restricted Damerau-Levenshtein distance, in three rows. */
int word_distance(const char *a, const char *b)
{
	int rows[3][WORD_MAX + 1], *before = rows[0], *last = rows[1], *now = rows[2], *t;
	int la = strlen(a), lb = strlen(b), i, j;

	if (la > WORD_MAX || lb > WORD_MAX)
		return WORD_MAX;
	for (j = 0; j <= lb; j++)
		last[j] = j;
	for (i = 1; i <= la; i++) {
		now[0] = i;
		for (j = 1; j <= lb; j++) {
			now[j] = least(last[j] + 1, now[j - 1] + 1,
				       last[j - 1] + !same(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) &&
			    same(a[i - 2], b[j - 1]) && before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		t = before;
		before = last;
		last = now;
		now = t;
	}
	return last[lb];
}

static int knows(const struct nearest *nearest, const char *name)
{
	int i;

	for (i = 0; i < nearest->nr; i++)
		if (!strcmp(nearest->text[i], name))
			return 1;
	return 0;
}

void nearest_put(struct nearest *nearest, const char *name)
{
	int i, at, d = word_distance(nearest->name, name);

	if (knows(nearest, name))
		return;
	for (at = nearest->nr; at > 0 && nearest->distance[at - 1] > d; at--)
		;
	if (at == NR_NEAREST)
		return;
	if (nearest->nr < NR_NEAREST)
		nearest->nr++;
	for (i = nearest->nr - 1; i > at; i--) {
		nearest->distance[i] = nearest->distance[i - 1];
		strcpy(nearest->text[i], nearest->text[i - 1]);
	}
	nearest->distance[at] = d;
	snprintf(nearest->text[at], sizeof(nearest->text[at]), "%s", name);
}

void nearest_add(struct nearest *nearest, const char *name)
{
	int limit = strlen(nearest->name) / 3 + 1;

	if (word_distance(nearest->name, name) <= limit)
		nearest_put(nearest, name);
}

void nearest_print(const struct nearest *nearest, char *buf, size_t size)
{
	size_t n;
	int i;

	*buf = '\0';
	if (!nearest->nr)
		return;
	n = snprintf(buf, size, " (did you mean ");
	for (i = 0; i < nearest->nr && n < size; i++)
		n += snprintf(buf + n, size - n, "%s%s",
			      !i ? "" : i + 1 < nearest->nr ? ", " : " or ", nearest->text[i]);
	if (n < size)
		snprintf(buf + n, size - n, "?)");
}

static int consider(void *arg, const struct pmc_event_info *ev)
{
	struct nearest *nearest = arg;

	/* Suggest unit masks only if the user wrote one. */
	if (!ev->umask_of || strpbrk(nearest->name, ":."))
		nearest_add(nearest, ev->name);
	return 0;
}

void suggest(char *buf, size_t size, const pmc_machine_t *machine,
	     const struct core_type *ct, const char *name)
{
	struct nearest nearest = { .name = name };

	pmc_machine_each_event(machine, ct->info.id, consider, &nearest);
	nearest_print(&nearest, buf, size);
}
