#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The commands pmctrack and pmc-events, and schedulers that cannot be: what they print, and their exit status.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

# Work that ends: a CPU that is busy for long starves QEMU's others.
# shellcheck disable=SC2016 # for a shell of its own
work='i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done'
more_work="$work; $work; $work; $work; $work; $work; $work; $work"

if ! grep -qE '^counter 0 pmc[-pmc0-9]* (fixed|general) ' /proc/pmc/info; then
	echo "no hardware counters"
	exit 77
fi
# A counter that every core type has for any event, and the code of instructions
general=$(awk '$1 == "counter" && $4 == "general" { sub(/-.*/, "", $3); sub(/pmc/, "", $3); if ($3 > n) n = $3 }
	END { print n + 0 }' /proc/pmc/info)
code=$(pmc-events -e instr | sed -n '1s/^ev=\(0x[0-9a-f]*\).*/\1/p')
arm=$([ "$(uname -m)" = aarch64 ] && echo yes)

# The program's own exit status
report 0 pmctrack true
report 1 pmctrack false
report 42 pmctrack sh -c 'exit 42'
report 137 pmctrack sh -c 'kill -9 $$'
report 127 pmctrack /nonexistent/program
report 126 pmctrack /proc
report 0 pmctrack -c instr -T 0.01 -n 3 sh -c "$more_work"
[ "$(grep -cE ' (tick|migration) ' out)" -eq 3 ] || wrong "-n 3 gave other than 3 samples"
! grep -q '^\[Totals' out || has out '^\(totals cover the time until counting stopped, which is later than the last sample of -n\)$'
report 0 pmctrack -c instr -T 0.01 -N 0.05 sh -c 'trap "" TERM; sleep 30'
report 0 pmctrack -c instr -o - true
has out '^pmctrack: instr of true \(user mode\), every 1 s'

# The report is not mixed into the program's output.
status 0 pmctrack -c instr echo theirs
[ "$(cat out)" = theirs ] || wrong "standard output: $(cat out)"
has err '^sample +tid +name( +core)? +type +instr$'
seq 1000 >f
pmctrack -c instr xz -c f >f.xz 2>err || wrong "pmctrack xz -c f >f.xz: exit status $?"
xz -dc f.xz | cmp - f || wrong "pmctrack xz -c f >f.xz: f.xz is not whole"
status 0 pmctrack -S -c instr -N 0.1
has out '^sample +cpu( +core)? +type +instr$'
[ ! -s err ] || wrong "-S without a program: $(cat err)"

# The table
report 0 pmctrack -c instr,cycles -T 0.01 sh -c "$work"
has out '^pmctrack: instr, cycles of sh -c \.\.\. \(user mode\), every 10 ms(, on core types [^ ]+, [^ ]+)?$'
has out '^sample +tid +name( +core)? +type +instr +cycles$'
has out '^ +1 +[0-9]+ +(sh|-)( +[^ ]+)? +(tick|migration) +[0-9]+ +[0-9]+$'
has out ' exit '
report 0 pmctrack -L -e -E -t -s -c instr -c cycles -T 0.005 sh -c "$work"
has out '^sample +tid +name +pid +cpu( +core)? +set +type +instr +cycles +etime_us$'
has out '^real[[:space:]][0-9]+\.[0-9][0-9]$'
! grep -q '^pmctrack: ' out || wrong "-L shows the first line"
# Sets that take turns: an event of another set has no count. Totals have the part of the time.
report 0 pmctrack --time -c instr -c cycles -T 0.005 sh -c "$work"
has out '^sample +time_s +tid +name( +core)? +set +type +instr +cycles$'
has out '^ +[0-9]+ +[0-9]+\.[0-9]{6} +[0-9]+ +(sh|-)( +[^ ]+)? +0 +(tick|migration|exit) +[0-9]+ +-$'
has out '^ +[0-9]+ +[0-9]+\.[0-9]{6} +[0-9]+ +(sh|-)( +[^ ]+)? +1 +(tick|migration|exit) +- +[0-9]+$'
# An estimate is marked, and is the count by its part of the time, both as shown.
report 0 pmctrack -A -c instr -c cycles -T 0.005 sh -c "$work"
has out '^\(event sets took turns: .* --estimate scales it\)$'
awk '$1 == "instr" { part = $NF / 100; sum = $(NF - 1) } END { exit !(part > 0 && part < 1 && sum > 0) }' out ||
	{ wrong "turns:"; cat out; }
report 0 pmctrack -A --estimate -c instr -c cycles -T 0.005 sh -c "$work"
has out '^instr .*~[0-9]+ +[0-9]+\.[0-9]%$'

# PMCTrack's columns with -r
report 0 pmctrack -r -e -c "pmc$general=$code" -T 0.01 sh -c "$work"
has out '^nsample +pid +process +cpu +coretype +expid +event +pmc[0-9]+$'

# Numbers as they are asked for; a terminal is as wide as it is.
report 0 pmctrack --numbers=groups -A -c instr sh -c "$work"
has out '^instr .* [0-9]+,[0-9]{3}'
report 0 pmctrack --numbers=units -A -c instr sh -c "$work"
has out '^instr .* [0-9.]+[kM]$'
refused "--numbers takes raw, groups or units" pmctrack --numbers=big true

# A kernel thread that has run has counted nothing in user mode.
thread=$(grep -lxE 'rcu_(preempt|sched)' /proc/[0-9]*/comm | head -n 1 | tr -dc 0-9)
report 0 pmctrack -A -N 0.5 -p "$thread" -c instr
! awk '$1 == "running" { ran = $(NF - 1) > 0 } END { exit !ran }' out ||
	has out '^all counts are 0: only user mode is counted, .* add --filter=all$'

# Totals are the sum of the samples
report 0 pmctrack -A -c instr sh -c "$work"
has out ' sum '
samples=$(awk '$(NF - 1) == "sum" { n += $NF } END { print n }' out)
totals=$(awk '$1 == "instr" { print $NF }' out)
[ "$samples" = "$totals" ] || wrong "samples add up to $samples, totals to $totals"

# Modes: what is counted in user mode is the same whoever else is counted
for mode in user kernel all; do
	report 7 pmctrack -A --filter=$mode -c instr,instr:u /tests/programs/known_loop
	awk '$1 ~ /^instr/ { print $NF }' out >$mode
done
[ "$(sort -u user | wc -l)" = 1 ] || wrong "--filter=user counts what instr:u does not: $(cat user)"
[ "$(sed -n 2p all)" = "$(sed -n 2p user)" ] || wrong "--filter=all changes instr:u"
[ "$(sed -n 1p all)" -gt "$(sed -n 2p all)" ] || wrong "--filter=all counts no kernel mode"
[ "$(sed -n 1p kernel)" -gt 0 ] && [ "$(sed -n 1p kernel)" != "$(sed -n 1p user)" ] ||
	wrong "--filter=kernel counts user mode"

# Other forms
report 0 pmctrack --format=csv -c instr,cycles -T 0.01 sh -c "$work"
has out '^nsample,time_s,pid,tid,cpu,coretype,set,event,elapsed_us,running_us,instr,cycles,name$'
[ "$(awk -F, '{ print NF }' out | sort -u)" = 13 ] || wrong "CSV with lines of different lengths"
awk -F, '$8 == "exit" { n++; bad += $NF != "sh" } END { exit !n || bad }' out || { wrong "CSV without names:"; cat out; }
report 0 pmctrack --format=csv -t -s -c instr true
has err '^real[[:space:]][0-9]+\.[0-9][0-9]$'
status 0 pmctrack --format=json -o json -c instr,cycles -T 0.01 sh -c "$work"
[ ! -s out ] || wrong "-o, and still output"
has json '"event": "instr", "counter": [0-9]+'
[ "$(tr -cd '{[' <json | wc -c)" -eq "$(tr -cd '}]' <json | wc -c)" ] || wrong "JSON with odd brackets"
report 0 pmctrack --plot -c instr,cycles -T 0.005 sh -c "$work"
has out 'instructions per cycle'
# A trace has the program's regions; tests/host/perfetto.sh has it decoded. Other forms ask for none.
status 0 pmctrack -c instr -T 0.01 -o f.pftrace /tests/programs/regions
[ ! -s err ] || wrong "regions: $(cat err)"
for pair in outer=1 inner=2 other=1 threaded=1 forked=1 unfinished=0 executed=1 nested=1; do
	got=$(tr -c 'a-z_' '\n' <f.pftrace | grep -cx "${pair%=*}")
	[ "$got" = "${pair#*=}" ] || wrong "$got slices of ${pair%=*}, not ${pair#*=}"
done
! ls "${TMPDIR:-/tmp}"/pmctrack-regions.* 2>/dev/null || wrong "the file of regions is left"
for file in f.csv f.pftrace; do
	# shellcheck disable=SC2016 # for a shell of its own
	status 0 pmctrack -c instr -o $file sh -c 'echo "$PMCTRACK_REGIONS"'
	[ "$(cut -d. -f1 out)" = "$([ $file = f.csv ] || echo "${TMPDIR:-/tmp}/pmctrack-regions")" ] || wrong "$file: $(cat out)"
done
status 0 env TMPDIR=/nosuch pmctrack -c instr -o f.pftrace /tests/programs/regions
has err '^pmctrack: the trace will have no regions: .*: No such file or directory$'

# The target: CPUs, processes, CPUs of a core type
# A figure: gnuplot's commands; without gnuplot, nothing else, and nothing is counted in vain
report 0 pmctrack -o run.gp -c instr,cycles -T 0.005 sh -c "$work"
has run.gp "^set title 'instructions per cycle'$"
has run.gp "lc rgb '#[0-9a-f]*' title 'sh [0-9]* on "
refused "gnuplot draws figures, and is not installed" pmctrack -o run.svg -c instr true
report 0 pmctrack -S -c instr -T 0.01 sh -c "$work"
has out '^sample +cpu( +core)? +type +instr$'
# In the order of the CPUs in each interval
report 0 pmctrack -S -L -c instr -T 0.1 -N 1
awk '$(NF - 1) == "tick" { if (n++ && $2 <= cpu) rounds++; cpu = $2 } END { exit rounds * 3 > n }' out ||
	{ wrong "CPUs in any order:"; cat out; }
sh -c 'i=0; while [ $i -lt 200 ]; do i=$((i+1)); sleep 0.02; done' &
report 0 pmctrack -p $! -c instr -T 0.01 -n 2
kill $!
report 0 pmctrack -b 1 -e -c instr -T 0.01 sh -c "$work"
[ "$(awk '/ tick / { print $5 }' out | sort -u)" = 1 ] || wrong "-b 1 ran elsewhere"
status 0 pmctrack -B 1 -o report -c instr grep Cpus_allowed_list /proc/self/status
[ "$(cat out)" = "$(grep Cpus_allowed_list /proc/self/status)" ] || wrong "-B 1 is for the program, too: $(cat out)"
# On a core type without events there is time all the same.
other=$(sed -n 's/^core_type 1 cpus \([0-9]*\).*/\1/p' /proc/pmc/info)
if [ "$other" ]; then
	report 0 pmctrack -b "$other" -c instr,coretype=0 sh -c "$work"
	awk '$1 == "running" { ran = $4 > 0 } END { exit !ran }' out || { wrong "no time on CPU $other"; cat out; }
fi

# What ends samples ends sums
report 0 timeout 20 pmctrack -S -A -c instr -T 0.01 -n 5
has out ' sum '
report 0 pmctrack -A -c instr -T 0.01 -n 3 sh -c "$more_work; exit 3"

# Counting ends before the program does, and what came after the last sample is no loss.
report 0 pmctrack -c instr:ebs=20000 -k 16 -K 10 sh -c "trap '' TERM; $work"
[ "$(grep -c ' ebs ' out)" -eq 10 ] || wrong "-K 10 gave other than 10 samples"
! grep lost out || wrong "lost after the last sample that was asked for"

# By event count, and raw
report 0 pmctrack -c instr:ebs=2000000 sh -c "$work"
has out ' ebs '
has out ' every 2,000,000 instr'
report 0 pmctrack -r -c "pmc$general=$code,ebs$general=2000000" sh -c "$work"
has out ' ebs '
report 0 pmctrack -c task_clock,context_switches true
has out '^pmctrack: task_clock, context_switches of true, every 1 s'

# Core types by name
if [ "$other" ]; then
	names=$(sed -n 's/^core_type [01] .* name \([^ ]*\).*/\1/p' /proc/pmc/info)
	one=${names%%
*} two=${names##*
}
	report 0 pmctrack -A -c "instr,coretype=$one" -c "cycles,coretype=$two" true
	has out "^pmctrack: $one: instr; $two: cycles of true \(user mode\), sums, on core types $one, $two$"
fi

# Metrics: one in each sample and in the totals, as its events have it
report 0 pmctrack -c instr,cycles -m 'half=0.5*instr/cycles,ipc' -T 0.01 sh -c "$work"
has out '^pmctrack: instr, cycles, half, ipc of sh'
has out '^pmctrack: metrics are computed from instr, cycles$'
has out ' type +instr +cycles +half +ipc$'
awk '/ (tick|exit|migration) / && $(NF - 2) > 10000 { n++; ipc = $(NF - 3) / $(NF - 2)
		bad += $NF - ipc > 0.006 || ipc - $NF > 0.006 || $(NF - 1) - ipc / 2 > 0.006 || ipc / 2 - $(NF - 1) > 0.006 }
	END { exit !n || bad }' out || { wrong "metrics of samples:"; cat out; }
report 0 pmctrack -A -m ipc --format=json sh -c "$work"
has out '"metrics": \{"ipc": [0-9.]+\}'
has out '"metrics": \{"ipc": \{"value": [0-9.]+, "accuracy": "exact"\}'
has out '^pmctrack: metrics are computed from instr, cycles$'
report 0 pmctrack -A -m ipc true
! grep -q '^instr ' out || wrong "events of metrics are shown"
refused "-m needs events by name" pmctrack -r -c pmc0 -m ipc true
refused "^pmctrack: -m: .*ipx" pmctrack -m ipx true

# A period that is too short for the machine: there are as many rows and samples left out as
# periods, minus the delay of each sample.
report 0 pmctrack -b 0 -k 16384 -c instr:ebs=1000 sh -c "$work; $work"
! grep 'samples were lost' out || wrong "the buffer was too small"
has out ' ebs[*!] +[0-9]+$'
has out '^\(!: sampling was throttled before this sample'
has out '^[0-9]+ samples by event count were left out in [0-9]+ pauses: .* ebs_max_rate in /proc/pmc/config'
awk '{ type = $(NF - 1) }
	type ~ /^ebs/ { rows++; sum += $NF; if (type == "ebs" && $NF >= 2000) plain = $NF }
	type == "ebs*" && $NF < 2000 { marked = $NF }
	type ~ /^exit./ { sum += $NF }
	/ were left out in / { left = $1 }
	END {
		printf "%d rows, %d left out, %d instructions\n", rows, left, sum
		exit plain || marked || (rows + left) * 1000 > sum + 1000 || (rows + left) * 1000 < sum * 0.9
	}' out >counted || { wrong "samples that were left out: $(cat counted)"; head -n 30 out; }
report 0 pmctrack -b 0 --format=csv -k 16384 -c instr:ebs=1000 sh -c "$work"
has out ',running_us,left_out,throttled,ebs_event,ebs_period,instr,name$'
awk -F, '$8 == "ebs" && $11 > 0 && $12 == 1 && $13 == "instr" && $14 == 1000 { marked++ } END { exit !marked }' out ||
	wrong "no left_out in CSV"

# A report takes a file's place when it begins, and not before.
echo yesterday >report
report 127 pmctrack -o report -c instr /nonexistent/program
refused "no process" pmctrack -o report -p 1000000
[ "$(cat report)" = yesterday ] || wrong "no report, and what was there is gone: $(cat report)"
seq 10000 >report
report 0 pmctrack -o report -A -c instr true
[ "$(wc -l <report)" -lt 100 ] || wrong "what was there is behind the report"
echo before >report
pmctrack -o /proc/self/fd/1 -c instr -L echo theirs >>report || wrong "-o to its own output: exit status $?"
head -n 1 report | grep -qx before && grep -qx theirs report && grep -q '^sample' report ||
	{ wrong "-o to its own output, which goes on behind what is there:"; cat report; }

# The program says in the file pid that it runs.
started() { until [ -s pid ]; do sleep 0.1; done; }

# The report can be written no longer: pmctrack ends, and says that the program runs on.
announced() {
	started
	has err "^pmctrack: cannot write the report to $1$"
	has err "^pmctrack: process $(cat pid) keeps running and is not counted any more$"
	[ "$(wc -l <err)" -eq 2 ] || { wrong "$1: not two lines:"; cat err; }
	kill "$(cat pid)" || wrong "$1: the program does not run"
	rm -f pid
}
# shellcheck disable=SC2016 # for a shell of its own
runs='echo $$ >pid; exec sleep 30'
report 2 pmctrack -o /dev/full -c instr sh -c "$runs"
announced '/dev/full: No space left on device'
{
	pmctrack -o - -c instr -T 0.01 sh -c 'echo $$ >pid; while :; do :; done' 2>err
	echo $? >got
} | head -n 1 >out
[ "$(cat got)" -eq 2 ] || wrong "a pipe without a reader: exit status $(cat got)"
announced 'standard output: Broken pipe'

# A signal once: the program's to decide; twice: we end and it goes on. It says when
# it runs, and then we have been waiting for signals.
# twice SIGNAL: the last program started gets it twice, a second apart at least; its exit
# status is $got then
twice() {
	started
	kill "-$1" $!
	sleep 1.2
	kill "-$1" $!
	wait $!
	got=$?
}
pmctrack -c instr -T 0.05 sh -c 'trap "exit 7" TERM; echo $$ >pid; sleep 30 & wait' 2>out &
started
kill -TERM $!
wait $!
got=$?
[ $got -eq 7 ] || wrong "told to end: exit status $got"
has out ' exit '
rm pid
pmctrack -c instr -T 0.05 sh -c 'trap "" TERM; echo $$ >pid; sleep 30 & wait' 2>out &
twice TERM
[ $got -eq 143 ] || wrong "told to end twice: exit status $got"
has out ' self '
kill -KILL "$(cat pid)" || wrong "the program was ended, too"
rm pid

# Signals that are ignored stay so
(trap '' HUP; exec pmctrack -c instr -T 0.05 sh -c 'echo $$ >pid; sleep 2; exit 7') >out &
twice HUP
[ $got -eq 7 ] || wrong "two hangups that are ignored: exit status $got"
rm pid

# Ctrl-C ends what counts CPUs or a process, also where a shell's & has it ignored.
for whom in -S "-p $$"; do
	rm -f out
	# shellcheck disable=SC2086 # two words
	pmctrack $whom -c instr -T 0.05 >out &
	until [ -s out ]; do sleep 0.1; done
	kill -INT $!
	sleep 5
	kill -KILL $! 2>/dev/null
	wait $!
	got=$?
	[ $got -eq 0 ] || wrong "$whom and Ctrl-C: exit status $got"
done

# While pmctrack waits for a program to end, it sleeps: the program ends within two seconds.
# (On the debug kernel its start alone takes more than one.)
for limit in '-N 0.05' '-n 1'; do
	# shellcheck disable=SC2016 # for a shell of its own
	sh -c 'pmctrack -o report -c instr '"$limit"' sh -c "trap \"\" TERM; sleep 0.1; sleep 0.1; sleep 30"; times' >out
	# minutes and seconds of user and system mode, of the shell's children
	tail -n 1 out | tr 'ms' '  ' | awk '{ exit !($2 + $4 < 1.7) }' || wrong "$limit: CPU time $(tail -n 1 out)"
done

# What cannot be
refused "did you mean instr" pmctrack -c instrr true
if [ "$arm" ]; then
	refused "no event for 'llc_misses'" pmctrack -c llc_misses true
	refused "finds no counter beside the events before it" pmctrack -c 0x8,0x11,instr,cycles,SW_INCR,0x0,INST_RETIRED,CPU_CYCLES true
else
	refused "finds no counter beside the events before it: .*; with --split" pmctrack -c "$(seq -s , 80 99)" true
fi
refused "'ipc' is a metric: write -m ipc" pmctrack -c ipc true
status 127 pmctrack -S 0-1
has err "cannot run '0-1': No such file or directory; if these are CPUs, write -C before them"
status 0 pmctrack --split -c instr,instructions true
has err '^pmctrack: instructions is the same event as instr: its count is in that column$'
refused "must be above zero" pmctrack -T 0 true
refused "must not be zero" pmctrack -c instr:ebs=0 true
refused "-K: no event has ebs=" pmctrack -K 3 -c instr true
refused "on core type 0 .* the set with 'cycles' has none" pmctrack -c instr:ebs=1000000 -c cycles true
refused "on core type 0 .* the set with 'cycles' has none" pmctrack -c cycles -c instr:ebs=1000000 true
report 0 pmctrack -c instr:ebs=1000000 -c cycles:ebs=1000000 true
[ ! "$other" ] || status 0 pmctrack -c instr:ebs=1000000,coretype=0 -c cycles,coretype=1 true
refused "no core type '7'" pmctrack -c instr,coretype=7 true
refused "no core type 'huge'" pmctrack -P huge true
refused "no program to run" pmctrack
refused "no process" pmctrack -p 1000000
refused "no counter pmc60" pmctrack -r -c pmc60=8 true
refused "cannot write" pmctrack -o /nonexistent/file true
refused "cannot run on these CPUs" pmctrack -b 900 true
refused "no virtual counter 'energy': no monitoring module is loaded" pmctrack -V energy true
refused "." su user -c 'pmctrack -S -N 0.1'
refused "." su user -c 'pmctrack -p 1'

status 0 pmc-events
has out '^\[Core type 0: '
status 0 pmc-events -L
has out '^instr +instructions retired( \(here [^ ]+\))?$'
status 0 pmc-events -e instr,cycles:u
has out "^ev=${code}[:umask=0x]*,ev=0x[0-9a-f]+[:umask=0x]*:u,coretype=0$"
refused "did you mean cycles" pmc-events -e cycels
# libpfm4's names are those of the core type, though libpfm4 detects another one.
if grep -q '^core_type 1 .*armv8_cortex_a53' /proc/pmc/info; then
	status 0 pmc-events -e EXCEPTION_IRQ,coretype=1
	has out '^ev=0x86,coretype=1$'
fi
# Each word counts; what nothing has is no empty list.
status 0 pmc-events instructions RETIRED
has out '^instr +instructions retired( \(here [^ ]+\))?$'
! grep -v '^\[' out | grep -iv retired || wrong "a second word is ignored"
refused "no event has 'instructions' and 'retarded' in its name or description" pmc-events -L instructions retarded
refused "no event has 'nonsense' in its name" pmc-events nonsense

refused "--margin takes a number from 1 to 1000000, not '0'" pmc-hsp --margin=0
refused "this command takes options only" pmc-rr true
# Without the right to load BPF programs a command says so, where there are BPF and big cores.
if [ -e /proc/sys/kernel/unprivileged_bpf_disabled ]; then
	status 1 su user -c pmc-rr
	grep -q 'needs CPUs of different speed' err || has err 'run this command as root$'
	[ "$(wc -l <err)" -eq 1 ] || { wrong "pmc-rr: not one line:"; cat err; }
fi
# Where there are no schedulers in BPF, or no big cores, one line says so.
for scheduler in pmc-hsp pmc-rr; do
	[ ! -e /sys/kernel/sched_ext ] || break
	status 1 $scheduler
	[ "$(wc -l <err)" -eq 1 ] || { wrong "$scheduler: not one line:"; cat err; }
done

# Without the module perf_event_open() counts; cli/without_module.sh has the rest.
rmmod pmctrack
status 0 pmctrack true
has err 'the kernel module is not loaded, so perf_event_open\(\) counts'
status 0 pmc-events
has out '^\[Core type 0: '
exit $fail
