// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated Arm PMUs' other events, as machine/pmu_counts tests instructions and
 * cycles. The kernel's own perf_event counts and samples known numbers of loads, stores,
 * branches and exceptions on each type of core.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf.h"
#include "vm.h"

#define ROUNDS	20000L
#define PERIOD	2003	/* not so short that perf_event throttles the samples */
#define RING	(256L * 1024)

/* Events of a round of the loop */
enum { LOADS = 4, STORES = 4, BRANCHES = 5 };

static const struct event {
	const char *name;
	int code;
	long expected;
	long more;	/* tolerance above the expected number */
} events[] = {
	{ "LD_RETIRED", 0x06, LOADS * ROUNDS, 0 },
	{ "ST_RETIRED", 0x07, STORES * ROUNDS, 0 },
	{ "LD_SPEC", 0x70, LOADS * ROUNDS, 0 },
	{ "ST_SPEC", 0x71, STORES * ROUNDS, 0 },
	{ "BR_PRED", 0x12, BRANCHES * ROUNDS, 0 },
	{ "BR_RETIRED", 0x21, BRANCHES * ROUNDS, 0 },
	/* One branch is taken in each second round. The others are predicted after a few rounds. */
	{ "BR_MIS_PRED", 0x10, ROUNDS / 2, ROUNDS / 2 + 8 },
	{ "BR_MIS_PRED_RETIRED", 0x22, ROUNDS / 2, ROUNDS / 2 + 8 },
	/* The system call that ends the loop, and interrupts */
	{ "EXC_TAKEN", 0x09, 1, 10 },
};

/* The first and the last CPU of each PMU are examined. */
static const char *const pmus[] = {
	"armv8_cortex_a72", "armv8_cortex_a57", "armv8_cortex_a53", "armv8_pmuv3", "armv8_pmuv3_0",
};

static const char *where;

/* Switch this thread's events on, execute the loop, switch them off. */
static void loop(void)
{
	register long nr asm("x8") = SYS_prctl;
	register long option asm("x0") = PR_TASK_PERF_EVENTS_ENABLE;
	long memory[2] = { 0, 0 }, left = ROUNDS;

	asm volatile("svc #0\n"
		     "1: ldr x9, [%[memory]]\n"
		     "str x9, [%[memory]]\n"
		     "ldp x9, x10, [%[memory]]\n"
		     "stp x9, x10, [%[memory]]\n"
		     "ldr q0, [%[memory]]\n"
		     "str q0, [%[memory]]\n"
		     "ldxr x9, [%[memory]]\n"
		     "stxr w10, x9, [%[memory]]\n"
		     "tbz %[left], #0, 2f\n"
		     "nop\n"
		     "2: bl 3f\n"
		     "b 4f\n"
		     "3: ret\n"
		     "4: subs %[left], %[left], #1\n"
		     "b.ne 1b\n"
		     "mov x0, %[disable]\n"
		     "svc #0\n"
		     : "+r"(option), [left]"+r"(left)
		     : "r"(nr), [memory]"r"(memory), [disable]"i"(PR_TASK_PERF_EVENTS_DISABLE)
		     : "memory", "cc", "x9", "x10", "x30", "v0");
}

static void check_count(int type, const struct event *e)
{
	int fd = perf_sampled(type, e->code, 0);

	for (int i = 1; i <= 2; i++) {
		loop();
		within(perf_count(fd), i * e->expected, i * (e->expected + e->more), "%s: %s, time %d",
		       where, e->name, i);
	}
	close(fd);
}

/* The emulator handles an overflow at the end of its block of code. */
static void check_samples(int type, const struct event *e)
{
	int fd = perf_sampled(type, e->code, PERIOD);
	struct perf_event_mmap_page *page;
	long long n = 0;

	page = mmap(NULL, getpagesize() + RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		die("%s: no memory", e->name);
	loop();
	for (unsigned long at = 0; at < page->data_head;) {
		const struct perf_event_header *h =
			(void *)((char *)page + page->data_offset + at);
		const long long *value = (void *)(h + 1);

		n++;
		same(h->type, PERF_RECORD_SAMPLE, "%s: record of %s", where, e->name);
		within(*value, n * PERIOD, n * PERIOD + LOADS, "%s: sample of %s", where, e->name);
		at += h->size;
	}
	same(n, e->expected / PERIOD, "%s: samples of %s", where, e->name);
	munmap(page, getpagesize() + RING);
	close(fd);
}

static void examine(const char *pmu, int cpu)
{
	int type = pmu_number(pmu, "type", false);
	char text[100];

	snprintf(text, sizeof(text), "%s, CPU %d", pmu, cpu);
	where = text;
	puts(text);
	pin(0, cpu);
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		check_count(type, &events[i]);
		if (!events[i].more)
			check_samples(type, &events[i]);
	}
}

int main(void)
{
	int nr = 0;

	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		if (pmu_number(pmus[i], "type", false) < 0)
			continue;
		examine(pmus[i], pmu_number(pmus[i], "cpus", false));
		examine(pmus[i], pmu_number(pmus[i], "cpus", true));
		nr++;
	}
	CHECK(nr, "no PMU that this test knows");
	return result();
}
