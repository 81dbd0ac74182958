#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack energy: the energies of threads, of other threads and of the idle machine add up to what
# the counters of the packages counted. A package of these machines needs 2 W beside its cores.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

mkdir /tmp/energy && cd /tmp/energy || exit 1
manager=/proc/pmc/mm_manager
last=$(($(nproc) - 1))
# Two programs, one on a P-core and one on an E-core, or on a classic and on a dense one
cat >two <<END
taskset -c 0 pmc-workload -n 150 sort
taskset -c $last pmc-workload -n 150 sort
END
printf 'energy[%%.6f J]=4e-9*instr:u:k\n' >p.metric
printf 'energy[%%.6f J]=1e-9*instr:u:k\n' >e.metric
models=
amd=$(grep -c -m 1 '^vendor_id.*AMD' /proc/cpuinfo)
[ "$amd" -ne 0 ] || models='-m P=p.metric -m E=e.metric'

# The module is missing.
# shellcheck disable=SC2086 # a list of words
refused "^pmctrack: energy: the energy of (packages|cores) is not measured: " pmctrack energy --idle-power=2 $models true

insmod /lib/pmctrack/pmc_energy.ko && echo activate energy >$manager || exit 1
# shellcheck disable=SC2086 # a list of words
report 0 pmctrack energy --csv -o csv --idle-power=2 $models sh two
cat csv
awk -F, 'NR == 1 { next }
	{ sum += $1 == "packages" ? -$6 : $6; of[$1] = $6 }
	# A program is moved to its core type as it begins.
	$4 == "pmc-workload" && !($3 in nr) { nr[$3] = n++ }
	$4 == "pmc-workload" && $6 > joules[nr[$3]] { joules[nr[$3]] = $6 }
	$4 == "sh" && $6 { shell = 1 }
	END {
		if (sum) { print sum " microjoules too many"; bad = 1 }
		if (n != 2 || !shell) { print n " programs with energy"; bad = 1 }
		if (!of["rest"] || !of["idle"]) { print "no rest, or no idle machine"; bad = 1 }
		# 4 nJ and 1 nJ for each instruction
		if (joules[0] < 3.6 * joules[1] || joules[0] > 4.4 * joules[1]) { print "not 4 to 1"; bad = 1 }
		exit bad
	}' csv || wrong "energies of threads"

# shellcheck disable=SC2086 # a list of words
report 0 pmctrack energy --idle=0.2 $models pmc-workload -n 100 sort
has out '^pmctrack energy: pmc-workload -n 100 sort, [0-9.]+ s; threads: '
has out '^pmc-workload-[0-9]+ .* [0-9.]+ +[0-9.]+$'
has out '^packages, measured +[0-9.]+ +100\.0$'
# A running process, for some time
pmc-workload -n 1000000 integer >/dev/null &
pid=$!
# shellcheck disable=SC2086 # a list of words
report 0 pmctrack energy --idle-power=2 $models -N 0.2 -p $pid
has out "^pmc-workload-$pid "
kill $pid
wait $pid 2>/dev/null

# shellcheck disable=SC2086 # a list of words
status 127 pmctrack energy --idle-power=2 $models /no/such/program
refused "no program to run" pmctrack energy
refused "takes watts" pmctrack energy --idle-power=much true
if [ "$amd" -eq 0 ]; then
	refused "no energy counters of single cores: name a model" pmctrack energy true
	refused "write -m P=p.metric" pmctrack energy -m p.metric true
	refused "two models of core type P" pmctrack energy -m P=p.metric -m 0=e.metric true
	refused "cannot read nothing" pmctrack energy -m P=nothing true
	echo 'ipc=instr/cycles' >other
	refused "not in joules" pmctrack energy -m P=other true
	echo 'energy_dram[%.6f J]=1e-9*instr:u:k' >memory
	refused "energy of dram, not of packages" pmctrack energy -m P=memory true
	: >empty
	refused "has no model" pmctrack energy -m P=empty true
fi
refused "(perf_event_paranoid|CAP_PERFMON)" su user -c "pmctrack energy --idle-power=2 ${models:-} true"

echo deactivate energy >$manager && rmmod pmc_energy || wrong "pmc_energy can't be unloaded"
exit $fail
