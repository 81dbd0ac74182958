// SPDX-License-Identifier: GPL-2.0
/* Taking running processes into a session, and letting threads go. */
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/ktime.h>
#include "conflict.h"
#include "module_ops.h"
#include "session.h"
#include "switch.h"
#include "table.h"
#include "thread_life.h"

/* Loads current's new threads. By IPI. */
static void load_current(void *unused)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;

	pmc_cpu_begin(cpu);
	/* Threads that were revoked for one of them may be loaded still. */
	pmc_unload_taken(cpu);
	for (t = pmc_bucket_first(pmc_table_head(current)); t;
	     t = pmc_bucket_next(t)) {
		if (t->task != current)
			continue;
		if (t->active)
			pmc_load_here(cpu, t);
	}
	pmc_cpu_end(cpu);
}

/* Notes the CPU that a thread's task runs on, after what its hook is to see was written. */
static void note_cpu(struct pmc_thread *t, void *mask)
{
	/*
	 * A CPU that is not noted takes the task later, and has a full barrier between
	 * taking it and the hook: smp_mb__after_spinlock() of schedule().
	 */
	smp_mb();
	if (READ_ONCE(t->task->on_rq))
		cpumask_set_cpu(task_cpu(t->task), mask);
}

/*
 * Interrupts the CPUs that @note notes for a session's threads. Other CPUs may not be
 * disturbed by a user who may only count own threads. The session's lock is held.
 */
static void on_cpus_of(struct pmc_session *s,
		       void (*note)(struct pmc_thread *t, void *mask),
		       smp_call_func_t here, void *info)
{
	cpumask_clear(s->cpus);
	pmc_table_for_each(&s->consumer, note, s->cpus);
	on_each_cpu_mask(s->cpus, here, info, true);
}

/**
 * pmc_load_attached - count tasks that run already
 * @s: session that has got new threads; modules' threads are of the same tasks
 *
 * Context: May sleep.
 */
void pmc_load_attached(struct pmc_session *s)
{
	on_cpus_of(s, note_cpu, load_current, NULL);
}

/**
 * pmc_load_running - count what runs on a CPU already
 * @cpu: an online CPU
 *
 * Context: May sleep.
 */
void pmc_load_running(unsigned int cpu)
{
	smp_call_function_single(cpu, load_current, NULL, true);
}

/* Unloads threads that are out of the table. By IPI. */
static void unload_taken(void *unused)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);

	pmc_cpu_begin(cpu);
	pmc_unload_taken(cpu);
	pmc_cpu_end(cpu);
}

/* By IPI. */
static void sample_loaded(void *session)
{
	struct pmc_cpu *cpu = this_cpu_ptr(&pmc_cpus);
	struct pmc_thread *t;
	u64 now;

	pmc_cpu_begin(cpu);
	/* From here on no interrupt takes a later sample. */
	now = ktime_get_mono_fast_ns();
	for (t = cpu->loaded; t; t = t->next) {
		if (pmc_session_of(t) != session || !READ_ONCE(t->want_sample))
			continue;
		WRITE_ONCE(t->want_sample, false);
		pmc_record_sample(cpu, t, now, PMC_SAMPLE_SELF, 0);
	}
	for (t = cpu->syswide; t; t = t->next)
		if (pmc_session_of(t) == session)
			pmc_record_sample(cpu, t, now, PMC_SAMPLE_SELF, 0);
	pmc_cpu_end(cpu);
}

/**
 * pmc_unload_all_taken - have no thread that is out of the table loaded anywhere
 *
 * The thread may have been taken out by another caller, and its task may run, sleep or exit.
 *
 * Context: May sleep.
 */
void pmc_unload_all_taken(void)
{
	/* No hook is between finding and loading such a thread, or is ending one. */
	synchronize_rcu();
	on_each_cpu(unload_taken, NULL, true);
}

/* Those that are loaded are where they were loaded last, or being unloaded there. */
static void note_last_cpus(const struct pmc_thread *taken, struct cpumask *mask)
{
	const struct pmc_thread *t;

	for (t = taken; t; t = t->taken)
		if (t->last_cpu < nr_cpu_ids)
			cpumask_set_cpu(t->last_cpu, mask);
}

/**
 * pmc_unload_threads - have threads loaded nowhere any more
 * @taken: threads that were taken out of the table, linked by taken
 *
 * Context: May sleep.
 */
void pmc_unload_threads(struct pmc_thread *taken)
{
	cpumask_var_t mask;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL)) {
		pmc_unload_all_taken();
		return;
	}
	/* No hook finds them any more; none is between finding and loading. */
	synchronize_rcu();
	note_last_cpus(taken, mask);
	on_each_cpu_mask(mask, unload_taken, NULL, true);
	free_cpumask_var(mask);
}

/* Their tasks are referenced: past its exit hook, a task may be gone any time. */
static void end_taken(struct pmc_thread *taken)
{
	struct pmc_thread *t;

	if (taken)
		pmc_unload_threads(taken);
	while ((t = taken)) {
		struct task_struct *task = t->task;

		taken = t->taken;
		preempt_disable();
		pmc_thread_end(t, PMC_SAMPLE_SELF);
		preempt_enable();
		put_task_struct(task);
		cond_resched();
	}
}

static struct task_struct *get_task(struct pmc_session *s, pid_t nr)
{
	struct task_struct *task;

	rcu_read_lock();
	task = get_pid_task(find_pid_ns(nr, s->ns), PIDTYPE_PID);
	rcu_read_unlock();
	if (!task)
		pmc_err(&s->err, -ESRCH, "no process %d", nr);
	return task;
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

/**
 * pmc_take_task - the first half of not counting a task any more
 * @s: session
 * @task: the task, referenced, whether it is counted or not
 * @taken: threads taken out so far, for pmc_end_tasks()
 *
 * Context: Any but interrupts.
 */
void pmc_take_task(struct pmc_session *s, struct task_struct *task,
		   struct pmc_thread **taken)
{
	struct pmc_thread *t;

	rcu_read_lock();
	t = pmc_table_find(task, &s->consumer);
	if (t && pmc_table_del(t)) {
		get_task_struct(task);
		t->taken = *taken;
		*taken = t;
	}
	rcu_read_unlock();
}

/**
 * pmc_end_tasks - the second half
 * @s: session; its lock is held, of the scheduler's pmc_modules_lock
 * @taken: threads that pmc_take_task() took
 *
 * Context: May sleep.
 */
void pmc_end_tasks(struct pmc_session *s, struct pmc_thread *taken)
{
	end_taken(taken);
	if (s->uses)
		pmc_module_ops->sweep(s);
}

/**
 * pmc_end_if_exiting - end a thread whose task has passed the exit hook
 * @s: session
 * @task: the task, referenced, of a thread that was just added to the table
 *
 * Either that hook finds the thread in the table, or the task is seen here to be
 * past the hook. If the hook found it, the thread is gone already: so it is
 * looked up again.
 *
 * Context: May sleep.
 */
void pmc_end_if_exiting(struct pmc_session *s, struct task_struct *task)
{
	struct pmc_thread *taken = NULL;

	/* The table before the flag, as the hook comes after the flag. */
	smp_mb();
	if (READ_ONCE(task->flags) & PF_EXITING)
		pmc_take_task(s, task, &taken);
	end_taken(taken);
}

static int add_to_table(struct pmc_thread *t)
{
	struct pmc_thread *revoked = NULL;
	int ret = pmc_table_add(t, t->consumer->priority, &revoked);

	pmc_end_revoked(revoked);
	return ret;
}

/* With the modules that its session uses. */
static int add(struct pmc_session *s, struct pmc_thread *t)
{
	return s->uses ? pmc_module_ops->attach(t, add_to_table) : add_to_table(t);
}

/**
 * pmc_add_task - let a session count a task
 * @s: session, prepared; its lock is held
 * @task: current or another task
 * @active: count from now on
 *
 * Context: May sleep.
 * Return: 0, also when the task has ended or is counted already; or a
 * negative error explained in the session's message.
 */
int pmc_add_task(struct pmc_session *s, struct task_struct *task, bool active)
{
	struct pmc_thread *t;
	int ret;

	/* To find out only when it is added would take a grace period. */
	if (READ_ONCE(task->flags) & PF_EXITING)
		return 0;
	ret = pmc_memlock_check(s, s->thread_size, "another thread");
	if (ret)
		return ret;
	t = pmc_thread_alloc(s, GFP_KERNEL_ACCOUNT);
	if (!t)
		return -ENOMEM;
	pmc_thread_init(t, task);
	if (!active) {
		t->active = false;
		t->on_exec = false;
	}
	pmc_err_clear(&s->err);
	ret = add(s, t);
	if (!ret) {
		pmc_end_if_exiting(s, task);
		return 0;
	}
	if (ret == -EBUSY && !s->err.text[0])
		pmc_conflict_explain(t, &s->err);
	else if (ret == -ECANCELED)
		pmc_err(&s->err, ret,
			"a privileged session, a monitoring module or a scheduler has taken the session's counters: write 'stop', and start again");
	else if (ret == -EUSERS)
		pmc_err(&s->err, ret,
			"thread %d: %u sessions of unprivileged users count it already, which is the limit: stop one of them, or count all events by one session",
			t->tid, PMC_TASK_SESSIONS_MAX);
	pmc_thread_forget(t);
	/* The fork hook came first. */
	return ret == -EEXIST ? 0 : ret;
}

/* More than any process takes that does not do it on purpose. */
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
	bool again = s->follow != PMC_FOLLOW_NONE;
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
	bool before = s->prepared;
	u32 programs;
	int ret;

	if (!task)
		return -ESRCH;
	programs = pmc_task_programs(task);
	ret = pmc_may_count_task(s, task, nr);
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
	if (!atomic_read(&s->consumer.nr_threads) && !ret)
		ret = pmc_err(&s->err, -ESRCH, "process %d has just ended",
			      nr);
out:
	if (ret)
		pmc_session_unprepare(s, before);
	put_task_struct(task);
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
	struct pmc_thread *taken;
	int rounds = 0, ret = 0;

	if (!task)
		return -ESRCH;
	taken = take_all(s, task, whole);
	if (!taken)
		ret = pmc_err(&s->err, -ESRCH,
			      "process %d is not counted by this session", nr);
	while (taken) {
		pmc_end_tasks(s, taken);
		if (fatal_signal_pending(current))
			ret = -EINTR;
		else if (rounds++ == ROUNDS_MAX)
			ret = outrun(s);
		if (ret)
			break;
		/* A fork that one of these was in has added the new thread. */
		taken = take_all(s, task, whole);
	}
	put_task_struct(task);
	return ret;
}

/**
 * pmc_detach_unused - stop monitoring threads that no session uses
 * @s: a module's session
 *
 * Context: May sleep; pmc_modules_lock is held.
 */
void pmc_detach_unused(struct pmc_session *s)
{
	if (atomic_read(&s->consumer.nr_threads))
		end_taken(pmc_table_take_all(&s->consumer, true));
}

/**
 * pmc_detach_all - stop counting every thread
 * @s: session; its lock is held, or it is closed
 *
 * Context: May sleep.
 */
void pmc_detach_all(struct pmc_session *s)
{
	struct pmc_thread *taken;

	WRITE_ONCE(s->ending, true);
	/* Forks that were seen before are in the table after this. */
	if (s->follow != PMC_FOLLOW_NONE || pmc_session_internal(s))
		synchronize_rcu();
	taken = pmc_table_take_all(&s->consumer, false);
	/*
	 * Hooks may be ending threads that they took out themselves. The grace period in which
	 * the others are unloaded ends these, too.
	 */
	if (taken)
		end_taken(taken);
	else
		synchronize_rcu();
	pmc_wait_for_revocations(s);
	WRITE_ONCE(s->ending, false);
}

static void want_sample(struct pmc_thread *t, void *mask)
{
	WRITE_ONCE(t->want_sample, true);
	/* Pairs with pmc_update_slow_flags(), which may run on the thread's CPU. */
	smp_mb();
	WRITE_ONCE(t->slow_flags, PMC_SLOW_BOTH);
	note_cpu(t, mask);
}

/**
 * pmc_sample_all - take a sample of everything
 * @s: session; its lock is held
 *
 * Running threads are sampled at once, the others when they run next.
 *
 * Context: May sleep.
 */
void pmc_sample_all(struct pmc_session *s)
{
	if (s->syswide)
		on_each_cpu_mask(s->cpus, sample_loaded, s, true);
	else
		on_cpus_of(s, want_sample, sample_loaded, s);
}
