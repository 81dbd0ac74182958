#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Commands on PAPI's calls: without --format they print the table, with its headings.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "$*"; failed=1; }
scripts/build native || exit
export LD_LIBRARY_PATH=$build/native/libpmc:$build/native/papi
commands=$build/native/papi-cli

# These work on any machine.
for command in pmc-errors pmc-hwinfo; do
	"$commands/$command" >"$work/default" || complain "$command: status $?"
	"$commands/$command" --format=table >"$work/table" || complain "$command --format=table: status $?"
	# A clock rate may be that of the moment.
	grep -v "clock rate" "$work/default" | cmp -s - <(grep -v "clock rate" "$work/table") || complain "$command prints something else than its table"
done
"$commands/pmc-errors" >"$work/errors"
grep -q '^code  name' "$work/errors" || complain "pmc-errors prints no heading"
exit $failed
