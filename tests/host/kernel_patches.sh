#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The patches for the kernel fit Debian's sources exactly, bring the same interface
# to each version, and change little: under 20 lines outside their two new files, all of
# them includes or calls.

. "$(dirname "$0")/../../scripts/lib.sh"
cd "$top/kernel-patches"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
complain() {
	echo "$*"
	failures=$((failures + 1))
}

# changed FILE...: lines that patches add to or take from the files of the kernel
# that are called so; no files: from all but the new ones and those for the build
changed() {
	awk -v files="$*" -v new="include/linux/pmctrack.h kernel/pmctrack.c" \
		-v build="init/Kconfig kernel/Makefile" '
		function among(f, list) { return index(" " list " ", " " f " ") }
		/^\+\+\+ / { file = substr($2, 3); next }
		/^---( |$)/ || !/^[-+]/ { next }
		files ? among(file, files) : !among(file, new " " build)
		' "$version"/*.patch
}

read_linux_source
for version in 6.1 6.12 7.3; do
	for p in "$version"/*.patch; do
		grep -q '^Subject: ' "$p" || complain "$p: git am would not take it"
	done
	cmp "$version/0001-pmctrack-kernel-api.patch" 6.12/0001-pmctrack-kernel-api.patch || failures=$((failures + 1))

	core=$(changed)
	lines=$(wc -l <<<"$core")
	echo "$version: $lines lines in the scheduler, fork, exec and exit, $(changed kernel/Makefile init/Kconfig | wc -l) for the build"
	[ -n "$core" ] && [ "$lines" -lt 20 ] || complain "$version: $lines lines changed, not under 20"
	odd=$(grep -vE '^\+(#include <linux/pmctrack\.h>|	+pmctrack_(sched_switch|fork|exec|exit)\([a-z_, ]*\);)$' <<<"$core") || :
	[ -z "$odd" ] || complain "$version: neither includes nor calls: $odd"
	[ "$(changed init/Kconfig kernel/Makefile | wc -l)" -lt 20 ] || complain "$version: the build's share is not small"

	"$top/scripts/fetch" linux-source "$version"
	mapfile -t files < <(sed -n 's|^--- a/||p' "$version"/*.patch)
	mkdir "$work/$version"
	tar -x -J -f "$cache/linux-source/$version/linux-source.tar.xz" -C "$work/$version" --occurrence \
		--strip-components=1 "${files[@]/#/linux-source-$version/}"
	for p in "$version"/*.patch; do
		patch -d "$work/$version" -p1 -F0 --no-backup-if-mismatch <"$p" >"$work/log" ||
			complain "$p does not fit: $(cat "$work/log")"
	done
	for f in "${files[@]}"; do
		grep -qi pmctrack "$work/$version/$f" || complain "$version: nothing was changed in $f"
	done
done
[ $failures -eq 0 ]
