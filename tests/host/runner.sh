#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The test runner counts right, whatever a test does to its machine: here it
# runs on a copy of itself with tests that pass, fail, are skipped, hang, crash
# the kernel or make it complain.

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
mkdir -p "$work"/tests/{vm/kernel,host,unit}
cp -r "$top/scripts" "$work/"
cp -r "$top/tests/qemu" "$work/tests/"
cp "$top"/tests/{lib.sh,run,run-*} "$work/tests/"
cp "$top/tests/vm/runner" "$work/tests/vm/"
# After the last test of a machine that has this one, the kernel complains.
echo '! grep -q "^kernel/load.sh " /tests/plan || echo "WARNING: after the last test" >/dev/kmsg' >>"$work/tests/vm/runner"
cd "$work" || exit
# The folder that is removed at the end is the copy's own, also in a run of tests/run-mutants.
unset PMCTRACK_BUILD

# Nothing to build but the tests; the module they ask for is one of the kernel's own.
cat >scripts/build <<'E2'
#!/bin/bash
. "$(dirname "$0")/lib.sh"
case $1 in
guest)
	root=$build/root
	mkdir -p "$root/tests"
	cp -r "$top"/tests/vm/* "$top/scripts/kernel-complaints" "$root/tests/"
	(cd "$root" && find . -mindepth 1 | cpio --quiet -o -H newc) >"$build/root.cpio"
	echo "$build/root.cpio" ;;
unit)
	[ ! -e "$top/broken" ] || exit 1
	mkdir -p "$build/native/unit"
	cp "$top/test_fake" "$build/native/unit/" ;;
where)
	echo "$build" ;;
esac
E2
trap 'rm -rf "$work" "$(scripts/build where)"' EXIT

fake() {
	printf '#!/bin/sh\n%s\n' "$2" >"$1"
	chmod +x "$1"
}
fake tests/vm/kernel/pass.sh 'echo fine'
fake tests/vm/kernel/fail.sh 'echo broken; exit 3'
fake tests/vm/kernel/skip.sh 'echo first line; echo no such thing here; exit 77'
fake tests/vm/kernel/hang.sh 'echo waiting; while :; do :; done'
fake tests/vm/kernel/crash.sh 'echo going down; echo c >/proc/sysrq-trigger'
fake tests/vm/kernel/warn.sh 'echo "WARNING: CPU: 0 PID: 1 at test" >/dev/kmsg; printf "no end of line"'
fake tests/vm/kernel/missing.sh '! no_such_command'
fake tests/vm/kernel/last.sh 'exit 0'
fake tests/vm/kernel/load.sh 'exit 0'
fake tests/vm/kernel/forgotten.sh 'exit 0'
fake tests/vm/kernel/homeless.sh 'exit 0'
# shellcheck disable=SC2016 # for the test
fake tests/vm/kernel/data.sh 'exit "$(cat /tests/kernel/data)"'
fake tests/vm/kernel/other.sh 'sh /tests/kernel/pass.sh || :'
echo 0 >tests/vm/kernel/data
fake tests/host/host.sh 'echo not today; exit 77'
fake test_fake 'echo "1..4"; echo "ok 1 - good"; echo "not ok 2 - bad"; echo "ok 3 - odd # SKIP no luck"; exit 1'
printf 'list:\n\t@echo test_fake\n' >tests/unit/Makefile
printf '#!/bin/bash\n! no_such_command\n' >tests/host/missing.sh
chmod +x tests/host/missing.sh
printf '%s 1\n' "host.sh test" "missing.sh full" >tests/host/list
{
	for t in pass fail skip missing warn hang crash last; do
		echo "kernel/$t.sh arm64/6.12 core $([ $t = hang ] && echo 0 || echo 5) noload"
	done
	echo "kernel/load.sh arm64/6.12 core 5"
	echo "kernel/homeless.sh arm64/6.12 arm64/debug,x86-hybrid/6.12 5"
	echo "kernel/data.sh,kernel/other.sh arm64/6.12 - 5 noload"
	echo "kernel/pass.sh@perf arm64/6.12 - 5"
	echo "kernel/pass.sh@tracepoints x86-hybrid/6.12-pmctrack - 5"
} >tests/vm/list

PATIENCE=1 tests/run >out 2>err
status=$?
grep -vE '^(	|logs of failed)' out | sed 's/ ([0-9]* s)//; s/after [0-9]* s/after N s/' | sort >got
sort >expected <<'E2'
FAIL arm64/6.12/end: after the last test, exit status 125
FAIL arm64/6.12/kernel/crash.sh: the machine died
FAIL arm64/6.12/kernel/fail.sh: exit status 3
FAIL arm64/6.12/kernel/hang.sh: no end after N s
FAIL arm64/6.12/kernel/load.sh: exit status 1
FAIL arm64/6.12/kernel/missing.sh: a command is missing
FAIL arm64/6.12/kernel/warn.sh: the kernel complained
FAIL kernel/forgotten.sh: not in tests/vm/list
FAIL kernel/homeless.sh: `make test` does not run it in its home, arm64/debug
FAIL kernel/homeless.sh: `make test` does not run it in its home, x86-hybrid/6.12
FAIL unit/test_fake: 3 results of 4 tests
FAIL unit/test_fake: bad
pass arm64/6.12/kernel/last.sh
pass arm64/6.12/kernel/pass.sh
pass unit/test_fake: good
3 passed, 12 failed, 3 skipped
skip arm64/6.12/kernel/skip.sh: no such thing here
skip host/host.sh: not today
skip unit/test_fake: no luck
E2
failed=0
if ! diff expected got; then
	echo "the complete output:"
	cat out err
	failed=1
fi
[ "$(tail -n 1 out)" = "3 passed, 12 failed, 3 skipped" ] || failed=1
[ $status -eq 1 ] || { echo "exit status $status"; failed=1; }
for text in "	broken" "	waiting" "	going down" "sysrq triggered crash" "	no end of line"; do
	grep -q "$text" out || { echo "not shown: $text"; failed=1; }
done

# What failed runs again, alone, also after a run of no test; a log of it is there. What comes
# after the last test may be of each test of that machine.
tests/run 'no/such*' >none 2>&1
tests/run --failed --list >again
sort again | cut -d ' ' -f 1 | diff - <(
	{
		grep '^FAIL .*:.*' expected | grep -v '/forgotten\|/homeless\|/end:' | sed 's/^FAIL //; s/: .*//'
		echo arm64/6.12/kernel/last.sh
	} | sort -u
) || { echo "not what has failed"; failed=1; }
grep -q broken "$(scripts/build where)/test-logs/arm64/6.12/kernel/fail.sh.log" || { echo "no log"; failed=1; }
# A pattern names a machine that test-full has anyway: its tests run once.
tests/run --full --list 'x86-hybrid/6.12-pmctrack/*' | diff - <(echo "x86-hybrid/6.12-pmctrack/kernel/pass.sh@tracepoints 5") ||
	{ echo "not its test, once"; failed=1; }

# Under another make, whose options ask for the names of folders, the list has tests alone. Tests
# that cannot be listed are not taken for none.
MAKEFLAGS=w MAKELEVEL=1 tests/run --list 'unit/*' 2>&1 | cut -d ' ' -f 1 | diff - <(echo unit/test_fake) ||
	{ echo "not the unit tests, under another make"; failed=1; }
cp tests/unit/Makefile listed
printf 'list:\n\t@echo test_fake; exit 1\n' >tests/unit/Makefile
out=$(tests/run --list 'unit/*' 2>&1) && { echo "unit tests that cannot be listed: $out"; failed=1; }
mv listed tests/unit/Makefile

# Unit tests that could not be built have failed.
touch broken
tests/run 'unit/*' >unbuilt 2>&1
rm broken
grep -qx 'FAIL build/unit' unbuilt || { echo "unit tests that are not built:"; cat unbuilt; failed=1; }
tests/run --failed --list | cut -d ' ' -f 1 | diff - <(echo unit/test_fake) || { echo "not what was not built"; failed=1; }

# Shells say in another language that a command is missing.
LANGUAGE=de LC_ALL=C.UTF-8 tests/run host/missing.sh >missing 2>&1
grep -qx 'FAIL host/missing.sh: a command is missing' missing ||
	{ echo "a command is missing, in another language:"; cat missing; failed=1; }

# A test that passes does so once with the same inputs: the program, those of other tests that a
# script runs, and what they read. A test that has failed since, here as the machine did not start in
# time, runs again.
same_tests() {
	tests/run --same "${@/#/arm64/6.12/kernel/}" 2>&1 | grep -E '^(same|[0-9]+ passed, )' | sort
}
some=({pass,missing,last,data,other}.sh)
same_tests "${some[@]}" >first
echo "exit 1 # another" >>tests/vm/kernel/pass.sh
same_tests "${some[@]}" >second
echo 1 >tests/vm/kernel/data
same_tests "${some[@]}" >third
PATIENCE=0 tests/run arm64/6.12/kernel/last.sh >late 2>&1
same_tests {last,other}.sh >fourth
diff first - <<'E2' || { echo "not the first run"; failed=1; }
4 passed, 1 failed
E2
diff second - <<'E2' || { echo "not the second run"; failed=1; }
1 passed, 2 failed
same arm64/6.12/kernel/data.sh
same arm64/6.12/kernel/last.sh
E2
diff third - <<'E2' || { echo "not the third run"; failed=1; }
2 passed, 3 failed
E2
diff fourth - <<'E2' || { echo "not the run after a failure:"; cat late; failed=1; }
1 passed, 0 failed
same arm64/6.12/kernel/other.sh
E2
exit $failed
