#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The example of libpmcpapi, libpmc/papi/examples/first.c: it prints counts of both core types,
# each with a part of the work, and their sum is the count of all.

fail() { echo "$*"; exit 1; }

/tests/programs/papi_first >/tmp/first || fail "exit status $?"
cat /tmp/first
awk '
	$1 == "all" && $3 == "instructions" { all = $2; next }
	{ types++; sum += $2; least = types == 1 || $2 < least ? $2 : least }
	END { exit !(types == 2 && least > 100000 && sum == all) }' /tmp/first ||
	fail "expected: all, and two core types whose sum it is"
