// SPDX-License-Identifier: GPL-2.0
/* The verdicts on all events of a folder. */
#include <stdlib.h>
#include <string.h>

#include "additivity/verdicts.h"
#include "common.h"
#include "event_spelling.h"

const double verdicts_sweep[SWEEP] = { 0.05, 0.10, 0.20, 0.30 };

/* Non-additive events first, and of those with one verdict the one with the largest error */
static int compare(const void *pa, const void *pb)
{
	const struct judgement *a = *(struct judgement *const *)pa, *b = *(struct judgement *const *)pb;
	double ea = judge_error(a), eb = judge_error(b);

	if (a->verdict != b->verdict)
		return a->verdict < b->verdict ? -1 : 1;
	return ea > eb ? -1 : ea < eb ? 1 : a->variable - b->variable;
}

static void find_events(struct verdicts *v)
{
	const struct results *r = v->results;
	struct judgement *j;
	int i;

	v->events = new_array(r->nr_events, sizeof(struct judgement *));
	v->aside = new_array(r->nr_events, sizeof(int));
	for (i = 0; i < r->nr_events; i++) {
		j = judge(r, PHASE_CORES, i, v->tolerance);
		if (j)
			v->events[v->nr++] = j;
		else
			v->aside[v->nr_aside++] = i;
	}
	qsort(v->events, v->nr, sizeof(struct judgement *), compare);
}

static void find_left_out(struct verdicts *v)
{
	const char *list = about_get(&v->results->about, LEFT_OUT_FACT);
	size_t len;

	for (; list && *list; list += len + strspn(list + len, ", ")) {
		len = event_length(list);
		v->left_out = must_have(realloc(v->left_out, (v->nr_left_out + 1) * sizeof(*v->left_out)));
		v->left_out[v->nr_left_out++] = must_have(strndup(list, len));
	}
}

void verdicts_find(struct verdicts *v, const struct results *r, double tolerance)
{
	int i, found = 0;

	*v = (struct verdicts){ .results = r, .tolerance = tolerance };
	find_events(v);
	find_left_out(v);
	if (!v->nr)
		bad("%s: no program has been measured more than once; the same `pmc-additivity run` continues", r->path);
	v->time = judge(r, PHASE_CORES, VARIABLE_TIME, tolerance);
	v->energy = judge(r, PHASE_CORES, VARIABLE_ENERGY, tolerance);
	v->memory = new_array(v->nr, sizeof(struct judgement *));
	for (i = 0; i < v->nr; i++) {
		v->memory[i] = judge(r, PHASE_MEMORY, v->events[i]->variable, tolerance);
		found |= !!v->memory[i];
	}
	if (!found) {
		free(v->memory);
		v->memory = NULL;
	}
}

void verdicts_free(struct verdicts *v)
{
	int i;

	for (i = 0; i < v->nr; i++) {
		judgement_free(v->events[i]);
		if (v->memory)
			judgement_free(v->memory[i]);
	}
	for (i = 0; i < v->nr_left_out; i++)
		free(v->left_out[i]);
	free(v->left_out);
	free(v->events);
	free(v->memory);
	free(v->aside);
	judgement_free(v->time);
	judgement_free(v->energy);
}

int verdicts_count(const struct verdicts *v, enum verdict verdict, double tolerance)
{
	int i, n = 0;

	for (i = 0; i < v->nr; i++)
		n += judge_again(v->events[i], tolerance) == verdict;
	return n;
}

int verdicts_changed(const struct verdicts *v)
{
	int i, n = 0;

	for (i = 0; v->memory && i < v->nr; i++)
		n += v->memory[i] && v->memory[i]->verdict != v->events[i]->verdict;
	return n;
}
