// SPDX-License-Identifier: GPL-2.0
/* Event sets of -c that need more counters than there are: --split, and what to type without it. */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "event_spelling.h"
#include "split_evsets.h"
#include "stat_events.h"

static pmc_session_t *open_session(const struct options *o)
{
	pmc_session_t *session = pmc_session_open();

	if (!session || (o->filter && pmc_session_command(session, "filter %s", o->filter)))
		bad("%s", pmc_last_error());
	return session;
}

void split_sets(const struct options *o, const pmc_machine_t *machine, int core_type,
		pmc_config_t *config)
{
	pmc_plan_t *plan = must_have(pmc_plan_new(machine));
	pmc_session_t *scratch = open_session(o);
	int i;

	for (i = 0; i < o->nr_configs; i++)
		if (pmc_plan_add_events(plan, o->configs[i], core_type))
			bad("-c: %s", pmc_last_error());
	if (pmc_plan_make(plan, config, pmc_plan_fits, scratch))
		bad("-c: %s", pmc_last_error());
	pmc_session_close(scratch);
	pmc_plan_free(plan);
}

/* The words of a set: events, and coretype=N, which goes with each of them */
struct words {
	int nr;
	char *all[PMC_MAX_COUNTS];
	char *core_type;
};

static void split_words(struct words *words, const char *text)
{
	size_t len;
	char *word;

	memset(words, 0, sizeof(*words));
	for (; *text; text += len + (text[len] == ',')) {
		len = event_length(text);
		word = must_have(strndup(text, len));
		if (!strncmp(word, "coretype=", 9) && !words->core_type)
			words->core_type = word;
		else if (words->nr < PMC_MAX_COUNTS)
			words->all[words->nr++] = word;
		else
			free(word);
	}
}

static void free_words(struct words *words)
{
	while (words->nr)
		free(words->all[--words->nr]);
	free(words->core_type);
}

/* Can the words from @first to before @end be counted together? Otherwise there is an error line. */
static int fits(const struct options *o, const pmc_machine_t *machine, int core_type,
		const struct words *words, int first, int end)
{
	pmc_config_t *config = must_have(pmc_config_new(machine));
	pmc_session_t *session = open_session(o);
	char *text;
	size_t size;
	FILE *f = must_have(open_memstream(&text, &size));
	int i, rc;

	for (i = first; i < end; i++)
		fprintf(f, "%s%s", i > first ? "," : "", words->all[i]);
	if (words->core_type)
		fprintf(f, ",%s", words->core_type);
	fclose(f);
	rc = pmc_config_add(config, text, core_type, 0) || pmc_session_configure(session, config);
	free(text);
	pmc_session_close(session);
	pmc_config_free(config);
	return !rc;
}

void split_explain(const struct options *o, const pmc_machine_t *machine, int core_type,
		   const char *events)
{
	struct words words;
	int i;

	split_words(&words, events);
	for (i = 0; i < words.nr && fits(o, machine, core_type, &words, i, i + 1); i++)
		;
	if (i == words.nr)
		for (i = 1; i <= words.nr; i++)
			if (!fits(o, machine, core_type, &words, 0, i))
				bad("-c: '%s' finds no counter beside the events before it: %s; with --split, events take turns",
				    words.all[i - 1], pmc_last_error());
	free_words(&words);
}

/* The column that counts @event, of another name; -1: it has its own, or none */
static int other_column(const pmc_machine_t *machine, const struct layout *layout, const char *event)
{
	int columns[layout->nr_core_types], id, own = layout_name(layout, event);

	if (own >= 0)
		return -1;
	stat_events_columns(machine, layout, event, columns);
	for (id = 0; id < layout->nr_core_types; id++)
		if (columns[id] >= 0)
			return columns[id];
	return -1;
}

void split_print_same(FILE *f, const struct options *o, const pmc_machine_t *machine,
		      const struct layout *layout)
{
	struct words words;
	char *name;
	int n, i, column;

	for (n = 0; n < o->nr_configs; n++) {
		split_words(&words, o->configs[n]);
		for (i = 0; i < words.nr; i++) {
			name = must_have(event_without_period(words.all[i]));
			column = other_column(machine, layout, name);
			if (column >= 0)
				fprintf(f, "pmctrack: %s is the same event as %s: its count is in that column\n",
					name, layout->names[column]);
			free(name);
		}
		free_words(&words);
	}
}
