#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# x86 processors with fewer PMU features than the test machines, with one more, with a third core
# type, or that count instructions with a REP prefix as processors do: their counters are found, and
# counts are exact.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# Core types as NAME:FIXED+GENERAL with their CPUs, then the tests; the last without the module.
mkdir "$work/add"
cat >"$work/add/try" <<'GUEST'
echo "types" $(awk '
	$1 == "core_type" { cpus[$2] = $4; name[$2] = $6; n = $2 + 1 }
	$1 == "counter" && $4 != "software" {
		split($3, range, /-?pmc/)
		number[$2, $4] += (range[3] == "" ? range[2] : range[3]) - range[2] + 1
	}
	END {
		for (i = 0; i < n; i++)
			print name[i] ":" number[i, "fixed"] + 0 "+" number[i, "general"] "@" cpus[i]
	}' /proc/pmc/info)
grep -o -m 1 perfmon_v2 /proc/cpuinfo
for test; do
	[ $test != machine/pmu_registers_x86 ] || rmmod pmctrack
	# perf's driver lets counters run on in its NMI where it can't stop them all at once.
	[ $test != x86/nmi ] || { rmmod pmctrack && insmod /lib/pmctrack/pmctrack.ko exclusive=1; }
	/tests/$test >/tmp/out 2>&1 || { echo "$test failed:"; cat /tmp/out; }
done
echo done
GUEST

# The module knows that the event has a second register, the kernel does not, and would leave it.
mkdir -p "$work/add/tests/x86"
cat >"$work/add/tests/x86/extra_unknown" <<'GUEST'
#!/bin/sh
exec 3<>/proc/pmc/monitor
printf 'events coretype=0,ev=0x2a:umask=0x01:extra=0x10001\n' >&3 || exit 1
printf 'events coretype=1,ev=0xc0\n' >&3 || exit 1
! printf 'attach %d\n' $$ >&3 2>/dev/null || { echo "the kernel's driver took it"; exit 1; }
GUEST
chmod +x "$work/add/tests/x86/extra_unknown"

# processor WHAT MACHINE CPU TYPES TESTS; $kernel: another one than Debian's
kernel=6.12
processor() {
	local expected
	expected=$(printf 'types %s\ndone' "$4")
	scripts/vm --machine "$2" --kernel "$kernel" --cpu "$3" --timeout 500 --add "$work/add" sh /try "$5" \
		>"$work/out" 2>"$work/err" || echo "exit status $?" >>"$work/out"
	[ "$(cat "$work/out")" != "$expected" ] || return 0
	echo "$1: expected '$expected', got:"
	cat "$work/out" "$work/err"
	failed=1
}

intel=Skylake-Client-noTSX-IBRS,model=151,stepping=2,-monitor
processor "a P-core that only its registers tell of" x86-hybrid $intel,x-leaf23=off \
	"P:4+8@0-1 E:3+6@2-3" "count/exact sample/ebs"
processor "the same with a leaf that tells" x86-hybrid $intel "P:4+8@0-1 E:3+6@2-3" ""
processor "counters that take 31 bits" x86-hybrid $intel,x-full-write=off \
	"P:4+8@0-1 E:3+6@2-3" "count/exact count/past_32_bits sample/ebs x86/nmi x86/exclusive machine/pmu_registers_x86"
processor "two kinds of E-core" x86-hybrid $intel,x-other-kind=3 \
	"P:4+8@0-1 E:3+6@2 E2:3+6@3" "count/exact"
kernel=newest processor "counters that user mode can't read" x86-hybrid $intel,x-user-disable=on \
	"P:4+8@0-1 E:3+6@2-3" "count/exact library/many_calipers"
kernel=6.1 processor "a second register that the kernel does not know" x86-hybrid ${intel/151/170} \
	"P:4+8@0-1 E:3+6@2-3" "x86/extra_unknown"
processor "AMD's without global registers" x86-amd EPYC-Milan,model=1,-monitor \
	"classic:0+6@0-1 dense:0+6@2-3" "count/exact sample/ebs x86/nmi x86/exclusive machine/pmu_registers_x86"
processor "an instruction that repeats is one" x86-hybrid $intel,x-rep-is-one=on \
	"P:4+8@0-1 E:3+6@2-3" programs/repeated_strings_x86
processor "the same on AMD's" x86-amd EPYC-Milan,model=1,-monitor,x-rep-is-one=on \
	"classic:0+6@0-1 dense:0+6@2-3" programs/repeated_strings_x86
exit $failed
