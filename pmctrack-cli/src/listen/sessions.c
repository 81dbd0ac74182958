// SPDX-License-Identifier: GPL-2.0
/* The sessions that a listener knows: what their counts are named. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "listen/listen.h"
#include "quote.h"

struct session {
	unsigned int id;
	char *description;
	struct session *next;
};

static struct session *sessions;

static struct session **find(unsigned int id)
{
	struct session **s = &sessions;

	while (*s && (*s)->id != id)
		s = &(*s)->next;
	return s;
}

void listen_remember(const struct pmc_listener_event *event)
{
	struct session **s = find(event->session);

	if (!*s) {
		*s = new_array(1, sizeof(**s));
		(*s)->id = event->session;
	}
	free((*s)->description);
	(*s)->description = must_have(strdup(event->description));
}

int listen_knows(unsigned int id)
{
	return !!*find(id);
}

void listen_forget(unsigned int id)
{
	struct session **s = find(id), *old = *s;

	if (!old)
		return;
	*s = old->next;
	free(old->description);
	free(old);
}

/*
 * Add @nr values, with the names of a list in the description. Its owner may be another user, and the
 * reader's terminal obeys control characters.
 */
static void add(struct listen_counts *counts, size_t *used, const char *names, size_t len,
		const uint64_t *values, int nr)
{
	char name[PMC_DESCRIPTION_LEN];
	int i;

	for (i = 0; i < nr && counts->nr < LISTEN_NAMES; i++) {
		char *text = counts->text + *used;
		size_t word = names ? strcspn(names, ",") : 0;

		word = word < len ? word : len;
		snprintf(name, sizeof(name), "%.*s", (int)word, names ? names : "");
		if (!word)
			snprintf(name, sizeof(name), "count %d", counts->nr + 1);
		*used += strlen(quote_name(text, sizeof(counts->text) - *used, name, "")) + 1;
		counts->names[counts->nr] = text;
		counts->values[counts->nr++] = values[i];
		if (!word)
			continue;
		names += word < len ? word + 1 : word;
		len -= word < len ? word + 1 : word;
	}
}

void listen_name_counts(struct listen_counts *counts, const struct pmc_listener_event *event)
{
	const struct session *s = *find(event->session);
	const struct pmc_reading *r = &event->reading;
	const char *names = NULL, *virtuals = NULL;
	size_t len = 0, virtuals_len = 0, used = 0;

	if (s) {
		names = pmc_description_names(s->description, r->core_type, r->set, &len);
		virtuals = pmc_description_names(s->description, -1, 0, &virtuals_len);
	}
	counts->nr = 0;
	add(counts, &used, names, len, r->counts, r->nr_counts);
	add(counts, &used, virtuals, virtuals_len, r->virtual_counts, r->nr_virtual);
}
