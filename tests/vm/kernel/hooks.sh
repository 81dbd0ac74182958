#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The module is notified of switch, fork, exec and exit by hooks in a kernel with the
# project's patches, and by tracepoints elsewhere. A parameter asks for tracepoints on a
# patched kernel. Hooks come and go while the kernel is busy switching and forking. (The mode
# @tracepoints of tests/vm/list tests what is counted.)

module=/lib/pmctrack/pmctrack.ko
failed=0 rounds=1
[ "$SIZE" != long ] || rounds=5
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

# Pairs of processes that wake each other, and forks, while hooks come and go.
for i in 1 2; do
	while :; do /bin/true; done &
	busy="$busy $!"
	{ while :; do echo; done | cat >/dev/null; } &
	busy="$busy $!"
done
for kind in $kinds; do
	i=0
	while [ $i -lt $rounds ]; do
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
