#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# With the tables of all processors installed, a command starts in less than 60 million
# instructions, those of the kernel included: 20 ms of a core of 3 GHz that executes one a
# cycle. Most of them are libpfm4's, which looks for all PMUs that it knows. Looking up a name in
# a table is a small part.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh
cd "$(mktemp -d)" || exit
[ -e /usr/share/pmctrack/events/index ] || { echo "no tables of events were built"; exit 77; }

# cost COMMAND...: sets $n
cost() {
	pmctrack -A -c instr:u:k "$@" >out 2>&1 || { wrong "$*: exit status $?"; cat out; }
	n=$(awk '$1 == "instr:u:k" && NF == 4 { print $4 }' out)
	[ "$n" ] || { wrong "$*: no count"; cat out; n=0; }
	echo "$*: $n instructions"
	[ "$n" -lt 60000000 ] || wrong "not under 60 million"
}

cost pmctrack --help
cost pmc-events -e instr,cycles
without=$n
cost pmc-events -e INST_RETIRED.ANY,BR_MISP_RETIRED.COND,coretype=0
[ $((n - without)) -lt 2000000 ] || wrong "names of a table take $((n - without)) instructions"
exit $fail
