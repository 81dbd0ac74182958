// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated PMU, on which all tests of exactness rely. It uses the kernel's
 * own perf_event, without this project's module. One or two threads on each CPU, all busy
 * at the same time, execute a loop whose length is known. Their instructions and cycles
 * must be exact, and samples must be taken at the right event.
 *
 * perf_event itself loses the sample of an overflow whose interrupt is pending
 * while another one makes the CPU switch threads. Real-time threads, alone on
 * their CPU, are not switched: they must get all their samples.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __aarch64__
#define INST_RETIRED	0x08
#define CPU_CYCLES	0x11
#else
#define INST_RETIRED	0xc0
#define CPU_CYCLES	0x3c	/* Intel */
#define AMD_CYCLES	0x76
#endif
#define PERIOD		100000
#define MAX_PMUS	4
#define MAX_THREADS	128

/* A group: instructions, cycles on the cycle counter, cycles on another one. */
enum { INSTRUCTIONS, CYCLES, CYCLES_TOO, N_EVENTS };

/* One thread on each CPU; two on each CPU; two for each CPU. */
enum placement { REAL_TIME, PINNED, FREE };

static const struct round {
	const char *name;
	enum placement placement;
	int sampled;	/* the event, or N_EVENTS for none */
} rounds[] = {
	{ "count, pinned", PINNED, N_EVENTS },
	{ "count, free to migrate", FREE, N_EVENTS },
	{ "sample instructions, real-time", REAL_TIME, INSTRUCTIONS },
	{ "sample cycles, real-time", REAL_TIME, CYCLES },
	{ "sample instructions, pinned", PINNED, INSTRUCTIONS },
	{ "sample instructions, free to migrate", FREE, INSTRUCTIONS },
}, *now;

static struct pmu {
	char name[64];
	int type;
	int cycles;	/* the event */
	int cpi;	/* as scripts/vm configures the machine; 0: depends on the CPU */
	cpu_set_t cpus;
} pmus[MAX_PMUS];
static int n_pmus;

static struct thread {
	pthread_t id;
	int nr, cpu, cpi;
	long rounds;
	double start, end;
} threads[MAX_THREADS];
static int n_threads;
static int cpis[CPU_SETSIZE];

static atomic_int ready, failures;
static atomic_long samples, lost;

static void fail(const char *format, ...)
{
	char text[300];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (atomic_fetch_add(&failures, 1) < 40)
		printf("%s: %s\n", now->name, text);
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

/* Contents of a PMU's file in /sys; an empty string if there is none. */
static void read_file(const char *pmu, const char *name, char *text, int size)
{
	char path[400];
	FILE *f;

	*text = '\0';
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", pmu, name);
	f = fopen(path, "r");
	if (!f)
		return;
	if (!fgets(text, size, f))
		*text = '\0';
	fclose(f);
}

/* A list like 0-1,4 */
static void read_cpus(const char *text, cpu_set_t *cpus)
{
	char *end = (char *)text;

	CPU_ZERO(cpus);
	do {
		long first = strtol(text, &end, 10), last = first;

		if (*end == '-')
			last = strtol(end + 1, &end, 10);
		for (; end != text && first <= last; first++)
			CPU_SET(first, cpus);
		text = end + 1;
	} while (*end == ',');
}

#ifdef __x86_64__
/*
 * Cycles for an instruction on this CPU. If one PMU serves two types of cores, CPUID leaf
 * 0x80000026 distinguishes them (APM volume 3, E.4.24).
 */
static int cpu_cpi(int cpu)
{
	unsigned int a = 0x80000026, b, c = 0, d;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
	return 1 + (b >> 28);
}
#else
static int cpu_cpi(int cpu)
{
	(void)cpu;
	return 1;
}
#endif

static void find_pmus(void)
{
	DIR *dir = opendir("/sys/bus/event_source/devices");
	struct dirent *entry;
	char text[300];

	while (dir && n_pmus < MAX_PMUS && (entry = readdir(dir))) {
		struct pmu *p = &pmus[n_pmus];

		if (strncmp(entry->d_name, "armv8", 5) && strncmp(entry->d_name, "cpu", 3))
			continue;
		snprintf(p->name, sizeof(p->name), "%.63s", entry->d_name);
		p->cpi = strstr(p->name, "a53") || strstr(p->name, "atom") ? 2 : 1;
		p->cycles = CPU_CYCLES;
#ifdef __x86_64__
		if (!strcmp(p->name, "cpu")) {
			p->cycles = AMD_CYCLES;
			p->cpi = 0;
		}
#endif
		read_file(p->name, "type", text, sizeof(text));
		p->type = atoi(text);
		read_file(p->name, "cpus", text, sizeof(text));
		if (p->cpi)
			read_cpus(text, &p->cpus);
		else
			sched_getaffinity(0, sizeof(p->cpus), &p->cpus);
		/* There may be a PMU for E-cores without any. */
		n_pmus += CPU_COUNT(&p->cpus) > 0;
	}
	if (dir)
		closedir(dir);
}

static int open_event(const struct pmu *pmu, int event, int leader)
{
	struct perf_event_attr attr = {
		.type = pmu->type,
		.size = sizeof(attr),
		.config = event == INSTRUCTIONS ? INST_RETIRED : pmu->cycles,
		.disabled = leader < 0,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.sample_period = event == now->sampled ? PERIOD : 0,
		.sample_type = event == now->sampled ? PERF_SAMPLE_READ : 0,
	};
	int fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);

	if (fd < 0) {
		fail("%s: perf_event_open: %s", pmu->name, strerror(errno));
		exit(1);
	}
	return fd;
}

/*
 * Switch this thread's events on, run a loop with a system call in each round,
 * switch them off. Returns how many instructions are executed in user mode in
 * between: those of the rounds, two to set up the last system call, and that call.
 */
#define INNER_ROUNDS 500

static long run(long rounds)
{
#ifdef __aarch64__
	register long x0 asm("x0") = PR_TASK_PERF_EVENTS_ENABLE;
	register long x1 asm("x1") = 0;
	register long x8 asm("x8") = SYS_prctl;
	long left = rounds, inner;

	asm volatile("svc #0\n"
		     "1: mov %[inner], %[inner_rounds]\n"
		     "2: subs %[inner], %[inner], #1\n"
		     "b.ne 2b\n"
		     "mov x8, %[getppid]\n"
		     "svc #0\n"
		     "subs %[left], %[left], #1\n"
		     "b.ne 1b\n"
		     "mov x8, %[prctl]\n"
		     "mov x0, %[disable]\n"
		     "svc #0\n"
		     : "+r"(x0), "+r"(x8), [left]"+r"(left), [inner]"=&r"(inner)
		     : "r"(x1), [inner_rounds]"i"(INNER_ROUNDS), [getppid]"i"(SYS_getppid),
		       [prctl]"i"(SYS_prctl), [disable]"i"(PR_TASK_PERF_EVENTS_DISABLE)
		     : "memory", "cc");
#else
	long a = SYS_prctl, d = PR_TASK_PERF_EVENTS_ENABLE, left = rounds, inner;

	asm volatile("syscall\n"
		     "1: mov %[inner_rounds], %[inner]\n"
		     "2: sub $1, %[inner]\n"
		     "jnz 2b\n"
		     "mov %[getppid], %%eax\n"
		     "syscall\n"
		     "sub $1, %[left]\n"
		     "jnz 1b\n"
		     "mov %[prctl], %%eax\n"
		     "mov %[disable], %%edi\n"
		     "syscall\n"
		     : "+a"(a), "+D"(d), [left]"+r"(left), [inner]"=&r"(inner)
		     : "S"(0L), [inner_rounds]"i"(INNER_ROUNDS), [getppid]"i"(SYS_getppid),
		       [prctl]"i"(SYS_prctl), [disable]"i"(PR_TASK_PERF_EVENTS_DISABLE)
		     : "memory", "cc", "rcx", "r11");
#endif
	return rounds * (2 * INNER_ROUNDS + 5) + 3;
}

static long long read_event(int fd)
{
	long long value = -1;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		fail("read: %s", strerror(errno));
	return value;
}

#define RING_SIZE (64L * 1024)

static void *map_ring(int fd)
{
	void *ring = mmap(NULL, getpagesize() + RING_SIZE, PROT_READ | PROT_WRITE,
			  MAP_SHARED, fd, 0);

	if (ring == MAP_FAILED) {
		fail("mmap: %s", strerror(errno));
		exit(1);
	}
	return ring;
}

/*
 * perf's driver for x86 sets no counter to the event before its overflow. A thread that leaves the
 * CPU one event before the end of a period has its sample one event late, once in a long time.
 */
#if defined(__x86_64__)
#define MAX_LATE	1
#else
#define MAX_LATE	0
#endif

/* Samples must be taken when the count is a multiple of the period. */
static void check_samples(const struct thread *t, const struct pmu *pmu, void *ring,
			  long long count)
{
	const struct perf_event_mmap_page *page = ring;
	const char *data = (char *)ring + page->data_offset;
	long long last = 0;
	long n = 0, late = 0;

	for (unsigned long at = 0; at < page->data_head;) {
		const struct perf_event_header *h = (void *)(data + at);
		const long long *value = (void *)(h + 1);

		if (h->type != PERF_RECORD_SAMPLE)
			fail("thread %d, %s: record of type %u among the samples",
			     t->nr, pmu->name, h->type);
		else if (*value <= last || *value > count ||
			 (*value % PERIOD && (*value % PERIOD > 1 || ++late > MAX_LATE)))
			fail("thread %d, %s: sample %ld at count %lld, after %lld",
			     t->nr, pmu->name, n, *value, last);
		else
			last = *value;
		n++;
		at += h->size;
	}
	if (now->placement == REAL_TIME && n != count / PERIOD)
		fail("thread %d, %s: %ld samples, expected %lld of %lld events",
		     t->nr, pmu->name, n, count / PERIOD, count);
	samples += n;
	lost += count / PERIOD - n;
}

static void *thread(void *arg)
{
	struct thread *t = arg;
	int fd[MAX_PMUS][N_EVENTS];
	void *ring[MAX_PMUS] = { NULL };
	const struct sched_param one = { .sched_priority = 1 };
	long long sum = 0;
	cpu_set_t cpus;
	long expected;

	if (now->placement != FREE) {
		CPU_ZERO(&cpus);
		CPU_SET(t->cpu, &cpus);
		sched_setaffinity(0, sizeof(cpus), &cpus);
	}
	for (int p = 0; p < n_pmus; p++) {
		for (int e = 0; e < N_EVENTS; e++)
			fd[p][e] = open_event(&pmus[p], e, e ? fd[p][0] : -1);
		if (now->sampled < N_EVENTS)
			ring[p] = map_ring(fd[p][now->sampled]);
	}

	ready++;
	while (ready < n_threads)
		sched_yield();
	if (now->placement == REAL_TIME && sched_setscheduler(0, SCHED_FIFO, &one))
		fail("sched_setscheduler: %s", strerror(errno));
	t->start = seconds();
	expected = run(t->rounds);
	t->end = seconds();

	for (int p = 0; p < n_pmus; p++) {
		long long instructions = read_event(fd[p][INSTRUCTIONS]);
		int cpi = pmus[p].cpi;
		long long cycles;

		if (!cpi && now->placement != FREE)
			cpi = t->cpi;
		cycles = instructions * cpi;
		sum += instructions;
		if (now->placement != FREE && instructions && !CPU_ISSET(t->cpu, &pmus[p].cpus))
			fail("thread %d, CPU %d: %s has counted", t->nr, t->cpu, pmus[p].name);
		for (int e = CYCLES; e < N_EVENTS; e++) {
			long long found = read_event(fd[p][e]);

			/* On two types of cores the value is in between. */
			if (!cpi && found >= instructions && found <= 2 * instructions)
				cycles = found;
			if (found != cycles)
				fail("thread %d, %s: %lld cycles for %lld instructions, expected %lld",
				     t->nr, pmus[p].name, found, instructions, cycles);
		}
		if (ring[p]) {
			check_samples(t, &pmus[p], ring[p], read_event(fd[p][now->sampled]));
			munmap(ring[p], getpagesize() + RING_SIZE);
		}
		for (int e = 0; e < N_EVENTS; e++)
			close(fd[p][e]);
	}
	if (sum != expected)
		fail("thread %d, CPU %d%s: %lld instructions, expected %ld (%+lld)",
		     t->nr, t->cpu, now->placement == FREE ? " at first" : "", sum, expected,
		     sum - expected);
	return NULL;
}

/* false: some threads had ended before others began, so not all shared CPUs. */
static bool do_round(int n_cpus)
{
	double last_start = 0, first_end = 1e99;

	n_threads = n_cpus * (now->placement == REAL_TIME ? 1 : 2);
	if (n_threads > MAX_THREADS)
		n_threads = MAX_THREADS;
	ready = samples = lost = 0;
	for (int i = 0; i < n_threads; i++) {
		threads[i].nr = i;
		threads[i].cpu = i % n_cpus;
		threads[i].cpi = cpis[i % n_cpus];
		/* Equal counts could hide that two threads were mixed up. */
		threads[i].rounds = 10000 + i;
		if (pthread_create(&threads[i].id, NULL, thread, &threads[i])) {
			fail("no thread");
			exit(1);
		}
	}
	for (int i = 0; i < n_threads; i++) {
		pthread_join(threads[i].id, NULL);
		if (threads[i].start > last_start)
			last_start = threads[i].start;
		if (threads[i].end < first_end)
			first_end = threads[i].end;
	}
	printf("%s: %d threads", now->name, n_threads);
	if (now->sampled < N_EVENTS)
		printf(", %ld samples, %ld lost", samples, lost);
	putchar('\n');
	if (lost * 50 > samples)
		fail("more samples lost than perf_event may lose");
	return last_start <= first_end;
}

int main(void)
{
	int n_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t all;

	sched_getaffinity(0, sizeof(all), &all);
	find_pmus();
	for (int i = 0; i < n_cpus; i++)
		cpis[i] = cpu_cpi(i);
	sched_setaffinity(0, sizeof(all), &all);
	if (!n_pmus) {
		puts("no PMU");
		return 1;
	}
	for (now = rounds; now < rounds + sizeof(rounds) / sizeof(*rounds); now++) {
		bool at_once = false;

		/* The kernel may run one thread on the CPU until its work is done. */
		for (int i = 0; i < 5 && !at_once; i++)
			at_once = do_round(n_cpus);
		if (!at_once)
			fail("the threads were not busy at once");
	}
	return failures != 0;
}
