#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# pmc-run --per-core-type counts the program: all of its instructions, and each core type's part of
# them. So it does without -e, with the default events.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

cd /tmp || exit 1
# known_loop has two million instructions, and the exit status 7; exec() has some hundred.
for options in "-e PAPI_TOT_INS" "" --no-inherit; do
	# shellcheck disable=SC2086 # a list of words
	status 7 pmc-run --per-core-type $options --format=csv -o - /tests/programs/known_loop
	awk -F , '
		$1 == "PAPI_TOT_INS" { all = $2 }
		$1 ~ /::PAPI_TOT_INS$/ { types++; sum += $2 }
		END { exit !(all > 2000000 && all < 2100000 && types >= 2 && sum == all) }' out ||
		{ wrong "--per-core-type $options: expected two million instructions, and their parts"; cat out; }
done
exit $fail
