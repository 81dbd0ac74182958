// SPDX-License-Identifier: GPL-2.0
/* Lists of events: a table, CSV or JSON, a line each, or several lines each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/quote.h"
#include "../src/wrap.h"
#include "event_list.h"

/* Longer names have their description in the next line. */
#define NAME_WIDTH_MAX	36
#define TYPES_MAX	(CORE_PMUS_MAX * (PAPI_MIN_STR_LEN + 1))
/* Where the values of details begin */
#define DETAIL_WIDTH	15

static const char *const kinds[] = { "preset", "user", "native", "umask" };
static const char *const titles[] = {
	"Preset events", "Events of PAPI_USER_EVENTS_FILE", "Native events", "Unit masks",
};
static const char *const states[] = { "", "no", "yes" };

/* Columns of a table */
struct columns {
	int name;
	int state;	/* 0: no such column */
	int derived;
	int types;
};

/* "adl_glc,adl_grt", "all" or "-" */
static const char *types_text(const struct core_pmus *types, unsigned int set, char *buf)
{
	const char *comma = "";
	size_t len = 0;
	int i;

	if (!set)
		return types->nr ? "-" : "all";
	if (set == core_pmus_all(types))
		return "all";
	*buf = '\0';
	for (i = 0; i < types->nr; i++) {
		if (!(set & 1U << i))
			continue;
		len += snprintf(buf + len, TYPES_MAX - len, "%s%s", comma, types->name[i]);
		comma = ",";
	}
	return buf;
}

static void print_join(const struct event *ev)
{
	int i;

	for (i = 0; i < ev->nr_terms; i++)
		printf("%s%s", i ? " " : "", ev->terms[i]);
}

/* ---- table ---- */

static void widen(int *width, const char *text, int most)
{
	int len = strlen(text);

	if (len > *width && len <= most)
		*width = len;
}

static void measure(struct columns *col, const struct event_list *list, const struct event *ev)
{
	char buf[TYPES_MAX];

	widen(&col->name, ev->name, NAME_WIDTH_MAX);
	/* A column that says yes in all rows says nothing. */
	if (ev->state == EVENT_ABSENT)
		col->state = strlen("avail");
	if (*ev->derived)
		col->derived = strlen("derived");
	if (list->types->nr > 1) {
		widen(&col->types, "core types", TYPES_MAX);
		widen(&col->types, types_text(list->types, ev->core_types, buf), TYPES_MAX);
	}
}

/* Print a cell and two blanks; nothing if the column has no width. Return: columns */
static int cell(int width, const char *text)
{
	return width ? printf("%-*s  ", width, text) : 0;
}

static int cells(const struct columns *col, const char *name, const char *state,
		 const char *derived, const char *types)
{
	int at, indent = col->name + 2;

	at = cell(col->name, name);
	if (at > indent) {
		at = indent;
		printf("\n%*s", indent, "");
	}
	return at + cell(col->state, state) + cell(col->derived, derived) + cell(col->types, types);
}

static void print_row(const struct event_list *list, const struct columns *col,
		      const struct event *ev)
{
	char buf[TYPES_MAX], *text = NULL;
	int at = cells(col, ev->name, states[ev->state], *ev->derived ? "yes" : "no",
		       types_text(list->types, ev->core_types, buf));

	if (*ev->note && asprintf(&text, "%s (%s)", ev->description, ev->note) < 0)
		text = NULL;
	print_wrapped(stdout, text ? text : ev->description, at, at, list->width);
	free(text);
}

/* ---- details ---- */

static void detail(const struct event_list *list, const char *name, const char *text)
{
	if (!*text)
		return;
	printf("  %-*s", DETAIL_WIDTH - 2, name);
	print_wrapped(stdout, text, DETAIL_WIDTH, DETAIL_WIDTH, list->width);
}

static void print_component(const struct event_list *list, const struct event *ev)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(ev->component);

	detail(list, "component", info ? info->name : "");
}

/* A unit mask is a line: its whole name, and what it selects. */
static void print_umasks(const struct event_list *list, int code)
{
	struct catalogue masks = { .types = list->types };
	char *text;
	size_t i;

	catalogue_add_umasks(&masks, code);
	for (i = 0; i < masks.nr; i++) {
		if (asprintf(&text, "%s  %s", masks.all[i].name, masks.all[i].description) < 0)
			break;
		detail(list, i ? "" : "unit masks", text);
		free(text);
	}
	catalogue_free(&masks);
}

void event_list_detail(const struct event_list *list, const struct event *ev)
{
	char buf[TYPES_MAX], code[16];
	int i;

	printf("%s\n", ev->name);
	snprintf(code, sizeof(code), "0x%08x", ev->code);
	detail(list, "kind", kinds[ev->kind]);
	detail(list, "code", code);
	detail(list, "description", ev->description);
	detail(list, "note", ev->note);
	detail(list, "available", states[ev->state]);
	if (list->types->nr > 1)
		detail(list, "core types", types_text(list->types, ev->core_types, buf));
	print_component(list, ev);
	detail(list, "units", ev->units);
	detail(list, "formula", ev->derived);
	detail(list, "postfix", ev->postfix);
	for (i = 0; i < ev->nr_terms; i++)
		detail(list, i ? "" : "counts", ev->terms[i]);
	if (ev->kind == EVENT_NATIVE)
		print_umasks(list, ev->code);
}

/* ---- CSV and JSON ---- */

static void csv(const char *text)
{
	putchar(',');
	print_csv_string(stdout, text);
}

static void print_csv(const struct event_list *list, const struct event *ev)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(ev->component);
	char buf[TYPES_MAX];

	printf("%s", kinds[ev->kind]);
	csv(ev->name);
	printf(",0x%08x", ev->code);
	csv(info ? info->name : "");
	csv(types_text(list->types, ev->core_types, buf));
	csv(states[ev->state]);
	csv(ev->derived);
	csv(ev->postfix);
	putchar(',');
	print_join(ev);
	csv(ev->units);
	csv(ev->description);
	csv(ev->note);
	putchar('\n');
}

static void json(const char *member, const char *text)
{
	printf(",\"%s\":", member);
	print_json_string(stdout, text);
}

static void print_json_types(const struct event_list *list, const struct event *ev)
{
	int i, first = 1;

	printf(",\"core_types\":[");
	for (i = 0; i < list->types->nr; i++) {
		if (!(ev->core_types & 1U << i))
			continue;
		printf("%s", first ? "" : ",");
		print_json_string(stdout, list->types->name[i]);
		first = 0;
	}
	putchar(']');
}

static void print_json_terms(const struct event *ev)
{
	int i;

	printf(",\"terms\":[");
	for (i = 0; i < ev->nr_terms; i++) {
		printf("%s", i ? "," : "");
		print_json_string(stdout, ev->terms[i]);
	}
	putchar(']');
}

static void print_json(const struct event_list *list, const struct event *ev)
{
	static const char *const values[] = { "null", "false", "true" };
	const PAPI_component_info_t *info = PAPI_get_component_info(ev->component);

	printf("{\"kind\":\"%s\"", kinds[ev->kind]);
	json("name", ev->name);
	printf(",\"code\":%u", (unsigned int)ev->code);
	json("component", info ? info->name : "");
	print_json_types(list, ev);
	printf(",\"available\":%s", values[ev->state]);
	json("derived", ev->derived);
	json("postfix", ev->postfix);
	print_json_terms(ev);
	json("units", ev->units);
	json("description", ev->description);
	json("note", ev->note);
	printf("}\n");
}

void event_list_begin(const struct event_list *list)
{
	if (list->format == FORM_CSV)
		puts("kind,name,code,component,core_types,available,derived,postfix,terms,units,"
		     "description,note");
}

static void print(const struct event_list *list, const struct columns *col, const struct event *ev)
{
	if (list->format == FORM_CSV)
		print_csv(list, ev);
	else if (list->format == FORM_JSON)
		print_json(list, ev);
	else if (list->detail)
		event_list_detail(list, ev);
	else
		print_row(list, col, ev);
}

static void print_heading(struct event_list *list, const struct columns *col, enum event_kind kind,
			  size_t nr)
{
	if (list->format != FORM_TABLE || !nr || list->detail)
		return;
	printf("%s[%s: %zu]\n", list->printed ? "\n" : "", titles[kind], nr);
	cells(col, "name", "avail", "derived", "core types");
	printf("description\n");
	list->printed = 1;
}

size_t event_list_print(struct event_list *list, const struct catalogue *c, enum event_kind kind,
			event_filter *wanted, const void *arg)
{
	struct columns col = { .name = strlen("PAPI_TOT_CYC") };
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++) {
		if (c->all[i].kind != kind || !wanted(&c->all[i], arg))
			continue;
		measure(&col, list, &c->all[i]);
		nr++;
	}
	print_heading(list, &col, kind, nr);
	for (i = 0; i < c->nr; i++)
		if (c->all[i].kind == kind && wanted(&c->all[i], arg))
			print(list, &col, &c->all[i]);
	return nr;
}
