/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starting and stopping a descriptor without the kernel: the thread's counters
 * run on, and start and stop note what they show.
 */
#ifndef LIBPMC_MARKS_H
#define LIBPMC_MARKS_H

#include "compat.h"

/*
 * Of the calling thread, which the descriptor's session counts. NULL, with no
 * error: what is configured takes more than marks.
 */
struct marks *marks_new(pmctrack_desc_t *desc);
void marks_free(struct marks *marks);

/* Is it the calling thread that they are of? */
int marks_mine(const struct marks *marks);

/* 0, or -1: error. */
int marks_start(struct marks *marks);

/* Adds the samples, one for each core type the thread was on. 0, or -1: error. */
int marks_stop(struct marks *marks, pmctrack_desc_t *desc);

#endif
