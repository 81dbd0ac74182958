#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack without the kernel module: perf_event_open() counts. The loop has a known
# number of instructions in user mode, and 7 is its own exit status.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh
cd /tmp || exit 1
[ ! -e /proc/pmc ] || { echo "the module is loaded"; exit 1; }
loop=/tests/programs/known_loop
case $(uname -m) in
aarch64) known=2000005 ;;
*) known=2000004 ;;
esac
types=$(pmc-events -I | grep -c '^\[Core type')

# totals NAME: the event's totals: of each core type, if there are several, and of all
totals() { awk -v event="$1" '$1 == event { $1 = ""; print substr($0, 2) }' out; }

# Each core type's own count is exact, whichever of them the program runs on.
for cpu in 0 3; do
	status 7 pmctrack -o - -b $cpu -A -c instr:u,cycles,task_clock $loop
	has err 'the kernel module is not loaded, so perf_event_open\(\) counts'
	[ "$(wc -l <err)" -eq 1 ] || wrong "not one line: $(cat err)"
	case $types-$cpu in
	1-*) right="$known $known" ;;
	2-0) right="$known 0 $known" ;;
	2-3) right="0 $known $known" ;;
	esac
	[ "$(totals instr:u)" = "$right" ] || { wrong "on CPU $cpu not $right instructions:"; cat out; }
	[ "$(totals task_clock | awk '{ print $NF }')" -gt 100000 ] || { wrong "no time:"; cat out; }
done

# Children, and samples over time, which add up
status 0 pmctrack -T 0.002 --format=csv -o samples.csv -c instr:u sh -c "$loop; $loop; :"
has samples.csv tick
has samples.csv exit
status 0 pmctrack -o - -A -c instr:u sh -c "$loop; $loop; :"
both=$(totals instr:u | awk '{ print $NF }')
status 7 pmctrack -o - -A -c instr:u sh -c "$loop"
one=$(totals instr:u | awk '{ print $NF }')
[ "$both" -ge $((one + known)) ] || wrong "children: $one, $both"

# A running process
sleep 1000 &
sleeper=$!
status 0 pmctrack -N 0.2 -p $sleeper -c context_switches,instr
kill $sleeper

# All CPUs
status 0 pmctrack -S -N 0.2 -T 0.1 -c instr
[ "$(grep -c ' tick ' out)" -ge 4 ] || { wrong "not a sample of each CPU:"; cat out; }

# pmctrack stat: more events than counters are estimates, of the time on each core type, and those
# of the kernel itself are counted all the time. The events are two sets on each machine: a third
# would get no time in a process that ends so soon.
many=page-faults,instructions:u
for n in 1 2 3 4 5 6 7 8 9 10; do many=$many,cycles:u:cmask=$n; done
# shellcheck disable=SC2016 # for another shell
runs='i=0; while [ $i -lt 20 ]; do '$loop'; i=$((i+1)); done; :'

# check_estimates CPU
check_estimates()
{
	status 0 taskset -c "$1" pmctrack stat -j -e "$many" sh -c "$runs"
	has err '"counter-value" : "[1-9][0-9.]*", "unit" : "", "event" : "page-faults", .*"pcnt-running" : 100.00, "accuracy" : "exact"'
	has err '"event" : "cycles:u:cmask=10", "event-runtime" : [0-9]+, "pcnt-running" : [0-9]{1,2}\.[0-9]{2}, "accuracy" : "estimated"'
	n=$(sed -n 's/.*"counter-value" : "\([0-9]*\)\..*"event" : "instructions:u".*/\1/p' err)
	awk -v n="$n" -v k="$((20 * known))" 'BEGIN { exit !(n > 0.8 * k && n < 1.3 * k) }' ||
		wrong "CPU $1: instructions: $n, not about 20 times $known"
	status 0 taskset -c "$1" pmctrack stat -j -m ipc -e "$many" sh -c "$runs"
	has err '"accuracy" : "(exact|estimated)", "metric-value" : [0-9.]+, "metric-unit" : "ipc"'
}

# A set of the user that takes all counters is counted for a part of the time beside another one, on an E-core.
# 6: the general counters of the emulated E-cores
check_users_sets()
{
	all=instr:u,cycles:u
	for n in 1 2 3 4 5 6; do all=$all,cycles:u:cmask=$n; done
	status 0 taskset -c 3 pmctrack -o - -b 3 -A -c "$all" -c branches:u sh -c "$runs"
	has err '^pmctrack: the kernel had no counters for set 0 of core type 1 \(E\) all the time'
	n=$(totals instr:u | awk '{ print $2 }')
	[ "$n" -gt 1000000 ] || wrong "a set of all counters: $n instructions on E-cores"
}

case $(uname -m) in
x86_64)
	check_estimates 0
	if [ "$types" -eq 2 ]; then
		check_estimates 3
		check_users_sets
	fi
	;;
esac

# Threads, of running processes only
refused '--per-thread of a program needs the kernel module, which counts each thread by itself: load it' pmctrack stat --per-thread -e instructions $loop
rm -f go
mkfifo go
/tests/programs/named_threads wait <go &
threads=$!
exec 4>go
while [ "$(cat /proc/$threads/task/*/comm | grep -cE '^(worker [123]|short)$')" -lt 4 ]; do sleep 0.01; done
status 0 timeout -s INT 1 pmctrack stat --per-thread -x, -e page-faults,instructions -p $threads,$threads
exec 4>&-
wait $threads
has err "^leader-$threads,[0-9]+,,page-faults,"
has err '^short-[0-9]+,[0-9]+,,instructions,'
# The announcement comes before the report.
status 7 pmctrack -c instr:u $loop
[ "$(head -n 1 err | cut -d' ' -f 1-5)" = "pmctrack: the kernel module is" ] || wrong "first: $(head -n 1 err)"

# What needs the module
refused 'ebs=1000000: sampling by event count needs the kernel module' \
	pmctrack -c instr:ebs=1000000 $loop
refused 'load the kernel module' pmctrack -V energy $loop

# Rights: one line with the value and the remedy
as_user() { busybox su user -s /bin/sh -c "$*"; }
paranoid=/proc/sys/kernel/perf_event_paranoid
grep -q '^user:' /etc/passwd || echo 'user:x:1000:1000::/tmp:/bin/sh' >>/etc/passwd
echo 2 >$paranoid
status 7 as_user pmctrack -A -c instr:u,page_faults,task_clock $loop
has err '^pmctrack: page_faults counts user mode only, as kernel mode needs CAP_PERFMON, .*: its total is too small$'
grep -q 'no counters\|task_clock counts' err && wrong "more than page faults is affected: $(cat err)"
status 7 as_user pmctrack -A -c instr:u,task_clock $loop
grep -q 'too small' err && wrong "nothing is affected: $(cat err)"
status 7 as_user pmctrack -A -c page_faults $loop
has err '^pmctrack: page_faults counts user mode only'
refused 'context_switches.*perf_event_paranoid below 2; it is 2' \
	as_user pmctrack -c context_switches $loop
refused "counts in kernel mode.*perf_event_paranoid below 2; it is 2" \
	as_user pmctrack -c instr:k $loop
refused 'counting CPUs needs CAP_PERFMON.*it is 2' as_user pmctrack -S -N 0.1 -c instr:u
# Only Debian's kernels forbid everything.
case $(uname -r) in
*pmctrack* | *debug*) ;;
*)
	echo 3 >$paranoid
	refused 'perf_event_paranoid is 3, .*sysctl kernel.perf_event_paranoid=2' \
		as_user pmctrack -c instr:u $loop
	;;
esac
exit $fail
