#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The library exports the functions of its headers, each with a version, and nothing else.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
make -s -C libpmc O="$work" || exit

# A declaration may take several lines.
awk '/^PMC_API/ { text = ""; on = 1 }
	on { text = text " " $0 }
	on && /;/ { sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text; on = 0 }' \
	libpmc/include/*.h | sort >"$work/declared"
nm -D --defined-only "$work/libpmctrack.so" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' |
	sort >"$work/exported"
sed -n 's/^\t\([^*]*\);$/\1/p' libpmc/libpmctrack.map | sort >"$work/listed"

# same WHAT FILE FILE
same() {
	diff "$work/$2" "$work/$3" >"$work/diff" && return
	echo "$1:"
	cat "$work/diff"
	failures=$((failures + 1))
}

[ -s "$work/declared" ] || failures=1
same "declared in the headers (<), exported (>)" declared exported
same "named in libpmctrack.map (<), exported (>)" listed exported

exit $((failures > 0))
