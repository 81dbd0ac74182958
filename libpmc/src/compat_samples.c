// SPDX-License-Identifier: LGPL-2.1-or-later
/* Samples as PMCTrack's programs know them: counts by counter number. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat.h"
#include "error.h"

int slots_check(pmctrack_desc_t *desc, int core_type, int set)
{
	unsigned char slots[PMC_MAX_COUNTS];
	int i, n = pmc_session_slots(desc->session, core_type, set, slots);

	for (i = 0; i < n; i++)
		if (slots[i] >= MAX_PERFORMANCE_COUNTERS)
			return pmc_fail(EINVAL, "pmctrack_* calls cannot tell of counter pmc%d: only those below pmc%d",
					slots[i], MAX_PERFORMANCE_COUNTERS);
	return n < 0 ? -1 : 0;
}

/* The kernel gives counts in the order of the set; we want the counters'. */
static int convert(pmctrack_desc_t *desc, pmc_sample_t *sample,
		   const struct pmc_reading *reading)
{
	uint64_t by_slot[MAX_PERFORMANCE_COUNTERS];
	unsigned char slots[PMC_MAX_COUNTS];
	int i, n;

	n = pmc_session_slots(desc->session, reading->core_type, reading->set, slots);
	if (n < 0)
		return -1;
	memset(sample, 0, sizeof(*sample));
	sample->type = reading->type;
	sample->coretype = reading->core_type;
	sample->exp_idx = reading->set;
	sample->pid = desc->syswide ? reading->cpu : reading->tid;
	sample->elapsed_time = reading->elapsed;
	for (i = 0; i < n && i < reading->nr_counts; i++) {
		by_slot[slots[i]] = reading->counts[i];
		sample->pmc_mask |= 1U << slots[i];
	}
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++)
		if (sample->pmc_mask & 1U << i)
			sample->pmc_counts[sample->nr_counts++] = by_slot[i];
	return 0;
}

int samples_fetch(pmctrack_desc_t *desc)
{
	struct pmc_reading reading;
	pmc_sample_t *samples;
	int rc, room;

	while ((rc = pmc_session_next(desc->session, &reading)) > 0) {
		if (desc->nr_samples == desc->room) {
			room = desc->room ? 2 * desc->room : 16;
			samples = realloc(desc->samples, room * sizeof(*samples));
			if (!samples)
				return pmc_fail_nomem();
			desc->samples = samples;
			desc->room = room;
		}
		if (convert(desc, &desc->samples[desc->nr_samples], &reading))
			return -1;
		desc->nr_samples++;
	}
	return rc;
}

/* The core type whose mapping is shown. */
static int shown_core_type(const pmctrack_desc_t *desc)
{
	int id = desc->setup->core_type;

	if (id != PMC_EVERY_CORE_TYPE)
		return id;
	for (id = 0; id < pmc_machine_nr_core_types(desc->setup->machine) - 1; id++)
		if (pmc_config_nr_sets(desc->setup->config, id))
			break;
	return id;
}

int pmctrack_get_event_mapping(pmctrack_desc_t *desc, counter_mapping_t *mapping,
			       unsigned int *nr_experiments, unsigned int *used_pmcmask)
{
	const struct setup *setup = desc->setup;
	unsigned char slots[PMC_MAX_COUNTS];
	int id, set, i, n;

	if (!setup->config)
		return pmc_fail(EINVAL, "the counters are not configured");
	memset(mapping, 0, MAX_PERFORMANCE_COUNTERS * sizeof(*mapping));
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++)
		mapping[i].nr_counter = i;
	*used_pmcmask = 0;
	id = shown_core_type(desc);
	*nr_experiments = pmc_config_nr_sets(setup->config, id);
	for (set = 0; set < (int)*nr_experiments; set++) {
		n = pmc_session_slots(desc->session, id, set, slots);
		if (n < 0)
			return -1;
		for (i = 0; i < n; i++) {
			mapping[slots[i]].events[set] =
				(char *)pmc_config_event(setup->config, id, set, i);
			mapping[slots[i]].experiment_mask |= 1U << set;
			*used_pmcmask |= 1U << slots[i];
		}
	}
	return 0;
}

static void print_mapping(pmctrack_desc_t *desc, FILE *f)
{
	counter_mapping_t mapping[MAX_PERFORMANCE_COUNTERS];
	unsigned int nr_sets, mask, i, set;
	const char *separator;

	if (pmctrack_get_event_mapping(desc, mapping, &nr_sets, &mask))
		return;
	fprintf(f, "[Event-to-counter mappings]\n");
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++) {
		if (!(mask & 1U << i))
			continue;
		fprintf(f, "pmc%u=", i);
		separator = "";
		for (set = 0; set < nr_sets; set++) {
			if (!mapping[i].events[set])
				continue;
			fprintf(f, "%s%s", separator, mapping[i].events[set]);
			if (nr_sets > 1)
				fprintf(f, "(%u)", set);
			separator = ",";
		}
		fprintf(f, "\n");
	}
}

static void print_row(FILE *f, const pmc_sample_t *sample, int nr, unsigned int mask,
		      int extended)
{
	static const char *const types[] = {
		"tick", "ebs", "exit", "migration", "self",
	};
	unsigned int i, n = 0;

	fprintf(f, "%7d %6d ", nr, (int)sample->pid);
	if (extended)
		fprintf(f, "%8d %5d ", sample->coretype, sample->exp_idx);
	fprintf(f, "%10s", sample->type < PMC_NR_SAMPLE_TYPES ? types[sample->type] : "?");
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++) {
		if (!(mask & 1U << i))
			continue;
		if (sample->pmc_mask & 1U << i)
			fprintf(f, " %13llu", (unsigned long long)sample->pmc_counts[n++]);
		else
			fprintf(f, " %13s", "-");
	}
	fprintf(f, "\n");
}

void pmctrack_print_counts(pmctrack_desc_t *desc, FILE *outfile, int extended_output)
{
	unsigned int mask = 0, i;
	char column[16];
	int n;

	if (!desc->setup->config)
		return;
	if (!desc->setup->raw) {
		print_mapping(desc, outfile);
		fprintf(outfile, "[Event counts]\n");
	}
	for (n = 0; n < desc->nr_samples; n++)
		mask |= desc->samples[n].pmc_mask;
	fprintf(outfile, "%7s %6s ", "nsample", desc->syswide ? "cpu" : "pid");
	if (extended_output)
		fprintf(outfile, "%8s %5s ", "coretype", "expid");
	fprintf(outfile, "%10s", "event");
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++) {
		if (!(mask & 1U << i))
			continue;
		snprintf(column, sizeof(column), "pmc%u", i);
		fprintf(outfile, " %13s", column);
	}
	fprintf(outfile, "\n");
	for (n = 0; n < desc->nr_samples; n++)
		print_row(outfile, &desc->samples[n], n + 1, mask, extended_output);
	if (pmc_session_lost(desc->session))
		fprintf(outfile, "%llu samples were lost: give pmctrack_init() a larger number\n",
			(unsigned long long)pmc_session_lost(desc->session));
}
