/* SPDX-License-Identifier: GPL-2.0 */
/* A session: an open file of /proc/pmc/monitor and all that is its own. */
#ifndef PMC_SESSION_H
#define PMC_SESSION_H

#include <linux/mutex.h>
#include "base/err.h"
#include "engine/consumer.h"
#include "session/access.h"
#include "session/memlock.h"
#include "session/session_config.h"
#include "session/session_description.h"
#include "session/session_prepare.h"
#include "session/session_ring.h"
#include "session/session_size.h"
#include "session/syswide.h"
#include "session/thread_pool.h"
#include "session/totals.h"
#include "session/user_page_map.h"

/**
 * struct pmc_session - what one owner counts
 * @consumer: what its threads and CPUs need when they are counted
 * @lock: serialises commands, attaching and detaching
 * @err: last error message
 * @owner: a client, a module or the scheduler
 * @charge: the memory that it is charged for
 * @config: what commands have configured
 * @state: whether it is ready to count
 * @pool: threads made in advance, for the fork hook
 * @syswide: the CPUs that it counts
 * @size: the room that its counts take
 * @totals: counts of its threads that have ended
 * @ring: how the consumer's ring is made and read
 * @user_access: how its threads may read their counters by instruction
 * @description: for listeners
 */
struct pmc_session {
	struct pmc_consumer consumer;
	struct mutex lock;		/* see above */
	struct pmc_err err;
	struct pmc_owner owner;
	struct pmc_charge charge;
	struct pmc_session_config config;
	struct pmc_session_state state;
	struct pmc_pool pool;
	struct pmc_syswide syswide;
	struct pmc_session_size size;
	struct pmc_session_totals totals;
	struct pmc_session_ring ring;
	struct pmc_user_access user_access;
	struct pmc_description description;
};

static inline struct pmc_session *pmc_session_of(const struct pmc_thread *t)
{
	return container_of(t->consumer, struct pmc_session, consumer);
}

#endif /* PMC_SESSION_H */
