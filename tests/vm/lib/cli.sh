#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# shellcheck disable=SC2034 # fail is for the tests
# What tests of commands share. Sourced; $fail is the exit status to be.

fail=0

wrong() { echo "$*"; fail=1; }

# status EXPECTED COMMAND...: run it, its output goes to the file out
status() {
	expected=$1
	shift
	"$@" >out 2>err
	got=$?
	[ $got -eq "$expected" ] || { wrong "$*: exit status $got, expected $expected"; cat out err; }
}

# report EXPECTED COMMAND...: the same; the file out has pmctrack's report, too, wherever it went
report() {
	status "$@"
	cat err >>out
}

# has FILE PATTERN
has() { grep -qE -e "$2" "$1" || { wrong "no '$2' in the output:"; cat "$1"; }; }

# refused PATTERN COMMAND...: exit status 2 and one line that matches
refused() {
	pattern=$1
	shift
	status 2 "$@"
	has err "$pattern"
	[ "$(wc -l <err)" -eq 1 ] || { wrong "$*: not one line:"; cat err; }
	[ ! -s out ] || wrong "$*: output besides the error"
}

# ends_with_full_pipe COMMAND...: SIGTERM ends it with status 0 while nobody reads its output
ends_with_full_pipe() {
	mkfifo full_pipe
	exec 9<>full_pipe
	head -c 65536 /dev/zero >&9
	"$@" >&9 2>err 9>&- &
	writer=$!
	sleep 1
	kill $writer
	i=0
	while kill -0 $writer 2>/dev/null && [ $i -lt 300 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	[ $i -lt 300 ] || { wrong "$*: it goes on after a signal, as its pipe is full"; kill -9 $writer; }
	wait $writer || wrong "$*: a signal while the pipe is full: status $?, $(cat err)"
	exec 9>&-
	rm full_pipe
}

# take_counters CORETYPE: for a moment root counts its CPUs with each counter that has instructions
take_counters() {
	set=$(awk -v name="$1" -v type=none '$1 == "core_type" && $0 ~ " name " name " " { type = $2 }
		$1 != "counter" || $2 != type || !($4 == "general" || $4 " " $5 == "fixed instr") { next }
		{
			gsub("pmc", "", $3)
			n = split($3, range, "-")
			for (i = range[1] + 0; i <= range[n] + 0; i++)
				printf "%sinstr:pmc=%d", some++ ? "," : "", i
		}' /proc/pmc/info)
	status 0 pmctrack -S -P "$1" -c "$set" -T 0.01 -N 0.05
}
