// SPDX-License-Identifier: GPL-2.0
/*
 * known_calls - a program with functions that execute known numbers of instructions
 *
 * usage: known_calls [LEVELS]
 *
 * Two threads call known_outer() on each of four CPUs, which calls known_inner() CALLS times.
 * The first thread then calls known_recursive(LEVELS), LEVELS being 10 if not given, and
 * known_inner().
 *
 * instructions  known_inner() 202; known_outer() 4 + 3 a call, without those of known_inner();
 *               known_recursive(n) 7 n + 3, with all levels
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define CALLS	50
#define CPUS	4

void known_inner(void);
void known_outer(int calls);
void known_recursive(int levels);

#ifdef __aarch64__
__asm__(".text\n"
	".globl known_inner, known_outer, known_recursive\n"
	".type known_inner, %function\n.type known_outer, %function\n.type known_recursive, %function\n"
	"known_inner: mov w1, #100\n"
	"1: subs w1, w1, #1\n"
	"b.ne 1b\n"
	"ret\n"
	"known_outer: stp x29, x30, [sp, #-16]!\n"
	"nop\n"
	"1: bl known_inner\n"
	"subs w0, w0, #1\n"
	"b.ne 1b\n"
	"ldp x29, x30, [sp], #16\n"
	"ret\n"
	"known_recursive: nop\n"
	"cbz w0, 2f\n"
	"sub w0, w0, #1\n"
	"str x30, [sp, #-16]!\n"
	"bl known_recursive\n"
	"ldr x30, [sp], #16\n"
	"2: ret\n");
#else
__asm__(".text\n"
	".globl known_inner, known_outer, known_recursive\n"
	".type known_inner, @function\n.type known_outer, @function\n.type known_recursive, @function\n"
	"known_inner: mov $100, %ecx\n"
	"1: dec %ecx\n"
	"jnz 1b\n"
	"ret\n"
	"known_outer: push %rbx\n"
	"mov %edi, %ebx\n"
	"1: call known_inner\n"
	"dec %ebx\n"
	"jnz 1b\n"
	"pop %rbx\n"
	"ret\n"
	"known_recursive: test %edi, %edi\n"
	"jz 2f\n"
	"dec %edi\n"
	"sub $8, %rsp\n"
	"call known_recursive\n"
	"add $8, %rsp\n"
	"2: ret\n");
#endif

static void *run(void *arg)
{
	cpu_set_t set;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set))
			exit(1);
		known_outer(CALLS);
	}
	return arg;
}

int main(int argc, char **argv)
{
	int levels = argc > 1 ? atoi(argv[1]) : 10;
	pthread_t other;

	if (pthread_create(&other, NULL, run, NULL))
		return 1;
	run(NULL);
	pthread_join(other, NULL);
	known_recursive(levels);
	known_inner();
	return 3;
}
