// SPDX-License-Identifier: GPL-2.0
/* The session that counts threads: attached to each process that may be counted, and its children. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "threads/counting.h"

/* Metrics that are always counted. All are of counters that every core type has. */
#define USUAL_METRICS "ipc,mips[%.0f]=instr/duration_time/1e6,migr[%.0f]=migrations"

/* Samples that the kernel keeps for us: all of an interval, if threads do not often change the core type */
#define RING 8192

static int make_plan(struct thread_counting *c, const char *const *metrics, int nr_metrics)
{
	pmc_session_t *scratch = pmc_session_open();
	int i, rc = scratch ? pmc_plan_add_metrics(c->plan, USUAL_METRICS, PMC_EVERY_CORE_TYPE) : -1;

	for (i = 0; i < nr_metrics && !rc; i++)
		rc = pmc_plan_add_metrics(c->plan, metrics[i], PMC_EVERY_CORE_TYPE);
	if (!rc)
		rc = pmc_session_command(scratch, "filter %s", c->filter);
	if (!rc)
		rc = pmc_plan_make(c->plan, c->config, pmc_plan_fits, scratch);
	pmc_session_close(scratch);
	return rc;
}

static int add_virtuals(struct thread_counting *c, const char *const *virtuals, int nr)
{
	int i, rc = 0;

	for (i = 0; i < nr && !rc; i++)
		rc = pmc_config_add_virtual(c->config, virtuals[i]);
	return rc;
}

static int open_session(struct thread_counting *c)
{
	c->session = pmc_session_open();
	return c->session &&
	       !pmc_session_command(c->session, "filter %s\nfollow children\nnames\nring %d\nwakeup %d\n"
				    "describe pmctrack top", c->filter, RING, RING / 4) &&
	       !pmc_session_configure(c->session, c->config) ? 0 : -1;
}

static int start(struct thread_counting *c, const char *const *metrics, int nr_metrics,
		 const char *const *virtuals, int nr_virtuals, char *error, size_t size)
{
	*c->why = '\0';
	c->plan = must_have(pmc_plan_new(c->machine));
	c->config = must_have(pmc_config_new(c->machine));
	if (make_plan(c, metrics, nr_metrics) || add_virtuals(c, virtuals, nr_virtuals) ||
	    open_session(c)) {
		snprintf(error, size, "%s", pmc_last_error());
		counting_stop(c);
		return -1;
	}
	if (pmc_plan_nr_metrics(c->plan) > THREAD_METRICS_MAX) {
		snprintf(error, size, "%d metrics are too many: at most %d can be shown",
			 pmc_plan_nr_metrics(c->plan), THREAD_METRICS_MAX);
		counting_stop(c);
		return -1;
	}
	counted_threads_init(&c->threads, c->machine, c->plan, c->config);
	return 0;
}

/* Some rights are looked at when a session begins to count. */
static int may_count(struct thread_counting *c)
{
	pmc_session_t *session = pmc_session_open();
	int may = session && !pmc_session_command(session, "filter %s", c->filter) &&
		  !pmc_session_configure(session, c->config) &&
		  !pmc_session_command(session, "attach %d", getpid());

	pmc_session_close(session);
	return may;
}

int counting_start(struct thread_counting *c, const char *const *metrics, int nr_metrics,
		   const char *const *virtuals, int nr_virtuals, char *error, size_t size)
{
	if (c->filter)
		return start(c, metrics, nr_metrics, virtuals, nr_virtuals, error, size);
	c->filter = "all";
	if (!start(c, metrics, nr_metrics, virtuals, nr_virtuals, error, size)) {
		if (may_count(c))
			return 0;
		counting_stop(c);
	}
	/* If the mode was not the reason, the error comes again. */
	c->filter = "user";
	return start(c, metrics, nr_metrics, virtuals, nr_virtuals, error, size);
}

void counting_stop(struct thread_counting *c)
{
	pmc_session_close(c->session);
	if (c->threads.core_types)
		counted_threads_free(&c->threads);
	memset(&c->threads, 0, sizeof(c->threads));
	free(c->processes);
	pmc_plan_free(c->plan);
	pmc_config_free(c->config);
	c->session = NULL;
	c->processes = NULL;
	c->plan = NULL;
	c->config = NULL;
	c->nr_processes = c->nr_refused = c->nr_others = 0;
}

void counting_sample(struct thread_counting *c)
{
	pmc_session_command(c->session, "sample");
}

static int is_of_another_user(pid_t pid)
{
	struct stat st;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return !stat(path, &st) && st.st_uid != geteuid();
}

static void attach(struct thread_counting *c, struct counted_process *process)
{
	if (!pmc_session_command(c->session, "attach %d", process->pid))
		return;
	/* It ended meanwhile. */
	if (errno == ESRCH)
		return;
	process->refused = 1;
	process->others = is_of_another_user(process->pid);
	snprintf(c->why, sizeof(c->why), "%s", pmc_last_error());
}

static int by_pid(const void *a, const void *b)
{
	const struct counted_process *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

/* Processes that are there now */
struct look {
	int nr;
	struct counted_process *all;
};

static void see(struct look *look, pid_t pid)
{
	/* Room doubles at each power of two. */
	if (!(look->nr & (look->nr - 1)))
		look->all = must_have(realloc(look->all, (look->nr ? 2 * look->nr : 1) * sizeof(*look->all)));
	look->all[look->nr++] = (struct counted_process){ .pid = pid };
}

static void look_into_proc(struct look *look)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");

	if (!dir)
		bad("top: cannot list /proc: %s", strerror(errno));
	while ((entry = readdir(dir)))
		if (isdigit((unsigned char)*entry->d_name))
			see(look, atoi(entry->d_name));
	closedir(dir);
}

static void look_at_those_named(struct look *look, const pid_t *pids, int nr)
{
	char path[32];
	int i;

	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "/proc/%d", pids[i]);
		if (!access(path, F_OK))
			see(look, pids[i]);
	}
}

void counting_look(struct thread_counting *c)
{
	struct counted_process *known;
	struct look look = { 0 };
	int i;

	if (c->nr_pids)
		look_at_those_named(&look, c->pids, c->nr_pids);
	else
		look_into_proc(&look);
	if (look.nr)
		qsort(look.all, look.nr, sizeof(*look.all), by_pid);
	c->nr_refused = c->nr_others = 0;
	for (i = 0; i < look.nr; i++) {
		known = c->nr_processes ? bsearch(&look.all[i], c->processes, c->nr_processes,
						  sizeof(*c->processes), by_pid) : NULL;
		if (known)
			look.all[i] = *known;
		else
			attach(c, &look.all[i]);
		c->nr_refused += look.all[i].refused;
		c->nr_others += look.all[i].others;
	}
	free(c->processes);
	c->processes = look.all;
	c->nr_processes = look.nr;
}

void counting_drain(struct thread_counting *c)
{
	struct pmc_reading r;
	int rc;

	if (!c->session)
		return;
	while ((rc = pmc_session_next(c->session, &r)) > 0)
		counted_threads_add(&c->threads, &r);
	if (rc < 0)
		bad("top: %s", pmc_last_error());
}
