// SPDX-License-Identifier: GPL-2.0
/* Signals: pmctrack started with SIGCHLD ignored, and its reaction to requests to end. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

/* Pipe on which the program reports that it runs, and at the end the number of its signals. */
#define REPORT_FD 30

/* Time for which the program continues after its first SIGTERM. */
#define WORK_MS 1500

static volatile sig_atomic_t nr_signals;

static void count_signal(int signal __attribute__((unused)))
{
	nr_signals++;
}

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

static void sleep_ms(int ms)
{
	long long end = now_ms() + ms;

	while (now_ms() < end)
		usleep(5000);
}

static void report(char c)
{
	if (write(REPORT_FD, &c, 1) != 1)
		die("cannot report");
}

/* The program that pmctrack runs: it needs a while for an orderly end. */
static int program(void)
{
	signal(SIGTERM, count_signal);
	report('r');
	while (!nr_signals)
		usleep(5000);
	sleep_ms(WORK_MS);
	report('0' + nr_signals);
	return 7;
}

/* pmctrack's exit status is that of the program. */
static void check_status(char *const argv[], int expected, const char *what)
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

static char read_report(int fd)
{
	char c;

	return read(fd, &c, 1) == 1 ? c : 0;
}

/* pmctrack in a process group of its own, as a shell or timeout(1) starts it. */
static pid_t start_group(int *reports, FILE *output)
{
	char *const argv[] = { "pmctrack", "-t", "-T", "0.1", "/proc/self/fd/31", "program", NULL };
	int p[2], self = fileno(fopen("/proc/self/exe", "r"));
	pid_t pid;

	if (pipe(p))
		die("no pipe");
	pid = fork();
	if (!pid) {
		setpgid(0, 0);
		if (dup2(p[1], REPORT_FD) < 0 || dup2(self, 31) < 0 ||
		    dup2(fileno(output), 1) < 0 || dup2(fileno(output), 2) < 0)
			die("no file");
		close(p[0]);
		close(p[1]);
		alarm(20);
		execvp(argv[0], argv);
		die("no pmctrack");
	}
	close(self);
	close(p[1]);
	*reports = p[0];
	if (read_report(p[0]) != 'r')
		die("the program does not run");
	return pid;
}

static int ended(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("no child");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int text_has(FILE *f, const char *word)
{
	char text[1 << 14];

	rewind(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	return !!strstr(text, word);
}

/*
 * One SIGTERM, sent to pmctrack, to its group or to both: the program gets one,
 * and pmctrack counts it to its end.
 */
static void check_term(int to_itself, int to_group, const char *what)
{
	FILE *output = tmpfile();
	int reports;
	pid_t pid = start_group(&reports, output);

	if (to_itself)
		kill(pid, SIGTERM);
	/* pmctrack takes the first one before the second comes. */
	sleep_ms(50);
	if (to_group)
		kill(-pid, SIGTERM);
	same(ended(pid), 7, "%s: exit status is the program's", what);
	same(read_report(reports), '1', "%s: signals the program got", what);
	same(text_has(output, "[Process times]"), true, "%s: the report is complete", what);
	same(kill(-pid, 0), -1, "%s: nothing is left of the process group", what);
	close(reports);
	fclose(output);
}

/* A later second signal ends pmctrack, which says that the program keeps running. */
static void check_second(void)
{
	FILE *output = tmpfile();
	int reports;
	pid_t pid = start_group(&reports, output);

	kill(pid, SIGTERM);
	sleep_ms(1200);
	kill(pid, SIGTERM);
	same(ended(pid), 128 + SIGTERM, "two signals: exit status");
	same(text_has(output, "keeps running and is not counted any more"), true,
	     "two signals: pmctrack says that the program keeps running");
	same(read_report(reports), '1', "two signals: signals the program got");
	close(reports);
	fclose(output);
}

/* Does the command line of a process have this word in it? */
static int command_has(pid_t pid, const char *word)
{
	char path[64], text[4096];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	n = fread(text, 1, sizeof(text), f);
	fclose(f);
	return memmem(text, n, word, strlen(word)) != NULL;
}

/* Commands that choose processes by a word, as pkill -f, do not choose the signal probe. */
static void check_command_line(void)
{
	FILE *output = tmpfile();
	int reports, nr_words = 0, nr_probes = 0;
	pid_t pid = start_group(&reports, output), other;

	for (other = pid; other < pid + 20; other++) {
		if (getpgid(other) != pid)
			continue;
		/* pmctrack and the program have the word. */
		nr_words += command_has(other, "program");
		nr_probes += command_has(other, "signal-probe");
	}
	same(nr_words, 2, "processes with a word of the command line");
	same(nr_probes, 1, "signal probes");
	kill(-pid, SIGTERM);
	ended(pid);
	close(reports);
	fclose(output);
}

/* When pmctrack is killed, no process is left: the signal probe ends, too. */
static void check_killed(void)
{
	FILE *output = tmpfile();
	int reports;
	pid_t pid = start_group(&reports, output);

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	kill(pid, SIGKILL);
	same(ended(pid), -SIGKILL, "killed");
	/* Two more processes: the program, whose work takes time, and the signal probe. */
	sleep_ms(200);
	same(waitpid(-pid, NULL, WNOHANG) > 0, true, "killed: the other process ends at once");
	kill(-pid, SIGTERM);
	same(waitpid(-pid, NULL, 0) > 0, true, "killed: the program continues until it gets a signal");
	same(waitpid(-pid, NULL, 0), -1, "killed: nothing is left");
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	close(reports);
	fclose(output);
}

int main(int argc, char *argv[])
{
	char *const seven[] = { "pmctrack", "sh", "-c", "sleep 0.1; exit 7", NULL };
	/* SIGCHLD is signal 17. */
	char *const ignores[] = {
		"pmctrack", "grep", "-q", "^SigIgn:.*[13579bdf]....$", "/proc/self/status", NULL
	};
	char *const twice[] = {
		"pmctrack", "stat", "-r", "2", "-e", "page-faults",
		"grep", "-q", "^SigIgn:.*[13579bdf]....$", "/proc/self/status", NULL
	};
	char *const node[] = {
		"pmctrack", "node", "-s", "counters", "-o", "ignores",
		"grep", "-q", "^SigIgn:.*[13579bdf]....$", "/proc/self/status", NULL
	};
	char *const probe[] = {
		"pmctrack", "probe", "-x,", "-e", "instr", "-o", "calls",
		"/tests/programs/calls_that_end", "exiting", "--", "exit", NULL
	};

	if (argc > 1 && !strcmp(argv[1], "program"))
		return program();
	check_status(seven, 7, "a program");
	check_status(ignores, 0, "a program that ignores the end of its children, too");
	check_status(twice, 0, "two runs of it");
	check_status(node, 0, "a run of it by pmctrack node");
	check_status(probe, 4, "a program by pmctrack probe");
	check_term(1, 0, "SIGTERM to pmctrack");
	check_term(0, 1, "SIGTERM to the group");
	check_term(1, 1, "SIGTERM to pmctrack, then to the group");
	check_second();
	check_command_line();
	check_killed();
	return result();
}
