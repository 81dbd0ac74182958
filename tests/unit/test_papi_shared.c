// SPDX-License-Identifier: GPL-2.0
/* The shared library, loaded and unloaded by a program that has threads. */
#include <dlfcn.h>
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

/* 0: the thread has ended, and so has its part of the library. */
static int unload_before_thread_ends(void)
{
	int (*init)(int version);
	pthread_t id;
	void *library, *rc;

	if (!dlopen(LIBPMCTRACK, RTLD_NOW | RTLD_GLOBAL))
		return 1;
	library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return 2;
	init = function(library, "PAPI_library_init");
	register_thread = function(library, "PAPI_register_thread");
	if (init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT || pthread_create(&id, NULL, thread, NULL))
		return 4;
	sem_wait(&registered);
	((void (*)(void))function(library, "PAPI_shutdown"))();
	dlclose(library);
	sem_post(&unloaded);
	return pthread_join(id, &rc) || rc ? 5 : 0;
}

static void test_unloaded(void **state)
{
	pid_t pid;
	int status;

	be_machine("skylake");
	pid = fork();
	if (!pid) {
		signal(SIGSEGV, SIG_DFL);
		_exit(unload_before_thread_ends());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unloaded),
	};

	sem_init(&registered, 0, 0);
	sem_init(&unloaded, 0, 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
