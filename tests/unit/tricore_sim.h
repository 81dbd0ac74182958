/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A TriCore's performance counters, in software: what the library does to them
 * is checked, and they count what a test says the program did. Each thread is a
 * core. Written from the manuals, not from the library's tables.
 */
#ifndef PMC_TESTS_TRICORE_SIM_H
#define PMC_TESTS_TRICORE_SIM_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_CPU_HZ	300000000u
#define SIM_STM_HZ	100000000u

/**
 * struct sim_work - what happens on a core while some code runs
 * @cycles: clock cycles
 * @instructions: instructions
 * @event: what M1CNT, M2CNT, M3CNT (second index) count at each setting
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
 * @pending: an MTCR was not followed by ISYNC yet
 * @psw: PSW
 * @dbgsr: DBGSR
 * @core_id: CORE_ID
 * @cpu_id: CPU_ID
 * @gate: what the debug unit says in task mode
 * @locked: OCDS can't be enabled
 * @spoil: so many writes to OEC are spoiled by another core
 * @posted: stores to OEC arrive at the next load from the debug unit
 * @oec: how much of the sequence was written
 * @sequences: how often it was complete
 * @looks: how often DBGSR was read
 * @disabled: how often OCDS was disabled by OEC.DS
 * @asked: @looks when the last sequences were complete
 * @stm: the core's system timer
 * @stm_rest: cycles that are no whole tick of it yet
 * @stm_step: added to it whenever it is read
 * @flip: bits of CCTRL that are written wrong
 * @mtcr: how many there were
 * @stops: how often the counters were stopped
 * @busy: what the library accessed while they counted
 * @waiting: stores that have not arrived
 * @nr_waiting: how many
 * @wrong: the first thing that was done wrong; or NULL
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

/* What the library's port calls. */
uint32_t epapi_sim_mfcr(unsigned int csfr);
void epapi_sim_mtcr(unsigned int csfr, uint32_t value);
void epapi_sim_isync(void);
uint32_t epapi_sim_load(uint32_t address);
void epapi_sim_store(uint32_t address, uint32_t value);

#endif /* PMC_TESTS_TRICORE_SIM_H */
