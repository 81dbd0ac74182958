#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The manual pages: formatted without a warning, each with examples; each function of the
# library has a page, that has its prototype; programs in examples compile.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
complain() {
	echo "$*"
	failures=$((failures + 1))
}

# all_pages install-man|uninstall-man
all_pages() {
	local folder
	for folder in libpmc pmctrack-cli pmctrack-cli/schedulers pmctrack-cli/{web,pcp}; do
		make -s -C "$folder" "$1" DESTDIR="$work" prefix=/usr || exit
	done
}
all_pages install-man
man=$work/usr/share/man

# section NAME <TEXT: one section of a page's text, as it is read
section() { sed -n "/^$1\$/,/^[A-Z]/{/^[A-Z]/d; s/^       //; p}"; }

for page in libpmc/man/*.[0-9] pmctrack-cli/man/*.[0-9]; do
	groff -t -man -ww -Tascii -P-cbou "$page" >"$work/text" 2>"$work/warnings"
	[ ! -s "$work/warnings" ] || complain "$page: $(cat "$work/warnings")"
	for name in NAME DESCRIPTION "SEE ALSO" EXAMPLES; do
		[ "$(section "$name" <"$work/text")" ] || complain "$page has no section $name"
	done
	[ "${page##*.}" = 3 ] || continue
	for name in SYNOPSIS "RETURN VALUE" ERRORS THREADS; do
		[ "$(section "$name" <"$work/text")" ] || complain "$page has no section $name"
	done
	# In a wide terminal a prototype is as it is in the source. Macros stand before functions.
	{
		echo '#include <pmctrack.h>'
		for name in pmc_session_next pmc_region_read pmc_region_each pmc_listener_next; do echo "#undef $name"; done
		section SYNOPSIS <"$work/text" | sed '/^#define/d; /^Link with/,$d; /^No library/d'
	} >"$work/synopsis.c"
	section EXAMPLES <"$work/text" | sed -n '/^#include/,$p' >"$work/example.c"
	for name in synopsis example; do
		gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -Ilibpmc/include "$work/$name.c" 2>"$work/warnings" ||
			complain "$page: the $name does not compile: $(cat "$work/warnings")"
	done
	grep -q 'int main(' "$work/example.c" || complain "$page: the example is no program"
done

# The pages that a page refers to exist.
for page in "$man"/man?/*; do
	while read -r other; do
		case $other in
		pmc* | libpmctrack*) ;;
		*) continue ;;
		esac
		[ -e "$man/man${other##*.}/$other" ] || complain "${page##*/}: there is no page $other"
	done < <(sed -n '/^\.SH SEE ALSO/,$s/^\.BR \([^ ]*\) (\([0-9]\)).*/\1.\2/p' "$page" | sed 's/\\-/-/g')
done

while read -r name; do
	if [ ! -e "$man/man3/$name.3" ]; then
		complain "man $name finds no page"
	elif ! grep -q "^\.B.*[ *]$name(" "$man/man3/$name.3"; then
		complain "$name is not in the synopsis of its page"
	fi
	! command -v man >/dev/null || man -M "$man" -w 3 "$name" >/dev/null || complain "man 3 $name fails"
done < <(sed -n 's/^\t\(pmc[a-z_]*\);$/\1/p' libpmc/libpmctrack.map)

# Each session command is explained, in the protocol and in both manual pages.
while read -r name; do
	for page in libpmc/man/pmc_session_open.3 pmctrack-cli/man/pmctrack.4; do
		grep -qF "\\fB${name/-/\\-}\\fP" "$page" || complain "$page does not explain the command $name"
	done
	grep -q "^|.*\`${name}[ \`]" docs/protocol.md || complain "docs/protocol.md does not explain the command $name"
done < <(sed -n 's/^PMC_COMMAND([A-Z_]*, "\([a-z-]*\)".*/\1/p' kmod/base/command_rows.h)

# Each verb of pmctrack has a page, and is in pmctrack(1) and in `pmctrack --help`.
while read -r name; do
	[ -e "$man/man1/pmctrack-$name.1" ] || complain "the verb $name has no page"
	grep -q "^\.BR $name \", \" pmctrack" pmctrack-cli/man/pmctrack.1 || complain "pmctrack.1 does not list the verb $name"
	grep -q "^\" *pmctrack $name " pmctrack-cli/src/options.c || complain "pmctrack --help does not list the verb $name"
done < <(sed -n 's/^\tVERB(\([a-z]*\)).*/\1/p' pmctrack-cli/src/verb.h)

# Each statistic of a scheduler is explained. pmc-rr has none of a metric, which come last.
pages="hsp rr"
while read -r name; do
	[ "$name" != held ] || pages=hsp
	for page in $pages; do
		grep -q "^\.B $name\$" "pmctrack-cli/man/pmc-$page.1" ||
			complain "pmc-$page.1 does not explain the statistic $name"
	done
done < <(sed -n 's/^\tSTAT(.*, "\([a-z_]*\)").*/\1/p' pmctrack-cli/schedulers/statistics.h)

all_pages uninstall-man
left=$(find "$work/usr" ! -type d)
[ ! "$left" ] || complain "not uninstalled: $left"
exit $((failures > 0))
