#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# With exclusive=1 either the module or a virtual machine (KVM's mediated vPMU) has the PMU,
# never both. With a shared PMU, counts are right beside such a machine.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh
cd /tmp || exit 1
[ -e /lib/pmctrack/kvm.ko ] || { echo "this kernel has no mediated vPMU"; exit 77; }

# instructions NAME: the total that the file out has for it
total() { awk -v event="$1" '$1 == event { n = $NF } END { print n + 0 }' out; }

# The loop has as many instructions in user mode, and 7 is its own exit status.
count() {
	report 7 pmctrack -A -c instr:u /tests/programs/known_loop
	[ "$(total instr:u)" -eq 2000004 ] || { wrong "$1: not 2000004 instructions:"; cat out; }
}

insmod /lib/pmctrack/pmctrack.ko exclusive=1 || exit 1
count "before"

# A virtual machine that was there first
insmod /lib/pmctrack/kvm.ko || wrong "no virtual machine although nobody counts"
report 2 pmctrack -c instr true
has err 'a virtual machine of KVM.s has the PMU'
[ "$(wc -l <err)" -eq 1 ] || { wrong "not one line:"; cat err; }
rmmod kvm
count "after the virtual machine"

# One that comes while we count
pmctrack -c instr sleep 3 >/dev/null 2>&1 &
sleep 1
! insmod /lib/pmctrack/kvm.ko 2>/dev/null || { wrong "a virtual machine has got the PMU while it was ours"; rmmod kvm; }
wait
insmod /lib/pmctrack/kvm.ko || wrong "no virtual machine although nobody counts any more"

# The module is loaded while there is one
rmmod pmctrack
for parameter in "" backend=perf; do
	insmod /lib/pmctrack/pmctrack.ko $parameter || wrong "the module does not load beside a virtual machine"
	count "beside a virtual machine, with '$parameter'"
	rmmod pmctrack
done
rmmod kvm
exit $fail
