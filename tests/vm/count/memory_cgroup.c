// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel memory for inherited threads is charged to the client's memory cgroup, although
 * interrupts and workers allocate it, and in whatever cgroup the threads are. At the limit,
 * threads are missed and reported as missed; no process is killed.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define CGROUPS	"/tmp/cgroups"
#define CLIENT	CGROUPS "/client"

#define CHILDREN	400
/* Event sets with two counts and a time, each twice in a thread's memory. */
#define SETS		80
#define THREAD_SIZE	(SETS * 3 * 2 * 8)
/* Memory that the 4 CPUs charge to a cgroup in advance, 64 pages each. */
#define IN_ADVANCE	(4 * 64 * 4096)
/* Memory of ended threads that the 4 CPUs keep, in blocks of at most twice that size */
#define AT_HAND		(4 * 2 * 128 * 1024)

static long long value_of(const char *file, const char *key)
{
	char path[100], line[100], name[50];
	long long value = -1, found;
	FILE *f;

	snprintf(path, sizeof(path), CLIENT "/%s", file);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		if (key ? sscanf(line, "%49s %lld", name, &found) == 2 && !strcmp(name, key) :
			  sscanf(line, "%lld", &found) == 1)
			value = found;
	if (f)
		fclose(f);
	return value;
}

static void set_up(void)
{
	char controllers[200] = "";
	FILE *f;

	mkdir(CGROUPS, 0755);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL))
		die("cgroup2 cannot be mounted: %s", strerror(errno));
	f = fopen(CGROUPS "/cgroup.controllers", "r");
	if (!f || !fgets(controllers, sizeof(controllers), f) || !strstr(controllers, "memory"))
		skip("this kernel has no memory cgroups");
	fclose(f);
	if (write_file(CGROUPS "/cgroup.subtree_control", "+memory") || mkdir(CLIENT, 0755))
		die("no cgroup can be made");
}

/* A process outside of the cgroup that forks on request, and ends its children. */
static pid_t forker(int *go, int *done)
{
	pid_t pid, children[CHILDREN];
	int there[2], back[2], i;
	char c;

	if (pipe(there) || pipe(back))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (pid) {
		*go = there[1];
		*done = back[0];
		close(there[0]);
		close(back[1]);
		return pid;
	}
	close(there[1]);
	close(back[0]);
	while (read(there[0], &c, 1) == 1) {
		for (i = 0; i < CHILDREN; i++) {
			children[i] = fork();
			if (!children[i])
				for (;;)
					pause();
		}
		if (write(back[1], "", 1) != 1 || read(there[0], &c, 1) != 1)
			break;
		for (i = 0; i < CHILDREN; i++) {
			kill(children[i], SIGKILL);
			waitpid(children[i], NULL, 0);
		}
		if (write(back[1], "", 1) != 1)
			break;
	}
	_exit(0);
}

static void request(int go, int done)
{
	char c;

	if (write(go, "", 1) != 1 || read(done, &c, 1) != 1)
		die("the forker is gone");
}

/* Wait: memory is freed some time after threads have ended. */
static void wait_for_memory(long long most)
{
	int i;

	for (i = 0; i < 100 && value_of("memory.current", NULL) > most; i++)
		usleep(100000);
	if (i == 100)
		fail("%lld bytes charged, %lld before", value_of("memory.current", NULL), most);
}

/*
 * In the cgroup: count the forking process, and do nothing else that needs memory.
 */
static pid_t client(pid_t forked)
{
	pid_t pid;
	int ready[2], fd, i;
	char c;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (pid) {
		close(ready[1]);
		if (read(ready[0], &c, 1) != 1)
			die("the client is gone");
		close(ready[0]);
		return pid;
	}
	if (write_file(CLIENT "/cgroup.procs", "%d", getpid()))
		die("the cgroup cannot be entered");
	fd = open_session();
	command(fd, "follow children");
	for (i = 0; i < SETS; i++)
		command(fd, "events sw=page_faults,sw=migrations");
	command(fd, "attach %d", forked);
	if (write(ready[1], "", 1) != 1)
		die("pipe: %s", strerror(errno));
	for (;;)
		pause();
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	long long before, with, missed;
	pid_t pid, client_pid;
	int go, done;

	read_machine();
	set_up();
	pid = forker(&go, &done);
	client_pid = client(pid);

	before = value_of("memory.current", NULL);
	missed = proc_value("stats", "pool_misses");
	request(go, done);
	with = value_of("memory.current", NULL);
	printf("charged for %d threads: %lld KiB\n", CHILDREN, (with - before) / 1024);
	same(proc_value("stats", "threads"), CHILDREN + 1, "threads followed");
	same(proc_value("stats", "pool_misses"), missed, "threads missed");
	if (with - before < CHILDREN * THREAD_SIZE)
		fail("%lld bytes charged for %d threads of %d bytes", with - before, CHILDREN,
		     THREAD_SIZE);
	request(go, done);
	wait_for_memory(before + IN_ADVANCE + AT_HAND);

	/* With hardly any more memory. */
	write_file(CLIENT "/memory.max", "%lld",
		   value_of("memory.current", NULL) + CHILDREN * THREAD_SIZE / 4);
	request(go, done);
	if (proc_value("stats", "pool_misses") == missed)
		fail("no thread missed at the limit of memory");
	same(value_of("memory.events", "oom_kill"), 0, "killed for want of memory");
	if (value_of("memory.current", NULL) > value_of("memory.max", NULL))
		fail("more charged than the limit");
	request(go, done);
	same(waitpid(client_pid, NULL, WNOHANG), 0, "the client that ended by itself");

	/* And with enough again. */
	write_file(CLIENT "/memory.max", "max");
	end(client_pid);
	client_pid = client(pid);
	missed = proc_value("stats", "pool_misses");
	request(go, done);
	same(proc_value("stats", "pool_misses"), missed, "threads missed after that");
	request(go, done);
	end(client_pid);
	close(go);
	waitpid(pid, NULL, 0);
	wait_until_idle();

	if (rmdir(CLIENT))
		fail("the cgroup cannot be removed: %s", strerror(errno));
	umount(CGROUPS);
	return result();
}
