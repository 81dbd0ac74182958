/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which events of many can be counted at the same time? This part knows numbers of counters and
 * nothing of hardware.
 */
#ifndef PAPI_ASSIGN_H
#define PAPI_ASSIGN_H

#include <stdint.h>

#define ASSIGN_NOWHERE (-1)

/**
 * struct assign - events, and the counters that can count them
 * @nr_events: number of events
 * @nr_groups: 1, or the number of groups of a machine whose counters are set up in groups:
 *	events that are counted at the same time are all of one group
 * @counters: [group * @nr_events + event]: a mask of the counters that can count the event in
 *	that group; 0: none
 * @weights: how much each event matters, above 0; NULL: all matter the same
 */
struct assign {
	int nr_events;
	int nr_groups;
	const uint64_t *counters;
	const int *weights;
};

/**
 * assign_events - place the most important events on counters
 * @counter: out: the counter of each event, or ASSIGN_NOWHERE
 * @group: out: the group of all of them; may be NULL
 *
 * No other placement has a larger sum of weights. As weights are above 0, none of the same group
 * has more events either. Without weights it is a placement of the most events. All events have
 * a place if that is possible at all. Where several placements are as good, the first events
 * and the first group are taken.
 *
 * Return: the sum of the weights, without weights the number of events; -1 with errno set.
 */
long long assign_events(const struct assign *a, int *counter, int *group);

/**
 * struct choice - events, and a function that knows which of them can be counted together
 * @weights: how much each event matters, above 0
 * @fits: can the events with @chosen[i] set be counted together? 1, 0, or -1: an error. If
 *	some events fit, any part of them has to fit
 * @arg: its argument
 * @bound: no events that fit have a larger sum of weights than this
 * @questions: how often @fits may be asked
 */
struct choice {
	int nr_events;
	const int *weights;
	int (*fits)(void *arg, const unsigned char *chosen);
	void *arg;
	long long bound;
	int questions;
};

/**
 * assign_choose - the most important events that fit
 * @chosen: out: 1 for those events, 0 for others
 * @is_optimal: out: 1: no other choice has a larger sum of weights; 0: the questions were used
 *	up before this was known
 *
 * Return: 0; -1 if @fits failed, or without memory.
 */
int assign_choose(const struct choice *choice, unsigned char *chosen, int *is_optimal);

#endif
