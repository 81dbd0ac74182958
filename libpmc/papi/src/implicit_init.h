/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The initialization that the high level and the rate calls do by themselves. */
#ifndef PAPI_IMPLICIT_INIT_H
#define PAPI_IMPLICIT_INIT_H

#include <stdbool.h>

/*
 * Initialize the library with threads, unless the program has done so. A thread's number is
 * the kernel's, or with one_thread the number of the process. Return: a code of papi.h.
 */
int papi_implicit_init(bool one_thread);

#endif
