// SPDX-License-Identifier: GPL-2.0
/* Schedulers of sched_ext: start, end, messages. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "scx.h"
#include "vm.h"

#define STATE		"/sys/kernel/sched_ext/state"
#define MESSAGES	"/tmp/scheduler"

static bool state_is(const char *wanted)
{
	char state[32] = "";
	int fd = open(STATE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		die(STATE ": %s", strerror(errno));
	if (read(fd, state, sizeof(state) - 1) < 0)
		die(STATE ": %s", strerror(errno));
	close(fd);
	state[strcspn(state, "\n")] = '\0';
	return !strcmp(state, wanted);
}

bool scheduler_ended(void)
{
	int i;

	for (i = 0; i < 500 && !state_is("disabled"); i++)
		usleep(10000);
	return i < 500;
}

const char *scheduler_messages(void)
{
	static char text[100000];
	FILE *f = fopen(MESSAGES, "r");

	text[f ? fread(text, 1, sizeof(text) - 1, f) : 0] = '\0';
	if (f)
		fclose(f);
	return text;
}

long long reported(const char *name)
{
	const char *s = scheduler_messages();
	long long sum = 0, n;
	char format[40];
	int end;

	snprintf(format, sizeof(format), " %%lld %s%%n", name);
	for (; *s; s++) {
		end = 0;
		if (*s == ' ' && sscanf(s, format, &n, &end) == 1 && end && strchr(",\n", s[end]))
			sum += n;
	}
	return sum;
}

void decided(const char *names)
{
	char name[40];
	int length;

	for (; sscanf(names, "%39s%n", name, &length) == 1; names += length) {
		printf("%s: %lld\n", name, reported(name));
		within(reported(name), 1, 1000000, "decisions: %s", name);
	}
}

void forget_messages(void)
{
	if (truncate(MESSAGES, 0))
		die(MESSAGES ": %s", strerror(errno));
}

pid_t load_scheduler(char *const argv[])
{
	pid_t pid;
	int i;

	unlink(MESSAGES);
	pid = fork();
	if (!pid) {
		if (!freopen(MESSAGES, "a", stderr))
			die(MESSAGES ": %s", strerror(errno));
		execvp(argv[0], argv);
		die("%s: %s", argv[0], strerror(errno));
	}
	for (i = 0; i < 3000 && !strstr(scheduler_messages(), "in force"); i++)
		usleep(10000);
	if (!state_is("enabled"))
		die("%s is not in force: %s", argv[0], scheduler_messages());
	return pid;
}

void unload_scheduler(pid_t pid, int signal)
{
	int status;

	kill(pid, signal);
	waitpid(pid, &status, 0);
	if (signal == SIGTERM)
		same(status, 0, "the scheduler's exit status");
	same(scheduler_ended(), true, "after signal %d the scheduler ends", signal);
}

int cpu_of(pid_t pid)
{
	char path[40], text[1000] = "", *s;
	int cpu, i;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "r");
	if (!f || !fgets(text, sizeof(text), f))
		die("%s cannot be read", path);
	fclose(f);
	/* proc_pid_stat(5): the 39th field; the second one, a name, ends with the last ')' */
	for (s = strrchr(text, ')'), i = 2; s && i < 39; i++)
		s = strchr(s + 1, ' ');
	if (!s || sscanf(s, "%d", &cpu) != 1)
		die("%s: no CPU: %s", path, text);
	return cpu;
}

uint64_t cpu_time_ns(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &t))
		die("the CPU time of process %d is not known", pid);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

void user_mode_model(void)
{
	int ct;

	set_config("estimated_sf.model=user mode");
	for (ct = 0; ct < nr_core_types; ct++) {
		set_config("estimated_sf.%d.set=%s", ct,
			   expanded("instr:ev=@I:u:k,cycles:ev=@C:u:k,user:ev=@I:u"));
		set_config("estimated_sf.%d.metric.user=1000*user/instr", ct);
		set_config("estimated_sf.%d.estimate=1+0.001*user", ct);
	}
}
