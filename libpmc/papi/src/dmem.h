/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of the process. */
#ifndef PAPI_DMEM_H
#define PAPI_DMEM_H

#include "papi.h"

/** memory_read - fill PAPI's structure; @root as elsewhere. Return: 0; -1 with errno set */
int memory_read(PAPI_dmem_info_t *info, const char *root);

#endif /* PAPI_DMEM_H */
