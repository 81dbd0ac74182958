// SPDX-License-Identifier: GPL-2.0
/*
 * Sensors, by files of sysfs that the administrator names: those
 * of hwmon that show energy, in microjoules, or power, in microwatts
 * (Documentation/hwmon/sysfs-interface.rst in the kernel). Drivers of sensors
 * have no interface inside the kernel, and are slow, so the files are read in the
 * tick. The energy since the read before is reported evenly over as long a time
 * from then on, together with energy that is not reported yet: so it is a tick
 * late, but a thread has the part of it that it ran for, whatever task the tick
 * interrupts, and whenever another user's tick comes.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "../sensor_file.h"
#include "sources.h"

#define MS_DEFAULT	100
#define MS_MOST		10000

/* More than it takes to write a ramp */
#define AHEAD_NS	20000

/**
 * struct ramp - how a sensor's energy grows until the next read
 * @from: microjoules at @start
 * @rise: and that are added by
 * @length: nanoseconds later
 * @start: time shortly after the read, ns
 */
struct ramp {
	u64 from;
	u64 rise;
	u64 start;
	u64 length;
};

/**
 * struct sensor - a file
 * @src: what meters know of it; its raw register is microjoules by @ramp
 * @link: in the list of sensors
 * @file: the file, its kind and its CPUs
 * @power: it shows power, else energy
 * @ramps: the last two
 * @newest: how many there were: the lowest bit is the last one's place
 * @last: what it showed last
 * @time: when that was, ns
 * @asleep: for how long the machine had slept then, ns
 * @carry: see pmc_energy_integrate()
 */
struct sensor {
	struct pmc_energy_source src;
	struct list_head link;
	struct pmc_sensor_file file;
	bool power;
	struct ramp ramps[2];
	unsigned int newest;
	u64 last;
	u64 time;
	ktime_t asleep;
	u64 carry;
};

/* Changed by set only, while the meters are not in use. */
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

static u64 ramp_at(const struct ramp *r, u64 time)
{
	/* It may begin in a moment, and this clock step back a little between CPUs. */
	if ((s64)(time - r->start) <= 0)
		return r->from;
	if (time - r->start >= r->length)
		return r->from + r->rise;
	return r->from + mul_u64_u64_div_u64(r->rise, time - r->start, r->length);
}

static u64 raw(const struct pmc_energy_source *src)
{
	const struct sensor *s = sensor_of(src);
	/* First: values of a ramp after the next one's start may be above the next one's. */
	u64 now = ktime_get_mono_fast_ns();
	unsigned int newest;
	struct ramp r;

	/* NMIs, too, find one that is not being written. */
	do {
		/* Pairs with set_ramp(): the ramp is complete. */
		newest = smp_load_acquire(&s->newest);
		r = s->ramps[newest & 1];
		smp_rmb();	/* before @newest is looked at again */
	} while (newest != READ_ONCE(s->newest));
	return ramp_at(&r, now);
}

static void set_ramp(struct sensor *s, u64 from, u64 rise, u64 start, u64 length)
{
	struct ramp *r = &s->ramps[(s->newest + 1) & 1];

	*r = (struct ramp){ from, rise, start, length };
	/* For raw(): it is complete. */
	smp_store_release(&s->newest, s->newest + 1);
}

static int read_now(const struct sensor *s, u64 *value)
{
	s64 number;
	int ret = pmc_sensor_read(&s->file, &number);

	if (!ret)
		*value = max(number, 0LL);
	return ret;
}

/*
 * The sensor's energy in a time is reported from now on. Reported energy must never
 * fall, by a slower ramp, so this ramp begins where the old one will be when the new
 * one is there for all.
 */
static void report(struct sensor *s, u64 spent, u64 time)
{
	const struct ramp *r = &s->ramps[s->newest & 1];
	u64 start, reported, length;
	unsigned long flags;

	local_irq_save(flags);
	start = ktime_get_mono_fast_ns() + AHEAD_NS;
	reported = ramp_at(r, start);
	length = time + max_t(s64, r->start + r->length - start, 0);
	/* A late sensor catches up. */
	length = min(length, max(time, sensors_ms * (u64)NSEC_PER_MSEC));
	set_ramp(s, reported, r->from + r->rise + spent - reported, start, length);
	local_irq_restore(flags);
}

/* The clock of looks stands still while the machine sleeps, the other one goes on. */
static ktime_t time_asleep(void)
{
	return ktime_mono_to_any(0, TK_OFFS_BOOT);
}

/*
 * Power is taken to change evenly since the last time. A sensor of energy can't
 * distinguish energy while suspended from that shortly before and after; time
 * stands still then.
 */
static void tick(struct pmc_energy_source *src)
{
	struct sensor *s = sensor_of(src);
	u64 value, now = ktime_get_mono_fast_ns(), spent = 0;
	ktime_t asleep = time_asleep();

	/* Another user's tick has just been. */
	if (now - s->time < sensors_ms * (u64)NSEC_PER_MSEC / 2)
		return;
	if (read_now(s, &value))
		return;
	if (s->power)
		spent = pmc_energy_integrate((s->last + value) / 2,
					     now - s->time, &s->carry);
	else if (value > s->last && asleep == s->asleep && asleep == time_asleep())
		spent = value - s->last;
	report(s, spent, now - s->time);
	s->last = value;
	s->time = now;
	s->asleep = asleep;
}

/* Add the sensors that can be read. */
static void find(void)
{
	struct sensor *s;
	int ret;

	list_for_each_entry(s, &sensors, link) {
		ret = read_now(s, &s->last);
		if (ret) {
			pr_warn("energy: /sys/%s can't be read (error %d) and is left out\n",
				s->file.path, -ret);
			continue;
		}
		s->carry = 0;
		s->time = ktime_get_mono_fast_ns();
		s->asleep = time_asleep();
		set_ramp(s, 0, 0, s->time, 0);
		s->src.tick_ms = sensors_ms;
		pmc_energy_add_source(&s->src);
	}
}

const struct pmc_energy_provider pmc_energy_sensors = {
	.find = find,
};

/**
 * pmc_energy_drop_sensors - forget all sensors
 *
 * Context: While the meters are not in use.
 */
void pmc_energy_drop_sensors(void)
{
	struct sensor *s, *next;

	list_for_each_entry_safe(s, next, &sensors, link)
		kfree(s);
	INIT_LIST_HEAD(&sensors);
}

/* The beginning of the last part of the path. */
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

static int check_others(const struct sensor *s)
{
	const struct sensor *other;
	int ret = 0;

	list_for_each_entry(other, &sensors, link)
		ret = ret ?: pmc_sensor_check(&s->file, &other->file, "energy",
					      pmc_energy_kind_names);
	return ret;
}

static int add_sensor(char *value)
{
	struct sensor *s = kzalloc(sizeof(*s), GFP_KERNEL);
	int ret;

	if (!s)
		return -ENOMEM;
	ret = fill(s, value) ?: check_others(s);
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
