// SPDX-License-Identifier: GPL-2.0
/*
 * Calipers and descriptors of a thread with the same events share one session. /dev/null
 * replaces the kernel module: it takes commands, and this test answers ioctl() and mmap().
 * Two counters count with a clock that the test advances.
 */
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../kmod/uapi/pmctrack.h"
#include "lib.h"

#define MAX_FILES	256

/* The kernel's side of each open file */
static struct {
	pid_t tid;		/* thread that it counts, or 0 */
	uint64_t start;
} sessions[MAX_FILES];

static uint64_t now = 1000;
static int nr_starts, nr_mapped;
static void *last_page;

static int answer_read(int fd, struct pmc_read *r)
{
	int i;

	if (sessions[fd].tid != gettid()) {
		errno = ESRCH;
		return -1;
	}
	r->nr_counts = 2;
	for (i = 0; i < 2; i++)
		r->counts[i] = (i + 1) * (now - sessions[fd].start);
	/* A count, and a ratio */
	r->nr_virtual = 2;
	r->counts[2] = 7 * (now - sessions[fd].start);
	r->counts[3] = now;
	return 0;
}

int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	struct pmc_placement *placement;
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	switch (request) {
	case PMC_IOC_START:
		nr_starts++;
		sessions[fd].tid = gettid();
		sessions[fd].start = now;
		return 0;
	case PMC_IOC_READ:
		return answer_read(fd, arg);
	case PMC_IOC_PLACEMENT:
		placement = arg;
		placement->nr_counts = 2;
		/* A session that is started counts with other counters. */
		placement->slot[0] = sessions[fd].tid ? 5 : 0;
		placement->slot[1] = 1;
		return 0;
	}
	errno = ENOTTY;
	return -1;
}

void *__real_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (fd < 0)
		return __real_mmap(addr, len, prot, flags, fd, offset);
	nr_mapped++;
	last_page = __real_mmap(addr, len, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	/* Like a page of the kernel module. */
	assert_int_equal(madvise(last_page, len, MADV_DONTFORK), 0);
	return last_page;
}

static char folder[] = "/tmp/pmctrack-proc.XXXXXX";

static void link_to(const char *from, const char *name)
{
	char to[64];

	snprintf(to, sizeof(to), "%s/%s", folder, name);
	assert_int_equal(symlink(from, to), 0);
}

static int make_folder(void **state)
{
	assert_non_null(mkdtemp(folder));
	link_to(INFO_DIR "/hybrid/info", "info");
	link_to(INFO_DIR "/hybrid/virtual", "virtual");
	link_to(INFO_DIR "/hybrid/mm_manager", "mm_manager");
	link_to("/dev/null", "monitor");
	return setenv("PMCTRACK_PROC", folder, 1);
}

static int remove_folder(void **state)
{
	static const char *const files[] = { "info", "virtual", "mm_manager", "monitor" };
	char path[64];
	size_t i;

	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
		unlink(path);
	}
	return rmdir(folder);
}

static int nr_files(void)
{
	struct stat st;
	int fd, n = 0;

	for (fd = 3; fd < MAX_FILES; fd++)
		n += !fstat(fd, &st) && S_ISCHR(st.st_mode);
	return n;
}

static pmc_caliper_t *open_caliper(const char *events)
{
	pmc_caliper_t *caliper = pmc_caliper_open(events);

	if (!caliper)
		fail_msg("%s: %s", events, pmc_last_error());
	return caliper;
}

static void check_counts(pmc_caliper_t *caliper, uint64_t count)
{
	uint64_t counts[PMC_MAX_COUNTS];

	assert_int_equal(pmc_caliper_read(caliper, counts), 2);
	assert_int_equal(counts[0], count);
	assert_int_equal(counts[1], 2 * count);
}

/* Each caliper counts from its own opening on, and none needs another one. */
static void test_same_events(void **state)
{
	pmc_caliper_t *c[3];
	int starts = nr_starts, mapped = nr_mapped, files = nr_files();

	c[0] = open_caliper("instr,cycles");
	now += 100;
	/* The same events by other names. */
	c[1] = open_caliper("instructions,cpu-cycles");
	check_counts(c[0], 100);
	check_counts(c[1], 0);
	now += 10;
	c[2] = open_caliper("instr,cycles");
	now++;
	assert_int_equal(nr_starts, starts + 1);
	assert_int_equal(nr_mapped, mapped + 1);
	assert_int_equal(nr_files(), files + 1);
	check_counts(c[0], 111);
	check_counts(c[1], 11);
	check_counts(c[2], 1);
	pmc_caliper_close(c[0]);
	now += 20;
	check_counts(c[1], 31);
	pmc_caliper_close(c[2]);
	check_counts(c[1], 31);
	assert_int_equal(nr_files(), files + 1);
	pmc_caliper_close(c[1]);
	assert_int_equal(nr_files(), files);
	/* Nothing is left of the session that was closed. */
	c[0] = open_caliper("instr,cycles");
	check_counts(c[0], 0);
	assert_int_equal(nr_starts, starts + 2);
	pmc_caliper_close(c[0]);
}

/* Regions of two calipers on one session, one inside the other */
static void test_regions(void **state)
{
	pmc_caliper_t *outer = open_caliper("instr,cycles"), *inner;
	struct pmc_region region;

	assert_int_equal(pmc_region_begin(outer, "r"), 0);
	now += 5;
	inner = open_caliper("instr,cycles");
	assert_int_equal(pmc_region_begin(inner, "r"), 0);
	now += 7;
	assert_int_equal(pmc_region_end(outer, "r"), 0);
	pmc_caliper_close(outer);
	now += 9;
	assert_int_equal(pmc_region_end(inner, "r"), 0);
	assert_int_equal(pmc_region_read(inner, "r", &region), 0);
	assert_int_equal(region.counts[0], 16);
	assert_int_equal(region.counts[1], 32);
	pmc_caliper_close(inner);
}

/* Virtual counters: counts begin at the caliper's opening, a ratio is as it is now. */
static void test_virtual(void **state)
{
	pmc_caliper_t *first = pmc_caliper_open_virtual("instr,cycles", "energy_core,sf"), *second;
	pmc_caliper_t *without = open_caliper("instr,cycles");
	uint64_t values[PMC_MAX_VIRTUALS];
	int starts = nr_starts;

	assert_non_null(first);
	now += 100;
	second = pmc_caliper_open_virtual("instr,cycles", "energy_core,sf");
	assert_non_null(second);
	assert_int_equal(nr_starts, starts);
	now += 10;
	assert_int_equal(pmc_caliper_read_virtual(first, values), 2);
	assert_int_equal(values[0], 7 * 110);
	assert_int_equal(values[1], now);
	assert_int_equal(pmc_caliper_read_virtual(second, values), 2);
	assert_int_equal(values[0], 7 * 10);
	assert_int_equal(values[1], now);
	check_counts(second, 10);
	pmc_caliper_close(without);
	pmc_caliper_close(second);
	pmc_caliper_close(first);
}

/* Other events, or the same ones in other modes or in another order */
static void test_other_events(void **state)
{
	static const char *const events[] = {
		"instr,cycles", "instr:u,cycles", "cycles,instr", "instr,branches",
	};
	pmc_caliper_t *c[4];
	int i, starts = nr_starts;

	for (i = 0; i < 4; i++)
		c[i] = open_caliper(events[i]);
	assert_int_equal(nr_starts, starts + 4);
	for (i = 0; i < 4; i++)
		pmc_caliper_close(c[i]);
}

static void *in_thread(void *arg)
{
	pmc_caliper_t *caliper = open_caliper("instr,cycles");

	now += 3;
	check_counts(caliper, 3);
	return caliper;
}

/* A thread has its own session. Another thread may close its calipers after its end. */
static void test_threads(void **state)
{
	pmc_caliper_t *caliper = open_caliper("instr,cycles");
	int starts = nr_starts, files = nr_files();
	pthread_t thread;
	void *other;

	assert_int_equal(pthread_create(&thread, NULL, in_thread, NULL), 0);
	pthread_join(thread, &other);
	assert_int_equal(nr_starts, starts + 1);
	check_counts(caliper, 3);
	pmc_caliper_close(other);
	assert_int_equal(nr_files(), files);
	check_counts(caliper, 3);
	pmc_caliper_close(caliper);
}

/*
 * A child that reads a caliper of its parent's gets an error, and its memory at the address
 * of the parent's page is not unmapped when it closes the caliper.
 */
static void in_child(pmc_caliper_t *caliper, void *page)
{
	uint64_t counts[PMC_MAX_COUNTS];
	volatile char *mine;
	pmc_caliper_t *own;
	int starts;

	errno = 0;
	assert_int_equal(pmc_caliper_read(caliper, counts), -1);
	assert_int_equal(errno, ESRCH);
	assert_int_equal(pmc_region_begin(caliper, "r"), -1);
	mine = __real_mmap(page, 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	assert_ptr_equal(mine, page);
	own = open_caliper("instr,cycles");
	starts = nr_starts;
	pmc_caliper_close(caliper);
	*mine = 7;
	check_counts(own, 0);
	assert_int_equal(nr_starts, starts);
	pmc_caliper_close(own);
	_exit(0);
}

static void check_child(int by_clone)
{
	pmc_caliper_t *caliper = open_caliper("instr,cycles");
	int status;
	pid_t pid;

	/* clone() itself calls no handlers of pthread_atfork(). */
	pid = by_clone ? syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
	if (!pid)
		in_child(caliper, last_page);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	check_counts(caliper, 0);
	pmc_caliper_close(caliper);
}

static void test_children(void **state)
{
	check_child(0);
	check_child(1);
}

/* A session that does not count the thread any more is not shared. */
static void test_revoked(void **state)
{
	pmc_caliper_t *caliper = open_caliper("instr,cycles"), *other;
	uint64_t counts[PMC_MAX_COUNTS];
	int fd, starts = nr_starts;

	for (fd = 0; fd < MAX_FILES; fd++)
		sessions[fd].tid = 0;
	other = open_caliper("instr,cycles");
	assert_int_equal(nr_starts, starts + 1);
	now += 4;
	check_counts(other, 4);
	errno = 0;
	assert_int_equal(pmc_caliper_read(caliper, counts), -1);
	assert_int_equal(errno, ESRCH);
	pmc_caliper_close(caliper);
	check_counts(other, 4);
	pmc_caliper_close(other);
}

static pmctrack_desc_t *new_descriptor(const char *events)
{
	const char *sets[] = { events, NULL };
	pmctrack_desc_t *desc = pmctrack_init(10);

	assert_non_null(desc);
	assert_int_equal(pmctrack_config_counters_mnemonic(desc, sets, NULL, 0, 0), 0);
	return desc;
}

static void check_sample(pmctrack_desc_t *desc, uint64_t count)
{
	pmc_sample_t *samples;
	int n;

	samples = pmctrack_get_samples(desc, &n);
	assert_int_equal(n, 1);
	/* By the counters of the session that counts: pmc1, then pmc5 */
	assert_int_equal(samples->pmc_mask, 0x22);
	assert_int_equal(samples->pmc_counts[1], count);
	assert_int_equal(samples->pmc_counts[0], 2 * count);
}

/* PMCTrack's descriptors, beside a caliper */
static void test_descriptors(void **state)
{
	pmc_caliper_t *caliper = open_caliper("instr,cycles");
	pmctrack_desc_t *a = new_descriptor("instr,cycles"), *b = new_descriptor("instr,cycles");
	int starts = nr_starts;

	assert_int_equal(pmctrack_start_counters(a), 0);
	now += 100;
	assert_int_equal(pmctrack_start_counters(b), 0);
	now += 10;
	assert_int_equal(pmctrack_stop_counters(a), 0);
	now += 1;
	assert_int_equal(pmctrack_stop_counters(b), 0);
	check_sample(a, 110);
	check_sample(b, 11);
	pmctrack_destroy(a);
	assert_int_equal(pmctrack_start_counters(b), 0);
	now += 7;
	assert_int_equal(pmctrack_stop_counters(b), 0);
	check_sample(b, 7);
	assert_int_equal(nr_starts, starts);
	pmctrack_destroy(b);
	check_counts(caliper, 118);
	pmc_caliper_close(caliper);
}

/* A descriptor that its parent has started */
static void test_descriptor_in_child(void **state)
{
	pmctrack_desc_t *desc = new_descriptor("instr,cycles");
	int status;
	pid_t pid;

	assert_int_equal(pmctrack_start_counters(desc), 0);
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid) {
		assert_int_equal(pmctrack_stop_counters(desc), -1);
		assert_int_equal(pmctrack_start_counters(desc), -1);
		check_error("child of fork");
		pmctrack_destroy(desc);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	now += 2;
	assert_int_equal(pmctrack_stop_counters(desc), 0);
	check_sample(desc, 2);
	pmctrack_destroy(desc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_events),
		cmocka_unit_test(test_regions),
		cmocka_unit_test(test_virtual),
		cmocka_unit_test(test_other_events),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_revoked),
		cmocka_unit_test(test_descriptors),
		cmocka_unit_test(test_descriptor_in_child),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
