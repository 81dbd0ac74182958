/* SPDX-License-Identifier: GPL-2.0 */
/* Reports of named values in sections: lines for people, or one JSON object. */
#ifndef PMCTRACK_PAPI_MACHINE_REPORT_H
#define PMCTRACK_PAPI_MACHINE_REPORT_H

#include "format.h"

/**
 * struct machine_report - a report that is being printed
 * @format: table, CSV or JSON
 * @width: width of the terminal; 0: none
 * @depth: JSON: objects and lists that are open
 * @is_first: JSON: nothing is in the innermost of them yet
 * @section: CSV: name of the section
 */
struct machine_report {
	enum form format;
	int width;
	int depth;
	int is_first;
	char section[64];
};

void machine_report_begin(struct machine_report *r);
void machine_report_end(struct machine_report *r);

/*
 * Begin and end a section. JSON: the member @member, an object. @title: for people.
 */
void machine_report_section(struct machine_report *r, const char *member, const char *title);
void machine_report_section_end(struct machine_report *r);

/* The same for a list of sections, JSON: an array; each of its sections has a NULL @member. */
void machine_report_list(struct machine_report *r, const char *member);
void machine_report_list_end(struct machine_report *r);

/*
 * A value: @member in JSON and CSV, @label for people. Empty texts and numbers below 0 are left
 * out.
 */
void machine_report_text(struct machine_report *r, const char *member, const char *label,
			 const char *text);
void machine_report_number(struct machine_report *r, const char *member, const char *label,
			   long long value, const char *unit);

#endif
