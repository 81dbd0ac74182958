#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack probe: calls and instructions of functions that have known numbers of them, by thread
# and core type, without what the probes cost; refusals.

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
refused "has no function 'nosuch'" pmctrack probe $program nosuch
refused "is no 64-bit ELF program" pmctrack probe /tests/cli/probe.sh nosuch

# shellcheck disable=SC2086 # words
status 3 pmctrack probe -x, -o f $program $functions
is f known_inner 401 81002 81002
is f known_outer 8 82032 1232
is f known_recursive 11 73 73

[ $fail -eq 0 ] && echo "calls and instructions of functions are exact"
exit $fail
