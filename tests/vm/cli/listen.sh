#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack listen prints the samples that pmctrack itself has, with names, and metrics of them;
# an ordinary user those of the own sessions alone.

. "${0%/*}/../lib/cli.sh"

mkdir -p /tmp/listen && cd /tmp/listen || exit 1

# ---- all sessions, and the same counts as pmctrack's own

pmctrack listen --csv -m ipc -m 'double=2*instr' -o heard.csv -N 20 &
listener=$!
until pmctrack listen -N 0.01 >/dev/null; do :; done
pmctrack -T 0.01 -c instr,cycles --format=csv -o own.csv /tests/programs/known_loop >/dev/null
wanted=$(awk -F, '/^[0-9]/ { print $5 == "" ? "" : $11 "," $12 }' own.csv | sort)
i=0
while [ $i -lt 100 ]; do
	[ "$(grep -c ',instr,' heard.csv)" -ge "$(grep -c '^[0-9]' own.csv)" ] && break
	sleep 0.1
	i=$((i + 1))
done
kill $listener
wait $listener
heard=$(awk -F, '$10 == "instr" { instr = $11 } $10 == "cycles" { print instr "," $11 }' heard.csv | sort)
[ "$wanted" ] && [ "$heard" = "$wanted" ] ||
	wrong "pmctrack has '$wanted', the listener '$heard': $(cat own.csv heard.csv)"
awk -F, '$10 == "instr" { instr = $11 } $10 == "cycles" { cycles = $11 }
	$10 == "ipc" { n++; if ($11 != sprintf("%.2f", instr / cycles)) bad = 1 }
	$10 == "double" { n++; if ($11 != sprintf("%.2f", 2 * instr)) bad = 1 }
	END { exit bad || !n }' heard.csv || wrong "metrics: $(cat heard.csv)"
heading=session,seconds,pid,tid,name,cpu,core_type,type,lost,event,value,session_lost,throttled,counter_lost,evicted
head -n 1 heard.csv | grep -qx "$heading" ||
	wrong "the heading: $(head -n 1 heard.csv)"

# ---- one session, which ends

pmctrack -T 0.02 -c instr,page_faults -o own sleep 3 >/dev/null &
i=0
until session=$(pmctrack listen -l | sed -n 's/^session \([0-9]*\): pmctrack .*/\1/p') && [ "$session" ]; do
	i=$((i + 1))
	[ $i -lt 1000 ] || { wrong "no session in the list"; break; }
done
pmctrack listen -l | grep -qE '^session [0-9]+: pmctrack \(process [0-9]+, root\), every 20 ms$' ||
	wrong "the list: $(pmctrack listen -l)"
pmctrack listen "$session" >table 2>&1 || wrong "one session: $(cat table)"
grep -q "session $session has ended" table || wrong "it does not end with its session: $(cat table)"
grep -qE '^session +tid name +core +type +instr +page_faults$' table || wrong "the table: $(cat table)"
wait

# ---- the message of its end may be lost, as the listener does not read while its socket is filled

mkfifo begin
# shellcheck disable=SC2016 # that shell expands it
pmctrack -c instr:ebs=30000 -o own \
	sh -c 'read -r x <begin; i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' >/dev/null &
program=$!
until session=$(pmctrack listen -l | sed -n 's/^session \([0-9]*\): pmctrack .*/\1/p') && [ "$session" ]; do :; done
pmctrack listen "$session" >table 2>lost &
listener=$!
until grep -q "^session $session: pmctrack" table; do :; done
kill -STOP $listener
echo >begin
wait $program
kill -CONT $listener
i=0
while kill -0 $listener 2>/dev/null && [ $i -lt 100 ]; do sleep 0.1; i=$((i + 1)); done
kill $listener 2>/dev/null && wrong "it goes on after its session: $(tail -n 3 table)"
wait $listener
grep -q "session $session has ended" table lost || wrong "the end: $(tail -n 3 table lost)"

# ---- so may the message of a session's beginning: the names of its counts are asked for

mkfifo begin2 end2
pmctrack listen -N 30 >table 2>/dev/null &
listener=$!
until pmctrack listen -N 0.01 >/dev/null; do :; done
kill -STOP $listener
# shellcheck disable=SC2016 # that shell expands it
pmctrack -c instr:ebs=30000 -o own sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done' >/dev/null
# shellcheck disable=SC2016 # that shell expands it
pmctrack -T 0.02 -c cycles,page_faults -o own \
	sh -c 'read -r x <begin2; i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done; read -r x <end2' >/dev/null &
program=$!
until session=$(pmctrack listen -l | sed -n 's/^session \([0-9]*\): pmctrack .*, every 20 ms/\1/p') && [ "$session" ]; do
	kill -0 $program || { wrong "the program is not counted"; break; }
done
kill -CONT $listener
# The message is lost in most runs: a worker of the kernel sends it, which may be late.
i=0
until grep -q 'samples were lost here' table || [ $i -ge 100 ]; do sleep 0.1; i=$((i + 1)); done
echo >begin2
i=0
until grep -q "^ *$session " table || [ $i -ge 100 ]; do sleep 0.1; i=$((i + 1)); done
grep -qE '^session +tid name +core +type +cycles +page_faults$' table || wrong "no names: $(tail -n 5 table)"
echo >end2
wait $program
kill $listener
wait $listener

# ---- a thread that executes another program

pmctrack listen -N 20 >table &
listener=$!
until pmctrack listen -N 0.01 >/dev/null; do :; done
pmctrack -T 0.02 -c instr -o own sh -c 'exec sleep 0.1' >/dev/null
kill $listener
wait $listener
[ "$(grep -cE '^session [0-9]+: thread [0-9]+ has executed sleep$' table)" -eq 1 ] || wrong "an exec: $(cat table)"
grep -qE ' sleep +[^ ]+ +exit ' table || wrong "its end: $(cat table)"

# ---- rights, and errors

refused "there is no session 99999 that counts" pmctrack listen 99999
refused "SESSION takes a number" pmctrack listen none
refused "-l lists all sessions" pmctrack listen -l 3
for option in -mipc -n3 -N3 --csv; do
	refused "-l prints no samples: leave out -m, -n, -N and --csv" pmctrack listen -l $option
done
refused "no metric" pmctrack listen -m no_such_metric
refused "one session, or none for all" pmctrack listen 3 4

pmctrack -T 0.02 -c instr -o own sleep 2 >/dev/null &
until pmctrack listen -l | grep -q pmctrack; do :; done
busybox su user -s /bin/sh -c 'pmctrack listen -l' >out 2>&1 || wrong "-l of a user: $(cat out)"
[ ! -s out ] || wrong "a user sees root's session: $(cat out)"
wait
exit $fail
