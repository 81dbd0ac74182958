// SPDX-License-Identifier: GPL-2.0
/*
 * Event tables in files: their forms, the index, the search path, and files that are wrong
 * in any way.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "lib.h"
#include "event_files.h"
#include "event_folders.h"
#include "format_event.h"

static char top[] = "/tmp/pmctrack-events.XXXXXX";

static const char *path(const char *folder, const char *file)
{
	static char buf[2][256];
	static int n;

	n = !n;
	snprintf(buf[n], sizeof(buf[n]), "%s/%s/%s", top, folder, file);
	return buf[n];
}

static void write_bytes(const char *folder, const char *file, const char *text, size_t len)
{
	FILE *f;

	mkdir(path(folder, ""), 0755);
	f = fopen(path(folder, file), "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

static void write_file(const char *folder, const char *file, const char *text)
{
	write_bytes(folder, file, text, strlen(text));
}

/* From now on tables are looked for in these folders below @top and nowhere else. */
static void use(const char *a, const char *b)
{
	char list[600];

	snprintf(list, sizeof(list), "%s/%s:%s%s%s", top, a, b ? top : "", b ? "/" : "",
		 b ? b : "");
	if (b)
		strcat(list, ":");
	setenv("PMCTRACK_EVENTS", list, 1);
}

/* A machine of one core type with fixed counters pmc0 to pmc2. */
static pmc_machine_t *machine_of(const char *backend, const char *pmu, unsigned int cpuid,
				 unsigned int native_type)
{
	pmc_machine_t *m;
	char text[512];
	size_t n;

	n = snprintf(text, sizeof(text),
		     "backend %s\ncore_type 0 cpus 0 name core pmu %s capacity 1024 cpuid 0x%x\n",
		     backend, pmu, cpuid);
	if (native_type)
		n += snprintf(text + n, sizeof(text) - n, "native_type 0 0x%x\n", native_type);
	snprintf(text + n, sizeof(text) - n,
		 "counter 0 pmc0-pmc2 fixed instr interrupt\ncounter 0 pmc3-pmc7 general any interrupt\n");
	m = machine_parse(text);
	if (!m)
		fail_msg("%s: %s", text, pmc_last_error());
	return m;
}

static pmc_machine_t *golden_cove(void)
{
	return machine_of("intel", "cpu_core", 0x90672, 0x40);
}

/* Check the encoding of an event set; NULL: it is refused. */
static void means(const pmc_machine_t *m, const char *set, const char *want)
{
	pmc_config_t *config = pmc_config_new(m);
	int rc = pmc_config_add(config, set, PMC_EVERY_CORE_TYPE, 0);
	char line[256];

	if (!want && !rc)
		fail_msg("%s is %s", set, pmc_config_raw(config, 0));
	if (want && rc)
		fail_msg("%s: %s", set, pmc_last_error());
	snprintf(line, sizeof(line), "%s,coretype=0", want ? want : "");
	if (want)
		assert_string_equal(pmc_config_raw(config, 0), line);
	pmc_config_free(config);
}

static const char table[] =
	"# a comment\n"
	"event\tA.ONE\t0x1c0\tthe first event\n"
	"event\ta_two:m\t0x24:umask=0x21:cmask=0x2:inv:edge:any:extra=0x10003c0001:counters=0-3:deprecated\n"
	"event B 28:umask=0x1 blanks will do\r\n"
	"event\tB\t0x99\tthe second of its name\n"
	"event\tWIDE\t0x24:umask=0x1ff\n"
	"other\tC\t0x1\n"
	"\n"
	"metric\tMixed_case\t100%\tA.ONE / a_two@x\\-y@\tg1;g2\tMixed_case > 0.1\twhat it is\n"
	"metric\tshort\t\t1 + 2\n"
	"event\tLAST\t0xff\tno end of line";

static void test_forms(void **state)
{
	pmc_machine_t *m;

	write_file("forms", "index", "* - t.events\n");
	write_file("forms", "t.events", table);
	use("forms", "");
	m = golden_cove();
	assert_string_equal(pmc_machine_event_table(m, 0), "t.events, builtin adl_glc");
	means(m, "A.ONE", "ev=0x1c0");
	means(m, "a:one", "ev=0x1c0");
	means(m, "A_TWO.M", "ev=0x24:umask=0x21:cmask=0x02:edge:inv:any:extra=0x10003c0001");
	means(m, "B", "ev=0x1c:umask=0x01");
	means(m, "WIDE", "ev=0x24:umask=0x1ff");
	means(m, "LAST", "ev=0xff");
	means(m, "C", NULL);
	check_error("has no event 'C'");
	means(m, "A", NULL);
	means(m, "A.ONE.X", NULL);
	/* The user's words take precedence. */
	means(m, "B:umask=0x7:k:pmc=3:cmask=9", "pmc3=0x1c,umask3=0x07,cmask3=0x09,usr3=0,os3=1");
	means(m, "A_TWO.M:extra=0x5:inv=0", "ev=0x24:umask=0x21:cmask=0x02:edge:any:extra=0x5");
	pmc_machine_close(m);
}

static const char csv[] =
	"event_name,subevent_name,event_code,description,flags\n"
	"cycles_fixed,-,-,-,type=fixed;pmc=1,\n"
	"llc_misses,prefetch,0x2e,-,umask=0x71,\r\n"
	"stalls,total,0xa3,cycles that stall,umask=0x4;cmask=0x4\n"
	"cache,-,0x64,-,-,umask=0x09\n"
	"other,-,0x8,-,pmu=6\n"
	"nothing,-,-,-,-\n"
	"short,-\n"
	"bare,-,0xc0";

static void test_csv(void **state)
{
	pmc_machine_t *m;

	write_file("csv", "index", "GenuineIntel-6-97\t-\tx86.csv\n");
	write_file("csv", "x86.csv", csv);
	use("csv", "");
	m = golden_cove();
	means(m, "cycles_fixed", "pmc1");
	means(m, "cycles_fixed:pmc=2", NULL);
	check_error("is counted by pmc1");
	means(m, "llc_misses.prefetch", "ev=0x2e:umask=0x71");
	means(m, "LLC_MISSES:prefetch", "ev=0x2e:umask=0x71");
	means(m, "stalls.total", "ev=0xa3:umask=0x04:cmask=0x04");
	means(m, "cache", "ev=0x64:umask=0x09");
	means(m, "bare", "ev=0xc0");
	means(m, "event_name.subevent_name", NULL);
	means(m, "other", NULL);
	check_error("x86.csv, line 6: expected NAME,SUBEVENT,CODE");
	means(m, "nothing", NULL);
	check_error("line 7");
	means(m, "short", NULL);
	check_error("line 8");
	/* A generic event is what it is on every core type. */
	means(m, "llc_misses", "ev=0x2e:umask=0x41");
	pmc_machine_close(m);
}

static void file_is(const char *backend, const char *pmu, unsigned int cpuid,
		    unsigned int native_type, const char *want)
{
	pmc_machine_t *m = machine_of(backend, pmu, cpuid, native_type);
	const struct event_files *files = machine_core_type(m, 0)->files;
	const char *got = files ? event_files_name(files) : "none";

	if (strcmp(got, want))
		fail_msg("%s %s 0x%x: %s, not %s", backend, pmu, cpuid, got, want);
	pmc_machine_close(m);
}

static void test_index(void **state)
{
	write_file("index", "index",
		   "# comment - x\n"
		   "\n"
		   "GenuineIntel-6-97\tcpu_atom\tatom\n"
		   "GenuineIntel-6-97\tcpu_core\tcore\n"
		   "GenuineIntel-6-C[56] cpu_core c5core\r\n"
		   "GenuineIntel-6-C[56] cpu_atom c5atom\n"
		   "GenuineIntel-6-C[56] cpu_lowpower c5low\n"
		   "GenuineIntel-6-55-[01234] - early\n"
		   "GenuineIntel-6-55-[56789ABCDEF] - late\n"
		   "AuthenticAMD-25-[[:xdigit:]] - zen3\n"
		   "AuthenticAMD-25-* - zen4\n"
		   "AuthenticAMD-26-* cpu_core lost\n"
		   "AuthenticAMD-26\n"
		   "AuthenticAMD-26-* -\n"
		   "0x00000000410fd0b0 - a76\n"
		   "0x410fd030 armv8_cortex_a53 a53\n");
	use("index", "");
	file_is("intel", "cpu_core", 0x90672, 0x40, "core");
	file_is("intel", "cpu", 0x90672, 0x40, "core");
	file_is("intel", "cpu_atom", 0x90672, 0x20, "atom");
	file_is("intel", "cpu", 0x90672, 0x20, "atom");
	file_is("intel", "cpu", 0x90672, 0, "core");
	file_is("intel", "cpu_core", 0xc0652, 0x40, "c5core");
	file_is("intel", "cpu_atom", 0xc0662, 0x20, "c5atom");
	file_is("intel", "cpu_lowpower", 0xc0652, 0x20, "c5low");
	file_is("intel", "cpu_lowpower", 0x90672, 0x20, "atom");
	file_is("intel", "cpu", 0x50654, 0, "early");
	file_is("intel", "cpu", 0x5065b, 0, "late");
	file_is("intel", "cpu", 0xa0671, 0, "none");
	file_is("amd", "cpu", 0xa00f11, 0, "zen3");
	file_is("amd", "cpu", 0xa20f10, 0, "zen4");
	file_is("amd", "cpu", 0xb00f21, 0, "none");
	/* The number of a family alone is not a vendor. */
	file_is("amd", "cpu", 0x90672, 0, "none");
	file_is("armv8", "armv8_cortex_a76", 0x414fd0b1, 0, "a76");
	file_is("armv8", "armv8_cortex_a53", 0x410fd034, 0, "a53");
	file_is("armv8", "armv8_pmuv3", 0x410fd034, 0, "none");
	file_is("armv8", "armv8_cortex_a72", 0x410fd083, 0, "none");
}

static int note(void *arg, const struct pmc_event_info *ev)
{
	char *list = arg;

	if (!strncmp(ev->name, "X_", 2))
		snprintf(list + strlen(list), 400 - strlen(list), "%s %s %s;", ev->name, ev->raw,
			 ev->desc ? ev->desc : "-");
	return 0;
}

static void test_path(void **state)
{
	char list[400] = "";
	pmc_machine_t *m;

	write_file("mine", "index", "* - mine.events\n");
	write_file("mine", "mine.events", "event\tX_A\t0x1\tmine\nevent\tX_B\tbad\nevent\tX_C\t0x3\n");
	write_file("system", "index", "* - system.events\n");
	write_file("system", "system.events",
		   "event\tx_a\t0x11\tthe system's\nevent\tX_D\t0x14:umask=0x1\tone more\n");
	use("mine", "system");
	m = golden_cove();
	means(m, "X_A", "ev=0x01");
	means(m, "X_C", "ev=0x03");
	means(m, "X_D", "ev=0x14:umask=0x01");
	means(m, "X_B", NULL);
	check_error("mine.events, line 2: expected event NAME CODE");
	means(m, "X_E", NULL);
	check_error("did you mean X_A, X_C or X_D?");
	assert_int_equal(pmc_machine_each_event(m, 0, note, list), 0);
	assert_string_equal(list, "X_A ev=0x01 mine;X_C ev=0x03 -;X_D ev=0x14:umask=0x01 one more;");
	pmc_machine_close(m);

	use("system", "mine");
	m = golden_cove();
	means(m, "X_A", "ev=0x11");
	pmc_machine_close(m);

	/* The user's own folder, which an empty one before it takes out. */
	setenv("XDG_CONFIG_HOME", top, 1);
	mkdir(path("pmctrack", ""), 0755);
	write_file("pmctrack/events", "index", "* - config.events\n");
	write_file("pmctrack/events", "config.events", "event\tX_A\t0x21\n");
	use("none", NULL);
	setenv("PMCTRACK_EVENTS", "/nowhere", 1);
	m = golden_cove();
	means(m, "X_A", "ev=0x21");
	pmc_machine_close(m);
	setenv("PMCTRACK_EVENTS", "/nowhere:", 1);
	m = golden_cove();
	means(m, "X_A", NULL);
	pmc_machine_close(m);
	unsetenv("XDG_CONFIG_HOME");
}

/* The library's own table and libpfm4 come after files, and generic events before them. */
static void test_order(void **state)
{
	pmc_machine_t *m;

	write_file("order", "index", "* - o.events\n");
	write_file("order", "o.events",
		   "event\tMEM_LOAD_RETIRED.L3_MISS\t0x1\nevent\tcycles\t0x2\nevent\ttask_clock\t0x3\n"
		   "event\t0x44\t0x4\n");
	use("order", "");
	m = golden_cove();
	means(m, "MEM_LOAD_RETIRED.L3_MISS", "ev=0x01");
	means(m, "MEM_LOAD_RETIRED.L3_HIT", "ev=0xd1:umask=0x04");
	means(m, "cycles", "ev=0x3c:umask=0x00");
	means(m, "task_clock", "sw=task_clock");
	means(m, "0x44", "ev=0x44");
	pmc_machine_close(m);
}

static int count_metrics(void *arg, const struct file_metric *metric)
{
	int *n = arg;

	assert_non_null(metric->expr);
	(*n)++;
	return *n == 2 ? 7 : 0;
}

static void test_metrics(void **state)
{
	struct file_metric metric;
	const struct core_type *ct;
	pmc_machine_t *m;
	int n = 0;

	use("forms", "");
	m = golden_cove();
	ct = machine_core_type(m, 0);
	assert_int_equal(event_files_find_metric(ct, "MIXED_CASE", &metric), 1);
	assert_string_equal(metric.name, "Mixed_case");
	assert_string_equal(metric.scale, "100%");
	assert_string_equal(metric.expr, "A.ONE / a_two@x\\-y@");
	assert_string_equal(metric.groups, "g1;g2");
	assert_string_equal(metric.threshold, "Mixed_case > 0.1");
	assert_string_equal(metric.desc, "what it is");
	free(metric.line);
	assert_int_equal(event_files_find_metric(ct, "short", &metric), 1);
	assert_string_equal(metric.scale, "");
	assert_string_equal(metric.expr, "1 + 2");
	assert_string_equal(metric.desc, "");
	free(metric.line);
	assert_int_equal(event_files_find_metric(ct, "A.ONE", &metric), 0);
	assert_int_equal(event_files_each_metric(ct, count_metrics, &n), 7);
	assert_int_equal(n, 2);
	pmc_machine_close(m);
	setenv("PMCTRACK_EVENTS", "", 1);
	m = golden_cove();
	assert_int_equal(event_files_find_metric(machine_core_type(m, 0), "short", &metric), 0);
	assert_int_equal(event_files_each_metric(machine_core_type(m, 0), count_metrics, &n), 0);
	pmc_machine_close(m);
}

/* Look at everything that @file of folder bad has. */
static void read_all(const char *file)
{
	char index[64];
	struct file_metric metric;
	char list[400] = "";
	pmc_machine_t *m;
	struct event ev;
	int n = 0;

	snprintf(index, sizeof(index), "* - %s\n", file);
	write_file("bad", "index", index);
	use("bad", "");
	m = golden_cove();
	event_init(&ev);
	strcpy(ev.name, "a_two:m");
	strcpy(ev.base, "a_two:m");
	event_encode(&ev, m, machine_core_type(m, 0));
	pmc_machine_each_event(m, 0, note, list);
	if (event_files_find_metric(machine_core_type(m, 0), "mixed_case", &metric) == 1)
		free(metric.line);
	event_files_each_metric(machine_core_type(m, 0), count_metrics, &n);
	pmc_machine_close(m);
}

/* Files that no table is in are refused, and say why; names that need no file are not. */
static void test_no_tables(void **state)
{
	pmc_machine_t *m;
	int i;
	static const struct {
		const char *file;
		const char *error;
	} cases[] = {
		{ "absent", "absent, which the index beside it names: No such file" },
		{ "fifo", "cannot read the event table" },
		{ "folder", "cannot read the event table" },
		{ "huge", "cannot read the event table" },
		{ "perf.json", "perf.json: JSON is converted once: type pmc-import-events" },
	};
	char index[64];

	write_file("bad", "index", "");
	write_file("bad", "huge", "");
	write_file("bad", "perf.json", "[]");
	assert_int_equal(truncate(path("bad", "huge"), 17 << 20), 0);
	mkfifo(path("bad", "fifo"), 0600);
	mkdir(path("bad", "folder"), 0700);
	use("bad", "");
	for (i = 0; i < (int)(sizeof(cases) / sizeof(cases[0])); i++) {
		snprintf(index, sizeof(index), "* - %s\n", cases[i].file);
		write_file("bad", "index", index);
		m = golden_cove();
		means(m, "instr", "ev=0xc0:umask=0x00");
		means(m, "X_A", NULL);
		check_error(cases[i].error);
		pmc_machine_close(m);
		read_all(cases[i].file);
	}
}

static unsigned int random_state = 1;

static unsigned int random_number(unsigned int below)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 8) % below;
}

/* Tables and indexes with bytes that are any: nothing is read outside them. */
static void test_hostile(void **state)
{
	static const char bytes[] = "\0\n\t :,=#-*[\\\xff" "0xe";
	const char *good;
	char text[sizeof(table)];
	int i, k, is_csv;
	size_t len, at;

	for (i = 0; i < 400; i++) {
		is_csv = i % 2;
		good = is_csv ? csv : table;
		len = strlen(good);
		memcpy(text, good, len);
		for (k = random_number(8); k >= 0; k--)
			text[random_number(len)] = bytes[random_number(sizeof(bytes) - 1)];
		at = random_number(4) ? 0 : random_number(len);
		write_bytes("bad", is_csv ? "t.csv" : "t.events", text + at,
			    random_number(4) ? len - at : random_number(len - at));
		read_all(is_csv ? "t.csv" : "t.events");
	}
	for (i = 0; i < 300; i++) {
		static const char index[] = "GenuineIntel-6-[9A]7\tcpu_core\tt.events\n* - t.csv\n0x1 - x";
		pmc_machine_t *m;

		memcpy(text, index, sizeof(index));
		for (k = random_number(8); k >= 0; k--)
			text[random_number(sizeof(index) - 1)] = bytes[random_number(sizeof(bytes) - 1)];
		write_bytes("bad", "index", text, sizeof(index) - 1);
		m = golden_cove();
		pmc_machine_close(m);
	}
}

/* Lines that are longer than any buffer */
static void test_long(void **state)
{
	static char line[200000];
	pmc_machine_t *m;

	memset(line, 'x', sizeof(line) - 1);
	memcpy(line, "event\t", 6);
	write_file("bad", "t.events", line);
	read_all("t.events");
	line[150] = '\t';
	write_file("bad", "t.events", line);
	read_all("t.events");
	line[20] = '\t';
	memcpy(line + 100000, "\nevent\tX_Z\t0x5\n", 15);
	write_file("bad", "t.events", line);
	read_all("t.events");
	m = golden_cove();
	means(m, "X_Z", "ev=0x05");
	pmc_machine_close(m);
	line[100000] = 'x';
	write_file("bad", "index", line);
	m = golden_cove();
	pmc_machine_close(m);
}

/* Each of many names is found, however they share places in the hash table. */
static void test_many(void **state)
{
	char name[32], want[64], *text = malloc(5000 * 64);
	pmc_machine_t *m;
	unsigned int i;
	size_t n = 0;

	(void)state;
	for (i = 0; i < 5000; i++)
		n += sprintf(text + n, "%s\tN%u.X\t0x%x:umask=0x%x\tx\n",
			     i % 5 ? "event" : "metric", i, i & 0xff, i >> 8);
	write_file("many", "index", "GenuineIntel-6-97 - table\n");
	write_file("many", "table", text);
	free(text);
	use("many", "");
	m = golden_cove();
	for (i = 0; i < 5000; i++) {
		/* A refusal compares its name with all names: some are enough. */
		if (i % 5 == 0 && i % 250)
			continue;
		snprintf(name, sizeof(name), i & 1 ? "n%u:x" : "N%u.X", i);
		snprintf(want, sizeof(want), "ev=0x%02x:umask=0x%02x", i & 0xff, i >> 8);
		means(m, name, i % 5 ? want : NULL);
	}
	means(m, "n5000:x", NULL);
	pmc_machine_close(m);
}

static int set_up(void **state)
{
	return mkdtemp(top) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_no_tables),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
