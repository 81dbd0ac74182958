#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# pmctrack in a container on a kernel without the module. doctor says what is missing;
# pmctrack stat counts where the container lets perf_event_open() pass, and says what to type
# where it does not. A container that a host with the module runs needs no such call.

. "${0%/*}/../lib/cli.sh"

finding() { has out "^$1 +$2 +$3"; }
remedy() { has out "^      -> $1"; }
contained=/tests/programs/contained
loop=/tests/programs/known_loop
case $(uname -m) in
aarch64) known=2000005 ;;
*) known=2000004 ;;
esac

# The root of the container: this machine's files, but no modules
cd "$(mktemp -d)" || exit
box=$PWD/box
mkdir "$box"
mount --bind / "$box" && mount -t tmpfs none "$box/lib/modules" || { echo "no root for a container"; exit 1; }
leave() { umount "$box/lib/modules"; umount "$box"; }
trap leave EXIT

# screen TITLE: the last output, for a reader of the log
screen() {
	echo "---- $1"
	cat out err
}

echo 2 >/proc/sys/kernel/perf_event_paranoid
status 1 $contained "$box" pmctrack doctor
screen "a container, perf_event_open() refused"
finding FAIL module 'not loaded; here is no folder of modules for this kernel \(a'
remedy 'outside of the container: sudo modprobe pmctrack$'
finding FAIL 'perf calls' 'a seccomp filter refuses perf_event_open\(\) \(Operation not'
remedy 'docker run --cap-add PERFMON'
finding FAIL counting '[^ ]+: perf_event_open\(\) is forbidden here: in a container,'
refused 'forbidden here: in a container, allow it in the seccomp profile' $contained "$box" pmctrack stat $loop
cat err

status 1 $contained --perf "$box" pmctrack doctor
screen "a container, perf_event_open() allowed"
finding ok rights 'this user may count own processes in user mode$'
finding ok 'perf calls' 'perf_event_open\(\) works$'
finding ok counting '[^ ]+: 2,00[0-9],[0-9]{3} instructions[,;] '
[ "$(grep -c '^FAIL' out)" -eq 1 ] || wrong "the module is all that is missing, but: $(grep '^FAIL' out)"
status 7 $contained --perf "$box" pmctrack stat --filter user -e instructions,cycles,page-faults $loop
screen "pmctrack stat in it"
has err 'the kernel module is not loaded, so perf_event_open\(\) counts'
has err "^ +$(echo $known | sed 's/\(.*\)\(...\)\(...\)/\1,\2,\3/') +instructions:u"
# Without -e, what this user may count
status 0 $contained --perf "$box" pmctrack stat true
screen "pmctrack stat without events in it"
has err '^ +[0-9,]+ +instructions:u +#'
has err '^ Not counted: context-switches, cpu-migrations: in kernel mode, which needs CAP_PERFMON, or'
refused 'counts in kernel mode, which needs CAP_PERFMON' \
	$contained --perf "$box" pmctrack stat --filter all -e instructions $loop

# With the module: sessions need no perf_event_open().
modprobe pmctrack || wrong "the module does not load"
status 0 $contained "$box" pmctrack doctor
finding note 'perf calls' 'a seccomp filter refuses perf_event_open\(\)'
finding ok counting '[^ ]+: 2,00[0-9],[0-9]{3} instructions, in each of two runs$'
status 7 $contained "$box" pmctrack stat --filter user -e instructions $loop
screen "pmctrack stat in a container of a host with the module"
has err 'All counts are exact'
rmmod pmctrack
exit $fail
