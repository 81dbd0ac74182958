// SPDX-License-Identifier: LGPL-2.1-or-later
/* Samples as PMCTrack's programs know them: counts by counter number. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat.h"
#include "error.h"
#include "session_config.h"

static struct slots *slots_of(const pmctrack_desc_t *desc, int core_type, int set)
{
	return &desc->slots[core_type * MAX_COUNTER_CONFIGS + set];
}

static int slots_ask(pmctrack_desc_t *desc, pmc_session_t *session, int core_type, int set)
{
	struct slots *slots = slots_of(desc, core_type, set);
	int i;

	slots->nr = pmc_session_slots(session, core_type, set, slots->slot);
	for (i = 0; i < slots->nr; i++)
		if (slots->slot[i] >= MAX_PERFORMANCE_COUNTERS)
			return pmc_fail(EINVAL, "pmctrack_* calls cannot report counter pmc%d, only those below pmc%d",
					slots->slot[i], MAX_PERFORMANCE_COUNTERS);
	return slots->nr < 0 ? -1 : 0;
}

static int virtuals_number(pmctrack_desc_t *desc)
{
	const pmc_config_t *config = desc->setup->config;
	int i, n;

	for (i = 0; pmc_config_virtual(config, i); i++) {
		n = pmc_config_virtual_number(config, i);
		if (n >= MAX_VIRTUAL_COUNTERS)
			return pmc_fail(EINVAL, "pmctrack_* calls cannot report virtual counter %s, number %d, only the first %d",
					pmc_config_virtual(config, i)->name, n,
					MAX_VIRTUAL_COUNTERS);
		desc->virtuals[i] = n;
	}
	return 0;
}

int slots_load(pmctrack_desc_t *desc, pmc_session_t *session)
{
	const struct setup *setup = desc->setup;
	int id, set, nr = pmc_machine_nr_core_types(setup->machine);

	free(desc->slots);
	desc->slots = calloc(nr * MAX_COUNTER_CONFIGS, sizeof(*desc->slots));
	if (!desc->slots)
		return pmc_fail_nomem();
	if (virtuals_number(desc))
		return -1;
	for (id = 0; id < nr; id++)
		for (set = 0; set < pmc_config_nr_sets(setup->config, id); set++)
			if (slots_ask(desc, session, id, set))
				return -1;
	return 0;
}

/* Sort the counts of a sample, which are in the order of the set, by counter number. */
static void convert(pmctrack_desc_t *desc, pmc_sample_t *sample,
		    const struct pmc_reading *reading)
{
	const struct slots *slots = slots_of(desc, reading->core_type, reading->set);
	uint64_t by_slot[MAX_PERFORMANCE_COUNTERS];
	int i;

	memset(sample, 0, sizeof(*sample));
	sample->type = reading->type;
	sample->coretype = reading->core_type;
	sample->exp_idx = reading->set;
	sample->pid = desc->syswide ? reading->cpu : reading->tid;
	sample->elapsed_time = reading->elapsed;
	for (i = 0; i < slots->nr && i < reading->nr_counts; i++) {
		by_slot[slots->slot[i]] = reading->counts[i];
		sample->pmc_mask |= 1U << slots->slot[i];
	}
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++)
		if (sample->pmc_mask & 1U << i)
			sample->pmc_counts[sample->nr_counts++] = by_slot[i];
}

/* Sort the values of virtual counters by their number; unknown values are left out. */
static void convert_virtual(const pmctrack_desc_t *desc, pmc_sample_t *sample,
			    const struct pmc_reading *reading)
{
	uint64_t by_number[MAX_VIRTUAL_COUNTERS];
	int i;

	for (i = 0; i < reading->nr_virtual; i++) {
		if (reading->virtual_counts[i] == PMC_NO_VALUE)
			continue;
		by_number[desc->virtuals[i]] = reading->virtual_counts[i];
		sample->virt_mask |= 1U << desc->virtuals[i];
	}
	/* Stop early: most samples have none, and this runs between start and stop. */
	for (i = 0; i < MAX_VIRTUAL_COUNTERS && sample->virt_mask >> i; i++)
		if (sample->virt_mask & 1U << i)
			sample->virtual_counts[sample->nr_virt_counts++] = by_number[i];
}

int sample_add(pmctrack_desc_t *desc, const struct pmc_reading *reading)
{
	pmc_sample_t *samples;
	int room;

	if (desc->nr_samples == desc->room) {
		room = desc->room ? 2 * desc->room : 16;
		samples = realloc(desc->samples, room * sizeof(*samples));
		if (!samples)
			return pmc_fail_nomem();
		desc->samples = samples;
		desc->room = room;
	}
	convert(desc, &desc->samples[desc->nr_samples], reading);
	convert_virtual(desc, &desc->samples[desc->nr_samples++], reading);
	return 0;
}

int samples_fetch(pmctrack_desc_t *desc)
{
	struct pmc_reading reading;
	int rc;

	while ((rc = pmc_session_next(desc->session, &reading)) > 0)
		if (sample_add(desc, &reading))
			return -1;
	return rc;
}

/* The core type whose event mapping is returned. */
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
	const struct slots *slots;
	int id, set, i, slot;

	if (!setup->config)
		return pmc_fail(EINVAL, "the counters are not configured");
	memset(mapping, 0, MAX_PERFORMANCE_COUNTERS * sizeof(*mapping));
	for (i = 0; i < MAX_PERFORMANCE_COUNTERS; i++)
		mapping[i].nr_counter = i;
	*used_pmcmask = 0;
	id = shown_core_type(desc);
	*nr_experiments = pmc_config_nr_sets(setup->config, id);
	for (set = 0; set < (int)*nr_experiments; set++) {
		slots = slots_of(desc, id, set);
		for (i = 0; i < slots->nr; i++) {
			slot = slots->slot[i];
			mapping[slot].events[set] =
				(char *)pmc_config_event(setup->config, id, set, i);
			mapping[slot].experiment_mask |= 1U << set;
			*used_pmcmask |= 1U << slot;
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

/* The configured virtual counter that is virtN, or NULL. */
static const struct pmc_virtual_info *virtual_info(const pmctrack_desc_t *desc, int number)
{
	const struct pmc_virtual_info *v;
	int i;

	for (i = 0; (v = pmc_config_virtual(desc->setup->config, i)); i++)
		if (desc->virtuals[i] == number)
			return v;
	return NULL;
}

static void print_virtual_mapping(const pmctrack_desc_t *desc, FILE *f)
{
	const struct pmc_virtual_info *v;
	char label[64];
	int i;

	for (i = 0; i < MAX_VIRTUAL_COUNTERS; i++) {
		v = virtual_info(desc, i);
		if (!v)
			continue;
		pmc_virtual_label(v, label, sizeof(label));
		fprintf(f, "virt%d=%s\n", i, label);
	}
}

static void print_virtual_row(const pmctrack_desc_t *desc, FILE *f, const pmc_sample_t *sample)
{
	const struct pmc_virtual_info *v;
	char text[32];
	int i, n = 0;

	for (i = 0; i < MAX_VIRTUAL_COUNTERS; i++) {
		v = virtual_info(desc, i);
		if (!v)
			continue;
		pmc_virtual_format(v, sample->virt_mask & 1U << i ? sample->virtual_counts[n++] :
				   PMC_NO_VALUE, text, sizeof(text));
		fprintf(f, " %13s", text);
	}
}

static void print_row(const pmctrack_desc_t *desc, FILE *f, const pmc_sample_t *sample, int nr,
		      unsigned int mask, int extended)
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
	print_virtual_row(desc, f, sample);
	fprintf(f, "\n");
}

void pmctrack_print_counts(pmctrack_desc_t *desc, FILE *outfile, int extended_output)
{
	unsigned int mask = 0, i;
	uint64_t lost = 0;
	char column[16];
	int n;

	if (!desc->setup->config)
		return;
	/* With several sets the reader needs the column that names the set. */
	extended_output |= desc->setup->nr_sets > 1;
	if (!desc->setup->raw) {
		print_mapping(desc, outfile);
		print_virtual_mapping(desc, outfile);
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
	for (i = 0; i < MAX_VIRTUAL_COUNTERS; i++) {
		snprintf(column, sizeof(column), "virt%u", i);
		if (virtual_info(desc, i))
			fprintf(outfile, " %13s", column);
	}
	fprintf(outfile, "\n");
	for (n = 0; n < desc->nr_samples; n++)
		print_row(desc, outfile, &desc->samples[n], n + 1, mask, extended_output);
	/* A run started by a snapshot has no samples in the ring, so it loses none. */
	if (!desc->by_snapshot)
		lost = pmc_session_lost(desc->session) - desc->lost_before;
	if (lost)
		fprintf(outfile, "%llu samples were lost: give pmctrack_init() a larger number\n",
			(unsigned long long)lost);
}
