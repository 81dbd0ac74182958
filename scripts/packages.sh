# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Debian's packages of a given release and architecture, whatever this machine
# runs: looked up, downloaded and unpacked, never installed. apt works on lists
# of its own, so this machine's own sources and architectures stay as they are.
# Sourced, never run.

. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

debians='bullseye|bookworm|trixie|forky|(old)*stable|testing' # suites of main

# own_source SUITES [ADDRESSES]: the first address in this machine's sources that has one of
# these suites (patterns of awk). apt prints addresses even if it has no package lists yet.
own_source() {
	{ apt-get update --print-uris 2>/dev/null || :; } |
		sed -nE "s,^'([^']+)/dists/([^']+)/InRelease'.*,\\1 \\2,p" |
		awk -v suites="^($1)\$" -v addresses="${2-.}" \
			'$2 ~ suites && $1 ~ addresses && $1 !~ /^cdrom:/ && !n++ { print $1 }'
}

# The mirror of Debian that this machine takes its own packages from has all releases. Other
# archives have suites of the same names, but no updates. Without any, it is Debian's own.
mirror() {
	local uri=${PMCTRACK_MIRROR-}
	[ "$uri" ] || uri=$(own_source "($debians)-updates")
	[ "$uri" ] || uri=$(own_source "$debians|sid|unstable" '/debian([.]list)?$')
	[ "$uri" ] || uri=http://deb.debian.org/debian
	echo "${uri%/}"
}

# security_mirror MIRROR: not every mirror has the security archive beside it.
security_mirror() {
	local uri=
	[ "${PMCTRACK_MIRROR-}" ] || uri=$(own_source "($debians)-security")
	echo "${uri:-$1-security}"
}

# archives RELEASE: what to look in, lines of sources.list(5). Newer kernels than
# the release's own are in its security archive and in its backports.
archives() {
	local release=$1 mirror security
	mirror=$(mirror)
	security=$(security_mirror "$mirror")
	cat <<-END
		$mirror $release
		$mirror $release-updates
		$mirror $release-backports
		$security $release-security
	END
}

# prepare_apt RELEASE ARCH: what private_apt needs. The mirror may be another one than the
# last time, and then the lists that were fetched from it are not fresh.
prepare_apt() {
	local release=$1 arch=$2 dir=$cache/apt/$1-$2 type=deb program
	for program in dpkg apt-get; do
		command -v $program >/dev/null || die "no $program: Debian's packages are fetched on Debian only"
	done
	mkdir -p "$dir"/{lists,archives}/partial "$dir/parts"
	touch "$dir/status"
	[ "$arch" != source ] || type=deb-src arch=$host_arch
	archives "$release" | sed "s|.*|$type [signed-by=$keyring] & main|" >"$dir/sources.list.new"
	if ! cmp -s "$dir/sources.list.new" "$dir/sources.list"; then
		rm -f "$dir/fresh"
		mv "$dir/sources.list.new" "$dir/sources.list"
	fi
	cat >"$dir/apt.conf" <<-END
		Dir::State "$dir";
		Dir::State::Lists "$dir/lists";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir";
		Dir::Log "$dir";
		Dir::Etc::SourceList "$dir/sources.list";
		Dir::Etc::SourceParts "$dir/parts";
		Dir::Etc::Preferences "/dev/null";
		Dir::Etc::PreferencesParts "$dir/parts";
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		APT::Sandbox::User "$(id -un)";
		APT::Install-Recommends "no";
		Acquire::Languages "none";
	END
}

# private_apt RELEASE ARCH COMMAND...: ARCH may be `source`. See fresh_lists. These scripts read
# what the commands print, so it is in English. This machine's own apt.conf is read after
# APT_CONFIG; its default release need not be in these lists.
private_apt() {
	LC_ALL=C APT_CONFIG=$cache/apt/$1-$2/apt.conf "$3" -o APT::Default-Release= "${@:4}"
}

# Networks have hiccups: try COMMAND up to three times, or ONCE, if others can do without.
persist() { "$@" || { [ ! "${ONCE-}" ] && { { sleep 5; "$@"; } || { sleep 15; "$@"; }; }; }; }

# An archive that has nothing for this architecture is no failure: what counts is
# whether the release's own packages are known afterwards.
update_lists() {
	persist private_apt "$1" "$2" apt-get update -o APT::Update::Error-Mode=any || :
	case $2 in
	source) private_apt "$1" source apt-cache showsrc --only-source qemu ;;
	*) private_apt "$1" "$2" apt-cache show busybox-static ;;
	esac
}

# fresh_lists RELEASE ARCH PACKAGE...: not older than an hour, because PACKAGES are to be
# fetched
fresh_lists() {
	local fresh=$cache/apt/$1-$2/fresh hint
	prepare_apt "$1" "$2"
	[ -z "$(find "$fresh" -mmin -60 2>/dev/null)" ] || return 0
	hint="no package lists of Debian $1 for $2 (no network? PMCTRACK_MIRROR may name another mirror),"
	hint+=" so these packages are missing: ${*:3}"
	step "fetching $2 package lists of $1" update_lists "$1" "$2"
	touch "$fresh"
}

# newest_package RELEASE ARCH PATTERN: the newest whose name is like that (grep -E)
newest_package() {
	private_apt "$1" "$2" apt-cache pkgnames | grep -xE "$3" | sort -V | tail -n 1
}

# dependencies RELEASE ARCH PACKAGE PATTERN: those of PACKAGE that are like that
dependencies() {
	private_apt "$1" "$2" apt-cache depends --important "$3" 2>/dev/null |
		awk -v pattern="^($4)\$" '$1 == "Depends:" && $2 ~ pattern { print $2 }'
}

download_here() { (cd "$1" && persist private_apt "$2" "$3" apt-get download "${@:4}"); }

# A machine with nothing installed needs everything that these depend on.
download_all() {
	persist private_apt "$2" "$3" apt-get --yes --download-only \
		-o "Dir::Cache::archives=$1" -o Debug::NoLocking=1 install "${@:4}"
}

# download [--all] RELEASE ARCH PACKAGE...: into an empty folder $downloaded; --all: with
# what these packages depend on
download() {
	local how=download_here
	[ "$1" != --all ] || { how=download_all; shift; }
	fresh_lists "$@"
	downloaded=$cache/packages/$1-$2
	rm -rf "$downloaded"
	mkdir -p "$downloaded/partial"
	hint="could not download these $2 packages of Debian $1: ${*:3}" \
		step "fetching $3${4:+ and more} ($1, $2)" $how "$downloaded" "$@"
}

# unpack FOLDER: what was downloaded. A link from the root folder, such as Debian 12's
# dynamic loader has in lib64, is to mean what is in FOLDER, not this machine's own.
unpack() {
	local d
	for d in "$downloaded"/*.deb; do
		dpkg -x "$d" "$1"
	done
	find "$1" -type l -lname '/*' -print0 | while IFS= read -rd '' d; do
		ln -sfnr "$1$(readlink "$d")" "$d"
	done
}
