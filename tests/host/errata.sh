#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# cmt refuses a Skylake that monitors its caches incorrectly. It monitors the caches of a
# later stepping (with many rounds only), and refuses to partition them. unit/test_cmt has the
# list of models, and both errata.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/add"
cat >"$work/add/use" <<'END'
insmod /lib/pmctrack/pmc_cmt.ko
for text in 'activate cmt >/proc/pmc/mm_manager' 'cmt.cat=1:3 >/proc/pmc/config'; do
	eval "echo $text" 2>/dev/null || tail -n 1 /proc/pmc/mm_manager
done
END

# expect STEPPING TEXT...: what it says to the one and the other
expect() {
	local stepping=$1 text
	shift
	scripts/vm --machine x86-hybrid --add "$work/add" \
		--cpu "Skylake-Client-noTSX-IBRS,model=85,stepping=$stepping,-monitor" \
		sh /use >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
	for text; do
		grep -q "$text" "$work/out" ||
			{ echo "stepping $stepping: not '$text':"; cat "$work/out"; exit 1; }
	done
}

expect 4 'cmt: these processors monitor their caches wrong' 'cmt.cat lasts as long as cmt is active'
[ "${SIZE-}" != long ] || expect 7 "cmt.cat: these processors' caches can't be partitioned"
