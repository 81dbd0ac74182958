/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libpmctrack: performance counters of threads, CPUs and pieces of code,
 * exact on machines whose cores differ.
 *
 * This header includes all others; each is the reference of its part and can be
 * included by itself. The parts may be used side by side:
 *
 *   error.h        why a call failed
 *   machine.h      core types and their counters
 *   events.h       names of events
 *   virtuals.h     virtual counters of monitoring modules
 *   config.h       event sets, for each core type; the language they are written in
 *   sessions.h     sessions: count processes, threads and CPUs
 *   samples.h      the samples of a session
 *   totals.h       the counts of a session
 *   calipers.h     the counts of the calling thread, by a few instructions
 *   regions.h      named pieces of code, measured by a caliper
 *   metrics.h      values that are computed from counts
 *   plans.h        the events of several metrics, in event sets
 *   listeners.h    the samples of sessions that other processes have opened
 *   descriptors.h  PMCTrack's calls
 *
 * These rules hold for all of them:
 *
 * Threads. Calls on different objects may run at the same time in any threads.
 * Calls on the same object must not, unless stated otherwise. A signal handler
 * may call pmc_caliper_read() and no other function of the library.
 *
 * Structures. A later version of the library may have further members at the
 * end of struct pmc_reading and struct pmc_region. Macros pass the size of these
 * structures to the calls that fill them; members that the library does not know
 * are set to 0. Arrays keep their sizes, PMC_MAX_COUNTS and PMC_MAX_VIRTUALS.
 *
 * Units. Times are in nanoseconds unless the name says otherwise; clocks are
 * CLOCK_MONOTONIC.
 */
#ifndef PMCTRACK_H
#define PMCTRACK_H

#include <pmctrack/api.h>
#include <pmctrack/calipers.h>
#include <pmctrack/config.h>
#include <pmctrack/descriptors.h>
#include <pmctrack/error.h>
#include <pmctrack/events.h>
#include <pmctrack/listeners.h>
#include <pmctrack/machine.h>
#include <pmctrack/metrics.h>
#include <pmctrack/plans.h>
#include <pmctrack/regions.h>
#include <pmctrack/samples.h>
#include <pmctrack/sessions.h>
#include <pmctrack/totals.h>
#include <pmctrack/virtuals.h>

#endif /* PMCTRACK_H */
