#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# ePAPI's fragments for linker scripts, with this machine's linker and objects that have the
# sections and symbols of the library. A script without a fragment, or with the wrong one,
# does not link. With the right one, no other data is placed where each core's state is.

cd "$(dirname "$0")/../.." || exit
top=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
fail() { echo "$*"; cat log; exit 1; }

cat >library.s <<'END'
	.section .epapi.results, "aw"
	.globl epapi_results
epapi_results: .space 144
	.section .epapi.core, "aw"
	.space 320
	.section .rodata, "a"
	.dc.a epapi_memory_begin
END
cat >program.s <<'END'
	.globl _start, mine, other, near
	.text
_start:	.space 4
	.data
mine:	.space 8
	.section .data_cpu1, "aw"
other:	.space 8
END
cat >near.s <<'END'
	.section .zdata_cpu1, "aw"
	.space 100
END
for name in library program near; do as -o $name.o $name.s || exit; done

# link PLACE TEXT [OBJECT...]: with the text at a place of the memory map
link() {
	sed "s|/\* $1 \*/|$2|" "$top/tests/firmware/illd.ld" >script.ld
	ld --defsym GLOBAL=0 -L "$top/libpmc/tricore" -T script.ld -o out library.o program.o "${@:3}" >log 2>&1
}
refused() { ! link "${@:2}" || fail "it links: ${*:2}"; grep -q "$1" log || fail "does not say: $1"; }
address() { nm out | sed -n "s/^0*\([0-9a-f]*\) . $1\$/\1/p"; }
at() { [ "$(address "$1")" = "$2" ] || fail "$1 is at $(address "$1"), not at $2"; }

refused "undefined reference to .epapi_memory_begin" EPAPI ""
refused "set epapi_address" EPAPI "SECTIONS { INCLUDE epapi.ld }"
refused "include epapi-illd.ld" EPAPI "epapi_address = 0xd0000000; SECTIONS { INCLUDE epapi.ld }"
refused "behind the near data" EARLY "INCLUDE epapi-illd.ld" near.o

link EPAPI "INCLUDE epapi-illd.ld" || fail "it does not link"
at epapi_memory_begin d0000000
at epapi_results d0000000
at epapi_memory_end d00001d0
at mine 700001d0
at other 600001d0
link EPAPI "INCLUDE epapi-illd.ld" near.o || fail "it does not link with near data"
at epapi_memory_begin d0000068
at mine 70000238
at other 60000238

# A script of one's own, with everything at the core's own addresses.
cat >own.ld <<'END'
MEMORY { code : org = 0x80000000, len = 2M
	 data : org = 0xd0001000, len = 44K }
epapi_address = ADDRESS;
SECTIONS {
	.text : { *(.text .rodata) } >code
	INCLUDE epapi.ld
	.data : { *(.data .data_cpu1) } >data
}
END
own() { sed "s/ADDRESS/$1/" own.ld >script.ld; ld -L "$top/libpmc/tricore" -T script.ld -o out library.o program.o >log 2>&1; }
own 0xd0000100 || fail "a script of one's own does not link"
at epapi_results d0000100
! own 0xd0003f00 || fail "it may be where one instruction does not reach it"
grep -q "first 16 KiB" log || fail "does not say where it must be"
