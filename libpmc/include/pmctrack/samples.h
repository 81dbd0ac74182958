/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Samples of a session: each is a struct pmc_reading; the oldest comes first
 */
#ifndef LIBPMCTRACK_SAMPLES_H
#define LIBPMCTRACK_SAMPLES_H

#include <stddef.h>

#include <pmc_user.h>
#include <pmctrack/sessions.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a thread's name, with the terminating zero */
#define PMC_THREAD_NAME 16

/* flags of struct pmc_reading */
#define PMC_READING_THROTTLED	0x0001	/* sampling by event count was throttled before it */
#define PMC_READING_COUNTER_LOST 0x0002	/* a counter was taken away */
#define PMC_READING_SYSWIDE	0x0004	/* counts of a CPU, not of a thread */
#define PMC_READING_LAST	0x0008	/* the last of this thread or CPU */
#define PMC_READING_EVICTED	0x0010	/* with the last: a privileged session needed the counters */
#define PMC_READING_EXEC	0x0080	/* the thread executed another program since its sample before */

/**
 * struct pmc_loss - a flag of samples whose counts are incomplete
 * @flag: PMC_READING_*
 * @name: for programs, as "counter_lost"
 * @brief: what it means for one thread; NULL: nothing is to be said
 * @sentence: for the end of a report: a format, with %llu for the number of samples
 */
struct pmc_loss {
	unsigned int flag;
	const char *name;
	const char *brief;
	const char *sentence;
};

/** pmc_loss_info - flag number @n of these, or NULL past the last */
PMC_API const struct pmc_loss *pmc_loss_info(int n);

/**
 * struct pmc_reading - one sample of a session
 * @time: when it was taken
 * @elapsed: ns since the previous one of this thread or CPU
 * @running: ns of that spent running
 * @pid: process; 0 in system-wide mode
 * @tid: thread; 0 in system-wide mode
 * @cpu: CPU it was taken on
 * @core_type: core type that the counts belong to
 * @set: event set of that core type
 * @type: why it was taken
 * @flags: PMC_READING_*
 * @lost: samples lost just before this one because the reader was slow
 * @ebs_event: event whose period ended, if @type is PMC_EBS_SAMPLE
 * @nr_counts: how many of @counts are valid, in the order of the event set
 * @counts: events since the previous sample, exact, never scaled
 * @nr_virtual: how many of @virtual_counts are valid, in the order of the
 *	configuration
 * @virtual_counts: virtual counters, multiplied by their scale: counts since the
 *	previous sample, current levels and ratios; PMC_NO_VALUE: not known
 * @name: the thread's name, "" if it is not known. It takes the command "names". With
 *	PMC_READING_LAST it is the name that the thread ended with, even if its life was short,
 *	with PMC_READING_EXEC that of the new program, if the sample has no address;
 *	otherwise it is about as old as the sample. It has any bytes: quote them
 * @address: with the command "addresses", of samples by event count: the instruction in user
 *	space at which the end of the period was seen, some instructions behind the one that
 *	ended it; 0: not known
 */
struct pmc_reading {
	uint64_t time;
	uint64_t elapsed;
	uint64_t running;
	pid_t pid;
	pid_t tid;
	int cpu;
	int core_type;
	int set;
	sample_type_t type;
	unsigned int flags;
	unsigned int lost;
	int ebs_event;
	int nr_counts;
	uint64_t counts[PMC_MAX_COUNTS];
	int nr_virtual;
	uint64_t virtual_counts[PMC_MAX_VIRTUALS];
	char name[PMC_THREAD_NAME];
	uint64_t address;
};

/**
 * pmc_session_wait - wait for samples
 * @timeout_ms: as for poll(): 0 returns at once, -1 waits forever
 *
 * Return: 1: there are samples; 0: the time is over, or a signal came; 2: all
 * threads have ended, so no further samples will come; -1: error.
 */
PMC_API int pmc_session_wait(pmc_session_t *session, int timeout_ms);

/**
 * pmc_session_next - take the next sample
 *
 * This call never waits. Return: 1 and *@reading is filled; 0 if there is none now.
 */
PMC_API int pmc_session_next(pmc_session_t *session, struct pmc_reading *reading);

/** pmc_session_next_sized - the same, for a struct pmc_reading of @size bytes */
PMC_API int pmc_session_next_sized(pmc_session_t *session, struct pmc_reading *reading,
				   size_t size);

#define pmc_session_next(session, reading) \
	pmc_session_next_sized(session, reading, sizeof(*(reading)))

/** pmc_session_lost - samples lost so far because the buffer was full */
PMC_API uint64_t pmc_session_lost(const pmc_session_t *session);

/**
 * pmc_session_throttled - how often sampling by event count was throttled so far
 *
 * If samples by event count come faster than ebs_max_rate (/proc/pmc/config), or
 * take too much of a CPU's time, the kernel module takes none until the next tick.
 * The next sample then has the counts of the whole pause, so totals stay exact.
 */
PMC_API uint64_t pmc_session_throttled(const pmc_session_t *session);

/**
 * pmc_session_losses - how often counts became too small so far
 *
 * Another user of the PMU has taken a counter, or a privileged session has taken those of a thread
 * or CPU. Without the kernel module: one of the session's threads, or a CPU, had no counters for
 * some time, while each core type has one event set. Counts during which this number has changed are too small: their samples have a flag of
 * pmc_loss_info(). Losses count even if such samples were lost. Read the number after the counts.
 */
PMC_API uint64_t pmc_session_losses(const pmc_session_t *session);

/**
 * pmc_session_missed_threads - threads and children that could not be counted so far
 *
 * Possible reasons: no memory was available, 16 sessions count the thread already,
 * or another session uses the counters for other events.
 */
PMC_API unsigned int pmc_session_missed_threads(const pmc_session_t *session);

#ifdef __cplusplus
}
#endif

#endif
