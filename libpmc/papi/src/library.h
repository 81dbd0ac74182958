/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of the library from PAPI_library_init() to PAPI_shutdown(). */
#ifndef PAPI_LIBRARY_H
#define PAPI_LIBRARY_H

#include <pmctrack.h>

/*
 * The machine; NULL if the library is not initialised. It does not change until
 * PAPI_shutdown().
 */
const pmc_machine_t *papi_machine(void);

/*
 * Protects the tables of EventSets, native events and threads while they change. Readers
 * of a table entry need no lock: an entry is complete before it is reachable.
 */
void papi_lock(void);
void papi_unlock(void);

/* Add PAPI_HIGH_LEVEL_INITED or PAPI_THREAD_LEVEL_INITED to what PAPI_is_initialized() returns. */
void papi_set_level(int add);

#endif
