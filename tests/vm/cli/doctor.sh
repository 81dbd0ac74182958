#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack doctor: a machine where all works, and faults made on purpose.

. "${0%/*}/../lib/cli.sh"

# finding KIND CHECK PATTERN: a line of the last output
finding() { has out "^$1 +$2 +$3"; }
# remedy PATTERN
remedy() { has out "^      -> $1"; }
paranoid() { echo "$1" >/proc/sys/kernel/perf_event_paranoid; }
# start COMMAND...: in the background, until it has printed a line; ended by `end`
start() {
	: >lines
	"$@" >lines 2>&1 &
	until [ -s lines ]; do sleep 0.1; done
}
end() { kill $!; wait $!; }

cd /tmp || exit
status 0 pmctrack doctor --help
has out '^Usage: pmctrack doctor$'
refused "what is 'more'" pmctrack doctor more
status 0 pmctrack --help
has out '^ +pmctrack doctor +does counting work here'
if ! grep -qE '^counter 0 pmc[-pmc0-9]* (fixed|general) ' /proc/pmc/info; then
	status 1 pmctrack doctor
	finding FAIL PMU 'this virtual machine has none$'
	remedy '.*pmu=on$'
	finding FAIL counting 'not tried: no core type has counters$'
	status 0 pmctrack stat true
	has err '^ Not counted: cycles, instructions, branches, branch-misses: there is no PMU here \(pmctrack doctor says why'
	exit $fail
fi

types=$(sed -n 's/^core_types //p' /proc/pmc/info)
status 0 pmctrack doctor
[ ! -s err ] || wrong "on standard error: $(cat err)"
! grep FAIL out || wrong "a fault where there is none"
head -n 1 out | grep -q "^pmctrack .* on Linux $(uname -r), $(uname -m), CPUs 0-3$" || wrong "$(head -n 1 out)"
finding ok rights 'this user may count all processes and CPUs$'
finding ok 'perf calls' 'perf_event_open\(\) works$'
finding ok others 'no other session is open$'
[ "$(grep -cE '^ok +counters +[^ ]+: all [0-9]+ general ones are free$' out)" -eq "$types" ] || wrong "counters: $(cat out)"
[ "$(grep -cE '^ok +counting +[^ ]+: 2,00[0-9],[0-9]{3} instructions, in each of two runs$' out)" -eq "$types" ] ||
	wrong "counting: $(cat out)"
awk 'length($0) > 80 { bad = 1; print } END { exit bad }' out || wrong "lines wider than 80 columns"
status 1 env PMCTRACK_DOCTOR_ROOT=/nonexistent pmctrack doctor
finding FAIL PMU

# Rights
paranoid 3
status 1 su user -c 'pmctrack doctor'
finding FAIL rights 'only root may count: kernel.perf_event_paranoid is 3$'
remedy 'sudo sysctl kernel.perf_event_paranoid=2$'
finding note 'perf calls' '.* see rights$'
finding FAIL counting '[^ ]+: kernel.perf_event_paranoid is 3'
status 0 pmctrack doctor
paranoid 2
status 0 su user -c 'pmctrack doctor'
finding ok rights 'this user may count own processes in user mode$'
chmod 0600 /proc/pmc/monitor
status 1 su user -c 'pmctrack doctor'
finding FAIL sessions 'this user may not open /proc/pmc/monitor$'
remedy '.*chmod 0666'
chmod 0666 /proc/pmc/monitor
status 1 su user -c 'ulimit -l 64; pmctrack doctor'
finding FAIL memory 'no room for a buffer of samples: 64 KiB of locked memory'
remedy 'sudo prlimit --pid \$\$ --memlock='

# Tables of events that are not installed: generic events are left
tables=/usr/share/pmctrack/events
if [ -e $tables ] && grep -q 'pmu cpu_core ' /proc/pmc/info; then
	mv $tables /tmp/tables
	status 0 pmctrack doctor
	finding note 'event names' '[^ ]+: no table of this model \(0x[0-9a-f]+\)'
	mv /tmp/tables $tables
fi

# Others with counters: one of a core type
start pmctrack -S -c instr:pmc="$(awk '$1 == "counter" && $4 == "general" {
	sub(/-.*/, "", $3); print substr($3, 4); exit }' /proc/pmc/info)" -T 0.05 -N 1000
status 0 pmctrack doctor
finding note others '1 other session is open$'
finding note counters '[^ ]+: [0-9]+ of [0-9]+ general ones are free;'
end
if echo 1 2>/dev/null >/proc/sys/kernel/nmi_watchdog && [ "$(cat /proc/sys/kernel/nmi_watchdog)" = 1 ]; then
	status 0 pmctrack doctor
	finding note watchdog 'the NMI watchdog has a counter of each CPU$'
	finding ok counting '.* in each of two runs$'
	# Only x86 has that mode.
	if [ "$(uname -m)" = x86_64 ]; then
		rmmod pmctrack
		modprobe pmctrack exclusive=1
		status 1 pmctrack doctor
		finding FAIL watchdog 'the NMI watchdog has the PMU,'
		remedy 'sudo sysctl kernel.nmi_watchdog=0$'
		finding FAIL counting '[^ ]+: '
		echo 0 >/proc/sys/kernel/nmi_watchdog
		status 0 pmctrack doctor
		finding note others 'the module is loaded with exclusive=1'
	fi
	echo 0 >/proc/sys/kernel/nmi_watchdog
fi

# A CPU that is off, and no module
echo 0 >/sys/devices/system/cpu/cpu3/online
status 0 pmctrack doctor
finding note CPUs '3 are offline'
echo 1 >/sys/devices/system/cpu/cpu3/online
rmmod pmctrack
status 1 pmctrack doctor
finding FAIL module 'installed for this kernel, but not loaded$'
remedy 'sudo modprobe pmctrack$'
finding note module 'without it, perf_event_open\(\) counts:'
# Core types are then perf's PMUs, of which there may be fewer.
finding ok counting '[^ ]+: 2,00[0-9],[0-9]{3} instructions[,;] '
exit $fail
