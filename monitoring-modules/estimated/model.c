// SPDX-License-Identifier: GPL-2.0
/*
 * A model's estimate from metrics. The kernel has no floating point: numbers have
 * fixed points, and every sum is checked.
 */
#include <linux/bitops.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/overflow.h>
#include <linux/string.h>
#include "model.h"

void model_init(struct model *model)
{
	memset(model, 0, sizeof(*model));
	model->most = S64_MAX;
}

int model_event(const struct model *model, const char *name)
{
	int i;

	for (i = 0; i < model->nr_events; i++)
		if (!strcmp(model->event[i], name))
			return i;
	return -1;
}

int model_place(const struct model *model, unsigned int set, int event)
{
	int i;

	for (i = 0; i < model->set[set].nr; i++)
		if (model->set[set].event[i] == event)
			return i;
	return -1;
}

bool model_has(const struct model *model, unsigned int set, u8 event)
{
	return event == MODEL_TIME || model_place(model, set, event) >= 0;
}

/*
 * The numerator is multiplied before it is divided. If that would not fit, both
 * counts lose as many of their low bits as it takes: the numerator keeps 20 bits
 * or more, an error of a millionth.
 */
u64 model_ratio(u64 over, u64 under, u32 factor)
{
	u64 multiplier = (u64)factor << MODEL_SHIFT;
	int excess = fls64(over) + fls64(multiplier) - 63;

	if (excess > 0) {
		over >>= excess;
		under >>= excess;
	}
	if (!under)
		return over ? MODEL_RATIO_MAX : 0;
	return min_t(u64, div64_u64(over * multiplier, under), MODEL_RATIO_MAX);
}

/*
 * A coefficient of less than a million (2^20), so 2^60, times a metric of 2^42
 * at most: the product, 40 bits shorter, fits.
 */
static s64 product(s64 coefficient, u64 metric)
{
	u64 size = mul_u64_u64_shr(coefficient < 0 ? -coefficient : coefficient,
				   metric, MODEL_COEFFICIENT_SHIFT);

	return coefficient < 0 ? -(s64)size : (s64)size;
}

static s64 contribution(const struct model_term *term, s64 x)
{
	switch (term->shape) {
	case MODEL_LINEAR:
		return product(term->a, x);
	case MODEL_HINGE:
		return x > term->at ? product(term->a, x - term->at) : 0;
	default:
		return product(x < term->at ? term->a : term->b, MODEL_ONE);
	}
}

bool model_estimate(const struct model *model, const u64 *metrics, s64 *value)
{
	s64 sum = product(model->constant, MODEL_ONE);
	unsigned int i;

	for (i = 0; i < model->nr_terms; i++) {
		const struct model_term *term = &model->term[i];

		if (check_add_overflow(sum, contribution(term, metrics[term->metric]),
				       &sum))
			return false;
	}
	if (model->inverse) {
		if (sum <= 0)
			sum = S64_MAX;
		else
			sum = div64_u64(MODEL_ONE * MODEL_ONE, sum);
	}
	if (sum < model->least)
		sum = model->least;
	if (sum > model->most)
		sum = model->most;
	*value = sum;
	return true;
}

u64 model_thousandths(s64 value)
{
	return value < 0 ? 0 : (mul_u64_u64_shr(value, 2000, MODEL_SHIFT) + 1) / 2;
}
