// SPDX-License-Identifier: LGPL-2.1-or-later
/* Threads that use the library, and the program's pointers for each of them. */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "errors.h"
#include "library.h"
#include "papi_thread.h"

__thread struct papi_thread *papi_this_thread;

static struct papi_thread *all;
static unsigned long (*id_function)(void);
static void (*leave_eventsets)(struct papi_thread *thread);
static pthread_key_t at_exit;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The thread ends: its EventSets stop counting, and its entry leaves the list. */
static void forget(void *arg)
{
	struct papi_thread *thread = arg, **link;

	leave_eventsets(thread);
	papi_lock();
	for (link = &all; *link && *link != thread; link = &(*link)->next)
		;
	if (*link)
		*link = thread->next;
	papi_unlock();
	if (papi_this_thread == thread)
		papi_this_thread = NULL;
	free(thread);
}

static void make_key(void)
{
	pthread_key_create(&at_exit, forget);
}

void threads_init(void (*leave)(struct papi_thread *thread))
{
	leave_eventsets = leave;
}

static unsigned long own_id(void)
{
	return id_function ? id_function() : (unsigned long)gettid();
}

struct papi_thread *thread_self(void)
{
	struct papi_thread *thread = papi_this_thread;

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	pthread_once(&once, make_key);
	pthread_setspecific(at_exit, thread);
	thread->quick_id = NO_QUICK_ID;
	thread->id = own_id();
	papi_lock();
	thread->next = all;
	all = thread;
	papi_unlock();
	papi_this_thread = thread;
	return thread;
}

void thread_clear_running(struct papi_thread *thread)
{
	memset(thread->running, 0, sizeof(thread->running));
	thread->quick_id = NO_QUICK_ID;
}

void threads_in_child(void)
{
	struct papi_thread *thread = all, *next;

	for (; thread; thread = next) {
		next = thread->next;
		if (thread != papi_this_thread)
			free(thread);
	}
	all = papi_this_thread;
	if (!all)
		return;
	all->next = NULL;
	all->id = own_id();
	thread_clear_running(all);
}

void threads_stop(void)
{
	struct papi_thread *thread;

	papi_lock();
	for (thread = all; thread; thread = thread->next)
		thread_clear_running(thread);
	papi_unlock();
}

/* Other threads' entries end with the threads. */
void threads_exit(void)
{
	id_function = NULL;
	if (!papi_this_thread)
		return;
	pthread_setspecific(at_exit, NULL);
	forget(papi_this_thread);
}

int PAPI_thread_init(unsigned long (*id_fn)(void))
{
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!id_fn)
		return papi_fail(PAPI_EINVAL);
	/* As PAPI: the first function stays. */
	if (id_function)
		return PAPI_OK;
	id_function = id_fn;
	papi_set_level(PAPI_THREAD_LEVEL_INITED);
	if (!thread_self())
		return papi_fail(PAPI_ENOMEM);
	thread_self()->id = id_fn();
	return PAPI_OK;
}

unsigned long PAPI_thread_id(void)
{
	return id_function ? id_function() : (unsigned long)PAPI_EMISC;
}

int PAPI_register_thread(void)
{
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	return thread_self() ? PAPI_OK : papi_fail(PAPI_ENOMEM);
}

int PAPI_unregister_thread(void)
{
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!papi_this_thread)
		return papi_fail(PAPI_EMISC);
	pthread_setspecific(at_exit, NULL);
	forget(papi_this_thread);
	return PAPI_OK;
}

int PAPI_list_threads(unsigned long *tids, int *number)
{
	const struct papi_thread *thread;
	int room, n = 0;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!number || (tids && *number <= 0))
		return papi_fail(PAPI_EINVAL);
	room = tids ? *number : 0;
	papi_lock();
	for (thread = all; thread; thread = thread->next, n++)
		if (n < room)
			tids[n] = thread->id;
	papi_unlock();
	*number = tids && n > room ? room : n;
	return PAPI_OK;
}

static int number_of(int tag)
{
	tag &= ~PAPI_TLS_ALL_THREADS;
	return tag >= 0 && tag < PAPI_NUM_TLS ? tag : -1;
}

/*
 * The pointers of a tag in all threads. Without arrays the threads are only counted: @out->num is
 * the room of arrays.
 */
static int get_of_all(int tag, PAPI_all_thr_spec_t *out)
{
	const struct papi_thread *thread;
	int room = out->id || out->data ? out->num : INT_MAX, n = 0;

	papi_lock();
	for (thread = all; thread && n < room; thread = thread->next, n++) {
		if (out->id)
			out->id[n] = thread->id;
		if (out->data)
			out->data[n] = thread->specific[tag];
	}
	papi_unlock();
	out->num = n;
	return PAPI_OK;
}

int PAPI_get_thr_specific(int tag, void **ptr)
{
	int number = number_of(tag);

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (number < 0 || !ptr)
		return papi_fail(PAPI_EINVAL);
	if (tag & PAPI_TLS_ALL_THREADS)
		return get_of_all(number, (PAPI_all_thr_spec_t *)ptr);
	if (!thread_self())
		return papi_fail(PAPI_ENOMEM);
	*ptr = thread_self()->specific[number];
	return PAPI_OK;
}

int PAPI_set_thr_specific(int tag, void *ptr)
{
	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (tag < 0 || tag >= PAPI_NUM_TLS)
		return papi_fail(PAPI_EINVAL);
	if (!thread_self())
		return papi_fail(PAPI_ENOMEM);
	thread_self()->specific[tag] = ptr;
	return PAPI_OK;
}
