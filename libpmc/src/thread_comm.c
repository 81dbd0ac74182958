// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of threads. Records have them. For one with an address in place of it, the library
 * reads the name from /proc, as the caller may, and keeps it for a moment.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "thread_comm.h"

/* Threads whose names are kept */
#define KEPT 256

/* A kept name is read again for samples that are later than this, in ns. */
#define FRESH 10000000

_Static_assert(PMC_THREAD_NAME == PMC_NAME_LEN, "names have one length");

struct name {
	pid_t tid;
	uint64_t time;		/* of the sample that it was read for */
	char text[PMC_THREAD_NAME];
};

struct names {
	struct name kept[KEPT];
};

struct names *names_new(void)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		pmc_fail_nomem();
	return names;
}

int names_is_command(const char *line)
{
	line += strspn(line, " \t");
	return !strncmp(line, "names", 5) && !line[5 + strspn(line + 5, " \t\r\v\f")];
}

void names_read(char name[PMC_THREAD_NAME], pid_t pid, pid_t tid)
{
	char path[64];
	ssize_t n;
	int fd;

	memset(name, 0, PMC_THREAD_NAME);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/comm", pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/* A newline follows the name, which has any other bytes, newlines included. */
	n = fd < 0 ? 0 : read(fd, name, PMC_THREAD_NAME);
	if (n > 0)
		name[n - 1] = '\0';
	if (fd >= 0)
		close(fd);
}

static void keep(struct name *kept, const struct pmc_reading *r, const char *name)
{
	memmove(kept->text, name, sizeof(kept->text));
	kept->tid = r->tid;
	kept->time = r->time;
}

/* A thread that has ended meanwhile keeps the name that it had. */
static void refresh(struct name *kept, const struct pmc_reading *r)
{
	char now[PMC_THREAD_NAME];

	if (kept->tid == r->tid && r->time - kept->time < FRESH)
		return;
	names_read(now, r->pid, r->tid);
	keep(kept, r, kept->tid != r->tid || *now ? now : kept->text);
}

void names_of_record(struct pmc_reading *r, const struct pmc_record *record)
{
	memset(r->name, 0, sizeof(r->name));
	if (record->flags & PMC_REC_NAME)
		memcpy(r->name, record->counts + record->nr_counts + record->nr_virtual,
		       sizeof(r->name) - 1);
}

void names_fill(struct names *names, struct pmc_reading *r, const struct pmc_record *record)
{
	struct name *kept = names && r->tid ? &names->kept[(unsigned int)r->tid % KEPT] : NULL;

	memset(r->name, 0, sizeof(r->name));
	if (!kept)
		return;
	if (record->flags & PMC_REC_NAME) {
		names_of_record(r, record);
		keep(kept, r, r->name);
	} else {
		refresh(kept, r);
		memcpy(r->name, kept->text, sizeof(r->name));
	}
	/* A later thread may get the number. */
	if (r->flags & PMC_READING_LAST && kept->tid == r->tid)
		memset(kept, 0, sizeof(*kept));
}
