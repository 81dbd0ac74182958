// SPDX-License-Identifier: GPL-2.0
/*
 * calls_that_end - a program whose calls end in other ways than by a return
 *
 * usage: calls_that_end twice | longjmp | fork | exec | kill | exit | thread | ask | insist | stay
 *
 * twice    step() is called two times
 * In each other way, a function named after it calls step() before it ends:
 *
 * longjmp  catching() calls jumping() JUMPS times, which jumps back to catching(); then step()
 * fork     forking() forks and calls step(); it returns in the parent and in the child, and each
 *          calls step() once more
 * exec     executing() executes this program again, which calls step() twice
 * kill     killed() kills the process
 * exit     exiting() ends the process with status 4
 * thread   ending() ends its thread
 * ask      asking() sends the parent process SIGTERM, and waits for a signal
 * insist   insisting() ignores SIGTERM, and sends it to the parent process until that ends
 * stay     staying() calls step() until the parent process ends
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define JUMPS	10
#define FUNCTION __attribute__((noinline, noclone)) void

static jmp_buf place;

FUNCTION step(void)
{
	__asm__ volatile("nop\nnop\nnop");
}

FUNCTION jumping(void)
{
	step();
	longjmp(place, 1);
}

FUNCTION catching(void)
{
	volatile int left = JUMPS;

	setjmp(place);
	if (left-- > 0)
		jumping();
	step();
}

FUNCTION forking(pid_t *child)
{
	*child = fork();
	step();
}

FUNCTION executing(char *self)
{
	step();
	execl(self, self, "twice", NULL);
}

FUNCTION killed(void)
{
	step();
	kill(getpid(), SIGKILL);
}

FUNCTION exiting(void)
{
	step();
	_exit(4);
}

FUNCTION ending(void)
{
	step();
	pthread_exit(NULL);
}

FUNCTION asking(void)
{
	step();
	kill(getppid(), SIGTERM);
	pause();
}

FUNCTION insisting(void)
{
	pid_t parent = getppid();

	step();
	signal(SIGTERM, SIG_IGN);
	while (getppid() == parent) {
		kill(parent, SIGTERM);
		usleep(1200000);
	}
}

FUNCTION staying(void)
{
	pid_t parent = getppid();

	while (getppid() == parent)
		step();
}

static void *run(void *arg)
{
	ending();
	return arg;
}

static void fork_and_step(void)
{
	pid_t child;

	forking(&child);
	step();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
}

static void step_twice(void)
{
	step();
	step();
}

static void end_a_thread(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, run, NULL))
		pthread_join(thread, NULL);
	/* The thread leaves its CPU after that. */
	usleep(10000);
	step();
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (!strcmp(way, "longjmp"))
		catching();
	else if (!strcmp(way, "fork"))
		fork_and_step();
	else if (!strcmp(way, "exec"))
		executing(argv[0]);
	else if (!strcmp(way, "twice"))
		step_twice();
	else if (!strcmp(way, "kill"))
		killed();
	else if (!strcmp(way, "exit"))
		exiting();
	else if (!strcmp(way, "thread"))
		end_a_thread();
	else if (!strcmp(way, "ask"))
		asking();
	else if (!strcmp(way, "insist"))
		insisting();
	else if (!strcmp(way, "stay"))
		staying();
	else
		return 1;
	return 0;
}
