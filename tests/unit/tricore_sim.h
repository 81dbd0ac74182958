/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A simulation of a TriCore's performance counters. It checks each access of the library,
 * and counts the events that a test generates. Each thread is a core. It was written from
 * the manuals, not from the library's tables.
 */
#ifndef PMC_TESTS_TRICORE_SIM_H
#define PMC_TESTS_TRICORE_SIM_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_CPU_HZ	300000000u
#define SIM_STM_HZ	100000000u

/**
 * struct sim_work - events on a core while some code runs
 * @cycles: clock cycles
 * @instructions: instructions
 * @event: events that M1CNT, M2CNT, M3CNT (second index) count at each setting
 */
struct sim_work {
	uint32_t cycles;
	uint32_t instructions;
	uint32_t event[4][3];
};

/**
 * struct sim - a core
 * @count: CCNT, ICNT, M1CNT, M2CNT, M3CNT
 * @cctrl: CCTRL as last written
 * @in_force: CCTRL as of the last ISYNC
 * @pending: an MTCR was not yet followed by ISYNC
 * @psw: PSW
 * @dbgsr: DBGSR
 * @core_id: CORE_ID
 * @cpu_id: CPU_ID
 * @gate: in task mode, the debug unit lets the counters run
 * @locked: OCDS cannot be enabled
 * @spoil: number of writes to OEC that another core spoils
 * @posted: stores to OEC arrive at the next load from the debug unit
 * @oec: number of words of the sequence that were written
 * @sequences: number of complete sequences
 * @looks: number of reads of DBGSR
 * @disabled: number of times that OEC.DS disabled OCDS
 * @asked: @looks when the last sequences were complete
 * @stm: the core's system timer
 * @stm_rest: cycles that are not yet a whole tick of the timer
 * @stm_step: added to the timer whenever it is read
 * @flip: bits of CCTRL that are inverted when it is written
 * @mtcr: number of MTCR instructions
 * @stops: number of times that the counters were stopped
 * @busy: accesses of the library while the counters ran
 * @waiting: stores that have not arrived
 * @nr_waiting: number of them
 * @wrong: description of the first error; or NULL
 */
struct sim {
	uint32_t count[5];
	uint32_t cctrl;
	uint32_t in_force;
	bool pending;
	uint32_t psw;
	uint32_t dbgsr;
	uint32_t core_id;
	uint32_t cpu_id;
	bool gate;
	bool locked;
	unsigned int spoil;
	bool posted;
	unsigned int oec;
	unsigned int sequences;
	unsigned int looks;
	unsigned int disabled;
	unsigned int asked[16];
	uint64_t stm;
	uint32_t stm_rest;
	uint64_t stm_step;
	uint32_t flip;
	unsigned int mtcr;
	unsigned int stops;
	unsigned int busy;
	uint32_t waiting[16];
	unsigned int nr_waiting;
	const char *wrong;
};

extern _Thread_local struct sim sim;

void sim_reset(void);
void sim_run(const struct sim_work *work);
void sim_pass_time(uint64_t cycles);

/* Functions that the library's port calls. */
uint32_t epapi_sim_mfcr(unsigned int csfr);
void epapi_sim_mtcr(unsigned int csfr, uint32_t value);
void epapi_sim_isync(void);
uint32_t epapi_sim_load(uint32_t address);
void epapi_sim_store(uint32_t address, uint32_t value);

#endif /* PMC_TESTS_TRICORE_SIM_H */
