// SPDX-License-Identifier: LGPL-2.1-or-later
/* The file that the high level writes at the end of the program. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "high_messages.h"
#include "high_output.h"

#define FOLDER	"papi_hl_output"
#define RANKS	1000000

static char *folder;

/*
 * Keep the output of an earlier run: its folder gets the date and time of now. A folder of
 * this second is of another process of the same parallel program.
 */
static void put_away(const char *path)
{
	time_t now = time(NULL);
	struct tm tm;
	struct stat st;
	char date[32], *new_path;

	if (stat(path, &st) || !S_ISDIR(st.st_mode) || st.st_mtime >= now)
		return;
	localtime_r(&now, &tm);
	strftime(date, sizeof(date), "%Y%m%d-%H%M%S", &tm);
	if (asprintf(&new_path, "%s-%s", path, date) < 0)
		return;
	/* Another process may have renamed the folder in the meantime. */
	if (rename(path, new_path) && errno != ENOENT)
		hl_warn("%s is not renamed: %s", path, strerror(errno));
	free(new_path);
}

int hl_output_prepare(void)
{
	const char *parent = getenv("PAPI_OUTPUT_DIRECTORY");
	char *cwd = getcwd(NULL, 0);
	int n;

	hl_json_prepare();
	if (!parent)
		n = asprintf(&folder, "%s/" FOLDER, cwd ? cwd : ".");
	else if (*parent == '/' || !cwd)
		n = asprintf(&folder, "%s/" FOLDER, parent);
	else
		n = asprintf(&folder, "%s/%s/" FOLDER, cwd, parent);
	free(cwd);
	if (n < 0) {
		folder = NULL;
		return PAPI_ENOMEM;
	}
	put_away(folder);
	return PAPI_OK;
}

/* As mkdir -p: others make the same folder at the same time. */
static int make_folder(char *path)
{
	char *slash = path;

	while ((slash = strchr(slash + 1, '/')) != NULL) {
		*slash = 0;
		mkdir(path, S_IRWXU);
		*slash = '/';
	}
	return mkdir(path, S_IRWXU) && errno != EEXIST ? -1 : 0;
}

/* A parallel program's process knows its number from its environment; -1: it has none. */
static int rank_of_process(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_RANK", "ALPS_APP_PE", "PMI_RANK", "SLURM_PROCID",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value)
			return abs(atoi(value)) % RANKS;
	}
	return -1;
}

/* The program's random numbers stay as they are: random() is not called. */
static int any_rank(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (now.tv_nsec ^ (now.tv_sec << 10) ^ getpid() * 7919L) % RANKS;
}

static FILE *create_file(char **path)
{
	int rank = rank_of_process(), tries, fd;
	FILE *f;

	if (rank < 0)
		rank = abs(any_rank());
	for (tries = 0; tries < RANKS; tries++, rank = (rank + 1) % RANKS) {
		if (asprintf(path, "%s/rank_%06d.json", folder, rank) < 0)
			return NULL;
		fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
		if (fd >= 0) {
			f = fdopen(fd, "w");
			if (f)
				return f;
			close(fd);
		}
		free(*path);
		if (fd >= 0 || errno != EEXIST)
			return NULL;
	}
	return NULL;
}

static bool anything_measured(const struct hl_thread *thread)
{
	for (; thread; thread = thread->next) {
		if (atomic_load_explicit(&thread->finished, memory_order_acquire))
			return true;
	}
	return false;
}

void hl_output_write(const struct hl_events *events, const struct hl_thread *threads)
{
	char *path = NULL;
	FILE *f = NULL;
	bool failed;

	if (!folder || !anything_measured(threads)) {
		hl_info("no region was measured");
		return;
	}
	if (!make_folder(folder))
		f = create_file(&path);
	if (!f) {
		hl_warn("no output can be written to %s: %s", folder, strerror(errno));
		return;
	}
	hl_json_write(f, events, threads);
	failed = ferror(f);
	if (fclose(f) || failed)
		hl_warn("%s is not complete: %s", path, strerror(errno));
	else
		hl_info("the output is in %s", path);
	free(path);
	if (!getenv("PAPI_REPORT"))
		return;
	printf("\n\nPAPI-HL Output:\n");
	hl_json_write(stdout, events, threads);
	printf("\n");
}
