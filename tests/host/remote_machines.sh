#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# pmctrack --remote from one test machine to another, over a socket that leads from a serial port of the one
# to a port of the other. The near machine has a script in place of ssh; the far one runs the lines that come.
# Output and exit status are those of the same command on the far machine; the near one has no module.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
far=
cleanup() {
	[ ! "$far" ] || kill "$far" 2>/dev/null
	wait
	rm -rf "$work"
}
trap cleanup EXIT
fail=0
wrong() { echo "$*"; fail=1; }

program=$(scripts/qemu amd64) && scripts/fetch firmware || { echo "no emulator"; exit 1; }

# emulator NAME MODE: QEMU with one more serial port, `link`, which has an end of the socket
emulator() {
	printf '#!/bin/sh\nexec "%s" "$@" -chardev socket,id=link,path=%s,%s %s\n' "$program" "$work/link" "$2" \
		"-device virtserialport,chardev=link,name=link" >"$work/$1"
	chmod +x "$work/$1"
}
emulator listens server=on,wait=off
emulator connects reconnect=1
mkdir "$work/on-far" "$work/on-near"

# Each request is a line; the answer begins with the status and the lengths of both outputs.
cat >"$work/on-far/serve" <<-'SCRIPT'
	#!/bin/sh
	port=$(grep -lx link /sys/class/virtio-ports/*/name)
	port=${port%/name}
	exec 3<>"/dev/${port##*/}"
	while :; do
		# Nobody has connected yet: the port is at its end.
		read -r line <&3 || { sleep 0.1; continue; }
		[ "$line" != end ] || break
		rc=0
		sh -c "$line" </dev/null >/tmp/out 2>/tmp/err || rc=$?
		{ echo $rc $(wc -c </tmp/out) $(wc -c </tmp/err); cat /tmp/out /tmp/err; } >&3
	done
SCRIPT
cat >"$work/on-near/ssh" <<-'SCRIPT'
	#!/bin/sh
	[ "$1 $2 $3" = "-T -- far" ] || exit 99
	port=$(grep -lx link /sys/class/virtio-ports/*/name)
	port=${port%/name}
	exec 3<>"/dev/${port##*/}"
	echo "$4" >&3
	read -r rc out err <&3
	# Byte by byte: head may read more than it prints.
	dd bs=1 count="$out" <&3 2>/dev/null
	dd bs=1 count="$err" <&3 2>/dev/null >/tmp/errors
	cat /tmp/errors >&2
	exit "$rc"
SCRIPT
cat >"$work/on-near/ask" <<-'SCRIPT'
	#!/bin/sh
	export PMCTRACK_SSH=/ssh
	[ ! -e /proc/pmc ] || echo "the near machine has the module"
	there() {
		rc=0
		pmctrack --remote far "$@" >/tmp/out 2>/tmp/err || rc=$?
		echo "== $rc"
		cat /tmp/out /tmp/err
	}
	there stat -e instr:u /tests/programs/known_loop
	there -c instr:u -A /tests/programs/known_loop
	there top -b -n 1 -d 0.2
	there stat -e instr:u sh -c 'echo "$(uname -m) a  b"'
	port=$(grep -lx link /sys/class/virtio-ports/*/name)
	port=${port%/name}
	echo end >"/dev/${port##*/}"
SCRIPT
chmod +x "$work"/on-*/*

# On one CPU, as the counts are those of a core type. The far machine is there for longer: without it, the
# near one would wait at its port for ever.
scripts/vm --machine x86-amd --qemu "$work/listens" --timeout 800 --add "$work/on-far" "taskset 1 /serve" >"$work/served" 2>&1 &
far=$!
for _ in $(seq 600); do [ ! -S "$work/link" ] || break; sleep 0.1; done
scripts/vm --machine x86-hybrid --qemu "$work/connects" --timeout 700 --noload --add "$work/on-near" /ask \
	</dev/null >"$work/answers" 2>&1 || wrong "the near machine: status $?"
wait "$far" || wrong "the far machine: status $?: $(cat "$work/served")"
far=
scripts/vm --machine x86-amd "taskset 1 pmctrack -c instr:u -A /tests/programs/known_loop" </dev/null >"$work/there" 2>&1 || :

# part N: what the Nth command has printed
part() { awk -v n="$1" '/^== / { i++ } i == n' "$work/answers"; }
! grep "the near machine" "$work/answers" || fail=1
part 1 | grep -qx "== 7" || wrong "stat: $(part 1)"
part 2 | grep -qx "== 7" || wrong "-A: $(part 2)"
# The counts and the names of the core types are those of the far machine.
for name in near there; do
	case $name in
	near) part 2 ;;
	there) cat "$work/there" ;;
	esac | grep -E "^(event|instr:u) " >"$work/$name.counts"
done
[ -s "$work/there.counts" ] && cmp -s "$work/near.counts" "$work/there.counts" ||
	wrong "counts: $(part 2), there: $(cat "$work/there")"
part 3 | grep "^pmctrack top" >/dev/null || wrong "top: $(part 3)"
part 4 | grep -qx "x86_64 a  b" || wrong "words: $(part 4)"
[ $fail -eq 0 ] || cat "$work/answers"
exit $fail
