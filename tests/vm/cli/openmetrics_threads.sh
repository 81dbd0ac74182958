#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack openmetrics --threads: the counts of each thread are those of pmctrack beside it; at most N
# threads are written, those that ran longest; names of any bytes; an ordinary user sees the own ones.

. "${0%/*}/../lib/cli.sh"

mkdir -p /tmp/threads && chmod 777 /tmp/threads && cd /tmp/threads || exit 1
mkfifo fifo

# On Arm, one counter counts cycles: CPUs and threads cannot have it both.
case $(uname -m) in
x86_64) alone='' sessions=3 ;;
*) alone=--no-cpus sessions=2 ;;
esac

# A name that cannot be written as it is: quotation mark, backslash, newline, a byte that is no UTF-8
odd=$(printf 'a"b\\c\nd\377')
cp /tests/programs/known_loop "./$odd"

# texts_above NR: wait for so many texts in the file texts
texts_above() {
	i=0
	until [ "$(grep -c '^# EOF$' texts)" -ge "$1" ]; do
		i=$((i + 1))
		[ $i -lt 300 ] || { wrong "$1 texts are missing: $(tail -n 40 texts; cat err)"; return; }
		sleep 0.1
	done
}

# ---- each thread's instructions are those that pmctrack has counted beside it

cat >work.sh <<'END'
read -r _ <fifo
i=0
while [ $i -lt 20 ]; do
	/tests/programs/known_loop
	i=$((i + 1))
done
"./$1"
exit 0
END
sh work.sh "$odd" &
work=$!
pmctrack -A -c instr:u --format=csv -o own.csv -p $work &
own=$!
pmctrack openmetrics --threads=1000 $alone -d 0.2 -c instr:u >texts 2>err &
writer=$!
texts_above 2
i=0
until [ "$(pmctrack listen -l | grep -c .)" -ge $sessions ]; do
	i=$((i + 1))
	[ $i -lt 100 ] || { wrong "$sessions sessions: $(pmctrack listen -l; cat err)"; break; }
	sleep 0.1
done
echo go >fifo
wait $work
wait $own
texts_above $(($(grep -c '^# EOF$' texts) + 2))
kill $writer
wait $writer || wrong "it ends with status $?: $(cat err)"
# The last value of each counter of a thread, in all texts; sums over core types and event sets
awk '/^pmctrack_thread_events_total/ && /,event="instr:u"/ {
		match($0, /tid="[0-9]+"/)
		tid = substr($0, RSTART + 5, RLENGTH - 6)
		match($0, /core_type="[^"]*",set="[0-9]+"/)
		last[tid " " substr($0, RSTART, RLENGTH)] = $NF
	}
	END { for (i in last) { split(i, words, " "); sum[words[1]] += last[i] }
	      for (tid in sum) printf "%d %.0f\n", tid, sum[tid] }' texts | sort >counted
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "instr:u") at = i; if ($i == "tid") tid = i } next }
	/^[0-9]/ { sum[$tid] += $at } END { for (i in sum) printf "%d %.0f\n", i, sum[i] }' own.csv | sort >wanted
awk 'NR == FNR { wanted[$1] = $2; next }
	$1 in wanted { nr++; if (wanted[$1] != $2) { print "thread " $1 ": " $2 ", pmctrack " wanted[$1]; wrong = 1 } }
	END { exit wrong || nr < 21 }' wanted counted ||
	wrong "not the same instructions, or too few threads: $(cat counted; echo pmctrack:; cat wanted)"
[ "$(awk '$2 > 2000000' wanted | wc -l)" -ge 21 ] || wrong "known_loop: $(cat wanted)"
grep -qF ',name="a\"b\\c\nd'"$(printf '\357\277\275')"'",core_type="' texts || wrong "the odd name: $(grep 'name="a' texts)"
# No thread is left in the text of an interval that came after its end.
awk '/^# TYPE pmctrack_thread_cpu_seconds/ { n = 0 } /^pmctrack_thread_cpu/ && /"known_loop"/ { n++ } END { exit n }' texts ||
	wrong "a thread that has ended: $(tail -n 60 texts)"
grep -q '^pmctrack_thread_lost_samples_total 0$' texts || wrong "lost: $(grep lost texts)"
[ "$alone" ] || grep -q '^pmctrack_events_total.*event="instr:u"' texts || wrong "no CPUs: $(head -n 20 texts)"

# ---- the N threads that ran longest

printf '#!/bin/sh\nwhile :; do :; done\n' >busy_script
chmod +x busy_script
./busy_script &
busy=$!
pmctrack openmetrics --threads=1 $alone -d 0.2 -n 2 -m ipc >texts || wrong "--threads=1"
[ "$(grep -c '^pmctrack_thread_cpu_seconds_total' texts)" -eq 2 ] || wrong "one thread a text: $(cat texts)"
[ "$(grep -c "^pmctrack_thread_cpu_seconds_total{pid=\"$busy\",tid=\"$busy\",name=\"busy_script\"}" texts)" -eq 2 ] ||
	wrong "not the one that ran longest: $(grep cpu_seconds texts)"
awk '/^pmctrack_thread_metric/ && /metric="ipc"/ { n++; if ($NF < 0.3 || $NF > 1.2) exit 1 } END { exit n < 2 }' texts ||
	wrong "ipc: $(grep thread_metric texts)"
[ "$(grep -c 'state="written"} 1$' texts)" -eq 2 ] || wrong "number: $(grep pmctrack_threads texts)"
awk '/state="further"/ { n++; if ($NF < 1) exit 1 } END { exit n != 2 }' texts || wrong "others: $(grep pmctrack_threads texts)"
[ "$(grep -c 'state="refused"} 0$' texts)" -eq 2 ] || wrong "root may count all: $(grep pmctrack_threads texts)"

# ---- more events than an event set has room for

# The emulated Arm PMU has no branches.
remedy="a system-wide session has .*: choose fewer events and metrics, or --no-cpus"
[ ! "$alone" ] || refused "$remedy" pmctrack openmetrics --threads=5 -d 0.1 -n 1
if [ "$(uname -m)" = x86_64 ]; then
	events=instr,cycles,instr:u,cycles:u,instr:k,cycles:k,branches,branches:u,branches:k
	events=$events,branch_misses,branch_misses:u,branch_misses:k
	refused "$remedy" \
		pmctrack openmetrics --threads=5 -d 0.1 -n 1 -c $events
	pmctrack openmetrics --threads=5 --no-cpus -d 0.15 -n 2 -c $events >texts || wrong "turns: status $?"
	for set in 0 1; do
		grep -q "^pmctrack_thread_events_total.*name=\"busy_script\".*set=\"$set\"" texts ||
			wrong "threads: no turn of set $set: $(cat texts)"
	done
	pmctrack openmetrics -d 0.1 -n 4 -c $events >texts || wrong "turns of CPUs: status $?"
	awk '/^pmctrack_counted_seconds_total/ && /set="[01]"/ && $NF > 0 { turns[$1] } END { for (i in turns) n++; exit n < 4 }' texts ||
		wrong "CPUs: not two turns of each core type: $(grep counted texts)"
fi
kill $busy

# ---- rights, and errors

echo 2 >/proc/sys/kernel/perf_event_paranoid
busybox su user -s /bin/sh -c './busy_script & pmctrack openmetrics --threads=100 --no-cpus -d 0.2 -n 2; kill $!' >texts 2>err ||
	wrong "a user: $(cat err)"
grep -q ',name="busy_script"' texts || wrong "the own threads: $(cat texts)"
sed -n 's/^pmctrack_thread_cpu_seconds_total{pid="[0-9]*",tid="[0-9]*",name="\([^"]*\)".*/\1/p' texts |
	grep -vE '^(sh|busy_script|pmctrack|kill|su|busybox)$' && wrong "threads of others: $(grep cpu_seconds texts)"
awk '/state="refused"/ { n++; if ($NF < 20) exit 1 } END { exit n != 2 }' texts ||
	wrong "threads that may not be counted: $(grep pmctrack_threads texts)"
grep -E '^pmctrack_(events|metric|counted|lost)' texts && wrong "--no-cpus: CPUs are counted"
refused "CAP_PERFMON" busybox su user -s /bin/sh -c 'pmctrack openmetrics --threads=3 -d 0.1 -n 1'
refused "CAP_PERFMON" busybox su user -s /bin/sh -c 'pmctrack openmetrics --threads=3 --no-cpus --filter=all -d 0.1 -n 1'
refused "from 1 to 1000" pmctrack openmetrics --threads=0
refused "from 1 to 1000" pmctrack openmetrics --threads=1001
refused "give --threads=N, too" pmctrack openmetrics --no-cpus
refused "those of CPUs" pmctrack openmetrics --no-cpus --threads=1 -V energy_pkg
exit $fail
