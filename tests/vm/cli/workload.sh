#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The suite of base programs: each ends well, and does what it is named after.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

mkdir /tmp/workload && cd /tmp/workload || exit 1
suite=/usr/share/pmctrack/programs/suite
# What user space executes is the same each time, with all at the same addresses.
echo 0 >/proc/sys/kernel/randomize_va_space

command_of() { sed -n "s/^$1: //p" $suite; }

# measure EVENTS NAME: the program has two rounds, and then four
measure() {
	for PMC_ROUNDS in 2 4; do
		export PMC_ROUNDS
		status 0 taskset 1 pmctrack stat -x ';' -o $PMC_ROUNDS.csv -e "$1" sh -c "exec $(command_of "$2")"
	done
}

# of_two_rounds EVENT: without what starting and ending the program take
of_two_rounds() { awk -F ';' -v e="$1" '$3 == e { n = $1 - n } END { printf "%.0f\n", n }' 2.csv 4.csv; }
a_round() { echo $(($(of_two_rounds "$1") / 2)); }

# multiple NUMBER OF: NUMBER is a multiple of OF, +-20 instructions by which starts of a program differ
multiple() { [ $((($1 + 20) % $2)) -le 40 ]; }

names=$(sed -n 's/^\([a-z]*\): .*/\1/p' $suite)
[ "$(echo "$names" | wc -l)" -eq 11 ] || wrong "programs of the suite: $names"
for name in $names; do
	measure instr:u,instr:k,branches:u,branch_misses:u,llc_references:u,page_faults "$name"
	instr=$(a_round instr:u) kernel=$(a_round instr:k) branches=$(a_round branches:u)
	misses=$(a_round branch_misses:u) lines=$(a_round llc_references:u) faults=$(a_round page_faults)
	echo "$name: $instr instructions, $kernel in the kernel, $branches branches, $misses mispredicted," \
		"$lines accesses to the last cache, $faults page faults"
	# pmctrack-cli/src/workload has the numbers of steps, calls and pages of a round.
	case $name in
	integer | divide) multiple "$instr" 10000 && multiple "$branches" 10000 && [ "$branches" -gt 0 ] ;;
	float) [ "$branches" -gt 0 ] && [ "$instr" -gt $((6 * branches)) ] ;;
	branch) [ "$branches" -gt 19980 ] ;;
	sort) [ "$instr" -lt $((5 * branches)) ] ;;
	stream) multiple "$instr" 20000 && [ "$lines" -gt 4500 ] ;;
	chase | tlb) multiple "$instr" 20000 && [ "$lines" -gt 18000 ] ;;
	syscall) multiple "$instr" 200 && [ "$kernel" -gt $((4 * instr)) ] ;;
	fault) [ "$kernel" -gt $((100 * instr)) ] ;;
	disk) [ "$kernel" -gt $((100 * instr)) ] ;;
	*) false ;;
	esac || wrong "$name is something else"
	# Branches at random: every second prediction is wrong. A page is read first, and then written.
	case $name in
	branch | sort) [ "$misses" -gt 4000 ] ;;
	*) [ "$misses" -lt 2000 ] ;;
	esac || wrong "$name: $misses mispredicted branches"
	[ "$faults" -eq "$([ "$name" = fault ] && echo 80 || echo 0)" ] || wrong "$name: $faults page faults"
done

if grep -q '^vendor_id.*Intel' /proc/cpuinfo; then
	# Operations: a product of matrices has 512 products and 512 sums, 64 products, and one sum. Two rounds of
	# the program are 39 such products. A step of divide has a division and a sum.
	scalar='cpu_core/event=0xc7,umask=0x01/' pair='cpu_core/event=0xc7,umask=0x04/'
	for want in float:42471 divide:40000 integer:0; do
		measure "$scalar,$pair" "${want%:*}"
		flops=$(($(of_two_rounds "$scalar") + 2 * $(of_two_rounds "$pair")))
		[ $flops -eq "${want#*:}" ] || wrong "${want%:*}: $flops floating-point operations"
	done
else
	divisions='cpu/event=0x0a,umask=0x05/'
	measure "$divisions" divide
	[ "$(of_two_rounds "$divisions")" -eq 20000 ] || wrong "divide: $(of_two_rounds "$divisions") divisions"
fi
rm -r /tmp/workload
exit $fail
