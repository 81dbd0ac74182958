#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmc-load-model and pmc-train-model accept a last line without a newline. A failed run's result is
# not mistaken for that of an earlier run. Modules accept the shapes that are shipped for them.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

insmod /lib/pmctrack/pmc_estimated_sf.ko || exit 1
printf '# two lines\nestimated_sf.model=cut off\nestimated_sf.period_ms=37' >cut.model
status 0 pmc-load-model cut.model
has /proc/pmc/config '^estimated_sf.period_ms 37'
rmmod pmc_estimated_sf || wrong "the module can't be unloaded"

printf 'loop known_loop\n\n# no program\nlast known_loop' >programs
# known_loop has an exit status of its own.
PATH=$PATH:/tests/programs
status 0 pmc-train-model runs -w 100000 -n 5 -c task_clock <programs
[ "$(wc -l <runs/RUNS)" -eq 4 ] || { wrong "two programs on two core types:"; cat runs/RUNS; }
while read -r program type file; do
	[ "$(grep -c ',ebs,' "runs/$file")" -eq 5 ] || { wrong "$program on $type:"; cat "runs/$file"; }
done <runs/RUNS
status 2 pmc-train-model runs -w 100000 -n 5 -c nonsense <programs
has err "loop: 'known_loop' can't be sampled"
# Programs that fail
echo 'fails false' >programs
status 0 pmc-train-model runs -w 100000 -n 5 -c task_clock <programs
[ "$(grep -c "^pmc-train-model: fails: 'false' ended with status 1 on " err)" -eq 2 ] || { wrong "no word of a program that fails:"; cat err; }
echo 'none /no/such/program' >programs
status 2 pmc-train-model runs -w 100000 -n 5 -c task_clock <programs
has err "none: '/no/such/program' can't be sampled"
# An event has the name that the shape has for it. One in perf's form has signs of its own.
event=cpu/event=0x8/
! grep -q ' name P ' /proc/pmc/info || event=cpu/event=0xc4,umask=0x0/
echo 'loop known_loop' >programs
status 0 pmc-train-model runs -w 100000 -n 5 -c "clock=task_clock,own=$event,migrations" <programs
while read -r program type file; do
	has "runs/$file" ',cycles,clock,own,migrations,name$'
done <runs/RUNS

# ---- shapes

models=/usr/share/pmctrack/models config=/proc/pmc/config manager=/proc/pmc/mm_manager
# with_formulae NAME: a shape with formulae of all its metrics. What pmc-model finds has some
# of them; it is not here, and unit/test_shapes sees to it.
with_formulae() {
	awk -F '[.=]' '{ print } $3 == "metric" { terms[$1 "." $2] = terms[$1 "." $2] "+0.00001*" $4 }
		END { for (type in terms) print type ".estimate=1" terms[type] }' "$models/$1.shape" >complete.model
	status 0 pmc-load-model complete.model
}
# estimates NAME: it estimates on both core types
estimates() {
	with_formulae "$1"
	echo estimated_sf.period_ms=5 >$config
	echo activate estimated_sf >$manager || wrong "$1: $(tail -n 1 $manager)"
	for cpu in 0 2; do
		pmctrack -b $cpu -T 0.01 -c instr -V sf --format=csv -o sf.csv phase_mix 8,8,1,1:500000 >/dev/null || wrong "$1: pmctrack failed"
		awk -F, '$8 == "tick" && $12 >= 1 { n++ } END { exit n < 3 }' sf.csv || { wrong "$1, CPU $cpu:"; cat sf.csv; }
	done
	echo deactivate estimated_sf >$manager || wrong "$1: it can't be deactivated"
}
if grep -q ' name P ' /proc/pmc/info; then
	insmod /lib/pmctrack/pmc_estimated_sf.ko || wrong "estimated_sf can't be loaded"
	estimates four-counters
	estimates table-1
	rmmod pmc_estimated_sf || wrong "the module can't be unloaded"
	# What table-1.shape says is counted for it
	echo 'phase_mix phase_mix 8,8,4,1:100000' >programs
	# shellcheck disable=SC2046 # options and their words
	status 0 pmc-train-model runs -w 1000000 -n 5 $(grep -o -e '-c [a-z0-9_,=]*' $models/table-1.shape) <programs
	while read -r program type files; do
		zero=$(for file in $files; do
			awk -F, 'NR == 1 { split($0, name) } { for (i = 16; i < NF; i++) sum[i] += $i }
				END { for (i in sum) if (!sum[i]) print name[i] }' "runs/$file"
		done)
		[ -z "$zero" ] || { wrong "$type, not counted: $zero"; for file in $files; do cat "runs/$file"; done; }
	done <runs/RUNS
	rm sf.csv
else
	# The machine's counters have few of the events of the shape's Juno board.
	insmod /lib/pmctrack/pmc_estimated_ef.ko || wrong "estimated_ef can't be loaded"
	with_formulae table-6
	has $config '^estimated_ef.little.metric.stalls_2 1000\*stalls_2/cycles'
	! echo activate estimated_ef 2>/dev/null >$manager || wrong "table-6 counts what is not there"
	has $manager 'last error: .*0x0*2.* is not implemented by this core type'
	rmmod pmc_estimated_ef || wrong "the module can't be unloaded"
fi
rm -r runs programs cut.model complete.model
exit $fail
