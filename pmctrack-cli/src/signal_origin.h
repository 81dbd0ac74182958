/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a signal was sent to pmctrack alone, and has to be passed on to the program, or to its
 * process group.
 *
 * A signal does not say which. The probe is a child process in the same group that does
 * nothing but receive signals: a signal that reached the probe was sent to the group.
 */
#ifndef PMCTRACK_SIGNAL_ORIGIN_H
#define PMCTRACK_SIGNAL_ORIGIN_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

struct signal_origin {
	pid_t pid;
	int fd;			/* the probe writes a byte for each signal that it receives */
	uint64_t asked_ns;	/* when the first signal came, or 0 */
	uint64_t pass_on_ns;	/* when to pass on @to_pass_on, or 0 */
	sigset_t to_pass_on;	/* signals for the program, unless it received them itself */
};

/* The signals that end pmctrack: SIGINT, SIGTERM and SIGHUP, unless they are ignored (nohup) */
void signal_origin_mask(sigset_t *mask);

/* Start the probe for the signals in @mask, which are blocked; -1 with errno set. */
int signal_origin_start(struct signal_origin *probe, const sigset_t *mask);

/*
 * A signal has come. Return: 0: signal_origin_pass_on() will pass it on; 1: it came more than a
 * second after the first, and asks pmctrack itself to end.
 */
int signal_origin_take(struct signal_origin *probe, int signal);

/* Once its time has come, give the program the signals that were for pmctrack alone. 0: it has ended */
void signal_origin_pass_on(struct signal_origin *probe, pid_t program);

void signal_origin_end(struct signal_origin *probe);

#endif
