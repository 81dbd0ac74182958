#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# pmctrack --remote from this machine to a test machine, which a script reaches in place of ssh, by the
# machine's serial port: the same output as there, the program's exit status, pmctrack top, a report in
# JSON for a page here.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail=0
wrong() { echo "$*"; fail=1; }

scripts/build native >/dev/null || { echo "not built"; exit 1; }
cat >"$work/ssh" <<END
#!/bin/sh
[ "\$1 \$2 \$3" = "-T -- x86-hybrid" ] || exit 99
exec "$top/scripts/vm" --machine x86-hybrid "\$4"
END
chmod +x "$work/ssh"
# here WORD...: this machine's pmctrack, which has nobody on a terminal
here() {
	LD_LIBRARY_PATH=$build/native/libpmc PMCTRACK_SSH=$work/ssh "$build/native/cli/pmctrack" --remote x86-hybrid "$@" \
		</dev/null 2>"$work/err" >"$work/out"
}

rc=0
here stat -e instr:u /tests/programs/known_loop || rc=$?
[ $rc -eq 7 ] || wrong "exit status $rc: $(cat "$work/err")"
scripts/vm --machine x86-hybrid "pmctrack stat -e instr:u /tests/programs/known_loop" </dev/null 2>"$work/there" >/dev/null || :
for name in err there; do grep instr "$work/$name" | awk '{ print $1 }' >"$work/$name.count"; done
[ -s "$work/there.count" ] && cmp -s "$work/err.count" "$work/there.count" ||
	wrong "from here: $(cat "$work/err"); there: $(cat "$work/there")"
here top -b -n 1 -d 0.2 || wrong "top: status $?: $(cat "$work/err")"
grep -q "^pmctrack top" "$work/out" || wrong "top: $(cat "$work/out")"
# shellcheck disable=SC2016 # the other machine's shell expands it
here --format=json -o - -T 0.1 -c instr,cycles sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done' ||
	wrong "JSON: status $?: $(cat "$work/err")"
# Its charts are in a page of this machine.
: >"$work/dygraph.min.js"
: >"$work/dygraph.min.css"
cp "$work/out" "$work/run.json"
LD_LIBRARY_PATH=$build/native/libpmc PMCTRACK_DYGRAPHS=$work "$build/native/cli/pmctrack" report "$work/run.json" ||
	wrong "report: status $?"
grep -q '"type": "tick"' "$work/run.html" || wrong "the page has no sample: $(head -c 500 "$work/run.json")"
exit $fail
