#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# An hour of the machine's time beside perf: perf stat, record and top alternate, and the NMI
# watchdog is switched off and on, while CPUs go offline and online, threads are counted and
# sampled, and the machine is suspended. The tests that run here check that every count is
# right, the module's and perf's, and that every loss is reported.
#
# usage: perf/long_mix.sh [MINUTES]

end=$((${1:-60} * 60))
failed=0 rounds=0 seed=0
uptime() { cut -d. -f1 /proc/uptime; }

run() {
	test=$1
	shift
	timeout 300 "/tests/$test" "$@" >/tmp/out 2>&1
	status=$?
	[ $status -eq 0 ] && return
	echo "round $rounds, at $(uptime) s: $test: exit status $status"
	cat /tmp/out
	failed=1
}

sysctl -qw kernel.perf_event_paranoid=-1 kernel.nmi_watchdog=1
while [ "$(uptime)" -lt $end ] && [ $failed -eq 0 ]; do
	rounds=$((rounds + 1)) seed=$((seed + 1))
	/tests/programs/perf_workload $seed >/tmp/perf 2>&1 &
	for test in count/exact sample/ebs sample/tbs library/many_calipers count/inherit attach/running_process; do
		run $test
	done
	run kernel/hotplug beside-perf
	kill $!
	wait $! || { echo "round $rounds: perf beside us:"; failed=1; }
	cat /tmp/perf
	# What perf itself counts over a sleep is not kept by the kernel on x86.
	sysctl -qw kernel.nmi_watchdog=1
	run kernel/suspend
	# It costs no time: nobody does anything.
	sleep 60
done
sysctl -qw kernel.nmi_watchdog=0
echo "$rounds rounds in $(uptime) s"
exit $failed
