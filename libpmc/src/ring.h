/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mapped ring of samples. */
#ifndef LIBPMC_RING_H
#define LIBPMC_RING_H

#include <stddef.h>

#include "../../kmod/uapi/pmctrack.h"

struct ring {
	const struct pmc_ring_info *info;	/* NULL: not mapped */
	unsigned long process;			/* process that mapped it, see forks.h */
	size_t size;
	struct pmc_ring_user *user;
	__u64 tail;
};

/* Map the ring of the session @fd; -1 if it cannot be mapped. */
int ring_map(struct ring *ring, int fd);
void ring_unmap(struct ring *ring);

/* Is a ring mapped in this process? Children do not inherit the mapping. */
int ring_is_ours(const struct ring *ring);

/* The oldest record not consumed yet, or NULL. */
const struct pmc_record *ring_peek(const struct ring *ring);
void ring_consume(struct ring *ring);

#endif
