// SPDX-License-Identifier: GPL-2.0
/* The file that always has the text of the last interval, whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "openmetrics/openmetrics.h"

void openmetrics_file_check(const char *name)
{
	struct stat st;

	/* Root would replace /dev/null, or what /dev/stdout leads to. */
	if (!lstat(name, &st) && !S_ISREG(st.st_mode))
		bad("openmetrics: -o: %s is no file that a new one can replace; without -o, standard output is written",
		    name);
}

/* The permissions of a new file. The text may have names and counts of other users' threads. */
static mode_t permissions(void)
{
	mode_t mask = umask(077);

	umask(mask);
	return 0644 & ~mask;
}

void openmetrics_file_replace(const struct machine_counts *c, const struct thread_list *threads, const char *name)
{
	char new[4096];
	FILE *f;
	int fd;

	if (snprintf(new, sizeof(new), "%s.XXXXXX", name) >= (int)sizeof(new))
		bad("openmetrics: -o: the name is too long");
	/* In a folder of all users, nobody else can have prepared a link of this name. */
	fd = mkostemp(new, O_CLOEXEC);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		bad("openmetrics: -o: cannot write %s: %s", name, strerror(errno));
	openmetrics_write(c, threads, f);
	fchmod(fd, permissions());
	if (ferror(f) | fclose(f) || rename(new, name)) {
		int error = errno;

		unlink(new);
		bad("openmetrics: -o: cannot write %s: %s", name, strerror(error));
	}
}
