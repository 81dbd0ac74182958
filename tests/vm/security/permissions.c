// SPDX-License-Identifier: GPL-2.0
/*
 * An ordinary user may count what kernel.perf_event_paranoid permits with perf, and no
 * more: own processes in user mode up to 2, in kernel mode up to 1, whole CPUs up to 0,
 * nothing at 3. No user can command another user's session; delivered data contain no old
 * kernel memory; and sessions cannot use more memory than the user may lock: rings, event sets,
 * threads.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"

static bool hardware;

static void become_user(int id)
{
	if (setgroups(0, NULL) || setresgid(id, id, id) || setresuid(id, id, id))
		die("becoming user %d: %s", id, strerror(errno));
	/* Let other processes of the same user access this one. */
	prctl(PR_SET_DUMPABLE, 1);
}

/* Run a function as a user; its failures count for this test. */
static void as_user(int id, void (*what)(int), int arg)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		become_user(id);
		what(arg);
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of user %d", id);
}

static pid_t sleeper(int id)
{
	pid_t pid = fork();

	if (!pid) {
		if (id)
			become_user(id);
		for (;;) {
			touch_pages(1);
			usleep(1000);
		}
	}
	usleep(20000);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static const char *user_event(void)
{
	return hardware ? INSTRUCTIONS : "sw=page_faults";
}

static pid_t roots, others;

static void user_at_level(int level)
{
	int fd = open("/proc/pmc/monitor", O_RDWR | O_NONBLOCK), kernel, all;
	pid_t own;
	long truth;

	if (fd < 0) {
		/* At 3 the file itself might be refused. */
		if (level < 3)
			fail("level %d: /proc/pmc/monitor: %s", level, strerror(errno));
		return;
	}
	if (level >= 3) {
		refused(fd, EACCES, "perf_event_paranoid", "events %s", user_event());
		refused(fd, EACCES, "perf_event_paranoid", "events sw=page_faults");
		refused(fd, EACCES, "perf_event_paranoid", "attach %d", getpid());
		close(fd);
		return;
	}
	/* The user's own thread, and own processes. */
	own = sleeper(0);
	command(fd, "events sw=page_faults,%s", hardware ? INSTRUCTIONS : "sw=migrations");
	command(fd, "attach %d", own);
	start(fd);
	touch_pages(50);
	stop(fd);
	within(own_count(fd, -1, 0, 0), 50, 60, "level %d: own page faults", level);
	if (hardware) {
		uint64_t before = own_count(fd, -1, 0, 1);

		truth = counted_loop(fd, 1000);
		same(own_count(fd, -1, 0, 1) - before, truth,
		     "level %d: own instructions", level);
	}
	/* Processes of other users are refused. */
	refused(fd, EPERM, "another user", "attach %d", roots);
	refused(fd, EPERM, "another user", "attach %d", others);
	refused(fd, EPERM, "another user", "attach-thread %d", others);
	refused(fd, EPERM, "", "attach 1");
	close(fd);
	end(own);

	if (hardware) {
		kernel = open_session();
		if (level > 1) {
			refused(kernel, EACCES, "kernel mode", "events " INSTRUCTIONS ":k");
			refused(kernel, EACCES, "kernel mode", "events pmc@1=@I,usr@1=1,os@1=1");
			refused(kernel, EACCES, "CAP_PERFMON", "filter all\nevents @F");
			refused(kernel, EACCES, "perf_event_paranoid", "filter kernel\nevents " INSTRUCTIONS);
		} else {
			command(kernel, "events " INSTRUCTIONS ":k");
		}
		close(kernel);
		all = open_session();
		/* The other hardware thread may run another user's process. */
		if (level > 0)
			refused(all, EACCES, "CAP_PERFMON", "events " INSTRUCTIONS ":any");
		command(all, "events " INSTRUCTIONS);
		if (level > 0)
			refused(all, EACCES, "CAP_PERFMON", "syswide");
		else
			command(all, "syswide\nstop");
		close(all);
	}
	/* Only the administrator may change settings. */
	same(write_file("/proc/pmc/config", "ebs_min_period=100"),
	     geteuid() ? -EACCES : 0, "level %d: writing /proc/pmc/config", level);
	fd = open_session();
	refused(fd, EPERM, "ring_max", "ring %lld", proc_value("config", "ring_max") + 1);
	command(fd, "ring %lld", proc_value("config", "ring_max"));
	close(fd);
}

/* Sessions that are passed to another user, here by inheritance: commands are refused. */
static void foreign_session(int fd)
{
	struct pmc_totals t = { };

	refused(fd, EPERM, "another user", "stop");
	refused(fd, EPERM, "another user", "events sw=migrations");
	refused(fd, EPERM, "another user", "attach %d", getpid());
	refused(fd, EPERM, "another user", "period 1ms");
	/* The session does not count its receiver with the giver's rights. */
	if (!ioctl(fd, PMC_IOC_START))
		fail("another user's session counts this thread");
	else
		same(errno, EPERM, "errno of START with another user's session");
	if (ioctl(fd, PMC_IOC_TOTALS, &t) && errno != EPERM)
		fail("totals: %s", strerror(errno));
}

static void passed_on(void)
{
	int fd = open_session();

	command(fd, "events sw=page_faults");
	if (hardware)
		command(fd, "clear\nfilter all\nevents " INSTRUCTIONS);
	start(fd);
	as_user(1000, foreign_session, fd);
	stop(fd);
	close(fd);
}

/* A session may count what the setting permits when counting begins, not what it once did. */
static void level_rises(void)
{
	int fd, go[2], ready[2], status;
	pid_t pid;
	char c;

	if (pipe(go) || pipe(ready))
		die("pipe: %s", strerror(errno));
	write_file("/proc/sys/kernel/perf_event_paranoid", "1");
	pid = fork();
	if (!pid) {
		become_user(1000);
		fd = open_session();
		command(fd, "filter all\nevents " INSTRUCTIONS);
		if (write(ready[1], "", 1) != 1 || read(go[0], &c, 1) != 1)
			_exit(1);
		refused(fd, EACCES, "kernel mode", "attach %d", getpid());
		refused_start(fd, EACCES, "kernel mode");
		command(fd, "clear\nevents " INSTRUCTIONS ":u\nattach %d", getpid());
		_exit(result());
	}
	if (read(ready[0], &c, 1) != 1)
		die("the user's process has ended");
	write_file("/proc/sys/kernel/perf_event_paranoid", "2");
	same(write(go[1], "", 1), 1, "a message to the user's process");
	waitpid(pid, &status, 0);
	same(status, 0, "status of the user's process");
	close(go[0]);
	close(go[1]);
	close(ready[0]);
	close(ready[1]);
}

/* A setuid program's output may be a session; the program's text must have no effect. */
static void undumpable(int unused)
{
	int fd = open_session(), ready[2];
	pid_t pid;
	char c;

	(void)unused;
	if (pipe(ready))
		die("pipe: %s", strerror(errno));
	pid = fork();
	if (!pid) {
		prctl(PR_SET_DUMPABLE, 0);
		if (write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	same(read(ready[0], &c, 1), 1, "a child that is not dumpable");
	close(ready[0]);
	command(fd, "events sw=page_faults");
	refused(fd, EPERM, "protected", "attach %d", pid);
	end(pid);
	close(fd);
}

/* Neither records nor pages contain old contents of kernel memory. */
static void clean_memory(void)
{
	int fd = open_session(), i;
	struct records records = { };
	const unsigned char *ring;
	struct pmc_ring_info *info;
	size_t size, at, dirty = 0;

	command(fd, "ring 4096\nevents sw=page_faults");
	info = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (info == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	size = info->data_offset + (size_t)info->nr_slots * info->slot_size;
	ring = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (ring == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	for (at = sizeof(*info); at < size; at++)
		dirty += !!ring[at];
	same(dirty, 0, "bytes that are not 0 in a new ring");
	for (i = 0; i < 100; i++) {
		start(fd);
		stop(fd);
	}
	for (at = sizeof(*info), dirty = 0; at < info->data_offset; at++)
		dirty += !!ring[at];
	same(dirty, 0, "bytes that are not 0 behind the ring's head");
	for (i = 0; i < 100; i++) {
		const struct pmc_record *r = (void *)(ring + info->data_offset +
						      (size_t)i * info->slot_size);

		same(r->seq, i + 1, "seq");
		same(r->nr_virtual, 0, "record %d: virtual counters", i);
		same(r->ebs_slot, 0, "record %d: ebs_slot", i);
		for (at = record_size(r), dirty = 0; at < info->slot_size; at++)
			dirty += !!((unsigned char *)r)[at];
		same(dirty, 0, "record %d: bytes that are not 0 behind the counts", i);
	}
	munmap((void *)ring, size);
	munmap(info, 4096);
	read_records(fd, &records);
	check_records(&records);
	forget_records(&records);
	close(fd);
}

#define MIB	(1 << 20)
/* Bytes of 1024 samples and two pages more, and of a page for the thread */
#define DEFAULT_RING	(1024 * 128 + 3 * 4096)

static void may_lock(rlim_t bytes)
{
	const struct rlimit limit = { bytes, bytes };

	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		die("RLIMIT_MEMLOCK: %s", strerror(errno));
}

/* A session with a ring (0 samples: the default). Return: -1 if it is refused. */
static int ring_of(int samples)
{
	int fd = open_session();

	command(fd, "events sw=page_faults");
	if (samples)
		command(fd, "ring %d", samples);
	if (!ioctl(fd, PMC_IOC_START)) {
		stop(fd);
		return fd;
	}
	same(errno, EPERM, "errno of a ring of %d samples (%s)", samples, why(fd));
	mentions(why(fd), "RLIMIT_MEMLOCK", "a ring of %d samples", samples);
	/* The ring may be there, and its thread be refused. */
	if (strstr(why(fd), "another thread")) {
		close(fd);
		return -1;
	}
	/* Not by mapping it, either, and the session's message stays that of a command. */
	refused(fd, EINVAL, "nonsense", "nonsense");
	if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING) != MAP_FAILED)
		fail("a ring of %d samples can be mapped", samples);
	else
		same(errno, EPERM, "errno of mapping a ring of %d samples", samples);
	mentions(why(fd), "nonsense", "the message after a mapping was refused");
	close(fd);
	return -1;
}

#define RINGS_MAX	100

/* Open sessions until one is refused, then close them. Return: their number. */
static int rings(int samples)
{
	int fds[RINGS_MAX], nr = 0, i;

	while (nr < RINGS_MAX && (fds[nr] = ring_of(samples)) >= 0)
		nr++;
	for (i = 0; i < nr; i++)
		close(fds[i]);
	return nr;
}

static void locked_memory(int unused)
{
	int fd, i;

	(void)unused;
	/* A sample with room for 8 counts takes 128 bytes, and a ring two pages more. */
	same(rings(65536), 3, "rings of 65536 samples in 32 MiB");
	/* Closing a session releases its memory. */
	same(rings(65536), 3, "the same again");
	may_lock(8 * MIB);
	same(rings(65536), 0, "rings of 65536 samples in 8 MiB");
	/* The refused session may have a smaller ring. */
	fd = open_session();
	command(fd, "events sw=page_faults\nring 65536");
	if (!ioctl(fd, PMC_IOC_START))
		fail("more than 8 MiB of 8 can be locked");
	command(fd, "ring 1024");
	start(fd);
	stop(fd);
	close(fd);
	/* Fewer than sessions that may count a thread. */
	may_lock(2 * MIB);
	same(rings(0), 2 * MIB / DEFAULT_RING, "default rings in 2 MiB");
	/* The limit is exact to the page. */
	may_lock(10 * DEFAULT_RING);
	same(rings(0), 10, "default rings in the memory of ten");
	may_lock(10 * DEFAULT_RING - 4096);
	same(rings(0), 9, "default rings in a page less than the memory of ten");
	/* Memory that is kept ready for forks is charged, too. */
	may_lock(DEFAULT_RING);
	same(rings(0), 1, "default rings in the memory of one");
	fd = open_session();
	command(fd, "events sw=page_faults\nfollow children");
	same(try_start(fd), -EPERM, "start with a ring in all the memory that may be locked");
	mentions(why(fd), "follow new threads", "why");
	close(fd);
	/* The charge for them is released. */
	for (i = 0; i < 20; i++) {
		fd = open_session();
		command(fd, "events sw=page_faults\nfollow children\nring 512");
		start(fd);
		stop(fd);
		close(fd);
	}
}

/* Kernel memory of all objects, in KiB */
static long long slab(void)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[200];
	long long kib = -1;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Slab: %lld", &kib) == 1)
			break;
	if (!f || kib < 0)
		die("/proc/meminfo has no Slab");
	fclose(f);
	return kib;
}

/* Objects are a little bigger than what they are charged for, and the kernel has others. */
static void grew_within(long long before, int limit, const char *what)
{
	within(slab() - before, 0, limit / 1024 * 3 / 2 + 2048, "%s: KiB more in Slab", what);
}

#define FILES		100
#define SETS_MAX	256
#define SETS		100
#define SETS_OF_THREADS	30
#define CHILDREN	64

static void many_sets(int limit)
{
	int fds[FILES], nr = 0, ret = 0, i;
	long long before = slab();

	while (!ret && nr < FILES) {
		fds[nr] = open_session();
		for (i = 0; !ret && i < SETS_MAX; i++)
			ret = try_command(fds[nr], "events sw=task_clock");
		nr++;
	}
	same(ret, -EPERM, "event sets of %d sessions", nr);
	mentions(why(fds[nr - 1]), "RLIMIT_MEMLOCK", "why");
	grew_within(before, limit, "event sets");
	while (nr)
		close(fds[--nr]);
}

static int add_sets(int fd)
{
	int i, ret = 0;

	command(fd, "ring 16");
	for (i = 0; !ret && i < SETS_OF_THREADS; i++)
		ret = try_command(fd, "events sw=task_clock");
	return ret;
}

static void many_children(pid_t *pids, int nr)
{
	while (nr--) {
		pids[nr] = fork();
		if (pids[nr])
			continue;
		prctl(PR_SET_DUMPABLE, 1);
		for (;;)
			pause();
	}
}

static void many_threads(int limit)
{
	int fds[FILES], nr = 0, ret = 0, i;
	pid_t pids[CHILDREN];
	long long before;

	many_children(pids, CHILDREN);
	before = slab();
	may_lock(limit);
	while (!ret && nr < 12) {
		fds[nr] = open_session();
		command(fds[nr], "follow none");
		ret = add_sets(fds[nr]);
		for (i = 0; !ret && i < CHILDREN; i++)
			ret = try_command(fds[nr], "attach %d", pids[i]);
		nr++;
	}
	same(ret, -EPERM, "threads of %d sessions", nr);
	mentions(why(fds[nr - 1]), "RLIMIT_MEMLOCK", "why");
	grew_within(before, limit, "threads");
	while (nr)
		close(fds[--nr]);
	for (i = 0; i < CHILDREN; i++)
		end(pids[i]);
}

/* Forks that the limit does not allow are not followed, and reported. */
static void many_forks(int limit)
{
	int fd = open_session(), ret = 0, i;
	const struct pmc_ring_info *info;
	struct rlimit lock;
	pid_t pids[3 * CHILDREN];

	same(add_sets(fd), 0, "some event sets");
	command(fd, "follow children");
	for (i = 1; i * MIB / 8 <= limit; i++) {
		/* No more than it takes to begin */
		lock = (struct rlimit){ i * MIB / 8, limit };
		if (setrlimit(RLIMIT_MEMLOCK, &lock))
			die("RLIMIT_MEMLOCK: %s", strerror(errno));
		ret = try_start(fd);
		if (ret != -EPERM)
			break;
	}
	same(ret, 0, "start with %d KiB", i * 128);
	info = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (info == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	many_children(pids, 3 * CHILDREN);
	within(info->threads_missed, 1, 3 * CHILDREN - 1, "children that are not counted");
	for (i = 0; i < 3 * CHILDREN; i++)
		end(pids[i]);
	munmap((void *)info, 4096);
	close(fd);
}

/* Pages of the threads that 4 CPUs have at hand after a fork, and some for threads that run */
#define MORE_AT_HAND	(4 * 15)
#define SPARE_PAGES	20
#define RUNNING	40

static void soft_limit(int bytes, int hard)
{
	const struct rlimit lock = { bytes, hard };

	if (setrlimit(RLIMIT_MEMLOCK, &lock))
		die("RLIMIT_MEMLOCK: %s", strerror(errno));
}

/* A session with big threads, which follows children. Return: whether it starts. */
static int starts_with(int fd, int bytes, int hard)
{
	soft_limit(hard, hard);
	same(add_sets(fd), 0, "some event sets");
	command(fd, "follow children");
	soft_limit(bytes, hard);
	return !try_start(fd);
}

/* What CPUs have at hand for forks leaves room for the threads that are forked. */
static void forks_on_all_cpus(int limit)
{
	const struct pmc_ring_info *info;
	pid_t pids[RUNNING], pid;
	int fd, least = 0, i;
	bool starts;

	do {
		least += 4 * 4096;
		fd = open_session();
		starts = starts_with(fd, least, limit);
		close(fd);
	} while (!starts && least < limit);
	fd = open_session();
	CHECK(starts_with(fd, least + (MORE_AT_HAND + SPARE_PAGES) * 4096, limit),
	      "a session does not start: %s", why(fd));
	info = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, PMC_MMAP_RING);
	if (info == MAP_FAILED)
		die("mmap: %s", strerror(errno));
	for (i = 0; i < sysconf(_SC_NPROCESSORS_ONLN); i++) {
		pin(0, i);
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	many_children(pids, RUNNING);
	same(info->threads_missed, 0, "children that are not counted after a fork on each CPU");
	for (i = 0; i < RUNNING; i++)
		end(pids[i]);
	munmap((void *)info, 4096);
	close(fd);
}

/* A user who may count all processes has no limit. */
static void rings_of_root(void)
{
	int fd;

	may_lock(0);
	fd = ring_of(65536);
	CHECK(fd >= 0, "root may not have a ring of 65536 samples");
	close(fd);
}

/* The number of sessions that count a thread is limited, and forks handle that number. */
#define SESSIONS_MAX	16

static long long fork_us(void)
{
	struct timespec begin, end;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	pid = fork();
	if (!pid)
		_exit(0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	waitpid(pid, NULL, 0);
	return (end.tv_sec - begin.tv_sec) * 1000000LL + (end.tv_nsec - begin.tv_nsec) / 1000;
}

static void many_sessions(int unused)
{
	int fds[SESSIONS_MAX + 1], i, j;
	long long took, least = 0;

	(void)unused;
	for (i = 0; i <= SESSIONS_MAX; i++) {
		fds[i] = open_session();
		command(fds[i], "ring 16\nfollow children");
		for (j = 0; j < SETS; j++)
			command(fds[i], "events sw=page_faults%s", hardware ? "," INSTRUCTIONS : "");
		if (i < SESSIONS_MAX)
			command(fds[i], "attach %d", getpid());
		else
			refused(fds[i], EUSERS, "16 sessions", "attach %d", getpid());
	}
	/* Other work, also that of the host, only adds to the time. */
	for (i = 0; i < 3; i++) {
		took = fork_us();
		if (!i || took < least)
			least = took;
	}
	printf("a fork with %d sessions: %lld us\n", SESSIONS_MAX, least);
	/* Comparing each set of one session with each set of another would take a second. */
	if (least > 200000)
		fail("a fork took %lld us", least);
	close(fds[0]);
	command(fds[SESSIONS_MAX], "attach %d", getpid());
	for (i = 1; i <= SESSIONS_MAX; i++)
		close(fds[i]);
}

static void setting(const char *name, long long value, int result)
{
	same(write_file("/proc/pmc/config", "%s=%lld", name, value), result, "%s=%lld", name, value);
}

static void files(void)
{
	static const struct {
		const char *name;
		long long least, most;
	} settings[] = {
		{ "ebs_min_period", 100, 2147483647 }, { "ebs_max_rate", 1, 10000 },
		{ "tbs_min_us", 100, 1000000 }, { "ring_max", 16, 1 << 20 },
		{ "user_access", 0, 1 }, { "free_counters", 0, 64 },
		{ "claims_max", 1, 10000 },
	};
	static const struct {
		const char *name;
		int mode;
	} all[] = {
		{ "info", 0444 }, { "stats", 0400 }, { "config", 0644 },
		{ "mm_manager", 0644 }, { "virtual", 0444 }, { "monitor", 0666 },
	};
	struct stat st;
	char path[100];
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		snprintf(path, sizeof(path), "/proc/pmc/%s", all[i].name);
		if (stat(path, &st))
			fail("%s: %s", path, strerror(errno));
		else
			same(st.st_mode & 0777, all[i].mode, "mode of %s", path);
	}
	for (i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		long long before = proc_value("config", settings[i].name);

		setting(settings[i].name, settings[i].least, 0);
		setting(settings[i].name, settings[i].most, 0);
		setting(settings[i].name, settings[i].least - 1, -ERANGE);
		setting(settings[i].name, settings[i].most + 1, -ERANGE);
		same(proc_value("config", settings[i].name), settings[i].most, "%s after that",
		     settings[i].name);
		setting(settings[i].name, before, 0);
	}
	same(write_file("/proc/pmc/config", "nothing=5"), -EINVAL, "setting what is not");
	same(write_file("/proc/pmc/config", "ebs_min_period"), -EINVAL, "setting without a value");
	same(proc_value("config", "ebs_min_period"), 1000, "ebs_min_period after that");
}

int main(void)
{
	static const int levels[] = { 3, 2, 1, 0, -1 };
	size_t i;

	read_machine();
	hardware = core_types[0].nr_hw;
	files();
	roots = sleeper(0);
	others = sleeper(1001);
	for (i = 0; i < sizeof(levels) / sizeof(*levels); i++) {
		if (write_file("/proc/sys/kernel/perf_event_paranoid", "%d", levels[i]))
			die("perf_event_paranoid cannot be set to %d", levels[i]);
		as_user(1000, user_at_level, levels[i]);
	}
	if (hardware)
		level_rises();
	write_file("/proc/sys/kernel/perf_event_paranoid", "2");
	as_user(1000, undumpable, 0);
	may_lock(4 * MIB);
	as_user(1000, many_sets, 4 * MIB);
	as_user(1000, many_threads, MIB);
	as_user(1000, many_forks, 4 * MIB);
	as_user(1000, forks_on_all_cpus, 4 * MIB);
	/* All of it is released: this is exact. */
	may_lock(32 * MIB);
	as_user(1000, locked_memory, 0);
	may_lock(128 * MIB);
	as_user(1000, many_sessions, 0);
	rings_of_root();
	write_file("/proc/sys/kernel/perf_event_paranoid", "3");
	passed_on();
	end(roots);
	end(others);
	clean_memory();
	wait_until_idle();
	return result();
}
