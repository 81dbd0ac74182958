// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module edp: the instructions, energy and time of a workload are those of
 * its threads and of the emulated machine's register while it runs, and the energy-delay
 * product is computed from them. If each core has a register of its own, the energy of
 * cores is the sum of all, whichever CPU reads it.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"

#ifndef __x86_64__

int main(void)
{
	die("only x86 has energy registers");
}

#else

#include <cpuid.h>

#define LOOPS	100000000l

static uint32_t msr = 0x611;
static int bits = 14;

static long long now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void *work(void *cpu)
{
	pin(0, *(int *)cpu);
	spin(LOOPS);
	return NULL;
}

/* Two threads, one after the other, and one that waits for them. */
static void workload(void)
{
	int cpus[] = { 0, core_types[nr_core_types - 1].first_cpu }, i;
	pthread_t thread;

	for (i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, work, &cpus[i]);
		pthread_join(thread, NULL);
	}
}

/* The calling thread's instructions so far, those of the kernel for it included */
static long long own_instructions(int fd)
{
	return own_count(fd, PMC_ALL_CORE_TYPES, 0, 0);
}

static void run(bool again)
{
	long long instr = again ? proc_value("config", "edp.instructions") : 0;
	long long uj = again ? proc_value("config", "edp.energy_uj") : 0;
	long long ns = again ? proc_value("config", "edp.time_ns") : 0;
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	struct records records = {};
	const struct record *last;
	int fd = open_session(), beside = open_session(), judged = 0, i;
	long long time, most_ns, least_ns, outside;
	uint32_t reg, most, least;

	command(fd, "ring 4096\nevents " INSTRUCTIONS ":u:k\nfollow threads\nperiod 100ms\n"
		"virtual edp,edp_energy,edp_instr,edp_time");
	command(beside, "events " INSTRUCTIONS ":u:k");
	start(beside);
	reg = read_msr(0, msr);
	time = now_ns();
	outside = -own_instructions(beside);
	start(fd);
	outside += own_instructions(beside);
	least = read_msr(0, msr);
	least_ns = now_ns();
	workload();
	least = read_msr(0, msr) - least;
	least_ns = now_ns() - least_ns;
	outside -= own_instructions(beside);
	stop(fd);
	command(fd, "stop");
	outside += own_instructions(beside);
	close(beside);
	most = read_msr(0, msr) - reg;
	most_ns = now_ns() - time;

	/* After the workload has ended, the values do not change. */
	sleep(2);
	instr = proc_value("config", "edp.instructions") - instr;
	uj = proc_value("config", "edp.energy_uj") - uj;
	ns = proc_value("config", "edp.time_ns") - ns;
	within(uj, least * 1000000ll >> bits, (most * 1000000ll >> bits) + 1, "energy, uJ");
	within(ns, least_ns, most_ns, "time, ns");
	/* The difference is the time of the stop, which waits for other CPUs. */
	within(most_ns - least_ns, 0, 300000000, "time of start and stop, ns");
	if (ioctl(fd, PMC_IOC_TOTALS, &totals))
		die("PMC_IOC_TOTALS");
	/*
	 * The module counts this thread until the session ends, which waits for other CPUs. On
	 * a busy host the kernel executes many instructions meanwhile.
	 */
	within(instr, totals.counts[0] * 999 / 1000, totals.counts[0] * 1001 / 1000 + outside,
	       "instructions (%lld in start and stop)", outside);

	/*
	 * While the workload runs, the product is that of the current values. They are read
	 * one after the other; other CPUs and samples in between take little time, compared
	 * with that of the workload.
	 */
	read_to_end(fd, &records);
	check_records(&records);
	CHECK(records.nr > 3, "%d records", records.nr);
	for (i = 0; i < records.nr; i++) {
		const uint64_t *v = &records.all[i].counts[records.all[i].head.nr_counts];
		double edp = (double)v[1] * v[3] / v[2];

		if (!v[2] || v[3] < 20000000)
			continue;
		within(v[0], edp * .95, edp * 1.05, "EDP in record %d", i);
		judged++;
	}
	CHECK(judged > 3, "%d records are old enough to judge", judged);
	last = &records.all[records.nr - 1];
	within(last->counts[1], 1, -1ull >> 1, "EDP in the end");
	forget_records(&records);
	close(fd);
}

/* ---- a register for each core ---- */

#define CPUS		4
#define AMD_CORE	0xc001029a
/* Tolerance: uJ of other CPUs' work between two readings */
#define LITTLE		20000

struct registers {
	uint32_t of[CPUS];
};

static struct registers read_all(void)
{
	struct registers r;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		r.of[cpu] = read_msr(cpu, AMD_CORE);
	return r;
}

static long long uj_between(struct registers from, struct registers to)
{
	long long units = 0;
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		units += (uint32_t)(to.of[cpu] - from.of[cpu]);
	return units * 1000000 >> bits;
}

/* The workload is this thread; what else the machine does counts, too. */
static void all_cores(void)
{
	struct registers before, begun, low, high;
	int fd = open_session(), cpu = 1, i;
	pthread_t thread;
	long long uj;

	set_config("edp.energy=core");
	activate("edp");
	pin(0, 0);
	command(fd, "ring 4096\nevents " INSTRUCTIONS ":u:k\nvirtual edp_energy");
	before = read_all();
	start(fd);
	begun = read_all();
	pthread_create(&thread, NULL, work, &cpu);
	for (i = 0; i < 3; i++) {
		usleep(50000);
		low = read_all();
		uj = proc_value("config", "edp.energy_uj");
		high = read_all();
		within(uj, uj_between(begun, low) - LITTLE, uj_between(before, high) + LITTLE,
		       "uJ of all cores while CPU 1 works");
	}
	pthread_join(thread, NULL);
	/* The end of a workload does not wait for other CPUs, which are read every 100 ms. */
	usleep(250000);
	low = read_all();
	stop(fd);
	command(fd, "stop");
	high = read_all();
	within(proc_value("config", "edp.energy_uj"), uj_between(begun, low) - LITTLE,
	       uj_between(before, high) + LITTLE, "uJ of all cores in the end");
	set_config("edp.reset=1");
	same(proc_value("config", "edp.energy_uj"), 0, "energy after a reset");
	close(fd);
	deactivate("edp");
	unpin(0);
}

/* The parameters that one user reads from the file that another one has opened */
static void read_config(uid_t opener, uid_t reader)
{
	char text[4096] = "";
	int fd;

	if (seteuid(opener))
		die("seteuid: %s", strerror(errno));
	fd = open("/proc/pmc/config", O_RDONLY);
	if (seteuid(0) || seteuid(reader))
		die("seteuid: %s", strerror(errno));
	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		die("/proc/pmc/config: %s", strerror(errno));
	if (seteuid(0))
		die("seteuid: %s", strerror(errno));
	CHECK(strstr(text, "edp.period_ms"), "user %d sees no parameters:\n%s", reader, text);
	same(!!strstr(text, "edp.energy_uj"), !opener && !reader,
	     "user %d sees energy in the file of user %d", reader, opener);
	close(fd);
}

/*
 * Energy may be read only by users who may count all processes. A program of theirs may have
 * another user's file as its standard input.
 */
static void for_root_only(void)
{
	read_config(0, 0);
	read_config(1000, 1000);
	read_config(1000, 0);
	read_config(0, 1000);
}

int main(void)
{
	unsigned int a, b, c, d;

	read_machine();
	__cpuid(0, a, b, c, d);
	if (b == signature_AMD_ebx) {
		msr = 0xc001029b;
		bits = 16;
	}
	load_module("pmc_energy");
	load_module("pmc_edp");
	same(write_file("/proc/pmc/config", "edp.energy=core+none"), -EINVAL, "no such energy");
	same(write_file("/proc/pmc/mm_manager", "deactivate edp"), -ENOENT, "it is not active");
	activate("edp");
	same(write_file("/proc/pmc/config", "edp.energy=core"), -EBUSY, "changed while active");
	run(false);
	run(true);
	for_root_only();
	set_config("edp.reset=1");
	same(proc_value("config", "edp.instructions"), 0, "instructions after a reset");
	same(proc_value("config", "edp.energy_uj"), 0, "energy after a reset");
	run(false);
	deactivate("edp");
	if (msr != 0x611)
		all_cores();
	unload_module("pmc_edp");
	unload_module("pmc_energy");
	return result();
}

#endif
