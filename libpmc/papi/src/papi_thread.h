/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that use the library. */
#ifndef PAPI_THREAD_H
#define PAPI_THREAD_H

#include "event.h"
#include "papi.h"

struct eventset;

/**
 * struct papi_thread - a thread that has started an EventSet or was registered
 * @next: next in the list of all
 * @id: what the program's function of PAPI_thread_init() returned, or the kernel's number
 * @running: the EventSet that counts for the thread, of each component; NULL: none
 * @specific: the program's pointers, see PAPI_set_thr_specific()
 */
struct papi_thread {
	struct papi_thread *next;
	unsigned long id;
	struct eventset *running[NR_COMPONENTS];
	void *specific[PAPI_NUM_TLS];
};

/*
 * The calling thread, which is added to the list the first time; NULL without memory. The
 * object ends with the thread, or by PAPI_unregister_thread() or PAPI_shutdown().
 */
struct papi_thread *thread_self(void);

/*
 * The calling thread; NULL if it is not in the list. Initial-exec, because PAPI_read() calls
 * this: two instructions.
 */
extern __thread struct papi_thread *papi_this_thread
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* No thread counts any more: signals of overflows find no EventSet. */
void threads_stop(void);
void threads_exit(void);

#endif
