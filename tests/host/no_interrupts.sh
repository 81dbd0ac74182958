#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A PMU whose interrupts perf has not: counts are right after 2^32 events, and an event with a
# sampling period is refused, as perf refuses it.

cd "$(dirname "$0")/../.." || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# A known loop has 2 million instructions.
mkdir "$work/add"
cat >"$work/add/loops" <<'GUEST'
i=0
while [ $i -lt 2200 ]; do
	/tests/programs/known_loop
	i=$((i + 1))
done
GUEST
cat >"$work/add/try" <<'GUEST'
insmod /lib/pmctrack/pmctrack.ko
grep '^backend' /proc/pmc/info
pmctrack -c instr:ebs=1000000 /tests/programs/known_loop >/tmp/out 2>&1
grep -o "can't interrupt" /tmp/out || cat /tmp/out
pmctrack stat -x , -e instr:u sh /loops >/tmp/csv 2>&1
awk -F , '$3 ~ /^instr/ { if ($1 > 4400000000 && $1 < 5500000000) found = 1 }
	END { if (found) print "all counted"; exit !found }' /tmp/csv || cat /tmp/csv
GUEST

# machine OPTIONS
machine() {
	scripts/vm "$@" --cpus 1 --noload --timeout 500 --add "$work/add" sh /try >"$work/out" 2>"$work/err" ||
		echo "exit status $?" >>"$work/out"
	printf "backend perf\ncan't interrupt\nall counted\n" | diff - "$work/out" && return
	cat "$work/err"
	failed=1
}

# Our QEMU, with a device tree that has no interrupt of the PMU's
cat >"$work/qemu" <<END
#!/bin/bash
for word; do
	[ "\$last" != -dtb ] || fdtput -d "\$word" /pmu interrupts
	last=\$word
done
exec $(scripts/qemu arm64) "\$@"
END
chmod +x "$work/qemu"
machine --machine arm64 --qemu "$work/qemu"
machine --machine x86-amd --append nolapic
exit $failed
