/* SPDX-License-Identifier: GPL-2.0 */
/* The forms of pmctrack probe: a table, fields with a character between them, CSV, JSON, a trace. */
#ifndef PMCTRACK_PROBE_PRINT_H
#define PMCTRACK_PROBE_PRINT_H

#include <stdio.h>

#include "probe_cost.h"
#include "probe_sums.h"
#include "report_layout.h"

/**
 * struct probe_report - what to print
 * @layout: the names of events, and the metrics
 * @totals: what the whole program has counted, with the costs of probes
 * @command: the program and its arguments
 * @separator: of fields
 * @left_out: calls that are not in the trace, as it has so many
 * @width: of the terminal, or 0
 */
struct probe_report {
	const struct probe_events *events;
	const struct probe_functions *functions;
	const struct layout *layout;
	const struct probe_costs *costs;
	const struct probe_sums *sums;
	const uint64_t *totals;
	char *const *command;
	const char *separator;
	uint64_t lost;
	uint64_t left_out;
	int width;
};

/* A count without the cost of probes; @values: of all core types; @id: one, or PMC_EVERY_CORE_TYPE */
uint64_t probe_count(const struct probe_report *r, const uint64_t *values, int id, int name);
/* The cost of probes in it */
double probe_count_cost(const struct probe_report *r, const uint64_t *values, int id, int name);
/* A metric of the same, as text. Return: 0 if it is not known, and "-" */
int probe_metric(const struct probe_report *r, const uint64_t *values, int id, int n, char *buf,
		 size_t size);
/* Does the row of a core type have anything? */
int probe_has_row(const struct probe_report *r, const struct probe_sum *sum, int id);
/* Calls that began on the core type */
uint64_t probe_nr_calls(const struct probe_report *r, const struct probe_sum *sum, int id);

/*
 * A function's name for a terminal or CSV, for free(): \xNN stands for bytes that a terminal could
 * take for commands, and for those of @also.
 */
char *probe_name(const struct probe_function *function, const char *also);
/* Call @print for each row: function by function, all core types and then each. */
void probe_each_row(FILE *f, const struct probe_report *r,
		    void (*print)(FILE *f, const struct probe_report *r, const struct probe_sum *sum,
				  int id));
/* Functions without probes, calls without a return, records that were lost; @before: each line */
void probe_print_notes(FILE *f, const char *before, const struct probe_report *r);

void probe_print_table(FILE *f, const struct probe_report *r);
void probe_print_fields(FILE *f, const struct probe_report *r);
void probe_print_csv(FILE *f, const struct probe_report *r);
void probe_print_json(FILE *f, const struct probe_report *r);
/* A trace is written while the program runs (probe_trace.h): what remains is for standard error. */
void probe_print_after_trace(FILE *f, const struct probe_report *r);

#endif
