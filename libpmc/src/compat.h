/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* PMCTrack's descriptors. */
#ifndef LIBPMC_COMPAT_H
#define LIBPMC_COMPAT_H

#include "pmctrack.h"

/* The configuration that a descriptor shares with its clones; it never changes. */
struct setup {
	int refs;
	pmc_machine_t *machine;
	pmc_config_t *config;	/* NULL: not configured yet */
	int core_type;		/* configured for, or PMC_EVERY_CORE_TYPE */
	int nr_sets;		/* event sets, each counted once for all core types */
	int period_ms;
	int raw;
};

struct snapshot;

/* The counters that the events of a set were placed on. */
struct slots {
	int nr;
	unsigned char slot[PMC_MAX_COUNTS];
};

struct pmctrack_desc {
	struct setup *setup;
	pmc_session_t *session;
	struct snapshot *snapshot; /* the start, read by instruction; NULL: the kernel starts and stops */
	pid_t tid;		/* that thread */
	int by_snapshot;	/* the current run was started by @snapshot */
	struct slots *slots;	/* of each set of each core type */
	unsigned char virtuals[PMC_MAX_VIRTUALS]; /* the N of virtN of each */
	unsigned int max_nr_samples;
	int counting;		/* a run is going on */
	int syswide;		/* the current or last run counts all CPUs */
	uint64_t lost_before;	/* samples that earlier runs lost */
	pmc_sample_t *samples;
	int nr_samples;
	int room;		/* samples that @samples has memory for */
};

/* compat_samples.c */
/*
 * Ask which counters the events of a session with the descriptor's configuration were placed
 * on; their numbers must fit a sample's mask.
 */
int slots_load(pmctrack_desc_t *desc, pmc_session_t *session);

/* Append a sample. */
int sample_add(pmctrack_desc_t *desc, const struct pmc_reading *reading);

/* Read all samples that the session has. */
int samples_fetch(pmctrack_desc_t *desc);

#endif
