/* SPDX-License-Identifier: GPL-2.0 */
/* The verbs of pmctrack: `pmctrack VERB ...`. */
#ifndef PMCTRACK_VERB_H
#define PMCTRACK_VERB_H

/**
 * struct verb - one of pmctrack's subcommands
 * @name: its name on the command line
 * @run: its main function. @argv[0] is @name. Return: pmctrack's exit status.
 */
struct verb {
	const char *name;
	int (*run)(int argc, char **argv);
};

/* run.c: without a verb, sample a program, a process or the machine. */
int run_main(int argc, char **argv);
/* stat.c: the counts of a program, as perf stat prints them. */
int stat_main(int argc, char **argv);
/* doctor.c: does counting work here, and what to do if not. */
int doctor_main(int argc, char **argv);
/* energy/energy.c: the energy of a program's threads. */
int energy_main(int argc, char **argv);
/* listen/listen.c: the samples of sessions of other processes. */
int listen_main(int argc, char **argv);
/* node/node.c: sample the machine while a program runs, several times. */
int node_main(int argc, char **argv);
/* openmetrics/verb.c: the counts of the machine, for monitoring systems. */
int openmetrics_main(int argc, char **argv);
/* probe.c: the counts of functions. */
int probe_main(int argc, char **argv);
/* report_verb.c: a page for a browser, of a recorded run. */
int report_main(int argc, char **argv);
/* top/top.c: the threads of the machine, as they run. */
int top_main(int argc, char **argv);
/* web.c: a page for a browser, of a run as it goes on. */
int web_main(int argc, char **argv);

#endif
