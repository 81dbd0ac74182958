#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/vm returns output and status of its command, and reports every failure.

vm="$(dirname "$0")/../../scripts/vm --bare"
build=$(cd "$(dirname "$0")/../.." && . scripts/lib.sh && echo "$build")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect WHAT STATUS OUT ERR-PATTERN COMMAND...
expect() {
	local what=$1 status=$2 out=$3 err=$4 rc=0
	shift 4
	"$@" >"$work/out" 2>"$work/err" || rc=$?
	if [ $rc -ne "$status" ] || [ "$(cat "$work/out")" != "$out" ] ||
			! [[ $(tr '\n' '~' <"$work/err") =~ $err ]]; then
		echo "$what: status $rc, expected $status; output:"
		cat "$work/out"
		echo "error output:"
		cat "$work/err"
		failures=$((failures + 1))
	fi
}

# shellcheck disable=SC2086
{
expect "status and output" 7 "one
two" '(^|~)three~$' $vm 'echo one; echo two; echo three >&2; exit 7'
expect "a hang" 124 "before" 'Run /init.*killed at the timeout of 60 s~$' \
	$vm --timeout 60 'echo before; while :; do :; done'
expect "a crash" 125 "before" 'sysrq triggered crash' \
	$vm 'echo before; echo c >/proc/sysrq-trigger'
expect "a warning" 125 "done" 'the kernel complained: .*WARNING: CPU: 0 PID: 1 at test' \
	$vm 'echo "WARNING: CPU: 0 PID: 1 at test" >/dev/kmsg; echo done'
expect "16 CPUs" 0 "0-7
8-15" '' $vm --cpus 16 'cd /sys/bus/event_source/devices; cat armv8_cortex_a72/cpus armv8_cortex_a53/cpus'
mkdir -p "$work/add/etc" && echo "added" >"$work/add/etc/motd"
expect "an added file" 0 "added" '' $vm --add "$work/add" cat /etc/motd
expect "P- and E-cores" 0 "0-1
2" '' $vm --machine x86-hybrid --cpus 3 'cd /sys/bus/event_source/devices; cat cpu_core/cpus cpu_atom/cpus'
expect "x86-64" 0 "x86_64" '' $vm --machine x86-64 uname -m
expect "a bad option" 2 "" '^vm: .*--help\)~$' $vm --machin x true
expect "a bad machine" 2 "" "^vm: no machine 'pdp11'.*~$" $vm --machine pdp11 true
expect "odd CPUs" 2 "" "^vm: --cpus 3: .*even.*~$" $vm --cpus 3 true
expect "no energy" 2 "" "^vm: --energy 0: .*~$" $vm --energy 0 true
expect "no command" 2 "" "^vm: which command.*~$" $vm
}

# Much output is complete, byte for byte.
# shellcheck disable=SC2086
if ! $vm 'head -c 3000000 /data/headers.txt;
		head -c 3000000 /data/headers.txt | md5sum >&2' >"$work/big" 2>"$work/sum" ||
		[ "$(tail -n 1 "$work/sum")" != "$(md5sum <"$work/big")" ]; then
	echo "much output: not what the machine wrote"
	failures=$((failures + 1))
fi

# A shell's machine ends with its terminal, although only the first process of the session
# is told that it is gone.
mkfifo "$work/keys"
script -qfc "exec make -C '$(dirname "$0")/../..' vm" /dev/null <"$work/keys" >"$work/screen" 2>&1 &
terminal=$!
# shellcheck disable=SC2034 # keeps the pipe open
exec {keys}>"$work/keys"
tries=0
until grep -q '~ # ' "$work/screen" || [ $((tries++)) -eq 600 ]; do sleep 0.5; done
machine=$(pgrep -nf "$build/run\..*chardev stdio,id=tty")
kill -KILL $terminal
sleep 8
[ "$machine" ] || { echo "make vm starts no machine"; cat "$work/screen"; failures=$((failures + 1)); }
! kill -0 "$machine" 2>/dev/null || { echo "a machine goes on without its terminal"; failures=$((failures + 1)); }

exit $((failures > 0))
