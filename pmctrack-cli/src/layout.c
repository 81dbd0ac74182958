// SPDX-License-Identifier: GPL-2.0
/* The layout of reports: which event of which set is in which column and counter. */
#include <stdlib.h>
#include <string.h>

#include "layout.h"

int layout_name(const struct layout *layout, const char *name)
{
	int i;

	for (i = 0; i < layout->nr_names; i++)
		if (!strcmp(layout->names[i], name))
			return i;
	return -1;
}

static int add_name(struct layout *layout, const char *name)
{
	int i = layout_name(layout, name);
	const char **names;

	if (i >= 0)
		return i;
	names = realloc(layout->names, (layout->nr_names + 1) * sizeof(*names));
	if (!names)
		return -1;
	layout->names = names;
	names[layout->nr_names] = name;
	return layout->nr_names++;
}

static int init_set(struct layout *layout, struct layout_set *set,
		    const pmc_config_t *config, pmc_session_t *session,
		    int core_type, int index)
{
	int i;

	set->nr = pmc_config_nr_events(config, core_type, index);
	if (session && pmc_session_slots(session, core_type, index, set->slots) != set->nr)
		return -1;
	for (i = 0; i < set->nr; i++) {
		if (!session)
			set->slots[i] = i;
		set->names[i] = pmc_config_event(config, core_type, index, i);
		set->columns[i] = add_name(layout, set->names[i]);
		if (set->columns[i] < 0)
			return -1;
		set->periods[i] = pmc_config_ebs_period(config, core_type, index, i);
		layout->uses_ebs |= set->periods[i] != 0;
		layout->slots |= 1ULL << set->slots[i];
	}
	return 0;
}

int layout_init(struct layout *layout, const pmc_machine_t *machine,
		const pmc_config_t *config, pmc_session_t *session)
{
	const struct pmc_virtual_info *v;
	struct layout_core_type *ct;
	int id, i;

	memset(layout, 0, sizeof(*layout));
	while ((v = pmc_config_virtual(config, layout->nr_virtual))) {
		layout->virtual_numbers[layout->nr_virtual] =
			pmc_config_virtual_number(config, layout->nr_virtual);
		layout->virtuals[layout->nr_virtual++] = v;
	}
	layout->without_module = !pmc_machine_has_module(machine);
	layout->nr_core_types = pmc_machine_nr_core_types(machine);
	layout->core_types = calloc(layout->nr_core_types, sizeof(*layout->core_types));
	if (!layout->core_types)
		return -1;
	for (id = 0; id < layout->nr_core_types; id++) {
		ct = &layout->core_types[id];
		ct->info = pmc_machine_core_type(machine, id);
		ct->nr_sets = pmc_config_nr_sets(config, id);
		ct->sets = calloc(ct->nr_sets ? ct->nr_sets : 1, sizeof(*ct->sets));
		if (!ct->sets)
			return -1;
		for (i = 0; i < ct->nr_sets; i++)
			if (init_set(layout, &ct->sets[i], config, session, id, i))
				return -1;
	}
	return 0;
}

void layout_free(struct layout *layout)
{
	int id;

	for (id = 0; layout->core_types && id < layout->nr_core_types; id++)
		free(layout->core_types[id].sets);
	free(layout->core_types);
	free(layout->names);
}

const struct layout_set *layout_set(const struct layout *layout, int core_type, int set)
{
	if (core_type < 0 || core_type >= layout->nr_core_types ||
	    set < 0 || set >= layout->core_types[core_type].nr_sets)
		return NULL;
	return &layout->core_types[core_type].sets[set];
}

uint64_t layout_left_out(const struct layout *layout, const struct pmc_reading *r)
{
	const struct layout_set *s = layout_set(layout, r->core_type, r->set);
	uint64_t nr, sum = 0;
	int i;

	for (i = 0; s && i < s->nr && i < r->nr_counts; i++) {
		if (!s->periods[i])
			continue;
		nr = r->counts[i] / s->periods[i];
		if (nr && r->type == PMC_EBS_SAMPLE && (int)r->ebs_event == i)
			nr--;
		sum += nr;
	}
	return sum;
}

static int same_events(const struct layout_set *a, const struct layout_set *b)
{
	int i;

	if (a->nr != b->nr)
		return 0;
	for (i = 0; i < a->nr; i++)
		if (a->columns[i] != b->columns[i])
			return 0;
	return 1;
}

int layout_has_several_sets(const struct layout *layout)
{
	const struct layout_set *first = NULL;
	int id;

	for (id = 0; id < layout->nr_core_types; id++) {
		const struct layout_core_type *ct = &layout->core_types[id];

		if (ct->nr_sets > 1 ||
		    (ct->nr_sets && first && !same_events(first, &ct->sets[0])))
			return 1;
		if (ct->nr_sets)
			first = &ct->sets[0];
	}
	return 0;
}

int layout_has_means(const struct layout *layout)
{
	int i;

	for (i = 0; i < layout->nr_virtual; i++)
		if (layout->virtuals[i]->kind != PMC_VIRTUAL_COUNT)
			return 1;
	return 0;
}
