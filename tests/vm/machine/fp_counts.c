// SPDX-License-Identifier: GPL-2.0
/*
 * A test of the emulated PMUs' floating-point events, as machine/pmu_counts tests instructions
 * and cycles. The kernel's own perf_event counts and samples known numbers of them on each type
 * of core.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "fp_work.h"
#include "perf.h"
#include "vm.h"

#define ROUNDS	20000L
#define PERIOD	2003	/* not so short that perf_event throttles the samples */
#define RING	(256L * 1024)

struct event {
	const char *name;
	int code;
	int expected;	/* in a round */
	int avx;	/* in a round of the other loop */
};

#ifdef __aarch64__
static const struct event spec[] = {
	{ "VFP_SPEC", 0x75, FP_SCALAR, 0 },
	{ "ASE_SPEC", 0x74, FP_VECTOR, 0 },
	{ NULL, 0, 0, 0 },
};
#else
static const struct event core[] = {
	{ "scalar, double", 0x01c7, FP_SCALAR_DOUBLE, FP_AVX_SCALAR_DOUBLE },
	{ "scalar, single", 0x02c7, FP_SCALAR_SINGLE, FP_AVX_SCALAR_SINGLE },
	{ "128 bits, double", 0x04c7, FP_128_DOUBLE, 0 },
	{ "128 bits, single", 0x08c7, FP_128_SINGLE, 0 },
	{ "256 bits, double", 0x10c7, 0, FP_AVX_256_DOUBLE },
	{ "256 bits, single", 0x20c7, 0, FP_AVX_256_SINGLE },
	{ "4 elements", 0x18c7, FP_128_SINGLE, FP_AVX_256_DOUBLE },
	{ "scalars", 0x03c7, FP_SCALAR_DOUBLE + FP_SCALAR_SINGLE,
	  FP_AVX_SCALAR_DOUBLE + FP_AVX_SCALAR_SINGLE },
	{ "vectors", 0xfcc7, FP_128_DOUBLE + FP_128_SINGLE,
	  FP_AVX_256_DOUBLE + FP_AVX_256_SINGLE },
	{ NULL, 0, 0, 0 },
};

static const struct event atom[] = {
	{ "x87", 0x02c2, FP_X87, 0 },
	{ "divisions", 0x08c2, FP_X87_DIV + FP_SCALAR_DIV + FP_VECTOR_DIV, 0 },
	{ NULL, 0, 0, 0 },
};

static const struct event zen[] = {
	{ "operations: add", 0x0103, FP_ADD_OPS, 5 },
	{ "operations: multiply", 0x0203, FP_MUL_OPS, 8 },
	{ "operations: divide", 0x0403, FP_DIV_OPS, 0 },
	{ "operations: fused", 0x0803, 0, FP_AVX_MAC_OPS },
	{ "operations", 0x1f03, FP_ADD_OPS + FP_MUL_OPS + FP_DIV_OPS, 13 + FP_AVX_MAC_OPS },
	{ "x87 add", 0x0102, FP_X87_ADD, 0 },
	{ "x87 multiply", 0x0202, FP_X87_MUL, 0 },
	{ "x87 divide", 0x0402, FP_X87_DIV, 0 },
	{ "x87", 0x0702, FP_X87_ADD + FP_X87_MUL + FP_X87_DIV, 0 },
	{ "scalar add", 0x010a, FP_SCALAR_ADD, 1 },
	{ "scalar subtract", 0x020a, FP_SCALAR_SUB, 0 },
	{ "scalar multiply", 0x030a, FP_SCALAR_MUL, 0 },
	{ "scalar fused", 0x040a, 0, FP_AVX_SCALAR_MAC },
	{ "scalar divide", 0x050a, FP_SCALAR_DIV, 0 },
	{ "scalar root", 0x060a, FP_SCALAR_SQRT, 0 },
	{ "scalar compare", 0x070a, FP_SCALAR_CMP, 0 },
	{ "scalar convert", 0x080a, FP_SCALAR_CVT, 0 },
	{ "scalars", 0x0f0a, FP_SCALAR, 2 },
	{ "vector add", 0x100a, FP_VECTOR_ADD, 1 },
	{ "vector multiply", 0x300a, FP_VECTOR_MUL, 1 },
	{ "vector fused", 0x400a, 0, FP_AVX_VECTOR_MAC },
	{ "vector divide", 0x500a, FP_VECTOR_DIV, 0 },
	{ "vector shuffle", 0xb00a, FP_VECTOR_SHUFFLE, 0 },
	{ "vector logical", 0xd00a, FP_VECTOR_LOGICAL, 0 },
	{ "vectors", 0xf00a, FP_VECTOR, 3 },
	{ "instructions", 0xff0a, FP_SCALAR + FP_VECTOR, 5 },
	{ NULL, 0, 0, 0 },
};
#endif

/* The first and the last CPU of each PMU are examined. */
static const struct pmu {
	const char *name;
	const struct event *events;
} pmus[] = {
#ifdef __aarch64__
	{ "armv8_cortex_a72", spec },
	{ "armv8_cortex_a57", spec },
	{ "armv8_pmuv3", spec },
	{ "armv8_pmuv3_0", spec },
	/* A real one has no such events; by its MIDR, the emulated CPU is a Cortex-A57. */
	{ "armv8_cortex_a53", spec },
#else
	{ "cpu_core", core },
	{ "cpu_atom", atom },
	{ "cpu", zen },
#endif
};

static const char *where;

static long long measure(int fd, void (*loop)(long rounds))
{
	long long before = perf_count(fd);

	prctl(PR_TASK_PERF_EVENTS_ENABLE);
	loop(ROUNDS);
	prctl(PR_TASK_PERF_EVENTS_DISABLE);
	return perf_count(fd) - before;
}

static void check_count(int type, const struct event *e)
{
	int fd = perf_sampled(type, e->code, 0);

	same(measure(fd, fp_loop), e->expected * ROUNDS, "%s: %s", where, e->name);
	same(measure(fd, fp_loop), e->expected * ROUNDS, "%s: %s, again", where, e->name);
#ifdef __x86_64__
	if (__builtin_cpu_supports("fma"))
		same(measure(fd, fp_avx_loop), e->avx * ROUNDS, "%s: %s, AVX", where, e->name);
#endif
	close(fd);
}

/* The emulator handles an overflow at the end of its block of code, which is a round. */
static void check_samples(int type, const struct event *e)
{
	int fd = perf_sampled(type, e->code, PERIOD);
	struct perf_event_mmap_page *page;
	long long n = 0;

	page = mmap(NULL, getpagesize() + RING, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		die("%s: no memory", e->name);
	measure(fd, fp_loop);
	for (unsigned long at = 0; at < page->data_head;) {
		const struct perf_event_header *h =
			(void *)((char *)page + page->data_offset + at);
		const long long *value = (void *)(h + 1);

		same(h->type, PERF_RECORD_SAMPLE, "%s: record of %s", where, e->name);
		n++;
		within(*value, n * PERIOD, n * PERIOD + e->expected, "%s: sample of %s", where,
		       e->name);
		at += h->size;
	}
	same(n, e->expected * ROUNDS / PERIOD, "%s: samples of %s", where, e->name);
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
		check_count(type, e);
		if (e->expected)
			check_samples(type, e);
	}
}

int main(void)
{
	int nr = 0;

	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		const struct pmu *pmu = &pmus[i];

		if (pmu_number(pmu->name, "type", false) < 0)
			continue;
		if (!strcmp(pmu->name, "cpu") && pmu_number("cpu_core", "type", false) >= 0)
			continue;
		examine(pmu, pmu_cpu(pmu->name, false));
		examine(pmu, pmu_cpu(pmu->name, true));
		nr++;
	}
	CHECK(nr, "no PMU that this test knows");
	return result();
}
