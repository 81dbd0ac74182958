/* SPDX-License-Identifier: GPL-2.0 */
/* A child process that waits until the test has attached to it. */
#ifndef VM_CHILD_H
#define VM_CHILD_H

#include <sys/types.h>

/*
 * Start a child that waits for child_go(*go), then calls @work and exits with status 0. A
 * child whose caller has ended exits with 99.
 */
pid_t child_start(void (*work)(void), int *go);
void child_go(int go);

#endif
