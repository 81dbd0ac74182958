/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether a signal was sent to pmctrack alone or to its process group.
 *
 * Nothing in a signal says so. The witness is a process of the same group that only
 * takes signals: the program has got what the witness has got.
 */
#ifndef PMCTRACK_WITNESS_H
#define PMCTRACK_WITNESS_H

#include <signal.h>
#include <sys/types.h>

struct witness {
	pid_t pid;
	int fd;		/* a byte for each signal it gets */
};

/* Start it, for the signals in @mask, which are blocked; -1 with errno set. */
int witness_start(struct witness *witness, const sigset_t *mask);

/* The signals that it has got since the last call. */
void witness_seen(const struct witness *witness, sigset_t *seen);

void witness_end(struct witness *witness);

#endif
