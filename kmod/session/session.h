/* SPDX-License-Identifier: GPL-2.0 */
/* A session: an open file of /proc/pmc/monitor and all that is its own. */
#ifndef PMC_SESSION_H
#define PMC_SESSION_H

#include <linux/list.h>
#include <linux/mutex.h>
#include "base/err.h"
#include "engine/consumer.h"
#include "session/access.h"
#include "session/caliper_map.h"
#include "session/description.h"
#include "session/memlock.h"
#include "session/pool.h"
#include "session/session_config.h"
#include "session/session_ring.h"
#include "session/session_size.h"
#include "session/syswide.h"
#include "session/totals.h"

/**
 * struct pmc_session - a client's measurements
 * @consumer: what its threads and CPUs need when they are counted
 * @lock: serialises commands, attaching and detaching
 * @owner: a client, a module or the scheduler
 * @charge: memory that it is charged for
 * @err: last error message
 * @size: the room that its counts take
 * @config: what commands have configured
 * @ring: how the consumer's ring is made and read
 * @syswide: the CPUs that it counts
 * @reserved: in the list of sessions whose counters are reserved, or empty; under
 *	pmc_cpus_lock
 * @ending: hooks add no more threads
 * @prepared: hooks and pool are at work; the configuration is final
 * @user_access: how its threads may read their counters by instruction
 * @totals: counts of its threads that have ended
 * @pool: threads made in advance, for the fork hook
 * @description: for listeners
 */
struct pmc_session {
	struct pmc_consumer consumer;
	struct mutex lock;		/* see above */
	struct pmc_owner owner;
	struct pmc_charge charge;
	struct pmc_err err;
	struct pmc_session_size size;
	struct pmc_session_config config;
	struct pmc_session_ring ring;
	struct pmc_syswide syswide;
	struct list_head reserved;
	bool ending;
	bool prepared;
	struct pmc_user_access user_access;
	struct pmc_session_totals totals;
	struct pmc_pool pool;
	struct pmc_description description;
};

/* The session that a thread is of. */
static inline struct pmc_session *pmc_session_of(const struct pmc_thread *t)
{
	return container_of(t->consumer, struct pmc_session, consumer);
}

#endif /* PMC_SESSION_H */
