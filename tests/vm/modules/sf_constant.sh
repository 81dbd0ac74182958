#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Speedup factors on the arm64 machine of two core types. A little core takes two cycles for
# an instruction, a big core one, whatever the program. An instruction takes a nanosecond on
# either, so that by the clock neither is faster. Estimates follow the model, which is about
# cycles, on both core types and after the model changes. The sampled factor compares
# instructions per second, as scheduler.h says, and is 1.

fail=0
wrong() { echo "$*"; fail=1; }
config=/proc/pmc/config manager=/proc/pmc/mm_manager
PATH=$PATH:/tests/programs
insmod /lib/pmctrack/pmc_estimated_sf.ko && pmc-load-model /usr/share/pmctrack/models/arm64-biglittle.model &&
	echo estimated_sf.period_ms=10 >$config && echo activate estimated_sf >$manager ||
	{ tail -n 1 $manager; exit 1; }
for cpus in 0 2 0,2; do
	pmctrack -b $cpus -T 0.01 -c instr,cycles -V sf --format=csv -o sf.csv phase_mix 30,0,0,0:400000 >/dev/null || exit 1
	awk -F, '$8 == "tick" && $13 != "" { n++; bad += $13 != "2.000" || $12 != $11 * (1 + $6) }
		END { exit n < 5 || bad }' sf.csv ||
		{ wrong "on CPUs $cpus:"; cat sf.csv; }
done
echo deactivate estimated_sf >$manager && rmmod pmc_estimated_sf || wrong "estimated_sf can't be unloaded"

insmod /lib/pmctrack/pmc_ipc_sampling_sf.ko && echo ipc_sampling_sf.period_ms=10 >$config &&
	echo activate ipc_sampling_sf >$manager || { tail -n 1 $manager; exit 1; }
# The module counts in both modes, and a counter counts in one way. CPUs take turns on that
# machine: who moves the program is on the same one, as it would be slow beside another, and
# samples are judged in which, and in the one before, it was not.
# shellcheck disable=SC2016 # for a shell of its own
pmctrack -b 0 -T 0.01 -c instr:u:k,cycles:u:k -V sf_sampled --format=csv -o sf.csv sh -c '
	phase_mix 30,0,0,0:1200000 & p=$!
	sleep 0.08; taskset -p 4 $p; wait' >/dev/null || wrong "moved: pmctrack failed"
# Without the shell, which hardly runs
awk -F, '$8 == "tick" && $11 > 1000000 {
		before = alone; alone = $11 > 980 * $10
		instr[$6] += $11; cycles[$6] += $12; us[$6] += $10
		if ($13 != "" && alone && before) { n++; bad += $13 < 0.95 || $13 > 1.05 } }
	END {
		speed = instr[0] / us[0] / (instr[1] / us[1])
		printf "cycles per instruction: big %.3f, little %.3f; big over little, instructions per second: %.3f\n",
			cycles[0] / instr[0], cycles[1] / instr[1], speed
		off = cycles[0] / instr[0] - cycles[1] / instr[1] / 2
		exit n < 5 || bad || speed < 0.95 || speed > 1.05 || off < -0.0001 || off > 0.0001
	}' sf.csv || { wrong "sampled:"; cat sf.csv; }
echo deactivate ipc_sampling_sf >$manager && rmmod pmc_ipc_sampling_sf || wrong "ipc_sampling_sf can't be unloaded"
rm -f sf.csv
exit $fail
