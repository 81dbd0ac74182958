// SPDX-License-Identifier: GPL-2.0
/* Events of counters that CPUs share. */
#include "base/parse_evset.h"
#include "pmu/uncore_encode.h"
#include "unit.h"

/* The driver's configuration, according to PPR 54945, 2.1.14.3; -1: refused. */
static long long encoded(const char *text, struct pmc_err *err)
{
	struct pmc_setreq req;
	u64 config;

	pmc_err_clear(err);
	if (pmc_parse_events(text, strlen(text), &req, err))
		fail_msg("%s: %s", text, err->text);
	return pmc_uncore_encode(&req.ev[0], &config, err) ? -1 : (long long)config;
}

static void level_3_caches(void **state)
{
	struct pmc_err err;

	assert_int_equal(encoded("l3=0x04:umask=0x01", &err), 0x0104);
	assert_int_equal(encoded("l3=0x04:umask=0xff", &err), 0xff04);
	assert_int_equal(encoded("l3=0xff:umask=0xff", &err), 0xffff);
	assert_int_equal(encoded("l3=0x9a", &err), 0x009a);
	assert_int_equal(encoded("l3=0x100", &err), -1);
	check_message(&err, "l3=0x100:umask=0x0: at most 0xff and 0xff");
	assert_int_equal(encoded("l3=4:umask=0x100", &err), -1);
	check_message(&err, "l3=0x4:umask=0x100: at most");
	assert_int_equal(encoded("l3=0x8000000000000004", &err), -1);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(level_3_caches),
	};

	return cmocka_run_group_tests_name("uncore_encode", tests, NULL, NULL);
}
