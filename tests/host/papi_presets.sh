#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tables of PAPI's presets: each event of each row is in the table of events of each of the
# row's models. Prints how many presets each model has.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

tables=$(scripts/event-tables) || fail "no tables"
build=$(. scripts/lib.sh && echo "$build")
scripts/build unit test_papi_preset_rows || fail "not built"

# Sanitizers may fail to find room for their tables where addresses are random.
fixed="setarch --addr-no-randomize"
$fixed true 2>/dev/null || fixed=
EVENT_TABLES=$tables $fixed "$build/native/unit/test_papi_preset_rows" >"$work/log" 2>&1 ||
	fail "$(cat "$work/log")"
grep -v '^\[' "$work/log"
