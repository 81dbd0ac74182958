#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# `make install` puts a usable system where DESTDIR and prefix say, and neither
# building nor installing leaves anything in the source tree.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

scripts/fetch kernel "$(dpkg --print-architecture)" 6.12 || fail "no kernel headers"
kdir=$(. scripts/lib.sh && echo "$cache/kernel/$host_arch-6.12/headers")

before=$(find . -path ./.git -prune -o -type f -print | sort)
make install DESTDIR="$work/dest" prefix=/opt/pmc KDIR="$kdir" || fail "make install failed"
[ "$before" = "$(find . -path ./.git -prune -o -type f -print | sort)" ] ||
	fail "files appeared in the source tree"

for file in bin/pmctrack bin/pmc-events bin/pmc-epapi-read bin/pmc-model bin/load-model bin/train-model \
	share/pmctrack/models/table-1.shape lib/libpmctrack.so.0 lib/libpmctrack.a include/pmctrack.h; do
	[ -e "$work/dest/opt/pmc/$file" ] || fail "not installed: $file"
done
# A command's page has all that its --help has; the schedulers are built where clang and
# libbpf are.
for page in pmctrack-cli/man/*.1; do
	name=$(basename "$page" .1)
	cmp -s "$page" "$work/dest/opt/pmc/share/man/man1/$name.1" || fail "not installed: $name.1"
done
for command in "$work"/dest/opt/pmc/bin/pm*; do
	name=${command##*/}
	[ -e "pmctrack-cli/man/$name.1" ] || fail "$name has no manual page"
	options=$(LD_LIBRARY_PATH=$work/dest/opt/pmc/lib "$command" --help | grep -oE -- '--[a-z]+[a-z-]*' | sort -u)
	[ "$options" ] || fail "$name --help tells no options"
	for option in $options; do
		sed 's/\\-/-/g' "pmctrack-cli/man/$name.1" | grep -qw -e "$option" || fail "$name.1 does not tell of $option"
	done
done
for name in load-model train-model; do
	[ -e "pmctrack-cli/man/$name.1" ] || fail "$name has no manual page"
	for option in $("$work/dest/opt/pmc/bin/$name" --help | sed -n 's/^ \{1,4\}\(-[a-zA-Z]\) .*/\1/p'); do
		sed 's/\\-/-/g' "pmctrack-cli/man/$name.1" | grep -qwe "$option" || fail "$name.1 does not tell of $option"
	done
done
[ -n "$(find "$work"/dest/lib/modules/*/updates -name 'pmctrack.ko*')" ] || fail "not installed: pmctrack.ko"
[ "$(ls "$work/dest")" = "lib
opt" ] || fail "files outside the prefix: $(ls "$work/dest")"

LD_LIBRARY_PATH=$work/dest/opt/pmc/lib "$work/dest/opt/pmc/bin/pmctrack" --help | grep -qi usage ||
	fail "the installed pmctrack does not run"
