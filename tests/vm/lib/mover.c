// SPDX-License-Identifier: GPL-2.0
/* Move a thread from core type to core type, some thousand times a second. */
#include <unistd.h>

#include "mover.h"
#include "vm.h"

static void *move(void *arg)
{
	struct mover *m = arg;
	int i;

	for (i = 0; !atomic_load(&m->stop); i++) {
		pin(m->tid, core_types[i % nr_core_types].first_cpu);
		usleep(300);
	}
	return NULL;
}

void mover_start(struct mover *m)
{
	m->tid = gettid();
	atomic_store(&m->stop, false);
	if (pthread_create(&m->thread, NULL, move, m))
		die("no thread");
}

void mover_stop(struct mover *m)
{
	atomic_store(&m->stop, true);
	pthread_join(m->thread, NULL);
	unpin(0);
}
