#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack stat: sums over core types, forms of output, refusals, what the program prints.

. "${0%/*}/../lib/cli.sh"

# shellcheck disable=SC2016 # for another shell
work='i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done; echo printed'

# value FILE EVENT: the count in a row of -x,
value() { awk -F, -v e="$2" '$3 == e { print $1 }' "$1"; }

# The report is on standard error; standard output is the program's.
status 0 pmctrack stat sh -c "$work"
[ "$(cat out)" = printed ] || wrong "standard output: $(cat out)"
has err "Performance counter stats for 'sh -c i=0;"
has err '^ +[0-9,]+ +instructions +# +[0-9.]+  insn per cycle$'
has err '^ +[0-9.]+ msec task-clock +# +[0-9.]+  CPUs utilized$'
has err '^ +[0-9.]+ seconds time elapsed$'
has err '^ All counts are exact.$'

# A count of all is the sum of the core types' counts, to the event.
status 0 pmctrack stat -x, -o f -e instructions,cycles sh -c "$work"
[ ! -s err ] || wrong "standard error beside -o: $(cat err)"
for event in instructions cycles; do
	sum=$(awk -F, -v e="/$event/" 'index($3, e) { s += $1; n++ } END { print n ? s : "none" }' f)
	all=$(value f $event)
	[ "$sum" = none ] || [ "$sum" = "$all" ] || wrong "$event: $all, core types $sum"
	[ "$all" -gt 100000 ] || wrong "$event: $all"
done
# The same in user mode, in each run of a program without a C library.
known=/tests/programs/known_loop
status 7 pmctrack stat -x, -o f --filter user -e instructions $known
status 7 pmctrack stat -x, -o f2 --filter user -e instructions $known
[ "$(value f instructions:u)" -gt 100000 ] || wrong "no instructions:u in $(cat f)"
[ "$(value f instructions:u)" = "$(value f2 instructions:u)" ] ||
	wrong "two runs: $(value f instructions:u) and $(value f2 instructions:u)"
status 7 pmctrack stat -r 3 -x, -o f3 --filter user -e instructions $known
[ "$(value f3 instructions:u)" = "$(value f instructions:u)" ] || wrong "-r 3: $(cat f3)"
has f3 '^[0-9]+,,instructions:u,0.00%,[0-9]+,100.00,'
status 0 pmctrack stat -r 3 -e instructions echo printed
[ "$(wc -l <out)" -eq 3 ] || wrong "-r 3 printed $(wc -l <out) lines"
# Each run starts with the signals that pmctrack was started with, and leaves no file open.
signals='grep -E ^Sig[BI] /proc/self/status'
for ignored in INT PIPE; do
	sh -c "trap '' $ignored; exec $signals" >expected
	status 0 sh -c "trap '' $ignored; exec pmctrack stat -r 2 -e page-faults $signals"
	cat expected expected | cmp -s - out || wrong "SIG$ignored is ignored: two runs start with $(cat out)"
done
status 0 sh -c 'ulimit -n 24; exec pmctrack stat -r 30 -x, -e page-faults true'

# A signal ends the repetition. The run in which it comes is not one of those whose means are printed.
begin=$(date +%s)
status 143 timeout -s TERM 1 pmctrack stat -r 5 -e page-faults sleep 3
has err '^pmctrack: signal 15 came in run 1 of 5: the counts are those of this run alone$'
has err "for 'sleep 3' \(1 run\):"
status 130 setsid sh -c '(sleep 1; kill -INT 0) & exec pmctrack stat -r 5 -e page-faults sleep 3.25'
[ $(($(date +%s) - begin)) -lt 6 ] || wrong "runs after a signal: $(($(date +%s) - begin)) s"
! cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\0' ' ' | grep -q 'sleep 3[.]25' || wrong "the program is left"
# shellcheck disable=SC2016 # for another shell
third='echo >>runs; [ $(wc -l <runs) -eq 3 ] || exec "$0"; kill -INT $PPID; exec sleep 3'
rm -f runs
status 130 pmctrack stat -r 5 --filter user -e instructions sh -c "$third" $known
has err '^pmctrack: signal 2 came in run 3 of 5: its counts are left out$'
has err '\(2 runs\), in user mode:$'
[ "$(wc -l <runs)" -eq 3 ] || wrong "$(wc -l <runs) runs"
has err 'instructions:u .*\( \+- +[0-4]\.'
rm runs
# Most signals come between two such short runs, or at the end of one.
status 130 setsid sh -c '(sleep 0.5; kill -INT 0) & exec pmctrack stat -r 2000 -x, -e page-faults true'
has err '^pmctrack: signal 2 came (in|after) run [0-9]+ of 2000: '
has err ',,page-faults,'

status 0 pmctrack stat -j -e instructions,cycles true
has err '^\{"counter-value" : "[0-9]+.000000", "unit" : "", "event" : "instructions", "event-runtime" : [0-9]+, "pcnt-running" : 100.00, "accuracy" : "exact", "metric-value" : [0-9.]+, "metric-unit" : "insn per cycle"\}$'
status 0 pmctrack stat --per-core-type -x, -e instructions true
has err '^0:[^,]*,[0-9]+,,instructions,'

# Each spelling of an event has rows, and each row the spelling that was typed.
case $(uname -m) in
x86_64) raw=r00c0 code=0xc0:umask=0x00 ;;
*) raw=r8 code=0x8 ;;
esac
status 7 pmctrack stat -x, -o f --filter user -e instructions,$raw,instr,$code $known
for event in instructions:u $raw:u instr:u $code:u; do
	[ "$(value f "$event")" = "$(value f3 instructions:u)" ] || wrong "$event: $(cat f)"
done
awk -F, '$3 !~ "/" { print $3 }' f | tr '\n' ' ' >order
[ "$(cat order)" = "instructions:u $raw:u instr:u $code:u " ] || wrong "the order of spellings: $(cat order)"

# More events than counters take turns; the kernel's own are counted all the time.
many=page-faults
for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18; do many=$many,instructions:u:cmask=$n; done
case $(uname -m) in
x86_64)
	status 0 pmctrack stat -x, -e "$many" sh -c "i=0; while [ \$i -lt 40000 ]; do i=\$((i+1)); done"
	has err '^[0-9]+,,page-faults,[0-9]+,100.00,'
	has err '^[0-9]+,,instructions:u:cmask=1,[0-9]+,[0-9]{1,2}\.[0-9]{2},'
	# Rows are in the order of -e.
	awk -F, '$3 !~ "/" { print $3 }' err >order
	echo "$many" | tr , '\n' | cmp -s - order || wrong "the order of rows: $(cat order)"
	refused '18 events in one set, but core type|cannot count' pmctrack stat -e "{$many}" true
	# In run mode such a set is refused; --split lets its events take turns.
	refused "'instructions:u:cmask=[0-9]+' finds no counter beside the events before it: .*--split" \
		pmctrack -c "$many" true
	status 0 pmctrack --split -A -o - -c "$many" sh -c "i=0; while [ \$i -lt 40000 ]; do i=\$((i+1)); done"
	has out 'instructions:u:cmask=18'
	refused 'leave out -r' pmctrack --split -r -c pmc0 true ;;
esac

# Metrics: of each core type, and of all by the sums of their counts
status 0 pmctrack stat -m 'ipc,own[%.3f]=cycles/instr' sh -c "$work"
has err '^ +[0-9]\.[0-9]{2} +ipc$'
has err '^ +[0-9]\.[0-9]{3} +own$'
refused "no metric 'nosuch'" pmctrack stat -m nosuch true

# Threads: a row for each, with the name that it ended with, however short its life was
threads=/tests/programs/named_threads
status 0 pmctrack stat --per-thread -x, -o f --filter user -e instructions,task-clock $threads
for name in leader 'worker 1' 'worker 2' 'worker 3' short 'a\\x2c"b"\\x1b\[31m\\xff'; do
	n=$(grep -cE "^$name-[0-9]+,[0-9]+,,instructions:u,[0-9]+,100.00," f)
	[ "$n" -eq 1 ] || wrong "$n rows of $name: $(cat f)"
done
first=$(head -n 1 f)
case $first in
'worker 3-'*) ;;
*) wrong "the busiest thread is not the first: $first" ;;
esac
# Three times as many rounds of the same loop are about three times as many instructions.
awk -F, '$4 == "instructions:u" && sub(/^worker /, "", $1) { c[substr($1, 1, 1)] = $2 }
	END { exit !(c[2] > 1.9 * c[1] && c[3] > 2.9 * c[1] && c[3] < 3.1 * c[1]) }' f || wrong "workers: $(cat f)"
# The rows of a thread's core types add up to the thread's.
awk -F, '$4 == "instructions:u" { n++; all[$1] = $2 } $4 ~ "/instructions/u$" { sum[$1] += $2 }
	END { for (t in sum) if (sum[t] != all[t]) bad = 1; exit bad || n != 6 }' f || wrong "sums of threads: $(cat f)"
status 0 pmctrack stat --per-thread -e instructions,cycles -m ipc $threads
has err '^ +worker 3-[0-9]+ +[0-9,]+      instructions +# +[0-9.]+  insn per cycle$'
has err '^a,"b"\\x1b\[31m\\xff-[0-9]+ +[0-9,]+ +instructions'
has err '^ +worker 3-[0-9]+ +[0-9]\.[0-9]{2} +ipc$'
grep -q "$(printf '\033')" err && wrong 'an escape sequence reached the terminal'
status 0 pmctrack stat --per-thread -j -e instructions $threads
has err '^\{"thread" : "worker 2-[0-9]+", "counter-value" : "[0-9]+\.000000", '
has err '^\{"thread" : "a,\\"b\\"\\u001b\[31m\\ufffd-[0-9]+", '
# Running threads, with the names that they have now
rm -f go
mkfifo go
$threads wait <go &
one=$!
exec 4>go
while [ "$(cat /proc/$one/task/*/comm | grep -cE '^(worker [123]|short|a,.*)$')" -lt 5 ]; do sleep 0.01; done
status 0 timeout -s INT 1 pmctrack stat --per-thread -x, -e page-faults,instructions -p $one
exec 4>&-
wait $one
has err '^worker 1-[0-9]+,[0-9]+,,page-faults,'
# The first thread waits and has not run: its rows have 0, as perf has rows for it.
has err "^leader-$one,0,,instructions,0,100.00,"
has err '^short-[0-9]+,[0-9]+,,instructions,'
refused 'choose one' pmctrack stat --per-thread -a true
refused 'leave out -r or --per-thread' pmctrack stat --per-thread -r 2 true

# Others' processes, CPUs, the whole machine
sleep 1000 &
one=$!
sleep 1000 &
status 0 timeout -s INT 1 pmctrack stat -e instructions -p "$one,$!"
has err "for process id '$one,$!':"
has err '^ +[01]\.[0-9]{9} seconds time elapsed$'
kill "$one" $!
status 0 pmctrack stat -a sleep 0.1
has err "for 'sleep 0.1':"
status 0 pmctrack stat -C 0 -x, -e instructions sleep 0.1
has err '^[1-9][0-9]*,,instructions,'

# Standard error may be a file of others.
echo before >f
pmctrack stat -x, -e instructions true 2>>f
[ "$(sed -n 1p f)" = before ] || wrong "standard error was emptied: $(cat f)"
# -o keeps what was there until the program runs; --append adds.
echo before >f
status 127 pmctrack stat -o f /nonexistent
[ "$(cat f)" = before ] || wrong "-o emptied the file for a program that does not exist"
status 127 pmctrack stat -r 3 /nonexistent
[ "$(grep -c 'cannot run' err)" -eq 1 ] || wrong "-r repeats a program that does not exist: $(cat err)"
status 0 pmctrack stat -x, --append -o f -e instructions true
[ "$(sed -n 1p f)" = before ] || wrong "--append: $(cat f)"
has f ',,instructions,'
status 3 pmctrack stat sh -c 'exit 3'
status 0 pmctrack stat --help
has out 'Usage: pmctrack stat'

refused "has no event 'nosuch'" pmctrack stat -e nosuch true
refused "'ipc' is a metric: write -m ipc" pmctrack stat -e ipc true
refused 'an event is missing beside a comma' pmctrack stat -e instructions, true
refused 'a group is written as' pmctrack stat -e '{instructions' true
refused 'no program to run' pmctrack stat -e instructions
refused 'leave out true' pmctrack stat -p 1 true
refused '-x needs a character' pmctrack stat -x '' true
refused 'choose -x or -j' pmctrack stat -r 2 -x, -j true
refused "unrecognized option '--nosuch'" pmctrack stat --nosuch true
# A program with a verb's name
status 0 pmctrack -A -- stat /
exit $fail
