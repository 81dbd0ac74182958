#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Where the module learns of switch, fork, exec and exit from: on a kernel with
# the project's patches from its hooks, elsewhere from tracepoints, and there from
# tracepoints, too, when asked. All is as exact by either, and they can be had
# and given back while the kernel is busy switching and forking.

module=/lib/pmctrack/pmctrack.ko
failed=0
complain() { echo "$*"; failed=1; }

case $(uname -r) in
*-pmctrack) best=kernel kinds="kernel tracepoints" ;;
*) best=tracepoints kinds=tracepoints ;;
esac

# in_force PARAMETERS KIND: it loads, and says these hooks
in_force() {
	# shellcheck disable=SC2086
	insmod $module $1 || { complain "insmod $1 failed"; return 1; }
	grep -qx "hooks $2" /proc/pmc/info || complain "insmod $1: not 'hooks $2': $(cat /proc/pmc/info)"
}

# refused PARAMETERS WORD: it does not load, and the kernel's log says the word
refused() {
	dmesg -c >/dev/null
	if insmod $module "$1" 2>/dev/null; then
		complain "$1: it was accepted"
		rmmod pmctrack
	elif ! dmesg | grep pmctrack | grep -qF -- "$2"; then
		complain "$1: the log does not say '$2': $(dmesg)"
	fi
}

in_force "" "$best" && rmmod pmctrack
refused hooks=bogus hooks=bogus
[ $best = kernel ] || refused hooks=kernel "there are tracepoints"

# The best are what the other tests have. Without a PMU there is nothing to be exact about.
tests=attach/client_exit
for pmu in /sys/bus/event_source/devices/armv8* /sys/bus/event_source/devices/cpu*; do
	[ ! -e "$pmu" ] || tests="count/exact count/inherit attach/running_process attach/client_exit"
done
for kind in $kinds; do
	[ "$kind" != "$best" ] || continue
	in_force "hooks=$kind" "$kind" || continue
	for test in $tests; do
		timeout 60 "/tests/$test" >/tmp/out 2>&1
		status=$?
		[ $status -eq 0 ] || complain "$test with hooks=$kind: exit status $status: $(cat /tmp/out)"
	done
	rmmod pmctrack || complain "rmmod after hooks=$kind failed"
done

# Pairs of processes that wake each other, and forks, while hooks come and go.
for i in 1 2; do
	while :; do /bin/true; done &
	busy="$busy $!"
	{ while :; do echo; done | cat >/dev/null; } &
	busy="$busy $!"
done
for kind in $kinds; do
	i=0
	while [ $i -lt 5 ]; do
		in_force "hooks=$kind" "$kind" || break
		pmctrack -c task_clock,context_switches sh -c '/bin/true; /bin/true' >/tmp/out 2>&1 ||
			complain "round $i with hooks=$kind: $(cat /tmp/out)"
		rmmod pmctrack || { complain "rmmod in round $i with hooks=$kind failed"; break; }
		i=$((i + 1))
	done
done
# shellcheck disable=SC2086
kill $busy
wait
exit $failed
