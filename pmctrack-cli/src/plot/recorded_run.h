/* SPDX-License-Identifier: GPL-2.0 */
/* A run that pmctrack --format=json has recorded: its samples are as they were when it counted. */
#ifndef PMCTRACK_RECORDED_RUN_H
#define PMCTRACK_RECORDED_RUN_H

#include "json_text.h"
#include "report.h"

/**
 * struct recorded_run - such a run
 * @path: its file
 * @text: the file's text
 * @json: the text, as far as it is read
 * @object: all but the samples
 * @core_types: of the layout, likewise @virtuals
 * @layout: the columns, with the names of metrics in place of a plan
 * @numbers: virtual counters and then metrics of the last sample; NAN: there is no value
 * @of_cpus: the last sample is that of a CPU, not of a thread
 */
struct recorded_run {
	const char *path;
	char *text;
	struct json_text json;
	struct json_object *object;
	struct pmc_core_type_info *core_types;
	struct pmc_virtual_info *virtuals;
	struct layout layout;
	double *numbers;
	int of_cpus;
};

/* All but the samples. bad() if the file is something else, or not whole */
void recorded_run_open(struct recorded_run *run, const char *path);
void recorded_run_close(struct recorded_run *run);

/* Return the title of the run, which tables have in their first line. */
const char *recorded_run_title(const struct recorded_run *run);
/* Set the numbers of samples, threads and counters that the run lost. */
void recorded_run_losses(const struct recorded_run *run, struct summary *summary);

/* Read the next sample. 0: there is none. bad() if it is damaged, or a sum */
int recorded_run_next(struct recorded_run *run, struct pmc_reading *r);

#endif
