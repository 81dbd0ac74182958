#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# libpmcpapi exports the calls that its headers declare, and no other name of PAPI's. The table
# in libpmc/papi/README.md has each of them. It exports PAPI's calls for Fortran, each under the
# names that compilers make of it.

cd "$(dirname "$0")/../.." || exit
. scripts/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
scripts/build native || exit

nm -D --defined-only "$build/native/papi/libpmcpapi.so" | awk '$2 == "T" && $3 !~ /^_?papif_/ { print $3 }' |
	grep -vi '^papif_' | sort >"$work/exported"
grep -v '^pmcpapi_' "$work/exported" >"$work/papi"
# Comments have names of calls, too, and macros have no type before the name.
for header in papi.h pmcpapi.h; do
	${CC:-cc} -E -P -I libpmc/papi/include "libpmc/papi/include/$header"
done | grep -o '\<\(PAPI\|pmcpapi\)_[a-z_]*(' | tr -d '(' | sort -u >"$work/declared"
# The backquotes are those of the table.
# shellcheck disable=SC2016
sed -n '/^## Calls/,/^## Files/s/^| \([^|]*\) |.*/\1/p' libpmc/papi/README.md | grep -o '`[a-z_]*`' |
	tr -d '`' | sed 's/^/PAPI_/' | sort >"$work/listed"

# The calls for Fortran, without PAPIF_: those of PAPI 7. PAPIF_get_inherit is in PAPI's source, but
# PAPI does not compile it.
tr ' ' '\n' >"$work/names" <<'EOF'
accum add_event add_events add_named_event assign_eventset_component cleanup_eventset
create_eventset destroy_eventset enum_dev_type enum_event epc event_code_to_name
event_name_to_code flips_rate flops_rate get_clockrate get_dev_attr get_dev_type_attr
get_dmem_info get_domain get_event_info get_exe_info get_granularity get_hardware_info
get_multiplex get_preload get_real_cyc get_real_nsec get_real_usec get_virt_cyc get_virt_usec
hl_read hl_region_begin hl_region_end hl_stop ipc is_initialized library_init list_events lock
multiplex_init num_cmp_hwctrs num_events num_hwctrs perror query_event query_named_event rate_stop
read read_ts register_thread remove_event remove_events remove_named_event reset set_cmp_domain
set_cmp_granularity set_debug set_domain set_event_domain set_granularity set_inherit
set_multiplex shutdown start state stop thread_id thread_init unlock unregister_thread
unregster_thread write
EOF
awk '{ print "papif_" $0; print "papif_" $0 "_"; print "papif_" $0 "__"; print toupper("PAPIF_" $0) }' \
	"$work/names" | sort >"$work/fortran"
# Some of PAPI's capitals are small letters.
nm -D --defined-only "$build/native/papi/libpmcpapi.so" | awk '
	$2 == "T" && $3 ~ /^papif_/ { print $3 }
	$2 == "T" && $3 ~ /^PAPIF_/ { print toupper($3) }' | sort >"$work/fortran_exported"

# same WHAT FILE FILE
same() {
	diff "$work/$2" "$work/$3" >"$work/diff" && return
	echo "$1:"
	cat "$work/diff"
	failures=$((failures + 1))
}

[ -s "$work/papi" ] || failures=1
same "declared in the headers (<), exported (>)" declared exported
same "in the table of libpmc/papi/README.md (<), exported (>)" listed papi
same "calls for Fortran in this script (<), exported (>)" fortran fortran_exported
[ "$failures" -eq 0 ]
