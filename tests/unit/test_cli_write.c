// SPDX-License-Identifier: GPL-2.0
/*
 * Output to a pipe whose reader has stopped: a signal ends the command, whenever it comes. Output
 * that cannot be written: the message has the reason.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "interrupted.h"
#include "lib.h"
#include "refused.h"
#include "write_interruptible.h"

/* A test that takes longer than this would never end. */
#define TOO_LATE_S 60

/* More than a pipe has room for */
#define LEN (1 << 20)

static char text[LEN];
static int ends[2];

static int setup(void **state)
{
	int i;

	for (i = 0; i < LEN; i++)
		text[i] = 'a' + i % 23;
	interrupted = 0;
	catch_interrupts();
	alarm(TOO_LATE_S);
	return pipe(ends);
}

static int teardown(void **state)
{
	close(ends[0]);
	close(ends[1]);
	return 0;
}

/*
 * In a child: read @len bytes, and check them; then send @signal, if it is not 0. The writer has
 * time to fill the pipe before.
 */
static pid_t start_reader(size_t len, int signal)
{
	pid_t pid = fork();
	size_t at = 0;
	char buf[1000];
	ssize_t n;

	if (pid)
		return pid;
	close(ends[1]);
	while (at < len) {
		n = read(ends[0], buf, len - at < sizeof(buf) ? len - at : sizeof(buf));
		if (n <= 0 || memcmp(buf, text + at, n))
			_exit(1);
		at += n;
	}
	if (signal) {
		usleep(100000);
		kill(getppid(), signal);
	}
	_exit(0);
}

static void check_reader(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_whole(void **state)
{
	pid_t reader = start_reader(LEN, 0);

	assert_int_equal(write_interruptible(ends[1], text, LEN), 0);
	check_reader(reader);
	assert_int_equal(interrupted, 0);
}

/* How many bytes are in the pipe, whose end for writing is closed? */
static size_t rest(void)
{
	char buf[4096];
	size_t all = 0;
	ssize_t n;

	close(ends[1]);
	while ((n = read(ends[0], buf, sizeof(buf))) > 0)
		all += n;
	return all;
}

static pid_t start_killer(void)
{
	pid_t parent = getpid(), pid = fork();

	if (pid)
		return pid;
	usleep(100000);
	kill(parent, SIGTERM);
	_exit(0);
}

/* The signal comes while the pipe is full. */
static void test_full(void **state)
{
	pid_t killer = start_killer();

	assert_int_equal(write_interruptible(ends[1], text, LEN), 0);
	assert_int_equal(interrupted, SIGTERM);
	check_reader(killer);
	assert_in_range(rest(), 1, LEN - 1);
}

/* The signal has come before the wait for a full pipe. */
static void test_before(void **state)
{
	int size = fcntl(ends[1], F_SETPIPE_SZ, 4096);

	assert_in_range(size, 4096, LEN);
	assert_int_equal(write(ends[1], text, size), size);
	raise(SIGINT);
	assert_int_equal(write_interruptible(ends[1], text, LEN), 0);
	assert_int_equal(rest(), size);
}

/* The signal has come before, and there is room. */
static void test_room(void **state)
{
	raise(SIGINT);
	assert_int_equal(write_interruptible(ends[1], text, PIPE_BUF + 1), 0);
	assert_int_equal(rest(), PIPE_BUF + 1);
}

/* Some bytes find room, and then the reader stops. */
static void test_reader_stops(void **state)
{
	pid_t reader = start_reader(LEN / 4, SIGTERM);

	assert_int_equal(write_interruptible(ends[1], text, LEN), 0);
	assert_int_equal(interrupted, SIGTERM);
	check_reader(reader);
}

static void test_no_reader(void **state)
{
	signal(SIGPIPE, SIG_IGN);
	close(ends[0]);
	assert_int_equal(write_interruptible(ends[1], text, LEN), -1);
	assert_int_equal(errno, EPIPE);
	signal(SIGPIPE, SIG_DFL);
}

/* Another program that has the pipe may have made it non-blocking. */
static void test_nonblocking(void **state)
{
	pid_t reader;

	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	reader = start_reader(LEN, 0);
	assert_int_equal(write_interruptible(ends[1], text, LEN), 0);
	check_reader(reader);
}

/* The write that fails is before the last one, so that its errno is lost. */
static void write_early(void *file)
{
	FILE *f = file;
	size_t len = fwrite(text, 1, LEN, f);

	if (len == LEN || fflush(f))
		bad("%zu bytes written, and some are left", len);
	errno = 0;
	written(f, "it");
}

static void test_reason(void **state)
{
	FILE *full = fopen("/dev/full", "w"), *pipe = fdopen(dup(ends[1]), "w");

	check_refused(write_early, full, "cannot write it: No space left on device\n");
	signal(SIGPIPE, SIG_IGN);
	close(ends[0]);
	check_refused(write_early, pipe, "cannot write it: Broken pipe\n");
	signal(SIGPIPE, SIG_DFL);
	fclose(full);
	fclose(pipe);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_whole),
		TEST(test_full),
		TEST(test_before),
		TEST(test_room),
		TEST(test_reader_stops),
		TEST(test_no_reader),
		TEST(test_nonblocking),
		TEST(test_reason),
	};

	return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
