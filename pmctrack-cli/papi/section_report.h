/* SPDX-License-Identifier: GPL-2.0 */
/* Reports of named values in sections: lines for people, or one JSON object. */
#ifndef PMCTRACK_PAPI_SECTION_REPORT_H
#define PMCTRACK_PAPI_SECTION_REPORT_H

#include "format.h"

/**
 * struct section_report - a report that is being printed
 * @format: table, CSV or JSON
 * @width: width of the terminal; 0: none
 * @depth: JSON: objects and lists that are open
 * @is_first: JSON: nothing is in the innermost of them yet
 * @section: CSV: name of the section
 */
struct section_report {
	enum form format;
	int width;
	int depth;
	int is_first;
	char section[64];
};

void section_report_begin(struct section_report *r);
void section_report_end(struct section_report *r);

/*
 * Begin and end a section. JSON: the member @member, an object. @title: for people.
 */
void section_report_section(struct section_report *r, const char *member, const char *title);
void section_report_section_end(struct section_report *r);

/* The same for a list of sections, JSON: an array; each of its sections has a NULL @member. */
void section_report_list(struct section_report *r, const char *member);
void section_report_list_end(struct section_report *r);

/*
 * A value: @member in JSON and CSV, @label for people. Empty texts and numbers below 0 are left
 * out.
 */
void section_report_text(struct section_report *r, const char *member, const char *label,
			 const char *text);
void section_report_number(struct section_report *r, const char *member, const char *label,
			   long long value, const char *unit);

#endif
