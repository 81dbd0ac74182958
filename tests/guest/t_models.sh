#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# load-model and train-model take all of what they are given, the last line without
# its end, too; and what an earlier run has left is not taken for that of one that failed.

# shellcheck source=tests/guest/cli.sh
. /tests/cli.sh

insmod /lib/pmctrack/pmc_estimated_sf.ko || exit 1
printf '# two lines\nestimated_sf.model=cut off\nestimated_sf.period_ms=37' >cut.model
status 0 load-model cut.model
has /proc/pmc/config '^estimated_sf.period_ms 37'
rmmod pmc_estimated_sf || wrong "the module can't be unloaded"

printf 'loop known_loop\n\n# no program\nlast known_loop' >programs
# known_loop has an exit status of its own.
PATH=$PATH:/tests
status 0 train-model runs -w 100000 -n 5 -c task_clock <programs
[ "$(wc -l <runs/RUNS)" -eq 4 ] || { wrong "two programs on two core types:"; cat runs/RUNS; }
while read -r program type file; do
	[ "$(grep -c ',ebs,' "runs/$file")" -eq 5 ] || { wrong "$program on $type:"; cat "runs/$file"; }
done <runs/RUNS
status 2 train-model runs -w 100000 -n 5 -c nonsense <programs
has err "loop: 'known_loop' can't be sampled"
rm -r runs programs cut.model
exit $fail
