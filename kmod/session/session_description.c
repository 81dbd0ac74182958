// SPDX-License-Identifier: GPL-2.0
/*
 * The description of a session, which its owner writes for listeners. Descriptions have a lock
 * of their own: an owner may hold the session's lock for seconds, and senders must not wait.
 */
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "base/err.h"
#include "session/session.h"
#include "session/session_description.h"
#include "uapi/pmctrack_netlink.h"

/* Of all sessions; held while a kilobyte is copied */
static DEFINE_SPINLOCK(lock);

/**
 * pmc_session_describe - replace the description of a session
 * @s: session; its message says what is wrong
 * @text: the description
 * @len: its length
 *
 * Context: May sleep.
 * Return: 0, -EMSGSIZE or -ENOMEM.
 */
int pmc_session_describe(struct pmc_session *s, const char *text, size_t len)
{
	char *new, *old;

	if (len >= PMC_DESCRIPTION_LEN)
		return pmc_err(&s->err, -EMSGSIZE,
			       "a description of %zu characters: at most %d are kept", len,
			       PMC_DESCRIPTION_LEN - 1);
	new = kmemdup_nul(text, len, GFP_KERNEL_ACCOUNT);
	if (!new)
		return -ENOMEM;
	spin_lock(&lock);
	old = s->description.text;
	s->description.text = new;
	WRITE_ONCE(s->description.generation, s->description.generation + 1);
	spin_unlock(&lock);
	kfree(old);
	return 0;
}

/**
 * pmc_session_set_period - set the period of sampling by time, which listeners receive
 * @s: session that counts nothing; its lock is held
 * @period: ns; 0: none
 *
 * Context: May sleep.
 */
void pmc_session_set_period(struct pmc_session *s, u64 period)
{
	if (s->consumer.period == period)
		return;
	s->consumer.period = period;
	spin_lock(&lock);
	WRITE_ONCE(s->description.generation, s->description.generation + 1);
	spin_unlock(&lock);
}

/**
 * pmc_session_get_description - copy the description of a session
 * @s: session
 * @buf: out: the text, "" if there is none; PMC_DESCRIPTION_LEN bytes
 *
 * Context: Process context.
 */
void pmc_session_get_description(const struct pmc_session *s, char *buf)
{
	spin_lock(&lock);
	strscpy(buf, s->description.text ?: "", PMC_DESCRIPTION_LEN);
	spin_unlock(&lock);
}
