// SPDX-License-Identifier: GPL-2.0
/* pmctrack web: the program pmctrack-web, which is built where libmicrohttpd is. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "verb.h"

#define PROGRAM "pmctrack-web"

int web_main(int argc, char **argv)
{
	char path[4096], *slash;
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - sizeof(PROGRAM));

	(void)argc;
	if (len > 0) {
		path[len] = '\0';
		slash = strrchr(path, '/');
		strcpy(slash + 1, PROGRAM);
		execv(path, argv);
	}
	execvp(PROGRAM, argv);
	if (errno == ENOENT)
		bad("web: " PROGRAM " is not installed: it is built where Debian's package libmicrohttpd-dev is");
	bad("web: cannot run " PROGRAM ": %s", strerror(errno));
}
