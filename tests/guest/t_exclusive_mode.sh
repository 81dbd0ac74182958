#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# With the PMU for itself the module counts as exactly as beside perf.

failed=0
insmod /lib/pmctrack/pmctrack.ko exclusive=1 || exit 1
grep -q '^exclusive 1$' /proc/pmc/info || { echo "the PMU is shared"; exit 1; }
intel=
! grep -q GenuineIntel /proc/cpuinfo || intel=t_extra_x86
for test in t_exact t_ebs t_tbs t_caliper t_many_calipers t_follow t_rdpmc t_rdpmc_others_x86 \
	t_realtime_x86 t_nmi t_suspend $intel; do
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
