/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of the library from PAPI_library_init() to PAPI_shutdown() (library_state.c) */
#ifndef PAPI_LIBRARY_H
#define PAPI_LIBRARY_H

#include <pmctrack.h>

/*
 * The machine; NULL if the library is not initialised. It does not change until
 * PAPI_shutdown().
 */
const pmc_machine_t *papi_machine(void);

/*
 * Protects the tables of EventSets, native events and threads while they change. Readers
 * of a table entry need no lock: an entry is complete before it is reachable.
 */
void papi_lock(void);
void papi_unlock(void);

/* In a child process of fork(), which has its parent's lock */
void papi_lock_anew(void);

/*
 * A child of fork() in another thread that finds what is stored after this finds what was stored
 * before it, too.
 */
static inline void forks_see_this(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* A child of fork() closes the sessions it finds, so *@session is nobody's before it is closed. */
static inline void close_session_once(pmc_session_t **session)
{
	pmc_session_t *mine = *session;

	*session = NULL;
	forks_see_this();
	pmc_session_close(mine);
}

/* The library begins or, with NULL, ends. Return: the machine until then. */
pmc_machine_t *papi_set_machine(pmc_machine_t *machine);

/*
 * Add PAPI_LOW_LEVEL_INITED, PAPI_HIGH_LEVEL_INITED or PAPI_THREAD_LEVEL_INITED to what
 * PAPI_is_initialized() returns.
 */
void papi_set_level(int add);

#endif
