// SPDX-License-Identifier: GPL-2.0
/*
 * A model of energy for the monitoring module estimated_power, whose formulas are in watts: the energy
 * of an event in nanojoules, times events per nanosecond.
 */
#include <stdlib.h>
#include <string.h>

#include "additivity/module_model.h"
#include "common.h"

/* Every set of such a module has these, from which it detects phases of a program. */
static const char *const always[] = { "instr", "cycles" };
#define NR_ALWAYS 2
/* Events of a set: MODEL_SET_EVENTS_MAX of the module */
#define SET_MAX 8
/* The module has 20 binary digits for events per nanosecond; times this, rare events have enough. */
#define FACTOR 1000

struct set_event {
	char name[16];
	char *raw;
};

/* In the kernel's form, without the word for the core type; for free() */
static char *raw_of(const struct module_model *m, const char *event)
{
	pmc_config_t *config = must_have(pmc_config_new(m->machine));
	char *raw, *end;

	if (pmc_config_add(config, event, m->core_type, 0))
		bad("the model has the event '%s': %s", event, pmc_last_error());
	raw = must_have(strdup(pmc_config_raw(config, 0)));
	pmc_config_free(config);
	end = strstr(raw, ",coretype=");
	if (end)
		*end = '\0';
	return raw;
}

/* The index of an event in the set, which it is added to if it is new */
static int add(struct set_event *set, int *nr, const char *name, char *raw)
{
	int i;

	for (i = 0; i < *nr; i++)
		if (!strcmp(set[i].raw, raw)) {
			free(raw);
			return i;
		}
	if (*nr == SET_MAX)
		bad("the model has too many events for the monitoring module: with instructions and cycles, at most %d", SET_MAX);
	snprintf(set[*nr].name, sizeof(set->name), "%s", name);
	set[*nr].raw = raw;
	return (*nr)++;
}

void module_model_write(FILE *f, const struct module_model *m)
{
	const char *type = pmc_machine_core_type(m->machine, m->core_type)->name;
	struct set_event set[SET_MAX];
	int *places = new_array(m->nr, sizeof(*places)), nr = 0, i;
	char name[64];

	for (i = 0; i < NR_ALWAYS; i++) {
		snprintf(name, sizeof(name), "%s%s", always[i], m->modes);
		add(set, &nr, always[i], raw_of(m, name));
	}
	for (i = 0; i < m->nr; i++) {
		snprintf(name, sizeof(name), "event_%d", i + 1);
		places[i] = add(set, &nr, name, raw_of(m, m->events[i]));
	}
	fprintf(f, "# Dynamic power on core type %s, estimated by pmc-additivity: pmc-load-model loads this file.\n", type);
	fprintf(f, "estimated_power.%s.set=", type);
	for (i = 0; i < nr; i++)
		fprintf(f, "%s%s:%s", i ? "," : "", set[i].name, set[i].raw);
	fputc('\n', f);
	for (i = 0; i < m->nr; i++)
		fprintf(f, "# %s\nestimated_power.%s.metric.rate_%d=%d*%s/ns\n", m->events[i], type, i + 1,
			FACTOR, set[places[i]].name);
	fprintf(f, "estimated_power.%s.estimate=", type);
	for (i = 0; i < m->nr; i++)
		fprintf(f, "%s%.12f*rate_%d", i ? "+" : "", m->joules[i] * 1e9 / FACTOR, i + 1);
	fputc('\n', f);
	while (nr--)
		free(set[nr].raw);
	free(places);
}
