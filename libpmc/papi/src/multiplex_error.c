// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How far values that are estimates may be from the truth. The effect of a term's error
 * on the value is found by evaluating the formula with a larger and with a smaller count. Errors
 * of core types are independent: the squares of their effects add. Nothing is known about how
 * the errors of terms on one core type go together, so their effects are added, which is the
 * most that they can be.
 */
#include <math.h>

#include "errors.h"
#include "eventset.h"
#include "library.h"
#include "pmcpapi.h"

/* How much the event's value changes with the error of one term. NAN: not known */
static double effect_of(const struct counting *c, int event, const struct counted_part *part,
			int place)
{
	uint64_t **counts = c->ops->counts(c);
	uint64_t *count = &counts[part->core_type][place], before = *count, change;
	double error = c->ops->error(c, part->core_type, place);
	long long high, low;

	if (isnan(error) || !part->formula)
		return error;
	change = error;
	*count = before + change;
	high = counting_value(c, event, counts);
	*count = before > change ? before - change : 0;
	low = counting_value(c, event, counts);
	*count = before;
	return fabs((double)high - low) / 2;
}

static double part_error(const struct counting *c, int event, const struct counted_part *part)
{
	double sum = 0;
	int i;

	for (i = 0; i < part->nr_terms; i++)
		sum += effect_of(c, event, part, part->place[i]);
	return sum;
}

static double event_error(const struct counting *c, int event)
{
	double value, squares = 0, error;
	int i;

	/* A virtual counter is read, not estimated from turns. */
	if (!c->events[event].nr_parts)
		return 0;
	value = counting_value(c, event, c->ops->counts(c));
	for (i = 0; i < c->events[event].nr_parts; i++) {
		error = part_error(c, event, &c->events[event].parts[i]);
		squares += error * error;
	}
	if (!squares)
		return 0;
	return value ? sqrt(squares) / fabs(value) : NAN;
}

int pmcpapi_multiplex_error(int id, double *relative_errors)
{
	const struct eventset *set = eventset_get(id);
	int i;

	if (!papi_machine())
		return papi_fail(PAPI_ENOINIT);
	if (!set)
		return papi_fail(PAPI_ENOEVST);
	if (!relative_errors)
		return papi_fail(PAPI_EINVAL);
	for (i = 0; i < set->nr; i++) {
		if (!set->target.multiplex_ns && !set->target.sample_period)
			relative_errors[i] = 0;
		else if (!set->open)
			relative_errors[i] = NAN;
		else
			relative_errors[i] = event_error(&set->counting, i);
	}
	return PAPI_OK;
}
