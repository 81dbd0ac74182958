#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# pmctrack's JSON is as its schemas say: what the unit tests print, with invented samples of each
# kind, and what is printed in a machine. A validator from Debian judges (python3-jsonschema).

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

python=
for candidate in /usr/bin/python3 python3; do
	! "$candidate" -c 'import jsonschema' 2>/dev/null || { python=$candidate; break; }
done
[ "$python" ] || fail "no validator: install python3-jsonschema"

# judge SCHEMA FILE...: files that end in .lines have an object a line. Prints the faults.
cat >"$work/judge.py" <<'END'
import json, sys
import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)


def unique(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a member twice in " + ", ".join(name for name, _ in pairs))
    return dict(pairs)


failed = 0
for path in sys.argv[2:]:
    text = open(path).read()
    for document in text.splitlines() if path.endswith(".lines") else [text]:
        try:
            faults = list(validator.iter_errors(json.loads(document, object_pairs_hook=unique)))
        except ValueError as fault:
            faults = [fault]
        for fault in faults[:3]:
            print(path, getattr(fault, "json_path", ""), getattr(fault, "message", fault))
            print(document)
        failed += bool(faults)
sys.exit(failed != 0)
END
judge() { "$python" "$work/judge.py" "pmctrack-cli/schemas/$1.schema.json" "${@:2}"; }

# The judge is no yes-man.
echo '{"command": []}' >"$work/bad"
! judge run "$work/bad" >/dev/null || fail "anything is as the schema says"

# Unit tests
scripts/build unit test_cli_report test_cli_metrics test_cli_stat test_cli_probe || fail "not built"
fixed="setarch --addr-no-randomize"
$fixed true 2>/dev/null || fixed=
mkdir "$work/reports"
for test in test_cli_report test_cli_metrics test_cli_stat test_cli_probe; do
	PMCTRACK_TEST_REPORTS=$work/reports $fixed "$build/native/unit/$test" >"$work/log" 2>&1 ||
		fail "$(cat "$work/log")"
done
for kind in json lines probe; do
	ls "$work"/reports/*."$kind" >/dev/null || fail "no reports *.$kind"
done
judge run "$work"/reports/*.json || exit
judge stat "$work"/reports/*.lines || exit
judge probe "$work"/reports/*.probe || exit

# A machine
mkdir "$work/add"
cat >"$work/add/use" <<'END'
work='i=0; while [ $i -lt 3000 ]; do i=$((i+1)); done'
run() { echo "@ run"; pmctrack --format=json -o - "$@" 2>/dev/null; }
stat() { echo "@ stat"; pmctrack stat -j -o - "$@" 2>/dev/null; }
probe() { echo "@ probe"; pmctrack probe --format=json -o - "$@" 2>/dev/null; }
run -c instr,cycles -T 0.01 sh -c "$work"
run -A -c instr -c cycles --estimate -T 0.005 sh -c "$work"
run -c instr:ebs=20000,cycles sh -c "$work"
run -A -m ipc,tma sh -c "$work"
run -S -c instr -T 0.1 -N 0.3
stat -e instructions,cycles,branches sh -c "$work"
stat -m ipc,tma -r 2 sh -c "$work"
stat --per-core-type sh -c "$work"
# The program ends with 3.
probe -m ipc --per-thread /tests/programs/known_calls 'known_*' || [ $? -eq 3 ]
END
scripts/vm --machine x86-hybrid --add "$work/add" sh /use >"$work/out" 2>&1 ||
	fail "in the machine: $(cat "$work/out")"
mkdir "$work/machine"
awk -v folder="$work/machine/" '
	/^@ / { close(file); n++; file = folder n "." ($2 == "stat" ? "lines" : $2 == "run" ? "json" : $2); next }
	file && /^[]"{}[]/ { print >file }' "$work/out"
reports=("$work"/machine/*)
[ ${#reports[@]} -eq 9 ] || fail "not nine reports: $(cat "$work/out")"
judge run "$work"/machine/*.json || exit
judge stat "$work"/machine/*.lines || exit
judge probe "$work"/machine/*.probe
