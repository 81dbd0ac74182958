// SPDX-License-Identifier: GPL-2.0
/*
 * The tables that scripts/event-tables makes, in the folder $EVENT_TABLES: all generic events
 * of new processors, each line of each table, and perf's own encodings, which are in files of
 * the folder $PERF_ENCODINGS. tests/host/event_tables.sh runs this program.
 */
#include <dirent.h>
#include <unistd.h>

#include "lib.h"
#include "event_files.h"
#include "format_event.h"

static const char *folder;

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
	snprintf(text + n, sizeof(text) - n, "counter 0 pmc0-pmc7 general any interrupt\n");
	m = machine_parse(text);
	if (!m)
		fail_msg("%s: %s", text, pmc_last_error());
	return m;
}

static int encode(const pmc_machine_t *m, const char *name, struct event *ev)
{
	event_init(ev);
	snprintf(ev->name, sizeof(ev->name), "%s", name);
	strcpy(ev->base, ev->name);
	return event_encode(ev, m, machine_core_type(m, 0));
}

/* The list has generic events that a core does not count. The core has all others. */
static void test_generic(void **state)
{
	static const char small[] = " stall_frontend stall_backend bus_cycles slots ";
	static const struct {
		const char *backend;
		const char *pmu;
		unsigned int cpuid;
		unsigned int native;
		const char *file;
		const char *absent;
	} cases[] = {
		{ "intel", "cpu_core", 0xa06a4, 0x40, "meteorlake-cpu_core.events", " bus_cycles " },
		{ "intel", "cpu_atom", 0xa06a4, 0x20, "meteorlake-cpu_atom.events", small },
		{ "intel", "cpu_core", 0xc0652, 0x40, "arrowlake-cpu_core.events", " bus_cycles " },
		{ "intel", "cpu_atom", 0xc0662, 0x20, "arrowlake-cpu_atom.events", small },
		{ "intel", "cpu_lowpower", 0xc0652, 0x20, "arrowlake-cpu_lowpower.events", small },
		{ "intel", "cpu_core", 0xb06d1, 0x40, "lunarlake-cpu_core.events", " bus_cycles " },
		{ "intel", "cpu_atom", 0xb06d1, 0x20, "lunarlake-cpu_atom.events", small },
		{ "intel", "cpu", 0xa06d1, 0, "graniterapids.events", " bus_cycles " },
		{ "intel", "cpu", 0xa06f3, 0, "sierraforest.events", small },
		{ "intel", "cpu", 0x506e3, 0, "skylake.events", " slots " },
		{ "amd", "cpu", 0xb00f21, 0, "amdzen5.events", " llc_loads bus_cycles slots " },
		{ "armv8", "armv8_neoverse_v2", 0x410fd4f1, 0, "neoverse-n2-v2.events", " slots " },
	};
	char word[64];
	size_t i, k;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pmc_machine_t *m = machine_of(cases[i].backend, cases[i].pmu, cases[i].cpuid,
					      cases[i].native);
		const struct core_type *ct = machine_core_type(m, 0);

		assert_non_null(ct->files);
		assert_string_equal(event_files_name(ct->files), cases[i].file);
		for (k = 0; k < nr_generic_events; k++) {
			const char *name = generic_events[k].name;
			struct event ev;
			int refused;

			/* Level 3 caches have counters of their own. */
			if (!strncmp(name, "l3_", 3))
				continue;
			snprintf(word, sizeof(word), " %s ", name);
			refused = encode(m, name, &ev) != 0;
			if (refused != !!strstr(cases[i].absent, word))
				fail_msg("%s: %s: %s", cases[i].file, name,
					 refused ? pmc_last_error() : "encoded");
		}
		pmc_machine_close(m);
	}
}

/* One line of perf's: NAME, a tab, and event=0xd1,period=1000,umask=0x20,... */
static void take_term(struct event *ev, const char *term)
{
	const char *value = strchr(term, '=') + 1;
	unsigned long long n = strtoull(value, NULL, 0);
	size_t len = value - term;

	if (!strncmp(term, "event=", len))
		ev->code = n;
	else if (!strncmp(term, "umask=", len))
		ev->umask = n;
	else if (!strncmp(term, "cmask=", len))
		ev->cmask = n;
	else if (!strncmp(term, "inv=", len))
		ev->inv = n;
	else if (!strncmp(term, "edge=", len))
		ev->edge = n;
	else if (!strncmp(term, "any=", len))
		ev->any = n;
	else if (!strncmp(term, "offcore_rsp=", len) || !strncmp(term, "frontend=", len) ||
		 !strncmp(term, "ldlat=", len))
		ev->extra = n;
	else if (strncmp(term, "period=", len))
		fail_msg("perf has a term %s", term);
}

static int same_field(int a, int b)
{
	return (a == UNSET ? 0 : a) == (b == UNSET ? 0 : b);
}

static int compare(const char *file, const pmc_machine_t *m)
{
	char path[512], line[4096], *terms, *term;
	struct event ev, want;
	int nr = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", getenv("PERF_ENCODINGS"), file);
	f = fopen(path, "r");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		terms = strchr(line, '\t');
		assert_non_null(terms);
		*terms++ = '\0';
		event_init(&want);
		while ((term = strsep(&terms, ",")))
			take_term(&want, term);
		if (encode(m, line, &ev))
			fail_msg("%s: %s", file, pmc_last_error());
		if (ev.code != want.code || ev.extra != want.extra || !same_field(ev.umask, want.umask) ||
		    !same_field(ev.cmask, want.cmask) || !same_field(ev.inv, want.inv) ||
		    !same_field(ev.edge, want.edge) || !same_field(ev.any, want.any)) {
			event_print(&ev, path, sizeof(path));
			fail_msg("%s: %s is %s", file, line, path);
		}
		nr++;
	}
	fclose(f);
	print_message("%d events of %s are encoded as perf encodes them\n", nr, file);
	return nr;
}

static int count(void *arg, const struct pmc_event_info *ev)
{
	(*(int *)arg)++;
	return 0;
}

static void compare_machine(const char *file, const char *backend, const char *pmu,
			    unsigned int cpuid, unsigned int native, int at_least)
{
	pmc_machine_t *m;
	int nr = 0;

	if (!getenv("PERF_ENCODINGS"))
		skip();
	m = machine_of(backend, pmu, cpuid, native);
	event_files_each_event(machine_core_type(m, 0), count, &nr);
	assert_true(nr >= at_least);
	assert_int_equal(compare(file, m), nr);
	pmc_machine_close(m);
}

static void test_golden_cove(void **state)
{
	compare_machine("alderlake_cpu_core", "intel", "cpu_core", 0x90672, 0x40, 300);
}

static void test_zen4(void **state)
{
	compare_machine("amdzen4_default_core", "amd", "cpu", 0xa10f11, 0, 300);
}

static void test_cortex_a76(void **state)
{
	compare_machine("arm_cortex_a76_default_core", "armv8", "armv8_cortex_a76", 0x414fd0b1, 0, 100);
}

static int check_metric(void *arg, const struct file_metric *metric)
{
	struct file_metric found;
	const struct core_type *ct = arg;

	if (!*metric->name || !*metric->expr || strchr(metric->expr, '\t'))
		fail_msg("%s: metric '%s' is '%s'", event_files_name(ct->files), metric->name,
			 metric->expr);
	assert_int_equal(event_files_find_metric(ct, metric->name, &found), 1);
	assert_string_equal(found.expr, metric->expr);
	free(found.line);
	return 0;
}

/* Each event and metric that is in the table as a line can be looked up. */
static void check_file(const char *top, const char *name)
{
	char path[600], line[8192], event[EVENT_NAME];
	const struct core_type *ct;
	struct event ev;
	pmc_machine_t *m;
	int nr = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/index", top);
	f = fopen(path, "w");
	assert_non_null(f);
	fprintf(f, "* - %s\n", name);
	fclose(f);
	snprintf(path, sizeof(path), "%s/%s", top, name);
	m = machine_of("amd", "cpu", 0xa10f11, 0);
	ct = machine_core_type(m, 0);
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "event\t%127s\t", event) != 1)
			continue;
		nr++;
		event_init(&ev);
		strcpy(ev.base, event);
		if (event_files_encode(&ev, ct) != 1)
			fail_msg("%s: %s: %s", name, event, pmc_last_error());
	}
	fclose(f);
	event_files_each_metric(ct, check_metric, (void *)ct);
	if (nr < 20)
		fail_msg("%s has %d events", name, nr);
	pmc_machine_close(m);
}

static void test_each_line(void **state)
{
	char top[] = "/tmp/pmctrack-tables.XXXXXX", from[600], to[600];
	int nr = 0;
	struct dirent *d;
	DIR *dir = opendir(folder);

	assert_non_null(dir);
	assert_non_null(mkdtemp(top));
	snprintf(to, sizeof(to), "%s:", top);
	setenv("PMCTRACK_EVENTS", to, 1);
	while ((d = readdir(dir))) {
		if (!strstr(d->d_name, ".events"))
			continue;
		snprintf(from, sizeof(from), "%s/%s", folder, d->d_name);
		snprintf(to, sizeof(to), "%s/%s", top, d->d_name);
		assert_int_equal(symlink(from, to), 0);
		check_file(top, d->d_name);
		unlink(to);
		nr++;
	}
	closedir(dir);
	snprintf(to, sizeof(to), "%s/index", top);
	unlink(to);
	rmdir(top);
	assert_true(nr > 70);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generic),
		cmocka_unit_test(test_golden_cove),
		cmocka_unit_test(test_zen4),
		cmocka_unit_test(test_cortex_a76),
		cmocka_unit_test(test_each_line),
	};
	char list[512];

	folder = getenv("EVENT_TABLES");
	if (!folder) {
		fprintf(stderr, "which folder of tables? Set EVENT_TABLES.\n");
		return 2;
	}
	snprintf(list, sizeof(list), "%s:", folder);
	setenv("PMCTRACK_EVENTS", list, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
