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

# The default events are the program's with --per-core-type, too. Page faults stand for one of them:
# the kernel counts them without counters, where it lets programs count.
echo 'EVENT,PAPI_TOT_INS,NOT_DERIVED,page_faults' >"$work/events"
# count_faults OPTION...
count_faults() {
	PAPI_USER_EVENTS_FILE=$work/events "$commands/pmc-run" "$@" --format=csv -o "$work/run" true &&
		sed -n 's/^PAPI_TOT_INS,\([0-9]*\),.*/\1/p' "$work/run"
}
if faults=$(count_faults 2>/dev/null) && [ "$faults" ]; then
	by_type=$(count_faults --per-core-type)
	[ "${by_type:-0}" -ge $((faults / 2)) ] || complain "pmc-run --per-core-type: ${by_type:-no} page faults, without it $faults"
	# It also ends if it is started with SIGCHLD ignored, and its program still ignores it.
	PAPI_USER_EVENTS_FILE=$work/events timeout 10 bash -c 'trap "" CHLD; exec "$@"' bash "$commands/pmc-run" -o "$work/run" \
		grep -q '^SigIgn:.*[13579bdf]....$' /proc/self/status || complain "pmc-run with SIGCHLD ignored: status $?"
fi

# A CPU behind one that is offline has a memory node, too.
read -r online </sys/devices/system/cpu/online
last=${online##*[,-]}
if [ "$(id -u)" -eq 0 ] && [ "$last" -gt 0 ] && unshare --mount true; then
	echo "$last" >"$work/online"
	# shellcheck disable=SC2016 # for the inner shell
	unshare --mount sh -c 'mount --bind "$1" /sys/devices/system/cpu/online && exec "$2" --machine --format=json' \
		sh "$work/online" "$commands/pmc-hwinfo" >"$work/hwinfo" || complain "pmc-hwinfo with CPU $last alone: status $?"
	grep -q "\"cpus\": *\"$last\"" "$work/hwinfo" || complain "no memory node has the only CPU, $last: $(grep -A9 '"nodes": *\[' "$work/hwinfo")"
fi
exit $failed
