#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every script explains itself, and answers bad input with one line and status 2. That
# no test is what was asked for is a failure.

cd "$(dirname "$0")/../.." || exit
failures=0
complain() {
	echo "$*"
	failures=$((failures + 1))
}

for script in scripts/{bare-root,biglittle-dtb,build,check,deps,fetch,firmware,in-root,initramfs,install,own-kernel,qemu,run-demo,vm} tests/{bare,dkms,run}; do
	grep -q "^usage: ${script##*/}" <<<"$("$script" --help)" || complain "$script --help: no usage line"
	out=$("$script" --no-such-option 2>&1 >/dev/null)
	status=$?
	[ $status -eq 2 ] || complain "$script with a bad option: status $status"
	[ "$(echo "$out" | wc -l)" -eq 1 ] || complain "$script with a bad option: $out"
done

out=$(tests/run 'no/such*' 2>&1 >/dev/null)
status=$?
[ $status -eq 1 ] || complain "tests/run without a test: status $status"
[ "$out" = "run: no test has a name like no/such*" ] || complain "tests/run without a test: $out"

# The name of a step's log comes from what the step says, however much that is.
step_cache=$(mktemp -d)
trap 'rm -rf "$step_cache"' EXIT
# shellcheck disable=SC2016 # for the inner shell
out=$(PMCTRACK_CACHE=$step_cache bash -c '. scripts/lib.sh; step "installing$(printf " package-%s" {1..100})" true' 2>&1) ||
	complain "a step with a long name: $out"

# What only tests and the building of the emulator need is not installed to run.
for p in clang libcmocka-dev libglib2.0-dev qemu-system-arm; do
	[[ " $(scripts/deps --list run) " != *" $p "* ]] || complain "make run installs $p"
	[[ " $(scripts/deps --list test qemu) " == *" $p "* ]] || complain "no group has $p"
done

help=$(make -s help)
grep -q '^make run' <<<"$help" || complain "make help: does not name make run"
while read -r target; do
	make -n "$target" >/dev/null || complain "make $target: no such target"
done < <(sed -n 's/^make \([a-z-]\+\).*/\1/p' <<<"$help")
exit $((failures > 0))
