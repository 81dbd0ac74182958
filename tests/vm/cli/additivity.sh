#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmc-additivity: all events in the fewest runs, exact sums, a compound that does more than its
# parts, killed and continued, users, refusals.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

# Tests before may have left files.
mkdir -m 777 /tmp/additivity || exit 1
cd /tmp/additivity || exit 1
types=$(sed -n 's/^core_type [0-9]* .* name \([^ ]*\).*/\1/p' /proc/pmc/info)
last=$(echo "$types" | tail -n 1)

# What user space executes is the same each time, with all at the same addresses. The command of more does twice what its parts do.
echo 0 >/proc/sys/kernel/randomize_va_space
cat >programs <<'END'
loop: pmc-workload -n 1 integer
sort: pmc-workload -n 2 sort
both = loop + sort
more = loop + sort: pmc-workload -n ${ROUNDS:-12} sort
END

options="-c $last -e instr,cycles,migrations --min 3 --max 3"
# shellcheck disable=SC2086 # a list of words
run() { pmc-additivity run $options "$@"; }

# An additive event has the sum exactly; the other compound has more.
status 0 run whole programs
has out '^instr +non-additive +[0-9.]+ +0\.00 +1/2 +0\.00 +3 more'
has out '^2 events: 2 non-additive, 0 potentially additive$'
has out '1 events set aside.*'
has out '^  migrations$'
has err 'events are counted in 1 runs, the fewest possible$'
has err '^pmc-additivity: first each of 2 base programs has all of them once: 2 runs$'
has err '^pmc-additivity: that takes [0-9]+ s; then all programs and compounds take [0-9]+ to [0-9]+ s'
status 0 pmc-additivity judge --pairs --format=csv whole
has out '^cores,instr,non-additive,both,[0-9]+,[0-9]+,0\.000000,0\.000000$'
grep '^cores,instr,' out >expected
status 0 pmc-additivity judge --format=json -t 30 -o whole.json whole
has whole.json '"event": "instr", "verdict": "non-additive"'
has whole.json '"set_aside": \["migrations"\]'

# What depends on the program before is caught: it does more work behind a program of the same compound.
cat >context <<'END'
mark: sh -c 'echo $PPID >before; exec pmc-workload -n 2 integer'
depends: sh -c 'n=2; read -r before <before; [ $PPID != $before ] || n=8; exec pmc-workload -n $n sort'
after = mark + depends
alone = depends + mark
END
status 0 pmc-additivity run -c "$last" -e instr --min 3 --max 3 context_results context
has out '^instr +non-additive .* 1/2 .* after$'

# An additive event is never called non-additive.
if [ "$SIZE" = long ]; then
	grep -v '^more' programs >additive
	for round in $(seq 50); do
		status 0 pmc-additivity run -c "$last" -e instr --min 2 --max 2 "additive-$round" additive
		has out '^instr +potentially additive'
	done
fi

# The command is killed with measurements missing, in each phase.
for runs in 1 3 5 9; do
	# shellcheck disable=SC2086 # a list of words
	pmc-additivity run $options killed programs >/dev/null 2>&1 &
	pid=$!
	while [ ! -e killed/measurements.csv ] || [ "$(grep -c '^end' killed/measurements.csv)" -lt $runs ]; do
		kill -0 $pid 2>/dev/null || { wrong "it ended before $runs runs"; break; }
		usleep 1000
	done
	kill -9 $pid
	wait $pid 2>/dev/null
done
# A measurement that is written in part is ignored.
printf 'cores,loop,0,instr,1,0' >>killed/measurements.csv
status 0 run killed programs
[ "$(grep -c '^end' killed/measurements.csv)" -eq "$(grep -c '^end' whole/measurements.csv)" ] ||
	wrong "not the same number of measurements"
status 0 pmc-additivity judge --pairs --format=csv killed
grep '^cores,instr,' out | cmp - expected || wrong "other verdicts after kills"

# All events of the core type: each in one of the runs
status 0 pmc-additivity run -c "$last" --dry-run nothing programs
has err "^pmc-additivity: [0-9]+ events are counted in $(wc -l <out) runs"
tr , '\n' <out | sed 's/^[0-9]*: //' | sort >listed
[ "$(sort -u listed | wc -l)" -eq "$(wc -l <listed)" ] || wrong "an event is in two runs"
[ "$(wc -l <listed)" -ge 8 ] || wrong "few events"
[ ! -e nothing ] || wrong "--dry-run makes a folder"

# Memory bound to the only node: the same verdicts
if [ -e /sys/devices/system/node/node0 ]; then
	status 0 run -m memory programs
	has out '^with memory bound, too: 0 verdicts are other ones$'
	has memory/measurements.csv '^memory,more,'
	has memory/about.txt '^memory node: 0$'
	# The program has the policy in the second set-up alone: the scan and two times three runs are without.
	cat >bound <<'END'
bound: sh -c 'grep -c bind /proc/self/numa_maps >>maps || :'
loop: pmc-workload -n 1 integer
END
	status 0 run -m policy bound
	[ "$(sed 7q maps | sort -u)" = 0 ] || wrong "memory is bound in the first set-up: $(cat maps)"
	[ "$(sed 1,7d maps | grep -cv '^0$')" -eq 6 ] || wrong "memory is not bound: $(cat maps)"
fi

# Users test their own programs, if the administrator lets users count.
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
if [ "$paranoid" -gt 2 ]; then
	echo 3 >/proc/sys/kernel/perf_event_paranoid
	refused "perf_event_paranoid is 3" su user -c "pmc-additivity run -c $last -e instr users programs"
fi
echo 2 >/proc/sys/kernel/perf_event_paranoid
status 0 su user -c "pmc-additivity run -c $last -e instr --min 2 --max 2 users programs"
has out '^instr +non-additive'

# Root takes the counters of a user's program: that run is not kept.
mkdir -m 777 revoked
cat >long <<'END'
long: sh -c 'touch revoked/runs; until [ -e revoked/taken ]; do pmc-workload -n 1 integer; done'
short: pmc-workload -n 1 integer
END
su user -c "pmc-additivity run -c $last -e instr revoked/folder long" >log 2>&1 &
pid=$!
until [ -e revoked/runs ]; do
	kill -0 $pid 2>/dev/null || { wrong "it ended before the program ran:"; cat log; break; }
	usleep 1000
done
take_counters "$last"
touch revoked/taken
wait $pid
got=$?
[ $got -eq 2 ] || wrong "a count that is too small: exit status $got"
has log '^pmc-additivity: a count is not exact'
! grep '^end' revoked/folder/measurements.csv || wrong "a count that is too small is kept"

# Energy by counts, where packages have counters of it: programs that were left out have small
# errors, and the model is a metric. Too few programs are refused.
refused "2 base programs are too few" pmc-additivity energy whole
if [ -e /lib/machine/rapl.ko ] && grep -q '^vendor_id.*\(Intel\|AMD\)' /proc/cpuinfo && insmod /lib/machine/rapl.ko; then
	for kind in integer float branch sort stream tlb; do
		echo "$kind: pmc-workload -s 1 -n 100 $kind"
	done >six
	printf 'integer_tlb = integer + tlb\nsort_stream = sort + stream\n' >>six
	status 0 pmc-additivity run -k -c "$last" -e instr,branches,loads,page_faults --min 3 --max 3 energy six
	has out '^dynamic energy +potentially additive'
	status 0 pmc-additivity energy -o energy.metric energy
	has out '^errors of 6 programs that were left out: mean 1?[0-9]\.[0-9]* %.*; p = 0\.0(05|10)$'
	has out '^errors of 2 compounds of the programs of the fit: mean [0-9]\.'
	has energy.metric '^energy\[%\.6f J\]=.*instr'
	PMCTRACK_METRICS=energy.metric report 0 pmctrack -b "$(($(nproc) - 1))" -A -m energy pmc-workload -n 100 integer
	has out '^energy\[J\] .* 0\.0[0-9]*[1-9][0-9]*$'
	# The kernel estimates the power of a thread by the same: a small core has 1 nJ and 1 instruction a ns.
	status 0 pmc-additivity energy -e instr -M power.model energy
	has power.model "^estimated_power\.$last\.estimate=0\.00[01][0-9]*\*rate_1\$"
	insmod /lib/pmctrack/pmc_estimated_power.ko && pmc-load-model power.model &&
		echo estimated_power.period_ms=10 >/proc/pmc/config && echo activate estimated_power >/proc/pmc/mm_manager ||
		{ wrong "the module refuses the model:"; cat power.model /proc/pmc/mm_manager; }
	status 0 pmctrack -b "$(($(nproc) - 1))" -T 0.02 -c instr -V power --format=csv -o csv pmc-workload -n 3000 integer
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["event"] == "tick" { n++; good += $at["~power[W]"] > 0.7 && $at["~power[W]"] < 1.4 }
		END { exit !(n > 5 && good >= n - 2) }' csv || { wrong "the power of a thread:"; cat csv; }
	echo deactivate estimated_power >/proc/pmc/mm_manager && rmmod pmc_estimated_power || wrong "module estimated_power"
	# Energy of the memory, which AMD's processors do not count
	if grep -q '^vendor_id.*Intel' /proc/cpuinfo; then
		status 0 pmc-additivity run -k -d dram -c "$last" -e instr,branches,loads,page_faults --min 3 --max 3 dram six
		status 0 pmc-additivity energy -o dram.metric dram
		has out '^errors of 6 programs that were left out: mean 1?[0-9]\.[0-9]* %.*; p = 0\.0(05|10)$'
		grep '^errors of 6' out
	else
		refused "the energy of core is that of one core in each package on this processor" pmc-additivity run -d core -c "$last" -e instr core six
		refused "the energy of dram cannot be read" pmc-additivity run -d dram -c "$last" -e instr dram six
	fi
	rmmod rapl
fi

# Refusals
refused "has measurements with modes 'user', not 'user and kernel'" run -k whole programs
has whole/about.txt '^processor: 0x[0-9a-f]+$'
cp -r whole elsewhere
sed -i 's/^processor: .*/processor: 0x1/' elsewhere/about.txt
refused "has measurements with processor '0x1', not '0x" run elsewhere programs
sed s/sort/branch/ programs >others
refused "has measurements of other programs: name another folder" run whole others
refused "core types $(echo "$types" | tr '\n' ' ' | sed 's/ $//')" pmc-additivity run -c none x programs
refused "-e: .*no event 'nonsense'" pmc-additivity run -e nonsense x programs
refused "^pmc-additivity: cannot read missing: " pmc-additivity run -e instr x missing
refused "^pmc-additivity: missing has no measurements" pmc-additivity judge missing
refused "takes percent" pmc-additivity judge -t many whole
refused "see pmc-additivity --help" pmc-additivity measure
printf 'a: false\nb: true\n' >failing
status 2 pmc-additivity run -e instr failed failing
has err "^pmc-additivity: 'a' failed with status 1"
printf 'a: /no/such/program\nb: true\n' >failing
status 2 pmc-additivity run -e instr failed2 failing
has err "^pmc-additivity: 'a' cannot be started"
printf 'a: true\nb: true\nab = a + c\n' >wrong
refused "wrong:3: 'c' is no base program" pmc-additivity run -e instr x wrong

exit $fail
