// SPDX-License-Identifier: GPL-2.0
/*
 * Names of threads: with `names`, each record has the name that the thread has then, and the last
 * one that with which it ended, however short its life was. The first record after an exec has the
 * new program's. No record of other sessions has a name, nor the last one of a thread that gained
 * rights which the session lacks.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmctrack.h"
#include "child.h"
#include "vm.h"

#define PROGRAM		"/tests/programs/known_loop"
#define SETUID_PROGRAM	"/tmp/setuid_loop"
#define SAMPLING	"period 1ms\nring 4096\n"
/* As many counts as the smallest ring has room for */
#define EIGHT		"clear\nevents " INSTRUCTIONS "," CYCLES ",sw=task_clock,sw=context_switches," \
			"sw=migrations,sw=page_faults,sw=minor_faults,sw=major_faults\n"

/* The name in a record; NULL: it has none */
static const char *name_in(const struct record *r)
{
	if (!(r->head.flags & PMC_REC_NAME))
		return NULL;
	return (const char *)&r->counts[r->head.nr_counts + r->head.nr_virtual];
}

/* How many threads have ended with @name. @what: of which case */
static int nr_named(const struct records *records, const char *name, const char *what)
{
	char padded[PMC_NAME_LEN] = "";
	const char *found;
	int i, nr = 0;

	memcpy(padded, name, strlen(name));
	for (i = 0; i < records->nr; i++) {
		found = name_in(&records->all[i]);
		if (!found)
			fail("%s: record %d: flags %#x", what, i, records->all[i].head.flags);
		else if (records->all[i].head.flags & PMC_REC_LAST && !strcmp(found, name)) {
			nr++;
			CHECK(!memcmp(found, padded, sizeof(padded)),
			      "%s: '%s' has something behind it", what, name);
		}
	}
	return nr;
}

static void print_names(const struct records *records)
{
	int i;

	for (i = 0; i < records->nr; i++)
		if (name_in(&records->all[i]))
			printf("  thread %u: '%.16s'\n", records->all[i].head.tid,
			       name_in(&records->all[i]));
}

static void rename_self(const char *name)
{
	if (prctl(PR_SET_NAME, name))
		die("PR_SET_NAME: %s", strerror(errno));
}

/* One record is the first after the exec, and has the program's name. It may be the last one. */
static void after_exec(const struct records *records)
{
	const char *found;
	int i, nr = 0;

	for (i = 0; i < records->nr; i++) {
		if (!(records->all[i].head.flags & PMC_REC_EXEC))
			continue;
		nr++;
		found = name_in(&records->all[i]);
		CHECK(found && !strcmp(found, "known_loop"), "after exec: '%s'", found ?: "");
	}
	same(nr, 1, "records after an exec");
}

static void become_program(void)
{
	char *const args[] = { PROGRAM, NULL };

	rename_self("before exec");
	execv(PROGRAM, args);
}

/* Count a child that does @work: @nr of its threads end with @name. */
static void case_of(const char *what, void (*work)(void), const char *options, const char *name,
		    int nr)
{
	struct records records = { };
	int fd = open_session(), go, status;
	pid_t pid = child_start(work, &go);

	command(fd, "names\nevents " INSTRUCTIONS "\nfollow children\n%sattach %d", options, pid);
	child_go(go);
	waitpid(pid, &status, 0);
	read_to_end(fd, &records);
	check_records(&records);
	if (!same(nr_named(&records, name, what), nr, "%s: threads named '%s'", what, name))
		print_names(&records);
	if (work == become_program)
		after_exec(&records);
	forget_records(&records);
	close(fd);
}

static void renamed(void)
{
	rename_self("first");
	rename_self("second");
}

static void odd_bytes(void)
{
	rename_self("a,\"b\"\n\033[31m\377");
}

static void full_length(void)
{
	rename_self("before that");
	rename_self("fifteen bytes!!, and more");
}

static void shorter_later(void)
{
	rename_self("a long name, ok");
	rename_self("s");
}

static void *worker(void *name)
{
	if (name)
		pthread_setname_np(pthread_self(), name);
	return NULL;
}

/* One after the other: each lives for less than a millisecond. */
static void short_lives(void)
{
	pthread_t id;
	int i;

	rename_self("main");
	for (i = 0; i < 20; i++) {
		pthread_create(&id, NULL, worker, i % 2 ? "worker" : NULL);
		pthread_join(id, NULL);
	}
}

/* Another thread may choose the name, too. */
static void *wait_for_end(void *ends)
{
	char c;

	return read(*(int *)ends, &c, 1) < 0 ? ends : NULL;
}

static void renamed_by_another(void)
{
	int ends[2];
	pthread_t id;

	if (pipe(ends))
		die("pipe: %s", strerror(errno));
	pthread_create(&id, NULL, wait_for_end, &ends[0]);
	pthread_setname_np(id, "from outside");
	close(ends[1]);
	pthread_join(id, NULL);
}

static int ready[2];

static void rename_and_wait(void)
{
	rename_self("still here");
	if (write(ready[1], "", 1) == 1)
		pause();
}

/* A thread whose counting is stopped while it lives */
static void stopped(const char *options)
{
	struct records records = { };
	int fd = open_session(), go;
	pid_t pid;
	char c;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = child_start(rename_and_wait, &go);
	command(fd, "names\nevents " INSTRUCTIONS "\n%sattach %d", options, pid);
	child_go(go);
	same(read(ready[0], &c, 1), 1, "stopped: the child is ready");
	command(fd, "stop");
	read_records(fd, &records);
	same(nr_named(&records, "still here", "stopped"), 1, "stopped: threads named 'still here'");
	close(ready[0]);
	close(ready[1]);
	forget_records(&records);
	close(fd);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* It ends on a core type on which it has no events. */
static void ends_elsewhere(const char *options)
{
	struct records records = { };
	int fd, go;
	pid_t pid;

	if (nr_core_types < 2)
		return;
	fd = open_session();
	pid = child_start(renamed, &go);
	pin(pid, core_types[1].first_cpu);
	command(fd, "names\nevents " INSTRUCTIONS ",coretype=0\n%sattach %d", options, pid);
	child_go(go);
	waitpid(pid, NULL, 0);
	read_to_end(fd, &records);
	same(nr_named(&records, "second", "elsewhere"), 1, "elsewhere: threads named 'second'");
	forget_records(&records);
	close(fd);
}

/* Without `names`, and of CPUs */
static void no_names(void)
{
	struct records records = { };
	int fd = open_session(), go, i;
	pid_t pid = child_start(renamed, &go);

	command(fd, "events " INSTRUCTIONS "\nattach %d", pid);
	child_go(go);
	waitpid(pid, NULL, 0);
	read_to_end(fd, &records);
	close(fd);
	fd = open_session();
	command(fd, "names\nevents " INSTRUCTIONS "\nsyswide 0\nstop");
	read_records(fd, &records);
	CHECK(records.nr >= 2, "%d records", records.nr);
	for (i = 0; i < records.nr; i++)
		if (name_in(&records.all[i]))
			fail("record %d has the name '%s'", i, name_in(&records.all[i]));
	refused(fd, EINVAL, "no argument", "names on");
	command(fd, "attach %d", getpid());
	refused(fd, EBUSY, "stop", "names");
	forget_records(&records);
	close(fd);
}

static void become_setuid(void)
{
	char *const args[] = { SETUID_PROGRAM, NULL };

	execv(SETUID_PROGRAM, args);
}

/* As a user: the program that gains rights ends the counting, and its name is not reported. */
static void user_session(void)
{
	struct records records = { };
	int fd, go, i, last = 0;
	pid_t pid;

	change_user(1000);
	prctl(PR_SET_DUMPABLE, 1);
	fd = open_session();
	pid = child_start(become_setuid, &go);
	command(fd, "names\nevents " INSTRUCTIONS "\nattach %d", pid);
	child_go(go);
	waitpid(pid, NULL, 0);
	read_to_end(fd, &records);
	for (i = 0; i < records.nr; i++) {
		last += !!(records.all[i].head.flags & PMC_REC_LAST);
		if (name_in(&records.all[i]))
			fail("gained rights: '%s'", name_in(&records.all[i]));
	}
	same(last, 1, "gained rights: last records");
	_exit(result());
}

static void gained_rights(void)
{
	int status;
	pid_t pid;

	if (system("cp " PROGRAM " " SETUID_PROGRAM " && chmod 4755 " SETUID_PROGRAM))
		die("%s cannot be made", SETUID_PROGRAM);
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid cannot be set");
	pid = fork();
	if (!pid)
		user_session();
	waitpid(pid, &status, 0);
	same(status, 0, "gained rights: status of the user's process");
	unlink(SETUID_PROGRAM);
}

/* The same through the library, from the mapped ring */
static void library(void)
{
	pmc_session_t *session = pmc_session_open();
	struct pmc_reading r;
	int go, last = 0;
	pid_t pid = child_start(short_lives, &go);

	if (!session || pmc_session_command(session, "%s", expanded("names\nevents " INSTRUCTIONS)) ||
	    pmc_session_command(session, "follow children\nattach %d", pid))
		die("library: %s", pmc_last_error());
	child_go(go);
	waitpid(pid, NULL, 0);
	while (pmc_session_wait(session, 10000) == 1)
		while (pmc_session_next(session, &r) == 1)
			last += r.flags & PMC_READING_LAST && !strcmp(r.name, "worker");
	same(last, 10, "library: threads named 'worker'");
	pmc_session_close(session);
}

int main(void)
{
	int i;

	need_counters();
	for (i = 0; i < 2; i++) {
		const char *options = i ? SAMPLING : "";

		case_of("renamed", renamed, options, "second", 1);
		case_of("odd bytes", odd_bytes, options, "a,\"b\"\n\033[31m\377", 1);
		case_of("full length", full_length, options, "fifteen bytes!!", 1);
		case_of("shorter later", shorter_later, options, "s", 1);
		case_of("exec", become_program, options, "known_loop", 1);
		case_of("short lives", short_lives, options, "worker", 10);
		case_of("short lives", short_lives, options, "main", 11);
		case_of("from outside", renamed_by_another, options, "from outside", 1);
		stopped(options);
		ends_elsewhere(options);
	}
	case_of("eight counts", short_lives, EIGHT, "worker", 10);
	no_names();
	library();
	gained_rights();
	wait_until_idle();
	return result();
}
