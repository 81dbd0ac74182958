/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files of sysfs that show what a board's sensor measures, for monitoring
 * modules whose administrator names them: NAME.sensor=FILE:KIND[:CPUS].
 * Drivers of sensors have no interface inside the kernel.
 */
#ifndef PMC_SENSOR_FILE_H
#define PMC_SENSOR_FILE_H

#include <linux/cpumask.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <pmctrack/monitoring_module.h>

#define PMC_SENSOR_PATH_LEN	128

/**
 * struct pmc_sensor_file - a sensor
 * @path: the file, below /sys
 * @kind: what it measures: place in the module's list of kinds
 * @cpus: CPUs that it is for
 */
struct pmc_sensor_file {
	char path[PMC_SENSOR_PATH_LEN];
	unsigned int kind;
	struct cpumask cpus;
};

/* Return: 0 or a negative error. May sleep. */
static inline int pmc_sensor_read(const struct pmc_sensor_file *f, s64 *value)
{
	char path[PMC_SENSOR_PATH_LEN + 4];

	snprintf(path, sizeof(path), "sys/%s", f->path);
	return pmc_module_read_number(path, value);
}

/**
 * pmc_sensor_parse - understand FILE:KIND[:CPUS]
 * @f: out
 * @module: name of the module, for messages
 * @value: the text; is written to
 * @kinds: names of kinds
 * @nr_kinds: how many
 *
 * The file has to show a number now.
 *
 * Context: May sleep; from a module's set.
 * Return: 0 or a negative error, explained.
 */
static inline int pmc_sensor_parse(struct pmc_sensor_file *f,
				   const char *module, char *value,
				   const char *const *kinds,
				   unsigned int nr_kinds)
{
	char *path = strsep(&value, ":"), *name = strsep(&value, ":");
	s64 number;
	int ret;

	f->kind = 0;
	while (f->kind < nr_kinds && (!name || strcmp(name, kinds[f->kind])))
		f->kind++;
	if (f->kind == nr_kinds)
		return pmc_module_error(-EINVAL,
					"%s.sensor is FILE:KIND[:CPUS]: a file below /sys, %s, ... or %s, a list of CPUs",
					module, kinds[0], kinds[nr_kinds - 1]);
	if (strscpy(f->path, path, sizeof(f->path)) < 0)
		return pmc_module_error(-ENAMETOOLONG,
					"%s.sensor: a file's name has at most %u letters",
					module, PMC_SENSOR_PATH_LEN - 1);
	cpumask_copy(&f->cpus, cpu_possible_mask);
	if (value && (cpulist_parse(value, &f->cpus) ||
		      !cpumask_intersects(&f->cpus, cpu_possible_mask)))
		return pmc_module_error(-EINVAL,
					"%s.sensor: '%s' is no list of this machine's CPUs",
					module, value);
	ret = pmc_sensor_read(f, &number);
	if (ret)
		return pmc_module_error(ret,
					"%s.sensor: no number can be read from /sys/%s (error %d)",
					module, f->path, -ret);
	return 0;
}

/**
 * pmc_sensor_check - refuse a sensor that would never be used
 * @f: the sensor
 * @other: one that was named before
 * @module: name of the module, for messages
 * @kinds: names of kinds
 *
 * Return: 0; -EEXIST, explained: @other is of the same kind and for some of the same CPUs.
 */
static inline int pmc_sensor_check(const struct pmc_sensor_file *f,
				   const struct pmc_sensor_file *other,
				   const char *module, const char *const *kinds)
{
	if (f->kind != other->kind || !cpumask_intersects(&f->cpus, &other->cpus))
		return 0;
	return pmc_module_error(-EEXIST,
				"%s.sensor: CPUs %*pbl have a sensor of kind %s: name other CPUs, or forget all sensors first (%s.sensor=none)",
				module, cpumask_pr_args(&other->cpus), kinds[f->kind], module);
}

/* As one line of /proc/pmc/config */
static inline void pmc_sensor_show(struct seq_file *m,
				   const struct pmc_sensor_file *f,
				   const char *const *kinds)
{
	pmc_module_show(m, "sensor", "%s:%s:%*pbl", f->path, kinds[f->kind],
			cpumask_pr_args(&f->cpus));
}

#endif /* PMC_SENSOR_FILE_H */
