/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How the events of an EventSet are counted: as event sets of libpmctrack, one for each core
 * type or, with multiplexing, several. Values of PAPI's events are computed from their counts.
 */
#ifndef PAPI_COUNT_EVENTS_H
#define PAPI_COUNT_EVENTS_H

#include <stdint.h>
#include <sys/types.h>

#include <pmctrack.h>

#include "event_core_types.h"
#include "papi.h"

struct counting;
struct virtual_counting;

/**
 * struct target - what an EventSet counts
 * @domain: PAPI_DOM_*
 * @tid: a thread; 0: the thread that starts the EventSet
 * @cpu: a CPU; -1: a thread
 * @inherit: the threads and children that it creates, too
 * @multiplex_ns: events take turns of this time; 0: all are counted at the same time
 * @sample_period: counts are estimated from samples with this period; 0: they are exact
 */
struct target {
	int domain;
	pid_t tid;
	int cpu;
	int inherit;
	long long multiplex_ns;
	long long sample_period;
};

/* Most distinct events of an EventSet on a core type; only those that take turns can be so many */
#define COUNTED_MAX 384

/**
 * struct counted_type - the distinct events to count on a core type
 * @words: with the domain's modifiers
 */
struct counted_type {
	int nr;
	char **words;
};

/* The terms of an event on a core type: places in counted_type.words */
struct counted_part {
	int core_type;
	int nr_terms;
	int place[PAPI_MAX_TERMS];
	const struct formula *formula;
};

struct counted_event {
	int nr_parts;
	struct counted_part *parts;
};

/**
 * struct counter_ops - who counts
 * @open: begin to count; PAPI_OK or PAPI_E*
 * @start: take the present counts as 0. The calling thread is that which opened it
 * @read: the values of all events since start; PAPI_ECLOST: those that there are, which are too
 *	small
 * @read_types: the counts of each core type's events (struct counted_type), from any moment
 *	before the start; PAPI_ECLOST likewise
 * @restart: take the counts of the last reading as 0
 * @stop: @read, then count no longer, as far as the next start is not cheaper otherwise
 * @close: end counting; also after a failed @open
 * @counts: the counts of which @read has made the last values; NULL: they are exact
 * @error: the standard error of one of these counts, by the core type and the place of struct
 *	counted_type; NAN: not known
 */
struct counter_ops {
	int (*open)(struct counting *c);
	int (*start)(struct counting *c);
	int (*read)(struct counting *c, long long *values);
	int (*read_types)(struct counting *c, uint64_t **counts);
	void (*restart)(struct counting *c);
	int (*stop)(struct counting *c, long long *values);
	void (*close)(struct counting *c);
	uint64_t **(*counts)(const struct counting *c);
	double (*error)(const struct counting *c, int core_type, int place);
};

/**
 * struct counting - the events of an EventSet, ready to be counted
 * @ops: who counts
 * @data: of @ops
 * @virtuals: reads the virtual counters among the events; NULL: there are none
 * @papi_events: PAPI's events, for as long as they are opened
 * @nr_events, @events: PAPI's events
 * @nr_twice, @twice: PAPI's events that the counters of handlers count, beside these
 * @nr_types, @types: core types of the machine
 * @rows: room for the counts of each core type
 * @losses: pmc_caliper_losses() or pmc_session_losses() when counting began, or began anew
 */
struct counting {
	const struct counter_ops *ops;
	void *data;
	struct virtual_counting *virtuals;
	const struct papi_event *const *papi_events;
	struct target target;
	int nr_events;
	struct counted_event *events;
	int nr_twice;
	const struct papi_event **twice;
	int nr_types;
	struct counted_type *types;
	uint64_t **rows;
	uint64_t losses;
};

/*
 * PAPI_OK; PAPI_ECLOST: since counting began, a counter was not on the PMU for some time, so that
 * values are too small. @losses: what c->losses is now
 */
static inline int counting_check_losses(const struct counting *c, uint64_t losses)
{
	return losses == c->losses ? PAPI_OK : PAPI_ECLOST;
}

static inline int counting_check(const struct counting *c, const pmc_caliper_t *caliper)
{
	return counting_check_losses(c, pmc_caliper_losses(caliper));
}

/*
 * Make @c ready for the events. PAPI_OK, or PAPI_ECNFLCT: they cannot be counted together, or
 * not for a thread; PAPI_EPERM; PAPI_ENOMEM; ... @c is empty after a failure.
 */
int counting_init(struct counting *c, const struct papi_event *const *events, int nr,
		  const struct target *target);
void counting_free(struct counting *c);

/* Can the events be counted together? PAPI_OK or PAPI_E*, as counting_init(). */
int counting_try(const struct papi_event *const *events, int nr, const struct target *target);

/* Can the events of @c be counted, and beside them those of c->twice? PAPI_OK or PAPI_E* */
int counting_try_twice(const struct counting *c);

/*
 * Does an event set of a core type, in the form of pmc_config_raw(), fit the counters, and beside
 * it the events of c->twice? 1 or 0; -1: an error, with errno set
 */
int counting_fits_twice(const struct counting *c, pmc_session_t *session, int core_type,
			const char *raw);

/* Bytes of an event in libpmctrack's words, with modes */
#define COUNTING_WORDS	(PAPI_2MAX_STR_LEN + 4)

/* A term with the modes of a domain, unless it has modes of its own, or none */
void counting_words(const char *term, int domain, char words[COUNTING_WORDS]);

/* Add the event sets to @config: one for each core type. PAPI_OK or PAPI_E*. */
int counting_configure(const struct counting *c, pmc_config_t *config);

/*
 * Count the events, those of counters by @ops and virtual counters beside them. PAPI_OK or
 * PAPI_E*. @values: out: one for each event
 */
int counting_open(struct counting *c);
int counting_start(struct counting *c);
int counting_read(struct counting *c, long long *values);
/* The values of the last reading are 0 from now on. */
void counting_restart(struct counting *c);
int counting_stop(struct counting *c, long long *values);
void counting_close(struct counting *c);

/* The value of an event from the counts of each core type's events */
long long counting_value(const struct counting *c, int event, uint64_t *const *counts);

/* The part of an event's value that was counted on a core type likewise */
long long counting_part_value(const struct counting *c, int event, int core_type,
			      uint64_t *const *counts);

/* Memory for the counts of each core type: a row for each; NULL without memory. free() it. */
uint64_t **counting_alloc_rows(const struct counting *c);

/* Copy the counts of each core type's events. */
void counting_copy_rows(const struct counting *c, uint64_t **to, uint64_t *const *from);

/* Is each event's value a sum of counts, one of each core type at most? */
int counting_is_sums(const struct counting *c);

/* The caliper of @caliper_ops, if it reads all values; NULL: it does not */
pmc_caliper_t *counting_caliper(const struct counting *c);

/*
 * The calling thread is counted by a caliper, which reads sums, or counts for formulas; all else
 * by a session; a session with sampling periods estimates from samples.
 */
extern const struct counter_ops caliper_ops;
extern const struct counter_ops formula_ops;
extern const struct counter_ops session_ops;
extern const struct counter_ops samples_ops;

#endif
