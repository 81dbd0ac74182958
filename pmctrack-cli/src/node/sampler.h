/* SPDX-License-Identifier: GPL-2.0 */
/* One run: start the program, and add a row to the record at each period until its end. */
#ifndef PMCTRACK_NODE_SAMPLER_H
#define PMCTRACK_NODE_SAMPLER_H

#include "node/sources.h"
#include "options.h"
#include "signal_origin.h"

/**
 * struct sampler - a run
 * @o: the program, its CPUs and the period
 * @sources: what to read; already open
 * @signals: a signalfd of SIGCHLD and of the signals that end pmctrack
 * @probe: for these
 * @output: file that becomes the program's standard output
 * @samples: file that gets the rows
 * @seconds: out: how long the program ran
 * @status: out: its exit status, as a shell has it
 * @late: out: periods that had no row of their own, as an earlier row took too long
 * @signal: out: the signal that ended pmctrack, or 0
 */
struct sampler {
	const struct options *o;
	struct sources *sources;
	int signals;
	struct signal_origin *probe;
	const char *output;
	const char *samples;
	double seconds;
	int status;
	unsigned long long late;
	int signal;
};

/* bad() if the program cannot be run. */
void sampler_run(struct sampler *s);

#endif
