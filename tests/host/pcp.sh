#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# PCP's agent with a pmcd of its own: values, names and units are those of the text that stands for
# pmctrack openmetrics; pmrep, pmlogger and pmie work with them; threads come, go and change their names;
# the agent ends with its command. As root, as pmcd wants to be.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
[ "$(id -u)" -eq 0 ] || exec sudo -n "$0" "$@"
work=$(mktemp -d)
pmcd=
cleanup() {
	[ ! "$pmcd" ] || kill "$pmcd"
	wait
	rm -rf "$work"
}
trap cleanup EXIT
fail=0
wrong() { echo "$*"; fail=1; }

# The package starts its services when it is configured, if there is a systemctl.
if [ "$(scripts/deps --missing pcp)" ] && command -v systemctl >/dev/null && [ ! -d /run/systemd/system ]; then
	echo "PCP's package cannot be installed where systemctl is there and systemd does not run"
	exit 77
fi
scripts/deps pcp && scripts/build native >/dev/null || { echo "not installed, or not built"; exit 1; }
set +u
# shellcheck disable=SC1091 # of the package pcp
. /etc/pcp.env
set -u
cp pmctrack-cli/pcp/{pmns,domain.h,help} "$work"
# pmns has the agent's names, which the root includes.
cat >"$work/root" <<-'END'
	#include "domain.h"
	root { pmcd pmctrack }
	pmcd { version 2:0:4 }
	#include "pmns"
END
# Each text has the same numbers, except for a counter. One thread is there while a file is, another
# has the name in a file.
cat >"$work/texts" <<-'END'
	#!/bin/sh
	folder=${0%/*}
	n=0
	while :; do
		n=$((n + 1))
		cat <<TEXT
	# TYPE pmctrack_events counter
	pmctrack_events_total{core_type="P",set="0",event="instr"} ${n}000
	pmctrack_events_total{core_type="E",set="1",event="llc_misses:u"} 18446744073709551615
	pmctrack_counted_seconds_total{core_type="P",set="0"} 2.500000000
	pmctrack_metric{core_type="P",metric="ipc",metric_unit=""} 1.25
	pmctrack_virtual_total{name="energy_pkg",value_unit="J"} 12.5
	pmctrack_virtual_level{name="llc_occupancy",value_unit="B",cpu="3"} 4096
	pmctrack_interval_seconds 0.2
	pmctrack_lost_samples_total 7
	pmctrack_thread_cpu_seconds_total{pid="40",tid="41",name="$(cat "$folder/name")"} 3.5
	pmctrack_thread_counted_seconds_total{pid="40",tid="41",name="one two",core_type="P",set="0"} 1.5
	pmctrack_thread_events_total{pid="40",tid="41",name="one two",core_type="P",set="0",event="instr"} 18446744073709551614
	pmctrack_thread_metric{pid="40",tid="41",name="one two",core_type="P",metric="ipc",metric_unit=""} 0.75
	$([ ! -e "$folder/there" ] || printf '%s\n' 'pmctrack_thread_cpu_seconds_total{pid="43",tid="43",name="a\nb\"c"} 1')
	pmctrack_threads{state="further"} 17
	pmctrack_thread_lost_samples_total 2
	# EOF
	TEXT
		sleep 0.2
	done
END
chmod +x "$work/texts"
echo before >"$work/name"
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$work/pmcd.conf" <<-END
	pmcd 2 dso pmcd_init $PCP_PMDAS_DIR/pmcd/pmda_pmcd.so
	pmctrack 411 pipe binary $build/native/pcp/pmdapmctrack -d 411 -l $work/agent.log $work/texts
END
"$PCP_BINADM_DIR/pmcd" -f -c "$work/pmcd.conf" -l "$work/pmcd.log" -n "$work/root" -p "$port" -i 127.0.0.1 \
	-s "$work/socket" -U root >"$work/pmcd.out" 2>&1 &
pmcd=$!
host=127.0.0.1:$port
for _ in $(seq 100); do
	pminfo -f -h "$host" pmctrack.lost 2>/dev/null | grep -q value && break
	sleep 0.1
done

# ---- names, values, units

pminfo -f -h "$host" pmctrack >"$work/values" 2>&1
has() { grep -qF -- "$1" "$work/values" || wrong "no $1 in $(cat "$work/values")"; }
has '"E:1:llc_misses:u"] value 18446744073709551615'
has '"P:0"] value 2.5'
has '"P:ipc"] value 1.25'
has '"energy_pkg"] value 12.5'
has '"llc_occupancy:cpu3"] value 4096'
has '    value 7'
grep -Eq '"P:0:instr"] value [0-9]+000$' "$work/values" || wrong "instr: $(cat "$work/values")"
pminfo -d -h "$host" pmctrack.events pmctrack.counted >"$work/values" 2>&1
has "Data Type: 64-bit unsigned int"
has "Semantics: counter  Units: count"
has "Semantics: counter  Units: sec"
"$PCP_BINADM_DIR/newhelp" -n "$work/root" -o "$work/help-texts" "$work/help" >"$work/help.out" 2>&1 || wrong "help: status $?"
[ ! -s "$work/help.out" ] || wrong "help: $(cat "$work/help.out")"
# Each metric of the names has a help text.
for name in $(pminfo -h "$host" pmctrack); do
	grep -q "^@ $name " "$work/help" || wrong "no help for $name"
done

# ---- threads

# until_value METRIC PATTERN: wait for an instance and its value; until_gone: wait for their end
until_value() { until_is yes "$@"; }
until_gone() { until_is no "$@"; }
until_is() {
	local is
	for _ in $(seq 50); do
		pminfo -f -h "$host" "$2" >"$work/values" 2>&1 || :
		is=no
		! grep -qE -- "$3" "$work/values" || is=yes
		[ $is != "$1" ] || return 0
		sleep 0.1
	done
	wrong "$2 $3: not $1: $(cat "$work/values")"
}

until_value pmctrack.thread.time '"41 before"\] value 3\.5$'
until_value pmctrack.thread.pid '"41 before"\] value 40$'
until_value pmctrack.thread.counted '"41:P:0 one two"\] value 1\.5$'
until_value pmctrack.thread.events '"41:P:0:instr one two"\] value 18446744073709551614$'
until_value pmctrack.thread.metric '"41:P:ipc one two"\] value 0\.75$'
until_value pmctrack.thread.number '"further"\] value 17$'
until_value pmctrack.thread.lost ' value 2$'
until_gone pmctrack.thread.time '"43'
touch "$work/there"
until_value pmctrack.thread.time '"43 a\?b"c"\] value 1$'
rm "$work/there"
until_gone pmctrack.thread.time '"43'
echo 'after all' >"$work/name"
until_value pmctrack.thread.time '"41 after all"\] value 3\.5$'
until_gone pmctrack.thread.time '"41 before'
until_value pmctrack.thread.pid '"41 after all"\] value 40$'
echo before >"$work/name"
until_value pmctrack.thread.time '"41 before"\] value 3\.5$'
pminfo -d -h "$host" pmctrack.thread.events pmctrack.thread.time >"$work/values" 2>&1
has "Semantics: counter  Units: count"
has "Semantics: counter  Units: sec"

# ---- pmrep, pmlogger, pmie

PATH=/usr/bin:$PATH pmrep -h "$host" -s 2 -t 0.5 -o csv pmctrack.metric pmctrack.virtual.level >"$work/values" 2>&1
has "1.250,4096.000"
pmval -h "$host" -s 4 -t 0.5 -i P:0:instr pmctrack.events >"$work/values" 2>&1
# 1 000 events in 0.2 s, as the text says
awk 'NF == 1 && $1 ~ /^[0-9.]+$/ { n++; if ($1 < 2000 || $1 > 8000) bad = 1 } END { exit n < 2 || bad }' "$work/values" ||
	wrong "the rate: $(cat "$work/values")"
echo 'log mandatory on every 500 msec { pmctrack }' >"$work/log.conf"
pmlogger -h "$host" -c "$work/log.conf" -l "$work/pmlogger.log" -T 2sec "$work/archive" || wrong "pmlogger: status $?"
pminfo -f -a "$work/archive" pmctrack.virtual.count >"$work/values" 2>&1
has '"energy_pkg"] value 12.5'
echo 'some_inst (pmctrack.metric > 1) -> print "high: " "%i %v";' >"$work/rules"
timeout 20 pmie -h "$host" -t 0.5 -T 1.2sec -c "$work/rules" >"$work/values" 2>&1
has "high: P:ipc 1.25"

# ---- the agent ends with its command

pkill -f "^/bin/sh $work/texts" || wrong "no command runs"
for _ in $(seq 100); do
	grep -q "has ended" "$work/agent.log" && break
	sleep 0.1
done
grep -q "pmctrack openmetrics has ended" "$work/agent.log" || wrong "the agent's log: $(cat "$work/agent.log")"
exit $fail
