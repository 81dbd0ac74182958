#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The code that documents show compiles: the library's example in README.md, and the output
# format in docs/extending.md. (scripts/prose checks links, paths and names of functions.)

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
complain() { echo "$*"; failed=1; }

# code FILE PATTERN: the block of C of a document that has PATTERN in it
code() {
	awk -v pattern="$2" '/^```c$/ { block = ""; code = 1; next }
		/^```$/ { if (code && block ~ pattern) printf "%s", block; code = 0 }
		code { block = block $0 "\n" }' "$1"
}

# compiles FILE PATTERN [DECLARATIONS]
compiles() {
	{ printf '%s\n' "${3-}"; code "$1" "$2"; } >"$work/code.c"
	grep -q "$2" "$work/code.c" || complain "$1: no code with $2"
	gcc -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -Ilibpmc/include \
		-Ipmctrack-cli/src "$work/code.c" 2>"$work/log" || complain "$1: $(cat "$work/log")"
}

compiles README.md pmc_region_begin '#include <stdio.h>
void solve(void);
void measured(void);'
compiles docs/extending.md 'struct report_ops report_tsv'
exit $failed
