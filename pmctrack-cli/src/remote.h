/* SPDX-License-Identifier: GPL-2.0 */
/* pmctrack --remote HOST ...: the same command on another machine. */
#ifndef PMCTRACK_REMOTE_H
#define PMCTRACK_REMOTE_H

/* If the first option is --remote, run the command there and do not return. */
void remote_run(char **argv);

/* pmctrack and these words, as a shell takes them; for free() */
char *remote_command_line(char *const *words);

#endif
