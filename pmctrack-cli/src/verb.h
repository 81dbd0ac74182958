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

/* A row for each verb, whose main function is NAME_main() */
#define VERBS(VERB)									\
	/* doctor.c: does counting work here, and what to do if not. */			\
	VERB(doctor)									\
	/* energy/energy.c: the energy of a program's threads. */			\
	VERB(energy)									\
	/* listen/listen.c: the samples of sessions of other processes. */		\
	VERB(listen)									\
	/* node/node.c: sample the machine while a program runs, several times. */	\
	VERB(node)									\
	/* openmetrics/verb.c: the counts of the machine, for monitoring systems. */	\
	VERB(openmetrics)								\
	/* plot.c: a figure of a recorded run. */					\
	VERB(plot)									\
	/* probe.c: the counts of functions. */						\
	VERB(probe)									\
	/* report_verb.c: a page for a browser, of a recorded run. */			\
	VERB(report)									\
	/* stat.c: the counts of a program, as perf stat prints them. */		\
	VERB(stat)									\
	/* top/top.c: the threads of the machine, as they run. */			\
	VERB(top)									\
	/* web.c: a page for a browser, of a run as it goes on. */			\
	VERB(web)

#define DECLARE_VERB(name) int name##_main(int argc, char **argv);
VERBS(DECLARE_VERB)
#undef DECLARE_VERB

#endif
