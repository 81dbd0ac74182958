#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# pmctrack node on this machine, whatever it has: runs, signals, a full disk, and figures that
# gnuplot draws as PNG and SVG; so is the picture of pmc-additivity.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
scripts/build native || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command=$build/native/cli/pmctrack
export LD_LIBRARY_PATH=$build/native/libpmc
fail() { echo "$*"; exit 1; }

command -v gnuplot >/dev/null || fail "no gnuplot: install gnuplot-nox"
cd "$work" || exit

# folder NAME GFLOPS: a run of a machine with sensors, as this one may have none
folder() {
	mkdir -p "$1/run-01"
	printf '%s: %s\n' name "$1" cores all cpus 0-3 threads 4 "core type P" 0-1 "core type E" 2-3 \
		seconds 20 gflops "$2" >"$1/run-01/about.txt"
	awk 'BEGIN {
		print "time[s],frequency/cpu0[MHz],frequency/cpu2[MHz],temperature/x86_pkg_temp[degC]," \
			"energy/package-0[uJ],limit/package-0/long_term[W]"
		for (t = 1; t <= 20; t++)
			printf "%d,%d,%d,%d,%d,65\n", t, 3000 - 20 * t, 2000, 40 + t, 70000000
	}' >"$1/run-01/samples.csv"
}
folder "it's_one" 290.51
folder 'a_{second}' 457.38

for n in 1 2 3 4; do
	"$command" node --figure=$n -o f$n.png ./*/ || fail "figure $n"
	"$command" node --figure=$n -o f$n.svg ./*/ || fail "figure $n as SVG"
	[ "$(od -An -tx1 -N4 f$n.png)" = " 89 50 4e 47" ] || fail "figure $n is no PNG"
	grep -q '</svg>' f$n.svg || fail "figure $n is no SVG"
done
# texts FILE TEXT...: all of these are in the figure
texts() {
	local text
	sed "s/&apos;/'/g; s/&#39;/'/g" "$1" >texts
	for text in "${@:2}"; do
		grep -qF -e "$text" texts || fail "$1 has no '$text'"
	done
}
# Names of programs are shown as they are, axes have units, lines have legends.
texts f2.svg "it's_one on cores all" 'a_{second} on cores all' 'power (W)' 'temperature (degC)' \
	'limit package-0/long_term'
texts f3.svg "it's_one on cores all" 'a_{second} on cores all' 'median frequency (GHz)' \
	'highest temperature (degC)' '<text>P</text>' '<text>E</text>'
texts f4.svg "it's_one: P+E" 'a_{second}: P+E' 'performance (Gflops)' 'number of cores'
grep -qF 'P: median (2.79 GHz)' f1.svg || fail "figure 1 has no median: $(grep -o 'P: median[^<]*' f1.svg)"

# The errors of events in pmc-additivity's picture: in compounds there is more of one than in both parts.
mkdir additivity
printf '%s: %s\n' 'core type' P >additivity/about.txt
printf 'a: true\nb: true\nab = a + b\n' >additivity/programs.txt
awk 'BEGIN {
	print "phase,program,run,event,count,seconds,joules"
	split("a b ab", programs); split("100 200 300", even); split("100 200 400", more)
	for (i = 1; i <= 9; i++)
		printf "cores,%s,0,an_even,%d,1,nan\ncores,%s,0,{more},%d,,\nend\n", programs[i % 3 + 1],
			even[i % 3 + 1], programs[i % 3 + 1], more[i % 3 + 1]
}' >additivity/measurements.csv
"${command%/*}/pmc-additivity" judge --plot=errors.svg additivity >out || fail "no picture of errors"
texts errors.svg 'Additivity of events on core type P: 2 base programs, 1 compounds' an_even '{more}' \
	'largest error of a compound [%]' 'non-additive (1)' 'potentially additive (1)' 'tolerance 5 %'
"${command%/*}/pmc-additivity" judge --plot=errors.png additivity >out || fail "no picture of errors as PNG"
[ "$(od -An -tx1 -N4 errors.png)" = " 89 50 4e 47" ] || fail "the picture of errors is no PNG"

# A run on this machine
"$command" node -T 0.05 -n 2 -o runs sh -c 'sleep 1; echo 2.5 Gflops' >out 2>err || fail "$(cat err)"
grep -q '^mean .* 2\.500' out || fail "no performance: $(cat out)"
awk -F, 'END { exit NR < 4 }' runs/run-02/samples.csv || fail "no samples"

# wait_for TEXT FILE: until a line of the file is this text
wait_for() {
	local i
	for ((i = 0; i < 600; i++)); do
		! grep -qx "$1" "$2" 2>/dev/null || return 0
		sleep 0.05
	done
	fail "no '$1' in $2: $(cat err)"
}

# A signal to the process group, as by Ctrl-C, reaches the program once; one to pmctrack alone is
# passed on. The program's exit status has the number of signals.
cat >counts_signals <<'END'
#!/bin/bash
n=0
trap 'n=$((n + 1)); echo signal $n' TERM
echo ready
until [ $n -gt 0 ]; do sleep 0.05; done
for ((i = 0; i < 40; i++)); do sleep 0.05; done
exit $((10 + n))
END
chmod +x counts_signals
setsid "$command" node -o group ./counts_signals >out 2>err &
pmctrack=$!
wait_for ready group/run-01/output.txt
kill -STOP $pmctrack
kill -TERM -- -$pmctrack
wait_for 'signal 1' group/run-01/output.txt
kill -CONT $pmctrack
wait $pmctrack && fail "no error after a signal"
grep -qx 'status: 11' group/run-01/about.txt ||
	fail "a signal to the group: $(grep status: group/run-01/about.txt)"
"$command" node -o alone ./counts_signals >out 2>err &
pmctrack=$!
wait_for ready alone/run-01/output.txt
kill -TERM $pmctrack
rc=0
wait $pmctrack || rc=$?
[ $rc -eq 143 ] || fail "the exit status after SIGTERM: $rc"
grep -qx 'status: 11' alone/run-01/about.txt ||
	fail "a signal to pmctrack: $(grep status: alone/run-01/about.txt)"

# A signal ends the wait before a run. The end of another child of pmctrack does not.
"$command" node --settle=60 -o term true >out 2>err &
pmctrack=$!
wait_for 'pmctrack node: settling for 60.0 s' err
kill -TERM $pmctrack
rc=0
wait $pmctrack || rc=$?
[ $rc -eq 143 ] || fail "the exit status after SIGTERM before a run: $rc"
sh -c 'sleep 1 & exec "$0" node --settle=2 -o child true' "$command" >out 2>err ||
	fail "the end of a child before a run: $(cat err)"
grep -qx 'status: 0' child/run-01/about.txt || fail "no run after the end of a child"

# If samples cannot be written, pmctrack ends, and says that the program runs on.
"$command" node -T 0.1 -o full sh -c 'ln -sf /dev/full full/run-01/samples.csv; exec sleep 60' >out 2>err &&
	fail "no error on a full disk"
pid=$(sed -n 's/^pmctrack node: process \([0-9]*\) keeps running .*/\1/p' err)
[ "$pid" ] || fail "nothing says that the program runs on: $(cat err)"
kill "$pid"

# Without gnuplot there is one line that says what to install.
mkdir bin
ln -s "$(command -v sh)" bin/sh
PATH=$work/bin "$command" node --figure=1 -o none.png ./it* 2>err && fail "no gnuplot, no error"
grep -q 'install Debian.s package gnuplot-nox' err || fail "$(cat err)"
