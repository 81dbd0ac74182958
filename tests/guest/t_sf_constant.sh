#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A model without metrics, on the machine whose speedup factor is the same for every
# program: each sample says so, on both core types and after a change of it.

manager=/proc/pmc/mm_manager
PATH=$PATH:/tests
insmod /lib/pmctrack/pmc_estimated_sf.ko && load-model /usr/share/pmctrack/models/arm64-biglittle.model &&
	echo estimated_sf.period_ms=10 >/proc/pmc/config && echo activate estimated_sf >$manager ||
	{ tail -n 1 $manager; exit 1; }
for cpus in 0 2 0,2; do
	pmctrack -b $cpus -T 0.01 -c instr,cycles -V sf --format=csv -o sf.csv blend 30,0,0,0:400000 >/dev/null || exit 1
	awk -F, '$8 == "tick" && $13 != "" { n++; bad += $13 != "2.000" } END { exit n < 3 || bad }' sf.csv ||
		{ echo "on CPUs $cpus:"; cat sf.csv; exit 1; }
done
echo deactivate estimated_sf >$manager && rmmod pmc_estimated_sf && rm sf.csv
