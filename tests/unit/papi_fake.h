/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A low level of PAPI for tests of what is built on it: EventSets count what the test says
 * that the thread has done. Each thread has counters of its own. Included by one file.
 *
 *	event		code		component
 *	PAPI_TOT_INS	preset		0: 10 a unit of work
 *	PAPI_TOT_CYC	preset		0: 20 a unit of work
 *	PAPI_REF_CYC	preset		0: 5 a unit of work, if fake.has_ref
 *	PAPI_DP_OPS	preset		0: 8 a unit of work
 *	sensor		0x40000001	1: fake_sensor
 *	full		0x40000002	0: it never finds a counter
 *
 * A unit of work takes 100 ns and 300 cycles of the clock, and 1 us of processor time.
 */
#ifndef PMC_TESTS_PAPI_FAKE_H
#define PMC_TESTS_PAPI_FAKE_H

#include <papi.h>

#define FAKE_SETS	32
#define FAKE_EVENTS	4
#define FAKE_SENSOR	0x40000001
#define FAKE_FULL	0x40000002

static struct {
	int nr_inits, nr_thread_inits, nr_multiplexed;
	int fail_library_init;
	int lost;	/* a counter: values are too small */
	int has_ref;
	unsigned long (*thread_id)(void);
	struct fake_set {
		int used, running, nr, events[FAKE_EVENTS];
		long long start[FAKE_EVENTS];
	} sets[FAKE_SETS];
} fake;

static __thread long long fake_done;
static __thread long long fake_sensor;

static inline void fake_work(int units)
{
	fake_done += units;
}

/* EventSets that exist */
static inline int fake_nr_sets(void)
{
	int i, n = 0;

	for (i = 0; i < FAKE_SETS; i++)
		n += fake.sets[i].used;
	return n;
}

static long long fake_count(int event)
{
	switch (event) {
	case PAPI_TOT_INS:
		return 10 * fake_done;
	case PAPI_TOT_CYC:
		return 20 * fake_done;
	case PAPI_REF_CYC:
		return 5 * fake_done;
	case PAPI_DP_OPS:
		return 8 * fake_done;
	}
	return fake_sensor;
}

static struct fake_set *fake_set(int set)
{
	return set >= 0 && set < FAKE_SETS && fake.sets[set].used ? &fake.sets[set] : NULL;
}

static void fake_read(const struct fake_set *s, long long *values)
{
	int i;

	for (i = 0; values && i < s->nr; i++)
		values[i] = fake_count(s->events[i]) - s->start[i];
}

int PAPI_library_init(int version)
{
	if (fake.fail_library_init)
		return PAPI_ESYS;
	fake.nr_inits++;
	return version;
}

int PAPI_is_initialized(void)
{
	return (fake.nr_inits ? PAPI_LOW_LEVEL_INITED : 0) |
	       (fake.nr_thread_inits ? PAPI_THREAD_LEVEL_INITED : 0);
}

int PAPI_thread_init(unsigned long (*id)(void))
{
	fake.nr_thread_inits++;
	fake.thread_id = id;
	return PAPI_OK;
}

unsigned long PAPI_thread_id(void)
{
	return fake.thread_id();
}

int PAPI_multiplex_init(void)
{
	return PAPI_OK;
}

char *PAPI_strerror(int code)
{
	return code == PAPI_ENOEVNT ? "no such event" : "an error";
}

int PAPI_create_eventset(int *set)
{
	int i;

	for (i = 0; i < FAKE_SETS; i++) {
		if (!__sync_lock_test_and_set(&fake.sets[i].used, 1)) {
			fake.sets[i] = (struct fake_set){ .used = 1 };
			*set = i;
			return PAPI_OK;
		}
	}
	return PAPI_ENOMEM;
}

int PAPI_assign_eventset_component(int set, int component)
{
	return fake_set(set) && !component ? PAPI_OK : PAPI_EINVAL;
}

int PAPI_set_multiplex(int set)
{
	fake.nr_multiplexed++;
	return PAPI_OK;
}

int PAPI_query_event(int event)
{
	return event == PAPI_REF_CYC && !fake.has_ref ? PAPI_ENOEVNT : PAPI_OK;
}

int PAPI_event_name_to_code(const char *name, int *code)
{
	static const struct {
		const char *name;
		int code;
	} events[] = {
		{ "PAPI_TOT_INS", PAPI_TOT_INS }, { "PAPI_TOT_CYC", PAPI_TOT_CYC },
		{ "PAPI_DP_OPS", PAPI_DP_OPS }, { "sensor", FAKE_SENSOR }, { "full", FAKE_FULL },
	};
	size_t i;

	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (!strcmp(name, events[i].name)) {
			*code = events[i].code;
			return PAPI_OK;
		}
	}
	return PAPI_ENOEVNT;
}

int PAPI_get_event_component(int event)
{
	return event == FAKE_SENSOR;
}

const PAPI_component_info_t *PAPI_get_component_info(int component)
{
	static PAPI_component_info_t info[2] = {
		{ .name = "perf_event" }, { .name = "sensors" },
	};

	return &info[component];
}

const PAPI_hw_info_t *PAPI_get_hardware_info(void)
{
	static const PAPI_hw_info_t info = {
		.model_string = "A  CPU   of tests", .cpu_max_mhz = 3000, .cpu_min_mhz = 400,
	};

	return &info;
}

int PAPI_add_event(int set, int event)
{
	struct fake_set *s = fake_set(set);

	if (!s)
		return PAPI_ENOEVST;
	if (event == FAKE_FULL || s->nr == FAKE_EVENTS)
		return PAPI_ECNFLCT;
	s->events[s->nr++] = event;
	return PAPI_OK;
}

int PAPI_start(int set)
{
	struct fake_set *s = fake_set(set);
	int i;

	if (!s || !s->nr)
		return PAPI_ENOEVST;
	if (s->running)
		return PAPI_EISRUN;
	s->running = 1;
	for (i = 0; i < s->nr; i++)
		s->start[i] = s->events[i] == FAKE_SENSOR ? 0 : fake_count(s->events[i]);
	return PAPI_OK;
}

int PAPI_read(int set, long long *values)
{
	struct fake_set *s = fake_set(set);

	if (!s)
		return PAPI_ENOEVST;
	if (!s->running)
		return PAPI_ENOTRUN;
	fake_read(s, values);
	return fake.lost ? PAPI_ECLOST : PAPI_OK;
}

long long PAPI_get_real_cyc(void)
{
	return 300 * fake_done;
}

long long PAPI_get_real_nsec(void)
{
	return 100 * fake_done;
}

long long PAPI_get_real_usec(void)
{
	return 2 * fake_done;
}

long long PAPI_get_virt_usec(void)
{
	return fake_done;
}

int PAPI_read_ts(int set, long long *values, long long *cycles)
{
	*cycles = PAPI_get_real_cyc();
	return PAPI_read(set, values);
}

int PAPI_stop(int set, long long *values)
{
	int err = PAPI_read(set, values);

	if (!err || err == PAPI_ECLOST)
		fake_set(set)->running = 0;
	return err;
}

int PAPI_state(int set, int *state)
{
	struct fake_set *s = fake_set(set);

	if (!s)
		return PAPI_ENOEVST;
	*state = s->running ? PAPI_RUNNING : PAPI_STOPPED;
	return PAPI_OK;
}

int PAPI_cleanup_eventset(int set)
{
	struct fake_set *s = fake_set(set);

	if (!s)
		return PAPI_ENOEVST;
	if (s->running)
		return PAPI_EISRUN;
	s->nr = 0;
	return PAPI_OK;
}

int PAPI_destroy_eventset(int *set)
{
	struct fake_set *s = fake_set(*set);

	if (!s)
		return PAPI_ENOEVST;
	if (s->nr)
		return PAPI_EINVAL;
	s->used = 0;
	*set = PAPI_NULL;
	return PAPI_OK;
}

#endif
