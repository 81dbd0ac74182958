/* SPDX-License-Identifier: GPL-2.0 */
/* Open sessions, and their records on the way to listeners. */
#ifndef PMC_LISTENER_RECORDS_H
#define PMC_LISTENER_RECORDS_H

#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct pmc_session;

/**
 * struct pmc_relay - an open session, as listeners see it
 * @s: the session
 * @link: in the list of open sessions
 * @id: its number
 * @pid: process that opened it, in the session's pid namespace
 * @comm: name of that process
 * @begun: there are listeners that were sent its beginning, and are sent its records
 * @asked: pmc_listeners_ever() when it was last looked for listeners that may see it
 * @generation: of the description that was sent
 * @pos: the ring's next record to send
 * @wake: queues @work at the next tick, from contexts that must not
 * @work: sends records
 *
 * But for @wake and @work, under pmc_relay_lock.
 */
struct pmc_relay {
	struct pmc_session *s;
	struct list_head link;
	u32 id;
	pid_t pid;
	char comm[TASK_COMM_LEN];
	bool begun;
	u32 asked;
	u32 generation;
	u64 pos;
	struct irq_work wake;
	struct work_struct work;
};

extern struct mutex pmc_relay_lock;
extern struct list_head pmc_relays;

void pmc_relay_open(struct pmc_relay *r, struct pmc_session *s);
void pmc_relay_changed(struct pmc_relay *r);
void pmc_relay_close(struct pmc_relay *r);
void pmc_relay_free(struct pmc_relay *r);

bool pmc_relay_counts(const struct pmc_relay *r);
void pmc_relay_begin(struct pmc_relay *r);

int pmc_relay_init(void);
void pmc_relay_exit(void);

#endif /* PMC_LISTENER_RECORDS_H */
