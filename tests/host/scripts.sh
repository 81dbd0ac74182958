#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every script has a --help, and answers bad input with one line and status 2. A pattern that
# no test matches is a failure.

cd "$(dirname "$0")/../.." || exit
failures=0
complain() {
	echo "$*"
	failures=$((failures + 1))
}

for script in scripts/{bare-root,biglittle-dtb,build,check,compile-commands,deps,fetch,firmware,floors,in-root,initramfs,install,own-kernel,prose,qemu,run-demo,spdx-check,vm} tests/{bare,dkms,run}; do
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

# Ctrl-C ends a script in the middle of a step: no process of it runs on, and nothing stays
# locked, although the terminal stays. (Background processes of this shell ignore SIGINT.)
mkfifo "$step_cache/keys"
cat >"$step_cache/terminal" <<-END
	trap : INT
	export PMCTRACK_CACHE=$step_cache
	bash -c '. scripts/lib.sh; one_at_a_time tryout "\$cache"; step waiting sleep 987'
	sleep 8
END
timeout 60 env --default-signal=INT script -qefc "bash '$step_cache/terminal'" /dev/null \
	<"$step_cache/keys" >"$step_cache/screen" 2>&1 &
exec {keys}>"$step_cache/keys"
tries=0
until grep -q 'waiting ... 1 s' "$step_cache/screen" || [ $((tries++)) -eq 100 ]; do sleep 0.1; done
printf '\003' >&"$keys"
sleep 3
size=$(stat -c %s "$step_cache/screen")
[ "$size" -gt 0 ] || complain "a step on a terminal says nothing"
flock -n "$step_cache/tryout.lock" true || complain "after Ctrl-C something keeps the lock"
sleep 2
[ "$(stat -c %s "$step_cache/screen")" -eq "$size" ] || complain "after Ctrl-C something writes on"
exec {keys}>&-
wait

# What only tests and the building of the emulator need is not installed to run.
for p in clang libcmocka-dev libglib2.0-dev qemu-system-arm; do
	[[ " $(scripts/deps --list run) " != *" $p "* ]] || complain "make run installs $p"
	[[ " $(scripts/deps --list test qemu) " == *" $p "* ]] || complain "no group has $p"
done

help=$(make -s help)
grep -q '^make run' <<<"$help" || complain "make help: does not name make run"
while read -r target; do
	make -n "$target" >/dev/null || complain "make $target: no such target"
done < <(sed -n 's/^make \([a-z_-]\+\).*/\1/p' <<<"$help")
exit $((failures > 0))
