// SPDX-License-Identifier: GPL-2.0
/*
 * mix - compare schedulers on programs that big cores speed up by different factors
 *
 * usage: mix ROUNDS PROGRAM...        PROGRAM: the ARGUMENT of tests/vm/programs/phase_mix.c
 *
 * Each program runs alone, on a big CPU and on a little one; then all programs run at the
 * same time under the kernel's own scheduler, pmc-rr and pmc-hsp. A program that ends is
 * started again until every program has completed ROUNDS times. CT is a program's
 * completion time: the geometric mean of its runs while all programs were running.
 * The metrics are those of
 *
 *   Saez et al., PMCTrack: Delivering Performance Monitoring Counter Support to the OS
 *   Scheduler, section 4.1.3:
 *
 *   aggregate speedup   ASP = sum over programs of CT alone on a little core / CT
 *   unfairness          max slowdown / min slowdown; slowdown = CT / CT alone on a
 *                       big core
 *
 * Some texts subtract 1 from each program's term. Their ASP is lower by the number of
 * programs, so the same difference of two schedulers is a larger part of it.
 *
 * The default scheduler places programs by chance and by the order of their start. So each
 * scheduler runs them in each rotated order; mean, minimum and maximum are printed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_PROGRAMS	16
#define PHASE_MIX	"/tests/programs/phase_mix"

static struct program {
	char *argument;
	double big, little;	/* seconds alone */
	double log_sum;		/* of this run's completion times */
	int completed;
	double started;
	pid_t pid;
} programs[MAX_PROGRAMS];
static int nr_programs, rounds;
static cpu_set_t big, little;

struct outcome {
	double asp, unfairness;
};

static void die(const char *what)
{
	fprintf(stderr, "mix: %s: %s\n", what, strerror(errno));
	exit(1);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void add_cpus(const char *list, cpu_set_t *set)
{
	unsigned int first, last;
	int n;

	while (sscanf(list, "%u%n", &first, &n) == 1) {
		list += n;
		last = first;
		if (sscanf(list, "-%u%n", &last, &n) == 1)
			list += n;
		for (; first <= last; first++)
			CPU_SET(first, set);
		list += *list == ',';
	}
}

static void find_cpus(void)
{
	char line[512], lists[16][128] = { };
	int type, fastest = 0, slowest = 0;
	FILE *f = fopen("/proc/pmc/info", "r");

	if (!f)
		die("/proc/pmc/info");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "core_type %d cpus", &type) == 1 && type < 16)
			sscanf(line, "core_type %*d cpus %127s", lists[type]);
		sscanf(line, "fastest %d", &fastest);
		sscanf(line, "slowest %d", &slowest);
	}
	fclose(f);
	if (fastest == slowest) {
		fprintf(stderr, "mix: all cores of this machine are of one type\n");
		exit(1);
	}
	add_cpus(lists[fastest], &big);
	add_cpus(lists[slowest], &little);
}

static void start(struct program *p, const cpu_set_t *where)
{
	p->started = now();
	p->pid = fork();
	if (p->pid < 0)
		die("fork");
	if (p->pid)
		return;
	if (where && sched_setaffinity(0, sizeof(*where), where))
		die("sched_setaffinity");
	execl(PHASE_MIX, PHASE_MIX, p->argument, NULL);
	die(PHASE_MIX);
}

static double alone(struct program *p, const cpu_set_t *where)
{
	int status;

	start(p, where);
	if (waitpid(p->pid, &status, 0) != p->pid || status)
		die(p->argument);
	return now() - p->started;
}

static bool all_done(void)
{
	int i;

	for (i = 0; i < nr_programs; i++)
		if (programs[i].completed < rounds)
			return false;
	return true;
}

static struct outcome together(int first)
{
	double ct, slowdown, most = 0, least = INFINITY;
	struct outcome o = { };
	struct program *p;
	int i, status;
	pid_t pid;

	for (i = 0; i < nr_programs; i++) {
		p = &programs[(first + i) % nr_programs];
		p->completed = 0;
		p->log_sum = 0;
		start(p, NULL);
	}
	while (!all_done()) {
		pid = wait(&status);
		for (p = programs; p->pid != pid; p++)
			;
		if (status)
			die(p->argument);
		p->completed++;
		p->log_sum += log(now() - p->started);
		start(p, NULL);
	}
	for (p = programs; p < programs + nr_programs; p++) {
		kill(p->pid, SIGKILL);
		waitpid(p->pid, NULL, 0);
		ct = exp(p->log_sum / p->completed);
		o.asp += p->little / ct;
		slowdown = ct / p->big;
		most = slowdown > most ? slowdown : most;
		least = slowdown < least ? slowdown : least;
	}
	o.unfairness = most / least;
	return o;
}

static void print(const char *name)
{
	const int runs = nr_programs;
	struct outcome o, sum = { }, low = { INFINITY, INFINITY }, high = { };
	int i;

	for (i = 0; i < runs; i++) {
		o = together(i);
		sum.asp += o.asp;
		sum.unfairness += o.unfairness;
		low.asp = fmin(low.asp, o.asp);
		low.unfairness = fmin(low.unfairness, o.unfairness);
		high.asp = fmax(high.asp, o.asp);
		high.unfairness = fmax(high.unfairness, o.unfairness);
	}
	printf("%-10s %6.2f  %5.2f to %5.2f %11.2f  %5.2f to %5.2f\n", name, sum.asp / runs,
	       low.asp, high.asp, sum.unfairness / runs, low.unfairness, high.unfairness);
	fflush(stdout);
}

static bool in_force(void)
{
	char state[32] = "";
	FILE *f = fopen("/sys/kernel/sched_ext/state", "r");

	if (f && !fgets(state, sizeof(state), f))
		state[0] = '\0';
	if (f)
		fclose(f);
	return !strcmp(state, "enabled\n");
}

static void under(const char *const command[])
{
	const char *name = command[0];
	pid_t pid = fork();
	int i;

	if (!pid) {
		execvp(name, (char *const *)command);
		die(name);
	}
	for (i = 0; i < 3000 && !in_force(); i++)
		usleep(10000);
	if (!in_force() || waitpid(pid, NULL, WNOHANG)) {
		fprintf(stderr, "mix: %s is not in force\n", name);
		exit(1);
	}
	print(name);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	struct program *p;
	int i;

	rounds = argc > 1 ? atoi(argv[1]) : 0;
	if (argc < 4 || argc - 2 > MAX_PROGRAMS || rounds < 1) {
		fprintf(stderr, "usage: mix ROUNDS PROGRAM PROGRAM...\n");
		return 2;
	}
	find_cpus();
	nr_programs = argc - 2;
	printf("%-24s %8s %8s %6s\n", "program", "big", "little", "SF");
	for (i = 0; i < nr_programs; i++) {
		p = &programs[i];
		p->argument = argv[i + 2];
		p->big = alone(p, &big);
		p->little = alone(p, &little);
		printf("%-24s %6.3f s %6.3f s %6.2f\n", p->argument, p->big, p->little,
		       p->little / p->big);
		fflush(stdout);
	}
	printf("%-10s %6s  %14s %11s  %14s\n", "scheduler", "ASP", "least to most",
	       "unfairness", "least to most");
	print("default");
	/* Times for programs that run for minutes would be too long for these. */
	under((const char *const[]){ "pmc-rr", "--turn", "20", NULL });
	under((const char *const[]){ "pmc-hsp", "--explore", "25", "--keep", "25", NULL });
	return 0;
}
