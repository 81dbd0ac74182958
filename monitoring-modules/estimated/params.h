/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of a module that estimates, and the models it has. */
#ifndef PMC_ESTIMATED_PARAMS_H
#define PMC_ESTIMATED_PARAMS_H

#include "phase_rounds.h"

struct seq_file;

/**
 * struct estimator_params - what can be set
 * @period_ms: how long a sample lasts
 * @round: when a phase is a new one
 * @model: of each core type
 */
struct estimator_params {
	unsigned int period_ms;
	struct round_settings round;
	struct model *model;
};

extern struct estimator_params estimator_params;

int estimator_params_init(void);
void estimator_params_exit(void);
int estimator_add_sets(void);
void estimator_release(void);
int estimator_set(const char *key, char *value);
void estimator_show(struct seq_file *m);

#endif /* PMC_ESTIMATED_PARAMS_H */
