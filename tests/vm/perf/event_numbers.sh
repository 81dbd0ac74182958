#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Through the kernel's counter API (mode @perf), event numbers that are too long are refused,
# not counted as another event.

failed=0
# The least number that is too long is refused; on AMD the longest are counted, here cycles
# at a fixed rate, which 0x20 would not be.
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
exit $failed
