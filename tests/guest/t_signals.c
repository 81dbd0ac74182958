// SPDX-License-Identifier: GPL-2.0
/* pmctrack started by a program that ignores the end of its children. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* Its exit status is that of the program it runs. */
static void check(char *const argv[], int expected, const char *what)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		signal(SIGCHLD, SIG_IGN);
		alarm(20);
		execvp(argv[0], argv);
		die("no pmctrack");
	}
	if (waitpid(pid, &status, 0) != pid)
		die("no child");
	if (same(WIFEXITED(status), true, "%s: it ended by itself", what))
		same(WEXITSTATUS(status), expected, "%s: exit status", what);
}

int main(void)
{
	char *const seven[] = { "pmctrack", "sh", "-c", "sleep 0.1; exit 7", NULL };
	/* SIGCHLD is signal 17. */
	char *const ignores[] = {
		"pmctrack", "grep", "-q", "^SigIgn:.*[13579bdf]....$", "/proc/self/status", NULL
	};

	check(seven, 7, "a program");
	check(ignores, 0, "a program that ignores the end of its children, too");
	return result();
}
