/* SPDX-License-Identifier: GPL-2.0 */
/* The verbs of pmc-additivity: a row of the table in pmc_additivity.c, and a file each. */
#ifndef PMCTRACK_ADDITIVITY_VERB_H
#define PMCTRACK_ADDITIVITY_VERB_H

/* @argv[0] is the verb. Return: the exit status. */
int verb_run(int argc, char **argv);
int verb_judge(int argc, char **argv);
int verb_energy(int argc, char **argv);

#endif
