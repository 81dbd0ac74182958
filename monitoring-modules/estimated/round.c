// SPDX-License-Identifier: GPL-2.0
/* Rounds of event sets, and the phases of a program. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "../average.h"
#include "round.h"

void round_forget(struct round *round, unsigned int nr_core_types)
{
	memset(round, 0, sizeof(*round) + nr_core_types * sizeof(round->ipc[0]));
}

static void begin(struct round *round, unsigned int core_type)
{
	round->core_type = core_type;
	round->have = 0;
	memset(round->over, 0, sizeof(round->over));
	memset(round->under, 0, sizeof(round->under));
}

static void add(struct round *round, const struct model *model,
		unsigned int set, const u64 *counts)
{
	unsigned int i;

	for (i = 0; i < model->nr_metrics; i++) {
		int over = model_place(model, set, model->metric[i].over);
		int under = model_place(model, set, model->metric[i].under);

		if (over < 0 || under < 0)
			continue;
		round->over[i] += counts[over];
		round->under[i] += counts[under];
	}
	round->have |= BIT(set);
}

bool round_add(struct round *round, const struct model *model,
	       const struct round_settings *settings, unsigned int core_type,
	       unsigned int set, const u64 *counts, u64 *metrics)
{
	int instr = model_place(model, set, model_event(model, ROUND_INSTRUCTIONS));
	int cycles = model_place(model, set, model_event(model, ROUND_CYCLES));
	u64 *average = &round->ipc[core_type];
	unsigned int i;
	u64 ipc;

	if (counts[instr] < settings->instructions || !counts[cycles])
		return false;
	ipc = model_ratio(counts[instr], counts[cycles], 1);
	if (!*average) {
		*average = ipc;
	} else if (pmc_average_add(average, ipc, settings->weight,
				   settings->threshold)) {
		round->phases++;
		round->have = 0;
	}
	if (!round->have || round->core_type != core_type)
		begin(round, core_type);
	add(round, model, set, counts);
	if (round->have != BIT(model->nr_sets) - 1)
		return false;
	for (i = 0; i < model->nr_metrics; i++)
		metrics[i] = model_ratio(round->over[i], round->under[i],
					 model->metric[i].factor);
	round->have = 0;
	return true;
}
