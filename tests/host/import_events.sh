#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# pmc-import-events: a later table takes precedence, a table has one line in the index, and a
# reader of the index sees all of it.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }
scripts/deps tables && scripts/build native >/dev/null || fail "not installed, or not built"
export LD_LIBRARY_PATH=$build/native/libpmc PMCTRACK_PROC=$PWD/tests/unit/info/hybrid PMCTRACK_EVENTS=$work/events:

# import NAME CODE [ARG...]: a table with the event NAME.ONE
import() {
	echo "[{\"EventName\": \"$1.ONE\", \"EventCode\": \"$2\"}]" >"$work/$1.json"
	scripts/pmc-import-events -d "$work/events" -n "$1" "${@:3}" "$work/$1.json" >"$work/said" 2>&1 ||
		fail "import of $1: $(cat "$work/said")"
}
# means EVENT CODE
means() {
	local said
	said=$("$build/native/cli/pmc-events" -n P -e "$1" 2>&1) || :
	[ "$said" = "ev=$2,coretype=0" ] || fail "$1: $said
in the index: $(cat "$work/events/index")"
}
# index_is LINE...: behind a comment
index_is() {
	[ "$(sed 1d "$work/events/index")" = "$(printf '%s\n' "$@")" ] && grep -q '^#' <(sed -n 1p "$work/events/index") ||
		fail "the index is: $(cat "$work/events/index")"
}

import first 0x11
means first.one 0x11
import second 0x22 -p GenuineIntel-6-97
means second.one 0x22
index_is $'GenuineIntel-6-97\t-\tsecond.events' $'*\t-\tfirst.events'

# A table that is imported again; lines of the user's own, in any form
printf '* - mine.events\r\nGenuineIntel-6-97 - first.events\r\n' >>"$work/events/index"
exec 3<"$work/events/index"
before=$(cat "$work/events/index")
import first 0x33
means first.one 0x33
index_is $'*\t-\tfirst.events' $'GenuineIntel-6-97\t-\tsecond.events' $'* - mine.events\r'
[ "$(cat <&3)" = "$before" ] || fail "a reader sees an index that changes"

# An index without a comment
printf '* - mine.events\n' >"$work/events/index"
import second 0x44
[ "$(cat "$work/events/index")" = $'*\t-\tsecond.events\n* - mine.events' ] ||
	fail "the index is: $(cat "$work/events/index")"
[ "$(ls "$work/events")" = $'first.events\nindex\nsecond.events' ] || fail "there are: $(ls "$work/events")"

# One table for two processors
import third 0x66 -p GenuineIntel-6-97
import third 0x77 -p GenuineIntel-6-9A
[ "$(grep -c third "$work/events/index")" -eq 2 ] || fail "the index is: $(cat "$work/events/index")"
means third.one 0x77

# Imports at the same time
for i in 1 2 3 4 5 6 7 8; do
	echo "[{\"EventName\": \"MANY.ONE\", \"EventCode\": \"0x5$i\"}]" >"$work/many$i.json"
	scripts/pmc-import-events -d "$work/events" -n "many$i" "$work/many$i.json" >"$work/said$i" 2>&1 &
done
wait
[ "$(grep -c many "$work/events/index")" -eq 8 ] || fail "of 8 imports at the same time the index has: $(cat "$work/events/index")"

# Without -n, a table has the name of its file's folder, whatever CDPATH is.
mkdir -p "$work/here/sub" "$work/elsewhere/sub"
cp "$work/first.json" "$work/here/"
(cd "$work/here" && CDPATH=$work/elsewhere "$top/scripts/pmc-import-events" -d "$work/events" sub/../first.json) >"$work/said" 2>&1 ||
	fail "import with CDPATH: $(cat "$work/said")"
[ -e "$work/events/here.events" ] || fail "with CDPATH there are: $(ls "$work/events")"
