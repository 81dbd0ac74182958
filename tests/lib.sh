# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How the test runners tell results: a line for each test, and what a failed
# test said below it. Sourced after scripts/lib.sh. $RESULTS is the file that
# run counts them in, $TIMES has a line `NAME SECONDS` for each that ran to its end.

: "${RESULTS:?this is run by tests/run}" "${TIMES:?}"

# result pass|skip|FAIL NAME [REASON]
result() {
	echo "$1" >>"$RESULTS"
	echo "$1 $2${3:+: $3}"
}

# fail NAME FILE [REASON]: with the end of what the test said, indented.
fail() {
	result FAIL "$1${3:+: $3}
$(tail -n 100 "$2" | sed 's/^/	/')"
}

# selected NAME: is the test among those asked for?
selected() {
	local pattern patterns
	[ "${TESTS-}" ] || return 0
	read -ra patterns <<<"$TESTS"
	for pattern in "${patterns[@]}"; do
		# shellcheck disable=SC2053 # a pattern
		[[ $1 != $pattern ]] || return 0
	done
	return 1
}

# judge NAME STATUS SECONDS OUTPUT: by the exit status of a test program.
judge() {
	echo "$1 $3" >>"$TIMES"
	case $2 in
	0) result pass "$1 ($3 s)" ;;
	77) result skip "$1" "$(grep . "$4" | tail -n 1)" ;;
	*) fail "$1" "$4" "exit status $2" ;;
	esac
}
