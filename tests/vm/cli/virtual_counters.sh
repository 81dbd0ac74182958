#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Virtual counters in pmctrack and pmc-events, with those of the template module.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

# shellcheck disable=SC2016 # for a shell of its own
work='i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done'
long="$work; $work; $work; $work; $work; $work"

# between LOW VALUE HIGH WHAT
between() {
	awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value >= low && value <= high) }' ||
		wrong "$4: $2 is not from $1 to $3"
}

# sum FIELD FILE: of the samples in CSV
sum() { awk -F, -v field="$1" 'NR > 1 && $1 { n += $field } END { print n + 0 }' "$2"; }
# total FIELD KIND FILE: of the totals in CSV, one line a core type
total() { awk -F, -v field="$1" -v kind="$2" '$8 == kind { n += $field } END { print n + 0 }' "$3"; }

manager=/proc/pmc/mm_manager

refused "no virtual counter 'template_ipc': no monitoring module is loaded" pmctrack -V template_ipc true
status 0 pmc-events -V
has out '^none: no monitoring module is active$'
has out '^none is loaded; to load and activate one, as root: modprobe pmc_NAME'

insmod /lib/pmctrack/pmc_template.ko || exit 1
refused "module template, which is not active: write 'activate template' to $manager" \
	pmctrack -V template_ipc true
refused "'template_ipc' is a virtual counter: write pmctrack -V template_ipc" pmctrack -c template_ipc true
status 0 pmc-events -V
has out '^none: no monitoring module is active$'
has out '^template +inactive +0  '
has out "^To activate a module, as root: echo activate template >$manager\$"

echo activate template >$manager || exit 1
status 0 pmc-events -V
has out '^template_switches +- +count +template +times the thread was switched in'
has out '^template_ipc +- +ratio +template +'
has out '^template +active +0  '
status 0 su user -c 'pmc-events -V'
has out '^template_ipc '

# Counters that do not exist
refused "no virtual counter 'template_icp' .did you mean template_ipc" pmctrack -V template_icp true
refused "no virtual counter 'energy' in any" pmctrack -V energy true
refused "listed twice" pmctrack -V template_ipc,virt1 true
refused "name of a virtual counter is missing" pmctrack -V template_ipc, true
refused "template_ipc is available for threads, not for CPUs" pmctrack -S -V template_ipc true
refused "." su user -c 'pmctrack -V template_ipc true'

# The table: a column each, as wide as its heading
report 0 pmctrack -c instr -V template_switches,template_ipc -T 0.01 sh -c "$long"
has out '^pmctrack: instr, template_switches, template_ipc of sh'
has out '^template_switches: times the thread was switched in$'
has out '^sample +tid +name( +core)? +type +instr +template_switches +template_ipc$'
has out ' +tick( +[0-9]+| +-)+ +[0-9]+ +([0-9]+\.[0-9]{3}|-)$'
has out ' +tick( +[0-9]+| +-)+ +[0-9]+ +[0-9]+\.[0-9]{3}$'
[ "$(awk '/^sample/ { on = 1 } /^\[Totals/ { on = 0 } on { print length($0) }' out | sort -u | wc -l)" -eq 1 ] ||
	{ wrong "columns that don't line up:"; cat out; }

# Alone, without events
report 0 pmctrack -V template_switches -T 0.01 sh -c "$work"
has out '^pmctrack: template_switches of sh'
has out '^sample +tid +name( +core)? +type template_switches$'

# Sums are the kernel's, and those of the samples
report 0 pmctrack --format=csv -c instr -c page_faults -V template_switches,template_ipc -T 0.01 \
	sh -c "$long; sleep 0.02; $work"
has out '^nsample,.*,instr,page_faults,template_switches,template_ipc,name$'
[ "$(awk -F, '{ print NF }' out | sort -u)" = 15 ] || wrong "CSV with lines of different lengths"
samples=$(sum 13 out)
[ "$samples" -ge 2 ] || wrong "$samples switches"
[ "$samples" = "$(total 13 total out)" ] ||
	wrong "samples add up to $samples, totals to $(total 13 total out)"
report 0 pmctrack -A --format=csv -V template_switches sh -c "$long; sleep 0.02; $work"
samples=$(sum 11 out)
[ "$samples" -ge 2 ] || wrong "-A: $samples switches"
[ "$samples" = "$(total 11 total out)" ] ||
	wrong "-A: samples add up to $samples, totals to $(total 11 total out)"

# The mean of a ratio is what the machine does: on each type of core so many cycles
# for an instruction, and what was counted nowhere has no mean
echo template.period_ms=5 >/proc/pmc/config || wrong "template.period_ms"
mean_ipc() {
	report 0 pmctrack -A -b "$1" -V template_ipc -T 0.01 sh -c "$long"
	has out '^template_ipc \(mean\) '
	has out '^\(means are over running time\)$'
	between 0.98 "$(awk -v cpi="$2" '$1 == "template_ipc" && $2 == "(mean)" { print cpi * $NF }' out)" 1.02 \
		"mean IPC of CPU $1 times $2"
}
mean_ipc 0 1
if [ "$(grep -c '^core_type ' /proc/pmc/info)" -eq 2 ]; then
	[ "$(awk '$1 == "template_ipc" { print $4 }' out)" = - ] || { wrong "a mean of no time:"; cat out; }
	mean_ipc $(($(nproc) - 1)) 2
fi

# Other forms
report 0 pmctrack --format=json -V template_switches,template_ipc -T 0.01 sh -c "$long"
has out '^\{"name": "template_switches", "module": "template", "kind": "count", "unit": "", "estimated": false, '
has out '"virtual": \{"template_switches": [0-9]+, "template_ipc": ([0-9]+\.[0-9]{3}|null)\}'
has out '"virtual_means": \{"template_ipc": '
[ "$(tr -cd '{[' <out | wc -c)" -eq "$(tr -cd '}]' <out | wc -c)" ] || wrong "JSON with odd brackets"
report 0 pmctrack --plot -V template_switches,template_ipc -T 0.01 sh -c "$long"
has out '^template_switches per second'
has out '^template_ipc[ ,].* max '
# Several -V, by number, in the order asked for
report 0 pmctrack -V virt1 -V template_switches -T 0.01 sh -c "$work"
has out '^sample +tid +name( +core)? +type +template_ipc +template_switches$'
report 0 pmctrack -c instr:ebs=1000000 -V template_switches sh -c "$work"
has out ' ebs( +[0-9]+| +-)+ +[0-9]+$'

echo deactivate template >$manager || wrong "still in use"
refused "which is not active" pmctrack -V template_ipc true
rmmod pmc_template || wrong "pmc_template can't be unloaded"
exit $fail
