// SPDX-License-Identifier: GPL-2.0
/*
 * Permission to count processes: a caller may count the processes that perf_event_open()
 * lets it count, according to the kernel's ptrace rules and security modules. Tested are
 * callers and targets that differ in a single id, in capabilities, in user namespaces, and
 * in whether the target is dumpable; sessions whose opener or writer has a right that the
 * other one lacks, or a writer that is another program; and settings that cannot be read or
 * belong to another user.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "perf.h"

#define USER	1000
#define OTHER	1001
#define CAP(n)	(1ULL << (n))
#define ALL	(~0ULL)

/* Properties of a process: its ids, capabilities, and whether it is dumpable. */
struct identity {
	const char *name;
	uid_t ruid, euid, suid;
	gid_t rgid, egid, sgid;
	unsigned long long caps;	/* ALL: the capabilities that its ids give */
	bool protected;
	bool own_namespace;
};

#define IDS(id)	id, id, id, id, id, id

static void set_caps(unsigned long long caps)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .permitted = caps, .effective = caps },
		{ .permitted = caps >> 32, .effective = caps >> 32 },
	};

	if (syscall(SYS_capset, &head, data))
		die("capset: %s", strerror(errno));
}

static void become(const struct identity *identity)
{
	if (identity->caps != ALL && prctl(PR_SET_KEEPCAPS, 1))
		die("PR_SET_KEEPCAPS: %s", strerror(errno));
	if (setgroups(0, NULL) || setresgid(identity->rgid, identity->egid, identity->sgid) ||
	    setresuid(identity->ruid, identity->euid, identity->suid))
		die("becoming %s: %s", identity->name, strerror(errno));
	if (identity->caps != ALL)
		set_caps(identity->caps);
	if (identity->own_namespace && unshare(CLONE_NEWUSER))
		die("%s: unshare: %s", identity->name, strerror(errno));
	if (prctl(PR_SET_DUMPABLE, !identity->protected))
		die("PR_SET_DUMPABLE: %s", strerror(errno));
}

/* A waiting process with these properties. */
static pid_t target(const struct identity *identity)
{
	int ready[2];
	pid_t pid;
	char c;

	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		become(identity);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	same(read(ready[0], &c, 1), 1, "%s is ready", identity->name);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool perf_may(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_PAGE_FAULTS,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = perf_try(&attr, pid, -1, -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool we_may(pid_t pid, const char *caller, const char *name)
{
	int fd = open_session(), ret;

	command(fd, "events sw=page_faults");
	ret = try_command(fd, "attach %d", pid);
	if (ret) {
		same(ret, -EPERM, "%s counts %s (%s)", caller, name, why(fd));
		mentions(why(fd), "another user", "%s counts %s", caller, name);
	}
	close(fd);
	return !ret;
}

static const struct identity callers[] = {
	{ "user 1000", IDS(USER), 0, false, false },
	{ "user 1000 with CAP_NET_ADMIN", IDS(USER), CAP(CAP_NET_ADMIN), false, false },
	{ "user 1000 with CAP_SYS_PTRACE", IDS(USER), CAP(CAP_SYS_PTRACE), false, false },
	{ "user 1000 with CAP_PERFMON", IDS(USER), CAP(CAP_PERFMON), false, false },
	{ "user 1000 in a namespace of its own", IDS(USER), 0, false, true },
	{ "root", IDS(0), ALL, false, false },
	{ "root without capabilities", IDS(0), 0, false, false },
};

static const struct identity targets[] = {
	{ "a process of user 1000", IDS(USER), 0, false, false },
	{ "one with another real uid", OTHER, USER, USER, USER, USER, USER, 0, false, false },
	{ "one with another effective uid", USER, OTHER, USER, USER, USER, USER, 0, false, false },
	{ "one with another saved uid", USER, USER, OTHER, USER, USER, USER, 0, false, false },
	{ "one with another real gid", USER, USER, USER, OTHER, USER, USER, 0, false, false },
	{ "one with another effective gid", USER, USER, USER, USER, OTHER, USER, 0, false, false },
	{ "one with another saved gid", USER, USER, USER, USER, USER, OTHER, 0, false, false },
	{ "one with CAP_NET_ADMIN", IDS(USER), CAP(CAP_NET_ADMIN), false, false },
	{ "one with CAP_PERFMON", IDS(USER), CAP(CAP_PERFMON), false, false },
	{ "one that is protected", IDS(USER), 0, true, false },
	{ "one in a namespace of its own", IDS(USER), 0, false, true },
	{ "a process of user 1001", IDS(OTHER), 0, false, false },
	{ "a process of root", IDS(0), ALL, false, false },
};

#define NR(array)	((int)(sizeof(array) / sizeof(*(array))))

/* Each caller with each target, compared with perf. */
static void all_by_all(void)
{
	pid_t pids[NR(targets)];
	int c, t, status, allowed = 0;

	for (t = 0; t < NR(targets); t++)
		pids[t] = target(&targets[t]);
	for (c = 0; c < NR(callers); c++) {
		pid_t pid = fork();

		if (!pid) {
			allowed = 0;
			become(&callers[c]);
			for (t = 0; t < NR(targets); t++) {
				bool may = we_may(pids[t], callers[c].name, targets[t].name);

				same(may, perf_may(pids[t]), "%s may count %s, as perf has it",
				     callers[c].name, targets[t].name);
				allowed += may;
			}
			CHECK(allowed > 0 || callers[c].own_namespace || !callers[c].ruid,
			      "%s may count no process", callers[c].name);
			_exit(result());
		}
		waitpid(pid, &status, 0);
		same(status, 0, "status of %s", callers[c].name);
	}
	for (t = 0; t < NR(targets); t++)
		end(pids[t]);
}

/* In its own user namespace a process may count what its capabilities there permit. */
static void inside_namespace(void)
{
	static const struct identity inside = { "in the namespace", IDS(USER), 0, false, true };
	int status, ready[2];
	pid_t pid = fork();

	if (!pid) {
		pid_t child;
		char c;

		become(&inside);
		if (pipe(ready))
			die("pipe: %s", strerror(errno));
		child = fork();
		if (!child) {
			prctl(PR_SET_DUMPABLE, 0);
			if (write(ready[1], "", 1) != 1)
				_exit(1);
			for (;;)
				pause();
		}
		same(read(ready[0], &c, 1), 1, "a child that is protected");
		same(we_may(child, inside.name, "a protected child"), perf_may(child),
		     "a protected child in the same namespace, as perf has it");
		end(child);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status inside the namespace");
}

/*
 * Security modules are asked: with Landlock a process may access only processes that it has
 * restricted as well. A kernel without Landlock has nothing to test.
 */
static void security_module(void)
{
	static const struct identity identity = { "user 1000", IDS(USER), 0, false, false };
	const struct landlock_ruleset_attr attr = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_MAKE_BLOCK,
	};
	int status;
	pid_t pid = fork();

	if (!pid) {
		int ruleset = syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr), 0);
		pid_t other;

		if (ruleset < 0)
			_exit(0);
		other = target(&identity);
		become(&identity);
		same(we_may(other, identity.name, "another process"), true, "before Landlock");
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
		    syscall(SYS_landlock_restrict_self, ruleset, 0))
			die("Landlock: %s", strerror(errno));
		same(perf_may(other), false, "what Landlock forbids, by perf");
		same(we_may(other, identity.name, "another process"), false, "what Landlock forbids");
		end(other);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status under Landlock");
}

/*
 * The rights of a session are those that its opener has in force, not those of a setuid
 * program that the same user runs. A setuid program's session has the program's own rights.
 */
static void setuid_caller(void)
{
	static const struct identity programs[] = {
		{ "a setuid program", USER, OTHER, OTHER, USER, USER, USER, 0, false, false },
		{ "its user", IDS(USER), 0, false, false },
	};
	int i, status;

	for (i = 0; i < 2; i++) {
		const struct identity *opener = &programs[i], *caller = &programs[!i];
		pid_t pid = fork();

		if (!pid) {
			int fd;

			/* A process can change its ids back as long as one of them is kept. */
			if (setresuid(opener->ruid, opener->euid, 0))
				die("becoming %s: %s", opener->name, strerror(errno));
			fd = open_session();
			command(fd, "ring 16");
			if (seteuid(0) || setresuid(caller->ruid, caller->euid, 0))
				die("becoming %s: %s", caller->name, strerror(errno));
			refused(fd, EPERM, "another user", "ring 16");
			/* The same effective id, with another saved one */
			if (seteuid(0) || setresuid(caller->ruid, opener->euid, 0))
				die("becoming %s again: %s", opener->name, strerror(errno));
			command(fd, "ring 16");
			_exit(result());
		}
		waitpid(pid, &status, 0);
		same(status, 0, "status where %s opened the session", opener->name);
	}
}

/* The capabilities that a process has in force. */
static void in_force(unsigned long long caps)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		die("capget: %s", strerror(errno));
	data[0].effective = caps;
	data[1].effective = caps >> 32;
	if (syscall(SYS_capset, &head, data))
		die("capset: %s", strerror(errno));
}

/* It is not enough that only the opener, or only the writer, of a session has the right. */
static void half_a_right(bool opener, pid_t others)
{
	static const struct identity identity = {
		"user 1000 with CAP_PERFMON", IDS(USER), CAP(CAP_PERFMON), false, false
	};
	const char *name = opener ? "opened" : "commanded";
	int status;
	pid_t pid = fork();

	if (!pid) {
		int fd;

		become(&identity);
		in_force(opener ? identity.caps : 0);
		fd = open_session();
		in_force(opener ? 0 : identity.caps);
		command(fd, "events sw=page_faults");
		refused(fd, EPERM, "another user", "attach %d", others);
		if (core_types[0].nr_hw)
			refused(fd, EACCES, "kernel mode", "clear\nevents " INSTRUCTIONS ":k");
		close(fd);
		in_force(identity.caps);
		same(we_may(others, identity.name, "any process"), true, "with both it may");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status where CAP_PERFMON is in force as it is %s", name);
}

/* How a program that writes to a session of user 1000 differs from the session's opener */
enum more { NOTHING, GROUP, CAPABILITY, PROTECTED, NR_MORE };

static const char *const writers[] = {
	[NOTHING] = "a program with the same rights",
	[GROUP] = "a setgid program",
	[CAPABILITY] = "a program with a capability",
	[PROTECTED] = "a program that is protected",
};

static void get_more(enum more more)
{
	gid_t gid = more == GROUP ? OTHER : USER;

	if (setresgid(USER, gid, gid))
		die("setresgid: %s", strerror(errno));
	if (more == CAPABILITY)
		in_force(CAP(CAP_SYS_PTRACE));
	else
		set_caps(0);
	if (prctl(PR_SET_DUMPABLE, more != PROTECTED))
		die("PR_SET_DUMPABLE: %s", strerror(errno));
}

static void write_with_more(int fd, enum more more, pid_t others)
{
	get_more(more);
	refused(fd, EPERM, "another user", "attach %d", others);
	if (more == NOTHING)
		command(fd, "attach %d", getpid());
	else
		refused(fd, EPERM, "another user", "attach %d", getpid());
}

/*
 * A session may be the standard output of a program with more rights than its opener, and the
 * program's arguments may make it write a command. The session counts nothing that its opener may
 * not count, and so not the program either. A program that has opened the session counts itself.
 */
static void made_to_write(enum more more, pid_t others)
{
	static const struct identity opener = {
		"the opener", USER, USER, USER, USER, USER, OTHER, CAP(CAP_SYS_PTRACE), false, false
	};
	int status, fd;
	pid_t pid = fork();

	if (!pid) {
		become(&opener);
		in_force(0);
		fd = open_session();
		command(fd, "events sw=page_faults");
		pid = fork();
		if (!pid) {
			write_with_more(fd, more, others);
			_exit(result());
		}
		waitpid(pid, &status, 0);
		same(status, 0, "status of %s", writers[more]);
		command(fd, "stop");
		prctl(PR_SET_DUMPABLE, 0);
		command(fd, "attach %d\nstop", getpid());
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the opener beside %s", writers[more]);
}

#define JAIL	"/tmp/jail"

/* The system's setting applies, whatever file the caller has at its path. */
static void own_setting(void)
{
	static const struct identity identity = {
		"user 1000 with CAP_SYS_CHROOT", IDS(USER), CAP(CAP_SYS_CHROOT), false, false
	};
	int status;
	pid_t pid;

	mkdir(JAIL, 0755);
	mkdir(JAIL "/proc", 0755);
	mkdir(JAIL "/proc/sys", 0755);
	mkdir(JAIL "/proc/sys/kernel", 0755);
	close(open(JAIL "/proc/sys/kernel/perf_event_paranoid", O_CREAT | O_WRONLY, 0644));
	same(write_file(JAIL "/proc/sys/kernel/perf_event_paranoid", "-1"), 0, "a setting of its own");
	pid = fork();
	if (!pid) {
		int fd;

		become(&identity);
		fd = open_session();
		if (chroot(JAIL) || chdir("/"))
			die("chroot: %s", strerror(errno));
		set_caps(0);
		if (core_types[0].nr_hw)
			refused(fd, EACCES, "kernel mode", "events " INSTRUCTIONS ":k");
		command(fd, "clear\nevents sw=page_faults");
		refused(fd, EACCES, "CAP_PERFMON", "syswide");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status in a root of its own");
}

/* If the setting cannot be read, only root may count. */
static void no_setting(void)
{
	static const struct identity identity = { "user 1000", IDS(USER), 0, false, false };
	int status;
	pid_t pid = fork();

	if (!pid) {
		pid_t user;
		int fd;

		user = fork();
		if (!user) {
			become(&identity);
			fd = open_session();
			raise(SIGSTOP);
			refused(fd, EACCES, "can't be read", "events sw=page_faults");
			_exit(result());
		}
		waitpid(user, NULL, WUNTRACED);
		if (umount2("/proc", MNT_DETACH))
			die("umount /proc: %s", strerror(errno));
		kill(user, SIGCONT);
		waitpid(user, &status, 0);
		if (mount("proc", "/proc", "proc", 0, NULL))
			die("mount /proc: %s", strerror(errno));
		_exit(status ? 1 : 0);
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status where /proc is not mounted");
}

static void copy_program(const char *from, const char *to, int mode)
{
	char data[4096];
	int in = open(from, O_RDONLY), out = open(to, O_CREAT | O_WRONLY | O_TRUNC, 0755);
	ssize_t len;

	while ((len = read(in, data, sizeof(data))) > 0)
		if (write(out, data, len) != len)
			die("%s: %s", to, strerror(errno));
	close(in);
	close(out);
	if (len < 0 || chmod(to, mode))
		die("%s: %s", to, strerror(errno));
}

/* A program that its user may run, but not read, is not counted for this user. */
static void unreadable(int mode, bool counted)
{
	static const struct identity identity = { "user 1000", IDS(USER), 0, false, false };
	int status;
	pid_t pid;

	copy_program("/tests/programs/known_loop", "/tmp/program", mode);
	pid = fork();
	if (!pid) {
		uint64_t count;
		int go[2], fd;
		pid_t child;
		char c;

		become(&identity);
		if (pipe(go))
			die("pipe: %s", strerror(errno));
		child = fork();
		if (!child) {
			close(go[1]);
			if (read(go[0], &c, 1) == 1)
				execl("/tmp/program", "program", NULL);
			_exit(1);
		}
		fd = open_session();
		command(fd, "events " INSTRUCTIONS "\nattach %d", child);
		if (write(go[1], "", 1) != 1)
			die("write: %s", strerror(errno));
		waitpid(child, &status, 0);
		same(WEXITSTATUS(status), KNOWN_STATUS, "status of a program of mode %#o", mode);
		count = total(fd, -1, 0, 0);
		if (counted)
			within(count, KNOWN_LOOP, KNOWN_LOOP + 100000, "a program of mode %#o", mode);
		else
			within(count, 1, 100000, "what is counted before a program of mode %#o", mode);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status with a program of mode %#o", mode);
	unlink("/tmp/program");
}

int main(void)
{
	static const struct identity root = { "a process of root", IDS(0), ALL, false, false };
	enum more more;
	pid_t others;

	read_machine();
	if (write_file("/proc/sys/kernel/perf_event_paranoid", "2"))
		die("perf_event_paranoid cannot be set");
	all_by_all();
	inside_namespace();
	security_module();
	setuid_caller();
	others = target(&root);
	half_a_right(true, others);
	half_a_right(false, others);
	for (more = 0; more < NR_MORE; more++)
		made_to_write(more, others);
	end(others);
	own_setting();
	no_setting();
	if (core_types[0].nr_hw) {
		unreadable(0555, true);
		unreadable(0111, false);
	}
	write_file("/proc/sys/kernel/perf_event_paranoid", "3");
	wait_until_idle();
	return result();
}
