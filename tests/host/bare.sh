#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# On a bare Debian of another release than this machine's, a user with sudo installs the
# library and the commands, and the unit tests pass. `make test-bare` does more.

cd "$(dirname "$0")/../.." || exit
missing=$(scripts/bare-root missing) || exit
[ -z "$missing" ] || { echo "$missing"; exit 77; }
# shellcheck disable=SC1091 # not there when this is checked
. /etc/os-release
release=trixie
[ "${VERSION_CODENAME-}" != trixie ] || release=bookworm
tests/bare --release $release --user sudo --command install --command unit
