/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The library's state on each core, and the functions that its parts call of each other. */
#ifndef EPAPI_CORE_H
#define EPAPI_CORE_H

#include "epapi.h"
#include "port.h"

#ifndef EPAPI_MAX_SETS
#define EPAPI_MAX_SETS	4
#endif

/**
 * struct epapi_set - an event set
 * @count: its counts until the counters were last cleared
 * @plan: the counters of its events
 * @cctrl: CCTRL while the set counts
 * @nr: number of events
 * @owner: enum epapi_owner
 * @running: the set is started and not stopped; it may be waiting for its task
 * @event: its events: indexes in pmc_tricore_events[]
 */
struct epapi_set {
	struct pmc_tricore_count count;
	struct pmc_tricore_plan plan;
	u16 cctrl;
	u8 nr;
	u8 owner;
	bool running;
	u8 event[EPAPI_MAX_EVENTS];
};

enum epapi_owner {
	EPAPI_FREE,
	EPAPI_LOW_LEVEL,
	EPAPI_HIGH_LEVEL,
};

/* Use of the high level */
enum epapi_mode {
	EPAPI_MODE_IDLE,
	EPAPI_MODE_LIST,	/* ePAPI_start_counters() */
	EPAPI_MODE_IPC,
	EPAPI_MODE_EPC,
};

/**
 * struct epapi_core - the library's state on a core
 * @read: the current implementation of ePAPI_read_counters(); NULL: there is no list
 * @accum: the same for ePAPI_accum_counters()
 * @cctrl: CCTRL after the call that stopped the counters; 0: it is not changed
 * @cleared: port_coarse_time() when the counters were last known to be 0, or
 *	earlier
 * @counting: the set for which the counters count, or NULL
 * @high_level: the high level's set, or NULL
 * @rating: the set of ipc or epc, maybe for a task that waits; or NULL
 * @shown: the set in the results area, or NULL
 * @mode: use of @high_level, enum epapi_mode
 * @task_mode: CCTRL.CM
 * @enabled: this core enabled the debug unit, which was disabled
 * @start: ipc and epc: time of the first call
 * @last: time of the last call
 * @cycles: cycles counted between them
 * @events: events counted between them
 * @set: the event sets
 *
 * All members are 0 at start-up.
 */
struct epapi_core {
	int (*read)(long long *values, int array_len, u32 cctrl);
	int (*accum)(long long *values, int array_len, u32 cctrl);
	u32 cctrl;
	u32 cleared;
	struct epapi_set *counting;
	struct epapi_set *high_level;
	const struct epapi_set *rating;
	const struct epapi_set *shown;
	u8 mode;
	u8 task_mode;
	bool enabled;
	u64 start;
	u64 last;
	u64 cycles;
	u64 events;
	struct epapi_set set[EPAPI_MAX_SETS];
};

/* Every core has its own, at the same address. */
extern PORT_LOCAL(core) struct epapi_core epapi_core;
extern PORT_LOCAL(results) struct epapi_results epapi_results;

/* Flags of epapi_deliver() */
#define DELIVER_ADD	0x1u
#define DELIVER_CLEAR	0x2u
#define DELIVER_STOP	0x4u

/* eventset.c */
struct epapi_set *epapi_use_set(int number);
struct epapi_set *epapi_new_set(enum epapi_owner owner);
void epapi_free_set(struct epapi_set *set);
int epapi_add(struct epapi_set *set, int code);

/* lowlevel.c */
int epapi_begin(struct epapi_set *set);
int epapi_deliver(struct epapi_set *set, long long *values, unsigned int how);
void epapi_clear_count(struct epapi_set *set);

/* highlevel.c */
int epapi_start_high_level(const int *events, int nr, enum epapi_mode mode);

/* Is MTCR allowed? PSW.IO is 0, 1 or 2; there is no 3. */
static PORT_INLINE bool epapi_supervisor(void)
{
	return port_mfcr(PMC_TRICORE_PSW) & PMC_TRICORE_PSW_IO_SV;
}

/* Call this in supervisor mode only. */
static PORT_INLINE u32 epapi_stop_counters(void)
{
	u32 cctrl = port_mfcr(PMC_TRICORE_CCTRL);

	port_mtcr(PMC_TRICORE_CCTRL, 0u);
	port_isync();

	return cctrl;
}

static PORT_INLINE void epapi_run_counters(u32 cctrl)
{
	port_mtcr(PMC_TRICORE_CCTRL, cctrl);
	port_isync();
}

/*
 * Each call begins with this: stop the counters, so that they do not count the library's
 * own work. Outside supervisor mode it does nothing: calls that need no counter work there,
 * too. Each call ends with epapi_resume().
 */
static PORT_INLINE void epapi_suspend_now(void)
{
	u32 cctrl;

	if (!epapi_supervisor())
		return;
	cctrl = port_mfcr(PMC_TRICORE_CCTRL);
	if (!cctrl)
		return;
	port_mtcr(PMC_TRICORE_CCTRL, 0u);
	port_isync();
	epapi_core.cctrl = cctrl;
}

/* counters.c */
void epapi_suspend(void);
int epapi_resume(int ret);
void epapi_collect(struct epapi_set *set);
u32 epapi_cycles_passed(void);

/* ocds.c */
int epapi_enable_counters(void);

/* results.c */
void epapi_show(const struct epapi_set *set);
void epapi_show_value(unsigned int i, const struct epapi_set *set, u64 value);

/* read_counters.c */
void epapi_choose_reader(void);

#endif /* EPAPI_CORE_H */
