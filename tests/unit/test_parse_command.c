// SPDX-License-Identifier: GPL-2.0
/*
 * Command lines: every verb, every kind of argument, every refusal.
 */
#include "base/parse_command.h"
#include "unit.h"

static int parse(const char *text, char *line, size_t size,
		 struct pmc_command *cmd, struct pmc_err *err)
{
	assert_in_range(strlen(text), 0, size - 1);
	memcpy(line, text, strlen(text) + 1);
	memset(cmd, 0xaa, sizeof(*cmd));
	memset(err, 0xaa, sizeof(*err));

	return pmc_parse_command(line, cmd, err);
}

static void every_command(void **state)
{
	static const struct {
		const char *text;
		enum pmc_verb verb;
		const char *arg;
		u64 value;
	} cases[] = {
		{ "", PMC_CMD_NONE, "", 0 },
		{ " \t\r", PMC_CMD_NONE, "", 0 },
		{ "events pmc0,ev=8", PMC_CMD_EVENTS, "pmc0,ev=8", 0 },
		{ "events a b", PMC_CMD_EVENTS, "a b", 0 },
		{ "  events\t pmc0 \r", PMC_CMD_EVENTS, "pmc0", 0 },
		{ "period 0", PMC_CMD_PERIOD, "0", 0 },
		{ "period 100ms", PMC_CMD_PERIOD, "100ms", 100000000 },
		{ "filter user", PMC_CMD_FILTER, "user", PMC_FILTER_USER },
		{ "filter kernel", PMC_CMD_FILTER, "kernel", PMC_FILTER_KERNEL },
		{ "filter all", PMC_CMD_FILTER, "all",
		  PMC_FILTER_USER | PMC_FILTER_KERNEL },
		{ "follow none", PMC_CMD_FOLLOW, "none", PMC_FOLLOW_NONE },
		{ "follow threads", PMC_CMD_FOLLOW, "threads",
		  PMC_FOLLOW_THREADS },
		{ "follow children", PMC_CMD_FOLLOW, "children",
		  PMC_FOLLOW_CHILDREN },
		{ "enable now", PMC_CMD_ENABLE, "now", PMC_ENABLE_NOW },
		{ "enable exec", PMC_CMD_ENABLE, "exec", PMC_ENABLE_EXEC },
		{ "ring 1", PMC_CMD_RING, "1", 1 },
		{ "ring 4294967295", PMC_CMD_RING, "4294967295", U32_MAX },
		{ "wakeup 0x10", PMC_CMD_WAKEUP, "0x10", 16 },
		{ "attach 1234", PMC_CMD_ATTACH, "1234", 1234 },
		{ "attach 2147483647", PMC_CMD_ATTACH, "2147483647", INT_MAX },
		{ "attach-thread 12", PMC_CMD_ATTACH_THREAD, "12", 12 },
		{ "detach 3", PMC_CMD_DETACH, "3", 3 },
		{ "detach-thread 4", PMC_CMD_DETACH_THREAD, "4", 4 },
		{ "syswide", PMC_CMD_SYSWIDE, "", 0 },
		{ "syswide  ", PMC_CMD_SYSWIDE, "", 0 },
		{ "syswide 0-3,7", PMC_CMD_SYSWIDE, "0-3,7", 0 },
		{ "sample", PMC_CMD_SAMPLE, "", 0 },
		{ "stop ", PMC_CMD_STOP, "", 0 },
		{ "clear", PMC_CMD_CLEAR, "", 0 },
		{ "describe 0.0:instr, b", PMC_CMD_DESCRIBE, "0.0:instr, b", 0 },
		{ "names", PMC_CMD_NAMES, "", 0 },
		{ "addresses", PMC_CMD_ADDRESSES, "", 0 },
	};
	struct pmc_command cmd;
	struct pmc_err err;
	unsigned int i;
	char line[64];

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		if (parse(cases[i].text, line, sizeof(line), &cmd, &err))
			fail_msg("'%s': %s", cases[i].text, err.text);
		assert_int_equal(cmd.verb, cases[i].verb);
		assert_string_equal(cmd.arg, cases[i].arg);
		assert_int_equal(cmd.arg_len, strlen(cases[i].arg));
		assert_int_equal(cmd.value, cases[i].value);
	}
}

static void errors(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "start", "unknown command 'start': use one of events, virtual, period, filter, follow, enable, ring, names, addresses, wakeup, attach, attach-thread, detach, detach-thread, syswide, sample, stop, clear, describe" },
		{ "Events pmc0", "unknown command 'Events'" },
		{ "event pmc0", "unknown command 'event'" },
		{ "eventspmc0", "unknown command 'eventspmc0'" },
		{ "events=pmc0", "unknown command 'events=pmc0'" },
		{ "\x1b[2J", "unknown command '?[2J'" },
		{ "events", "events needs an argument, as in 'events pmc0,ev=0x8'" },
		{ "events  ", "events needs an argument" },
		{ "period", "period needs an argument, as in 'period 100ms'" },
		{ "filter", "filter needs an argument" },
		{ "follow", "follow needs an argument" },
		{ "enable", "enable needs an argument" },
		{ "ring", "ring needs an argument" },
		{ "wakeup", "wakeup needs an argument" },
		{ "attach", "attach needs an argument, as in 'attach 1234'" },
		{ "attach-thread", "attach-thread needs an argument" },
		{ "detach", "detach needs an argument" },
		{ "detach-thread", "detach-thread needs an argument" },
		{ "sample now", "sample takes no argument" },
		{ "stop 1", "stop takes no argument" },
		{ "clear all", "clear takes no argument" },
		{ "describe", "describe" },
		{ "period 100", "time '100' needs one of the units" },
		{ "filter users", "unknown filter 'users': use one of user, kernel, all" },
		{ "follow forks", "unknown follow 'forks': use one of none, threads, children" },
		{ "enable later", "unknown enable 'later': use one of now, exec" },
		{ "enable now exec", "unknown enable 'now exec'" },
		{ "ring 0", "ring: '0' is not a number from 1 to 4294967295" },
		{ "ring 4294967296", "ring: '4294967296' is not a number" },
		{ "ring many", "ring: 'many' is not a number" },
		{ "wakeup 0", "wakeup: '0' is not a number" },
		{ "attach 0", "attach: '0' is not a number from 1 to 2147483647, as in 'attach 1234'" },
		{ "attach 2147483648", "attach: '2147483648' is not" },
		{ "attach -1", "attach: '-1' is not a number" },
		{ "attach 1 2", "attach: '1 2' is not a number" },
		{ "attach self", "attach: 'self' is not a number" },
		{ "attach-thread 0", "attach-thread: '0' is not" },
		{ "detach 0", "detach: '0' is not" },
		{ "detach-thread x", "detach-thread: 'x' is not" },
	};
	struct pmc_command cmd;
	struct pmc_err err;
	unsigned int i;
	char line[64];

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int ret = parse(cases[i].text, line, sizeof(line), &cmd, &err);

		if (ret != -EINVAL)
			fail_msg("'%s' gives %d", cases[i].text, ret);
		check_message(&err, cases[i].message);
	}
}

static void times(void **state)
{
	static const struct {
		const char *text;
		u64 ns;
	} cases[] = {
		{ "0", 0 },
		{ "000", 0 },
		{ "0s", 0 },
		{ "0.0ms", 0 },
		{ "1ns", 1 },
		{ "1us", 1000 },
		{ "1ms", 1000000 },
		{ "1s", 1000000000 },
		{ "0.5s", 500000000 },
		{ "1.5ms", 1500000 },
		{ "1.000001ms", 1000001 },
		{ "0.000000001s", 1 },
		{ "1.0000000000000000s", 1000000000 },
		{ "2.50us", 2500 },
		{ "007ms", 7000000 },
		{ "9223372036854775807ns", S64_MAX },
		{ "9223372036s", 9223372036000000000ULL },
		{ "9223372036.854775807s", S64_MAX },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pmc_err err;
		u64 ns = 77;

		if (pmc_parse_time(cases[i].text, strlen(cases[i].text), &ns,
				   &err))
			fail_msg("%s", err.text);
		assert_int_equal(ns, cases[i].ns);
	}
}

static void wrong_times(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "", "time '' is no number with a unit: write it as 100ms" },
		{ "ms", "time 'ms' is no number" },
		{ "-1ms", "time '-1ms' is no number" },
		{ ".5s", "time '.5s' is no number" },
		{ "0x10ms", "needs one of the units ns, us, ms, s" },
		{ "10", "needs one of the units" },
		{ "0.0", "needs one of the units" },
		{ "10m", "needs one of the units" },
		{ "10 ms", "needs one of the units" },
		{ "10msec", "needs one of the units" },
		{ "10mss", "needs one of the units" },
		{ "1.s", "time '1.s' has no digit behind the point" },
		{ "1.", "has no digit behind the point" },
		{ "1.5.5s", "needs one of the units" },
		{ "0.5ns", "time '0.5ns' is finer than a nanosecond" },
		{ "0.0000000001s", "is finer than a nanosecond" },
		{ "1.0001us", "is finer than a nanosecond" },
		{ "9223372036854775808ns", "is too long" },
		{ "9223372036.854775808s", "is too long" },
		{ "18446744073.709551616s", "is too long" },
		{ "18446744074s", "is too long" },
		{ "18446744073709551616ns", "is too long" },
		{ "99999999999999999999999s", "is too long" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct pmc_err err;
		u64 ns = 77;
		int ret = pmc_parse_time(cases[i].text, strlen(cases[i].text),
					 &ns, &err);

		if (ret != -EINVAL)
			fail_msg("'%s' gives %d", cases[i].text, ret);
		check_message(&err, cases[i].message);
		assert_int_equal(ns, 77);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command),
		cmocka_unit_test(errors),
		cmocka_unit_test(times),
		cmocka_unit_test(wrong_times),
	};

	return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
