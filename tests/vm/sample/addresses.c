// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses of samples by event count: with `addresses`, each of them has the address in user
 * space at which the end of the period was seen, and no other record has one. Addresses of
 * the kernel are never reported, whatever mode is counted. An ordinary user's session has no
 * address of a program that has gained rights by its exec.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/* ---- programs that gain rights ---- */

#define SETUID_PROGRAM	"/tmp/known_setuid"
#define EXECS		50

/* Where the program begins, which is not at a place that the kernel chooses */
static uint64_t entry_of(const char *program)
{
	FILE *f = fopen(program, "r");
	Elf64_Ehdr header;

	if (!f || fread(&header, sizeof(header), 1, f) != 1 || header.e_type != ET_EXEC)
		die("%s: no program of this kind", program);
	fclose(f);
	return header.e_entry;
}

static void exec_setuid(void)
{
	char *const args[] = { SETUID_PROGRAM, NULL };
	pid_t pid = fork();

	if (!pid) {
		execv(SETUID_PROGRAM, args);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static int user_session(void)
{
	uint64_t entry = entry_of(SETUID_PROGRAM);
	struct records records = {};
	int fd, i, nr = 0;

	change_user(1000);
	fd = open_session();
	/* Odd: the samples are of other places of the kernel in each exec. */
	command(fd, "ring 32768\naddresses\nfollow children\nevents " INSTRUCTIONS ":k:ebs=1009");
	command(fd, "attach %d", getpid());
	for (i = 0; i < EXECS; i++)
		exec_setuid();
	command(fd, "stop");
	read_to_end(fd, &records);
	for (i = 0; i < records.nr; i++) {
		const struct record *r = &records.all[i];

		if (!(r->head.flags & PMC_REC_ADDRESS))
			continue;
		nr++;
		if (address_of(r) == entry)
			fail("setuid: record %d has the program's first address", i);
	}
	CHECK(nr > EXECS / 2, "setuid: %d samples have an address", nr);
	return result();
}

static void test_exec(void)
{
	int status;
	pid_t pid;

	if (system("cp /tests/programs/known_loop " SETUID_PROGRAM " && chmod 4755 " SETUID_PROGRAM))
		die(SETUID_PROGRAM " cannot be made");
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "1"))
		die("perf_event_paranoid can't be set");
	pid = fork();
	if (!pid)
		_exit(user_session());
	waitpid(pid, &status, 0);
	same(status, 0, "setuid: status of the user's process");
	write_file("/proc/sys/kernel/perf_event_paranoid", "2");
	unlink(SETUID_PROGRAM);
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
	test_exec();
	set_config("ebs_max_rate=100");
	return result();
}
