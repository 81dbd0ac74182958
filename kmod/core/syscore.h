/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Being told of sleep, on the last CPU that is awake. Stable kernels of one
 * series differ here (Kbuild looks which one it is): the callbacks have got an
 * argument, and what is registered is a struct of its own.
 */
#ifndef PMC_CORE_SYSCORE_H
#define PMC_CORE_SYSCORE_H

#include <linux/syscore_ops.h>

#ifdef PMC_HAS_SYSCORE_OPS
#define PMC_SYSCORE_ARG	void
#define PMC_DEFINE_SYSCORE(name, on_suspend, on_resume)			\
	static struct syscore_ops name = {				\
		.suspend = on_suspend, .resume = on_resume,		\
	}
#define pmc_register_syscore	register_syscore_ops
#define pmc_unregister_syscore	unregister_syscore_ops
#else
#define PMC_SYSCORE_ARG	void *unused
#define PMC_DEFINE_SYSCORE(name, on_suspend, on_resume)			\
	static const struct syscore_ops name##_ops = {			\
		.suspend = on_suspend, .resume = on_resume,		\
	};								\
	static struct syscore name = { .ops = &name##_ops }
#define pmc_register_syscore	register_syscore
#define pmc_unregister_syscore	unregister_syscore
#endif

#endif /* PMC_CORE_SYSCORE_H */
