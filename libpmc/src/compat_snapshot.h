/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starting and stopping a descriptor without a system call: the thread's counters run all
 * the time; start takes a snapshot of them, and stop reads them again.
 */
#ifndef LIBPMC_COMPAT_SNAPSHOT_H
#define LIBPMC_COMPAT_SNAPSHOT_H

#include "compat.h"

/*
 * Give the descriptor a snapshot for the calling thread, and the counters that are read for
 * it: a session of the thread counts from now on, which other descriptors and calipers with
 * the same events share. 1: done; 0: this configuration needs the kernel for each start and
 * stop; -1: error.
 */
int snapshot_new(pmctrack_desc_t *desc);
void snapshot_free(struct snapshot *snap);

/* Does the snapshot belong to the calling thread? Not to a child's. */
int snapshot_is_mine(const struct snapshot *snap);

/* 0, or -1: error. */
int snapshot_start(struct snapshot *snap);

/* Adds the samples, one for each core type the thread was on. 0, or -1: error. */
int snapshot_stop(struct snapshot *snap, pmctrack_desc_t *desc);

#endif
