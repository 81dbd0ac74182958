/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Virtual counters: values that monitoring modules provide
 *
 * A monitoring module is a separate kernel module that measures other
 * quantities than events: energy, occupancy of caches, speedup factors, ...
 * After the administrator has activated it, its virtual counters can be part of
 * each sample; they are read at the same moment as the events.
 */
#ifndef LIBPMCTRACK_VIRTUALS_H
#define LIBPMCTRACK_VIRTUALS_H

#include <stddef.h>
#include <stdint.h>

#include <pmctrack/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Most virtual counters of one configuration */
#if !defined(PMC_MAX_VIRTUALS)
#define PMC_MAX_VIRTUALS 16
#elif PMC_MAX_VIRTUALS != 16
#error "PMC_MAX_VIRTUALS is 16: the library fills arrays of that size"
#endif

/* Stands for a value that is not known (yet). */
#define PMC_NO_VALUE		0xffffffffffffffffULL

/* Types of virtual counters */
enum pmc_virtual_kind {
	PMC_VIRTUAL_COUNT,	/* a sample has the increase since the previous one */
	PMC_VIRTUAL_LEVEL,	/* a sample has the current value */
	PMC_VIRTUAL_RATIO	/* the same; the value is a quotient */
};

/* flags of struct pmc_virtual_info */
#define PMC_VIRTUAL_ESTIMATED	0x01	/* estimated by a model, not measured */
#define PMC_VIRTUAL_UNPRIVILEGED 0x02	/* every user may ask for it, for own processes */
#define PMC_VIRTUAL_SHARED	0x04	/* several CPUs share it: reported for one of them */
#define PMC_VIRTUAL_SYSWIDE	0x08	/* available for CPUs */
#define PMC_VIRTUAL_THREADS	0x10	/* available for threads */

/**
 * struct pmc_virtual_info - a virtual counter
 * @name: its name
 * @module: monitoring module that provides it
 * @unit: "uJ", "bytes", ...; "" for a plain number
 * @desc: one line about it
 * @kind: count, level or ratio
 * @scale: values divided by this are in @unit
 * @flags: PMC_VIRTUAL_*
 */
struct pmc_virtual_info {
	const char *name;
	const char *module;
	const char *unit;
	const char *desc;
	enum pmc_virtual_kind kind;
	unsigned int scale;
	unsigned int flags;
};

/**
 * struct pmc_module_info - a monitoring module that is loaded
 * @name: its name, also for activating it
 * @desc: one line about it
 * @active: it is active
 * @users: sessions and others that use it now
 */
struct pmc_module_info {
	const char *name;
	const char *desc;
	int active;
	int users;
};

typedef struct pmc_virtuals pmc_virtuals_t;

/**
 * pmc_virtuals_open - ask for the virtual counters and monitoring modules
 *
 * Return: a list of those that exist now, for pmc_virtuals_close(); NULL on
 * failure (ENOENT: module not loaded). The list never changes, so any number
 * of threads may use it at once.
 */
PMC_API pmc_virtuals_t *pmc_virtuals_open(void);
PMC_API void pmc_virtuals_close(pmc_virtuals_t *list);

/**
 * pmc_virtuals_get - virtual counter number @n, from 0
 * pmc_virtuals_module - monitoring module number @n, from 0, active or not
 *
 * Return: a description that belongs to @list; NULL past the last.
 */
PMC_API const struct pmc_virtual_info *pmc_virtuals_get(const pmc_virtuals_t *list, int n);
PMC_API const struct pmc_module_info *pmc_virtuals_module(const pmc_virtuals_t *list, int n);

/**
 * pmc_virtuals_find - a virtual counter by name, or as virtN by number
 *
 * Return: a description that belongs to @list; NULL if there is none (ENODEV:
 * its module is not active). The error line suggests similar names, or says how
 * to activate the module.
 */
PMC_API const struct pmc_virtual_info *pmc_virtuals_find(const pmc_virtuals_t *list,
							 const char *name);

/**
 * pmc_virtual_label - a heading: "energy_core[uJ]", "~sf" if it is estimated
 * pmc_virtual_format - a value in @v's unit: "1.250", "-" for PMC_NO_VALUE
 * pmc_virtual_value - the same as a number, NAN for PMC_NO_VALUE
 * @buf: out: at most @size bytes, with the terminating zero
 */
PMC_API void pmc_virtual_label(const struct pmc_virtual_info *v, char *buf, size_t size);
PMC_API void pmc_virtual_format(const struct pmc_virtual_info *v, uint64_t value,
				char *buf, size_t size);
PMC_API double pmc_virtual_value(const struct pmc_virtual_info *v, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
