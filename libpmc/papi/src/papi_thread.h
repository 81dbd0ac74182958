/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that use the library. */
#ifndef PAPI_THREAD_H
#define PAPI_THREAD_H

#include <limits.h>

#include <pmctrack.h>

#include "event_core_types.h"
#include "papi.h"

struct eventset;

/* Programs may ask for any int, PAPI_NULL too: this is none of them. */
#define NO_QUICK_ID	LLONG_MIN

/**
 * struct papi_thread - a thread that has started an EventSet or was registered
 * @next: next in the list of all
 * @id: what the program's function of PAPI_thread_init() returned, or the kernel's number
 * @running: the EventSet that counts for the thread, of each component; NULL: none
 * @quick: the caliper that reads all values of the EventSet that counts for the thread; NULL: none
 * @quick_set, @quick_id: this EventSet and its number; NO_QUICK_ID: none
 * @specific: the program's pointers, see PAPI_set_thr_specific()
 */
struct papi_thread {
	struct papi_thread *next;
	unsigned long id;
	struct eventset *running[NR_COMPONENTS];
	pmc_caliper_t *quick;
	struct eventset *quick_set;
	long long quick_id;
	void *specific[PAPI_NUM_TLS];
};

/* The first call. @leave is called when a thread ends: its EventSets stop counting. */
void threads_init(void (*leave)(struct papi_thread *thread));

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

/* No EventSet counts for the thread any more. */
void thread_clear_running(struct papi_thread *thread);

/* In a child process: its parent's other threads are not in it, and its own is not counted. */
void threads_in_child(void);

/* No thread counts any more: signals of overflows find no EventSet. */
void threads_stop(void);
void threads_exit(void);

#endif
