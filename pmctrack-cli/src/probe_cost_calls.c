// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack's own functions, calls of which show what a probe costs. A jump instead of the call
 * is one instruction and one branch, too, so the difference is the function that is called.
 */
#include "probe_cost_calls.h"

/* The order of kinds is that of probe_insn.c. */
#ifdef __aarch64__
#define COPIED	"add x1, x1, #1\n"
#define PUSH	"b 8f\n8:\n"
#define NOP	"nop\n"
#define REST	"add x1, x1, #1\nret\n"
#else
#define COPIED	"add $1, %rsi\n"
#define PUSH	"push %rbp\npop %rbp\n"
#define NOP	"nop\n"
#define REST	"add $1, %rsi\nret\n"
#endif

#define FUNCTION(name, first)							\
	".balign 16\n.globl " name "\n.type " name ", %function\n"		\
	name ":\n" first REST ".size " name ", . - " name "\n"

__asm__(".text\n"
	FUNCTION("probe_cost_copied", COPIED)
	FUNCTION("probe_cost_push", PUSH)
	FUNCTION("probe_cost_nop", NOP)
	FUNCTION("probe_cost_copied_entered", COPIED)
	FUNCTION("probe_cost_push_entered", PUSH)
	FUNCTION("probe_cost_nop_entered", NOP)
	FUNCTION("probe_cost_copied_too", COPIED)
	FUNCTION("probe_cost_push_too", PUSH)
	FUNCTION("probe_cost_nop_too", NOP));

/* A probe on the function's entry must not be in the loop: an instruction is before that. */
#ifdef __aarch64__
__attribute__((noinline)) void probe_cost_call(const void *function, unsigned long nr)
{
	__asm__ volatile("nop\n1: blr %1\nsubs %0, %0, #1\nb.ne 1b"
			 : "+r" (nr) : "r" (function) : "x1", "x30", "cc", "memory");
}

__attribute__((noinline)) void probe_cost_jump(unsigned long nr)
{
	__asm__ volatile("nop\n1: b 2f\n2: subs %0, %0, #1\nb.ne 1b" : "+r" (nr) : : "cc", "memory");
}
#else
/* Below the stack pointer may be variables of the function, which a call would overwrite. */
__attribute__((noinline)) void probe_cost_call(const void *function, unsigned long nr)
{
	__asm__ volatile("sub $128, %%rsp\n1: call *%1\ndec %0\njnz 1b\nadd $128, %%rsp"
			 : "+b" (nr) : "D" (function) : "rsi", "cc", "memory");
}

__attribute__((noinline)) void probe_cost_jump(unsigned long nr)
{
	__asm__ volatile("nop\n1: jmp 2f\n2: dec %0\njnz 1b" : "+b" (nr) : : "cc", "memory");
}
#endif
