#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# pmc-epapi-read: its options, several dumps, and its messages for bad dumps.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
make -s -C pmctrack-cli O="$work" "$work/pmc-epapi-read" || exit

# area CORE VALUE: the results of one event, with the last byte of its value.
area() {
	printf 'ePAP\1%b\1\0\040\0\020\0\2\0\0\0' "\\0$1"
	printf '%b\0\0\0\0\0\0\0\073\0\0\200\0\0\0\0' "\\0$2"
}
{ printf 'something before'; area 0 101; } >"$work/core0"
area 2 007 >"$work/core2"
printf 'ePAP' >"$work/short"
printf 'nothing to see here' >"$work/none"
head -c 40 "$work/core0" >"$work/cut"
cat "$work/core0" "$work/core2" >"$work/both"
cat "$work/core2" "$work/cut" >"$work/second-cut"
{ printf 'ePAPI_start'; cat "$work/core2"; printf 'ePAPI_stop and more'; } >"$work/text"
{ printf 'ePAPI_start'; cat "$work/cut"; } >"$work/text-cut"

# A value and a code that look like the beginning of an area.
{
	printf 'ePAP\1\0\2\0\060\0\020\0\2\0\0\0'
	printf 'ePAP\1\0\1\0\100\0\020\0\0\0\0\0'
	printf '\7\0\0\0\0\0\0\0\073\0\0\200\0\0\0\0'
} >"$work/nested"

# expect WHAT STATUS OUT-PATTERN ERR-PATTERN ARG...
expect() {
	local what=$1 status=$2 out=$3 err=$4 rc=0
	shift 4
	(cd "$work" && ./pmc-epapi-read "$@") >"$work/out" 2>"$work/err" <"$work/core2" || rc=$?
	if [ $rc -ne "$status" ] || ! [[ $(tr '\n' '~' <"$work/out") =~ $out ]] ||
			! [[ $(tr '\n' '~' <"$work/err") =~ $err ]]; then
		echo "$what: status $rc, expected $status; output:"
		cat "$work/out" "$work/err"
		failures=$((failures + 1))
	fi
}

header=file,offset,core,state,mode,cctrl,event,code,pmctrack,value,wrapped,inexact
tail=stopped,normal,0x2,PAPI_TOT_CYC,0x8000003b,cycles
expect "help" 0 '^Usage: pmc-epapi-read' '^$' --help
expect "a table" 0 '^\[Core 0: stopped, normal mode, CCTRL 0x2]~event .*~PAPI_TOT_CYC +CCNT +65  cycles~$' '^$' core0
expect "two dumps" 0 'Core 0.*65.*~~\[Core 2.* 7 ' '^$' core0 core2
expect "two areas" 0 'Core 0.*65.*~~\[Core 2.* 7 ' '^$' both
expect "standard input" 0 '^\[Core 2' '^$' -
expect "CSV" 0 "^$header~core0,16,0,$tail,65,0,0~both,16,0,$tail,65,0,0~both,48,2,$tail,7,0,0~$" '^$' \
	--format=csv core0 both
expect "JSON" 0 '^\{"areas": \[~\{"file": "core2".*"value": 7, .*~]}~$' '^$' --format=json core2
expect "an offset" 0 'Core 2.* 7 ' '^$' --at=0x30 both
expect "a wrong offset" 2 '^$' '^pmc-epapi-read: core0: offset 4: no results area.*~$' -a 4 core0
expect "an offset behind the end" 2 '^$' '^pmc-epapi-read: core0: offset 4096: the file ends.*~$' -a 4096 core0
expect "no offset" 2 '^$' '^pmc-epapi-read: -a -1: .*~$' -a -1 core0
expect "no format" 2 '^$' '^pmc-epapi-read: --format=xml: there are table, csv and json~$' --format=xml core0
expect "no dump" 2 '^$' '^pmc-epapi-read: name a file with a core.s memory .*--help\)~$'
expect "no such dump" 2 '^$' '^pmc-epapi-read: cannot open absent: No such file or directory~$' absent
expect "a folder" 2 '^$' '^pmc-epapi-read: cannot read epapi: Is a directory~$' epapi
expect "nothing in it" 2 '^$' '^pmc-epapi-read: none: no results area in its 19 bytes: .*~$' none
expect "a short one" 2 '^$' '^pmc-epapi-read: short: offset 0: the file ends .*~$' short
expect "the second is cut" 2 '^\[Core 2.* 7 ' '^pmc-epapi-read: second-cut: offset 48: the file ends within .*~$' \
	second-cut
expect "text around" 0 '^\[Core 2[^~]*~[^~]*~[^~]*~$' '^$' text
expect "text before one that is cut" 2 '^$' '^pmc-epapi-read: text-cut: offset 27: the file ends within .*~$' text-cut
expect "an area in an area" 0 '^\[Core 0[^~]*~[^~]*~[^~]*~[^~]*~$' '^$' nested
expect "one that is cut" 2 '^$' '^pmc-epapi-read: cut: offset 16: the file ends within .*~$' cut

exit $((failures > 0))
