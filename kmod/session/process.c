// SPDX-License-Identifier: GPL-2.0
/* Taking a process into a session, with all its threads, and letting it go. */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include "base/err.h"
#include "base/parse_command.h"
#include "engine/thread_table.h"
#include "session/access.h"
#include "session/attach.h"
#include "session/process.h"
#include "session/running_tasks.h"
#include "session/session.h"
#include "session/session_prepare.h"

static struct task_struct *get_task(struct pmc_session *s, pid_t nr)
{
	struct task_struct *task;

	rcu_read_lock();
	task = get_pid_task(find_pid_ns(nr, s->owner.ns), PIDTYPE_PID);
	rcu_read_unlock();
	if (!task)
		pmc_err(&s->err, -ESRCH, "no process %d", nr);
	return task;
}

/* Another thread of its process where @task has ended: a main thread may end before others. */
static struct task_struct *get_living(struct task_struct *task)
{
	struct task_struct *each, *living = task;

	rcu_read_lock();
	if (task->flags & PF_EXITING) {
		for_each_thread(task, each) {
			if (!(each->flags & PF_EXITING)) {
				living = get_task_struct(each);
				break;
			}
		}
	}
	rcu_read_unlock();
	if (living != task)
		put_task_struct(task);
	return living;
}

static bool is_counted(struct pmc_session *s, struct task_struct *task, bool whole)
{
	struct task_struct *each;
	bool counted = false;

	rcu_read_lock();
	for_each_thread(task, each)
		counted |= (whole || each == task) && pmc_table_find(each, &s->consumer);
	rcu_read_unlock();
	return counted;
}

/*
 * Threads of a process that the session does not count yet, referenced.
 * Return: how many; @max + 1 when there are more than @max.
 */
static int uncounted(struct pmc_session *s, struct task_struct *task,
		     bool whole, struct task_struct **list, int max)
{
	struct task_struct *each;
	int nr = 0;

	rcu_read_lock();
	for_each_thread(task, each) {
		if ((!whole && each != task) || each->flags & PF_EXITING ||
		    pmc_table_find(each, &s->consumer))
			continue;
		if (nr == max) {
			nr++;
			break;
		}
		get_task_struct(each);
		list[nr++] = each;
	}
	rcu_read_unlock();
	return nr;
}

/* More than a process takes unless it does so on purpose. */
#define ROUNDS_MAX	100

static int outrun(struct pmc_session *s)
{
	return pmc_err(&s->err, -EAGAIN,
		       "the process starts threads too fast: stop it (kill -STOP), and try again");
}

/*
 * Threads may start more threads while this goes on. Where new threads are
 * followed, those of counted ones are the fork hook's and the others come up in
 * the next round; a process may be ahead of us for long that way. Where they
 * are not, those that were there at the start are all there is to count.
 */
static int add_all(struct pmc_session *s, struct task_struct *task,
		   bool whole)
{
	int max = get_nr_threads(task) + 16, rounds = 0, nr, i, ret = 0;
	bool again = s->config.follow != PMC_FOLLOW_NONE;
	struct task_struct **list;

	list = kvmalloc_array(max, sizeof(*list), GFP_KERNEL);
	if (!list)
		return -ENOMEM;
	do {
		nr = uncounted(s, task, whole, list, max);
		for (i = 0; i < min(nr, max); i++) {
			if (!ret && fatal_signal_pending(current))
				ret = -EINTR;
			if (!ret)
				ret = pmc_add_task(s, list[i], true);
			put_task_struct(list[i]);
		}
		if (!ret && rounds++ == ROUNDS_MAX)
			ret = outrun(s);
	} while (!ret && (nr > max || (nr && again)));
	kvfree(list);
	return ret;
}

static struct pmc_thread *take_all(struct pmc_session *s,
				   struct task_struct *task, bool whole)
{
	struct pmc_thread *taken = NULL;
	struct task_struct *each;

	rcu_read_lock();
	for_each_thread(task, each)
		if (whole || each == task)
			pmc_take_task(s, each, &taken);
	rcu_read_unlock();
	return taken;
}

/* Return: 0 when no thread of it is counted any more, or a negative error. */
static int detach_all(struct pmc_session *s, struct task_struct *task, bool whole)
{
	struct pmc_thread *taken;
	int rounds = 0;

	while ((taken = take_all(s, task, whole))) {
		pmc_end_tasks(s, taken);
		if (fatal_signal_pending(current))
			return -EINTR;
		/* A fork that one of these was in adds the new thread. */
		if (rounds++ == ROUNDS_MAX)
			return outrun(s);
	}
	return 0;
}

/**
 * pmc_attach_process - count a running process
 * @s: session; its lock is held
 * @nr: process or thread id in the session's pid namespace
 * @whole: all threads of it
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_attach_process(struct pmc_session *s, pid_t nr, bool whole)
{
	struct task_struct *task = get_task(s, nr);
	bool before = s->state.prepared, known;
	u32 programs;
	int ret;

	if (!task)
		return -ESRCH;
	if (whole)
		task = get_living(task);
	known = is_counted(s, task, whole);
	programs = pmc_task_programs(task);
	ret = pmc_may_count_configured(s) ?: pmc_may_count_task(s, task, nr);
	if (ret)
		goto out;
	rcu_read_lock();
	if (!whole && pmc_table_find(task, &s->consumer))
		ret = pmc_err(&s->err, -EEXIST,
			      "thread %d is counted by this session already",
			      nr);
	rcu_read_unlock();
	if (ret)
		goto out;
	ret = pmc_session_prepare(s);
	if (ret)
		goto out;
	/* It may become a privileged program in between: check again, held. */
	ret = down_read_killable(&task->signal->exec_update_lock);
	if (ret)
		goto out;
	ret = pmc_may_still_count_task(s, task, nr, programs) ?:
	      add_all(s, task, whole);
	up_read(&task->signal->exec_update_lock);
	pmc_load_attached(s);
	/* The others of a session that counts already stay. */
	if (ret && !known)
		detach_all(s, task, whole);
	if (!ret && !is_counted(s, task, whole))
		ret = pmc_err(&s->err, -ESRCH, "process %d has just ended",
			      nr);
out:
	if (ret)
		pmc_session_unprepare(s, before);
	put_task_struct(task);
	return ret;
}

/**
 * pmc_detach_process - stop counting a process
 * @s: session; its lock is held
 * @nr: process or thread id in the session's pid namespace
 * @whole: all threads of it
 *
 * Context: May sleep.
 * Return: 0, or a negative error explained in the session's message.
 */
int pmc_detach_process(struct pmc_session *s, pid_t nr, bool whole)
{
	struct task_struct *task = get_task(s, nr);
	int ret;

	if (!task)
		return -ESRCH;
	if (is_counted(s, task, whole))
		ret = detach_all(s, task, whole);
	else
		ret = pmc_err(&s->err, -ESRCH,
			      "process %d is not counted by this session", nr);
	put_task_struct(task);
	return ret;
}
