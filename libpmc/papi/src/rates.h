/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rates: PAPI_ipc() and the calls that belong to it. */
#ifndef PAPI_RATES_H
#define PAPI_RATES_H

#include <stdbool.h>

/* Does an EventSet of the rate calls count the calling thread? */
bool rates_running(void);

/* @stop is called before the rates count in a thread. If @stop fails, the rates do not count. */
void rates_stop_before(int (*stop)(void));

#endif
