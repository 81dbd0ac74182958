#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Speedup factors, estimated by a model and sampled, against what the machine is
# known to do: programs that the model was not fitted to, each run on both core
# types, where its cycles tell the truth (all cores run at 1 GHz).

fail=0
wrong() { echo "$*"; fail=1; }
config=/proc/pmc/config manager=/proc/pmc/mm_manager
models=/usr/share/pmctrack/models
PATH=$PATH:/tests

insmod /lib/pmctrack/pmc_estimated_sf.ko && insmod /lib/pmctrack/pmc_ipc_sampling_sf.ko || exit 1

# ---- what is refused, and how it is told

# refused LINE MESSAGE
refused() {
	! echo "$1" 2>/dev/null >$config || wrong "'$1' was taken"
	grep -qF -e "$2" $manager || wrong "'$1': $(tail -n 1 $manager)"
}
! echo activate estimated_sf 2>/dev/null >$manager || wrong "active without a model"
grep -q "last error: .*no model" $manager || wrong "no model: $(tail -n 1 $manager)"
refused estimated_sf.X.set=instr:ev=0xc0 "X.set: neither a parameter nor CORETYPE.LINE"
refused estimated_sf.P.set=instr:ev=0xc0 "estimated_sf.P.set: 'instr:ev=0xc0': each set needs instr and cycles"
refused estimated_sf.P.estimate=2*ipc "estimated_sf.P.estimate: 'ipc': no metric has this name"
refused estimated_sf.threshold=0 "estimated_sf.threshold=0: it is a number from 1 to 100000"
printf '# two lines\nestimated_sf.model=bad\n\nestimated_sf.0.range=2\n' >bad.model
! load-model bad.model 2>message || wrong "bad.model was taken"
grep -q "^bad.model:4: estimated_sf.0.range: '2': a range is LEAST,MOST" message || wrong "$(cat message)"

# ---- the model's estimates

load-model $models/x86-timed.model || wrong "the model is refused"
echo estimated_sf.period_ms=10 >$config || wrong "the period is refused"
grep -q '^estimated_sf.P.set instr:' $config || wrong "the model is not shown: $(cat $config)"
echo activate estimated_sf >$manager || { tail -n 1 $manager; exit 1; }
refused estimated_sf.P.estimate=2 "deactivate it to change its models"
! echo activate ipc_sampling_sf 2>/dev/null >$manager || wrong "two modules set the same metric"
grep -q "last error: .*estimated_sf" $manager || wrong "$(tail -n 1 $manager)"

# on CPU NAME PHASES: samples of blend as lines "instructions cycles sf"
on() {
	# shellcheck disable=SC2086 # one phase or two
	pmctrack -b "$1" -T 0.01 -c instr,cycles -V sf --format=csv -o "$2.csv" \
		blend $3 >/dev/null || wrong "$2: pmctrack failed"
	awk -F, '$8 == "tick" { print $11, $12, $13 }' "$2.csv" >"$2"
}
# cpi FILE FROM TO: cycles per thousand instructions of some of its lines
cpi() { awk -v a="$2" -v b="$3" 'NR >= a && NR <= b { i += $1; c += $2 } END { print int(c * 1000 / (i + 1)) }' "$1"; }

# middle FILE: the median of them
middle() { awk '$1 { print int($2 * 1000 / $1) }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

echo "program                    truth   on P          on E"
# judge FILE TRUTH FROM TO [CPI]: all estimates in these lines are within 5 % of it; with
# CPI only those of samples that have it, and the sample before: else the kernel had
# work of its own on that CPU, which has a speedup factor of its own
judge() {
	awk -v truth="$2" -v a="$3" -v b="$4" -v cpi="$5" '
		{ before = here; c = cpi && $1 ? $2 * 1000 / $1 / cpi - 1 : 0; here = c < 0.01 && c > -0.01 }
		NR >= a && NR <= b && $3 != "" && here && before {
			n++; e = $3 / truth - 1; if (e < 0) e = -e; if (e > worst) worst = e; sum += $3 }
		END { if (n < 2) { print n + 0 " estimates"; exit 1 }
		printf "%.3f %4.1f %%", sum / n, worst * 100; exit worst > 0.05 }' "$1"
}
# program PHASE: both core types, the truth from their cycles
program() {
	on 0 big "$1"
	on 2 little "$1"
	truth=$(awk -v e="$(cpi little 2 99)" -v p="$(cpi big 2 99)" 'BEGIN { printf "%.4f", e / p }')
	# The first samples have the program's start in them.
	on_big=$(judge big "$truth" 3 99 "$(middle big)") || wrong "$1 on a P-core: $on_big, truth $truth: $(tr '\n' ';' <big)"
	on_little=$(judge little "$truth" 3 99 "$(middle little)") || wrong "$1 on an E-core: $on_little, truth $truth: $(tr '\n' ';' <little)"
	printf '%-26s %.3f   %s   %s\n' "$1" "$truth" "$on_big" "$on_little"
	truths="$truths $truth"
}
truths=
for phase in 30,0,0,0:300000 0,30,0,0:300000 0,0,12,0:240000 0,0,0,10:300000 \
	8,8,0,1:300000 15,0,1,0:300000 4,15,1,0:300000 6,6,1,3:240000; do
	program $phase
done
echo "$truths" | awk '{ for (i = 1; i <= NF; i++) { if ($i < 1.3) low = 1; if ($i > 2) high = 1 } exit !(low && high) }' ||
	wrong "the programs' speedup factors are much the same:$truths"

# ---- phases

# phases MODEL ROUND: within three rounds, of ROUND samples at most, after a
# change, the estimates are those of the new phase.
first=20,0,0,0 second=0,2,4,1
on 0 big $first:600000 && big_1=$(cpi big 3 99) && on 0 big $second:150000 && big_2=$(cpi big 3 99)
on 2 little $first:400000 && little_1=$(cpi little 3 99) && on 2 little $second:150000 && little_2=$(cpi little 3 99)
# after FILE CPI TRUTH NAME: one sample more, as those of the module are others
after() {
	awk -v cpi="$2" -v truth="$3" -v wait=$((3 * round + 1)) '
		$1 < 10000 { next }
		{ c = $2 * 1000 / $1 / cpi - 1; e = $3 / truth - 1; if (e < 0) e = -e; if (c < 0) c = -c }
		c < 0.02 { here++; if (here > wait) { n++; if (e > 0.05) late++ } }
		c > 0.1 && n == 0 { here = 0 }
		END { print n + 0, late + 0; exit !(n >= 3 && !late) }' "$1" >result ||
		wrong "$model, $4, after the change: $(cat result) (estimates, wrong ones), $(tail -n 3 "$1" | tr '\n' ';') truth $3"
}
phases() {
	model=$1 round=$2
	t1=$(awk -v e="$little_1" -v p="$big_1" 'BEGIN { printf "%.4f", e / p }')
	t2=$(awk -v e="$little_2" -v p="$big_2" 'BEGIN { printf "%.4f", e / p }')
	on 0 big "$first:250000 $second:500000"
	after big "$big_2" "$t2" "on a P-core"
	on 2 little "$second:300000 $first:700000"
	after little "$little_1" "$t1" "on an E-core"
}
phases x86-timed 1

# The same with event sets that take turns
echo deactivate estimated_sf >$manager || wrong "it can't be deactivated"
load-model $models/x86-timed-rounds.model || wrong "the model with rounds is refused"
echo estimated_sf.period_ms=10 >$config
echo activate estimated_sf >$manager || { tail -n 1 $manager; exit 1; }
phases x86-timed-rounds 3
echo deactivate estimated_sf >$manager || wrong "it can't be deactivated"

# ---- sampled, once the program was on both core types

echo ipc_sampling_sf.period_ms=10 >$config && echo activate ipc_sampling_sf >$manager || wrong "ipc_sampling_sf can't be activated"
for phase in 20,0,0,0:1600000 0,2,4,1:1000000; do
	program_truth=$(case $phase in 20,*) echo "$t1" ;; *) echo "$t2" ;; esac)
	# shellcheck disable=SC2016 # for a shell of its own
	pmctrack -T 0.01 -c instr,cycles -V sf_sampled --format=csv -o moved.csv sh -c '
		taskset 1 blend '$phase' & p=$!
		sleep 0.08; taskset -p 4 $p; sleep 0.12; taskset -p 1 $p; wait' >/dev/null || wrong "moved: pmctrack failed"
	# Without the shell, which hardly runs
	awk -F, '$8 == "tick" && $13 != "" && $11 > 1000000 { print $11, $12, $13 }' moved.csv >moved
	sampled=$(judge moved "$program_truth" 4 99) || wrong "sampled: $sampled, truth $program_truth: $(tr '\n' ';' <moved)"
	printf '%-26s %.3f   sampled: %s\n' "$phase" "$program_truth" "$sampled"
	# Not before it was on the other one
	awk -F, '$13 != "" && $11 > 1000000 && $6 == 0 && !other { bad = 1 } $6 == 1 && $11 > 1000000 { other = 1 } END { exit bad }' moved.csv ||
		wrong "known before both core types were visited"
done
echo deactivate ipc_sampling_sf >$manager || wrong "ipc_sampling_sf can't be deactivated"
rmmod pmc_ipc_sampling_sf && rmmod pmc_estimated_sf || wrong "the modules can't be unloaded"
rm -f bad.model message big big.csv little little.csv moved moved.csv result
exit $fail
