// SPDX-License-Identifier: LGPL-2.1-or-later
/* What programs are shown of a preset's formula that is not that of its definition */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preset_describe.h"

/* Append a part's formula, whose first term has the number @first. */
static void print_part(FILE *f, const struct papi_part *part, int first)
{
	char text[PAPI_HUGE_STR_LEN], *p = text, *end;

	if (!part->formula) {
		fprintf(f, "N%d|", first);
		return;
	}
	formula_print(part->formula, text, sizeof(text));
	while (*p) {
		if (*p == 'N') {
			fprintf(f, "N%ld", strtol(p + 1, &end, 10) + first);
			p = end;
		} else {
			fputc(*p++, f);
		}
	}
}

/* Is the value of a part that of its only term? */
static int is_count(const struct papi_part *part)
{
	char text[8];

	if (!part->formula)
		return 1;
	formula_print(part->formula, text, sizeof(text));
	return part->nr_terms == 1 && !strcmp(text, "N0|");
}

void preset_describe_sum(const struct papi_event *event, PAPI_event_info_t *info)
{
	FILE *f = fmemopen(info->postfix, sizeof(info->postfix) - 1, "w");
	int i, first = 0, simple = 1;

	for (i = 0; f && i < event->nr_parts; i++) {
		print_part(f, &event->parts[i], first);
		if (i)
			fputs("+|", f);
		first += event->parts[i].nr_terms;
		simple &= is_count(&event->parts[i]);
	}
	if (f)
		fclose(f);
	info->postfix[sizeof(info->postfix) - 1] = '\0';
	if (simple)
		*info->postfix = '\0';
	snprintf(info->derived, sizeof(info->derived), "%s", simple ? "NOT_DERIVED" : "DERIVED_POSTFIX");
}
