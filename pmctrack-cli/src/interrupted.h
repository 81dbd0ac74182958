/* SPDX-License-Identifier: GPL-2.0 */
/* Commands that go on until a signal ends them: the signal, and the clock that they wait by. */
#ifndef PMCTRACK_INTERRUPTED_H
#define PMCTRACK_INTERRUPTED_H

#include <poll.h>
#include <signal.h>
#include <stdint.h>

/* The signal that has asked the command to end, or 0 */
extern volatile sig_atomic_t interrupted;

/*
 * From now on SIGINT, SIGTERM and SIGHUP set @interrupted, and end waiting. The latter two stay ignored
 * if they are, as by nohup.
 */
void catch_interrupts(void);

/* poll() one descriptor, after catch_interrupts(): also a signal that has come before ends the wait. */
int poll_interruptible(struct pollfd *fd, int timeout_ms);

/* CLOCK_MONOTONIC, in ns */
uint64_t monotonic_ns(void);

#endif
