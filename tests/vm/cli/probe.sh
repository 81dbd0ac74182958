#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack probe: calls, instructions and metrics of functions that have known numbers of them, by
# thread and core type, without what the probes cost; CSV, JSON and traces.

. "${0%/*}/../lib/cli.sh"

program=/tests/programs/known_calls
functions='known_inner known_outer known_recursive'

# value FILE FUNCTION CORE_TYPE FIELD: a field of the row of instructions, summed over threads
value() { awk -F, -v f="$2" -v c="$3" -v n="$4" '$1 == f && $3 == c && $5 == "instr" { s += $n } END { print s + 0 }' "$1"; }

# is FILE FUNCTION CALLS INCLUSIVE EXCLUSIVE: the row of all core types, and the sum of their own
is() {
	got="$(value "$1" "$2" all 4) $(value "$1" "$2" all 6) $(value "$1" "$2" all 7)"
	[ "$got" = "$3 $4 $5" ] || wrong "$2: $got instead of $3 $4 $5: $(cat "$1")"
	grep -qE "^$2,[0-9]*,all," "$1" || wrong "no row of $2"
	sum=$(awk -F, -v f="$2" '$1 == f && $3 != "all" && $5 == "instr" { c += $4; i += $6; e += $7 } END { print c + 0, i + 0, e + 0 }' "$1")
	[ "$sum" = "0 0 0" ] || [ "$sum" = "$got" ] || wrong "$2: core types $sum, all $got: $(cat "$1")"
}

# Without a function, those of the symbol tables; with one, its matches.
status 0 pmctrack probe $program
has out '^known_inner$'
status 0 pmctrack probe -l $program 'known_[io]*'
[ "$(tr '\n' ' ' <out)" = "known_inner known_outer " ] || wrong "the list: $(cat out)"

# shellcheck disable=SC2086 # words
status 3 pmctrack probe -x, -o f $program $functions
is f known_inner 401 81002 81002
is f known_outer 8 82032 1232
is f known_recursive 11 73 73

# The kernel sees 64 nested returns. The calls below them are counted, and pay for their entries only.
# shellcheck disable=SC2086 # words
status 3 pmctrack probe -x, -o f $program $functions -- 100
is f known_inner 401 81002 81002
is f known_recursive 101 703 703
has err '^pmctrack: 37 calls ended without a return'

# thread FUNCTION N TID: calls and counts of the function in that thread, which N names
thread() {
	awk -F, -v f="$1" -v t="$3" '$1 == f && $2 == t && $5 == "instr" && $3 == "all" { print $4, $6, $7 }' f >got
	grep -qx "$2" got || wrong "$1 in thread $3: $(cat got) instead of $2: $(cat f)"
}

# The first thread has a call more of known_inner(), and all calls of known_recursive().
# shellcheck disable=SC2086 # words
status 3 pmctrack probe --per-thread -x, -o f $program $functions
is f known_inner 401 81002 81002
is f known_outer 8 82032 1232
first=$(awk -F, '$1 == "known_recursive" && $3 == "all" && $5 == "instr" { print $2 }' f)
other=$(awk -F, -v t="$first" '$2 != t { print $2 }' f | sort -u)
thread known_inner "201 40602 40602" "$first"
thread known_inner "200 40400 40400" "$other"
thread known_outer "4 41016 616" "$first"
thread known_outer "4 41016 616" "$other"
thread known_recursive "11 73 73" "$first"

# Metrics of the same counts, which stay out of sight; a core has one cycle for an instruction, or two.
# shellcheck disable=SC2086 # words
status 3 pmctrack probe -m 'ipc,cpi[%.4f]=cycles/instr' -x, -o f $program $functions
! grep -q ',instr,' f || wrong "counts for metrics are shown: $(cat f)"
awk -F, '$5 == "ipc" { ipc[$1 "," $3] = $6 " " $7; next }
	$5 == "cpi" { cpi = $6 + 0; if ($6 <= 0 || $7 <= 0) bad = bad " " $0
		want = sprintf("%.2f", 1 / cpi); if (ipc[$1 "," $3] !~ "^" want " ") bad = bad " " $0; n++ }
	END { if (n < 3 || bad) { print n, bad; exit 1 } }' f || wrong "metrics: $(cat f)"
while IFS=, read -r function _ core _ metric in own; do
	case $metric,$function,$core in
	cpi,known_*,P | cpi,known_*,A72) [ "$in $own" = "1.0000 1.0000" ] ;;
	cpi,known_*,E | cpi,known_*,A53) [ "$in $own" = "2.0000 2.0000" ] ;;
	ipc,known_*,P | ipc,known_*,A72) [ "$in $own" = "1.00 1.00" ] ;;
	ipc,known_*,E | ipc,known_*,A53) [ "$in $own" = "0.50 0.50" ] ;;
	esac || wrong "metric $metric of $function on $core: $in $own"
done <f

# CSV has a column for each quantity.
# shellcheck disable=SC2086 # words
status 3 pmctrack probe -e instr -m 'half[%.1f]=instr/2' -o f.csv $program $functions
[ "$(head -n 1 f.csv)" = "function,tid,coretype,calls,instr,own_instr,half,own_half" ] || wrong "heading: $(head -n 1 f.csv)"
grep -qx 'known_outer,,all,8,82032,1232,41016.0,616.0' f.csv || wrong "CSV: $(cat f.csv)"
[ "$(awk -F, '$1 == "known_inner" && $3 ~ /^[0-9]$/ { c += $4; i += $5 } END { print c, i }' f.csv)" = "401 81002" ] ||
	[ "$(grep -c known_inner f.csv)" = 1 ] || wrong "core types in CSV: $(cat f.csv)"

# JSON: one object; tests/host/output.sh has its form checked.
# shellcheck disable=SC2086 # words
status 3 pmctrack probe --format=json --per-thread -e instr -m 'half[%.1f]=instr/2' -o - $program $functions
tr -d '\n' <out >f
has f '"function": "known_outer", "file": "/tests/programs/known_calls", "tid": [0-9]+,"all": \{"calls": 4, "counts": \{"instr": 41016\}, "own_counts": \{"instr": 616\}, "metrics": \{"half": 20508.0\}, "own_metrics": \{"half": 308.0\}\}'
has f '"unfinished": 0, "lost": 0\}$'

# A trace has a slice for each call; tests/host/perfetto.sh has it decoded. A program that cannot be run
# leaves the file as it was.
# shellcheck disable=SC2086 # words
status 3 pmctrack probe -o f.pftrace $program $functions
[ ! -s err ] || wrong "$(cat err)"
for pair in known_inner=401 known_outer=8 known_recursive=11; do
	got=$(tr -c 'a-z_' '\n' <f.pftrace | grep -cx "${pair%=*}")
	[ "$got" = "${pair#*=}" ] || wrong "$got slices of ${pair%=*}, not ${pair#*=}"
done
size=$(wc -c <f.pftrace)
cp $program no_rights
chmod -x no_rights
status 126 pmctrack probe -o f.pftrace ./no_rights known_inner
[ "$(wc -c <f.pftrace)" = "$size" ] || wrong "the trace is not as it was: $(wc -c <f.pftrace) bytes, $size before"

[ $fail -eq 0 ] && echo "calls, instructions and metrics of functions are exact"
exit $fail
