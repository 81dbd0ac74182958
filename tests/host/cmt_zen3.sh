#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The monitoring module cmt where all CPUs of a cache share QM_EVTSEL and QM_CTR (AMD's Zen 2 and
# Zen 3): CPUs that read at once get their own numbers.

cd "$(dirname "$0")/../.." || exit
exec scripts/vm --machine x86-amd --cpu EPYC-Milan,model=1,-monitor "/tests/modules/cmt readers"
