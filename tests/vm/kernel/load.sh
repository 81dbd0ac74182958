#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The module can be loaded and unloaded any number of times, and leaves nothing behind.
# While a session counts, unloading is refused.

module=/lib/pmctrack/pmctrack.ko
fail() { echo "$*"; exit 1; }
loaded() { grep -q '^pmctrack ' /proc/modules; }

rounds="1 2 3"
[ "$SIZE" != long ] || rounds="1 2 3 4 5 6 7 8 9 10"
for i in $rounds; do
	insmod $module || fail "round $i: insmod failed"
	[ -d /proc/pmc ] || fail "round $i: no /proc/pmc"
	pmctrack -c task_clock,page_faults true >/dev/null || fail "round $i: pmctrack failed"
	rmmod pmctrack || fail "round $i: rmmod failed"
	[ ! -e /proc/pmc ] || fail "round $i: /proc/pmc is still there"
done

insmod $module || fail "insmod failed"
insmod $module 2>/dev/null && fail "it can be loaded twice"
rm -f /tmp/tried
pmctrack -c task_clock sh -c 'until [ -e /tmp/tried ]; do sleep 0.1; done' >/dev/null &
until grep -q '^pmctrack [0-9]* [1-9]' /proc/modules; do
	loaded || fail "it went away by itself"
done
rmmod pmctrack 2>/dev/null && fail "it can be unloaded while someone counts"
touch /tmp/tried
wait $! || fail "pmctrack failed when unloading was tried"
rmmod pmctrack || fail "it cannot be unloaded when the counting is over"

# The administrator says who may open sessions at all.
insmod $module monitor_mode=0660 monitor_gid=44 mm_manager_mode=0600 || fail "insmod with modes failed"
for file in "monitor 660 44" "mm_manager 600 0" "info 444 0"; do
	# shellcheck disable=SC2086 # three words
	set -- $file
	[ "$(stat -c '%a %g' "/proc/pmc/$1")" = "$2 $3" ] ||
		fail "mode and group of $1: $(stat -c '%a %g' "/proc/pmc/$1"), not $2 $3"
done
rmmod pmctrack || fail "rmmod after modes failed"
dmesg -c >/dev/null
insmod $module monitor_mode=0777 2>/dev/null && fail "monitor_mode=0777 is taken"
dmesg | grep -q 'monitor_mode=0777: permissions' || fail "monitor_mode=0777: $(dmesg)"
[ ! -e /proc/pmc ] || fail "/proc/pmc is there after a refused load"
