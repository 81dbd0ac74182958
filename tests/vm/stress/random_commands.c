// SPDX-License-Identifier: GPL-2.0
/*
 * All operations at the same time, in random order: processes open sessions, configure them,
 * count themselves, each other and CPUs, map rings and pages, sample and stop in two threads,
 * fork, exec and end, while CPUs go offline and online and perf takes counters. Every other
 * process is an ordinary user's, whose counters root's sessions take. Counts are
 * not checked: the kernel must not complain, nothing may hang, and nothing may be left. The
 * test is meant for the debug kernel. Its random numbers are the same in every run.
 *
 * usage: stress/random_commands [ROUNDS [SEED]]
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftovers.h"
#include "vm.h"

#define CLIENTS		4
#define SESSIONS	3

/* Users of the clients: two of them are the same user's. */
static const uid_t user_of[CLIENTS] = { 0, 1000, 0, 1000 };

static long rounds;
static pid_t clients[CLIENTS];

static unsigned int below(unsigned int *seed, unsigned int n)
{
	return rand_r(seed) % n;
}

static const char *pick(unsigned int *seed, const char *const *list, int nr)
{
	return list[below(seed, nr)];
}

#define PICK(seed, list) pick(seed, list, sizeof(list) / sizeof((list)[0]))

static const char *const events[] = {
	"ev=@I", "ev=@C", "pmc@1=@I", "pmc@1=@I,os@1=1", "pmc@2=@I", "@F,pmc@1=@I,pmc@3=0x0",
	"ev=@I:ebs=5000", "ev=@C:ebs=20000", "ev=@I,ev=@C:ebs=3000",
	"sw=context_switches,ev=@I", "sw=migrations,sw=page_faults", "ev=@I,coretype=1",
	"@F,pmc@1=@I,ebs@1=1000", "ev=@I:k", "ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I",
	"l3=0x04:umask=0xff", "ev=@C,l3=0x04,l3=0x04:umask=0x01",
};

static const char *const settings[] = {
	"period 1ms", "period 2ms", "period 0", "follow children", "follow threads",
	"follow none", "enable now", "enable exec", "ring 4", "ring 64", "wakeup 3",
	"filter user", "filter all", "clear", "period 9223372036s", "ring 4294967295",
};

/* Commands that may be refused; most of them are at some time. */
static void say(int fd, const char *text)
{
	const char *real = expanded(text);
	ssize_t ret = write(fd, real, strlen(real));

	(void)ret;
}

static void say_id(int fd, const char *verb, pid_t pid)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %d", verb, pid);
	say(fd, text);
}

static void *short_thread(void *unused)
{
	(void)unused;
	spin(2000);
	return NULL;
}

/* Threads that are short-lived. */
static void threads(void)
{
	pthread_t t[3];
	int i, nr = 0;

	for (i = 0; i < 3; i++)
		nr += !pthread_create(&t[nr], NULL, short_thread, NULL);
	while (nr--)
		pthread_join(t[nr], NULL);
}

static void children(unsigned int *seed, int *fds)
{
	pid_t pid = fork();

	if (!pid) {
		int fd = fds[below(seed, SESSIONS)];

		switch (below(seed, 4)) {
		case 0:
			ioctl(fd, PMC_IOC_START);
			break;
		case 1:
			execl("/bin/busybox", "true", NULL);
			break;
		case 2:
			if (vfork() == 0)
				_exit(0);
			break;
		}
		spin(3000);
		_exit(0);
	}
	if (pid > 0) {
		if (below(seed, 3) == 0)
			kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
}

static void map(unsigned int *seed, int fd)
{
	static const off_t where[] = { PMC_MMAP_RING, PMC_MMAP_CONSUMER, PMC_MMAP_CALIPER };
	int which = below(seed, 3);
	int prot = which == 1 ? PROT_READ | PROT_WRITE : PROT_READ;
	volatile uint64_t *p;

	p = mmap(NULL, 4096, prot, MAP_SHARED, fd, where[which]);
	if (p == MAP_FAILED)
		return;
	(void)p[0];
	if (which == 1 && below(seed, 2))
		p[0] = rand_r(seed);
	/* Sometimes the mapping stays until the process ends. */
	if (below(seed, 4))
		munmap((void *)p, 4096);
}

static void drain(unsigned int *seed, int fd)
{
	static __thread char buf[20000];
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t ret;

	poll(&p, 1, below(seed, 3));
	ret = read(fd, buf, below(seed, sizeof(buf)));
	(void)ret;
}

static void ask(int fd)
{
	struct pmc_read r = { .core_type = PMC_ALL_CORE_TYPES };
	struct pmc_totals t = { .core_type = PMC_ALL_CORE_TYPES };
	struct pmc_placement p = { .core_type = 0 };

	ioctl(fd, PMC_IOC_READ, &r);
	ioctl(fd, PMC_IOC_TOTALS, &t);
	ioctl(fd, PMC_IOC_PLACEMENT, &p);
	why(fd);
}

static void perf(unsigned int *seed, bool pinned)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr), .config = below(seed, 2) ?
			event_codes()->instructions : event_codes()->cycles,
		.pinned = pinned, .exclude_kernel = below(seed, 2),
		.sample_period = below(seed, 2) ? 10000 : 0,
	};
	int fd = syscall(SYS_perf_event_open, &attr, below(seed, 2) ? 0 : -1, below(seed, 4), -1, 0);
	void *page = MAP_FAILED;

	spin(5000);
	/* From now on this process may read counters by instruction. */
	if (below(seed, 2))
		page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	spin(5000);
	if (page != MAP_FAILED)
		munmap(page, 4096);
	if (fd >= 0)
		close(fd);
}

/* Allocations may be made to fail. Return: whether this one succeeded. */
static bool reopen(int *fd)
{
	int new = open("/proc/pmc/monitor", O_RDWR | O_NONBLOCK);

	if (new < 0 && errno == ENOMEM)
		return false;
	if (new < 0)
		die("cannot open a session: %s", strerror(errno));
	/* This drops the last reference to the old session, unless a child has one. */
	if (dup2(new, *fd) < 0)
		die("dup2: %s", strerror(errno));
	close(new);
	return true;
}

static void act(unsigned int *seed, int *fds)
{
	int fd = fds[below(seed, SESSIONS)];
	pid_t pid = clients[below(seed, CLIENTS)] ?: getpid();

	switch (below(seed, 22)) {
	case 0: case 1: case 2:
		say(fd, PICK(seed, settings));
		break;
	case 3: case 4: {
		char text[200];

		snprintf(text, sizeof(text), "events %s", PICK(seed, events));
		say(fd, text);
		break;
	}
	case 5: case 6:
		ioctl(fd, PMC_IOC_START);
		break;
	case 7:
		ioctl(fd, PMC_IOC_STOP);
		break;
	case 8: case 9:
		say_id(fd, "attach", pid);
		break;
	case 10:
		say_id(fd, "attach-thread", pid);
		break;
	case 11:
		say_id(fd, "detach", pid);
		break;
	case 12:
		say(fd, below(seed, 2) ? "syswide" : "syswide 1-2");
		break;
	case 13:
		say(fd, "sample");
		break;
	case 14:
		say(fd, "stop");
		break;
	case 15:
		reopen(&fds[below(seed, SESSIONS)]);
		break;
	case 16:
		map(seed, fd);
		break;
	case 17:
		drain(seed, fd);
		break;
	case 18:
		ask(fd);
		break;
	case 19:
		threads();
		break;
	case 20:
		children(seed, fds);
		break;
	case 21:
		perf(seed, below(seed, 2));
		break;
	}
	spin(1 + below(seed, 3000));
}

struct actor {
	int *fds;
	unsigned int seed;
};

static void *play(void *data)
{
	struct actor *a = data;
	long i;

	for (i = 0; i < rounds; i++)
		act(&a->seed, a->fds);
	return NULL;
}

/* Two threads use the same sessions. */
static void client(uid_t uid, unsigned int seed)
{
	struct actor actors[2];
	int fds[SESSIONS], i;
	pthread_t other;

	if (uid)
		change_user(uid);
	for (i = 0; i < SESSIONS; i++) {
		fds[i] = open("/dev/null", O_RDWR);
		while (!reopen(&fds[i]))
			;
	}
	for (i = 0; i < 2; i++)
		actors[i] = (struct actor){ .fds = fds, .seed = seed + i };
	if (pthread_create(&other, NULL, play, &actors[1]))
		die("no thread");
	play(&actors[0]);
	pthread_join(other, NULL);
	_exit(result());
}

static void hotplug(unsigned int *seed)
{
	int cpu = 1 + below(seed, 3);
	char path[100];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	write_file(path, "0");
	usleep(2000);
	write_file(path, "1");
	usleep(10000);
}

static void all_online(void)
{
	char path[100];
	int cpu;

	for (cpu = 1; cpu < 4; cpu++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
		write_file(path, "1");
	}
}

int main(int argc, char **argv)
{
	unsigned int seed = argc > 2 ? atoi(argv[2]) : 1;
	int i, status, alive = CLIENTS;
	pid_t pid;

	rounds = argc > 1 ? atol(argv[1]) : by_size(40, 200);
	printf("seed %u\n", seed);
	read_machine();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	note_resources(&user_of[1], 1);
	/* Clients know each other's ids: those of this array, when they start. */
	for (i = 0; i < CLIENTS; i++) {
		pid = fork();
		if (!pid)
			client(user_of[i], seed + 100 * i);
		clients[i] = pid;
	}
	while (alive) {
		pid = waitpid(-1, &status, WNOHANG);
		if (pid > 0) {
			alive--;
			same(status, 0, "status of a client");
			continue;
		}
		hotplug(&seed);
	}
	all_online();
	nothing_is_left();
	return result();
}
