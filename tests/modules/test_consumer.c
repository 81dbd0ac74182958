// SPDX-License-Identifier: GPL-2.0
/*
 * A replacement for a scheduler: it queries every metric of every thread that runs, in the
 * timer interrupt and with the run-queue lock held, and starts monitoring threads there.
 *
 * /proc/pmc_consumer takes
 *
 *	all 1|0		monitor every user thread that is switched in
 *	on PID, off PID	monitor a thread, or end that
 *	end PID		end that for all threads of a process at once
 *	metric PID N	query once and show the result
 *	cost PID N	measure the time of a query, in the machine's fastest clock
 *
 * and shows the number of queries by result and context.
 */
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timex.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <trace/events/sched.h>
#include <base/compat.h>
#include <pmctrack/scheduler.h>

#define TICK		(4 * NSEC_PER_MSEC)
#define COST_ROUNDS	1000

enum { IN_TICK, IN_SWITCH, NR_CONTEXTS };
enum { FOUND, NO_DATA, NOT_MONITORED, NO_MODULE, ODD, NR_RESULTS };

static const char *const context_names[] = { "tick", "switch" };
static const char *const result_names[] = {
	"found", "no_data", "not_monitored", "no_module", "odd",
};

static DEFINE_PER_CPU(u64[NR_CONTEXTS][NR_RESULTS], tally);
static DEFINE_PER_CPU(struct hrtimer, timers);
static DEFINE_PER_CPU(u64, enabled);
static bool all;
static bool quiet;
module_param(quiet, bool, 0444);
MODULE_PARM_DESC(quiet, "query only on request");

static struct tracepoint *sched_switch;
static char answer[128];
static DEFINE_MUTEX(lock);

static int result_of(int ret)
{
	switch (ret) {
	case 0:
		return FOUND;
	case -ENODATA:
		return NO_DATA;
	case -ESRCH:
		return NOT_MONITORED;
	case -ENODEV:
		return NO_MODULE;
	default:
		return ODD;
	}
}

static void query(struct task_struct *task, int context)
{
	struct pmc_metric_value v;
	u64 value;
	int i, ret;

	for (i = 0; i < PMC_METRIC_NR; i++) {
		ret = pmcs_get_current_metric_value(task, i, &value);
		this_cpu_inc(tally[context][result_of(ret)]);
		/* The time of a value must not be in the future. */
		if (!ret && !pmcs_get_metric(task, i, &v) &&
		    (!v.time || v.time > ktime_get_mono_fast_ns()))
			this_cpu_inc(tally[context][ODD]);
	}
	if (pmcs_get_current_metric_value(task, PMC_METRIC_NR, &value) !=
	    -EINVAL ||
	    pmcs_get_current_metric_value(task, -1, &value) != -EINVAL)
		this_cpu_inc(tally[context][ODD]);
}

static enum hrtimer_restart on_tick(struct hrtimer *timer)
{
	query(current, IN_TICK);
	hrtimer_forward_now(timer, ns_to_ktime(TICK));
	return HRTIMER_RESTART;
}

static void on_switch(void *data, bool preempt, struct task_struct *prev,
		      struct task_struct *next, unsigned int prev_state)
{
	query(prev, IN_SWITCH);
	query(next, IN_SWITCH);
	if (all && next->mm && !(next->flags & (PF_KTHREAD | PF_EXITING)) &&
	    !pmcs_monitor_task(next, true))
		this_cpu_inc(enabled);
}

static void cost(struct task_struct *task, int metric)
{
	unsigned long flags;
	cycles_t begin, end;
	u64 value, sum = 0;
	int i, ret = 0;

	local_irq_save(flags);
	begin = get_cycles();
	for (i = 0; i < COST_ROUNDS; i++) {
		ret |= pmcs_get_current_metric_value(task, metric, &value);
		sum += value;
	}
	end = get_cycles();
	local_irq_restore(flags);
	snprintf(answer, sizeof(answer), "%d %llu of %d", ret,
		 (u64)(end - begin), COST_ROUNDS);
}

/* As a scheduler that ends: nothing else runs on this CPU meanwhile. */
static int end_all(struct task_struct *process)
{
	struct task_struct *task;
	unsigned long flags;
	int ret = 0;

	rcu_read_lock();
	local_irq_save(flags);
	for_each_thread(process, task)
		ret = pmcs_monitor_task(task, false) ?: ret;
	local_irq_restore(flags);
	rcu_read_unlock();
	return ret;
}

static int do_with(const char *verb, struct task_struct *task, int number)
{
	struct pmc_metric_value v = { };
	int ret;

	if (!strcmp(verb, "on") || !strcmp(verb, "off"))
		return pmcs_monitor_task(task, !strcmp(verb, "on"));
	if (!strcmp(verb, "end"))
		return end_all(task);
	if (!strcmp(verb, "cost")) {
		cost(task, number);
		return 0;
	}
	if (strcmp(verb, "metric"))
		return -EINVAL;
	ret = pmcs_get_metric(task, number, &v);
	snprintf(answer, sizeof(answer), "%d %llu %llu", ret, v.value,
		 v.time ? ktime_get_mono_fast_ns() - v.time : 0);
	return 0;
}

static ssize_t consumer_write(struct file *file, const char __user *buf,
			      size_t len, loff_t *pos)
{
	struct task_struct *task;
	char text[64], verb[16];
	int nr, number = 0, ret;
	struct pid *pid;

	if (len >= sizeof(text) || copy_from_user(text, buf, len))
		return -EINVAL;
	text[len] = '\0';
	if (sscanf(text, "%15s %d %d", verb, &nr, &number) < 2)
		return -EINVAL;
	if (!strcmp(verb, "all")) {
		WRITE_ONCE(all, nr);
		return len;
	}
	pid = find_get_pid(nr);
	task = get_pid_task(pid, PIDTYPE_PID);
	put_pid(pid);
	if (!task)
		return -ESRCH;
	mutex_lock(&lock);
	ret = do_with(verb, task, number);
	mutex_unlock(&lock);
	put_task_struct(task);
	return ret ?: len;
}

static int show(struct seq_file *m, void *unused)
{
	u64 sum, on = 0;
	int c, r, cpu;

	for (c = 0; c < NR_CONTEXTS; c++)
		for (r = 0; r < NR_RESULTS; r++) {
			sum = 0;
			for_each_possible_cpu(cpu)
				sum += per_cpu(tally, cpu)[c][r];
			seq_printf(m, "%s_%s %llu\n", context_names[c],
				   result_names[r], sum);
		}
	for_each_possible_cpu(cpu)
		on += per_cpu(enabled, cpu);
	seq_printf(m, "enabled %llu\n", on);
	mutex_lock(&lock);
	seq_printf(m, "answer %s\n", answer);
	mutex_unlock(&lock);
	return 0;
}

static int consumer_open(struct inode *inode, struct file *file)
{
	return single_open(file, show, NULL);
}

static const struct proc_ops ops = {
	.proc_open = consumer_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = consumer_write,
};

static void find_switch(struct tracepoint *tp, void *unused)
{
	if (!strcmp(tp->name, "sched_switch"))
		sched_switch = tp;
}

static void start_here(void *unused)
{
	struct hrtimer *timer = this_cpu_ptr(&timers);

	pmc_hrtimer_setup(timer, on_tick, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(timer, ns_to_ktime(TICK), HRTIMER_MODE_REL_PINNED_HARD);
}

static void stop_watching(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		hrtimer_cancel(per_cpu_ptr(&timers, cpu));
	tracepoint_probe_unregister(sched_switch, on_switch, NULL);
	tracepoint_synchronize_unregister();
}

static int __init consumer_init(void)
{
	int ret;

	for_each_kernel_tracepoint(find_switch, NULL);
	if (!sched_switch)
		return -ENODEV;
	if (!proc_create("pmc_consumer", 0600, NULL, &ops))
		return -ENOMEM;
	if (quiet)
		return 0;
	BUILD_BUG_ON(!PMC_PROBE_FITS(sched_switch, on_switch));
	ret = tracepoint_probe_register(sched_switch, on_switch, NULL);
	if (ret) {
		remove_proc_entry("pmc_consumer", NULL);
		return ret;
	}
	on_each_cpu(start_here, NULL, 1);
	return 0;
}

/* No thread that was ever enabled stays so. */
static void __exit consumer_exit(void)
{
	struct task_struct *process;

	if (!quiet)
		stop_watching();
	remove_proc_entry("pmc_consumer", NULL);
	rcu_read_lock();
	for_each_process(process)
		end_all(process);
	rcu_read_unlock();
}

module_init(consumer_init);
module_exit(consumer_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Asks for metrics of threads as a scheduler would");
