#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Through the kernel's counter API instead of registers all is as exact.

failed=0
insmod /lib/pmctrack/pmctrack.ko backend=perf || exit 1
grep -q '^backend perf$' /proc/pmc/info || { echo "not the backend asked for"; exit 1; }
for test in t_exact t_ebs t_tbs t_follow t_attach t_death; do
	timeout 60 /tests/$test >/tmp/out 2>&1
	status=$?
	if [ $status -ne 0 ]; then
		echo "$test with backend=perf: exit status $status"
		cat /tmp/out
		failed=1
	fi
done
rmmod pmctrack || failed=1
exit $failed
