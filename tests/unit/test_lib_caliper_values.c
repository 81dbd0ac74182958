// SPDX-License-Identifier: GPL-2.0
/*
 * Calipers that read sums of counts, on a thread of this test that moves between two core
 * types: /dev/null replaces the kernel module, this test answers ioctl() and mmap(), and RDPMC
 * is a call of fake_counter() (fake_rdpmc.S).
 */
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../kmod/uapi/pmctrack.h"
#include "../../libpmc/src/caliper_sums.h"
#include "lib.h"

#ifdef __x86_64__

#define P		0
#define E		1
#define NR_TYPES	2
#define MASK48		((1ULL << 48) - 1)

/* The thread, as the kernel sees it */
static struct {
	int core_type;
	int nr_events[NR_TYPES];
	uint64_t counts[NR_TYPES][PMC_MAX_COUNTS];
	uint64_t hw[64];
	struct pmc_caliper_page *page;
	int nr_calls;
} thread;

/* Called within the next reading of a counter */
static void (*in_reading)(void);

/* The sum of a count over all core types that have it */
static uint64_t sum(int event)
{
	uint64_t n = 0;
	int type;

	for (type = 0; type < NR_TYPES; type++)
		if (event < thread.nr_events[type])
			n += thread.counts[type][event];
	return n;
}

static void publish(void)
{
	struct pmc_caliper_page *page = thread.page;
	int i;

	if (!page)
		return;
	page->seq += 2;
	page->direct = 1;
	page->mask = MASK48;
	page->nr_counts = thread.nr_events[thread.core_type];
	page->type_changes += page->core_type != thread.core_type;
	page->core_type = thread.core_type;
	for (i = 0; i < page->nr_counts; i++) {
		page->hw[i] = i + 3;
		page->start[i] = thread.hw[i + 3] & MASK48;
		page->total[i] = sum(i);
	}
}

static void run(uint64_t n)
{
	int i;

	for (i = 0; i < thread.nr_events[thread.core_type]; i++) {
		thread.counts[thread.core_type][i] += n * (i + 1);
		thread.hw[i + 3] += n * (i + 1);
	}
}

static void move(int core_type)
{
	thread.core_type = core_type;
	thread.hw[3] += 12345;
	publish();
}

uint64_t fake_counter(uint32_t index);
uint64_t fake_counter(uint32_t index)
{
	void (*fn)(void) = in_reading;

	in_reading = NULL;
	if (fn)
		fn();
	return thread.hw[index] & MASK48;
}

static int answer_read(struct pmc_read *r)
{
	int all = r->core_type == PMC_ALL_CORE_TYPES, i;

	r->nr_counts = thread.nr_events[all ? thread.core_type : r->core_type];
	for (i = 0; i < r->nr_counts; i++)
		r->counts[i] = all ? sum(i) : thread.counts[r->core_type][i];
	return 0;
}

/* Event i is on counter i. */
static int answer_placement(struct pmc_placement *p)
{
	int i;

	p->nr_sets = 1;
	p->nr_counts = thread.nr_events[p->core_type];
	for (i = 0; i < p->nr_counts; i++)
		p->slot[i] = i;
	return 0;
}

static pid_t owner;

int __wrap_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	thread.nr_calls++;
	if (request == PMC_IOC_START)
		return 0;
	if (request == PMC_IOC_READ && getpid() == owner)
		return answer_read(arg);
	if (request == PMC_IOC_PLACEMENT)
		return answer_placement(arg);
	errno = ESRCH;
	return -1;
}

void *__real_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (fd < 0)
		return __real_mmap(addr, len, prot, flags, fd, offset);
	thread.page = __real_mmap(addr, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);
	assert_int_equal(madvise(thread.page, len, MADV_DONTFORK), 0);
	publish();
	return thread.page;
}

static char folder[] = "/tmp/pmctrack-proc.XXXXXX";

/* The hybrid machine, but with direct readings */
static void write_info(const char *path)
{
	FILE *from = fopen(INFO_DIR "/hybrid/info", "r"), *to = fopen(path, "w");
	char line[256];

	assert_true(from && to);
	while (fgets(line, sizeof(line), from))
		fputs(strncmp(line, "caliper ", 8) ? line : "caliper direct\n", to);
	fclose(from);
	fclose(to);
}

static int make_folder(void **state)
{
	char path[64];

	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/info", folder);
	write_info(path);
	snprintf(path, sizeof(path), "%s/monitor", folder);
	assert_int_equal(symlink("/dev/null", path), 0);
	owner = getpid();
	return setenv("PMCTRACK_PROC", folder, 1);
}

static int remove_folder(void **state)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/info", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/monitor", folder);
	unlink(path);
	return rmdir(folder);
}

/* ---- calipers ---- */

static pmc_caliper_t *caliper;
static uint64_t values[PMC_MAX_COUNTS];

static int count_events(const char *events)
{
	int nr = 1;

	while ((events = strchr(events, ','))) {
		events++;
		nr++;
	}
	return nr;
}

static pmc_caliper_t *try_open(const char *on_p, const char *on_e, int nr_values,
			       const struct pmc_caliper_term *terms, int nr_terms)
{
	pmc_machine_t *machine = pmc_machine_open();
	pmc_config_t *config = pmc_config_new(machine);
	pmc_caliper_t *c;

	assert_true(machine && config);
	assert_int_equal(pmc_config_add(config, on_p, P, 0), 0);
	assert_int_equal(pmc_config_add(config, on_e, E, 0), 0);
	memset(&thread, 0, sizeof(thread));
	thread.nr_events[P] = count_events(on_p);
	thread.nr_events[E] = count_events(on_e);
	/* The counter of the first event passes its last value soon. */
	thread.hw[3] = MASK48 - 5;
	/* Earlier counts of the session do not matter. */
	thread.counts[P][0] = 1000;
	thread.counts[E][1] = 7;
	c = pmc_caliper_open_values(machine, config, nr_values, terms, nr_terms);
	pmc_config_free(config);
	pmc_machine_close(machine);
	return c;
}

#define OPEN(on_p, on_e, nr_values, ...) do {						\
	const struct pmc_caliper_term terms_[] = { __VA_ARGS__ };			\
											\
	caliper = try_open(on_p, on_e, nr_values, terms_, sizeof(terms_) / sizeof(*terms_)); \
	if (!caliper)									\
		fail_msg("%s", pmc_last_error());					\
} while (0)

#define READS(nr, ...) do {								\
	const uint64_t expected_[] = { __VA_ARGS__ };					\
	int i_;										\
											\
	assert_int_equal(pmc_caliper_read(caliper, values), nr);			\
	for (i_ = 0; i_ < (nr); i_++)							\
		assert_int_equal(values[i_], expected_[i_]);				\
} while (0)

/* The same events on both core types: a reading is one of instructions only. */
static void test_sums(void **state)
{
	int calls;

	OPEN("instr,cycles", "instr,cycles", 2, { 0, P, 0 }, { 0, E, 0 }, { 1, P, 1 }, { 1, E, 1 });
	READS(2, 0, 0);
	run(10);
	calls = thread.nr_calls;
	READS(2, 10, 20);
	/* The page is written anew at interrupts. */
	publish();
	run(1);
	READS(2, 11, 22);
	assert_int_equal(thread.nr_calls, calls);
	move(E);
	run(100);
	READS(2, 111, 222);
	move(P);
	run(1000);
	READS(2, 1111, 2222);
	calls = thread.nr_calls;
	READS(2, 1111, 2222);
	assert_int_equal(thread.nr_calls, calls);
	pmc_caliper_close(caliper);
}

/* Events of one core type; the other one counts something else meanwhile. */
static void test_one_type(void **state)
{
	int calls;

	OPEN("instr,cycles", "branches", 2, { 0, P, 0 }, { 1, P, 1 });
	run(3);
	READS(2, 3, 6);
	move(E);
	run(50);
	READS(2, 3, 6);
	calls = thread.nr_calls;
	run(50);
	READS(2, 3, 6);
	assert_int_equal(thread.nr_calls, calls);
	move(P);
	run(4);
	READS(2, 7, 14);
	pmc_caliper_close(caliper);
}

/*
 * Values of one core type between those of another and of both: readings on either are of
 * instructions only, also after a restart.
 */
static void test_spread(void **state)
{
	int calls;

	OPEN("instr,cycles", "instr,branches,cycles", 4, { 0, P, 0 }, { 0, E, 0 }, { 1, E, 1 },
	     { 2, P, 1 }, { 3, E, 2 });
	READS(4, 0, 0, 0, 0);
	run(10);
	calls = thread.nr_calls;
	READS(4, 10, 0, 20, 0);
	publish();
	run(1);
	READS(4, 11, 0, 22, 0);
	assert_int_equal(thread.nr_calls, calls);
	move(E);
	run(100);
	READS(4, 111, 200, 22, 300);
	calls = thread.nr_calls;
	run(1);
	READS(4, 112, 202, 22, 303);
	pmc_caliper_restart(caliper, values);
	READS(4, 0, 0, 0, 0);
	run(1000);
	READS(4, 1000, 2000, 0, 3000);
	publish();
	READS(4, 1000, 2000, 0, 3000);
	assert_int_equal(thread.nr_calls, calls);
	move(P);
	READS(4, 1000, 2000, 0, 3000);
	calls = thread.nr_calls;
	run(10000);
	READS(4, 11000, 2000, 20000, 3000);
	pmc_caliper_restart(caliper, values);
	run(1);
	READS(4, 1, 0, 2, 0);
	assert_int_equal(thread.nr_calls, calls);
	pmc_caliper_close(caliper);
}

/* A value of the other core type in front: every count is moved by one. */
static void test_moved(void **state)
{
	OPEN("instr", "instr,branches,cycles", 4, { 0, P, 0 }, { 1, E, 0 }, { 2, E, 1 }, { 3, E, 2 });
	run(10);
	READS(4, 10, 0, 0, 0);
	move(E);
	run(100);
	READS(4, 10, 100, 200, 300);
	pmc_caliper_close(caliper);
}

/* A handler that reads the caliper on another core type, between a reading and its end */
static void move_and_read(void)
{
	uint64_t unused[PMC_MAX_COUNTS];

	move(E);
	pmc_caliper_read(caliper, unused);
}

static void test_spread_meanwhile(void **state)
{
	OPEN("instr,cycles", "instr", 3, { 0, P, 0 }, { 1, E, 0 }, { 2, P, 1 });
	run(10);
	READS(3, 10, 0, 20);
	in_reading = move_and_read;
	READS(3, 10, 0, 20);
	run(5);
	READS(3, 10, 5, 20);
	/* The handler comes after the last look at the page. */
	memset(values, 0xff, sizeof(values));
	assert_int_equal(caliper_values_spread(caliper, values, 1), 3);
	assert_int_equal(values[0], 10);
	assert_int_equal(values[1], 5);
	assert_int_equal(values[2], 20);
	pmc_caliper_close(caliper);
}


/* Values that share counts: the sum is always that of its parts. */
static void test_shared(void **state)
{
	OPEN("instr", "instr", 3, { 0, P, 0 }, { 0, E, 0 }, { 1, P, 0 }, { 2, E, 0 });
	run(5);
	READS(3, 5, 5, 0);
	move(E);
	run(20);
	READS(3, 25, 5, 20);
	pmc_caliper_restart(caliper, values);
	run(1);
	READS(3, 1, 0, 1);
	move(P);
	run(2);
	READS(3, 3, 2, 1);
	pmc_caliper_close(caliper);
}

/* Events of two core types, and values in another order than the events */
static void test_order(void **state)
{
	OPEN("instr,cycles", "instr,branches,cycles", 4,
	     { 0, E, 2 }, { 1, P, 1 }, { 2, E, 0 }, { 3, P, 0 });
	run(1);
	READS(4, 0, 2, 0, 1);
	move(E);
	run(10);
	READS(4, 30, 2, 10, 1);
	move(P);
	run(1);
	READS(4, 30, 4, 10, 2);
	pmc_caliper_close(caliper);
}

static void test_restart(void **state)
{
	OPEN("instr,cycles", "instr,cycles", 2, { 0, P, 0 }, { 0, E, 0 }, { 1, P, 1 }, { 1, E, 1 });
	run(10);
	READS(2, 10, 20);
	run(1);
	/* From the reading on, not from the restart on */
	pmc_caliper_restart(caliper, values);
	READS(2, 1, 2);
	move(E);
	run(5);
	READS(2, 6, 12);
	pmc_caliper_restart(caliper, values);
	move(P);
	READS(2, 0, 0);
	run(2);
	publish();
	READS(2, 2, 4);
	pmc_caliper_close(caliper);
}

/* The thread moves in the middle of a reading. */
static void move_on(void)
{
	run(7);
	move(!thread.core_type);
	run(30);
}

/* A signal's handler reads the caliper there, too, and may let it begin anew. */
static void read_in_handler(void)
{
	move_on();
	READS(3, 37, 7, 30);
	run(1);
}

static void restart_in_handler(void)
{
	move_on();
	assert_int_equal(pmc_caliper_read(caliper, values), 3);
	pmc_caliper_restart(caliper, values);
	run(1);
}

static void test_meanwhile(void **state)
{
	void (*const handlers[])(void) = { move_on, read_in_handler };
	int i;

	for (i = 0; i < 2; i++) {
		OPEN("instr", "instr", 3, { 0, P, 0 }, { 0, E, 0 }, { 1, P, 0 }, { 2, E, 0 });
		in_reading = handlers[i];
		READS(3, 37 + i, 7, 30 + i);
		pmc_caliper_close(caliper);
		OPEN("instr", "instr", 1, { 0, P, 0 }, { 0, E, 0 });
		in_reading = move_on;
		READS(1, 37);
		pmc_caliper_close(caliper);
	}
	OPEN("instr", "instr", 3, { 0, P, 0 }, { 0, E, 0 }, { 1, P, 0 }, { 2, E, 0 });
	in_reading = restart_in_handler;
	READS(3, 1, 0, 1);
	pmc_caliper_close(caliper);
}

/* PMCTrack's calls: a run that ends on the core type with fewer events has all counts of others. */
static void test_pmctrack_stop(void **state)
{
	const char *sets[] = { "instr,cycles,branches,coretype=0", "instr,coretype=1", NULL };
	pmctrack_desc_t *desc = pmctrack_init(0);
	pmc_sample_t *samples;
	int i, nr = 0;

	assert_non_null(desc);
	memset(&thread, 0, sizeof(thread));
	thread.nr_events[P] = 3;
	thread.nr_events[E] = 1;
	assert_int_equal(pmctrack_config_counters_mnemonic(desc, sets, NULL, 0, 0), 0);
	assert_int_equal(pmctrack_start_counters(desc), 0);
	run(10);
	move(E);
	run(7);
	assert_int_equal(pmctrack_stop_counters(desc), 0);
	samples = pmctrack_get_samples(desc, &nr);
	assert_int_equal(nr, 2);
	assert_int_equal(samples[P].nr_counts, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(samples[P].pmc_counts[i], 10 * (i + 1));
	assert_int_equal(samples[E].nr_counts, 1);
	assert_int_equal(samples[E].pmc_counts[0], 7);
	pmctrack_destroy(desc);
}

/* The kernel asks for system calls. */
static void test_calls(void **state)
{
	OPEN("instr,cycles", "instr,cycles", 2, { 0, P, 0 }, { 0, E, 0 }, { 1, P, 1 }, { 1, E, 1 });
	run(10);
	thread.page->seq += 2;
	thread.page->direct = 0;
	READS(2, 10, 20);
	pmc_caliper_restart(caliper, values);
	move(E);
	thread.page->seq += 2;
	thread.page->direct = 0;
	run(1);
	READS(2, 1, 2);
	publish();
	READS(2, 1, 2);
	pmc_caliper_close(caliper);
}

/* A child of clone(), which calls no handlers, has neither page nor counters. */
static void test_child(void **state)
{
	int status;
	pid_t pid;

	OPEN("instr", "instr", 3, { 0, P, 0 }, { 0, E, 0 }, { 1, P, 0 }, { 2, E, 0 });
	pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (!pid)
		_exit(pmc_caliper_read(caliper, values) == -1 && errno == ESRCH ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	pmc_caliper_close(caliper);
}

/* Of the calls that read, this one leaves an error line. */
static void test_types_refused(void **state)
{
	uint64_t counts[NR_TYPES][PMC_MAX_COUNTS];

	OPEN("instr", "instr", 1, { 0, P, 0 }, { 0, E, 0 });
	assert_int_equal(pmc_caliper_read_types(caliper, counts), -1);
	assert_int_equal(errno, EINVAL);
	check_error("not opened by pmc_caliper_open_config()");
	pmc_caliper_close(caliper);
}

static void refused(int nr_values, struct pmc_caliper_term a, struct pmc_caliper_term b,
		    const char *part)
{
	const struct pmc_caliper_term terms[] = { a, b };

	errno = 0;
	assert_null(try_open("instr,cycles", "instr", nr_values, terms, 2));
	assert_int_equal(errno, EINVAL);
	check_error(part);
}

static void test_refused(void **state)
{
	const struct pmc_caliper_term good = { 0, P, 0 };

	refused(0, good, good, "values");
	refused(PMC_MAX_COUNTS + 1, good, good, "values");
	refused(1, good, good, "term 1");
	refused(1, good, (struct pmc_caliper_term){ 1, P, 0 }, "term 1");
	refused(2, good, (struct pmc_caliper_term){ 1, E, 1 }, "term 1");
	refused(2, good, (struct pmc_caliper_term){ 1, 2, 0 }, "term 1");
	refused(2, (struct pmc_caliper_term){ 0, P, -1 }, good, "term 0");
}

#define TESTS	cmocka_unit_test(test_sums), cmocka_unit_test(test_one_type), \
		cmocka_unit_test(test_shared), cmocka_unit_test(test_order), \
		cmocka_unit_test(test_spread), cmocka_unit_test(test_spread_meanwhile), \
		cmocka_unit_test(test_moved), \
		cmocka_unit_test(test_restart), cmocka_unit_test(test_meanwhile), \
		cmocka_unit_test(test_calls), cmocka_unit_test(test_child), \
		cmocka_unit_test(test_refused), cmocka_unit_test(test_pmctrack_stop), \
		cmocka_unit_test(test_types_refused)

#else

static int make_folder(void **state)
{
	return 0;
}

#define remove_folder make_folder

static void test_x86(void **state)
{
	skip();
}

#define TESTS	cmocka_unit_test(test_x86)

#endif

int main(void)
{
	const struct CMUnitTest tests[] = { TESTS };

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
