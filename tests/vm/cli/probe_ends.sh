#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack probe: calls that do not end by a return, functions that would not survive a probe,
# libraries, and refusals, each of which is one line.

. "${0%/*}/../lib/cli.sh"

ends=/tests/programs/calls_that_end
known=/tests/programs/known_calls
functions='step jumping catching forking executing killed exiting ending asking insisting'

# calls WAY STATUS FUNCTION=CALLS...: calls in a run; step() has the same count each time
calls() {
	way=$1
	shift
	# shellcheck disable=SC2086 # words
	status "$1" pmctrack probe -x, -e instr --per-thread -o f $ends $functions -- "$way"
	shift
	for pair; do
		got=$(awk -F, -v f="${pair%=*}" '$1 == f && $3 == "all" { n += $4 } END { print n }' f)
		[ "$got" = "${pair#*=}" ] || wrong "$way: $got calls of ${pair%=*}, not ${pair#*=}: $(cat f)"
	done
	each=$(awk -F, '$1 == "step" && $3 == "all" && $4 { print $6 / $4, $7 / $4 }' f | sort -u)
	[ "$each" = "${step:=$each}" ] || wrong "$way: step() executes $each instructions, not $step: $(cat f)"
}

# open N: calls without a return
open() {
	if [ "$1" -gt 0 ]; then
		has err "^pmctrack: $1 calls? ended without a return"
	else
		! grep -q "without a return" err || wrong "$(cat err)"
	fi
}

calls twice 0 step=2
open 0
[ "${step%% *}" -gt 2 ] || wrong "step() executes $step instructions"
calls longjmp 0 catching=1 jumping=10 step=11
open 10
calls fork 0 forking=1 step=4
open 0
[ "$(grep -c '^step,[0-9]*,all,2,' f)" -eq 2 ] || wrong "two steps in each process: $(cat f)"
calls exec 0 executing=1 step=3
open 1
calls kill 137 killed=1 step=1
open 1
calls exit 4 exiting=1 step=1
open 1
# A thread is counted to its end: ending() has pthread_exit().
calls thread 0 ending=1 step=2
open 1
own=$(awk -F, '$1 == "ending" && $3 == "all" { print $7 }' f)
[ "$own" -gt 100 ] || wrong "pthread_exit() is not counted: $own instructions"
# In a trace, its calls end with it, before later calls of the program.
status 0 pmctrack probe -o f.pftrace $ends step ending -- thread
strings f.pftrace | awk '/without a return/ { ended = NR } /step/ { last = NR } END { exit !(ended && ended < last) }' ||
	wrong "a thread's calls do not end with it: $(strings f.pftrace)"

# SIGTERM to pmctrack is for the program. A second one, after a second, ends pmctrack alone.
calls ask 143 asking=1 step=1
open 1
calls insist 143 insisting=1 step=1
open 1
has err "^pmctrack: process [0-9]* keeps running and is not counted any more"

# The trace can be written no longer: pmctrack ends, and says that the program runs on.
{
	pmctrack probe --format=perfetto -o - $ends step -- stay 2>err
	echo $? >got
} | head -c 100 >f
[ "$(cat got)" -eq 2 ] || wrong "a pipe without a reader: exit status $(cat got)"
has err "^pmctrack: process [0-9]* keeps running and is not counted any more$"
has err "^pmctrack: cannot write standard output: Broken pipe$"

# All functions, without those that would break: known_calls gets its argument.
status 3 pmctrack probe -x, -e instr -o f $known '*' -- 20
[ "$(awk -F, '$1 == "known_recursive" && $3 == "all" { print $4 }' f)" = 21 ] || wrong "all: $(cat f)"
! grep -q '^_start,' f || wrong "_start has a probe"
status 3 pmctrack probe -x, -e instr -o f ${known}_fixed known_outer
grep -q '^known_outer,,all,8,instr,82032,82032$' f || wrong "not position-independent: $(cat f)"

# A library's function, by the library's name and by its path
status 3 pmctrack probe -x, -e instr -o f $known libc.so.6:sched_setaffinity
[ "$(awk -F, '$3 == "all" { n += $4 } END { print n }' f)" = 8 ] || wrong "libc: $(cat f)"

# Programs with C++ exceptions run with a warning, which is one line. This one has just the symbol.
cp $known exceptions
for at in $(strings -t d $known | awk '$2 == "known_inner" { print $1 }'); do
	printf __cxa_throw | dd of=exceptions bs=1 seek="$at" conv=notrunc 2>/dev/null
done
status 3 pmctrack probe -x, -e instr -o f ./exceptions known_outer
has err "^pmctrack: .*/exceptions has C[+][+] exceptions: one that leaves a function with a probe ends the program"
[ "$(wc -l <err)" -eq 1 ] || wrong "not one line: $(cat err)"
grep -q '^known_outer,,all,8,instr,82032,82032$' f || wrong "with a warning: $(cat f)"

# Refusals
refused "has no function 'nosuch'.*inlined" pmctrack probe $known nosuch
refused "libc.so.6 has no function 'nosuch'" pmctrack probe $known libc.so.6:nosuch
refused "there is no library 'nosuch.so'" pmctrack probe $known nosuch.so:f
refused "there is no program 'nosuch'" pmctrack probe nosuch f
refused "'_start' cannot have a probe" pmctrack probe $known _start
refused "is no 64-bit ELF program" pmctrack probe /tests/cli/probe.sh nosuch
refused "is no file with a program" pmctrack probe /tests nosuch
refused "has no symbols of functions" pmctrack probe /bin/busybox
refused "exclude each other" pmctrack probe -x, --format=json $known known_inner
refused "table, CSV, JSON or a trace" pmctrack probe -o f.html $known known_inner
refused "name it with -o" pmctrack probe --format=perfetto $known known_inner
refused "cannot write /nosuch/f" pmctrack probe -o /nosuch/f $known known_inner
for option in -of.csv --format=json '-x,'; do
	refused "the list of functions .*: leave out " pmctrack probe -l $option $known known_inner
	refused "the list of functions .*: leave out " pmctrack probe $option $known
done

# Without root: one line, and no process is left.
before=$(cat /proc/sys/kernel/perf_event_paranoid)
for paranoid in 2 -1; do
	echo $paranoid >/proc/sys/kernel/perf_event_paranoid
	refused "become root" busybox su user -s /bin/sh -c "pmctrack probe $known known_inner"
done
echo "$before" >/proc/sys/kernel/perf_event_paranoid
sleep 1
! busybox pidof pmctrack || wrong "pmctrack's process is left"
exit $fail
