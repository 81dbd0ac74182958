// SPDX-License-Identifier: GPL-2.0
/* Rounds of event sets, and the phases of a program. */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "../average.h"
#include "phase_rounds.h"

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

static u64 count_of(const struct model *model,
		    const struct pmc_module_sample *sample, u8 event)
{
	return event == MODEL_TIME ? sample->running :
				     sample->counts[model_place(model, sample->set, event)];
}

static void add(struct round *round, const struct model *model,
		const struct pmc_module_sample *sample)
{
	const struct model_metric *metric;
	unsigned int i;

	for (i = 0; i < model->nr_metrics; i++) {
		metric = &model->metric[i];
		if (!model_has(model, sample->set, metric->over) ||
		    !model_has(model, sample->set, metric->under))
			continue;
		round->over[i] += count_of(model, sample, metric->over);
		round->under[i] += count_of(model, sample, metric->under);
	}
	round->have |= BIT(sample->set);
}

bool round_add(struct round *round, const struct model *model,
	       const struct round_settings *settings,
	       const struct pmc_module_sample *sample, u64 *metrics)
{
	u64 instructions = count_of(model, sample, model_event(model, ROUND_INSTRUCTIONS));
	u64 cycles = count_of(model, sample, model_event(model, ROUND_CYCLES));
	u64 *average = &round->ipc[sample->core_type];
	unsigned int i;
	u64 ipc;

	if (instructions < settings->instructions || !cycles)
		return false;
	ipc = model_ratio(instructions, cycles, 1);
	if (!*average) {
		*average = ipc;
	} else if (pmc_average_add(average, ipc, settings->weight,
				   settings->threshold)) {
		round->phases++;
		round->have = 0;
	}
	if (!round->have || round->core_type != sample->core_type)
		begin(round, sample->core_type);
	add(round, model, sample);
	if (round->have != BIT(model->nr_sets) - 1)
		return false;
	for (i = 0; i < model->nr_metrics; i++)
		metrics[i] = model_ratio(round->over[i], round->under[i],
					 model->metric[i].factor);
	round->have = 0;
	return true;
}
