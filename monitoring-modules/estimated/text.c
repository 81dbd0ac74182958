// SPDX-License-Identifier: GPL-2.0
/* Lines of text that describe a model. */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <pmctrack/monitoring_module.h>
#include "phase_rounds.h"
#include "text.h"

/* Digits after the point; before it, as many as a coefficient may have. */
#define FRACTION_DIGITS	12
#define FRACTION_ONE	1000000000000ULL
#define NUMBER_MAX	1000000
#define COEFFICIENT_MAX	((s64)NUMBER_MAX << MODEL_COEFFICIENT_SHIFT)

/**
 * struct line - a line that is being read
 * @name: how the user calls it, for errors
 * @at: what is not read yet
 */
struct line {
	const char *name;
	const char *at;
};

/* The word at fault, as far as a message repeats it. */
static int refuse(const struct line *line, const char *word, const char *why)
{
	return pmc_module_error(-EINVAL, "%s: '%.32s': %s", line->name, word, why);
}

static void skip_blanks(struct line *line)
{
	while (isspace(*line->at))
		line->at++;
}

/* Take this character if it is the next one. */
static bool take(struct line *line, char c)
{
	skip_blanks(line);
	if (*line->at != c)
		return false;
	line->at++;
	skip_blanks(line);
	return true;
}

static bool name_character(char c)
{
	return islower(c) || isdigit(c) || c == '_';
}

static int read_name(struct line *line, char *name)
{
	const char *start = line->at;
	size_t len = 0;

	while (name_character(start[len]))
		len++;
	if (!len || isdigit(*start))
		return refuse(line, start, "a name is of a-z, 0-9 and _, and no digit is first");
	if (len >= MODEL_NAME_LEN)
		return refuse(line, start, "a name has at most 23 characters");
	memcpy(name, start, len);
	name[len] = '\0';
	line->at += len;
	return 0;
}

/* Digits after the point, in 2^-40, rounded. */
static u64 binary_fraction(u64 fraction)
{
	u64 bits = 0;
	int i;

	for (i = 0; i < MODEL_COEFFICIENT_SHIFT; i++) {
		fraction *= 2;
		bits <<= 1;
		if (fraction >= FRACTION_ONE) {
			fraction -= FRACTION_ONE;
			bits |= 1;
		}
	}
	return bits + (fraction * 2 >= FRACTION_ONE);
}

/* A number without a sign, in 2^-40. */
static int read_number(struct line *line, s64 *number)
{
	const char *start = line->at;
	u64 whole = 0, fraction = 0, unit = FRACTION_ONE;

	if (!isdigit(*start))
		return refuse(line, start, "here a number is to be, such as 12 or 0.125");
	for (; isdigit(*line->at); line->at++) {
		whole = whole * 10 + *line->at - '0';
		if (whole >= NUMBER_MAX)
			return refuse(line, start, "numbers are less than 1000000");
	}
	if (*line->at == '.') {
		for (line->at++; isdigit(*line->at); line->at++) {
			unit /= 10;
			if (!unit)
				return refuse(line, start,
					      "a number has at most 12 digits after its point");
			fraction += unit * (*line->at - '0');
		}
	}
	*number = (whole << MODEL_COEFFICIENT_SHIFT) + binary_fraction(fraction);
	return 0;
}

/* A number that may have a sign. */
static int read_signed(struct line *line, s64 *number)
{
	bool negative = take(line, '-');
	int ret = read_number(line, number);

	if (!ret && negative)
		*number = -*number;
	return ret;
}

/* The same in 2^-20, as metrics are. */
static int read_level(struct line *line, s64 *level)
{
	int ret = read_signed(line, level);

	*level >>= MODEL_COEFFICIENT_SHIFT - MODEL_SHIFT;
	return ret;
}

static int read_end(const struct line *line)
{
	return *line->at ? refuse(line, line->at, "here the line is to end") : 0;
}

static int find_metric(const struct line *line, const struct model *model,
		       const char *name)
{
	int i;

	for (i = 0; i < model->nr_metrics; i++)
		if (!strcmp(model->metric[i].name, name))
			return i;
	return refuse(line, name, "no metric has this name (they come before the formula)");
}

static int read_metric(struct line *line, const struct model *model, u8 *metric)
{
	char name[MODEL_NAME_LEN];
	int ret = read_name(line, name);

	if (ret)
		return ret;
	ret = find_metric(line, model, name);
	if (ret < 0)
		return ret;
	*metric = ret;
	return 0;
}

/* Texts of event sets have attributes, too, which no count stands for. */
static bool is_event(const char *text)
{
	static const char *const kinds[] = { "ev=", "pmc", "sw=", "l3=" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (str_has_prefix(text, kinds[i]))
			return true;
	return false;
}

/* The event with this name and this text, which is added if it is new. */
static int add_event(struct line *line, struct model *model, const char *name,
		     const char *code, size_t len)
{
	int event = model_event(model, name);

	if (event >= 0) {
		if (strlen(model->code[event]) == len &&
		    !memcmp(model->code[event], code, len))
			return event;
		return refuse(line, name,
			      "there is another event of this name already; model=NAME forgets the model");
	}
	if (model->nr_events == MODEL_EVENTS_MAX)
		return refuse(line, name, "a core type has at most 32 different events");
	event = model->nr_events++;
	memcpy(model->event[event], name, strlen(name) + 1);
	memcpy(model->code[event], code, len);
	model->code[event][len] = '\0';
	return event;
}

/* One event of a set: its name, and its text up to the comma. */
static int read_event(struct line *line, struct model *model,
		      struct model_set *set, char *events)
{
	const char *start = line->at;
	char name[MODEL_NAME_LEN];
	size_t used = strlen(events), len;
	int event, ret;

	ret = read_name(line, name);
	if (ret)
		return ret;
	if (!take(line, ':'))
		return refuse(line, start, "an event is NAME:EVENT, such as instr:ev=0xc0");
	len = strcspn(line->at, ",");
	if (!len || len >= MODEL_CODE_LEN || used + len + 2 > MODEL_EVENTS_LEN)
		return refuse(line, start,
				      "an event is missing or longer than 127 characters, or the text of the set is too long");
	if (!is_event(line->at))
		return refuse(line, line->at,
			      "an event is ev=CODE, pmcN, sw=NAME or l3=CODE, its options behind colons");
	if (set->nr == MODEL_SET_EVENTS_MAX)
		return refuse(line, start, "an event set has at most 8 events");
	if (!strcmp(name, MODEL_TIME_NAME))
		return refuse(line, name, "this is the name of a sample's time, and no event's");
	event = model_event(model, name);
	if (event >= 0 && memchr(set->event, event, set->nr))
		return refuse(line, name, "the set has this name twice");
	event = add_event(line, model, name, line->at, len);
	if (event < 0)
		return event;
	set->event[set->nr++] = event;
	if (used)
		events[used++] = ',';
	memcpy(events + used, line->at, len);
	events[used + len] = '\0';
	line->at += len;
	return 0;
}

static int read_set(struct line *line, struct model *model, char *events)
{
	struct model_set *set = &model->set[model->nr_sets];
	const char *start = line->at;
	int ret;

	if (model->nr_sets == MODEL_SETS_MAX)
		return refuse(line, start, "a round has at most 8 event sets");
	set->nr = 0;
	events[0] = '\0';
	do {
		ret = read_event(line, model, set, events);
		if (ret)
			return ret;
	} while (take(line, ','));
	model->nr_sets++;
	if (model_place(model, model->nr_sets - 1,
			model_event(model, ROUND_INSTRUCTIONS)) < 0 ||
	    model_place(model, model->nr_sets - 1,
			model_event(model, ROUND_CYCLES)) < 0)
		return refuse(line, start,
			      "each set needs instr and cycles, by which phases are recognised");
	return read_end(line);
}

static int read_event_name(struct line *line, const struct model *model, u8 *event)
{
	char name[MODEL_NAME_LEN];
	int ret = read_name(line, name);

	if (ret)
		return ret;
	if (!strcmp(name, MODEL_TIME_NAME)) {
		*event = MODEL_TIME;
		return 0;
	}
	ret = model_event(model, name);
	if (ret < 0)
		return refuse(line, name, "no event has this name (sets come before metrics)");
	*event = ret;
	return 0;
}

static int read_factor(struct line *line, u32 *factor)
{
	const char *start = line->at;

	*factor = 1;
	if (!isdigit(*start))
		return 0;
	for (*factor = 0; isdigit(*line->at) && *factor <= NUMBER_MAX; line->at++)
		*factor = *factor * 10 + *line->at - '0';
	if (!*factor || *factor > NUMBER_MAX || !take(line, '*'))
		return refuse(line, start,
			      "a factor is a whole number from 1 to 1000000, with * after it");
	return 0;
}

static int read_ratio(struct line *line, struct model *model, const char *name)
{
	struct model_metric *metric = &model->metric[model->nr_metrics];
	struct line own = { line->name, name };
	const char *start = line->at;
	unsigned int set, i;
	int ret;

	if (model->nr_metrics == MODEL_METRICS_MAX)
		return refuse(line, name, "a model has at most 16 metrics");
	ret = read_name(&own, metric->name) ?: read_end(&own);
	if (ret)
		return ret;
	for (i = 0; i < model->nr_metrics; i++)
		if (!strcmp(model->metric[i].name, metric->name))
			return refuse(line, name,
				      "there is a metric of this name already; model=NAME forgets the model");
	ret = read_factor(line, &metric->factor) ?:
	      read_event_name(line, model, &metric->over);
	if (ret)
		return ret;
	if (!take(line, '/'))
		return refuse(line, line->at, "a metric is EVENT/EVENT or FACTOR*EVENT/EVENT");
	ret = read_event_name(line, model, &metric->under) ?: read_end(line);
	if (ret)
		return ret;
	for (set = 0; set < model->nr_sets; set++)
		if (model_has(model, set, metric->over) &&
		    model_has(model, set, metric->under))
			break;
	if (set == model->nr_sets)
		return refuse(line, start, "no event set has both of these events");
	model->nr_metrics++;
	return 0;
}

/* METRIC<NUMBER?NUMBER:NUMBER) */
static int read_stump(struct line *line, const struct model *model,
		      struct model_term *term)
{
	const char *start = line->at;
	int ret;

	term->shape = MODEL_STUMP;
	ret = read_metric(line, model, &term->metric);
	if (ret)
		return ret;
	if (!take(line, '<'))
		goto malformed;
	ret = read_level(line, &term->at);
	if (ret)
		return ret;
	if (!take(line, '?'))
		goto malformed;
	ret = read_signed(line, &term->a);
	if (ret)
		return ret;
	if (!take(line, ':'))
		goto malformed;
	ret = read_signed(line, &term->b);
	if (ret)
		return ret;
	if (take(line, ')'))
		return 0;
malformed:
	return refuse(line, start, "a step is written (METRIC<NUMBER?NUMBER:NUMBER)");
}

/* The part after NUMBER*: METRIC, or above(METRIC,NUMBER) */
static int read_slope(struct line *line, const struct model *model,
		      struct model_term *term)
{
	const char *start = line->at;
	int ret;

	if (strncmp(start, "above(", 6)) {
		term->shape = MODEL_LINEAR;
		return read_metric(line, model, &term->metric);
	}
	term->shape = MODEL_HINGE;
	line->at += 6;
	ret = read_metric(line, model, &term->metric);
	if (ret)
		return ret;
	if (!take(line, ','))
		goto malformed;
	ret = read_level(line, &term->at);
	if (ret)
		return ret;
	if (take(line, ')'))
		return 0;
malformed:
	return refuse(line, start, "a bend is written NUMBER*above(METRIC,NUMBER)");
}

static int add_constant(const struct line *line, struct model *model,
			const char *start, s64 number)
{
	s64 sum = model->constant + number;

	if (sum >= COEFFICIENT_MAX || sum <= -COEFFICIENT_MAX)
		return refuse(line, start, "the sum of the constants is too large");
	model->constant = sum;
	return 0;
}

/* A term, or a part of the constant. */
static int read_term(struct line *line, struct model *model, bool negative)
{
	struct model_term term = { }, *new = &model->term[model->nr_terms];
	const char *start = line->at;
	int ret;

	if (take(line, '(')) {
		ret = read_stump(line, model, &term);
	} else {
		ret = read_number(line, &term.a);
		if (!ret && !take(line, '*')) {
			return add_constant(line, model, start,
					    negative ? -term.a : term.a);
		}
		ret = ret ?: read_slope(line, model, &term);
	}
	if (ret)
		return ret;
	if (model->nr_terms == MODEL_TERMS_MAX)
		return refuse(line, start, "a formula has at most 48 terms");
	if (negative) {
		term.a = -term.a;
		term.b = -term.b;
	}
	*new = term;
	model->nr_terms++;
	return 0;
}

static int read_formula(struct line *line, struct model *model, bool inverse)
{
	bool negative = take(line, '-');
	int ret;

	model->nr_terms = 0;
	model->constant = 0;
	for (;;) {
		ret = read_term(line, model, negative);
		if (ret)
			return ret;
		if (take(line, '+'))
			negative = false;
		else if (take(line, '-'))
			negative = true;
		else
			break;
	}
	model->estimates = true;
	model->inverse = inverse;
	return read_end(line);
}

static int read_range(struct line *line, struct model *model)
{
	const char *start = line->at;
	int ret;

	ret = read_level(line, &model->least);
	if (ret)
		return ret;
	if (!take(line, ','))
		return refuse(line, start, "a range is LEAST,MOST");
	ret = read_level(line, &model->most) ?: read_end(line);
	if (ret)
		return ret;
	if (model->least < 0 || model->least >= model->most)
		return refuse(line, start, "a range is from LEAST, not below 0, to a greater MOST");
	return 0;
}

int model_line(struct model *model, const char *name, const char *key,
	       const char *value, char *events)
{
	/* Too large for a stack; lines come one at a time. */
	static struct model new;
	struct line line = { name, value };
	int ret;

	new = *model;
	skip_blanks(&line);
	if (!strcmp(key, "set"))
		ret = read_set(&line, &new, events);
	else if (!strncmp(key, "metric.", 7))
		ret = read_ratio(&line, &new, key + 7);
	else if (!strcmp(key, "range"))
		ret = read_range(&line, &new);
	else if (!strcmp(key, "estimate") || !strcmp(key, "inverse"))
		ret = read_formula(&line, &new, key[0] == 'i');
	else
		ret = refuse(&line, key,
			     "a model's lines are set, metric.NAME, range and estimate or inverse");
	if (!ret)
		*model = new;
	return ret;
}
