/* SPDX-License-Identifier: GPL-2.0 */
/* Shared parts of the benchmarks. All figures are guest instructions. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Most counters that a measurement takes. */
#define MAX_EVENTS	4

/* ruler.c */
uint64_t ruler(void);
uint64_t ticks_to_instructions(uint64_t ticks);
void spin(uint64_t instructions);
void settle(void);
void check_ruler(void);
double middle(double *figures, int nr);
double median(double (*measure)(int), int nr);
double typical(void (*work)(void *), void *arg, int nr);
double lower(void (*work)(void *), void *arg, int nr);
void die(const char *what) __attribute__((noreturn));

/* ours.c: pmctrack */
struct pmc_session;
/* Event sets of N events: instructions and cycles, the same events as in theirs.c. */
extern const char *const ours_events[MAX_EVENTS + 1];
struct pmc_session *ours_open(const char *events, const char *options);
void ours_fail(const char *what) __attribute__((noreturn));
void ours_attach(struct pmc_session *session, pid_t pid);

/* theirs.c: perf_event */
struct theirs {
	int nr;
	int fd[MAX_EVENTS];
	void *buffer;
};

void theirs_open(struct theirs *t, pid_t pid, int nr, int inherit);
void theirs_open_ebs(struct theirs *t, uint64_t period);
void theirs_enable(struct theirs *t);
void theirs_disable(struct theirs *t);
void theirs_read(struct theirs *t);
void theirs_close(struct theirs *t);

/* One file each: guest instructions for one operation. */
double switch_ours(int nr);
double switch_ours_bystander(void);
double switch_ours_idle(const char *module);
double switch_theirs(int nr);
double switch_calipers(int nr);
double switch_sessions(int nr);
/* Cost that @with adds to two switches of a process; measured alternately with @without. */
double switch_extra(void (*without)(pid_t pid), void (*with)(pid_t pid));
double read_ours(int nr);
double read_ours_call(int nr);
double read_theirs(int nr);
double startstop_ours(int nr);
double startstop_theirs(int nr);
double ebs_ours(void);
double ebs_theirs(void);
double fork_ours(int nr, bool paced);
double fork_theirs(int nr, bool paced);
double tbs_percent(unsigned int period_ms, const char *virtual_counter);

#endif
