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
#include "../sensor_file.h"
#include "meter.h"

#define MS_DEFAULT	100
#define MS_MOST		10000

/**
 * struct sensor - a file
 * @src: what meters know of it; its raw register is @uj
 * @link: in the list of sensors
 * @file: the file, its kind and its CPUs
 * @power: it shows power, else energy
 * @uj: microjoules so far
 * @last: what it showed last
 * @time: when that was, ns
 * @carry: see pmc_energy_integrate()
 */
struct sensor {
	struct pmc_energy_source src;
	struct list_head link;
	struct pmc_sensor_file file;
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
	return cpumask_test_cpu(cpu, &sensor_of(src)->file.cpus) ? 0 : -1;
}

static u64 raw(const struct pmc_energy_source *src)
{
	return atomic64_read(&sensor_of(src)->uj);
}

static int look(const struct sensor *s, u64 *value)
{
	s64 number;
	int ret = pmc_sensor_read(&s->file, &number);

	if (!ret)
		*value = max(number, 0LL);
	return ret;
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
				s->file.path, -ret);
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

/* What the last part of the path begins with. */
static int kind_of_file(struct sensor *s)
{
	const char *name = kbasename(s->file.path);

	s->power = !strncmp(name, "power", 5);
	if (s->power || !strncmp(name, "energy", 6))
		return 0;
	return pmc_module_error(-EINVAL,
				"energy.sensor: %s: the file's name begins with energy (microjoules) or power (microwatts)",
				s->file.path);
}

static int fill(struct sensor *s, char *value)
{
	int ret = pmc_sensor_parse(&s->file, "energy", value,
				   pmc_energy_kind_names, PMC_ENERGY_NR);

	if (ret)
		return ret;
	s->src = (struct pmc_energy_source){
		.kind = s->file.kind,
		.name = s->file.path,
		.unit = { 1, 1 },
		.anywhere = true,
		.key = key,
		.raw = raw,
		.tick = tick,
		.data = (unsigned long)s,
	};
	return kind_of_file(s);
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
		pmc_sensor_show(m, &s->file, pmc_energy_kind_names);
}
