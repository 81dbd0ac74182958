/* SPDX-License-Identifier: GPL-2.0 */
/* Write model files. */
#ifndef PMC_MODEL_WRITE_H
#define PMC_MODEL_WRITE_H

#include "fit.h"
#include "shape.h"
#include "train.h"

/*
 * Write the shape with formulae for both core types, and their errors as comments. Metrics
 * that no formula uses are left out.
 */
void write_model(FILE *f, const struct shape *shape, const struct formula *formula,
		 const struct training *t, size_t nr_programs);

#endif /* PMC_MODEL_WRITE_H */
