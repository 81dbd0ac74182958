// SPDX-License-Identifier: GPL-2.0
/*
 * Counting: set the session up, start the program, and read samples until the program
 * ends, the user interrupts it, or a limit is reached.
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "common.h"
#include "output.h"
#include "sampling_loop.h"
#include "signal_origin.h"
#include "syswide_samples.h"
#include "without_module.h"

/* EBS may deliver many samples: wake up for this many, or after this time. */
#define EBS_WAKEUP 64
#define EBS_POLL_MS 100

/* With -S, samples of a period are shown at the latest this long after the first of them. */
#define INTERVAL_MS 100

/* Size of the kernel's buffer without -k, in samples */
#define RING 1024

/* Time for the program to end after SIGTERM, before SIGKILL */
#define GRACE_MS 2000

enum reason {
	RUNNING,
	PROGRAM_ENDED,
	TARGET_ENDED,	/* all threads of -p's process have ended, or -S's counters were revoked */
	LIMIT,		/* -n, -N, -K */
	INTERRUPTED,
	FAILED,
};

struct monitor {
	const struct options *o;
	pmc_session_t *session;
	struct report *report;
	struct child child;
	struct signal_origin probe;
	int has_child;
	int status;		/* of the child, once it ended */
	struct rusage usage;
	enum reason reason;
	int signal;		/* the signal that interrupted pmctrack */
	int signals;		/* signalfd */
	int timer;		/* timerfd for -N, or -1 */
	unsigned int ring;	/* size of the kernel's buffer, in samples */
	int wakeup;
	int stream_ended;	/* no more samples will come */
	int started;		/* the report has begun */
	uint64_t nr_samples;
	uint64_t nr_shown;
	uint64_t nr_ebs;
	int by_interval;	/* show the samples of a period in the order of their CPUs */
	struct interval interval;
	uint64_t interval_ns;	/* when the first sample of the interval came */
	uint64_t lost;		/* samples lost before the last one that was read */
	struct sums *sums;
	struct summary summary;
	uint64_t start_ns;
	uint64_t end_ns;
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* Print the first failure only: later ones may be its consequence. */
__attribute__((format(printf, 2, 3)))
static void failed(struct monitor *m, const char *fmt, ...)
{
	va_list args;

	if (m->report->failed)
		return;
	m->reason = FAILED;
	m->report->failed = 1;
	fputs("pmctrack: ", stderr);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
}

/* Call this right after writing, while errno is that of a failed write. */
static void check_written(struct monitor *m, int all)
{
	FILE *f = m->report->f;

	if (ferror(f) || (all && fflush(f)))
		failed(m, "cannot write the report to %s: %s", output_name(m->o), strerror(errno));
}

static void show_sample(struct monitor *m, const struct pmc_reading *r)
{
	if (!m->started)
		return;
	m->report->left_out = layout_left_out(m->report->layout, r);
	m->report->ops->sample(m->report, ++m->nr_shown, r);
	check_written(m, 0);
	if (m->report->no_memory)
		failed(m, "out of memory");
}

static void show_interval(struct monitor *m)
{
	int i;

	interval_sort(&m->interval);
	for (i = 0; i < m->interval.nr; i++)
		show_sample(m, &m->interval.all[i]);
	m->interval.nr = 0;
}

/* Keep a sample until all CPUs have taken theirs. */
static void add_to_interval(struct monitor *m, const struct pmc_reading *r)
{
	if (interval_is_over(&m->interval, r, m->o->period_us * 1000))
		show_interval(m);
	if (!m->interval.nr)
		m->interval_ns = now();
	if (interval_add(&m->interval, r))
		failed(m, "out of memory");
}

/* A CPU may have no sample: do not wait for it. */
static void check_interval(struct monitor *m)
{
	if (m->interval.nr && now() - m->interval_ns >= INTERVAL_MS * 1000000ULL)
		show_interval(m);
}

/*
 * A privileged user needed the counters of -S. All CPUs have their last samples then, which are
 * read after the stop, and no more would come.
 */
static int is_revoked(const struct monitor *m, const struct pmc_reading *r)
{
	return !m->o->command && r->flags & PMC_READING_SYSWIDE && r->flags & PMC_READING_EVICTED;
}

static void take_sample(struct monitor *m, const struct pmc_reading *r)
{
	const struct options *o = m->o;

	m->nr_samples++;
	m->lost += r->lost;
	m->nr_ebs += r->type == PMC_EBS_SAMPLE;
	losses_note(m->summary.losses, r->flags);
	totals_sample(&m->summary.totals, m->report->layout, r);
	m->summary.left_out += layout_left_out(m->report->layout, r);
	if (o->aggregate && sums_add(m->sums, r))
		failed(m, "out of memory");
	else if (!o->aggregate && m->by_interval)
		add_to_interval(m, r);
	else if (!o->aggregate)
		show_sample(m, r);
	if ((o->max_samples && m->nr_samples >= o->max_samples) ||
	    (o->max_ebs_samples && m->nr_ebs >= o->max_ebs_samples))
		if (m->reason == RUNNING)
			m->reason = LIMIT;
	if (is_revoked(m, r) && m->reason == RUNNING)
		m->reason = TARGET_ENDED;
}

static int enough(const struct monitor *m)
{
	const struct options *o = m->o;

	return (o->max_samples && m->nr_samples >= o->max_samples) ||
	       (o->max_ebs_samples && m->nr_ebs >= o->max_ebs_samples);
}

/*
 * Read at most as many samples as the ring holds: signals and timers have to be handled
 * even if samples come as fast as they are read. Return: 1 if there may be more.
 */
static int take_samples(struct monitor *m)
{
	struct pmc_reading r;
	unsigned int n;
	int rc;

	for (n = 0; n < m->ring && !enough(m); n++) {
		rc = pmc_session_next(m->session, &r);
		if (rc < 0)
			failed(m, "%s", pmc_last_error());
		if (rc <= 0)
			return 0;
		take_sample(m, &r);
	}
	return !enough(m);
}

static void reap(struct monitor *m)
{
	if (!m->has_child || wait4(m->child.pid, &m->status, WNOHANG, &m->usage) != m->child.pid)
		return;
	m->has_child = 0;
	m->end_ns = now();
	if (m->reason == RUNNING)
		m->reason = PROGRAM_ENDED;
}

static void pass_on_signals(struct monitor *m)
{
	signal_origin_pass_on(&m->probe, m->has_child ? m->child.pid : 0);
}

static void take_signal(struct monitor *m)
{
	struct signalfd_siginfo info;

	if (read(m->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD) {
		reap(m);
		return;
	}
	if (!m->report->signal)
		m->report->signal = info.ssi_signo;
	/* Pass the signal on: pmctrack ends when the program does. */
	if (m->has_child && !signal_origin_take(&m->probe, info.ssi_signo))
		return;
	m->signal = info.ssi_signo;
	m->reason = INTERRUPTED;
}

/* Wait for something to happen. */
static void wait_event(struct monitor *m, int timeout_ms)
{
	int stream = m->stream_ended || enough(m) ? -1 : pmc_session_fd(m->session);
	struct pollfd p[3] = {
		{ .fd = m->signals, .events = POLLIN },
		{ .fd = stream, .events = POLLIN },
		{ .fd = m->timer, .events = POLLIN },
	};

	if (poll(p, 3, timeout_ms) < 0) {
		if (errno != EINTR)
			failed(m, "cannot wait for samples: %s", strerror(errno));
		return;
	}
	if (p[0].revents)
		take_signal(m);
	if (p[1].revents & (POLLHUP | POLLERR) && !(p[1].revents & POLLIN))
		m->stream_ended = 1;
	if (p[2].revents) {
		close(m->timer);
		m->timer = -1;
		if (m->reason == RUNNING)
			m->reason = LIMIT;
	}
}

static int wait_ms(const struct monitor *m)
{
	if (m->probe.pass_on_ns || m->wakeup > 1)
		return EBS_POLL_MS;
	return m->interval.nr ? INTERVAL_MS : -1;
}

static void loop(struct monitor *m)
{
	while (m->reason == RUNNING) {
		wait_event(m, wait_ms(m));
		pass_on_signals(m);
		take_samples(m);
		check_interval(m);
		check_written(m, 1);
		if (m->stream_ended && m->o->nr_pids && m->reason == RUNNING)
			m->reason = TARGET_ENDED;
	}
}

/*
 * Send SIGTERM to the program, and SIGKILL if it does not end in time. Even SIGKILL does not
 * end a program that waits for a device which does not answer. A second signal to pmctrack
 * ends the waiting, as it does while the program is counted. A program with other rights than
 * pmctrack, as sudo, may not be signalled.
 */
static void end_program(struct monitor *m)
{
	uint64_t deadline = now() + GRACE_MS * 1000000ULL;
	int kills = 0, rc = 0;

	if (m->has_child)
		rc = kill(m->child.pid, SIGTERM);
	while (m->has_child && !rc && m->reason != INTERRUPTED) {
		int64_t left = (int64_t)(deadline - now()) / 1000000;

		if (left <= 0 && !kills++)
			rc = kill(m->child.pid, SIGKILL);
		if (left <= 0 || left >= EBS_POLL_MS)
			left = EBS_POLL_MS;
		wait_event(m, left + 1);
		pass_on_signals(m);
		reap(m);
	}
	if (!m->has_child)
		m->reason = LIMIT;
}

static int setup_wakeups(struct monitor *m, int uses_ebs)
{
	m->ring = m->o->ring ? m->o->ring : RING;
	m->wakeup = 1;
	if (uses_ebs && !m->o->max_samples && !m->o->max_ebs_samples && m->ring >= 4 * EBS_WAKEUP)
		m->wakeup = EBS_WAKEUP;
	return pmc_session_command(m->session, "wakeup %d", m->wakeup);
}

/*
 * With EBS no samples are taken by time. Sums (-A) need none either, except for means, a
 * number of samples (-n) and multiplexing.
 */
static int setup(struct monitor *m, int uses_ebs, int nr_sets)
{
	const struct options *o = m->o;
	uint64_t period = o->period_us;

	if (uses_ebs || (o->aggregate && !o->max_samples && nr_sets <= 1 &&
			 !layout_has_means(m->report->layout)))
		period = 0;
	if (o->ring && pmc_session_command(m->session, "ring %u", o->ring))
		return -1;
	if (!o->syswide && pmc_session_command(m->session, "names"))
		return -1;
	if (pmc_session_command(m->session, "period %lluus", (unsigned long long)period))
		return -1;
	return setup_wakeups(m, uses_ebs);
}

static int attach_cpus(struct monitor *m)
{
	char list[8 * CPU_SETSIZE] = "";
	size_t n = 0;
	int cpu;

	for (cpu = 0; m->o->cpus && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &m->o->count_cpus))
			n += snprintf(list + n, sizeof(list) - n, "%s%d", n ? "," : " ", cpu);
	return pmc_session_command(m->session, "syswide%s", list);
}

/* Without the module, a sample is of all that was attached together: here of one thread. */
static int attach_threads(struct monitor *m, pid_t pid)
{
	char path[64];
	struct dirent *entry;
	int rc = 0, nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !rc && (entry = readdir(dir))) {
		if (*entry->d_name == '.')
			continue;
		/* It may have ended meanwhile, or is of a process that was named twice. */
		rc = pmc_session_command(m->session, "attach-thread %s", entry->d_name);
		nr += !rc || errno == EEXIST;
		rc = rc && errno != ESRCH && errno != EEXIST ? rc : 0;
	}
	if (dir)
		closedir(dir);
	return rc || nr ? rc : pmc_session_command(m->session, "attach %d", pid);
}

static int attach_processes(struct monitor *m)
{
	int i, rc = pmc_session_command(m->session, "follow children");

	for (i = 0; i < m->o->nr_pids && !rc; i++)
		rc = m->o->per_thread && m->report->layout->without_module ?
		     attach_threads(m, m->o->pids[i]) :
		     pmc_session_command(m->session, "attach %d", m->o->pids[i]);
	return rc;
}

static int attach(struct monitor *m)
{
	const struct options *o = m->o;

	if (o->syswide)
		return attach_cpus(m);
	if (o->nr_pids)
		return attach_processes(m);
	return pmc_session_command(m->session, "follow children\nenable exec\nattach %d",
				   m->child.pid);
}

static int start_timer(struct monitor *m)
{
	uint64_t us = m->o->limit_us;
	struct itimerspec t = { .it_value = { us / 1000000, us % 1000000 * 1000 } };

	if (!us)
		return 0;
	m->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	return m->timer < 0 ? -1 : timerfd_settime(m->timer, 0, &t, NULL);
}

static void finish(struct monitor *m)
{
	struct summary *s = &m->summary;
	struct pmc_set_counts sets[MAX_CONFIGS];
	const struct pmc_reading *sum;
	int n;

	sums_sort(m->sums);
	for (n = 0; m->o->aggregate && (sum = sums_get(m->sums, n)); n++) {
		m->report->left_out = sums_left_out(m->sums, n);
		m->report->sets = sets;
		m->report->nr_sets = sums_sets(m->sums, n, sets, MAX_CONFIGS, &m->report->sets_elapsed);
		m->report->ops->sample(m->report, n + 1, sum);
		check_written(m, 0);
	}
	s->nr_samples = m->nr_samples;
	/* Samples after the last one that -n or -K asks for are not lost. */
	s->lost = enough(m) ? m->lost : pmc_session_lost(m->session);
	s->throttled = pmc_session_throttled(m->session);
	s->missed_threads = pmc_session_missed_threads(m->session);
	s->limited = enough(m);
	s->real_ns = m->end_ns ? m->end_ns - m->start_ns : s->totals.elapsed;
	s->usage = m->o->command && m->end_ns ? &m->usage : NULL;
	m->report->ops->end(m->report, s);
	check_written(m, 1);
}

/* Stop counting, read the remaining samples and the kernel's totals. */
static void stop(struct monitor *m)
{
	int more = 1;

	if (pmc_session_command(m->session, "stop")) {
		failed(m, "cannot stop counting: %s", pmc_last_error());
		more = 0;
	}
	/* No further samples come after "stop". */
	while (more)
		more = take_samples(m);
	show_interval(m);
	m->stream_ended = 1;
	m->summary.totals.elapsed = (m->end_ns ? m->end_ns : now()) - m->start_ns;
	if (totals_ask(&m->summary.totals, m->report->layout, m->session))
		failed(m, "cannot read the totals: %s", pmc_last_error());
}

/* pmctrack ends before the program. Nobody would see the program otherwise. */
static void announce_program(struct monitor *m)
{
	reap(m);
	if (m->has_child)
		fprintf(stderr, "pmctrack: process %d keeps running and is not counted any more\n",
			m->child.pid);
}

/*
 * Start the report, now that the program runs: a program that cannot be run leaves the
 * report's file as it was. Return: 0 if the report cannot be started.
 */
static int start_report(struct monitor *m)
{
	if (!start_timer(m) && !output_clear(m->report->f) && !m->report->ops->begin(m->report)) {
		check_written(m, 1);
		return 1;
	}
	failed(m, "cannot start the report to %s: %s", output_name(m->o), strerror(errno));
	return 0;
}

static int exit_status(const struct monitor *m)
{
	if (m->report->failed)
		return 2;
	if (m->reason == LIMIT)
		return 0;
	/* Ctrl-C is the normal end of -S and -p. */
	if (m->reason == INTERRUPTED)
		return m->signal == SIGINT && !m->o->command ? 0 : 128 + m->signal;
	if (!m->o->command)
		return 0;
	if (WIFSIGNALED(m->status))
		return 128 + WTERMSIG(m->status);
	return WEXITSTATUS(m->status);
}

/* Name the option that is missing before a word that is no program. */
static const char *meant_instead(const char *program)
{
	cpu_set_t cpus;

	if (!cpus_parse(program, &cpus))
		return "; if these are CPUs, write -C before them";
	return strchr(program, ',') ? "; if these are events, write -c before them" : "";
}

static int release(struct monitor *m)
{
	int err = child_release(&m->child);

	if (!err)
		return 0;
	waitpid(m->child.pid, NULL, 0);
	if (err < 0)
		bad("-b: cannot run on these CPUs: %s; `pmc-events -I` lists the CPUs", strerror(-err));
	fprintf(stderr, "pmctrack: cannot run '%s': %s%s\n", m->o->command[0], strerror(err),
		meant_instead(m->o->command[0]));
	return err == ENOENT ? 127 : 126;
}

/*
 * Signals that are ignored when pmctrack starts stay ignored, as with nohup and in the
 * background of a script. Shells ignore SIGINT for all that a script starts with &, but
 * SIGINT is the normal end of -S and -p, so there it is not ignored.
 */
static void wanted_signals(const struct options *o, sigset_t *mask)
{
	if (!o->command)
		signal(SIGINT, SIG_DFL);
	signal_origin_mask(mask);
	sigaddset(mask, SIGCHLD);
}

int monitor_pending_signal(void)
{
	sigset_t pending, ends;
	int signal;

	sigpending(&pending);
	signal_origin_mask(&ends);
	for (signal = 1; signal < NSIG; signal++)
		if (sigismember(&pending, signal) == 1 && sigismember(&ends, signal) == 1)
			return signal;
	return 0;
}

/*
 * Settings for pmctrack itself. The program is forked before, with the original CPUs; it gets the
 * original signals back.
 */
static void apart_from_child(const struct options *o)
{
	/* If SIGCHLD is ignored, the kernel does not report the end of a child. */
	signal(SIGCHLD, SIG_DFL);
	/* If the reader of a pipe ends, pmctrack has to say that the program runs on. */
	signal(SIGPIPE, SIG_IGN);
	if (o->has_bind_monitor &&
	    sched_setaffinity(0, sizeof(o->bind_monitor), &o->bind_monitor))
		bad("-B: cannot run on these CPUs: %s; `pmc-events -I` lists the CPUs", strerror(errno));
}

static void forget(struct monitor *m)
{
	if (m->o->command)
		signal_origin_end(&m->probe);
	close(m->signals);
	if (m->timer >= 0)
		close(m->timer);
	totals_free(&m->summary.totals);
	sums_free(m->sums);
	interval_free(&m->interval);
}

int monitor(const struct options *o, pmc_session_t *session, struct report *report,
	    int uses_ebs, int nr_sets)
{
	struct monitor m = { .o = o, .session = session, .report = report, .timer = -1 };
	sigset_t mask;
	int rc, limit;

	wanted_signals(o, &mask);
	child_note_signals();
	/* They stay blocked: one that comes between two runs must not end pmctrack before the report. */
	sigprocmask(SIG_BLOCK, &mask, NULL);
	m.signals = signalfd(-1, &mask, SFD_CLOEXEC);
	m.sums = sums_new(report->layout);
	if (m.signals < 0 || !m.sums || totals_init(&m.summary.totals, report->layout) ||
	    (o->command && (child_prepare(&m.child, o) ||
			    signal_origin_start(&m.probe, &mask))))
		bad("cannot start: %s", strerror(errno));
	m.has_child = !!o->command;
	apart_from_child(o);

	if (setup(&m, uses_ebs, nr_sets) || attach(&m)) {
		if (m.has_child)
			child_cancel(&m.child);
		bad("%s", pmc_last_error());
	}
	m.by_interval = o->syswide && !uses_ebs;
	m.start_ns = now();
	report->start_ns = m.start_ns;
	rc = m.has_child ? release(&m) : 0;
	if (rc) {
		report->failed = 1;
		forget(&m);
		return rc;
	}
	if (report->layout->without_module)
		announce_perf();
	m.started = start_report(&m);
	loop(&m);
	limit = m.reason == LIMIT;
	stop(&m);
	/* The limit is reached, so the program is not needed any more. */
	if (limit)
		end_program(&m);
	announce_program(&m);
	if (m.started)
		finish(&m);
	if (report->layout->without_module)
		announce_inexact(report->layout, session);
	rc = exit_status(&m);
	forget(&m);
	return rc;
}
