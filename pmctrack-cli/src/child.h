/* SPDX-License-Identifier: GPL-2.0 */
/* The program to be counted, held back until counting is set up. */
#ifndef PMCTRACK_CHILD_H
#define PMCTRACK_CHILD_H

#include <signal.h>
#include <sys/types.h>

#include "options.h"

struct child {
	pid_t pid;
	int go;		/* what is written here releases it */
	int result;	/* from here comes why exec failed */
};

/* Start a process that will run o->command; -1 with errno set. */
int child_prepare(struct child *child, const struct options *o, const sigset_t *mask);

/* Let it run; 0, or why exec failed, or less than 0: why it cannot be bound. */
int child_release(struct child *child);

/* Let it end without having run anything. */
void child_cancel(struct child *child);

#endif
