/* SPDX-License-Identifier: GPL-2.0 */
/* Defaults for the averages of a thread's speed. */
#ifndef PMC_IPC_SAMPLING_SF_SETTINGS_H
#define PMC_IPC_SAMPLING_SF_SETTINGS_H

/* How much a sample counts in the average, thousandths. */
#define SETTINGS_WEIGHT		500
/*
 * A difference of more, in thousandths of the average, is a new phase.
 *
 * Of a smaller difference an eighth is left after three samples with that weight. When
 * it is just smaller on both core types, down on one and up on the other, the factor
 * is 4 % off then.
 */
#define SETTINGS_THRESHOLD	150

#endif /* PMC_IPC_SAMPLING_SF_SETTINGS_H */
