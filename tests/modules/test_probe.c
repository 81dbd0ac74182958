// SPDX-License-Identifier: GPL-2.0
/*
 * A monitoring module that checks pmctrack.ko: the callbacks of a thread have to come in a
 * valid order, one at a time, on the right CPU and in the documented context. Errors are
 * counted, and the first few are printed to the kernel log.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/hardirq.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <pmctrack/monitoring_module.h>

/* Virtual counters: indexes in virtuals[]. */
enum {
	TURNS,		/* times switched in */
	TICKS,		/* samples by the period */
	INSTRUCTIONS,	/* in samples so far */
	LOADED,		/* 1 while it runs */
	NR_VIRTUALS
};

/* State of a thread, according to the callbacks so far. */
struct state {
	u64 turns;
	u64 ticks;
	u64 instructions;
	u32 core_type;
	s32 cpu;		/* CPU it is loaded on, -1: none */
	bool started;
	bool ended;
	bool inside;		/* a callback is at work */
};

static struct monitoring_module probe;
static atomic_t threads = ATOMIC_INIT(0), wrong = ATOMIC_INIT(0);
static atomic64_t all_instructions = ATOMIC64_INIT(0);
static atomic_t execs = ATOMIC_INIT(0), ticks = ATOMIC_INIT(0);
static bool is_active;
static unsigned int period_us = 2000;
/* Delay of a thread's fork callback, in which other callbacks may run */
static unsigned int fork_us;
static char events[128];
/* The module has no values at present. */
static bool silent;
/* Name of the first virtual counter */
static char turns_name[PMC_MODULE_NAME_LEN] = "probe_turns";

#define expect(cond) do {						\
	if (!(cond) && atomic_inc_return(&wrong) <= 10)			\
		pr_err("test_probe: %s: not so: %s\n", __func__, #cond);	\
} while (0)

static struct state *begin(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	expect(s->started && !s->ended);
	expect(!s->inside);
	WRITE_ONCE(s->inside, true);
	return s;
}

static void end(struct state *s)
{
	WRITE_ONCE(s->inside, false);
}

static int activate(void)
{
	unsigned int ct;
	int ret;

	expect(!is_active);
	for (ct = 0; ct < pmc_module_nr_core_types(); ct++) {
		const char *instr = pmc_module_generic(ct, PMC_GENERIC_INSTRUCTIONS);

		if (events[0])
			instr = events;
		if (!instr)
			return pmc_module_error(-ENODEV, "no instructions to count");
		/* Two rounds of the same, so that nothing is missed. */
		ret = pmc_module_add_set(&probe, ct, instr);
		if (ret >= 0)
			ret = pmc_module_add_set(&probe, ct, instr);
		if (ret < 0)
			return ret;
		expect(ret == 1);
	}
	pmc_module_set_period(&probe, period_us * 1000ULL);
	is_active = true;
	return 0;
}

static void deactivate(void)
{
	expect(is_active);
	expect(!atomic_read(&threads));
	is_active = false;
}

static void thread_start(struct pmc_module_thread *t)
{
	struct state *s = (void *)t->data;

	expect(is_active && !in_interrupt());
	expect(!s->started && !s->turns && !s->instructions);
	expect(preempt_count() || !IS_ENABLED(CONFIG_PREEMPT_COUNT));
	s->started = true;
	s->cpu = -1;
	atomic_inc(&threads);
	if (t->task->tgid == current->tgid)
		udelay(fork_us);
}

static void thread_exec(struct pmc_module_thread *t)
{
	struct state *s = begin(t);

	expect(t->task == current);
	expect(pmc_module_metric(t, PMC_METRIC_LLC_OCCUPANCY) == PMC_NO_VALUE);
	atomic_inc(&execs);
	end(s);
}

static void thread_exit(struct pmc_module_thread *t)
{
	struct state *s = begin(t);

	expect(s->cpu < 0 && !t->loaded);
	s->ended = true;
	atomic_dec(&threads);
	end(s);
}

static void switch_in(struct pmc_module_thread *t)
{
	struct state *s = begin(t);

	expect(irqs_disabled());
	expect(s->cpu < 0);
	expect(t->core_type == pmc_module_core_type_of(smp_processor_id()));
	s->cpu = smp_processor_id();
	s->core_type = t->core_type;
	s->turns++;
	end(s);
}

static void switch_out(struct pmc_module_thread *t)
{
	struct state *s = begin(t);

	expect(irqs_disabled());
	expect(s->cpu == smp_processor_id());
	s->cpu = -1;
	end(s);
}

static void sample(struct pmc_module_thread *t,
		   const struct pmc_module_sample *sample)
{
	struct state *s = begin(t);
	u64 count = sample->nr_counts ? sample->counts[0] : 0;

	expect(irqs_disabled());
	expect(sample->nr_counts <= 1 && sample->nr_sets == 2);
	expect(sample->set < 2);
	expect(sample->running <= sample->elapsed);
	/* A sample has the core type on which the thread ran since the previous sample. */
	expect(sample->core_type == t->core_type);
	expect(sample->core_type == s->core_type || !count);
	if (sample->event == PMC_MODULE_CORE_TYPE)
		expect(s->cpu < 0 &&
		       pmc_module_core_type_of(smp_processor_id()) !=
		       s->core_type);
	if (sample->event == PMC_MODULE_EXIT)
		expect(s->cpu < 0);
	if (sample->event == PMC_MODULE_TICK)
		s->ticks++;
	s->instructions += count;
	atomic64_add(count, &all_instructions);
	/* Without counts the metric stays as it is. */
	if (sample->nr_counts)
		pmc_module_set_metric(t, PMC_METRIC_LLC_OCCUPANCY, s->instructions);
	end(s);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	const struct state *s = (const void *)t->data;

	/* On the thread's CPU, if it runs. */
	expect(s->cpu < 0 || s->cpu == smp_processor_id());
	expect(s->started);
	if (silent)
		return PMC_NO_VALUE;
	switch (i) {
	case TURNS:
		return s->turns;
	case TICKS:
		return s->ticks;
	case INSTRUCTIONS:
		return s->instructions;
	default:
		return s->cpu >= 0;
	}
}

static u64 read_cpu(unsigned int i)
{
	expect(irqs_disabled());
	return i == LOADED ? smp_processor_id() : 0;
}

static void tick(void)
{
	might_sleep();
	expect(is_active);
	atomic_inc(&ticks);
}

static int set(const char *key, char *value)
{
	if (!strcmp(key, "events"))
		return strscpy(events, value, sizeof(events)) < 0 ? -EINVAL : 0;
	if (!strcmp(key, "period_us")) {
		int ret = kstrtouint(value, 0, &period_us);

		if (!ret)
			pmc_module_set_period(&probe, period_us * 1000ULL);
		return ret;
	}
	if (!strcmp(key, "fork_us"))
		return kstrtouint(value, 0, &fork_us);
	if (!strcmp(key, "silent"))
		return kstrtobool(value, &silent);
	if (!strcmp(key, "metrics"))
		return kstrtou64(value, 0, &probe.metrics);
	if (!strcmp(key, "turns_name"))
		return strscpy(turns_name, value, sizeof(turns_name)) < 0 ?
		       -EINVAL : 0;
	return pmc_module_error(-EINVAL, "no parameter '%s'", key);
}

static void show(struct seq_file *m)
{
	pmc_module_show(m, "threads", "%d", atomic_read(&threads));
	pmc_module_show(m, "wrong", "%d", atomic_read(&wrong));
	pmc_module_show(m, "execs", "%d", atomic_read(&execs));
	pmc_module_show(m, "instructions", "%lld",
			atomic64_read(&all_instructions));
	pmc_module_show(m, "ticks", "%d", atomic_read(&ticks));
}

#define VIRTUAL(n, k) {							\
	.name = n, .unit = "", .description = "for tests", .kind = k,	\
	.scale = 1, .flags = PMC_VIRTUAL_UNPRIVILEGED }

static const struct pmc_virtual virtuals[NR_VIRTUALS] = {
	[TURNS] = VIRTUAL(turns_name, PMC_VIRTUAL_COUNT),
	[TICKS] = VIRTUAL("probe_ticks", PMC_VIRTUAL_COUNT),
	[INSTRUCTIONS] = VIRTUAL("probe_instructions", PMC_VIRTUAL_COUNT),
	[LOADED] = VIRTUAL("probe_loaded", PMC_VIRTUAL_LEVEL),
};

static struct monitoring_module probe = {
	.name = "test_probe",
	.description = "watches the core's callbacks",
	.owner = THIS_MODULE,
	.thread_size = sizeof(struct state),
	.virtuals = virtuals,
	.nr_virtuals = ARRAY_SIZE(virtuals),
	.metrics = BIT(PMC_METRIC_LLC_OCCUPANCY),
	.tick_ms = 20,
	.activate = activate,
	.deactivate = deactivate,
	.thread_start = thread_start,
	.thread_exec = thread_exec,
	.thread_exit = thread_exit,
	.switch_in = switch_in,
	.switch_out = switch_out,
	.sample = sample,
	.read = read,
	.read_cpu = read_cpu,
	.tick = tick,
	.set = set,
	.show = show,
};

static int __init probe_init(void)
{
	return monitoring_module_register(&probe);
}

static void __exit probe_exit(void)
{
	monitoring_module_unregister(&probe);
	expect(!is_active && !atomic_read(&threads));
}

module_init(probe_init);
module_exit(probe_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Watches how monitoring modules are called");
