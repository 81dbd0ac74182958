/* SPDX-License-Identifier: GPL-2.0 */
/* Monitored processes and their RMIDs */
#ifndef PMC_CMT_PROCESSES_H
#define PMC_CMT_PROCESSES_H

#include <linux/sched.h>
#include <linux/types.h>

#include "hardware.h"
#include "rmid.h"

/**
 * struct cmt_process - a monitored process; there is one for each RMID
 * @next: of the same hash
 * @rmid: the RMID
 * @tgid: the process
 * @threads: monitored threads it has; 0: the RMID has no owner
 * @class: class of service it was given, or CMT_NO_CLASS
 * @left: number of the look at which its RMID went to limbo
 * @watched: the RMID is in use or in limbo
 */
struct cmt_process {
	struct cmt_process *next;
	u32 rmid;
	pid_t tgid;
	u32 threads;
	u32 class;
	u32 left;
	bool watched;
};

/**
 * struct cmt_thread - what is kept of each thread
 * @process: its process; NULL when that has no RMID, and at the end
 * @base: traffic of the RMID when the thread got it
 * @last: the values when it ended
 * @ended: it is monitored no more
 * @waits: it waits for an RMID
 * @tried: how many processes had got an RMID when it tried last
 * @reported: jiffies when its metric was set last
 */
struct cmt_thread {
	struct cmt_process *process;
	u64 base[2];
	u64 last[CMT_EVENTS];
	bool ended;
	bool waits;
	u32 tried;
	unsigned long reported;
};

#define CMT_RESIDUE_OFF		(~0ULL)

/**
 * struct cmt_settings - what the administrator set
 * @policy: which free RMID is taken
 * @residue_max: bytes of its last owner's that an RMID may still have when it
 *	is free again; 0: as much as makes sure that there always is one, see
 *	cmt_processes_start(); CMT_RESIDUE_OFF: however much
 * @class: class of service of processes that are monitored from now on
 */
struct cmt_settings {
	enum rmid_policy policy;
	u64 residue_max;
	u32 class;
};

extern struct cmt_settings cmt_settings;

struct cmt_rmid_counts {
	u32 free, limbo, waiting;
	u64 refused;
};

int cmt_processes_start(void);
void cmt_processes_stop(void);
bool cmt_join(struct task_struct *task, struct cmt_thread *t);
void cmt_leave(struct cmt_thread *t);
bool cmt_may_join(const struct cmt_thread *t);
void cmt_set_policy(enum rmid_policy policy);
int cmt_set_class(pid_t tgid, u32 class);
u64 cmt_residue_max(void);
void cmt_watch_limbo(void);
void cmt_count_rmids(struct cmt_rmid_counts *counts);

#endif /* PMC_CMT_PROCESSES_H */
