// SPDX-License-Identifier: GPL-2.0
/* Without the kernel module: events in the form of perf_event_open(), what times say of counts, and commands */
#include "cpu_list.h"
#include "lib.h"
#include "machine.h"
#include "perf_accuracy.h"
#include "perf_protocol.h"
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
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_cpu_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
