// SPDX-License-Identifier: GPL-2.0
/* Components in the report of pmc-hwinfo: what they count, and why some are disabled. */
#include <stdio.h>
#include <string.h>

#include <papi.h>

#include "error_table.h"
#include "hwinfo_components.h"

#define LIST_MAX 1024

/* Add a word to a list of words. */
static void append(char *list, const char *word)
{
	size_t len = strlen(list);

	snprintf(list + len, LIST_MAX - len, "%s%s", len ? " " : "", word);
}

static void show_pmus(struct section_report *r, const PAPI_component_info_t *c)
{
	char list[LIST_MAX] = "";
	int i;

	for (i = 0; i < PAPI_PMU_MAX && c->pmu_names[i]; i++)
		append(list, c->pmu_names[i]);
	section_report_text(r, "pmus", "PMUs", list);
}

static void show_abilities(struct section_report *r, const PAPI_component_info_t *c)
{
	char list[LIST_MAX] = "";

	if (c->attach)
		append(list, "attach");
	if (c->cpu)
		append(list, "CPUs");
	if (c->inherit)
		append(list, "inherit");
	if (c->hardware_intr)
		append(list, "overflow");
	if (c->kernel_multiplex)
		append(list, "multiplex");
	if (c->fast_counter_read)
		append(list, "read-in-user-mode");
	section_report_text(r, "abilities", "abilities", list);
}

static void show_domains(struct section_report *r, const PAPI_component_info_t *c)
{
	char list[LIST_MAX] = "";

	if (c->available_domains & PAPI_DOM_USER)
		append(list, "user");
	if (c->available_domains & PAPI_DOM_KERNEL)
		append(list, "kernel");
	if (c->available_domains & PAPI_DOM_SUPERVISOR)
		append(list, "hypervisor");
	section_report_text(r, "domains", "domains", list);
}

static void show_state(struct section_report *r, const PAPI_component_info_t *c)
{
	const struct error_row *row = error_find(c->disabled);

	if (!c->disabled) {
		section_report_text(r, "state", "state", "enabled");
		return;
	}
#ifdef PAPI_EDELAY_INIT
	if (c->disabled == PAPI_EDELAY_INIT) {
		section_report_text(r, "state", "state", "enabled when it is used");
		return;
	}
#endif
	section_report_text(r, "state", "state", "disabled");
	section_report_text(r, "error", "error", row ? row->name : "");
	section_report_text(r, "reason", "reason", c->disabled_reason);
}

static void show_component(struct section_report *r, const PAPI_component_info_t *c)
{
	char title[64];

	snprintf(title, sizeof(title), "Component %.50s", c->name);
	section_report_section(r, NULL, title);
	/* The title has the name already. */
	if (r->format != FORM_TABLE)
		section_report_text(r, "name", "name", c->name);
	section_report_text(r, "description", "description", c->description);
	section_report_text(r, "version", "version", c->version);
	section_report_text(r, "support_version", "counts by", c->support_version);
	show_state(r, c);
	if (!c->disabled) {
		section_report_number(r, "counters", "counters", c->num_cntrs, "");
		section_report_number(r, "preset_events", "preset events",
				      c->num_preset_events, "");
		section_report_number(r, "native_events", "native events",
				      c->num_native_events, "");
		show_pmus(r, c);
		show_domains(r, c);
		show_abilities(r, c);
	}
	section_report_section_end(r);
}

void hwinfo_components(struct section_report *r)
{
	const PAPI_component_info_t *c;
	int i;

	section_report_list(r, "components");
	for (i = 0; i < PAPI_num_components(); i++) {
		c = PAPI_get_component_info(i);
		if (c)
			show_component(r, c);
	}
	section_report_list_end(r);
}
