#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack node: folders, exact counts of each core type, cores, sources, refusals, averages.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

cd /tmp || exit 1
known=/tests/programs/known_loop
last=$(($(nproc) - 1))
instructions=2000004
[ "$(uname -m)" = x86_64 ] || instructions=2000005

# sum COLUMN FILE: of the samples
sum() {
	awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
		{ n += $column } END { printf "%.0f\n", n }' "$2"
}
same() { [ "$1" = "$2" ] || wrong "$3: $1 instead of $2"; }

types=$(sed -n 's/^core_type [01] .* name \([^ ]*\).*/\1/p' /proc/pmc/info)
first=$(echo "$types" | head -n 1)
other=$(echo "$types" | tail -n 1)

# Each run has a folder; each instruction is in one row of its core type.
status 7 pmctrack node -T 0.001 -n 2 --settle=10ms --run-time=1 -c 0 -o runs "$known"
has err '^pmctrack node: expected time: \(1\.0 s \+ 0\.0 s\) x 2 = 2\.0 s$'
has err '^pmctrack node: settling for 0\.0 s$'
has err '^pmctrack node: run 2 of 2: .* exit status 7'
has out "^run +seconds .*$first instr %"
has out '^runs/run-01 '
has out '^mean '
for run in runs/run-01 runs/run-02; do
	same "$(sum "events/$first/instr" $run/samples.csv)" $instructions "$run: $first"
	same "$(sum "events/$other/instr" $run/samples.csv)" 0 "$run: $other"
	[ "$(wc -l <$run/samples.csv)" -gt 3 ] || wrong "$run: no samples each millisecond"
	has $run/about.txt '^cpus: 0$'
	has $run/about.txt '^status: 7$'
	has $run/about.txt '^threads: 1$'
done
head -n 1 runs/run-01/samples.csv >columns
has columns '^time\[s\],'

# One thread a core, on the cores of a type, which programs get to know
# shellcheck disable=SC2016 # for a shell of its own
status 0 pmctrack node -c "$other" -o other -s counters sh -c 'echo threads $OMP_NUM_THREADS'
has other/run-01/output.txt "^threads $(($(nproc) / 2))\$"
has other/run-01/about.txt "^cores: $other\$"
has other/run-01/about.txt "^cpus: $(($(nproc) / 2))-$last\$"
status 7 pmctrack node -c $last -o last -s counters "$known"
same "$(sum "events/$other/instr" last/run-01/samples.csv)" $instructions "CPU $last"
status 0 pmctrack node --summary last runs
has out '^mean '

# Root takes the counters of a user's program.
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
echo 2 >/proc/sys/kernel/perf_event_paranoid
mkdir -m 777 revoked
su user -c "pmctrack node -c 0 -o revoked/node -s counters sh -c 'touch revoked/runs; until [ -e revoked/taken ]; do $known; done; true'" >log 2>&1 &
pid=$!
until [ -e revoked/runs ]; do
	kill -0 $pid 2>/dev/null || { wrong "it ended before the program ran:"; cat log; break; }
	usleep 1000
done
take_counters "$first"
touch revoked/taken
echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
wait $pid || { wrong "a run whose counters were taken away:"; cat log; }
has log '^pmctrack node: [1-9][0-9]* threads or CPUs were not counted to the end'
has revoked/node/run-01/about.txt '^incomplete: [1-9]'

# The average has the means of the sums.
status 0 pmctrack node --average -o mean runs
same "$(sum "events/$first/instr" mean/samples.csv)" $instructions "average"
has mean/about.txt '^runs: 2$'
refused "not the same: give the folders of one" pmctrack node --average -o mixed runs last

# Sources that are missing are named. Those of modules are there if these are active.
status 0 pmctrack node -s limits -o nothing true
has err '^pmctrack node: not sampled: limits \(no powercap zone has limits\)$'
has nothing/run-01/about.txt '^missing: limits '
if [ -e /lib/pmctrack/pmc_thermal_freq.ko ] && [ "$(uname -m)" = x86_64 ]; then
	for m in energy thermal_freq; do
		insmod /lib/pmctrack/pmc_$m.ko
		echo activate $m >/proc/pmc/mm_manager || wrong "module $m"
	done
	status 0 pmctrack node -T 0.01 -o modules -s energy,frequency,temperature,throttling sleep 0.05
	head -n 1 modules/run-01/samples.csv >columns
	has columns ",frequency/cpu$last\\[MHz\\],"
	has columns ',temperature/package\[degC\],'
	has columns ',energy/package\[uJ\],'
	[ "$(sum 'energy/package[uJ]' modules/run-01/samples.csv)" -gt 0 ] || wrong "no energy"
	rmmod pmc_energy pmc_thermal_freq || wrong "the modules can't be unloaded"
fi

# Refusals
refused 'has files already' pmctrack node -o runs true
refused "no source 'heat': the sources are frequency," pmctrack node -s heat -o none true
refused "-e: .*no event 'nonsense'" pmctrack node -e nonsense -o none true
refused "may run on none of these CPUs" pmctrack node -c 99 -o none true
refused "core types, or all, not 'X'" pmctrack node -c X -o none true
refused "no thermal zone has this name" pmctrack node --settle=nowhere:35000 -o none true
refused "-T is at least" pmctrack node -T 0.0001 -o none true
refused "no program to run" pmctrack node
refused "choose one of" pmctrack node --summary --table=2 runs
refused "no run has a performance" pmctrack node --table=2 runs
refused "has no runs" pmctrack node --summary /proc/pmc
refused "figure 2 shows power" pmctrack node --figure=2 -o f.gp last
refused "ends in .png, .svg or .gp" pmctrack node --figure=1 -o f.jpg runs
refused "cannot run 'no-such-program'" pmctrack node -o none no-such-program
[ ! -e none ] || wrong "a refused run leaves a folder"
exit $fail
