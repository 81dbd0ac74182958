#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# libpmcpapi exports the calls that its headers declare, and no other name of PAPI's. The table
# in libpmc/papi/README.md has each of them.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
scripts/build native || exit

nm -D --defined-only "$build/native/papi/libpmcpapi.so" | awk '$2 == "T" && $3 !~ /^_?papif_/ { print $3 }' |
	grep -vi '^papif_' | sort >"$work/exported"
grep -v '^pmcpapi_' "$work/exported" >"$work/papi"
# Comments have names of calls, too, and macros have no type before the name.
for header in papi.h pmcpapi.h; do
	${CC:-cc} -E -P -I libpmc/papi/include "libpmc/papi/include/$header"
done | grep -o '\<\(PAPI\|pmcpapi\)_[a-z_]*(' | tr -d '(' | sort -u >"$work/declared"
# The backquotes are those of the table.
# shellcheck disable=SC2016
sed -n '/^## Calls/,/^## Files/s/^| \([^|]*\) |.*/\1/p' libpmc/papi/README.md | grep -o '`[a-z_]*`' |
	tr -d '`' | sed 's/^/PAPI_/' | sort >"$work/listed"

# same WHAT FILE FILE
same() {
	diff "$work/$2" "$work/$3" >"$work/diff" && return
	echo "$1:"
	cat "$work/diff"
	failures=$((failures + 1))
}

[ -s "$work/papi" ] || failures=1
same "declared in the headers (<), exported (>)" declared exported
same "in the table of libpmc/papi/README.md (<), exported (>)" listed papi
[ "$failures" -eq 0 ]
