// SPDX-License-Identifier: GPL-2.0
/* Encodings of names on each core type, and errors for names that have none. */
#include "lib.h"
#include "format_event.h"
#include "pfm.h"
#include "suggest.h"

static pmc_machine_t *machine;

/* Check that @spec is encoded as exactly these lines, NULL at the end. */
static void becomes(const char *spec, int core_type, ...)
{
	pmc_config_t *config = pmc_config_new(machine);
	const char *line;
	va_list ap;
	int i = 0;

	if (pmc_config_add(config, spec, core_type, 0))
		fail_msg("%s: %s", spec, pmc_last_error());
	va_start(ap, core_type);
	while ((line = va_arg(ap, const char *)))
		assert_string_equal(pmc_config_raw(config, i++), line);
	va_end(ap);
	assert_null(pmc_config_raw(config, i));
	pmc_config_free(config);
}

static void refused(const char *spec, const char *part)
{
	pmc_config_t *config = pmc_config_new(machine);

	assert_int_equal(pmc_config_add(config, spec, PMC_EVERY_CORE_TYPE, 0), -1);
	assert_int_equal(errno, EINVAL);
	check_error(part);
	assert_null(pmc_config_raw(config, 0));
	pmc_config_free(config);
}

static void refused_without(const char *spec, const char *part)
{
	refused(spec, "");
	if (strstr(pmc_last_error(), part))
		fail_msg("%s: '%s' says '%s'", spec, pmc_last_error(), part);
}

/* Names that a configuration has returned stay, whether sets are added or refused. */
static void test_names_stay(void **state)
{
	pmc_config_t *config;
	const char *name, *raw;
	int i;

	machine = open_machine("hybrid");
	config = pmc_config_new(machine);
	assert_int_equal(pmc_config_add(config, "cycles:u,instr", 0, 0), 0);
	name = pmc_config_event(config, 0, 0, 1);
	raw = pmc_config_raw(config, 0);
	for (i = 0; i < 40; i++) {
		assert_int_equal(pmc_config_add(config, "branches", PMC_EVERY_CORE_TYPE, 0), 0);
		assert_int_equal(pmc_config_add(config, "no_such_event", 0, 0), -1);
	}
	assert_string_equal(name, "instr");
	assert_ptr_equal(name, pmc_config_event(config, 0, 0, 1));
	assert_ptr_equal(raw, pmc_config_raw(config, 0));
	assert_int_equal(pmc_config_nr_sets(config, 0), 41);
	pmc_config_free(config);
	pmc_machine_close(machine);
}

static void test_biglittle(void **state)
{
	machine = open_machine("biglittle");
	becomes("instr,cycles", -1, "ev=0x08,ev=0x11,coretype=0",
		"ev=0x08,ev=0x11,coretype=1", NULL);
	becomes("instr", 1, "ev=0x08,coretype=1", NULL);
	/* One event by two names is counted twice. */
	becomes("instr,instructions:k", 1, "ev=0x08,ev=0x08:k,coretype=1", NULL);
	becomes("instr,coretype=0", 1, "ev=0x08,coretype=0", NULL);
	becomes("instr,coretype=Little", 0, "ev=0x08,coretype=1", NULL);
	becomes("coretype=armv8_cortex_a72,instr", -1, "ev=0x08,coretype=0", NULL);
	becomes("INST_RETIRED:k", 0, "ev=0x08:k,coretype=0", NULL);
	becomes("cpu-cycles,Branch-Misses", 1, "ev=0x11,ev=0x10,coretype=1", NULL);
	becomes("cpu-migrations,context-switches", 1,
		"sw=migrations,sw=context_switches,coretype=1", NULL);
	becomes("0x66", 1, "ev=0x66,coretype=1", NULL);
	becomes("task_clock,PAGE_FAULTS", 0, "sw=task_clock,sw=page_faults,coretype=0", NULL);
	becomes("pmc0,pmc1=0x8,ebs1=5,pmc7", 0, "pmc0,pmc1=0x08,ebs1=5,pmc7,coretype=0", NULL);
	becomes("instr:pmc=2:u", 0, "pmc2=0x08,usr2=1,os2=0,coretype=0", NULL);
	/* Without one mode, the other one is left. */
	becomes("instr:k=0,cycles:u=0", 0, "ev=0x08:u,ev=0x11:k,coretype=0", NULL);
	becomes("instr:pmc=2:usr=0", 0, "pmc2=0x08,usr2=0,os2=1,coretype=0", NULL);
	becomes("instr:u=1:os=0", 0, "ev=0x08:u,coretype=0", NULL);
	/* The best event each core type has. */
	becomes("llc_misses", 0, "ev=0x17,coretype=0", NULL);
	becomes("branches", 1, "ev=0x0c,coretype=1", NULL);

	refused("llc_misses", "core type 1 (little) has no event for 'llc_misses'");
	refused("L2D_CACHE_REFILL", "core type 1 (little)");
	refused("pmc1=0x2a", "does not implement 'pmc1=0x2a' (event 0x2a)");
	refused("instrr", "did you mean instr?");
	refused("L1D_CACHE_REFIL", "did you mean L1D_CACHE_REFILL");
	refused("completely_different", "has no event 'completely_different'; `pmc-events -L`");
	refused("instr:u=0:k=0", "'instr:u=0:k=0': u=0 and k=0 leave no mode to count in");
	refused("instr:uu", "has no event 'instr:uu' (did you mean instr?); 'uu' is neither a modifier");
	refused("r01x2", "has no event 'r01x2'");
	refused("instr,coretype=2", "no core type '2'");
	refused("instr,coretype=P", "no core type 'P'; this machine has 0 (big), 1 (little)");
	refused("pmc5=0x8,coretype=1", "has no counter pmc5");
	refused("pmc1,coretype=1", "needs an event code");
	refused("pmc7=0x8", "pmc7 counts task_clock");
	refused("pmc7,usr7=1", "neither event code nor attributes");
	refused("pmc7,umask7=1", "neither event code nor attributes");
	refused("task_clock:ebs=5", "takes no modifiers: write task_clock");
	refused("task_clock:pmc=7", "takes no modifiers");
	refused("page-faults:u", "takes no modifiers: write page_faults");
	refused("migrations:umask=1", "takes no modifiers");
	/* Software counters are not among them. */
	becomes("0x0,0x1,0x3,0x4,0x8,pmc7", 1,
		"ev=0x00,ev=0x01,ev=0x03,ev=0x04,ev=0x08,pmc7,coretype=1", NULL);
	refused("0x0,0x1,0x3,0x4,0x8,0x10,coretype=1", "6 events in one set, but core type 1 (little) has 5 counters");
	pmc_machine_close(machine);
}

/* perf's spellings of events, on each vendor's cores */
static void test_perf(void **state)
{
	machine = open_machine("biglittle");
	becomes("r8,r4e,r10:u", 1, "ev=0x08,ev=0x4e,ev=0x10:u,coretype=1", NULL);
	becomes("r16", 0, "ev=0x16,coretype=0", NULL);
	refused("r16", "core type 1 (little) (armv8_cortex_a53) does not implement 'r16' (event 0x16)");
	refused("r10008", "'r10008': 0x10008 is no event of armv8_cortex_a72");
	refused("r10000000000000000", "is no event of");
	becomes("armv8_cortex_a72/event=0x16/,cycles", PMC_EVERY_CORE_TYPE, "ev=0x16,ev=0x11,coretype=0",
		NULL);
	becomes("armv8_cortex_a53/config=0x11/k", PMC_EVERY_CORE_TYPE, "ev=0x11:k,coretype=1", NULL);
	becomes("armv8_cortex_a53/config=17/", PMC_EVERY_CORE_TYPE, "ev=0x11,coretype=1", NULL);
	becomes("L1-dcache-load-misses,LLC-load-misses,L1-dcache-loads", 0,
		"ev=0x03,ev=0x17,ev=0x04,coretype=0", NULL);
	pmc_machine_close(machine);

	machine = open_machine("hybrid");
	becomes("r412e", PMC_EVERY_CORE_TYPE, "ev=0x2e:umask=0x41,coretype=0",
		"ev=0x2e:umask=0x41,coretype=1", NULL);
	becomes("r1a4015e:umask=0x2:k", 0,
		"ev=0x5e:umask=0x02:cmask=0x01:edge:inv:any:k,coretype=0", NULL);
	refused("r1000000c0", "0x1000000c0 is no event of cpu_core");
	refused("r4100c0", "0x4100c0 is no event of cpu_core");
	becomes("cpu_core/instructions/,cpu_core/cycles/u", PMC_EVERY_CORE_TYPE,
		"ev=0xc0:umask=0x00,ev=0x3c:umask=0x00:u,coretype=0", NULL);
	becomes("cpu_atom/event=0xc0,umask=0x0/uk", PMC_EVERY_CORE_TYPE,
		"ev=0xc0:umask=0x00:u:k,coretype=1", NULL);
	becomes("CPU_CORE/umask=0x1,event=0x2a,offcore_rsp=0x10001,name=x/:u:ebs=7", PMC_EVERY_CORE_TYPE,
		"ev=0x2a:umask=0x01:u:ebs=7:extra=0x10001,coretype=0", NULL);
	becomes("cpu/event=0xa3,umask=4,cmask=4,inv,edge=1,period=1000/", 1,
		"ev=0xa3:umask=0x04:cmask=0x04:edge:inv:ebs=1000,coretype=1", NULL);
	becomes("cpu/mem_load_retired.l3_miss/", 0, "ev=0xd1:umask=0x20,coretype=0", NULL);
	becomes("stalled-cycles-frontend,branch-instructions,LLC-load-misses,dTLB-load-misses", 0,
		"ev=0x9c:umask=0x01:cmask=0x06,ev=0xc4:umask=0x00,ev=0xd1:umask=0x20,ev=0x12:umask=0x0e,coretype=0",
		NULL);
	becomes("cs,instructions:uk", 0, "sw=context_switches,ev=0xc0:umask=0x00:u:k,coretype=0", NULL);
	refused("cpu_core/cycles/,cpu_atom/cycles/", "'cpu_atom/cycles/' is of core type 1 (E), and the set of another");
	refused("cpu_core/cycles/,coretype=1", "is of core type 0 (P), and the set of another");
	refused("cpu_lion/cycles/", "no core type 'cpu_lion'; this machine has 0 (P), 1 (E)");
	refused("cpu_core/cycles", "perf's form is PMU/TERM,.../");
	refused("/cycles/", "perf's form is PMU/TERM,.../");
	refused("cpu//", "there has to be one name of an event");
	refused("cpu/umask=0x1/", "there has to be one name of an event");
	refused("cpu/cycles,instructions/", "there has to be one name of an event");
	refused("cpu/cycles/pp", "of perf's modifiers there are u and k, not 'pp'");
	refused("cpu/cycles,pebs=1/", "'pebs=1' is none of event=");
	refused("cpu/event=0xc0,umask=0x10000/", "umask= takes a number from 0 to 0xffff");
	refused("cpu/event=/", "there has to be one name of an event");
	refused("cpu/config=/", "there has to be one name of an event");
	becomes("cpu/config=16686/", 0, "ev=0x2e:umask=0x41,coretype=0", NULL);
	refused("cpu/config=412e/", "'cpu/config=412e/': config= takes a number");
	refused("cpu/config=r412e/", "config= takes a number");
	refused("cpu/config=18446744073709551616/", "config= takes a number");
	refused("cpu/config=0x0000000000000000000000c0/", "config= takes a number");
	pmc_machine_close(machine);

	machine = open_machine("amd");
	becomes("r10000218e", 0, "ev=0x18e:umask=0x21,coretype=0", NULL);
	becomes("cpu/config=0x76/", 1, "ev=0x76:umask=0x00,coretype=1", NULL);
	becomes("stalled-cycles-backend", 0, "ev=0x1a0:umask=0x1e:cmask=0x06,coretype=0", NULL);
	pmc_machine_close(machine);
}

/* A set that suits another core type only: the error says which one, and what to write. */
static void test_meant_for_one(void **state)
{
	machine = open_machine("biglittle");
	refused("L1D_CACHE_REFILL,L2D_CACHE_REFILL",
		"L2D_CACHE_REFILL' (event 0x17); the set suits core type 0 (big): add coretype=0 to it");
	refused("llc_misses", "the set suits core type 0 (big): add coretype=0 to it");
	refused("pmc1=0x17", "the set suits core type 0 (big): add coretype=0 to it");
	refused("pmc0,pmc6=0x8",
		"core type 1 (little) has no counter pmc6; `pmc-events -I` lists them; the set suits core type 0 (big): add coretype=0 to it");
	refused("0xc,pmc1=0x8", "the set suits core type 1 (little): add coretype=1 to it");
	refused("0xc,coretype=0", "the set suits core type 1 (little): write coretype=1 instead");
	/* No core type has both events. */
	refused("0xc,0x17", "does not implement '0xc' (event 0x0c)");
	refused_without("0xc,0x17", "coretype=");
	refused_without("instrr", "coretype=");
	refused_without("pmc60=8", "coretype=");
	pmc_machine_close(machine);
	machine = open_machine("hybrid");
	refused("pmc10=0xc4", "core type 1 (E) has no counter pmc10; `pmc-events -I` lists them; the set suits core type 0 (P): add coretype=0 to it");
	pmc_machine_close(machine);
}

static void test_sets(void **state)
{
	pmc_config_t *config;

	machine = open_machine("biglittle");
	config = pmc_config_new(machine);
	assert_int_equal(pmc_config_add(config, "instr,cycles:ebs=100", -1, 0), 0);
	assert_int_equal(pmc_config_add(config, "llc_misses,coretype=0", -1, 0), 0);
	assert_int_equal(pmc_config_add(config, "nonsense", -1, 0), -1);
	assert_int_equal(pmc_config_nr_sets(config, 0), 2);
	assert_int_equal(pmc_config_nr_sets(config, 1), 1);
	assert_int_equal(pmc_config_nr_events(config, 0, 0), 2);
	assert_int_equal(pmc_config_nr_events(config, 1, 1), 0);
	assert_string_equal(pmc_config_event(config, 1, 0, 1), "cycles:ebs=100");
	assert_null(pmc_config_event(config, 1, 0, 2));
	assert_int_equal(pmc_config_ebs_period(config, 0, 0, 1), 100);
	assert_int_equal(pmc_config_ebs_period(config, 0, 0, 0), 0);
	pmc_config_free(config);
	pmc_machine_close(machine);
}

static void test_hybrid(void **state)
{
	machine = open_machine("hybrid");
	becomes("instr,llc_misses", -1,
		"ev=0xc0:umask=0x00,ev=0x2e:umask=0x41,coretype=0",
		"ev=0xc0:umask=0x00,ev=0x2e:umask=0x41,coretype=1", NULL);
	/* Attributes from the user take precedence over those of the table. */
	becomes("OCR.DEMAND_DATA_RD.L3_MISS", 0,
		"ev=0x2a:umask=0x01:extra=0x3fbfc00001,coretype=0", NULL);
	becomes("OCR.DEMAND_DATA_RD.L3_MISS:extra=5", 0,
		"ev=0x2a:umask=0x01:extra=0x5,coretype=0", NULL);
	becomes("MACHINE_CLEARS.COUNT", 0, "ev=0xc3:umask=0x01:cmask=0x01:edge,coretype=0", NULL);
	becomes("MACHINE_CLEARS.COUNT:umask=7:cmask=3:edge=0", 0,
		"ev=0xc3:umask=0x07:cmask=0x03,coretype=0", NULL);
	/* With another unit mask it would be another event. */
	refused("llc_misses:umask=0x4f", "takes no umask=");
	refused("instr:umask=0x41", "takes no umask=");
	/* The example of the paper on PMCTrack */
	becomes("pmc0,pmc3=0x2e,umask3=0x41", 0, "pmc0,pmc3=0x2e,umask3=0x41,coretype=0", NULL);
	refused("0x1,0x2,0x3,0x4,0x5,0x6,0x7,0x8,0x9,0xa", "core type 1 (E) has 9 counters");
	pmc_machine_close(machine);
}

/* A name that is none of an event, but of a metric or a virtual counter: what to write for it */
static void test_other_names(void **state)
{
	machine = open_machine("hybrid");
	refused("ipc", "core type 0 (P) has no event 'ipc'; 'ipc' is a metric: write -m ipc");
	refused("TMA:u", "'TMA' is a group of metrics: write -m TMA");
	refused_without("ipc", "pmc-events -L");
	/* No module says that there is one. */
	refused_without("energy_core", "-V");
	be_machine("hybrid");
	refused("energy_core:u",
		"has no event 'energy_core'; 'energy_core' is a virtual counter: write pmctrack -V energy_core");
	refused("energy_cor", "has no event 'energy_cor'; `pmc-events -L` lists them");
	unsetenv("PMCTRACK_PROC");
	pmc_machine_close(machine);
}

/* "slots" is an event of core types that have a fixed counter of slots. Others refuse the name. */
static void test_slots(void **state)
{
	machine = open_machine("hybrid");
	becomes("slots,SLOTS:k", 0, "ev=0x00:umask=0x04,ev=0x00:umask=0x04:k,coretype=0", NULL);
	refused("slots", "core type 1 (E) has no event for 'slots': its hardware does not count this; the set suits core type 0 (P): add coretype=0 to it");
	pmc_machine_close(machine);
}

static void test_libpfm(void **state)
{
	int pmu = pfm_pmu_by_name("skl");

	if (pmu < 0)
		skip();
	machine = open_machine("skylake");
	assert_string_equal(pmc_machine_event_table(machine, 0), "libpfm4 skl");
	becomes("MEM_LOAD_RETIRED:L1_MISS", -1, "ev=0xd1:umask=0x08,coretype=0", NULL);
	becomes("MEM_LOAD_RETIRED.L1_MISS:u", -1, "ev=0xd1:umask=0x08:u,coretype=0", NULL);
	/* The table's own fields, and the user's */
	becomes("UOPS_ISSUED:STALL_CYCLES", -1,
		"ev=0x0e:umask=0x01:cmask=0x01:inv,coretype=0", NULL);
	becomes("UOPS_ISSUED:STALL_CYCLES:cmask=2", -1,
		"ev=0x0e:umask=0x01:cmask=0x02:inv,coretype=0", NULL);
	becomes("UOPS_ISSUED:ANY:cmask=2", -1, "ev=0x0e:umask=0x01:cmask=0x02,coretype=0", NULL);
	becomes("UOPS_ISSUED:ANY:umask=2", -1, "ev=0x0e:umask=0x02,coretype=0", NULL);
	becomes("l1d_misses", -1, "ev=0x51:umask=0x01,coretype=0", NULL);
	/* Events with a second register */
	becomes("OFFCORE_RESPONSE_0:DMND_DATA_RD:ANY_RESPONSE", -1,
		"ev=0xb7:umask=0x01:extra=0x10001,coretype=0", NULL);
	becomes("OFFCORE_RESPONSE_1:DMND_RFO:ANY_RESPONSE:k", -1,
		"ev=0xbb:umask=0x01:k:extra=0x10002,coretype=0", NULL);
	becomes("OFFCORE_RESPONSE_0:offcore_rsp=0x10004", -1,
		"ev=0xb7:umask=0x01:extra=0x10004,coretype=0", NULL);
	becomes("FRONTEND_RETIRED:DSB_MISS:pmc=2", -1,
		"pmc2=0xc6,umask2=0x01,extra2=0x11,coretype=0", NULL);
	refused("MEM_LOAD_RETIRED:L1_MISSES", "unit mask");
	refused("MEM_LOAD_RETIRD:L1_MISS", "did you mean MEM_LOAD_RETIRED:L1_MISS");
	pmc_machine_close(machine);
}

static void test_uncore(void **state)
{
	machine = open_machine("amd");
	becomes("l3_misses,instr,L3-references", 0,
		"l3=0x04:umask=0x01,ev=0xc0,l3=0x04:umask=0xff,coretype=0", NULL);
	becomes("l3=0x9a,l3=4:umask=0x20", -1, "l3=0x9a,l3=0x04:umask=0x20,coretype=0",
		"l3=0x9a,l3=0x04:umask=0x20,coretype=1", NULL);
	/* Shared counters are none of the core's counters. */
	becomes("1,2,3,4,5,6,l3_misses", 0,
		"ev=0x01,ev=0x02,ev=0x03,ev=0x04,ev=0x05,ev=0x06,l3=0x04:umask=0x01,coretype=0",
		NULL);
	refused("l3=miss", "'miss' is no event code; write l3=0x..");
	refused("l3=4:u", "takes umask= and no other modifier");
	refused("l3_misses:extra=1", "takes umask= and no other modifier");
	refused("l3_misses:ebs=1000", "takes umask= and no other modifier");
	refused("l3_misses:pmc=1", "takes umask= and no other modifier");
	refused("l2=4", "has no event 'l2=4'");
	refused("df=4", "'df=4': the kernel has no driver for df counters");
	refused("df=4", "load it (modprobe df-driver)");
	pmc_machine_close(machine);
	machine = open_machine("hybrid");
	refused("l3_misses", "has no event for 'l3_misses'");
	pmc_machine_close(machine);
}

static void test_software_only(void **state)
{
	machine = open_machine("software");
	becomes("task_clock,context_switches", -1,
		"sw=task_clock,sw=context_switches,coretype=0", NULL);
	refused("instr", "this CPU has no hardware counters for 'instr'");
	pmc_machine_close(machine);
}

static int count_event(void *arg, const struct pmc_event_info *ev)
{
	int *n = arg;

	assert_non_null(ev->name);
	assert_non_null(ev->raw);
	/* The little core has no level 2 cache to count. */
	assert_string_not_equal(ev->name, "L2D_CACHE");
	return ++*n == 20;
}

static int every_event(void *arg, const struct pmc_event_info *ev)
{
	int *n = arg;

	(*n)++;
	return 0;
}

/* Unit masks that set a second register are listed with the register's value. */
static int check_masks(void *arg, const struct pmc_event_info *ev)
{
	int *found = arg;

	if (!strcmp(ev->name, "OFFCORE_RESPONSE_0:DMND_RFO")) {
		assert_string_equal(ev->raw, "ev=0xb7:umask=0x01:extra=0x10002");
		++*found;
	}
	if (!strcmp(ev->name, "MEM_LOAD_RETIRED:L1_MISS")) {
		assert_string_equal(ev->raw, "ev=0xd1:umask=0x08");
		++*found;
	}
	return 0;
}

static void test_list_of_libpfm(void **state)
{
	int found = 0;

	if (pfm_pmu_by_name("skl") < 0)
		skip();
	machine = open_machine("skylake");
	assert_int_equal(pmc_machine_each_event(machine, 0, check_masks, &found), 0);
	assert_int_equal(found, 2);
	pmc_machine_close(machine);
}

static void test_list(void **state)
{
	int n = 0;

	machine = open_machine("biglittle");
	assert_int_equal(pmc_machine_each_event(machine, 1, count_event, &n), 1);
	assert_int_equal(n, 20);
	n = 0;
	assert_int_equal(pmc_machine_each_event(machine, 0, every_event, &n), 0);
	assert_true(n > 30);
	assert_int_equal(pmc_machine_each_event(machine, 2, every_event, &n), -1);
	pmc_machine_close(machine);
}

static void test_distance(void **state)
{
	assert_int_equal(word_distance("", ""), 0);
	assert_int_equal(word_distance("instr", "INSTR"), 0);
	assert_int_equal(word_distance("instr", "intsr"), 1);
	assert_int_equal(word_distance("cycels", "cycles"), 1);
	assert_int_equal(word_distance("abc", ""), 3);
	assert_int_equal(word_distance("kitten", "sitting"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_biglittle),
		cmocka_unit_test(test_perf),
		cmocka_unit_test(test_meant_for_one),
		cmocka_unit_test(test_sets),
		cmocka_unit_test(test_hybrid),
		cmocka_unit_test(test_other_names),
		cmocka_unit_test(test_names_stay),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_libpfm),
		cmocka_unit_test(test_uncore),
		cmocka_unit_test(test_software_only),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_list_of_libpfm),
		cmocka_unit_test(test_distance),
	};

	/* Machines are made up: libpfm4 is to encode for PMUs that are not here. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
