/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Models as text: a line KEY=VALUE for each event set, each metric, the range
 * and the formula.
 */
#ifndef PMC_ESTIMATED_TEXT_H
#define PMC_ESTIMATED_TEXT_H

#include "model.h"

/* Longest text of an event set, as pmc_module_add_set() takes it. */
#define MODEL_EVENTS_LEN	512

/*
 * Take a line of a model. What @key may be:
 *
 *   set          NAME:EVENT,NAME:EVENT...   one more event set; two of the names
 *                are instr and cycles; EVENT is one word of an event set
 *   metric.NAME  OVER/UNDER or FACTOR*OVER/UNDER, names of events that one set
 *                has together; "ns" is the time that the thread ran
 *   range        LEAST,MOST: no estimate is beyond
 *   estimate     the formula: terms with + or - between, each of them NUMBER,
 *                NUMBER*METRIC, NUMBER*above(METRIC,NUMBER), which is
 *                NUMBER*(METRIC-NUMBER) but never of the other sign, or
 *                (METRIC<NUMBER?NUMBER:NUMBER)
 *   inverse      the same, and the estimate is one over it
 *
 * Of a set, @events gets its text (MODEL_EVENTS_LEN bytes). Refused lines
 * change nothing and are explained by pmc_module_error(), which @name begins.
 */
int model_line(struct model *model, const char *name, const char *key,
	       const char *value, char *events);

#endif /* PMC_ESTIMATED_TEXT_H */
