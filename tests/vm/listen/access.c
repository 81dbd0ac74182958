// SPDX-License-Identifier: GPL-2.0
/*
 * A listener sees the sessions of its own user and no others, as who opened the socket and
 * who asks both must have the right. Requests of any content harm nothing.
 */
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "genl.h"
#include "vm.h"

#define USER	1000
#define OTHER	1001
#define EVENTS	"ring 256\nevents sw=minor_faults"
#define SOON	300
#define LATE	10000

static struct message m;

static void make_samples(int fd, int nr)
{
	while (nr--) {
		start(fd);
		touch_pages(1);
		stop(fd);
	}
}

/* In a process of user @uid; what it checks is reported. */
static void as_user(uid_t uid, void (*function)(void))
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (uid)
			change_user(uid);
		function();
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the process of user %d", (int)uid);
}

/* Nothing comes, and the list is empty. */
static void sees_nothing(int listener, const char *who)
{
	CHECK(!genl_next(listener, &m, SOON), "%s receives message %d", who, m.command);
	genl_ask_sessions(listener);
	CHECK(genl_next(listener, &m, LATE) && !m.command, "%s has sessions in the list", who);
}

static int session;
static uint32_t session_id;

/* Another session counts meanwhile. */
static void sees_no_session(int listener)
{
	int id;

	same(genl_listen(listener, 0), 0, "LISTEN");
	sees_nothing(listener, "a user");
	for (id = session_id - 2; id < (int)session_id + 16; id++)
		if (id > 0)
			same(genl_listen(listener, id), -ENOENT, "LISTEN to session %d", id);
	sees_nothing(listener, "a user who asks for a number");
	close(listener);
}

static void listen_to_another(void)
{
	sees_no_session(genl_open());
}

static void listen_to_own(void)
{
	int listener = genl_open(), fd = open_session();

	same(genl_listen(listener, 0), 0, "LISTEN");
	command(fd, EVENTS);
	make_samples(fd, 3);
	CHECK(genl_next(listener, &m, LATE) && m.command == PMC_NL_BEGIN, "the own session");
	same(m.uid, USER, "its user");
	same(m.pid, getpid(), "its process");
	CHECK(genl_next(listener, &m, LATE) && m.command == PMC_NL_RECORDS, "its records");
	close(listener);
	close(fd);
}

/* Sixteen for a user, not for a process. */
static void limit(void)
{
	int all[16], i, one = genl_open();

	for (i = 0; i < 16; i++) {
		all[i] = genl_open();
		same(genl_listen(all[i], 0), 0, "LISTEN of listener %d", i);
		same(genl_listen(all[i], 0), 0, "LISTEN again of listener %d", i);
	}
	same(genl_listen(one, 0), -EUSERS, "LISTEN of the 17th");
	close(all[3]);
	same(genl_listen(one, 0), 0, "LISTEN when another has gone");
	for (i = 0; i < 16; i++)
		if (i != 3)
			close(all[i]);
	close(one);
}

static int listener_of(uid_t uid, int expected, const char *what)
{
	int listener;

	if (seteuid(uid))
		die("seteuid: %s", strerror(errno));
	listener = genl_open();
	same(genl_listen(listener, 0), expected, "%s", what);
	if (seteuid(0))
		die("seteuid back: %s", strerror(errno));
	return listener;
}

/* Users together, as one has them in a user namespace, have 1024; root has one nevertheless. */
static void limit_of_all(void)
{
	int i;

	if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 2048, 2048 }))
		die("setrlimit: %s", strerror(errno));
	for (i = 0; i < 1024; i++)
		listener_of(2000 + i / 16, 0, "LISTEN of one of many users");
	listener_of(2064, -EUSERS, "LISTEN of one more user");
	listener_of(0, 0, "LISTEN of root");
}

static int socket_of(uid_t uid)
{
	int listener;

	if (setegid(uid) || seteuid(uid))
		die("seteuid: %s", strerror(errno));
	listener = genl_open();
	if (seteuid(0) || setegid(0))
		die("seteuid back: %s", strerror(errno));
	return listener;
}

static void ask_by_lent_socket(void)
{
	int listener = socket_of(OTHER);

	same(genl_listen(listener, 0), 0, "LISTEN");
	sees_nothing(listener, "a socket that a user has opened");
	close(listener);
}

/* Root asks by a socket that a user has opened, as a program that prints to it may. */
static void lent_socket(void)
{
	ask_by_lent_socket();
	genl_use_address();
	ask_by_lent_socket();
}

/* ---- a list that one process asks for, and another reads from the socket ---- */

/* Shared by processes: the step that has been taken last */
static volatile int *taken;

static void take(int step)
{
	*taken = step;
}

static void await(int step)
{
	int ms;

	for (ms = 0; *taken < step; ms++) {
		if (ms > LATE)
			die("step %d is not taken", step);
		usleep(1000);
	}
}

/* The session stays open as long as the process. */
static void count_own(void)
{
	int fd = open_session();

	command(fd, EVENTS);
	make_samples(fd, 3);
}

/* In a pid namespace of its own; its session is the first one that the list may have. */
static void ask_for_list(int listener)
{
	change_user(USER);
	genl_use_address();
	count_own();
	take(1);
	await(3);
	genl_ask_sessions(listener);
	take(4);
	await(5);
	CHECK(genl_next(listener, &m, LATE) && !m.command,
	      "the list goes on with session %u of user %u", m.session, m.uid);
}

static void count_outside(int listener)
{
	close(listener);
	await(1);
	change_user(USER);
	count_own();
	take(2);
	await(6);
}

static pid_t in_process(void (*function)(int listener), int listener)
{
	pid_t pid = fork();

	if (!pid) {
		function(listener);
		_exit(result());
	}
	return pid;
}

/* A process of root continues the list by reading from the socket: it stays the user's list. */
static void list_read_by_root(void)
{
	int listener = socket_of(USER), status;
	pid_t outside, asks;

	taken = mmap(NULL, sizeof(*taken), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (taken == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	outside = in_process(count_outside, listener);
	if (unshare(CLONE_NEWPID))
		die("unshare: %s", strerror(errno));
	asks = in_process(ask_for_list, listener);
	await(2);
	count_own();
	take(3);
	await(4);
	CHECK(genl_next(listener, &m, LATE) && m.command == PMC_NL_BEGIN && m.uid == USER,
	      "root reads message %d about user %u", m.command, m.uid);
	take(5);
	waitpid(asks, &status, 0);
	same(status, 0, "status of the process that asks for a list");
	take(6);
	waitpid(outside, &status, 0);
	same(status, 0, "status of the process in the first namespace");
	close(listener);
}

/* The same user in another pid namespace: pids would mean other processes. */
static void other_namespace(void)
{
	pid_t pid;
	int status;

	if (unshare(CLONE_NEWPID)) {
		fail("unshare: %s", strerror(errno));
		return;
	}
	pid = fork();
	if (!pid) {
		int listener;

		change_user(USER);
		listener = genl_open();
		same(genl_listen(listener, 0), 0, "LISTEN");
		sees_nothing(listener, "another pid namespace");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the process in a pid namespace");
}

/* Records of neither this session nor main()'s, some of which no listener was sent before */
static void next_records(int listener, uint32_t not_of)
{
	do {
		if (!genl_next(listener, &m, LATE))
			die("no records come");
	} while (m.command != PMC_NL_RECORDS || m.session == session_id || m.session == not_of);
}

/* Root is sent records of all pid namespaces, and which of them are of others. */
static void other_pids(void)
{
	int listener = genl_open(), status;
	uint32_t own;
	pid_t pid;

	same(genl_listen(listener, 0), 0, "LISTEN");
	count_own();
	next_records(listener, 0);
	own = m.session;
	same(m.other_pids, false, "the own session's pids are of another namespace");
	if (unshare(CLONE_NEWPID))
		die("unshare: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		count_own();
		_exit(result());
	}
	next_records(listener, own);
	same(m.other_pids, true, "a contained session's pids are of another namespace");
	waitpid(pid, &status, 0);
	same(status, 0, "status of the process in another pid namespace");
	close(listener);
}

/* The same user in a user namespace, which may not attach to processes outside it either. */
static void contained(void)
{
	if (unshare(CLONE_NEWUSER))
		die("unshare: %s", strerror(errno));
	listen_to_another();
}

/* Become user USER, who has a capability still. */
static void user_with(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2] = { };

	caps[CAP_TO_INDEX(capability)].permitted = CAP_TO_MASK(capability);
	caps[CAP_TO_INDEX(capability)].effective = CAP_TO_MASK(capability);
	if (prctl(PR_SET_KEEPCAPS, 1) || setresgid(USER, USER, USER) ||
	    setresuid(USER, USER, USER) || syscall(SYS_capset, &header, caps))
		fail("capability %d of a user: %s", capability, strerror(errno));
	prctl(PR_SET_DUMPABLE, 1);
}

/* The socket is of a user who had CAP_PERFMON, who asks has not. */
static void listen_without_it(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[2] = { };
	int listener;

	user_with(CAP_PERFMON);
	listener = genl_open();
	if (syscall(SYS_capset, &header, none))
		die("capabilities: %s", strerror(errno));
	sees_no_session(listener);
}

static void ordinary(void)
{
	change_user(USER);
}

/* A process with a right that the user's other processes lack: they may not attach to it. */
static void with_perfmon(void)
{
	user_with(CAP_PERFMON);
}

static void with_raw_sockets(void)
{
	user_with(CAP_NET_RAW);
}

static void not_dumpable(void)
{
	change_user(USER);
	prctl(PR_SET_DUMPABLE, 0);
}

static void of_another_group(void)
{
	if (setresgid(OTHER, OTHER, OTHER))
		die("another group: %s", strerror(errno));
	if (setresuid(USER, USER, USER))
		die("user: %s", strerror(errno));
	prctl(PR_SET_DUMPABLE, 1);
}

/* A set-user-id program of OTHER's that is USER for a while */
static void with_another_saved_user(void)
{
	if (setresgid(USER, USER, USER) || setresuid(USER, USER, OTHER))
		die("another saved user: %s", strerror(errno));
	prctl(PR_SET_DUMPABLE, 1);
}

static void user_counts(void (*become)(void))
{
	int ready[2], fd, status;
	pid_t pid;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		become();
		fd = open_session();
		command(fd, EVENTS);
		make_samples(fd, 3);
		same(write(ready[1], "", 1), 1, "a byte to the parent");
		pause();
	}
	close(ready[1]);
	same(read(ready[0], &(char){ 0 }, 1), 1, "a byte of the session's owner");
	as_user(0, other_namespace);
	as_user(OTHER, listen_to_another);
	as_user(USER, contained);
	if (become != ordinary)
		as_user(USER, listen_to_another);
	if (become == with_perfmon)
		as_user(0, listen_without_it);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	close(ready[0]);
}

static void random_requests(void)
{
	int fd = genl_open(), i, k, rounds = by_size(2000, 50000);
	unsigned char bytes[512];

	srand(getpid());
	for (i = 0; i < rounds; i++) {
		size_t len = rand() % sizeof(bytes);

		for (k = 0; k < (int)len; k++)
			bytes[k] = rand() % 4 ? rand() : rand() % 12;
		genl_send(fd, rand() % 8, rand() % 2 ? rand() & 0xfff : 0, bytes, len);
		while (genl_next(fd, &m, 0))
			;
		if (rand() % 64)
			continue;
		close(fd);
		fd = genl_open();
	}
	close(fd);
}

int main(void)
{
	int listener = genl_open();

	wait_until_idle();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid cannot be set");
	session = open_session();
	same(genl_listen(listener, 0), 0, "LISTEN");
	command(session, EVENTS);
	make_samples(session, 3);
	CHECK(genl_next(listener, &m, LATE) && m.command == PMC_NL_BEGIN, "root's own session");
	session_id = m.session;
	close(listener);

	as_user(USER, listen_to_another);
	as_user(USER, listen_to_own);
	as_user(USER, limit);
	as_user(0, limit_of_all);
	as_user(0, lent_socket);
	as_user(0, list_read_by_root);
	as_user(0, other_pids);
	user_counts(ordinary);
	user_counts(with_perfmon);
	user_counts(with_raw_sockets);
	user_counts(not_dumpable);
	user_counts(of_another_group);
	user_counts(with_another_saved_user);
	as_user(USER, random_requests);
	as_user(0, random_requests);
	close(session);
	write_file("/proc/sys/kernel/perf_event_paranoid", "3");
	wait_until_idle();
	return result();
}
