// SPDX-License-Identifier: GPL-2.0
/* Processes that are counted by virtual counters and work on request. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "worker.h"

enum order { LOAD, STORE, SPIN, READ, QUIT };

struct message {
	enum order order;
	long from, size;
	int times;
};

static char *memory;

/* Pages that follow one another in physical memory fill all sets alike. */
void worker_memory(long size)
{
	long huge = 2048 * KIB;

	memory = mmap(NULL, size + huge, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	memory = (char *)(((uintptr_t)memory + huge - 1) & ~(huge - 1));
	if (madvise(memory, size, MADV_HUGEPAGE))
		die("huge pages: %s", strerror(errno));
	memset(memory, 1, size);
}

void load_memory(long from, long size)
{
	long i;

	for (i = 0; i < size; i += LINE)
		*(volatile char *)(memory + from + i);
}

static void store(char *own, long size, int times)
{
	long i;

	while (times--)
		for (i = 0; i < size; i += LINE)
			*(volatile char *)(own + i) = 2;
}

void worker_read_here(int fd, uint64_t values[WORKER_VALUES])
{
	struct pmc_read r = { .core_type = PMC_ALL_CORE_TYPES };
	int i;

	memset(values, 0, WORKER_VALUES * sizeof(*values));
	if (fd < 0)
		return;
	if (ioctl(fd, PMC_IOC_READ, &r))
		die("PMC_IOC_READ: %s", strerror(errno));
	for (i = 0; i < r.nr_virtual && i < WORKER_VALUES; i++)
		values[i] = r.counts[r.nr_counts + i];
}

static void obey(int from, int to, const char *virtuals)
{
	uint64_t values[WORKER_VALUES] = {};
	char *own = NULL;
	struct message m;
	int fd = -1;

	if (virtuals) {
		fd = open_session();
		command(fd, "virtual %s", virtuals);
		start(fd);
	}
	/* The worker has started. */
	if (write(to, values, sizeof(values)) != sizeof(values))
		_exit(1);
	while (read(from, &m, sizeof(m)) == sizeof(m)) {
		switch (m.order) {
		case LOAD:
			load_memory(m.from, m.size);
			break;
		case STORE:
			if (!own)
				own = malloc(m.size);
			store(own, m.size, m.times);
			break;
		case SPIN:
			spin(m.size / 2);
			break;
		case READ:
			break;
		case QUIT:
			_exit(0);
		}
		if (m.order == READ || m.order == SPIN)
			worker_read_here(fd, values);
		if (write(to, values, sizeof(values)) != sizeof(values))
			break;
	}
	_exit(1);
}

static void answer(const struct worker *p, uint64_t values[WORKER_VALUES])
{
	size_t size = WORKER_VALUES * sizeof(*values);

	if (read(p->from, values, size) != (ssize_t)size)
		die("process %d has died", p->pid);
}

static void wait_for(const struct worker *p)
{
	uint64_t values[WORKER_VALUES];

	answer(p, values);
}

struct worker worker_start(int cpu, const char *virtuals)
{
	int there[2], back[2];
	struct worker p;

	if (pipe(there) || pipe(back))
		die("no pipe: %s", strerror(errno));
	p.pid = fork();
	if (p.pid < 0)
		die("fork: %s", strerror(errno));
	if (!p.pid) {
		close(there[1]);
		close(back[0]);
		pin(0, cpu);
		obey(there[0], back[1], virtuals);
	}
	close(there[0]);
	close(back[1]);
	p.to = there[1];
	p.from = back[0];
	wait_for(&p);
	return p;
}

static void send_order(const struct worker *p, const struct message *m)
{
	if (write(p->to, m, sizeof(*m)) != sizeof(*m))
		die("process %d does not listen: %s", p->pid, strerror(errno));
}

void worker_load(const struct worker *p, long from, long size)
{
	send_order(p, &(struct message){ .order = LOAD, .from = from, .size = size });
	wait_for(p);
}

void worker_store(const struct worker *p, long size, int times)
{
	send_order(p, &(struct message){ .order = STORE, .size = size, .times = times });
	wait_for(p);
}

void worker_spin(const struct worker *p, long ns)
{
	send_order(p, &(struct message){ .order = SPIN, .size = ns });
}

void worker_spun(const struct worker *p, uint64_t values[WORKER_VALUES])
{
	answer(p, values);
}

void worker_read(const struct worker *p, uint64_t values[WORKER_VALUES])
{
	send_order(p, &(struct message){ .order = READ });
	answer(p, values);
}

uint64_t worker_value(const struct worker *p)
{
	uint64_t values[WORKER_VALUES];

	worker_read(p, values);
	return values[0];
}

void worker_end(struct worker *p)
{
	int status;

	send_order(p, &(struct message){ .order = QUIT });
	close(p->to);
	close(p->from);
	if (waitpid(p->pid, &status, 0) != p->pid || status)
		fail("process %d: status %x", p->pid, status);
}

void worker_kill(struct worker *p)
{
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, 0);
	close(p->to);
	close(p->from);
}
