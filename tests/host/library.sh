#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The library exports the functions of its headers, each with a version, and nothing else. The
# headers refuse other sizes of the arrays that the library fills. Each header can be included
# alone, in C and in C++, and has at most 300 lines; pmctrack.h includes all parts but user_page.h,
# which is for programs without the library.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
scripts/build native || exit

# A declaration may take several lines.
awk '/^PMC_API/ { text = ""; on = 1 }
	on { text = text " " $0 }
	on && /;/ { sub(/\(.*/, "", text); sub(/.*[ *]/, "", text); print text; on = 0 }' \
	libpmc/include/*.h libpmc/include/pmctrack/*.h | sort >"$work/declared"
nm -D --defined-only "$build/native/libpmc/libpmctrack.so" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' |
	sort >"$work/exported"
sed -n 's/^\t\([^*]*\);$/\1/p' libpmc/libpmctrack.map | sort >"$work/listed"

# same WHAT FILE FILE
same() {
	diff "$work/$2" "$work/$3" >"$work/diff" && return
	echo "$1:"
	cat "$work/diff"
	failures=$((failures + 1))
}

[ -s "$work/declared" ] || failures=1
same "declared in the headers (<), exported (>)" declared exported
same "named in libpmctrack.map (<), exported (>)" listed exported

readelf -d "$build/native/libpmc/libpmctrack.so" | grep -qF 'soname: [libpmctrack.so.1]' ||
	{ echo "the soname is not libpmctrack.so.1"; failures=$((failures + 1)); }

# compiles SIZE NAME: a program that has defined NAME as SIZE
compiles() {
	echo '#include <pmctrack.h>' |
		"${CC:-cc}" -fsyntax-only -Ilibpmc/include "-D$2=$1" -x c - 2>"$work/errors"
}

for size in PMC_MAX_VIRTUALS=16 PMC_MAX_COUNTS=32 MAX_PERFORMANCE_COUNTERS=32 \
	MAX_VIRTUAL_COUNTERS=32; do
	name=${size%=*} right=${size#*=}
	compiles "$right" "$name" || { cat "$work/errors"; failures=$((failures + 1)); }
	for wrong in $((right - 1)) $((right + 1)); do
		if compiles "$wrong" "$name"; then
			echo "$name may be $wrong"
			failures=$((failures + 1))
		fi
		grep -q "$name is $right: the library fills arrays of that size" "$work/errors" ||
			{ cat "$work/errors"; failures=$((failures + 1)); }
	done
done

# alone HEADER COMPILER...: does a program compile that includes nothing else?
alone() {
	local header=$1
	shift
	printf '#include <%s>\nextern int alone;\n' "$header" |
		"$@" -Wall -Wextra -pedantic -Werror -fsyntax-only -Ilibpmc/include - 2>"$work/errors" && return
	echo "$header cannot be included alone ($*):"
	cat "$work/errors"
	failures=$((failures + 1))
}

for file in libpmc/include/*.h libpmc/include/pmctrack/*.h; do
	header=${file#libpmc/include/}
	alone "$header" "${CC:-cc}" -x c -std=c11
	alone "$header" clang -x c++ -std=c++11
	[ "$(wc -l <"$file")" -le 300 ] || { echo "$file has more than 300 lines"; failures=$((failures + 1)); }
	case $header in
	pmctrack/user_page.h) ;;
	pmctrack/*)
		grep -qF "#include <$header>" libpmc/include/pmctrack.h ||
			{ echo "pmctrack.h does not include $header"; failures=$((failures + 1)); } ;;
	esac
done

# The examples compile. That of the user page needs no library.
for example in caliper user_page; do
	libs=
	[ $example = user_page ] || libs="-L$build/native/libpmc -lpmctrack"
	# shellcheck disable=SC2086 # several words
	"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -O2 -Ilibpmc/include -o "$work/example" \
		libpmc/examples/$example.c $libs 2>"$work/errors" ||
		{ cat "$work/errors"; failures=$((failures + 1)); }
done

exit $((failures > 0))
