// SPDX-License-Identifier: GPL-2.0
/*
 * The library's own event tables: their consistency, the choice of a core type's table, and
 * the encodings of generic events. Expected codes are taken from the manuals, not from the
 * tables.
 */
#include <ctype.h>

#include "lib.h"
#include "format_event.h"
#include "pfm.h"
#include "tables/tables.h"

#define TABLE_ADDRESS(name) &table_##name,
static const struct event_table *const all[] = {
	MODEL_TABLES(TABLE_ADDRESS) &table_amd_zen, &table_armv8, &table_intel_arch,
};

/* A machine of one core type with eight counters. */
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
		 "counter 0 pmc0-pmc7 general any interrupt\nuncore l3 pmu amd_l3 driver amd-uncore\n");
	m = machine_parse(text);
	if (!m)
		fail_msg("%s: %s", text, pmc_last_error());
	return m;
}

/* Check the encoding of @name; NULL: it has none. */
static const char *meaning(const pmc_machine_t *m, const char *name)
{
	static char line[256];
	struct event ev;

	event_init(&ev);
	snprintf(ev.name, sizeof(ev.name), "%s", name);
	strcpy(ev.base, ev.name);
	if (event_encode(&ev, m, machine_core_type(m, 0)))
		return NULL;
	event_print(&ev, line, sizeof(line));
	return line;
}

static void means(const pmc_machine_t *m, const char *name, const char *want)
{
	const char *got = meaning(m, name);

	if (!want && !got)
		return;
	if (!got || !want || strcmp(got, want))
		fail_msg("%s of %s is %s, not %s", name, pmc_machine_event_table(m, 0),
			 got ? got : pmc_last_error(), want ? want : "refused");
}

static void test_sound(void **state)
{
	const struct event_table *table;
	const struct table_generic *p;
	const struct generic_event *name;
	const struct table_event *ev;
	size_t i, j, k;

	for (i = 0; i < TABLE_SIZE(all); i++) {
		table = all[i];
		for (j = 0; j < table->nr_events; j++) {
			ev = &table->events[j];
			if (!*ev->name || !*ev->desc || !ev->source || !*ev->source)
				fail_msg("%s: row %zu is not whole", table->name, j);
			assert_in_range(ev->code, 0, table->family == FAMILY_ARM ? 0xffff :
					table->family == FAMILY_AMD ? 0xfff : 0xff);
			assert_true(ev->umask >= -1 && ev->umask <= 0xff);
			assert_in_range(ev->cmask, 0, 0xff);
			/* These codes count nothing without a second register. */
			if (!ev->extra && (!strncmp(ev->name, "OCR.", 4) ||
					   !strncmp(ev->name, "FRONTEND_RETIRED.", 17)))
				fail_msg("%s: %s has no value for it", table->name, ev->name);
			/* Both only modify the comparison with cmask. */
			if (ev->flags && !ev->cmask)
				fail_msg("%s: %s has no cmask", table->name, ev->name);
			for (k = 0; k < j; k++)
				if (!strcmp(ev->name, table->events[k].name))
					fail_msg("%s: two %s", table->name, ev->name);
			assert_ptr_equal(table_find(table, ev->name), ev);
		}
		for (p = table->generic; p && p->name; p++) {
			name = generic_find(p->name);
			if (!name || strcmp(name->name, p->name))
				fail_msg("%s: %s is no generic event", table->name, p->name);
			if (*p->meaning && !isdigit(*p->meaning) &&
			    strncmp(p->meaning, "l3=", 3) && !table_find(table, p->meaning))
				fail_msg("%s: no row %s", table->name, p->meaning);
		}
	}
}

static void test_choice(void **state)
{
	static const struct {
		enum family family;
		unsigned int cpuid;
		unsigned int native;
		const char *name;
	} cases[] = {
		{ FAMILY_INTEL, 0x90672, NATIVE_CORE, "adl_glc" },	/* Alder Lake-S */
		{ FAMILY_INTEL, 0x90672, NATIVE_ATOM, "adl_grt" },
		{ FAMILY_INTEL, 0x906a3, NATIVE_ATOM, "adl_grt" },	/* Alder Lake-P */
		{ FAMILY_INTEL, 0xb0671, NATIVE_CORE, "adl_glc" },	/* Raptor Lake */
		{ FAMILY_INTEL, 0xb06a2, NATIVE_ATOM, "adl_grt" },
		{ FAMILY_INTEL, 0xb06f2, NATIVE_CORE, "adl_glc" },
		{ FAMILY_INTEL, 0x90675, 0, "adl_glc" },		/* no small cores */
		{ FAMILY_INTEL, 0xb06e0, 0, "adl_grt" },		/* Alder Lake-N */
		{ FAMILY_INTEL, 0xa06a4, NATIVE_CORE, "intel_arch" },	/* Meteor Lake */
		{ FAMILY_INTEL, 0x506e3, 0, "intel_arch" },		/* Skylake */
		{ FAMILY_INTEL, 0xb11, 0, "knc" },
		{ FAMILY_AMD, 0x600f20, 0, "amd_fam15h" },		/* Piledriver */
		{ FAMILY_AMD, 0x730f01, 0, "amd_fam15h" },		/* Puma */
		{ FAMILY_AMD, 0x800f11, 0, "amd_zen1" },		/* 17h 01h */
		{ FAMILY_AMD, 0x810f81, 0, "amd_zen1" },		/* 17h 18h, Zen+ */
		{ FAMILY_AMD, 0x900f01, 0, "amd_zen1" },		/* 18h, Hygon */
		{ FAMILY_AMD, 0x830f10, 0, "amd_zen2" },		/* 17h 31h */
		{ FAMILY_AMD, 0x850f00, 0, "amd_zen1" },		/* 17h 50h */
		{ FAMILY_AMD, 0x860f01, 0, "amd_zen2" },		/* 17h 60h */
		{ FAMILY_AMD, 0x870f10, 0, "amd_zen2" },		/* 17h 71h */
		{ FAMILY_AMD, 0xa00f11, 0, "amd_zen3" },		/* 19h 01h */
		{ FAMILY_AMD, 0xa20f10, 0, "amd_zen3" },		/* 19h 21h */
		{ FAMILY_AMD, 0xa10f11, 0, "amd_zen4" },		/* 19h 11h */
		{ FAMILY_AMD, 0xa60f12, 0, "amd_zen4" },		/* 19h 61h */
		{ FAMILY_AMD, 0xaa0f01, 0, "amd_zen4" },		/* 19h a0h */
		{ FAMILY_AMD, 0xb00f21, 0, "amd_zen5" },		/* 1Ah 02h */
		{ FAMILY_AMD, 0xb40f40, 0, "amd_zen5" },		/* 1Ah 44h */
		{ FAMILY_AMD, 0xb70f00, 0, "amd_zen5" },		/* 1Ah 70h */
		{ FAMILY_AMD, 0xb50f00, 0, "amd_zen" },			/* 1Ah 50h, Zen 6 */
		{ FAMILY_AMD, 0, 0, "amd_zen" },
		/* A family number alone is not a vendor. */
		{ FAMILY_INTEL, 0xb00f21, 0, "intel_arch" },
		{ FAMILY_AMD, 0x90672, NATIVE_CORE, "amd_zen" },
		{ FAMILY_ARM, 0x410fd083, 0, "armv8" },
	};
	size_t i;

	for (i = 0; i < TABLE_SIZE(cases); i++) {
		const struct event_table *t = table_choose(cases[i].family, cases[i].cpuid,
							   cases[i].native);

		assert_non_null(t);
		if (strcmp(t->name, cases[i].name))
			fail_msg("CPUID 0x%x gets %s, not %s", cases[i].cpuid, t->name,
				 cases[i].name);
	}
	assert_null(table_choose(FAMILY_NONE, 0x90672, 0));
}

/* The native type from /proc/pmc/info, or else from the name of the kernel's PMU. */
static void test_native_type(void **state)
{
	pmc_machine_t *m = open_machine("hybrid");

	assert_int_equal(machine_core_type(m, 0)->native_type, NATIVE_CORE);
	assert_int_equal(machine_core_type(m, 1)->native_type, NATIVE_ATOM);
	assert_ptr_equal(machine_core_type(m, 0)->table, &table_adl_glc);
	assert_ptr_equal(machine_core_type(m, 1)->table, &table_adl_grt);
	pmc_machine_close(m);

	m = machine_of("intel", "cpu_atom", 0x90672, 0);
	assert_ptr_equal(machine_core_type(m, 0)->table, &table_adl_grt);
	pmc_machine_close(m);
	m = machine_of("intel", "cpu", 0x90672, NATIVE_ATOM);
	assert_ptr_equal(machine_core_type(m, 0)->table, &table_adl_grt);
	pmc_machine_close(m);
	m = machine_of("intel", "cpu", 0x90672, 0);
	assert_ptr_equal(machine_core_type(m, 0)->table, &table_adl_glc);
	pmc_machine_close(m);

	assert_null(machine_parse("native_type 0 0x40\ncore_type 0 name x\n"));
	check_error("native_type is of no core type");
	assert_null(machine_parse("core_type 0 name x\nnative_type 0x40\n"));
	check_error("native_type lacks a field");
}

static const char *const generic[] = {
	"instr", "cycles", "ref_cycles", "branches", "branch_misses", "llc_references",
	"llc_misses", "llc_loads", "llc_load_misses", "loads", "stores", "l1d_references",
	"l1d_loads", "l1d_misses", "l1i_misses",
	"l2_references", "l2_misses", "dtlb_misses", "itlb_misses", "stall_frontend",
	"stall_backend", "bus_cycles", "slots", "l3_references", "l3_misses",
};

/* Every generic event, in the order above. */
static void generic_is(const char *backend, const char *pmu, unsigned int cpuid,
			unsigned int native_type, const char *const *want)
{
	pmc_machine_t *m = machine_of(backend, pmu, cpuid, native_type);
	size_t i;

	assert_int_equal(TABLE_SIZE(generic), nr_generic_events);
	for (i = 0; i < TABLE_SIZE(generic); i++)
		means(m, generic[i], want[i]);
	pmc_machine_close(m);
}

static void test_generic_intel(void **state)
{
	static const char *const glc[] = {
		"ev=0xc0:umask=0x00", "ev=0x3c:umask=0x00", "ev=0x3c:umask=0x01",
		"ev=0xc4:umask=0x00", "ev=0xc5:umask=0x00", "ev=0x2e:umask=0x4f",
		"ev=0x2e:umask=0x41", "ev=0xd1:umask=0x10", "ev=0xd1:umask=0x20",
		"ev=0xd0:umask=0x81", "ev=0xd0:umask=0x82", "ev=0xd0:umask=0x83",
		"ev=0xd0:umask=0x81", "ev=0x51:umask=0x01", "ev=0x24:umask=0xe4",
		"ev=0x24:umask=0xff", "ev=0x24:umask=0x3f", "ev=0x12:umask=0x0e",
		"ev=0x11:umask=0x0e", "ev=0x9c:umask=0x01:cmask=0x06",
		"ev=0xa3:umask=0x04:cmask=0x04", NULL, "ev=0x00:umask=0x04", NULL, NULL,
	};
	static const char *const grt[] = {
		"ev=0xc0:umask=0x00", "ev=0x3c:umask=0x00", "ev=0x3c:umask=0x01",
		"ev=0xc4:umask=0x00", "ev=0xc5:umask=0x00", "ev=0x2e:umask=0x4f",
		"ev=0x2e:umask=0x41", "ev=0xd1:umask=0x10", "ev=0xd2:umask=0x20",
		"ev=0xd0:umask=0x81", "ev=0xd0:umask=0x82", "ev=0xd0:umask=0x83",
		"ev=0xd0:umask=0x81", "ev=0xd1:umask=0x08", "ev=0x80:umask=0x02",
		"ev=0x24:umask=0x00", "ev=0x24:umask=0x01", "ev=0x08:umask=0x0e",
		"ev=0x85:umask=0x0e", NULL, NULL, NULL, NULL, NULL, NULL,
	};
	static const char *const knc[] = {
		"ev=0x16:umask=0x00", "ev=0x2a:umask=0x00", NULL, "ev=0x12:umask=0x00",
		"ev=0x2b:umask=0x00", NULL, "ev=0xcb:umask=0x10", NULL, NULL, NULL, NULL,
		"ev=0x28:umask=0x00", NULL, "ev=0x29:umask=0x00", "ev=0x0e:umask=0x00", NULL,
		"ev=0xcb:umask=0x10", "ev=0x02:umask=0x00", "ev=0x0d:umask=0x00",
		"ev=0x2d:umask=0x00", NULL, NULL, NULL, NULL, NULL,
	};

	generic_is("intel", "cpu_core", 0x90672, NATIVE_CORE, glc);
	generic_is("intel", "cpu_atom", 0x90672, NATIVE_ATOM, grt);
	generic_is("intel", "cpu", 0xb11, 0, knc);
}

#define ZEN(ref, load_misses, l1d_misses, l1i_misses, itlb, frontend, backend, l3_misses) {	\
	"ev=0xc0", "ev=0x76", ref, "ev=0xc2", "ev=0xc3",			\
	"ev=0x60:umask=0xff", "ev=0x64:umask=0x09", NULL, load_misses,		\
	"ev=0x29:umask=0x05", "ev=0x29:umask=0x06", "ev=0x29:umask=0x07",	\
	"ev=0x29:umask=0x05", l1d_misses, l1i_misses,				\
	"ev=0x64:umask=0xff", "ev=0x64:umask=0x09", "ev=0x45:umask=0xf0",	\
	itlb, frontend, backend, NULL, NULL, "l3=0x04:umask=0xff", l3_misses }

static void test_generic_amd(void **state)
{
	static const char *const zen1[] =
		ZEN(NULL, NULL, "ev=0x60:umask=0xc8", "ev=0x81", "ev=0x85",
		    "ev=0x87:umask=0x02", "ev=0x87:umask=0x01", "l3=0x06:umask=0x01");
	static const char *const zen2[] =
		ZEN(NULL, NULL, "ev=0x60:umask=0xc8", "ev=0x81", "ev=0x85:umask=0x07",
		    "ev=0xa9", NULL, "l3=0x06:umask=0x01");
	static const char *const zen3[] =
		ZEN(NULL, "ev=0x43:umask=0x5c", "ev=0x60:umask=0xe8", "ev=0x18e:umask=0x18",
		    "ev=0x85:umask=0x0f",
		    "ev=0xa9", NULL, "l3=0x04:umask=0x01");
	static const char *const zen4[] =
		ZEN("ev=0x120:umask=0x01", "ev=0x43:umask=0xdc", "ev=0x60:umask=0xe8",
		    "ev=0x18e:umask=0x18", "ev=0x85:umask=0x0f", "ev=0xa9",
		    "ev=0x1a0:umask=0x1e:cmask=0x06", "l3=0x04:umask=0x01");
	static const char *const zen5[] =
		ZEN("ev=0x120:umask=0x01", "ev=0x43:umask=0xdc", "ev=0x60:umask=0xe0",
		    "ev=0x18e:umask=0x18", "ev=0x85:umask=0x0f", "ev=0xa9",
		    "ev=0x1a0:umask=0x1e:cmask=0x08", "l3=0x04:umask=0x01");

	generic_is("amd", "cpu", 0x800f11, 0, zen1);
	generic_is("amd", "cpu", 0x830f10, 0, zen2);
	generic_is("amd", "cpu", 0xa00f11, 0, zen3);
	generic_is("amd", "cpu", 0xa10f11, 0, zen4);
	generic_is("amd", "cpu", 0xb00f21, 0, zen5);
}

/* If the reference clock is the time stamp counter, there is no event for bus cycles. */
static void test_bus_cycles(void **state)
{
	static const struct {
		unsigned int cpuid;
		unsigned int native;
		const char *want;
	} cases[] = {
		{ 0x506e3, 0, "ev=0x3c:umask=0x01" },	/* Skylake */
		{ 0x606a6, 0, "ev=0x3c:umask=0x01" },	/* Ice Lake */
		{ 0x806f8, 0, NULL },			/* Sapphire Rapids */
		{ 0xc06f2, 0, NULL },			/* Emerald Rapids */
		{ 0xa06d1, 0, NULL },			/* Granite Rapids */
		{ 0xa06f3, 0, NULL },			/* Sierra Forest */
		{ 0xa06a4, NATIVE_CORE, NULL },		/* Meteor Lake */
		{ 0xa06a4, NATIVE_ATOM, NULL },
		{ 0xb06d1, NATIVE_ATOM, NULL },		/* Lunar Lake */
	};
	pmc_machine_t *m;
	size_t i;

	for (i = 0; i < TABLE_SIZE(cases); i++) {
		m = machine_of("intel", "cpu", cases[i].cpuid, cases[i].native);
		means(m, "bus_cycles", cases[i].want);
		/* The other events are the same on all models. */
		means(m, "llc_misses", "ev=0x2e:umask=0x41");
		pmc_machine_close(m);
	}
}

/* The library's table of a model takes precedence, then libpfm4 if it knows the event. */
static void test_sources(void **state)
{
	pmc_machine_t *m = machine_of("amd", "cpu", 0xa10f11, 0);

	if (pfm_pmu_by_name("amd64_fam19h_zen4") >= 0)
		assert_string_equal(pmc_machine_event_table(m, 0),
				    "libpfm4 amd64_fam19h_zen4");
	means(m, "LS_DISPATCH:LD_DISPATCH", "ev=0x29:umask=0x01");
	means(m, "RETIRED_INSTRUCTIONS", "ev=0xc0");
	means(m, "DISPATCH_STALLS_1:BE_STALLS", "ev=0x1a0:umask=0x1e");
	pmc_machine_close(m);

	m = machine_of("amd", "cpu", 0xb00f21, 0);
	if (pfm_pmu_by_name("amd64_fam1ah_zen5") < 0)
		assert_string_equal(pmc_machine_event_table(m, 0),
				    "builtin amd64_fam1ah_zen5");
	means(m, "dispatch_stalls_1.be_stalls", "ev=0x1a0:umask=0x1e");
	pmc_machine_close(m);
}

static void test_fields(void **state)
{
	pmc_machine_t *m = machine_of("intel", "cpu_core", 0x90672, NATIVE_CORE);

	means(m, "MEM_LOAD_RETIRED.L3_MISS", "ev=0xd1:umask=0x20");
	means(m, "mem_load_retired:l3_miss", "ev=0xd1:umask=0x20");
	means(m, "MACHINE_CLEARS.COUNT", "ev=0xc3:umask=0x01:cmask=0x01:edge");
	means(m, "UOPS_EXECUTED.STALLS", "ev=0xb1:umask=0x01:cmask=0x01:inv");
	means(m, "MEM_LOAD_RETIRED", NULL);
	if (pfm_pmu_by_name("adl_glc") < 0)
		check_error("has no event 'MEM_LOAD_RETIRED'");
	means(m, "OCR.DEMAND_DATA_RD.L3_MISS", "ev=0x2a:umask=0x01:extra=0x3fbfc00001");
	means(m, "FRONTEND_RETIRED.LATENCY_GE_128", "ev=0xc6:umask=0x01:extra=0x608006");
	means(m, "UOPS_RETIRED.MS", "ev=0xc2:umask=0x04:extra=0x8");
	pmc_machine_close(m);
	m = machine_of("intel", "cpu_atom", 0x90672, NATIVE_ATOM);
	means(m, "ocr.demand_rfo.l3_hit", "ev=0xb7:umask=0x01:extra=0x1f803c0002");
	pmc_machine_close(m);
}

/* Fixed counters have code 0 and the counter's number + 1, except with backend perf. */
static void test_fixed(void **state)
{
	pmc_machine_t *m = machine_of("intel", "cpu_core", 0x90672, NATIVE_CORE);

	means(m, "INST_RETIRED.ANY", "ev=0x00:umask=0x01");
	means(m, "CPU_CLK_UNHALTED.THREAD", "ev=0x00:umask=0x02");
	means(m, "CPU_CLK_UNHALTED.REF_TSC", "ev=0x00:umask=0x03");
	means(m, "TOPDOWN.SLOTS", "ev=0x00:umask=0x04");
	pmc_machine_close(m);
	m = machine_of("intel", "skl", 0x506e3, 0);
	if (pfm_pmu_by_name("skl") >= 0)
		means(m, "UNHALTED_REFERENCE_CYCLES", "ev=0x00:umask=0x03");
	pmc_machine_close(m);
	m = machine_of("intel", "icl", 0x606a6, 0);
	if (pfm_pmu_by_name("icl") >= 0) {
		means(m, "INST_RETIRED:ANY", "ev=0x00:umask=0x01");
		means(m, "CPU_CLK_UNHALTED:REF_TSC", "ev=0x00:umask=0x03");
		means(m, "TOPDOWN:SLOTS", "ev=0x00:umask=0x04");
	}
	pmc_machine_close(m);
	m = machine_of("perf", "cpu_core", 0x90672, NATIVE_CORE);
	if (machine_core_type(m, 0)->family == FAMILY_INTEL) {
		means(m, "INST_RETIRED.ANY", "ev=0xc0:umask=0x00");
		means(m, "CPU_CLK_UNHALTED.THREAD", "ev=0x3c:umask=0x00");
		means(m, "CPU_CLK_UNHALTED.REF_TSC", "ev=0x00:umask=0x03");
	}
	pmc_machine_close(m);
}

/* If an Arm core's events are unknown, names have encodings that every core implements. */
static void test_unknown_arm(void **state)
{
	pmc_machine_t *m = machine_of("perf", "armv8_cortex_a72", 0x410fd083, 0);

	means(m, "branches", "ev=0x0c");
	means(m, "llc_misses", "ev=0x17");
	pmc_machine_close(m);
}

/* The list has the encodings of event_encode(). */
static int check_row(void *arg, const struct pmc_event_info *ev)
{
	const pmc_machine_t *m = arg;

	const struct core_type *ct = machine_core_type(m, 0);

	/* An event that only libpfm4 knows may need a unit mask. */
	if ((pfm_pmu_of(ct) < 0 && !strncmp(ev->raw, "ev=", 3)) || table_find(ct->table, ev->name))
		means(m, ev->name, ev->raw);
	return 0;
}

static void test_list(void **state)
{
	static const struct {
		const char *backend;
		unsigned int cpuid;
		unsigned int native;
	} cases[] = {
		{ "intel", 0x90672, NATIVE_CORE },
		{ "intel", 0x90672, NATIVE_ATOM },
		{ "amd", 0xa10f11, 0 },
		{ "amd", 0xb00f21, 0 },
	};
	pmc_machine_t *m;
	size_t i;

	for (i = 0; i < TABLE_SIZE(cases); i++) {
		m = machine_of(cases[i].backend, "cpu", cases[i].cpuid, cases[i].native);
		assert_int_equal(pmc_machine_each_event(m, 0, check_row, m), 0);
		pmc_machine_close(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unknown_arm),
		cmocka_unit_test(test_sound),
		cmocka_unit_test(test_choice),
		cmocka_unit_test(test_native_type),
		cmocka_unit_test(test_generic_intel),
		cmocka_unit_test(test_generic_amd),
		cmocka_unit_test(test_bus_cycles),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_fixed),
		cmocka_unit_test(test_list),
	};

	/* Machines are made up: libpfm4 is to encode for PMUs that are not here. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
