// SPDX-License-Identifier: GPL-2.0
/* Run a program once, and count an event set. */
#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

#include "additivity/measure.h"
#include "common.h"

/* The runner's own exit status: a program could not be started */
#define NOT_STARTED 125
/* Registers of energy are read at least so often: none of them wraps twice meanwhile. */
#define ENERGY_SECONDS 10

void bench_open(struct bench *bench, const pmc_machine_t *machine, int core_type,
		const cpu_set_t *cpus, const char *domain, const char *sys)
{
	*bench = (struct bench){ .machine = machine, .core_type = core_type, .cpus = *cpus,
				 .memory_node = -1, .domain = energy_domain_find(domain) };
	record_init(&bench->record);
	bench->energy = (struct sources){ .sys = sys, .cpus = *cpus, .record = &bench->record };
	source_energy(&bench->energy);
	/* If SIGCHLD is ignored, the kernel does not report how a child ended. */
	signal(SIGCHLD, SIG_DFL);
}

void bench_close(struct bench *bench)
{
	gauges_free(&bench->energy.gauges);
	record_free(&bench->record);
}

static int is_in_domain(const struct bench *bench, int column)
{
	char where[128];

	return record_is(&bench->record, column, "energy", where, sizeof(where)) &&
	       energy_domain_has(bench->domain, where);
}

static double joules(struct bench *bench)
{
	double *row = new_array(bench->record.nr_columns, sizeof(*row)), sum = 0;
	int i, n = 0;

	gauges_read(&bench->energy.gauges, row);
	for (i = 1; i < bench->record.nr_columns; i++)
		if (is_in_domain(bench, i)) {
			sum += row[i];
			n++;
		}
	free(row);
	return n ? sum / 1e6 : NAN;
}

int bench_has_energy(const struct bench *bench)
{
	int i, n = 0;

	for (i = 1; i < bench->record.nr_columns; i++)
		n += is_in_domain(bench, i);
	return n;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

double bench_idle_joules(struct bench *bench, double seconds)
{
	double sum = 0;

	gauges_start(&bench->energy.gauges);
	for (; seconds > 0; seconds -= ENERGY_SECONDS) {
		sleep_us(fmin(seconds, ENERGY_SECONDS) * 1e6);
		sum += joules(bench);
	}
	return sum;
}

static void close_output(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
		_exit(NOT_STARTED);
}

static void bind(const struct bench *bench)
{
	unsigned long nodes[16] = { 0 };

	if (sched_setaffinity(0, sizeof(bench->cpus), &bench->cpus))
		_exit(NOT_STARTED);
	if (bench->memory_node < 0)
		return;
	nodes[bench->memory_node / 64] = 1UL << bench->memory_node % 64;
	if (syscall(SYS_set_mempolicy, MPOL_BIND, nodes, sizeof(nodes) * 8))
		_exit(NOT_STARTED);
}

/* Return: the exit status of a command line, as a shell has it */
static int run_command(const char *line)
{
	pid_t runner = getpid();
	wordexp_t words;
	int status;
	pid_t pid;

	if (wordexp(line, &words, WRDE_NOCMD) || !words.we_wordc)
		return NOT_STARTED;
	pid = fork();
	if (pid < 0)
		return NOT_STARTED;
	if (!pid) {
		/* It ends with the runner, which may have ended before this. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != runner)
			_exit(NOT_STARTED);
		execvp(words.we_wordv[0], words.we_wordv);
		_exit(127);
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	wordfree(&words);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Run the commands of a program one after the other, and end. */
static void be_runner(const struct bench *bench, const struct programs *programs,
		      const struct program *p, int go)
{
	int status, i;
	char c;

	/* It must not outlive this command, which may be killed. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (read(go, &c, 1) != 1)
		_exit(NOT_STARTED);
	close_output();
	bind(bench);
	if (p->line)
		_exit(run_command(p->line));
	for (i = 0; i < 2; i++) {
		status = run_command(programs->all[p->parts[i]].line);
		if (status)
			_exit(status);
	}
	_exit(0);
}

static pid_t start_runner(const struct bench *bench, const struct programs *programs,
			  const struct program *p, int *go)
{
	int pipes[2];
	pid_t pid;

	fflush(NULL);
	if (pipe2(pipes, O_CLOEXEC))
		bad("cannot start '%s': %s", p->name, strerror(errno));
	pid = fork();
	if (pid < 0)
		bad("cannot start '%s': %s", p->name, strerror(errno));
	if (!pid) {
		close(pipes[1]);
		be_runner(bench, programs, p, pipes[0]);
	}
	close(pipes[0]);
	*go = pipes[1];
	return pid;
}

/* Wait until the runner, which has the only other end of the pipe @go, ends. Return: joules meanwhile. */
static double wait_for_runner(struct bench *bench, int go)
{
	struct pollfd p = { .fd = go };
	double sum = 0;

	while (poll(&p, 1, ENERGY_SECONDS * 1000) <= 0)
		sum += joules(bench);
	return sum;
}

static void check_status(const struct program *p, int status)
{
	int code = WEXITSTATUS(status);

	if (WIFSIGNALED(status))
		bad("'%s' was ended by signal %d", p->name, WTERMSIG(status));
	if (code == 127 || code == NOT_STARTED)
		bad("'%s' cannot be started: is its command right, and may it use these CPUs?", p->name);
	if (code)
		bad("'%s' failed with status %d: a program has to succeed each time", p->name, code);
}

/*
 * Each count has to be that of the whole time: no set takes turns with another one, and no sample
 * says that a counter was taken away.
 */
static void read_counts(const struct bench *bench, pmc_session_t *session, struct measurement *m)
{
	struct pmc_reading reading;
	int i;

	while ((i = pmc_session_next(session, &reading)) > 0)
		;
	if (i < 0)
		bad("cannot read samples: %s", pmc_last_error());
	m->nr = pmc_session_totals(session, bench->core_type, 0, m->counts, NULL, NULL);
	if (m->nr < 0)
		bad("cannot read counts: %s", pmc_last_error());
	for (i = 0; i < m->nr; i++)
		if (pmc_session_accuracy(session, bench->core_type, 0, i, NULL) != PMC_EXACT)
			bad("a count is not exact: another user took a counter meanwhile; the same command continues from here");
}

void bench_run(struct bench *bench, const struct programs *programs, int program, const char *set,
	       struct measurement *m)
{
	const struct program *p = &programs->all[program];
	pmc_config_t *config = must_have(pmc_config_new(bench->machine));
	pmc_session_t *session = pmc_session_open();
	int go, status;
	double start;
	pid_t pid;

	if (!session || pmc_config_add(config, set, bench->core_type, 0) ||
	    pmc_session_configure(session, config))
		bad("cannot count '%s': %s", set, pmc_last_error());
	pmc_config_free(config);
	pid = start_runner(bench, programs, p, &go);
	if (pmc_session_command(session, "follow children\nenable exec\nattach %d", pid))
		bad("cannot count '%s': %s", p->name, pmc_last_error());
	gauges_start(&bench->energy.gauges);
	start = now();
	if (write(go, "", 1) != 1)
		bad("cannot start '%s': %s", p->name, strerror(errno));
	m->joules = wait_for_runner(bench, go);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			bad("cannot wait for '%s': %s", p->name, strerror(errno));
	m->seconds = now() - start;
	m->joules += joules(bench);
	close(go);
	check_status(p, status);
	if (pmc_session_command(session, "stop"))
		bad("cannot stop counting: %s", pmc_last_error());
	read_counts(bench, session, m);
	pmc_session_close(session);
}
