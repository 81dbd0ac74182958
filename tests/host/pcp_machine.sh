#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# PCP's agent in a test machine: pmrep and pminfo ask a pmcd there, and print the counts that pmctrack -S
# prints in the same run, on each core type. The program alone has events in user mode on its core type,
# whenever the one and the other session began: all else runs on a CPU of the other type.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/fetch programs amd64 && scripts/fetch compiler amd64 && scripts/fetch pcp amd64 || exit
root=$cache/pcp/amd64
cp -r "$root" "$work/added"
target=$(triplet amd64)
PATH=$(compiler_bin amd64):$PATH make -s -C pmctrack-cli/pcp O="$work/agent" CFLAGS="-O2 -I$root/usr/include" \
	CC="$target-gcc --sysroot=$cache/sysroot/amd64" \
	LDFLAGS="-L$root/usr/lib -Wl,--allow-shlib-undefined" || exit
mkdir "$work/added/pcp"
cp "$work/agent/pmdapmctrack" pmctrack-cli/pcp/{pmns,domain.h} "$work/added/pcp/"
cat >"$work/added/pcp/root" <<-'END'
	#include "domain.h"
	root { pmcd pmctrack }
	pmcd { version 2:0:4 }
	#include "pmns"
END
# compare CPU: the program runs on CPU, and this, all that it starts and pmcd on the other one
cat >"$work/added/pcp/compare" <<-'SCRIPT'
	#!/bin/sh
	. /tests/lib/cli.sh
	cd /pcp || exit 1
	events=instr,cycles,dtlb_misses
	cat >pmcd.conf <<-END
		pmcd 2 dso pmcd_init /var/lib/pcp/pmdas/pmcd/pmda_pmcd.so
		pmctrack 411 pipe binary /pcp/pmdapmctrack -d 411 -l agent.log pmctrack openmetrics --filter=user -d 0.2 -c $events
	END
	ldconfig
	/usr/lib/pcp/bin/pmcd -f -c pmcd.conf -l pmcd.log -n root -p 44321 -i 127.0.0.1 -s socket -U root >pmcd.out 2>&1 &
	pmcd=$!
	i=0
	until pminfo -f -h 127.0.0.1 pmctrack.events 2>err | grep -q '"P:0:instr"] value'; do
		i=$((i + 1))
		[ $i -lt 100 ] && kill -0 $pmcd || { cat err pmcd.log agent.log; exit 1; }
		sleep 0.1
	done
	python3.11 -u /usr/bin/pmrep -h 127.0.0.1 -r -t 0.5 -s 20 -o csv pmctrack.events >rows 2>err &
	pmrep=$!
	# The first row that it reads
	while [ "$(wc -l <rows)" -lt 2 ] && kill -0 $pmrep; do sleep 0.1; done
	status 7 pmctrack -S -A -c $events --format=csv -o own taskset $((1 << $1)) /tests/programs/known_loop
	wait $pmrep || wrong "pmrep: status $?: $(cat err rows)"
	pminfo -f -h 127.0.0.1 pmctrack.events >values 2>&1
	kill $pmcd
	wait $pmcd
	number=$(awk -F, -v cpu="$1" '$8 == "sum" && $5 == cpu { print $6 }' own)
	type=$(sed -n "s/^core_type $number .* name \([^ ]*\).*/\1/p" /proc/pmc/info)
	at=11
	for event in $(echo $events | tr , ' '); do
		own=$(awk -F, -v type="$number" -v at=$at '$8 == "total" && $6 == type { print $at }' own)
		name=$type:0:$event
		rep=$(awk -F, -v name="\"pmctrack.events-$name\"" '
			NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
			{ value = $at } END { print value }' rows)
		info=$(sed -n "s/.*\"$name\"\] value //p" values)
		echo "$name: pmctrack -S $own, pmrep $rep, pminfo $info"
		[ "$own" -gt 0 ] && [ "$own" = "$rep" ] && [ "$own" = "$info" ] ||
			wrong "not the same: $(head -n 1 rows) ... $(tail -n 1 rows); $(cat own)"
		[ "$event" != instr ] || [ "$own" -gt 2000000 ] || wrong "the program on $type: $own instructions"
		at=$((at + 1))
	done
	exit $fail
SCRIPT
chmod +x "$work/added/pcp/compare"
scripts/vm --machine x86-hybrid --cpus 2 --memory 2G --timeout 600 --add "$work/added" \
	'taskset 1 /pcp/compare 1 && taskset 2 /pcp/compare 0' </dev/null
