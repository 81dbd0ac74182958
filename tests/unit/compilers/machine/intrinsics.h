/* SPDX-License-Identifier: GPL-2.0 */
/* The intrinsics of HighTec's compiler that the port uses. */
#include "tricore_sim.h"

#define __MFCR(csfr)		epapi_sim_mfcr(csfr)
#define __MTCR(csfr, value)	epapi_sim_mtcr(csfr, value)
#define _isync()		epapi_sim_isync()

#define port_load(address)	epapi_sim_load(address)
#define port_store(address, v)	epapi_sim_store(address, v)
