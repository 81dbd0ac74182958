// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module "edp": energy-delay product of a workload, which is all
 * threads that it monitors, by equation 5 of the PMCTrack paper:
 *
 *	EDP = energy * completion time / instructions
 *
 * The energy is the machine's, from the first thread's start to the last one's
 * end, as is the time; while no thread is monitored both stand still. The
 * instructions are those of the threads' samples: while the workload runs they
 * are some of a sampling period behind, and when it has ended they are exact, as
 * is the time. When a sample has no counts, because the counter was taken away,
 * they are not known, nor is the product, until the parameter reset is set.
 *
 * So is energy that one register has, the package's of a machine with one. Where
 * it takes several, a CPU reads its own, and the others were looked at up to
 * DIVIDED_MS ago: energy from then to the workload's start is counted, and from
 * then to its end, or to a sample, is not. Before the parameters are read all
 * registers are.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/seqlock.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <pmctrack/monitoring_module.h>
#include "../energy/energy.h"

#define PERIOD_MS	100

/* How often to look at registers when no CPU can read all */
#define DIVIDED_MS	100U

/* How often to try again when it changes while it is read */
#define TRIES		100

enum {
	EDP,
	EDP_ENERGY,
	EDP_INSTR,
	EDP_TIME,
};

/**
 * struct span - time and energy of the workload
 * @uj: microjoules, up to now or until it began to run, see @running
 * @ns: the same for its time
 * @running: it runs: the machine's total and the time now are to be added, from
 *	which those at its start are subtracted already
 */
struct span {
	u64 uj;
	u64 ns;
	bool running;
};

static struct monitoring_module edp;
static bool active;
static unsigned int period_ms = PERIOD_MS;
/* Kinds of energy that make it up, one bit each; 0: chosen when activated */
static unsigned int wanted_kinds;
static unsigned int kinds;

/* For writers of @span, one at a time; readers look at @span_seq. */
static DEFINE_RAW_SPINLOCK(span_lock);
static seqcount_t span_seq = SEQCNT_ZERO(span_seq);
static struct span span;
static unsigned int nr_threads;
static atomic64_t instructions;
/* Those of some sample are missing. */
static bool missing;

/* Of the machine. Preemption off. */
static u64 total_uj(void)
{
	unsigned int kind;
	u64 sum = 0;

	for (kind = 0; kind < PMC_ENERGY_NR; kind++)
		if (kinds & BIT(kind))
			sum += pmc_energy_total(kind);
	return sum;
}

/* The workload begins to run, or stops, or what was before is forgotten. */
static void change_span(int more_threads, bool forget)
{
	u64 uj, ns;
	unsigned long flags;
	struct span new;

	raw_spin_lock_irqsave(&span_lock, flags);
	uj = total_uj();
	ns = ktime_get_mono_fast_ns();
	new = span;
	if (new.running) {
		new.uj += uj;
		new.ns += ns;
	}
	if (forget) {
		new.uj = 0;
		new.ns = 0;
		atomic64_set(&instructions, 0);
		WRITE_ONCE(missing, false);
	}
	nr_threads += more_threads;
	new.running = nr_threads;
	if (new.running) {
		new.uj -= uj;
		new.ns -= ns;
	}
	raw_write_seqcount_begin(&span_seq);
	span = new;
	raw_write_seqcount_end(&span_seq);
	raw_spin_unlock_irqrestore(&span_lock, flags);
}

/*
 * The workload's time and energy now. Preemption off. Return: false when an NMI
 * asks that came while they were written.
 */
static bool read_span(struct span *s)
{
	unsigned int tries = TRIES, seq;

	do {
		seq = raw_read_seqcount(&span_seq);
		*s = span;
		if (!(seq & 1) && !read_seqcount_retry(&span_seq, seq)) {
			if (s->running) {
				s->uj += total_uj();
				s->ns += ktime_get_mono_fast_ns();
			}
			return true;
		}
		cpu_relax();
	} while (--tries);
	return false;
}

/* uJ * ns are 10^-15 J * s. */
static u64 energy_delay(const struct span *s)
{
	u64 instr = atomic64_read(&instructions);

	/* Or the quotient would have more than 64 bits. */
	if (mul_u64_u64_shr(s->uj, s->ns, 64) >= instr)
		return PMC_NO_VALUE;
	return mul_u64_u64_div_u64(s->uj, s->ns, instr);
}

static u64 value_of(unsigned int i)
{
	struct span s;

	if (READ_ONCE(missing) && (i == EDP || i == EDP_INSTR))
		return PMC_NO_VALUE;
	if (i == EDP_INSTR)
		return atomic64_read(&instructions);
	if (!read_span(&s))
		return PMC_NO_VALUE;
	return i == EDP_ENERGY ? s.uj : i == EDP_TIME ? s.ns : energy_delay(&s);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	return value_of(i);
}

static void thread_start(struct pmc_module_thread *t)
{
	change_span(1, false);
}

static void thread_exit(struct pmc_module_thread *t)
{
	change_span(-1, false);
}

static void sample(struct pmc_module_thread *t,
		   const struct pmc_module_sample *sample)
{
	if (sample->nr_counts)
		atomic64_add(sample->counts[0], &instructions);
	else
		WRITE_ONCE(missing, true);
}

/* The package's has all in it that a core's or the memory controller's has. */
static int choose_kinds(void)
{
	unsigned int kind;

	kinds = wanted_kinds;
	if (!kinds)
		kinds = pmc_energy_has(PMC_ENERGY_PKG) ? BIT(PMC_ENERGY_PKG) :
			pmc_energy_has(PMC_ENERGY_CORE) ? BIT(PMC_ENERGY_CORE) :
							  BIT(PMC_ENERGY_PSYS);
	for (kind = 0; kind < PMC_ENERGY_NR; kind++)
		if (kinds & BIT(kind) && !pmc_energy_has(kind))
			return pmc_module_error(-ENODEV,
						"this machine can't measure energy of the kind %s that edp.energy wants",
						pmc_energy_kind_names[kind]);
	return 0;
}

/* Domains come with their CPUs. */
static void set_tick(void)
{
	unsigned int kind;

	edp.tick_ms = pmc_energy_period_ms();
	for (kind = 0; kind < PMC_ENERGY_NR; kind++)
		if (kinds & BIT(kind) && pmc_energy_is_divided(kind))
			edp.tick_ms = min(edp.tick_ms, DIVIDED_MS);
}

static void tick(void)
{
	pmc_energy_tick();
	set_tick();
}

static int count_instructions(void)
{
	unsigned int ct;
	const char *event;
	char events[32];
	int ret;

	for (ct = 0; ct < pmc_module_nr_core_types(); ct++) {
		event = pmc_module_generic(ct, PMC_GENERIC_INSTRUCTIONS);
		if (!event)
			return pmc_module_error(-ENODEV,
						"core type %s has no event for instructions",
						pmc_module_core_type_name(ct));
		snprintf(events, sizeof(events), "%s:u:k", event);
		ret = pmc_module_add_set(&edp, ct, events);
		if (ret < 0)
			return ret;
	}
	pmc_module_set_period(&edp, period_ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static int activate(void)
{
	int ret = pmc_energy_get();

	if (ret == -ENODEV)
		return pmc_module_error(ret,
					"this machine has no energy registers that are known: if its board has sensors, name them by energy.sensor");
	if (ret)
		return ret;
	ret = choose_kinds() ?: count_instructions();
	if (ret) {
		pmc_energy_put();
		return ret;
	}
	set_tick();
	pmc_energy_tick();
	active = true;
	change_span(0, true);
	return 0;
}

static void deactivate(void)
{
	active = false;
	pmc_energy_put();
}

/* "core+dram" */
static int set_kinds(char *value)
{
	unsigned int new = 0;
	char *name;
	int kind;

	while ((name = strsep(&value, "+"))) {
		kind = match_string(pmc_energy_kind_names, PMC_ENERGY_NR, name);
		if (kind < 0)
			return pmc_module_error(-EINVAL,
						"edp.energy is core, pkg, dram or psys, or several of them with + between, and not '%s'",
						name);
		new |= BIT(kind);
	}
	wanted_kinds = new;
	return 0;
}

static int set_period(const char *value)
{
	unsigned int ms;

	if (kstrtouint(value, 0, &ms) || !ms || ms > 10000)
		return pmc_module_error(-ERANGE,
					"edp.period_ms is a number from 1 to 10000");
	period_ms = ms;
	pmc_module_set_period(&edp, ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static int set(const char *key, char *value)
{
	if (!strcmp(key, "period_ms"))
		return set_period(value);
	if (!strcmp(key, "reset")) {
		if (active)
			pmc_energy_tick();
		change_span(0, true);
		return 0;
	}
	if (strcmp(key, "energy"))
		return pmc_module_error(-EINVAL,
					"edp has the parameters energy, period_ms and reset, and no '%s'",
					key);
	if (active)
		return pmc_module_error(-EBUSY,
					"deactivate edp before you change what energy it is about");
	return set_kinds(value);
}

static void show_kinds(struct seq_file *m)
{
	unsigned int show = active ? kinds : wanted_kinds, kind;
	char text[32] = "";

	for (kind = 0; kind < PMC_ENERGY_NR; kind++) {
		if (!(show & BIT(kind)))
			continue;
		if (text[0])
			strlcat(text, "+", sizeof(text));
		strlcat(text, pmc_energy_kind_names[kind], sizeof(text));
	}
	pmc_module_show(m, "energy", "%s", text);
}

/*
 * The energy reveals something of others' computations. A program with the right may have been
 * handed the file as its standard input, so the opener needs the right, too.
 */
static bool may_show_energy(const struct file *file)
{
	return perfmon_capable() && (file_ns_capable(file, &init_user_ns, CAP_PERFMON) ||
				     file_ns_capable(file, &init_user_ns, CAP_SYS_ADMIN));
}

static void show(struct seq_file *m)
{
	struct span s = { };

	show_kinds(m);
	pmc_module_show(m, "period_ms", "%u", period_ms);
	if (!may_show_energy(m->file))
		return;
	if (active)
		pmc_energy_tick();
	preempt_disable();
	read_span(&s);
	preempt_enable();
	pmc_module_show(m, "energy_uj", "%llu", s.uj);
	pmc_module_show(m, "time_ns", "%llu", s.ns);
	if (READ_ONCE(missing))
		pmc_module_show(m, "instructions", "unknown");
	else
		pmc_module_show(m, "instructions", "%llu",
				(u64)atomic64_read(&instructions));
}

static const struct pmc_virtual virtuals[] = {
	[EDP] = {
		.name = "edp",
		.unit = "nJ*s/instr",
		.description = "energy-delay product of the workload",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1000000,
	},
	[EDP_ENERGY] = {
		.name = "edp_energy",
		.unit = "uJ",
		.description = "energy of the machine during the workload so far",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1,
	},
	[EDP_INSTR] = {
		.name = "edp_instr",
		.unit = "",
		.description = "instructions of the workload so far",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1,
	},
	[EDP_TIME] = {
		.name = "edp_time",
		.unit = "s",
		.description = "time of the workload so far",
		.kind = PMC_VIRTUAL_LEVEL,
		.scale = 1000000000,
	},
};

static struct monitoring_module edp = {
	.name = "edp",
	.description = "energy-delay product of a workload",
	.owner = THIS_MODULE,
	.virtuals = virtuals,
	.nr_virtuals = ARRAY_SIZE(virtuals),
	.tick_ms = 1000,
	.activate = activate,
	.deactivate = deactivate,
	.thread_start = thread_start,
	.thread_exit = thread_exit,
	.sample = sample,
	.read = read,
	.tick = tick,
	.suspend = pmc_energy_suspend,
	.resume = pmc_energy_resume,
	.set = set,
	.show = show,
};

static int __init edp_init(void)
{
	return monitoring_module_register(&edp);
}

static void __exit edp_exit(void)
{
	monitoring_module_unregister(&edp);
}

module_init(edp_init);
module_exit(edp_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Energy-delay product of a workload, for pmctrack");
