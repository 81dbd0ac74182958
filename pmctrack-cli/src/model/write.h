/* SPDX-License-Identifier: GPL-2.0 */
/* Write model files, and what a model is worth. */
#ifndef PMC_MODEL_WRITE_H
#define PMC_MODEL_WRITE_H

#include "fit.h"
#include "read_model.h"
#include "training_pairs.h"
#include "validate.h"

/*
 * Write the shape with formulae for both core types, and their errors as comments. Metrics
 * that no formula uses are left out.
 */
void write_model(FILE *f, const struct shape *shape, const struct formula *formula,
		 const struct validation *v, const struct runs *runs, const struct training *t);

/* Print the errors for each program, and for all, when they are left out of the fit. */
void print_errors(FILE *f, const struct shape *shape, const struct validation *v,
		  const struct runs *runs);

#endif /* PMC_MODEL_WRITE_H */
