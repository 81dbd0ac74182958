/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a signal was sent to pmctrack alone or to its process group.
 *
 * A signal does not say which. The probe is a child process in the same group that does
 * nothing but receive signals: a signal that reached the probe was sent to the group.
 */
#ifndef PMCTRACK_SIGNAL_ORIGIN_H
#define PMCTRACK_SIGNAL_ORIGIN_H

#include <signal.h>
#include <sys/types.h>

struct signal_origin {
	pid_t pid;
	int fd;		/* the probe writes a byte for each signal that it receives */
};

/* Start the probe for the signals in @mask, which are blocked; -1 with errno set. */
int signal_origin_start(struct signal_origin *probe, const sigset_t *mask);

/* The signals that the probe received since the last call. */
void signal_origin_seen(const struct signal_origin *probe, sigset_t *seen);

void signal_origin_end(struct signal_origin *probe);

#endif
