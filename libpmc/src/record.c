// SPDX-License-Identifier: LGPL-2.1-or-later
#include <string.h>

#include "record.h"

size_t record_size(const struct pmc_record *record)
{
	return sizeof(*record) +
	       (record->nr_counts + record->nr_virtual) * sizeof(record->counts[0]) +
	       (record->flags & PMC_REC_NAME ? PMC_NAME_LEN : 0) +
	       (record->flags & PMC_REC_ADDRESS ? sizeof(record->counts[0]) : 0);
}

static int at_most(unsigned int n, int max)
{
	return n < (unsigned int)max ? (int)n : max;
}

void record_convert(struct pmc_reading *reading, const struct pmc_record *record)
{
	int n = at_most(record->nr_counts, PMC_MAX_COUNTS);

	reading->time = record->time;
	reading->elapsed = record->elapsed;
	reading->running = record->running;
	reading->pid = record->pid;
	reading->tid = record->tid;
	reading->cpu = record->cpu;
	reading->core_type = record->core_type;
	reading->set = record->set;
	reading->type = (sample_type_t)record->event;
	reading->flags = record->flags & ~(PMC_REC_NAME | PMC_REC_ADDRESS);
	reading->lost = record->lost;
	reading->ebs_event = record->ebs_slot;
	reading->nr_counts = n;
	memcpy(reading->counts, record->counts, n * sizeof(reading->counts[0]));
	reading->nr_virtual = at_most(record->nr_virtual, PMC_MAX_VIRTUALS);
	memcpy(reading->virtual_counts, record->counts + record->nr_counts,
	       reading->nr_virtual * sizeof(reading->virtual_counts[0]));
	reading->address = record->flags & PMC_REC_ADDRESS ?
			   record->counts[record->nr_counts + record->nr_virtual] : 0;
}
