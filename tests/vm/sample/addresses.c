// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of samples by event count: with `addresses`, each of them has the address in user
 * space at which the end of the period was seen, and no other record has one. Addresses of
 * the kernel are never reported, whatever mode is counted.
 */
#include <string.h>
#include <unistd.h>

#include "vm.h"

#define PERIOD	"10000"
#define LOOPS	2000000L
/* More than the bytes of spin() */
#define LENGTH	64

static uint64_t address_of(const struct record *r)
{
	return r->counts[r->head.nr_counts + r->head.nr_virtual];
}

/* Counts a loop with system calls in it; returns the records. */
static struct records run(const char *commands, bool calls)
{
	struct records records = {};
	int fd = open_session(), i;

	command(fd, "ring 4096\n%s", commands);
	start(fd);
	for (i = 0; i < (calls ? 200000 : 1); i++) {
		if (calls)
			getppid();
		else
			spin(LOOPS);
	}
	stop(fd);
	command(fd, "stop");
	read_to_end(fd, &records);
	check_records(&records);
	close(fd);
	return records;
}

/* How many samples have an address in the loop */
static int in_loop(const struct records *records, int *nr)
{
	int i, found = 0;

	*nr = 0;
	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];
		bool has = r->head.flags & PMC_REC_ADDRESS;

		if (has != (r->head.event == PMC_SAMPLE_EBS))
			fail("record %d, event %u: flags %#x", i, r->head.event, r->head.flags);
		if (!has)
			continue;
		++*nr;
		found += address_of(r) - (uintptr_t)spin < LENGTH;
	}
	return found;
}

static void test_user(void)
{
	struct records records = run("addresses\nperiod 5ms\nevents " INSTRUCTIONS ":ebs=" PERIOD, false);
	int nr, found = in_loop(&records, &nr);

	within(nr, 2 * LOOPS / 10000, 2 * LOOPS / 10000 + 10, "samples");
	within(found, nr - nr / 10, nr, "samples in the loop");
	forget_records(&records);
}

/* The counts are where they were, behind them is the address: the ring has room for both. */
static void test_counts(void)
{
	struct records records = run("addresses\nevents " INSTRUCTIONS ":ebs=" PERIOD ",@F,sw=task_clock", false);
	int nr, i;

	in_loop(&records, &nr);
	for (i = 0; i < records.nr; i++) {
		const struct record *r = &records.all[i];

		if (r->head.event != PMC_SAMPLE_EBS)
			continue;
		within(r->counts[0], 10000, 13000, "instructions of record %d", i);
		CHECK(r->counts[1] && r->counts[2], "record %d: no cycles or no time", i);
	}
	forget_records(&records);
}

static void test_kernel(void)
{
	struct records records = run("addresses\nevents " INSTRUCTIONS ":k:ebs=" PERIOD, true);
	int nr, i;

	in_loop(&records, &nr);
	CHECK(nr > 100, "%d samples", nr);
	for (i = 0; i < records.nr; i++)
		if (records.all[i].head.flags & PMC_REC_ADDRESS)
			CHECK(!(address_of(&records.all[i]) >> 63) && address_of(&records.all[i]),
			      "record %d: address %#llx", i,
			      (unsigned long long)address_of(&records.all[i]));
	forget_records(&records);
}

static void test_unasked(void)
{
	struct records records = run("events " INSTRUCTIONS ":ebs=" PERIOD, false);
	int i;

	for (i = 0; i < records.nr; i++)
		CHECK(!(records.all[i].head.flags & PMC_REC_ADDRESS), "record %d has an address", i);
	forget_records(&records);
}

int main(void)
{
	need_counters();
	pin(0, 0);
	set_config("ebs_max_rate=10000");
	test_user();
	test_counts();
	test_kernel();
	test_unasked();
	set_config("ebs_max_rate=100");
	return result();
}
