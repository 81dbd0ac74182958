# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How the test runners report results: a line for each test, and what a failed test said
# below it. Sourced after scripts/lib.sh. $RESULTS is the file that run counts results in,
# $TIMES has a line `NAME SECONDS` for each test that ran to its end, $FAILED the names of
# the tests that failed.

: "${RESULTS:?this is run by tests/run}" "${TIMES:?}" "${FAILED:=/dev/null}"

# result pass|skip|same|FAIL NAME [REASON]; sets $verdict to the first
result() {
	verdict=$1
	echo "$1" >>"$RESULTS"
	echo "$1 $2${3:+: $3}"
}

# keep_log NAME FILE: what a test printed stays until the test runs again; prints the place
keep_log() {
	local log=$build/test-logs/$1.log
	mkdir -p "${log%/*}"
	cp "$2" "$log"
	echo "$log"
}

# Tests that passed have files there with what they were run with, for SAME=1; see run-machine.
passed_before=$build/test-passed

# fail NAME FILE [REASON]: with the end of what the test said, indented, and where all is. The test
# runs again, whether or not it has passed with the same inputs before.
fail() {
	rm -f "$passed_before/${1%%: *}"
	echo "${1%%: *}" >>"$FAILED"
	result FAIL "$1${3:+: $3}
$(tail -n 100 "$2" | sed 's/^/	/')
	(all of it: $(keep_log "${1%%: *}" "$2"))"
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

# limit SECONDS: after which a test that is expected to take SECONDS is ended. Limits end
# what hangs: hosts may be slow, or busy with other work.
limit() {
	echo $((${PATIENCE:-5} * (12 + 4 * $1)))
}

# What shells say of a command that a script has and the machine has not: the check is none then. It
# is English in any locale.
export LC_ALL=C.UTF-8
unset LANGUAGE
missing_command='^[^ ]+\.sh: (line )?[0-9]+: [^ ]+: (command )?not found$'

# judge NAME STATUS SECONDS OUTPUT: by the exit status of a test program.
judge() {
	local long=
	[ "${SIZE-}" != long ] || long=:long
	echo "$1$long $3" >>"$TIMES"
	case $2 in
	0)
		if grep -qE "$missing_command" "$4"; then
			fail "$1" "$4" "a command is missing"
			return
		fi
		keep_log "$1" "$4" >/dev/null
		result pass "$1 ($3 s)" ;;
	77)
		keep_log "$1" "$4" >/dev/null
		result skip "$1" "$(grep . "$4" | tail -n 1)" ;;
	*) fail "$1" "$4" "exit status $2" ;;
	esac
}
