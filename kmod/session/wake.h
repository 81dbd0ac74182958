/* SPDX-License-Identifier: GPL-2.0 */
/* Waking the readers of a session. */
#ifndef PMC_WAKE_H
#define PMC_WAKE_H

#include <linux/irq_work.h>
#include <linux/wait.h>
#include "session/session.h"

/*
 * Wake readers, or the worker of an internal session. Any context. The session has changed
 * before. A reader is in the queue before it looks, so that one of the two sees the other.
 */
static inline void pmc_session_wake_now(struct pmc_session *s)
{
	if (s->owner.internal || wq_has_sleeper(&s->consumer.wait))
		irq_work_queue(&s->consumer.wake);
}

#endif /* PMC_WAKE_H */
