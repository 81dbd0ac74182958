#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# run-mutants judges right: on a small project, with faults that tests see, do not see, or
# exceed their time by, and with tests that exceed it without a fault.

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
export PMCTRACK_CACHE=$work/cache
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/project/{scripts,src,tests/{mutants,unit,vm,host}} "$work/bin"
cd "$work/project" || exit
cp "$top/scripts/lib.sh" scripts/
cp "$top"/tests/{lib.sh,run-mutants,fault.awk} tests/
fail() { echo "$*"; exit 1; }

# A test passes if the source says so. Time passes faster here.
cat >scripts/build <<'E2'
#!/bin/bash
. "$(dirname "$0")/lib.sh"
mkdir -p "$build/native/unit"
printf '#!/bin/sh\n. %s/src/unit\n' "$top" >"$build/native/unit/test_a"
chmod +x "$build/native/unit/test_a"
E2
cat >tests/run <<'E2'
#!/bin/bash
cd "$(dirname "$0")/.."
[ "$1" != --list ] || { printf '%s 1\n' unit/test_a x86-hybrid/6.12/count/exact; exit; }
. src/vm
E2
printf '#!/bin/sh\nshift 3; exec /usr/bin/timeout 1 "$@"\n' >"$work/bin/timeout"
printf '#!/bin/sh\nshift; exec "$@"\n' >"$work/bin/setarch"
chmod +x scripts/build tests/run "$work"/bin/*
PATH=$work/bin:$PATH
touch tests/unit/test_a.c
echo "count/exact x86-hybrid/* core 1" >tests/vm/list
echo "[ ! -e $work/busy ] || sleep 5" >src/unit
echo "[ ! -e $work/busy ] || { echo 'FAIL x86-hybrid/6.12/count/exact: no end after 9 s'; exit 1; }" >src/vm
echo "# nothing" | tee -a src/unit >>src/vm

# fault NAME FILE LINE TEST [SURVIVES]
fault() {
	printf '[%s]\nfile src/%s\n-# nothing\n+%s\ntests %s\n%s\n' "$1" "$2" "$3" "$4" "${5-}" >>tests/mutants/area
}
no_end="echo 'FAIL x86-hybrid/6.12/count/exact: no end after 9 s'; exit 1"
fault hangs unit "sleep 5" unit/test_a
fault hangs-busy unit "touch $work/busy; sleep 5" unit/test_a
fault excused unit "exit 0" unit/test_a "survives it does nothing"
fault excused-seen unit "exit 3" unit/test_a "survives that is not so"
fault not-seen unit "true" unit/test_a
fault seen unit "exit 1" unit/test_a
fault vm-hangs vm "$no_end" count/exact
fault vm-hangs-busy vm "touch $work/busy; $no_end" count/exact
fault vm-seen vm "echo 'FAIL x86-hybrid/6.12/count/exact: exit status 1'; exit 1" count/exact
fault vm-not-built vm "echo 'FAIL x86-hybrid/6.12/count/exact: the machine could not be built'; echo '	a.c:1: error: no such thing'; exit 1" count/exact
fault vm-not-started vm "echo 'FAIL x86-hybrid/6.12/count/exact: the machine did not start'; exit 1" count/exact
fault host-not-built vm "echo 'FAIL host/a.sh: exit status 1'; echo '	building the library: failed; the end of a.log:'; exit 1" count/exact
git init -q .
git add .

run() {
	rm -f "$work/busy"
	tests/run-mutants "$@" >"$work/out" 2>"$work/err"
}
# verdict NAME VERDICT STATUS
verdict() {
	run "area/$1"
	local status=$?
	grep -qE "^ *1/1 $2 .* area/$1 " "$work/out" && [ $status -eq "$3" ] ||
		fail "$1: status $status, expected was $2: $(cat "$work/out" "$work/err")"
}
run --check || fail "--check: $(cat "$work/err")"
verdict hangs seen 0
verdict hangs-busy unclear 1
verdict excused survives 0
verdict excused-seen seen 1
grep -q 'SEEN, although' "$work/out" || fail "a wrong reason: $(cat "$work/out")"
verdict not-seen SURVIVES 1
verdict seen seen 0
verdict vm-hangs seen 0
verdict vm-hangs-busy unclear 1
verdict vm-seen seen 0
verdict vm-not-built BROKEN 1
grep -q 'it does not build: .*no such thing' "$work/out" || fail "what does not build: $(cat "$work/out")"
verdict vm-not-started BROKEN 1
verdict host-not-built BROKEN 1
git diff --quiet || fail "run-mutants changes the project"

fault not-seen-again unit "true" unit/test_a
run --check && fail "--check: a fault that is there twice"
grep -qx 'area/not-seen-again: the same change as area/not-seen' "$work/err" || fail "a fault that is there twice: $(cat "$work/err")"
printf '[untested]\nfile src/unit\n-# nothing\n+exit 4\nsurvives why not\n' >>tests/mutants/area
run --check && fail "--check: a fault without a test"
grep -q 'area/untested: no tests' "$work/err" || fail "a fault without a test: $(cat "$work/err")"
