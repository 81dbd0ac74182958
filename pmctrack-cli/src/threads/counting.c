// SPDX-License-Identifier: GPL-2.0
/* The session that counts threads: attached to each process that may be counted, and its children. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "interrupted.h"
#include "threads/counting.h"

/* Samples that the kernel keeps for us: all of an interval, if threads do not often change the core type */
#define RING 8192

/*
 * Event sets take turns when a sample is taken by time, not on demand: so often, which is once in the
 * shortest interval that verbs have.
 */
#define TURN "period 100ms"

/*
 * Threads that sleep when samples are taken have theirs when they run next: so much of an interval
 * is waited for them, in percent and at most.
 */
#define SETTLE_PERCENT 10
#define SETTLE_US 50000

/* Longest time to wait at once, which poll() has room for */
#define WAIT_MS 3600000

static int make_plan(struct thread_counting *c, const struct counting_choice *choice)
{
	pmc_session_t *scratch = pmc_session_open();
	int i, rc = scratch ? 0 : -1;

	for (i = 0; i < choice->nr_events && !rc; i++)
		rc = pmc_plan_add_events(c->plan, choice->events[i], PMC_EVERY_CORE_TYPE);
	if (!rc && choice->usual)
		rc = pmc_plan_add_metrics(c->plan, choice->usual, PMC_EVERY_CORE_TYPE);
	c->nr_usual = pmc_plan_nr_metrics(c->plan);
	for (i = 0; i < choice->nr_metrics && !rc; i++)
		rc = pmc_plan_add_metrics(c->plan, choice->metrics[i], PMC_EVERY_CORE_TYPE);
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

static int has_turns(const struct thread_counting *c)
{
	int id;

	for (id = 0; id < pmc_machine_nr_core_types(c->machine); id++)
		if (pmc_config_nr_sets(c->config, id) > 1)
			return 1;
	return 0;
}

static int open_session(struct thread_counting *c)
{
	c->session = pmc_session_open();
	return c->session && (!has_turns(c) || !pmc_session_command(c->session, TURN)) &&
	       !pmc_session_command(c->session, "filter %s\nfollow children\nnames\nring %d\nwakeup %d\n"
				    "describe pmctrack %s", c->filter, RING, RING / 4, c->verb) &&
	       !pmc_session_configure(c->session, c->config) ? 0 : -1;
}

static int start(struct thread_counting *c, const struct counting_choice *choice, char *error, size_t size)
{
	*c->why = '\0';
	c->plan = must_have(pmc_plan_new(c->machine));
	c->config = must_have(pmc_config_new(c->machine));
	if (make_plan(c, choice) || add_virtuals(c, choice->virtuals, choice->nr_virtuals) || open_session(c)) {
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

int counting_start(struct thread_counting *c, const struct counting_choice *choice, char *error,
		   size_t size)
{
	if (c->filter)
		return start(c, choice, error, size);
	c->filter = "all";
	if (!start(c, choice, error, size)) {
		if (may_count(c))
			return 0;
		counting_stop(c);
	}
	/* If the mode was not the reason, the error comes again. */
	c->filter = "user";
	return start(c, choice, error, size);
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

static uid_t owner_of(pid_t pid)
{
	struct stat st;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", pid);
	return stat(path, &st) ? geteuid() : st.st_uid;
}

static int ask(const struct thread_counting *c, pid_t pid)
{
	if (!c->session)
		return EBUSY;
	return pmc_session_command(c->session, "attach %d", pid) ? errno : 0;
}

static void attach(struct thread_counting *c, struct counted_process *process)
{
	int err;

	/* First: if it changes meanwhile, the next look sees it. */
	process->owner = owner_of(process->pid);
	err = ask(c, process->pid);
	/* With ESRCH, it has ended meanwhile. */
	process->refused = err && err != ESRCH;
	process->again = process->refused && err != EPERM && err != EACCES;
	process->others = process->refused && process->owner != geteuid();
	if (process->refused)
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

static void look_into_proc(const struct thread_counting *c, struct look *look)
{
	struct dirent *entry;
	DIR *dir = opendir("/proc");

	if (!dir)
		bad("%s: cannot list /proc: %s", c->verb, strerror(errno));
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

static struct counted_process *find(const struct thread_counting *c, pid_t pid)
{
	struct counted_process wanted = { .pid = pid };

	return c->nr_processes ? bsearch(&wanted, c->processes, c->nr_processes, sizeof(wanted), by_pid) : NULL;
}

/* The right is one of a user and a program: the number alone says nothing of it. */
static int is_to_be_asked(const struct counted_process *known)
{
	return known->again || (known->refused && owner_of(known->pid) != known->owner);
}

void counting_look(struct thread_counting *c)
{
	struct counted_process *known;
	struct look look = { 0 };
	int i;

	if (c->nr_pids)
		look_at_those_named(&look, c->pids, c->nr_pids);
	else
		look_into_proc(c, &look);
	if (look.nr)
		qsort(look.all, look.nr, sizeof(*look.all), by_pid);
	c->nr_refused = c->nr_others = 0;
	for (i = 0; i < look.nr; i++) {
		known = find(c, look.all[i].pid);
		if (known)
			look.all[i] = *known;
		if (!known || is_to_be_asked(known))
			attach(c, &look.all[i]);
		c->nr_refused += look.all[i].refused;
		c->nr_others += look.all[i].others;
	}
	free(c->processes);
	c->processes = look.all;
	c->nr_processes = look.nr;
}

/* After the last sample of a process, its number may be that of a privileged program, or another process. */
static void note_end(struct thread_counting *c, const struct pmc_reading *r)
{
	struct counted_process *process = r->tid == r->pid ? find(c, r->pid) : NULL;

	if (process)
		process->again = 1;
}

void counting_drain(struct thread_counting *c)
{
	struct pmc_reading r;
	int rc;

	if (!c->session)
		return;
	while ((rc = pmc_session_next(c->session, &r)) > 0) {
		counted_threads_add(&c->threads, &r);
		if (r.flags & PMC_READING_LAST)
			note_end(c, &r);
	}
	if (rc < 0)
		bad("%s: %s", c->verb, pmc_last_error());
}

static int is_gone(const struct counted_thread *thread)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d", thread->pid, thread->tid);
	return access(path, F_OK) && errno == ENOENT;
}

/*
 * The last sample of a thread may be lost; one that becomes the first thread of its process, by exec, has
 * none with the number that it had.
 */
static void end_those_gone(struct thread_counting *c)
{
	struct counted_thread *thread;
	int i;

	for (i = 0; i < c->threads.nr; i++) {
		thread = c->threads.all[i];
		if (thread->idle && thread->idle % THREAD_HISTORY == 0 && is_gone(thread))
			thread->ended = 1;
	}
}

void counting_end_interval(struct thread_counting *c, uint64_t delay_us, uint64_t ns)
{
	uint64_t settle = delay_us * SETTLE_PERCENT / 100;

	counting_sample(c);
	usleep(settle < SETTLE_US ? settle : SETTLE_US);
	counting_drain(c);
	counted_threads_end_interval(&c->threads, ns);
	end_those_gone(c);
}

void counting_sleep_until(struct thread_counting *c, uint64_t end)
{
	struct pollfd fd = { .fd = c->session ? pmc_session_fd(c->session) : -1, .events = POLLIN };
	uint64_t now, ms;

	while (!interrupted && (now = monotonic_ns()) < end) {
		ms = (end - now) / 1000000 + 1;
		if (poll(&fd, 1, ms < WAIT_MS ? ms : WAIT_MS) <= 0)
			continue;
		if (fd.revents & POLLIN)
			counting_drain(c);
		else
			fd.fd = -1;	/* no thread is counted any more */
	}
}

/* A folder has two links besides those of the folders in it. */
static int threads_of(pid_t pid)
{
	struct stat st;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return stat(path, &st) || st.st_nlink < 2 ? 0 : st.st_nlink - 2;
}

int counting_refused_threads(const struct thread_counting *c)
{
	int i, nr = 0;

	for (i = 0; i < c->nr_processes; i++)
		if (c->processes[i].refused)
			nr += threads_of(c->processes[i].pid);
	return nr;
}
