#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Speedup factors, estimated by a model and sampled, against the machine's known behaviour:
# programs that the model was not fitted to each run on both core types, where cycles are
# the truth (all cores run at 1 GHz).

fail=0
wrong() { echo "$*"; fail=1; }
config=/proc/pmc/config manager=/proc/pmc/mm_manager
models=/usr/share/pmctrack/models
PATH=$PATH:/tests/programs

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
! pmc-load-model bad.model 2>message || wrong "bad.model was taken"
grep -q "^bad.model:4: estimated_sf.0.range: '2': a range is LEAST,MOST" message || wrong "$(cat message)"

# ---- the model's estimates

pmc-load-model $models/x86-timed.model || wrong "the model is refused"
echo estimated_sf.period_ms=10 >$config || wrong "the period is refused"
grep -q '^estimated_sf.P.set instr:' $config || wrong "the model is not shown: $(cat $config)"
echo activate estimated_sf >$manager || { tail -n 1 $manager; exit 1; }
refused estimated_sf.P.estimate=2 "deactivate it to change its models"
! echo activate ipc_sampling_sf 2>/dev/null >$manager || wrong "two modules set the same metric"
grep -q "last error: .*estimated_sf" $manager || wrong "$(tail -n 1 $manager)"

# on CPU NAME PHASES: samples of phase_mix as lines "instructions cycles sf"
factor=sf
on() {
	# shellcheck disable=SC2086 # one phase or two
	pmctrack -b "$1" -T 0.01 -c instr,cycles -V $factor --format=csv -o "$2.csv" \
		phase_mix $3 >/dev/null || wrong "$2: pmctrack failed"
	awk -F, '$8 == "tick" { print $11, $12, $13 }' "$2.csv" >"$2"
}
# cpi FILE FROM TO: cycles per thousand instructions of some of its lines
cpi() { awk -v a="$2" -v b="$3" 'NR >= a && NR <= b { i += $1; c += $2 } END { print int(c * 1000 / (i + 1)) }' "$1"; }

# middle FILE: the median of them
middle() { awk '$1 { print int($2 * 1000 / $1) }' "$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

echo "program                    truth   on P          on E"
# judge FILE TRUTH FROM TO [CPI]: all estimates in these lines are within 5 % of it; with
# CPI only those of samples that have it, and the sample before: else the kernel had
# work of its own on that CPU, which has a speedup factor of its own; as it has where
# the sample is called shared
judge() {
	awk -v truth="$2" -v a="$3" -v b="$4" -v cpi="$5" '
		{ before = here; c = cpi && $1 ? $2 * 1000 / $1 / cpi - 1 : 0; here = c < 0.01 && c > -0.01 && $4 != "shared" }
		NR >= a && NR <= b && $3 != "" && here && before {
			n++; e = $3 / truth - 1; if (e < 0) e = -e; if (e > worst) worst = e; sum += $3 }
		END { if (n < 5) { print n + 0 " estimates"; exit 1 }
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
programs="0,30,0,0:500000 0,0,12,0:240000 8,8,0,1:800000 6,6,1,3:500000"
[ "$SIZE" != long ] ||
	programs="$programs 30,0,0,0:700000 0,0,0,10:400000 15,0,1,0:800000 4,15,1,0:600000"
for phase in $programs; do
	program "$phase"
done
echo "$truths" | awk '{ for (i = 1; i <= NF; i++) { if ($i < 1.3) low = 1; if ($i > 2) high = 1 } exit !(low && high) }' ||
	wrong "the programs' speedup factors are much the same:$truths"

# ---- phases

first=20,0,0,0 second=0,2,4,1
on 0 big $first:600000 && big_1=$(cpi big 3 99) && on 0 big $second:150000 && big_2=$(cpi big 3 99)
on 2 little $first:400000 && little_1=$(cpi little 3 99) && on 2 little $second:150000 && little_2=$(cpi little 3 99)
# after FILE OLD NEW ROUND TRUTH NAME: within three rounds, of ROUND samples each, after a
# change, the estimate is that of the new phase, and stays so: within 10 %, as the truth is that
# of other runs (see judge_sampled). The first sample with part of the new phase
# is number 1. The module takes its samples at other times: by the end of sample N it has
# taken N - 1 in the new phase, so that at the end of number 3 * ROUND + 1 it has all it needs.
after() {
	awk -v old="$2" -v new="$3" -v round="$4" -v truth="$5" '
		# 0 in the old phase, 1 in the new one
		{ place = ($2 * 1000 / $1 - old) / (new - old) }
		place < 0.1 { number = 0; before = 1; next }
		before { number++ }
		place > 0.9 { there = 1 }
		number > 3 * round { n++; e = $3 / truth - 1; if (e > 0.1 || e < -0.1) late++ }
		END { print n + 0, late + 0; exit !(there && n >= 5 && !late) }' "$1" >result ||
		wrong "$model, $6, after the change: $(cat result) (estimates, wrong ones), truth $5: $(tr '\n' ';' <"$1")"
}
# phases MODEL ROUND ROUND: samples that a round has on a P-core and on an E-core
phases() {
	model=$1
	t1=$(awk -v e="$little_1" -v p="$big_1" 'BEGIN { printf "%.4f", e / p }')
	t2=$(awk -v e="$little_2" -v p="$big_2" 'BEGIN { printf "%.4f", e / p }')
	on 0 big "$first:250000 $second:500000"
	after big "$big_1" "$big_2" "$2" "$t2" "on a P-core"
	on 2 little "$second:300000 $first:900000"
	after little "$little_2" "$little_1" "$3" "$t1" "on an E-core"
}
phases x86-timed 1 1

# The same with multiplexed event sets
echo deactivate estimated_sf >$manager || wrong "it can't be deactivated"
pmc-load-model $models/x86-timed-rounds.model || wrong "the model with rounds is refused"
echo estimated_sf.period_ms=10 >$config
echo activate estimated_sf >$manager || { tail -n 1 $manager; exit 1; }
phases x86-timed-rounds 2 3
echo deactivate estimated_sf >$manager || wrong "it can't be deactivated"

# ---- what a scheduler gets, against a session's counts of the same time

insmod /lib/pmctrack/test_consumer.ko quiet=1 || wrong "the scheduler's stand-in can't be loaded"
# The model counts the events that it estimates from; the scheduler can ask for all metrics.
sed "s/set=.*/set=instr:ev=0xc0,cycles:ev=0x3c,llc_references:ev=0x2e:umask=0x4f,llc_misses:ev=0x2e:umask=0x41,branch_misses:ev=0xc5/" \
	$models/x86-timed.model >all.model
pmc-load-model all.model && echo estimated_sf.period_ms=10000 >$config &&
	echo activate estimated_sf >$manager || wrong "it can't be activated again"
# No sampling period ends meanwhile: the module and the session both take a sample when the
# program moves to the other core type. The module counts these events on other counters.
# shellcheck disable=SC2016 # for a shell of its own
pmctrack -T 10 -c instr,cycles,llc_references:pmc=7,llc_misses:pmc=8,branch_misses:pmc=6 --format=csv -o asked.csv sh -c '
	taskset 1 phase_mix 8,8,1,1:2000000 & p=$!
	echo on $p >/proc/pmc_consumer
	ask() {
		for metric in 0 1 2 3; do
			echo metric $p $metric >/proc/pmc_consumer
			sed -n "s/^answer \([^ ]*\) \([^ ]*\) .*/$1,$metric,\1,\2/p" /proc/pmc_consumer
		done
	}
	sleep 0.05; taskset -p 4 $p >/dev/null
	sleep 0.05; taskset -p 1 $p >/dev/null; sleep 0.02; ask 1
	sleep 0.05; taskset -p 4 $p >/dev/null; sleep 0.02; ask 0
	kill $p; echo pid,$p' >asked || wrong "asked: pmctrack failed"
# told TYPE NAME: of the last time on that core type
told() {
	awk -F, -v type="$1" -v name="$2" -v asked=asked '
		# NUMBER, NUMBER*METRIC or NUMBER*above(METRIC,NUMBER)
		function value_of(term, n, word) {
			n = split(term, word, "[*(,)]")
			if (n == 1) return term
			if (word[2] != "above") return word[1] * metric(word[2])
			return metric(word[3]) > word[4] ? word[1] * (metric(word[3]) - word[4]) : 0
		}
		function metric(name, n, word) {
			n = split(ratio[name], word, "[*/]")
			return (n == 3 ? word[1] : 1) * count[word[n - 1]] / count[word[n]]
		}
		function speedup(i, n, term, sum) {
			gsub("[-+]", " &", formula)
			n = split(formula, term, " ")
			for (i = 1; i <= n; i++) sum += value_of(term[i])
			return inverse ? 1 / sum : sum
		}
		# Reported values are rounded or truncated, and counters are read one after another.
		function same(metric, value, what, d) {
			d = told[metric] - value
			printf "%s %d (%.2f) ", what, told[metric], value
			if (answer[metric] != 0 || !told[metric] || d > 1.1 || d < -1.1) bad = 1
		}
		FILENAME == asked && $1 == type { answer[$2] = $3; told[$2] = $4 }
		FILENAME == asked && $1 == "pid" { pid = $2 }
		sub("^estimated_sf[.]" name "[.]", "") {
			at = index($0, "=")
			key = substr($0, 1, at - 1)
			if (key == "estimate" || key == "inverse") { formula = substr($0, at + 1); inverse = key == "inverse" }
			if (sub("^metric[.]", "", key)) ratio[key] = substr($0, at + 1)
		}
		$3 == pid && $6 == type && $8 == "migration" {
			count["instr"] = $11; count["cycles"] = $12; count["llc_references"] = $13
			count["llc_misses"] = $14; count["branch_misses"] = $15
		}
		END {
			same(0, 1000 * speedup(), "SF")
			same(1, 1000 * count["instr"] / count["cycles"], "IPC")
			same(2, 1000000 * count["llc_misses"] / count["instr"], "LLC misses")
			same(3, 1000000 * count["llc_references"] / count["instr"], "LLC references")
			exit bad
		}' all.model asked asked.csv >result ||
		wrong "what is told on $2 and what was counted: $(cat result asked asked.csv)"
	echo "told (and counted) on $2: $(cat result)"
}
told 0 P
told 1 E
echo deactivate estimated_sf >$manager && rmmod test_consumer || wrong "the scheduler's stand-in can't be unloaded"

# ---- sampled, once the program was on both core types

# sampled: samples of a program that was moved, as lines "instructions cycles sf
# alone core-type", with "shared" instead of "alone" where the kernel had more than a little
# of the time: what it does is several times as fast as a program that waits for memory.
# Without the shell, which hardly runs, and without the program's end, in the kernel
sampled() {
	awk -F, '$8 == "tick" && $11 > 1000000 && $12 > 950 * $10 {
		print $11, $12, ($13 == "" ? "-" : $13), ($12 > 985 * $10 ? "alone" : "shared"), $6 }' moved.csv >moved
}

# judge_sampled TRUTH: once the program is back on a P-core, estimates from the fifth sample on
# are within 5 % of what its cycles on both core types say. These differ a little from one run,
# and one visit, to the next; so that has to be within 10 % of the truth of other runs.
judge_sampled() {
	awk -v other="$1" '
		$5 != type { type = $5; nr = instr[type] = cycles[type] = 0 }
		{ nr++; instr[type] += $1; cycles[type] += $2; here = $4 == "alone" }
		type == 0 && nr > 4 && here && before { estimate[++n] = $3; sum += $3 }
		{ before = here }
		END {
			if (n < 5 || !instr[1]) { print n + 0 " estimates"; exit 1 }
			truth = cycles[1] / instr[1] * instr[0] / cycles[0]
			for (i = 1; i <= n; i++) {
				e = estimate[i] / truth - 1; if (e < 0) e = -e; if (e > worst) worst = e }
			printf "%.3f %4.1f %%, truth of this run %.3f", sum / n, worst * 100, truth
			off = truth / other - 1
			exit worst > 0.05 || off > 0.1 || off < -0.1
		}' moved
}

factor=sf_sampled
echo ipc_sampling_sf.period_ms=10 >$config && echo activate ipc_sampling_sf >$manager || wrong "ipc_sampling_sf can't be activated"
for phase in 20,0,0,0:2400000 0,2,4,1:1000000; do
	program_truth=$(case $phase in 20,*) echo "$t1" ;; *) echo "$t2" ;; esac)
	# shellcheck disable=SC2016 # for a shell of its own
	pmctrack -T 0.01 -c instr,cycles -V sf_sampled --format=csv -o moved.csv sh -c '
		taskset 1 phase_mix '$phase' & p=$!
		sleep 0.08; taskset -p 4 $p; sleep 0.12; taskset -p 1 $p; wait' >/dev/null || wrong "moved: pmctrack failed"
	sampled
	sed -i '/ - /d' moved
	sampled=$(judge_sampled "$program_truth") || wrong "sampled: $sampled, truth $program_truth: $(tr '\n' ';' <moved)"
	printf '%-26s %.3f   sampled: %s\n' "$phase" "$program_truth" "$sampled"
	# Not before it was on the other one
	awk -F, '$13 != "" && $11 > 1000000 && $6 == 0 && !other { bad = 1 } $6 == 1 && $11 > 1000000 { other = 1 } END { exit bad }' moved.csv ||
		wrong "known before both core types were visited"
done
# Its phases: the program changes on one core type, and goes to the other, and back.
# revisited FIRST SECOND ROUNDS ROUNDS NAME: two phases of as many rounds; the estimate is
# right with the third sample on the core type that is visited last, which is there by
# the session's fourth, and stays so.
revisited() {
	for phase in "$1" "$2"; do
		on 0 big "$phase:$(($4 / 4))" && on 2 little "$phase:$(($4 / 4))"
		echo "$(middle big) $(middle little)"
	done >cpis
	# shellcheck disable=SC2016 # for a shell of its own
	pmctrack -T 0.01 -c instr,cycles -V sf_sampled --format=csv -o moved.csv sh -c '
		taskset 1 phase_mix '"$1:$3 $2:$4"' & p=$!
		sleep 0.08; taskset -p 4 $p; sleep 0.12; taskset -p 1 $p
		sleep 0.08; taskset -p 4 $p; sleep 0.12; taskset -p 1 $p; wait' >/dev/null || wrong "$5: pmctrack failed"
	sampled
	awk '
		FILENAME == "cpis" { cpi[++phase, 0] = $1; cpi[phase, 1] = $2; next }
		{ before = alone; alone = $4 == "alone"; type = $5 }
		{ place = ($2 * 1000 / $1 - cpi[1, type]) / (cpi[2, type] - cpi[1, type]) }
		place < 0.25 { old[type]++; number[0] = number[1] = 0 }
		place > 0.75 { number[type]++; instr[type] += $1; cycles[type] += $2 }
		number[0] > 3 && number[1] > 3 && alone && before { estimate[++n] = $3 }
		END {
			if (!instr[0] || !instr[1]) exit 1
			truth = cycles[1] / instr[1] * instr[0] / cycles[0]
			for (i = 1; i <= n; i++) {
				e = estimate[i] / truth - 1; if (e < 0) e = -e; if (e > worst) worst = e }
			printf "%.3f to %.3f, %d estimates: %.1f %%", cpi[1, 1] / cpi[1, 0], truth, n, worst * 100
			exit !(old[0] > 3 && old[1] > 3 && n >= 5 && worst <= 0.05)
		}' cpis moved >result || wrong "sampled, $5: $(cat result; tr '\n' ';' <moved)"
	echo "sampled, $5: $(cat result)"
}
# Slower by almost as much as would be a new phase on a P-core, and faster on an E-core;
# and slower by far more than that
revisited 0,30,0,0 46,0,0,3 842000 617000 "a little change on a P-core"
revisited 0,30,0,0 46,0,0,3 539000 868000 "a little change on an E-core"
revisited $first $second 1714000 700000 "a new phase on a P-core"
echo deactivate ipc_sampling_sf >$manager || wrong "ipc_sampling_sf can't be deactivated"
rmmod pmc_ipc_sampling_sf && rmmod pmc_estimated_sf || wrong "the modules can't be unloaded"
rm -f bad.model all.model message big big.csv little little.csv moved moved.csv cpis asked asked.csv result
exit $fail
