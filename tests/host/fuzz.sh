#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Random text does not crash the parsers of the module and of the library, 3 s each,
# or with many rounds 60 s. tests/fuzz can run for longer.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -C tests/fuzz O="$work" SECONDS="$([ "${SIZE-}" = long ] && echo 60 || echo 3)" run
