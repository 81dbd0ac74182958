/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sessions that count a thread. A thread has one for each configuration, and all
 * calipers with that configuration share it. So the kernel has as many sessions to switch
 * as there are different event sets, however many calipers a program opens.
 */
#ifndef LIBPMC_THREAD_SESSION_H
#define LIBPMC_THREAD_SESSION_H

#include "../../kmod/uapi/pmctrack.h"
#include "pmctrack.h"

/**
 * struct thread_session - a session that counts the thread that opened it
 * @next: next in the list of all
 * @refs: number of users
 * @process: process of the thread, from forks_process()
 * @tid: the thread
 * @config: text of the configuration
 * @session: the session
 * @page: the kernel's page about the thread; NULL: it is not mapped
 */
struct thread_session {
	struct thread_session *next;
	int refs;
	unsigned long process;
	pid_t tid;
	char *config;
	pmc_session_t *session;
	const struct pmc_caliper_page *page;
};

/*
 * The session that counts the calling thread by @config: an existing one, or a new one that
 * is started. @before: filled with the thread's counts up to now; nr_counts is 0 if the
 * session is new. @direct: user space can read counters, so wait until the kernel lets it.
 * NULL: error.
 */
struct thread_session *thread_session_get(const pmc_config_t *config, int direct,
					  struct pmc_read *before);

/* The last user closes the session. */
void thread_session_put(struct thread_session *ts);

#endif
