/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Listeners: the samples of sessions that other processes have opened
 *
 * A listener receives, from the kernel module by netlink, the beginning of each session, its
 * samples and its end. Any number of listeners receive the same. A session's own reader loses
 * nothing by them.
 *
 * A process may listen to the sessions that its user has opened without CAP_PERFMON, in the
 * same user and pid namespaces; with CAP_PERFMON to all sessions.
 */
#ifndef LIBPMCTRACK_LISTENERS_H
#define LIBPMCTRACK_LISTENERS_H

#include <stdint.h>
#include <sys/types.h>

#include <pmctrack/samples.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pmc_listener pmc_listener_t;

enum pmc_listener_event_type {
	PMC_SESSION_BEGINS,	/* or has another description or period */
	PMC_SESSION_SAMPLE,
	PMC_SESSION_ENDS,
};

/**
 * struct pmc_listener_event - what a listener receives
 * @type: what it is
 * @session: number of the session, from 1
 * @lost: samples of any session that this listener has lost just before, because it did not
 *	keep up
 * @uid: user who opened the session; this and the next five: of PMC_SESSION_BEGINS
 * @pid: process that opened it, in the session's pid namespace, as in the samples
 * @command: name of that process. It has any bytes: quote them
 * @period: sampling period in ns, 0: none
 * @description: names of the counts, for pmc_description_names(). It has any bytes, too
 * @reading: the sample, of PMC_SESSION_SAMPLE; later versions of the library may add members to
 *	it. Threads of another pid namespace have names only if the session has the command "names"
 */
struct pmc_listener_event {
	enum pmc_listener_event_type type;
	unsigned int session;
	uint64_t lost;
	uid_t uid;
	pid_t pid;
	const char *command;
	uint64_t period;
	const char *description;
	struct pmc_reading reading;
};

/**
 * pmc_listener_open - a listener, which receives nothing yet
 *
 * Return: an object for pmc_listener_close(); NULL on failure. ENODEV: the kernel module
 * is not loaded, or has no listeners.
 */
PMC_API pmc_listener_t *pmc_listener_open(void);
PMC_API void pmc_listener_close(pmc_listener_t *listener);

/**
 * pmc_listener_list - the sessions that count now and that the caller may listen to
 * @fn: called with @arg and a PMC_SESSION_BEGINS for each; its strings are valid only
 *	during the call
 *
 * Call it before pmc_listener_start(). Return: 0; -1 on failure.
 */
PMC_API int pmc_listener_list(pmc_listener_t *listener,
			      void (*fn)(void *arg, const struct pmc_listener_event *event),
			      void *arg);

/**
 * pmc_listener_start - receive sessions from now on
 * @session: number of the session; 0: all that the caller may listen to, now and later
 *
 * Sessions that count already begin at once, with the samples that their rings still have.
 *
 * Return: 0; -1 on failure. ENOENT: there is no such session, or none that the caller may
 * listen to. EUSERS: the user has 16 listeners.
 */
PMC_API int pmc_listener_start(pmc_listener_t *listener, unsigned int session);

/** pmc_listener_fd - a descriptor for poll(): readable if there may be an event */
PMC_API int pmc_listener_fd(const pmc_listener_t *listener);

/**
 * pmc_listener_next - take the next event
 * @event: out: its strings are valid until the next call
 *
 * This call never waits. Return: 1; 0 if there is none now; -1 on failure.
 */
PMC_API int pmc_listener_next(pmc_listener_t *listener, struct pmc_listener_event *event);

/** pmc_listener_next_sized - the same, for a struct pmc_listener_event of @size bytes */
PMC_API int pmc_listener_next_sized(pmc_listener_t *listener, struct pmc_listener_event *event,
				    size_t size);

#define pmc_listener_next(listener, event) \
	pmc_listener_next_sized(listener, event, sizeof(*(event)))

/**
 * pmc_description_names - the names of a session's counts
 * @description: of a struct pmc_listener_event
 * @core_type: core type of a sample; -1: the virtual counters, of all samples
 * @set: event set of the sample
 * @len: out: bytes of the names
 *
 * Return: names in the order of the counts, separated by commas, inside @description; NULL
 * if they are not known. A comma between slashes is part of a name, as in
 * cpu/event=0x1,umask=0x2/.
 */
PMC_API const char *pmc_description_names(const char *description, int core_type, int set,
					  size_t *len);

#ifdef __cplusplus
}
#endif

#endif
