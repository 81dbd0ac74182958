// SPDX-License-Identifier: GPL-2.0
/* Reports of named values in sections: lines for people, CSV, or one JSON object. */
#include <stdio.h>

#include "../src/quote.h"
#include "../src/wrap.h"
#include "section_report.h"

/* Where values begin */
#define LABEL_WIDTH 22

static void indent(const struct section_report *r)
{
	int i;

	for (i = 0; i < r->depth; i++)
		putchar('\t');
}

/* JSON: what precedes a member, or, without a name, an element of a list */
static void begin_member(struct section_report *r, const char *member)
{
	printf("%s\n", r->is_first || !r->depth ? "" : ",");
	indent(r);
	if (member)
		printf("\"%s\": ", member);
	r->is_first = 0;
}

static void open_bracket(struct section_report *r, const char *bracket)
{
	printf("%s", bracket);
	r->depth++;
	r->is_first = 1;
}

static void close_bracket(struct section_report *r, const char *bracket)
{
	r->depth--;
	if (!r->is_first) {
		putchar('\n');
		indent(r);
	}
	printf("%s", bracket);
	r->is_first = 0;
}

void section_report_begin(struct section_report *r)
{
	r->is_first = 1;
	if (r->format == FORM_JSON)
		open_bracket(r, "{");
	else if (r->format == FORM_CSV)
		puts("section,name,value,unit");
}

void section_report_end(struct section_report *r)
{
	if (r->format != FORM_JSON)
		return;
	close_bracket(r, "}");
	putchar('\n');
}

void section_report_section(struct section_report *r, const char *member, const char *title)
{
	if (r->format == FORM_JSON) {
		begin_member(r, member);
		open_bracket(r, "{");
		return;
	}
	snprintf(r->section, sizeof(r->section), "%s", title);
	if (r->format == FORM_TABLE)
		printf("%s[%s]\n", r->is_first ? "" : "\n", title);
	r->is_first = 0;
}

void section_report_section_end(struct section_report *r)
{
	if (r->format == FORM_JSON)
		close_bracket(r, "}");
}

void section_report_list(struct section_report *r, const char *member)
{
	if (r->format != FORM_JSON)
		return;
	begin_member(r, member);
	open_bracket(r, "[");
}

void section_report_list_end(struct section_report *r)
{
	if (r->format == FORM_JSON)
		close_bracket(r, "]");
}

static void print_csv(const struct section_report *r, const char *member, const char *value,
		      const char *unit)
{
	print_csv_string(stdout, r->section);
	printf(",%s,", member);
	print_csv_string(stdout, value);
	printf(",%s\n", unit);
}

void section_report_text(struct section_report *r, const char *member, const char *label,
			 const char *text)
{
	if (!text || !*text)
		return;
	if (r->format == FORM_JSON) {
		begin_member(r, member);
		print_json_string(stdout, text);
	} else if (r->format == FORM_CSV) {
		print_csv(r, member, text, "");
	} else {
		printf("%-*s", LABEL_WIDTH, label);
		print_wrapped(stdout, text, LABEL_WIDTH, LABEL_WIDTH, r->width);
	}
}

void section_report_number(struct section_report *r, const char *member, const char *label,
			   long long value, const char *unit)
{
	char text[32];

	if (value < 0)
		return;
	snprintf(text, sizeof(text), "%lld", value);
	if (r->format == FORM_JSON) {
		begin_member(r, member);
		printf("%s", text);
	} else if (r->format == FORM_CSV) {
		print_csv(r, member, text, unit);
	} else {
		printf("%-*s%s%s%s\n", LABEL_WIDTH, label, text, *unit ? " " : "", unit);
	}
}
