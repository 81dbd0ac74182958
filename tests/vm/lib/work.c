// SPDX-License-Identifier: GPL-2.0
/* Work whose length is known. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"

void spin(long loops)
{
#ifdef __aarch64__
	asm volatile("1: subs %0, %0, #1\n"
		     "b.ne 1b" : "+r"(loops) : : "cc");
#else
	asm volatile("1: sub $1, %0\n"
		     "jnz 1b" : "+r"(loops) : : "cc");
#endif
}

#ifdef __x86_64__
void load_loop(long rounds)
{
	long word = 0, value;

	asm volatile("1: mov (%2), %1\n\tsub $1, %0\n\tjnz 1b"
		     : "+r"(rounds), "=&r"(value) : "r"(&word) : "cc", "memory");
}
#endif

void touch_pages(int nr)
{
	size_t size = getpagesize(), i;
	char *p = mmap(NULL, nr * size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		die("no memory to touch: %s", strerror(errno));
	madvise(p, nr * size, MADV_NOHUGEPAGE);
	for (i = 0; i < nr * size; i += size)
		*(volatile char *)(p + i) = 1;
	munmap(p, nr * size);
}

void make_step(struct step *step, long nr, long a0, long a1, long a2)
{
	memset(step, 0, sizeof(*step));
	step->nr = nr;
	step->args[0] = a0;
	step->args[1] = a1;
	step->args[2] = a2;
	step->loops = 1;
	step->quit_if = LONG_MIN;
}

void known_return(void);

long script_length(const struct step *steps, long nr)
{
	long sum = 0, i;

	for (i = 0; i < nr - 1; i++)
		sum += AFTER_CALL + 2 * steps[i].loops + BEFORE_CALL;
	return sum;
}

long counted_loop(int fd, long loops)
{
	struct step steps[2];

	make_step(&steps[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	make_step(&steps[1], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	steps[0].loops = loops;
	script(steps, 2);
	if (steps[0].result) {
		/* The message was that of the stop. */
		start(fd);
		die("PMC_IOC_START: %s, but not again", strerror(-steps[0].result));
	}
	if (steps[1].result)
		die("PMC_IOC_STOP: %s: %s", strerror(-steps[1].result), why(fd));
	return script_length(steps, 2);
}

/* glibc has no way to set the trampoline. The kernel's form of struct sigaction: */
void catch_known_signal(int signal)
{
	struct {
		void (*handler)(int, siginfo_t *, void *);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} action = {
		.handler = known_handler,
		.flags = SA_SIGINFO | 0x04000000 /* SA_RESTORER */,
		.restorer = known_return,
	};

	if (syscall(SYS_rt_sigaction, signal, &action, NULL, 8))
		die("rt_sigaction: %s", strerror(errno));
}

void send_known_signal(pid_t tid, int signal, long *counter)
{
	siginfo_t info = { .si_code = SI_QUEUE, .si_pid = getpid() };

	info.si_value.sival_ptr = counter;
	if (syscall(SYS_rt_tgsigqueueinfo, getpid(), tid, signal, &info))
		die("rt_tgsigqueueinfo: %s", strerror(errno));
}
