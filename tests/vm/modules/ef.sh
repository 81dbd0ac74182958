#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Efficiency factors: the energy-delay product on an E-core over that on a P-core,
# estimated by a model, against the energy and the time that each run took alone; and
# the scheduler gets the same estimates. Two monitoring modules are active at once.

fail=0
wrong() { echo "$*"; fail=1; }
manager=/proc/pmc/mm_manager
PATH=$PATH:/tests/programs

insmod /lib/pmctrack/pmc_energy.ko && insmod /lib/pmctrack/pmc_estimated_ef.ko || exit 1
pmc-load-model /usr/share/pmctrack/models/x86-timed-ef.model || exit 1
echo estimated_ef.period_ms=10 >/proc/pmc/config || exit 1
for module in energy estimated_ef; do
	echo activate $module >$manager || { tail -n 1 $manager; exit 1; }
done

# on CPU FILE PHASE: lines "instructions cycles energy ef" of 10 ms each, without the first two
# estimates, which are also of the program's start
on() {
	pmctrack -b "$1" -T 0.01 -c instr,cycles -V energy_pkg,ef --format=csv -o "$2.csv" phase_mix "$3" >/dev/null ||
		wrong "$3: pmctrack failed"
	awk -F, '$8 == "tick" && $14 != "" && $11 > 100000' "$2.csv" | tail -n +3 | cut -d, -f11-14 >"$2"
}
# The counter is the machine's: what the kernel still does after its start is over.
sleep 6
for phase in 30,0,0,0:600000 0,0,12,0:200000 10,5,1,0:400000 4,4,0,4:300000; do
	on 0 big $phase
	on 2 little $phase
	# Per instruction: energy, then time; the worst estimate of each
	awk -F, -v phase="$phase" '
		{ c[FILENAME] += $2; i[FILENAME] += $1; e[FILENAME] += $3; ef[FILENAME, ++n[FILENAME]] = $4 }
		function edp(f) { return e[f] / i[f] * c[f] / i[f] }
		function worst(f, k, d, max) {
			for (k = 1; k <= n[f]; k++) { d = ef[f, k] / truth - 1; if (d < 0) d = -d; if (d > max) max = d }
			return max * 100
		}
		END {
			if (n["big"] < 3 || n["little"] < 3) { print phase ": too few samples"; exit 1 }
			truth = edp("little") / edp("big")
			printf "%-20s %.3f  P: %.3f %4.1f %%  E: %.3f %4.1f %%\n", phase, truth, ef["big", 3],
				worst("big"), ef["little", 3], worst("little")
			exit worst("big") > 5 || worst("little") > 5
		}' big little || wrong "$phase: not within 5 %"
done

# ---- what a scheduler is told

insmod /lib/pmctrack/test_consumer.ko quiet=1 || exit 1
consumer=/proc/pmc_consumer
# told CPU: each value that it is told is one of those in samples of 2 ms, each of
# which estimates of 10 ms outlive
told() {
	pmctrack -b "$1" -T 0.002 -c instr,cycles -V ef --format=csv -o told.csv phase_mix 4,4,0,4:2000000 >/dev/null &
	until pid=$(pidof phase_mix); do sleep 0.01; done
	echo "on $pid 0" >$consumer || wrong "CPU $1: not monitored"
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.03
		echo "metric $pid 4" >$consumer && grep answer $consumer
	done >answers
	wait
	awk -F, '$13 != "" { print $13 }' told.csv >efs
	awk 'FILENAME == "efs" { known[$1]; next }
		$2 { errors++; next }
		{ n++; ef = sprintf("%.3f", $3 / 1000) }
		!(ef in known) { print ef " is in no sample"; bad = 1 }
		END { print n " values, " errors + 0 " errors"; exit bad || n < 8 }' efs answers ||
		wrong "CPU $1: what the scheduler is told"
}
told 0
told 2
rmmod test_consumer || wrong "test_consumer can't be unloaded"

for module in energy estimated_ef; do
	echo deactivate $module >$manager && rmmod pmc_$module || wrong "$module can't be unloaded"
done
rm -f big little big.csv little.csv told.csv efs answers
exit $fail
