#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Random text does not upset the module's parsers, for as long as a test may take;
# tests/fuzz can go on for longer.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -C tests/fuzz O="$work" SECONDS=20 run
