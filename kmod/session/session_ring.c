// SPDX-License-Identifier: GPL-2.0
/* The ring of a session: made when the first thread is attached, for good. */
#include <linux/minmax.h>
#include "base/err.h"
#include "engine/ring.h"
#include "session/memlock.h"
#include "session/session.h"
#include "session/session_ring.h"
#include "uapi/pmctrack.h"

#define RING_SLOTS_DEFAULT	1024

/* Counts a ring has room for at least, so that other sets may follow. */
#define RING_COUNTS_MIN		8

/**
 * pmc_session_init_ring - a session is made, without a ring yet
 * @s: new session
 *
 * Context: Any.
 */
void pmc_session_init_ring(struct pmc_session *s)
{
	mutex_init(&s->ring.lock);
	mutex_init(&s->ring.read_lock);
	s->ring.nr_slots = RING_SLOTS_DEFAULT;
}

/* The longest record: a name or an address takes the place of counts. */
static u32 record_counts(const struct pmc_session *s)
{
	u32 more = READ_ONCE(s->consumer.names) ? PMC_NAME_LEN / sizeof(u64) :
		   READ_ONCE(s->consumer.addresses) ? 1 : 0;

	return s->consumer.nr_cur + s->consumer.nr_virtuals + more;
}

static int new_ring(struct pmc_session *s, struct pmc_err *err)
{
	u32 counts = max_t(u32, record_counts(s), RING_COUNTS_MIN);
	/* Once: while one thread maps the ring another may change this. */
	u32 slots = READ_ONCE(s->ring.nr_slots);
	u64 bytes = pmc_ring_bytes(slots, counts);
	int ret;

	if (!bytes)
		return pmc_err(err, -EINVAL,
			       "a ring of %u samples is too big to be mapped",
			       slots);
	ret = pmc_memlock_charge_ring(s, slots, bytes, err);
	if (ret)
		return ret;
	ret = pmc_ring_alloc(&s->consumer.ring, slots, counts);
	if (ret) {
		pmc_memlock_uncharge_ring(s);
		return pmc_err(err, ret,
			       "no memory for a ring of %u samples: ask for a smaller one",
			       slots);
	}
	/* Pairs with the acquire in pmc_session_has_ring(). */
	smp_store_release(&s->ring.made, true);
	return 0;
}

/**
 * pmc_session_make_ring - have a ring that fits the configuration
 * @s: session; nothing is counted, or the ring is there
 * @err: explains a refusal: the session's message where the session's lock is held
 *
 * A session has one ring: readers may have mapped it.
 *
 * Context: May sleep.
 * Return: 0 or a negative error.
 */
int pmc_session_make_ring(struct pmc_session *s, struct pmc_err *err)
{
	int ret = 0;

	mutex_lock(&s->ring.lock);
	if (!s->ring.made)
		ret = new_ring(s, err);
	else if (s->consumer.ring.mask + 1 < s->ring.nr_slots)
		ret = pmc_err(err, -EBUSY,
			      "the session's ring has been made with %u samples: open another session for a bigger one",
			      s->consumer.ring.mask + 1);
	else if (s->consumer.ring.nr_counts < record_counts(s))
		ret = pmc_err(err, -EBUSY,
			      "the session's ring has been made for %u counts in a sample: open another session for more",
			      s->consumer.ring.nr_counts);
	mutex_unlock(&s->ring.lock);
	return ret;
}

/**
 * pmc_session_has_ring - is the ring of a session there
 * @s: session; its lock need not be held
 *
 * Context: Any.
 * Return: whether it is; once made, it stays until the session is freed.
 */
bool pmc_session_has_ring(const struct pmc_session *s)
{
	/* Pairs with the release that makes the ring known. */
	return smp_load_acquire(&s->ring.made);
}

/**
 * pmc_session_free_ring - free the ring of a session
 * @s: session that is freed, with or without a ring
 *
 * Context: May sleep.
 */
void pmc_session_free_ring(struct pmc_session *s)
{
	if (s->ring.made)
		pmc_ring_free(&s->consumer.ring);
	pmc_memlock_uncharge_ring(s);
}
