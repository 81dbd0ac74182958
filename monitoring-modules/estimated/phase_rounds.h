/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A round of event sets: samples of one phase of a program, one or more with
 * each set of its core type, from which a model can estimate.
 *
 * Samples that follow one another may be of different phases. So the running
 * average of instructions per cycle (IPC) is kept for each core type, and a
 * sample whose IPC suddenly differs from it is taken for the first of a new
 * phase: what the round had so far is discarded (PMCTrack, The Computer Journal
 * 2017, section 4.1.2 and figure 7).
 */
#ifndef PMC_ESTIMATED_PHASE_ROUNDS_H
#define PMC_ESTIMATED_PHASE_ROUNDS_H

#include <pmctrack/monitoring_module.h>
#include "model.h"

/* Every event set has these two events, by these names. */
#define ROUND_INSTRUCTIONS	"instr"
#define ROUND_CYCLES		"cycles"

/**
 * struct round_settings - when a phase is a new one
 * @weight: how much a sample counts in the running average, thousandths
 * @threshold: a difference to the average of more than this is sudden,
 *	thousandths of the average
 * @instructions: a sample of fewer says more of the switch that ended it than of the thread
 */
struct round_settings {
	u32 weight;
	u32 threshold;
	u64 instructions;
};

/**
 * struct round - how far a thread's round has come
 * @core_type: core type of its samples
 * @have: event sets that there are samples of, by bit
 * @phases: phases that began
 * @over: sums of what is above the line of each metric, over the samples whose
 *	set has both of its events
 * @under: the same of what is under it
 * @ipc: running average of each core type, 2^-20; 0: none yet
 */
struct round {
	u32 core_type;
	u32 have;
	u64 phases;
	u64 over[MODEL_METRICS_MAX];
	u64 under[MODEL_METRICS_MAX];
	u64 ipc[];
};

/* The first sets of a round are still to come, and of no phase known. */
void round_forget(struct round *round, unsigned int nr_core_types);

/*
 * Add a sample that has counts. true: the round is complete, and @metrics are the
 * model's; the next one begins.
 */
bool round_add(struct round *round, const struct model *model,
	       const struct round_settings *settings,
	       const struct pmc_module_sample *sample, u64 *metrics);

#endif /* PMC_ESTIMATED_PHASE_ROUNDS_H */
