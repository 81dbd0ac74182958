// SPDX-License-Identifier: GPL-2.0
/*
 * Monitoring modules that read a board's sensors from files: energy, from sensors of energy
 * and of power, and thermal_freq. If the first of several CPUs that share a sensor goes
 * offline, another one reports the sensor.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

#define CONFIG	"/proc/pmc/config"

/*
 * Time until a reading of a sensor was reported completely. Readings are 100 ms apart, or
 * 150 ms if another user's was just before. The difference to the previous reading is
 * reported over a time as long as that between them.
 */
#define TICK_US	500000
#define SENSORS_US	100000

/* Resolution of the kernel timer that causes ticks (CONFIG_HZ=250). */
#define JIFFY_US	4000

/* Microwatts that the test's power sensor shows */
#define POWER	2500000

static char folder[60];

static void find_folder(void)
{
	char path[80], name[40];
	FILE *f;
	int i;

	for (i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "/sys/class/hwmon/hwmon%d/name", i);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%39s", name) == 1 && !strcmp(name, "test_sensors"))
			snprintf(folder, sizeof(folder), "class/hwmon/hwmon%d", i);
		fclose(f);
	}
	if (!folder[0])
		die("the test's sensors are not there");
}

static void set_sensor(const char *name, long value)
{
	char path[100];

	snprintf(path, sizeof(path), "/sys/module/test_sensors/parameters/%s", name);
	if (write_file(path, "%ld", value))
		die("%s cannot be written", path);
}

static void set_online(int cpu, int online)
{
	char path[100];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	if (write_file(path, "%d", online))
		die("%s cannot be written", path);
}

static void refusals(void)
{
	same(write_file("/proc/pmc/mm_manager", "activate energy"), -ENODEV,
	     "activating energy without a sensor");
	same(write_file(CONFIG, "energy.sensor=%s/energy1_input", folder), -EINVAL, "no kind");
	same(write_file(CONFIG, "energy.sensor=%s/energy1_input:gpu", folder), -EINVAL,
	     "an unknown kind");
	same(write_file(CONFIG, "energy.sensor=%s/energy9_input:core", folder), -ENOENT,
	     "no such sensor");
	same(write_file(CONFIG, "energy.sensor=%s/energy1_input:core:1-", folder), -EINVAL,
	     "no list of CPUs");
	same(write_file(CONFIG, "energy.sensor=%s/temp1_input:core", folder), -EINVAL,
	     "a temperature");
	same(write_file(CONFIG, "energy.sensor=%s/name:core", folder), -EINVAL, "no number");
	same(write_file(CONFIG, "thermal_freq.sensor=%s/temp1_input:dram", folder), -EINVAL,
	     "an unknown kind of temperature");
}

static const char *contents(const char *path)
{
	static char text[4096];
	FILE *f = fopen(path, "r");
	size_t len;

	if (!f)
		die("%s: %s", path, strerror(errno));
	len = fread(text, 1, sizeof(text) - 1, f);
	text[len] = '\0';
	fclose(f);
	return text;
}

/* A CPU has one sensor of a kind. */
static void second_sensors(void)
{
	set_config("energy.sensor=%s/energy1_input:core:0-1", folder);
	same(write_file(CONFIG, "energy.sensor=%s/energy2_input:core:1-3", folder), -EEXIST,
	     "a second sensor of a kind for a CPU");
	mentions(contents("/proc/pmc/mm_manager"), "energy.sensor: CPUs 0-1 have a sensor of kind core",
		 "the last error");
	same(write_file(CONFIG, "energy.sensor=%s/power1_input:core", folder), -EEXIST,
	     "a second sensor of a kind for all CPUs");
	set_config("energy.sensor=%s/energy2_input:core:2-3", folder);
	set_config("energy.sensor=%s/power1_input:pkg", folder);
	set_config("energy.sensor=none");
	set_config("thermal_freq.sensor=%s/temp1_input:pkg:0-2", folder);
	same(write_file(CONFIG, "thermal_freq.sensor=%s/temp1_input:pkg:2-3", folder), -EEXIST,
	     "a second temperature of a kind for a CPU");
	set_config("thermal_freq.sensor=%s/temp1_input:core:0-3", folder);
	set_config("thermal_freq.sensor=none");
}

/* Microjoules of a virtual counter that CPUs from @first to @last have reported. */
static long long reported(const struct records *records, int i, int first, int last)
{
	long long sum = 0;
	int n;

	for (n = 0; n < records->nr; n++) {
		const struct record *r = &records->all[n];

		if ((int)r->head.cpu >= first && (int)r->head.cpu <= last)
			sum += r->counts[r->head.nr_counts + i];
	}
	return sum;
}

static long long now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000ll + t.tv_nsec / 1000;
}

/* Microjoules by the power sensor */
static long long by_power(long long us)
{
	return us * POWER / 1000000;
}

enum { CORE, PKG };

static void energy(void)
{
	struct records records = {};
	int fd = open_session();
	long long before, since, until, after;

	set_sensor("energy1", 1000);
	set_sensor("energy2", 70);
	set_sensor("power1", POWER);
	set_config("energy.sensor=%s/energy1_input:core:0-1", folder);
	set_config("energy.sensor=%s/energy2_input:core:2-3", folder);
	set_config("energy.sensor=%s/power1_input:pkg", folder);
	before = now_us();
	activate("energy");
	since = now_us();
	same(write_file(CONFIG, "energy.sensor=none"), -EBUSY, "changing sensors in use");

	command(fd, "ring 4096\nevents " INSTRUCTIONS "\nvirtual energy_core,energy_pkg\n"
		"period 50ms\nsyswide");
	set_sensor("energy1", 5000001000);
	usleep(TICK_US);
	set_sensor("energy2", 77);
	usleep(TICK_US);
	/* CPU 0 has reported the sensor; CPU 1 continues. */
	set_online(0, 0);
	set_sensor("energy1", 5000001234);
	usleep(TICK_US);
	set_online(0, 1);
	set_sensor("energy1", 5000001300);
	usleep(TICK_US);
	/* A sensor that starts again reports nothing at that time. */
	set_sensor("energy2", 5);
	usleep(TICK_US);
	set_sensor("energy2", 8);
	usleep(TICK_US);
	until = now_us();
	command(fd, "stop");
	after = now_us();
	read_records(fd, &records);
	check_records(&records);
	same(reported(&records, CORE, 0, 0), 5000000000, "energy that CPU 0 reported, uJ");
	same(reported(&records, CORE, 1, 1), 300, "energy that CPU 1 reported");
	same(reported(&records, CORE, 2, 2), 10, "energy that CPU 2 reported");
	same(reported(&records, CORE, 3, 3), 0, "energy that CPU 3 reported");
	/*
	 * The report is late by the time between two ticks: a tick of the module, plus the
	 * delays of the timer and the worker.
	 */
	within(reported(&records, PKG, 0, 3),
	       by_power(until - since - SENSORS_US - 2 * JIFFY_US),
	       by_power(after - before - SENSORS_US + JIFFY_US), "2.5 W over the time");
	forget_records(&records);
	close(fd);
	deactivate("energy");
	set_config("energy.sensor=none");
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/*
 * No other thread runs on the CPU meanwhile, except sometimes the kernel's stopper. Return:
 * the stopper did not run either.
 */
static int work_alone(int fd)
{
	const struct sched_param first = { .sched_priority = 1 }, normal = { };
	long before;

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		die("sched_setscheduler: %s", strerror(errno));
	before = switches();
	start(fd);
	set_sensor("energy2", 10000008);
	set_sensor("energy1", 6000000000);
	/* 200 ms */
	spin(100000000);
	stop(fd);
	before -= switches();
	sched_setscheduler(0, SCHED_OTHER, &normal);
	return before == 0;
}

/*
 * A thread on CPU 2 is charged its cluster's energy while it runs. It is alone on the CPU,
 * so it is charged all energy. The sensors are still read, on another CPU, although the
 * module was activated on this one. Return: the thread was alone on the CPU.
 */
static int try_thread_energy(void)
{
	struct records records = {};
	int fd = open_session(), alone, i;
	uint64_t running = 0;

	set_sensor("energy1", 1000);
	set_sensor("energy2", 8);
	activate("energy");
	command(fd, "events " INSTRUCTIONS "\nvirtual energy_core,energy_pkg");
	/* The reported value is a tick old. */
	usleep(TICK_US);
	alone = work_alone(fd);
	set_sensor("energy2", 20000008);
	for (i = 0; i < 3; i++)
		usleep(TICK_US);
	start(fd);
	spin(100000000);
	stop(fd);
	command(fd, "stop");
	read_to_end(fd, &records);
	for (i = 0; i < records.nr; i++)
		running += records.all[i].head.running;
	if (alone) {
		same(reported(&records, CORE, 0, 3), 10000000, "energy of a thread, uJ");
		/* At each of the two starts and stops a tick may be a jiffy longer. */
		within(reported(&records, PKG, 0, 3), by_power(running / 1000 - 2 * JIFFY_US),
		       by_power(running / 1000 + 2 * JIFFY_US), "2.5 W while a thread ran");
	}
	forget_records(&records);
	close(fd);
	deactivate("energy");
	return alone;
}

/* Set the CPUs of the kernel's unbound workers. */
static void set_workers(const char *mask)
{
	if (write_file("/sys/devices/virtual/workqueue/cpumask", "%s", mask))
		die("workers cannot be kept off a CPU");
}

static void thread_energy(void)
{
	int tries = 0;

	set_config("energy.sensor=%s/energy1_input:core:0-1", folder);
	set_config("energy.sensor=%s/energy2_input:core:2-3", folder);
	set_config("energy.sensor=%s/power1_input:pkg", folder);
	set_config("energy.sensor_ms=20");
	pin(0, 2);
	/* A worker on the CPU would wait until the thread ends. */
	set_workers("b");
	while (!try_thread_energy())
		if (++tries == 10)
			die("the thread never had the CPU to itself");
	set_workers("f");
	unpin(0);
}

static void *work(void *unused)
{
	pin(0, 2);
	/* 1 s of the CPU, of which there are two */
	spin(500000000);
	return unused;
}

/*
 * Two modules tick, one some time after the other, and two threads share a CPU. Each thread
 * is charged the energy of the time while it ran, however short.
 */
static void two_users(int apart_us)
{
	struct records records = {};
	int fd = open_session(), i;
	uint64_t running = 0;
	pthread_t threads[2];

	set_config("energy.sensor=%s/power1_input:pkg", folder);
	set_config("energy.sensor_ms=100");
	pin(0, 0);
	activate("energy");
	usleep(apart_us);
	activate("edp");
	command(fd, "ring 4096\nevents " INSTRUCTIONS "\nvirtual energy_pkg\nperiod 10ms\n"
		"follow threads");
	usleep(TICK_US);
	start(fd);
	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	stop(fd);
	command(fd, "stop");
	read_to_end(fd, &records);
	check_records(&records);
	CHECK(records.nr > 100, "%d records", records.nr);
	for (i = 0; i < records.nr; i++) {
		uint64_t ran = records.all[i].head.running;

		running += ran;
		/* A tick may be two jiffies shorter than the last one, and begin 20 us early. */
		within(records.all[i].counts[1], 0, by_power(ran / 1000 + 20) * 110 / 100 + 1,
		       "uJ in record %d, of a thread that ran for %lld ns", i, (long long)ran);
	}
	within(reported(&records, PKG - 1, 0, 3), by_power(running / 1000) * 95 / 100,
	       by_power(running / 1000) * 105 / 100, "2.5 W while the threads ran");
	forget_records(&records);
	close(fd);
	deactivate("edp");
	deactivate("energy");
	unpin(0);
}

static void temperature(void)
{
	struct records records = {};
	int fd = open_session(), i;

	set_sensor("temp1", 45123);
	set_config("thermal_freq.sensor=%s/temp1_input:pkg:0-2", folder);
	activate("thermal_freq");
	command(fd, "events " INSTRUCTIONS "\nvirtual temp_pkg\nperiod 100ms\nsyswide");
	usleep(TICK_US);
	set_sensor("temp1", 50000);
	usleep(TICK_US);
	command(fd, "stop");
	read_records(fd, &records);
	for (i = 0; i < 4; i++)
		same(records.all[i].counts[1], records.all[i].head.cpu == 3 ? PMC_NO_VALUE : 45123,
		     "temperature of CPU %d", records.all[i].head.cpu);
	for (i = records.nr - 4; i < records.nr; i++)
		same(records.all[i].counts[1], records.all[i].head.cpu == 3 ? PMC_NO_VALUE : 50000,
		     "temperature of CPU %d, later", records.all[i].head.cpu);
	forget_records(&records);
	close(fd);
	deactivate("thermal_freq");
}

int main(void)
{
	int i;

	read_machine();
	load_module("test_sensors");
	load_module("pmc_energy");
	load_module("pmc_edp");
	load_module("pmc_thermal_freq");
	find_folder();
	refusals();
	second_sensors();
	energy();
	thread_energy();
	for (i = 0; i < 3; i++) {
		set_config("energy.sensor=none");
		two_users(20000 + 20000 * i);
	}
	temperature();
	unload_module("pmc_thermal_freq");
	unload_module("pmc_edp");
	unload_module("pmc_energy");
	unload_module("test_sensors");
	return result();
}
