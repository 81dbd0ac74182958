// SPDX-License-Identifier: GPL-2.0
/* pmctrack top on a hybrid machine: invented samples, the frames that they make, and keys. */
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error.h"
#include "interrupted.h"
#include "lib.h"
#include "session.h"
#include "top/view.h"
#include "verb.h"

#define MS 1000000ULL

static struct thread_counting c;
static struct top_view view;
static struct top_frame frame;

static int fits(void *arg, int core_type, const char *events)
{
	return 1;
}

static void setup_metrics(const char *metrics)
{
	memset(&c, 0, sizeof(c));
	memset(&frame, 0, sizeof(frame));
	c.machine = open_machine("hybrid");
	c.config = pmc_config_new(c.machine);
	c.plan = pmc_plan_new(c.machine);
	assert_int_equal(pmc_plan_add_metrics(c.plan, metrics, PMC_EVERY_CORE_TYPE), 0);
	assert_int_equal(pmc_plan_make(c.plan, c.config, fits, NULL), 0);
	counted_threads_init(&c.threads, c.machine, c.plan, c.config);
	view_init(&view);
	frame.width = 80;
	frame.height = 24;
}

static int setup(void **state)
{
	setup_metrics("ipc,mips[%.0f]=instr/duration_time/1e6");
	return 0;
}

static int teardown(void **state)
{
	view_free(&view);
	frame_free(&frame);
	counting_stop(&c);
	pmc_machine_close((pmc_machine_t *)c.machine);
	return 0;
}

/* A sample of a thread that ran for @running of @elapsed ms */
static struct pmc_reading reading(pid_t tid, int core_type, unsigned int running, unsigned int elapsed,
				  uint64_t instr, uint64_t cycles)
{
	struct pmc_reading r = {
		.pid = tid, .tid = tid, .cpu = core_type ? 4 : 1, .core_type = core_type,
		.running = running * MS, .elapsed = elapsed * MS, .nr_counts = 2, .counts = { instr, cycles },
	};

	snprintf(r.name, sizeof(r.name), "thread%d", tid % 10000);
	return r;
}

static void add(pid_t tid, int core_type, unsigned int running, unsigned int elapsed, uint64_t instr,
		uint64_t cycles)
{
	struct pmc_reading r = reading(tid, core_type, running, elapsed, instr, cycles);

	counted_threads_add(&c.threads, &r);
}

static void end_interval(void)
{
	counted_threads_end_interval(&c.threads, 1000 * MS);
	table_sort(&view, &c);
}

static const char *line(int n)
{
	assert_in_range(n, 0, frame.nr - 1);
	return frame.lines[n].text;
}

static void draw(int interactive)
{
	int i;

	view_frame(&view, &c, &frame, interactive);
	for (i = 0; i < frame.nr; i++)
		assert_in_range(frame.lines[i].columns, 0, frame.width);
}

/* The frame has this text in a line. Return: the number of the line */
static int has(const char *text)
{
	int i;

	for (i = 0; i < frame.nr; i++)
		if (strstr(frame.lines[i].text, text))
			return i;
	for (i = 0; i < frame.nr; i++)
		print_message("%s|\n", frame.lines[i].text);
	fail_msg("'%s' is not there", text);
	return -1;
}

static void has_not(const char *text)
{
	int i;

	for (i = 0; i < frame.nr; i++)
		assert_null(strstr(frame.lines[i].text, text));
}

static enum top_action press(int key)
{
	enum top_action action = view_key(&view, &c, key);

	draw(1);
	return action;
}

static void type(const char *text)
{
	for (; *text; text++)
		press(*text);
}

/* Three threads: one on P, one on E, one on both */
static void three_threads(void)
{
	add(100, 0, 900, 1000, 4000 * MS, 2000 * MS);
	add(200, 1, 250, 1000, 300 * MS, 600 * MS);
	add(300, 0, 300, 500, 900 * MS, 600 * MS);
	add(300, 1, 200, 500, 300 * MS, 400 * MS);
	end_interval();
}

static void test_table(void **state)
{
	three_threads();
	draw(0);
	has("3 threads ran in the last 1 s");
	/* 1200 ms of 16 CPUs, 450 ms of 8 */
	assert_int_equal(has("P       0-15     #...............   8 %            .  ipc 1.88            #"), 1);
	assert_int_equal(has("E       16-23    #...............   6 %            .  ipc 0.60            #"), 2);
	assert_string_equal(line(3), "     TID USER     NAME            TYPE   CPU v%CPU     ipc    mips");
	/* Both core types together: 1200 of 1000 million */
	assert_non_null(strstr(line(4), "thread100       P        1  90.0    2.00    4000"));
	assert_non_null(strstr(line(5), "thread300       P        4  50.0    1.20    1200"));
	assert_non_null(strstr(line(6), "thread200       E        4  25.0    0.50     300"));
	assert_int_equal(frame.nr, 7);
}

/* Behind a column that does not fit, no value stands without its heading. */
static void test_wide_column(void **state)
{
	teardown(state);
	setup_metrics("ipc,instructions_of_each_cycle=instr/cycles,mips[%.0f]=instr/duration_time/1e6");
	three_threads();
	draw(0);
	assert_string_equal(line(3), "     TID USER     NAME            TYPE   CPU v%CPU     ipc");
	has("thread100       P        1  90.0    2.00");
	has_not("4000");
	frame.width = 120;
	frame_clear(&frame);
	draw(0);
	has("%CPU     ipc instructions_of_each_cycle    mips");
	has("  90.0    2.00                       2.00    4000");
}

/* A thread without a sample has run for no time, and its metrics are not known. */
static void test_sleeps_and_ends(void **state)
{
	struct pmc_reading last;

	three_threads();
	last = reading(200, 1, 10, 100, 10, 20);
	last.flags = PMC_READING_LAST;
	counted_threads_add(&c.threads, &last);
	add(300, 1, 500, 1000, 100 * MS, 100 * MS);
	end_interval();
	draw(0);
	assert_non_null(strstr(line(4), "thread300       E        4  50.0    1.00     100"));
	/* Its last interval was of 100 ms. */
	has("thread200       E        4  10.0    0.50       0");
	has("thread100       P        1   0.0       -       -");
	has("2 threads ran");
	assert_int_equal(c.threads.nr, 3);
	end_interval();
	draw(0);
	has_not("thread200");
	assert_int_equal(c.threads.nr, 2);
	assert_null(counted_threads_find(&c.threads, 200));
	assert_non_null(counted_threads_find(&c.threads, 100));
}

static void test_number_again(void **state)
{
	struct pmc_reading r = reading(100, 0, 10, 100, 1000, 100);
	const struct counted_thread *t;

	r.flags = PMC_READING_LAST;
	counted_threads_add(&c.threads, &r);
	r = reading(100, 1, 20, 100, 500, 500);
	snprintf(r.name, sizeof(r.name), "another");
	counted_threads_add(&c.threads, &r);
	end_interval();
	t = counted_threads_find(&c.threads, 100);
	assert_string_equal(t->name, "another");
	assert_false(t->ended);
	assert_int_equal(t->total.running, 20 * MS);
}

/* A sample of another process: the last one of the thread that had the number before is lost. */
static void test_number_of_another_process(void **state)
{
	struct pmc_reading r = reading(100, 0, 10, 100, 1000, 100);
	const struct counted_thread *t;

	counted_threads_add(&c.threads, &r);
	counted_threads_find(&c.threads, 100)->has_uid = 1;
	end_interval();
	r = reading(100, 1, 20, 100, 500, 500);
	r.pid = 90;
	counted_threads_add(&c.threads, &r);
	end_interval();
	t = counted_threads_find(&c.threads, 100);
	assert_int_equal(t->pid, 90);
	assert_int_equal(t->total.running, 20 * MS);
	assert_false(t->has_uid);
}

static void test_sort(void **state)
{
	three_threads();
	draw(1);
	assert_int_equal(press('<'), TOP_REDRAW);
	has("CPU  %CPU");
	press('>');
	press('>');
	assert_non_null(strstr(line(3), "    vipc"));
	assert_non_null(strstr(line(4), "thread100"));
	press('r');
	assert_non_null(strstr(line(3), "    ^ipc"));
	assert_non_null(strstr(line(4), "thread200"));
	/* Values that are not known come last both ways. */
	end_interval();
	add(100, 0, 1, 1, 3, 1);
	end_interval();
	press('x');
	assert_non_null(strstr(line(4), "thread100"));
	press('r');
	assert_non_null(strstr(line(4), "thread100"));
	assert_int_equal(table_column(&c, "MIPS"), view.sort + 1);
	assert_int_equal(table_column(&c, "mip"), -1);
}

/* Nothing is counted any more, as other metrics could not be: the column of the order is gone. */
static void test_sort_without_values(void **state)
{
	view.sort = table_column(&c, "mips");
	counting_stop(&c);
	view.nr_rows = 0;
	press('<');
	has("vCPU");
	view.sort = 100;
	press('>');
	has("    vTID");
}

/* Names of users are looked up while the order is computed. */
static void test_users(void **state)
{
	struct counted_thread *t;
	int i;

	for (i = 0; i < 100; i++) {
		add(1000 + i, 0, 1, 1, 10, 10);
		t = counted_threads_find(&c.threads, 1000 + i);
		t->has_uid = 1;
		/* None that this machine has a name for */
		t->uid = 3999999900u + i;
	}
	view.sort = table_column(&c, "USER");
	end_interval();
	draw(1);
	assert_non_null(strstr(line(4), "39999999"));
	for (i = 1; i < view.nr_rows; i++)
		assert_true(strcmp(table_user(view.rows[i - 1]), table_user(view.rows[i])) < 0);
}

/* Values that are not on the screen are those of fewer metrics than before, too. */
static void test_other_values(void **state)
{
	three_threads();
	draw(1);
	press(KEY_OF_RIGHT);
	press(KEY_OF_RIGHT);
	assert_int_equal(view.first_value, 1);
	view.first_value = 5;
	draw(1);
	press(KEY_OF_LEFT);
	has("mips");
	press(KEY_OF_LEFT);
	has("ipc ");
	assert_int_equal(view.first_value, 0);
}

/* A thread may have a sample without having run. */
static void test_did_not_run(void **state)
{
	add(100, 0, 0, 0, 0, 0);
	end_interval();
	draw(1);
	has("thread100       -        1   0.0       -       -");
	press(KEY_OF_ENTER);
	has("ran for, s                0.000");
}

static void test_filter(void **state)
{
	three_threads();
	draw(1);
	press('/');
	has("show only: _");
	type("READ2x");
	press(KEY_OF_BACKSPACE);
	has("show only: READ2_");
	press(KEY_OF_ENTER);
	has("thread200");
	has_not("thread100");
	has("[filter: READ2]");
	press('/');
	type("100");
	press(KEY_OF_ENTER);
	has("thread100");
	has_not("thread200");
	press('/');
	press(KEY_OF_ENTER);
	has("thread100");
	has("thread200");
	press('/');
	type("q");
	assert_int_equal(press(KEY_OF_ESCAPE), TOP_REDRAW);
	has("thread100");
	assert_int_equal(press('q'), TOP_QUIT);
}

/* The selection stays on its thread, wherever the table moves it. */
static void test_select(void **state)
{
	int i;

	for (i = 0; i < 100; i++)
		add(1000 + i, 0, 900 - i, 1000, 2000, 1000);
	end_interval();
	draw(1);
	assert_int_equal(frame.lines[4].style, STYLE_SELECTED);
	press(KEY_OF_DOWN);
	assert_int_equal(view.selected, 1001);
	assert_int_equal(frame.lines[5].style, STYLE_SELECTED);
	press(KEY_OF_END);
	assert_int_equal(view.selected, 1099);
	assert_int_equal(frame.nr, 24);
	assert_int_equal(frame.lines[22].style, STYLE_SELECTED);
	has("thread1099");
	has_not("thread1000");
	press(KEY_OF_PAGE_UP);
	assert_int_equal(view.selected, 1099 - 19);
	press(KEY_OF_HOME);
	assert_int_equal(view.selected, 1000);
	has("thread1000");
	press(KEY_OF_UP);
	assert_int_equal(view.selected, 1000);
	add(1000, 0, 1, 1000, 2000, 1000);
	add(1050, 0, 800, 1000, 2000, 1000);
	end_interval();
	draw(1);
	assert_int_equal(frame.lines[5].style, STYLE_SELECTED);
	assert_non_null(strstr(line(5), "thread1000"));
}

static void test_thread(void **state)
{
	three_threads();
	add(300, 1, 100, 1000, 300 * MS, 100 * MS);
	end_interval();
	draw(1);
	press('/');
	type("300");
	press(KEY_OF_ENTER);
	press(KEY_OF_ENTER);
	has("Thread 300 of process 300");
	has("last interval               all          P          E");
	assert_int_equal(has("ipc                        3.00          -       3.00"), 8);
	/* 1500 of 1100 million */
	has("since the start             all          P          E");
	has("ran for, s                0.600      0.300      0.300");
	has("ipc                        1.36       1.50       1.20");
	press(KEY_OF_ESCAPE);
	has("pmctrack top");
	press('?');
	has("Keys of pmctrack top");
	press(KEY_OF_ESCAPE);
	has("TID USER");
}

static void test_pick(void **state)
{
	struct pmc_reading r = reading(1, 0, 1, 1, 1, 1);

	counted_threads_add(&c.threads, &r);
	end_interval();
	names_add(&view.metrics, "own[%.1f]=instr/1000");
	press('m');
	has("Pick metrics");
	press('/');
	type("llc");
	press(KEY_OF_ENTER);
	has("[filter: llc]");
	press(' ');
	has("[x] ");
	assert_int_equal(press(KEY_OF_ENTER), TOP_RESTART);
	assert_int_equal(view.metrics.nr, 2);
	assert_string_equal(view.metrics.all[0], "own[%.1f]=instr/1000");
	assert_non_null(strstr(view.metrics.all[1], "llc"));
	assert_string_equal(view.filter, "");
	/* The same again: nothing changes. */
	press('m');
	assert_int_equal(press(KEY_OF_ENTER), TOP_REDRAW);
	assert_int_equal(view.metrics.nr, 2);
	press('m');
	press('/');
	type("no such metric");
	press(KEY_OF_ENTER);
	has("No metric has this text");
	press(KEY_OF_DOWN);
	/* A row that is not shown cannot be chosen. */
	press(' ');
	assert_int_equal(press(KEY_OF_ENTER), TOP_REDRAW);
	assert_int_equal(view.metrics.nr, 2);
}

/* Values that the user asks for are in front of the usual ones, and rows stay in the order of a value. */
static void test_order(void **state)
{
	c.nr_usual = 1;
	three_threads();
	draw(1);
	assert_string_equal(line(3), "     TID USER     NAME            TYPE   CPU v%CPU    mips     ipc");
	view.sort = table_column(&c, "ipc");
	draw(1);
	assert_non_null(strstr(line(3), "   mips    vipc"));
	press('<');
	assert_non_null(strstr(line(3), "  vmips     ipc"));
	press('<');
	assert_non_null(strstr(line(3), "v%CPU    mips"));
	press('<');
	press('>');
	press('>');
	press('>');
	press('>');
	assert_non_null(strstr(line(3), "vTID "));
}

static void test_input(void **state)
{
	three_threads();
	press('d');
	type("0.01");
	press(KEY_OF_ENTER);
	has("seconds, from 0.1 to 3600, not '0.01'");
	press('d');
	type("2.5");
	press(KEY_OF_ENTER);
	assert_int_equal(view.delay_us, 2500000);
	press('a');
	type("ipc");
	assert_int_equal(press(KEY_OF_ENTER), TOP_RESTART);
	assert_string_equal(view.metrics.all[0], "ipc");
	press('v');
	assert_int_equal(press(KEY_OF_ENTER), TOP_REDRAW);
	press(' ');
	has("[paused]");
	press('p');
	has_not("[paused]");
}

/* Notes on processes that are not counted, and on lost samples */
static void test_notes(void **state)
{
	struct pmc_reading r = reading(7, 0, 1, 1, 1, 1);

	c.nr_processes = 10;
	c.nr_refused = 4;
	c.nr_others = 3;
	snprintf(c.why, sizeof(c.why), "the reason");
	r.lost = 12;
	counted_threads_add(&c.threads, &r);
	end_interval();
	draw(0);
	has("6 processes, 1 threads ran");
	has("4 processes are not counted, 3 of other users: CAP_PERFMON is needed");
	has("12 samples were lost");
	press('?');
	has("4 processes are not counted. The last of them:");
	has("  the reason");
}

/* Small and odd terminals, names of any bytes */
static void test_sizes(void **state)
{
	static const int sizes[][2] = { { 1, 1 }, { 5, 3 }, { 20, 4 }, { 80, 5 }, { 200, 60 }, { 1000, 2 } };
	static const int modes[] = { KEY_OF_ENTER, '?', 'm', KEY_OF_ESCAPE, '/' };
	struct pmc_reading r = reading(42, 0, 1, 1, 1, 1);
	size_t i, j;

	memcpy(r.name, "\x1b[31m\xff\n", 8);
	counted_threads_add(&c.threads, &r);
	end_interval();
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		frame.width = sizes[i][0];
		frame.height = sizes[i][1];
		frame.utf8 = i & 1;
		draw(1);
		assert_in_range(frame.nr, 1, sizes[i][1]);
		for (j = 0; j < sizeof(modes) / sizeof(modes[0]); j++) {
			press(modes[j]);
			assert_in_range(frame.nr, 1, sizes[i][1]);
		}
		press(KEY_OF_ESCAPE);
		press(KEY_OF_ESCAPE);
	}
	frame.width = 200;
	frame.height = 60;
	draw(1);
	has("?[31m??");
}

/* Event sets that take turns: a value is kept until its set's turn comes again. */
static void test_turns(void **state)
{
	struct counted_thread *t;

	assert_int_equal(pmc_config_add(c.config, "llc_misses", 0, 0), 0);
	add(100, 0, 1, 1, 400, 100);
	end_interval();
	t = counted_threads_find(&c.threads, 100);
	assert_true(t->values[0] == 4);
	struct pmc_reading other = reading(100, 0, 1, 1, 7, 0);
	other.set = 1;
	other.nr_counts = 1;
	counted_threads_add(&c.threads, &other);
	end_interval();
	assert_true(t->values[0] == 4);
	counted_threads_add(&c.threads, &other);
	end_interval();
	assert_true(t->values[0] != t->values[0]);
}

/* 400 threads that come and go: the tree and the array agree. */
static void test_many(void **state)
{
	unsigned int seed = 1;
	int round, i, n;

	for (round = 0; round < 50; round++) {
		for (i = 0; i < 100; i++) {
			struct pmc_reading r = reading(1 + rand_r(&seed) % 400, rand_r(&seed) % 2, 1, 2, 10, 10);

			if (rand_r(&seed) % 4 == 0)
				r.flags = PMC_READING_LAST;
			counted_threads_add(&c.threads, &r);
		}
		end_interval();
		draw(1);
		for (i = n = 0; i <= 400; i++)
			n += !!counted_threads_find(&c.threads, i);
		assert_int_equal(n, c.threads.nr);
	}
}

/* Further threads than there is room for take no memory; their samples are lost, and the core types' are not. */
static void test_storm(void **state)
{
	int i;

	c.threads.most = 100;
	for (i = 0; i < 150; i++)
		add(1000 + i, 0, 1, 1, 10, 10);
	add(1000, 0, 1, 1, 10, 10);
	assert_int_equal(c.threads.nr, 100);
	assert_int_equal(c.threads.lost, 50);
	end_interval();
	draw(1);
	has("50 samples");
	assert_int_equal(counted_threads_find(&c.threads, 1000)->interval.running, 2 * MS);
	assert_int_equal(c.threads.core_types[0].interval.running, 151 * MS);
}

/* The error of the next command of the session, or 0; and the number of commands */
static int fails_with;
static int nr_commands;

static int fake_command(pmc_session_t *session, char *line)
{
	nr_commands++;
	return fails_with ? pmc_fail(fails_with, "%s fails", line) : 0;
}

static void fake_end(pmc_session_t *session)
{
}

static const struct session_ops fake_ops = { .command = fake_command, .end = fake_end };

/* Of top_main(): sessions that were opened; a privileged session takes the counters of the first two. */
static int nr_opened;

/* The next sample of a session, if there is one */
static struct pmc_reading given;
static int is_given;

static void give(pid_t pid, pid_t tid, unsigned int flags)
{
	given = reading(tid, 0, 50, 100, 10, 20);
	given.pid = pid;
	given.flags = flags;
	is_given = 1;
}

pmc_session_t *__wrap_pmc_session_open(void);
int __wrap_pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *r, size_t size);

pmc_session_t *__wrap_pmc_session_open(void)
{
	nr_opened++;
	if (nr_opened == 3 || nr_opened == 4) {
		pmc_fail(EBUSY, "the counters are taken");
		return NULL;
	}
	return session_new(&fake_ops, eventfd(0, EFD_CLOEXEC));
}

int __wrap_pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *r, size_t size)
{
	if (!is_given)
		return 0;
	*r = given;
	is_given = 0;
	return 1;
}

/* With -b, what happens to the counters is on standard error, and the frames go on. */
static void test_batch(void **state)
{
	FILE *out = tmpfile(), *err = tmpfile();
	char pid[16], text[16384], *p;
	int status, nr = 0;

	snprintf(pid, sizeof(pid), "-p%d", getpid());
	if (!fork()) {
		char *argv[] = { "top", "-b", "-d0.1", "-n4", "--filter=user", pid, NULL };

		dup2(fileno(out), STDOUT_FILENO);
		dup2(fileno(err), STDERR_FILENO);
		be_machine("hybrid");
		give(getpid(), getpid(), PMC_READING_EVICTED);
		_exit(top_main(6, argv));
	}
	wait(&status);
	rewind(err);
	text[fread(text, 1, sizeof(text) - 1, err)] = '\0';
	assert_string_equal(text,
			    "pmctrack top: the counters are taken\n"
			    "pmctrack top: A privileged session has taken the counters; counting has begun anew\n");
	rewind(out);
	text[fread(text, 1, sizeof(text) - 1, out)] = '\0';
	for (p = text; (p = strstr(p, "pmctrack top ")); p++)
		nr++;
	assert_int_equal(nr, 4);
	assert_int_equal(WEXITSTATUS(status), 0);
	fclose(out);
	fclose(err);
}

/* Look at this process. Return: whether the session was asked to count it */
static int look(int error)
{
	int before = nr_commands;

	fails_with = error;
	counting_look(&c);
	assert_int_equal(c.nr_processes, 1);
	return nr_commands - before;
}

static void begin_to_look(pid_t *pid)
{
	c.session = session_new(&fake_ops, dup(2));
	c.pids = pid;
	c.nr_pids = 1;
}

/* A process that could not be counted for a while is counted later; without the right, it stays refused. */
static void test_look(void **state)
{
	pid_t self = getpid();

	begin_to_look(&self);
	assert_true(look(ENOMEM));
	assert_int_equal(c.nr_refused, 1);
	assert_true(look(EBUSY));
	assert_int_equal(c.nr_refused, 1);
	assert_true(look(0));
	assert_int_equal(c.nr_refused, 0);
	assert_false(look(0));
	free(c.processes);
	c.processes = NULL;
	c.nr_processes = 0;
	assert_true(look(EPERM));
	assert_false(look(0));
	assert_int_equal(c.nr_refused, 1);
}

/* The right is one of a user and a program: it is asked for again when the process belongs to another user. */
static void test_look_at_another_owner(void **state)
{
	pid_t self = getpid();

	begin_to_look(&self);
	assert_true(look(EPERM));
	c.processes->owner++;
	assert_true(look(EPERM));
	assert_false(look(0));
	assert_int_equal(c.nr_refused, 1);
	c.processes->owner++;
	assert_true(look(0));
	assert_int_equal(c.nr_refused, 0);
}

/* A process of which the last sample came is there: it has executed a privileged program, or is another one. */
static void test_look_after_the_last_sample(void **state)
{
	pid_t self = getpid();

	begin_to_look(&self);
	assert_true(look(0));
	give(self, self + 1, PMC_READING_LAST);
	counting_drain(&c);
	assert_false(look(0));
	give(self, self, 0);
	counting_drain(&c);
	assert_false(look(0));
	give(self, self, PMC_READING_LAST);
	counting_drain(&c);
	assert_true(look(0));
	assert_false(look(0));
}

static void end_intervals(int nr)
{
	while (nr--)
		counting_end_interval(&c, 0, 1000 * MS);
}

/* A thread that is gone is forgotten though its last sample never came; one that sleeps is not. */
static void test_lost_last_sample(void **state)
{
	pid_t self = getpid(), gone = fork();

	if (!gone)
		_exit(0);
	waitpid(gone, NULL, 0);
	begin_to_look(&self);
	add(gone, 0, 10, 100, 1000, 100);
	add(self, 0, 10, 100, 1000, 100);
	end_intervals(THREAD_HISTORY);
	assert_false(counted_threads_find(&c.threads, gone)->ended);
	end_intervals(1);
	assert_true(counted_threads_find(&c.threads, gone)->ended);
	end_intervals(1);
	assert_null(counted_threads_find(&c.threads, gone));
	assert_false(counted_threads_find(&c.threads, self)->ended);
}

/* With nohup, the end of a terminal ends no command; SIGINT always does. */
static void test_signals(void **state)
{
	static const int signals[] = { SIGHUP, SIGTERM, SIGINT };
	size_t i;

	for (i = 0; i < 3; i++)
		signal(signals[i], SIG_IGN);
	catch_interrupts();
	raise(SIGHUP);
	raise(SIGTERM);
	assert_int_equal(interrupted, 0);
	raise(SIGINT);
	assert_int_equal(interrupted, SIGINT);
	for (i = 0; i < 3; i++) {
		signal(signals[i], SIG_DFL);
		catch_interrupts();
		raise(signals[i]);
		assert_int_equal(interrupted, signals[i]);
		signal(signals[i], SIG_DFL);
	}
	interrupted = 0;
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_table), TEST(test_wide_column), TEST(test_sleeps_and_ends), TEST(test_number_again),
		TEST(test_number_of_another_process), TEST(test_sort), TEST(test_sort_without_values),
		TEST(test_filter), TEST(test_select), TEST(test_thread), TEST(test_pick),
		TEST(test_order), TEST(test_input), TEST(test_users), TEST(test_did_not_run),
		TEST(test_other_values),
		TEST(test_notes), TEST(test_sizes), TEST(test_turns), TEST(test_many), TEST(test_storm),
		TEST(test_look), TEST(test_look_at_another_owner), TEST(test_look_after_the_last_sample),
		TEST(test_lost_last_sample), cmocka_unit_test(test_batch),
		cmocka_unit_test(test_signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
