#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Everything is as exact with the NMI watchdog on and perf at work on all CPUs, and so is perf.

failed=0
sysctl -qw kernel.perf_event_paranoid=-1
[ ! -e /proc/sys/kernel/nmi_watchdog ] || sysctl -qw kernel.nmi_watchdog=1
/tests/programs/perf_workload >/tmp/perf 2>&1 &
for test in count/exact sample/ebs sample/tbs library/many_calipers count/inherit attach/running_process; do
	timeout 200 "/tests/$test" >/tmp/out 2>&1
	status=$?
	if [ $status -ne 0 ]; then
		echo "$test beside perf: exit status $status"
		cat /tmp/out
		failed=1
	fi
done
kill $!
wait $! || { echo "perf beside us:"; failed=1; }
cat /tmp/perf
exit $failed
