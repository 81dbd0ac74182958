/* SPDX-License-Identifier: GPL-2.0 */
/* Texts of pmctrack openmetrics: the values in them, each with the name of an instance. */
#ifndef PMCTRACK_PCP_PARSE_OPENMETRICS_H
#define PMCTRACK_PCP_PARSE_OPENMETRICS_H

#include <stdint.h>

/*
 * The family of a value, which is also the number of a metric of PCP's, and of its instance domain. PCP
 * compares instances up to their first blank, so that the number of a thread is in front.
 */
enum family {
	FAMILY_EVENTS,		/* by core type, event set and event: "P:0:instr" */
	FAMILY_COUNTED,		/* by core type and event set: "P:0"; s */
	FAMILY_METRIC,		/* by core type and metric: "P:ipc" */
	FAMILY_VIRTUAL_COUNT,	/* by name */
	FAMILY_VIRTUAL_LEVEL,	/* by name and CPU: "llc_occupancy:cpu0" */
	FAMILY_INTERVAL,	/* one value, without a name; s */
	FAMILY_LOST,		/* one value, without a name */
	FAMILY_THREAD_TIME,	/* by thread: "1234 name"; s */
	FAMILY_THREAD_COUNTED,	/* by thread, core type and event set: "1234:P:0 name"; s */
	FAMILY_THREAD_EVENTS,	/* by thread, core type, event set and event: "1234:P:0:instr name" */
	FAMILY_THREAD_METRIC,	/* by thread, core type and metric: "1234:P:ipc name" */
	FAMILY_THREADS,		/* by state: "written" */
	FAMILY_THREADS_LOST,	/* one value, without a name */
	NR_FAMILIES
};

/**
 * struct value - a value of a text
 * @instance: what it is of; "" if there is only one; without control characters
 * @pid: the process, if it is of a thread
 * @count: the value, if it is a whole number
 * @number: the value
 */
struct value {
	enum family family;
	char instance[160];
	uint32_t pid;
	uint64_t count;
	double number;
};

/*
 * Parse a line of a text. Return: 1 if it has a value of one of the families, 0 if it is something
 * else, as a comment.
 */
int text_parse(const char *line, struct value *v);

#endif
