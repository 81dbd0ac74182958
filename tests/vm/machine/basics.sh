#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The test machine has the CPUs, core types and devices that other tests rely on.

fail=0

# same WHAT FOUND EXPECTED
same() {
	if [ "$2" != "$3" ]; then
		echo "$1: '$2', expected '$3'"
		fail=1
	fi
}

pmus=$(cd /sys/bus/event_source/devices && for p in armv8* cpu*; do [ ! -e "$p" ] || echo "$p"; done | xargs)

cpus=4
model=$(sed -n '/^model\t/{s/.*: //p;q}' /proc/cpuinfo)
case $(tr -d '\0' 2>/dev/null </proc/device-tree/pmu-a72/compatible)$(uname -m)$model in
arm,cortex-a72-pmuaarch64)
	same "PMUs" "$pmus" "armv8_cortex_a53 armv8_cortex_a72"
	same "big CPUs" "$(cat /sys/bus/event_source/devices/armv8_cortex_a72/cpus)" 0-1
	same "little CPUs" "$(cat /sys/bus/event_source/devices/armv8_cortex_a53/cpus)" 2-3
	same "capacities" "$(cat /sys/devices/system/cpu/cpu[0-3]/cpu_capacity | xargs)" "1024 1024 400 400" ;;
aarch64)
	same "PMUs" "$pmus" armv8_pmuv3
	same "capacities" "$(cat /sys/devices/system/cpu/cpu[0-3]/cpu_capacity | xargs)" "1024 1024 1024 1024" ;;
x86_64151)
	same "PMUs" "$pmus" "cpu_atom cpu_core"
	ps=0-1 es=2-3 siblings="0 1 2 3"
	if [ "$(cat /sys/devices/system/cpu/smt/active)" = 1 ]; then
		cpus=6 ps=0-3 es=4-5 siblings="0-1 0-1 2-3 2-3 4 5"
	fi
	same "P-cores" "$(cat /sys/bus/event_source/devices/cpu_core/cpus)" $ps
	same "E-cores" "$(cat /sys/bus/event_source/devices/cpu_atom/cpus)" $es
	same "CPUs of each CPU's core" \
		"$(cat /sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list | xargs)" "$siblings" ;;
x86_64120)
	same "PMUs" "$pmus" cpu ;;
x86_64*)
	same "PMUs" "$pmus" "" ;;
*)
	same "machine" "$(uname -m)" "aarch64 or x86_64" ;;
esac
same "number of CPUs" "$(nproc)" $cpus

same "an ordinary user" "$(su user -c 'id -u')" 1000
for c in xz zstd pigz taskset chrt; do
	same "command $c" "$(command -v $c >/dev/null && echo there)" there
done
same "text survives compression" \
	"$(head -c 300000 /data/headers.txt | xz -0 -T4 | xz -dc | md5sum)" \
	"$(head -c 300000 /data/headers.txt | md5sum)"
exit $fail
