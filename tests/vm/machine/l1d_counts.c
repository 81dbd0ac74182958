// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated level 1 data caches' events, as machine/pmu_counts tests instructions
 * and cycles. The kernel's own perf_event counts and samples walks over memory on each type of
 * core. A cache replaces the line that was used least recently, so that the hits and misses of a
 * walk are known. The place in a way is that of the virtual address, also on x86, where a way is
 * a page.
 *
 * The cache has the accesses of user mode only, since nothing is counted in the kernel. While
 * nothing is counted, the cache remains as it is.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf.h"
#include "vm.h"

#define WORD	8L
#define LINE	64L
#ifdef __aarch64__
#define WAYS	2
#define SETS	256
#else
#define WAYS	8
#define SETS	64
#endif
#define WAY	(SETS * LINE)
#define CACHE	(WAYS * WAY)
#define LINES	(CACHE / LINE)
#define MORE	16	/* lines */
#define AREA	(2 * CACHE)

#define PERIOD	2003	/* not so short that perf_event throttles the samples */
#define ROUNDS	50
#define RING	(256L * 1024)

/* What an event counts */
enum { LOAD_HIT = 1, LOAD_MISS = 2, STORE_HIT = 4, STORE_MISS = 8 };

struct event {
	const char *name;
	int code;
	int kinds;
};

#ifdef __aarch64__
static const struct event arm[] = {
	{ "L1D_CACHE", 0x04, LOAD_HIT | LOAD_MISS | STORE_HIT | STORE_MISS },
	{ "L1D_CACHE_REFILL", 0x03, LOAD_MISS | STORE_MISS },
	{ "L1D_CACHE_RD", 0x40, LOAD_HIT | LOAD_MISS },
	{ "L1D_CACHE_WR", 0x41, STORE_HIT | STORE_MISS },
	{ "L1D_CACHE_REFILL_RD", 0x42, LOAD_MISS },
	{ "L1D_CACHE_REFILL_WR", 0x43, STORE_MISS },
	{ NULL, 0, 0 },
};
#else
static const struct event core[] = {
	{ "loads that hit", 0x01d1, LOAD_HIT },
	{ "loads that miss", 0x08d1, LOAD_MISS },
	{ "lines brought in", 0x0151, LOAD_MISS | STORE_MISS },
	{ "lines requested by loads", 0xe124, LOAD_MISS },
	{ "lines requested by stores", 0xe224, STORE_MISS },
	{ NULL, 0, 0 },
};

static const struct event atom[] = {
	{ "loads that hit", 0x01d1, LOAD_HIT },
	{ "loads that miss", 0x08d1, LOAD_MISS },
	{ NULL, 0, 0 },
};

static const struct event zen[] = {
	{ "misses", 0x3f41, LOAD_MISS | STORE_MISS },
	{ "loads that miss", 0x0141, LOAD_MISS },
	{ "stores that miss", 0x0241, STORE_MISS },
	{ "requests of level 2", 0xe860, LOAD_MISS | STORE_MISS },
	{ "requests to read", 0x8060, LOAD_MISS },
	{ "requests to write", 0x4060, STORE_MISS },
	{ NULL, 0, 0 },
};
#endif

/* The first and the last CPU of each PMU are examined. */
static const struct pmu {
	const char *name;
	const struct event *events;
} pmus[] = {
#ifdef __aarch64__
	{ "armv8_cortex_a72", arm },
	{ "armv8_cortex_a57", arm },
	{ "armv8_cortex_a53", arm },
	{ "armv8_pmuv3", arm },
	{ "armv8_pmuv3_0", arm },
#else
	{ "cpu_core", core },
	{ "cpu_atom", atom },
	{ "cpu", zen },
#endif
};

static const struct walk {
	const char *name;
	bool store;
	bool again;	/* the second one is counted, not the first one */
	long size, step;
	long hits;	/* all other accesses miss */
} walks[] = {
	{ "loads", false, false, CACHE, LINE, 0 },
	{ "loads again", false, true, CACHE, LINE, LINES },
	{ "stores", true, false, CACHE, LINE, 0 },
	{ "stores again", true, true, CACHE, LINE, LINES },
	{ "words loaded", false, false, AREA, WORD, (LINE / WORD - 1) * AREA / LINE },
	{ "words stored", true, false, AREA, WORD, (LINE / WORD - 1) * AREA / LINE },
	/* Each line is replaced before it is used again, in all sets or in some of these. */
	{ "a way too much", false, true, CACHE + WAY, LINE, 0 },
	{ "lines too much", false, true, CACHE + MORE * LINE, LINE, (SETS - MORE) * WAYS },
	{ "stored lines too much", true, true, CACHE + MORE * LINE, LINE, (SETS - MORE) * WAYS },
};

static const char *where;
static char *area, *other;

/*
 * Switch this thread's events on, load or store bytes from @at to @end, switch them off. The
 * red zone of the stack is not used.
 */
#ifdef __aarch64__
static void walk(char *at, const char *end, long step, bool store)
{
	register long nr asm("x8") = SYS_prctl;
	register long option asm("x0") = PR_TASK_PERF_EVENTS_ENABLE;

	asm volatile("svc #0\n"
		     "1: cbnz %w[store], 2f\n"
		     "ldrb w9, [%[at]]\n"
		     "b 3f\n"
		     "2: strb w9, [%[at]]\n"
		     "3: add %[at], %[at], %[step]\n"
		     "cmp %[at], %[end]\n"
		     "b.lo 1b\n"
		     "mov x0, %[disable]\n"
		     "svc #0\n"
		     : "+r"(option), [at]"+r"(at)
		     : "r"(nr), [end]"r"(end), [step]"r"(step), [store]"r"((int)store),
		       [disable]"i"(PR_TASK_PERF_EVENTS_DISABLE)
		     : "memory", "cc", "x9");
}
#else
static void walk(char *at, const char *end, long step, bool store)
{
	long a = SYS_prctl, d = PR_TASK_PERF_EVENTS_ENABLE;

	asm volatile("sub $128, %%rsp\n"
		     "syscall\n"
		     "1: test %k[store], %k[store]\n"
		     "jnz 2f\n"
		     "movb (%[at]), %%al\n"
		     "jmp 3f\n"
		     "2: movb $1, (%[at])\n"
		     "3: add %[step], %[at]\n"
		     "cmp %[end], %[at]\n"
		     "jb 1b\n"
		     "mov %[prctl], %%eax\n"
		     "mov %[disable], %%edi\n"
		     "syscall\n"
		     "add $128, %%rsp\n"
		     : "+a"(a), "+D"(d), [at]"+r"(at)
		     : "S"(0L), [end]"r"(end), [step]"r"(step), [store]"r"((int)store),
		       [prctl]"i"(SYS_prctl), [disable]"i"(PR_TASK_PERF_EVENTS_DISABLE)
		     : "memory", "cc", "rcx", "r11");
}
#endif

/* The cache has lines of this memory afterwards, and no others. */
static void fill(char *memory)
{
	walk(memory, memory + CACHE, LINE, false);
}

static long expectation(const struct event *e, bool store, long hits, long misses)
{
	long n = 0;

	if (e->kinds & (store ? STORE_HIT : LOAD_HIT))
		n += hits;
	if (e->kinds & (store ? STORE_MISS : LOAD_MISS))
		n += misses;
	return n;
}

static void check_walk(int fd, const struct event *e, const struct walk *w)
{
	long hits = w->hits, misses = w->size / w->step - hits;
	long long before;

	fill(other);
	if (w->again)
		walk(area, area + w->size, w->step, w->store);
	before = perf_count(fd);
	walk(area, area + w->size, w->step, w->store);
	same(perf_count(fd) - before, expectation(e, w->store, hits, misses), "%s: %s: %s", where,
	     e->name, w->name);
}

/* Stores bring lines in, as loads do. */
static void check_stored_lines(int fd, const struct event *e)
{
	long long before;

	fill(other);
	walk(area, area + CACHE, LINE, true);
	before = perf_count(fd);
	fill(area);
	same(perf_count(fd) - before, expectation(e, false, LINES, 0), "%s: %s: loads of stored lines",
	     where, e->name);
}

/* The first way's lines are used after those of each other way. These replace each other. */
static void check_used_lines(int fd, const struct event *e)
{
	long long before = 0;

	fill(other);
	for (int round = 0; round < 2; round++) {
		before = perf_count(fd);
		for (int way = 1; way <= WAYS; way++) {
			walk(area, area + WAY, LINE, false);
			walk(area + way * WAY, area + (way + 1) * WAY, LINE, false);
		}
	}
	same(perf_count(fd) - before, expectation(e, false, LINES, LINES), "%s: %s: lines often used",
	     where, e->name);
}

static void check_counts(int type, const struct event *e)
{
	int fd = perf_sampled(type, e->code, 0);

	for (size_t i = 0; i < sizeof(walks) / sizeof(walks[0]); i++)
		check_walk(fd, e, &walks[i]);
	check_stored_lines(fd, e);
	check_used_lines(fd, e);
	close(fd);
}

/* The emulator handles an overflow at the end of its block of code, which has an access. */
static void check_ring(const struct perf_event_mmap_page *page, const struct event *e,
		       long long total)
{
	long long n = 0;

	for (unsigned long at = 0; at < page->data_head;) {
		const struct perf_event_header *h =
			(void *)((char *)page + page->data_offset + at);
		const long long *value = (void *)(h + 1);

		n++;
		same(h->type, PERF_RECORD_SAMPLE, "%s: record of %s", where, e->name);
		same(*value, n * PERIOD, "%s: sample of %s", where, e->name);
		at += h->size;
	}
	same(n, total / PERIOD, "%s: samples of %s", where, e->name);
}

static void check_samples(int type, const struct event *e)
{
	bool store = !(e->kinds & (LOAD_HIT | LOAD_MISS));
	int fd = perf_sampled(type, e->code, PERIOD);
	struct perf_event_mmap_page *page;

	page = mmap(NULL, getpagesize() + RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		die("%s: no memory", e->name);
	for (int i = 0; i < ROUNDS; i++)
		walk(area, area + AREA, WORD, store);
	CHECK(perf_count(fd) > 10 * PERIOD, "%s: %s: few events", where, e->name);
	check_ring(page, e, perf_count(fd));
	munmap(page, getpagesize() + RING);
	close(fd);
}

static void examine(const struct pmu *pmu, int cpu)
{
	int type = pmu_number(pmu->name, "type", false);
	char text[100];

	snprintf(text, sizeof(text), "%s, CPU %d", pmu->name, cpu);
	where = text;
	puts(text);
	pin(0, cpu);
	for (const struct event *e = pmu->events; e->name; e++) {
		check_counts(type, e);
		check_samples(type, e);
	}
}

static char *touched_memory(long size)
{
	char *memory = aligned_alloc(WAY, size);

	if (!memory)
		die("no memory");
	memset(memory, 1, size);
	return memory;
}

int main(void)
{
	int nr = 0;

	area = touched_memory(AREA);
	other = touched_memory(CACHE);
	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		const struct pmu *pmu = &pmus[i];

		if (pmu_number(pmu->name, "type", false) < 0)
			continue;
		examine(pmu, pmu_cpu(pmu->name, false));
		examine(pmu, pmu_cpu(pmu->name, true));
		nr++;
	}
	CHECK(nr, "no PMU that this test knows");
	return result();
}
