// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: instructions of a known program, counted twice on each core type. */
#include <inttypes.h>

#include "doctor.h"

/* "2,000,017" */
static const char *with_commas(uint64_t value, char *buf, size_t size)
{
	char digits[32];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, value), i;
	size_t to = 0;

	for (i = 0; i < len && to + 2 < size; i++) {
		if (i && (len - i) % 3 == 0)
			buf[to++] = ',';
		buf[to++] = digits[i];
	}
	buf[to] = '\0';
	return buf;
}

/* A program has some instructions besides those of its loop. */
static int is_right(uint64_t count, uint64_t known)
{
	return count >= known && count <= known + known / 100;
}

/*
 * Two runs of one loop. Real processors count an instruction more at some interrupts, so
 * that runs may differ a little.
 */
static void measure_on(struct doctor *d, const struct pmc_core_type_info *ct)
{
	uint64_t count[2], known, difference;
	char text[32];
	int i, rc;

	for (i = 0; i < 2; i++) {
		rc = d->probes->count(d, ct, &count[i], &known);
		if (rc > 0) {
			doctor_say(d, NOTE, "%s: not tried, as this process may not run on CPUs %s",
				   ct->name, ct->cpus);
			return;
		}
		if (rc < 0) {
			doctor_say(d, FAIL, "%s: %s", ct->name, pmc_last_error());
			return;
		}
	}
	difference = count[0] > count[1] ? count[0] - count[1] : count[1] - count[0];
	/* If both runs are right, the first one is printed. */
	with_commas(count[is_right(count[0], known) && !is_right(count[1], known)], text, sizeof(text));
	if (!is_right(count[0], known) || !is_right(count[1], known)) {
		doctor_say(d, FAIL, "%s: %s instructions of a program that has %" PRIu64 " in its loop",
			   ct->name, text, known);
		doctor_remedy(d, "report it with the output of: cat /proc/pmc/info /proc/cpuinfo");
	} else if (!difference) {
		doctor_say(d, OK, "%s: %s instructions, in each of two runs", ct->name, text);
	} else {
		doctor_say(d, difference > known / 1000 ? NOTE : OK,
			   "%s: %s instructions; a second run differs by %" PRIu64, ct->name, text, difference);
	}
}

void doctor_measure(struct doctor *d)
{
	int id, nr = 0;

	for (id = 0; d->machine && id < pmc_machine_nr_core_types(d->machine); id++) {
		const struct pmc_core_type_info *ct = pmc_machine_core_type(d->machine, id);

		if (!ct->nr_hw_counters)
			continue;
		nr++;
		measure_on(d, ct);
	}
	if (!nr)
		doctor_say(d, FAIL, "not tried: %s", d->machine ? "no core type has counters" : d->machine_error);
}
