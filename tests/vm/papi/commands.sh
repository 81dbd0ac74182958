#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmc-avail, pmc-chooser and pmc-cost: presets that pmc-avail and pmc-chooser list can be counted,
# others cannot; costs have the order that the calls' work has.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

cd /tmp || exit 1
loop=/tests/programs/known_loop

# ---- pmc-avail ----

status 0 pmc-avail --format=csv
awk -F, '$1 == "preset" { print $2, $6 }' out >presets
grep ' yes$' presets | cut -d ' ' -f 1 | sort >available
all=$(grep '_idx | PAPI_PRESET_MASK)' /usr/include/pmcpapi/papiStdEventDefs.h | grep -vc PAPI_END)
[ "$(wc -l <presets)" = "$all" ] || wrong "not the $all presets of the header: $(cat presets)"
[ "$(grep -cE ' (yes|no)$' presets)" = "$all" ] || wrong "not all are yes or no: $(cat presets)"
nr=$(wc -l <available)
status 0 pmc-avail -a
has out "^\[Preset events: $nr\]"
status 0 pmc-avail -a --format=json instr
[ "$(grep -c '"name": *"PAPI_TOT_INS"' out)" = 1 ] || wrong "PAPI_TOT_INS is not found by a word: $(cat out)"
! grep -q '"name": *"PAPI_TOT_CYC"' out || wrong "PAPI_TOT_CYC has the word: $(cat out)"
status 0 pmc-avail -e PAPI_TOT_INS --format=csv
has out '^preset,PAPI_TOT_INS,0x80000032,perf_event,[^,]*,yes,'
absent=$(sed -n 's/ no$//p' presets | head -n 1)
refused "$absent" pmc-run -e "$absent" $loop
refused "no event has 'nosuch'" pmc-avail nosuch

# A preset that is available is that of each core type.
refused "take one of|the cores of this machine are equal" pmc-avail -t nosuch
for type in $(sed -n 's/.*take one of //p' err | tr ',' ' '); do
	status 0 pmc-avail -t "$type" --format=csv
	[ "$(grep -c '^preset,.*,yes,' out)" = "$nr" ] || wrong "-t $type: not $nr presets: $(cat out)"
done

# ---- pmc-chooser ----

# One after the other is added until no other one fits. All of them can be counted at once.
given=PAPI_TOT_INS
while :; do
	status 0 pmc-chooser --format=csv "$given"
	next=$(awk -F, '$1 == "preset" { print $2; exit }' out)
	[ "$next" ] || break
	given=$given,$next
done
nr_given=$(echo "$given" | tr ',' '\n' | wc -l)
[ "$nr_given" -ge 3 ] || wrong "only $given fit together"
status 7 pmc-run -e "$given" --format=csv -o - $loop
awk -F, '$1 == "PAPI_TOT_INS" && $2 > 2000000 && $2 < 2100000 { found = 1 } END { exit !found }' out ||
	{ wrong "$given: not two million instructions:"; cat out; }
status 0 pmc-chooser "$given"
has out '^no event fits beside these'

# The others do not fit. With multiplexing they do.
status 0 pmc-chooser -x --format=csv "$given"
awk -F, '$1 == "preset" { print $2 }' out >excluded
echo "$given" | tr ',' '\n' | cat - excluded | sort | cmp -s - available ||
	{ wrong "$given and these are not the presets that are available:"; cat excluded available; }
refused . pmc-run -e "$given,$(head -n 1 excluded)" $loop
status 0 pmc-chooser -m --format=csv "$given"
[ "$(grep -c ^preset, out)" = "$(wc -l <excluded)" ] || wrong "with -m not all fit: $(cat out)"
refused "no event: name one" pmc-chooser
refused "nosuch" pmc-chooser nosuch

# ---- pmc-cost ----

# cost CALL EVENTS: its median in ns. In a test machine each call takes as long as the others.
cost() {
	status 0 pmc-cost -n 50 -c "$1" -e "$2" --format=csv
	awk -F, '$5 == "ns" { n++; if ($3 == 50 && $6 <= $8 && $8 <= $11) print $8 } END { exit n != 1 }' out ||
		{ wrong "pmc-cost -c $1:"; cat out; }
}
clock=$(cost real_cyc PAPI_TOT_INS)
one=$(cost read PAPI_TOT_INS)
two=$(cost read PAPI_TOT_INS,PAPI_TOT_CYC)
start_stop=$(cost start_stop PAPI_TOT_INS)
echo "$clock $one $two $start_stop" |
	awk '{ exit !(NF == 4 && 0 < $1 && $1 < $2 && $2 < $3 && $2 < $4 && $4 < 100000) }' ||
	wrong "costs of the clock, a reading, one of two events, start and stop: $clock, $one, $two, $start_stop ns"

# Each sample is in one bar; where all are equal, there is one.
status 0 pmc-cost -n 50 -c read --bins=4 --format=json
tr '{' '\n' <out | sed -n 's/^"from":.*"samples":\([0-9]*\).*/\1/p' >bars
awk '{ n += $1 } END { exit !(n == 50 && NR <= 4) }' bars || wrong "at most four bars of 50 samples: $(cat bars out)"

# All calls, each with a line; a name that is none
status 0 pmc-cost -n 2 --format=csv
[ "$(cut -d, -f 1 out | sort -u | grep -c '^PAPI_')" = 11 ] || wrong "not 11 calls: $(cat out err)"
refused "there is no call 'nosuch'" pmc-cost -c read,nosuch
exit $fail
