// SPDX-License-Identifier: LGPL-2.1-or-later
/* The sessions that count a thread, each shared by all calipers with its configuration. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "error.h"
#include "forks.h"
#include "session.h"
#include "session_config.h"
#include "thread_session.h"

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct thread_session *all;

static void lock(void)
{
	pthread_mutex_lock(&all_lock);
}

static void unlock(void)
{
	pthread_mutex_unlock(&all_lock);
}

/*
 * fork() waits until no thread holds the lock: nobody would release it in the child. Handlers of
 * programs and of libraries that use calipers come later, so their locks are taken before this
 * one, and they may close calipers in a child.
 */
__attribute__((constructor)) static void prepare_forks(void)
{
	pthread_atfork(lock, unlock, unlock);
}

static char *print_config(const pmc_config_t *config)
{
	const char *raw, *virtuals = config_virtual_names(config);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int i;

	if (!f)
		return NULL;
	for (i = 0; (raw = pmc_config_raw(config, i)); i++)
		fprintf(f, "%s\n", raw);
	fprintf(f, "%s", virtuals ? virtuals : "");
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

static int read_all(const struct thread_session *ts, struct pmc_read *counts)
{
	counts->core_type = PMC_ALL_CORE_TYPES;
	counts->set = 0;
	return ioctl(pmc_session_fd(ts->session), PMC_IOC_READ, counts);
}

/*
 * The list may have sessions of another process or thread, whose number is the calling
 * thread's now, and sessions whose counters were revoked. None of them counts the calling
 * thread, so a reading fails.
 */
static struct thread_session *find(const char *config, struct pmc_read *before)
{
	unsigned long process = forks_process();
	struct thread_session *ts;
	pid_t tid = gettid();

	for (ts = all; ts; ts = ts->next)
		if (ts->process == process && ts->tid == tid && !strcmp(ts->config, config) &&
		    !read_all(ts, before))
			return ts;
	return NULL;
}

/* A caliper reads no samples, so the smallest ring is enough. */
static pmc_session_t *open_session(const pmc_config_t *config)
{
	pmc_session_t *session = kernel_session_open();

	if (!session)
		return NULL;
	session->tried_ring = 1;
	if (!pmc_session_command(session, "ring 1") &&
	    !pmc_session_configure(session, config) && !pmc_session_start(session))
		return session;
	pmc_session_close(session);
	return NULL;
}

/*
 * The kernel enables direct reading in the background. The page says so after the thread
 * was switched in again or, if many sessions count it, was read by a call. Wait a moment
 * for that, so that all readings have the same cost.
 */
#define DIRECT_TRIES	20
#define DIRECT_WAIT_NS	250000

static void await_direct(const struct thread_session *ts)
{
	const struct timespec wait = { .tv_nsec = DIRECT_WAIT_NS };
	const volatile __u8 *direct = &ts->page->direct;
	struct pmc_read unused;
	int i;

	for (i = 0; i < DIRECT_TRIES && !*direct; i++) {
		nanosleep(&wait, NULL);
		read_all(ts, &unused);
	}
}

/* Map the page; without it every reading is a system call. */
static void map_page(struct thread_session *ts, int direct)
{
	void *page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED,
			  pmc_session_fd(ts->session), PMC_MMAP_CALIPER);

	if (page == MAP_FAILED)
		return;
	ts->page = page;
	if (direct)
		await_direct(ts);
}

/* @text: becomes the session's. */
static struct thread_session *add(const pmc_config_t *config, char *text, int direct)
{
	struct thread_session *ts = calloc(1, sizeof(*ts));

	if (!ts) {
		pmc_fail_nomem();
		return NULL;
	}
	ts->session = open_session(config);
	if (!ts->session) {
		free(ts);
		return NULL;
	}
	ts->refs = 1;
	ts->process = forks_process();
	ts->tid = gettid();
	ts->config = text;
	map_page(ts, direct);
	lock();
	ts->next = all;
	all = ts;
	unlock();
	return ts;
}

struct thread_session *thread_session_get(const pmc_config_t *config, int direct,
					  struct pmc_read *before)
{
	char *text = print_config(config);
	struct thread_session *ts;

	if (!text) {
		pmc_fail_nomem();
		return NULL;
	}
	lock();
	ts = find(text, before);
	if (ts)
		ts->refs++;
	unlock();
	if (ts) {
		free(text);
		return ts;
	}
	memset(before, 0, sizeof(*before));
	/* No other thread adds a session of the calling thread meanwhile. */
	ts = add(config, text, direct);
	if (!ts)
		free(text);
	return ts;
}

static int release(struct thread_session *ts)
{
	struct thread_session **link = &all;
	int refs;

	lock();
	refs = --ts->refs;
	while (*link != ts)
		link = &(*link)->next;
	if (!refs)
		*link = ts->next;
	unlock();
	return refs;
}

void thread_session_put(struct thread_session *ts)
{
	if (!ts || release(ts))
		return;
	/* A child does not have the page; something else may be mapped at its address. */
	if (ts->page && ts->process == forks_process())
		munmap((void *)ts->page, sysconf(_SC_PAGESIZE));
	pmc_session_close(ts->session);
	free(ts->config);
	free(ts);
}
