#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# On a bare Debian of another release than this machine's, a user with sudo installs the
# library and the commands, and the unit tests pass. `make test-bare` does more. After an
# interrupt no process of such a Debian runs, and no part of it is mounted.

cd "$(dirname "$0")/../.." || exit
missing=$(scripts/bare-root missing) || exit
[ -z "$missing" ] || { echo "$missing"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }
# shellcheck disable=SC1091 # not there when this is checked
. /etc/os-release
release=trixie
[ "${VERSION_CODENAME-}" != trixie ] || release=bookworm

tests/bare --release $release --user sudo --command install --command unit || exit

# within SECONDS COMMAND...: does it succeed before?
within() {
	local end=$((SECONDS + $1))
	until "${@:2}"; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.2
	done
}
scripts/bare-root $release "$work/root" || fail "no second bare Debian"
for signal in KILL TERM; do
	# One process that in-root waits for, and one that it knows nothing of.
	scripts/in-root "$work/root" bash -c "sleep 987654.$$ & sleep 987654.$$" &
	within 30 pgrep -fx "sleep 987654.$$" >/dev/null || fail "in-root does not run a command"
	kill -$signal $!
	within 10 eval "! pgrep -fx 'sleep 987654.$$' >/dev/null" || fail "after SIG$signal a process goes on"
	! grep -F "$work" /proc/mounts || fail "after SIG$signal there are mounts"
done
