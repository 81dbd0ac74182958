// SPDX-License-Identifier: GPL-2.0
/*
 * Temperatures that the kernel shows in files: thermal zones' "temp" and hwmon's
 * "temp1_input", both in thousandths of a degree. They are read in the tick: a
 * temperature is that of the last one.
 */
#include <linux/mutex.h>
#include <linux/slab.h>
#include "../sensor_file.h"
#include "registers.h"

struct sensor {
	struct list_head link;
	struct pmc_sensor_file file;
	atomic64_t value;
};

static const char *const kinds[] = { "core", "pkg" };

/* Changed by set only, while the module is not active. */
static LIST_HEAD(sensors);

static bool is_for(const struct sensor *s, enum what what)
{
	return what == (s->file.kind ? TEMP_PKG : TEMP_CORE);
}

bool has_sensor(enum what what)
{
	const struct sensor *s;

	list_for_each_entry(s, &sensors, link)
		if (is_for(s, what))
			return true;
	return false;
}

/* Of this CPU; false: it has no sensor. Any context. */
bool read_sensor(enum what what, u64 *value)
{
	const struct sensor *s;

	list_for_each_entry(s, &sensors, link) {
		if (!is_for(s, what) ||
		    !cpumask_test_cpu(smp_processor_id(), &s->file.cpus))
			continue;
		*value = atomic64_read(&s->value);
		return true;
	}
	return false;
}

/* May sleep. Below zero no programs are measured. */
void look_at_sensors(void)
{
	struct sensor *s;
	s64 value;

	list_for_each_entry(s, &sensors, link) {
		if (pmc_sensor_read(&s->file, &value) || value < 0)
			value = PMC_NO_VALUE;
		atomic64_set(&s->value, value);
	}
}

static int check_others(const struct sensor *s)
{
	const struct sensor *other;
	int ret = 0;

	list_for_each_entry(other, &sensors, link)
		ret = ret ?: pmc_sensor_check(&s->file, &other->file, "thermal_freq", kinds);
	return ret;
}

int add_sensor(char *value)
{
	struct sensor *s = kzalloc(sizeof(*s), GFP_KERNEL);
	int ret;

	if (!s)
		return -ENOMEM;
	ret = pmc_sensor_parse(&s->file, "thermal_freq", value, kinds,
			       ARRAY_SIZE(kinds)) ?: check_others(s);
	if (ret)
		kfree(s);
	else
		list_add_tail(&s->link, &sensors);
	return ret;
}

void show_sensors(struct seq_file *m)
{
	const struct sensor *s;

	if (list_empty(&sensors))
		pmc_module_show(m, "sensor", "none");
	list_for_each_entry(s, &sensors, link)
		pmc_sensor_show(m, &s->file, kinds);
}

void drop_sensors(void)
{
	struct sensor *s, *next;

	list_for_each_entry_safe(s, next, &sensors, link)
		kfree(s);
	INIT_LIST_HEAD(&sensors);
}
