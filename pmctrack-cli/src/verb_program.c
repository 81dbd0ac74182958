// SPDX-License-Identifier: GPL-2.0
/* Verbs that are programs of their own, as they need libraries that pmctrack does not need. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "verb_program.h"

void verb_program(const char *program, const char *package, char **argv)
{
	char path[4096], *slash;
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - strlen(program) - 1);

	if (len > 0) {
		path[len] = '\0';
		slash = strrchr(path, '/');
		strcpy(slash + 1, program);
		execv(path, argv);
	}
	execvp(program, argv);
	if (errno == ENOENT)
		bad("%s: %s is not installed: it is built where Debian's package %s is", argv[0], program,
		    package);
	bad("%s: cannot run %s: %s", argv[0], program, strerror(errno));
}
