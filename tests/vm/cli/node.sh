#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack node: folders, exact counts of each core type, cores, sources, settling, refusals, averages.

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
	# The first sample has the energy since the start: one P-core that works and the package take 6 W.
	status 0 pmctrack node -T 0.002 -o start -s energy,counters sleep 0.02
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ exit !($at["energy/package[uJ]"] < 7e6 * $at["time[s]"]) }' start/run-01/samples.csv ||
		{ wrong "the energy of the first sample:"; sed 3q start/run-01/samples.csv; }
	# The last one has the energy until the end, which no period ends with. The package takes 2 W.
	status 0 pmctrack node -T 10 -o end -s energy sleep 0.5
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ energy += $at["energy/package[uJ]"]; time = $at["time[s]"] }
		END { exit !(energy > 1.9e6 * time) }' end/run-01/samples.csv ||
		{ wrong "the energy of a run that is shorter than a period:"; cat end/run-01/samples.csv; }
	rmmod pmc_energy pmc_thermal_freq || wrong "the modules can't be unloaded"
fi

# The processor's thermal zone and perf's PMU `power`, by Linux' own drivers. The machine has 40 degC and 2 W;
# a P-core that works adds 40 degC and 4 W. After half a second of rest nothing is left of the heat.
if [ -e /lib/machine/x86_pkg_temp_thermal.ko ] && grep -q '^vendor_id.*Intel' /proc/cpuinfo; then
	for m in x86_pkg_temp_thermal rapl; do
		insmod /lib/machine/$m.ko || wrong "driver $m"
	done
	zone=$(grep -l '^x86_pkg_temp$' /sys/class/thermal/thermal_zone*/type)
	zone=${zone%/type}
	status 0 pmctrack node -c 0 -T 0.01 -s energy,temperature -o drivers sh -c 'sleep 0.5; pmc-workload -n 5000 integer'
	! grep 'not sampled' err || wrong "a source is missing"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ seconds = $at["time[s]"] - time; time = $at["time[s]"] }
		seconds < 0.005 { next }
		{
			degrees = $at["temperature/x86_pkg_temp[degC]"]
			watts = $at["energy/pkg-cpu0[uJ]"] / 1e6 / seconds
			cool += degrees < 50 && watts > 1.9 && watts < 3
			hot += degrees > 75 && watts > 5.5 && watts < 6.5
		}
		END { printf "%d samples of rest, %d of work\n", cool, hot; exit !(cool >= 10 && hot >= 10) }' \
		drivers/run-01/samples.csv >log || { wrong "$(cat log)"; cat drivers/run-01/samples.csv; }
	# Settled after a wait, by the zone's number and by its type; settled at once; not settled
	for name in "${zone##*/}" x86_pkg_temp; do
		taskset 1 pmc-workload -n 5000 integer >/dev/null
		status 0 pmctrack node --settle="$name":47000 -s temperature -o "settled-$name" true
		has err "^pmctrack node: settling: $name has [5-8][0-9]\.0 degC, waiting for 47\.0 "
		has "settled-$name/run-01/about.txt" '^settled: yes$'
	done
	status 0 pmctrack node --settle=x86_pkg_temp:90000 -s temperature -o cool true
	! grep settling err || wrong "it waits for a zone that is cool"
	status 0 pmctrack node --settle=x86_pkg_temp:20000 --settle-limit=2 -s temperature -o hot true
	has err '^pmctrack node: x86_pkg_temp has 4[0-9]\.0 degC after 2 s, more than 20\.0: the run starts not settled$'
	has hot/run-01/about.txt '^settled: no$'
	rmmod rapl x86_pkg_temp_thermal || wrong "the drivers can't be unloaded"
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
