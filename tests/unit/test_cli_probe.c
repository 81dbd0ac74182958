// SPDX-License-Identifier: GPL-2.0
/* pmctrack probe: calls from records, sums, the cost of probes, and the forms of the report. */
#include <fcntl.h>
#include <search.h>
#include <unistd.h>

#include "cli_trace.h"
#include "lib.h"
#include "probe_trace.h"

#ifdef __aarch64__
#define RETURN_BYTES 0
#else
#define RETURN_BYTES 8
#endif

/* The functions */
enum { F, G, H };

static struct probe_function all[] = {
	{ .name = "f", .path = "/bin/app", .kind = 0 },
	{ .name = "g,\"\033[31m", .path = "/bin/app", .kind = 1 },
	{ .name = "h", .path = "/bin/app", .kind = 0 },
};
static struct probe_functions functions = { 3, all };
static struct probe_core_type core_types[2] = { { .nr = 2 }, { .nr = 2 } };
static struct probe_events events = {
	.nr_core_types = 2, .core_types = core_types, .most = 2, .width = PROBE_WIDTH(2),
};

/* ---- calls ---- */

static struct probe_call calls[64];
static uint64_t values[64][2][2 * PROBE_WIDTH(2)];
static int nr_calls;
static struct probe_calls c;
static uint64_t now;

static void done(void *arg, const struct probe_call *call)
{
	size_t size = sizeof(values[0][0]);

	assert_true(nr_calls < 64);
	memcpy(values[nr_calls][0], call->inclusive, size);
	memcpy(values[nr_calls][1], call->exclusive, size);
	calls[nr_calls++] = *call;
}

static void begin(void)
{
	nr_calls = 0;
	now = 0;
	probe_calls_init(&c, &events, &functions, 100, done, NULL);
}

static void finish(void)
{
	probe_calls_end(&c);
	probe_calls_free(&c);
}

/*
 * A record of thread @tid, which counted @n of the first event and 2 * @n of the second; each comes
 * a second after the one before. Threads from 200 are of process 200.
 */
static void take(enum probe_what what, pid_t tid, int core_type, int function, uint64_t sp, uint64_t n)
{
	struct probe_record r = {
		.time = now += 1000000000, .what = what, .pid = tid < 200 ? 100 : 200, .tid = tid,
		.parent = 100, .core_type = core_type, .function = function, .sp = sp,
		.counts = { n, 2 * n },
	};

	probe_calls_take(&c, &r);
}

static void enter(int function, uint64_t sp, uint64_t n)
{
	take(PROBE_ENTRY, 100, 0, function, sp, n);
}

static void leave(int function, uint64_t sp, uint64_t n)
{
	take(PROBE_RETURN, 100, 0, function, sp + RETURN_BYTES, n);
}

/* Call @i, in the order of their ends, has these counts of the first event on core type @id. */
static void is(int i, int function, int id, uint64_t inclusive, uint64_t exclusive)
{
	int first = id * events.width;

	assert_true(i < nr_calls);
	assert_int_equal(calls[i].function, function);
	assert_int_equal(values[i][0][first], inclusive);
	assert_int_equal(values[i][1][first], exclusive);
	assert_int_equal(values[i][0][first + 1], 2 * inclusive);
	assert_int_equal(values[i][1][first + 1], 2 * exclusive);
}

/* Payments for function @of that are in the counts of call @i and of no other call in it */
static void paid(int i, int of, int entry, int inside, int outside)
{
	const uint64_t *own = values[i][1];
	int kind = all[of].kind;

	assert_int_equal(own[probe_payment(&events, PROBE_PAID_AT_ENTRY, kind)], entry);
	assert_int_equal(own[probe_payment(&events, PROBE_PAID_INSIDE, kind)], inside);
	assert_int_equal(own[probe_payment(&events, PROBE_PAID_OUTSIDE, kind)], outside);
}

static void test_nested(void **state)
{
	begin();
	enter(F, 1000, 7);
	enter(G, 900, 10);
	leave(G, 900, 20);
	enter(G, 900, 30);
	leave(G, 900, 40);
	leave(F, 1000, 50);
	assert_int_equal(nr_calls, 3);
	is(0, G, 0, 20, 20);
	is(1, G, 0, 40, 40);
	is(2, F, 0, 150, 90);
	assert_true(calls[0].is_whole && calls[2].is_whole);
	assert_true(calls[0].is_outermost && calls[2].is_outermost);
	/* The costs of the calls' entries and returns are theirs; what comes later is the caller's. */
	paid(0, G, 1, 1, 0);
	paid(2, G, 0, 0, 2);
	paid(2, F, 1, 1, 0);
	finish();
}

static void test_totals(void **state)
{
	int first = events.width;

	begin();
	take(PROBE_SWITCH, 100, 1, 0, 0, 5);
	enter(F, 1000, 7);
	take(PROBE_SWITCH, 100, 0, 0, 0, 3);
	probe_calls_end(&c);
	assert_int_equal(c.totals[0], 10);
	assert_int_equal(c.totals[first], 5);
	assert_int_equal(c.totals[probe_payment(&events, PROBE_PAID_AT_ENTRY, 0)], 1);
	probe_calls_free(&c);
	is(0, F, 0, 3, 3);
	assert_false(calls[0].is_whole);
}

/* A call belongs to the core type on which it began, counts to the one on which they were made. */
static void test_core_types(void **state)
{
	begin();
	enter(F, 1000, 7);
	take(PROBE_SWITCH, 100, 0, 0, 0, 10);
	take(PROBE_RETURN, 100, 1, F, 1000 + RETURN_BYTES, 30);
	assert_int_equal(nr_calls, 1);
	assert_int_equal(calls[0].core_type, 0);
	is(0, F, 0, 10, 10);
	is(0, F, 1, 30, 30);
	paid(0, F, 1, 0, 0);
	finish();
}

static void test_recursion(void **state)
{
	begin();
	enter(F, 1000, 0);
	enter(G, 900, 1);
	enter(F, 800, 2);
	leave(F, 800, 4);
	leave(G, 900, 8);
	leave(F, 1000, 16);
	is(0, F, 0, 4, 4);
	is(1, G, 0, 14, 10);
	is(2, F, 0, 31, 17);
	assert_false(calls[0].is_outermost);
	assert_true(calls[1].is_outermost && calls[2].is_outermost);
	/* The function is not being called any more. */
	enter(F, 1000, 0);
	leave(F, 1000, 1);
	assert_true(calls[3].is_outermost);
	finish();
}

/* The returns of calls that are too deep are not seen. They have paid for their entries only. */
static void test_too_deep(void **state)
{
	begin();
	enter(F, 1000, 0);
	enter(G, 900, 1);
	enter(H, 800, 2);
	leave(F, 1000, 4);
	assert_int_equal(nr_calls, 3);
	is(0, H, 0, 4, 4);
	is(1, G, 0, 6, 2);
	is(2, F, 0, 7, 1);
	assert_false(calls[0].is_whole || calls[1].is_whole);
	assert_true(calls[2].is_whole);
	paid(0, H, 1, 0, 0);
	paid(1, G, 1, 0, 0);
	finish();
}

/* After longjmp(), a function is entered above the calls that have ended, or in the same place. */
static void test_longjmp(void **state)
{
	begin();
	enter(F, 1000, 0);
	enter(G, 900, 1);
	enter(H, 800, 2);
	enter(G, 900, 4);
	assert_int_equal(nr_calls, 2);
	is(0, H, 0, 4, 4);
	is(1, G, 0, 6, 2);
	enter(H, 950, 8);
	assert_int_equal(nr_calls, 3);
	is(2, G, 0, 8, 8);
	assert_true(calls[2].is_outermost);
	leave(H, 950, 16);
	leave(F, 1000, 32);
	is(4, F, 0, 63, 33);
	finish();
}

/* A function that jumps to another one has its stack pointer, and returns with it. */
static void test_tail_call(void **state)
{
	begin();
	enter(F, 1000, 0);
	enter(G, 1000, 5);
	leave(G, 1000, 6);
	leave(F, 1000, 0);
	assert_int_equal(nr_calls, 2);
	is(0, G, 0, 6, 6);
	is(1, F, 0, 11, 5);
	assert_true(calls[0].is_whole && calls[1].is_whole);
	finish();
}

static void test_threads(void **state)
{
	begin();
	take(PROBE_ENTRY, 101, 0, F, 1000, 5);
	take(PROBE_FORK, 101, 0, 0, 0, 0);
	enter(F, 1000, 1);
	take(PROBE_ENTRY, 101, 0, G, 2000, 10);
	take(PROBE_RETURN, 101, 0, G, 2000 + RETURN_BYTES, 20);
	leave(F, 1000, 2);
	assert_int_equal(nr_calls, 2);
	is(0, G, 0, 20, 20);
	is(1, F, 0, 2, 2);
	assert_int_equal(calls[0].tid, 101);
	/* Without an entry, which was in the parent */
	take(PROBE_RETURN, 101, 0, F, 1000 + RETURN_BYTES, 3);
	assert_int_equal(nr_calls, 2);
	/* The number is given again: calls of the thread before have ended. */
	take(PROBE_ENTRY, 101, 0, G, 2000, 10);
	take(PROBE_FORK, 101, 0, 0, 0, 0);
	assert_int_equal(nr_calls, 3);
	take(PROBE_ENTRY, 101, 0, H, 2000, 1);
	take(PROBE_EXEC, 101, 0, 0, 0, 0);
	assert_int_equal(nr_calls, 4);
	assert_false(calls[3].is_whole);
	finish();
}

/* A payment after the last count before exec is not in the call's counts. */
static int nr_threads;

static void count_thread(const void *node, VISIT visit, int depth)
{
	nr_threads += visit == preorder || visit == leaf;
}

/* The number of threads that have not ended */
static int threads_left(void)
{
	nr_threads = 0;
	twalk(c.threads, count_thread);
	return nr_threads;
}

static void take_of(pid_t pid, enum probe_what what, pid_t tid, pid_t parent)
{
	const struct probe_record r = {
		.time = now += 1000000000, .what = what, .pid = pid, .tid = tid, .parent = parent,
		.function = F, .sp = 1000, .counts = { 1 },
	};

	probe_calls_take(&c, &r);
}

/* Threads that have ended take no memory. Their counts stay. */
static void test_exits(void **state)
{
	pid_t tid;

	begin();
	for (tid = 1000; tid < 101000; tid++) {
		take_of(tid, PROBE_FORK, tid, 100);
		take_of(tid, PROBE_EXIT, tid, 0);
	}
	assert_int_equal(threads_left(), 1);
	take_of(100, PROBE_FORK, 101, 100);
	take_of(100, PROBE_ENTRY, 101, 0);
	take_of(100, PROBE_EXIT, 101, 0);
	assert_int_equal(threads_left(), 1);
	assert_int_equal(nr_calls, 1);
	assert_int_equal(c.totals[0], 100002);
	finish();
}

/* The first thread of a process ends: the others make threads, and execute another program. */
static void test_first_thread_exits(void **state)
{
	int exec;

	for (exec = 0; exec < 2; exec++) {
		begin();
		take_of(300, PROBE_FORK, 300, 100);
		take_of(300, PROBE_FORK, 301, 300);
		take_of(300, PROBE_ENTRY, 300, 0);
		take_of(300, PROBE_EXIT, 300, 0);
		assert_int_equal(nr_calls, 1);
		take_of(300, PROBE_FORK, 302, 300);
		take_of(300, PROBE_ENTRY, 302, 0);
		take_of(300, PROBE_EXIT, 302, 0);
		assert_int_equal(nr_calls, 2);
		if (exec) {
			take_of(300, PROBE_EXEC, 300, 0);
			/* The number of the thread that has executed it is given again. */
			take_of(301, PROBE_FORK, 301, 100);
			take_of(300, PROBE_FORK, 303, 300);
			take_of(300, PROBE_EXIT, 303, 0);
			take_of(300, PROBE_ENTRY, 300, 0);
			take_of(300, PROBE_EXIT, 300, 0);
			assert_int_equal(nr_calls, 3);
		}
		take_of(exec ? 301 : 300, PROBE_EXIT, 301, 0);
		assert_int_equal(threads_left(), 1);
		finish();
	}
}

static void test_exec(void **state)
{
	begin();
	enter(F, 1000, 0);
	enter(G, 900, 1);
	leave(G, 900, 2);
	take(PROBE_EXEC, 100, 0, 0, 0, 0);
	is(1, F, 0, 3, 1);
	paid(1, F, 1, 0, 0);
	paid(1, G, 0, 0, 0);
	enter(F, 1000, 3);
	take(PROBE_EXEC, 100, 0, 0, 0, 0);
	paid(2, F, 0, 0, 0);
	finish();
}

/* Calls that never return take no more memory and time as they become many. */
static void test_many_without_return(void **state)
{
	int i;

	begin();
	for (i = 0; i < 40; i++)
		enter(G, 900, 1);
	assert_int_equal(nr_calls, 39);
	finish();
}

/* ---- the report ---- */

static struct {
	pmc_machine_t *machine;
	pmc_plan_t *plan;
	pmc_config_t *config;
	pmc_config_t *asked;
	struct layout layout;
	struct probe_cost cost[2 * PROBE_KINDS];
	struct probe_costs costs;
	struct probe_sums sums;
	uint64_t totals[2 * PROBE_WIDTH(2)];
	struct probe_report report;
	char *text;
} x;

static int fits(void *arg, int core_type, const char *text)
{
	return 1;
}

static char *command[] = { "app", "x\"", NULL };

static void set_up(int per_thread)
{
	memset(&x, 0, sizeof(x));
	be_machine("hybrid");
	x.machine = open_machine("hybrid");
	be_machine("hybrid");
	x.plan = pmc_plan_new(x.machine);
	x.config = pmc_config_new(x.machine);
	x.asked = pmc_config_new(x.machine);
	assert_int_equal(pmc_plan_add_set(x.plan, "instr,cycles", PMC_EVERY_CORE_TYPE), 0);
	assert_int_equal(pmc_config_add(x.asked, "instr", PMC_EVERY_CORE_TYPE, 0), 0);
	assert_int_equal(pmc_plan_add_metrics(x.plan, "half[%.1f %]=50*instr/cycles", PMC_EVERY_CORE_TYPE), 0);
	assert_int_equal(pmc_plan_make(x.plan, x.config, fits, NULL), 0);
	assert_int_equal(layout_init(&x.layout, x.machine, x.config, NULL), 0);
	assert_int_equal(layout_set_plan(&x.layout, x.plan, x.asked), 0);
	unsetenv("PMCTRACK_PROC");
	x.costs = (struct probe_costs){ &events, x.cost };
	x.sums = (struct probe_sums){ .events = &events, .per_thread = per_thread };
	x.report = (struct probe_report){
		.events = &events, .functions = &functions, .layout = &x.layout, .costs = &x.costs,
		.sums = &x.sums, .totals = x.totals, .command = command,
	};
	nr_calls = 0;
	now = 0;
	probe_calls_init(&c, &events, &functions, 100, probe_sums_add, &x.sums);
}

static void tear_down(void)
{
	free(x.text);
	probe_calls_free(&c);
	probe_sums_free(&x.sums);
	layout_free(&x.layout);
	pmc_plan_free(x.plan);
	pmc_config_free(x.config);
	pmc_config_free(x.asked);
	pmc_machine_close(x.machine);
}

/* Two calls of g() in f(), of 20 instructions each, of which the probes cost 9 */
static void run(void)
{
	all[H].refused = 1;
	x.cost[0] = (struct probe_cost){ .entry = { 1, 2 }, .inside = { 2, 4 }, .outside = { 3, 6 } };
	x.cost[1] = (struct probe_cost){ .entry = { 4, 8 }, .inside = { 5, 10 }, .outside = { 6, 12 } };
	enter(F, 1000, 0);
	enter(G, 900, 11);
	leave(G, 900, 29);
	enter(G, 900, 26);
	leave(G, 900, 29);
	leave(F, 1000, 18);
	take(PROBE_SWITCH, 100, 0, 0, 0, 103);
	probe_calls_end(&c);
	memcpy(x.totals, c.totals, sizeof(x.totals));
	probe_sums_sort(&x.sums, &functions);
}

static void print(void (*form)(FILE *f, const struct probe_report *r))
{
	int saved = dup(2), null = open("/dev/null", O_WRONLY);
	size_t size;
	FILE *f;

	free(x.text);
	f = open_memstream(&x.text, &size);
	/* Notes beside programs' forms go to standard error. */
	dup2(null, 2);
	form(f, &x.report);
	dup2(saved, 2);
	close(saved);
	close(null);
	fclose(f);
}

static void has(const char *part)
{
	if (!strstr(x.text, part))
		fail_msg("no\n%s\nin\n%s", part, x.text);
}

static void test_costs_are_taken_off(void **state)
{
	int instr;

	set_up(0);
	run();
	instr = layout_name(&x.layout, "instr");
	assert_int_equal(x.sums.nr, 2);
	/* g: 2 * (29 - 4 - 5); f: 113 - 1 - 2 - 2 * (4 + 5 + 6), and without g 113 - 58 - 3 - 12 */
	assert_int_equal(probe_count(&x.report, x.sums.all[0]->exclusive, 0, instr), 40);
	assert_int_equal(probe_count(&x.report, x.sums.all[1]->inclusive, 0, instr), 80);
	assert_int_equal(probe_count(&x.report, x.sums.all[1]->exclusive, PMC_EVERY_CORE_TYPE, instr), 40);
	assert_int_equal(probe_count(&x.report, x.sums.all[1]->exclusive, 1, instr), 0);
	assert_float_equal(probe_count_cost(&x.report, x.sums.all[0]->exclusive, 0, instr), 18, 1e-9);
	/* No count is below 0. */
	x.cost[1].inside[0] = 1000;
	assert_int_equal(probe_count(&x.report, x.sums.all[0]->exclusive, 0, instr), 0);
	tear_down();
}

static void test_table(void **state)
{
	set_up(0);
	run();
	x.sums.open = 1;
	x.report.lost = 2;
	print(probe_print_table);
	has("Functions of 'app x\"', in user mode:\n");
	has("function    core       calls           instr       instr,own half[%] half[%],own\n");
	has("g,\"\\x1b[31m all            2              40              40    25.0        25.0\n");
	has("f           P              1              80              40    25.0        25.0\n");
	has(" taken off: 36 instr (20.00% of the program's), 72 cycles (20.00% of the program's).\n");
	has(" Not probed, as the kernel refuses their first instructions: h\n");
	has(" 1 call ended without a return");
	has(" 2 records were lost");
	tear_down();
}

/* A separator within an event's name would shift the fields. */
static void test_separator_in_event(void **state)
{
	set_up(0);
	run();
	free(x.layout.names[0]);
	x.layout.names[0] = strdup("cpu/event=0xc0,umask=1/");
	x.report.separator = ",";
	print(probe_print_fields);
	has("f,,all,1,cpu/event=0xc0\\x2cumask=1/,80,40\n");
	tear_down();
}

static void test_fields(void **state)
{
	set_up(1);
	run();
	x.report.separator = ",";
	print(probe_print_fields);
	assert_string_equal(x.text, "g\\x2c\"\\x1b[31m,100,all,2,instr,40,40\n"
			    "g\\x2c\"\\x1b[31m,100,all,2,half,25.0,25.0\n"
			    "g\\x2c\"\\x1b[31m,100,P,2,instr,40,40\n"
			    "g\\x2c\"\\x1b[31m,100,P,2,half,25.0,25.0\n"
			    "f,100,all,1,instr,80,40\nf,100,all,1,half,25.0,25.0\n"
			    "f,100,P,1,instr,80,40\nf,100,P,1,half,25.0,25.0\n");
	tear_down();
}

static void test_csv(void **state)
{
	set_up(0);
	run();
	print(probe_print_csv);
	assert_string_equal(x.text, "function,tid,coretype,calls,instr,own_instr,cycles,own_cycles,half[%],own_half[%]\n"
			    "\"g,\"\"\\x1b[31m\",,all,2,40,40,80,80,25.0,25.0\n"
			    "\"g,\"\"\\x1b[31m\",,0,2,40,40,80,80,25.0,25.0\n"
			    "f,,all,1,80,40,160,80,25.0,25.0\nf,,0,1,80,40,160,80,25.0,25.0\n");
	tear_down();
}

/* tests/host/output.sh checks what JSON has to be like. */
static void keep_json(void)
{
	static int nr;
	const char *folder = getenv("PMCTRACK_TEST_REPORTS");
	char path[512];
	FILE *f;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/%d.probe", folder, nr++);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(x.text, f);
	fclose(f);
}

static void test_json(void **state)
{
	set_up(1);
	run();
	x.sums.open = 3;
	x.report.lost = 4;
	print(probe_print_json);
	keep_json();
	has("{\n\"command\": [\"app\", \"x\\\"\"],\n\"mode\": \"user\",\n\"core_types\": [\n{\"id\": 0, ");
	has("\"functions\": [\n{\"function\": \"g,\\\"\\u001b[31m\", \"file\": \"/bin/app\", \"tid\": 100,\n\"all\": {"
	    "\"calls\": 2, \"counts\": {\"instr\": 40, \"cycles\": 80}, \"own_counts\": {\"instr\": 40, \"cycles\": 80}, "
	    "\"metrics\": {\"half\": 25.0}, \"own_metrics\": {\"half\": 25.0}},\n\"totals\": [\n{\"core_type\": 0, \"calls\": 2, ");
	has("{\"function\": \"f\", \"file\": \"/bin/app\", \"tid\": 100,\n\"all\": {\"calls\": 1, "
	    "\"counts\": {\"instr\": 80, \"cycles\": 160}, \"own_counts\": {\"instr\": 40, \"cycles\": 80}, ");
	has("{\"core_type\": 1, \"calls\": 0, \"counts\": {\"instr\": 0, \"cycles\": 0}, \"own_counts\": {\"instr\": 0, "
	    "\"cycles\": 0}, \"metrics\": {\"half\": null}, \"own_metrics\": {\"half\": null}}]},\n{\"function\": \"f\"");
	has("\n],\n\"cost\": {\"instr\": 36, \"cycles\": 72},\n\"refused\": [\"h\"], \"unfinished\": 3, \"lost\": 4\n}\n");
	tear_down();
}

/* Rows by thread, and those with the largest exclusive counts first; functions without calls last */
static void test_rows(void **state)
{
	set_up(1);
	all[H].refused = 0;
	take(PROBE_FORK, 101, 0, 0, 0, 0);
	enter(F, 1000, 0);
	leave(F, 1000, 10);
	take(PROBE_ENTRY, 101, 0, F, 1000, 0);
	take(PROBE_RETURN, 101, 0, F, 1000 + RETURN_BYTES, 30);
	take(PROBE_ENTRY, 101, 1, G, 1000, 0);
	take(PROBE_RETURN, 101, 1, G, 1000 + RETURN_BYTES, 20);
	probe_calls_end(&c);
	probe_sums_sort(&x.sums, &functions);
	assert_int_equal(x.sums.nr, 4);
	assert_int_equal(x.sums.all[0]->tid, 101);
	assert_int_equal(x.sums.all[0]->function, F);
	assert_int_equal(x.sums.all[1]->function, G);
	assert_int_equal(x.sums.all[2]->tid, 100);
	assert_int_equal(x.sums.all[3]->function, H);
	assert_true(probe_has_row(&x.report, x.sums.all[1], 1));
	assert_false(probe_has_row(&x.report, x.sums.all[1], 0));
	assert_int_equal(probe_nr_calls(&x.report, x.sums.all[1], 1), 1);
	tear_down();
}

/* Of recursive calls, the outermost one has the inclusive count. */
static void test_recursive_sums(void **state)
{
	set_up(0);
	enter(F, 1000, 0);
	enter(F, 900, 1);
	leave(F, 900, 2);
	leave(F, 1000, 4);
	probe_calls_end(&c);
	probe_sums_sort(&x.sums, &functions);
	assert_int_equal(x.sums.all[0]->calls[0], 2);
	assert_int_equal(x.sums.all[0]->inclusive[0], 7);
	assert_int_equal(x.sums.all[0]->exclusive[0], 7);
	assert_int_equal(x.sums.open, 0);
	tear_down();
}

/* ---- traces ---- */

static struct probe_trace trace;
static FILE *trace_file;
static size_t trace_size;

static void trace_entry(void *arg, const struct probe_call *call)
{
	probe_trace_enter(&trace, call);
}

static void trace_call(void *arg, const struct probe_call *call)
{
	probe_sums_add(arg, call);
	probe_trace_leave(&trace, call);
}

static void set_up_trace(void)
{
	set_up(0);
	c.done = trace_call;
	c.entered = trace_entry;
	trace_file = open_memstream(&x.text, &trace_size);
	probe_trace_begin(&trace, trace_file, &x.report, 100);
}

static void decode(void)
{
	fclose(trace_file);
	probe_trace_free(&trace);
	decode_trace(x.text, trace_size);
}

/* A slice for each call, with its counts and metrics and without what its probes cost */
static void test_trace(void **state)
{
	set_up_trace();
	run();
	decode();
	assert_string_equal(tracks[0].name, "app");
	assert_int_equal(tracks[1].parent, tracks[0].uuid);
	assert_string_equal(trace_text,
		"1.0 thread 100 1 'f' core_type=P\n"
		"2.0 thread 100 1 'g,\"\\x1b[31m' core_type=P\n"
		"3.0 thread 100 2 instr=20 own_instr=20 half[%]=25 own_half[%]=25\n"
		"4.0 thread 100 1 'g,\"\\x1b[31m' core_type=P\n"
		"5.0 thread 100 2 instr=20 own_instr=20 half[%]=25 own_half[%]=25\n"
		"6.0 thread 100 2 instr=80 own_instr=40 half[%]=25 own_half[%]=25\n");
	keep_trace("calls", ".pftrace", x.text, trace_size);
	print(probe_print_csv);
	keep_trace("calls", ".csv", x.text, strlen(x.text));
	tear_down();
}

/*
 * Each thread has a track in its process, also one with the number of a thread that has ended. A
 * call ends where its thread ends, or is seen to have left it. There is no metric without cycles.
 */
static void test_trace_threads(void **state)
{
	set_up_trace();
	take(PROBE_FORK, 101, 0, 0, 0, 0);
	take(PROBE_FORK, 200, 0, 0, 0, 0);
	enter(F, 1000, 1);
	take(PROBE_ENTRY, 101, 1, G, 2000, 0);
	take(PROBE_ENTRY, 200, 0, F, 3000, 0);
	take(PROBE_RETURN, 101, 0, G, 2000 + RETURN_BYTES, 10);
	take(PROBE_SWITCH, 100, 0, 0, 0, 8);
	take(PROBE_FORK, 101, 0, 0, 0, 0);
	take(PROBE_ENTRY, 101, 0, H, 2000, 0);
	enter(G, 1100, 4);
	take(PROBE_RETURN, 101, 0, H, 2000 + RETURN_BYTES, 0);
	take(PROBE_RETURN, 200, 0, F, 3000 + RETURN_BYTES, 2);
	probe_calls_end(&c);
	decode();
	assert_string_equal(trace_text,
		"3.0 thread 100 1 'f' core_type=P\n"
		"4.0 thread 101 1 'g,\"\\x1b[31m' core_type=E\n"
		"5.0 thread 200 1 'f' core_type=P\n"
		"6.0 thread 101 2 instr=10 own_instr=10 half[%]=25 own_half[%]=25\n"
		"9.0 thread 101 1 'h' core_type=P\n"
		"10.0 thread 100 2 instr=12 own_instr=12 half[%]=25 own_half[%]=25 end=without a return\n"
		"10.0 thread 100 1 'g,\"\\x1b[31m' core_type=P\n"
		"11.0 thread 101 2 instr=0 own_instr=0\n"
		"12.0 thread 200 2 instr=2 own_instr=2 half[%]=25 own_half[%]=25\n"
		"10.0 thread 100 2 instr=0 own_instr=0 end=without a return\n");
	/* Processes 100 and 200, and four threads */
	assert_int_equal(nr_tracks, 6);
	assert_int_equal(tracks[2].parent, tracks[0].uuid);
	assert_int_equal(tracks[4].parent, tracks[3].uuid);
	assert_int_equal(tracks[5].parent, tracks[0].uuid);
	assert_int_not_equal(tracks[5].uuid, tracks[2].uuid);
	tear_down();
}

static void print_notes(FILE *f, const struct probe_report *r)
{
	probe_print_notes(f, "", r);
}

/* Calls that began before the limit have their ends. */
static void test_trace_limit(void **state)
{
	set_up_trace();
	trace.most_calls = 2;
	enter(F, 1000, 0);
	enter(G, 900, 1);
	leave(G, 900, 2);
	enter(G, 900, 3);
	leave(G, 900, 4);
	take(PROBE_FORK, 101, 0, 0, 0, 0);
	take(PROBE_ENTRY, 101, 0, G, 2000, 0);
	leave(F, 1000, 5);
	probe_calls_end(&c);
	x.report.left_out = trace.left_out;
	decode();
	assert_string_equal(trace_text,
		"1.0 thread 100 1 'f' core_type=P\n"
		"2.0 thread 100 1 'g,\"\\x1b[31m' core_type=P\n"
		"3.0 thread 100 2 instr=2 own_instr=2 half[%]=25 own_half[%]=25\n"
		"4.0 thread 100 3 'later calls are left out'\n"
		"8.0 thread 100 2 instr=15 own_instr=9 half[%]=25 own_half[%]=25\n");
	print(print_notes);
	has("2 calls were left out of the trace, which has the first 1000000. Probe fewer functions.\n");
	tear_down();
}

#define TEST(name) cmocka_unit_test(test_##name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nested), TEST(totals), TEST(core_types), TEST(recursion), TEST(too_deep),
		TEST(longjmp), TEST(tail_call), TEST(threads), TEST(exits), TEST(first_thread_exits),
		TEST(exec), TEST(many_without_return),
		TEST(costs_are_taken_off), TEST(table), TEST(fields), TEST(separator_in_event), TEST(csv), TEST(json), TEST(rows),
		TEST(recursive_sums), TEST(trace), TEST(trace_threads), TEST(trace_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
