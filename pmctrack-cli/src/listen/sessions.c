// SPDX-License-Identifier: GPL-2.0
/* The sessions that a listener knows: what their counts are named. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "event_spelling.h"
#include "listen/listen.h"
#include "quote.h"

/**
 * struct session - a session
 * @virtuals: the machine's virtual counters, if the session has some
 */
struct session {
	unsigned int id;
	char *description;
	pmc_virtuals_t *virtuals;
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

static void clear(struct session *s)
{
	free(s->description);
	pmc_virtuals_close(s->virtuals);
}

void listen_remember(const struct pmc_listener_event *event)
{
	struct session **s = find(event->session);
	size_t len;

	if (!*s) {
		*s = new_array(1, sizeof(**s));
		(*s)->id = event->session;
	}
	clear(*s);
	(*s)->description = must_have(strdup(event->description));
	/* Its monitoring modules are active as long as it counts. */
	(*s)->virtuals = pmc_description_names(event->description, -1, 0, &len) ? pmc_virtuals_open() : NULL;
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
	clear(old);
	free(old);
}

/*
 * Add @nr values, with the names of a list in the description. Its owner may be another user, and the
 * reader's terminal obeys control characters. @virtuals: the values are of these; NULL: of events
 */
static void add(struct listen_counts *counts, size_t *used, const char *names, size_t len,
		const pmc_virtuals_t *virtuals, const uint64_t *values, int nr)
{
	const struct pmc_virtual_info *v;
	char name[PMC_DESCRIPTION_LEN];
	int i;

	for (i = 0; i < nr && counts->nr < LISTEN_NAMES; i++) {
		char *text = counts->text + *used;
		size_t word = names ? event_length(names) : 0;

		word = word < len ? word : len;
		snprintf(name, sizeof(name), "%.*s", (int)word, names ? names : "");
		if (!word)
			snprintf(name, sizeof(name), "count %d", counts->nr + 1);
		v = virtuals && word ? pmc_virtuals_find(virtuals, name) : NULL;
		if (v)
			pmc_virtual_label(v, name, LISTEN_LABEL);
		counts->virtuals[counts->nr] = v;
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
	add(counts, &used, names, len, NULL, r->counts, r->nr_counts);
	add(counts, &used, virtuals, virtuals_len, s ? s->virtuals : NULL, r->virtual_counts, r->nr_virtual);
}
