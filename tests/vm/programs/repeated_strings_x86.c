// SPDX-License-Identifier: GPL-2.0
/*
 * An instruction with a REP prefix counts as one, however often it repeats and whatever interrupts
 * it (SDM volume 3B, 20.2.1.2), and samples by event count come as for any other instruction. The
 * test machines do so with x-rep-is-one=on.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "vm.h"

#define LARGE	(4 << 20)
#define PERIOD	10007

static unsigned char *memory;

static void store(size_t n)
{
	void *to = memory;

	asm volatile("rep stosb" : "+D" (to), "+c" (n) : "a" (0) : "memory");
}

static void copy(size_t n)
{
	void *to = memory, *from = memory + LARGE;

	asm volatile("rep movsb" : "+D" (to), "+S" (from), "+c" (n) : : "memory");
}

/* Bytes are equal until the end. */
static void compare(size_t n)
{
	void *to = memory, *from = memory + LARGE;

	asm volatile("repe cmpsb" : "+D" (to), "+S" (from), "+c" (n) : : "memory", "cc");
}

/* The byte is found. */
static void scan(size_t n)
{
	void *to = memory;

	memory[n] = 1;
	n = LARGE;
	asm volatile("repne scasb" : "+D" (to), "+c" (n) : "a" (1) : "memory", "cc");
}

/* Instructions in user mode, with those of the session's start and stop */
static long instructions_of(int fd, void (*work)(size_t), size_t n)
{
	long before = own_count(fd, -1, 0, 0);

	start(fd);
	work(n);
	stop(fd);
	return own_count(fd, -1, 0, 0) - before;
}

static void test_counts(const char *what, void (*work)(size_t))
{
	static const size_t lengths[] = { 0, 2, 1000, LARGE - 1 };
	int fd = open_session();
	long one;
	size_t i;

	command(fd, "events " INSTRUCTIONS);
	/* The thread has counts from the first start on. */
	start(fd);
	stop(fd);
	one = instructions_of(fd, work, 1);
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		/* Pages come anew, so that faults interrupt the instruction. */
		madvise(memory, 2 * LARGE, MADV_DONTNEED);
		same(instructions_of(fd, work, lengths[i]), one, "%s of %zu bytes", what, lengths[i]);
	}
	close(fd);
}

static void test_samples(void)
{
	struct records records = { };
	int fd = open_session(), i;
	long count;

	command(fd, "ring 4096\nevents " INSTRUCTIONS ":ebs=%d", PERIOD);
	start(fd);
	for (i = 0; i < 200; i++) {
		store(30000);
		spin(5000);
	}
	stop(fd);
	count = own_count(fd, -1, 0, 0);
	read_records(fd, &records);
	within(count, 200 * 10000, 200 * 11000, "instructions");
	same(nr_records(&records, 0, PMC_SAMPLE_EBS), count / PERIOD, "samples of %ld instructions", count);
	forget_records(&records);
	close(fd);
}

int main(void)
{
	int i;

	need_counters();
	memory = mmap(NULL, 2 * LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("no memory");
	for (i = 0; i < nr_core_types; i++) {
		pin(0, core_types[i].first_cpu);
		test_counts("rep stosb", store);
		test_counts("rep movsb", copy);
		test_counts("repe cmpsb", compare);
		test_counts("repne scasb", scan);
		test_samples();
	}
	return result();
}
