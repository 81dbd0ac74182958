/* SPDX-License-Identifier: GPL-2.0 */
/* A thread that moves the calling one from core type to core type. */
#ifndef VM_MOVER_H
#define VM_MOVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

struct mover {
	pthread_t thread;
	pid_t tid;
	atomic_bool stop;
};

void mover_start(struct mover *m);

/* The caller may run on all CPUs again. */
void mover_stop(struct mover *m);

#endif
