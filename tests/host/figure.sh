#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# gnuplot draws the figures of pmctrack -o NAME.svg: those that the unit tests write, of invented
# samples, as SVG and as PNG.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

command -v gnuplot >/dev/null || fail "no gnuplot: install gnuplot-nox"
scripts/build unit test_cli_image || fail "not built"
fixed="setarch --addr-no-randomize"
$fixed true 2>/dev/null || fixed=
PMCTRACK_TEST_REPORTS=$work $fixed "$build/native/unit/test_cli_image" >"$work/log" 2>&1 ||
	fail "$(cat "$work/log")"
cd "$work" || exit
for figure in core-types threads by-core-type empty-panel below-zero; do
	gnuplot "figure-$figure-0.gp" 2>err || fail "$figure: $(cat err)"
	[ ! -s err ] || fail "$figure: $(cat err)"
	[ "$(head -c 4 "figure-$figure-0.png" | tail -c 3)" = PNG ] || fail "$figure: no PNG"
	sed "s/^set terminal pngcairo/set terminal svg/; s/0\.png'/0.svg'/" "figure-$figure-0.gp" >svg.gp
	gnuplot svg.gp 2>err || fail "$figure: $(cat err)"
done

# texts FIGURE TEXT...
texts() {
	local text
	sed "s/&apos;/'/g; s/&#39;/'/g" "figure-$1-0.svg" >texts
	for text in "${@:2}"; do
		grep -qF -e "$text" texts || fail "$1: no '$text'"
	done
}
texts core-types 'instructions per cycle' '~sf' 'main 7009 on P' 'main 7009 on E' seconds
texts threads "it's a \\x5cthread 110 on " 'branches per second'
# A line is interrupted where there are no samples: it begins twice.
begins=$(tr '\n' ' ' <figure-below-zero-0.svg | grep -o "stroke='rgb(  0, 114, 178)'[^>]*" | grep -o ' M[0-9]' | wc -l)
[ "$begins" -eq 2 ] || fail "below-zero: the line begins $begins times"
# Two lines of two colours
for colour in 'rgb(  0, 114, 178)' 'rgb(213,  94,   0)'; do
	[ "$(grep -cF "stroke='$colour'" figure-core-types-0.svg)" -ge 1 ] ||
		grep -qF "$colour" figure-core-types-0.svg || fail "no line of colour $colour"
done
