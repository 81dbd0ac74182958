#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack openmetrics: its counts are the sums of the session's samples, a file is always whole, and
# counts, metrics and virtual counters are those of pmctrack -S in the same run.

. "${0%/*}/../lib/cli.sh"

# An event beside instr and cycles, which the metric asks for: the emulated Arm PMU counts no others, and
# has one counter for cycles. A virtual counter of the machine: only x86 machines have one.
case $(uname -m) in
x86_64) further=dtlb_misses events=instr,cycles,dtlb_misses energy=energy_pkg ;;
*) further='' events=instr energy='' ;;
esac
[ ! "$energy" ] || { insmod /lib/pmctrack/pmc_energy.ko && echo activate energy >/proc/pmc/mm_manager; } || exit 1

mkdir -p /tmp/openmetrics && chmod 777 /tmp/openmetrics && cd /tmp/openmetrics || exit 1

# virtual_of TEXT: the energy in the last text of the file
virtual_of() { awk '/^pmctrack_virtual_total/ { value = $NF } END { printf "%.0f", value }' "$1"; }

# ---- the counts are those of the session's samples, which a listener receives

pmctrack listen --csv -o heard.csv -N 60 &
listener=$!
until pmctrack listen -N 0.01 >/dev/null; do :; done
pmctrack openmetrics -d 0.3 -n 3 ${further:+-c $further} ${energy:+-V $energy} -m 'ipc,twice=2*instr' >texts 2>err || wrong "three texts: $(cat err)"
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
if [ "$energy" ]; then
	samples=$(awk -F, '$10 ~ /^energy_pkg/ && n++ < 12 { sum += $11 } END { printf "%.0f", sum }' heard.csv)
	[ "$samples" -gt 0 ] && [ "$(virtual_of texts)" = "$samples" ] ||
		wrong "energy: $(virtual_of texts) in the text, $samples in the samples"
fi
awk '/^pmctrack_metric/ && /"ipc"/ { n++; if ($NF < 0.3 || $NF > 1.2) exit 1 } END { exit !n }' texts ||
	wrong "ipc: $(grep pmctrack_metric texts)"
awk '/^pmctrack_interval_seconds [0-9]/ { n++; if ($2 < 0.29 || $2 > 2) exit 1 } END { exit n != 3 }' texts ||
	wrong "intervals: $(grep interval texts)"

# ---- they are those of pmctrack -S in the same run

# run.sh MASK: pmctrack -S counts a program on these CPUs while pmctrack openmetrics counts, too.
export events energy
cat >run.sh <<'END'
. /tests/lib/cli.sh
# texts_from NR: wait for so many texts
texts_from() {
	i=0
	until [ "$(grep -c '^# EOF$' texts)" -ge "$1" ]; do
		i=$((i + 1))
		[ $i -lt 300 ] || { wrong "$1 texts are missing: $(cat texts err)"; return; }
		sleep 0.1
	done
}
pmctrack openmetrics --filter=user -d 0.2 -c $events -m n=instr ${energy:+-V $energy} >texts 2>err &
writer=$!
texts_from 1
pmctrack -S -A -c $events ${energy:+-V $energy} --format=csv -o inner.csv taskset $1 /tests/programs/known_loop
texts_from $(($(grep -c '^# EOF$' texts) + 2))
kill $writer
wait $writer || wrong "it ends with status $?: $(cat err)"
exit $fail
END

# compare CPU OTHER: the program runs on CPU, all else on OTHER, which has another core type. So the
# program alone has events in user mode on its core type, whenever the one and the other session began.
compare() {
	rm -f texts inner.csv outer.csv
	# shellcheck disable=SC2046 # no words without energy
	taskset $((1 << $2)) $([ ! "$energy" ] || echo pmctrack -S -A -V $energy --format=csv -o outer.csv) \
		sh run.sh $((1 << $1)) || wrong "CPU $1: it fails"
	number=$(awk -F, -v cpu="$1" '$8 == "sum" && $5 == cpu { print $6 }' inner.csv)
	[ "$number" != "$(awk -F, -v cpu="$2" '$8 == "sum" && $5 == cpu { print $6 }' inner.csv)" ] ||
		wrong "CPUs $1 and $2 have one core type: $(cat inner.csv)"
	type=$(sed -n "s/^core_type $number .* name \([^ ]*\).*/\1/p" /proc/pmc/info)
	at=11
	for event in $(echo "$events" | tr , ' '); do
		text=$(awk -v label="{core_type=\"$type\",set=\"0\",event=\"$event\"}" '
			index($1, "pmctrack_events_total" label) { value = $2 } END { print value }' texts)
		own=$(awk -F, -v type="$number" -v at=$at '$8 == "total" && $6 == type { print $at }' inner.csv)
		[ "$own" -gt 0 ] && [ "$text" = "$own" ] ||
			wrong "$event on $type: $text in the text, pmctrack -S has $own: $(cat inner.csv)"
		[ "$event" != instr ] || [ "$own" -gt 2000000 ] || wrong "the program on $type: $own instructions"
		[ "$event" != instr ] || [ "$own" = "$(awk -v label="{core_type=\"$type\",metric=\"n\"," '
			index($1, "pmctrack_metric" label) { sum += $2 } END { printf "%d", sum }' texts)" ] ||
			wrong "n on $type is not $own in all intervals: $(grep '"n"' texts)"
		at=$((at + 1))
	done
	[ "$energy" ] || return
	# The machine needs energy all the time: what is counted longer is more.
	own=$(awk -F, -v at=$at '$8 == "total" { sum += $at } END { printf "%.0f", sum }' inner.csv)
	longer=$(awk -F, '$8 == "total" { sum += $11 } END { printf "%.0f", sum }' outer.csv)
	[ "$own" -gt 0 ] && [ "$own" -le "$(virtual_of texts)" ] && [ "$(virtual_of texts)" -le "$longer" ] ||
		wrong "energy: pmctrack -S has $own, then $longer; the text $(virtual_of texts)"
}
last=$(($(nproc) - 1))
compare $last 0
compare 0 $last

# ---- virtual counters are summed over core types that count no event, too

# Energy of the package is in the samples of a CPU of the first core type.
if [ "$energy" ]; then
	pmu=$(sed -n 's/^core_type .* pmu \([^ ]*\).*/\1/p' /proc/pmc/info | tail -n 1)
	pmctrack openmetrics -d 0.3 -n 2 -m "x=$pmu@event\\=0xc0@" -V $energy >texts || wrong "-m of $pmu: status $?"
	[ "$(virtual_of texts)" -gt 0 ] || wrong "energy beside events of $pmu: $(grep virtual texts)"
fi

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
[ ! "$energy" ] || { echo deactivate energy >/proc/pmc/mm_manager && rmmod pmc_energy; } || wrong "energy stays"
exit $fail
