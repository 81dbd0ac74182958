// SPDX-License-Identifier: LGPL-2.1-or-later
/* The parts of an event, one for each core type. */
#include <stdlib.h>
#include <string.h>

#include "event_core_types.h"
#include "library.h"
#include "papi.h"

static void free_part(struct papi_part *part)
{
	int i;

	for (i = 0; i < part->nr_terms; i++)
		free(part->terms[i]);
	free(part->terms);
	formula_free(part->formula);
}

void event_free_parts(struct papi_event *event)
{
	int i;

	for (i = 0; i < event->nr_parts; i++)
		free_part(&event->parts[i]);
	free(event->parts);
	event->parts = NULL;
	event->nr_parts = 0;
}

static struct papi_part *new_part(struct papi_event *event, int core_type, int nr_terms)
{
	struct papi_part *parts, *part;

	parts = realloc(event->parts, (event->nr_parts + 1) * sizeof(*parts));
	if (!parts)
		return NULL;
	event->parts = parts;
	part = &parts[event->nr_parts];
	memset(part, 0, sizeof(*part));
	part->core_type = core_type;
	part->terms = calloc(nr_terms, sizeof(*part->terms));
	if (!part->terms)
		return NULL;
	event->nr_parts++;
	return part;
}

int event_add_term(struct papi_event *event, int core_type, const char *words)
{
	struct papi_part *part = new_part(event, core_type, 1);

	if (!part)
		return PAPI_ENOMEM;
	part->terms[0] = strdup(words);
	part->nr_terms = !!part->terms[0];
	return part->nr_terms ? PAPI_OK : PAPI_ENOMEM;
}

int event_add_formula(struct papi_event *event, int core_type, struct formula *formula,
		      char *const *words)
{
	int i, nr = formula_nr_terms(formula);
	struct papi_part *part = new_part(event, core_type, nr);

	if (!part) {
		formula_free(formula);
		return PAPI_ENOMEM;
	}
	part->formula = formula;
	for (i = 0; i < nr; i++) {
		part->terms[i] = strdup(words[i]);
		if (!part->terms[i])
			return PAPI_ENOMEM;
		part->nr_terms++;
	}
	return PAPI_OK;
}

int event_exists(int core_type, const char *words)
{
	pmc_config_t *config = pmc_config_new(papi_machine());
	int rc = config && !pmc_config_add(config, words, core_type, 0);

	pmc_config_free(config);
	return rc;
}
