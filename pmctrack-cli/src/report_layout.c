// SPDX-License-Identifier: GPL-2.0
/* The layout of reports: which event of which set is in which column and counter. */
#include <stdlib.h>
#include <string.h>

#include "event_spelling.h"
#include "report_layout.h"

int layout_name(const struct layout *layout, const char *name)
{
	int i;

	for (i = 0; i < layout->nr_names; i++)
		if (!strcmp(layout->names[i], name))
			return i;
	return -1;
}

/* The first name that is shown with these spellings, and with the modifiers of @like, if any; or -1 */
static int find_event(const struct layout *layout, const char *spellings, const char *like)
{
	int i;

	for (i = 0; i < layout->nr_names; i++)
		if (!layout->hidden[i] && event_is(layout->names[i], spellings) &&
		    (!like || event_same_modifiers(layout->names[i], like)))
			return i;
	return -1;
}

int layout_find_ipc(const struct layout *layout, int *instr, int *cycles)
{
	*instr = find_event(layout, EVENT_INSTR, NULL);
	*cycles = *instr < 0 ? -1 : find_event(layout, EVENT_CYCLES, layout->names[*instr]);
	return *cycles >= 0;
}

/* The name of an event; the @nth of a set with this name has its number behind it. */
static char *name_of(const char *event, int nth)
{
	char *plain = event_without_period(event), *name = NULL;

	if (!plain || nth == 1)
		return plain;
	if (asprintf(&name, "%s#%d", plain, nth) < 0)
		name = NULL;
	free(plain);
	return name;
}

int layout_add_name(struct layout *layout, char *name)
{
	int i = name ? layout_name(layout, name) : -1;
	char **names = layout->names, *hidden = layout->hidden;

	if (i < 0 && name) {
		names = realloc(names, (layout->nr_names + 1) * sizeof(*names));
		hidden = realloc(hidden, layout->nr_names + 1);
		layout->names = names ? names : layout->names;
		layout->hidden = hidden ? hidden : layout->hidden;
		if (names && hidden) {
			names[layout->nr_names] = name;
			hidden[layout->nr_names] = 0;
			return layout->nr_names++;
		}
	}
	free(name);
	return i;
}

/* Index of the name of event number @i of a set; -1: no memory */
static int column_of(struct layout *layout, const struct layout_set *set, int i)
{
	int column, nth = 1, j;

	do {
		column = layout_add_name(layout, name_of(set->names[i], nth++));
		for (j = 0; j < i && set->columns[j] != column; j++)
			;
	} while (column >= 0 && j < i);
	return column;
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
		set->columns[i] = column_of(layout, set, i);
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

/* Show an event that was asked for. */
static int show(struct layout *layout, const char *event)
{
	char *name = event_without_period(event);
	int at = name ? layout_name(layout, name) : -1;

	if (at >= 0)
		layout->hidden[at] = 0;
	free(name);
	return name ? 0 : -1;
}

int layout_set_plan(struct layout *layout, const pmc_plan_t *plan, const pmc_config_t *asked)
{
	const char *event;
	int id, set, i;

	layout->plan = plan;
	for (i = 0; i < layout->nr_names; i++)
		layout->hidden[i] = 1;
	for (id = 0; id < layout->nr_core_types; id++)
		for (set = 0; set < pmc_config_nr_sets(asked, id); set++)
			for (i = 0; (event = pmc_config_event(asked, id, set, i)); i++)
				if (show(layout, event))
					return -1;
	return 0;
}

void layout_free(struct layout *layout)
{
	int id;

	for (id = 0; layout->core_types && id < layout->nr_core_types; id++)
		free(layout->core_types[id].sets);
	free(layout->core_types);
	while (layout->nr_names)
		free(layout->names[--layout->nr_names]);
	free(layout->names);
	free(layout->hidden);
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

int layout_has_means(const struct layout *layout)
{
	int i;

	for (i = 0; i < layout->nr_virtual; i++)
		if (layout->virtuals[i]->kind != PMC_VIRTUAL_COUNT)
			return 1;
	return 0;
}

const char *layout_core_type_name(const struct layout *layout, int id)
{
	return id >= 0 && id < layout->nr_core_types ? layout->core_types[id].info->name : "?";
}

int layout_place(const struct layout_set *set, int name)
{
	int i;

	for (i = 0; set && i < set->nr; i++)
		if (set->columns[i] == name)
			return i;
	return -1;
}

int layout_has_event(const struct layout *layout, int id, int name)
{
	const struct layout_set *s;
	int set;

	for (set = 0; (s = layout_set(layout, id, set)); set++)
		if (layout_place(s, name) >= 0)
			return 1;
	return 0;
}

static int is_software_slot(const struct pmc_core_type_info *info, int slot)
{
	int i;

	for (i = 0; i < info->nr_counters; i++)
		if (slot >= info->counters[i].first && slot <= info->counters[i].last)
			return info->counters[i].kind == PMC_COUNTER_SOFTWARE;
	return 0;
}

int layout_is_software(const struct layout *layout, int name)
{
	const struct layout_set *s;
	int id, set, i;

	for (id = 0; id < layout->nr_core_types; id++)
		for (set = 0; (s = layout_set(layout, id, set)); set++)
			for (i = 0; i < s->nr; i++)
				if (s->columns[i] == name)
					return is_software_slot(layout->core_types[id].info, s->slots[i]);
	return 0;
}

int layout_nr_visible(const struct layout *layout)
{
	int i, n = 0;

	for (i = 0; i < layout->nr_names; i++)
		n += !layout->hidden[i];
	return n;
}

int layout_most_sets(const struct layout *layout)
{
	int id, most = 0;

	for (id = 0; id < layout->nr_core_types; id++)
		if (layout->core_types[id].nr_sets > most)
			most = layout->core_types[id].nr_sets;
	return most;
}
