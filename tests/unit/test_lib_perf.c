// SPDX-License-Identifier: GPL-2.0
/*
 * Without the kernel module: events in the form of perf_event_open(), the machine according
 * to a made-up sysfs, what times say of counts, and commands.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu_list.h"
#include "lib.h"
#include "made_files.h"
#include "machine.h"
#include "perf_accuracy.h"
#include "perf_protocol.h"
#include "perf_session.h"
#include "perf_set.h"

#define TYPE	8	/* a PMU's number */

/* Encode the only event of a set, as pmc_config_raw() has it. */
static int encode(struct perf_event_attr *attr, const char *machine, int core_type,
		  const char *text, unsigned int filter)
{
	pmc_machine_t *m = open_machine(machine);
	char copy[256];
	struct event_set set;
	int rc;

	snprintf(copy, sizeof(copy), "%s", text);
	rc = perf_set_parse(&set, copy);
	if (!rc) {
		assert_int_equal(set.nr_events, 1);
		rc = perf_attr_encode(attr, &set.events[0], machine_core_type(m, core_type), TYPE,
				      filter);
	}
	pmc_machine_close(m);
	return rc;
}

static void check_config(const char *machine, int core_type, const char *text, uint64_t config,
			 uint64_t config1)
{
	struct perf_event_attr attr;

	if (encode(&attr, machine, core_type, text, FILTER_USER))
		fail_msg("%s: %s", text, pmc_last_error());
	assert_int_equal(attr.type, TYPE);
	assert_int_equal(attr.config, config);
	assert_int_equal(attr.config1, config1);
	assert_int_equal(attr.size, sizeof(attr));
}

static void test_configs(void **state)
{
	check_config("skylake", 0, "ev=0xc0:umask=0x00", 0xc0, 0);
	check_config("skylake", 0, "ev=0x2e:umask=0x41,coretype=0", 0x412e, 0);
	check_config("skylake", 0, "ev=0xa3:umask=0x04:cmask=0x04:inv:edge", 0x4840000 | 0x04a3, 0);
	check_config("skylake", 0, "ev=0x3c:any", 0x20003c, 0);
	check_config("skylake", 0, "ev=0xb7:umask=0x01:extra=0x10003", 0x01b7, 0x10003);
	/* perf has no codes for the first two fixed counters, and its own for the third. */
	check_config("skylake", 0, "ev=0x00:umask=0x01", 0xc0, 0);
	check_config("skylake", 0, "ev=0x00:umask=0x02", 0x3c, 0);
	check_config("skylake", 0, "ev=0x00:umask=0x03", 0x300, 0);
	check_config("skylake", 0, "pmc0", 0xc0, 0);
	check_config("skylake", 0, "pmc1", 0x3c, 0);
	check_config("skylake", 0, "pmc2", 0x300, 0);
	check_config("skylake", 0, "pmc3=0x2e,umask3=0x4f", 0x4f2e, 0);
	check_config("amd", 0, "ev=0x18e:umask=0x18", 0x10000188e, 0);
	check_config("biglittle", 1, "ev=0x08", 0x08, 0);
	check_config("biglittle", 0, "pmc0", 0x11, 0);
}

static void check_modes(const char *text, unsigned int filter, int user, int kernel)
{
	struct perf_event_attr attr;

	assert_int_equal(encode(&attr, "skylake", 0, text, filter), 0);
	assert_int_equal(!attr.exclude_user, user);
	assert_int_equal(!attr.exclude_kernel, kernel);
	assert_int_equal(!attr.exclude_hv, kernel);
}

static void test_modes(void **state)
{
	check_modes("ev=0xc0", FILTER_USER, 1, 0);
	check_modes("ev=0xc0", FILTER_KERNEL, 0, 1);
	check_modes("ev=0xc0", FILTER_USER | FILTER_KERNEL, 1, 1);
	check_modes("ev=0xc0:u", FILTER_KERNEL, 1, 0);
	check_modes("ev=0xc0:k", FILTER_USER, 0, 1);
	check_modes("ev=0xc0:u:k", FILTER_USER, 1, 1);
	check_modes("pmc3=0xc0,os3=1", FILTER_USER, 0, 1);
	check_modes("pmc3=0xc0,usr3=0,os3=1", FILTER_USER, 0, 1);
	check_modes("pmc3=0xc0,usr3=1,os3=0", FILTER_USER | FILTER_KERNEL, 1, 0);
}

static void test_software(void **state)
{
	struct perf_event_attr attr;

	assert_int_equal(encode(&attr, "skylake", 0, "sw=task_clock", FILTER_USER), 0);
	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_TASK_CLOCK);
	/* Switches happen in the kernel, whatever the filter. */
	assert_int_equal(encode(&attr, "biglittle", 0, "pmc8", FILTER_USER), 0);
	assert_int_equal(attr.type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(attr.exclude_kernel, 0);
}

static void check_refused(const char *machine, const char *text, const char *why)
{
	struct perf_event_attr attr;

	assert_int_equal(encode(&attr, machine, 0, text, FILTER_USER), -1);
	check_error(why);
}

static void test_refused(void **state)
{
	check_refused("skylake", "ev=0xc0:ebs=1000", "ebs=1000: sampling by event count needs the kernel module");
	check_refused("skylake", "ev=0x1c0", "event codes end at 0xff");
	check_refused("amd", "ev=0x1000", "event codes end at 0xfff");
	check_refused("amd", "ev=0xc0:extra=1", "for processors of Intel");
	check_refused("biglittle", "ev=0x08:umask=0x01", "takes no modifiers");
	check_refused("biglittle", "ev=0x10000", "event codes end at 0xffff");
	check_refused("skylake", "pmc20", "has no counter pmc20");
	check_refused("skylake", "pmc3", "pmc3 needs an event code");
	check_refused("skylake", "pmc3=0xc0,usr3=0", "neither user nor kernel mode");
	check_refused("skylake", "pmc3=0xc0,os3=0", "neither user nor kernel mode");
	check_refused("biglittle", "pmc3=0x08,usr3=0,os3=0", "neither user nor kernel mode");
	check_refused("software", "ev=0xc0", "no hardware counters");
	check_refused("amd", "l3=0x04", "need the kernel module");
	check_refused("skylake", "sw=nothing", "no software event 'nothing'");
	check_refused("skylake", "instr", "neither ev=CODE nor");
	check_refused("skylake", "ev=instr", "write ev=CODE with a number");
	check_refused("skylake", "ev=", "the event set is empty");
}

/* Hardware events lead a group; software events keep their places in the set. */
static void test_set(void **state)
{
	pmc_machine_t *m = open_machine("hybrid");
	char text[] = "sw=task_clock,ev=0xc0,pmc5=0x2e,ev=0xc0", software[] = "sw=task_clock";
	struct event_set events;
	struct perf_set set;

	assert_int_equal(perf_set_parse(&events, text), 0);
	assert_int_equal(events.core_type, PMC_EVERY_CORE_TYPE);
	assert_int_equal(perf_set_make(&set, &events, machine_core_type(m, 1), TYPE, FILTER_USER, 1), 0);
	assert_int_equal(set.core_type, 1);
	assert_int_equal(set.nr, 4);
	assert_int_equal(set.nr_attrs, 4);
	assert_int_equal(set.attrs[0].config, 0xc0);
	assert_int_equal(set.attrs[1].config, 0x2e);
	assert_int_equal(set.attrs[3].type, PERF_TYPE_SOFTWARE);
	assert_int_equal(set.at[0], 3);
	assert_int_equal(set.at[1], 0);
	assert_int_equal(set.at[2], 1);
	assert_int_equal(set.slots[0], 11);
	assert_int_equal(set.slots[1], 0);
	assert_int_equal(set.slots[2], 5);
	assert_int_equal(set.slots[3], 1);

	/* Software events alone: a leader limits them to the core type. */
	assert_int_equal(perf_set_parse(&events, software), 0);
	assert_int_equal(perf_set_make(&set, &events, machine_core_type(m, 1), TYPE, FILTER_USER, 1), 0);
	assert_int_equal(set.nr, 1);
	assert_int_equal(set.nr_attrs, 2);
	assert_int_equal(set.attrs[0].config, 0x3c);
	assert_int_equal(set.at[0], 1);
	assert_int_equal(perf_set_make(&set, &events, machine_core_type(m, 1), TYPE, FILTER_USER, 0), 0);
	assert_int_equal(set.nr_attrs, 1);
	pmc_machine_close(m);
}

/* Sets of core types 0, 0 and 1, of which @nr exist */
static void check_accuracy(int nr, const uint64_t times[][2], int i, uint64_t slack,
			   enum pmc_accuracy expected, uint64_t available)
{
	struct perf_set sets[3] = { { .core_type = 0 }, { .core_type = 0 }, { .core_type = 1 } };
	struct perf_values values[3];
	struct accuracy accuracy;
	int n;

	for (n = 0; n < nr; n++) {
		values[n].enabled = times[n][0];
		values[n].running = times[n][1];
	}
	perf_accuracy(sets, values, nr, i, 0, slack, &accuracy);
	assert_int_equal(accuracy.is, expected);
	assert_int_equal(accuracy.available, available);
}

static void test_one_core_type(void **state)
{
	static const uint64_t all[][2] = { { 100, 100 }, { 100, 100 } };
	static const uint64_t turns[][2] = { { 100, 40 }, { 100, 0 } };
	static const uint64_t never[][2] = { { 0, 0 } };
	static const uint64_t ended[][2] = { { 35, 35 }, { 48, 48 } };

	/* A group is not counted as enabled where processes ended without it. */
	check_accuracy(2, ended, 0, 0, PMC_ESTIMATED, 48);
	check_accuracy(2, ended, 1, 0, PMC_EXACT, 48);
	check_accuracy(2, all, 0, 0, PMC_EXACT, 100);
	check_accuracy(2, turns, 0, 0, PMC_ESTIMATED, 100);
	check_accuracy(2, turns, 1, 0, PMC_NOT_COUNTED, 100);
	/* Times of one set need no slack. */
	check_accuracy(2, turns, 0, 70, PMC_ESTIMATED, 100);
	check_accuracy(1, never, 0, 0, PMC_EXACT, 0);
}

/* Time on another core type is no reason to scale. */
static void test_two_core_types(void **state)
{
	static const uint64_t moved[][2] = { { 100, 30 }, { 100, 30 }, { 100, 70 } };
	static const uint64_t turns[][2] = { { 100, 30 }, { 100, 20 }, { 100, 70 } };
	static const uint64_t gap[][2] = { { 100, 30 }, { 100, 30 }, { 100, 60 } };
	static const uint64_t pinned[][2] = { { 100, 30 }, { 100, 20 }, { 100, 0 } };
	static const uint64_t one_side[][2] = { { 100, 100 }, { 100, 0 }, { 100, 0 } };
	static const uint64_t nothing[][2] = { { 100, 0 }, { 100, 0 }, { 100, 0 } };

	check_accuracy(3, moved, 0, 0, PMC_EXACT, 30);
	check_accuracy(3, moved, 2, 0, PMC_EXACT, 70);
	check_accuracy(3, turns, 1, 0, PMC_ESTIMATED, 30);
	check_accuracy(3, turns, 0, 0, PMC_EXACT, 30);
	check_accuracy(3, turns, 2, 0, PMC_EXACT, 70);
	/* 10 ns are missing, on a core type that is not known */
	check_accuracy(3, gap, 0, 0, PMC_PARTIAL, 40);
	check_accuracy(3, gap, 2, 0, PMC_PARTIAL, 70);
	check_accuracy(3, gap, 2, 10, PMC_EXACT, 60);
	/* No group of core type 1 ever ran, so all the time was on core type 0. */
	check_accuracy(3, pinned, 0, 0, PMC_ESTIMATED, 100);
	check_accuracy(3, pinned, 1, 0, PMC_ESTIMATED, 100);
	check_accuracy(3, one_side, 0, 0, PMC_EXACT, 100);
	check_accuracy(3, one_side, 1, 0, PMC_NOT_COUNTED, 100);
	check_accuracy(3, one_side, 2, 0, PMC_EXACT, 0);
	check_accuracy(3, nothing, 0, 0, PMC_NOT_COUNTED, 0);
}

static uint64_t missed(int nr, const uint64_t times[][2], int second)
{
	struct perf_set sets[2] = { { .core_type = 0 }, { .core_type = second } };
	struct perf_values values[2];
	int n;

	for (n = 0; n < nr; n++) {
		values[n].enabled = times[n][0];
		values[n].running = times[n][1];
	}
	return perf_missed(sets, values, nr);
}

/* The groups of core types have the time of a thread together. */
static void test_missed(void **state)
{
	static const uint64_t moved[][2] = { { 100, 30 }, { 100, 70 } };
	static const uint64_t later[][2] = { { 100, 30 }, { 103, 73 } };
	static const uint64_t gap[][2] = { { 100, 30 }, { 103, 61 } };
	static const uint64_t never[][2] = { { 100, 0 }, { 100, 0 } };
	static const uint64_t cpu[][2] = { { 0, 0 }, { 100, 90 } };

	assert_int_equal(missed(2, moved, 1), 0);
	assert_int_equal(missed(2, later, 1), 0);
	assert_int_equal(missed(2, gap, 1), 9);
	assert_int_equal(missed(2, never, 1), 100);
	assert_int_equal(missed(2, cpu, 1), 10);
	assert_int_equal(missed(1, gap, 1), 70);
	/* Turns */
	assert_int_equal(missed(2, gap, 0), 0);
}

static void test_scale(void **state)
{
	assert_int_equal(perf_scale(1000, 25, 100), 4000);
	assert_int_equal(perf_scale(1000, 100, 100), 1000);
	assert_int_equal(perf_scale(0, 0, 100), 0);
	/* To the nearest number, and never down */
	assert_int_equal(perf_scale(1, 3, 5), 2);
	assert_int_equal(perf_scale(1000, 200, 100), 1000);
	assert_true(perf_scale(1ULL << 62, 1ULL << 61, (1ULL << 61) + 8) >= 1ULL << 62);
}

static void check_command(const char *line, enum perf_verb verb, uint64_t value)
{
	struct perf_command command;
	char copy[64];

	snprintf(copy, sizeof(copy), "%s", line);
	if (perf_command_parse(&command, copy))
		fail_msg("%s: %s", line, pmc_last_error());
	assert_int_equal(command.verb, verb);
	assert_int_equal(command.value, value);
}

static void test_commands(void **state)
{
	static const char *const bad[] = {
		"", "perio 1s", "period", "period 1", "period s", "period 1.5.5s", "period 1h", "period -1s",
		"period 20000000000s", "period 99999999999999999999s", "attach", "attach 0", "attach x",
		"attach 99999999999",
		"filter", "filter none", "stop now", "events", "enable later",
	};
	struct perf_command command;
	char copy[64];
	size_t i;

	check_command("period 10ms", PERF_PERIOD, 10000000);
	check_command("period 0.5s", PERF_PERIOD, 500000000);
	check_command(" period  2000us ", PERF_PERIOD, 2000000);
	check_command("period 0", PERF_PERIOD, 0);
	check_command("attach 1234", PERF_ATTACH, 1234);
	check_command("attach-thread 5", PERF_ATTACH_THREAD, 5);
	check_command("filter all", PERF_FILTER, FILTER_USER | FILTER_KERNEL);
	check_command("follow children", PERF_FOLLOW, FOLLOW_CHILDREN);
	check_command("enable exec", PERF_ENABLE, ENABLE_EXEC);
	check_command("syswide", PERF_SYSWIDE, 0);
	check_command("stop", PERF_STOP, 0);
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(copy, sizeof(copy), "%s", bad[i]);
		if (!perf_command_parse(&command, copy))
			fail_msg("'%s' is taken", bad[i]);
		assert_int_equal(errno, EINVAL);
	}
}

static void test_cpu_lists(void **state)
{
	static const char *const bad[] = { "", ",", "1,", "2-1", "a", "1-", "0-99999", "1 2", "-1" };
	struct cpu_list list;
	size_t i;

	assert_int_equal(cpu_list_parse(&list, "0-2,8"), 0);
	assert_true(cpu_list_has(&list, 0) && cpu_list_has(&list, 2) && cpu_list_has(&list, 8));
	assert_false(cpu_list_has(&list, 3) || cpu_list_has(&list, 9) || cpu_list_has(&list, -1));
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(cpu_list_parse(&list, bad[i]), -1);
}

/* A folder instead of /sys */
static char root[64];

static void put(const char *path, const char *text)
{
	made_write(root, path, "w", text, strlen(text));
}

static int make_root(void **state)
{
	strcpy(root, "/tmp/pmctrack-sys.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	put("devices/system/cpu/present", "0-7\n");
	return 0;
}

static int remove_root(void **state)
{
	return made_remove(root);
}

/*
 * format/umask of Linux is config:8-15,40-47 from Lion Cove on, so L2_REQUEST.MISS with its unit
 * mask 0x17f is 0x10000007f24. Other drivers would leave out the high bits.
 */
static void test_wide_umask(void **state)
{
	pmc_machine_t *m = open_machine("hybrid");
	struct core_type *ct = (struct core_type *)machine_core_type(m, 0);
	char text[] = "ev=0x24:umask=0x17f:cmask=0x01";
	struct perf_event_attr attr;
	struct event_set set;

	assert_int_equal(perf_set_parse(&set, text), 0);
	assert_int_equal(perf_attr_encode(&attr, &set.events[0], ct, TYPE, FILTER_USER), -1);
	check_error("needs a unit mask of 16 bits (0x17f)");
	ct->has_wide_umask = 1;
	assert_int_equal(perf_attr_encode(&attr, &set.events[0], ct, TYPE, FILTER_USER), 0);
	assert_int_equal(attr.config, 0x10001007f24);
	pmc_machine_close(m);
}

#define DEVICES "bus/event_source/devices/"

static void check_core_type(const pmc_machine_t *m, int id, const char *name, const char *pmu,
			    const char *cpus)
{
	const struct pmc_core_type_info *info = pmc_machine_core_type(m, id);

	assert_non_null(info);
	assert_string_equal(info->name, name);
	assert_string_equal(info->pmu, pmu);
	assert_string_equal(info->cpus, cpus);
}

static pmc_machine_t *open_root(int nr_core_types)
{
	pmc_machine_t *m = machine_from_sysfs(root);

	if (!m)
		fail_msg("%s", pmc_last_error());
	assert_int_equal(pmc_machine_nr_core_types(m), nr_core_types);
	assert_int_equal(pmc_machine_has_module(m), 0);
	assert_string_equal(pmc_machine_backend(m), "perf_event");
	return m;
}

static void test_biglittle(void **state)
{
	const struct pmc_core_type_info *info;
	pmc_config_t *config;
	pmc_machine_t *m;

	put(DEVICES "armv8_cortex_a53/cpus", "0-3\n");
	put(DEVICES "armv8_cortex_a53/type", "9\n");
	put(DEVICES "armv8_cortex_a53/events/inst_retired", "event=0x0008\n");
	put(DEVICES "armv8_cortex_a53/events/cpu_cycles", "event=0x0011\n");
	put(DEVICES "armv8_cortex_a72/cpus", "4-7\n");
	put(DEVICES "armv8_cortex_a72/type", "8\n");
	put(DEVICES "arm_dsu_0/cpumask", "0\n");
	put(DEVICES "software/type", "1\n");
	put("devices/system/cpu/cpu0/cpu_capacity", "400\n");
	put("devices/system/cpu/cpu4/cpu_capacity", "1024\n");
	m = open_root(2);
	check_core_type(m, 0, "big", "armv8_cortex_a72", "4-7");
	check_core_type(m, 1, "little", "armv8_cortex_a53", "0-3");
	info = pmc_machine_core_type(m, 1);
	assert_int_equal(info->capacity, 400);
	assert_int_equal(info->nr_hw_counters, 7);
	assert_string_equal(info->counters[0].event, "cycles");
	assert_int_equal(core_type_implements(machine_core_type(m, 1), 0x08), 1);
	assert_int_equal(core_type_implements(machine_core_type(m, 1), 0x10), 0);
	assert_int_equal(core_type_implements(machine_core_type(m, 0), 0x10), -1);
	assert_int_equal(perf_pmu_type(machine_core_type(m, 0), root), 8);
	config = pmc_config_new(m);
	if (pmc_config_add(config, "instr,cycles,page_faults", PMC_EVERY_CORE_TYPE, 0))
		fail_msg("%s", pmc_last_error());
	assert_string_equal(pmc_config_raw(config, 0), "ev=0x08,ev=0x11,sw=page_faults,coretype=0");
	pmc_config_free(config);
	pmc_machine_close(m);
}

#if defined(__x86_64__)
static void test_hybrid(void **state)
{
	pmc_machine_t *m;

	put(DEVICES "cpu_atom/cpus", "4-7\n");
	put(DEVICES "cpu_core/cpus", "0-3\n");
	m = open_root(2);
	check_core_type(m, 0, "P", "cpu_core", "0-3");
	check_core_type(m, 1, "E", "cpu_atom", "4-7");
	assert_int_equal(machine_core_type(m, 0)->native_type, machine_core_type(m, 0)->family ==
			 FAMILY_INTEL ? 0x40 : 0);
	assert_int_equal(perf_pmu_type(machine_core_type(m, 0), root), -1);
	pmc_machine_close(m);
}

static void test_equal_cores(void **state)
{
	pmc_machine_t *m;

	put(DEVICES "cpu/type", "4\n");
	put(DEVICES "uncore_imc_0/cpumask", "0\n");
	m = open_root(1);
	check_core_type(m, 0, "core", "cpu", "0-7");
	assert_int_equal(perf_pmu_type(machine_core_type(m, 0), root), 4);
	assert_int_equal(machine_core_type(m, 0)->has_wide_umask, 0);
	pmc_machine_close(m);
	put(DEVICES "cpu/format/umask", "config:8-15,40-47\n");
	m = open_root(1);
	assert_int_equal(machine_core_type(m, 0)->has_wide_umask, 1);
	pmc_machine_close(m);
}
#endif

static void test_no_pmu(void **state)
{
	pmc_config_t *config;
	pmc_machine_t *m;

	put(DEVICES "software/type", "1\n");
	m = open_root(1);
	check_core_type(m, 0, "core", "none", "0-7");
	assert_int_equal(pmc_machine_core_type(m, 0)->nr_hw_counters, 0);
	config = pmc_config_new(m);
	assert_int_equal(pmc_config_add(config, "task_clock", PMC_EVERY_CORE_TYPE, 0), 0);
	assert_int_equal(pmc_config_add(config, "instr", PMC_EVERY_CORE_TYPE, 0), -1);
	pmc_config_free(config);
	pmc_machine_close(m);
}

/* Whatever the files contain */
static void test_odd_sysfs(void **state)
{
	static const char *const odd[] = { "", "\n", "x", "0-3 name x", "1,,2\n\n", "\xff\xfe", "-" };
	char many[5000];
	size_t i;

	memset(many, '1', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	for (i = 0; i <= sizeof(odd) / sizeof(*odd); i++) {
		const char *text = i < sizeof(odd) / sizeof(*odd) ? odd[i] : many;

		put(DEVICES "armv8_cortex_a53/cpus", text);
		put(DEVICES "armv8_cortex_a53/type", text);
		put(DEVICES "armv8_cortex_a72/cpus", "0-3");
		put(DEVICES "armv8_cortex_a72/type", text);
		put(DEVICES "armv8_cortex_a72/events/a", text);
		put(DEVICES "armv8 x/cpus", "0");
		put("devices/system/cpu/cpu0/cpu_capacity", text);
		put("devices/system/cpu/present", text);
		pmc_machine_close(machine_from_sysfs(root));
	}
}

static void test_no_sysfs(void **state)
{
	assert_null(machine_from_sysfs("/nonexistent"));
	assert_int_equal(errno, ENOENT);
	check_error("load the kernel module");
}

/* What read() of a group of one event returns */
static void count(int fd, uint64_t running, uint64_t counted)
{
	const uint64_t values[] = { 1, running, running, counted };

	assert_int_equal(write(fd, values, sizeof(values)), sizeof(values));
}

static void check_total(pmc_session_t *session, uint64_t expected, int accuracy)
{
	uint64_t counts[PMC_MAX_COUNTS];

	assert_int_equal(pmc_session_totals(session, PMC_EVERY_CORE_TYPE, 0, counts, NULL, NULL), 1);
	assert_int_equal(counts[0], expected);
	assert_int_equal(pmc_session_accuracy(session, PMC_EVERY_CORE_TYPE, 0, 0, NULL), accuracy);
}

/* A session that counts a set and a clock, of which each read() returns what one write() wrote */
struct by_hand {
	pmc_session_t *session;
	struct perf_session *s;
	struct perf_group *groups;
	int set[2], clock[2];
};

static void begin_by_hand(struct by_hand *by)
{
	struct perf_session *s;

	by->session = perf_session_open();
	assert_non_null(by->session);
	by->s = s = by->session->data;
	assert_int_equal(pipe2(by->set, O_DIRECT | O_NONBLOCK), 0);
	assert_int_equal(pipe2(by->clock, O_DIRECT | O_NONBLOCK), 0);
	s->nr_sets = 2;
	s->sets = calloc(2, sizeof(*s->sets));
	s->sums = calloc(2, sizeof(*s->sums));
	s->sets[0].nr = 1;
	s->sets[1].index = -1;
	s->nr_subjects = 1;
	s->subjects = calloc(1, sizeof(*s->subjects));
	s->subjects[0].pidfd = -1;
	s->subjects[0].values = calloc(4, sizeof(struct perf_values));
	s->subjects[0].last = s->subjects[0].values;
	s->subjects[0].now = s->subjects[0].values + 2;
	s->subjects[0].nr_threads = 1;
	s->subjects[0].threads = calloc(1, sizeof(struct perf_thread));
	by->groups = calloc(2, sizeof(*by->groups));
	s->subjects[0].threads[0].groups = by->groups;
	by->groups[0].nr = by->groups[1].nr = 1;
	by->groups[0].fds[0] = by->set[0];
	by->groups[1].fds[0] = by->clock[0];
}

static void end_by_hand(struct by_hand *by)
{
	pmc_session_close(by->session);
	close(by->set[1]);
	close(by->clock[1]);
}

/*
 * The kernel returns no bytes for a pinned clock that it has no counter for. The other groups are
 * read all the same. Totals are not called exact while a group cannot be read.
 */
static void test_unreadable(void **state)
{
	pmc_session_t *session;
	struct by_hand by;

	begin_by_hand(&by);
	session = by.session;
	count(by.set[1], 1000, 5);
	count(by.clock[1], 1000, 7);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 5, PMC_EXACT);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 5, PMC_PARTIAL);
	close(by.clock[1]);
	count(by.set[1], 2000, 11);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 11, PMC_PARTIAL);
	/* The clock has not gone back. */
	assert_int_equal(by.s->subjects[0].last[1].running, 1000);
	by.groups[1].nr = 0;
	close(by.clock[0]);
	count(by.set[1], 3000, 12);
	assert_int_equal(pmc_session_command(session, "sample"), 0);
	check_total(session, 12, PMC_EXACT);
	close(by.set[1]);
	pmc_session_close(session);
}

/* The largest pipe that the user may have */
static unsigned int largest_pipe = -1;

int __real_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...);
int __wrap_fcntl(int fd, int command, ...)
{
	unsigned int arg;
	va_list ap;

	/* The kernel takes 32 bits of the argument, too. */
	va_start(ap, command);
	arg = va_arg(ap, unsigned int);
	va_end(ap);
	if (command != F_SETPIPE_SZ || arg <= largest_pipe)
		return __real_fcntl(fd, command, arg);
	errno = EPERM;
	return -1;
}

static int start_with_ring(struct by_hand *by, unsigned int ring)
{
	begin_by_hand(by);
	by->s->ring = ring;
	return perf_sampler_start(by->s, by->session->fd);
}

/* A record of one count has 72 bytes, and 56 of them are in a page. */
static void ring_has_room(unsigned int ring, int size)
{
	struct by_hand by;

	if (start_with_ring(&by, ring))
		fail_msg("ring %u: %s", ring, pmc_last_error());
	assert_true(fcntl(by.s->out, F_GETPIPE_SZ) >= size);
	end_by_hand(&by);
}

static void ring_is_refused(unsigned int ring, int err, const char *why)
{
	struct by_hand by;

	assert_int_equal(start_with_ring(&by, ring), -1);
	assert_int_equal(errno, err);
	check_error(why);
	assert_int_equal(by.s->out, -1);
	end_by_hand(&by);
}

/* The pipe has room for as many samples as `ring` asks for, or counting does not begin. */
static void test_ring(void **state)
{
	largest_pipe = 1 << 20;
	ring_has_room(1, 72);
	ring_has_room(4096, 4096 * 72);
	ring_has_room(256 * 56, 1 << 20);
	ring_is_refused(256 * 56 + 1, EPERM, "ring: 14337 samples need 1028 KiB");
	ring_is_refused(100000, EPERM, "/proc/sys/fs/pipe-max-size");
	/* All pipes of a user may be too large together. */
	largest_pipe = 4096;
	ring_is_refused(57, EPERM, "ring: 57 samples need 8 KiB: Operation not permitted; "
			"without CAP_SYS_RESOURCE /proc/sys/fs/pipe-max-size is the limit for "
			"one session, pipe-user-pages-soft for all pipes of a user");
	/* 4 GiB and a page */
	ring_is_refused(((1 << 20) + 1) * 56, ENOMEM, "ring: 58720312 samples need 4194308 KiB");
	ring_is_refused(INT_MAX, ENOMEM, "ring: 2147483647 samples");
	largest_pipe = -1;
}

/* Children of fork() close this session; the test forks at one of its next calls of close(). */
static struct {
	pmc_session_t *session;
	int at;			/* two for each call, before and after it; 0: at none */
	int in_child;
} forks;

static void fork_and_close(void)
{
	int status;
	pid_t pid;

	if (!forks.at || --forks.at)
		return;
	pid = fork();
	if (!pid) {
		forks.in_child = 1;
		pmc_session_close(forks.session);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int __real_close(int fd);
int __wrap_close(int fd);
int __wrap_close(int fd)
{
	int rc;

	fork_and_close();
	rc = __real_close(fd);
	/* The number may be another file's. */
	if (rc && forks.in_child)
		_exit(EBADF);
	fork_and_close();
	return rc;
}

#define THREADS	3

/* More threads, and a file for the process */
static void add_threads(struct by_hand *by)
{
	struct perf_subject *subject = &by->s->subjects[0];
	int i, set;

	subject->threads = realloc(subject->threads, THREADS * sizeof(*subject->threads));
	for (i = 1; i < THREADS; i++) {
		subject->threads[i].groups = calloc(2, sizeof(struct perf_group));
		for (set = 0; set < 2; set++) {
			subject->threads[i].groups[set].nr = 1;
			subject->threads[i].groups[set].fds[0] = dup(by->set[0]);
		}
	}
	subject->nr_threads = THREADS;
	subject->pidfd = dup(by->set[0]);
}

/*
 * The sampler closes a process that has ended while another thread calls fork(), which does not
 * wait for it. The child may close the session, whatever the sampler has just done.
 */
static void test_forks_meanwhile(void **state)
{
	const int nr_files = 2 * THREADS + 1;
	struct by_hand by;
	int at;

	for (at = 1; at <= 2 * nr_files; at++) {
		begin_by_hand(&by);
		add_threads(&by);
		forks.session = by.session;
		forks.at = at;
		perf_subject_close(by.s, &by.s->subjects[0]);
		assert_int_equal(forks.at, 0);
		end_by_hand(&by);
	}
}

/* As between the two stores that make a reading the last one */
static void test_fork_at_a_sample(void **state)
{
	struct by_hand by;

	begin_by_hand(&by);
	by.s->subjects[0].now = by.s->subjects[0].last;
	end_by_hand(&by);
}

/* <sanitizer/allocator_interface.h>, which not every compiler has */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
					      void (*on_free)(const volatile void *));

static int nr_allocations;
static const volatile void *fork_before_free;

static void on_malloc(const volatile void *ptr, size_t size)
{
	nr_allocations++;
}

static void on_free(const volatile void *ptr)
{
	nr_allocations++;
	if (!ptr || ptr != fork_before_free)
		return;
	fork_before_free = NULL;
	forks.at = 1;
	fork_and_close();
}

static void hook_allocations(void)
{
	static int hooked;

	hooked = hooked || __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	assert_true(hooked);
}

/* fork() while a thread forgets two processes, of which one is gone already */
static void test_fork_at_clear(void **state)
{
	struct perf_subject *subjects;
	struct by_hand by;

	hook_allocations();
	begin_by_hand(&by);
	subjects = realloc(by.s->subjects, 2 * sizeof(*subjects));
	subjects[1] = (struct perf_subject){
		.pidfd = -1, .values = calloc(4, sizeof(struct perf_values)),
	};
	by.s->subjects = subjects;
	by.s->nr_subjects = 2;
	forks.session = by.session;
	fork_before_free = subjects[1].values;
	assert_int_equal(pmc_session_command(by.session, "clear"), 0);
	assert_null(fork_before_free);
	end_by_hand(&by);
}

/* Handlers of signals, which may interrupt malloc(), read sessions and stop them. */
static void test_takes_no_memory(void **state)
{
	struct pmc_reading reading;
	struct by_hand by;
	int before;

	hook_allocations();
	begin_by_hand(&by);
	assert_true(nr_allocations > 0);
	/* As attach does */
	assert_int_equal(session_take_buffer(by.session), 0);
	count(by.set[1], 1000, 5);
	count(by.clock[1], 1000, 7);
	count(by.set[1], 2000, 11);
	count(by.clock[1], 2000, 14);
	before = nr_allocations;
	assert_int_equal(pmc_session_command(by.session, "sample"), 0);
	assert_int_equal(pmc_session_next(by.session, &reading), 0);
	check_total(by.session, 5, PMC_EXACT);
	assert_int_equal(pmc_session_command(by.session, "stop"), 0);
	check_total(by.session, 11, PMC_EXACT);
	assert_int_equal(nr_allocations, before);
	pmc_session_close(by.session);
	close(by.set[1]);
	close(by.clock[1]);
}

/* Totals of perf's turns are scaled; the counts that differences are scaled of are not. */
static void test_unscaled(void **state)
{
	pmc_session_t *session = perf_session_open();
	struct pmc_set_counts sets[2];
	struct perf_session *s;
	int i;

	assert_non_null(session);
	s = session->data;
	s->nr_sets = 2;
	s->sets = calloc(2, sizeof(*s->sets));
	s->sums = calloc(2, sizeof(*s->sums));
	s->nr_subjects = 1;
	s->subjects = calloc(1, sizeof(*s->subjects));
	s->subjects[0].pidfd = -1;
	s->subjects[0].done = 1;
	s->subjects[0].values = calloc(4, sizeof(struct perf_values));
	s->subjects[0].last = s->subjects[0].values;
	for (i = 0; i < 2; i++) {
		s->sets[i].index = i;
		s->sets[i].nr = 1;
		s->subjects[0].last[i].enabled = 100;
	}
	s->subjects[0].last[0].running = 25;
	s->subjects[0].last[0].counts[0] = 7;
	s->subjects[0].last[1].running = 100;
	s->subjects[0].last[1].counts[0] = 9;
	check_total(session, 28, PMC_ESTIMATED);
	assert_int_equal(pmc_session_unscaled(session, 0, sets, 2), 0);
	assert_int_equal(sets[0].nr_counts, 1);
	assert_int_equal(sets[0].counts[0], 7);
	assert_int_equal(sets[0].running, 25);
	assert_int_equal(sets[0].available, 100);
	assert_int_equal(sets[1].set, 1);
	assert_int_equal(sets[1].counts[0], 9);
	assert_int_equal(sets[1].running, 100);
	assert_int_equal(sets[1].available, 100);
	assert_int_equal(pmc_session_unscaled(session, 1, sets, 1), -1);
	assert_int_equal(errno, EINVAL);
	pmc_session_close(session);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_configs),
		cmocka_unit_test(test_wide_umask),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_software),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_one_core_type),
		cmocka_unit_test(test_two_core_types),
		cmocka_unit_test(test_missed),
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_takes_no_memory),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_forks_meanwhile),
		cmocka_unit_test(test_fork_at_clear),
		cmocka_unit_test(test_fork_at_a_sample),
		cmocka_unit_test(test_unscaled),
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_cpu_lists),
		cmocka_unit_test_setup_teardown(test_biglittle, make_root, remove_root),
#if defined(__x86_64__)
		cmocka_unit_test_setup_teardown(test_hybrid, make_root, remove_root),
		cmocka_unit_test_setup_teardown(test_equal_cores, make_root, remove_root),
#endif
		cmocka_unit_test_setup_teardown(test_no_pmu, make_root, remove_root),
		cmocka_unit_test_setup_teardown(test_odd_sysfs, make_root, remove_root),
		cmocka_unit_test(test_no_sysfs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
