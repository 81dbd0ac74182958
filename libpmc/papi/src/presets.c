// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Preset events, and events that users define: on each core type the formula of its model.
 * A preset is available if every core type that has counters can count it, at least alone; its
 * value is the sum. Definitions are looked up when a program asks for the event.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_events.h"
#include "hardware.h"
#include "library.h"
#include "native.h"
#include "pmu_names.h"
#include "preset_csv.h"
#include "preset_describe.h"
#include "preset_names.h"
#include "presets.h"

#ifndef PAPI_PRESETS_DIR
#define PAPI_PRESETS_DIR "/usr/share/pmctrack/presets"
#endif

/* Most names of a core type's model */
#define MODELS_MAX 8

enum availability { UNKNOWN, AVAILABLE, MISSING };

/**
 * struct preset - a preset or user event, once it was asked for
 * @def: the definition for the first core type that has one; NULL: none has
 */
struct preset {
	struct papi_event event;
	const struct preset_def *def;
	enum availability state;
};

static struct preset_table table, user_table;
static struct preset presets[PAPI_MAX_PRESET_EVENTS];
static struct preset user_events[PRESET_MAX_USER_EVENTS];
static int nr_user_events;

/* The names under which tables may have a core type's model */
struct models {
	char text[PAPI_2MAX_STR_LEN];
	const char *names[MODELS_MAX + 1];
};

/* Event tables, without ".events" and without what kind of source they are; then the PMU */
static void get_models(struct models *models, int core_type)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(papi_machine(), core_type);
	char *name, *save, *end;
	int nr = 0;

	memset(models, 0, sizeof(*models));
	snprintf(models->text, sizeof(models->text), "%s, %s",
		 pmc_machine_event_table(papi_machine(), core_type), info->pmu);
	for (name = strtok_r(models->text, ",", &save); name && nr < MODELS_MAX;
	     name = strtok_r(NULL, ",", &save)) {
		name += strspn(name, " ");
		if (strchr(name, ' '))
			name = strchr(name, ' ') + 1;
		end = strstr(name, ".events");
		if (end && !end[strlen(".events")])
			*end = '\0';
		if (*name)
			models->names[nr++] = name;
	}
}

/* Presets that each model has, whatever tables there are */
static const struct preset_def *find_always(const char *name)
{
	static char *cycles[] = { "cycles" }, *instructions[] = { "instr" };
	static const struct preset_def always[] = {
		{ .name = "PAPI_TOT_CYC", .nr_terms = 1, .terms = cycles },
		{ .name = "PAPI_TOT_INS", .nr_terms = 1, .terms = instructions },
	};
	size_t i;

	for (i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (!strcasecmp(name, always[i].name))
			return &always[i];
	return NULL;
}

static const struct preset_def *find_def(const struct models *models, const char *name)
{
	const struct preset_def *def = preset_table_find(&user_table, models->names, name);

	if (!def)
		def = preset_table_find(&table, models->names, name);
	return def ? def : find_always(name);
}

static const struct preset_def *find_nested(void *arg, const char *term)
{
	return find_def(arg, term);
}

/* The terms' names without the PMU of this core type; 0: another's, or not there */
static int take_term(char *words, size_t size, const char *term, int core_type)
{
	const struct papi_event *event;
	int error, i;

	if (!strstr(term, "::")) {
		snprintf(words, size, "%s", term);
		return event_exists(core_type, words);
	}
	event = native_by_name(term, &error);
	for (i = 0; event && i < event->nr_parts; i++)
		if (event->parts[i].core_type == core_type && !event->parts[i].formula) {
			snprintf(words, size, "%s", event->parts[i].terms[0]);
			return 1;
		}
	return 0;
}

static int add_terms(struct papi_event *event, int core_type, struct formula *formula)
{
	char words[FORMULA_MAX_TERMS][PAPI_2MAX_STR_LEN], *pointers[FORMULA_MAX_TERMS];
	int i;

	for (i = 0; i < formula_nr_terms(formula); i++) {
		pointers[i] = words[i];
		if (!take_term(words[i], sizeof(words[i]), formula_term(formula, i), core_type)) {
			formula_free(formula);
			return PAPI_OK;
		}
	}
	return event_add_formula(event, core_type, formula, pointers);
}

/* The processor's highest frequency, for rates */
static uint64_t max_hz(void)
{
	const struct hardware *hardware = hardware_get();

	return hardware ? hardware->info.cpu_max_mhz * 1000000ULL : 0;
}

/* A definition that cannot be compiled is left out: the tables' tests find those of the project. */
static int add_def(struct papi_event *event, int core_type, const struct preset_def *def,
		   struct models *models)
{
	char error[PRESET_ERROR_SIZE], words[PAPI_2MAX_STR_LEN];
	struct formula *formula = formula_compile(def, max_hz(), find_nested, models, error);

	if (!formula)
		return PAPI_OK;
	if (def->kind != PRESET_NOT_DERIVED || formula_nr_terms(formula) != 1)
		return add_terms(event, core_type, formula);
	/* The only term is the value, unless it is a derived preset itself. */
	if (find_def(models, def->terms[0]))
		return add_terms(event, core_type, formula);
	formula_free(formula);
	return take_term(words, sizeof(words), def->terms[0], core_type) ?
	       event_add_term(event, core_type, words) : PAPI_OK;
}

static int add_part(struct papi_event *event, int core_type, const char *name)
{
	struct models models;
	const struct preset_def *def;

	get_models(&models, core_type);
	def = find_def(&models, name);
	return def ? add_def(event, core_type, def, &models) : PAPI_OK;
}

/* Core types without counters count no event. */
static int nr_counting_types(void)
{
	int id, n = 0;

	for (id = 0; id < pmc_machine_nr_core_types(papi_machine()); id++)
		n += pmc_machine_core_type(papi_machine(), id)->nr_hw_counters > 0;
	return n;
}

/*
 * The quotient of a core type is no part of the whole's. It is computed from the sums of its terms
 * (count_events.c), which needs the same formula on all core types.
 */
static int can_be_summed(const struct papi_event *event)
{
	const struct formula *first = event->parts[0].formula, *formula;
	int i;

	for (i = 1; i < event->nr_parts; i++) {
		formula = event->parts[i].formula;
		if (!(first && formula_divides(first)) && !(formula && formula_divides(formula)))
			continue;
		if (!first || !formula || !formula_same_steps(first, formula))
			return 0;
	}
	return 1;
}

/* The tables have events that no counter counts rightly, and formulas with many events. */
static int fits_counters(const struct papi_event *event)
{
	static const struct target self = { .domain = PAPI_DOM_USER, .cpu = -1 };

	return counting_try(&event, 1, &self) != PAPI_ECNFLCT;
}

static void look_up(struct preset *preset, const char *name)
{
	const pmc_machine_t *machine = papi_machine();
	struct models models;
	int id, rc = PAPI_OK;

	for (id = 0; id < pmc_machine_nr_core_types(machine) && rc == PAPI_OK; id++) {
		get_models(&models, id);
		if (!preset->def)
			preset->def = find_def(&models, name);
		rc = add_part(&preset->event, id, name);
	}
	preset->state = rc == PAPI_OK && preset->event.nr_parts &&
			preset->event.nr_parts >= nr_counting_types() &&
			can_be_summed(&preset->event) && fits_counters(&preset->event) ? AVAILABLE :
			MISSING;
}

static const struct papi_event *available(struct preset *preset, const char *name)
{
	papi_lock();
	if (preset->state == UNKNOWN)
		look_up(preset, name);
	papi_unlock();
	return preset->state == AVAILABLE ? &preset->event : NULL;
}

/* The entry of a code, with its name; NULL: there is no such preset. */
static struct preset *entry(unsigned int code, const char **name)
{
	unsigned int n;

	if (IS_USER_DEFINED(code)) {
		n = code & PAPI_UE_AND_MASK;
		if (n >= (unsigned int)nr_user_events)
			return NULL;
		*name = user_events[n].event.name;
		return &user_events[n];
	}
	n = code & PAPI_PRESET_AND_MASK;
	if (!IS_PRESET(code) || n >= (unsigned int)nr_preset_names)
		return NULL;
	*name = preset_names[n].name;
	presets[n].event.code = code;
	presets[n].event.name = (char *)*name;
	presets[n].event.component = COMPONENT_CPU;
	return &presets[n];
}

const struct papi_event *preset_by_code(unsigned int code)
{
	const char *name;
	struct preset *preset = entry(code, &name);

	return preset ? available(preset, name) : NULL;
}

unsigned int preset_code(const char *name)
{
	int i;

	for (i = 0; i < nr_user_events; i++)
		if (!strcasecmp(name, user_events[i].event.name))
			return user_events[i].event.code;
	if (strncasecmp(name, "PAPI_", 5))
		return 0;
	for (i = 0; i < nr_preset_names; i++)
		if (!strcasecmp(name, preset_names[i].name))
			return PAPI_PRESET_MASK | i;
	return 0;
}

/*
 * Terms with the name of a PMU lead here again. A definition that leads to itself has no part. The
 * lock is held.
 */
int preset_add_part(struct papi_event *event, int core_type, const char *name)
{
	static int nesting;
	int rc;

	if (!preset_code(name))
		return PAPI_ENOTPRESET;
	if (nesting == FORMULA_MAX_NESTING)
		return PAPI_OK;
	nesting++;
	rc = add_part(event, core_type, name);
	nesting--;
	return rc;
}

const struct papi_event *preset_by_name(const char *name)
{
	unsigned int code = preset_code(name);

	return code ? preset_by_code(code) : NULL;
}

int preset_exists(unsigned int code)
{
	const char *name;

	return !!entry(code, &name);
}

const char *preset_name(unsigned int code)
{
	const char *name;

	return entry(code, &name) ? name : NULL;
}

int presets_nr_available(void)
{
	int i, n = 0;

	for (i = 0; i < nr_preset_names; i++)
		n += !!preset_by_code(PAPI_PRESET_MASK | i);
	return n;
}

/* The type that a modifier of PAPI_enum_event() asks for; 0: any */
static unsigned int wanted_type(int modifier)
{
	static const struct {
		int modifier;
		unsigned int type;
	} types[] = {
		{ PAPI_PRESET_ENUM_MSC, PAPI_PRESET_BIT_MSC },
		{ PAPI_PRESET_ENUM_INS, PAPI_PRESET_BIT_INS },
		{ PAPI_PRESET_ENUM_IDL, PAPI_PRESET_BIT_IDL },
		{ PAPI_PRESET_ENUM_BR, PAPI_PRESET_BIT_BR },
		{ PAPI_PRESET_ENUM_CND, PAPI_PRESET_BIT_CND },
		{ PAPI_PRESET_ENUM_MEM, PAPI_PRESET_BIT_MEM },
		{ PAPI_PRESET_ENUM_CACH, PAPI_PRESET_BIT_CACH },
		{ PAPI_PRESET_ENUM_L1, PAPI_PRESET_BIT_L1 },
		{ PAPI_PRESET_ENUM_L2, PAPI_PRESET_BIT_L2 },
		{ PAPI_PRESET_ENUM_L3, PAPI_PRESET_BIT_L3 },
		{ PAPI_PRESET_ENUM_TLB, PAPI_PRESET_BIT_TLB },
		{ PAPI_PRESET_ENUM_FP, PAPI_PRESET_BIT_FP },
	};
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (types[i].modifier == modifier)
			return types[i].type;
	return 0;
}

static int enumerate_user_events(unsigned int *code, int modifier)
{
	unsigned int next = modifier == PAPI_ENUM_FIRST ? 0 : (*code & PAPI_UE_AND_MASK) + 1;

	if (next >= (unsigned int)nr_user_events)
		return PAPI_ENOEVNT;
	*code = user_events[next].event.code;
	return PAPI_OK;
}

int preset_enumerate(unsigned int *code, int modifier)
{
	unsigned int type = wanted_type(modifier), n;

	if (IS_USER_DEFINED(*code))
		return enumerate_user_events(code, modifier);
	/* Only the CPU's component has presets. */
	if (modifier == PAPI_PRESET_ENUM_FIRST_COMP)
		return PAPI_ENOEVNT;
	n = modifier == PAPI_ENUM_FIRST ? 0 : (*code & PAPI_PRESET_AND_MASK) + 1;
	for (; n < (unsigned int)nr_preset_names; n++) {
		if (type && !(preset_names[n].type & type))
			continue;
		if ((modifier == PAPI_PRESET_ENUM_AVAIL || modifier == PAPI_PRESET_ENUM_CPU_AVAIL) &&
		    !preset_by_code(PAPI_PRESET_MASK | n))
			continue;
		*code = PAPI_PRESET_MASK | n;
		return PAPI_OK;
	}
	return PAPI_ENOEVNT;
}

/* The terms of all core types, each with the name of its PMU if there are several types */
static void name_terms(const struct papi_event *event, PAPI_event_info_t *info)
{
	const pmc_machine_t *machine = papi_machine();
	const struct papi_event *native;
	char name[PAPI_2MAX_STR_LEN], pmu[PAPI_MIN_STR_LEN];
	int p, t, error;

	for (p = 0; p < event->nr_parts; p++)
		for (t = 0; t < event->parts[p].nr_terms && info->count < PAPI_MAX_INFO_TERMS; t++) {
			pmu_name_of_one(machine, event->parts[p].core_type, pmu, sizeof(pmu));
			if (pmc_machine_nr_core_types(machine) > 1)
				snprintf(name, sizeof(name), "%s::%.180s", pmu, event->parts[p].terms[t]);
			else
				snprintf(name, sizeof(name), "%.255s", event->parts[p].terms[t]);
			native = native_by_name(name, &error);
			info->code[info->count] = native ? native->code : 0;
			snprintf(info->name[info->count], sizeof(info->name[0]), "%s", name);
			info->count++;
		}
}

/* Are all terms those of the definition, and none of a preset among them? */
static int has_own_terms(const struct preset_def *def, const struct formula *formula)
{
	int i;

	if (!formula)
		return 1;
	if (formula_nr_terms(formula) != def->nr_terms)
		return 0;
	for (i = 0; i < def->nr_terms; i++)
		if (strcasecmp(formula_term(formula, i), def->terms[i]))
			return 0;
	return 1;
}

static void describe(const struct preset *preset, PAPI_event_info_t *info)
{
	const struct preset_def *def = preset->def;

	if (preset->event.nr_parts > 1 || !has_own_terms(def, preset->event.parts[0].formula)) {
		preset_describe_sum(&preset->event, info);
	} else {
		snprintf(info->derived, sizeof(info->derived), "%s", preset_kind_name(def->kind));
		if (def->postfix)
			snprintf(info->postfix, sizeof(info->postfix), "%s", def->postfix);
	}
	if (def->note)
		snprintf(info->note, sizeof(info->note) - sizeof(int), "%s", def->note);
	if (def->short_descr)
		snprintf(info->short_descr, sizeof(info->short_descr), "%s", def->short_descr);
	if (def->long_descr)
		snprintf(info->long_descr, sizeof(info->long_descr), "%s", def->long_descr);
}

int preset_info(unsigned int code, PAPI_event_info_t *info)
{
	const char *name;
	struct preset *preset = entry(code, &name);
	const struct papi_event *event;

	if (!preset)
		return PAPI_ENOTPRESET;
	event = available(preset, name);
	info->event_code = code;
	info->component_index = COMPONENT_CPU;
	snprintf(info->symbol, sizeof(info->symbol), "%s", name);
	if (IS_PRESET(code)) {
		const struct preset_name *known = &preset_names[code & PAPI_PRESET_AND_MASK];

		info->event_type = known->type;
		snprintf(info->short_descr, sizeof(info->short_descr), "%s", known->short_descr);
		snprintf(info->long_descr, sizeof(info->long_descr), "%s", known->long_descr);
	}
	if (event)
		name_terms(event, info);
	if (event && preset->def)
		describe(preset, info);
	return PAPI_OK;
}

/* What finds no room is left out, as PAPI does, and only the first of it is named. */
static int add_user_event(void *arg, const struct preset_def *def)
{
	struct preset *preset;
	int *is_full = arg;
	int i;

	for (i = 0; i < nr_user_events; i++)
		if (!strcasecmp(def->name, user_events[i].event.name))
			return 0;
	if (nr_user_events == PRESET_MAX_USER_EVENTS) {
		if (!*is_full)
			fprintf(stderr, "libpmcpapi: %s and the user events after it are left out: there is room for %d\n",
				def->name, PRESET_MAX_USER_EVENTS);
		*is_full = 1;
		return 0;
	}
	preset = &user_events[nr_user_events];
	preset->event.name = strdup(def->name);
	if (!preset->event.name)
		return PAPI_ENOMEM;
	preset->event.code = PAPI_UE_MASK | nr_user_events++;
	preset->event.component = COMPONENT_CPU;
	return 0;
}

static int name_user_events(void)
{
	struct models models;
	int id, is_full = 0, rc = PAPI_OK;

	for (id = 0; id < pmc_machine_nr_core_types(papi_machine()) && rc == PAPI_OK; id++) {
		get_models(&models, id);
		rc = preset_table_each(&user_table, models.names, add_user_event, &is_full);
	}
	return rc;
}

/* A wrong file is named on stderr, as PAPI does: its events are missing. */
static int report(int wrong, const char *error)
{
	if (wrong)
		fprintf(stderr, "libpmcpapi: %s\n", error);
	return wrong < 0 ? PAPI_EINVAL : PAPI_OK;
}

int presets_init(const pmc_machine_t *machine)
{
	char error[PRESET_ERROR_SIZE];

	(void)machine;
	report(preset_table_presets(&table, PAPI_PRESETS_DIR, error), error);
	report(preset_table_user_events(&user_table, error), error);
	return name_user_events();
}

static void clear(struct preset *preset)
{
	event_free_parts(&preset->event);
	preset->def = NULL;
	preset->state = UNKNOWN;
}

void presets_exit(void)
{
	int i;

	for (i = 0; i < nr_preset_names; i++)
		clear(&presets[i]);
	while (nr_user_events) {
		clear(&user_events[--nr_user_events]);
		free(user_events[nr_user_events].event.name);
	}
	preset_table_clear(&table);
	preset_table_clear(&user_table);
}
