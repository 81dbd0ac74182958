// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module thermal_freq on a machine that has registers of temperature, beside a
 * hwmon sensor of one CPU: the other CPUs have the values of their registers.
 */
#include <unistd.h>

#include "vm.h"

/*
 * A number that the root user sets, as the sensor: the test kernels for x86 have no hwmon.
 * Registers show from 40000 to 80000 millidegrees.
 */
#define SENSOR		"module/rcupdate/parameters/rcu_cpu_stall_timeout"
#define BY_SENSOR	123

int main(void)
{
	struct records records = {};
	int fd, i, before, nr_by_register = 0;

	load_module("pmc_thermal_freq");
	before = change_number("/sys/" SENSOR, BY_SENSOR);
	set_config("thermal_freq.sensor=" SENSOR ":core:0");
	activate("thermal_freq");
	fd = open_session();
	command(fd, "ring 4096\nvirtual temp_core\nperiod 50ms\nsyswide");
	usleep(500000);
	command(fd, "stop");
	read_records(fd, &records);
	CHECK(records.nr >= 8, "%d records", records.nr);
	for (i = 0; i < records.nr; i++) {
		if (!records.all[i].head.cpu) {
			same(records.all[i].counts[0], BY_SENSOR, "CPU 0, by its sensor");
			continue;
		}
		within(records.all[i].counts[0], 40000, 80000, "CPU %d, by its register",
		       records.all[i].head.cpu);
		nr_by_register++;
	}
	CHECK(nr_by_register > 0, "no record of another CPU");
	forget_records(&records);
	close(fd);
	deactivate("thermal_freq");
	unload_module("pmc_thermal_freq");
	change_number("/sys/" SENSOR, before);
	return result();
}
