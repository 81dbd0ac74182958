// SPDX-License-Identifier: GPL-2.0
/* The shared library, loaded, used and unloaded by a program that has threads. */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib.h"
#include "papi.h"

static sem_t registered, unloaded;
static int (*register_thread)(void);

static void *thread(void *unused)
{
	intptr_t rc = register_thread();

	sem_post(&registered);
	sem_wait(&unloaded);
	return (void *)rc;
}

static void *function(void *library, const char *name)
{
	void *f = dlsym(library, name);

	if (!f)
		_exit(3);
	return f;
}

/* The library, which is initialized; the process ends otherwise. */
static void *load(void)
{
	int (*init)(int version);
	void *library;

	if (!dlopen(LIBPMCTRACK, RTLD_NOW | RTLD_GLOBAL))
		_exit(1);
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		_exit(2);
	init = function(library, "PAPI_library_init");
	register_thread = function(library, "PAPI_register_thread");
	if (init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT)
		_exit(4);
	return library;
}

/* 0: the thread has ended, and so has its part of the library. */
static int unload_before_thread_ends(void)
{
	void *library = load(), *rc;
	pthread_t id;

	if (pthread_create(&id, NULL, thread, NULL))
		return 6;
	sem_wait(&registered);
	((void (*)(void))function(library, "PAPI_shutdown"))();
	dlclose(library);
	sem_post(&unloaded);
	return pthread_join(id, &rc) || rc ? 5 : 0;
}

/* 0: calls with numbers that no EventSet has fail, in a thread that has started none. */
static int use_no_eventset(void)
{
	static const int numbers[] = { PAPI_NULL, 99, INT_MAX, INT_MIN };
	void *library = load();
	int (*read)(int set, long long *values) = function(library, "PAPI_read");
	int (*accum)(int set, long long *values) = function(library, "PAPI_accum");
	int (*reset)(int set) = function(library, "PAPI_reset");
	long long values[4];
	size_t i;

	if (register_thread() != PAPI_OK)
		return 7;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (read(numbers[i], values) != PAPI_ENOEVST ||
		    accum(numbers[i], values) != PAPI_ENOEVST || reset(numbers[i]) != PAPI_ENOEVST)
			return 8;
	return 0;
}

/* Each use has a process, and a library that was just loaded. */
static void check_in_child(int (*use)(void))
{
	pid_t pid;
	int status;

	be_machine("skylake");
	pid = fork();
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		_exit(use());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_unloaded(void **state)
{
	check_in_child(unload_before_thread_ends);
}

static void test_no_eventset(void **state)
{
	check_in_child(use_no_eventset);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unloaded),
		cmocka_unit_test(test_no_eventset),
	};

	sem_init(&registered, 0, 0);
	sem_init(&unloaded, 0, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
