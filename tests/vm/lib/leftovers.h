/* SPDX-License-Identifier: GPL-2.0 */
/* Resources that are free while nothing is counted, and have to be free again afterwards. */
#ifndef VM_LEFTOVERS_H
#define VM_LEFTOVERS_H

#include <sys/types.h>

/* Kernel memory in use that belongs to no page of a process, KiB. */
long kernel_memory(void);

/*
 * perf gets as many counters as at the first call, so no other user holds one. With a
 * backend that reserves the whole PMU, it is enough that perf_event_open() works.
 */
void counters_are_free(const char *when);

/*
 * Notes counters, memory and what these users may lock. The module is loaded and idle.
 * Afterwards a process of each user waits, which keeps what is charged to the user.
 */
void note_resources(const uid_t *users, int nr);
/*
 * Checks that all of it is there again, and unloads the module, whose hooks would be called
 * from now on if they were left. The test ends with this.
 */
void nothing_is_left(void);

#endif
