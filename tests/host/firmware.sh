#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# ePAPI on an emulated TriCore: its cost, its register writes, and whether pmc-epapi-read
# understands the results that it leaves in memory.

cd "$(dirname "$0")/../.." || exit
fail() { echo "$*"; exit 1; }

missing=$(scripts/firmware missing) || fail "scripts/firmware missing"
if [ "$missing" ]; then
	echo "$missing"
	exit 77
fi

for options in "-DEPAPI_CPU_HZ=200000000 -DEPAPI_STM_HZ=50000000" -DEPAPI_MAX_EVENTS=1 \
	"-DEPAPI_MAX_EVENTS=16 -DEPAPI_MAX_SETS=8"; do
	CFLAGS=$options scripts/firmware test >/dev/null || fail "it fails with $options"
done
out=$(scripts/firmware test) || fail "$out"
echo "$out"
folder=$(sed -n "s/^the library, .* are in //p" <<<"$out")
for text in "all checks passed" "ePAPI_epc"; do
	grep -q "$text" <<<"$out" || fail "not in the output: $text"
done
grep -q '^instructions counted from one call to the next, beyond bare access ([1-9])' <<<"$out" || fail "nothing about what is counted"
while read -r call; do
	grep -q "^$call .* [1-9][0-9]* " <<<"$out" || fail "no cost of $call"
done < <(sed -n 's/^int \(ePAPI_[a-z_]*\)(.*/\1/p' libpmc/tricore/include/epapi.h)

# The example stops when it is done; its memory is then saved as by a debugger.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -C pmctrack-cli O="$work/cli" "$work/cli/pmc-epapi-read" || fail "no pmc-epapi-read"
{
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		sleep 1
		echo "pmemsave 0xd0000000 1024 \"$work/dump\""
		sleep 1
		! "$work/cli/pmc-epapi-read" "$work/dump" 2>/dev/null | grep -q stopped || break
	done
	echo quit
} | timeout 60 qemu-system-tricore -M tricore_testboard -cpu tc27x -display none -serial none \
	-monitor stdio -kernel "$folder/example.elf" >"$work/monitor" || fail "$(cat "$work/monitor")"
"$work/cli/pmc-epapi-read" "$work/dump" | tee "$work/table" || fail "pmc-epapi-read failed"
grep -q '^\[Core 0: stopped, normal mode, CCTRL 0x242\]' "$work/table" || fail "not the example's header"
grep -q '^PAPI_L1_DCM *M2CNT + M3CNT *0 *l1d_misses' "$work/table" || fail "not the example's events"
