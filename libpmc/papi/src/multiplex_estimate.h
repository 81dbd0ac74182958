/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The turns of event sets that are counted one after the other, for the error of the estimates
 * that are made from them.
 */
#ifndef PAPI_MULTIPLEX_ESTIMATE_H
#define PAPI_MULTIPLEX_ESTIMATE_H

#include <stdint.h>

#include <pmctrack.h>

struct turns;

/** turns_new - an object for turns_free(), without turns; NULL without memory */
struct turns *turns_new(int nr_core_types);
void turns_free(struct turns *turns);

/** turns_reserve - take the memory for a set's events. Return: 0, or -1 without memory */
int turns_reserve(struct turns *turns, int core_type, int set, int nr_events);

/**
 * turns_restart - the next errors are those of the time from now on
 *
 * Until the next turns_add() or turns_set_time() they are those of the time before.
 */
void turns_restart(struct turns *turns);

/** turns_clear - forget all; times begin with 0 again */
void turns_clear(struct turns *turns);

/**
 * turns_add - a sample of a turn
 * @ends: it is the last: the next sample is of another turn
 *
 * A turn has several samples if the EventSet is read meanwhile, or the thread leaves the core
 * type. Turns of several threads are taken together if they are at the same time. Without
 * memory the sample is left out.
 */
void turns_add(struct turns *turns, const struct pmc_reading *sample, int ends);

/**
 * turns_set_time - the time that a set was counted, and all time on the core type
 *
 * Turns may be lost before turns_add() gets them; these times have all.
 */
void turns_set_time(struct turns *turns, int core_type, int set, uint64_t running, uint64_t all);

/**
 * turns_error - the standard error of an event's estimate, divided by the estimate
 *
 * Return: 0: the estimate is exact; NAN: the turns are too few.
 */
double turns_error(const struct turns *turns, int core_type, int set, int event);

#endif
