#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Random text does not crash the parsers of the module and of the library: 200 000
# texts each, from the same random seed; with many rounds from any seed, for 60 s.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -C tests/fuzz O="$work" "$([ "${SIZE-}" = long ] && echo SECONDS=60 || echo TEXTS=200000)" run
