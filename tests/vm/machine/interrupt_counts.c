// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated PMUs' event of interrupts, as machine/pmu_counts tests instructions
 * and cycles. The kernel's own perf_event counts a CPU's interrupts while /proc/interrupts
 * counts them, too. Each belongs to the mode that it interrupts, so those of user mode and
 * those of the kernel add up to all.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf.h"
#include "vm.h"

#define ROUNDS	100
#define LOOPS	1000000L	/* of a round: two milliseconds or more */
#define PERIOD	5

/* The event, and whose it is: the first and the last CPU of each PMU are examined. */
static const struct pmu {
	const char *name;
	int code;
} pmus[] = {
#ifdef __aarch64__
	{ "armv8_cortex_a72", 0x86 },
	{ "armv8_cortex_a57", 0x86 },
	{ "armv8_cortex_a53", 0x86 },
	{ "armv8_pmuv3", 0x86 },
	{ "armv8_pmuv3_0", 0x86 },
#else
	{ "cpu", 0x2c },
#endif
};

/* Rows of /proc/interrupts with no interrupt of the event: NMIs, exceptions, errors */
static const char *const others[] = { "NMI", "PMI", "MCE", "MCP", "RTR", "ERR", "MIS", "Err" };

/*
 * A sample may come one interrupt late. On arm64 the PMU's own interrupt may be one of user
 * mode's. On x86 Linux sets a counter to two events or more, also where the thread was switched
 * out with one left (x86_perf_event_set_period()).
 */
#define LATE	1

enum { ALL, USER, KERNEL, MODES };

static const char *where;

static bool is_other(const char *name)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (!strncmp(name, others[i], strlen(others[i])))
			return true;
	return false;
}

/* The number in a column of a row, or 0 */
static long long column(char *row, int cpu)
{
	char *name = strtok(row, ":"), *word = NULL;

	while (*name == ' ')
		name++;
	if (is_other(name))
		return 0;
	for (int i = 0; i <= cpu; i++)
		word = strtok(NULL, " \n");
	return word ? atoll(word) : 0;
}

/* The interrupts that the kernel has handled on this CPU. */
static long long handled(int cpu)
{
	static char row[4096];
	long long sum = 0;
	FILE *f = fopen("/proc/interrupts", "r");

	if (!f || !fgets(row, sizeof(row), f))
		die("/proc/interrupts: %s", strerror(errno));
	while (fgets(row, sizeof(row), f))
		if (strchr(row, ':'))
			sum += column(row, cpu);
	fclose(f);
	return sum;
}

static int open_event(int type, int code, int cpu, int mode, int group)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = code,
		.exclude_user = mode == KERNEL,
		.exclude_kernel = mode == USER,
		.read_format = group < 0 ? PERF_FORMAT_GROUP : 0,
	};

	return perf_open(&attr, -1, cpu, group);
}

struct counts {
	uint64_t nr;
	uint64_t values[MODES];
};

static struct counts read_group(int fd)
{
	struct counts counts;

	if (read(fd, &counts, sizeof(counts)) != sizeof(counts))
		die("%s: no counts", where);
	return counts;
}

/* The kernel's number changes between two readings of the PMU's. */
struct moment {
	struct counts before, after;
	long long handled;
};

static struct moment now(int fd, int cpu)
{
	struct moment moment;

	moment.before = read_group(fd);
	moment.handled = handled(cpu);
	moment.after = read_group(fd);
	return moment;
}

static void spin_rounds(void)
{
	for (int i = 0; i < ROUNDS; i++)
		spin(LOOPS);
}

static void check_counts(const struct pmu *pmu, int type, int cpu)
{
	int fds[MODES];
	struct moment first, last;
	long long counted[MODES];

	for (int i = 0; i < MODES; i++)
		fds[i] = open_event(type, pmu->code, cpu, i, i ? fds[0] : -1);
	first = now(fds[0], cpu);
	spin_rounds();
	last = now(fds[0], cpu);
	/* The events began one after the other, and an interrupt may have come between them. */
	for (int i = 0; i < MODES; i++)
		counted[i] = last.after.values[i] - first.before.values[i];
	printf("%s: %lld handled, %lld counted, %lld of them in user mode\n", where,
	       last.handled - first.handled, counted[ALL], counted[USER]);
	within(last.handled - first.handled,
	       last.before.values[ALL] - first.after.values[ALL],
	       last.after.values[ALL] - first.before.values[ALL], "%s: interrupts", where);
	same(counted[USER] + counted[KERNEL], counted[ALL], "%s: interrupts of both modes", where);
	CHECK(counted[USER] > ROUNDS / 4, "%s: few interrupts in user mode", where);
	for (int i = 0; i < MODES; i++)
		close(fds[i]);
}

/* In user mode, the only one in which the event is counted */
static void check_samples(const struct pmu *pmu, int type)
{
	struct perf_event_attr attr = {
		.type = type,
		.config = pmu->code,
		.exclude_kernel = 1,
		.sample_period = PERIOD,
		.sample_type = PERF_SAMPLE_READ,
	};
	int fd = perf_open(&attr, 0, -1, -1);
	struct perf_event_mmap_page *page = mmap(NULL, 2 * getpagesize(), PROT_READ | PROT_WRITE,
						 MAP_SHARED, fd, 0);
	long long total, n = 0;

	if (page == MAP_FAILED)
		die("%s: no memory", where);
	spin_rounds();
	if (read(fd, &total, sizeof(total)) != sizeof(total))
		die("%s: no count", where);
	for (unsigned long at = 0; at < page->data_head;) {
		const struct perf_event_header *h =
			(void *)((char *)page + page->data_offset + at);

		n++;
		same(h->type, PERF_RECORD_SAMPLE, "%s: record", where);
		within(*(const long long *)(h + 1), n * PERIOD, n * PERIOD + LATE, "%s: sample",
		       where);
		at += h->size;
	}
	within(n, (total - LATE) / PERIOD, total / PERIOD, "%s: samples", where);
	munmap(page, 2 * getpagesize());
	close(fd);
}

static void examine(const struct pmu *pmu, int cpu)
{
	int type = pmu_number(pmu->name, "type", false);
	char text[100];

	snprintf(text, sizeof(text), "%s, CPU %d", pmu->name, cpu);
	where = text;
	pin(0, cpu);
	check_counts(pmu, type, cpu);
	check_samples(pmu, type);
}

int main(void)
{
	int nr = 0;

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
