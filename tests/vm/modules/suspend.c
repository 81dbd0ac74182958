// SPDX-License-Identifier: GPL-2.0
/*
 * The values of monitoring modules stay right when the machine is suspended: the registers
 * start again (see machine/suspend), the caches are empty, and energy of the suspended time
 * is charged to no thread. The machine is suspended several times, with a monitored thread
 * on the last CPU.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"
#include "worker.h"
#include "suspend.h"

#define APERF		0xe8

#define CPUS		4
#define ROUNDS		3
#define LOOPS		20000000
/* In instructions, which are ns here */
#define WORK		(2l * ROUNDS * LOOPS)

/* Energy of an instruction, and of a ns of the rest of the package, nJ; see machine/energy */
#define P_CORE		4
#define E_CORE		1
#define PACKAGE		2
/* The emulator runs each CPU for so many ns: between two readings each other CPU may run once. */
#define TURN		50000
#define TURNS		(3 * TURN * (PACKAGE + P_CORE) / 1000)

/* The calling thread's virtual counters now */
static void read_own(int fd, uint64_t values[WORKER_VALUES])
{
	struct pmc_read r = { .core_type = PMC_ALL_CORE_TYPES };
	int i;

	if (ioctl(fd, PMC_IOC_READ, &r))
		die("PMC_IOC_READ: %s", strerror(errno));
	for (i = 0; i < r.nr_virtual && i < WORKER_VALUES; i++)
		values[i] = r.counts[r.nr_counts + i];
}

/* ---- energy, edp ---- */

static void sleeps_and_works(void)
{
	int i;

	for (i = 0; i < ROUNDS; i++) {
		suspend();
		pin(0, i % 2 ? CPUS - 1 : 0);
		spin(LOOPS);
	}
	pin(0, 0);
}

/* Check a thread's energy: that of the package and of other CPUs while the thread runs. */
static void check_own_energy(const struct records *records)
{
	long long uj = 0, ns = 0;
	int i;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		/* The register's unit is 61 or 15 uJ. */
		within(r->counts[1], (long long)r->head.running * PACKAGE / 1000 - 200 - TURNS,
		       r->head.running * (PACKAGE + P_CORE) / 1000 + 200 + TURNS,
		       "uJ of the package in record %d, of %lld ns", i,
		       (long long)r->head.running);
		uj += r->counts[1];
		ns += r->head.running;
	}
	/* Two instructions a round, a ns each, and suspending */
	within(ns, WORK, 2 * WORK, "ns that the thread ran");
	within(uj, ns * (PACKAGE + E_CORE) / 1000 * 99 / 100,
	       ns * (PACKAGE + P_CORE) / 1000 + TURNS, "uJ of the package while the thread ran");
}

/* Energy of all CPUs' instructions; those of offline CPUs are not counted */
static void check_all_energy(const struct records *records, long long ns)
{
	long long core = 0, pkg = 0, nj = 0;
	int i;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		core += r->counts[1];
		pkg += r->counts[2];
		nj += r->counts[0] * (r->head.core_type == core_type_of(0) ? P_CORE : E_CORE);
	}
	within(core * 1000, nj * 99 / 100, nj * 115 / 100, "nJ of the cores");
	nj += PACKAGE * ns;
	within(pkg * 1000, nj * 97 / 100, nj * 110 / 100, "nJ of the package");
}

static void energy(void)
{
	int own = open_session(), all = open_session();
	struct records records = { }, cpus = { };
	uint64_t values[WORKER_VALUES];
	long long begin;

	activate("energy");
	load_module("pmc_edp");
	activate("edp");
	pin(0, 0);
	command(own, "ring 1024\nevents " INSTRUCTIONS ":u:k\nperiod 10ms\n"
		"virtual energy_pkg, edp_energy, edp_time");
	command(all, "ring 1024\nevents " INSTRUCTIONS ":u:k\nperiod 10ms\n"
		"virtual energy_core, energy_pkg");
	begin = now(CLOCK_MONOTONIC);
	command(all, "syswide");
	start(own);
	sleeps_and_works();
	read_own(own, values);
	stop(own);
	command(all, "stop");
	begin = now(CLOCK_MONOTONIC) - begin;
	read_records(own, &records);
	check_records(&records);
	check_own_energy(&records);
	read_records(all, &cpus);
	check_all_energy(&cpus, begin);

	/* The workload is this thread, from its start on. */
	within(values[2], WORK, begin, "ns of the workload");
	within(values[1] * 1000, values[2] * PACKAGE, values[2] * (PACKAGE + P_CORE),
	       "nJ of the workload of %lld ns", (long long)values[2]);
	forget_records(&records);
	forget_records(&cpus);
	close(own);
	close(all);
	deactivate("edp");
	unload_module("pmc_edp");
	deactivate("energy");
}

/* ---- energy of sensors ---- */

#define METER	"module/test_meter/parameters/energy1"

/* Microjoules by which the test's meter rises while the machine is awake */
#define AWAKE	1000000007l

/* The platform's energy. x86-amd has none; x86-hybrid's own register is not used. */
static void meter(void)
{
	struct records records = { };
	int fd = open_session(), i;
	long long uj = 0;

	load_module("test_meter");
	set_config("energy.sensor=" METER ":psys");
	activate("energy");
	command(fd, "ring 1024\nevents " INSTRUCTIONS "\nvirtual energy_psys\n"
		"period 50ms\nsyswide");
	for (i = 1; i <= 2 * ROUNDS; i++) {
		if (i % 2) {
			suspend();
			/* More than a tick of 100 ms */
			usleep(300000);
		}
		if (write_file("/sys/" METER, "%ld", i * AWAKE))
			die(METER " cannot be written");
		usleep(600000);
	}
	command(fd, "stop");
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++)
		uj += records.all[i].counts[1];
	same(uj, 2 * ROUNDS * AWAKE, "uJ of the test's meter");
	forget_records(&records);
	close(fd);
	deactivate("energy");
	set_config("energy.sensor=none");
	unload_module("test_meter");
	unload_module("pmc_energy");
}

/* ---- cmt ---- */

enum { OCCUPANCY, TOTAL };

static long long param(const char *key)
{
	char name[50];

	snprintf(name, sizeof(name), "cmt.%s", key);
	return proc_value("config", name);
}

/*
 * Check for this many bytes, plus lines of the process' other work and of interrupts after
 * the resume.
 */
static void bytes(uint64_t got, long expected, const char *what)
{
	within(got, expected, expected + CACHE / 4, "%s", what);
}

static void cache_sleeps(int own, struct worker *p)
{
	uint64_t mine[WORKER_VALUES], its[WORKER_VALUES], value[WORKER_VALUES];
	struct worker gone = worker_start(2, "llc_occupancy");
	uint64_t association = read_msr(0, PQR_ASSOC);

	/* The lines of an ended process are reported as long as they are in the cache. */
	worker_load(&gone, 2 * CACHE, 2 * CACHE);
	worker_end(&gone);
	load_memory(0, CACHE / 4);
	read_own(own, mine);
	worker_load(p, CACHE, CACHE / 4);
	worker_read(p, its);
	within(mine[OCCUPANCY], CACHE / 4 - SLACK, CACHE / 4, "this process's lines in 4 ways of 16");
	bytes(its[OCCUPANCY], CACHE / 4, "the other one's lines");
	same(param("rmids_in_limbo"), 1, "RMIDs in limbo");

	suspend();
	same(read_msr(0, PQR_ASSOC), association, "PQR_ASSOC of the last CPU that is awake");
	same(read_msr(CPUS - 1, L3_MASK + 1), 0xf, "mask of class 1");
	read_own(own, value);
	/* The suspend and the resume use some lines. */
	within(value[OCCUPANCY], 0, CACHE / 4, "this process's lines when it is awake");
	within(value[TOTAL] - mine[TOTAL], 0, 4 * CACHE, "traffic of suspending");
	worker_read(p, value);
	/*
	 * Freezing, thawing and interrupts fetch some lines again. That is far from the
	 * earlier occupancy, and from the registers' values.
	 */
	within(value[OCCUPANCY], 0, 2 * SLACK, "the other one's lines when it is awake");
	within(value[TOTAL] - its[TOTAL], 0, CACHE / 2, "the other one's traffic meanwhile");
	/* The next check */
	usleep(250000);
	same(param("rmids_in_limbo"), 0, "RMIDs in limbo when it is awake");

	read_own(own, mine);
	load_memory(0, CACHE / 4);
	read_own(own, value);
	bytes(value[TOTAL] - mine[TOTAL], CACHE / 4, "fetched again");
	worker_read(p, its);
	worker_load(p, CACHE, CACHE / 2);
	worker_read(p, value);
	bytes(value[TOTAL] - its[TOTAL], CACHE / 2, "fetched by the other one");
	bytes(value[OCCUPANCY], CACHE / 2, "the other one's lines at the end");
	load_memory(0, 4 * CACHE);
	read_own(own, value);
	within(value[OCCUPANCY], CACHE / 4 - SLACK, CACHE / 4, "4 ways of 16");
}

static void others_online(int on)
{
	char path[100];
	int cpu, ret;

	for (cpu = 1; cpu < CPUS; cpu++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
		ret = write_file(path, "%d", on);
		same(ret, 0, "%s (%s)", path, strerror(-ret));
	}
}

/* The masks are set on CPUs that come online, too. */
static void a_single_cpu(void)
{
	others_online(0);
	suspend();
	same(read_msr(0, L3_MASK + 1), 0xf, "mask of class 1 on a single CPU");
	others_online(1);
}

static void cache(void)
{
	int own = open_session(), cpu, i;
	struct worker p;

	load_module("pmc_cmt");
	activate("cmt");
	set_config("cmt.cat=1:0xf");
	p = worker_start(1, "llc_occupancy, mem_bandwidth_total");
	command(own, "virtual llc_occupancy, mem_bandwidth_total");
	pin(0, 0);
	start(own);
	set_config("cmt.class=%d:1", getpid());
	for (i = 0; i < ROUNDS; i++)
		cache_sleeps(own, &p);
	a_single_cpu();
	stop(own);
	worker_end(&p);
	close(own);
	deactivate("cmt");
	for (cpu = 0; cpu < CPUS; cpu++)
		same(read_msr(cpu, PQR_ASSOC), 0, "PQR_ASSOC of CPU %d at the end", cpu);
	same(read_msr(0, L3_MASK + 1), 0xffff, "mask of class 1 at the end");
	unload_module("pmc_cmt");
}

/* ---- thermal_freq ---- */

/* The last frequencies of the CPUs, kHz */
static void frequencies(int fd, uint64_t khz[CPUS])
{
	struct records records = {};
	int i;

	command(fd, "sample");
	read_records(fd, &records);
	for (i = 0; i < records.nr; i++)
		khz[records.all[i].head.cpu] = records.all[i].counts[1];
	forget_records(&records);
}

static void frequency(void)
{
	int fd = open_session(), round, cpu;
	uint64_t khz[CPUS];

	load_module("pmc_thermal_freq");
	activate("thermal_freq");
	command(fd, "events " INSTRUCTIONS "\nvirtual freq\nsyswide");
	for (round = 0; round < ROUNDS; round++) {
		/* This CPU runs longer before the suspend than the other one after it. */
		for (cpu = 0; cpu < CPUS; cpu++)
			write_msr(cpu, APERF, 1ull << 40);
		frequencies(fd, khz);
		suspend();
		for (cpu = 0; cpu < CPUS; cpu++) {
			pin(0, cpu);
			spin(5 * LOOPS);
		}
		pin(0, 0);
		frequencies(fd, khz);
		for (cpu = 0; cpu < CPUS; cpu++)
			if (khz[cpu] != PMC_NO_VALUE)
				within(khz[cpu], 990000, cpu < 2 ? 1010000 : 2020000,
				       "kHz of CPU %d when it is awake", cpu);
		frequencies(fd, khz);
		frequencies(fd, khz);
		for (cpu = 0; cpu < CPUS; cpu++) {
			int cycles = core_type_of(cpu) == core_type_of(0) ? 1 : 2;

			within(khz[cpu], 990000 * cycles, 1010000 * cycles,
			       "kHz of CPU %d at the end", cpu);
		}
	}
	command(fd, "stop");
	close(fd);
	deactivate("thermal_freq");
	unload_module("pmc_thermal_freq");
}

int main(void)
{
	read_machine();
	if (!can_suspend())
		die("this machine can't be suspended to memory");
	/* Wait for the kernel's work after its boot. */
	sleep(5);
	worker_memory(4 * CACHE);
	load_module("pmc_energy");
	energy();
	meter();
	cache();
	frequency();
	wait_until_idle();
	return result();
}
