// SPDX-License-Identifier: GPL-2.0
/*
 * Open sessions, and their records on the way to listeners. Records are copied from a
 * session's ring by a worker, at the next tick after a record was made. Listeners add the
 * request for that to the cost of a sample, and nothing else.
 */
#include <linux/errno.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "engine/ring.h"
#include "front/listener_records.h"
#include "front/listeners.h"
#include "session/session.h"
#include "session/session_ring.h"

/* Bytes of records in a message, and messages before others may have the lock */
#define BATCH		7168
#define BATCHES		4

/* Held while listeners are sent messages, so that messages are in order. */
DEFINE_MUTEX(pmc_relay_lock);
LIST_HEAD(pmc_relays);

/* One at a time: what a user has sent takes one CPU at most. */
static struct workqueue_struct *workers;
static u32 last_id;
/* Under pmc_relay_lock */
static u64 batch[BATCH / sizeof(u64)];

/* A session has records when it has a ring, which it has for good. */
bool pmc_relay_counts(const struct pmc_relay *r)
{
	return pmc_session_has_ring(r->s);
}

/* Return: whether there may be more. */
static bool send_batch(struct pmc_relay *r)
{
	u64 pos = r->pos, lost = 0;
	size_t len = pmc_ring_copy(&r->s->consumer.ring, &r->pos, &lost, batch, sizeof(batch));

	if (r->pos == pos)
		return false;
	pmc_listeners_records(r, batch, len, r->pos - pos - lost, lost);
	return true;
}

/* Where no listener may see the session any more, its records ask for nothing. */
static void end_unwanted(struct pmc_relay *r)
{
	if (!r->begun || pmc_listeners_want(r))
		return;
	WRITE_ONCE(r->begun, false);
	WRITE_ONCE(r->s->consumer.relay, NULL);
}

/* Return: whether there may be more. */
static bool send_some(struct pmc_relay *r)
{
	bool more = true;
	int i;

	mutex_lock(&pmc_relay_lock);
	end_unwanted(r);
	for (i = 0; i < BATCHES && more; i++)
		more = r->begun && send_batch(r);
	mutex_unlock(&pmc_relay_lock);
	return more;
}

static void send_records(struct work_struct *work)
{
	struct pmc_relay *r = container_of(work, struct pmc_relay, work);

	if (send_some(r))
		queue_work(workers, &r->work);
}

static void wake(struct irq_work *work)
{
	struct pmc_relay *r = container_of(work, struct pmc_relay, wake);

	queue_work(workers, &r->work);
}

/**
 * pmc_relay_open - a session was opened by the calling process
 * @r: for it
 * @s: the session
 *
 * Context: May sleep.
 */
void pmc_relay_open(struct pmc_relay *r, struct pmc_session *s)
{
	r->s = s;
	r->pid = task_tgid_nr_ns(current, s->owner.ns);
	get_task_comm(r->comm, current);
	INIT_WORK(&r->work, send_records);
	r->wake = IRQ_WORK_INIT_LAZY(wake);
	mutex_lock(&pmc_relay_lock);
	r->id = ++last_id ?: ++last_id;
	list_add_tail(&r->link, &pmc_relays);
	mutex_unlock(&pmc_relay_lock);
}

/**
 * pmc_relay_begin - have a session's records sent from now on
 * @r: a session that counts
 *
 * Context: May sleep. pmc_relay_lock is held.
 */
void pmc_relay_begin(struct pmc_relay *r)
{
	if (r->begun)
		return;
	WRITE_ONCE(r->begun, true);
	/* Records that earlier listeners were sent are not sent again. */
	r->pos = max(r->pos, pmc_ring_oldest(&r->s->consumer.ring));
	WRITE_ONCE(r->s->consumer.relay, &r->wake);
	/* Earlier records have queued nothing, nor may one that is just being made. */
	irq_work_queue(&r->wake);
}

static void announce(struct pmc_relay *r)
{
	mutex_lock(&pmc_relay_lock);
	WRITE_ONCE(r->asked, pmc_listeners_ever());
	if (pmc_listeners_begin(r))
		pmc_relay_begin(r);
	mutex_unlock(&pmc_relay_lock);
}

/**
 * pmc_relay_changed - a session may have begun to count, or has another description
 * @r: the session
 *
 * Context: May sleep.
 */
void pmc_relay_changed(struct pmc_relay *r)
{
	bool news = READ_ONCE(r->begun) ? r->generation != READ_ONCE(r->s->description.generation) :
					  READ_ONCE(r->asked) != pmc_listeners_ever();

	if (news && pmc_listeners_any() && pmc_relay_counts(r))
		announce(r);
}

/**
 * pmc_relay_close - a session is closed
 * @r: the session, which nobody uses any more
 *
 * Listeners are sent the records until now. Those that closing the session makes are not sent.
 *
 * Context: May sleep.
 */
void pmc_relay_close(struct pmc_relay *r)
{
	/* Not in the list, it does not begin any more. */
	mutex_lock(&pmc_relay_lock);
	list_del(&r->link);
	mutex_unlock(&pmc_relay_lock);
	while (send_some(r))
		cond_resched();
	mutex_lock(&pmc_relay_lock);
	if (r->begun)
		pmc_listeners_end(r);
	WRITE_ONCE(r->begun, false);
	mutex_unlock(&pmc_relay_lock);
}

/**
 * pmc_relay_free - free what was allocated for a closed session
 * @r: for the session, which makes no records any more
 *
 * Context: May sleep.
 */
void pmc_relay_free(struct pmc_relay *r)
{
	/* It comes at the next tick; to sync is to spin until then. */
	while (irq_work_is_busy(&r->wake))
		schedule_timeout_uninterruptible(1);
	irq_work_sync(&r->wake);
	cancel_work_sync(&r->work);
	kfree(r);
}

int pmc_relay_init(void)
{
	workers = alloc_workqueue("pmctrack_relay", WQ_UNBOUND, 1);
	return workers ? 0 : -ENOMEM;
}

/* All sessions are closed. */
void pmc_relay_exit(void)
{
	destroy_workqueue(workers);
}
