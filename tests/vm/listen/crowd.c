// SPDX-License-Identifier: GPL-2.0
/*
 * An ordinary user has as many listeners as one user may have, and 64 sessions that start and
 * stop all the time. One worker sends the records of all sessions in turn. The root user's
 * listener receives all records of the root user's session.
 */
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "genl.h"
#include "vm.h"

#define USER		1000
#define LISTENERS	16
#define PROCESSES	4
#define SESSIONS	16
/* The root user's records at a time: a quarter of the ring */
#define BURST		16
#define RING		"ring 64\nevents sw=minor_faults"
/* The user's, in each of the sessions */
#define USER_BURST	200
#define USER_RING	"ring 256\nevents sw=minor_faults"
#define LATE		10000

static struct message m;
static struct records records;

static void sample(int fd)
{
	start(fd);
	stop(fd);
}

/* Does not return. */
static void use_sessions(int ready)
{
	static char bytes[1 << 16];
	int fds[SESSIONS], i, nr;

	for (i = 0; i < SESSIONS; i++) {
		fds[i] = open_session();
		command(fds[i], USER_RING);
		sample(fds[i]);
	}
	if (write(ready, "", 1) != 1)
		die("the pipe to the user's first process");
	for (i = 0;; i++) {
		for (nr = 0; nr < USER_BURST; nr++)
			sample(fds[i % SESSIONS]);
		/* A ring that is full has no more records. */
		while (read(fds[i % SESSIONS], bytes, sizeof(bytes)) > 0)
			;
	}
}

/* Sockets that are full cost the sender less. Does not return. */
static void receive_all(const int *listeners)
{
	static char bytes[1 << 16];
	int i;

	for (i = 0;; i++)
		while (recv(listeners[i % LISTENERS], bytes, sizeof(bytes), MSG_DONTWAIT) > 0)
			;
}

/* The user's processes: of a group of their own, which ends by a signal. */
static pid_t start_crowd(void)
{
	pid_t pid;
	char byte;
	int listeners[LISTENERS], ready[2], i;

	if (pipe(ready))
		die("pipe");
	pid = fork();
	if (pid) {
		close(ready[1]);
		for (i = 0; i < PROCESSES; i++)
			if (read(ready[0], &byte, 1) != 1)
				die("the user's process %d did not start", i);
		close(ready[0]);
		return pid;
	}
	setpgid(0, 0);
	change_user(USER);
	for (i = 0; i < LISTENERS; i++) {
		listeners[i] = genl_open();
		if (genl_listen(listeners[i], 0))
			die("LISTEN of the user's listener %d", i);
	}
	if (!fork())
		receive_all(listeners);
	for (i = 1; i < PROCESSES && fork(); i++)
		;
	use_sessions(ready[1]);
	return 0;
}

static uint32_t id_of_own(int listener)
{
	do {
		if (!genl_next(listener, &m, LATE))
			die("the root user's session did not begin");
	} while (m.command != PMC_NL_BEGIN || m.pid != (uint32_t)getpid());
	return m.session;
}

/* Until so many records were received or lost, or to the session's end */
static void receive(int listener, long until, long *received, long *lost)
{
	size_t at;

	while (*received + *lost < until && genl_next(listener, &m, LATE) &&
	       m.command != PMC_NL_END) {
		*lost += m.lost;
		for (at = 0; at < m.len; (*received)++)
			at += record_size((struct pmc_record *)(m.records + at));
	}
}

int main(void)
{
	int listener, fd, i, burst, bursts = by_size(100, 1000), paranoid;
	long received = 0, lost = 0;
	pid_t crowd;

	wait_until_idle();
	paranoid = change_number("/proc/sys/kernel/perf_event_paranoid", 2);
	pin(0, 0);
	listener = genl_open();
	fd = open_session();
	setsockopt(listener, SOL_SOCKET, SO_RCVBUFFORCE, &(int){ 1 << 22 }, sizeof(int));
	same(genl_listen(listener, 0), 0, "LISTEN");
	command(fd, RING);
	sample(fd);
	same(genl_listen(listener, id_of_own(listener)), 0, "LISTEN to the own session");
	crowd = start_crowd();
	for (burst = 0; burst < bursts; burst++) {
		for (i = 0; i < BURST; i++)
			sample(fd);
		read_records(fd, &records);
		/* The worker must come round to this session, however late on a busy host. */
		receive(listener, records.nr, &received, &lost);
		usleep(5000);
	}
	kill(-crowd, SIGKILL);
	waitpid(crowd, NULL, 0);
	read_records(fd, &records);
	close(fd);
	receive(listener, LONG_MAX, &received, &lost);
	same(m.command, PMC_NL_END, "the last message");
	same(records.nr, BURST * bursts + 1, "records of the reader");
	same(lost, 0, "records that the listener has lost, of %d", records.nr);
	same(received, records.nr, "records that the listener has received");
	forget_records(&records);
	change_number("/proc/sys/kernel/perf_event_paranoid", paranoid);
	wait_until_idle();
	return result();
}
