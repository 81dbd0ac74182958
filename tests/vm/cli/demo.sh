#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The output of `make run` has everything that the demonstration announces.

head -c 1200000 /data/headers.txt >/tmp/text
demo /tmp/text >/tmp/demo.out 2>&1 || { cat /tmp/demo.out; exit 1; }

failed=0
# shown WHAT PATTERN
shown() {
	grep -qE "$2" /tmp/demo.out || { echo "not shown: $1"; failed=1; }
}
shown "the core types" 'Core type 0: (big|P|classic)'
shown "the core types" 'Core type 1: (little|E|dense)'
shown "what a generic event is" 'coretype=1'
shown "a column for each event" '^sample +tid +name .* instr +cycles '
shown "samples over time" '^ +[0-9]+ .* tick '
shown "totals of each core type" '^instr +[1-9][0-9]* +[1-9][0-9]* +[1-9][0-9]*$'
shown "a chart" '^instructions per cycle, core type 1'
[ $failed -eq 0 ] || cat /tmp/demo.out
exit $failed
