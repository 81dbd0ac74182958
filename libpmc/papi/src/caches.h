/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The caches of a CPU, according to sysfs. */
#ifndef PAPI_CACHES_H
#define PAPI_CACHES_H

#include "papi.h"

/** caches_read - describe the caches of a CPU; what is not known is 0 */
void caches_read(PAPI_mh_info_t *info, const char *root, int cpu);

/**
 * cache_find - a cache of a level, from 1
 * @type: PAPI_MH_TYPE_INST, PAPI_MH_TYPE_DATA, which a unified cache is as well; or
 *	PAPI_MH_TYPE_UNIFIED
 *
 * Return: one whose members are 0 if there is none.
 */
const PAPI_mh_cache_info_t *cache_find(const PAPI_mh_info_t *info, int level, int type);

#endif /* PAPI_CACHES_H */
