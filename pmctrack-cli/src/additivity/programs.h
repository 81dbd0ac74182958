/* SPDX-License-Identifier: GPL-2.0 */
/* Base programs, and compounds of two of them, from a file. */
#ifndef PMCTRACK_ADDITIVITY_PROGRAMS_H
#define PMCTRACK_ADDITIVITY_PROGRAMS_H

/**
 * struct program - a base program or a compound
 * @name: as in the file
 * @line: what is to be run, as in the file; of a compound without a program of its own, NULL
 * @parts: numbers of a compound's base programs; -1: this is a base program
 */
struct program {
	char *name;
	char *line;
	int parts[2];
};

/**
 * struct programs - all of them, base programs first
 * @nr_bases: the first so many are base programs
 */
struct programs {
	int nr;
	int nr_bases;
	struct program *all;
};

/*
 * Read a file with a line for each program:
 *
 *	NAME: COMMAND ...
 *	NAME = BASE + BASE
 *	NAME = BASE + BASE: COMMAND ...
 *
 * A compound is its two commands, one after the other in one tree of processes, or a command
 * of its own that does the work of both. Without any compound in the file, each two base
 * programs make one. Lines that are empty or begin with # are ignored. bad() if a line is wrong,
 * or if there is no base program; "-" is standard input.
 */
void programs_read(struct programs *programs, const char *path);
/* Write them as programs_read() reads them. */
void programs_write(const struct programs *programs, const char *path);
void programs_free(struct programs *programs);

/* Number of the program with this name, or -1. */
int programs_find(const struct programs *programs, const char *name);

#endif
