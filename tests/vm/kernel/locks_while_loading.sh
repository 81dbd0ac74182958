#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The module locks CPUs while it is loaded, so that none comes or goes. It must not have them locked
# again meanwhile: if a CPU begins to go in between, both wait for each other for ever. perf locks
# CPUs when the first event of a task begins, as it enables a static key then.

tracing=/sys/kernel/tracing
fail() { echo "$*"; exit 1; }
end_tracing() {
	echo 0 >$tracing/options/stacktrace
	echo 0 >$tracing/events/kprobes/lock_cpus/enable
	echo >$tracing/kprobe_events
	echo >$tracing/trace
}

[ -e $tracing/kprobe_events ] || mount -t tracefs tracefs $tracing || fail "no tracefs"
echo 'p:lock_cpus static_key_enable' >$tracing/kprobe_events || fail "no kprobe"
trap end_tracing EXIT
echo 1 >$tracing/options/stacktrace
echo 1 >$tracing/events/kprobes/lock_cpus/enable
# perf disables the key a second after the last event of a task.
sleep 2
echo >$tracing/trace
insmod /lib/pmctrack/pmctrack.ko "$@" || fail "insmod failed"
grep -A 20 'insmod.*lock_cpus' $tracing/trace >/tmp/seen && fail "CPUs are locked twice: $(cat /tmp/seen)"
rmmod pmctrack || fail "rmmod failed"
# The probe works: this enables the key.
sleep 2
pmctrack stat -e task-clock,instructions true >/tmp/stat 2>&1 || fail "pmctrack stat: $(cat /tmp/stat)"
grep -q 'lock_cpus' $tracing/trace || fail "perf's first event of a task was not seen"
