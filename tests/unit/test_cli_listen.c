// SPDX-License-Identifier: GPL-2.0
/* What pmctrack listen prints of sessions whose owners have chosen names for a reader's terminal. */
#include <sys/wait.h>
#include <unistd.h>

#include "lib.h"
#include "listen/listen.h"
#include "verb.h"

#define EVIL "\x1b]0;evil\a"
#define QUOTED "\\x1b]0;evil\\x07"

static struct pmc_listener_event event;
static char *text;

static void describe(const char *description)
{
	event = (struct pmc_listener_event){
		.type = PMC_SESSION_BEGINS, .session = 3, .command = "x", .description = description,
	};
	listen_remember(&event);
	event = (struct pmc_listener_event){
		.type = PMC_SESSION_SAMPLE, .session = 3,
		.reading = { .pid = 7, .tid = 7, .nr_counts = 2, .counts = { 1, 2 }, .nr_virtual = 1 },
	};
}

/* Print the sample, and check that no control character is in it. */
static void print(const struct listen_ops *ops)
{
	struct listen_print p = { .machine = open_machine("hybrid") };
	size_t size, i;

	free(text);
	p.f = open_memstream(&text, &size);
	ops->sample(&p, &event);
	fclose(p.f);
	pmc_machine_close((pmc_machine_t *)p.machine);
	for (i = 0; i < size; i++)
		if (((unsigned char)text[i] < ' ' && text[i] != '\n') || text[i] == 0x7f)
			fail_msg("byte %d in %s", text[i], text);
}

static void has(const char *part)
{
	if (!strstr(text, part))
		fail_msg("no '%s' in '%s'", part, text);
}

static void test_names(void **state)
{
	describe("0.0=instr," EVIL " virtual=v" EVIL);
	strcpy(event.reading.name, "n" EVIL);
	print(&listen_table);
	has(" instr ");
	has(" " QUOTED " ");
	has(" v" QUOTED "\n");
	has(" n" QUOTED " ");
	print(&listen_csv);
	has(",type,lost,event,value,session_lost,throttled,counter_lost,evicted\n");
	has(",instr,1,0,0,0,0\n");
	has("," QUOTED ",2,");
	has(",v" QUOTED ",0,");
	has(",n" QUOTED ",");
	/* One that breaks the line, and a quotation mark of CSV */
	strcpy(event.reading.name, "a\n\"b");
	print(&listen_csv);
	has(",\"a\\x0a\"\"b\",");
	listen_forget(3);
}

/* Virtual counters are in their units, as pmctrack shows them. */
static void test_virtuals(void **state)
{
	be_machine("hybrid");
	describe("0.0=instr,cycles virtual=energy_psys,sf,energy_core,gone");
	unsetenv("PMCTRACK_PROC");
	event.reading.nr_virtual = 4;
	event.reading.virtual_counts[0] = 1500;
	event.reading.virtual_counts[1] = 742;
	event.reading.virtual_counts[2] = PMC_NO_VALUE;
	event.reading.virtual_counts[3] = 742;
	print(&listen_table);
	has(" energy_psys[mJ] ");
	has(" ~sf ");
	has(" energy_core[uJ] ");
	has(" 1.500 ");
	has(" 0.742 ");
	has(" - ");
	has(" 742\n");
	print(&listen_csv);
	has(",energy_psys[mJ],1.500,");
	has(",~sf,0.742,");
	has(",energy_core[uJ],,");
	has(",gone,742,");
	listen_forget(3);
}

/* A comma between the slashes of perf's form is part of a name. */
static void test_perf_form(void **state)
{
	describe("0.0=cpu_core/event=0x0a,umask=0x05/,instr,cycles virtual=sf");
	event.reading.nr_counts = 3;
	event.reading.counts[2] = 3;
	print(&listen_csv);
	has(",\"cpu_core/event=0x0a,umask=0x05/\",1,");
	has(",instr,2,");
	has(",cycles,3,");
	has(",sf,0,");
	listen_forget(3);
}

/* An event in another mode is another event: a metric has it if its formula names the mode. */
static void test_modes(void **state)
{
	const char *const metrics[] = { "ipc", "own=instr:u/cycles:u" };
	struct listen_print p = { .machine = open_machine("hybrid"), .metrics = metrics, .nr_metrics = 2 };
	size_t size;

	describe("0.0=instr:u,cycles:u");
	event.reading.nr_virtual = 0;
	listen_metrics_check(&p);
	free(text);
	p.f = open_memstream(&text, &size);
	listen_csv.sample(&p, &event);
	fclose(p.f);
	pmc_machine_close((pmc_machine_t *)p.machine);
	has(",instr:u,1,");
	has(",ipc,,");
	has(",own,0.50,");
	listen_forget(3);
}

static void csv_event(enum pmc_listener_event_type type, uint64_t lost)
{
	struct listen_print p = { .machine = open_machine("hybrid") };
	size_t size;

	free(text);
	p.f = open_memstream(&text, &size);
	event.type = type;
	event.lost = lost;
	(type == PMC_SESSION_BEGINS ? listen_csv.begin :
	 type == PMC_SESSION_SAMPLE ? listen_csv.sample : listen_csv.end)(&p, &event);
	fclose(p.f);
	pmc_machine_close((pmc_machine_t *)p.machine);
}

/* In CSV, the rows' column has all that was lost once. */
static void test_lost(void **state)
{
	int p[2], saved = dup(2);
	char errors[256] = "";

	describe("0.0=instr,cycles");
	event.reading.nr_virtual = 0;
	csv_event(PMC_SESSION_BEGINS, 2);
	csv_event(PMC_SESSION_SAMPLE, 3);
	has(",5,instr,1,");
	has(",0,cycles,2,");
	csv_event(PMC_SESSION_ENDS, 4);
	/* A sample without a count, too, has a row. */
	event.reading.nr_counts = 0;
	csv_event(PMC_SESSION_SAMPLE, 3);
	has(",7,,,");
	event.reading.nr_counts = 2;
	csv_event(PMC_SESSION_SAMPLE, 0);
	has(",0,instr,1,");
	csv_event(PMC_SESSION_ENDS, 6);
	assert_int_equal(pipe(p), 0);
	dup2(p[1], 2);
	listen_csv.finish();
	dup2(saved, 2);
	close(saved);
	close(p[1]);
	assert_true(read(p[0], errors, sizeof(errors) - 1) > 0);
	close(p[0]);
	assert_string_equal(errors, "pmctrack listen: 6 samples were lost after the last row\n");
	listen_forget(3);
}

/* Counts that are incomplete, and samples that the session has lost */
static void test_incomplete(void **state)
{
	describe("0.0=instr,cycles");
	event.reading.nr_virtual = 0;
	event.reading.type = PMC_EBS_SAMPLE;
	event.reading.lost = 4;
	event.reading.flags = PMC_READING_THROTTLED | PMC_READING_COUNTER_LOST;
	print(&listen_table);
	has("... 4 samples of session 3 were lost here: the session's buffer was full\n");
	has("session 3: thread 7: a counter was taken away: the counts are too low\n");
	has(" ebs! ");
	print(&listen_csv);
	has(",instr,1,4,1,1,0\n");
	has(",cycles,2,0,1,1,0\n");
	event.reading.type = PMC_SELF_SAMPLE;
	event.reading.lost = 0;
	event.reading.cpu = 5;
	event.reading.flags = PMC_READING_SYSWIDE | PMC_READING_LAST | PMC_READING_EVICTED;
	print(&listen_table);
	has("session 3: CPU 5: it is not counted any more: a privileged session, ");
	has(" self ");
	event.reading.nr_counts = 0;
	print(&listen_csv);
	has(",self,0,,,0,0,0,1\n");
	listen_forget(3);
}

pmc_listener_t *__wrap_pmc_listener_open(void);
int __wrap_pmc_listener_start(pmc_listener_t *l, unsigned int session);
int __wrap_pmc_listener_list(pmc_listener_t *l, void (*fn)(void *arg, const struct pmc_listener_event *event),
			     void *arg);
int __wrap_pmc_listener_fd(const pmc_listener_t *l);
int __wrap_pmc_listener_next_sized(pmc_listener_t *l, struct pmc_listener_event *event, size_t size);
void __wrap_pmc_listener_close(pmc_listener_t *l);

/*
 * Samples of session 3 that come as fast as they are read, with KILLED until a signal comes from another
 * process, or, with INTERRUPTED, a loss and a signal. With SILENT, there are none before sessions are listed,
 * with LATE, too; when they are, session 3 has taken a sample, and ended.
 */
static enum { GOES_ON, KILLED, INTERRUPTED, SILENT, LATE } ending;
static int was_listed;

static void kill_soon(void)
{
	pid_t parent = getpid();

	if (fork())
		return;
	usleep(100000);
	kill(parent, SIGTERM);
	_exit(0);
}

pmc_listener_t *__wrap_pmc_listener_open(void)
{
	return (pmc_listener_t *)&event;
}

int __wrap_pmc_listener_start(pmc_listener_t *l, unsigned int session)
{
	return 0;
}

int __wrap_pmc_listener_list(pmc_listener_t *l, void (*fn)(void *arg, const struct pmc_listener_event *event),
			     void *arg)
{
	was_listed = 1;
	return 0;
}

static int next_late(struct pmc_listener_event *next)
{
	static int nr;

	if (!was_listed || ending == SILENT || nr == 2)
		return 0;
	*next = (struct pmc_listener_event){
		.type = nr++ ? PMC_SESSION_ENDS : PMC_SESSION_SAMPLE, .session = 3, .reading.nr_counts = 1,
	};
	return 1;
}

int __wrap_pmc_listener_fd(const pmc_listener_t *l)
{
	return -1;
}

int __wrap_pmc_listener_next_sized(pmc_listener_t *l, struct pmc_listener_event *next, size_t size)
{
	static int nr;

	if (ending >= SILENT)
		return next_late(next);
	*next = (struct pmc_listener_event){ .type = PMC_SESSION_SAMPLE, .session = 3, .reading.nr_counts = 1 };
	if (nr++ == 0 && ending == KILLED)
		kill_soon();
	/* It never looks at the time, and what it has printed takes ever more memory. */
	if (nr > 2000000)
		_exit(3);
	if (ending != INTERRUPTED)
		return 1;
	*next = (struct pmc_listener_event){
		.type = PMC_SESSION_BEGINS, .session = 3, .lost = 5, .command = "x", .description = "",
	};
	raise(SIGINT);
	return nr == 1;
}

void __wrap_pmc_listener_close(pmc_listener_t *l)
{
}

/* The exit status of pmctrack listen with these options; -1: it does not end, or a signal ends it */
static int listen_with(char *option, char *output, FILE *errors)
{
	char *argv[] = { "listen", "-o", output, option, NULL };
	int status;

	if (!fork()) {
		dup2(fileno(errors), 2);
		alarm(20);
		be_machine("hybrid");
		_exit(listen_main(option ? 4 : 3, argv));
	}
	wait(&status);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* It ends, and sees a full disk, also if there is always another sample. */
static void test_load(void **state)
{
	FILE *errors = tmpfile();

	assert_int_equal(listen_with("-N0.2", "/dev/null", errors), 0);
	assert_int_equal(listen_with(NULL, "/dev/full", errors), 2);
	fclose(errors);
}

/* A signal is an end like others: what was lost is said. */
static void test_interrupted(void **state)
{
	FILE *errors = tmpfile();
	char line[256] = "";

	ending = INTERRUPTED;
	assert_int_equal(listen_with("--csv", "/dev/null", errors), 0);
	ending = GOES_ON;
	rewind(errors);
	assert_non_null(fgets(line, sizeof(line), errors));
	assert_string_equal(line, "pmctrack listen: 5 samples were lost after the last row\n");
	fclose(errors);
}

/* So it is while nobody reads the output. */
static void test_full_pipe(void **state)
{
	FILE *errors = tmpfile();
	char output[32];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	snprintf(output, sizeof(output), "/dev/fd/%d", ends[1]);
	ending = KILLED;
	assert_int_equal(listen_with("--csv", output, errors), 0);
	ending = GOES_ON;
	close(ends[0]);
	close(ends[1]);
	fclose(errors);
}

static void session_ends(int how, const char *expected)
{
	char path[] = "/tmp/test-listen-XXXXXX", output[4096], errors[256];
	FILE *err = tmpfile(), *out = fdopen(mkstemp(path), "r");

	ending = how;
	assert_int_equal(listen_with("3", path, err), 0);
	ending = GOES_ON;
	rewind(err);
	errors[fread(errors, 1, sizeof(errors) - 1, err)] = '\0';
	assert_string_equal(errors, expected);
	output[fread(output, 1, sizeof(output) - 1, out)] = '\0';
	assert_int_equal(!!strstr(output, "session 3 has ended"), how == LATE);
	unlink(path);
	fclose(out);
	fclose(err);
}

/* Messages that come while the listener looks whether the session has ended are printed. */
static void test_session_ends(void **state)
{
	session_ends(LATE, "");
	session_ends(SILENT, "pmctrack listen: session 3 has ended; its last messages were lost\n");
}

/* The longest description has room, whatever its bytes. */
static void test_long(void **state)
{
	static char description[1024] = "0.0=a,";
	struct listen_counts counts;

	memset(description + 6, '\x1b', sizeof(description) - 7);
	describe(description);
	listen_name_counts(&counts, &event);
	assert_int_equal(counts.nr, 3);
	assert_string_equal(counts.names[0], "a");
	assert_int_equal(strlen(counts.names[1]), 4 * (sizeof(description) - 7));
	assert_string_equal(counts.names[2], "count 3");
	print(&listen_csv);
	listen_forget(3);
}

/* Counts that have no name */
static void test_no_names(void **state)
{
	describe("");
	event.reading.nr_counts = PMC_MAX_COUNTS;
	event.reading.nr_virtual = PMC_MAX_VIRTUALS;
	print(&listen_csv);
	has(",count 1,1,");
	has(",count 48,0,");
	listen_forget(3);
	free(text);
	text = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names), cmocka_unit_test(test_virtuals),
		cmocka_unit_test(test_perf_form), cmocka_unit_test(test_modes),
		cmocka_unit_test(test_lost), cmocka_unit_test(test_incomplete), cmocka_unit_test(test_load),
		cmocka_unit_test(test_interrupted), cmocka_unit_test(test_full_pipe),
		cmocka_unit_test(test_session_ends),
		cmocka_unit_test(test_long), cmocka_unit_test(test_no_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
