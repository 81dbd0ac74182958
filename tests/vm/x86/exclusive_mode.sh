#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# With the PMU for itself the module counts as exactly as beside perf.

failed=0
insmod /lib/pmctrack/pmctrack.ko exclusive=1 || exit 1
grep -q '^exclusive 1$' /proc/pmc/info || { echo "the PMU is shared"; exit 1; }
intel=
! grep -q GenuineIntel /proc/cpuinfo || intel=x86/extra_registers
for test in count/exact sample/ebs sample/tbs library/caliper library/many_calipers count/inherit x86/rdpmc x86/rdpmc_inherited \
	x86/realtime_thread x86/nmi kernel/suspend $intel; do
	timeout 120 "/tests/$test" >/tmp/out 2>&1
	status=$?
	if [ $status -ne 0 ]; then
		echo "$test with exclusive=1: exit status $status"
		cat /tmp/out
		failed=1
	fi
done
rmmod pmctrack
exit $failed
