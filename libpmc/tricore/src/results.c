// SPDX-License-Identifier: LGPL-2.1-or-later
/* The results area. */
#include "core.h"

PORT_LOCAL(results) struct epapi_results epapi_results;

_Static_assert(offsetof(struct epapi_results, entry) == 16, "the layout is epapi_results.h's");
_Static_assert(sizeof(struct epapi_result) == 16, "the layout is epapi_results.h's");
_Static_assert(EPAPI_MAX_EVENTS >= 1 && EPAPI_MAX_EVENTS <= 255, "the layout has a byte for it");

/* The area shows this set from now on. */
void epapi_show(const struct epapi_set *set)
{
	struct epapi_results *r = port_results_area;
	unsigned int i;

	epapi_core.shown = set;
	r->magic = EPAPI_RESULTS_MAGIC;
	r->version = EPAPI_RESULTS_VERSION;
	r->core = (u8)port_core_id();
	r->nr = set->nr;
	r->state = EPAPI_RESULTS_RUNNING;
	r->size = sizeof(*r);
	r->first = offsetof(struct epapi_results, entry);
	r->cctrl = set->cctrl;
	for (i = 0; i < set->nr; i++) {
		r->entry[i].event = pmc_tricore_events[set->event[i]].code;
		epapi_show_value(i, set, 0u);
	}
}

void epapi_show_value(unsigned int i, const struct epapi_set *set, u64 value)
{
	unsigned int counters = pmc_tricore_counters(&pmc_tricore_events[set->event[i]]);
	u32 flags = 0;

	/* ipc and epc deliver the cycles, too. */
	if (set == epapi_core.rating)
		counters |= PMC_TRICORE_HAS_CYCLES;
	if (set->count.wrapped & counters)
		flags |= EPAPI_VALUE_WRAPPED;
	if (set->count.inexact & counters)
		flags |= EPAPI_VALUE_INEXACT;
	epapi_results.entry[i].value = value;
	epapi_results.entry[i].flags = flags;
}

const struct epapi_results *epapi_get_results(void)
{
	return &epapi_results;
}
