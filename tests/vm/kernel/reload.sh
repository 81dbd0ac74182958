#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The module's parameters, good and bad. Unloading is refused while a session is open, and
# works any number of times otherwise.

module=/lib/pmctrack/pmctrack.ko
failed=0
complain() { echo "$*"; failed=1; }
load() { insmod $module "$@" 2>/tmp/insmod.err; }
unload() { rmmod pmctrack || { complain "rmmod failed $*"; exit 1; }; }
info() { grep "$1" /proc/pmc/info; }

# good PARAMETERS INFO...: it loads, and /proc/pmc/info has these lines
good() {
	parameters=$1
	shift
	# shellcheck disable=SC2086
	load $parameters || { complain "$parameters: $(cat /tmp/insmod.err; dmesg | tail -n 3)"; return; }
	for line; do
		info "$line" >/dev/null || complain "$parameters: no '$line' in: $(cat /proc/pmc/info)"
	done
	pmctrack -c task_clock,page_faults true >/tmp/out 2>&1 || complain "$parameters: $(cat /tmp/out)"
	unload "$parameters"
}

# bad PARAMETERS WORD: it does not load, and the kernel's log says the word
bad() {
	dmesg -c >/tmp/kernel-log-before
	# shellcheck disable=SC2086
	if load $1; then
		complain "$1: it was accepted"
		unload "$1"
	elif ! dmesg | grep pmctrack | grep -qF -- "$2"; then
		complain "$1: the log does not say '$2': $(dmesg)"
	fi
	[ ! -e /proc/pmc ] || complain "$1: /proc/pmc is there"
	dmesg -c >/dev/null
}

last=$(($(nproc) - 1))
case $(uname -m)$last in
*3) ;;
*) echo "for 4 CPUs"; exit 1 ;;
esac
# The PMU of half of the CPUs, and the backend that drives the machine's by register
devices=/sys/bus/event_source/devices
two_pmus=$([ -e $devices/armv8_cortex_a53 ] || [ -e $devices/cpu_atom ] && echo yes)
case $(uname -m)$(sed -n '/^vendor_id/{s/.*: //p;q}' /proc/cpuinfo) in
aarch64) native=armv8 foreign=intel ;;
x86_64GenuineIntel) native=intel foreign=armv8 ;;
x86_64*) native=amd foreign=armv8 ;;
esac
find $devices | grep -qE '/(armv8|cpu)' || native=

good "" "^core_types"
good backend=perf "^backend perf"
if [ "$native" ]; then
	good "" "^backend $native"
	good "backend=$native" "^backend $native"
fi
good core_types=0-1:one,2-3:two "^core_types 2" "^core_type 0 cpus 0-1 name one" \
	"^core_type 1 cpus 2-3 name two"
good core_types=2-3:two,0-1:one "^core_types 2" "^core_type 0 cpus 2-3 name two" \
	"^core_type 1 cpus 0-1 name one"
good core_types=0-1:little,2-3:big "name little" "name big"
good core_types=0:a,1:b,2+3:c "^core_types 3" "^core_type 2 cpus 2-3 name c"
if [ "$two_pmus" ]; then
	good core_types=0:a,1:b,2:c,3:d "^core_types 4"
	bad core_types=0+2:odd,1+3:even "PMU"
	bad core_types=0-3:all "PMU"
else
	good core_types=0+2:even,1+3:odd "^core_types 2" "^core_type 0 cpus 0,2 name even"
	good core_types=0-3:all "^core_types 1" "^core_type 0 cpus 0-3 name all"
fi

bad core_types=bogus bogus
bad core_types=0-1: name
bad core_types=:big "''"
bad core_types=0-1:big "CPU 2"
bad core_types=0-1:big,2-3:big big
bad core_types=0-1:big,1-3:little "there already"
bad core_types=0-1:big,2-9:little "CPU 4"
bad core_types=1-0:big,2-3:little "before it begins"
bad core_types=0-1:Big,2-3:little Big
bad core_types=x-1:big,2-3:little x
bad core_types=0-1:big,,2-3:little "''"
bad core_types=0-99999999999:big 99999999999
bad core_types=0-1:a_name_of_more_than_15,2-3:b a_name_of_more_than_15
bad backend=bogus bogus
bad "backend=$foreign" "$foreign"

# An open file is enough to keep the module loaded.
load || exit 1
exec 9<>/proc/pmc/monitor
rmmod pmctrack 2>/tmp/rmmod.err && complain "it can be unloaded while a session is open"
grep -qiE "in use|busy|unavailable" /tmp/rmmod.err || complain "rmmod says: $(cat /tmp/rmmod.err)"
grep -q '^sessions 1$' /proc/pmc/stats || complain "not one session: $(cat /proc/pmc/stats)"
exec 9>&-
unload "after the session was closed"

# Over and over, with something counted in between.
i=0 rounds=15
[ "$SIZE" != long ] || rounds=100
while [ $i -lt $rounds ]; do
	load || { complain "round $i: $(cat /tmp/insmod.err)"; break; }
	if [ $((i % 10)) -eq 0 ]; then
		pmctrack -c page_faults true >/tmp/out 2>&1 || complain "round $i: $(cat /tmp/out)"
		grep -q page_faults /tmp/out || complain "round $i: nothing was counted"
	fi
	unload "in round $i"
	i=$((i + 1))
done
exit $failed
