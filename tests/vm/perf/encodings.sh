#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# Each event of an installed table is encoded as perf's own program encodes it: perf stat -vvv
# prints what it gives to perf_event_open(). The processor is the machine's on x86, and a
# Cortex-A76 on arm64: perf is given its number, and so is the library.

. "${0%/*}/../lib/cli.sh"
cd "$(mktemp -d)" || exit
tables=/usr/share/pmctrack/events
[ -e $tables/index ] || { echo "no tables of events were built"; exit 77; }
[ -e /usr/lib/perf/version ] || { echo "linux-perf could not be fetched"; exit 77; }
echo "linux-perf $(cat /usr/lib/perf/version)"

# opened: NAME CONFIG CONFIG1 of each event that perf's log has as opened. Before it opens the
# first one, perf tries others.
opened() {
	awk '/^Opening: / {
			depth++
			name[depth] = $2
			sub(/^[^\/]*\//, "", name[depth])
			sub(/\/$/, "", name[depth])
			config[depth] = config1[depth] = "0x0"
		}
		depth && $1 == "config" { config[depth] = $2 == "0" ? "0x0" : $2 }
		depth && /^  \{ bp_addr, config1 \}/ { config1[depth] = $NF }
		depth && /^sys_perf_event_open: pid/ {
			if (depth == 1)
				print name[1], config[1], config1[1]
			depth--
		}'
}

# compare TABLE PMU CORETYPE AT_LEAST
compare() {
	awk -F '\t' '$1 == "event" { print $2 }' "$tables/$1.events" >names
	/tests/programs/encodings "$3" <names | sort >ours || wrong "$1: not encoded"
	# Events are opened, but not counted: the processor lacks some.
	perf stat -D -1 -vvv -e "$(sed "s|.*|$2/&/|" names | tr '\n' ',' | sed 's/,$//')" true >log 2>&1 ||
		{ wrong "perf: $?"; tail log; }
	opened <log | sort >theirs
	nr=$(wc -l <ours)
	[ "$nr" -ge "$4" ] || wrong "$1 has $nr events"
	if cmp -s ours theirs; then
		echo "$nr events of $1 are encoded as perf encodes them"
	else
		wrong "$1: - ours, + perf's:"
		diff -U 0 ours theirs | grep '^[-+]' | head -n 50
	fi
}

case $(uname -m)-$(grep -m 1 -o -e AuthenticAMD -e GenuineIntel /proc/cpuinfo) in
*-GenuineIntel)
	compare alderlake-cpu_core cpu_core 0 300
	compare alderlake-cpu_atom cpu_atom 1 150
	;;
*-AuthenticAMD) compare amdzen4 cpu 0 300 ;;
aarch64-*)
	# Any of perf's PMUs will do: perf opens an event of Arm by its number alone.
	mkdir info
	cat >info/info <<-END
		backend armv8
		core_type 0 cpus 0 name core pmu armv8_cortex_a76 capacity 1024 cpuid 0x414fd0b1
		counter 0 pmc0-pmc5 general any interrupt
	END
	export PMCTRACK_PROC=$PWD/info PERF_CPUID=0x00000000414fd0b1
	pmu=$(cd /sys/bus/event_source/devices && echo armv8_*)
	compare cortex-a76 "${pmu%% *}" 0 100
	;;
esac
exit $fail
