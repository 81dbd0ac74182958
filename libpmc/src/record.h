/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel module's records, as readings. */
#ifndef LIBPMC_RECORD_H
#define LIBPMC_RECORD_H

#include "pmctrack.h"
#include "../../kmod/uapi/pmctrack.h"

/* Bytes of a record whose header is there. */
size_t record_size(const struct pmc_record *record);

/* Fill all of a reading but the thread's name. */
void record_convert(struct pmc_reading *reading, const struct pmc_record *record);

#endif
