#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A core type's speed shows in its counts: on this machine big cores take one cycle for an
# instruction, little cores two. Counts are per thread and for whole CPUs, by
# generic events. The core types' counts add up to the total.

failed=0
complain() { echo "$*"; failed=1; cat out; }
little=$(sed -n 's/^core_type 1 cpus \([0-9]*\).*/\1/p' /proc/pmc/info)
[ "$little" ] || { echo "one core type only"; exit 1; }
events=instr,cycles
# The emulated arm64 cores have no such events.
[ "$(uname -m)" = aarch64 ] || events=$events,llc_references,llc_misses
head -c 1500000 /data/headers.txt >text

# row NAME: the totals of an event, as "type0 type1 all"
row() { awk -v name="$1" '$1 == name { print $2, $3, $4 }' out; }

# ratio INSTR CYCLES CPI: is it so, within 1 in 1000 (counters start one by one)?
ratio() { [ "$1" -gt 0 ] && [ $(($1 * $3 - $2)) -lt $(($1 / 1000)) ] && [ $(($2 - $1 * $3)) -lt $(($1 / 1000)) ]; }

# parts WHAT: sums, and each core type's cycles for an instruction
parts() {
	what=$1
	for event in $(echo $events | tr , ' '); do
		# shellcheck disable=SC2046 # three numbers
		set -- $(row "$event")
		[ $# -eq 3 ] || { complain "$what: no totals of $event"; return; }
		[ $(($1 + $2)) -eq "$3" ] || complain "$what: $event: $1 and $2 are not $3"
		[ "$3" -gt 0 ] || complain "$what: no $event"
	done
	# shellcheck disable=SC2046
	set -- $(row instr) $(row cycles)
	[ "$1" -eq 0 ] || ratio "$1" "$4" 1 || complain "$what: big cores: $1 instructions, $4 cycles"
	[ "$2" -eq 0 ] || ratio "$2" "$5" 2 || complain "$what: little cores: $2 instructions, $5 cycles"
	big_instr=$1 little_instr=$2
}

# One core type at a time, then all of them
pmctrack -b 0 -c $events xz -k -f -1 text >out 2>&1 || complain "on a big core: it failed"
parts "on a big core"
[ "$little_instr" -eq 0 ] || complain "on a big core: the little ones count"
on_big=$big_instr
pmctrack -b "$little" -c $events xz -k -f -1 text >out 2>&1 || complain "on a little core: it failed"
parts "on a little core"
[ "$big_instr" -eq 0 ] || complain "on a little core: the big ones count"
# Both runs have the same instructions, except for those of waiting threads.
[ $((on_big - little_instr)) -lt $((on_big / 100)) ] && [ $((little_instr - on_big)) -lt $((on_big / 100)) ] ||
	complain "the same program: $on_big instructions on a big core, $little_instr on a little one"
pmctrack -c $events xz -k -f -1 -T4 --block-size=200KiB text >out 2>&1 || complain "on all: it failed"
parts "on all"
[ "$big_instr" -gt 0 ] && [ "$little_instr" -gt 0 ] || complain "on all: a core type has done nothing"
pmctrack -S -c $events xz -k -f -1 -T4 --block-size=200KiB text >out 2>&1 || complain "all CPUs: it failed"
parts "all CPUs"
[ "$big_instr" -gt 0 ] && [ "$little_instr" -gt 0 ] || complain "all CPUs: a core type has done nothing"
exit $failed
