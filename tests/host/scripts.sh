#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Every script has a --help, and answers bad input with one line and status 2. A pattern that
# no test matches is a failure.

cd "$(dirname "$0")/../.." || exit
failures=0
complain() {
	echo "$*"
	failures=$((failures + 1))
}

for script in scripts/{bare-root,biglittle-dtb,build,check,compile-commands,deps,fetch,firmware,floors,in-root,initramfs,install,own-kernel,prose,qemu,run-demo,spdx-check,vm} tests/{bare,dkms,run}; do
	grep -q "^usage: ${script##*/}" <<<"$("$script" --help)" || complain "$script --help: no usage line"
	out=$("$script" --no-such-option 2>&1 >/dev/null)
	status=$?
	[ $status -eq 2 ] || complain "$script with a bad option: status $status"
	[ "$(echo "$out" | wc -l)" -eq 1 ] || complain "$script with a bad option: $out"
done

# cd follows CDPATH, and prints where it leads.
cdpath=$(mktemp -d)
mkdir "$cdpath/scripts"
for path in "$cdpath" "$PWD"; do
	out=$(CDPATH=$path bash -c '. scripts/lib.sh; echo "$top"' 2>&1)
	[ "$out" = "$(pwd -P)" ] || complain "with CDPATH=$path, the project is in: $out"
done
rm -r "$cdpath"

out=$(tests/run 'no/such*' 2>&1 >/dev/null)
status=$?
[ $status -eq 1 ] || complain "tests/run without a test: status $status"
[ "$out" = "run: no test has a name like no/such*" ] || complain "tests/run without a test: $out"

# The name of a step's log comes from what the step says, however much that is.
step_cache=$(mktemp -d)
trap 'rm -rf "$step_cache"' EXIT
# shellcheck disable=SC2016 # for the inner shell
out=$(PMCTRACK_CACHE=$step_cache bash -c '. scripts/lib.sh; step "installing$(printf " package-%s" {1..100})" true' 2>&1) ||
	complain "a step with a long name: $out"

# A short step runs nothing that the script has left for its end.
out=$(PMCTRACK_CACHE=$step_cache bash -c '. scripts/lib.sh; trap "echo end" EXIT; for i in {1..500}; do step short true; done' 2>&1)
[ "$out" = end ] || complain "the EXIT trap of a script with short steps: $out"

# A relative name of the cache is below the folder where the first script started.
mkdir "$step_cache/here" "$step_cache/there"
cat >"$step_cache/relative" <<-END
	. $PWD/scripts/lib.sh
	echo "\$cache"
	cd ../there
	[ "\${1-}" ] || bash "$step_cache/relative" again
END
out=$(cd "$step_cache/here" && PMCTRACK_CACHE=kept bash "$step_cache/relative" 2>&1)
[ "$out" = "$step_cache/here/kept"$'\n'"$step_cache/here/kept" ] || complain "with a relative name, the cache is: $out"

# An object whose source has moved is built again from its new place: its old .d file would make
# it need a file that is not there.
moved=$step_cache/moved
mkdir -p "$moved/src/new" "$moved/out"
: >"$moved/src/kept.c"
: >"$moved/src/new/gone.c"
cat >"$moved/src/Makefile" <<-'END'
	vpath %.c new
	all: ../out/kept.o ../out/gone.o
	../out/%.o: %.c; cp $< $@
	-include $(wildcard ../out/*.d)
END
touch "$moved/out/"{kept,gone}.o
echo "../out/kept.o: kept.c" >"$moved/out/kept.d"
printf '%s\n' "../out/gone.o: \\" " old/gone.c kept.h" "kept.h:" >"$moved/out/gone.d"
make -s -C "$moved/src" 2>/dev/null && complain "an object needs no source that has moved"
eval "$(sed -n '/^forget_moved()/,/^}/p' scripts/build)"
forget_moved "$moved/src" "$moved/out"
[ -e "$moved/out/kept.d" ] && [ -e "$moved/out/kept.o" ] || complain "forget_moved forgets an object with its source"
[ ! -e "$moved/out/gone.o" ] || complain "forget_moved keeps an object without its source"
out=$(make -s -C "$moved/src" 2>&1) || complain "an object whose source has moved: $out"

# A second kernel has modules of its own, even if its headers are older than those of the first one. A
# second build for the same kernel builds nothing.
for kernel in a b; do
	mkdir -p "$step_cache/kernel-$kernel/include/generated"
	echo "#define UTS_RELEASE \"6.6.6-$kernel\"" >"$step_cache/kernel-$kernel/include/generated/utsrelease.h"
	# shellcheck disable=SC2016 # for make
	printf '%s\n' 'modules: $(M)/pmctrack.ko' '$(M)/pmctrack.ko:' \
		'	cp include/generated/utsrelease.h $@; echo built >>built' >"$step_cache/kernel-$kernel/Makefile"
done
for kernel in a a b; do
	module=$(PMCTRACK_CACHE=$step_cache PMCTRACK_BUILD=$step_cache/modules \
		scripts/build module-for "$step_cache/kernel-$kernel" 2>"$step_cache/err")
	grep -qs "6.6.6-$kernel" "$module" || complain "the module for kernel $kernel: $(cat "$module" "$step_cache/err" 2>&1)"
done
parts=$(sed -n 's/^module_parts="\(.*\)"$/\1/p' scripts/build | wc -w)
[ "$(wc -l <"$step_cache/kernel-a/built")" -eq "$parts" ] || complain "a kernel's module is built twice"

# A kernel whose packing was interrupted has lost a part of its source: it is unpacked again.
kept=$step_cache/own-kernel
mkdir -p "$kept/linux/arch/x86/boot"
touch "$kept/unpacked" "$kept/linux/arch/x86/boot/bzImage"
# shellcheck disable=SC2034 # for keep_headers
(
	set -e
	eval "$(sed -n '/^keep_headers()/,/^}/p' scripts/own-kernel)"
	triplet() { echo none; }
	dir=$kept tree=$kept/linux arch=amd64 kernel_arch=x86 image=bzImage kind=debug compiler=/no/such/folder
	keep_headers
) 2>/dev/null && complain "own-kernel packs a kernel without a compiler"
[ ! -e "$kept/unpacked" ] || complain "own-kernel: an interrupted packing leaves a source that counts as complete"

# Ctrl-C ends a script in the middle of a step: no process of it runs on, and nothing stays
# locked, although the terminal stays. (Background processes of this shell ignore SIGINT.)
mkfifo "$step_cache/keys"
cat >"$step_cache/terminal" <<-END
	trap : INT
	export PMCTRACK_CACHE=$step_cache
	bash -c '. scripts/lib.sh; one_at_a_time tryout "\$cache"; step waiting sleep 987'
	sleep 8
END
timeout 60 env --default-signal=INT script -qefc "bash '$step_cache/terminal'" /dev/null \
	<"$step_cache/keys" >"$step_cache/screen" 2>&1 &
exec {keys}>"$step_cache/keys"
tries=0
until grep -q 'waiting ... 1 s' "$step_cache/screen" || [ $((tries++)) -eq 100 ]; do sleep 0.1; done
printf '\003' >&"$keys"
sleep 3
size=$(stat -c %s "$step_cache/screen")
[ "$size" -gt 0 ] || complain "a step on a terminal says nothing"
flock -n "$step_cache/tryout.lock" true || complain "after Ctrl-C something keeps the lock"
sleep 2
[ "$(stat -c %s "$step_cache/screen")" -eq "$size" ] || complain "after Ctrl-C something writes on"
exec {keys}>&-
wait

# A script that is ended takes with it what it has started: a script that it had called, and
# what that one would have done next. All of them have the lock.
cat >"$step_cache/inner" <<-END
	. $PWD/scripts/lib.sh
	twice() { sleep 989; touch "$step_cache/went-on"; }
	step waiting twice
	touch "$step_cache/went-on"
END
cat >"$step_cache/outer" <<-END
	. $PWD/scripts/lib.sh
	one_at_a_time ended "\$cache"
	bash "$step_cache/inner"
	touch "$step_cache/went-on"
END
for signal in TERM KILL; do
	env -u PMCTRACK_SCRIPT PMCTRACK_CACHE="$step_cache" bash "$step_cache/outer" 2>"$step_cache/out" &
	tries=0
	until grep -qs 'waiting ...' "$step_cache/out" || [ $((tries++)) -eq 100 ]; do sleep 0.1; done
	kill -$signal $!
	wait $! 2>/dev/null
	tries=0
	until flock -n "$step_cache/ended.lock" true || [ $((tries++)) -eq 50 ]; do sleep 0.1; done
	[ $tries -lt 50 ] || complain "after SIG$signal something goes on"
done
[ ! -e "$step_cache/went-on" ] || complain "the caller of an ended script goes on"
# What waits for that keeps no lock of a caller's.
exec {held}>"$step_cache/held.lock"
flock "$held"
env -u PMCTRACK_SCRIPT scripts/deps --list run >/dev/null
exec {held}>&-
flock -w 1 "$step_cache/held.lock" true || complain "a lock of its caller's outlives a script"

# Without dpkg, compilers report missing packages. Kernels and packages cannot be fetched then.
mkdir "$step_cache/few"
find /usr/bin/ /bin/ -maxdepth 1 ! -type d ! -name 'dpkg*' ! -name 'apt*' -exec ln -sf -t "$step_cache/few" {} +
out=$(PATH=$step_cache/few scripts/deps build 2>&1) || complain "without dpkg: $out"
[[ $out == *"Debian's would be: "*libpfm4-dev* ]] || complain "without dpkg deps says: $out"
out=$(PATH=$step_cache/few PMCTRACK_CACHE=$step_cache scripts/fetch programs amd64 2>&1) && complain "programs without dpkg"
[ "$out" = "fetch: no dpkg: Debian's packages are fetched on Debian only" ] || complain "without dpkg fetch says: $out"

# event-tables removes the source of Linux that it has fetched, but not while another script reads it.
mkdir -p "$step_cache/tables/scripts"
printf '#!/bin/sh\n' >"$step_cache/tables/scripts/deps"
cat >"$step_cache/tables/scripts/fetch" <<-END
	#!/bin/sh
	mkdir -p $step_cache/linux-source/7.3
	touch $step_cache/linux-source/7.3/version
END
chmod +x "$step_cache/tables/scripts"/*
cat >"$step_cache/tables/try" <<-END
	. $PWD/scripts/lib.sh
	step() { :; }
	$(sed -n '/^build_tables()/,/^}/p' scripts/event-tables)
	\$1
	top=$step_cache/tables version=7.3
	build_tables
	ls "\$cache/linux-source"
END
for reader in : read_linux_source; do
	out=$(PMCTRACK_CACHE=$step_cache bash "$step_cache/tables/try" $reader 2>&1)
	[ "$out" = "$([ $reader = : ] || echo 7.3)" ] || complain "event-tables after $reader leaves: $out"
done

# This machine's own cache is not given to others.
for name in "$step_cache" "$step_cache/log" "$step_cache/.."; do
	out=$(PMCTRACK_CACHE=$step_cache tests/bare --cache "$name" 2>&1)
	status=$?
	[ $status -eq 2 ] && [[ $out == *"own cache"* ]] || complain "tests/bare --cache with the own cache: status $status, $out"
done

# What an interrupted bare-root left is removed, but not this machine's folders that are
# mounted there. Files that in-root makes in a Debian stay in it, where links lead elsewhere.
# The Debian is this machine's own programs.
mkdir "$step_cache/debian"
cat >"$step_cache/debian/debootstrap" <<-END
	#!/bin/bash
	mkdir -p "\$4"/{etc,proc,sys,dev,usr,root,var}
	cp -P /bin /lib /lib64 "\$4/"
	echo root:x:0:0::/root:/bin/bash >"\$4/etc/passwd"
	ln -s "$step_cache/outside" "\$4/etc/resolv.conf"
	ln -s "$step_cache/debian" "\$4/var/cache"
END
chmod +x "$step_cache/debian/debootstrap"
cat >"$step_cache/try-bare" <<-END
	set -e
	left=$step_cache/bare/trixie-\$(dpkg --print-architecture).tar.new.left
	mkdir -p "\$left/proc" $step_cache/shared
	echo outside >$step_cache/outside
	touch $step_cache/shared/here
	mount -t tmpfs tmpfs "\$left/proc"
	touch "\$left/proc/file"
	scripts/bare-root trixie $step_cache/root
	[ -e "\$left/proc/file" ] || echo "bare-root removes what is mounted"
	mount --bind /usr $step_cache/root/usr
	scripts/in-root --bind $step_cache/shared /var/cache/shared $step_cache/root ls /var/cache/shared
	[ "\$(cat $step_cache/outside)" = outside ] || echo "in-root follows a link to resolv.conf"
	[ ! -e $step_cache/debian/shared ] || echo "in-root follows a link of a folder"
	scripts/in-root $step_cache/root cat /proc/self/status >$step_cache/status
	grep -q '^SigIgn:.*[0189]\$' $step_cache/status || echo "in-root: SIGINT is ignored"
END
why=$(PATH=$step_cache/debian:$PATH PMCTRACK_CACHE=$step_cache scripts/bare-root missing)
if [ ! "$why" ] && [ -L /bin ]; then
	out=$(PATH=$step_cache/debian:$PATH PMCTRACK_CACHE=$step_cache \
		env --default-signal=INT,QUIT unshare --mount bash "$step_cache/try-bare" 2>"$step_cache/err")
	[ "$out" = here ] || complain "bare-root and in-root: $out $(cat "$step_cache/err")"
fi

# Where packages come from. Stand-ins: apt-get names this machine's sources, as in the file
# sources, and gets package lists from the mirrors in the file mirrors alone. The release in the
# file default is this machine's APT::Default-Release, which the lists do not have.
apt=$step_cache/apt-try
mkdir -p "$apt/bin"
cat >"$apt/bin/apt-get" <<-'END'
	#!/bin/bash
	case "$*" in
	*--print-uris*) sed -E "s,(.*) (.*),'\1/dists/\2/InRelease' name 0," "$APT_TRY/sources" ;;
	*update*)
		echo update >>"$APT_TRY/updates"
		grep -qF -f "$APT_TRY/mirrors" "${APT_CONFIG%/*}/sources.list" ;;
	esac
END
cat >"$apt/bin/apt-cache" <<-'END'
	#!/bin/bash
	default=$(cat "$APT_TRY/default" 2>/dev/null)
	for option; do [[ $option != APT::Default-Release=* ]] || default=${option#*=}; done
	[ ! "$default" ] || { echo "E: The value '$default' is invalid for APT::Default-Release"; exit 100; }
	case "$*:${LC_ALL-}" in
	*depends*:C) printf '%s\n' any '  Depends: image-1' '  Depends: other' ;;
	*depends*) printf '%s\n' any '  Hängt ab von: image-1' '  Hängt ab von: other' ;;
	*) grep -qF -f "$APT_TRY/mirrors" "${APT_CONFIG%/*}/sources.list" ;;
	esac
END
printf '#!/bin/bash\n' >"$apt/bin/sleep"
chmod +x "$apt/bin"/*
export APT_TRY=$apt

# lists MIRRORS SOURCES [VARIABLE=VALUE]: fetch package lists where the mirrors work
lists() {
	printf '%s\n' "$1" >"$apt/mirrors"
	printf '%b' "$2" >"$apt/sources"
	: >"$apt/updates"
	env PATH="$apt/bin:$PATH" PMCTRACK_CACHE="$apt/cache" "${@:3}" \
		bash -c '. scripts/packages.sh; fresh_lists bookworm amd64 patchelf' >"$apt/out" 2>&1
}
sources_are() {
	local list=$apt/cache/apt/bookworm-amd64/sources.list address
	for address in "$@"; do
		grep -qF "] $address main" "$list" || complain "no '$address' in the sources: $(cat "$list" "$apt/out")"
	done
}

# Images for clouds name a list of mirrors. Other archives have suites of the same names.
cloud=mirror+file:/etc/apt/mirrors
lists $cloud "https://other.example/linux/debian bookworm\n$cloud/debian.list bookworm
$cloud/debian.list bookworm-updates\n$cloud/debian-security.list bookworm-security\n" ||
	complain "a list of mirrors: $(cat "$apt/out")"
sources_are "$cloud/debian.list bookworm" "$cloud/debian.list bookworm-backports" \
	"$cloud/debian-security.list bookworm-security"
rm -rf "$apt/cache"
# Another distribution's sources name none.
lists deb.debian.org "http://a.example/ubuntu noble\nhttp://a.example/ubuntu noble-updates\n" ||
	complain "without a mirror in the sources: $(cat "$apt/out")"
rm -rf "$apt/cache"
# What did not work may work with another mirror, at once and within the hour.
! lists http://good.example/ '' || complain "a mirror that is not there has package lists"
grep -q PMCTRACK_MIRROR "$apt/out" || complain "no mirror: $(tail -n 1 "$apt/out")"
lists http://good.example/ '' PMCTRACK_MIRROR=http://good.example/debian/ ||
	complain "PMCTRACK_MIRROR after a failure: $(cat "$apt/out")"
sources_are "http://good.example/debian bookworm" "http://good.example/debian-security bookworm-security"
lists http://better.example/ '' PMCTRACK_MIRROR=http://better.example/debian ||
	complain "another PMCTRACK_MIRROR: $(cat "$apt/out")"
[ -s "$apt/updates" ] || complain "no lists of the other PMCTRACK_MIRROR"
lists http://better.example/ '' PMCTRACK_MIRROR=http://better.example/debian
[ ! -s "$apt/updates" ] || complain "lists are fetched twice within an hour"
: >"$apt/cache/apt/bookworm-amd64/sources.list"
lists http://better.example/ '' PMCTRACK_MIRROR=http://better.example/debian ||
	complain "an empty list of sources in the cache: $(cat "$apt/out")"
sources_are "http://better.example/debian bookworm"
# apt's words are English in any locale. This machine's preferences do not apply to other releases.
# depends WHERE [VARIABLE=VALUE]: what a package depends on
depends() {
	local out
	out=$(env PATH="$apt/bin:$PATH" PMCTRACK_CACHE="$apt/cache" "${@:2}" \
		bash -c '. scripts/packages.sh; dependencies bookworm amd64 any "image-.*"' 2>&1)
	[ "${out##*$'\n'}" = image-1 ] || complain "$1, a package depends on: $out"
}
depends "in another locale" LC_ALL=de_DE.UTF-8
echo forky >"$apt/default"
depends "with a default release"
rm "$apt/default"
for file in preferences preferencesparts; do
	if command -v apt-config >/dev/null; then
		out=$(APT_CONFIG=$apt/cache/apt/bookworm-amd64/apt.conf apt-config shell file "Dir::Etc::$file/f")
		[[ $out != *"'/etc/"* ]] || complain "apt reads this machine's $file: $out"
	fi
done

# A package of this machine's architecture, or of none, is installed, whatever others are. One of
# another architecture alone is not.
mkdir -p "$step_cache/dpkg/info"
host_arch=$(dpkg --print-architecture)
other_arch=$([ "$host_arch" = arm64 ] && echo amd64 || echo arm64)
while read -r name arch multi; do
	printf '%s\n' "Package: $name" "Architecture: $arch" "Multi-Arch: $multi" "Status: install ok installed" \
		"Version: 1" "Maintainer: none" "Description: none" ''
done >"$step_cache/dpkg/status" <<END
debootstrap all no
libcmocka-dev $host_arch same
libcmocka-dev $other_arch same
libpfm4-dev $other_arch same
END
out=" $(DPKG_ADMINDIR=$step_cache/dpkg scripts/deps --missing bare unit) "
for p in debootstrap libcmocka-dev; do
	[[ $out != *" $p "* ]] || complain "an installed package is missing: $p"
done
[[ $out == *" libpfm4-dev "* ]] || complain "a package of another architecture alone is installed"

# What only tests and the building of the emulator need is not installed to run.
to_run=$(scripts/deps --list run)
to_test=$(scripts/deps --list test qemu)
for p in clang libcmocka-dev libglib2.0-dev qemu-system-arm; do
	[[ " $to_run " != *" $p "* ]] || complain "make run installs $p"
	[[ " $to_test " == *" $p "* ]] || complain "no group has $p"
done

# Environments have variables of these names for other purposes: HOST of tcsh and conda, ARCH of
# kernel builds. Only those of make's command line are meant.
# made EXPECTED [VARIABLE=VALUE]... make ...: this is what make would run
made() {
	local out
	out=$(env "${@:2}" 2>&1 | tr -s ' ')
	[ "${out##*$'\n'}" = "$1" ] || complain "${*:2}: $out"
}
# As from a shell, not from the make that runs this test
unset MAKEFLAGS MFLAGS MAKELEVEL
made "scripts/run-demo --machine arm64-biglittle" HOST=x ARCH=arm64 make -n run
made "scripts/run-demo --host" make -n run HOST=1
made "scripts/run-demo --machine x86-amd" make -n run ARCH=x86-amd
made 'scripts/vm --machine "arm64-biglittle" --kernel "6.12" --shell' ARCH=arm64 KERNEL=linux make -n vm
made 'scripts/vm --machine "x86-amd" --kernel "6.1" --shell' make -n vm ARCH=x86-amd KERNEL=6.1
made "tests/run " TESTS=x FAILED=x SAME=x LIST=x make -n test
made "tests/run 'unit/*'" TESTS=x FAILED=x SAME=x LIST=x make -n test-unit
made "tests/run --failed --same --list 'a' 'b'" make -n test FAILED=1 SAME=1 LIST=1 TESTS="a b"
made "tests/run-mutants " MUTANTS=x make -n test-mutants

# make run HOST=1 refuses to start if the module is loaded. It asks for the packages that modules are
# built with. If its own module cannot be loaded, nothing is left behind.
mkdir -p "$step_cache/host"/{proc/pmc,scripts,bin}
touch "$step_cache/host/proc/modules"
# shellcheck disable=SC2034 # for on_host
out=$(eval "$(sed -n '/^why_not_host()/,/^}/p' scripts/run-demo | sed "s,/proc/,$step_cache/host/proc/,")" && why_not_host)
[ "$out" = "pmctrack.ko is loaded already; type: sudo rmmod pmctrack" ] || complain "with the module loaded: $out"
printf '#!/bin/sh\n' >"$step_cache/host/scripts/build"
printf '#!/bin/sh\necho "$@" >%s\n' "$step_cache/host/groups" >"$step_cache/host/scripts/deps"
printf '#!/bin/sh\nmkdir %s && echo %s\n' "$step_cache/host/work"{,} >"$step_cache/host/bin/mktemp"
printf '#!/bin/sh\nexit 1\n' | tee "$step_cache/host/bin/insmod" >"$step_cache/host/bin/sudo"
chmod +x "$step_cache/host"/{scripts,bin}/*
(
	set -e
	eval "$(sed -n '/^on_host()/,/^}/p' scripts/run-demo)"
	why_not_host() { :; }
	top=$step_cache/host
	PATH=$top/bin:$PATH
	on_host
) >/dev/null 2>&1
[ "$(cat "$step_cache/host/groups")" = "build modules" ] ||
	complain "run-demo --host asks for the packages of: $(cat "$step_cache/host/groups")"
[ ! -e "$step_cache/host/work" ] || complain "run-demo --host: an insmod that fails leaves a folder"

# A machine's test fails when the kernel log has one of these.
complains() { grep -qE -f scripts/kernel-complaints <<<"$1"; }
while read -r text; do
	for line in "$text" "[    1.234567] $text"; do
		complains "$line" || complain "not a kernel complaint: $line"
	done
done <<'END'
WARNING: CPU: 0 PID: 1 at test
BUG: sleeping function called from invalid context at test.c:1
[ BUG: Invalid wait context ]
INFO: trying to register non-static key.
turning off the locking correctness validator.
END
! complains "[    1.234567] pmctrack: loading out-of-tree module taints kernel." || complain "each line is a kernel complaint"

# The workflow's cache is without the folders that the workflow names: actions/cache finds these beside
# the names that it keeps, but not below one of them.
while read -r folder; do
	grep -qxF "            ${folder%/*}/*" .github/workflows/tests.yml || complain "the workflow's cache has $folder"
done < <(sed -n 's/^ *!//p' .github/workflows/tests.yml)

help=$(make -s help)
grep -q '^make run' <<<"$help" || complain "make help: does not name make run"
while read -r target; do
	make -n "$target" >/dev/null || complain "make $target: no such target"
done < <(sed -n 's/^make \([a-z_-]\+\).*/\1/p' <<<"$help")
exit $((failures > 0))
