// SPDX-License-Identifier: GPL-2.0
/* Threads of a module that estimates: samples become rounds, rounds estimates. */
#include <linux/kernel.h>
#include <linux/time64.h>
#include "estimator.h"
#include "params.h"

/**
 * struct state - what is kept for each thread
 * @estimate: the last one, thousandths
 * @round: its round; the end has no fixed size
 */
struct state {
	u64 estimate;
	struct round round;
};

static struct state *state_of(struct pmc_module_thread *t)
{
	return (void *)t->data;
}

static int activate(void)
{
	int ret = estimator_add_sets();

	if (ret)
		return ret;
	pmc_module_set_period(&pmc_estimator.mm,
			      estimator_params.period_ms * (u64)NSEC_PER_MSEC);
	return 0;
}

static void thread_start(struct pmc_module_thread *t)
{
	state_of(t)->estimate = PMC_NO_VALUE;
}

/* Another program: nothing is known of it. */
static void thread_exec(struct pmc_module_thread *t)
{
	state_of(t)->estimate = PMC_NO_VALUE;
	round_forget(&state_of(t)->round, pmc_module_nr_core_types());
}

static u64 count_of(const struct model *model,
		    const struct pmc_module_sample *sample, const char *event)
{
	int place = model_place(model, sample->set, model_event(model, event));

	return place < 0 ? PMC_NO_VALUE : sample->counts[place];
}

static void report_sample(struct pmc_module_thread *t, const struct model *model,
			  const struct pmc_module_sample *sample)
{
	u64 instructions = count_of(model, sample, ROUND_INSTRUCTIONS);
	u64 cycles = count_of(model, sample, ROUND_CYCLES);

	if (instructions >= estimator_params.round.instructions && cycles)
		pmc_estimator.sampled(t, instructions, cycles,
				      count_of(model, sample, "llc_misses"),
				      count_of(model, sample, "llc_references"));
}

static void sample(struct pmc_module_thread *t,
		   const struct pmc_module_sample *sample)
{
	const struct model *model = &estimator_params.model[sample->core_type];
	u64 metrics[MODEL_METRICS_MAX];
	struct state *s = state_of(t);
	s64 value;

	/* On a core type without a model there are no counts, either. */
	if (!model->estimates || !sample->nr_counts)
		return;
	if (pmc_estimator.sampled)
		report_sample(t, model, sample);
	if (!round_add(&s->round, model, &estimator_params.round, sample, metrics) ||
	    !model_estimate(model, metrics, &value))
		return;
	s->estimate = model_thousandths(value);
	pmc_module_set_metric(t, pmc_estimator.metric, s->estimate);
	if (pmc_estimator.estimated)
		pmc_estimator.estimated(t, s->estimate);
}

static u64 read(const struct pmc_module_thread *t, unsigned int i)
{
	return ((const struct state *)t->data)->estimate;
}

int estimator_register(void)
{
	struct monitoring_module *mm = &pmc_estimator.mm;
	int ret;

	mm->thread_size = sizeof(struct state) +
			  pmc_module_nr_core_types() * sizeof(u64);
	mm->virtuals = &pmc_estimator.virtual;
	mm->nr_virtuals = 1;
	mm->activate = activate;
	mm->deactivate = estimator_release;
	mm->thread_start = thread_start;
	mm->thread_exec = thread_exec;
	mm->sample = sample;
	mm->read = read;
	mm->set = estimator_set;
	mm->show = estimator_show;
	ret = estimator_params_init();
	if (ret)
		return ret;
	ret = monitoring_module_register(mm);
	if (ret)
		estimator_params_exit();
	return ret;
}

void estimator_unregister(void)
{
	monitoring_module_unregister(&pmc_estimator.mm);
	estimator_params_exit();
}
