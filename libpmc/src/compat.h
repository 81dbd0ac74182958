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
	int period_ms;
	int raw;
};

struct pmctrack_desc {
	struct setup *setup;
	pmc_session_t *session;
	unsigned int max_nr_samples;
	int syswide;
	pmc_sample_t *samples;
	int nr_samples;
	int room;		/* samples that @samples has memory for */
};

/* compat_samples.c */
/* An event set's counters must have numbers that a sample's mask can hold. */
int slots_check(pmctrack_desc_t *desc, int core_type, int set);

/* Take all samples there are from the session. */
int samples_fetch(pmctrack_desc_t *desc);

#endif
