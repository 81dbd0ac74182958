// SPDX-License-Identifier: GPL-2.0
/*
 * Listeners receive a session's beginning, the same records as its reader, byte for byte, and
 * its end. One that does not read loses only its own records, and is sent how many.
 *
 * The event is page faults, which every machine counts. Start and stop take a sample.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "genl.h"
#include "vm.h"

#define EVENTS	"ring 4096\nevents sw=minor_faults"
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

/* The next message of a kind. */
static void expect_at(int line, int fd, int command, const char *what)
{
	if (!genl_next(fd, &m, LATE))
		die("%s: nothing came (line %d)", what, line);
	same(m.command, command, "%s: the message", what);
}

#define expect(fd, command, what)	expect_at(__LINE__, fd, command, what)

static int nr_of(const struct message *m)
{
	size_t at = 0;
	int nr = 0;

	for (; at < m->len; nr++)
		at += record_size((const struct pmc_record *)(m->records + at));
	same(at, m->len, "bytes of the records");
	return nr;
}

/* A listener and the reader have the same. */
static void same_records(void)
{
	int listener = genl_open(), fd = open_session(), i, nr = 0;
	struct records records = { };
	uint32_t id;

	same(genl_listen(listener, 0), 0, "LISTEN");
	command(fd, EVENTS "\nperiod 5ms\ndescribe 0.0:minor_faults");
	make_samples(fd, 100);
	expect(listener, PMC_NL_BEGIN, "begin");
	id = m.session;
	same(m.pid, getpid(), "the process that opened it");
	same(m.uid, 0, "its user");
	same(m.period, 5000000, "the period");
	CHECK(!strcmp(m.comm, "records"), "its name is %s", m.comm);
	CHECK(!strcmp(m.description, "0.0:minor_faults"), "described as %s", m.description);
	read_records(fd, &records);
	while (nr < records.nr) {
		size_t at = 0;

		expect(listener, PMC_NL_RECORDS, "records");
		same(m.session, id, "session of the records");
		same(m.lost, 0, "lost records");
		for (i = nr_of(&m); i; i--, nr++) {
			size_t size = record_size(&records.all[nr].head);

			CHECK(!memcmp(m.records + at, &records.all[nr], size), "record %d differs", nr);
			at += size;
		}
	}
	same(nr, records.nr, "records of the listener");
	command(fd, "describe another");
	expect(listener, PMC_NL_BEGIN, "another description");
	CHECK(!strcmp(m.description, "another"), "described as %s", m.description);
	command(fd, "stop\nperiod 10ms");
	close(fd);
	/* The thread's last record may come before the other period, or after it. */
	for (nr = 0; genl_next(listener, &m, LATE) && m.command != PMC_NL_END;)
		nr += m.command == PMC_NL_BEGIN && m.period == 10000000;
	same(nr, 1, "messages with another period");
	same(m.command, PMC_NL_END, "the last message");
	same(m.session, id, "session that has ended");
	CHECK(!genl_next(listener, &m, 200), "message %d after the end", m.command);
	close(listener);
	forget_records(&records);
}

/* The list has sessions that count, and a late listener receives what is new. */
static void late(void)
{
	int idle = open_session(), fd = open_session(), listener = genl_open(), nr;
	uint32_t id;

	command(fd, EVENTS);
	make_samples(fd, 1);
	genl_ask_sessions(listener);
	expect(listener, PMC_NL_BEGIN, "the list");
	id = m.session;
	CHECK(genl_next(listener, &m, LATE) && !m.command, "the list has another session");
	same(genl_listen(listener, id), 0, "LISTEN");
	expect(listener, PMC_NL_BEGIN, "the session that counts");
	/* A request that is refused replaces no other. */
	same(genl_listen(listener, id + 1000), -ENOENT, "LISTEN to a session that is not there");
	/* The first record is older than the listener. */
	make_samples(fd, 10);
	for (nr = 0; nr < 11;) {
		expect(listener, PMC_NL_RECORDS, "records");
		nr += nr_of(&m);
	}
	same(nr, 11, "records");
	/* Before the end come all records, even those for which nobody was woken yet. */
	make_samples(fd, 5);
	close(fd);
	for (nr = 0; genl_next(listener, &m, LATE) && m.command == PMC_NL_RECORDS;)
		nr += nr_of(&m);
	same(nr, 5, "records before the end");
	same(m.command, PMC_NL_END, "the last message");
	close(idle);
	close(listener);
}

/*
 * When the last listener has gone, the next record has no more of them sent: they wait in the
 * ring for a listener that comes later. It receives none that were sent before.
 */
static void without_listener(void)
{
	int first = genl_open(), fd = open_session(), second, nr;

	same(genl_listen(first, 0), 0, "LISTEN");
	command(fd, EVENTS);
	make_samples(fd, 5);
	expect(first, PMC_NL_BEGIN, "begin");
	for (nr = 0; nr < 5; nr += nr_of(&m))
		expect(first, PMC_NL_RECORDS, "records of the first listener");
	close(first);
	make_samples(fd, 1);
	/* Some ticks: whatever sends records has had its turn. */
	usleep(100000);
	make_samples(fd, 20);
	usleep(100000);
	second = genl_open();
	same(genl_listen(second, 0), 0, "LISTEN");
	expect(second, PMC_NL_BEGIN, "begin for the second listener");
	for (nr = 0; nr < 21; nr += nr_of(&m)) {
		expect(second, PMC_NL_RECORDS, "records that no listener was there for");
		same(m.lost, 0, "lost records");
	}
	make_samples(fd, 3);
	close(fd);
	for (; genl_next(second, &m, LATE) && m.command == PMC_NL_RECORDS;)
		nr += nr_of(&m);
	same(nr, 24, "records of the second listener");
	same(m.command, PMC_NL_END, "the last message");
	close(second);
}

#define MANY	64

/* A list that is longer than a message has all sessions, be their descriptions long or short. */
static void long_list(void)
{
	static char text[PMC_DESCRIPTION_LEN];
	int listener = genl_open(), fds[MANY], nr, i;

	memset(text, 'x', sizeof(text) - 1);
	for (i = 0; i < MANY; i++) {
		fds[i] = open_session();
		command(fds[i], "ring 16\nevents sw=minor_faults\ndescribe %s", i % 2 ? "short" : text);
		start(fds[i]);
	}
	genl_ask_sessions(listener);
	for (nr = 0; genl_next(listener, &m, LATE) && m.command; nr++)
		;
	same(nr, MANY, "sessions in a long list");
	for (i = 0; i < MANY; i++)
		close(fds[i]);
	close(listener);
}

/*
 * A reader that does not wait reads before there are as many records as would wake it. A
 * listener receives them all the same, before others are written over them.
 */
static void early_reader(void)
{
	int listener = genl_open(), fd = open_session(), round, nr;
	struct records records = { };

	same(genl_listen(listener, 0), 0, "LISTEN");
	command(fd, "ring 256\nwakeup 64\nevents sw=minor_faults");
	for (round = 0; round < 100; round++) {
		make_samples(fd, 10);
		read_records(fd, &records);
		if (!round)
			expect(listener, PMC_NL_BEGIN, "begin");
		for (nr = 0; nr < 10; nr += nr_of(&m)) {
			expect(listener, PMC_NL_RECORDS, "records of a reader that is early");
			same(m.lost, 0, "lost records");
		}
		same(nr, 10, "records of round %d", round);
	}
	same(records.nr, 1000, "records of the reader");
	close(fd);
	close(listener);
	forget_records(&records);
}

/* Read messages until one has the session's end. Return: records received and lost. */
static void read_all(int listener, long *received, long *lost)
{
	*received = *lost = 0;
	do {
		if (!genl_next(listener, &m, LATE))
			die("no end came");
		*lost += m.lost;
		if (m.command == PMC_NL_RECORDS)
			*received += nr_of(&m);
	} while (m.command != PMC_NL_END);
}

/* Of many listeners one never reads: it alone loses records. */
static void slow(int nr)
{
	int fd = open_session(), all[100], i, samples = by_size(300, 1000), least = 1;
	long received, lost;

	command(fd, EVENTS);
	for (i = 0; i < nr; i++) {
		all[i] = genl_open();
		/* Room for all but in the first one, which has the least that there is. */
		if (i)
			setsockopt(all[i], SOL_SOCKET, SO_RCVBUFFORCE, &(int){ 1 << 22 }, sizeof(int));
		else
			setsockopt(all[i], SOL_SOCKET, SO_RCVBUF, &least, sizeof(least));
		same(genl_listen(all[i], 0), 0, "LISTEN of listener %d", i);
	}
	make_samples(fd, samples);
	/* By now the first one's socket is full; what it is sent from here on, it receives. */
	usleep(100000);
	for (received = lost = 0; genl_next(all[0], &m, 100);) {
		received += m.command == PMC_NL_RECORDS ? nr_of(&m) : 0;
		lost += m.lost;
	}
	CHECK(received < samples, "a socket with little room has all %ld records", received);
	make_samples(fd, 1);
	if (genl_next(all[0], &m, LATE))
		same(m.lost + received + nr_of(&m), samples + 1, "received by the slow one, and lost");
	else
		fail("the slow one receives nothing any more");
	make_samples(fd, 1);
	CHECK(genl_next(all[0], &m, LATE) && !m.lost, "lost records are reported twice: %d",
	      (int)m.lost);
	close(fd);
	for (i = 1; i < nr; i++) {
		read_all(all[i], &received, &lost);
		if (received != samples + 2 || lost)
			fail("listener %d received %ld of %d records and lost %ld", i, received,
			     samples + 2, lost);
	}
	for (i = 0; i < nr; i++)
		close(all[i]);
}

static volatile bool enough;

static void *listen_repeatedly(void *unused)
{
	int listener;

	while (!enough) {
		listener = genl_open();
		genl_listen(listener, 0);
		close(listener);
		/* The locks that both want are seldom free in a machine whose CPUs take turns. */
		usleep(200);
	}
	return unused;
}

/* Sessions are closed while sockets begin and end to listen to them. */
static void closing(void)
{
	int i, fd, rounds = by_size(50, 5000);
	pthread_t id;

	enough = false;
	pthread_create(&id, NULL, listen_repeatedly, NULL);
	for (i = 0; i < rounds; i++) {
		fd = open_session();
		command(fd, "ring 16\nevents sw=minor_faults");
		make_samples(fd, 1);
		close(fd);
	}
	enough = true;
	pthread_join(id, NULL);
}

/* A socket stays open while the module goes and comes back; then it has to ask again. */
static void unload(void)
{
	int listener = genl_open(), fd;

	same(genl_listen(listener, 0), 0, "LISTEN");
	wait_until_idle();
	unload_module("pmctrack");
	load_module("pmctrack");
	fd = open_session();
	command(fd, EVENTS);
	make_samples(fd, 3);
	CHECK(!genl_next(listener, &m, 200), "message %d from the module that was loaded again", m.command);
	close(fd);
	close(listener);
}

int main(void)
{
	/* Processes of the test before may still count. */
	wait_until_idle();
	/* A move to another core type takes a sample, too. */
	pin(0, 0);
	same_records();
	late();
	without_listener();
	long_list();
	early_reader();
	slow(100);
	closing();
	unload();
	wait_until_idle();
	return result();
}
