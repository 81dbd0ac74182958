/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event of an event set: as it was written, and as the kernel gets it. */
#ifndef LIBPMC_EVENT_H
#define LIBPMC_EVENT_H

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define EVENT_NAME 128

enum event_place {
	EVENT_ANYWHERE,		/* on any counter that can count it */
	EVENT_PINNED,		/* on counter @slot */
	EVENT_SOFTWARE,		/* counted by the kernel, @base is its name */
	EVENT_UNCORE,		/* on a counter that CPUs share, @base is its kind */
};

/* A field that was not given */
#define UNSET (-1)

struct event {
	char name[EVENT_NAME];	/* as written, for people */
	char base[EVENT_NAME];	/* the name without what is parsed below */
	enum event_place place;
	int slot;
	int has_code;		/* @code is valid: the name is translated */
	uint64_t code;
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
	int nr_events;
	struct event events[PMC_MAX_COUNTS];
};

void event_init(struct event *ev);
/* Whether it has a modifier other than pmc= and umask=. */
int event_is_modified(const struct event *ev);

/* spec.c: the words of an event set, independent of any machine. */
int spec_parse(struct event_set *set, const char *spec, unsigned int flags);

/* A decimal or 0x number; -1 if @text is anything else. */
int parse_number(const char *text, uint64_t *value);

/* raw.c: `pmc3=0x2e`, `umask3=0x41`, ...
 * raw_word() returns 1 if @word was one, 0 if it is not, -1 on error. */
int raw_word(struct event_set *set, const char *word);

/* resolve.c: translate ev->base for a core type. */
int event_resolve(struct event *ev, const pmc_machine_t *machine,
		  const struct core_type *ct);

/* The same for portable names only: 1 if it is done, 0 if it is none here, -1 on error. */
int resolve_portable(struct event *ev, const pmc_machine_t *machine,
		     const struct core_type *ct);

/* uncore.c: `l3=CODE`. 1 if it is done, 0 if it is none, -1 on error. */
int uncore_resolve(struct event *ev, const pmc_machine_t *machine);

/* The event as words of the kernel's event sets; returns the length. */
int event_print(const struct event *ev, char *buf, size_t size);

/* names.c: names that mean something on every core type. */
struct portable_name {
	const char *name;
	const char *desc;
	const char *arm;	/* what it stands for: the best first, | between */
	const char *intel;
	const char *amd;
};

extern const struct portable_name portable_names[];
extern const size_t nr_portable_names;

const struct portable_name *portable_find(const char *name);
const char *portable_meaning(const struct portable_name *p, const struct core_type *ct);
const char *software_find(const char *name);

struct software_name {
	const char *name;
	const char *desc;
};

extern const struct software_name software_names[];
extern const size_t nr_software_names;

#endif
