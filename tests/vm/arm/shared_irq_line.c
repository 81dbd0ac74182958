// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel disables an interrupt line whose handler has nothing to do in 99 900 of
 * 100 000 interrupts, unless each CPU has a line of its own. The PMUs of this machine's
 * little cores share lines, and sampling on them must not end.
 */
#include <stdlib.h>
#include <unistd.h>

#include "vm.h"

/* Long enough not to be throttled */
#define PERIOD	15000
#define SAMPLES	105000

int main(void)
{
	struct records records = {};
	uint64_t truth;
	int fd, ct;

	need_core_types();
	for (ct = 0; ct < nr_core_types; ct++) {
		pin(0, core_types[ct].first_cpu);
		fd = open_session();
		/* The samples are not read. */
		command(fd, "ring 1\nevents " INSTRUCTIONS ":ebs=%d", PERIOD);
		start(fd);
		spin(PERIOD / 2 * (long)SAMPLES);
		stop(fd);
		close(fd);

		fd = open_session();
		command(fd, "ring 64\nevents " INSTRUCTIONS ":ebs=%d", PERIOD);
		truth = counted_loop(fd, 10 * PERIOD);
		read_records(fd, &records);
		same(nr_records(&records, 0, PMC_SAMPLE_EBS), truth / PERIOD,
		     "%s: samples after %d", core_types[ct].name, SAMPLES);
		forget_records(&records);
		close(fd);
	}
	return result();
}
