#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# How ePAPI is built and installed, with a compiler for TriCore that only logs its arguments.
# Options of the library do not replace -Os. Headers, library and linker fragments that a
# program needs are installed.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

cat >"$work/fake-gcc" <<'END'
#!/bin/bash
echo "$*" >>"${0%/*}/calls"
while [ "$1" != -o ]; do shift; done
echo object >"$2"
END
cat >"$work/fake-ar" <<'END'
#!/bin/bash
cat "${@:3}" >"$2"
END
chmod +x "$work"/fake-*

PMCTRACK_CACHE=$work/cache CROSS=$work/fake- CFLAGS="-DEPAPI_TC3XX -DEPAPI_CPU_HZ=200000000" \
	make -s firmware-install DESTDIR="$work/staged" prefix=/opt/epapi || fail "firmware-install"
[ "$(grep -c -- ' -Os .*-DEPAPI_TC3XX -DEPAPI_CPU_HZ=200000000 ' "$work/calls")" -eq \
	"$(wc -l <"$work/calls")" ] || fail "not all is compiled with -Os: $(cat "$work/calls")"
[ "$(wc -l <"$work/calls")" -gt 8 ] || fail "hardly anything is compiled"
for file in lib/epapi/{libepapi.a,epapi.ld,epapi-illd.ld} include/epapi/{epapi,epapi_results,papi}.h; do
	[ -s "$work/staged/opt/epapi/$file" ] || fail "no $file is installed"
done
[ -z "$(find "$work/staged" -type f -perm /111)" ] || fail "something is executable"
echo '#include <papi.h>' >"$work/program.c"
cc -std=c11 -Wall -Werror -fsyntax-only -I"$work/staged/opt/epapi/include/epapi" "$work/program.c" ||
	fail "a program cannot include what is installed"
