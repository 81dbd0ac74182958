// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module thermal_freq: it reports the frequencies of the emulated machine's
 * cores and the temperatures of its sensors, for threads and for CPUs.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"

/*
 * On these machines an instruction takes a ns, and a big core one cycle, a small one two. A
 * ns of the kernel, measured with the time stamp counter, may differ slightly.
 */
#define BIG_KHZ		1000000
#define SMALL_KHZ	2000000

#define THERM_STATUS	0x19c

static bool has_sensors, has_registers;
static int nr;	/* virtual counters: freq, and temp_core, temp_pkg and throttled */

static bool offered(const char *name)
{
	char line[200];
	FILE *f = fopen("/proc/pmc/virtual", "r");
	bool found = false;

	while (f && fgets(line, sizeof(line), f))
		found |= !strncmp(line, name, strlen(name)) && line[strlen(name)] == ' ';
	fclose(f);
	return found;
}

static int khz_of(int cpu)
{
	return core_type_of(cpu) ? SMALL_KHZ : BIG_KHZ;
}

static const char *names(void)
{
	return has_sensors ? "freq,temp_core,temp_pkg,throttled" : "freq";
}

static const uint64_t *values(const struct record *r)
{
	return &r->counts[r->head.nr_counts];
}

static void check_freq(const struct record *r, const char *what)
{
	int khz = khz_of(r->head.cpu);
	/*
	 * The registers stop while the emulator runs another CPU. A thread's cycles are
	 * compared with the time, which includes that of other CPUs.
	 */
	int least = has_registers ? 99 : 90;

	if (*values(r) != PMC_NO_VALUE)
		within(*values(r), khz * (long long)least / 100, khz * 101ll / 100,
		       "%s: kHz of CPU %d", what, r->head.cpu);
}

/* The last sample of a type and CPU; NULL: none */
static const struct record *last_of(const struct records *records, int cpu)
{
	const struct record *last = NULL;
	int i;

	for (i = 0; i < records->nr; i++)
		if ((int)records->all[i].head.cpu == cpu)
			last = &records->all[i];
	if (!last)
		die("no sample of CPU %d", cpu);
	return last;
}

static void thread_on(int cpu)
{
	struct records records = {};
	int fd = open_session(), i, known = 0;

	pin(0, cpu);
	command(fd, "ring 1024\nevents " INSTRUCTIONS "\nvirtual %s\nperiod 20ms", names());
	start(fd);
	/* Samples of threads' cycles come every 100 ms. */
	spin(150000000);
	if (nr_core_types > 1) {
		/* Until its next sample there the thread has no frequency that is known. */
		pin(0, core_types[!core_type_of(cpu)].first_cpu);
		spin(20000000);
	}
	stop(fd);
	command(fd, "stop");
	read_to_end(fd, &records);
	check_records(&records);
	for (i = 0; i < records.nr; i++) {
		same(records.all[i].head.nr_virtual, nr, "virtual counters");
		check_freq(&records.all[i], "a thread");
		known += *values(&records.all[i]) != PMC_NO_VALUE;
	}
	CHECK(known >= 5, "CPU %d: the frequency is known in %d of %d samples", cpu, known,
	      records.nr);
	forget_records(&records);
	close(fd);
}

static void cpus_idle_then_busy(void)
{
	struct records records = {};
	const struct record *r;
	int fd = open_session(), i, status;

	pin(0, 0);
	sleep(2);
	command(fd, "ring 4096\nevents " INSTRUCTIONS "\nvirtual %s\nperiod 100ms\nsyswide",
		names());
	sleep(1);
	read_records(fd, &records);
	for (i = 0; i < records.nr; i++) {
		const uint64_t *v = values(&records.all[i]);

		check_freq(&records.all[i], "an idle CPU");
		if (!has_sensors)
			continue;
		within(v[1], 40000, 43000, "cool: core temperature of CPU %d",
		       records.all[i].head.cpu);
		within(v[2], 40000, 43000, "cool: package");
		same(v[3], 0, "cool: throttled");
	}
	forget_records(&records);

	/* As in machine/thermal: after 320 ms it has risen by 40 degrees, to within 2. */
	spin(160000000);
	command(fd, "sample");
	status = has_sensors ? 100 - (read_msr(0, THERM_STATUS) >> 16 & 0x7f) : 0;
	command(fd, "stop");
	read_records(fd, &records);
	r = last_of(&records, 0);
	check_freq(r, "a busy CPU");
	CHECK(*values(r) != PMC_NO_VALUE, "the frequency of a busy CPU is not known");
	if (has_sensors) {
		within(values(r)[1], 77000, 80000, "hot: core");
		within(values(r)[1], status * 1000 - 1000, status * 1000 + 1000,
		       "hot: core, against the register");
		within(values(r)[2], 77000, 80000, "hot: package");
		same(values(r)[3], 0, "hot: throttled");
		within(values(last_of(&records, 1))[1], 40000, 43000, "an idle core beside it");
	}
	forget_records(&records);
	close(fd);
}

/* Without the registers, the cycles of a CPU are not counted. */
static void cpus_without_registers(void)
{
	struct records records = {};
	int fd = open_session(), i;

	command(fd, "events " INSTRUCTIONS "\nvirtual freq\nperiod 100ms\nsyswide");
	sleep(1);
	command(fd, "stop");
	read_records(fd, &records);
	CHECK(records.nr, "no samples");
	for (i = 0; i < records.nr; i++)
		same(*values(&records.all[i]), PMC_NO_VALUE, "the frequency of CPU %d",
		     records.all[i].head.cpu);
	forget_records(&records);
	close(fd);
}

int main(void)
{
	int ct;

	need_counters();
#ifdef __x86_64__
	has_registers = true;
#endif
	load_module("pmc_thermal_freq");
	activate("thermal_freq");
	/* The emulator runs busy CPUs alternately, so none reaches its nominal frequency. */
	sleep(5);
	CHECK(offered("freq"), "there is no virtual counter freq");
	has_sensors = offered("temp_pkg");
	nr = has_sensors ? 4 : 1;
	same(has_sensors, offered("throttled"), "throttled where there are temperatures");
	same(has_sensors, !access("/lib/machine/x86_pkg_temp_thermal.ko", R_OK) &&
	     nr_core_types == 2 && strcmp(backend, "amd"), "sensors are found where they are");
	for (ct = 0; ct < nr_core_types; ct++)
		thread_on(core_types[ct].first_cpu);
	if (has_registers)
		cpus_idle_then_busy();
	else
		cpus_without_registers();
	deactivate("thermal_freq");
	unload_module("pmc_thermal_freq");
	return result();
}
