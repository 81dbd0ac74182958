#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack top: the counts of its tables, migrations and virtual counters add up to those of pmctrack
# beside it; keys on a terminal; an ordinary user sees the own processes, and why others are not there.

. "${0%/*}/../lib/cli.sh"

mkdir -p /tmp/top && chmod 777 /tmp/top && cd /tmp/top || exit 1
mkfifo fifo

# On Arm, one counter counts cycles, which the module and top both need.
case $(uname -m) in
x86_64) switches=template_switches ;;
*) switches= ;;
esac
[ ! "$switches" ] ||
	{ insmod /lib/pmctrack/pmc_template.ko && echo activate template >/proc/pmc/mm_manager; } || exit 1

# ---- the same counts as pmctrack beside it, of processes that come and go

cat >work.sh <<'END'
read -r _ <fifo
i=0
while [ $i -lt 30 ]; do
	/tests/programs/known_loop
	i=$((i + 1))
done
# Seven moves between CPUs, at least
/tests/programs/known_moves
exit 0
END
sh work.sh &
work=$!
pmctrack -A -c instr:u,migrations ${switches:+-V $switches} --format=csv -o own.csv -p $work &
own=$!
pmctrack top -b -d 0.2 -m 'n[%.0f]=instr:u' ${switches:+-V $switches} -p $work >frames 2>err &
top=$!
i=0
until [ "$(grep -c '^pmctrack top' frames)" -ge 2 ] && [ "$(pmctrack listen -l | grep -c .)" -ge 2 ]; do
	i=$((i + 1))
	[ $i -lt 300 ] || { wrong "no frames: $(cat frames err)"; break; }
	sleep 0.1
done
echo go >fifo
wait $work
wait $own
wait $top || wrong "it ends with status $?: $(cat err)"
# same COLUMN OWN LEAST: the sum of a column of the frames is that of pmctrack's column, and no less
same() {
	counted=$(awk -v column="$1" '/^ +TID / { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		at && $1 ~ /^[0-9]+$/ && $at ~ /^[0-9]+$/ { sum += $at } END { printf "%d", sum }' frames)
	wanted=$(awk -F, -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		/^[0-9]/ { sum += $at } END { printf "%d", sum }' own.csv)
	[ "$wanted" -gt "$3" ] && [ "$counted" = "$wanted" ] ||
		wrong "$1: top has counted $counted, pmctrack $wanted: $(cat own.csv; head -n 40 frames)"
}
same n instr:u 60000000
same migr migrations 6
[ ! "$switches" ] || same $switches $switches 30
has frames "known_loop"

# ---- forms of the table

pmctrack top -b -n 2 -d 0.2 --rows=3 -s TID >out 2>err || wrong "--rows: $(cat err)"
[ "$(grep -c '^pmctrack top' out)" -eq 2 ] || wrong "two frames: $(cat out)"
awk '/TID USER/ { n = 0; next } /^ +[0-9]+ / { n++ } n > 3 { exit 1 }' out || wrong "three rows: $(cat out)"
awk '/^ +vTID/ { last = 0; next } /^ +[0-9]+ / { if ($1 <= last) exit 1; last = $1 }' out ||
	wrong "sorted by TID: $(cat out)"
pmctrack top -b -n 1 -d 0.2 --show=no_such_thread >out || wrong "--show"
[ "$(grep -cE '^ +[0-9]+ ' out)" -eq 0 ] || wrong "nothing to show: $(cat out)"

# ---- ended by a signal while nobody reads what it has written: the pipe is full

ends_with_full_pipe pmctrack top -b -d 0.1

# ---- a virtual counter that is a ratio: instructions per cycle, 1 on a P-core and 1/2 on others

printf '#!/bin/sh\nwhile :; do :; done\n' >busy_script
chmod +x busy_script
if [ "$switches" ]; then
	echo template.period_ms=20 >/proc/pmc/config || wrong "template.period_ms"
	for cpu in 0 3; do
		taskset $((1 << cpu)) ./busy_script &
		busy=$!
		pmctrack top -b -n 4 -d 0.2 -V template_ipc -p $busy >frames || wrong "template_ipc: status $?"
		kill $busy
		# The first frame's may be of the program's start.
		awk -v cpu=$cpu '/^ +TID / { for (i = 1; i <= NF; i++) if ($i == "template_ipc") at = i; next }
			at && $1 ~ /^[0-9]+$/ && n++ { ipc = $at * (cpu ? 2 : 1); if (ipc < 0.98 || ipc > 1.02) exit 1 }
			END { exit n < 3 }' frames || wrong "template_ipc on CPU $cpu: $(cat frames)"
	done
fi

# ---- on a terminal

# screen SIZE TERM [OPTION...]: what to do is standard input
screen() {
	size=$1 TERM=$2
	export TERM
	shift 2
	/tests/programs/terminal "$size" pmctrack top "$@" >shown 2>err
}

./busy_script &
busy=$!
screen 80x24 xterm -d 0.3 <<'END' || wrong "keys: $? $(cat err; cat -v shown | tail -c 4000)"
wait processes,
wait busy_script
key ?
wait Keys of pmctrack top
key \e
wait TID
key /busy\n
wait [filter: busy]
key \n
wait since the start
key \e
wait TID
key m
wait Pick metrics
key \D \n
wait TID
size 120x40
wait TID
key d0.01\n
wait not '0.01'
key ano_such_metric\n
wait no_such_metric
key q
end
END
screen 60x10 dumb -n 2 -d 0.2 </dev/null
[ $? -le 2 ] || wrong "a terminal without a cursor: $(cat err; cat -v shown)"
LC_ALL=C screen 200x60 vt100 -n 3 -d 0.2 -m 'cpi=cycles/instr' </dev/null || wrong "a wide terminal: $? $(cat err; cat -v shown)"
kill $busy
# ^C gives the terminal back.
screen 80x24 xterm <<'END' || wrong "^C: $? $(cat err)"
wait processes,
key \c
end
END
tail -c 200 shown | grep -q "$(printf '\033')\[?1049l" || wrong "^C: the terminal: $(cat -v shown | tail -c 300)"
# All metrics that can be counted are too many: what was counted before goes on.
many=$(i=0; while [ $i -lt 70 ]; do printf 'm%d=instr,' $i; i=$((i + 1)); done)
refused "73 metrics are too many: at most 64" pmctrack top -b -n 1 -m "${many%,}"
status 2 pmctrack top </dev/null
has err "use -b to print to a file or a pipe"
TERM=no_such_terminal
export TERM
/tests/programs/terminal 80x24 pmctrack top </dev/null >shown 2>err
has shown "does not know the terminal"

# ---- rights, and errors

echo 2 >/proc/sys/kernel/perf_event_paranoid
busybox su user -s /bin/sh -c 'sleep 100 & pmctrack top -b -n 2 -d 0.3; kill $!' >out 2>err ||
	wrong "a user: $(cat err)"
has out "^pmctrack top [0-9:]+ \(user mode\)  "
has out "processes are not counted, [0-9]+ of other users: CAP_PERFMON is needed"
awk '/^ +[0-9]+ / && $2 != "user" && $2 != "?" { exit 1 }' out || wrong "a user sees others: $(cat out)"
refused "no process may be counted: " busybox su user -s /bin/sh -c 'pmctrack top -b -n 1 -p 1'
refused "there is none with these numbers" pmctrack top -b -n 1 -p 4194303
refused "kernel mode needs CAP_PERFMON" busybox su user -s /bin/sh -c 'pmctrack top -b -n 1 --filter=all'
refused "no column 'x'" pmctrack top -b -s x
refused "no metric" pmctrack top -b -m no_such_metric
refused "virtual counter" pmctrack top -b -V no_such_counter
refused "at least 0.1 s" pmctrack top -b -d 0.01
refused "name it with -p" pmctrack top -b sleep 1
refused "rows is for -b" pmctrack top --rows=3
[ ! "$switches" ] || { echo deactivate template >/proc/pmc/mm_manager && rmmod pmc_template; } || wrong "template stays"
exit $fail
