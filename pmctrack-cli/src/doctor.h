/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pmctrack doctor: checks that a machine can count. A check prints its findings. Its knowledge
 * comes from files below a root folder, and from three probes; tests replace both.
 */
#ifndef PMCTRACK_DOCTOR_H
#define PMCTRACK_DOCTOR_H

#include <glob.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <pmctrack.h>

struct doctor;

/**
 * struct doctor_probes - what no file says
 * @perf_open: does perf_event_open() work for an event of the calling thread in user mode?
 *	Return: 0 or an errno.
 * @free_counters: can a thread on core type @ct have @nr general counters from perf? Return:
 *	1, 0, or -1 if that cannot be known
 * @count: @instructions of a child that runs on core type @ct, and how many of them are
 *	known beforehand (@known). Return: 0; -1 and pmc_last_error() has the reason; 1: the
 *	child may not run on these CPUs.
 */
struct doctor_probes {
	int (*perf_open)(void);
	int (*free_counters)(const struct doctor *d, const struct pmc_core_type_info *ct, int nr);
	int (*count)(const struct doctor *d, const struct pmc_core_type_info *ct,
		     uint64_t *instructions, uint64_t *known);
};

extern const struct doctor_probes doctor_probes;

/**
 * struct doctor - an examination
 * @root: folder that all file names begin with, "" for this system
 * @f: where findings go
 * @probes: what no file says
 * @machine: the machine, or NULL: then @machine_error says why
 * @release: the kernel's
 * @check: name of the check that is running
 * @failed: something does not work
 */
struct doctor {
	const char *root;
	FILE *f;
	const struct doctor_probes *probes;
	const pmc_machine_t *machine;
	const char *machine_error;
	char release[128];
	const char *check;
	int failed;
};

enum finding {
	OK,
	NOTE,	/* it works; the user may want to know, or to improve it */
	FAIL
};

/* Print a finding. */
void doctor_say(struct doctor *d, enum finding finding, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Print what to type for the last finding. */
void doctor_remedy(struct doctor *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* All checks, in their order. Return: the exit status. */
int doctor_examine(struct doctor *d);

/* ---- doctor_read.c: files below the root ---- */

/* Return: the contents, for free(), with a 0 behind them; NULL if it cannot be read. */
char *doctor_bytes(const struct doctor *d, size_t *size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for text, without the last newline. */
char *doctor_text(const struct doctor *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Does a text in a file begin with @value? 0 without the file. */
int doctor_is(const struct doctor *d, const char *file, const char *value);
/* The number in a file. Return: 0, or -1 without the file. */
int doctor_number(const struct doctor *d, const char *file, long *value);
int doctor_exists(const struct doctor *d, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The value of a "name: value" line of a file, without blanks in front of it; "" without it. */
void doctor_field(const struct doctor *d, const char *file, const char *name, char *buf, size_t size);
/* Files that match, for globfree(). Return: how many; their names begin with the root. */
size_t doctor_find(const struct doctor *d, const char *pattern, glob_t *found);

/* ---- checks, and what they have in common ---- */

/* All checks, in the order in which they run: a row for each. */
#define DOCTOR_CHECKS(CHECK)	\
	CHECK("module", doctor_module)	\
	CHECK("new kernels", doctor_new_kernels)	\
	CHECK("secure boot", doctor_signature)	\
	CHECK("PMU", doctor_pmu)	\
	CHECK("rights", doctor_rights)	\
	CHECK("sessions", doctor_sessions_file)	\
	CHECK("perf calls", doctor_perf_call)	\
	CHECK("memory", doctor_memory)	\
	CHECK("watchdog", doctor_watchdog)	\
	CHECK("KVM", doctor_kvm)	\
	CHECK("others", doctor_others)	\
	CHECK("counters", doctor_counters)	\
	CHECK("CPUs", doctor_cpus)	\
	CHECK("core types", doctor_core_types)	\
	CHECK("event names", doctor_names)	\
	CHECK("counting", doctor_measure)

#define DECLARE_CHECK(name, check) void check(struct doctor *d);
DOCTOR_CHECKS(DECLARE_CHECK)
#undef DECLARE_CHECK

/* doctor_module.c */
/* The module's file for this kernel, as lib/modules/6.12/updates/pmctrack.ko; 0 if there is one. */
int doctor_installed(const struct doctor *d, const char *release, char *path, size_t size);
/* doctor_rights.c */
int doctor_is_privileged(const struct doctor *d);

#endif
