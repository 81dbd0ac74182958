#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A sampling period shorter than its own interrupt, kernel mode included: samples are
# throttled, the throttling is reported, and the machine goes on.

grep -q ' interrupt$' /proc/pmc/info || { echo "no counter that interrupts"; exit 77; }
instr=$(pmc-events -e instr | sed -n '1s/,.*//p')
value() { awk -v key="$1" '$1 == key { print $2 }' /proc/pmc/stats; }

before=$(value throttled)
exec 3<>/proc/pmc/monitor
printf '%s\n' "filter all" "ring 64" "events $instr:ebs=1000" "attach $$" >&3 || exit 1
i=0
while [ $i -lt 2000 ]; do i=$((i + 1)); done
echo stop >&3 || exit 1
exec 3>&-
[ "$(value throttled)" -gt "$before" ] || { echo "nothing was held back"; exit 1; }
