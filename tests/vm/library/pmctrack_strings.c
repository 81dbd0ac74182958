// SPDX-License-Identifier: GPL-2.0
/*
 * Strings of PMCTrack's users, which name counters by number: the meaning of the numbers,
 * and the errors for strings that cannot work.
 */
#include <errno.h>
#include <pmctrack.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define LOOPS 1000000L

/* The usual string for a processor: its counters, and which of them counts instructions. */
struct usual {
	const char *text;
	unsigned int mask;
	int instructions;
	int cycles;
};

static const struct usual *usual(void)
{
	static const struct usual arm = { "pmc1=0x11,pmc2=0x08", 0x6, 1, 0 };
	static const struct usual amd = { "pmc0=0xc0,pmc1=0x76", 0x3, 0, 1 };
	static const struct usual intel = {
		"pmc0,pmc1,pmc2,pmc3=0x2e,umask3=0x4f,pmc4=0x2e,umask4=0x41", 0x1f, 0, 1,
	};

	switch (event_codes()->cycles) {
	case 0x11:
		return &arm;
	case 0x76:
		return &amd;
	default:
		return &intel;
	}
}

static bool is_intel(void)
{
	return event_codes()->cycles == 0x3c;
}

static void check_sample(const pmc_sample_t *sample, const char *what)
{
	const struct usual *u = usual();
	uint64_t instructions, cycles;

	same(sample->pmc_mask, u->mask, "%s: counters", what);
	same(sample->nr_counts, __builtin_popcount(u->mask), "%s: counts", what);
	instructions = sample->pmc_counts[u->instructions];
	cycles = sample->pmc_counts[u->cycles];
	within(instructions, 2 * LOOPS, 2 * LOOPS + 2000, "%s: instructions", what);
	within(cycles, instructions / 2, 10 * instructions, "%s: cycles", what);
	if (is_intel())
		within(sample->pmc_counts[2], 1, 10 * instructions, "%s: reference cycles", what);
}

/* With PMCTrack's calls, on every core type: both ways of counting. */
static void by_calls(void)
{
	const char *sets[] = { usual()->text, NULL };
	pmctrack_desc_t *desc = pmctrack_init(100);
	pmc_sample_t *samples;
	int ct, round, n;

	if (!desc || pmctrack_config_counters(desc, sets, NULL, 0))
		die("'%s' is refused: %s", sets[0], pmc_last_error());
	/* The first calls take some 1 800 instructions more, for the dynamic linker. */
	CHECK(!pmctrack_start_counters(desc), "first start");
	CHECK(!pmctrack_stop_counters(desc), "first stop");
	for (ct = 0; ct < nr_core_types; ct++) {
		pin(0, core_types[ct].first_cpu);
		for (round = 0; round < 3; round++) {
			CHECK(!pmctrack_start_counters(desc), "start");
			spin(LOOPS);
			CHECK(!pmctrack_stop_counters(desc), "stop");
			samples = pmctrack_get_samples(desc, &n);
			if (same(n, 1, "samples on core type %d", ct))
				check_sample(samples, core_types[ct].name);
		}
	}
	unpin(0);
	CHECK(!pmctrack_start_counters_syswide(desc), "start of all CPUs");
	spin(LOOPS);
	CHECK(!pmctrack_stop_counters_syswide(desc), "stop of all CPUs");
	samples = pmctrack_get_samples(desc, &n);
	CHECK(n >= nr_core_types, "%d samples of all CPUs", n);
	while (n--)
		same(samples[n].pmc_mask, usual()->mask, "counters of all CPUs");
	pmctrack_destroy(desc);
}

/* The kernel's counts are exact, and its counters are those that were requested. */
static void exactly(void)
{
	int fd = open_session(), ct, i, n = 0;
	const struct usual *u = usual();
	struct pmc_placement p = { };
	long truth = 0, cycles;

	command(fd, "events %s", u->text);
	for (ct = 0; ct < nr_core_types; ct++) {
		p.core_type = ct;
		if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
			die("no placement: %s", why(fd));
		for (i = 0, n = 0; i < 32; i++) {
			if (!(u->mask & 1U << i))
				continue;
			same(p.slot[n], i, "core type %d: number of count %d", ct, n);
			n++;
		}
		same(p.nr_counts, n, "core type %d: counts", ct);
	}
	for (ct = 0; ct < nr_core_types; ct++) {
		pin(0, core_types[ct].first_cpu);
		truth = counted_loop(fd, LOOPS);
		same(own_count(fd, ct, 0, u->instructions), truth, "core type %d: instructions", ct);
		cycles = own_count(fd, ct, 0, u->cycles);
		within(cycles, truth / 2, 10 * truth, "core type %d: cycles", ct);
	}
	unpin(0);
	close(fd);
}

/* The table has a line for each counter, and says which set a sample is of. */
static void check_table(pmctrack_desc_t *desc)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		die("no memory");
	pmctrack_print_counts(desc, f, 0);
	fclose(f);
	mentions(text, "[Event-to-counter mappings]\n", "the table");
	mentions(text, "instr", "the table");
	mentions(text, "(0)", "the table");
	mentions(text, "(1)", "the table");
	mentions(text, "\nnsample    pid coretype expid      event ", "the table");
	free(text);
}

/* Two sets, by names and by codes, multiplexed by time or by events. */
static void by_turns(const char *options, int period_ms, sample_type_t type)
{
	pmctrack_desc_t *desc = pmctrack_init(1000);
	pmc_sample_t *samples;
	const char *sets[3] = { };
	char first[40], second[40];
	int i, n;

	snprintf(first, sizeof(first), "instr%s,cycles", options);
	snprintf(second, sizeof(second), "0x%x%s", event_codes()->instructions, options);
	sets[0] = first;
	sets[1] = second;
	/* Another core type adds a sample. */
	pin(0, 0);
	if (!desc || pmctrack_config_counters_mnemonic(desc, sets, NULL, period_ms, 0))
		die("%s and %s are refused: %s", first, second, pmc_last_error());
	CHECK(!pmctrack_start_counters(desc), "start");
	spin(20 * LOOPS);
	CHECK(!pmctrack_stop_counters(desc), "stop");
	samples = pmctrack_get_samples(desc, &n);
	within(n, 5, 100, "%s and %s: samples", first, second);
	for (i = 0; i < n; i++) {
		same(samples[i].exp_idx, i % 2, "sample %d: its set", i);
		same(samples[i].nr_counts, 2 - i % 2, "sample %d: counts", i);
		if (i < n - 1)
			same(samples[i].type, type, "sample %d: type", i);
	}
	check_table(desc);
	pmctrack_destroy(desc);
}

static int pinned_event(unsigned int code)
{
	struct perf_event_attr attr = {
		.type = perf_type(0),
		.config = code,
		.pinned = 1,
	};

	return perf_open(&attr, -1, 0, -1);
}

/*
 * Arm: cycles are counted by the cycle counter, whatever number the string gives. Other
 * events with the same number do not conflict, whatever perf does meanwhile.
 */
static void cycles_by_another_number(void)
{
	int cycles = open_session(), both = open_session(), other = open_session(), i, perf;
	long truth, loops = 0;

	pin(0, 0);
	command(both, "events pmc0,pmc1=0x11,pmc2=0x8,pmc3=0x11");
	truth = counted_loop(both, LOOPS);
	same(own_count(both, 0, 0, 2), truth, "instructions beside cycles");
	same(own_count(both, 0, 0, 1), own_count(both, 0, 0, 0), "pmc1 and pmc0");
	same(own_count(both, 0, 0, 3), own_count(both, 0, 0, 0), "pmc3 and pmc0");
	CHECK(own_count(both, 0, 0, 0) >= (uint64_t)truth / 2, "no cycles");
	close(both);
	truth = 0;

	command(cycles, "events pmc1=0x11");
	command(other, "events pmc1=0x8");
	for (i = 0; i < 20; i++) {
		/* A pinned event makes perf place all of its events again. */
		perf = pinned_event(i % 2 ? 0x11 : 0x8);
		loops += counted_loop(cycles, 10000 + i);
		within(own_count(cycles, 0, 0, 0), loops / 2, 10 * loops, "round %d: cycles", i);
		close(perf);
		truth += counted_loop(other, 10000 + i);
		same(own_count(other, 0, 0, 0), truth, "round %d: instructions", i);
	}
	close(cycles);
	close(other);
	unpin(0);
}

/* The records of a session that samples by cycles name the requested counter. */
static void sampling_by_another_number(void)
{
	struct records records = { };
	int fd = open_session(), i;

	pin(0, 0);
	command(fd, "ring 4096\nevents pmc0,pmc2=0x8,pmc1=0x11,ebs1=100000");
	start(fd);
	spin(LOOPS);
	stop(fd);
	read_records(fd, &records);
	check_records(&records);
	within(nr_records(&records, 0, PMC_SAMPLE_EBS), 10, 100, "samples");
	for (i = 0; i < records.nr; i++) {
		if (records.all[i].head.event == PMC_SAMPLE_EBS)
			same(records.all[i].head.ebs_slot, 2, "sample %d: what ended its period", i);
		same(records.all[i].counts[0], records.all[i].counts[2], "sample %d: pmc0 and pmc1", i);
	}
	forget_records(&records);
	close(fd);
	unpin(0);
}

static void refused_on_arm(void)
{
	int fd = open_session(), other = open_session();

	refused(fd, EINVAL, "same modes", "events pmc0,pmc1=0x11,usr1=0,os1=1");
	refused(fd, EINVAL, "same modes", "events pmc2=0x11,pmc1=0x11,usr1=0,os1=1");
	refused(fd, EINVAL, "only one of them a sampling period",
		"events pmc0,ebs0=100000,pmc1=0x11,ebs1=100000");
	refused(fd, EINVAL, "pmc0 counts cycles", "events pmc0=0x8");
	/* A session that has the cycle counter for all CPUs has it under every number. */
	command(fd, "events pmc0,pmc1=0x11,pmc2=0x8\nsyswide");
	refused(other, EBUSY, "system-wide session has pmc0", "events pmc1=0x11");
	command(fd, "stop\nclear");
	command(other, "events pmc1=0x11");
	start(other);
	stop(other);
	command(fd, "events pmc0");
	refused(fd, EBUSY, "pmc0 of core type 0 is used", "syswide");
	close(fd);
	close(other);
}

/* Core types with different numbers of counters: those that only the larger one has. */
static void refused_on_hybrid(void)
{
	static const char *const alone[] = { "pmc10=0xc4", "pmc11", NULL };
	const char *sets[2] = { };
	pmctrack_desc_t *desc = pmctrack_init(10);
	int fd = open_session(), i;

	for (i = 0; alone[i]; i++) {
		refused(fd, EINVAL, "core type 1 (E): ", "events %s", alone[i]);
		mentions(why(fd), "the set suits core type 0 (P): add coretype=0", alone[i]);
		refused(fd, EINVAL, "the set suits core type 0 (P): write coretype=0",
			"events %s,coretype=1", alone[i]);
		command(fd, "events %s,coretype=0\nclear", alone[i]);
	}
	/* No suggestion if no core type suits, or if something else is wrong. */
	refused(fd, EINVAL, "pmc60", "events pmc60=0xc4");
	CHECK(!strstr(why(fd), "suits"), "'%s'", why(fd));
	refused(fd, EINVAL, "ebs_min_period", "events ev=0xc0:ebs=10");
	CHECK(!strstr(why(fd), "suits"), "'%s'", why(fd));
	close(fd);
	sets[0] = alone[0];
	if (!desc)
		die("no descriptor: %s", pmc_last_error());
	CHECK(pmctrack_config_counters(desc, sets, NULL, 0), "a counter that E-cores lack");
	mentions(pmc_last_error(), "the set suits core type 0 (P): add coretype=0", "the library");
	sets[0] = "pmc10=0xc4,coretype=0";
	CHECK(!pmctrack_config_counters(desc, sets, NULL, 0), "%s", pmc_last_error());
	pmctrack_destroy(desc);
}

/* The fourth fixed counter has a number after the general ones, and counts correctly. */
static void slots_behind(void)
{
	int fd = open_session();
	long truth;

	pin(0, core_types[0].first_cpu);
	command(fd, "events coretype=0,pmc11,pmc1,pmc3=0xc0");
	truth = counted_loop(fd, LOOPS);
	same(own_count(fd, 0, 0, 2), truth, "instructions");
	CHECK(own_count(fd, 0, 0, 0) >= own_count(fd, 0, 0, 1), "fewer slots than cycles");
	close(fd);
	unpin(0);
}

int main(void)
{
	need_counters();
	by_calls();
	exactly();
	by_turns("", 5, PMC_TICK_SAMPLE);
	by_turns(":ebs=4000000", 250, PMC_EBS_SAMPLE);
	if (!strcmp(backend, "armv8")) {
		cycles_by_another_number();
		sampling_by_another_number();
		refused_on_arm();
	}
	if (!strcmp(backend, "intel") && nr_core_types == 2) {
		refused_on_hybrid();
		slots_behind();
	}
	wait_until_idle();
	return result();
}
