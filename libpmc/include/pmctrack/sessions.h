/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sessions: one user of the kernel module, with its stream of samples
 *
 * A session can do everything that the kernel module can: count other processes
 * and their children, threads and CPUs, sample over time and by event count, and
 * deliver a stream of samples. The command pmctrack uses these calls.
 *
 * samples.h has the calls that take samples, totals.h those that read counts.
 */
#ifndef LIBPMCTRACK_SESSIONS_H
#define LIBPMCTRACK_SESSIONS_H

#include <pmctrack/config.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmc_session pmc_session_t;

/**
 * pmc_session_open - connect to the kernel module, or to perf_event_open()
 *
 * The latter counts if the module is not loaded; see pmc_machine_has_module().
 *
 * pmc_session_close() ends all counting of the session and releases its counters,
 * even if a child of fork() still has the file open. In a child it only closes
 * the child's file.
 *
 * Return: an object for pmc_session_close(); NULL on failure (EACCES, ...).
 */
PMC_API pmc_session_t *pmc_session_open(void);
PMC_API void pmc_session_close(pmc_session_t *session);

/**
 * pmc_session_command - send commands of the session protocol, one a line
 * @fmt: as for printf
 *
 * Commands choose what to count: "period 10ms", "follow children", "enable
 * exec", "attach 1234", "syswide", "stop", ... The call stops at the first line
 * that is refused; the error line is then the kernel module's. The first command
 * that attaches sets up the buffer for samples.
 */
PMC_API int pmc_session_command(pmc_session_t *session, const char *fmt, ...)
	PMC_PRINTF(2, 3);

/**
 * pmc_session_configure - send a configuration's event sets and virtual counters
 *
 * They are added to those that the session has ("clear" removes them). They are
 * sent one by one: if one is refused, the session keeps those before it. @config
 * may be freed after the call.
 *
 * The counters of the event sets are reserved when the session begins to count, by
 * pmc_session_start() or a command, and released by "stop" or pmc_session_close().
 */
PMC_API int pmc_session_configure(pmc_session_t *session, const pmc_config_t *config);

/**
 * pmc_session_start - count the calling thread from now on
 * pmc_session_stop - stop counting the calling thread and take a sample of it
 *
 * Several threads may call these on one session, each for itself.
 */
PMC_API int pmc_session_start(pmc_session_t *session);
PMC_API int pmc_session_stop(pmc_session_t *session);

/**
 * pmc_session_fd - the session's file descriptor, for poll(): POLLIN, POLLHUP
 *
 * Before poll(), call pmc_session_next() until it returns 0: poll() does not know of samples that
 * the library has read already. pmc_session_wait() does.
 */
PMC_API int pmc_session_fd(const pmc_session_t *session);

/**
 * pmc_session_slots - the counter each event of a set was placed on
 * @slots: out: the N of pmcN, PMC_MAX_COUNTS entries at most; counters that CPUs
 *	share have numbers after those of the software counters
 *
 * Return: number of events, 0 if there is no such set.
 */
PMC_API int pmc_session_slots(pmc_session_t *session, int core_type, int set,
			      unsigned char *slots);

#ifdef __cplusplus
}
#endif

#endif
