// SPDX-License-Identifier: GPL-2.0
/*
 * The thread sanitizer of some compilers gives up where the kernel lays a
 * program out more randomly than it expects. Linked into a program, this starts
 * it again with a fixed layout, before the sanitizer begins.
 */
#include <sys/personality.h>
#include <unistd.h>

#define PLAIN __attribute__((no_sanitize("thread")))

PLAIN static void start_again(int argc, char **argv, char **envp)
{
	int now = personality(0xffffffff);

	if (now == -1 || now & ADDR_NO_RANDOMIZE)
		return;
	if (personality(now | ADDR_NO_RANDOMIZE) != -1)
		execve("/proc/self/exe", argv, envp);
}

__attribute__((section(".preinit_array"), used))
static void (*const before_all)(int, char **, char **) = start_again;
