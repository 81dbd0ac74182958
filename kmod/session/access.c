// SPDX-License-Identifier: GPL-2.0
/*
 * Access rights: a user may count what perf_event_open() would allow the same user
 * (Documentation/admin-guide/perf-security.rst in the kernel). Modules can reach
 * neither the sysctl nor ptrace's own check, so the sysctl is read where the
 * administrator sets it, and the check is done here by ptrace's rules.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/path.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <base/compat.h>
#include "base/err.h"
#include "base/kernel_cred.h"
#include "session/access.h"
#include "session/session.h"

/**
 * pmc_owner_init - make the calling process the owner of a session
 * @owner: of a new session, all zero
 *
 * Context: Process context.
 */
void pmc_owner_init(struct pmc_owner *owner)
{
	owner->cred = get_current_cred();
	owner->ns = get_pid_ns(task_active_pid_ns(current));
	owner->process = get_pid(task_tgid(current));
	owner->programs = pmc_task_programs(current);
	owner->privileged = perfmon_capable();
	owner->dumpable = current->mm && pmc_task_dumpable(current);
}

/**
 * pmc_owner_free - undo pmc_owner_init()
 * @owner: of a session that is freed
 *
 * Context: May sleep.
 */
void pmc_owner_free(struct pmc_owner *owner)
{
	put_pid(owner->process);
	put_pid_ns(owner->ns);
	put_cred(owner->cred);
}

/* Where the setting cannot be read only root may count. */
static int paranoid_level(struct pmc_session *s, int *level)
{
	int ret = pmc_read_setting("proc/sys/kernel/perf_event_paranoid", level);

	if (!ret)
		return 0;
	return pmc_err(&s->err, -EACCES,
		       "kernel.perf_event_paranoid can't be read in /proc of this system (error %d), so counting is left to root",
		       -ret);
}

/**
 * pmc_is_privileged - may the caller count all processes by this session
 * @s: session
 *
 * Both the opener and the caller need the right: a privileged program may have
 * been handed the file as its standard output.
 *
 * Context: Process context.
 */
bool pmc_is_privileged(const struct pmc_session *s)
{
	return s->owner.privileged && perfmon_capable();
}

/**
 * pmc_may_count - may the caller count at all, and kernel mode
 * @s: session; its message says why not
 * @kernel: kernel mode is wanted
 *
 * Context: May sleep.
 * Return: 0 or -EACCES.
 */
int pmc_may_count(struct pmc_session *s, bool kernel)
{
	int level, ret;

	if (pmc_is_privileged(s))
		return 0;
	ret = paranoid_level(s, &level);
	if (ret)
		return ret;
	if (level > 2)
		return pmc_err(&s->err, -EACCES,
			       "kernel.perf_event_paranoid is %d, which leaves counting to root: run as root, or 'sysctl kernel.perf_event_paranoid=2'",
			       level);
	if (kernel && level > 1)
		return pmc_err(&s->err, -EACCES,
			       "counting kernel mode needs CAP_PERFMON, or kernel.perf_event_paranoid below 2 (it is %d): count user mode only",
			       level);
	return 0;
}

/**
 * pmc_may_count_cpus - may the caller count whole CPUs
 * @s: session; its message says why not
 *
 * Context: May sleep.
 * Return: 0 or -EACCES.
 */
int pmc_may_count_cpus(struct pmc_session *s)
{
	int level, ret;

	if (pmc_is_privileged(s))
		return 0;
	ret = paranoid_level(s, &level);
	if (ret)
		return ret;
	if (level > 0)
		return pmc_err(&s->err, -EACCES,
			       "system-wide counting needs CAP_PERFMON, or kernel.perf_event_paranoid below 1 (it is %d)",
			       level);
	return 0;
}

/**
 * pmc_may_count_configured - may the caller still count what a session is configured to
 * @s: session; its message says why not
 *
 * The sysctl, or the caller's rights, may be others than when the session was configured.
 *
 * Context: May sleep.
 * Return: 0 or -EACCES.
 */
int pmc_may_count_configured(struct pmc_session *s)
{
	if (s->owner.internal)
		return 0;
	return pmc_may_count(s, s->config.kernel) ?: (s->config.cpus ? pmc_may_count_cpus(s) : 0);
}

static bool same_user(const struct cred *cred, const struct cred *target)
{
	return uid_eq(cred->fsuid, target->euid) &&
	       uid_eq(cred->fsuid, target->suid) &&
	       uid_eq(cred->fsuid, target->uid) &&
	       gid_eq(cred->fsgid, target->egid) &&
	       gid_eq(cred->fsgid, target->sgid) &&
	       gid_eq(cred->fsgid, target->gid);
}

/* A program with more rights than one's own is none of one's business. */
static bool no_more_rights(const struct cred *cred, const struct cred *target)
{
	return cred->user_ns == target->user_ns &&
	       cap_issubset(target->cap_permitted, cred->cap_effective);
}

static bool may_by_rules(struct task_struct *task)
{
	const struct cred *cred = current_cred(), *target;
	bool may, dumpable = false;

	rcu_read_lock();
	target = __task_cred(task);
	may = (same_user(cred, target) && no_more_rights(cred, target)) ||
	      ns_capable(target->user_ns, CAP_SYS_PTRACE);
	rcu_read_unlock();
	if (!may)
		return false;
	task_lock(task);
	if (task->mm)
		dumpable = pmc_task_dumpable(task) ||
			   ns_capable(pmc_task_exec_ns(task), CAP_SYS_PTRACE);
	task_unlock(task);
	return dumpable;
}

/*
 * Modules can't ask the security modules. But the kernel asks them, as for
 * perf_event_open(), when this file of a task's is opened.
 */
static bool may_by_kernel(struct task_struct *task)
{
	struct path root;
	struct file *file;
	char name[48];

	snprintf(name, sizeof(name), "proc/%d/task/%d/maps",
		 task_tgid_nr(task), task_pid_nr(task));
	pmc_get_system_root(&root);
	file = file_open_root(&root, name, O_RDONLY, 0);
	path_put(&root);
	if (IS_ERR(file))
		return false;
	fput(file);
	return true;
}

/*
 * A program that is handed a session as its standard output may write what its arguments say.
 * Where the program has more rights than the opener of the session, the opener's decide.
 */
static bool may_by_both(const struct pmc_session *s, struct task_struct *task)
{
	const struct cred *writer;
	bool may = may_by_rules(task);

	if (!may || s->owner.privileged)
		return may;
	writer = override_creds(s->owner.cred);
	may = may_by_rules(task);
	revert_creds(writer);
	return may;
}

/* Does the program that has opened the session count itself? */
static bool is_own(const struct pmc_session *s, struct task_struct *task)
{
	return same_thread_group(task, current) && task_tgid(current) == s->owner.process &&
	       pmc_task_programs(current) == s->owner.programs;
}

static bool may_anyway(const struct pmc_session *s, struct task_struct *task)
{
	return is_own(s, task) || pmc_is_privileged(s);
}

static int refuse_task(struct pmc_session *s, pid_t nr)
{
	return pmc_err(&s->err, -EPERM,
		       "process %d belongs to another user, or is protected: counting it needs CAP_PERFMON",
		       nr);
}

/**
 * pmc_may_count_task - may the caller count another task
 * @s: session; its message says why not
 * @task: the task
 * @nr: its number, for the message
 *
 * The rules of ptrace(2), "Ptrace access mode checking", for
 * PTRACE_MODE_READ_FSCREDS, and what security modules make of them.
 *
 * Context: May sleep. The task's exec_update_lock is not held.
 * Return: 0 or -EPERM.
 */
int pmc_may_count_task(struct pmc_session *s, struct task_struct *task,
		       pid_t nr)
{
	if (may_anyway(s, task) ||
	    (may_by_both(s, task) && may_by_kernel(task)))
		return 0;
	return refuse_task(s, nr);
}

/* How often the task's process has become another program. */
u32 pmc_task_programs(struct task_struct *task)
{
	u32 nr;

	rcu_read_lock();
	nr = READ_ONCE(task->group_leader->self_exec_id);
	rcu_read_unlock();
	return nr;
}

/**
 * pmc_may_still_count_task - check again what pmc_may_count_task() has allowed
 * @s: session; its message says why not
 * @task: the task; its exec_update_lock is held
 * @nr: its number, for the message
 * @programs: pmc_task_programs() before pmc_may_count_task()
 *
 * Context: May sleep.
 * Return: 0, -EPERM, or -EAGAIN when it is another program by now.
 */
int pmc_may_still_count_task(struct pmc_session *s, struct task_struct *task,
			     pid_t nr, u32 programs)
{
	if (may_anyway(s, task))
		return 0;
	if (pmc_task_programs(task) != programs)
		return pmc_err(&s->err, -EAGAIN,
			       "process %d has just become another program: try again",
			       nr);
	return may_by_both(s, task) ? 0 : refuse_task(s, nr);
}

/**
 * pmc_session_check_owner - is the session the caller's
 * @s: session; its lock is held
 *
 * The owner's rights decided what may be counted in the session. Another user who
 * has got the open file must not use these rights.
 *
 * Return: 0, or -EPERM explained in the session's message.
 */
int pmc_session_check_owner(struct pmc_session *s)
{
	if (uid_eq(current_euid(), s->owner.cred->euid))
		return 0;
	return pmc_err(&s->err, -EPERM, "the session belongs to another user");
}
