// SPDX-License-Identifier: GPL-2.0
/*
 * Wrong input, and right input in the wrong order: thousands of random lines, calls and
 * mappings, from several threads at the same time, on sessions that count. One process is
 * root's, the other an ordinary user's, whose counters root's sessions take. Afterwards the
 * module still counts to the instruction. The random numbers are the same in each run.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

#define PROCESSES	2
/* Threads of each process, rounds of each thread, steps of each round */
#define THREADS	2
#define ROUNDS	15
#define STEPS	60

static const uid_t user_of[PROCESSES] = { 0, 1000 };

static const char *const lines[] = {
	"events ev=@I", "events ev=@I,ev=@C", "events @F,pmc@1=@I", "events sw=page_faults",
	"events ev=@I:ebs=2000,ev=@C", "events pmc@3=@I,ebs@3=1500", "events coretype=0,ev=@I",
	"events coretype=1,ev=@C,sw=task_clock", "events ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,@F",
	"events sw=task_clock,sw=context_switches,sw=migrations", "events ev=@I:k,ev=@I:u",
	"events ev=@C,l3=0x04:umask=0xff",
	"period 1ms", "period 0", "period 3ms", "period 10s", "filter user", "filter all",
	"filter kernel", "follow none", "follow threads", "follow children", "enable now",
	"enable exec", "ring 1", "ring 16", "ring 5000", "wakeup 1", "wakeup 100",
	"attach %d", "attach-thread %d", "detach %d", "detach-thread %d", "syswide", "syswide 0",
	"syswide 1-2", "sample", "stop", "clear", "attach 1", "detach 1", "attach 2",
};

static const char alphabet[] = "eventspmc0123456789=,:xusrumaskbi- \n\t\0\377";

struct fuzzer {
	pthread_t id;
	unsigned int seed;
	long done, accepted;
};

static unsigned int chance(struct fuzzer *f, unsigned int below)
{
	return rand_r(&f->seed) % below;
}

static const char *line_of(struct fuzzer *f)
{
	return expanded(lines[chance(f, sizeof(lines) / sizeof(*lines))]);
}

static void say(struct fuzzer *f, int fd)
{
	char text[300];
	int len = 0, i;

	switch (chance(f, 4)) {
	case 0:		/* letters */
		len = chance(f, 100);
		for (i = 0; i < len; i++)
			text[i] = alphabet[chance(f, sizeof(alphabet))];
		break;
	case 1:		/* a line with a letter wrong */
		len = snprintf(text, sizeof(text), "%s", line_of(f));
		text[chance(f, len)] = alphabet[chance(f, sizeof(alphabet))];
		break;
	default: {
		const char *line = line_of(f);
		pid_t pid = chance(f, 2) ? getpid() : gettid();

		len = snprintf(text, sizeof(text), line, pid);
		}
	}
	if (write(fd, text, len) == len)
		f->accepted++;
}

static void call(struct fuzzer *f, int fd)
{
	static const unsigned long calls[] = {
		PMC_IOC_START, PMC_IOC_STOP, PMC_IOC_ERROR, PMC_IOC_READ, PMC_IOC_TOTALS,
		PMC_IOC_PLACEMENT,
	};
	struct {
		unsigned short words[400];
	} arg;
	unsigned int i;

	for (i = 0; i < 4; i++)
		arg.words[i] = chance(f, 3) ? chance(f, 3) : 0xffff;
	i = chance(f, 40);
	ioctl(fd, i < 36 ? calls[i % 6] : _IO(PMC_IOC_MAGIC, i), chance(f, 10) ? (long)&arg : (long)chance(f, 5));
}

static void map(struct fuzzer *f, int fd)
{
	static const long offsets[] = { PMC_MMAP_RING, PMC_MMAP_CONSUMER, PMC_MMAP_CALIPER, 4096 };
	long offset = offsets[chance(f, 4)];
	size_t size = 4096 * (1 + chance(f, 20));
	int prot = chance(f, 2) ? PROT_READ : PROT_READ | PROT_WRITE;
	uint64_t *p;

	if (offset != PMC_MMAP_RING)
		size = chance(f, 3) ? 4096 : size;
	p = mmap(NULL, size, prot, chance(f, 8) ? MAP_SHARED : MAP_PRIVATE, fd, offset);
	if (p == MAP_FAILED)
		return;
	if (offset == PMC_MMAP_CONSUMER && prot & PROT_WRITE)
		*p = chance(f, 2) ? chance(f, 100) : ~0ULL << chance(f, 64);
	else
		*(volatile uint64_t *)p;
	munmap(p, size);
}

static void *fuzz(void *arg)
{
	struct fuzzer *f = arg;
	char buf[2000];
	int round, step, fd;

	for (round = 0; round < ROUNDS; round++) {
		fd = open_session();
		for (step = 0; step < STEPS; step++) {
			struct pollfd p = { .fd = fd, .events = POLLIN };

			f->done++;
			switch (chance(f, 8)) {
			case 0: case 1: case 2:
				say(f, fd);
				break;
			case 3: case 4:
				call(f, fd);
				break;
			case 5:
				map(f, fd);
				break;
			case 6:
				if (read(fd, buf, chance(f, sizeof(buf))) < 0)
					poll(&p, 1, 0);
				break;
			default:
				spin(chance(f, 20000));
			}
		}
		close(fd);
	}
	return NULL;
}

static void still_exact(void)
{
	int fd = open_session();
	uint64_t pages;

	command(fd, "events sw=page_faults%s", core_types[0].nr_hw ? "," INSTRUCTIONS : "");
	if (core_types[0].nr_hw) {
		long truth = counted_loop(fd, 1000000);

		same(own_count(fd, -1, 0, 1), truth, "instructions after all that");
	}
	start(fd);
	pages = own_count(fd, -1, 0, 0);
	touch_pages(100);
	within(own_count(fd, -1, 0, 0) - pages, 100, 110, "page faults after all that");
	stop(fd);
	close(fd);
}

static void be_process(uid_t uid, unsigned int seed)
{
	struct fuzzer fuzzers[THREADS];
	long done = 0, accepted = 0;
	int i;

	if (uid)
		change_user(uid);
	for (i = 0; i < THREADS; i++) {
		fuzzers[i] = (struct fuzzer){ .seed = seed + i };
		if (pthread_create(&fuzzers[i].id, NULL, fuzz, &fuzzers[i]))
			die("no thread");
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(fuzzers[i].id, NULL);
		done += fuzzers[i].done;
		accepted += fuzzers[i].accepted;
	}
	if (accepted < 100)
		fail("user %u: only %ld lines were accepted", uid, accepted);
	printf("user %u: %ld calls, %ld lines accepted\n", uid, done, accepted);
	fflush(stdout);
	_exit(result());
}

int main(void)
{
	int paranoid, status = -1, i;

	read_machine();
	/* The user may count threads of its own. */
	paranoid = change_number(PARANOID, 2);
	still_exact();
	fflush(stdout);
	for (i = 0; i < PROCESSES; i++)
		if (!fork())
			be_process(user_of[i], 20261120 + i * THREADS);
	for (i = 0; i < PROCESSES; i++) {
		wait(&status);
		same(status, 0, "status of a process");
	}
	wait_until_idle();
	still_exact();
	change_number(PARANOID, paranoid);
	return result();
}
