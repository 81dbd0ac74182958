#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# `make install` puts a usable system where DESTDIR and prefix say, and neither
# building nor installing leaves anything in the source tree.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*"; exit 1; }

# A folder with a blank in its name is refused before anything is removed or installed: make would
# split the name in two, and the first part is the name of another file.
mkdir "$work/blank"
touch "$work/blank/a"
# refused COMMAND...: with status 2 and one line, $why; no file appears or disappears
why='cannot cope with a blank in DESTDIR'
refused() {
	local rc=0 said
	said=$("$@" 2>&1) || rc=$?
	[ "$(find "$work/blank" -mindepth 1)" = "$work/blank/a" ] ||
		fail "$*: these files are there: $(find "$work/blank" -mindepth 1)"
	[ $rc -eq 2 ] && [ "$(grep -c "$why" <<<"$said")" -eq 1 ] || fail "$*: status $rc: $said"
}
refused scripts/install remove "$work/blank/a"$'\nb' /usr /usr/lib ""
for where in "/a b" "/a"$'\tb'; do
	refused make uninstall DESTDIR="$work/blank$where"
	refused make uninstall DESTDIR="$work/blank" prefix="$where"
	refused make uninstall DESTDIR="$work/blank" libdir="$where"
	refused make install DESTDIR="$work/blank$where" KDIR= DKMS=no EVENTS=no
done
for folder in libpmc libpmc/papi pmctrack-cli pmctrack-cli/{papi,pcp,schedulers,web}; do
	refused make -s -C "$folder" uninstall DESTDIR="$work/blank/a b"
	refused make -s -C "$folder" uninstall DESTDIR="$work/blank" prefix="/a b"
done
# make would take a relative name to be below the folder of each Makefile.
why='is not an absolute path'
# shellcheck disable=SC2088 # not every shell expands it
for where in a ./a '~/a'; do
	refused make uninstall DESTDIR="$where"
	refused make uninstall DESTDIR="$work/blank" prefix="$where"
	refused make uninstall DESTDIR="$work/blank" libdir="$where"
	refused make install DESTDIR="$where" KDIR= DKMS=no EVENTS=no
	refused make firmware-install DESTDIR="$work/blank" prefix="$where"
done

scripts/fetch kernel "$(dpkg --print-architecture)" 6.12 || fail "no kernel headers"
kdir=$(. scripts/lib.sh && echo "$cache/kernel/$host_arch-6.12/headers")
# Headers name a compiler that this release may lack; nothing else of its release is wanted.
mkdir "$work/compiler"
ln -s "$(. scripts/lib.sh && compiler_bin "$host_arch")"/*-linux-gnu-gcc-[0-9]* "$work/compiler/"
PATH=$work/compiler:$PATH

# A copy of a module from another installation goes.
copy=$work/dest/lib/modules/$(cat "${kdir%/*}/release")/updates/dkms/pmctrack.ko
mkdir -p "${copy%/*}"
touch "$copy"
before=$(find . -path ./.git -prune -o -type f -print | sort)
make install DESTDIR="$work/dest" prefix=/opt/pmc KDIR="$kdir" || fail "make install failed"
[ "$before" = "$(find . -path ./.git -prune -o -type f -print | sort)" ] ||
	fail "files appeared in the source tree"
[ ! -e "$copy" ] || fail "there are two copies of pmctrack.ko"

for file in bin/pmctrack bin/pmc-events bin/pmc-epapi-read bin/pmc-model bin/pmc-lu bin/pmc-workload bin/pmc-additivity bin/pmc-load-model bin/pmc-train-model bin/pmc-import-events \
	share/pmctrack/models/table-1.shape share/pmctrack/event-tables.jq share/pmctrack/programs/suite share/pmctrack/schemas/{run,stat}.schema.json share/pmctrack/events/{index,alderlake-cpu_core.events} lib/libpmctrack.so.1 lib/libpmctrack.a include/pmctrack.h include/pmctrack/sessions.h; do
	[ -e "$work/dest/opt/pmc/$file" ] || fail "not installed: $file"
done
# A command's page is there if the command is, and has all that its --help has; the schedulers
# are built where clang and libbpf are. pmctrack-VERB is a page of pmctrack. PCP's agent is no
# command.
for page in pmctrack-cli/man/*.1; do
	name=$(basename "$page" .1)
	command=$name
	[[ $name != pmctrack-* ]] || command=pmctrack
	program=$work/dest/opt/pmc/bin/$command
	[ "$name" != pmdapmctrack ] || program=$work/dest/opt/pmc/share/pmctrack/pcp/$name
	if [ -e "$program" ]; then
		cmp -s "$page" "$work/dest/opt/pmc/share/man/man1/$name.1" || fail "not installed: $name.1"
	elif [ -e "$work/dest/opt/pmc/share/man/man1/$name.1" ]; then
		fail "installed without its command: $name.1"
	fi
done
for command in "$work"/dest/opt/pmc/bin/pm*; do
	name=${command##*/}
	case $name in pmc-load-model | pmc-train-model | pmc-import-events) continue ;; esac
	[ -e "pmctrack-cli/man/$name.1" ] || fail "$name has no manual page"
	options=$("$command" --help | grep -oE -- '--[a-z]+[a-z-]*' | sort -u)
	[ "$options" ] || fail "$name --help tells no options"
	for option in $options; do
		sed 's/\\-/-/g' "pmctrack-cli/man/$name.1" | grep -qw -e "$option" || fail "$name.1 does not tell of $option"
	done
done
for name in pmc-load-model pmc-train-model pmc-import-events; do
	[ -e "pmctrack-cli/man/$name.1" ] || fail "$name has no manual page"
	for option in $("$work/dest/opt/pmc/bin/$name" --help | sed -n 's/^ \{1,4\}\(-[a-zA-Z]\) .*/\1/p'); do
		sed 's/\\-/-/g' "pmctrack-cli/man/$name.1" | grep -qwe "$option" || fail "$name.1 does not tell of $option"
	done
done
[ -n "$(find "$work"/dest/lib/modules/*/updates -name 'pmctrack.ko*')" ] || fail "not installed: pmctrack.ko"
[ "$(ls "$work/dest")" = "lib
opt
usr" ] || fail "files outside the prefix: $(ls "$work/dest")"

# The source that DKMS builds the modules from. Its list of them, which is read from the Kbuild
# files, is what the kernel's build system has made of these.
source=$work/dest/usr/src/pmctrack-$(cat VERSION)
[ "$(find "$work/dest/usr" -mindepth 3)" ] && [ "$(ls "$work/dest/usr/src")" = "${source##*/}" ] ||
	fail "not installed: the source for DKMS"
listed=$(sed -n 's/^BUILT_MODULE_NAME.*=//p' "$source/dkms.conf" | sort)
built=$(find "$work"/dest/lib/modules/*/updates -name '*.ko*' -printf '%f\n' | sed 's/\.ko.*//' | sort)
[ "$listed" = "$built" ] || fail "dkms.conf lists
$listed
and these were built:
$built"
# It is what the installed modules were built from. Many rounds build it, too; DKMS itself does so
# in tests/dkms.
built=$(. scripts/lib.sh && echo "$build/$host_arch/modules-6.12")
for part in kmod monitoring-modules; do
	only=$(diff -rq "$source/$part" "$built/$part" | grep -v "^Only in $built/")
	[ ! "$only" ] || fail "the source for DKMS is another: $only"
done
if [ "${SIZE-}" = long ]; then
	make -C "$kdir" M="$source" modules >"$work/log" 2>&1 ||
		fail "the source for DKMS does not build: $(tail "$work/log")"
	! grep -i warning "$work/log" || fail "the source for DKMS builds with warnings"
	# shellcheck source=/dev/null
	(. "$source/dkms.conf" && for i in "${!BUILT_MODULE_NAME[@]}"; do
		[ -e "$source/${BUILT_MODULE_LOCATION[i]}${BUILT_MODULE_NAME[i]}.ko" ] || fail "not where dkms.conf says: ${BUILT_MODULE_NAME[i]}"
	done) || exit
fi

# The library finds the tables where they are installed.
grep -aqF /opt/pmc/share/pmctrack/events "$work/dest/opt/pmc/lib/libpmctrack.so.1" ||
	fail "the library looks for event tables elsewhere"

# The commands find their library wherever both are. So does a program that was built for PAPI and
# looks in the folder with PAPI's names.
"$work/dest/opt/pmc/bin/pmctrack" --help | grep -qi usage || fail "the installed pmctrack does not run"
papi=$work/dest/opt/pmc/lib/pmctrack/papi
ldd "$papi/libpapi.so.7" | grep -qF " $papi/../../libpmctrack.so.1 " ||
	fail "libpapi.so.7 does not find its library: $(ldd "$papi/libpapi.so.7")"

# Modules of other kernels go, too; what is not the project's stays.
mkdir -p "$work"/dest/lib/modules/6.6.5/{updates/cmt,extra}
touch "$work"/dest/lib/modules/6.6.5/{updates/cmt/pmc_cmt.ko.xz,updates/pmctrack.ko,extra/other.ko}
make uninstall DESTDIR="$work/dest" prefix=/opt/pmc || fail "make uninstall failed"
left=$(find "$work/dest" ! -type d ! -name 'modules.*')
[ "$left" = "$work/dest/lib/modules/6.6.5/extra/other.ko" ] || fail "not uninstalled: $left"
left=$(find "$work/dest" -type d -empty ! -path "$work/dest/opt")
[ ! "$left" ] || fail "empty folders: $left"

# Nothing is installed, or built, for a kernel whose modules cannot be compressed, and where
# nothing may be written.
mkdir -p "$work"/compressed/include/{config,generated} "$work/few"
touch "$work/compressed/Makefile"
echo '#define UTS_RELEASE "6.6.6-xz"' >"$work/compressed/include/generated/utsrelease.h"
echo CONFIG_MODULE_COMPRESS_XZ=y >"$work/compressed/include/config/auto.conf"
find /usr/bin/ /bin/ -maxdepth 1 ! -type d ! -name xz ! -name dkms -exec ln -sf -t "$work/few" {} +
said=$(PATH=$work/few scripts/install add "$work/none" /usr /usr/lib "$work/compressed" no 2>&1) && fail "installed without xz"
grep -q 'compressed by xz; type: sudo apt-get install xz-utils$' <<<"$said" || fail "no word of xz: $said"
[ ! -e "$work/none" ] || fail "half installed"
if [ "$(id -u)" -eq 0 ] && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$PWD/scripts/install"; then
	mkdir -m 777 "$work/home"
	chmod 755 "$work"
	said=$(setpriv --reuid=65534 --regid=65534 --clear-groups env PMCTRACK_CACHE="$work/home" \
		scripts/install add "" /usr/local /usr/local/lib "" 2>&1) && fail "installed without rights"
	[ "$said" = "install: cannot write to /usr/local: needs root, or set prefix= to a directory you can write to" ] ||
		fail "no word of rights: $said"
fi

# Into the running system: a kernel's folder, and a system's programs that log their arguments.
# Root's installation updates the lists of modules and libraries. Another user's has all else.
mkdir -p "$work"/kernel/include/{config,generated} "$work/stubs"
# Debian's headers for 6.1 have two names, too; the latter is the one of /lib/modules.
echo 6.6.6 >"$work/kernel/include/config/kernel.release"
echo '#define UTS_RELEASE "6.6.6-test"' >"$work/kernel/include/generated/utsrelease.h"
printf 'modules:\nmodules_install:\n\techo modules_install >>%s\n' "$work/called" >"$work/kernel/Makefile"
# shellcheck disable=SC2016 # for the stubs' own shells
for name in depmod ldconfig dkms; do
	printf '#!/bin/sh\n[ "$1" = -p ] || [ "$1" = status ] || echo %s $* >>%s\n' $name "$work/called" >"$work/stubs/$name"
done
# shellcheck disable=SC2016
printf '[ "$1" != status ] || cat %s 2>/dev/null || :\n' "$work/dkms" >>"$work/stubs/dkms"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho "$FAKE_ID"\n' >"$work/stubs/id"
chmod +x "$work"/stubs/*
# install_as ID TARGET: what was called goes to $work/called
install_as() {
	: >"$work/called"
	FAKE_ID=$1 PATH=$work/stubs:$PATH make "$2" DKMS=no prefix="$work/own" KDIR="$work/kernel" 2>"$work/said" ||
		fail "make $2 as user $1 failed: $(cat "$work/said")"
}
# called AS WHAT...: these lines and no others
called() {
	local as=$1
	shift
	[ "$(cat "$work/called")" = "$(printf '%s\n' "$@")" ] || fail "$as: called were: $(cat "$work/called")"
}
install_as 0 install
called root modules_install modules_install "depmod -a 6.6.6-test" ldconfig
grep -q "LD_LIBRARY_PATH=$work/own/lib" "$work/said" || fail "no word of where the library is: $(cat "$work/said")"
grep -q 'the modules are for Linux 6.6.6-test only' "$work/said" || fail "no word of new kernels: $(cat "$work/said")"
install_as 0 uninstall
called root ldconfig
# A kernel's source that is not prepared names no kernel: no other kernel's modules change.
mv "$work/kernel/include/generated/utsrelease.h" "$work/utsrelease.h"
install_as 0 install
called "root, for a kernel's source" ldconfig
grep -q "no kernel headers in $work/kernel" "$work/said" || fail "no word of headers: $(cat "$work/said")"
mv "$work/utsrelease.h" "$work/kernel/include/generated/"
install_as 1000 install
called "an ordinary user"
grep -q 'the modules are not installed: that takes root' "$work/said" || fail "no word of the module: $(cat "$work/said")"
"$work/own/bin/pmctrack" --help | grep -qi usage || fail "an ordinary user's pmctrack does not run"
install_as 1000 uninstall
[ ! -e "$work/own" ] || fail "not uninstalled: $(find "$work/own")"

# With DKMS: the folders of the system that it changes are empty here, and the changes are lost.
# apart COMMAND...: its status; what was called goes to $work/called
apart() {
	: >"$work/called"
	# shellcheck disable=SC2016 # for the inner shell
	FAKE_ID=0 PATH=$work/stubs:$PATH unshare --mount sh -c 'mount -t tmpfs tmpfs /usr/src &&
		{ [ ! -d /lib/modules ] || mount -t tmpfs tmpfs /lib/modules; } && exec "$@"' sh "$@" >"$work/said" 2>&1
}
# DKMS has another folder than make: the name of KDIR is relative here.
dkms_as_root() {
	apart make install DKMS= EVENTS=no prefix="$work/own" KDIR="$(realpath --relative-to=. "$work/kernel")"
}
if [ "$(id -u)" -eq 0 ] && [ -d /usr/src ] && unshare --mount true; then
	version=$(cat VERSION)
	printf 'pmctrack/%s, %s, x86_64: installed\n' 0.9 6.6.6-test 0.9 6.6.7-lost >"$work/dkms"
	# What cannot be built for this kernel changes nothing: DKMS would remove what works now.
	mv "$work/kernel/Makefile" "$work/works"
	printf 'modules:\n\t@echo this is broken; exit 1\n' >"$work/kernel/Makefile"
	! dkms_as_root || fail "with DKMS, a kernel that nothing can be built for has modules"
	called "with DKMS, for a kernel that nothing can be built for"
	[ ! -e "$work/own" ] || fail "half installed: $(find "$work/own")"
	grep -q 'this is broken' "$work/said" || fail "no word of the reason: $(cat "$work/said")"
	mv "$work/works" "$work/kernel/Makefile"
	dkms_as_root || fail "make install with DKMS failed: $(cat "$work/said")"
	called "root with DKMS" "dkms remove pmctrack/0.9 --all" "dkms add pmctrack/$version" \
		"dkms install pmctrack/$version -k 6.6.6-test --kernelsourcedir $work/kernel" ldconfig
	[ "$(grep -c 'the modules for Linux .* are removed' "$work/said")" -eq 1 ] &&
		grep -q '^the modules for Linux 6.6.7-lost are removed: ' "$work/said" ||
		fail "no word of a kernel without headers: $(cat "$work/said")"
	rm "$work/stubs/dkms"
fi
# Without the package dkms: what it has left of the project is removed, and nothing else.
if [ -e "$work/dkms" ] && ! PATH=$PATH:/usr/sbin:/sbin command -v dkms; then
	cat >"$work/uninstall" <<-'END'
		set -e
		mount -t tmpfs tmpfs /var/lib
		mkdir -p /usr/src/pmctrack-0.9 /usr/src/pmctrack-other /var/lib/dkms/pmctrack /var/lib/dkms/other
		sed s/@VERSION@/0.9/ scripts/dkms/dkms.conf >/usr/src/pmctrack-0.9/dkms.conf
		echo PACKAGE_NAME=other >/usr/src/pmctrack-other/dkms.conf
		make uninstall prefix="$1"
		find /usr/src /var/lib/dkms -mindepth 1 -maxdepth 1 >"$2"
	END
	apart sh "$work/uninstall" "$work/own" "$work/left" || fail "make uninstall without DKMS failed: $(cat "$work/said")"
	[ "$(cat "$work/left")" = "/usr/src/pmctrack-other"$'\n'"/var/lib/dkms/other" ] ||
		fail "without DKMS, these are left: $(cat "$work/left")"
fi
