// SPDX-License-Identifier: GPL-2.0
/*
 * Delays inside pmctrack.ko, where another CPU or a host may delay it at any time: most races
 * need a moment between two steps, and emulated CPUs take turns too rarely to meet it.
 *
 * The places are calls that the module makes, when it may sleep, to functions of the kernel,
 * and its own entries from hooks; they are found by kprobes. So the module has no code for
 * this. The CPU spins with preemption off; its interrupts and other CPUs wait at most 3 ms.
 */
#include <linux/delay.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>

static unsigned int seed = 1;
module_param(seed, uint, 0444);
MODULE_PARM_DESC(seed, "of random numbers");

static unsigned int one_in = 4;
module_param(one_in, uint, 0644);
MODULE_PARM_DESC(one_in, "how many come to a place for one to be delayed");

static unsigned int max_us = 3000;
module_param(max_us, uint, 0644);
MODULE_PARM_DESC(max_us, "longest delay");

/* Without a lock: it is a tally. */
static unsigned long delayed;
module_param(delayed, ulong, 0444);
MODULE_PARM_DESC(delayed, "how often anything was delayed");

static u32 next_random(void)
{
	u32 x = READ_ONCE(seed) * 1664525 + 1013904223;

	WRITE_ONCE(seed, x);
	return x >> 8;
}

static void delay_some(void)
{
	u32 us, part;

	if (next_random() % max(one_in, 1u))
		return;
	delayed++;
	for (us = next_random() % max(max_us, 1u); us; us -= part) {
		part = min(us, 500u);
		udelay(part);
	}
}

static unsigned long caller_of(const struct pt_regs *regs)
{
#if defined(CONFIG_X86_64)
	return *(unsigned long *)regs->sp;
#elif defined(CONFIG_ARM64)
	return regs->regs[30];
#else
	return 0;
#endif
}

static int on_call(struct kprobe *p, struct pt_regs *regs)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, caller_of(regs));
	if (strstr(name, "[pmctrack]"))
		delay_some();
	return 0;
}

static int on_entry(struct kprobe *p, struct pt_regs *regs)
{
	delay_some();
	return 0;
}

static struct kprobe places[] = {
	/* Between what hooks were shown and the interrupt that has it done */
	{ .symbol_name = "on_each_cpu_cond_mask", .pre_handler = on_call },
	{ .symbol_name = "smp_call_function_single", .pre_handler = on_call },
	/* Between taking out of a table and ending */
	{ .symbol_name = "synchronize_rcu", .pre_handler = on_call },
	/* Between counters of a session */
	{ .symbol_name = "perf_event_create_kernel_counter", .pre_handler = on_call },
	{ .symbol_name = "perf_event_release_kernel", .pre_handler = on_call },
	/* Between hooks */
	{ .symbol_name = "tracepoint_probe_register", .pre_handler = on_call },
	{ .symbol_name = "tracepoint_probe_unregister", .pre_handler = on_call },
	{ .symbol_name = "pmc_on_fork", .pre_handler = on_entry },
	{ .symbol_name = "pmc_on_exec", .pre_handler = on_entry },
	{ .symbol_name = "pmc_on_exit", .pre_handler = on_entry },
	{ .symbol_name = "pmc_thread_end", .pre_handler = on_entry },
	/* Between the choice of a listener and its message, and before a closed one is removed */
	{ .symbol_name = "netlink_unicast", .pre_handler = on_call },
	{ .symbol_name = "pmctrack:closed", .pre_handler = on_entry },
	/* As CPUs come and go */
	{ .symbol_name = "pmc_claim_cpu", .pre_handler = on_entry },
	{ .symbol_name = "pmc_release_cpu", .pre_handler = on_entry },
};

static void remove_places(size_t nr)
{
	while (nr--)
		unregister_kprobe(&places[nr]);
}

static int __init delays_init(void)
{
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		ret = register_kprobe(&places[i]);
		if (ret) {
			pr_err("no delays in %s (error %d)\n", places[i].symbol_name, ret);
			remove_places(i);
			return ret;
		}
	}
	return 0;
}

static void __exit delays_exit(void)
{
	remove_places(ARRAY_SIZE(places));
}

module_init(delays_init);
module_exit(delays_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Delays inside pmctrack.ko, for tests");
