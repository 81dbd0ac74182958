/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Recording regions in a file that pmctrack reads. */
#ifndef LIBPMC_REGION_RECORDER_H
#define LIBPMC_REGION_RECORDER_H

#include <stdint.h>

/*
 * A recorder of the calling thread, which alone may use it; NULL if regions are not recorded,
 * or there is no memory.
 */
struct region_recorder *region_recorder_new(void);
void region_recorder_add(struct region_recorder *recorder, const char *name, uint64_t begin,
			 uint64_t end);
void region_recorder_free(struct region_recorder *recorder);

#endif
