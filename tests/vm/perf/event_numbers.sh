#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Through the kernel's counter API instead of registers all is as exact.

failed=0
insmod /lib/pmctrack/pmctrack.ko backend=perf || exit 1
grep -q '^backend perf$' /proc/pmc/info || { echo "not the backend asked for"; exit 1; }
# What else has the counters another way with this backend.
more=
[ "$(uname -m)" != x86_64 ] || more='perf/shared_pmu count/counter_placement kernel/suspend x86/rdpmc_inherited'
for test in count/exact sample/ebs sample/tbs count/inherit attach/running_process attach/client_exit library/pmctrack_strings $more; do
	timeout 60 "/tests/$test" >/tmp/out 2>&1
	status=$?
	if [ $status -ne 0 ]; then
		echo "$test with backend=perf: exit status $status"
		cat /tmp/out
		failed=1
	fi
done

# The least number that is too long is refused, not counted as another event; on AMD
# the longest are counted, here cycles at a fixed rate, which 0x20 would not.
too_long=0x100 counted=
case $(uname -m)-$(grep -m 1 -o 'AuthenticAMD' /proc/cpuinfo) in
aarch64*) too_long=0x10000 ;;
*AMD) too_long=0x1000 counted=0x120:umask=1 ;;
esac
if pmctrack -c $too_long true >/tmp/out 2>&1 || ! grep -q 'event numbers end at' /tmp/out; then
	echo "event $too_long with backend=perf:"
	cat /tmp/out
	failed=1
fi
if [ "$counted" ]; then
	pmctrack -A -c $counted /tests/programs/known_loop >/tmp/out 2>&1
	if ! awk -v e=$counted '$1 == e && $NF > 1000 { found = 1 } END { exit !found }' /tmp/out; then
		echo "event $counted with backend=perf:"
		cat /tmp/out
		failed=1
	fi
fi
rmmod pmctrack || failed=1
exit $failed
