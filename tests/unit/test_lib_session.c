// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions without the kernel module. A file in memory replaces it: the file can be mapped
 * and takes commands, but no ioctl(). The test is built a second time for the thread
 * sanitizer.
 */
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forks.h"
#include "lib.h"
#include "perf_session.h"
#include "session.h"
#include "session_config.h"

#define FILE_NAME	"pmctrack-session"
#define ROUNDS		300

static pmc_session_t *session;
static pthread_barrier_t barrier;

/* For the build that contains only the library's sessions */
__attribute__((weak)) pmc_session_t *perf_session_open(void)
{
	return NULL;
}

static int new_file(void)
{
	struct pmc_ring_info info = { .nr_slots = 4, .slot_size = 128, .data_offset = 4096 };
	int fd = memfd_create(FILE_NAME, MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, PMC_MMAP_CONSUMER + 4096), 0);
	assert_int_equal(pwrite(fd, &info, sizeof(info), 0), sizeof(info));
	return fd;
}

static pmc_session_t *new_session(int fd)
{
	pmc_session_t *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->ops = &kernel_session_ops;
	s->fd = fd;
	s->owner = forks_process();
	return s;
}

static int nr_mappings(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[512];
	int n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		n += !!strstr(line, FILE_NAME);
	fclose(f);
	return n;
}

static void *start(void *arg)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&barrier);
		/* The start fails, but the ring is mapped before. */
		pmc_session_start(session);
		pthread_barrier_wait(&barrier);
		/* Here main() makes the next one. */
		pthread_barrier_wait(&barrier);
	}
	return arg;
}

/* Threads that share a session start at the same time: one of them maps the ring, once. */
static void test_shared_start(void **state)
{
	pthread_t threads[2];
	int i, fd = new_file();

	pthread_barrier_init(&barrier, NULL, 3);
	session = new_session(fd);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, start, NULL), 0);
	for (i = 0; i < ROUNDS; i++) {
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		ring_unmap(&session->ring);
		free(session);
		session = new_session(fd);
		pthread_barrier_wait(&barrier);
	}
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	free(session);
	close(fd);
	assert_int_equal(nr_mappings(), 0);
}

/* Check the commands that were written to the session's file. */
static void check_commands(int fd, const char *text)
{
	char commands[64];
	ssize_t n = pread(fd, commands, sizeof(commands) - 1, 0);

	assert_true(n >= 0);
	commands[n] = '\0';
	assert_string_equal(commands, text);
}

/* Counting ends when the owner closes the session, even if others have the file open. */
static void test_close(void **state)
{
	int fd = memfd_create(FILE_NAME, MFD_CLOEXEC), status;
	pid_t child;

	assert_true(fd >= 0);
	session = new_session(dup(fd));
	child = fork();
	if (!child) {
		/* The child must not end counting. */
		pmc_session_close(session);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	check_commands(fd, "");
	errno = 77;
	pmc_session_close(session);
	assert_int_equal(errno, 77);
	check_commands(fd, "stop\nclear\n");
	close(fd);
}

/* The process number in a child, which is not one of @others. */
static void generation(unsigned long *others, int nr)
{
	unsigned long process = forks_process();
	int i, status;
	pid_t child;

	assert_int_not_equal(process, 0);
	for (i = 0; i < nr; i++)
		assert_int_not_equal(process, others[i]);
	others[nr] = process;
	if (nr == 3)
		return;
	/* clone() itself calls no handlers of pthread_atfork(). */
	child = nr % 2 ? fork() : syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!child) {
		generation(others, nr + 1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(forks_process(), process);
}

/* A process has one number as long as it lives, and no ancestor has the same. */
static void test_process(void **state)
{
	unsigned long others[4];

	generation(others, 0);
}

static char *make_file(const char *dir, const char *name, const char *text)
{
	char *path;
	FILE *f;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

/* Open a session of a module whose /proc/pmc/info is @info. */
static pmc_session_t *open_with_info(const char *info)
{
	char dir[] = "/tmp/pmctrack-XXXXXX", *files[2];
	pmc_session_t *opened;
	int i;

	assert_non_null(mkdtemp(dir));
	files[0] = make_file(dir, "monitor", "");
	files[1] = make_file(dir, "info", info);
	setenv("PMCTRACK_PROC", dir, 1);
	opened = pmc_session_open();
	unsetenv("PMCTRACK_PROC");
	for (i = 0; i < 2; i++) {
		unlink(files[i]);
		free(files[i]);
	}
	rmdir(dir);
	return opened;
}

/* A session is opened only if the module has the library's version of the interface. */
static void test_version(void **state)
{
	char info[64], own[32];
	pmc_session_t *opened;

	snprintf(own, sizeof(own), "this library version %u:", PMC_UAPI_VERSION);
	snprintf(info, sizeof(info), "pmctrack 9.8 uapi %u\nbackend amd\n", PMC_UAPI_VERSION);
	opened = open_with_info(info);
	assert_non_null(opened);
	pmc_session_close(opened);
	snprintf(info, sizeof(info), "pmctrack 9.8 uapi %u\nbackend amd\n", PMC_UAPI_VERSION + 1);
	assert_null(open_with_info(info));
	assert_int_equal(errno, EPROTO);
	snprintf(info, sizeof(info), "(pmctrack 9.8) has interface version %u,", PMC_UAPI_VERSION + 1);
	check_error(info);
	check_error(own);
	check_error("modprobe -r pmctrack && modprobe pmctrack");
	assert_null(open_with_info("backend amd\n"));
	assert_int_equal(errno, EPROTO);
	check_error("version 0");
	assert_null(open_with_info(""));
	check_error(own);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared_start),
		cmocka_unit_test(test_close),
		cmocka_unit_test(test_version),
		cmocka_unit_test(test_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
