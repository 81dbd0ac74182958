#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The tutorial (docs/tutorial.md): each command that it shows at the machine's prompt, "# ",
# is run, and prints what the tutorial says.
#
# Lines are compared by their form: any number is as good as another, and so are blanks and
# the bars of a chart. But a number of six digits or more that the tutorial has in several
# places is the same number everywhere here, too, within the few instructions by which runs of
# a program with a C library differ; and a line that it repeats at once is repeated to the
# digit. A line "..." is any lines.

tutorial=${1:-/tests/cli/tutorial.md}
cd "$(mktemp -d)" || exit

# Commands, of which each announces itself by its number, and the lines that are expected
awk '
	/^```/ { shown = !shown; typed = 0; next }
	!shown { next }
	!typed && /^# / {
		nr++
		printf "echo \"@@ %d\"\n", nr >"session"
	}
	typed || /^# / {
		sub(/^# /, "")
		print >"session"
		typed = /\\$/
		next
	}
	nr { print nr "\t" $0 >"expected" }
' "$tutorial"
[ -s session ] && [ -s expected ] || { echo "$tutorial has no commands"; exit 1; }
paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
echo 3 >/proc/sys/kernel/perf_event_paranoid
sh session >output 2>&1
# The tests to come find the machine as it was.
echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
echo deactivate energy >/proc/pmc/mm_manager
rmmod pmc_energy

awk '
	function form(line) {
		if (line ~ /^ *[0-9.kMG]* *[+|][-#|:. ]*$/)
			return "chart"
		gsub(/[0-9]+(\.[0-9]+)?[kMG]?/, "N", line)
		gsub(/[ \t]+/, " ", line)
		sub(/ $/, "", line)
		return line
	}
	# The numbers of a line must be those that the tutorial called by the same digits.
	function check_numbers(text, line, n, i, t, l, told) {
		told = text
		gsub(/[0-9]+\.[0-9]+|0x[0-9a-f]+/, "", told)
		gsub(/[0-9]+\.[0-9]+|0x[0-9a-f]+/, "", line)
		n = split(told, t, /[^0-9]+/)
		split(line, l, /[^0-9]+/)
		for (i = 1; i <= n; i++) {
			if (length(t[i]) < 6)
				continue
			if (!(t[i] in number))
				number[t[i]] = l[i]
			else if (number[t[i]] - l[i] > 100 || l[i] - number[t[i]] > 100)
				wrong(l[i] " here, " number[t[i]] " before", text)
		}
	}
	function wrong(what, line) {
		printf "command %d: \"%s\": %s\n", nr, line, what
		failed = 1
	}
	function compare(i, at, any) {
		at = 1
		any = 0
		for (i = 1; i <= wanted[nr]; i++) {
			if (want[nr, i] == "...") {
				any = 1
				continue
			}
			while (any && at <= lines && form(got[at]) != form(want[nr, i]))
				at++
			if (at > lines || form(got[at]) != form(want[nr, i])) {
				wrong(at > lines ? "is not printed" : "got \"" got[at] "\"", want[nr, i])
				return
			}
			if (form(got[at]) != "chart")
				check_numbers(want[nr, i], got[at])
			if (i > 1 && want[nr, i] == want[nr, i - 1] && got[at] != got[at - 1])
				wrong("is \"" got[at - 1] "\", then \"" got[at] "\"", want[nr, i])
			at++
			any = 0
		}
		if (!any && at <= lines)
			wrong("is printed besides", got[at])
	}
	FILENAME == "expected" {
		i = index($0, "\t")
		nr = substr($0, 1, i - 1)
		want[nr, ++wanted[nr]] = substr($0, i + 1)
		next
	}
	/^@@ [0-9]+$/ {
		if (started)
			compare()
		started = 1
		nr = $2
		lines = 0
		next
	}
	{ got[++lines] = $0 }
	END {
		compare()
		printf "%d commands\n", nr
		exit failed
	}
' expected output && exit 0
cat output
exit 1
