/* SPDX-License-Identifier: GPL-2.0 */
/* The text commands of a session. */
#ifndef PMC_SESSION_COMMAND_H
#define PMC_SESSION_COMMAND_H

struct pmc_session;

int pmc_session_command(struct pmc_session *s, char *line);

#endif /* PMC_SESSION_COMMAND_H */
