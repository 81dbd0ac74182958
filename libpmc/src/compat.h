/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* PMCTrack's descriptors. */
#ifndef LIBPMC_COMPAT_H
#define LIBPMC_COMPAT_H

#include "pmctrack.h"

/* What a descriptor and its clones are configured with; never changes. */
struct setup {
	int refs;
	pmc_machine_t *machine;
	pmc_config_t *config;	/* NULL: not configured yet */
	int core_type;		/* configured for, or PMC_EVERY_CORE_TYPE */
	int nr_sets;		/* event sets, each counted once for all core types */
	int period_ms;
	int raw;
};

struct marks;

/* The counters that the events of a set were placed on. */
struct slots {
	int nr;
	unsigned char slot[PMC_MAX_COUNTS];
};

struct pmctrack_desc {
	struct setup *setup;
	pmc_session_t *session;
	struct marks *marks;	/* of the thread it counts, when marks will do */
	pid_t tid;		/* that thread */
	int by_marks;		/* the run that goes on was started by them */
	struct slots *slots;	/* of each set of each core type */
	unsigned char virtuals[PMC_MAX_VIRTUALS]; /* the N of virtN of each */
	unsigned int max_nr_samples;
	int counting;		/* a run goes on */
	int syswide;		/* it is, or the last one was, of all CPUs */
	uint64_t lost_before;	/* samples that earlier runs lost */
	pmc_sample_t *samples;
	int nr_samples;
	int room;		/* samples that @samples has memory for */
};

/* compat_samples.c */
/* Ask where events were placed: their numbers must fit a sample's mask. */
int slots_load(pmctrack_desc_t *desc);

/* Put a sample behind those there are. */
int sample_add(pmctrack_desc_t *desc, const struct pmc_reading *reading);

/* Take all samples there are from the session. */
int samples_fetch(pmctrack_desc_t *desc);

#endif
