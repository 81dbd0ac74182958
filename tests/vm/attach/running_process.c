// SPDX-License-Identifier: GPL-2.0
/*
 * Attach a running process of many threads to a session, and detach it again: each thread
 * is counted once and no thread is missed, whatever it is doing.
 *
 * The process waits in a system call before and after a loop of known length, so the
 * instructions from attach to detach are known: the loop, and a few instructions of the
 * script around it.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define THREADS	50
#define ROUNDS	6
#define STEPS	(ROUNDS + 1)

/* Shared with the process that is counted. */
static struct shared {
	pid_t tid[THREADS];
	int go[ROUNDS + 1][2];
	struct step steps[THREADS][STEPS];
	char drop[THREADS];
} *shared;

static void *run(void *arg)
{
	long nr = (long)arg;

	shared->tid[nr] = gettid();
	script(shared->steps[nr], STEPS);
	return NULL;
}

static void process(void)
{
	pthread_t id;
	long i;

	for (i = 1; i < THREADS; i++)
		if (pthread_create(&id, NULL, run, (void *)i))
			_exit(1);
	run(NULL);
	_exit(0);
}

static pid_t start_process(void)
{
	pid_t pid;
	int i, j;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (shared == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	for (j = 0; j < STEPS; j++) {
		if (pipe(shared->go[j]))
			die("pipe: %s", strerror(errno));
		for (i = 0; i < THREADS; i++) {
			make_step(&shared->steps[i][j], SYS_read, shared->go[j][0],
				  (long)&shared->drop[i], 1);
			shared->steps[i][j].loops = 20000 + 1000 * i + 10 * j;
			shared->steps[i][j].result = -1;
		}
	}
	pid = fork();
	if (!pid)
		process();
	return pid;
}

/* As ps shows it; '?': there is no such thread. */
static char state_of(pid_t pid, pid_t tid)
{
	char path[100], line[200], state = '?';
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	f = fopen(path, "r");
	if (!f)
		return state;
	if (fgets(line, sizeof(line), f))
		sscanf(strrchr(line, ')') + 2, "%c", &state);
	fclose(f);
	return state;
}

/* Until every thread waits for round @round. */
static void await(pid_t pid, int round)
{
	int i, patience;

	for (i = 0; i < THREADS; i++) {
		const struct step *before = &shared->steps[i][round - 1];

		for (patience = 0;; patience++) {
			if (*(volatile pid_t *)&shared->tid[i] &&
			    (!round || *(volatile long *)&before->result == 1) &&
			    state_of(pid, shared->tid[i]) == 'S')
				break;
			if (patience == 10000)
				die("thread %d does not come to round %d", i, round);
			usleep(1000);
		}
	}
}

static void let_go(int round)
{
	static const char many[THREADS];

	if (write(shared->go[round][1], many, THREADS) != THREADS)
		die("pipe: %s", strerror(errno));
}

/* Instructions of a thread from the wait for one round to the wait for the next. */
static long truth(int thread, int round)
{
	return script_length(&shared->steps[thread][round], 2);
}

/* Check the thread's records: the counts are right, and one record is the last. */
static void check_thread(const struct records *records, int nr, int round)
{
	pid_t tid = shared->tid[nr];
	int i, last = 0;

	same(sum_records(records, tid, -1, -1, 0), truth(nr, round),
	     "round %d, thread %d: instructions", round, nr);
	for (i = 0; i < records->nr; i++) {
		const struct pmc_record *h = &records->all[i].head;

		if ((pid_t)h->tid != tid)
			continue;
		last += !!(h->flags & PMC_REC_LAST);
		if (h->flags & PMC_REC_LAST)
			same(h->event, PMC_SAMPLE_SELF, "event of the last record");
	}
	same(last, 1, "round %d, thread %d: last records", round, nr);
}

static void whole_process(pid_t pid, int round, const char *options)
{
	struct records records = { };
	int fd = open_session(), i;

	command(fd, "ring 4096\nevents " INSTRUCTIONS "," CYCLES "\n%s\nattach %d", options, pid);
	/* Again: no thread is added, none is counted twice. */
	command(fd, "attach %d", pid);
	for (i = 0; i < THREADS; i += 7)
		refused(fd, EEXIST, "counted by this session already",
			"attach-thread %d", shared->tid[i]);
	let_go(round);
	await(pid, round + 1);
	command(fd, "detach %d", pid);
	refused(fd, ESRCH, "is not counted", "detach %d", pid);
	same(proc_value("stats", "threads"), 0, "threads counted after detach");
	read_records(fd, &records);
	check_records(&records);
	for (i = 0; i < THREADS; i++)
		check_thread(&records, i, round);
	same(total(fd, -1, 0, 0), sum_records(&records, 0, -1, -1, 0), "session's total");
	forget_records(&records);
	close(fd);
}

/* The same in a session that counts another process, which goes on. */
static void refused_beside_another(pid_t pid)
{
	pid_t other = fork();
	int fd = open_session();

	if (!other) {
		for (;;)
			pause();
	}
	command(fd, "events pmc@1=@I,usr@1=1,os@1=1\nattach %d", other);
	refused(fd, EBUSY, "another session", "attach %d", pid);
	same(proc_value("stats", "threads"), 2, "threads counted after a refused attach beside another process");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	close(fd);
}

/* Some of the threads, by two sessions at a time, and twice in one session. */
static void some_threads(pid_t pid, int round)
{
	int fd1 = open_session(), fd2 = open_session(), fd3 = open_session(), i;
	bool perf = !strcmp(backend, "perf");
	struct records r1 = { }, r2 = { };

	command(fd1, "ring 4096\nevents pmc@1=@I");
	command(fd2, "ring 4096\nevents pmc@1=@I,pmc@2=@I\nperiod 1ms");
	command(fd3, "ring 4096\nevents pmc@1=@I,usr@1=1,os@1=1");
	command(fd1, "attach-thread %d", shared->tid[2]);
	/* Earlier threads could be counted, but none is, and the session is not in use. */
	refused(fd3, EBUSY, "another session", "attach %d", pid);
	same(proc_value("stats", "threads"), 1, "threads counted after a refused attach");
	command(fd3, "ring 4096");
	if (!perf)
		refused_beside_another(pid);
	for (i = 0; i < THREADS; i += 2)
		if (i != 2)
			command(fd1, "attach-thread %d", shared->tid[i]);
	for (i = 0; i < THREADS; i += 3)
		command(fd2, "attach-thread %d", shared->tid[i]);
	refused(fd3, EBUSY, "another session", "attach-thread %d", shared->tid[0]);
	/* With backend perf a counter counts the same for all sessions. */
	if (perf)
		refused(fd3, EBUSY, "another session", "attach-thread %d", shared->tid[1]);
	else
		command(fd3, "attach-thread %d", shared->tid[1]);
	let_go(round);
	await(pid, round + 1);
	refused(fd1, ESRCH, "not counted", "detach-thread %d", shared->tid[1]);
	for (i = 0; i < THREADS; i += 2)
		command(fd1, "detach-thread %d", shared->tid[i]);
	command(fd2, "stop");
	command(fd3, "stop");
	read_records(fd1, &r1);
	read_records(fd2, &r2);
	for (i = 0; i < THREADS; i++) {
		if (i % 2 == 0)
			check_thread(&r1, i, round);
		else
			same(nr_records(&r1, shared->tid[i], -1), 0, "records of thread %d", i);
		if (i % 3 == 0)
			check_thread(&r2, i, round);
		else
			same(nr_records(&r2, shared->tid[i], -1), 0, "records of thread %d", i);
	}
	if (!perf && !total(fd3, -1, 0, 0))
		fail("cycles of thread 1 were not counted");
	forget_records(&r1);
	forget_records(&r2);
	close(fd1);
	close(fd2);
	close(fd3);
}

/* Attached again by the same session, after a stop. */
static void again(pid_t pid, int round)
{
	struct records records = { };
	int fd = open_session(), i, j;

	command(fd, "ring 4096\nevents " INSTRUCTIONS);
	for (i = 0; i < 2; i++) {
		command(fd, "attach %d", pid);
		let_go(round + i);
		await(pid, round + i + 1);
		command(fd, "%s", i ? "stop" : "sample\nstop");
		read_records(fd, &records);
		for (j = 0; j < THREADS; j++)
			check_thread(&records, j, round + i);
		forget_records(&records);
	}
	close(fd);
}

/* ---- a process that makes threads all the time ---- */

static volatile bool enough;

static void *breed(void *arg)
{
	long depth = (long)arg;
	pthread_t id;

	while (!enough) {
		spin(2000);
		if (depth < 300 && !pthread_create(&id, NULL, breed, (void *)(depth + 1)))
			break;
	}
	for (;;)
		pause();
	return NULL;
}

/*
 * Each thread makes the next one, and none ends. When the last thread exists, all must be
 * counted already.
 */
static void none_missed(void)
{
	int fd, i, nr, tids[400], patience, before;
	struct dirent *entry;
	char path[100];
	pid_t pid;
	DIR *dir;

	pid = fork();
	if (!pid) {
		breed(NULL);
		_exit(0);
	}
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	fd = open_session();
	command(fd, "events " INSTRUCTIONS "\nfollow threads");
	usleep(1000);
	command(fd, "attach %d", pid);
	for (nr = 0, patience = 0; nr < 301 && patience < 3000; patience++) {
		before = nr;
		dir = opendir(path);
		for (nr = 0; (entry = readdir(dir));)
			if (*entry->d_name != '.')
				tids[nr++] = atoi(entry->d_name);
		closedir(dir);
		if (patience < 3 && nr == before)
			usleep(1000);
		usleep(1000);
	}
	same(nr, 301, "threads of the process that makes them");
	for (i = 0; i < nr; i++)
		refused(fd, EEXIST, "already", "attach-thread %d", tids[i]);
	same(proc_value("stats", "threads"), nr, "threads counted");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	same(proc_value("stats", "threads"), 0, "threads counted when they are gone");
	close(fd);
}

static void no_threads_left(void)
{
	int fd = open_session();
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	usleep(100000);
	command(fd, "events " INSTRUCTIONS);
	refused(fd, ESRCH, "4000000", "attach 4000000");
	refused(fd, ESRCH, "4000000", "detach 4000000");
	/* The process has ended, but its status was not read yet. */
	refused(fd, ESRCH, "ended", "attach %d", pid);
	refused(fd, ESRCH, "ended", "attach-thread %d", pid);
	waitpid(pid, NULL, 0);
	refused(fd, ESRCH, "no process", "attach %d", pid);
	refused(fd, EINVAL, "0", "attach 0");
	refused(fd, EINVAL, "-5", "attach -5");
	close(fd);
}

/* ---- processes whose threads come and go all the time ---- */

static void *short_life(void *unused)
{
	usleep(10000);
	return unused;
}

static void *bear(void *unused)
{
	pthread_attr_t attr;
	pthread_t id;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (;;)
		if (pthread_create(&id, &attr, short_life, NULL))
			usleep(1000);
	return unused;
}

#define MOTHERS	20

static pid_t start_changing(void)
{
	int ready[2], i;
	pthread_t id;
	pid_t pid;
	char c;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		for (i = 1; i < MOTHERS; i++)
			pthread_create(&id, NULL, bear, NULL);
		if (write(ready[1], "", 1) == 1)
			bear(NULL);
		_exit(1);
	}
	if (read(ready[0], &c, 1) != 1)
		die("pipe: %s", strerror(errno));
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/* There is always a new thread that no session counts yet. */
static void attach_ends(void)
{
	pid_t pid = start_changing(), client;
	int fd, patience, status, ended;

	client = fork();
	if (!client) {
		/* The threads may have ended before the attach began. */
		if (nice(10) != 10)
			die("nice: %s", strerror(errno));
		fd = open_session();
		command(fd, "events " INSTRUCTIONS "\nattach %d", pid);
		within(proc_value("stats", "threads"), MOTHERS, 100000, "threads counted");
		_exit(result());
	}
	for (patience = 0; patience < 20000; patience++) {
		ended = waitpid(client, &status, WNOHANG);
		if (ended)
			break;
		usleep(1000);
	}
	if (!ended)
		fail("attach to a process that makes threads all the time does not end");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	if (!ended)
		waitpid(client, &status, 0);
	same(status, 0, "status of a client that attaches to such a process");
}

/* Each thread makes the next one and does not end. */
static void *grow(void *arg)
{
	long depth = (long)arg;
	pthread_t id;

	if (depth < 150)
		pthread_create(&id, NULL, grow, (void *)(depth + 1));
	for (;;)
		pause();
	return NULL;
}

/* A detach also covers threads that are made while it runs. */
static void detach_leaves_none(void)
{
	int fd = open_session(), i, j;
	pthread_t id;
	pid_t pid;

	command(fd, "events " INSTRUCTIONS "\nfollow threads");
	for (i = 0; i < 30; i++) {
		pid = fork();
		if (!pid) {
			for (j = 1; j < 4; j++)
				pthread_create(&id, NULL, grow, NULL);
			grow(NULL);
		}
		usleep(500 * (i % 4));
		command(fd, "attach %d\ndetach %d", pid, pid);
		same(proc_value("stats", "threads"), 0, "threads counted after detach %d", i);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	close(fd);
}

/* A refused attach changes nothing: the session can still be configured. */
static void refused_attach(void)
{
	int fd1 = open_session(), fd2 = open_session();
	pid_t pid = fork();

	if (!pid) {
		for (;;)
			pause();
	}
	command(fd1, "events pmc@1=@I\nattach %d", pid);
	start(fd1);
	stop(fd1);
	command(fd2, "events pmc@1=@I,usr@1=1,os@1=1");
	refused(fd2, EBUSY, "another session", "attach %d", pid);
	command(fd2, "events pmc@2=@I");
	command(fd2, "clear\nevents pmc@1=@I,usr@1=1,os@1=1");
	if (!ioctl(fd2, PMC_IOC_START))
		fail("PMC_IOC_START works with counters that conflict");
	same(errno, EBUSY, "errno of PMC_IOC_START with counters that conflict");
	command(fd2, "clear\nevents pmc@2=@I\nattach %d", pid);
	/* A refused attach does not detach processes that are counted already. */
	refused(fd2, ESRCH, "4000000", "attach 4000000");
	same(proc_value("stats", "threads"), 3, "threads counted after refusals");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(fd1);
	close(fd2);
}

static void *sleep_on(void *arg)
{
	for (;;)
		pause();
	return arg;
}

/* A user counts a process whose main thread has ended before the others. */
static void main_thread_ended(void)
{
	int fd, level = change_number("/proc/sys/kernel/perf_event_paranoid", 2), status;
	pid_t user = fork(), pid;
	pthread_t id;

	if (user) {
		waitpid(user, &status, 0);
		same(status, 0, "status of the user who counts a process without main thread");
		change_number("/proc/sys/kernel/perf_event_paranoid", level);
		return;
	}
	change_user(1000);
	pid = fork();
	if (!pid) {
		if (pthread_create(&id, NULL, sleep_on, NULL))
			_exit(1);
		pthread_exit(NULL);
	}
	while (state_of(pid, pid) != 'Z')
		usleep(1000);
	fd = open_session();
	command(fd, "events " INSTRUCTIONS "\nattach %d", pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	refused(fd, ESRCH, "no process", "attach %d", pid);
	_exit(result());
}

/* Sessions that follow nobody are closed while their thread runs on another CPU. */
static void close_while_it_runs(void)
{
	pid_t pid = fork();
	int i, fd;

	if (!pid) {
		pin(0, 1);
		for (;;)
			spin(100000);
	}
	pin(0, 0);
	for (i = 0; i < 20; i++) {
		fd = open_session();
		command(fd, "follow none\nevents ev=@I\nattach-thread %d", pid);
		usleep(2000);
		close(fd);
	}
	unpin(0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

int main(void)
{
	pid_t pid;

	need_counters();
	pid = start_process();
	await(pid, 0);
	no_threads_left();
	whole_process(pid, 0, "");
	await(pid, 1);
	whole_process(pid, 1, "period 1ms\nfollow threads");
	await(pid, 2);
	some_threads(pid, 2);
	await(pid, 3);
	again(pid, 3);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	none_missed();
	attach_ends();
	detach_leaves_none();
	close_while_it_runs();
	main_thread_ended();
	/* With backend perf the counters of two sessions never conflict in an attach. */
	if (strcmp(backend, "perf"))
		refused_attach();
	wait_until_idle();
	return result();
}
