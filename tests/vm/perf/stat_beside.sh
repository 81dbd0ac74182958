#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# perf stat and pmctrack stat of one program, which moves between the core types. Their -x and
# -j have the same fields: one parser reads both. The module's counts are the same in each run.
# perf's are printed: where a core type has a PMU of its own, perf scales for the time that the
# thread spent on the other one.

. "${0%/*}/../lib/cli.sh"
cd "$(mktemp -d)" || exit
[ -e /usr/lib/perf/version ] || { echo "linux-perf could not be fetched"; exit 77; }
echo "linux-perf $(cat /usr/lib/perf/version)"

moves=/tests/programs/known_moves
case $(uname -m) in
aarch64) known=8000109 ;;
*) known=8000076 ;;
esac
events=task-clock,page-faults,instructions:u,cycles:u

# rows FILE: EVENT PMU COUNT PERCENT FIELDS for each row of -x, or -j. Of -j, `accuracy` is ours
# alone.
rows() {
	awk '
	function wrong(why) { print why ": " $0; exit 1 }
	function put(event, count, runtime, percent, fields, part, pmu) {
		if (count !~ /^([0-9]+(\.[0-9]+)?|<not (counted|supported)>)$/ ||
		    runtime !~ /^[0-9]+$/ || percent !~ /^[0-9]+\.[0-9][0-9]$/)
			wrong("no count, time or part of the time")
		pmu = "-"
		if (split(event, part, "/") == 3) {
			pmu = part[1]
			event = part[2] (part[3] == "" ? "" : ":" part[3])
		}
		gsub(/ /, "_", count)
		print event, pmu, count, percent, fields
	}
	/^#/ || /^$/ { next }
	/^\{.*\}$/ {
		rest = $0
		fields = ""
		while (match(rest, /"[a-z-]+" : ("[^"]*"|[^",}]+)/)) {
			pair = substr(rest, RSTART, RLENGTH)
			rest = substr(rest, RSTART + RLENGTH)
			at = index(pair, "\" : ")
			name = substr(pair, 2, at - 2)
			text = substr(pair, at + 4)
			gsub(/"/, "", text)
			value[name] = text
			if (name != "accuracy")
				fields = fields (fields == "" ? "" : ",") name
		}
		put(value["event"], value["counter-value"], value["event-runtime"], value["pcnt-running"], fields)
		next
	}
	split($0, f, ",") == 7 { put(f[3], f[1], f[4], f[5], "-"); next }
	{ wrong("not 7 fields") }' "$1"
}

# total EVENT FILE: of all core types, whose counts are added up where there is no sum of them
total() {
	awk -v event="$1" '$1 == event { if ($2 == "-") { all = $3; has = 1 } else sum += $3 }
		END { printf "%.0f\n", has ? all : sum }' "$2"
}

# run OPTION COMMAND...: the rows of its report are in the file rows
run() {
	option=$1
	shift
	status 7 "$@" "$option" -o report -e "$events" $moves
	rows report >rows || wrong "$1 $option: $(cat rows)"
	for event in task-clock page-faults instructions:u cycles:u; do
		grep -q "^$event " rows || { wrong "$1 $option: no $event in"; cat report; }
	done
}

# ---- ours ----

for i in 1 2 3 4 5 6 7 8 9 10; do
	run -x, pmctrack stat
	[ "$(total instructions:u rows)" = $known ] || wrong "run $i: $(total instructions:u rows) instead of $known"
done
awk '$4 != "100.00" { bad = 1; print } END { exit bad }' rows || wrong "not counted all the time"
run -j pmctrack stat
cp rows ours-j
[ "$(total instructions:u ours-j)" = $known ] || wrong "-j: $(cat report)"
echo "pmctrack stat: instructions:u $known in each of 10 runs, and with -j"

# ---- perf's ----

# Rows of -j have the same members; the metric of a row is perf's up to Linux 7.2, and ours.
compare() {
	for who in ours theirs; do
		awk '{ sub(/,metric-value,metric-unit$/, "", $5); print $1, $5 }' $who-j | sort -u >$who.fields
	done
	cmp -s ours.fields theirs.fields || wrong "-j: ours: $(cat ours.fields); perf's: $(cat theirs.fields)"
}

for i in 1 2 3; do
	run -x, perf stat
	awk -v known=$known '$1 == "instructions:u" {
			text = text (text == "" ? "" : ", ") ($2 == "-" ? "" : $2 " ") $3 " (counted for " $4 " % of the time)"
			sum += $3
		}
		END { printf "perf stat: instructions:u %s; in all %+.2f %%\n", text, 100 * (sum / known - 1) }' rows
done
run -j perf stat
cp rows theirs-j
compare
exit $fail
