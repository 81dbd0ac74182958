#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Pages for a browser in Chromium, as pmctrack report makes them: a script uses one as a person
# would (page/drive.js), another measures what its charts cost (page/speed.js), and one sees that
# of a damaged report (page/damaged.js). An error on the browser's console is a failure. page/live.py
# uses the page of pmctrack web.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

scripts/deps page && scripts/build native >/dev/null || fail "not installed, or not built"
pmctrack() { LD_LIBRARY_PATH=$build/native/libpmc "$build/native/cli/pmctrack" "$@"; }

# make_run THREADS SECONDS: a report in JSON, with a sample of each thread in each second
make_run() {
	awk -v threads="$1" -v seconds="$2" 'BEGIN {
		printf "{\n\"command\": [\"./app\"],\n\"mode\": \"user\", \"period_ns\": 1000000000, \"start_ns\": 0,\n\"core_types\": [\n"
		for (i = 0; i < 2; i++)
			printf "%s{\"id\": %d, \"name\": \"%s\", \"pmu\": \"x\", \"cpus\": \"%d\", \"sets\": [[{\"event\": \"instr\"}, {\"event\": \"cycles\"}, {\"event\": \"llc_misses\"}]]}", i ? ",\n" : "", i, i ? "E" : "P", i
		printf "\n],\n\"virtual_counters\": [{\"name\": \"sf\", \"module\": \"m\", \"kind\": \"ratio\", \"unit\": \"\", \"estimated\": true}],\n\"samples\": ["
		for (s = 0; s < seconds; s++)
			for (t = 0; t < threads; t++) {
				type = (int(s / 37) + t) % 2
				instr = int(1e9 * (1 + sin(s / 20 + t) / 2) * (2 - type))
				printf "%s\n{\"nsample\": %d, \"time_ns\": %.0f, \"pid\": 9, \"tid\": %d, \"name\": \"%s\", \"cpu\": 0, \"core_type\": %d, \"set\": 0, \"type\": \"tick\", \"elapsed_ns\": 1000000000, \"running_ns\": 900000000, \"lost\": %d, \"throttled\": false, \"counts\": {\"instr\": %d, \"cycles\": 1200000000, \"llc_misses\": %d}, \"virtual\": {\"sf\": 1.5}}", n++ ? "," : "", n, (s + 2) * 1e9 + t * 1e6, 1000 + t, t ? "worker-" t : "<main> & \\\"co\\\"", type, s == 30 && !t ? 3 : 0, instr, instr / 500
			}
		printf "\n],\n\"totals\": [{\"core_type\": 0, \"running_ns\": 5, \"counts\": {\"instr\": 123456789, \"cycles\": 5, \"llc_misses\": 7}},\n{\"core_type\": 1, \"running_ns\": 5, \"counts\": {\"instr\": 2, \"cycles\": 5, \"llc_misses\": 7}}],\n\"threads\": %d, \"lost\": 3\n}\n", threads
	}'
}

# open RUN SCRIPT: what the script says behind those of the page
open() {
	pmctrack report "$work/$1.json" || fail "no page"
	sed -i '/^<\/body>$/,$d' "$work/$1.html"
	{ echo "<script>"; cat "tests/host/page/$2.js"; echo "</script></body></html>"; } >>"$work/$1.html"
	timeout 300 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" \
		--enable-logging=stderr --virtual-time-budget=10000 --dump-dom "file://$work/$1.html" \
		2>"$work/log" >"$work/dom"
	! grep -a 'CONSOLE' "$work/log" || fail "the console has messages"
	sed -n '/<pre id="result">/,/^end of the test/p' "$work/dom" | sed 's/.*<pre id="result">//; s/^end of the test.*//' | grep .
	grep -q '^end of the test' "$work/dom" || fail "the script did not end: $(tail -n 5 "$work/log")"
}

make_run 5 120 >"$work/small.json"
[ -z "$(open small drive)" ] || { open small drive; exit 1; }
# Its head and its end are those of a report.
sed 's/"core_types"/"types"/' "$work/small.json" >"$work/damaged.json"
[ -z "$(open damaged damaged)" ] || { open damaged damaged; exit 1; }
# The page of a run that goes on
cp "$build/native/web/pmctrack-web" tests/host/web/pmctrack "$work" || exit
python3 -B tests/host/page/live.py "$work" || fail "(pmctrack web)"
pmctrack report "$work/run.json" || fail "no page of the run that was saved"
make_run 400 600 >"$work/large.json"
open large speed >"$work/speed"
cat "$work/speed"
! grep -q '^too ' "$work/speed"
