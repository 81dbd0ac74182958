# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What all scripts share: where things are, how to speak to the user, and the
# names one processor has in different worlds. Sourced, never run.

set -euo pipefail
# cd would look there, and print where it goes.
unset CDPATH

# guard NUMBER: wait until the script has ended, however it did, and end all processes that it
# has started, which have this number in their environment. Scripts that wait for another
# program would not notice a signal to the script that has called them.
guard() {
	local fd files file running=yes
	exec </dev/null >/dev/null 2>&1
	# The caller's locks and pipes are not kept. 255 is the shell's own.
	for fd in /proc/$BASHPID/fd/*; do
		fd=${fd##*/}
		[ "$fd" -le 2 ] || [ "$fd" -eq 255 ] || exec {fd}>&-
	done
	while [ -e "/proc/${1%-*}/exe" ]; do pause 1; done
	while [ "$running" ]; do
		running=
		mapfile -t files < <(PMCTRACK_SCRIPT='' grep -lzx "PMCTRACK_SCRIPT=$1" /proc/[0-9]*/environ)
		for file in "${files[@]}"; do
			[ "$file" = /proc/$BASHPID/environ ] || ! kill "${file//[^0-9]/}" || running=yes
		done
		pause 1
	done
}

# sleep without a process of its own, that would outlive a killed shell.
pause() { read -rt "$1" <> <(:) || :; }

# Scripts that a script calls have its number, and its guard.
if [ ! "${PMCTRACK_SCRIPT-}" ] && [ $BASH_SUBSHELL -eq 0 ] && [ "${BASH_SOURCE[-1]}" = "$0" ]; then
	PMCTRACK_SCRIPT=$$-$RANDOM$RANDOM exec "$BASH" "$0" "$@"
fi
[ "${PMCTRACK_SCRIPT+${PMCTRACK_SCRIPT%-*}}" != $$ ] || (guard "$PMCTRACK_SCRIPT" &)

me=${0##*/}
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
: "${HOME:=$(getent passwd "$(id -u)" | cut -d: -f6)}"
cache=${PMCTRACK_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pmctrack}
# Scripts that a script calls may start in another folder.
[[ $cache = /* ]] || export PMCTRACK_CACHE=$PWD/$cache
cache=${PMCTRACK_CACHE:-$cache}
# Debian's name; where there is no dpkg, what can be built is built all the same.
# shellcheck disable=SC2034 # used by others
host_arch=$(dpkg --print-architecture 2>/dev/null) || host_arch=$(uname -m | sed 's/^x86_64$/amd64/; s/^aarch64$/arm64/')

case $top$cache in
*[[:space:]:]*) echo "make and kbuild cannot cope with a blank or a colon in these paths: $top $cache" >&2; exit 1 ;;
esac

# Two checkouts share downloads but not what they build.
build=${PMCTRACK_BUILD:-$cache/build/$(basename "$top")-$(printf %s "$top" | cksum | cut -d' ' -f1)}

[ "${1-}" = --help ] || mkdir -p "$cache/log" "$build"

say() { echo "$*" >&2; }
die() { say "$me: $*"; exit 1; }
usage_error() { say "$me: $* (see $me --help)"; exit 2; }

# check_absolute FOLDER...: make would take others to be below each Makefile's own folder.
check_absolute() {
	local folder
	for folder; do
		[[ $folder != [!/]* ]] || usage_error "'$folder' is not an absolute path, as DESTDIR, prefix and libdir have to be"
	done
}

# The comment block at the head of a script is its manual: print it for --help.
help() {
	sed -n '/^# SPDX/d; /^#!/d; /^#/!q; s/^# \{0,1\}//p' "$0"
	exit 0
}

# Say that it goes on, and how far it is: tick WHAT START LOG. Ctrl-C does not reach what a
# script has in the background, so this looks whether the script is still there; and it
# must not keep the script's lock.
tick() {
	local fd next=2
	for fd in "${locks[@]}"; do exec {fd}>&-; done
	while kill -0 $$ 2>/dev/null; do
		if [ -t 2 ]; then
			printf '\r%s ... %d s %s ' "$1" $((SECONDS - $2)) "$(progress "$3")" >&2
			pause 1
			continue
		fi
		pause 1
		[ $((SECONDS - $2)) -ge $next ] || continue
		printf '%s ...%s\n' "$1" "$([ $next -eq 2 ] || echo " $((SECONDS - $2)) s $(progress "$3")")" >&2
		next=$((next == 2 ? 30 : next + 30))
	done
}

# progress LOG: [3/11], as ninja prints it, or as $counter prints it
progress() { ${counter:-last_count} "$1"; }
last_count() { tail -c 400 "$1" 2>/dev/null | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n 1; }

# step "what is done" command...: run it with its output in a log file, tell
# what is going on and for how long. If it fails, that is the end: show the end
# of the log, and $hint. Not for use with || or in a condition, where a function
# would go on after a failed command.
step() {
	local what=$1 log start=$SECONDS ticker rc
	shift
	# A file's name must not be longer than 255 bytes, and what is done may be a long list.
	log=$cache/log/$(printf %.60s "$what" | tr -cs 'A-Za-z0-9._\n' -).$$.log
	tick "$what" "$start" "$log" &
	ticker=$!
	set +e
	(set -e; "$@") >"$log" 2>&1 </dev/null
	rc=$?
	set -e
	# By another signal, a process that has only just begun would run this script's EXIT trap.
	kill -KILL "$ticker" 2>/dev/null && wait "$ticker" 2>/dev/null || :
	[ ! -t 2 ] || printf '\r\033[K' >&2
	if [ $rc -ne 0 ]; then
		say "$what: failed; the end of $log:"
		tail -n 40 "$log" >&2
		[ -z "${hint-}" ] || say "$me: $hint"
		exit 1
	fi
	if [ $((SECONDS - start)) -ge 2 ]; then
		say "$what: done in $((SECONDS - start)) s"
	fi
	rm -f "$log"
}

# one_at_a_time NAME FOLDER [WHAT]: wait until no other script does NAME with WHAT in
# FOLDER, and keep others waiting until exit.
locks=()
one_at_a_time() {
	local fd
	exec {fd}>"$2/$1${3+-$3}.lock"
	locks+=("$fd")
	if ! flock -n "$fd"; then
		say "waiting for another $1${3+ ($3)} to finish ..."
		flock "$fd"
	fi
}

# For a script that reads the source of Linux in the cache, before it calls fetch: event-tables does not
# remove that source until the script ends.
read_linux_source() {
	local fd
	exec {fd}>"$cache/linux-source.lock"
	locks+=("$fd")
	flock -s "$fd"
}

# Each result of a build has a file beside it with a hash of its sources.
# hash_of FILE|FOLDER...: of all files' names below the project, modes and contents
hash_of() {
	(cd "$top" && { find "$@" -type f -printf '%m %p\n' | LC_ALL=C sort
		find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum; } | hash)
}
hash() { sha256sum | cut -c 1-32; }

# is_built FILE HASH: was FILE built completely, and from this?
is_built() { [ -e "$1" ] && [ "$(cat "$1.hash" 2>/dev/null)" = "$2" ]; }

# build_file FILE HASH COMMAND...: build it, unless it is there.
build_file() {
	local file=$1 hash=$2
	! is_built "$file" "$hash" || return 0
	rm -f "$file.hash"
	"${@:3}"
	echo "$hash" >"$file.hash"
}

# Debian's name of the architecture -> GNU triplet, kernel's name, cross prefix.
triplet() {
	case $1 in
	arm64) echo aarch64-linux-gnu ;;
	amd64) echo x86_64-linux-gnu ;;
	armhf) echo arm-linux-gnueabihf ;;
	*) usage_error "no architecture '$1'; there are amd64, arm64 and armhf" ;;
	esac
}

kernel_arch() {
	case $1 in
	arm64) echo arm64 ;;
	amd64) echo x86 ;;
	armhf) echo arm ;;
	esac
}

qemu_arch() {
	case $1 in
	arm64) echo aarch64 ;;
	amd64) echo x86_64 ;;
	*) usage_error "no emulator for '$1'; there are amd64 and arm64" ;;
	esac
}

# Where the compiler of programs for test machines of an architecture is, once fetched
compiler_bin() { echo "$cache/compiler/bookworm-$1/usr/bin"; }

# Test machine -> Debian's name of its architecture.
machine_arch() {
	case $1 in
	arm64-biglittle | arm64) echo arm64 ;;
	x86-hybrid | x86-smt | x86-timed | x86-amd | x86-64) echo amd64 ;;
	*) usage_error "no machine '$1'; there are arm64-biglittle, arm64, x86-hybrid, x86-smt, x86-timed, x86-amd and x86-64" ;;
	esac
}

# Those of our own are as many as there are folders of patches.
check_kernel() {
	case $1 in
	6.1 | 6.12 | newest | debug) return ;;
	*-pmctrack) [ ! -d "$top/kernel-patches/${1%-*}" ] || return 0 ;;
	esac
	usage_error "no kernel '$1'; there are 6.1, 6.12, newest, debug, and VERSION-pmctrack for each VERSION in kernel-patches"
}

# This kernel's exact release, once fetched.
kernel_release() { cat "$cache/kernel/$1-$2/release"; }
