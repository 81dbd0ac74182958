/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Running averages by which monitoring modules find the phases of a program: a
 * sample that suddenly differs from the average is the first of a new phase.
 */
#ifndef PMC_AVERAGE_H
#define PMC_AVERAGE_H

#include <linux/math64.h>
#include <linux/types.h>

/**
 * pmc_average_add - add a sample
 * @average: running average; 0: none yet
 * @sample: the sample
 * @weight: how much it counts in the average, thousandths
 * @threshold: a difference to the average of more than this is sudden,
 *	thousandths of the average
 *
 * The average moves by whole numbers, rounded towards 0: a difference below
 * 1000 / @weight does not move it, so samples are scaled to be large beside that.
 *
 * Return: true if it is of a new phase; the average begins with it.
 */
static inline bool pmc_average_add(u64 *average, u64 sample, u32 weight,
				   u32 threshold)
{
	u64 difference = sample > *average ? sample - *average :
					     *average - sample;
	u64 step = div_u64(difference * weight, 1000);

	if (difference * 1000 > *average * threshold) {
		*average = sample;
		return true;
	}
	*average = sample > *average ? *average + step : *average - step;
	return false;
}

#endif /* PMC_AVERAGE_H */
