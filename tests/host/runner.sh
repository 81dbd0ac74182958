#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The test runner counts right, whatever a test does to its machine: here it
# runs on a copy of itself with tests that pass, fail, are skipped, hang, crash
# the kernel or make it complain.

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
mkdir -p "$work/tests/guest" "$work/tests/host"
cp -r "$top/scripts" "$work/"
cp -r "$top/tests/qemu" "$work/tests/"
cp "$top"/tests/{lib.sh,run,run-*} "$work/tests/"
cp "$top/tests/guest/guest-runner" "$work/tests/guest/"
cd "$work" || exit

# Nothing to build but the tests; the module they ask for is one of the kernel's own.
cat >scripts/build <<'E2'
#!/bin/bash
. "$(dirname "$0")/lib.sh"
case $1 in
guest)
	root=$build/root
	mkdir -p "$root/tests"
	cp "$top"/tests/guest/* "$top/scripts/kernel-complaints" "$root/tests/"
	(cd "$root" && find . -mindepth 1 | cpio --quiet -o -H newc) >"$build/root.cpio"
	echo "$build/root.cpio" ;;
unit)
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
fake tests/guest/t_pass.sh 'echo fine'
fake tests/guest/t_fail.sh 'echo broken; exit 3'
fake tests/guest/t_skip.sh 'echo first line; echo no such thing here; exit 77'
fake tests/guest/t_hang.sh 'echo waiting; while :; do :; done'
fake tests/guest/t_crash.sh 'echo going down; echo c >/proc/sysrq-trigger'
fake tests/guest/t_warn.sh 'echo "WARNING: CPU: 0 PID: 1 at test" >/dev/kmsg; printf "no end of line"'
fake tests/guest/t_last.sh 'exit 0'
fake tests/guest/t_load.sh 'exit 0'
fake tests/guest/t_forgotten.sh 'exit 0'
fake tests/host/host.sh 'echo not today; exit 77'
fake test_fake 'echo "1..4"; echo "ok 1 - good"; echo "not ok 2 - bad"; echo "ok 3 - odd # SKIP no luck"; exit 1'
for t in pass fail skip hang crash warn last; do
	echo "t_$t.sh arm64/6.12 $([ $t = hang ] && echo 5 || echo 60) noload"
done >tests/guest/list
echo "t_load.sh arm64/6.12 60" >>tests/guest/list

tests/run >out 2>err
status=$?
grep -vE '^	' out | sed 's/ ([0-9]* s)//; s/after [0-9]* s/after N s/' | sort >got
sort >expected <<'E2'
FAIL arm64/6.12/4/t_crash.sh: the machine died
FAIL arm64/6.12/4/t_fail.sh: exit status 3
FAIL arm64/6.12/4/t_hang.sh: no end after N s
FAIL arm64/6.12/4/t_load.sh: exit status 1
FAIL arm64/6.12/4/t_warn.sh: the kernel complained
FAIL t_forgotten.sh: not in tests/guest/list
FAIL unit/test_fake: bad
pass arm64/6.12/4/t_last.sh
pass arm64/6.12/4/t_pass.sh
pass unit/test_fake: good
3 passed, 7 failed, 3 skipped
skip arm64/6.12/4/t_skip.sh: no such thing here
skip host/host.sh: not today
skip unit/test_fake: no luck
E2
failed=0
if ! diff expected got; then
	echo "the complete output:"
	cat out err
	failed=1
fi
[ "$(tail -n 1 out)" = "3 passed, 7 failed, 3 skipped" ] || failed=1
[ $status -eq 1 ] || { echo "exit status $status"; failed=1; }
for text in "	broken" "	waiting" "	going down" "sysrq triggered crash" "	no end of line"; do
	grep -q "$text" out || { echo "not shown: $text"; failed=1; }
done
exit $failed
