// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting by a session: other threads, CPUs, children, and event sets that take turns. The
 * session counts from start to stop, and each reading is a few system calls.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "count_events.h"
#include "errors.h"
#include "library.h"
#include "multiplex_estimate.h"
#include "overflow_events.h"

/* Samples that are kept from one reading to the next */
#define FEW_SAMPLES	16
#define TURN_SAMPLES	1024

/* Where an event of struct counted_type is counted */
struct site {
	int set;
	int event;
};

/* For how long the sets of a core type were counted, and could have been */
struct times {
	uint64_t running[COUNTED_MAX];
	uint64_t available[COUNTED_MAX];
};

/**
 * struct by_session - the data of a session
 * @session: NULL: it does not count
 * @stopped: a session that is still to be closed
 * @config: its event sets
 * @sites: of each event of each core type
 * @sets: room to read the sets of a core type
 * @now, @now_times, @now_losses: the last reading, not scaled, with its losses
 * @start, @start_times: the reading at the start
 * @since: the counts since the start; estimates, if sets take turns
 * @turns: the turns of the sets
 * @is_scaled: perf had the counters of the only set for some time, without the kernel module
 */
struct by_session {
	pmc_session_t *session;
	pmc_session_t *stopped;
	pmc_config_t *config;
	struct site (*sites)[COUNTED_MAX];
	struct pmc_set_counts *sets;
	uint64_t **now;
	uint64_t **start;
	uint64_t **since;
	struct times *now_times;
	struct times *start_times;
	uint64_t now_losses;
	struct turns *turns;
	int is_scaled;
};

static void end_session(struct by_session *by)
{
	close_session_once(&by->session);
	close_session_once(&by->stopped);
}

/* Closing gives memory back, which a handler leaves for later. */
static void leave_session(struct by_session *by)
{
	if (!overflow_in_handler()) {
		end_session(by);
		return;
	}
	by->stopped = by->session;
	by->session = NULL;
}

static void close_session(struct counting *c)
{
	struct by_session *by = c->data;

	if (!by)
		return;
	end_session(by);
	pmc_config_free(by->config);
	free(by->sites);
	free(by->sets);
	free(by->now);
	free(by->start);
	free(by->since);
	free(by->now_times);
	free(by->start_times);
	turns_free(by->turns);
	free(by);
	c->data = NULL;
}

static int alloc(struct counting *c)
{
	struct by_session *by = calloc(1, sizeof(*by));

	c->data = by;
	if (!by)
		return PAPI_ENOMEM;
	by->config = pmc_config_new(papi_machine());
	by->sites = calloc(c->nr_types, sizeof(*by->sites));
	by->now = counting_alloc_rows(c);
	by->start = counting_alloc_rows(c);
	by->since = counting_alloc_rows(c);
	by->now_times = calloc(c->nr_types, sizeof(*by->now_times));
	by->start_times = calloc(c->nr_types, sizeof(*by->start_times));
	by->turns = turns_new(c->nr_types);
	return by->config && by->sites && by->now && by->start && by->since && by->now_times &&
	       by->start_times && by->turns ? PAPI_OK : PAPI_ENOMEM;
}

struct fitting {
	const struct counting *counting;
	pmc_session_t *session;
};

static int fits(void *arg, int core_type, const char *raw)
{
	const struct fitting *fitting = arg;

	return counting_fits_twice(fitting->counting, fitting->session, core_type, raw);
}

/* Arrange the events in as few event sets as the counters allow, beside those of handlers. */
static int plan_turns(const struct counting *c, struct by_session *by)
{
	pmc_plan_t *plan = pmc_plan_new(papi_machine());
	pmc_session_t *session = plan ? pmc_session_open() : NULL;
	struct fitting fitting = { c, session };
	int id, i, rc = session ? 0 : -1;

	for (id = 0; id < c->nr_types && !rc; id++)
		for (i = 0; i < c->types[id].nr && !rc; i++)
			rc = pmc_plan_add_events(plan, c->types[id].words[i], id);
	if (!rc)
		rc = pmc_plan_make(plan, by->config, fits, &fitting);
	rc = rc ? papi_error_of(errno) : PAPI_OK;
	pmc_session_close(session);
	pmc_plan_free(plan);
	return rc;
}

/* Do two names stand for one event? A plan counts it once, and by one of them. */
static int is_same_event(int core_type, const char *a, const char *b)
{
	struct perf_event_attr x, y;

	return !pmc_event_perf_attr(papi_machine(), core_type, a, &x) &&
	       !pmc_event_perf_attr(papi_machine(), core_type, b, &y) && !memcmp(&x, &y, sizeof(x));
}

static int is_same_name(int core_type, const char *a, const char *b)
{
	(void)core_type;
	return !strcmp(a, b);
}

/* Return: whether an event for which @is_same is true is counted */
static int find_event(const struct by_session *by, int core_type, const char *words,
		      int (*is_same)(int core_type, const char *a, const char *b), struct site *site)
{
	const char *name;

	for (site->set = 0; site->set < pmc_config_nr_sets(by->config, core_type); site->set++)
		for (site->event = 0;
		     (name = pmc_config_event(by->config, core_type, site->set, site->event));
		     site->event++)
			if (is_same(core_type, name, words))
				return 1;
	return 0;
}

/* Names are compared first, as event tables are large. */
static int find_site(const struct by_session *by, int core_type, const char *words,
		     struct site *site)
{
	return find_event(by, core_type, words, is_same_name, site) ||
	       find_event(by, core_type, words, is_same_event, site) ? PAPI_OK : PAPI_EBUG;
}

static int find_sites(const struct counting *c, struct by_session *by)
{
	int id, i, rc = PAPI_OK;

	for (id = 0; id < c->nr_types; id++)
		for (i = 0; i < c->types[id].nr && rc == PAPI_OK; i++)
			rc = find_site(by, id, c->types[id].words[i], &by->sites[id][i]);
	return rc;
}

/* Readings take no memory, as handlers may interrupt malloc(). */
static int reserve_turns(const struct counting *c, struct by_session *by)
{
	int id, set, n;

	for (id = 0; id < c->nr_types; id++)
		for (set = 0; set < pmc_config_nr_sets(by->config, id); set++) {
			for (n = 0; pmc_config_event(by->config, id, set, n); n++)
				;
			if (turns_reserve(by->turns, id, set, n))
				return PAPI_ENOMEM;
		}
	return PAPI_OK;
}

static int alloc_sets(const struct counting *c, struct by_session *by)
{
	int id, nr, most = 1;

	for (id = 0; id < c->nr_types; id++) {
		nr = pmc_config_nr_sets(by->config, id);
		if (nr > most)
			most = nr;
	}
	by->sets = calloc(most, sizeof(*by->sets));
	return by->sets ? PAPI_OK : PAPI_ENOMEM;
}

static int open_session(struct counting *c)
{
	struct by_session *by;
	int rc = alloc(c);

	if (rc != PAPI_OK)
		return rc;
	by = c->data;
	rc = c->target.multiplex_ns ? plan_turns(c, by) : counting_configure(c, by->config);
	if (rc == PAPI_OK)
		rc = find_sites(c, by);
	if (rc == PAPI_OK)
		rc = reserve_turns(c, by);
	return rc == PAPI_OK ? alloc_sets(c, by) : rc;
}

/* A thread that is counted with its children is counted from its next sample on. */
static int attach(const struct counting *c, pmc_session_t *session)
{
	const struct target *target = &c->target;

	if (target->cpu >= 0)
		return pmc_session_command(session, "syswide %d", target->cpu);
	if (target->inherit && pmc_session_command(session, "follow children"))
		return -1;
	return pmc_session_command(session, "attach-thread %d",
				   target->tid ? target->tid : gettid());
}

/* Totals are read, not samples; these only show how turns differ. */
static int begin(const struct counting *c, struct by_session *by, int nr_samples)
{
	if (pmc_session_command(by->session, "ring %d", nr_samples))
		return -1;
	if (c->target.multiplex_ns &&
	    pmc_session_command(by->session, "period %lldus", c->target.multiplex_ns / 1000))
		return -1;
	if (pmc_session_configure(by->session, by->config))
		return -1;
	return attach(c, by->session);
}

static int read_totals(const struct counting *c, struct by_session *by);
static void restart_session(struct counting *c);

static int begin_session(const struct counting *c, struct by_session *by, int nr_samples)
{
	int err;

	end_session(by);
	by->session = pmc_session_open();
	if (by->session && !begin(c, by, nr_samples))
		return 0;
	err = errno;
	end_session(by);
	errno = err;
	return -1;
}

static int start_session(struct counting *c)
{
	struct by_session *by = c->data;
	int id, rc;

	if (by->session) {
		rc = read_totals(c, by);
		restart_session(c);
		return rc;
	}
	for (id = 0; id < c->nr_types; id++)
		memset(by->start[id], 0, c->types[id].nr * sizeof(*by->start[id]));
	memset(by->start_times, 0, c->nr_types * sizeof(*by->start_times));
	turns_clear(by->turns);
	c->losses = 0;
	by->is_scaled = 0;
	if (!begin_session(c, by, c->target.multiplex_ns ? TURN_SAMPLES : FEW_SAMPLES))
		return PAPI_OK;
	/* Without the module samples are in a pipe, and the user may have too large ones already. */
	if (errno == EPERM && c->target.multiplex_ns && !begin_session(c, by, FEW_SAMPLES))
		return PAPI_OK;
	return papi_error_of(errno);
}

static int read_type(const struct counting *c, struct by_session *by, int id)
{
	struct times *times = &by->now_times[id];
	int i, set, nr_sets = pmc_config_nr_sets(by->config, id);

	if (pmc_session_unscaled(by->session, id, by->sets, nr_sets))
		return papi_error_of(errno);
	if (nr_sets == 1 && by->sets->running < by->sets->available)
		by->is_scaled = c->target.multiplex_ns > 0;
	for (set = 0; set < nr_sets; set++) {
		times->running[set] = by->sets[set].running;
		times->available[set] = by->sets[set].available;
	}
	for (i = 0; i < c->types[id].nr; i++)
		by->now[id][i] = by->sets[by->sites[id][i].set].counts[by->sites[id][i].event];
	return PAPI_OK;
}

static int read_totals(const struct counting *c, struct by_session *by)
{
	struct pmc_reading r;
	int id, rc = PAPI_OK;

	/* Totals contain what samples have. A thread that has ended takes none any more. */
	pmc_session_command(by->session, "sample");
	while (pmc_session_next(by->session, &r) > 0)
		if (c->target.multiplex_ns)
			turns_add(by->turns, &r, r.type == PMC_TICK_SAMPLE);
	for (id = 0; id < c->nr_types && rc == PAPI_OK; id++)
		rc = read_type(c, by, id);
	/* An estimate is made for that time, too. */
	by->now_losses = by->is_scaled ? c->losses : pmc_session_losses(by->session);
	return rc;
}

/*
 * Event sets that take turns are counted for a part of the time on their core type. The count for
 * all of that time is estimated from it, as only multiplexed EventSets are.
 */
static uint64_t scale(uint64_t count, uint64_t running, uint64_t available)
{
	/* Times without the kernel module may jitter. */
	if (!running || (int64_t)(available - running) <= 0)
		return count;
	return (unsigned __int128)count * available / running;
}

static void estimate(const struct counting *c, struct by_session *by, int id)
{
	const struct times *now = &by->now_times[id], *start = &by->start_times[id];
	int i, set;

	for (i = 0; i < c->types[id].nr; i++) {
		set = by->sites[id][i].set;
		by->since[id][i] = by->now[id][i] - by->start[id][i];
		if (!c->target.multiplex_ns)
			continue;
		by->since[id][i] = scale(by->since[id][i], now->running[set] - start->running[set],
					 now->available[set] - start->available[set]);
		turns_set_time(by->turns, id, set, now->running[set], now->available[set]);
	}
}

static int read_since(const struct counting *c, struct by_session *by)
{
	int id, rc = read_totals(c, by);

	for (id = 0; id < c->nr_types; id++)
		estimate(c, by, id);
	return rc;
}

static int read_session(struct counting *c, long long *values)
{
	struct by_session *by = c->data;
	int i, rc = read_since(c, by);

	for (i = 0; i < c->nr_events; i++)
		values[i] = counting_value(c, i, by->since);
	return rc == PAPI_OK ? counting_check_losses(c, by->now_losses) : rc;
}

static int read_types(struct counting *c, uint64_t **counts)
{
	struct by_session *by = c->data;
	int rc = read_since(c, by);

	counting_copy_rows(c, counts, by->since);
	return rc == PAPI_OK ? counting_check_losses(c, by->now_losses) : rc;
}

static void restart_session(struct counting *c)
{
	struct by_session *by = c->data;

	counting_copy_rows(c, by->start, by->now);
	memcpy(by->start_times, by->now_times, c->nr_types * sizeof(*by->start_times));
	turns_restart(by->turns);
	c->losses = by->now_losses;
}

static int stop_session(struct counting *c, long long *values)
{
	struct by_session *by = c->data;
	int rc;

	if (pmc_session_command(by->session, "stop") && errno != ESRCH)
		rc = papi_error_of(errno);
	else
		rc = read_session(c, values);
	leave_session(by);
	return rc;
}

static uint64_t **counts_of(const struct counting *c)
{
	const struct by_session *by = c->data;

	return by->since;
}

static double error_of(const struct counting *c, int core_type, int place)
{
	const struct by_session *by = c->data;
	const struct site *site = &by->sites[core_type][place];

	return turns_error(by->turns, core_type, site->set, site->event) *
	       by->since[core_type][place];
}

const struct counter_ops session_ops = {
	.open = open_session,
	.start = start_session,
	.read = read_session,
	.read_types = read_types,
	.restart = restart_session,
	.stop = stop_session,
	.close = close_session,
	.counts = counts_of,
	.error = error_of,
};
