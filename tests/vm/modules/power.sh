#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The power of threads by a model: on a machine whose cores need a constant energy for an
# instruction, it is that of the instructions that pmctrack counts; and the scheduler gets it.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

mkdir /tmp/power && cd /tmp/power || exit 1
manager=/proc/pmc/mm_manager
types=$(sed -n 's/^core_type [0-9]* .* name \([^ ]*\).*/\1/p' /proc/pmc/info)

insmod /lib/pmctrack/pmc_estimated_power.ko || exit 1
# activate: it may be refused
activate() { echo activate estimated_power 2>/dev/null >$manager; }
! activate || wrong "active without a model"
has $manager "last error: estimated_power has no model"

# Each type has other nanojoules for an instruction: 4, 2, ...
joules=4
for type in $types; do
	set="$(pmc-events -e "instr:u:k,coretype=$type" | sed 's/,coretype=.*//'),$(pmc-events -e "cycles:u:k,coretype=$type" | sed 's/,coretype=.*//')"
	echo "estimated_power.$type.set=instr:${set%,*},cycles:${set#*,}"
	echo "estimated_power.$type.metric.rate=1000*instr/ns"
	echo "estimated_power.$type.estimate=0.00$joules*rate"
	joules=$((joules / 2))
done >model
pmc-load-model model || exit 1
echo estimated_power.period_ms=2 >/proc/pmc/config
activate || { tail -n 1 $manager; exit 1; }

# watts CPU NANOJOULES: an estimate is that of the module's last period, which is as long as a sample
# and began up to two samples ago: its power is between those of the instructions of the last three.
watts() {
	pmctrack -b "$1" -T 0.002 -c instr:u:k -V power --format=csv -o csv pmc-workload -n 1500 sort >/dev/null ||
		wrong "pmctrack failed"
	awk -F, -v joules="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["event"] != "tick" { next }
		{ a = b; b = c; c = $at["instr:u:k"] / $at["running_us"] * joules / 1e3; power = $at["~power[W]"] }
		!a { next }
		{ low = high = a }
		b < low { low = b } c < low { low = c } b > high { high = b } c > high { high = c }
		{ n++; sum += power; right += power > low - 0.002 && power < high + 0.002 }
		END { printf "%d samples: %.3f W, %d as the instructions say\n", n, sum / n, right; exit !(n > 30 && right > 0.9 * n) }' csv ||
		{ wrong "CPU $1"; cat csv; }
}
watts 0 4
watts $(($(nproc) - 1)) $((joules * 2))

# The scheduler gets milliwatts.
insmod /lib/pmctrack/test_consumer.ko quiet=1 || exit 1
pmc-workload -n 100000 integer >/dev/null &
pid=$!
taskset -p 1 $pid >/dev/null
echo "on $pid 0" >/proc/pmc_consumer || wrong "not monitored"
sleep 0.2
echo "metric $pid 10" >/proc/pmc_consumer && cat /proc/pmc_consumer >answer
kill $pid
wait $pid 2>/dev/null
awk '/answer/ { found = $3 }
	END { print "a scheduler: " found " mW"; exit !(found > 1000 && found < 10000) }' answer || wrong "what the scheduler gets"
rmmod test_consumer || wrong "test_consumer can't be unloaded"
echo deactivate estimated_power >$manager && rmmod pmc_estimated_power || wrong "it can't be unloaded"
exit $fail
