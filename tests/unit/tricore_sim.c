// SPDX-License-Identifier: GPL-2.0
/* See tricore_sim.h. */
#include <string.h>

#include "tricore_sim.h"

#define CCTRL_CM	0x1u
#define CCTRL_CE	0x2u
#define PSW_SUPERVISOR	0x800u
#define PSW_IO		0xc00u

_Thread_local struct sim sim;

/* The state of a core after start-up: in supervisor mode, without a debugger. */
void sim_reset(void)
{
	memset(&sim, 0, sizeof(sim));
	sim.psw = 0x980u;
	sim.cpu_id = 0x00c0c012u;	/* TC1.6P */
}

static void wrong(const char *what)
{
	if (!sim.wrong)
		sim.wrong = what;
}

static bool counting(void)
{
	return (sim.dbgsr & 1) && (sim.in_force & CCTRL_CE) &&
	       (!(sim.in_force & CCTRL_CM) || sim.gate);
}

/* 31 bits of count, and a sticky overflow bit. */
static void advance(uint32_t *counter, uint32_t by)
{
	uint64_t value = (uint64_t)(*counter & 0x7fffffffu) + by;
	uint32_t sticky = *counter & 0x80000000u;

	if (value > 0x7fffffffu)
		sticky = 0x80000000u;
	*counter = sticky | (uint32_t)(value & 0x7fffffffu);
}

void sim_pass_time(uint64_t cycles)
{
	uint64_t per_tick = SIM_CPU_HZ / SIM_STM_HZ;

	cycles += sim.stm_rest;
	sim.stm += cycles / per_tick;
	sim.stm_rest = cycles % per_tick;
}

void sim_run(const struct sim_work *work)
{
	unsigned int i;

	if (sim.pending)
		wrong("a program goes on before ISYNC");
	sim_pass_time(work->cycles);
	if (!counting())
		return;

	advance(&sim.count[0], work->cycles);
	advance(&sim.count[1], work->instructions);
	for (i = 0; i < 3; i++) {
		unsigned int setting = sim.in_force >> (2 + 3 * i) & 7;

		if (setting < 4)
			advance(&sim.count[2 + i], work->event[setting][i]);
	}
}

uint32_t epapi_sim_mfcr(unsigned int csfr)
{
	sim.busy += counting();
	switch (csfr) {
	case 0xfc00:
		return sim.cctrl;
	case 0xfc04:
	case 0xfc08:
	case 0xfc0c:
	case 0xfc10:
	case 0xfc14:
		if (sim.pending)
			wrong("a counter is read before ISYNC");
		if (counting())
			wrong("a counter is read while it counts");
		return sim.count[(csfr - 0xfc04) / 4];
	case 0xfd00:
		sim.looks++;
		return sim.dbgsr;
	case 0xfe04:
		return sim.psw;
	case 0xfe18:
		return sim.cpu_id;
	case 0xfe1c:
		return sim.core_id;
	default:
		wrong("MFCR of a register that is no business of ePAPI's");
		return 0xdeadbeef;
	}
}

void epapi_sim_mtcr(unsigned int csfr, uint32_t value)
{
	sim.mtcr++;
	sim.busy += counting();
	if ((sim.psw & PSW_IO) != PSW_SUPERVISOR) {
		wrong("MTCR outside supervisor mode");
		return;
	}
	switch (csfr) {
	case 0xfc00:
		if (value >> 11)
			wrong("reserved bits of CCTRL are written");
		/* No bit is inverted in a write that stops the counters. */
		sim.cctrl = value ? value ^ sim.flip : 0;
		break;
	case 0xfc04:
	case 0xfc08:
	case 0xfc0c:
	case 0xfc10:
	case 0xfc14:
		if (counting())
			wrong("a counter is written while it counts");
		sim.count[(csfr - 0xfc04) / 4] = value;
		break;
	default:
		wrong("MTCR of a register that is no business of ePAPI's");
	}
	sim.pending = true;
}

void epapi_sim_isync(void)
{
	sim.pending = false;
	sim.stops += counting() && !sim.cctrl;
	sim.in_force = sim.cctrl;
}

static void write_oec(uint32_t value)
{
	static const uint32_t sequence[] = { 0xa1, 0x5e, 0xa1, 0x5e };

	if (value == 0x100) {
		sim.disabled++;
		sim.dbgsr &= ~1u;
		return;
	}
	if (sim.spoil) {
		sim.spoil--;
		sim.oec = 0;
		return;
	}
	sim.oec = value == sequence[sim.oec] ? sim.oec + 1 : value == sequence[0];
	if (sim.oec == 4) {
		sim.oec = 0;
		sim.asked[sim.sequences++ % 16] = sim.looks;
		if (!sim.locked)
			sim.dbgsr |= 1;
	}
}

/* The registers of core i; the TC39x's sixth core has number 6. */
#if defined(EPAPI_TC3XX) || defined(__TC162__)
#define STM	0xf0001000
#else
#define STM	0xf0000000
#endif

uint32_t epapi_sim_load(uint32_t address)
{
	uint32_t stm = STM + 0x100 * (sim.core_id == 6 ? 5 : sim.core_id);
	uint64_t now = sim.stm;
	unsigned int i;

	sim.busy += counting();
	if (address == 0xf0000480) {
		for (i = 0; i < sim.nr_waiting; i++)
			write_oec(sim.waiting[i]);
		sim.nr_waiting = 0;
		return sim.dbgsr & 1;
	}

	sim.stm += sim.stm_step;
	switch (address - stm) {
	case 0x10:
		return (uint32_t)now;
	case 0x20:
		return (uint32_t)(now >> 16);
	case 0x28:
		return (uint32_t)(now >> 32);
	default:
		wrong("a load from an address that is no business of ePAPI's");
		return 0;
	}
}

void epapi_sim_store(uint32_t address, uint32_t value)
{
	sim.busy += counting();
	if (address != 0xf0000478) {
		wrong("a store to an address that is no business of ePAPI's");
		return;
	}
	if ((sim.psw & PSW_IO) != PSW_SUPERVISOR)
		wrong("OEC is written outside supervisor mode");
	if (!sim.posted)
		write_oec(value);
	else if (sim.nr_waiting < 16)
		sim.waiting[sim.nr_waiting++] = value;
}
