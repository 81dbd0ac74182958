// SPDX-License-Identifier: LGPL-2.1-or-later
/* Plans: the metrics and events that are wanted, for each core type, and their event sets. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "metric_defs.h"
#include "plan.h"
#include "session.h"
#include "session_config.h"

pmc_plan_t *pmc_plan_new(const pmc_machine_t *machine)
{
	pmc_plan_t *plan = calloc(1, sizeof(*plan));

	if (plan) {
		plan->machine = machine;
		plan->core_types = calloc(machine->nr_core_types, sizeof(*plan->core_types));
	}
	if (plan && plan->core_types)
		return plan;
	free(plan);
	pmc_fail_nomem();
	return NULL;
}

static void free_core_type(struct plan_core_type *ct)
{
	while (ct->nr_events)
		free(ct->events[--ct->nr_events].raw);
	while (ct->nr_groups)
		free(ct->groups[--ct->nr_groups].events);
	free(ct->events);
	free(ct->groups);
	free(ct->sets);
	free(ct->places);
}

void pmc_plan_free(pmc_plan_t *plan)
{
	int i, n = plan ? plan->machine->nr_core_types : 0;

	if (!plan)
		return;
	for (i = 0; i < n; i++)
		free_core_type(&plan->core_types[i]);
	for (i = 0; i < plan->nr_metrics * n; i++) {
		pmc_metric_free(plan->metrics[i].metric);
		free(plan->metrics[i].events);
	}
	for (i = 0; i < plan->nr_metrics; i++)
		free(plan->names[i]);
	free(plan->names);
	free(plan->metrics);
	free(plan->same);
	free(plan->core_types);
	free(plan);
}

/* The number of an event of a core type, which is added if it is new; -1 on error */
static int find_event(pmc_plan_t *plan, int core_type, const struct event *wanted)
{
	struct plan_core_type *ct = &plan->core_types[core_type];
	struct event ev = *wanted;
	struct plan_event *events;
	char raw[512];
	int i;

	if (event_encode(&ev, plan->machine, &plan->machine->core_types[core_type]))
		return -1;
	event_print(&ev, raw, sizeof(raw));
	for (i = 0; i < ct->nr_events; i++)
		if (!strcmp(ct->events[i].raw, raw))
			return i;
	events = realloc(ct->events, (i + 1) * sizeof(*events));
	if (!events)
		return pmc_fail_nomem();
	ct->events = events;
	events[i] = (struct plan_event){ *wanted, strdup(raw), ev.place == EVENT_SOFTWARE };
	ct->nr_events++;
	return events[i].raw ? i : pmc_fail_nomem();
}

/* Add a group, which owns a copy of @events without numbers below 0 and repetitions. */
static int add_group(pmc_plan_t *plan, int core_type, int metric, int alone, const int *events,
		     int nr)
{
	struct plan_core_type *ct = &plan->core_types[core_type];
	struct plan_group *groups, *group;
	int i, j;

	groups = realloc(ct->groups, (ct->nr_groups + 1) * sizeof(*groups));
	if (!groups)
		return pmc_fail_nomem();
	ct->groups = groups;
	group = &groups[ct->nr_groups];
	*group = (struct plan_group){ metric, alone, 0, calloc(nr + 1, sizeof(*events)) };
	if (!group->events)
		return pmc_fail_nomem();
	ct->nr_groups++;
	for (i = 0; i < nr; i++) {
		for (j = 0; j < group->nr && group->events[j] != events[i]; j++)
			;
		if (events[i] >= 0 && j == group->nr)
			group->events[group->nr++] = events[i];
	}
	return 0;
}

static int add_events(pmc_plan_t *plan, int core_type, const struct event_set *set, int together)
{
	int i, events[PMC_MAX_COUNTS];

	for (i = 0; i < set->nr_events; i++) {
		events[i] = find_event(plan, core_type, &set->events[i]);
		if (events[i] < 0)
			return -1;
		if (!together && add_group(plan, core_type, -1, 0, &events[i], 1))
			return -1;
	}
	return together ? add_group(plan, core_type, -1, 1, events, set->nr_events) : 0;
}

static int check_core_type(const pmc_plan_t *plan, int core_type)
{
	if (core_type != PMC_EVERY_CORE_TYPE && !machine_core_type(plan->machine, core_type))
		return pmc_fail(EINVAL, "no core type %d", core_type);
	return 0;
}

static int check_open(const pmc_plan_t *plan)
{
	return plan->made ? pmc_fail(EBUSY, "the plan is made already: begin another one") : 0;
}

/* A core type counts what it has, and one at least has to have it. */
static int add_for_each(pmc_plan_t *plan, const struct event_set *set, int core_type, int together)
{
	char why[ERROR_LINE];
	int i, err = 0, added = 0;

	for (i = 0; i < plan->machine->nr_core_types; i++) {
		if (core_type != PMC_EVERY_CORE_TYPE && core_type != i)
			continue;
		if (config_suits(plan->machine, set, i)) {
			added++;
			if (add_events(plan, i, set, together))
				return -1;
		} else if (!err) {
			err = errno;
			snprintf(why, sizeof(why), "%s", pmc_last_error());
		}
	}
	return added ? 0 : pmc_fail(err, "%s", why);
}

/* The core type that the events of @set are for, otherwise @core_type; below -1 on error */
static int core_type_of(const pmc_plan_t *plan, struct event_set *set, int core_type)
{
	if (config_take_pmus(plan->machine, set))
		return -2;
	if (set->core_type != PMC_EVERY_CORE_TYPE)
		core_type = set->core_type;
	return check_core_type(plan, core_type) ? -2 : core_type;
}

int pmc_plan_add_set(pmc_plan_t *plan, const char *events, int core_type)
{
	struct event_set set;

	if (check_open(plan) || parse_events(&set, events, 0))
		return -1;
	core_type = core_type_of(plan, &set, core_type);
	return core_type < -1 ? -1 : add_for_each(plan, &set, core_type, 1);
}

/* Each event by itself: core types may have different ones. */
int pmc_plan_add_events(pmc_plan_t *plan, const char *events, int core_type)
{
	struct event_set set, one = { .nr_events = 1 };
	int i, id;

	if (check_open(plan) || parse_events(&set, events, 0))
		return -1;
	for (i = 0; i < set.nr_events; i++) {
		one.core_type = set.core_type;
		strcpy(one.core_type_name, set.core_type_name);
		one.events[0] = set.events[i];
		id = core_type_of(plan, &one, core_type);
		if (id < -1 || add_for_each(plan, &one, id, 0))
			return -1;
	}
	return 0;
}

/* The number of the metric's name; -1 on error */
static int find_name(pmc_plan_t *plan, const char *name)
{
	int i, n = plan->machine->nr_core_types;
	struct plan_metric *metrics;
	char **names;

	for (i = 0; i < plan->nr_metrics; i++)
		if (!strcasecmp(plan->names[i], name))
			return i;
	names = realloc(plan->names, (i + 1) * sizeof(*names));
	if (names)
		plan->names = names;
	metrics = realloc(plan->metrics, (i + 1) * n * sizeof(*metrics));
	if (metrics)
		plan->metrics = metrics;
	if (!names || !metrics)
		return pmc_fail_nomem();
	names[i] = strdup(name);
	if (!names[i])
		return pmc_fail_nomem();
	memset(&metrics[i * n], 0, n * sizeof(*metrics));
	plan->nr_metrics++;
	return i;
}

/* Number the events of a metric. */
static int take_events(pmc_plan_t *plan, int core_type, int n, struct plan_metric *m)
{
	struct event_set set;
	const char *name;
	int i;

	m->home = -1;
	m->nr_events = pmc_metric_nr_events(m->metric);
	m->events = calloc(m->nr_events + 1, sizeof(*m->events));
	if (!m->events)
		return pmc_fail_nomem();
	for (i = 0; i < m->nr_events; i++) {
		name = pmc_metric_event(m->metric, i);
		m->events[i] = -1;
		if (!strcmp(name, DURATION_TIME))
			continue;
		if (parse_events(&set, name, 0))
			return -1;
		m->events[i] = find_event(plan, core_type, &set.events[0]);
		if (m->events[i] < 0)
			return -1;
	}
	return add_group(plan, core_type, n, 0, m->events, m->nr_events);
}

/* The plan has a metric with the name of @metric. A definition must be the same: -1 otherwise */
static int check_same(const pmc_metric_t *there, const pmc_metric_t *metric, const char *spec)
{
	if (!metric_is_definition(spec) || metric_same(there, metric))
		return 0;
	return pmc_fail(EEXIST, "metric '%.100s' has another formula already: choose another name",
			pmc_metric_name(metric));
}

/* Add a metric to a core type, unless it is there. -1: it is not one of the core type's */
static int add_metric(pmc_plan_t *plan, int core_type, const char *spec)
{
	pmc_metric_t *metric = pmc_metric_compile(plan->machine, core_type, spec);
	struct plan_metric *m;
	int n, rc;

	if (!metric)
		return -1;
	n = find_name(plan, pmc_metric_name(metric));
	m = n < 0 ? NULL : plan_metric(plan, n, core_type);
	if (!m || m->metric) {
		rc = m ? check_same(m->metric, metric, spec) : -1;
		pmc_metric_free(metric);
		return rc;
	}
	m->metric = metric;
	return take_events(plan, core_type, n, m);
}

/* The members of a group of metrics */
struct members {
	pmc_plan_t *plan;
	int core_type;
	const char *group;
	int nr;
};

static int add_member(void *arg, const struct metric_def *def)
{
	struct members *m = arg;

	if (!metric_in_group(def->groups, m->group))
		return 0;
	/* Members that the core type cannot count are left out. */
	m->nr += !add_metric(m->plan, m->core_type, def->name);
	return errno == ENOMEM ? -1 : 0;
}

/* Add the metrics of a group. Return their number; -1 on error. */
static int add_group_of_metrics(pmc_plan_t *plan, int core_type, const char *group)
{
	struct members members = { plan, core_type, group, 0 };

	errno = 0;
	if (metric_def_each(plan->machine, &plan->machine->core_types[core_type], add_member,
			    &members))
		return -1;
	return members.nr;
}

/*
 * Add a metric, or the metrics of a group, to a core type. Where the library has no formulas for
 * tma, the model's table may have the group, by one of two names.
 */
static int add_spec(pmc_plan_t *plan, int core_type, const char *spec)
{
	static const char *const tma[] = { "TopdownL1", "PipelineL1" };
	char why[ERROR_LINE];
	size_t i;
	int nr;

	if (!add_metric(plan, core_type, spec))
		return 0;
	if (errno != ENOENT)
		return -1;
	snprintf(why, sizeof(why), "%s", pmc_last_error());
	nr = add_group_of_metrics(plan, core_type, spec);
	for (i = 0; !nr && !strcasecmp(spec, "tma") && i < sizeof(tma) / sizeof(tma[0]); i++)
		nr = add_group_of_metrics(plan, core_type, tma[i]);
	return nr ? (nr < 0 ? -1 : 0) : pmc_fail(ENOENT, "%s", why);
}

/* What no core type has is refused, with what the first says of it; so is a name that is in use. */
static int add_to_core_types(pmc_plan_t *plan, int core_type, const char *spec)
{
	char why[ERROR_LINE];
	int i, err = 0, added = 0;

	for (i = 0; i < plan->machine->nr_core_types; i++) {
		if (core_type != PMC_EVERY_CORE_TYPE && core_type != i)
			continue;
		if (!add_spec(plan, i, spec)) {
			added++;
		} else if (errno == EEXIST) {
			return -1;
		} else if (!err) {
			err = errno;
			snprintf(why, sizeof(why), "%s", pmc_last_error());
		}
	}
	return added ? 0 : pmc_fail(err, "%s", why);
}

/* The end of a metric in a list: a comma that is not within parentheses, brackets or @ */
static char *end_of_spec(char *text)
{
	int depth = 0, inside = 0;

	for (; *text && (depth || inside || *text != ','); text++) {
		if (*text == '\\' && text[1])
			text++;
		else if (*text == '@')
			inside = !inside;
		else if (*text == '(' || *text == '[')
			depth++;
		else if (*text == ')' || *text == ']')
			depth--;
	}
	return text;
}

int pmc_plan_add_metrics(pmc_plan_t *plan, const char *specs, int core_type)
{
	char *copy, *spec, *end;
	int rc = 0, last = 0;

	if (check_open(plan) || check_core_type(plan, core_type))
		return -1;
	copy = strdup(specs);
	if (!copy)
		return pmc_fail_nomem();
	for (spec = copy; !rc && !last; spec = end + 1) {
		end = end_of_spec(spec);
		last = !*end;
		*end = '\0';
		while (isspace((unsigned char)*spec))
			spec++;
		rc = *spec ? add_to_core_types(plan, core_type, spec) :
		     pmc_fail(EINVAL, "'%.200s': the name of a metric is missing", specs);
	}
	free(copy);
	return rc;
}

/* Names do not have all: in the raw form attributes are words of their own. */
static int add_sets(const struct plan_core_type *ct, pmc_config_t *config, int core_type)
{
	struct event_set set;
	int i, j, rc = 0;

	for (i = 0; i < ct->nr_sets && !rc; i++) {
		set.nr_events = ct->sets[i].nr;
		for (j = 0; j < set.nr_events; j++)
			set.events[j] = ct->events[ct->sets[i].events[j]].wanted;
		rc = config_add_set(config, &set, core_type);
	}
	return rc;
}

/* On all core types together a metric is defined if all have the same formula. */
static int note_same(pmc_plan_t *plan)
{
	char *same = realloc(plan->same, plan->nr_metrics + 1);
	const pmc_metric_t *first, *metric;
	int n, i;

	if (!same)
		return pmc_fail_nomem();
	plan->same = same;
	for (n = 0; n < plan->nr_metrics; n++) {
		first = plan_metric(plan, n, 0)->metric;
		same[n] = 1;
		for (i = 0; i < plan->machine->nr_core_types; i++) {
			metric = plan_metric(plan, n, i)->metric;
			same[n] &= metric && first && metric_same(first, metric);
		}
	}
	return 0;
}

int pmc_plan_make(pmc_plan_t *plan, pmc_config_t *config, pmc_fits_fn fits, void *arg)
{
	int i;

	if (check_open(plan))
		return -1;
	plan->made = 1;
	for (i = 0; i < plan->machine->nr_core_types; i++) {
		struct plan_core_type *ct = &plan->core_types[i];

		ct->first_set = pmc_config_nr_sets(config, i);
		if (plan_place(plan, i, fits, arg) || add_sets(ct, config, i))
			return -1;
	}
	return note_same(plan);
}

int pmc_plan_fits(void *arg, int core_type, const char *events)
{
	pmc_session_t *session = arg;

	(void)core_type;
	if (pmc_session_command(session, "clear"))
		return -1;
	if (!pmc_session_command(session, "events %s", events))
		return session->ops->fits ? session->ops->fits(session) : 1;
	return errno == ENOSPC || errno == EINVAL ? 0 : -1;
}

int pmc_plan_nr_metrics(const pmc_plan_t *plan)
{
	return plan->nr_metrics;
}

const char *pmc_plan_name(const pmc_plan_t *plan, int n)
{
	return n >= 0 && n < plan->nr_metrics ? plan->names[n] : NULL;
}

const pmc_metric_t *pmc_plan_metric(const pmc_plan_t *plan, int n, int core_type)
{
	if (n < 0 || n >= plan->nr_metrics || !machine_core_type(plan->machine, core_type))
		return NULL;
	return plan_metric(plan, n, core_type)->metric;
}

int pmc_plan_is_estimated(const pmc_plan_t *plan, int n, int core_type)
{
	return pmc_plan_metric(plan, n, core_type) && plan_metric(plan, n, core_type)->home < 0;
}
