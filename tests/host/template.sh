#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A monitoring module made from the template, as the template says, and built outside the
# tree works: its virtual counters are in pmctrack's samples. `make kmod` prints where
# pmctrack.ko was built.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

scripts/fetch kernel amd64 6.12 || fail "no kernel headers"
headers=$cache/kernel/amd64-6.12/headers
cross=
[ "$host_arch" = amd64 ] || cross=$(triplet amd64)-
PATH=$(compiler_bin amd64):$PATH
module=$(make -s kmod KDIR="$headers" ${cross:+ARCH=x86_64 CROSS_COMPILE="$cross"} | tail -n 1)

# Another name where "template" is.
mkdir -p "$work/mine" "$work/add"
for file in Makefile Kbuild pmc_template.c; do
	sed 's/template/mine/g' "monitoring-modules/template/$file" >"$work/mine/${file/template/mine}"
done
mine() { make -C "$work/mine" KDIR="$headers" ${cross:+ARCH=x86_64 CROSS_COMPILE="$cross"} "$@" >"$work/log" 2>&1; }
! mine PMCTRACK="$PWD/kmod" || fail "built with a folder that pmctrack.ko is not in"
grep -q "PMCTRACK='$PWD/kmod': pmctrack.ko was not built there" "$work/log" || fail "$(cat "$work/log")"
mine PMCTRACK="${module%/*}" || fail "$(cat "$work/log")"
! grep -iE 'warning|error' "$work/log" || fail "built with complaints"

cp "$work/mine/pmc_mine.ko" "$work/add/"
cat >"$work/add/use" <<'END'
set -e
insmod /pmc_mine.ko
echo activate mine >/proc/pmc/mm_manager
echo mine.period_ms=20 >/proc/pmc/config
pmc-events -V
pmctrack -c instr -V mine_switches,mine_ipc -T 0.02 xz -1 -c /data/headers.txt 2>&1 >/dev/null
pmctrack --format=csv -o /tmp/csv -c instr -V mine_switches,mine_ipc -T 0.02 \
	xz -1 -c /data/headers.txt >/dev/null
cat /tmp/csv
echo deactivate mine >/proc/pmc/mm_manager
rmmod pmc_mine
END
scripts/vm --machine x86-hybrid --add "$work/add" sh /use >"$work/out" 2>&1 ||
	fail "in the machine: $(cat "$work/out")"
grep -q '^mine_ipc .*ratio' "$work/out" || fail "not in pmc-events -V: $(cat "$work/out")"
# P-cores take a cycle for an instruction, E-cores two.
awk -F, '/^nsample/ { for (i = 1; i <= NF; i++) if ($i ~ /mine_ipc/) column = i }
	column && $column ~ /^(0\.50*|1(\.0*)?)$/ { right++ }
	END { exit !(right >= 3) }' "$work/out" ||
	fail "no samples with the machine's instructions per cycle: $(cat "$work/out")"
