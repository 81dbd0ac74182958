/* SPDX-License-Identifier: GPL-2.0 */
/* Verbs that are programs of their own, as they need libraries that pmctrack does not need. */
#ifndef PMCTRACK_VERB_PROGRAM_H
#define PMCTRACK_VERB_PROGRAM_H

/*
 * Become @program, which is beside pmctrack or in PATH. bad() in the name of @argv[0] if it is not
 * there: it is built where Debian's package @package is.
 */
void verb_program(const char *program, const char *package, char **argv)
	__attribute__((noreturn));

#endif
