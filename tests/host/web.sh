#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# pmctrack web: what viewers may see and do, a viewer who comes late, one who reads nothing, runs that
# begin again, the end; a script stands in for pmctrack. pmctrack-openmetrics-http: what it answers.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

scripts/build native >/dev/null || { echo "not built"; exit 1; }
cp "$build"/native/web/pmctrack-{web,openmetrics-http} tests/host/web/pmctrack "$work" || exit
: >"$work/dygraph.min.js"
: >"$work/dygraph.min.css"
python3 tests/host/web/check.py "$work" && python3 tests/host/web/metrics.py "$work"
