#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The commands of Debian's PAPI, as they are, run on libpmcpapi, and say what the project's own do.

# shellcheck source=tests/vm/lib/cli.sh
. /tests/lib/cli.sh

tools=/usr/lib/papi/tools
[ -d $tools ] || { echo "the machine has no papi-tools of Debian's"; exit 77; }
cd /tmp || exit 1

# theirs COMMAND...: one of PAPI's commands, with libpmcpapi under the name of PAPI's library
theirs() {
	tool=$tools/$1
	shift
	status 0 env LD_LIBRARY_PATH=/usr/lib/pmctrack/papi:$tools "$tool" "$@"
}

status 0 pmc-avail --format=csv
awk -F, '$1 == "preset" { n++; if ($6 == "yes") { a++; if ($7) d++ } } END { print n, a, d + 0 }' out >numbers
read -r presets available derived <numbers
[ "$available" -gt 5 ] || wrong "$available of $presets presets are available"
theirs papi_avail
has out "^Of $presets possible events, $available are available, of which $derived are derived"
theirs papi_avail -e PAPI_TOT_INS
has out '^Number of Native Events: +[1-9]'
theirs papi_decode
[ "$(grep -c '^PAPI_' out)" = "$presets" ] || wrong "papi_decode: not $presets presets: $(cat out)"

status 0 pmc-avail -n --format=csv
natives=$(grep -c ^native, out)
theirs papi_component_avail
has out "^ *Native: $natives, Preset: $available, Counters: [1-9]"
theirs papi_native_avail
has out "^Total events reported: $natives\$"

status 0 pmc-chooser --format=csv PAPI_TOT_CYC
awk -F, '$1 == "preset" { print $2 }' out | sort >ours
theirs papi_event_chooser PRESET PAPI_TOT_CYC
grep -o '^PAPI_[A-Z0-9_]*' out | grep -v '^PAPI_TOT_CYC$' | sort | cmp -s - ours ||
	{ wrong "papi_event_chooser, and pmc-chooser:"; cat out ours; }

theirs papi_command_line PAPI_TOT_INS
has out '^PAPI_TOT_INS :[[:space:]]*[1-9][0-9]{6,}'
theirs papi_cost -t 100
has out '^Total cost for PAPI_read \(2 counters\) over 100 iterations'
has out '^mean cycles  : [1-9]'
theirs papi_xml_event_info
has out '^</eventinfo>'
for command in papi_error_codes papi_hardware_avail papi_mem_info papi_version; do
	theirs $command
done
exit $fail
