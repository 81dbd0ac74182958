# SPDX-License-Identifier: GPL-2.0
# What the headers of this kernel have, as far as compat.h has no other way to ask:
# PMC_HAS_NAME is defined where the word NAME occurs in FILE, or where FILE is there.
# Included by all Kbuild files, so that modules see the same.
pmc-has = $(if $(shell grep -qsw $(2) $(srctree)/include/linux/$(1) && echo y),-DPMC_HAS_$(2))
pmc-has-file = $(if $(wildcard $(srctree)/$(1)),-DPMC_HAS_$(2))

pmc-compat-flags := \
	$(call pmc-has,mm.h,vm_flags_mod) \
	$(call pmc-has,hrtimer.h,hrtimer_setup) \
	$(call pmc-has,syscore_ops.h,register_syscore_ops) \
	$(call pmc-has,perf/arm_pmu.h,cntr_mask) \
	$(call pmc-has,fs_struct.h,userspace_init_fs) \
	$(call pmc-has-file,include/linux/sched/exec_state.h,exec_state) \
	$(call pmc-has-file,arch/x86/include/asm/cpuid/api.h,cpuid_api)
