// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Metrics: compile a formula for a core type, and compute its value from counts.
 *
 * Of a condition that is known when the metric is compiled, only the part that applies is
 * compiled: it alone decides which events are counted.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "format_event.h"
#include "metric.h"
#include "metric_defs.h"

/* How deep metrics may name others */
#define METRIC_NESTING	64

/* A metric that another one names, and the step that has its value */
struct part {
	char *name;
	int step;
};

struct compiler {
	const pmc_machine_t *machine;
	const struct core_type *ct;
	pmc_metric_t *metric;
	int is_listing;		/* nobody will read an error line about an event */
	int nr_parts;
	struct part *parts;
	int depth;
	const char *path[METRIC_NESTING];	/* the metrics that are being compiled */
};

static int compile_text(struct compiler *c, const char *text);

static int add_step(struct compiler *c, enum expr_op op, double number)
{
	pmc_metric_t *m = c->metric;
	struct metric_step *steps;

	if (m->nr_steps == METRIC_STEPS)
		return pmc_fail(E2BIG, "metric '%s' has more than %d operations", c->path[0],
				METRIC_STEPS);
	if (!(m->nr_steps & (m->nr_steps - 1))) {
		steps = realloc(m->steps, (m->nr_steps ? 2 * m->nr_steps : 1) * sizeof(*steps));
		if (!steps)
			return pmc_fail_nomem();
		m->steps = steps;
	}
	m->steps[m->nr_steps] = (struct metric_step){ .op = op, .number = number };
	return m->nr_steps++;
}

static int add_part(struct compiler *c, const char *name, int step)
{
	struct part *parts = realloc(c->parts, (c->nr_parts + 1) * sizeof(*parts));

	if (!parts)
		return pmc_fail_nomem();
	c->parts = parts;
	parts[c->nr_parts].name = strdup(name);
	if (!parts[c->nr_parts].name)
		return pmc_fail_nomem();
	parts[c->nr_parts++].step = step;
	return step;
}

/* Add a step that has the count of an event, which is listed once. */
static int add_event(struct compiler *c, const char *name)
{
	pmc_metric_t *m = c->metric;
	int i, step = add_step(c, EXPR_NAME, 0);
	char **events;

	if (step < 0)
		return step;
	for (i = 0; i < m->nr_events; i++)
		if (!strcmp(m->events[i], name))
			break;
	if (i == m->nr_events) {
		events = realloc(m->events, (i + 1) * sizeof(*events));
		if (!events)
			return pmc_fail_nomem();
		m->events = events;
		events[i] = strdup(name);
		if (!events[i])
			return pmc_fail_nomem();
		m->nr_events++;
	}
	m->steps[step].arg[0] = i;
	return step;
}

static int is_being_compiled(const struct compiler *c, const char *name)
{
	int i;

	for (i = 0; i < c->depth; i++)
		if (!strcasecmp(c->path[i], name))
			return 1;
	return 0;
}

/* The metrics on the way, as in "a -> b -> a" */
static int refuse_cycle(const struct compiler *c, const char *name)
{
	char way[ERROR_LINE / 2] = "";
	size_t len = 0;
	int i;

	for (i = 0; i < c->depth && len < sizeof(way); i++)
		len += snprintf(way + len, sizeof(way) - len, "%s -> ", c->path[i]);
	return pmc_fail(ELOOP, "metric '%s' depends on itself: %s%s", name, way, name);
}

/* A named metric becomes a part, unless its name is that of a metric it belongs to. */
struct reference {
	struct compiler *c;
	const char *name;
	int step;
};

static int compile_definition(void *arg, const struct metric_def *def)
{
	struct reference *ref = arg;
	struct compiler *c = ref->c;

	if (c->depth == METRIC_NESTING)
		return pmc_fail(ELOOP, "metric '%s' names others that name others, more than %d deep",
				c->path[0], METRIC_NESTING);
	c->path[c->depth++] = ref->name;
	ref->step = compile_text(c, def->expr);
	c->depth--;
	if (ref->step >= 0)
		ref->step = add_part(c, ref->name, ref->step);
	return ref->step < 0 ? -1 : 1;
}

/* The error line of an event that is no metric either */
static int refuse_event(const struct compiler *c, const char *event)
{
	char why[ERROR_LINE];

	snprintf(why, sizeof(why), "%s", pmc_last_error());
	if (strstr(why, event))
		return pmc_fail(EINVAL, "metric '%s': %s", c->path[c->depth - 1], why);
	return pmc_fail(EINVAL, "metric '%s': event '%s': %s", c->path[c->depth - 1], event, why);
}

static int compile_name(struct compiler *c, const char *name)
{
	struct reference ref = { .c = c };
	char event[EVENT_NAME];
	int i, rc, own;

	if (metric_event_name(c->ct, name, event, sizeof(event)))
		return refuse_event(c, name);
	ref.name = event;
	for (i = 0; i < c->nr_parts; i++)
		if (!strcasecmp(c->parts[i].name, event))
			return c->parts[i].step;
	if (!strcmp(event, DURATION_TIME))
		return add_event(c, event);
	own = is_being_compiled(c, event);
	rc = own ? 0 : metric_def_find(c->machine, c->ct, event, compile_definition, &ref);
	if (rc)
		return rc < 0 ? -1 : ref.step;
	if (metric_event_known(c->machine, c->ct, event))
		return add_event(c, event);
	if (own)
		return refuse_cycle(c, event);
	if (!c->is_listing)
		metric_event_explain(c->machine, c->ct, event);
	return refuse_event(c, event);
}

/*
 * perf's test for a CPU: on Arm, is it this implementer's and part, and of this revision or a
 * later one?
 */
static int compare_cpuid(const struct compiler *c, const char *text, double *value)
{
	const uint64_t revision = 0xf0000f;
	uint64_t wanted, own = c->ct->info.cpuid;

	if (c->ct->family != FAMILY_ARM || parse_number(text, &wanted))
		return pmc_fail(EINVAL, "metric '%s': strcmp_cpuid_str(%s) is not known on this CPU",
				c->path[c->depth - 1], text);
	*value = (own | revision) == (wanted | revision) && (own & revision) >= (wanted & revision);
	return 0;
}

static int ask_event(const struct compiler *c, const char *name)
{
	char event[EVENT_NAME];

	return !metric_event_name(c->ct, name, event, sizeof(event)) &&
	       metric_event_known(c->machine, c->ct, event);
}

/* A node's value, if it is constant and so known before events are counted */
struct fact {
	int known;	/* @value is its value */
	double value;
	int wanted;	/* it has a part in the result */
	int same_as;	/* the node that has its value in place of it, or -1 */
	int step;
};

/* -1 with an error line if the machine does not have what is asked for */
static int ask_machine(const struct compiler *c, const struct expr_node *node, double *value)
{
	char why[ERROR_LINE];

	if (node->op == EXPR_CPUID)
		return compare_cpuid(c, node->name, value);
	if (!literal_value("/sys", c->ct, node->name, value))
		return 0;
	snprintf(why, sizeof(why), "%s", pmc_last_error());
	return pmc_fail(errno, "metric '%s': %s", c->path[c->depth - 1], why);
}

/* A condition that is known chooses one of the two. */
static void choose(const struct expr_node *node, const struct fact *facts, struct fact *fact)
{
	const struct fact *condition = &facts[node->arg[1]];

	if (!condition->known || isnan(condition->value))
		return;
	fact->same_as = node->arg[condition->value ? 0 : 2];
	fact->known = facts[fact->same_as].known;
	fact->value = facts[fact->same_as].value;
}

static void find_fact(const struct compiler *c, const struct expr_node *node,
		      const struct fact *facts, struct fact *fact)
{
	int i, nr = expr_operands(node->op);
	double x[3];

	*fact = (struct fact){ .same_as = -1, .known = nr > 0 };
	for (i = 0; i < nr; i++) {
		x[i] = facts[node->arg[i]].value;
		fact->known &= facts[node->arg[i]].known;
	}
	if (fact->known)
		fact->value = expr_apply(node->op, x);
	if (node->op == EXPR_NUMBER) {
		fact->known = 1;
		fact->value = node->number;
	} else if (node->op == EXPR_HAS_EVENT) {
		fact->known = 1;
		fact->value = ask_event(c, node->name);
	} else if (node->op == EXPR_SOURCE_COUNT) {
		/* An event of a core has one counter in each. */
		fact->known = 1;
		fact->value = 1;
	} else if (node->op == EXPR_LITERAL || node->op == EXPR_CPUID) {
		fact->known = !ask_machine(c, node, &fact->value);
	} else if (node->op == EXPR_IF) {
		choose(node, facts, fact);
	}
}

/* The operands of a node that is wanted are, too. */
static void want_operands(const struct expr_node *node, struct fact *facts,
			  const struct fact *fact)
{
	int i;

	if (fact->known)
		return;
	if (fact->same_as >= 0) {
		facts[fact->same_as].wanted = 1;
		return;
	}
	for (i = 0; i < expr_operands(node->op); i++)
		facts[node->arg[i]].wanted = 1;
}

static int compile_node(struct compiler *c, const struct expr_node *node, const struct fact *facts,
			const struct fact *fact)
{
	double ignored;
	int i, step;

	if (fact->known)
		return add_step(c, EXPR_NUMBER, fact->value);
	if (fact->same_as >= 0)
		return facts[fact->same_as].step;
	if (node->op == EXPR_NAME)
		return compile_name(c, node->name);
	if (!expr_operands(node->op))
		return ask_machine(c, node, &ignored);
	step = add_step(c, node->op, 0);
	for (i = 0; step >= 0 && i < expr_operands(node->op); i++)
		c->metric->steps[step].arg[i] = facts[node->arg[i]].step;
	return step;
}

/* Operands come before their operators, so that one pass in each direction is enough. */
static int compile_expr(struct compiler *c, const struct expr *expr, struct fact *facts)
{
	int i, last = expr->nr - 1;

	for (i = 0; i <= last; i++)
		find_fact(c, &expr->nodes[i], facts, &facts[i]);
	facts[last].wanted = 1;
	for (i = last; i >= 0; i--)
		if (facts[i].wanted)
			want_operands(&expr->nodes[i], facts, &facts[i]);
	for (i = 0; i <= last; i++) {
		if (!facts[i].wanted)
			continue;
		facts[i].step = compile_node(c, &expr->nodes[i], facts, &facts[i]);
		if (facts[i].step < 0)
			return -1;
	}
	return facts[last].step;
}

/* Return the step that has the value; -1 with an error line on failure. */
static int compile_text(struct compiler *c, const char *text)
{
	char why[ERROR_LINE];
	struct fact *facts;
	struct expr expr;
	int step;

	if (expr_parse(&expr, text)) {
		snprintf(why, sizeof(why), "%s", pmc_last_error());
		return pmc_fail(errno, "metric '%s': %s", c->path[c->depth - 1], why);
	}
	facts = calloc(expr.nr, sizeof(*facts));
	step = facts ? compile_expr(c, &expr, facts) : pmc_fail_nomem();
	free(facts);
	expr_free(&expr);
	return step;
}

static int copy_text(char **to, const char *from)
{
	*to = strdup(from);
	return *to ? 0 : pmc_fail_nomem();
}

static int compile_metric(void *arg, const struct metric_def *def)
{
	struct compiler *c = arg;
	pmc_metric_t *m = c->metric;
	int i;

	m->scale = def->scale;
	m->digits = def->digits;
	if (copy_text(&m->name, def->name) || copy_text(&m->expr, def->expr) ||
	    copy_text(&m->unit, def->unit) || copy_text(&m->desc, def->desc))
		return -1;
	c->path[c->depth++] = m->name;
	m->result = compile_text(c, def->expr);
	for (i = 0; i < c->nr_parts; i++)
		free(c->parts[i].name);
	free(c->parts);
	return m->result < 0 ? -1 : 1;
}

/* The error line of a name that no metric has */
static int refuse_name(const struct compiler *c, const char *name)
{
	char near[256];

	metric_suggest(c->machine, c->ct, name, near, sizeof(near));
	return pmc_fail(ENOENT, "core type %d (%s) has no metric '%.100s'%s; define one as NAME=EXPRESSION",
			c->ct->info.id, c->ct->info.name, name, near);
}

int metric_is_definition(const char *spec)
{
	return strpbrk(spec, "=[") != NULL;
}

static int compile_spec(struct compiler *c, const char *spec)
{
	char *copy = strdup(spec);
	struct metric_def def;
	int rc;

	if (!copy)
		return pmc_fail_nomem();
	if (metric_is_definition(spec))
		rc = metric_def_parse(&def, copy) ? -1 : compile_metric(c, &def);
	else
		rc = metric_def_find(c->machine, c->ct, spec, compile_metric, c);
	free(copy);
	return rc ? rc : refuse_name(c, spec);
}

static pmc_metric_t *compile(const pmc_machine_t *machine, const struct core_type *ct,
			     const char *spec, int is_listing)
{
	struct compiler c = { .machine = machine, .ct = ct, .is_listing = is_listing };

	c.metric = calloc(1, sizeof(*c.metric));
	if (!c.metric) {
		pmc_fail_nomem();
		return NULL;
	}
	if (compile_spec(&c, spec) < 0) {
		pmc_metric_free(c.metric);
		return NULL;
	}
	return c.metric;
}

pmc_metric_t *pmc_metric_compile(const pmc_machine_t *machine, int core_type, const char *spec)
{
	const struct core_type *ct = machine_core_type(machine, core_type);

	if (!ct) {
		pmc_fail(EINVAL, "no core type %d", core_type);
		return NULL;
	}
	return compile(machine, ct, spec, 0);
}

pmc_metric_t *metric_compile_listed(const pmc_machine_t *machine, const struct core_type *ct,
				    const char *name)
{
	return compile(machine, ct, name, 1);
}

void pmc_metric_free(pmc_metric_t *m)
{
	int err = errno;

	if (!m)
		return;
	while (m->nr_events)
		free(m->events[--m->nr_events]);
	free(m->events);
	free(m->steps);
	free(m->name);
	free(m->expr);
	free(m->unit);
	free(m->desc);
	free(m);
	errno = err;
}

const char *pmc_metric_name(const pmc_metric_t *m)
{
	return m->name;
}

const char *pmc_metric_unit(const pmc_metric_t *m)
{
	return m->unit;
}

const char *pmc_metric_expr(const pmc_metric_t *m)
{
	return m->expr;
}

const char *pmc_metric_desc(const pmc_metric_t *m)
{
	return m->desc;
}

int pmc_metric_nr_events(const pmc_metric_t *m)
{
	return m->nr_events;
}

const char *pmc_metric_event(const pmc_metric_t *m, int n)
{
	return n >= 0 && n < m->nr_events ? m->events[n] : NULL;
}

double pmc_metric_value(const pmc_metric_t *m, const double *counts)
{
	/* METRIC_STEPS at most; threads may have small stacks, and most metrics have few steps. */
	double results[m->result + 1], x[3];
	int i, j;

	for (i = 0; i <= m->result; i++) {
		const struct metric_step *step = &m->steps[i];

		for (j = 0; j < expr_operands(step->op); j++)
			x[j] = results[step->arg[j]];
		results[i] = step->op == EXPR_NUMBER ? step->number :
			     step->op == EXPR_NAME ? counts[step->arg[0]] :
			     expr_apply(step->op, x);
	}
	return isfinite(results[m->result]) ? results[m->result] * m->scale : NAN;
}

void pmc_metric_format(const pmc_metric_t *m, double value, char *buf, size_t size)
{
	if (isnan(value))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%.*f", m->digits, value);
}

int metric_same(const pmc_metric_t *a, const pmc_metric_t *b)
{
	int i;

	if (a->nr_events != b->nr_events || a->nr_steps != b->nr_steps || a->result != b->result ||
	    a->scale != b->scale)
		return 0;
	for (i = 0; i < a->nr_events; i++)
		if (strcmp(a->events[i], b->events[i]))
			return 0;
	for (i = 0; i < a->nr_steps; i++) {
		const struct metric_step *x = &a->steps[i], *y = &b->steps[i];

		if (x->op != y->op || memcmp(x->arg, y->arg, sizeof(x->arg)) ||
		    (x->number != y->number && !(isnan(x->number) && isnan(y->number))))
			return 0;
	}
	return 1;
}
