// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module energy, compared with the emulated machine's registers, whose
 * formulas are known. Samples add up to the register's change, to the microjoule, also
 * across its wrap, with every sampling period. Threads are charged the energy of the time
 * while they ran, and a scheduler gets the same value.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "consumer.h"
#include "vm.h"
#include "msr.h"
#include "worker.h"
#include "suspend.h"

#ifndef __x86_64__

int main(void)
{
	die("only x86 has these registers");
}

#else

#include <cpuid.h>

/* Joules until the registers wrap, at the start of the machine; see list. */
#define LEFT	8
#define START	((uint32_t)-(LEFT << bits))

/* Energy of an instruction, and of a ns of the rest of the package, nJ */
#define P_CORE	4
#define E_CORE	1
#define PACKAGE	2

struct kind {
	const char *name;
	uint32_t msr;
};

static const struct kind intel_kinds[] = {
	{ "energy_core", 0x639 },
	{ "energy_pkg", 0x611 },
	{ "energy_dram", 0x619 },
	{ "energy_psys", 0x64d },
};

static const struct kind amd_kinds[] = {
	{ "energy_core", 0xc001029a },
	{ "energy_pkg", 0xc001029b },
};

static const struct kind *kinds = intel_kinds;
static int nr_kinds = 4, bits = 14;
static bool amd;
static char names[80];

enum { CORE, PKG, DRAM };

static void find_machine(void)
{
	unsigned int a, b, c, d;
	int k;

	__cpuid(0, a, b, c, d);
	amd = b == signature_AMD_ebx;
	if (amd) {
		kinds = amd_kinds;
		nr_kinds = 2;
		bits = 16;
	}
	for (k = 0; k < nr_kinds; k++)
		sprintf(names + strlen(names), "%s%s", k ? "," : "", kinds[k].name);
}

static uint32_t reg(int k)
{
	return read_msr(0, kinds[k].msr);
}

/* ---- sessions that count CPUs; CPU 0 reports the energy ---- */

/*
 * A sample requested between two readings of a register; the readings are equal if the
 * register did not change.
 */
struct pin {
	int number;	/* of the requested samples */
	uint32_t low, high;
};

struct session {
	int fd;
	int asked;	/* for so many samples */
	struct records records;
	struct pin from[4], to[4];
};

#define PINS	40

static struct pin pin_register(struct session *s, int k)
{
	struct pin best = { .high = -1 }, p;
	int i;

	for (i = 0; i < PINS && best.low != best.high; i++) {
		p.low = reg(k);
		if (write(s->fd, "sample", 6) != 6)
			die("no sample: %s", why(s->fd));
		p.high = reg(k);
		p.number = ++s->asked;
		if (p.high - p.low < best.high - best.low)
			best = p;
		read_records(s->fd, &s->records);
	}
	return best;
}

static void pin_all(struct session *s, struct pin *pins)
{
	int k;

	for (k = 0; k < nr_kinds; k++)
		pins[k] = pin_register(s, k);
}

static void begin(struct session *s, const char *period)
{
	s->fd = open_session();
	command(s->fd, "ring 8192\nevents " INSTRUCTIONS "\nvirtual %s\nperiod %s\nsyswide", names,
		period);
	pin_all(s, s->from);
}

/* Microjoules in CPU 0's records from one requested sample to another. */
static long long reported(const struct session *s, int k, int from, int to)
{
	long long sum = 0;
	int i, asked = 0;

	for (i = 0; i < s->records.nr; i++) {
		const struct record *r = &s->records.all[i];

		if (r->head.cpu)
			continue;
		if (asked >= from && asked < to)
			sum += r->counts[r->head.nr_counts + k];
		if (r->head.event == PMC_SAMPLE_SELF)
			asked++;
	}
	return sum;
}

static long long to_uj(long long units)
{
	return units * 1000000 >> bits;
}

/*
 * The register changed from one of a few values to one of a few others. Rounding of earlier
 * values may account for a microjoule.
 */
static void check_sum(const struct session *s, int k, const char *period)
{
	const struct pin *from = &s->from[k], *to = &s->to[k];
	long long sum = reported(s, k, from->number, to->number), units;
	uint32_t least = to->low - from->high, most = to->high - from->low;

	/* A small part of 2 to 4 million; with little or no other work, one. */
	within(most - least, 0, k == CORE || k == DRAM ? 2 : 16, "%s at %s: units the register moved at the ends",
	       kinds[k].name, period);
	for (units = least; units <= most; units++)
		if (sum == to_uj(units) || sum == to_uj(units) + 1)
			return;
	fail("%s at %s: the samples' sum is %lld uJ, the register went on by %lld to %lld",
	     kinds[k].name, period, sum, to_uj(least), to_uj(most));
}

/* CPUs that share the registers with CPU 0 report nothing. */
static void check_others(const struct session *s, const char *period)
{
	int i, k;

	for (i = 0; i < s->records.nr; i++)
		for (k = 0; k < nr_kinds; k++)
			if (s->records.all[i].head.cpu && !(amd && k == CORE) &&
			    s->records.all[i].counts[s->records.all[i].head.nr_counts + k]) {
				fail("%s at %s: CPU %d reports it, too", kinds[k].name, period,
				     s->records.all[i].head.cpu);
				return;
			}
}

static void end(struct session *s, const char *period)
{
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	int k, i;

	pin_all(s, s->to);
	command(s->fd, "stop");
	read_records(s->fd, &s->records);
	check_records(&s->records);
	for (k = 0; k < nr_kinds; k++)
		check_sum(s, k, period);
	check_others(s, period);
	if (ioctl(s->fd, PMC_IOC_TOTALS, &totals))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	for (k = 0; k < nr_kinds; k++) {
		long long sum = 0;

		for (i = 0; i < s->records.nr; i++)
			sum += s->records.all[i].counts[s->records.all[i].head.nr_counts + k];
		same(totals.counts[totals.nr_counts + k], sum, "%s at %s: total", kinds[k].name,
		     period);
	}
	forget_records(&s->records);
	close(s->fd);
}

static void samples_add_up(void)
{
	struct session often = {}, seldom = {};
	uint32_t before[4];
	bool wrapped[4] = {};
	int k, seconds, nr_wrapped = 0;

	pin(0, 0);
	for (k = 0; k < nr_kinds; k++) {
		before[k] = reg(k);
		if (before[k] < START)
			die("%s has wrapped before", kinds[k].name);
	}
	begin(&often, "10ms");
	begin(&seldom, "10s");
	for (seconds = 0; seconds < 60 && (seconds < 30 || nr_wrapped < nr_kinds); seconds++) {
		sleep(1);
		read_records(often.fd, &often.records);
		for (k = 0, nr_wrapped = 0; k < nr_kinds; k++) {
			wrapped[k] |= reg(k) < before[k];
			nr_wrapped += wrapped[k];
		}
		/* The cores' energy grows only with work. */
		if (!wrapped[CORE])
			spin(50000000);
	}
	for (k = 0; k < nr_kinds; k++)
		CHECK(wrapped[k], "%s did not wrap", kinds[k].name);
	CHECK(often.records.nr > seconds * 150, "only %d samples every 10 ms", often.records.nr);
	end(&often, "10 ms");
	end(&seldom, "10 s");
}

/* ---- threads ---- */

/* Work and waiting on a CPU: a thread's energy is that of its work. */
static void thread_on(int cpu, int nanojoule)
{
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	struct pmc_read now = { .core_type = PMC_ALL_CORE_TYPES };
	struct records records = {};
	long long sum[4] = {}, instructions;
	int fd = open_session(), i, k;

	pin(0, cpu);
	command(fd, "ring 4096\nevents " INSTRUCTIONS ":u:k\nvirtual %s\nperiod 10ms", names);
	start(fd);
	for (i = 0; i < 10; i++) {
		spin(5000000);
		usleep(200000);
	}
	if (ioctl(fd, PMC_IOC_READ, &now))
		die("PMC_IOC_READ: %s", strerror(errno));
	stop(fd);
	command(fd, "stop");
	read_to_end(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++)
		for (k = 0; k < nr_kinds; k++)
			sum[k] += records.all[i].counts[1 + k];
	if (ioctl(fd, PMC_IOC_TOTALS, &totals))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	for (k = 0; k < nr_kinds; k++) {
		same(totals.counts[1 + k], sum[k], "CPU %d: total of %s", cpu, kinds[k].name);
		within(sum[k] - now.counts[1 + k], 0, 1000, "CPU %d: %s after it was read", cpu,
		       kinds[k].name);
	}
	/* The machine did little else while the thread ran. */
	instructions = totals.counts[0];
	within(sum[CORE] * 1000, instructions * nanojoule * 99 / 100,
	       instructions * nanojoule * 103 / 100, "CPU %d: nJ of the cores", cpu);
	within(sum[PKG] * 1000, instructions * (nanojoule + PACKAGE) * 99 / 100,
	       instructions * (nanojoule + PACKAGE) * 103 / 100, "CPU %d: nJ of the package", cpu);
	forget_records(&records);
	close(fd);
}

/*
 * Samples by event count: energy is read in the overflow interrupt, an NMI, so each sample
 * has the energy of its period's instructions and of the previous interrupt.
 */
static void by_events(int cpu, int nanojoule)
{
	const long period = 200000, interrupt = 4000;
	uint64_t most;
	struct records records = {};
	int fd = open_session(), i, samples = 0, others = 0;

	pin(0, cpu);
	command(fd, "ring 4096\nevents " INSTRUCTIONS ":u:ebs=%ld\nvirtual %s", period, names);
	start(fd);
	spin(20 * period);
	stop(fd);
	command(fd, "stop");
	read_to_end(fd, &records);
	check_records(&records);
	for (i = 1; i < records.nr; i++) {
		if (records.all[i].head.event != PMC_SAMPLE_EBS)
			continue;
		samples++;
		/* The registers' unit is 61 or 15 uJ. */
		most = (period + interrupt) * nanojoule / 1000 + 62;
		/* Intel's register covers all cores, and the other core may have work. */
		if (!amd && records.all[i].counts[1] > most && records.all[i].counts[1] < 2 * most) {
			others++;
			continue;
		}
		within(records.all[i].counts[1], period * nanojoule / 1000 - 62, most,
		       "CPU %d: energy of %ld instructions, sample %d", cpu, period, i);
	}
	within(others, 0, 2, "CPU %d: samples with others' energy in them", cpu);
	within(samples, 38, 40, "samples of %ld instructions", 40 * period);
	forget_records(&records);
	close(fd);
}

/*
 * Registers are read at switches only if a session asks for them. A session that begins
 * while a thread runs gets the energy from then on, while the thread runs.
 */
static void asked_for_late(int cpu, int nanojoule)
{
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };
	int one = open_session(), all = open_session(), k;
	uint32_t before[4];
	uint64_t work;

	pin(0, cpu);
	command(one, "virtual energy_pkg\nperiod 10s");
	command(all, "events " INSTRUCTIONS ":u:k\nvirtual %s\nperiod 10s", names);
	start(one);
	spin(5000000);
	for (k = 0; k < nr_kinds; k++)
		before[k] = reg(k);
	start(all);
	spin(5000000);
	usleep(200000);
	spin(5000000);
	stop(all);
	stop(one);
	command(all, "stop");
	if (ioctl(all, PMC_IOC_TOTALS, &totals))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	work = totals.counts[0] * nanojoule / 1000;
	within(totals.counts[1 + CORE], work * 97 / 100, work * 105 / 100,
	       "CPU %d: uJ of the cores, asked for late", cpu);
	/* The thread ran for a twentieth of the time. */
	for (k = PKG; k < nr_kinds; k++)
		within(totals.counts[1 + k], 1, to_uj((uint32_t)(reg(k) - before[k])) / 3,
		       "CPU %d: uJ of %s, asked for late", cpu, kinds[k].name);
	close(all);
	close(one);
}

/* ---- the scheduler's metric, which is the package's energy ---- */

#define PHASE_MIX	"/tests/programs/phase_mix"
#define MS		1000000l
/* Microjoules of a register's unit, rounded up */
#define UNIT		((1000000 >> bits) + 1)
/* uJ per ms of the package: when all cores are idle, and when a core works */
#define LEAST_OF_MS	PACKAGE
#define MOST_OF_MS	(PACKAGE + P_CORE + E_CORE)

/* A process that waits; a session and a scheduler count it from its next run on. */
static struct worker monitored(int *fd)
{
	struct worker p = worker_start(1, NULL);

	usleep(10000);
	*fd = open_session();
	command(*fd, "virtual energy_pkg\nattach %d", p.pid);
	same(consumer("on", p.pid, 0), 0, "having a process monitored");
	usleep(50000);
	return p;
}

static long long all_reported(int fd)
{
	struct pmc_totals totals = { .core_type = PMC_ALL_CORE_TYPES };

	if (ioctl(fd, PMC_IOC_TOTALS, &totals))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	return totals.counts[totals.nr_counts];
}

/* The value of a thread that runs without a break is updated every 100 ms. */
static void reported_while_running(void)
{
	unsigned long long value, before = 0, age = 0;
	uint64_t values[WORKER_VALUES];
	long long now;
	struct worker p;
	int fd, i;

	p = monitored(&fd);
	worker_spin(&p, 1500 * MS);
	for (i = 0; i < 6; i++) {
		usleep(210000);
		same(metric(p.pid, METRIC_ENERGY, &value, &age), 0, "energy while it runs");
		command(fd, "sample");
		now = all_reported(fd);
		within(age, 0, 120 * MS, "age of the value, ns");
		/* A query takes less than a ms. */
		within(value, now - (age / MS + 2) * MOST_OF_MS * 1000,
		       now - age / MS * LEAST_OF_MS * 1000 + UNIT,
		       "uJ reported %llu ns ago, of a process with %lld uJ", age, now);
		within(value, before + 100 * LEAST_OF_MS * 1000, -1ull >> 1,
		       "uJ, after %llu", before);
		before = value;
	}
	worker_spun(&p, values);
	usleep(20000);
	same(metric(p.pid, METRIC_ENERGY, &value, &age), 0, "energy while it waits");
	command(fd, "detach %d", p.pid);
	now = all_reported(fd);
	within(value, now - 1000 - UNIT, now + UNIT, "uJ reported of a waiting process, less than 1000 behind");
	worker_end(&p);
	close(fd);
}

/* The metric is updated when the energy has grown by a mJ. */
static void reported_while_waiting(void)
{
	unsigned long long value, age;
	uint64_t values[WORKER_VALUES];
	int fd, i, exact = 0;
	struct worker p;
	long long all;

	for (i = 0; i < 4; i++) {
		p = monitored(&fd);
		worker_spin(&p, 2 * MS);
		worker_spun(&p, values);
		usleep(20000);
		same(metric(p.pid, METRIC_ENERGY, &value, &age), 0, "energy of a waiting process");
		command(fd, "detach %d", p.pid);
		all = all_reported(fd);
		within(all, 2 * (PACKAGE + E_CORE) * 1000 - UNIT, 3 * MOST_OF_MS * 1000,
		       "uJ of a process that ran for 2 ms");
		within(value, all - 1000 - UNIT, all + UNIT, "uJ reported of it");
		exact += (long long)value >= all - UNIT;
		worker_end(&p);
		close(fd);
	}
	/* The last tick may have been just before the end. */
	within(exact, 3, 4, "processes whose whole energy was reported, of 4");
}

/* The module is unloaded and loaded while threads are monitored. */
static void gone_while_it_runs(void)
{
	struct worker p = worker_start(1, NULL);
	unsigned long long value = 0, age;
	int i;

	same(consumer("on", p.pid, 0), 0, "having a process monitored");
	worker_spin(&p, 5000 * MS);
	for (i = 0; i < 5; i++) {
		usleep(30000 + i * 10000);
		deactivate("energy");
		same(metric(p.pid, METRIC_ENERGY, &value, &age), -ENODEV, "energy, no module");
		activate("energy");
	}
	usleep(210000);
	same(metric(p.pid, METRIC_ENERGY, &value, &age), 0, "energy, by the module again active");
	within(value, 50 * LEAST_OF_MS * 1000, 250 * MOST_OF_MS * 1000, "uJ since then");
	kill(p.pid, SIGKILL);
	waitpid(p.pid, NULL, 0);
	close(p.to);
	close(p.from);
}

/* Energy of a program that an exec has replaced is not that of the new one. */
static void replaced_program(void)
{
	unsigned long long value = 0, age;
	int old_program[2];
	pid_t pid;
	char c;

	if (pipe2(old_program, O_CLOEXEC))
		die("pipe2: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		pin(0, 1);
		raise(SIGSTOP);
		spin(1000 * MS / 2);
		execl(PHASE_MIX, PHASE_MIX, "0,100,0,0:100000000", NULL);
		_exit(1);
	}
	close(old_program[1]);
	waitpid(pid, NULL, WUNTRACED);
	same(consumer("on", pid, 0), 0, "having a process monitored");
	kill(pid, SIGCONT);
	/* The exec closes the other end. */
	same(read(old_program[0], &c, 1), 0, "bytes from the old program");
	usleep(250000);
	same(metric(pid, METRIC_ENERGY, &value, &age), 0, "energy after an exec");
	within(value, 50 * LEAST_OF_MS * 1000, 1000 * LEAST_OF_MS * 1000, "uJ after an exec");
	close(old_program[0]);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void scheduler(void)
{
	load_module("test_consumer");
	pin(0, 0);
	reported_while_running();
	reported_while_waiting();
	gone_while_it_runs();
	replaced_program();
	unload_module("test_consumer");
}

/* Energy can reveal secrets of other processes, so only root may read it. */
static void not_for_everybody(void)
{
	int status;
	pid_t pid;

	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid cannot be set");
	pid = fork();
	if (!pid) {
		int fd;

		if (setgid(1000) || setuid(1000))
			die("setuid: %s", strerror(errno));
		fd = open_session();
		command(fd, "events " INSTRUCTIONS ":u");
		refused(fd, EACCES, "CAP_PERFMON", "virtual energy_pkg");
		exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "exit status of another user's process");
}

static void become_effective(uid_t uid)
{
	if (seteuid(uid))
		die("seteuid %d: %s", (int)uid, strerror(errno));
}

/* A session that was configured while everybody might count CPUs is refused, too. */
static void not_any_more(void)
{
	int fd;

	if (write_file("/proc/sys/kernel/perf_event_paranoid", "0"))
		die("perf_event_paranoid cannot be set");
	become_effective(1000);
	fd = open_session();
	command(fd, "events " INSTRUCTIONS ":u\nvirtual energy_pkg");
	become_effective(0);
	write_file("/proc/sys/kernel/perf_event_paranoid", "2");
	become_effective(1000);
	refused_start(fd, EACCES, "system-wide counting needs CAP_PERFMON");
	close(fd);
	become_effective(0);
}

int main(void)
{
	read_machine();
	find_machine();
	if (!can_suspend())
		die("this machine can't be suspended to memory");
	/* The machine's start needed more energy than was left until the wrap. */
	suspend();
	load_module("pmc_energy");
	activate("energy");
	samples_add_up();
	thread_on(0, P_CORE);
	thread_on(1, E_CORE);
	by_events(0, P_CORE);
	by_events(1, E_CORE);
	asked_for_late(0, P_CORE);
	asked_for_late(1, E_CORE);
	scheduler();
	not_for_everybody();
	not_any_more();
	deactivate("energy");
	unload_module("pmc_energy");
	return result();
}

#endif
