// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters: the sampling period, when a phase is a new one, and the models,
 * which come line by line and can only change while they are not in use.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include "estimator.h"
#include "params.h"
#include "text.h"

struct estimator_params estimator_params = {
	.period_ms = 200,
	.round = { .weight = 250, .threshold = 150, .instructions = 100000 },
};

/**
 * struct kept - a line of the model as it came, to be shown
 * @link: in kept
 * @key: its key
 * @value: its value
 * @core_type: the core type it is about
 * @events: where its event set's text is, in @key's room; NULL: another line
 */
struct kept {
	struct list_head link;
	const char *key;
	const char *value;
	unsigned int core_type;
	const char *events;
};

static LIST_HEAD(kept);
/* The model is in use. */
static bool used;

static const char *own_name(void)
{
	return pmc_estimator.mm.name;
}

static void forget_models(void)
{
	struct kept *line, *next;
	unsigned int ct;

	for (ct = 0; ct < pmc_module_nr_core_types(); ct++)
		model_init(&estimator_params.model[ct]);
	list_for_each_entry_safe(line, next, &kept, link) {
		list_del(&line->link);
		kfree(line);
	}
}

int estimator_params_init(void)
{
	estimator_params.model = kcalloc(pmc_module_nr_core_types(),
					 sizeof(struct model), GFP_KERNEL);
	if (!estimator_params.model)
		return -ENOMEM;
	forget_models();
	return 0;
}

void estimator_params_exit(void)
{
	forget_models();
	kfree(estimator_params.model);
}

/* With room for all three texts behind it. */
static int keep(const char *key, const char *value, unsigned int core_type,
		const char *events)
{
	size_t key_size = strlen(key) + 1, value_size = strlen(value) + 1;
	size_t events_size = strlen(events) + 1;
	struct kept *line;
	char *text;

	line = kmalloc(sizeof(*line) + key_size + value_size + events_size,
		       GFP_KERNEL);
	if (!line)
		return -ENOMEM;
	text = (char *)(line + 1);
	line->core_type = core_type;
	line->key = memcpy(text, key, key_size);
	line->value = memcpy(text + key_size, value, value_size);
	line->events = memcpy(text + key_size + value_size, events,
			      events_size);
	list_add_tail(&line->link, &kept);
	return 0;
}

/* A core type by its name or number, before the point in @key. */
static int find_core_type(const char *key, const char **rest)
{
	const char *point = strchr(key, '.');
	unsigned int ct, last;
	char word[32];

	if (point && point - key < sizeof(word)) {
		memcpy(word, key, point - key);
		word[point - key] = '\0';
		*rest = point + 1;
		for (ct = 0; ct < pmc_module_nr_core_types(); ct++)
			if (!strcmp(word, pmc_module_core_type_name(ct)))
				return ct;
		if (!kstrtouint(word, 10, &ct) && ct < pmc_module_nr_core_types())
			return ct;
	}
	last = pmc_module_nr_core_types() - 1;
	return pmc_module_error(-EINVAL,
				"%s.%.40s: neither a parameter nor CORETYPE.LINE of a model; core types are from 0 (%s) to %u (%s)",
				own_name(), key, pmc_module_core_type_name(0), last,
				pmc_module_core_type_name(last));
}

/* One event set each, and one formula, are enough. */
static int set_model_line(const char *key, const char *value)
{
	static char events[MODEL_EVENTS_LEN];
	char name[80];
	const char *rest;
	int ct, ret;

	ct = find_core_type(key, &rest);
	if (ct < 0)
		return ct;
	if (used)
		return pmc_module_error(-EBUSY,
					"%s.%.40s: the module is active; deactivate it to change its models",
					own_name(), key);
	snprintf(name, sizeof(name), "%s.%.40s", own_name(), key);
	events[0] = '\0';
	ret = model_line(&estimator_params.model[ct], name, rest, value, events);
	if (ret)
		return ret;
	return keep(key, value, ct, events);
}

static int set_model(const char *name)
{
	if (used)
		return pmc_module_error(-EBUSY,
					"%s.model: the module is active; deactivate it to change its models",
					own_name());
	forget_models();
	/* The name is only shown. */
	return keep("model", name, 0, "");
}

static int set_number(const char *key, const char *value, unsigned int least,
		      unsigned int most, unsigned int *number)
{
	unsigned int n;

	if (kstrtouint(value, 0, &n) || n < least || n > most)
		return pmc_module_error(-ERANGE,
					"%s.%s=%.32s: it is a number from %u to %u",
					own_name(), key, value, least, most);
	*number = n;
	return 0;
}

int estimator_set(const char *key, char *value)
{
	struct estimator_params *p = &estimator_params;
	unsigned int instructions;
	int ret;

	if (!strcmp(key, "model"))
		return set_model(value);
	if (!strcmp(key, "weight"))
		return set_number(key, value, 1, 1000, &p->round.weight);
	if (!strcmp(key, "threshold"))
		return set_number(key, value, 1, 100000, &p->round.threshold);
	if (!strcmp(key, "instructions")) {
		ret = set_number(key, value, 1, 1000000000, &instructions);
		if (!ret)
			p->round.instructions = instructions;
		return ret;
	}
	if (!strcmp(key, "period_ms")) {
		ret = set_number(key, value, 1, 10000, &p->period_ms);
		if (!ret)
			pmc_module_set_period(&pmc_estimator.mm,
					      p->period_ms * (u64)NSEC_PER_MSEC);
		return ret;
	}
	return set_model_line(key, value);
}

void estimator_show(struct seq_file *m)
{
	const struct estimator_params *p = &estimator_params;
	const struct kept *line;

	pmc_module_show(m, "period_ms", "%u", p->period_ms);
	pmc_module_show(m, "weight", "%u", p->round.weight);
	pmc_module_show(m, "threshold", "%u", p->round.threshold);
	pmc_module_show(m, "instructions", "%llu", p->round.instructions);
	list_for_each_entry(line, &kept, link)
		pmc_module_show(m, line->key, "%s", line->value);
}

/* For activate: the event sets of core types that have a formula. */
int estimator_add_sets(void)
{
	const struct kept *line;
	bool any = false;
	int ret;

	list_for_each_entry(line, &kept, link) {
		if (!estimator_params.model[line->core_type].estimates ||
		    !line->events[0])
			continue;
		ret = pmc_module_add_set(&pmc_estimator.mm, line->core_type,
					 line->events);
		if (ret < 0)
			return ret;
		any = true;
	}
	if (!any)
		return pmc_module_error(-EINVAL,
					"%s has no model: write one to /proc/pmc/config, line by line",
					own_name());
	used = true;
	return 0;
}

/* For deactivate: the models may change again. */
void estimator_release(void)
{
	used = false;
}
