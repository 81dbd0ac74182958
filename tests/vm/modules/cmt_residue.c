// SPDX-License-Identifier: GPL-2.0
/*
 * The part of a process' reported occupancy that belongs to earlier users of its RMID, for
 * each allocation policy. Processes come and go, and each loads memory that no other process
 * loads, so its lines are known. If RMIDs are not kept in limbo, first in, first out is
 * better than random order, and that is better than last in, first out. A limit of the
 * residue is kept under each policy.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vm.h"
#include "worker.h"

/* RMIDs for processes; number of processes at a time, and in all. */
#define RMIDS	7
#define ALIVE	3
#define ALL	60

/* Each loads so much of a slice of memory of its own. */
#define SLICE	(256 * KIB)
#define SLICES	24

struct errors {
	long began, loaded, most;	/* bytes, in all; in all; of one */
	int nr, refused;
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

/* Empty the cache of the processes' lines, so that all RMIDs are free. */
static void begin_anew(void)
{
	int round;

	for (round = 0; round < 20 && proc_value("config", "cmt.rmids_free") != RMIDS; round++) {
		load_memory(0, SLICES * SLICE);
		usleep(200000);
	}
	same(proc_value("config", "cmt.rmids_free"), RMIDS, "free RMIDs");
}

static void live(int i, long size, struct worker *p, struct errors *e)
{
	uint64_t before, after;

	*p = worker_start(i % 4, "llc_occupancy");
	before = worker_value(p);
	if (before == PMC_NO_VALUE) {
		e->refused++;
		return;
	}
	worker_load(p, i % SLICES * SLICE, size);
	after = worker_value(p);
	e->nr++;
	e->began += before;
	e->loaded += labs((long)after - size);
	if (labs((long)after - size) > e->most)
		e->most = labs((long)after - size);
}

static struct errors residue_of(const char *policy, const char *residue)
{
	struct worker p[ALIVE] = {};
	struct errors e = {};
	uint64_t seed = 4711;
	int i, victim;

	set_config("cmt.residue_max=0");
	begin_anew();
	set_config("cmt.policy=%s", policy);
	set_config("cmt.residue_max=%s", residue);
	for (i = 0; i < ALL; i++) {
		victim = i < ALIVE ? i : (int)((next_random(&seed) >> 32) % ALIVE);
		if (p[victim].pid)
			worker_end(&p[victim]);
		live(i, 64 * KIB + (next_random(&seed) >> 32) % (SLICE - 64 * KIB) / LINE * LINE,
		     &p[victim], &e);
		/* Time for a check of the RMIDs in limbo. */
		usleep(50000);
	}
	for (i = 0; i < ALIVE; i++)
		worker_end(&p[i]);
	printf("%-7s %-11s %8ld %8ld %8ld %8d\n", policy, residue,
	       e.nr ? e.began / e.nr / KIB : 0, e.nr ? e.loaded / e.nr / KIB : 0,
	       e.most / KIB, e.refused);
	fflush(stdout);
	return e;
}

int main(void)
{
	struct errors fifo, lifo, any, e;
	static const char *const policies[] = { "fifo", "random", "lifo" };
	int i;

	sleep(5);
	worker_memory(SLICES * SLICE);
	load_module("pmc_cmt");
	activate("cmt");
	printf("%d processes, %d at a time, %d RMIDs: reported occupancy, error in KiB of %ld\n",
	       ALL, ALIVE, RMIDS, CACHE / KIB);
	printf("policy  residue_max at start   loaded  largest   no RMID\n");
	fifo = residue_of("fifo", "off");
	any = residue_of("random", "off");
	lifo = residue_of("lifo", "off");
	same(fifo.nr + any.nr + lifo.nr, 3 * ALL, "processes with an RMID");
	if (fifo.loaded >= any.loaded || any.loaded >= lifo.loaded)
		fail("FIFO's error is not the smallest, or LIFO's not the largest");
	if (fifo.began >= lifo.began / 4)
		fail("FIFO leaves more than a quarter of LIFO's error");
	for (i = 0; i < 3; i++) {
		e = residue_of(policies[i], "32768");
		within(e.most, 0, 32 * KIB + CACHE / 20, "%s: largest error with a limit of 32 KiB",
		       policies[i]);
		within(e.nr, ALL / 2, ALL, "%s: processes with an RMID", policies[i]);
	}
	deactivate("cmt");
	unload_module("pmc_cmt");
	return result();
}
