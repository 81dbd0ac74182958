// SPDX-License-Identifier: GPL-2.0
/*
 * A socket takes the port of a listener as soon as that one is closed. It receives nothing of what
 * the listener has asked for; and if it listens itself, it does so on.
 */
#include <errno.h>
#include <linux/netlink.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "genl.h"
#include "vm.h"

#define EVENTS	"ring 4096\nevents sw=minor_faults"
#define PORT	0x70000001
#define LATE	10000

static struct message m;

/* Return: 0, or -1 as long as another socket has the port. */
static int take_port(int fd)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_pid = PORT };

	if (!bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return 0;
	if (errno != EADDRINUSE)
		die("bind: %s", strerror(errno));
	return -1;
}

/**
 * struct taker - a socket that waits for the port
 * @fd: the socket
 * @listens: it is to become a listener
 * @waits: it has tried once
 */
struct taker {
	int fd;
	bool listens;
	volatile bool waits;
};

static void *take(void *data)
{
	struct taker *taker = data;

	pin(0, 2);
	while (take_port(taker->fd))
		taker->waits = true;
	if (taker->listens)
		same(genl_listen(taker->fd, 0), 0, "LISTEN with the port");
	return NULL;
}

/* Return: a socket that has taken the port of a listener while that one was closed. */
static int reuse(bool listens)
{
	struct taker taker = { .listens = listens };
	int listener = genl_open();
	pthread_t id;

	same(take_port(listener), 0, "the port of the listener");
	same(genl_listen(listener, 0), 0, "LISTEN");
	taker.fd = genl_open();
	if (pthread_create(&id, NULL, take, &taker))
		die("no thread");
	while (!taker.waits)
		usleep(100);
	close(listener);
	pthread_join(id, NULL);
	return taker.fd;
}

/* The end of the one listener is not that of the other. */
static bool both_listen(void)
{
	int fd = reuse(true), session = open_session();
	bool received;

	command(session, EVENTS);
	start(session);
	stop(session);
	received = genl_next(fd, &m, LATE) && m.command == PMC_NL_BEGIN;
	CHECK(received, "a listener with a reused port receives nothing");
	close(session);
	close(fd);
	return received;
}

static volatile bool enough;

static void *make_records(void *unused)
{
	struct records records = { };
	int session = open_session(), i;

	pin(0, 3);
	command(session, EVENTS);
	while (!enough) {
		for (i = 0; i < 100; i++) {
			start(session);
			stop(session);
		}
		read_records(session, &records);
		forget_records(&records);
	}
	close(session);
	return unused;
}

static bool one_listens(void)
{
	int fd = reuse(false);
	bool received = genl_next(fd, &m, 20);

	CHECK(!received, "message %d for a socket that does not listen", m.command);
	close(fd);
	return !received;
}

int main(void)
{
	int i, rounds = by_size(20, 500);
	pthread_t id;

	wait_until_idle();
	pin(0, 1);
	/* Each call is delayed, if the test has delays. */
	write_file("/sys/module/test_delays/parameters/one_in", "1");
	/* The first socket asks for the number of the family, and is given a port for that. */
	close(genl_open());
	for (i = 0; i < rounds && both_listen(); i++)
		;
	if (pthread_create(&id, NULL, make_records, NULL))
		die("no thread");
	for (i = 0; i < rounds && one_listens(); i++)
		;
	enough = true;
	pthread_join(id, NULL);
	wait_until_idle();
	return result();
}
