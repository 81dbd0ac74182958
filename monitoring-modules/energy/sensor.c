// SPDX-License-Identifier: GPL-2.0
/*
 * Sensors of the board, by files of sysfs that the administrator names: those
 * of hwmon that show energy, in microjoules, or power, in microwatts
 * (Documentation/hwmon/sysfs-interface.rst in the kernel). Drivers of sensors
 * serve nobody inside the kernel, and take their time, so the files are read
 * in the tick: a sensor's energy is what it was at the last one.
 */
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pmctrack/monitoring_module.h>
#include "meter.h"

#define MS_DEFAULT	100
#define MS_MOST		10000
#define PATH_LEN	128

/**
 * struct sensor - a file
 * @src: what meters know of it; its raw register is @uj
 * @link: in the list of sensors
 * @path: the file, below /sys
 * @cpus: CPUs whose energy it tells
 * @power: it shows power, else energy
 * @uj: microjoules so far
 * @last: what it showed last
 * @time: when that was, ns
 * @carry: see pmc_energy_integrate()
 */
struct sensor {
	struct pmc_energy_source src;
	struct list_head link;
	char path[PATH_LEN];
	struct cpumask cpus;
	bool power;
	atomic64_t uj;
	u64 last;
	u64 time;
	u64 carry;
};

/* Changed by set only, while nobody measures. */
static LIST_HEAD(sensors);
static unsigned int sensors_ms = MS_DEFAULT;

static struct sensor *sensor_of(const struct pmc_energy_source *src)
{
	return (struct sensor *)src->data;
}

static s64 key(const struct pmc_energy_source *src, unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &sensor_of(src)->cpus) ? 0 : -1;
}

static u64 raw(const struct pmc_energy_source *src)
{
	return atomic64_read(&sensor_of(src)->uj);
}

static int look(const struct sensor *s, u64 *value)
{
	char path[PATH_LEN + 4];
	s64 number;
	int ret;

	snprintf(path, sizeof(path), "sys/%s", s->path);
	ret = pmc_module_read_number(path, &number);
	if (ret)
		return ret;
	*value = max(number, 0LL);
	return 0;
}

/* Power changed evenly since the last time, for all that is known. */
static void tick(struct pmc_energy_source *src)
{
	struct sensor *s = sensor_of(src);
	u64 value, now = ktime_get_ns(), spent = 0;

	if (look(s, &value))
		return;
	if (s->power)
		spent = pmc_energy_integrate((s->last + value) / 2,
					     now - s->time, &s->carry);
	else if (value > s->last)
		spent = value - s->last;
	atomic64_add(spent, &s->uj);
	s->last = value;
	s->time = now;
}

/**
 * pmc_energy_find_sensors - add the sensors that can be read
 *
 * Context: May sleep.
 */
void pmc_energy_find_sensors(void)
{
	struct sensor *s;
	int ret;

	list_for_each_entry(s, &sensors, link) {
		ret = look(s, &s->last);
		if (ret) {
			pr_warn("energy: /sys/%s can't be read (error %d) and is left out\n",
				s->path, -ret);
			continue;
		}
		atomic64_set(&s->uj, 0);
		s->carry = 0;
		s->time = ktime_get_ns();
		pmc_energy_add_source(&s->src);
	}
}

/**
 * pmc_energy_sensors_ms - how often sensors want to be looked at
 *
 * Context: As pmc_energy_find_sensors().
 */
unsigned int pmc_energy_sensors_ms(void)
{
	return list_empty(&sensors) ? MS_MOST : sensors_ms;
}

/**
 * pmc_energy_drop_sensors - forget all sensors
 *
 * Context: While nobody measures.
 */
void pmc_energy_drop_sensors(void)
{
	struct sensor *s, *next;

	list_for_each_entry_safe(s, next, &sensors, link)
		kfree(s);
	INIT_LIST_HEAD(&sensors);
}

static int kind_by_name(const char *name)
{
	int kind;

	for (kind = 0; kind < PMC_ENERGY_NR; kind++)
		if (!strcmp(name, pmc_energy_kind_name(kind)))
			return kind;
	return -1;
}

/* What the last part of the path begins with. */
static int kind_of_file(struct sensor *s)
{
	const char *name = kbasename(s->path);

	s->power = !strncmp(name, "power", 5);
	if (s->power || !strncmp(name, "energy", 6))
		return 0;
	return pmc_module_error(-EINVAL,
				"energy.sensor: %s: the file's name begins with energy (microjoules) or power (microwatts)",
				s->path);
}

static int fill(struct sensor *s, char *value)
{
	char *path = strsep(&value, ":"), *name = strsep(&value, ":");
	int kind, ret;

	kind = name ? kind_by_name(name) : -1;
	if (kind < 0)
		return pmc_module_error(-EINVAL,
					"energy.sensor is FILE:KIND[:CPUS], with a file below /sys, and core, pkg, dram or psys");
	if (strscpy(s->path, path, sizeof(s->path)) < 0)
		return pmc_module_error(-ENAMETOOLONG,
					"energy.sensor: a name of at most %u letters",
					PATH_LEN - 1);
	ret = kind_of_file(s);
	if (ret)
		return ret;
	cpumask_copy(&s->cpus, cpu_possible_mask);
	if (value && (cpulist_parse(value, &s->cpus) ||
		      !cpumask_intersects(&s->cpus, cpu_possible_mask)))
		return pmc_module_error(-EINVAL,
					"energy.sensor: '%s' is no list of this machine's CPUs",
					value);
	ret = look(s, &s->last);
	if (ret)
		return pmc_module_error(ret,
					"energy.sensor: no number can be read from /sys/%s (error %d)",
					s->path, -ret);
	s->src = (struct pmc_energy_source){
		.kind = kind,
		.name = s->path,
		.unit = { 1, 1 },
		.anywhere = true,
		.key = key,
		.raw = raw,
		.tick = tick,
		.data = (unsigned long)s,
	};
	return 0;
}

static int add_sensor(char *value)
{
	struct sensor *s = kzalloc(sizeof(*s), GFP_KERNEL);
	int ret;

	if (!s)
		return -ENOMEM;
	ret = fill(s, value);
	if (ret) {
		kfree(s);
		return ret;
	}
	list_add_tail(&s->link, &sensors);
	return 0;
}

/**
 * pmc_energy_set_sensor - set a parameter that is about sensors
 * @key: "sensor" or "sensor_ms"
 * @value: see the messages
 *
 * Context: May sleep.
 * Return: 0 or a negative error, explained.
 */
int pmc_energy_set_sensor(const char *key, char *value)
{
	unsigned int ms;

	if (pmc_energy_in_use())
		return pmc_module_error(-EBUSY,
					"energy is being measured: deactivate the modules that do before you change its sensors");
	if (!strcmp(key, "sensor_ms")) {
		if (kstrtouint(value, 0, &ms) || ms < 10 || ms > MS_MOST)
			return pmc_module_error(-ERANGE,
						"energy.sensor_ms is a number from 10 to %u",
						MS_MOST);
		sensors_ms = ms;
		return 0;
	}
	if (!strcmp(value, "none")) {
		pmc_energy_drop_sensors();
		return 0;
	}
	return add_sensor(value);
}

/**
 * pmc_energy_show_sensors - write the parameters that are about sensors
 * @m: where to
 *
 * Context: May sleep.
 */
void pmc_energy_show_sensors(struct seq_file *m)
{
	const struct sensor *s;

	pmc_module_show(m, "sensor_ms", "%u", sensors_ms);
	if (list_empty(&sensors))
		pmc_module_show(m, "sensor", "none");
	list_for_each_entry(s, &sensors, link)
		pmc_module_show(m, "sensor", "%s:%s:%*pbl", s->path,
				pmc_energy_kind_name(s->src.kind),
				cpumask_pr_args(&s->cpus));
}
