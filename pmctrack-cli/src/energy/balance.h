/* SPDX-License-Identifier: GPL-2.0 */
/* Distribute the energy of packages over threads, the idle machine and the rest. */
#ifndef PMCTRACK_ENERGY_BALANCE_H
#define PMCTRACK_ENERGY_BALANCE_H

#include <stdint.h>

/**
 * struct energy_balance - energies in microjoules, whose sum is that of the packages
 * @package: what the packages have consumed, measured
 * @idle: what the idle machine would have consumed meanwhile; energy_balance() may reduce it
 * @nr: number of shares: one for each thread on each core type
 * @estimates: the energy of each, measured or by a model
 * @shares: out: the energy of each, a whole number; room for @nr
 * @rest: out: what is left of @package
 * @estimated: out: sum of @estimates
 * @factor: out: 1; or, if @idle and @estimated together are larger than @package, the factor below 1
 *	by which all of them are reduced, and the rest is 0
 */
struct energy_balance {
	uint64_t package;
	uint64_t idle;
	int nr;
	const double *estimates;
	uint64_t *shares;
	uint64_t rest;
	double estimated;
	double factor;
};

/* Compute what is marked as out, and @idle. No estimate is negative. */
void energy_balance(struct energy_balance *b);

/*
 * The same where the energy of all @cores is measured, in microjoules: estimates are parts of it, and
 * @idle becomes what the packages have consumed besides, which is not reduced.
 */
void energy_balance_cores(struct energy_balance *b, uint64_t cores);

#endif
