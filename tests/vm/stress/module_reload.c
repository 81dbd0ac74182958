// SPDX-License-Identifier: GPL-2.0
/*
 * Monitoring modules are loaded, activated, used by sessions and by a scheduler, and
 * unloaded, as fast as possible, while threads are sampled, and an ordinary user counts own
 * threads beside them. The runner finds complaints of
 * the kernel in its log; so does the benchmark module_reload, which has a thousand rounds.
 *
 * usage: stress/module_reload [ROUNDS]
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "leftovers.h"
#include "vm.h"

#define MANAGER		"/proc/pmc/mm_manager"
#define CONSUMER	"/proc/pmc_consumer"

/* Data shared by the processes of this test. */
static struct {
	bool enough;
	long used;	/* sessions that used the modules */
	long refused;	/* sessions that found no module */
	long records;
} *shared;

/* Failures that the module counts; see kmod/front/proc/stats.c. */
static const char *const loss[] = {
	"lost", "throttled", "counters_lost", "pool_misses", "unmonitored",
};

#define NR_LOSSES	((int)(sizeof(loss) / sizeof(*loss)))

/* Unload the module as soon as no session uses it. */
static void take_out(const char *name)
{
	while (syscall(SYS_delete_module, name, O_NONBLOCK)) {
		if (errno != EAGAIN && errno != EBUSY)
			die("%s can't be unloaded: %s", name, strerror(errno));
		usleep(1000);
	}
}

static void *switches(void *arg)
{
	int i;

	for (i = 0; i < 20; i++) {
		usleep(500);
		spin(3000);
	}
	return arg;
}

/* Threads, processes and programs that start and end. */
static void processes(void)
{
	pthread_t id[3];
	int i;

	while (!shared->enough) {
		for (i = 0; i < 3; i++)
			pthread_create(&id[i], NULL, switches, NULL);
		if (!fork()) {
			switches(NULL);
			_exit(0);
		}
		if (!fork())
			execl("/tests/programs/known_loop", "known_loop", NULL);
		for (i = 0; i < 3; i++)
			pthread_join(id[i], NULL);
		while (waitpid(-1, NULL, 0) > 0)
			;
	}
	_exit(0);
}

/* Sessions that use the modules' virtual counters whenever there are any. */
static void user(pid_t pid)
{
	while (!shared->enough) {
		struct records records = { };
		int fd = open_session();

		if (try_command(fd, "ring 1024\nperiod 2ms\nfollow children\nevents " CYCLES
				"\nvirtual template_switches,template_ipc,probe_turns")) {
			shared->refused++;
		} else {
			shared->used++;
			if (!try_command(fd, "attach %d", pid))
				usleep(4000);
			/* Every other process ends without closing its session. */
			if (shared->used % 2)
				try_command(fd, "stop");
			read_records(fd, &records);
		}
		close(fd);
		forget_records(&records);
		usleep(3000);
	}
	_exit(result());
}

/* One session that samples all the time, by time and by events. */
static void sampler(pid_t pid)
{
	struct records records = { };
	int fd = open_session();

	command(fd, "ring 16384\nperiod 1ms\nfollow children\nevents " INSTRUCTIONS
		":ebs=50000\nattach %d", pid);
	while (!shared->enough) {
		shared->records += read_records(fd, &records);
		forget_records(&records);
		records = (struct records){ };
		usleep(10000);
	}
	close(fd);
	_exit(result());
}

/* An ordinary user, whose counters a module or root's sessions may take at any time. */
static void ordinary_user(void)
{
	static const char *const lines[] = {
		"events pmc@1=@I,pmc@2=@C", "period 1ms\nevents ev=@I,ev=@C", "events ev=@I:ebs=20000",
	};
	int round;
	pid_t pid;

	change_user(1000);
	pid = fork();
	if (!pid)
		while (!shared->enough)
			switches(NULL);
	for (round = 0; pid && !shared->enough; round++) {
		int fd = open_session();

		try_command(fd, "%s\nfollow children\nattach %d", lines[round % 3], pid);
		usleep(2000);
		/* Every other session ends by a stop. */
		if (round % 2)
			try_command(fd, "stop");
		close(fd);
	}
	if (pid)
		waitpid(pid, NULL, 0);
	_exit(result());
}

/* A value that the consumer shows. */
static long long tally(const char *key)
{
	FILE *f = fopen(CONSUMER, "r");
	char name[64];
	long long n, found = -1;

	while (f && fscanf(f, "%63s %lld", name, &n) == 2)
		if (!strcmp(name, key))
			found = n;
	if (f)
		fclose(f);
	return found;
}

/* Every third time a module is deactivated before it is unloaded. */
static void once(int round)
{
	load_module("pmc_template");
	load_module("test_probe");
	if (write_file(MANAGER, "activate template") ||
	    write_file(MANAGER, "activate test_probe"))
		die("round %d: they can't be activated", round);
	usleep(1000 + round % 7 * 1500);
	if (proc_value("config", "test_probe.wrong"))
		fail("round %d: callbacks were wrong", round);
	if (round % 3 == 0)
		while (write_file(MANAGER, "deactivate test_probe") == -EBUSY)
			usleep(1000);
	take_out("test_probe");
	take_out("pmc_template");
}

/* The scheduler's session stays for good; so let there be one at the beginning. */
static void first_scheduler(void)
{
	load_module("test_consumer");
	write_file(CONSUMER, "all 1");
	usleep(20000);
	write_file(CONSUMER, "all 0");
	take_out("test_consumer");
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : by_size(4, 30), i, status;
	long long losses[NR_LOSSES], samples;
	static const uid_t uid = 1000;
	pid_t pid[4];

	need_counters();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid can't be set");
	first_scheduler();
	note_resources(&uid, 1);
	samples = proc_value("stats", "samples");
	for (i = 0; i < NR_LOSSES; i++)
		losses[i] = proc_value("stats", loss[i]);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	load_module("test_consumer");
	pid[0] = fork();
	if (!pid[0])
		processes();
	pid[1] = fork();
	if (!pid[1])
		user(pid[0]);
	pid[2] = fork();
	if (!pid[2])
		sampler(pid[0]);
	pid[3] = fork();
	if (!pid[3])
		ordinary_user();
	write_file(CONSUMER, "all 1");
	for (i = 0; i < rounds; i++)
		once(i);
	shared->enough = true;
	for (i = 3; i >= 0; i--)
		if (waitpid(pid[i], &status, 0) != pid[i] || status)
			fail("process %d ended with status %d", i, status);
	write_file(CONSUMER, "all 0");
	same(tally("switch_odd") + tally("tick_odd"), 0,
	     "unexpected results");
	printf("%d rounds: %ld sessions used the modules, %ld came when there were none\n", rounds,
	       shared->used, shared->refused);
	printf("meanwhile %lld samples, %ld of them of one session; %lld metrics found\n",
	       proc_value("stats", "samples") - samples, shared->records,
	       tally("tick_found") + tally("switch_found"));
	for (i = 0; i < NR_LOSSES; i++) {
		losses[i] = proc_value("stats", loss[i]) - losses[i];
		printf("%s %lld\n", loss[i], losses[i]);
		same(losses[i], 0, "%s", loss[i]);
	}
	if (!shared->used || !shared->records)
		fail("no session used the modules, or nothing was sampled");
	take_out("test_consumer");
	nothing_is_left();
	return result();
}
