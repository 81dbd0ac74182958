/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event of an event set: as the user wrote it, and as it is sent to the kernel. */
#ifndef LIBPMC_FORMAT_EVENT_H
#define LIBPMC_FORMAT_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define EVENT_NAME 128

enum event_place {
	EVENT_ANYWHERE,		/* on any counter that can count it */
	EVENT_PINNED,		/* on counter @slot */
	EVENT_SOFTWARE,		/* counted by the kernel, @base is its name */
	EVENT_UNCORE,		/* on a counter that CPUs share, @base is its type, as "l3" */
};

/* A field that was not given */
#define UNSET (-1)

struct event {
	char name[EVENT_NAME];	/* as the user wrote it */
	char base[EVENT_NAME];	/* the name without the modifiers below */
	char pmu[32];		/* the PMU that perf's form names, or "" */
	enum event_place place;
	int slot;
	int has_code;		/* @code is valid: the name is encoded */
	uint64_t code;
	/* Attributes; event_attr.c has a row for each */
	int umask;
	int cmask;
	int edge;
	int inv;
	int any;
	int user;
	int kernel;
	uint64_t ebs;		/* EBS period, 0: none */
	uint64_t extra;		/* value of a second register, 0: none */
};

struct event_set {
	int core_type;		/* or PMC_EVERY_CORE_TYPE */
	char core_type_name[32]; /* its name in coretype=NAME, to be looked up; or "" */
	int nr_events;
	struct event events[PMC_MAX_COUNTS];
};

/* event_attr.c */
void event_init(struct event *ev);
/* Has the event a modifier other than pmc= and umask=? */
int event_is_modified(const struct event *ev);

/* parse_events.c: parse an event set; names are not looked up. */
int parse_events(struct event_set *set, const char *spec, unsigned int flags);

/* number.c: a decimal or 0x number; -1 if @text is anything else. */
int parse_number(const char *text, uint64_t *value);

/*
 * parse_raw.c: `pmc3=0x2e`, `umask3=0x41`, ... Returns 1 if @word has this form, 0 if not,
 * -1 on error.
 */
int parse_raw(struct event_set *set, const char *word);

/*
 * parse_perf.c: PMU/TERM,.../MODIFIERS. Returns 1 if @word has this form; @own is the event in
 * the library's form then. 0: it has another form, -1: error.
 */
int parse_perf(const char *word, char *own, size_t size, char *pmu, size_t pmu_size);

/*
 * event_lookup.c: encode the name ev->base for a core type. 1: encoded; 0: the core type has no such
 * event; -1: error.
 */
int event_lookup(struct event *ev, const pmc_machine_t *machine, const struct core_type *ct);

/* Does the core type have the event? */
int event_is_known(const struct event *ev, const pmc_machine_t *machine,
		   const struct core_type *ct);

/* The same for generic events only: 1: encoded, 0: not a generic event here, -1: error. */
int encode_generic(struct event *ev, const pmc_machine_t *machine,
		     const struct core_type *ct);

/* event_refuse.c: set the error line for an event that event_lookup() has not found. -1. */
int event_refuse(const struct event *ev, const pmc_machine_t *machine, const struct core_type *ct);

/* encode_event.c: event_lookup() of an event of the user's. 0, or -1 with an error line. */
int event_encode(struct event *ev, const pmc_machine_t *machine, const struct core_type *ct);

/* uncore.c: the form `l3=CODE`. 1: encoded, 0: another form, -1: error. */
int uncore_encode(struct event *ev, const pmc_machine_t *machine);

/* format_event.c: print the event in the kernel's form; returns the length. */
int event_print(const struct event *ev, char *buf, size_t size);

/* generic_events.c: names that mean the same on every core type. */
struct generic_event {
	const char *name;
	const char *desc;
	const char *arm;	/* candidates, the best first, separated by | */
	const char *intel;
	const char *amd;
};

extern const struct generic_event generic_events[];
extern const size_t nr_generic_events;

const struct generic_event *generic_find(const char *name);
const char *generic_meaning(const struct generic_event *p, const struct core_type *ct);
const char *software_find(const char *name);

struct software_name {
	const char *name;
	const char *desc;
};

extern const struct software_name software_names[];
extern const size_t nr_software_names;

#endif
