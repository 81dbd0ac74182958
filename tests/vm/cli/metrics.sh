#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# Metrics of pmctrack stat by numbers that the machine is known to give: a P-core executes an
# instruction in a cycle of 6 slots, an E-core in two, and all other slots are backend-bound.

. "${0%/*}/../lib/cli.sh"

cd /tmp || exit 1
loop=/tests/programs/known_loop

# metric NAME LABEL: its value on a core type, from the last -j on standard error
metric() {
	awk -v name="\"metric-unit\" : \"[^\"]*$1\"" -v label="\"core-type\" : \"$2\"" \
		'$0 ~ name && index($0, label) { sub(/.*"metric-value" : /, ""); sub(/,.*/, ""); print }' err
}

# near WHAT VALUE WANTED TOLERANCE
near() {
	awk -v v="${2:-none}" -v w="$3" -v t="$4" 'BEGIN { exit !(v != "none" && v >= w - t && v <= w + t) }' ||
		wrong "$1: ${2:-none}, expected $3"
}

# on CPU LABEL IPC RETIRING: all that is known of a core type
on() {
	status 7 pmctrack stat -j -b "$1" --filter user -m tma,ipc $loop
	near "ipc on $2" "$(metric ipc "$2")" "$3" 0.01
	near "retiring on $2" "$(metric tma_retiring "$2")" "$4" 0.1
	sum=$(for part in retiring bad_speculation frontend_bound backend_bound; do
		metric tma_$part "$2"
	done | awk '{ sum += $1 } END { print NR == 4 ? sum : "not 4 parts" }')
	near "the sum of level 1 on $2" "$sum" 100 1
	has err "\"core-type\" : \"$2\", \"accuracy\" : \"exact\", .*tma_retiring"
}

on 0 0:P 1 16.67
on 3 1:E 0.5 8.33

# perf's name of the fixed counter for slots: the same as on a general counter, 6 a cycle
status 7 pmctrack stat -x, -b 0 --filter user -e '{slots,TOPDOWN.SLOTS_P,cycles}' $loop
awk -F, '$3 ~ "^cpu_core/" { n[++nr] = $1 } END { exit !(nr == 3 && n[1] && n[1] == n[2] && n[1] == 6 * n[3]) }' err ||
	wrong "slots: $(cat err)"
# Sets that take turns: the program does the same all the time, so the values stay.
more=branches,branch-misses,l1d_misses,llc_misses,loads
for where in '0 0:P 1 16.67' '3 1:E 0.5 8.33'; do
	# shellcheck disable=SC2086 # words
	set -- $where
	status 0 pmctrack stat -j -b "$1" --filter user -e "$more" -m tma,ipc /tests/programs/phase_mix 100,0,0,0:60000
	near "ipc on $2 by turns" "$(metric ipc "$2")" "$3" 0.01
	near "retiring on $2 by turns" "$(metric tma_retiring "$2")" "$4" 0.1
	has err "\"core-type\" : \"$2\", \"accuracy\" : \"(partial|estimated)\", .*tma_retiring"
	grep -q '"pcnt-running" : [1-9][0-9]*\.[0-9]*, "accuracy" : "estimated"' err ||
		wrong "no event took turns: $(cat err)"
done

# A metric of more events than there are counters is over several sets, and estimated. Each of
# the umasks 1 to 9 of an event is one of its own, whatever it counts here.
many=0
for n in 1 2 3 4 5 6 7 8 9; do
	many="$many+cpu_core@event\\=0xc0\\,cmask\\=1\\,inv\\=0\\,edge\\=0\\,umask\\=$n@"
done
status 0 pmctrack stat -j -b 0 --filter user -m "n=($many)/instr" \
	/tests/programs/phase_mix 100,0,0,0:60000
has err '"core-type" : "0:P", "accuracy" : "estimated", .*"metric-unit" : "n"'
exit $fail
