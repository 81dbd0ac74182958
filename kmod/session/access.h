/* SPDX-License-Identifier: GPL-2.0 */
/* The owner of a session, and its rights: events, CPUs and processes that it may count. */
#ifndef PMC_ACCESS_H
#define PMC_ACCESS_H

#include <linux/types.h>

struct cred;
struct monitoring_module;
struct pid;
struct pid_namespace;
struct pmc_session;
struct task_struct;

/**
 * struct pmc_owner - the owner of a session: a client, a monitoring module or the scheduler
 * @cred: credentials of the process that opened the session; other users may not command it
 * @ns: that process's namespace: the pids in records and commands are of it
 * @process: that process
 * @programs: pmc_task_programs() of it at that time
 * @privileged: that process had CAP_PERFMON or CAP_SYS_ADMIN: the session may follow a thread over
 *	the exec of a privileged program
 * @dumpable: the user's other processes could look into that process
 * @internal: no client: the session has no reader, and no ring
 * @mm: the monitoring module that counts by the session; NULL: another owner does
 * @scheduler: the session is of the threads that the scheduler has enabled
 */
struct pmc_owner {
	const struct cred *cred;
	struct pid_namespace *ns;
	struct pid *process;
	u32 programs;
	bool privileged;
	bool dumpable;
	bool internal;
	const struct monitoring_module *mm;
	bool scheduler;
};

void pmc_owner_init(struct pmc_owner *owner);
void pmc_owner_free(struct pmc_owner *owner);
int pmc_session_check_owner(struct pmc_session *s);
bool pmc_is_privileged(const struct pmc_session *s);
int pmc_may_count(struct pmc_session *s, bool kernel);
int pmc_may_count_cpus(struct pmc_session *s);
int pmc_may_count_configured(struct pmc_session *s);
int pmc_may_count_task(struct pmc_session *s, struct task_struct *task,
		       pid_t nr);
u32 pmc_task_programs(struct task_struct *task);
int pmc_may_still_count_task(struct pmc_session *s, struct task_struct *task,
			     pid_t nr, u32 programs);

#endif /* PMC_ACCESS_H */
