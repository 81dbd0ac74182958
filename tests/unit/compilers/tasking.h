/* SPDX-License-Identifier: GPL-2.0 */
/* Built-in functions of the TASKING compiler, to compile the port's branch for it. */
#include "tricore_sim.h"

#define __TASKING__		1
#define __near
#define __noinline
#define __mfcr(csfr)		((int)epapi_sim_mfcr(csfr))
#define __mtcr(csfr, value)	epapi_sim_mtcr(csfr, (uint32_t)(value))
#define __isync()		epapi_sim_isync()

#define port_load(address)	epapi_sim_load(address)
#define port_store(address, v)	epapi_sim_store(address, v)
