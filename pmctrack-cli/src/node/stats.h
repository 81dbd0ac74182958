/* SPDX-License-Identifier: GPL-2.0 */
/* Figures of a run, each one number. NAN: the record does not have it. */
#ifndef PMCTRACK_NODE_STATS_H
#define PMCTRACK_NODE_STATS_H

#include "node/folder.h"

/* Median of @nr values, which are sorted then; NAN values are left out. */
double stats_median(double *values, size_t nr);

/* Is the column the frequency of a CPU of this core type? */
int stats_is_frequency(const struct run_data *run, int column, int type);

/* Median frequency of the core type's CPUs that the run used, in MHz; of one row, or of all */
double stats_frequency_at(const struct run_data *run, int type, size_t row);
double stats_frequency(const struct run_data *run, int type);

/* Highest temperature of a row, or of all */
double stats_temperature_at(const struct run_data *run, size_t row);
double stats_temperature(const struct run_data *run);

/* Joules of an energy column, and its power in a row, in watts */
double stats_joules(const struct run_data *run, int column);
double stats_watts_at(const struct run_data *run, int column, size_t row);
/* Highest power of a row; rows behind the first one that cover less than half a period are left out */
double stats_watts_most(const struct run_data *run, int column);

/* How often the machine was slowed down because of heat */
double stats_throttles(const struct run_data *run);

/* Count of an event on a core type */
double stats_events(const struct run_data *run, int type, const char *event);
/* The core type's part of the count on all core types, in per cent */
double stats_share(const struct run_data *run, int type, const char *event);
/* llc_misses in per cent of llc_references */
double stats_miss_rate(const struct run_data *run, int type);

/* CPUs of the core type that the run used */
int stats_cpus(const struct run_data *run, int type);

#endif
