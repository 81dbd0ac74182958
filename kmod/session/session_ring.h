/* SPDX-License-Identifier: GPL-2.0 */
/* The ring of a session. */
#ifndef PMC_SESSION_RING_H
#define PMC_SESSION_RING_H

#include <linux/mutex.h>
#include <linux/types.h>

struct pmc_err;
struct pmc_session;

/**
 * struct pmc_session_ring - how the ring of a session's consumer is made and read
 * @lock: serialises the making of the ring; the only one that mmap() takes, so nothing but
 *	memory is asked for under it
 * @read_lock: serialises read()
 * @nr_slots: slots to make the ring with
 * @made: the ring is there; it is made when the first thread is attached, for good
 */
struct pmc_session_ring {
	struct mutex lock;		/* see above */
	struct mutex read_lock;		/* see above */
	u32 nr_slots;
	bool made;
};

void pmc_session_init_ring(struct pmc_session *s);
int pmc_session_make_ring(struct pmc_session *s, struct pmc_err *err);
bool pmc_session_has_ring(const struct pmc_session *s);
void pmc_session_free_ring(struct pmc_session *s);

#endif /* PMC_SESSION_RING_H */
