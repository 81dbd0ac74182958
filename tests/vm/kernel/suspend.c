// SPDX-License-Identifier: GPL-2.0
/*
 * Counted threads lose nothing when the machine is suspended.
 *
 * On x86 the machine suspends to memory, and its CPUs lose their counters' registers. The
 * other CPUs go offline before that. On the last CPU, the thread that writes to
 * /sys/power/state and sessions that count CPUs still use the counters. The clock's alarm
 * resumes the machine.
 *
 * The arm64 machine cannot suspend to memory: QEMU's firmware has no PSCI SYSTEM_SUSPEND,
 * and /sys/power/mem_sleep has s2idle only, for which there are no notifiers. The machine
 * also has no idle states, in which a PMU loses its state and drivers are notified by
 * cpu_pm: there is no cpuidle driver (/sys/devices/system/cpu/cpu0/cpuidle is missing). The
 * kernel's own tests of suspend (/sys/power/pm_test) do not help: for "freeze" they suspend
 * the devices, among them the console of this test; for "disk" they reach the notifiers, but
 * wait there for 5 s in a loop that takes the emulator many minutes. So freezing is tested
 * here; kernel/hotplug tests a PMU that the kernel's driver resets when a CPU comes online.
 */
#include <fcntl.h>
#include <pmctrack.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"
#include "suspend.h"

#define THREADS	8
#define STEPS	40
#define FREEZES	5
#define LOADS	100000

/* The state that is written to /sys/power/state */
static const char *state;

static struct thread {
	pthread_t id;
	struct step steps[STEPS];
	uint64_t found;
	int fd;
} threads[THREADS];

/* No system call here waits: a waiting call would be restarted after thawing. */
static void *run(void *arg)
{
	struct thread *t = arg;

	script(t->steps, STEPS);
	t->found = own_count(t->fd, -1, 0, 0);
	return NULL;
}

/* Factor by which the threads run longer if they were not frozen in time. */
static int longer = 1;
#define LONGER_MAX	64

/* Return: whether the threads were frozen in time. */
static bool try_frozen(const char *options)
{
	long long asleep = time_asleep();
	struct records records = { };
	bool in_time;
	int fd = open_session(), i, j, ret;

	command(fd, "ring %d\nevents " INSTRUCTIONS "%s", 8192 * longer, options);
	for (i = 0; i < THREADS; i++) {
		struct step *s = threads[i].steps;

		threads[i].fd = fd;
		threads[i].found = 0;
		for (j = 0; j < STEPS; j++) {
			make_step(&s[j], j % 2 ? SYS_getppid : SYS_sched_yield, 0, 0, 0);
			s[j].loops = 400000 * longer + 1000 * i + 100 * j;
		}
		make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
		make_step(&s[STEPS - 1], SYS_ioctl, fd, PMC_IOC_STOP, 0);
		pthread_create(&threads[i].id, NULL, run, &threads[i]);
	}
	usleep(2000);
	for (i = 0; i < FREEZES; i++) {
		if (!strcmp(state, "mem"))
			set_alarm();
		ret = write_file("/sys/power/state", "%s", state);
		same(ret, 0, "%s (%s)", state, strerror(-ret));
		usleep(5000);
	}
	/* Or there was nothing to freeze. */
	in_time = !__atomic_load_n(&threads[THREADS - 1].found, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i].id, NULL);
		same(threads[i].found, script_length(threads[i].steps, STEPS),
		     "thread %d: instructions", i);
	}
	command(fd, "stop");
	read_records(fd, &records);
	check_records(&records);
	same(sum_records(&records, 0, -1, -1, 0), total(fd, -1, 0, 0), "sum of the samples");
	if (!strcmp(state, "mem"))
		within(time_asleep() - asleep, FREEZES * SECOND / 2, FREEZES * 3 * SECOND,
		       "how long it slept");
	forget_records(&records);
	close(fd);
	return in_time;
}

static void frozen(const char *options)
{
	while (!try_frozen(options)) {
		if (longer == LONGER_MAX)
			die("the threads have always ended before they were frozen");
		longer *= 2;
	}
}

/* The thread that suspends the machine; it runs on the last CPU. */
static void falls_asleep(int cpu, const char *options)
{
	int fd = open_session(), all = open_session(), power = open("/sys/power/state", O_WRONLY);
	struct records records = { }, cpus = { };
	volatile long place = 0;
	long long begin, asleep, elapsed;
	bool shared = !try_command(all, "events " INSTRUCTIONS ",l3=0x4:umask=0xff");
	struct step s[3];
	uint64_t lookups = 0;
	int i, n;

	pin(0, cpu);
	command(fd, "ring 8192\nevents " INSTRUCTIONS "%s," CYCLES ",sw=task_clock", options);
	if (!shared)
		command(all, "events " INSTRUCTIONS);
	make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	make_step(&s[1], SYS_write, power, (long)state, strlen(state));
	make_step(&s[2], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	s[0].loops = 1000001;
	s[1].loops = 1234567;
	set_alarm();
	asleep = time_asleep();
	begin = now(CLOCK_MONOTONIC);
	command(all, "syswide");
	script(s, 3);
	same(s[1].result, strlen(state), "CPU %d: writing to /sys/power/state", cpu);
	command(all, "sample");
	if (shared) {
		/* Each a lookup of the model's. */
		lookups = total(all, -1, 0, 1);
		for (i = 0; i < LOADS; i++)
			(void)place;
	}
	command(all, "stop");
	elapsed = now(CLOCK_MONOTONIC) - begin;
	within(time_asleep() - asleep, SECOND / 2, 3 * SECOND, "how long it slept");
	read_records(fd, &records);
	check_records(&records);
	n = strlen(options) ? script_length(s, 3) / 50000 : 0;
	same(nr_records(&records, 0, PMC_SAMPLE_EBS), n, "CPU %d: EBS samples", cpu);
	same(sum_records(&records, 0, -1, -1, 0), script_length(s, 3), "CPU %d: instructions", cpu);
	read_records(all, &cpus);
	/* An instruction takes a ns of all CPUs' time, and looks few things up. */
	if (shared) {
		within(total(all, -1, 0, 1) - lookups, LOADS, 3 * elapsed,
		       "lookups in the level 3 cache when it is awake");
		within(sum_records(&cpus, 0, -1, -1, 1), LOADS, 3 * elapsed,
		       "lookups in the level 3 cache");
	}
	within(sum_records(&cpus, 0, -1, -1, 0), script_length(s, 3), elapsed,
	       "instructions of all CPUs");
	for (i = 0; i < records.nr + cpus.nr; i++) {
		const struct record *r = i < records.nr ? &records.all[i] :
							  &cpus.all[i - records.nr];

		/* No thread runs in the suspended time. */
		if (r->head.running > r->head.elapsed || (long long)r->head.elapsed > elapsed)
			fail("record %d: ran %llu ns of %llu ns, in a test of %lld ns", i,
			     r->head.running, r->head.elapsed, elapsed);
		/*
		 * It is no more than has elapsed by another clock, which is looked at
		 * some instructions before, and other CPUs may run in between.
		 */
		if (i < records.nr)
			within(r->counts[2], r->head.running, r->head.running + 1000000,
			       "record %d: task_clock", i);
	}
	forget_records(&records);
	forget_records(&cpus);
	close(power);
	close(all);
	close(fd);
	unpin(0);
}

/* A thread that reads counters by instruction can do so after the suspend, too. */
static void caliper(void)
{
	pmc_caliper_t *c = pmc_caliper_open("instr");
	uint64_t before, woken, after;
	int ret;

	if (!c)
		die("a caliper: %s", pmc_last_error());
	pin(0, 0);
	set_alarm();
	pmc_caliper_read(c, &before);
	ret = write_file("/sys/power/state", "%s", state);
	pmc_caliper_read(c, &woken);
	spin(100000);
	pmc_caliper_read(c, &after);
	same(ret, 0, "%s (%s)", state, strerror(-ret));
	within(woken - before, 100, 20000, "instructions of writing to a file");
	within(after - woken, 200000, 201000, "instructions of a loop when it is awake");
	pmc_caliper_close(c);
	unpin(0);
}

int main(void)
{
	int last_cpu = sysconf(_SC_NPROCESSORS_ONLN) - 1;

	need_counters();
	if (can_suspend()) {
		state = "mem";
		falls_asleep(0, "");
		falls_asleep(last_cpu, "");
		falls_asleep(0, ":ebs=50000");
		caliper();
	} else if (!write_file("/sys/module/suspend/parameters/pm_test_delay", "0") &&
		   !write_file("/sys/power/pm_test", "freezer")) {
		state = "freeze";
	} else {
		skip("this kernel can't suspend to memory, and has no tests of suspend");
	}
	frozen("");
	frozen(":ebs=50000\nperiod 1ms");
	if (!strcmp(state, "freeze"))
		write_file("/sys/power/pm_test", "none");
	wait_until_idle();
	return result();
}
