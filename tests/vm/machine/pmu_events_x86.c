// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated x86 PMUs' other events, as machine/pmu_counts tests instructions
 * and cycles. The kernel's own perf_event counts and samples known numbers of branches,
 * loads, stores, cache accesses and TLB misses on each type of core. The counter mask,
 * invert and edge bits are tested, too.
 */
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROUNDS	20000L
#define PERIOD	2003	/* not so short that perf_event throttles the samples */

/* Events of a round of the loop, and of its end, a system call. */
#define EXECUTED(rounds) (12 * (rounds) + (rounds) / 2 + 3)
#define INSTRUCTIONS EXECUTED(ROUNDS)
enum { CONDITIONAL = 2, BRANCHES = 5, RETURNS = 1, LOADS = 4, STORES = 4, ACCESSES = 8 };

#define EDGE		0x40000
#define INVERT		0x800000
#define CMASK(n)	((n) << 24)

static const struct event {
	const char *name;
	int core, atom;		/* unit mask and number on each PMU; 0: the PMU lacks the event */
	long amd;
	long expected;
	long more;		/* tolerance above the expected number */
	bool cycles;		/* expected: the cycles, minus the number above */
} events[] = {
	{ "branches", 0xc4, 0xc4, 0xc2, BRANCHES * ROUNDS + 1, 0, false },
	{ "conditional branches", 0x11c4, 0x7ec4, 0xd1, CONDITIONAL * ROUNDS, 0, false },
	{ "taken branches", 0, 0, 0xc4, (BRANCHES - 1) * ROUNDS + ROUNDS / 2, 0, false },
	{ "near taken branches", 0x20c4, 0xc0c4, 0,
	  (BRANCHES - 1) * ROUNDS - 1 + ROUNDS / 2, 0, false },
	{ "returns", 0x08c4, 0xf7c4, 0xc8, RETURNS * ROUNDS, 0, false },
	{ "far branches", 0x40c4, 0xbfc4, 0xc6, 1, 0, false },
	{ "mispredicted branches", 0xc5, 0xc5, 0xc3, ROUNDS / 2, ROUNDS / 2 + 8, false },
	{ "wrong directions", 0, 0, 0x1000000c7, ROUNDS / 2, ROUNDS / 2 + 8, false },
	{ "loads", 0x81d0, 0x81d0, 0x0529, LOADS * ROUNDS, 0, false },
	{ "stores", 0x82d0, 0x82d0, 0x0629, STORES * ROUNDS, 0, false },
	{ "loads and stores", 0x83d0, 0x83d0, 0x40, (LOADS + STORES - 1) * ROUNDS, 0, false },
	{ "cache references", 0x4f2e, 0x4f2e, 0xff64, ACCESSES * ROUNDS, 0, false },
	{ "instructions", 0xc0, 0xc0, 0xc0, INSTRUCTIONS, 0, false },
	{ "cycles", 0x3c, 0x3c, 0x76, 0, 0, true },
	{ "cycles with 0 instructions", CMASK(1) | INVERT | 0xc0, CMASK(1) | INVERT | 0xc0,
	  CMASK(1) | INVERT | 0xc0, INSTRUCTIONS, 0, true },
	{ "cycles with 1 instruction", CMASK(1) | 0xc0, CMASK(1) | 0xc0, CMASK(1) | 0xc0,
	  INSTRUCTIONS, 0, false },
	{ "cycles with 2 instructions", CMASK(2) | 0xc0, CMASK(2) | 0xc0, CMASK(2) | 0xc0,
	  0, 0, false },
	{ "cycles with less than 16", CMASK(16) | INVERT | 0xc0, CMASK(16) | INVERT | 0xc0,
	  CMASK(16) | INVERT | 0xc0, 0, 0, true },
	{ "cycles without branches", CMASK(1) | INVERT | 0xc4, CMASK(1) | INVERT | 0xc4,
	  CMASK(1) | INVERT | 0xc2, BRANCHES * ROUNDS + 1, 0, true },
	{ "edges of branches", CMASK(1) | EDGE | 0xc4, CMASK(1) | EDGE | 0xc4,
	  CMASK(1) | EDGE | 0xc2, BRANCHES * ROUNDS + 1, 0, false },
};

static const struct event cache_loads = { .name = "LLC loads", .expected = LOADS * ROUNDS };
static const int cache_read = PERF_COUNT_HW_CACHE_LL | PERF_COUNT_HW_CACHE_OP_READ << 8;

/* Four times the cache: the previous walk has left no line that the next one needs. */
#define AREA	(4096L * 1024)
#define LINE	64
#define PAGE	4096

enum access { LOAD, STORE, CALL };

static const struct walk {
	const char *name;
	enum access access;
	long step;
	int core, atom, amd;
	long more;		/* tolerance: events of the walk's code and of interrupts */
} walks[] = {
	{ "cache references by lines", LOAD, LINE, 0x4f2e, 0x4f2e, 0xff64, 0 },
	{ "cache misses", LOAD, LINE, 0x412e, 0x412e, 0x0964, 0 },
	{ "cache misses by stores", STORE, LINE, 0x412e, 0x412e, 0x0964, 0 },
	{ "dTLB load misses", LOAD, PAGE, 0x0e12, 0x0e08, 0xf045, 4 },
	{ "dTLB store misses", STORE, PAGE, 0x0e13, 0x0e49, 0xf045, 4 },
	{ "ITLB misses", CALL, PAGE, 0x0e11, 0x0e85, 0x0f85, 2 },
};

static const struct walk llc_load_misses = { "LLC load misses", LOAD, LINE, 0, 0, 0, 0 };

static int failures;
static const char *where;
static int cpi;		/* as scripts/vm configures the machine */

static void fail(const char *what, const char *how, long long found, long long expected)
{
	printf("%s: %s: %s %lld, expected %lld\n", where, what, how, found, expected);
	failures++;
}

static int open_event(int type, long code, long period)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = code,
		.disabled = 1,
		.exclude_kernel = 1,
		.sample_period = period,
		.sample_type = period ? PERF_SAMPLE_READ : 0,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static long long count(int fd)
{
	long long value = -1;

	if (read(fd, &value, sizeof(value)) != sizeof(value))
		fail("read", strerror(errno), -1, 0);
	return value;
}

/*
 * Switch this thread's events on, execute the loop, switch them off. The red zone of the
 * stack is not used.
 */
static void loop(long rounds)
{
	long a = SYS_prctl, d = PR_TASK_PERF_EVENTS_ENABLE, left = rounds, v = 0;
	long memory = 0;

	asm volatile("sub $128, %%rsp\n"
		     "syscall\n"
		     "1: mov (%[memory]), %[v]\n"
		     "mov %[v], (%[memory])\n"
		     "addq $1, (%[memory])\n"
		     "push %[v]\n"
		     "pop %[v]\n"
		     "test $1, %[left]\n"
		     "jz 2f\n"
		     "xor %k[v], %k[v]\n"
		     "2: call 3f\n"
		     "jmp 4f\n"
		     "3: ret\n"
		     "4: sub $1, %[left]\n"
		     "jnz 1b\n"
		     "mov %[prctl], %%eax\n"
		     "mov %[disable], %%edi\n"
		     "syscall\n"
		     "add $128, %%rsp\n"
		     : "+a"(a), "+D"(d), [left]"+r"(left), [v]"+r"(v)
		     : "S"(0L), [memory]"r"(&memory), [prctl]"i"(SYS_prctl),
		       [disable]"i"(PR_TASK_PERF_EVENTS_DISABLE)
		     : "memory", "cc", "rcx", "r11");
}

static long expectation(const struct event *e)
{
	return e->cycles ? cpi * INSTRUCTIONS - e->expected : e->expected;
}

static void check_count(int type, const struct event *e, long code)
{
	long long first, again, expected = expectation(e);
	int fd = open_event(type, code, 0);

	if (fd < 0) {
		fail(e->name, strerror(errno), fd, 0);
		return;
	}
	loop(ROUNDS);
	first = count(fd);
	printf("%s: %s: %lld\n", where, e->name, first);
	if (first < expected || first > expected + e->more)
		fail(e->name, "counted", first, expected);
	loop(ROUNDS);
	again = count(fd) - first;
	if (!e->more && again != first)
		fail(e->name, "counted the second time", again, first);
	close(fd);
}

#define RING_SIZE	(256L * 1024)

/* The emulator handles an event during a block of code at the end of the block. */
static void check_samples(int type, const struct event *e, long code)
{
	int fd = open_event(type, code, PERIOD);
	struct perf_event_mmap_page *page;
	long long n = 0, total;

	page = mmap(NULL, getpagesize() + RING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED) {
		fail(e->name, strerror(errno), fd, 0);
		return;
	}
	loop(ROUNDS);
	total = count(fd);
	for (unsigned long at = 0; at < page->data_head;) {
		const struct perf_event_header *h =
			(void *)((char *)page + page->data_offset + at);
		const long long *value = (void *)(h + 1);

		n++;
		if (h->type != PERF_RECORD_SAMPLE)
			fail(e->name, "a record of type", h->type, PERF_RECORD_SAMPLE);
		else if (*value < n * PERIOD || *value > n * PERIOD + ACCESSES)
			fail(e->name, "a sample at", *value, n * PERIOD);
		at += h->size;
	}
	printf("%s: %s: %lld samples of %lld\n", where, e->name, n, total);
	if (n != total / PERIOD)
		fail(e->name, "samples", n, total / PERIOD);
	munmap(page, getpagesize() + RING_SIZE);
	close(fd);
}

/*
 * Switch this thread's events on, access the area from @at to @end in steps, switch them
 * off. The area contains return instructions, for calls.
 */
static void walk(const char *at, const char *end, long step, enum access access)
{
	long a = SYS_prctl, d = PR_TASK_PERF_EVENTS_ENABLE;

	asm volatile("sub $128, %%rsp\n"
		     "syscall\n"
		     "1: cmp %[store], %k[access]\n"
		     "je 2f\n"
		     "ja 3f\n"
		     "movb (%[at]), %%al\n"
		     "jmp 4f\n"
		     "2: movb $0xc3, (%[at])\n"
		     "jmp 4f\n"
		     "3: call *%[at]\n"
		     "4: add %[step], %[at]\n"
		     "cmp %[end], %[at]\n"
		     "jb 1b\n"
		     "mov %[prctl], %%eax\n"
		     "mov %[disable], %%edi\n"
		     "syscall\n"
		     "add $128, %%rsp\n"
		     : "+a"(a), "+D"(d), [at]"+r"(at)
		     : "S"(0L), [end]"r"(end), [step]"r"(step), [access]"r"(access),
		       [store]"i"(STORE), [prctl]"i"(SYS_prctl),
		       [disable]"i"(PR_TASK_PERF_EVENTS_DISABLE)
		     : "memory", "cc", "rcx", "r11");
}

/*
 * In the second walk each step misses, in the cache or in a TLB that was just flushed. In
 * the first walk the cache may still have lines of the pages' earlier contents.
 */
static void check_walk(int type, const struct walk *w, long code)
{
	const int all = PROT_READ | PROT_WRITE | PROT_EXEC;
	int fd = open_event(type, code, 0);
	char *area = mmap(NULL, AREA, all, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long expected = AREA / w->step;
	long long before = 0, n;

	if (fd < 0 || area == MAP_FAILED) {
		fail(w->name, strerror(errno), fd, 0);
		close(fd);
		return;
	}
	/* Some kernels have no such event, and return an error. */
	madvise(area, AREA, MADV_NOHUGEPAGE);
	memset(area, 0xc3, AREA);
	for (int i = 0; i < 2; i++) {
		before = count(fd);
		if (mprotect(area, AREA, PROT_NONE) || mprotect(area, AREA, all))
			fail(w->name, strerror(errno), -1, 0);
		walk(area, area + AREA, w->step, w->access);
	}
	n = count(fd) - before;
	printf("%s: %s: %lld\n", where, w->name, n);
	if (n < expected || n > expected + w->more)
		fail(w->name, "counted", n, expected);
	munmap(area, AREA);
	close(fd);
}

static sigjmp_buf refused;

static void on_fault(int signal)
{
	(void)signal;
	siglongjmp(refused, 1);
}

static bool may_read(unsigned int counter)
{
	unsigned int low, high;
	bool may = false;

	signal(SIGSEGV, on_fault);
	if (!sigsetjmp(refused, 1)) {
		asm volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
		may = true;
	}
	signal(SIGSEGV, SIG_DFL);
	return may;
}

/*
 * RDPMC in user mode, exact to the instruction: it works while the kernel permits it, and
 * only for existing counters.
 */
static void check_rdpmc(int type, int code)
{
	static const unsigned int absent[] = { 16, 0x1000, 0x40000008, 0x80000000 };
	int fd = open_event(type, code, 0);
	struct perf_event_mmap_page *page;
	unsigned int counter, first, last;

	if (may_read(0))
		fail("RDPMC", "without permission", 1, 0);
	page = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);
	if (fd < 0 || page == MAP_FAILED) {
		fail("RDPMC", strerror(errno), fd, 0);
		return;
	}
	prctl(PR_TASK_PERF_EVENTS_ENABLE);
	if (!page->index) {
		fail("RDPMC", "the event has no counter", 0, 1);
		return;
	}
	counter = page->index - 1;
	asm volatile("rdpmc\n"
		     "mov %%eax, %[first]\n"
		     "mov $1000, %%eax\n"
		     "1: sub $1, %%eax\n"
		     "jnz 1b\n"
		     "rdpmc\n"
		     : "=a"(last), [first]"=&r"(first) : "c"(counter) : "rdx", "cc");
	if (last - first != 2 + 2 * 1000 + 1)
		fail("RDPMC", "instructions", last - first, 2003);
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		if (may_read(absent[i]))
			fail("RDPMC", "counter that is not there", absent[i], 0);
	munmap(page, getpagesize());
	close(fd);
}

static long read_number(const char *pmu, const char *name)
{
	char path[300];
	long n = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/%s", pmu, name);
	f = fopen(path, "r");
	if (!f)
		return -1;
	/* The file of an event contains event=0x... */
	if (fscanf(f, "event=%li", &n) != 1 && fscanf(f, "%ld", &n) != 1)
		n = -1;
	fclose(f);
	return n;
}

#define MSRS	3
#define TRIES	5
/* Compared with this, a reading takes no time. */
#define LONG	(10 * ROUNDS)

static bool about(long long n, long long expected)
{
	return n >= expected && n <= expected + expected / 4;
}

/* Return: are all counts about right? */
static bool try_msrs(const int fd[MSRS], int nr, const long long expected[MSRS], long long n[MSRS])
{
	long long before[MSRS];
	bool good = true;

	for (int i = 0; i < nr; i++)
		before[i] = count(fd[i]);
	loop(LONG);
	for (int i = 0; i < nr; i++) {
		n[i] = count(fd[i]) - before[i];
		good &= about(n[i], expected[i]);
	}
	return good;
}

/*
 * The registers that always count, by the kernel's PMU "msr": reference cycles, core
 * cycles, and AMD's instructions, in all modes. They include the kernel's work, which
 * varies.
 */
static void check_msrs(bool amd)
{
	static const char *const names[MSRS] = { "events/mperf", "events/aperf", "events/irperf" };
	const long long instructions = EXECUTED(LONG);
	const long long expected[MSRS] = { instructions, cpi * instructions, instructions };
	int nr = 2 + amd, fd[MSRS];
	long long n[MSRS];

	for (int i = 0; i < nr; i++) {
		struct perf_event_attr attr = {
			.type = read_number("msr", "type"),
			.size = sizeof(attr),
			.config = read_number("msr", names[i]),
			.disabled = 1,
		};

		fd[i] = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
		if (fd[i] < 0) {
			fail(names[i], strerror(errno), fd[i], 0);
			return;
		}
	}
	for (int i = 0; i < TRIES && !try_msrs(fd, nr, expected, n); i++)
		;
	for (int i = 0; i < nr; i++) {
		printf("%s: %s: %lld\n", where, names[i], n[i]);
		if (!about(n[i], expected[i]))
			fail(names[i], "counted", n[i], expected[i]);
		close(fd[i]);
	}
}

static long code_on(const char *pmu, int core, int atom, long amd)
{
	return !strcmp(pmu, "cpu_core") ? core : !strcmp(pmu, "cpu_atom") ? atom : amd;
}

/* Examine a PMU on this CPU. */
static void examine(const char *pmu, const char *name, int cpu, int cycles)
{
	const struct sched_param one = { .sched_priority = 1 };
	int type = read_number(pmu, "type");
	cpu_set_t cpus;

	where = name;
	cpi = cycles;
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || sched_setscheduler(0, SCHED_FIFO, &one))
		fail("CPU", strerror(errno), cpu, cpu);
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		const struct event *e = &events[i];
		long code = code_on(pmu, e->core, e->atom, e->amd);

		if (!code)
			continue;
		check_count(type, e, code);
		if (!e->more && expectation(e) > PERIOD)
			check_samples(type, e, code);
	}
	for (size_t i = 0; i < sizeof(walks) / sizeof(*walks); i++)
		check_walk(type, &walks[i],
			   code_on(pmu, walks[i].core, walks[i].atom, walks[i].amd));
	/* The driver uses another register, OFFCORE_RSP, for these. */
	if (strcmp(pmu, "cpu")) {
		check_count(PERF_TYPE_HW_CACHE, &cache_loads, cache_read | (long)type << 32);
		check_walk(PERF_TYPE_HW_CACHE, &llc_load_misses,
			   cache_read | PERF_COUNT_HW_CACHE_RESULT_MISS << 16 | (long)type << 32);
	}
	check_rdpmc(type, 0xc0);
	check_msrs(!strcmp(pmu, "cpu"));
}

/* A P-core uses one of the six slots of a cycle; the back end leaves the others. */
static void check_slots(int type)
{
	static const int codes[] = { 0x400, 0x8000, 0x8300 };
	const long slots = 6 * INSTRUCTIONS, expected[] = { slots, slots / 6, slots * 5 / 6 };
	int fd[3];

	for (int i = 0; i < 3; i++) {
		struct perf_event_attr attr = {
			.type = type,
			.size = sizeof(attr),
			.config = codes[i],
			.disabled = !i,
			.exclude_kernel = 1,
		};

		fd[i] = syscall(SYS_perf_event_open, &attr, 0, -1, i ? fd[0] : -1, 0);
		if (fd[i] < 0) {
			fail("slots", strerror(errno), fd[i], 0);
			return;
		}
	}
	loop(ROUNDS);
	for (int i = 0; i < 3; i++) {
		long long n = count(fd[i]);

		printf("%s: slots, event %#x: %lld\n", where, codes[i], n);
		/* The other values are in units of 1/255 of the slots. */
		if (i ? llabs(n - expected[i]) > slots / 255 : n != slots)
			fail("slots", "counted", n, expected[i]);
	}
	for (int i = 0; i < 3; i++)
		close(fd[i]);
}

/* The L3 cache's counters: of all cores, of this one, of another one. */
static void check_l3(int cpu)
{
	const unsigned long lookups = 0xff04 | 1UL << 46 | 3UL << 56, all = 1UL << 47;
	const unsigned long configs[] = {
		lookups | all, lookups | (unsigned long)cpu << 42, lookups };
	const long expected[] = { ACCESSES * LONG, ACCESSES * LONG, 0 };

	for (int i = 0; i < 3; i++) {
		struct perf_event_attr attr = {
			.type = read_number("amd_l3", "type"),
			.size = sizeof(attr),
			.config = configs[i],
		};
		int fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
		long long n;

		if (fd < 0) {
			fail("amd_l3", strerror(errno), fd, 0);
			return;
		}
		loop(LONG);
		n = count(fd);
		printf("L3 lookups: %lld\n", n);
		if (n < expected[i] || n > expected[i] + ACCESSES * LONG / 2)
			fail("L3 lookups", "counted", n, expected[i]);
		close(fd);
	}
}

int main(void)
{
	long core = read_number("cpu_core", "cpus"), atom = read_number("cpu_atom", "cpus");
	int last = sysconf(_SC_NPROCESSORS_ONLN) - 1;

	if (core >= 0) {
		examine("cpu_core", "P-core", core, 1);
		check_slots(read_number("cpu_core", "type"));
	}
	if (atom >= 0)
		examine("cpu_atom", "E-core", atom, 2);
	if (read_number("cpu", "type") >= 0) {
		examine("cpu", "Zen 4", 0, 1);
		if (last) {
			examine("cpu", "Zen 4c", last, 2);
			check_l3(last);
		}
	} else if (core < 0) {
		puts("no PMU");
		return 1;
	}
	return failures != 0;
}
