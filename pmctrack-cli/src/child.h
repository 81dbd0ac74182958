/* SPDX-License-Identifier: GPL-2.0 */
/* The program to be counted; it starts when counting is set up. */
#ifndef PMCTRACK_CHILD_H
#define PMCTRACK_CHILD_H

#include <sys/types.h>

#include "options.h"

struct child {
	pid_t pid;
	int go;		/* a byte written here starts the program */
	int result;	/* the child sends the error of exec here */
};

/*
 * Note the signal mask, and what SIGPIPE and SIGCHLD do: each program starts with that. Call this
 * before changing them. Later calls have no effect.
 */
void child_note_signals(void);

/* Start a process that will run o->command; -1 with errno set. */
int child_prepare(struct child *child, const struct options *o);

/* Start the program; 0, the errno of exec, or, below 0, that of binding it to CPUs. */
int child_release(struct child *child);

/* End the process without running the program. */
void child_cancel(struct child *child);

#endif
