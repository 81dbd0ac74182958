/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of threads, in sessions with the command "names". */
#ifndef LIBPMC_THREAD_COMM_H
#define LIBPMC_THREAD_COMM_H

#include "pmctrack.h"
#include "../../kmod/uapi/pmctrack.h"

/* The names of the threads that were looked at last, for free() */
struct names;

struct names *names_new(void);

/* Is the line the command that asks for names? */
int names_is_command(const char *line);

/* The name of a living thread, or "" */
void names_read(char name[PMC_THREAD_NAME], pid_t pid, pid_t tid);

/* Fill the name of @reading, which @record became, with the one that the record has, or "". */
void names_of_record(struct pmc_reading *reading, const struct pmc_record *record);

/* The same, but a name that the record has not is looked up. Without @names it is "". */
void names_fill(struct names *names, struct pmc_reading *reading,
		const struct pmc_record *record);

#endif
