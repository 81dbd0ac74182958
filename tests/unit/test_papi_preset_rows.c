// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of presets, libpmc/papi/presets: each row is a preset's, its formula compiles, and
 * each of its events is one of the model's. Models are the tables of events in the folder
 * $EVENT_TABLES, which scripts/event-tables makes. tests/host/papi_presets.sh runs this program.
 */
#include <strings.h>
#include <unistd.h>

#include "lib.h"
#include "event_files.h"
#include "format_event.h"
#include "formula.h"
#include "papi.h"
#include "preset_csv.h"
#include "preset_names.h"
#include "tables/tables.h"

#define MAX_MODELS 128

static struct preset_table table;
static const char *tables;		/* the folder of tables of events */
static char top[] = "/tmp/pmctrack-preset-rows.XXXXXX";

/* Each name of a CPU line once */
static const char *models[MAX_MODELS];
static int nr_models;

static void add_model(const char *name)
{
	int i;

	for (i = 0; i < nr_models; i++)
		if (!strcasecmp(models[i], name))
			return;
	assert_true(nr_models < MAX_MODELS);
	models[nr_models++] = name;
}

static int is_table(const char *model)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s.events", tables, model);
	return !access(path, R_OK);
}

static int is_arm(const char *model)
{
	return !strncmp(model, "cortex", 6) || !strncmp(model, "neoverse", 8) || !strncmp(model, "arm", 3);
}

static int is_atom(const char *model)
{
	return strstr(model, "_atom") || strstr(model, "_lowpower");
}

/* A machine with one kind of core, which has the model's table of events, if there is one. */
static pmc_machine_t *machine_of(const char *model)
{
	const int arm = is_arm(model), amd = !strncmp(model, "amd", 3);
	char text[512], path[512];
	pmc_machine_t *m;
	FILE *f;

	snprintf(path, sizeof(path), "%s/index", top);
	f = fopen(path, "w");
	assert_non_null(f);
	if (is_table(model))
		fprintf(f, "* - tables/%s.events\n", model);
	fclose(f);
	snprintf(text, sizeof(text),
		 "backend %s\ncore_type 0 cpus 0 name core pmu %s capacity 1024 cpuid %s\n"
		 "%scounter 0 pmc0-pmc7 general any interrupt\n",
		 arm ? "armv8" : amd ? "amd" : "intel",
		 arm ? "armv8_pmuv3" : amd ? "cpu" : is_atom(model) ? "cpu_atom" : "cpu_core",
		 arm ? "0x410fd0f0" : amd ? "0xa10f11" : "0x90672",
		 arm || amd ? "" : is_atom(model) ? "native_type 0 0x20\n" : "native_type 0 0x40\n");
	m = machine_parse(text);
	if (!m)
		fail_msg("%s: %s", model, pmc_last_error());
	return m;
}

/*
 * Is the event in the model's table, and encoded? Cortex-A53's list has only the core's own
 * events; those of the architecture are in the library's table.
 */
static int has_event(const char *model, const pmc_machine_t *m, const char *name)
{
	const struct core_type *ct = machine_core_type(m, 0);
	struct event ev;

	if (!event_files_know(ct, name) && !(is_arm(model) && table_find(&table_armv8, name)))
		return 0;
	event_init(&ev);
	snprintf(ev.name, sizeof(ev.name), "%s", name);
	strcpy(ev.base, ev.name);
	return !event_encode(&ev, m, ct);
}

struct check {
	const char *model;
	const pmc_machine_t *machine;
	int nr;
	int failed;
};

static void complain(struct check *check, const struct preset_def *def, const char *what)
{
	print_error("%s: line %u: %s: %s\n", check->model, def->line, def->name, what);
	check->failed++;
}

static int check_row(void *arg, const struct preset_def *def)
{
	struct check *check = arg;
	char error[PRESET_ERROR_SIZE];
	struct formula *f = formula_compile(def, 1000000000, NULL, NULL, error);
	int i;

	check->nr++;
	if (!f)
		complain(check, def, error);
	else if (formula_nr_terms(f) != def->nr_terms)
		complain(check, def, "it has an event twice");
	formula_free(f);
	if (!preset_code_of(def->name))
		complain(check, def, "PAPI has no such preset");
	for (i = 0; i < def->nr_terms; i++)
		if (!has_event(check->model, check->machine, def->terms[i]))
			complain(check, def, def->terms[i]);
	return 0;
}

static void check_model(const char *model, int *failed)
{
	const char *cpus[] = { model, NULL };
	pmc_machine_t *m = machine_of(model);
	struct check check = { .model = model, .machine = m };

	assert_true(!is_table(model) || machine_core_type(m, 0)->files);
	preset_table_each(&table, cpus, check_row, &check);
	if (!preset_table_find(&table, cpus, "PAPI_TOT_CYC") ||
	    !preset_table_find(&table, cpus, "PAPI_TOT_INS")) {
		print_error("%s: no cycles, or no instructions\n", model);
		check.failed++;
	}
	print_message("%s: %d presets\n", model, check.nr);
	*failed += check.failed;
	pmc_machine_close(m);
}

static int check_generic_row(void *arg, const struct preset_def *def)
{
	size_t k;
	int i;

	for (i = 0; i < def->nr_terms; i++) {
		for (k = 0; k < nr_generic_events; k++)
			if (!strcmp(generic_events[k].name, def->terms[i]))
				break;
		if (k == nr_generic_events)
			fail_msg("line %u: %s: %s is no generic event", def->line, def->name, def->terms[i]);
	}
	++*(int *)arg;
	return 0;
}

/* Models that no line names have the generic events. */
static void test_generic(void **state)
{
	const char *cpus[] = { "a model of tomorrow", NULL };
	int nr = 0;

	preset_table_each(&table, cpus, check_generic_row, &nr);
	print_message("other models: %d presets at most\n", nr);
	assert_true(nr > 10);
}

/* Other libraries' names of models have the rows of a table's model beside them. */
static void check_aliases(const struct preset_block *block)
{
	int i, nr_tables = 0;

	for (i = 0; i < block->nr_cpus; i++)
		nr_tables += is_table(block->cpus[i]) || !strcmp(block->cpus[i], "*");
	if (!nr_tables)
		fail_msg("no CPU line above line %u names a table of events", block->defs[0].line);
}

static void test_rows(void **state)
{
	int i, n, failed = 0;

	for (i = 0; i < table.nr_blocks; i++) {
		if (table.blocks[i].nr_defs)
			check_aliases(&table.blocks[i]);
		for (n = 0; n < table.blocks[i].nr_cpus; n++)
			add_model(table.blocks[i].cpus[n]);
	}
	for (i = 0; i < nr_models; i++)
		if (is_table(models[i]) || !strncmp(models[i], "armv", 4))
			check_model(models[i], &failed);
	assert_int_equal(failed, 0);
}

/* Tables that have to be there */
static void test_models(void **state)
{
	static const char *const wanted[] = {
		"alderlake-cpu_core", "alderlake-cpu_atom", "meteorlake-cpu_core", "meteorlake-cpu_atom",
		"arrowlake-cpu_core", "arrowlake-cpu_atom", "arrowlake-cpu_lowpower",
		"lunarlake-cpu_core", "lunarlake-cpu_atom", "skylake", "skylakex", "cascadelakex",
		"icelake", "icelakex", "sapphirerapids", "emeraldrapids", "graniterapids",
		"amdzen2", "amdzen3", "amdzen4", "amdzen5", "cortex-a53", "cortex-a55",
		"cortex-a57-a72", "cortex-a73", "cortex-a76", "cortex-a78", "cortex-x1", "cortex-x2",
		"armv9_cortex_x3", "armv9_cortex_x4", "neoverse-n1", "neoverse-n2-v2", "neoverse-v1",
		"adl_glc", "adl_grt", "skx", "spr", "arm_ac53", "arm_n1", "armv8",
	};
	size_t i;

	for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		const char *cpus[] = { wanted[i], NULL };

		if (!preset_table_find(&table, cpus, "PAPI_L1_DCM"))
			fail_msg("%s has no presets", wanted[i]);
	}
}

static const char *first_term(const char *model, const char *preset)
{
	const char *cpus[] = { model, NULL };
	const struct preset_def *def = preset_table_find(&table, cpus, preset);

	return def ? def->terms[0] : "";
}

/* libpfm4 has fewer events of Cortex-A53 than its own table. */
static void test_events_of_libpfm4(void **state)
{
	assert_string_equal(first_term("arm_ac53", "PAPI_BR_MSP"), "BR_MIS_PRED");
	assert_string_equal(first_term("cortex-a53", "PAPI_BR_MSP"), "BR_COND_MISPRED");
}

static const char *first_term_of_two(const char *table_name, const char *pmu, const char *preset)
{
	const char *cpus[] = { table_name, pmu, NULL };

	return preset_table_find(&table, cpus, preset)->terms[0];
}

/* The kernel's PMU says which events of the architecture a core without a table lacks. */
static void test_cores_without_table(void **state)
{
	static const char *const pmus[] = {
		"armv8_cortex_a53", "armv8_cortex_a57", "armv8_cortex_a72", "armv8_cortex_a73",
	};
	size_t i;

	for (i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
		assert_string_equal(first_term_of_two("armv8", pmus[i], "PAPI_BR_INS"), "BR_PRED");
		assert_string_equal(first_term_of_two("armv8", pmus[i], "PAPI_BR_MSP"), "BR_MIS_PRED");
		assert_string_equal(first_term_of_two("armv8", pmus[i], "PAPI_TLB_DM"),
				    "L1D_TLB_REFILL");
	}
	assert_string_equal(first_term_of_two("armv8", "armv8_cortex_a76", "PAPI_BR_INS"),
			    "BR_RETIRED");
	/* A table of the core's own takes precedence. */
	assert_string_equal(first_term_of_two("cortex-a53", "armv8_cortex_a53", "PAPI_BR_MSP"),
			    "BR_COND_MISPRED");
}

static int set_up(void **state)
{
	char error[PRESET_ERROR_SIZE], path[512], list[512];

	unsetenv("PAPI_CSV_EVENT_FILE");
	if (preset_table_presets(&table, PRESETS_DIR, error)) {
		print_error("%s\n", error);
		return -1;
	}
	if (!mkdtemp(top))
		return -1;
	snprintf(path, sizeof(path), "%s/tables", top);
	if (symlink(tables, path))
		return -1;
	snprintf(list, sizeof(list), "%s:", top);
	return setenv("PMCTRACK_EVENTS", list, 1);
}

static int tear_down(void **state)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/tables", top);
	unlink(path);
	snprintf(path, sizeof(path), "%s/index", top);
	unlink(path);
	rmdir(top);
	preset_table_clear(&table);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_generic),
		cmocka_unit_test(test_models),
		cmocka_unit_test(test_events_of_libpfm4),
		cmocka_unit_test(test_cores_without_table),
	};

	tables = getenv("EVENT_TABLES");
	if (!tables) {
		fprintf(stderr, "which folder of tables? Set EVENT_TABLES.\n");
		return 2;
	}
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
