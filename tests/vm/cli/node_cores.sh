#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Do E-cores help? With equal shares the program is slower on all cores than on P-cores alone,
# with work stealing it is faster. Tables and figures say so.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

cd /tmp || exit 1
for m in energy thermal_freq; do
	insmod /lib/pmctrack/pmc_$m.ko
	echo activate $m >/proc/pmc/mm_manager || wrong "module $m"
done

for how in static steal; do
	for cores in E P all; do
		status 0 pmctrack node -T 0.002 -n 2 -c $cores --name=$how -o $how-$cores pmc-lu --$how -n 300 -b 12
		has $how-$cores/run-02/output.txt 'PASSED$'
	done
done

status 0 pmctrack node --table=2 static-E static-P static-all steal-E steal-P steal-all
has out '^cores +static +steal +change$'
has out '^all +[0-9.]+ +[0-9.]+ +\+[0-9.]+ %$'
has out '^static: cores all are [0-9.]+ % slower than cores P$'
has out '^steal: cores all are [0-9.]+ % faster than cores P$'

# By stealing, P-cores do more of the work.
status 0 pmctrack node --table=3 -o table3 static-all steal-all
has table3 '^LLC miss rate( +[0-9.]+ %){4}'
has table3 '^instructions( +[0-9.]+ %){4} +\+[0-9.]+ % +-[0-9.]+ %$'

# What gnuplot gets: each figure has axes with units, a key, and values
for n in 1 2 3 4; do
	status 0 pmctrack node --figure=$n -o figure-$n.gp static-P static-all steal-all
	has figure-$n.gp '^set xlabel .*[a-z]'
	has figure-$n.gp '^set ylabel .*\(([A-Z]|Gflops)'
	has figure-$n.gp "title '"
	has figure-$n.gp '^ [0-9.]+ [0-9.]+'
done
has figure-1.gp "title 'E: median \\(1.00 GHz\\)'"
has figure-4.gp "title 'steal: P\\+E'"
rmmod pmc_energy pmc_thermal_freq || wrong "the modules can't be unloaded"
exit $fail
