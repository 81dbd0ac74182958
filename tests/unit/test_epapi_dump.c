// SPDX-License-Identifier: GPL-2.0
/* pmc-epapi-read on bytes that the library wrote, and on others. */
#include "epapi/dump.h"
#include "epapi_test.h"
#include "format_event.h"

static struct dump_area area;
static const char *why;
static size_t at;
static char *text;
static size_t text_size;

static int start(void **state)
{
	why = NULL;
	text = NULL;
	return fresh(state);
}

static int end(void **state)
{
	free(text);
	return nothing_wrong(state);
}

/* The library's own area, after some counting. */
static void count_something(void)
{
	int codes[] = { PAPI_TOT_CYC, PAPI_BRU_IDL, EPAPI_DMEM_STALL };
	long long values[3] = { 0, -2000000, 0 };
	struct sim_work w = work;

	sim.core_id = 1;
	w.event[3][2] += 0x80000000u;
	ok(ePAPI_start_counters(codes, 3));
	sim_run(&w);
	ok(ePAPI_accum_counters(values, 3));
}

static const struct dump_format *format(const char *name)
{
	const struct dump_format *f = dump_find_format(name);

	assert_non_null(f);
	return f;
}

static void print(const char *name, const char *file)
{
	const struct dump_format *fmt = format(name);
	FILE *f = open_memstream(&text, &text_size);

	if (fmt->begin)
		fmt->begin(f);
	fmt->area(f, file, &area, true);
	fmt->area(f, file, &area, false);
	if (fmt->end)
		fmt->end(f);
	fclose(f);
}

static void what_the_library_wrote(void **state)
{
	count_something();
	assert_null(dump_parse((uint8_t *)&epapi_results, sizeof(epapi_results), 0, &area));
	assert_int_equal(area.core, 1);
	assert_true(area.running);
	assert_int_equal(area.cctrl, 0x30e);
	assert_int_equal(area.nr, 3);
	assert_int_equal(area.events[0].code, (uint32_t)PAPI_TOT_CYC);
	assert_int_equal(area.events[0].value, 1000003);
	assert_false(area.events[0].wrapped);
	assert_int_equal(area.events[1].value, 1000003 - 10007 - 2000000);
	assert_int_equal(area.events[2].value, 40063 + 0x80000000ll);
	assert_true(area.events[2].wrapped);
	assert_false(area.events[2].inexact);
}

static void as_a_table(void **state)
{
	count_something();
	assert_null(dump_parse((uint8_t *)&epapi_results, sizeof(epapi_results), 0, &area));
	area.nr = 4;
	area.events[3] = (struct dump_event){ .code = 0x12345, .value = INT64_MIN,
					      .wrapped = true, .inexact = true };
	print("table", "x");
	text[strlen(text) / 2] = '\0';
	assert_string_equal(text,
		"[Core 1: running, normal mode, CCTRL 0x30e]\n"
		"event              counters                              value  in pmctrack    remarks\n"
		"PAPI_TOT_CYC       CCNT                                1000003  cycles\n"
		"PAPI_BRU_IDL       CCNT - M1CNT                       -1010004\n"
		"DMEM_STALL         M3CNT                            2147523711                 overflowed, which is counted in\n"
		"0x00012345                                -9223372036854775808                 overflowed, maybe more often than seen: at least that\n");
}

/* A difference of inexact counters has not even a lower limit. */
static void a_difference_that_is_not_exact(void **state)
{
	count_something();
	assert_null(dump_parse((uint8_t *)&epapi_results, sizeof(epapi_results), 0, &area));
	area.events[1].inexact = true;
	print("table", "x");
	assert_non_null(strstr(text, " -1010004                 overflowed, maybe more often than seen: means nothing\n"));
	assert_null(strstr(text, "at least"));
}

static void as_csv(void **state)
{
	count_something();
	assert_null(dump_parse((uint8_t *)&epapi_results, sizeof(epapi_results), 0, &area));
	area.nr = 1;
	area.offset = 512;
	area.events[0].inexact = true;
	print("csv", "a,\"b\".bin");
	assert_string_equal(text,
		"file,offset,core,state,mode,cctrl,event,code,pmctrack,value,wrapped,inexact\n"
		"\"a,\"\"b\"\".bin\",512,1,running,normal,0x30e,PAPI_TOT_CYC,0x8000003b,cycles,1000003,0,1\n"
		"\"a,\"\"b\"\".bin\",512,1,running,normal,0x30e,PAPI_TOT_CYC,0x8000003b,cycles,1000003,0,1\n");
}

static void as_json(void **state)
{
	count_something();
	assert_null(dump_parse((uint8_t *)&epapi_results, sizeof(epapi_results), 0, &area));
	area.running = false;
	area.cctrl = 3;
	area.nr = 2;
	print("json", "a\"\n");
	assert_string_equal(text,
		"{\"areas\": [\n"
		"{\"file\": \"a\\\"\\u000a\", \"offset\": 0, \"core\": 1, \"running\": false, \"task_mode\": true, \"cctrl\": 3, \"events\": [\n"
		"  {\"event\": \"PAPI_TOT_CYC\", \"code\": 2147483707, \"pmctrack\": \"cycles\", \"value\": 1000003, \"wrapped\": false, \"inexact\": false},\n"
		"  {\"event\": \"PAPI_BRU_IDL\", \"code\": 2147483664, \"pmctrack\": null, \"value\": -1010004, \"wrapped\": false, \"inexact\": false}]},\n"
		"{\"file\": \"a\\\"\\u000a\", \"offset\": 0, \"core\": 1, \"running\": false, \"task_mode\": true, \"cctrl\": 3, \"events\": [\n"
		"  {\"event\": \"PAPI_TOT_CYC\", \"code\": 2147483707, \"pmctrack\": \"cycles\", \"value\": 1000003, \"wrapped\": false, \"inexact\": false},\n"
		"  {\"event\": \"PAPI_BRU_IDL\", \"code\": 2147483664, \"pmctrack\": null, \"value\": -1010004, \"wrapped\": false, \"inexact\": false}]}\n"
		"]}\n");
}

/* The memory of two cores in one file, and bytes that look like an area. */
static void areas_are_found(void **state)
{
	static uint8_t memory[4096];
	size_t from = 0, found[2];
	int i;

	count_something();
	memset(memory, 0xa5, sizeof(memory));
	memcpy(memory + 100, "ePAP", 4);
	memcpy(memory + 1000, &epapi_results, sizeof(epapi_results));
	memcpy(memory + 3001, &epapi_results, sizeof(epapi_results));
	for (i = 0; i < 2; i++) {
		assert_true(dump_search(memory, sizeof(memory), from, &area, &why, &at));
		found[i] = area.offset;
		from = dump_end(&area);
		assert_int_equal(from, area.offset + 16 + 3 * 16);
	}
	assert_int_equal(found[0], 1000);
	assert_int_equal(found[1], 3001);
	assert_false(dump_search(memory, sizeof(memory), from, &area, &why, &at));
	assert_int_equal(at, 100);

	/* An incomplete area takes precedence over text that begins like an area. */
	assert_false(dump_search(memory, 3001 + 63, found[0] + 1, &area, &why, &at));
	assert_ptr_equal(why, dump_incomplete);
	assert_int_equal(at, 3001);
	assert_false(dump_search(memory, 1000, 0, &area, &why, &at));
	assert_ptr_equal(why, dump_incomplete);
	assert_int_equal(at, 3001);
}

/* Each byte of the header that is wrong or missing is reported or harmless. */
static void damaged_areas(void **state)
{
	static const struct {
		unsigned int offset;
		uint8_t value;
		const char *message;
	} cases[] = {
		{ 0, 'E', "does not begin with" },
		{ 4, 2, "another version" },
		{ 4, 0, "another version" },
		{ 5, 8, "makes no sense" },
		{ 6, 0, "makes no sense" },
		{ 6, 9, "makes no sense" },
		{ 6, 255, "makes no sense" },
		{ 7, 2, "makes no sense" },
		{ 8, 63, "makes no sense" },
		{ 10, 15, "makes no sense" },
		{ 11, 255, "makes no sense" },
	};
	uint8_t bytes[sizeof(epapi_results)];
	unsigned int i, value, size;

	count_something();
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		memcpy(bytes, &epapi_results, sizeof(bytes));
		bytes[cases[i].offset] = cases[i].value;
		why = dump_parse(bytes, sizeof(bytes), 0, &area);
		if (!why || !strstr(why, cases[i].message))
			fail_msg("case %u: %s", i, why);
	}
	for (i = 0; i < 16; i++) {
		for (value = 0; value < 256; value++) {
			uint8_t *tight = malloc(sizeof(bytes));

			memcpy(tight, &epapi_results, sizeof(bytes));
			tight[i] = value;
			dump_parse(tight, sizeof(bytes), 0, &area);
			free(tight);
		}
	}
	for (size = 0; size <= sizeof(bytes); size++) {
		uint8_t *tight = malloc(size + !size);

		memcpy(tight, &epapi_results, size);
		why = dump_parse(tight, size, 0, &area);
		assert_int_equal(!why, size >= 16 + 3 * 16);
		assert_non_null(dump_parse(tight, size, size + 1, &area));
		free(tight);
	}
}

static void names_are_pmctracks(void **state)
{
	int i, nr = 0;

	for (i = 0; i < NR_FACTS; i++) {
		const char *name = dump_generic_name(facts[i].code);

		nr += !!name;
		if (name && !generic_find(name))
			fail_msg("%s: pmctrack knows no %s", facts[i].name, name);
	}
	for (i = 0; i < NR_DOUBLE_FACTS; i++) {
		const char *name = dump_generic_name(double_facts[i].code);

		nr += !!name;
		if (name && !generic_find(name))
			fail_msg("%s: pmctrack knows no %s", double_facts[i].name, name);
	}
	assert_int_equal(nr, 7);
	assert_null(dump_generic_name(0));
	assert_null(dump_find_format("xml"));
}

#define dump_test(f)	cmocka_unit_test_setup_teardown(f, start, end)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		dump_test(what_the_library_wrote),
		dump_test(as_a_table),
		dump_test(a_difference_that_is_not_exact),
		dump_test(as_csv),
		dump_test(as_json),
		dump_test(areas_are_found),
		dump_test(damaged_areas),
		dump_test(names_are_pmctracks),
	};

	return cmocka_run_group_tests_name("epapi_dump", tests, NULL, NULL);
}
