// SPDX-License-Identifier: GPL-2.0
/*
 * EventSets: what their calls return, in which state; counts of the calling thread, of other
 * threads, of children and CPUs; modes; events that take turns; available presets can be counted.
 */
#include <dlfcn.h>
#include <limits.h>
#include <pmctrack.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "papi_calls.h"

#define N	500000
#define WORK	(2 * N)
#define LIMIT	3000

/* Neither PAPI_NULL nor another number of no EventSet is that of one that has been counted. */
static void no_eventset(int set)
{
	long long values[4];

	RETURNS(PAPI_ENOEVST, PAPI_read(set, values));
	RETURNS(PAPI_ENOEVST, PAPI_accum(set, values));
	RETURNS(PAPI_ENOEVST, PAPI_reset(set));
}

static void test_states(void)
{
	int set = PAPI_NULL, other = PAPI_NULL, status, number, codes[4];
	long long values[4];

	RETURNS(PAPI_ENOEVST, PAPI_start(99));
	no_eventset(99);
	no_eventset(PAPI_NULL);
	OK(PAPI_create_eventset(&set));
	RETURNS(PAPI_EINVAL, PAPI_create_eventset(&set));
	RETURNS(PAPI_ENOCMP, PAPI_start(set));
	RETURNS(PAPI_ENOCMP, PAPI_stop(set, values));
	same(PAPI_num_events(set), 0, "events of an empty set");
	RETURNS(PAPI_ENOEVNT, PAPI_add_named_event(set, "no_such_event"));
	RETURNS(PAPI_ENOEVNT, PAPI_add_named_event(set, "instr,cycles"));
	OK(PAPI_add_named_event(set, "instr"));
	RETURNS(PAPI_ECNFLCT, PAPI_add_named_event(set, "instr"));
	OK(PAPI_add_named_event(set, "cycles"));
	RETURNS(PAPI_ENOTRUN, PAPI_stop(set, values));
	RETURNS(PAPI_EINVAL, PAPI_assign_eventset_component(set, 0));
	RETURNS(PAPI_EINVAL, PAPI_add_event(set, 1));
	same(PAPI_num_events(set), 2, "events");
	number = 1;
	OK(PAPI_list_events(set, codes, &number));
	same(number, 1, "listed events, with room for one");
	number = 4;
	OK(PAPI_list_events(set, codes, &number));
	same(number, 2, "listed events");
	OK(PAPI_state(set, &status));
	same(status, PAPI_STOPPED, "state");
	OK(PAPI_start(set));
	OK(PAPI_state(set, &status));
	same(status, PAPI_RUNNING, "state");
	RETURNS(PAPI_EISRUN, PAPI_start(set));
	RETURNS(PAPI_EISRUN, PAPI_add_named_event(set, "branches"));
	RETURNS(PAPI_EISRUN, PAPI_remove_named_event(set, "instr"));
	RETURNS(PAPI_EISRUN, PAPI_cleanup_eventset(set));
	other = new_set("instr");
	RETURNS(PAPI_EISRUN, PAPI_start(other));
	OK(PAPI_stop(set, values));
	OK(PAPI_start(other));
	OK(PAPI_stop(other, NULL));
	no_eventset(PAPI_NULL);
	OK(PAPI_remove_event(set, codes[0]));
	same(PAPI_num_events(set), 1, "events");
	number = 4;
	OK(PAPI_list_events(set, &status, &number));
	same(status, codes[1], "the other event stays");
	RETURNS(PAPI_EINVAL, PAPI_destroy_eventset(&set));
	end_set(set);
	end_set(other);
	RETURNS(PAPI_ENOEVST, PAPI_num_events(set));
	no_eventset(set);
	no_eventset(INT_MIN);
	no_eventset(PAPI_NULL);
}

static void test_counts(void)
{
	int set = new_set("instr");
	long long value = 0, first, ts;

	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_read(set, &first));
	within(first, WORK, WORK + LIMIT, "read");
	spin(N);
	OK(PAPI_read_ts(set, &value, &ts));
	within(value - first, WORK, WORK + LIMIT, "read again");
	OK(PAPI_reset(set));
	spin(N);
	OK(PAPI_read(set, &value));
	within(value, WORK, WORK + LIMIT, "after reset");
	value = 0;
	OK(PAPI_reset(set));
	spin(N);
	OK(PAPI_accum(set, &value));
	spin(N);
	OK(PAPI_accum(set, &value));
	within(value, 2 * WORK, 2 * WORK + LIMIT, "accumulated");
	OK(PAPI_stop(set, &first));
	within(first, 0, LIMIT, "since the last accum");
	OK(PAPI_read(set, &value));
	same(value, first, "read of a stopped set");
	/* The time between stop and start is not counted. */
	spin(N);
	OK(PAPI_start(set));
	OK(PAPI_stop(set, &value));
	within(value, 0, LIMIT, "stopped meanwhile");
	end_set(set);
}

/* The kernel's own events, beside those of counters */
static void test_software(void)
{
	int set = new_set("perf::PAGE-FAULTS,instr,perf::PERF_COUNT_SW_TASK_CLOCK");
	long long values[3];

	OK(PAPI_start(set));
	touch_pages(100);
	OK(PAPI_stop(set, values));
	within(values[0], 100, 110, "page faults");
	CHECK(values[1] > 100 && values[2] > 0, "%lld instructions, %lld ns", values[1], values[2]);
	end_set(set);
}

/* Kernel mode is counted on demand; an event's own modes take precedence. */
static void test_domains(void)
{
	int set = new_set("instr"), i;
	PAPI_option_t opt = { .domain = { .eventset = set, .domain = PAPI_DOM_KERNEL } };
	long long user, kernel, values[2];

	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_stop(set, &user));
	OK(PAPI_set_opt(PAPI_DOMAIN, &opt));
	opt.domain.domain = 0;
	OK(PAPI_get_opt(PAPI_DOMAIN, &opt));
	same(opt.domain.domain, PAPI_DOM_KERNEL, "domain");
	OK(PAPI_start(set));
	for (i = 0; i < 100; i++)
		getppid();
	OK(PAPI_stop(set, &kernel));
	CHECK(kernel > 100 * 50, "%lld instructions in kernel mode", kernel);
	end_set(set);
	set = new_set("instr:u,instr:k");
	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_stop(set, values));
	within(values[0], WORK, WORK + LIMIT, "instr:u");
	opt.domain.eventset = set;
	opt.domain.domain = PAPI_DOM_ALL + 1;
	RETURNS(PAPI_EINVAL_DOM, PAPI_set_opt(PAPI_DOMAIN, &opt));
	end_set(set);
}

/* A child that waits for a byte, works, and waits for another */
static pid_t start_child(int *go)
{
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		die("no pipe");
	pid = fork();
	if (!pid) {
		char c;

		close(fds[1]);
		while (read(fds[0], &c, 1) == 1)
			spin(N);
		_exit(0);
	}
	close(fds[0]);
	*go = fds[1];
	return pid;
}

static void test_attach(void)
{
	int set = new_set("instr"), go;
	pid_t pid = start_child(&go);
	long long value;

	OK(PAPI_attach(set, pid));
	RETURNS(PAPI_EINVAL, PAPI_attach(set, pid));
	OK(PAPI_start(set));
	spin(10 * N);
	dprintf(go, "x");
	close(go);
	waitpid(pid, NULL, 0);
	OK(PAPI_read(set, &value));
	within(value, WORK, WORK + LIMIT, "the child, at its end");
	OK(PAPI_stop(set, &value));
	within(value, WORK, WORK + LIMIT, "the child");
	OK(PAPI_detach(set));
	OK(PAPI_start(set));
	OK(PAPI_stop(set, &value));
	within(value, 0, LIMIT, "the caller again");
	end_set(set);
}

static void test_inherit(void)
{
	int set = new_set("instr");
	PAPI_option_t opt = { .inherit = { .eventset = set, .inherit = PAPI_INHERIT_ALL } };
	long long alone, value;
	pid_t pid;

	OK(PAPI_set_opt(PAPI_INHERIT, &opt));
	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_read(set, &alone));
	within(alone, WORK, WORK + LIMIT, "without children");
	pid = fork();
	if (!pid) {
		spin(10 * N);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	OK(PAPI_stop(set, &value));
	within(value - alone, 10 * WORK, 10 * WORK + 10 * LIMIT, "with a child");
	end_set(set);
}

static void test_cpu(void)
{
	int set = new_set("instr");
	PAPI_option_t opt = { .cpu = { .eventset = set, .cpu_num = 1 } };
	long long value;

	OK(PAPI_set_opt(PAPI_CPU_ATTACH, &opt));
	pin(0, 1);
	OK(PAPI_start(set));
	spin(10 * N);
	OK(PAPI_stop(set, &value));
	CHECK(value >= 10 * WORK, "%lld instructions on CPU 1", value);
	unpin(0);
	end_set(set);
}

/* A set that does not fit is refused, unless its events may take turns. */
static void test_multiplex(void)
{
	static const char *const names[] = {
		"branches", "branch_misses", "loads", "stores", "l1d_misses", "llc_misses",
		"llc_references", "dtlb_misses", "itlb_misses", "l1i_misses", "stall_backend",
		"stall_frontend",
	};
	int set = new_set("instr"), rc = PAPI_OK, nr = 1;
	long long values[16];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]) && rc != PAPI_ECNFLCT; i++)
		rc = PAPI_add_named_event(set, names[i]);
	printf("%d events fit\n", PAPI_num_events(set));
	RETURNS(PAPI_ENOCMP, PAPI_set_multiplex(new_set("")));
	OK(PAPI_set_multiplex(set));
	same(PAPI_get_multiplex(99), 0, "multiplexing of no EventSet");
	same(PAPI_get_multiplex(set), 1, "multiplexing");
	RETURNS(PAPI_EINVAL, PAPI_set_multiplex(set));
	/* From the one on that did not fit */
	for (i -= rc == PAPI_ECNFLCT; i < sizeof(names) / sizeof(names[0]); i++) {
		rc = PAPI_add_named_event(set, names[i]);
		CHECK(rc != PAPI_ECNFLCT, "%s: %s", names[i], PAPI_strerror(rc));
	}
	nr = PAPI_num_events(set);
	OK(PAPI_start(set));
	spin(100L * N);
	OK(PAPI_stop(set, values));
	printf("%d events take turns: %lld of %d instructions estimated\n", nr, values[0], 100 * WORK);
	within(values[0], 80LL * WORK, 120LL * WORK, "estimated instructions");
	end_set(set);
}

/* Two names of one event, which is counted once in a multiplexed set */
static void test_multiplex_two_names(void)
{
	int set = new_set("instr");
	long long values[2];

	OK(PAPI_add_named_event(set, "instructions"));
	OK(PAPI_set_multiplex(set));
	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_stop(set, values));
	within(values[0], WORK, WORK + LIMIT, "instructions");
	same(values[1], values[0], "instructions by another name");
	end_set(set);
}

/* More events of each of two core types than it has counters. Return: how many were added. */
static int add_of_two_types(int set)
{
	static const char *const names[] = {
		"instr", "branches", "branch_misses", "loads", "stores", "l1d_references", "l1d_misses",
		"llc_misses", "llc_references", "dtlb_misses", "itlb_misses", "l1i_misses",
		"stall_backend",
	};
	char name[100];
	size_t i;
	int id, rc;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (id = 0; id < 2; id++) {
			snprintf(name, sizeof(name), "%.40s::%s", core_types[id].name, names[i]);
			rc = PAPI_add_named_event(set, name);
			CHECK(rc == PAPI_OK || (i && rc == PAPI_ENOEVNT), "%s: %s", name,
			      PAPI_strerror(rc));
		}
	}
	return PAPI_num_events(set);
}

/* Events of two core types take turns. The time on the other core type scales no count. */
static void test_multiplex_core_types(void)
{
	int set = PAPI_NULL, id, nr;
	long long values[26];

	if (nr_core_types < 2)
		return;
	OK(PAPI_create_eventset(&set));
	OK(PAPI_assign_eventset_component(set, 0));
	OK(PAPI_set_multiplex(set));
	nr = add_of_two_types(set);
	CHECK(nr > 12, "%d events take turns", nr);
	OK(PAPI_start(set));
	for (id = 0; id < 2; id++) {
		pin(0, core_types[id].first_cpu);
		spin(100L * N);
	}
	OK(PAPI_stop(set, values));
	for (id = 0; id < 2; id++) {
		printf("%d events take turns, core type %d: %lld of %d instructions estimated\n", nr,
		       id, values[id], 100 * WORK);
		within(values[id], 80LL * WORK, 120LL * WORK, "instructions on core type %d", id);
	}
	pin(0, core_types[0].first_cpu);
	OK(PAPI_start(set));
	spin(10L * N);
	OK(PAPI_stop(set, values));
	same(values[1], 0, "instructions of core type 1 on core type 0");
	unpin(0);
	end_set(set);
}

/* The module takes no turns below a millisecond. */
static void test_short_turns(void)
{
	PAPI_option_t opt = { .multiplex = { .ns = 999 } };
	int set = new_set("instr");
	long long value;

	opt.multiplex.eventset = set;
	OK(PAPI_set_opt(PAPI_MULTIPLEX, &opt));
	same(opt.multiplex.ns, 1000000, "ns of the shortest turn");
	OK(PAPI_start(set));
	spin(N);
	OK(PAPI_stop(set, &value));
	CHECK(value >= WORK, "%lld instructions in short turns", value);
	end_set(set);
}

/* Stopped sets keep their counters only until another one needs them. */
static void test_in_turn(void)
{
	static const char *const names[] = { "branches", "loads", "l1d_misses", "llc_misses", "dtlb_misses" };
	int sets[8], i, j, nr = 0;
	long long values[4];

	for (i = 0; i < 8; i++) {
		sets[i] = new_set("instr");
		for (j = 0; j < 3; j++)
			PAPI_add_named_event(sets[i], names[(i + j) % 5]);
	}
	for (i = 0; i < 24; i++) {
		OK(PAPI_start(sets[i % 8]));
		spin(N);
		OK(PAPI_stop(sets[i % 8], values));
		nr += values[0] >= WORK && values[0] <= WORK + LIMIT;
	}
	same(nr, 24, "exact counts of sets in turn");
	for (i = 0; i < 8; i++)
		end_set(sets[i]);
}

static void *ends_without_stop(void *arg)
{
	OK(PAPI_start(*(int *)arg));
	spin(N);
	return NULL;
}

/* The counts of a thread that has ended are read by another one. */
static void test_thread_end(void)
{
	int set = new_set("instr");
	pthread_t thread;
	long long value;

	if (pthread_create(&thread, NULL, ends_without_stop, &set))
		die("no thread");
	pthread_join(thread, NULL);
	OK(PAPI_read(set, &value));
	within(value, WORK, WORK + LIMIT, "a thread that has ended, read");
	OK(PAPI_stop(set, &value));
	within(value, WORK, WORK + LIMIT, "a thread that has ended, stopped");
	RETURNS(PAPI_ENOTRUN, PAPI_stop(set, &value));
	end_set(set);
}

static void *other_thread(void *arg)
{
	int set = new_set("instr");
	long long value, foreign;

	OK(PAPI_register_thread());
	OK(PAPI_start(set));
	RETURNS(PAPI_ENOSUPP, PAPI_read(*(int *)arg, &foreign));
	spin(N);
	OK(PAPI_stop(set, &value));
	within(value, WORK, WORK + LIMIT, "in a thread");
	OK(PAPI_unregister_thread());
	end_set(set);
	return NULL;
}

static void *reads_foreign(void *arg)
{
	long long value;

	RETURNS(PAPI_ENOSUPP, PAPI_read(*(int *)arg, &value));
	RETURNS(PAPI_ENOSUPP, PAPI_accum(*(int *)arg, &value));
	RETURNS(PAPI_ENOSUPP, PAPI_stop(*(int *)arg, &value));
	return NULL;
}

/* Whatever counts a thread, no other one reads it meanwhile. */
static void test_foreign(void)
{
	PAPI_option_t opt = { .inherit = { .inherit = PAPI_INHERIT_ALL } };
	int sets[2] = { new_set("instr"), new_set("instr") }, i;
	pthread_t thread;
	long long value;

	opt.inherit.eventset = sets[0];
	OK(PAPI_set_opt(PAPI_INHERIT, &opt));
	OK(PAPI_set_multiplex(sets[1]));
	for (i = 0; i < 2; i++) {
		OK(PAPI_start(sets[i]));
		if (pthread_create(&thread, NULL, reads_foreign, &sets[i]))
			die("no thread");
		pthread_join(thread, NULL);
		spin(N);
		OK(PAPI_stop(sets[i], &value));
		CHECK(value >= WORK, "%lld instructions", value);
		end_set(sets[i]);
	}
}

static unsigned long thread_number(void)
{
	return pthread_self();
}

static void test_threads(void)
{
	pthread_t threads[4];
	int set = new_set("instr"), i;
	long long value;

	OK(PAPI_thread_init(thread_number));
	same(PAPI_thread_id(), thread_number(), "thread");
	OK(PAPI_start(set));
	for (i = 0; i < 4; i++)
		if (pthread_create(&threads[i], NULL, other_thread, &set))
			die("no thread");
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	OK(PAPI_stop(set, &value));
	CHECK(value < 100 * LIMIT, "%lld instructions: the threads' are in them", value);
	end_set(set);
}

/* The child of a program that counts has stopped EventSets, and counts itself. */
static void test_fork(void)
{
	int set = new_set("instr"), status;
	long long value;
	pid_t pid;

	OK(PAPI_start(set));
	pid = fork();
	if (!pid) {
		/* Not its parent's counts, but its own */
		OK(PAPI_read(set, &value));
		same(value, 0, "a child reads its parent's counters");
		OK(PAPI_start(set));
		spin(N);
		OK(PAPI_stop(set, &value));
		within(value, WORK, WORK + LIMIT, "a child's own counts");
		_exit(result());
	}
	waitpid(pid, &status, 0);
	same(status, 0, "status of the child");
	spin(N);
	OK(PAPI_stop(set, &value));
	within(value, WORK, WORK + 10 * LIMIT, "the parent");
	end_set(set);
}

static sem_t closing, forked;
static int stops_in_close;

static void stop_in_close(void)
{
	if (!stops_in_close)
		return;
	stops_in_close = 0;
	sem_post(&closing);
	sem_wait(&forked);
}

/* The library's calls of these functions of libpmctrack come here. */
void pmc_caliper_close(pmc_caliper_t *caliper)
{
	void (*close)(pmc_caliper_t *) = dlsym(RTLD_NEXT, "pmc_caliper_close");

	close(caliper);
	stop_in_close();
}

void pmc_session_close(pmc_session_t *session)
{
	void (*close)(pmc_session_t *) = dlsym(RTLD_NEXT, "pmc_session_close");

	close(session);
	if (session)
		stop_in_close();
}

static void *closes(void *arg)
{
	int set = new_set("instr");

	(void)arg;
	OK(PAPI_start(set));
	OK(PAPI_stop(set, NULL));
	stops_in_close = 1;
	end_set(set);
	return NULL;
}

static void *stops(void *arg)
{
	int set = new_set("instr");

	(void)arg;
	OK(PAPI_set_multiplex(set));
	OK(PAPI_start(set));
	stops_in_close = 1;
	OK(PAPI_stop(set, NULL));
	end_set(set);
	return NULL;
}

/* The threads of the parent are not in a child. */
static int is_alone(void)
{
	int nr = 0;

	OK(PAPI_list_threads(NULL, &nr));
	same(nr, 1, "threads of a child");
	return result();
}

/* A thread of the parent has closed half an EventSet. The child does not close it again. */
static void fork_while(void *(*closing_thread)(void *))
{
	pthread_t thread;
	int status;
	pid_t pid;

	sem_init(&closing, 0, 0);
	sem_init(&forked, 0, 0);
	if (pthread_create(&thread, NULL, closing_thread, NULL))
		die("no thread");
	sem_wait(&closing);
	pid = fork();
	if (!pid)
		_exit(is_alone());
	waitpid(pid, &status, 0);
	sem_post(&forked);
	pthread_join(thread, NULL);
	same(status, 0, "status of a child of a program that closes an EventSet");
}

static void test_fork_while_closing(void)
{
	fork_while(closes);
	fork_while(stops);
}

/* A preset that is available can be added, at least to an EventSet without others. */
static void test_presets(void)
{
	int code = PAPI_PRESET_MASK, set, nr = 0, rc;
	char name[PAPI_MAX_STR_LEN];

	OK(PAPI_enum_event(&code, PAPI_ENUM_FIRST));
	do {
		if (PAPI_query_event(code) != PAPI_OK)
			continue;
		set = PAPI_NULL;
		OK(PAPI_create_eventset(&set));
		OK(PAPI_event_code_to_name(code, name));
		rc = PAPI_add_event(set, code);
		CHECK(rc == PAPI_OK, "%s: %s", name, PAPI_strerror(rc));
		end_set(set);
		nr++;
	} while (PAPI_enum_event(&code, PAPI_ENUM_EVENTS) == PAPI_OK);
	CHECK(nr >= 2, "%d presets", nr);
}

int main(void)
{
	need_counters();
	begin_papi();
	test_states();
	test_counts();
	test_software();
	test_domains();
	test_attach();
	test_inherit();
	test_cpu();
	test_multiplex();
	test_multiplex_two_names();
	test_multiplex_core_types();
	test_short_turns();
	test_in_turn();
	test_thread_end();
	test_foreign();
	test_threads();
	test_fork();
	test_fork_while_closing();
	test_presets();
	PAPI_shutdown();
	RETURNS(PAPI_ENOINIT, PAPI_query_named_event("instr"));
	return result();
}
