#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The unit tests of ePAPI notice mistakes: the code is broken in one place at a time, and a
# test must fail each time.

top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# Without sanitizers: wrong numbers have to do.
tests="test_tricore test_epapi test_epapi_counts test_epapi_tasks"
flags="-fno-sanitize=all -O1 -Wno-error"
mkdir -p "$work/libpmc" "$work/tests"
cp -r "$top/libpmc/"{tricore,include,src} "$work/libpmc/"
cp -r "$top/pmctrack-cli" "$work/"
cp -r "$top/tests/unit" "$work/tests/"

# Build and run the tests; the first that fails ends it: 1, or 2 if that is building.
all_pass() {
	local t
	for t in $tests; do
		make -s -C "$work/tests/unit" O="$work/out" T_EXTRA_FLAGS="$flags" "$work/out/$t" || return 2
		timeout 60 "$work/out/$t" || return 1
	done
}

if ! all_pass >"$work/log" 2>&1; then
	cat "$work/log"
	echo "they fail without any mistake"
	exit 1
fi

# broken FILE EXPRESSION: what sed makes of FILE must not pass.
broken() {
	local rc=0
	cp "$work/$1" "$work/kept"
	sed -i "$2" "$work/$1"
	all_pass >"$work/log" 2>&1 || rc=$?
	if cmp -s "$work/kept" "$work/$1"; then
		echo "$1: nothing to change for $2"
	elif [ $rc -eq 2 ]; then
		echo "$1: does not compile with $2"
		grep 'error:' "$work/log"
	elif [ $rc -eq 0 ]; then
		echo "$1: nobody notices $2"
	fi
	[ $rc -eq 1 ] || failures=$((failures + 1))
	cp "$work/kept" "$work/$1"
}

events=libpmc/tricore/src/tricore_events.c
broken $events 's/"PCACHE_HIT", NATIVE(3), M1, 0, PCACHE/"PCACHE_HIT", NATIVE(3), M1, 0, DCACHE/'
broken $events 's/"DMEM_STALL", NATIVE(11), M3/"DMEM_STALL", NATIVE(11), M2/'
broken $events 's/L1_DCM, M2 | M3, 0/L1_DCM, M1 | M3, 0/'
broken $events 's/CYCLES, M1, MEMORY/CYCLES, 0, MEMORY/'
broken $events 's/{ L1_ICM, L1_DCM }/{ L1_ICH, L1_DCM }/'
broken $events 's/PRESET(0x22)/PRESET(0x23)/'

regs=libpmc/tricore/src/tricore.h
broken $regs '/define PMC_TRICORE_CCTRL_M1/s/2$\|2\t/3 /'
broken $regs '/define PMC_TRICORE_CCTRL_M2/s/5$/4/'
broken $regs '/define PMC_TRICORE_CCTRL_M3/s/8$/7/'
broken $regs '/define PMC_TRICORE_CCTRL_RUN/s/0x2u/0x0u/'
broken $regs '/define PMC_TRICORE_CCTRL_TASK/s/0x1u/0x0u/'
broken $regs '/define PMC_TRICORE_ICNT/s/0xfc08/0xfc0c/'
broken $regs '/define PMC_TRICORE_PSW_IO_SV/s/0x800u/0x400u/'
broken $regs '/define PMC_TRICORE_OEC_SECOND/s/0x5eu/0xe5u/'
broken $regs '/define PMC_TRICORE_CBS_OEC/s/478u/47cu/'

logic=libpmc/tricore/src/tricore.c
broken $logic 's/if ((plan->cctrl ^ wanted) & shared)/if (shared \&\& !wanted)/'
broken $logic '/plan->counters |= counters;/d'
broken $logic 's/plan->cctrl |= wanted/plan->cctrl = wanted/'
broken $logic '/define MOST_INSTRUCTIONS/s/3u/1u/'
broken $logic 's/cycles >= most/cycles > most/'
broken $logic 's/count->value\[i\] += raw\[i\]/count->value[i] += raw[i] \& 0x7fffffff/'
broken $logic 's/value -= counted/value += counted/'

core=libpmc/tricore/src/core.h
broken $core '/port_mtcr(PMC_TRICORE_CCTRL, 0u);/d'
broken $core '/port_mtcr(PMC_TRICORE_CCTRL, 0u);/{n;d}'
broken $core '/port_mtcr(PMC_TRICORE_CCTRL, cctrl);/{n;d}'
broken $core '/void epapi_suspend_now/,/^}/s/!epapi_supervisor()/0/'
broken $core '/void epapi_suspend_now/,/^}/s/!epapi_supervisor()/1/'
broken $core '/void epapi_suspend_now/,/^}/s/!cctrl/0/'

counters=libpmc/tricore/src/counters.c
broken $counters 's/if (cctrl)$/if (0)/'
broken $counters 's/epapi_core.cctrl = 0u;//'
broken $counters '/port_mtcr(PMC_TRICORE_M2CNT, 0u);/d'
broken $counters 's/port_mfcr(PMC_TRICORE_M3CNT)/port_mfcr(PMC_TRICORE_M2CNT)/'
broken $counters 's/epapi_core.cleared = now/epapi_core.cleared = 0u/'

ocds=libpmc/tricore/src/ocds.c
broken $ocds 's/if (pause)/if (i)/'
broken $ocds 's/ENABLE_STAGGER \* port_core_id()/ENABLE_STAGGER/'
broken $ocds 's/(void)port_load(PMC_TRICORE_CBS_OSTATE);//'
broken $ocds 's/epapi_core.enabled |= asked;//'
broken $ocds 's/epapi_core.enabled |= asked;/epapi_core.enabled = true;/'
broken $ocds 's/epapi_core.enabled = false;//'
broken $ocds 's/if (epapi_core.enabled)/if (1)/'
broken $ocds 's/if (epapi_core.set\[i\].running)/if (0)/'

port=libpmc/tricore/src/port.h
broken $port 's/id > 5u ? id - 1u : id/id/'
broken $port 's/id > 5u ? id - 1u : id/id * 0u/'

low=libpmc/tricore/src/lowlevel.c
broken $low '/^int epapi_begin/,/^}/s/epapi_clear_count(set);//'
broken $low '/^int epapi_begin/,/^}/s/!epapi_supervisor()/0/'
broken $low '/^int epapi_deliver/,/^}/s/!epapi_supervisor()/0/'
broken $low 's/== PMC_TRICORE_MOD_TC16E/== 0/'
broken $low '/^int epapi_begin/,/^}/s/epapi_core.cctrl = set->cctrl;//'
broken $low '/^int epapi_deliver/,/^}/s/epapi_core.cctrl = 0u;//'
broken $low 's/how & DELIVER_ADD/0/'
broken $low '/^int epapi_deliver/,/^}/s/epapi_clear_count(set);/;/'
broken $low 's/set->running = false;//'
broken $low 's/ | epapi_core.task_mode//'

reader=libpmc/tricore/src/read_counters.c
broken $reader '/^int ePAPI_read_counters/,/^}/s/!epapi_supervisor()/0/'
broken $reader 's/array_len < 1/0/'
broken $reader 's/(!values)/(0)/'
broken $reader '/^static PORT_COLD int no_list/,/^}/s/epapi_core.cctrl = cctrl;/(void)cctrl;/'
broken $reader 's/port_mtcr(csfr, zero);//'
broken $reader 's/(s32)value < 0/0/'
broken $reader 's/epapi_results.entry\[0\].value = value;//'
broken $reader 's/epapi_results.entry\[0\].value = sum;//'
broken $reader 's/ && !set->count.value\[i\]//'
broken $reader 's/DELIVER_ADD | DELIVER_CLEAR/DELIVER_ADD/'

tasks=libpmc/tricore/src/task.c
broken $tasks 's/epapi_collect(epapi_core.counting);//'
broken $tasks 's/(void)epapi_stop_counters();//'
broken $tasks 's/(void)epapi_cycles_passed();//'
broken $tasks 's/if (epapi_core.shown != set)/if (0)/'
broken $tasks '/^void epapi_task_restore/,/^}/s/epapi_choose_reader();//'

broken libpmc/tricore/src/rates.c 's/passed = cycles - epapi_core.cycles/passed = cycles/'
broken libpmc/tricore/src/highlevel.c '/^static int stop/,/^}/s/epapi_free_set(set);//'
broken libpmc/tricore/src/eventset.c '/^struct epapi_set \*epapi_use_set/,/^}/s/epapi_suspend();//'
broken libpmc/tricore/src/eventset.c '/^static int find_code/,/^}/s/epapi_suspend();//'
broken libpmc/tricore/src/eventset.c 's/ret == PAPI_OK || i <= 1 ? ret : i - 1/ret/'
broken libpmc/tricore/src/eventset.c 's/set->nr == EPAPI_MAX_EVENTS/0/'
broken libpmc/tricore/src/eventset.c '/^int epapi_add/,/^}/s/epapi_clear_count(set);/;/'
broken libpmc/tricore/src/eventset.c '/^int epapi_add/,/^}/s/ret == PAPI_OK/1/'
broken libpmc/tricore/src/results.c 's/set == epapi_core.rating/0/'
broken libpmc/tricore/src/results.c 's/set == epapi_core.rating/1/'
broken libpmc/tricore/src/results.c 's/sizeof(\*r)/16/'

broken libpmc/tricore/src/highlevel.c '/^int epapi_start_high_level/,/^}/s/epapi_free_set(set)/(void)0/'

exit $((failures > 0))
