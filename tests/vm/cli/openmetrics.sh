#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack openmetrics: its counts are the sums of the session's samples, a file is always whole, and
# metrics and virtual counters are those of pmctrack -S.

. "${0%/*}/../lib/cli.sh"

# An event beside instr and cycles, which the metric asks for. The emulated Arm PMU counts no others.
case $(uname -m) in
x86_64) further=dtlb_misses ;;
*) further= ;;
esac

mkdir -p /tmp/openmetrics && chmod 777 /tmp/openmetrics && cd /tmp/openmetrics || exit 1

# ---- the counts are those of the session's samples, which a listener receives

pmctrack listen --csv -o heard.csv -N 60 &
listener=$!
until pmctrack listen -N 0.01 >/dev/null; do :; done
pmctrack openmetrics -d 0.3 -n 3 ${further:+-c $further} -m 'ipc,twice=2*instr' >texts 2>err || wrong "three texts: $(cat err)"
i=0
while [ $i -lt 100 ] && ! grep -q ends heard.csv; do
	kill -0 $listener 2>/dev/null || break
	sleep 0.1
	i=$((i + 1))
	[ "$(grep -c ,instr, heard.csv)" -lt 12 ] || break
done
kill $listener
wait $listener
[ "$(grep -c '^# EOF$' texts)" -eq 3 ] || wrong "three ends: $(cat texts)"
tail -n 1 texts | grep -qx '# EOF' || wrong "the end: $(tail -n 1 texts)"
for event in instr cycles $further; do
	# The samples that were taken when a text was written, not those of the end.
	text=$(awk -v event="$event" '/^# TYPE pmctrack_events/ { sum = 0 }
		/^pmctrack_events_total/ && index($0, "event=\"" event "\"") { sum += $NF }
		END { printf "%d", sum }' texts)
	samples=$(awk -F, -v event="$event" '$10 == event && n++ < 12 { sum += $11 } END { printf "%d", sum }' heard.csv)
	[ "$text" -gt 0 ] && [ "$text" = "$samples" ] || wrong "$event: $text in the text, $samples in the samples"
done
awk '/^pmctrack_metric/ && /"ipc"/ { n++; if ($NF < 0.3 || $NF > 1.2) exit 1 } END { exit !n }' texts ||
	wrong "ipc: $(grep pmctrack_metric texts)"
awk '/^pmctrack_interval_seconds [0-9]/ { n++; if ($2 < 0.29 || $2 > 2) exit 1 } END { exit n != 3 }' texts ||
	wrong "intervals: $(grep interval texts)"

# ---- a file is there whole at any time, and has no rest beside it

pmctrack openmetrics -d 0.1 -n 20 -o out.prom &
writer=$!
n=0
while kill -0 $writer 2>/dev/null; do
	[ ! -e out.prom ] || { n=$((n + 1)); [ "$(tail -n 1 out.prom)" = '# EOF' ] || wrong "not whole: $(cat out.prom)"; }
	sleep 0.03
done
wait $writer || wrong "-o: status $?"
[ $n -gt 3 ] || wrong "the file was read $n times"
[ "$(echo *prom*)" = out.prom ] || wrong "files: $(ls)"

[ "$(stat -c %a out.prom)" = 644 ] || wrong "mode: $(ls -l out.prom)"

(umask 077 && pmctrack openmetrics -d 0.1 -n 1 -o out.prom)
[ "$(stat -c %a out.prom)" = 600 ] || wrong "a private file: $(ls -l out.prom)"
pmctrack openmetrics -d 0.1 -n 1 -o - >out || wrong "-o -: status $?"
tail -n 1 out | grep -qx '# EOF' && [ ! -e ./- ] || wrong "standard output: $(cat out; ls)"

# ---- ended by a signal

pmctrack openmetrics -d 100 >out 2>err &
sleep 1
kill $!
wait $! || wrong "a signal: status $?"
[ ! -s out ] || wrong "output of an interval that was not over: $(cat out)"

# ---- the same while nobody reads what it has written: the pipe is full

ends_with_full_pipe pmctrack openmetrics -d 0.1

# ---- rights, and errors

echo 2 >/proc/sys/kernel/perf_event_paranoid
refused "CAP_PERFMON" busybox su user -s /bin/sh -c 'pmctrack openmetrics -d 0.1 -n 1'
refused "no metric" pmctrack openmetrics -m no_such_metric
refused "virtual counter" pmctrack openmetrics -V no_such_counter
refused "at least 0.1 s" pmctrack openmetrics -d 0.01
refused "all CPUs are counted" pmctrack openmetrics sleep 1
refused "/dev/null is no file" pmctrack openmetrics -d 0.1 -n 1 -o /dev/null
[ -c /dev/null ] || wrong "/dev/null: $(ls -l /dev/null)"
refused "cannot write /no/such/folder" pmctrack openmetrics -d 0.1 -n 1 -o /no/such/folder/file
exit $fail
