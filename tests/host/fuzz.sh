#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Random text does not crash the module's parsers, for 20 s. tests/fuzz can run for longer.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -C tests/fuzz O="$work" SECONDS=20 run
