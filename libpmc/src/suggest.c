// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names near to one that nobody knows. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "event.h"

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

#define NR_BEST 3

struct best {
	const char *name;
	int nr;
	int distance[NR_BEST];
	char text[NR_BEST][EVENT_NAME];
};

static int consider(void *arg, const struct pmc_event_info *ev)
{
	struct best *best = arg;
	int limit = strlen(best->name) / 3 + 1;
	int d, i, at;

	/* Unit masks are near only to who wrote one. */
	if (ev->umask_of && !strpbrk(best->name, ":."))
		return 0;
	d = word_distance(best->name, ev->name);
	if (d > limit)
		return 0;
	for (i = 0; i < best->nr; i++)
		if (!strcmp(best->text[i], ev->name))
			return 0;
	for (at = best->nr; at > 0 && best->distance[at - 1] > d; at--)
		;
	if (at == NR_BEST)
		return 0;
	if (best->nr < NR_BEST)
		best->nr++;
	for (i = best->nr - 1; i > at; i--) {
		best->distance[i] = best->distance[i - 1];
		strcpy(best->text[i], best->text[i - 1]);
	}
	best->distance[at] = d;
	snprintf(best->text[at], sizeof(best->text[at]), "%s", ev->name);
	return 0;
}

void suggest(char *buf, size_t size, const pmc_machine_t *machine,
	     const struct core_type *ct, const char *name)
{
	struct best best = { .name = name };
	size_t n;
	int i;

	*buf = '\0';
	pmc_machine_each_event(machine, ct->info.id, consider, &best);
	if (!best.nr)
		return;
	n = snprintf(buf, size, " (did you mean ");
	for (i = 0; i < best.nr && n < size; i++)
		n += snprintf(buf + n, size - n, "%s%s",
			      !i ? "" : i + 1 < best.nr ? ", " : " or ", best.text[i]);
	if (n < size)
		snprintf(buf + n, size - n, "?)");
}
