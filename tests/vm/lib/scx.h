/* SPDX-License-Identifier: GPL-2.0 */
/* The commands that put a scheduler into force, on a kernel with sched_ext. */
#ifndef VM_SCX_H
#define VM_SCX_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Start the command; it is in force on return. */
pid_t load_scheduler(char *const argv[]);
/* End the command with this signal; the kernel's own scheduler is in force on return. */
void unload_scheduler(pid_t pid, int signal);
/* Wait up to 5 s until no scheduler of sched_ext is in force. */
bool scheduler_ended(void);
/* The output of the command, up to now */
const char *scheduler_messages(void);
/* A statistic of --verbose, such as "3 swapped", since the command was started */
long long reported(const char *name);
/* Check that the scheduler made each of these decisions: names of statistics */
void decided(const char *names);
/* From now on only what comes later */
void forget_messages(void);
/*
 * A model for pmc_estimated_sf, which is loaded: a thread gains by the share of its instructions
 * that are in user mode. Its speedup factor is from 1 to 2, on any machine.
 */
void user_mode_model(void);
/* The CPU on which a process of one thread runs, or ran last */
int cpu_of(pid_t pid);
/* The CPU time that a process has had */
uint64_t cpu_time_ns(pid_t pid);

#endif
