// SPDX-License-Identifier: LGPL-2.1-or-later
/* An event by name in the form of perf_event_open(), for programs that call it themselves. */
#include <errno.h>
#include <string.h>

#include "error.h"
#include "perf_set.h"
#include "pmctrack.h"
#include "session_config.h"

int pmc_event_perf_attr(const pmc_machine_t *machine, int core_type, const char *event,
			struct perf_event_attr *attr)
{
	const struct core_type *ct = machine_core_type(machine, core_type);
	struct event_set set;
	int type;

	if (!ct)
		return pmc_fail(EINVAL, "no core type %d", core_type);
	if (parse_events(&set, event, 0))
		return -1;
	if (set.nr_events != 1)
		return pmc_fail(EINVAL, "'%s': one event is wanted", event);
	if (event_encode(&set.events[0], machine, ct))
		return -1;
	type = perf_pmu_type(ct, "/sys");
	if (type < 0 && set.events[0].place != EVENT_SOFTWARE)
		return pmc_fail(ENODEV, "the kernel does not say the type of the PMU %s", ct->info.pmu);
	if (perf_attr_encode(attr, &set.events[0], ct, type, FILTER_USER))
		return -1;
	attr->read_format = 0;
	return 0;
}
