#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The tables of events that are installed: each line is understood, new processors have all
# generic events, and events are encoded as perf encodes them. "As perf" is perf's own program
# jevents.py, by which its tables are built of the same JSON. Prints what the tables cost at the
# start of a command, in CPU time; a busy host makes it longer, so cli/start.sh has the limit.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

tables=$(scripts/event-tables) || fail "no tables"
build=$(. scripts/lib.sh && echo "$build")
scripts/build unit test_event_tables || fail "not built"

while read -r _ _ file; do
	[ -e "$tables/$file" ] || fail "the index has $file, which is not there"
done < <(grep -v '^#' "$tables/index")

# Strings of perf's tables, by their place: name, topic, description, encoding and others. Each
# PMU of a model has a list of places.
[ -d "$tables/perf" ] || fail "no encodings of perf's: python3 was missing when the tables were built"
mkdir "$work/perf"
for source in "$tables"/perf/*.c; do
	awk -v out="$work/perf/" '
		/^\/\* offset=/ { at = substr($2, 8); next }
		at != "" { text[at] = $0; at = ""; next }
		/^static const struct compact_pmu_event pmu_events__/ { list = $5; sub(/^pmu_events__/, "", list); sub(/\[.*/, "", list); next }
		/^static/ { list = ""; next }
		list ~ /^(alderlake_cpu_core|amdzen4_default_core|arm_cortex_a76_default_core)$/ && /^\{ [0-9]+ \}|^\t\{ [0-9]+ \}/ {
			split(substr(text[$2], 2), part, /\\000/)
			print part[1] "\t" part[4] >(out list)
		}' "$source"
done
# Sanitizers may fail to find room for their tables where addresses are random.
fixed="setarch --addr-no-randomize"
$fixed true 2>/dev/null || fixed=
EVENT_TABLES=$tables PERF_ENCODINGS=$work/perf $fixed "$build/native/unit/test_event_tables" >"$work/log" 2>&1 ||
	fail "$(cat "$work/log")"
grep -v '^\[' "$work/log"

# cpu_ms COMMAND...: the least CPU time of ten runs, which other processes lengthen least
cpu_ms() {
	local TIMEFORMAT='%U %S'
	for _ in {1..10}; do
		{ time "$@" >/dev/null 2>&1; } 2>&1
	done | awk '{ ms = ($1 + $2) * 1000; if (NR == 1 || ms < least) least = ms } END { printf "%d\n", least }'
}
export LD_LIBRARY_PATH=$build/native/libpmc PMCTRACK_PROC=$PWD/tests/unit/info/hybrid
commands=$build/native/cli
for events in "" "$tables:"; do
	export PMCTRACK_EVENTS=$events
	[ "$events" ] && what="all tables" || what="no tables"
	for command in "pmctrack --help" "pmc-events -e instr,cycles" "pmc-events -e inst_retired.any,br_misp_retired.cond -n P"; do
		# shellcheck disable=SC2086 # a list of words
		ms=$(cpu_ms $commands/$command)
		echo "$command, $what: $ms ms of CPU time"
	done
done
