/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Models that estimate something of a thread, its speedup factor say, from what
 * it counts on one core type: a constant, and terms over metrics. A metric is a
 * ratio of two counts, or of a count and the time, times a factor (instructions
 * per cycle, misses per million instructions). Additive regression makes such
 * models.
 *
 * Nothing here touches a counter: it is compiled for the unit tests as it is.
 */
#ifndef PMC_ESTIMATED_MODEL_H
#define PMC_ESTIMATED_MODEL_H

#include <linux/bits.h>
#include <linux/types.h>

/* Event sets of a core type, events of a set, and different events of all. */
#define MODEL_SETS_MAX		8
#define MODEL_SET_EVENTS_MAX	8
#define MODEL_EVENTS_MAX	32
#define MODEL_METRICS_MAX	16
#define MODEL_TERMS_MAX		48
/* Longest name of an event or a metric, with its zero. */
#define MODEL_NAME_LEN		24
/* Longest text of an event, with its zero. */
#define MODEL_CODE_LEN		128
/* Stands for an event: how long the thread ran in the sample, ns. Every set has it. */
#define MODEL_TIME		0xff
#define MODEL_TIME_NAME		"ns"

/* Metrics and estimates are in 2^-20, coefficients in 2^-40. */
#define MODEL_SHIFT		20
#define MODEL_ONE		((s64)BIT_ULL(MODEL_SHIFT))
#define MODEL_COEFFICIENT_SHIFT	40

/**
 * struct model_set - events that are counted at the same time
 * @nr: how many
 * @event: which, in the order of their counts: indices of model.event
 */
struct model_set {
	u8 nr;
	u8 event[MODEL_SET_EVENTS_MAX];
};

/**
 * struct model_metric - a ratio of two counts
 * @name: what terms call it
 * @factor: what it is multiplied with
 * @over: event above the line, or MODEL_TIME
 * @under: event under it, or MODEL_TIME
 */
struct model_metric {
	char name[MODEL_NAME_LEN];
	u32 factor;
	u8 over;
	u8 under;
};

/**
 * enum model_shape - how a term depends on its metric x
 * @MODEL_LINEAR: a x
 * @MODEL_HINGE: a (x - at) where x is greater than at, 0 elsewhere
 * @MODEL_STUMP: a where x is less than at, b elsewhere
 */
enum model_shape {
	MODEL_LINEAR,
	MODEL_HINGE,
	MODEL_STUMP,
};

/**
 * struct model_term - what one metric contributes
 * @shape: how
 * @metric: index of model.metric
 * @a: coefficient, 2^-40
 * @b: the other one of a stump, 2^-40
 * @at: where it bends, 2^-20
 */
struct model_term {
	u8 shape;
	u8 metric;
	s64 a;
	s64 b;
	s64 at;
};

/**
 * struct model - the model of one core type
 * @nr_sets: event sets in a round
 * @nr_events: different events in them
 * @nr_metrics: metrics
 * @nr_terms: terms
 * @estimates: it has a formula
 * @inverse: the estimate is one over what the formula says
 * @set: event sets, in the order of a round
 * @event: names of events
 * @code: their texts
 * @metric: metrics
 * @term: terms
 * @constant: what the terms are added to, 2^-40
 * @least: no estimate is below, 2^-20
 * @most: none is above, 2^-20
 */
struct model {
	u8 nr_sets;
	u8 nr_events;
	u8 nr_metrics;
	u8 nr_terms;
	bool estimates;
	bool inverse;
	struct model_set set[MODEL_SETS_MAX];
	char event[MODEL_EVENTS_MAX][MODEL_NAME_LEN];
	char code[MODEL_EVENTS_MAX][MODEL_CODE_LEN];
	struct model_metric metric[MODEL_METRICS_MAX];
	struct model_term term[MODEL_TERMS_MAX];
	s64 constant;
	s64 least;
	s64 most;
};

/* A model without anything, whose estimates are from 0 up. */
void model_init(struct model *model);

/* The event of this name, or -1. */
int model_event(const struct model *model, const char *name);

/* Where this event is among the counts of this set, or -1. */
int model_place(const struct model *model, unsigned int set, int event);

/* Do samples of this set have this event, or is it MODEL_TIME? */
bool model_has(const struct model *model, unsigned int set, u8 event);

/* over / under x factor, in 2^-20; no more than MODEL_RATIO_MAX. */
#define MODEL_RATIO_MAX		((s64)BIT_ULL(42))
u64 model_ratio(u64 over, u64 under, u32 factor);

/*
 * The model's estimate from these metrics, in 2^-20. false: it is no number that
 * can be written so.
 */
bool model_estimate(const struct model *model, const u64 *metrics, s64 *value);

/* Such a value in thousandths, however large; less than nothing is nothing. */
u64 model_thousandths(s64 value);

#endif /* PMC_ESTIMATED_MODEL_H */
