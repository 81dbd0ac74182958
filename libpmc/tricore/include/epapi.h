/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ePAPI: PAPI for programs without an operating system, on TriCore TC1.6P (AURIX
 * TC297; cores 1 and 2 of TC26x and TC27x) and TC1.6.2P (TC3xx). TC1.6E (TC21x to
 * TC23x, core 0 of TC26x and TC27x) has no data cache and counts other events:
 * counting is refused there (PAPI_ENOSUPP). How to build it is in
 * libpmc/tricore/README.md of the sources, how to link and use it in docs/epapi.md.
 *
 * Calls have PAPI's signatures and return values; their names begin with ePAPI_.
 * A program that writes PAPI_ includes papi.h instead. Calls whose names begin
 * with epapi_ have no counterpart in PAPI.
 *
 * WARNING: counting enables the debug unit (OCDS) of the whole chip, as a
 * debugger does, and it stays enabled until epapi_disable_counters(). This has
 * two effects. The watchdogs may stop: the bit WDTSUS of the register OSTATE
 * (see the User's Manual) decides that. And debug access that depends on OCDS is
 * open. Consider both before a program counts in the field.
 *
 * Each core counts for itself: a call affects only the core that makes it, and
 * all cores may make calls at the same time. On one core, a call must not be
 * interrupted by a handler that makes calls, nor by an RTOS's switch
 * (epapi_task_save). Where that can happen, make calls with interrupts off. The
 * library does not disable interrupts itself: most programs do not need it.
 * Interrupt handlers are counted for the task that they interrupt.
 *
 * A core has 4 event sets of up to 8 events (EPAPI_MAX_SETS, EPAPI_MAX_EVENTS).
 * The high level takes one of the sets for each task that uses it.
 *
 * All state is static and in the core's own data scratchpad, see epapi.ld.
 * Start-up code must clear it on every core like .bss, or call epapi_forget()
 * there.
 *
 * A call first stops the counters, and starts them again when it returns. So
 * they count the call instruction and the return, but not the work of the call.
 * ePAPI_num_counters, ePAPI_library_init and the epapi_ calls that do not count
 * do not stop the counters.
 *
 * Calls that access a counter need supervisor mode (PSW.IO = 2) and return
 * PAPI_EPERM elsewhere; other calls work in every mode. A task in user mode can
 * make calls through its RTOS's trusted functions or system calls.
 */
#ifndef EPAPI_H
#define EPAPI_H

#include <stddef.h>
#include <stdint.h>

#include "epapi_results.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of PAPI that had all these calls; PAPI_EMULPASS is of later ones. */
#define PAPI_VERSION_NUMBER(major, minor, revision, increment) \
	((int)(((major) << 24) | ((minor) << 16) | ((revision) << 8) | (increment)))
#define PAPI_VERSION		PAPI_VERSION_NUMBER(5, 7, 0, 0)
#define PAPI_VER_CURRENT	(PAPI_VERSION & 0x7fff0000)

/* Return values */
#define PAPI_OK		0
#define PAPI_EINVAL	(-1)	/* an argument makes no sense */
#define PAPI_ENOMEM	(-2)	/* all event sets, or places in one, are in use */
#define PAPI_ENOEVNT	(-7)	/* there is no such event */
#define PAPI_ECNFLCT	(-8)	/* its counter counts another event, or it is in the set */
#define PAPI_ENOTRUN	(-9)	/* not counting */
#define PAPI_EISRUN	(-10)	/* counting */
#define PAPI_ENOEVST	(-11)	/* there is no such event set */
#define PAPI_ENOCNTR	(-13)	/* the counters can't be enabled */
#define PAPI_EPERM	(-15)	/* not in supervisor mode */
#define PAPI_ENOSUPP	(-18)	/* a core of another kind: TC1.6E */
#define PAPI_EMULPASS	(-27)	/* takes two runs: see epapi_two_runs() */

/* States of ePAPI_state(); a set that waits for its task is running. */
#define PAPI_STOPPED	0x01
#define PAPI_RUNNING	0x02

/* Not an event set */
#define PAPI_NULL	(-1)

#define PAPI_PRESET_MASK	((int)0x80000000u)
#define PAPI_NATIVE_MASK	((int)0x40000000u)

/* Presets. */
#define PAPI_L1_DCM	(PAPI_PRESET_MASK | 0x00)	/* level 1 data cache misses */
#define PAPI_L1_ICM	(PAPI_PRESET_MASK | 0x01)	/* ... instruction cache misses */
#define PAPI_L1_TCM	(PAPI_PRESET_MASK | 0x06)	/* ... all misses: two runs */
#define PAPI_BRU_IDL	(PAPI_PRESET_MASK | 0x10)	/* cycles without a branch resolved */
#define PAPI_MEM_SCY	(PAPI_PRESET_MASK | 0x22)	/* cycles stalled by memory, of
							 * program and of data: those
							 * stalled by both count twice
							 */
#define PAPI_TOT_INS	(PAPI_PRESET_MASK | 0x32)	/* instructions */
#define PAPI_TOT_CYC	(PAPI_PRESET_MASK | 0x3b)	/* cycles */
#define PAPI_L1_DCH	(PAPI_PRESET_MASK | 0x3e)	/* level 1 data cache hits */
#define PAPI_L1_DCA	(PAPI_PRESET_MASK | 0x40)	/* ... accesses */
#define PAPI_L1_ICH	(PAPI_PRESET_MASK | 0x49)	/* level 1 instruction cache hits */
#define PAPI_L1_ICA	(PAPI_PRESET_MASK | 0x4c)	/* ... accesses */
#define PAPI_L1_ICR	(PAPI_PRESET_MASK | 0x4f)	/* ... reads: the same */
#define PAPI_L1_TCH	(PAPI_PRESET_MASK | 0x55)	/* level 1 hits, both: two runs */
#define PAPI_L1_TCA	(PAPI_PRESET_MASK | 0x58)	/* ... accesses, both: two runs */

/* Native events. */
#define EPAPI_IP_DISPATCH_STALL	(PAPI_NATIVE_MASK | 0)	/* cycles the integer, */
#define EPAPI_LS_DISPATCH_STALL	(PAPI_NATIVE_MASK | 1)	/* load-store, */
#define EPAPI_LP_DISPATCH_STALL	(PAPI_NATIVE_MASK | 2)	/* loop pipeline is stalled */
#define EPAPI_PCACHE_HIT	(PAPI_NATIVE_MASK | 3)	/* cached fetches that hit */
#define EPAPI_PCACHE_MISS	(PAPI_NATIVE_MASK | 4)	/* and that missed */
#define EPAPI_MULTI_ISSUE	(PAPI_NATIVE_MASK | 5)	/* cycles with several instructions */
#define EPAPI_DCACHE_HIT	(PAPI_NATIVE_MASK | 6)	/* cached data accesses that hit, */
#define EPAPI_DCACHE_MISS_CLEAN	(PAPI_NATIVE_MASK | 7)	/* missed, */
#define EPAPI_DCACHE_MISS_DIRTY	(PAPI_NATIVE_MASK | 8)	/* missed and wrote back a line */
#define EPAPI_TOTAL_BRANCH	(PAPI_NATIVE_MASK | 9)	/* cycles with a branch resolved */
#define EPAPI_PMEM_STALL	(PAPI_NATIVE_MASK | 10)	/* cycles stalled by program memory */
#define EPAPI_DMEM_STALL	(PAPI_NATIVE_MASK | 11)	/* cycles stalled by data memory */

/*
 * High level: one list of events at a time. The first call of ePAPI_ipc() or
 * ePAPI_epc() starts counting; later calls return the values since then.
 * ePAPI_stop_counters() ends that, too.
 */
int ePAPI_start_counters(int *events, int array_len);
int ePAPI_read_counters(long long *values, int array_len);
int ePAPI_accum_counters(long long *values, int array_len);
int ePAPI_stop_counters(long long *values, int array_len);
int ePAPI_num_counters(void);
int ePAPI_ipc(float *rtime, float *ptime, long long *ins, float *ipc);
int ePAPI_epc(int event, float *rtime, float *ptime, long long *ref, long long *core,
	      long long *evt, float *epc);

/* Low level: event sets; one set at a time counts. */
int ePAPI_start(int EventSet);
int ePAPI_read(int EventSet, long long *values);
int ePAPI_accum(int EventSet, long long *values);
int ePAPI_stop(int EventSet, long long *values);
int ePAPI_reset(int EventSet);
int ePAPI_create_eventset(int *EventSet);
int ePAPI_add_event(int EventSet, int Event);
int ePAPI_add_events(int EventSet, int *Events, int number);
int ePAPI_add_named_event(int EventSet, const char *EventName);
int ePAPI_remove_event(int EventSet, int EventCode);
int ePAPI_remove_events(int EventSet, int *Events, int number);
int ePAPI_remove_named_event(int EventSet, const char *EventName);
int ePAPI_cleanup_eventset(int EventSet);
int ePAPI_event_name_to_code(const char *in, int *out);
int ePAPI_list_events(int EventSet, int *Events, int *number);
int ePAPI_num_events(int EventSet);
int ePAPI_state(int EventSet, int *status);

/*
 * Two calls that are not in the paper's list. PAPI programs of the low level begin
 * with the first; the second frees an event set.
 */
int ePAPI_library_init(int version);
int ePAPI_destroy_eventset(int *EventSet);

/**
 * epapi_forget() - clear all state on this core: sets, counts, results
 *
 * For start-up code that does not clear epapi's section, and after a reset that
 * keeps memory. The call changes neither the counters nor the debug unit: call
 * epapi_disable_counters() before.
 */
void epapi_forget(void);

/**
 * epapi_disable_counters() - disable the debug unit again
 *
 * Disables the debug unit (OCDS) of the whole chip if this core's first start
 * enabled it, but not if a debugger or another core had done so. The core that
 * enabled it makes this call when all cores have stopped counting. The next
 * start enables it again.
 *
 * Return: PAPI_OK; PAPI_EISRUN while an event set of this core is started and
 * not stopped, even for a task that waits; PAPI_EPERM.
 */
int epapi_disable_counters(void);

/**
 * epapi_get_results() - this core's results area
 *
 * Return: its address. epapi_results.h describes its contents, such as whether a
 * counter overflowed.
 */
const struct epapi_results *epapi_get_results(void);

/**
 * epapi_two_runs() - the events to count for an event that takes two runs
 * @event: code of the event
 * @runs: out: the event to count in the first run, and in the second
 *
 * Return: PAPI_OK; PAPI_EINVAL if the event does not take two runs.
 */
int epapi_two_runs(int event, int runs[2]);

/**
 * epapi_combine() - compute the value of an event from those of two runs
 * @event: code of the event
 * @first: value of the event counted in the first run
 * @second: value of the event counted in the second run
 * @value: out: value of @event
 *
 * Return: PAPI_OK; PAPI_EINVAL if the event does not take two runs.
 */
int epapi_combine(int event, long long first, long long second, long long *value);

/**
 * epapi_task_mode() - gate the counters by the debug unit
 * @on: not 0: from the next start on this core count only while the debug unit's
 *	events let the counters run (CCTRL.CM = 1); 0: count all the time, as
 *	after start-up
 *
 * The program, or a debugger, sets the events that start and stop the counters in
 * the debug unit's trigger registers (TR0EVT and following, TRnEVT.CNT, with the
 * task's ASI; User's Manual, "Core Debug Controller"). A debugger that is connected
 * uses these registers itself.
 *
 * Return: PAPI_OK; PAPI_EISRUN while counting.
 */
int epapi_task_mode(int on);

/**
 * struct epapi_task - state of counting of a task of an RTOS
 *
 * Each task has one, cleared before its first switch. Its members are private to
 * the library.
 */
struct epapi_task {
	void *counting;
	void *high_level;
	uint8_t mode;
};

/**
 * epapi_task_save() - a task leaves the core
 * @task: the task's state
 *
 * Stops the task's counting; the counters are then free for the next task. Call
 * it from the RTOS's switch hooks, in supervisor mode. With OSEK, and so with
 * Erika:
 *
 *	static struct epapi_task counted[NUMBER_OF_TASKS];
 *
 *	void PostTaskHook(void)
 *	{
 *		TaskType task;
 *
 *		GetTaskID(&task);
 *		epapi_task_save(&counted[task]);
 *	}
 *
 * and PreTaskHook() the same with epapi_task_restore().
 *
 * Event sets belong to the core; each is used by one task. One task of a core at a
 * time can use ePAPI_ipc() and ePAPI_epc(). A task must stop counting before it
 * ends: a set that it left running can be freed only by epapi_forget().
 */
void epapi_task_save(struct epapi_task *task);

/**
 * epapi_task_restore() - a task enters the core
 * @task: the task's state
 *
 * Continues the task's counting. Call it after epapi_task_save() for the task that
 * left the core, if there was one.
 */
void epapi_task_restore(const struct epapi_task *task);

#ifdef __cplusplus
}
#endif

#endif /* EPAPI_H */
