// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Generic events: names that mean the same on every core type, and their encodings. perf's
 * names are among them or stand for them, and so mean what perf counts, or what is nearest.
 *
 * An encoding is a list of candidates separated by |, the best first; the first candidate
 * that the core type has is taken. Arm: event numbers of DDI 0487 (see tables/armv8.c).
 * Intel: architectural events (see tables/intel_arch.c), or libpfm4's names where there is
 * none. AMD: events of Zen (see tables/amd_zen.c), and of its level 3 caches (see
 * uncore.c). The table of a model may have other encodings, which then apply.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "format_event.h"
#include "tables/tables.h"

#define LOADS "MEM_INST_RETIRED:ALL_LOADS|MEM_UOPS_RETIRED:ALL_LOADS|MEM_UOP_RETIRED:ANY_LOADS"

const struct generic_event generic_events[] = {
	{ "instr", "instructions retired",
	  "0x08", "0xc0:umask=0x00", "0xc0" },
	{ "cycles", "core cycles while running",
	  "0x11", "0x3c:umask=0x00", "0x76" },
	{ "ref_cycles", "cycles of a clock of constant frequency",
	  "0x4004", "UNHALTED_REFERENCE_CYCLES|0x3c:umask=0x01", NULL },
	{ "branches", "branches retired",
	  "0x21|0x0c", "0xc4:umask=0x00", "0xc2" },
	{ "branch_misses", "mispredicted branches",
	  "0x22|0x10", "0xc5:umask=0x00", "0xc3" },
	{ "llc_references", "accesses to the last cache level the core counts",
	  "0x36|0x32|0x2b|0x16", "0x2e:umask=0x4f", "0x60:umask=0xff" },
	{ "llc_misses", "misses of the last cache level the core counts",
	  "0x37|0x33|0x2a|0x17", "0x2e:umask=0x41", "0x64:umask=0x09" },
	{ "llc_loads", "loads that reach the last cache level the core counts",
	  "0x36|0x32|0x2b|0x16", "MEM_LOAD_RETIRED:L2_MISS|MEM_LOAD_UOPS_RETIRED:L2_MISS", NULL },
	{ "llc_load_misses", "loads that miss the last cache level the core counts",
	  "0x37|0x33|0x2a|0x17",
	  "MEM_LOAD_RETIRED:L3_MISS|MEM_LOAD_UOPS_RETIRED:L3_MISS|"
	  "MEM_LOAD_UOPS_MISC_RETIRED:LLC_MISS|MEM_LOAD_UOPS_L3_MISS_RETIRED:ALL|"
	  "MEM_LOAD_UOPS_RETIRED_MISC:L3_MISS|MEM_LOAD_UOPS_MISC_RETIRED:LOCAL_DRAM|"
	  "OCR:DEMAND_DATA_RD:L3_MISS", NULL },
	{ "loads", "loads",
	  "0x06", LOADS, "0x29:umask=0x05" },
	{ "stores", "stores",
	  "0x07", "MEM_INST_RETIRED:ALL_STORES|MEM_UOPS_RETIRED:ALL_STORES|"
	  "MEM_UOP_RETIRED:ANY_STORES",
	  "0x29:umask=0x06" },
	{ "l1d_references", "level 1 data cache accesses",
	  "0x04", "MEM_INST_RETIRED:ANY|MEM_UOPS_RETIRED:ALL|" LOADS, "0x29:umask=0x07" },
	{ "l1d_loads", "level 1 data cache accesses by loads; Arm: and by stores",
	  "0x04", LOADS, "0x29:umask=0x05" },
	{ "l1d_misses", "level 1 data cache misses",
	  "0x03", "L1D:REPLACEMENT|MEM_LOAD_UOPS_RETIRED:L1_MISS|MEM_LOAD_RETIRED:L1_MISS",
	  "0x60:umask=0xe0" },
	{ "l1i_misses", "level 1 instruction cache misses",
	  "0x01", "ICACHE_64B:IFTAG_MISS|ICACHE:MISSES|L2_RQSTS:ALL_CODE_RD|FRONTEND_RETIRED:L1I_MISS",
	  "0x18e:umask=0x18" },
	{ "l2_references", "level 2 cache accesses",
	  "0x16", "L2_RQSTS:REFERENCES|L2_REQUEST:ALL|L2_RQSTS:ALL_DEMAND_REFERENCES|"
	  "LONGEST_LAT_CACHE:REFERENCE",
	  "0x64:umask=0xff" },
	{ "l2_misses", "level 2 cache misses",
	  "0x17", "L2_RQSTS:MISS|L2_REQUEST:MISS|L2_RQSTS:ALL_DEMAND_MISS|LONGEST_LAT_CACHE:MISS",
	  "0x64:umask=0x09" },
	{ "dtlb_misses", "data TLB misses",
	  "0x34|0x05", "DTLB_LOAD_MISSES:MISS_CAUSES_A_WALK|DTLB_LOAD_MISSES:WALK_COMPLETED",
	  "0x45:umask=0xf0" },
	{ "itlb_misses", "instruction TLB misses",
	  "0x35|0x02", "ITLB_MISSES:MISS_CAUSES_A_WALK|ITLB_MISSES:WALK_COMPLETED",
	  "0x85:umask=0x0f" },
	{ "stall_frontend", "cycles in which the frontend delivered nothing",
	  "0x23", "IDQ_BUBBLES:STARVATION_CYCLES|IDQ_BUBBLES:CYCLES_0_UOPS_DELIV:CORE|"
	  "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE|"
	  "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV_CORE", "0xa9" },
	{ "stall_backend", "cycles in which the backend took nothing",
	  "0x24", "CYCLE_ACTIVITY:STALLS_TOTAL", NULL },
	{ "bus_cycles", "bus cycles",
	  "0x1d", "0x3c:umask=0x01", NULL },
	{ "slots", "issue slots while running, of use or not",
	  NULL, "TOPDOWN:SLOTS|TOPDOWN:SLOTS_P", NULL },
	{ "l3_references", "lookups in a level 3 cache, of all CPUs that share it",
	  NULL, NULL, "l3=0x04:umask=0xff" },
	{ "l3_misses", "misses of a level 3 cache, of all CPUs that share it",
	  NULL, NULL, "l3=0x04:umask=0x01" },
};

const size_t nr_generic_events = sizeof(generic_events) / sizeof(generic_events[0]);

/* Other tools' names for generic events. */
static const char *const aliases[][2] = {
	{ "instructions", "instr" },
	{ "instr_retired", "instr" },
	{ "cpu_cycles", "cycles" },
	{ "cache_misses", "llc_misses" },
	{ "cache_references", "llc_references" },
	{ "llc_refs", "llc_references" },
	{ "branch_instructions", "branches" },
	{ "branch_mispredicts", "branch_misses" },
	{ "branch_loads", "branches" },
	{ "branch_load_misses", "branch_misses" },
	{ "l1_dcache_loads", "l1d_loads" },
	{ "l1_dcache_load_misses", "l1d_misses" },
	{ "l1_dcache_stores", "stores" },
	{ "l1_icache_load_misses", "l1i_misses" },
	{ "dtlb_load_misses", "dtlb_misses" },
	{ "itlb_load_misses", "itlb_misses" },
	{ "stalled_cycles_frontend", "stall_frontend" },
	{ "idle_cycles_frontend", "stall_frontend" },
	{ "stalled_cycles_backend", "stall_backend" },
	{ "idle_cycles_backend", "stall_backend" },
};

static const char *const software_aliases[][2] = {
	{ "cpu_migrations", "migrations" },
	{ "faults", "page_faults" },
	{ "cs", "context_switches" },
};

/* Case does not matter, and - is the same as _, since other tools write cache-misses. */
static int same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b) &&
		    !(*a == '_' && *b == '-'))
			return 0;
	return *a == *b;
}

const struct software_name software_names[] = {
	{ "task_clock", "time the thread ran, in ns" },
	{ "context_switches", "times the thread was switched out" },
	{ "migrations", "times the thread moved to another CPU" },
	{ "page_faults", "page faults" },
	{ "minor_faults", "page faults served from memory" },
	{ "major_faults", "page faults served from storage" },
};

const size_t nr_software_names = sizeof(software_names) / sizeof(software_names[0]);

const struct generic_event *generic_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (same_name(aliases[i][0], name))
			name = aliases[i][1];
	for (i = 0; i < nr_generic_events; i++)
		if (same_name(generic_events[i].name, name))
			return &generic_events[i];
	return NULL;
}

const char *generic_meaning(const struct generic_event *p, const struct core_type *ct)
{
	const char *own = table_generic(ct->table, p->name);

	if (own)
		return *own ? own : NULL;
	switch (ct->family) {
	case FAMILY_ARM:
		return p->arm;
	case FAMILY_INTEL:
		return p->intel;
	case FAMILY_AMD:
		return p->amd;
	case FAMILY_NONE:
		break;
	}
	return NULL;
}

const char *software_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(software_aliases) / sizeof(software_aliases[0]); i++)
		if (same_name(software_aliases[i][0], name))
			name = software_aliases[i][1];
	for (i = 0; i < nr_software_names; i++)
		if (same_name(software_names[i].name, name))
			return software_names[i].name;
	return NULL;
}
