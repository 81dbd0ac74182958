/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shape of a model: the event sets and metrics of a model file, without its formulae.
 * Lines have the form that /proc/pmc/config accepts: MODULE.KEY=VALUE,
 * MODULE.CORETYPE.set=..., and so on. Comments begin with #.
 */
#ifndef PMC_MODEL_READ_MODEL_H
#define PMC_MODEL_READ_MODEL_H

#include <stddef.h>
#include <stdio.h>

#define SHAPE_NAME_LEN		24
#define SHAPE_METRICS_MAX	16

/* A metric: event @over / event @under x @factor */
struct shape_metric {
	char name[SHAPE_NAME_LEN];
	char over[SHAPE_NAME_LEN];
	char under[SHAPE_NAME_LEN];
	unsigned long factor;
};

struct shape_core {
	char name[32];
	size_t nr_metrics;
	struct shape_metric metric[SHAPE_METRICS_MAX];
};

/**
 * struct shape - the shape of a model
 * @module: name of the monitoring module
 * @core: two core types, in the order of the file
 * @nr_cores: how many core types the file has
 * @line: all lines but comments, formulae and ranges
 * @nr_lines: number of lines
 */
struct shape {
	char module[32];
	struct shape_core core[2];
	size_t nr_cores;
	char **line;
	size_t nr_lines;
};

/* NULL: @error says why. */
struct shape *shape_read(FILE *f, const char *path, char *error, size_t len);
void shape_free(struct shape *s);

#endif /* PMC_MODEL_READ_MODEL_H */
