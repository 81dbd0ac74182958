/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The version of the interface that the kernel module has. */
#ifndef LIBPMC_MODULE_VERSION_H
#define LIBPMC_MODULE_VERSION_H

/* Check that it is the library's: 0, or -1 with an error line that names both. */
int module_version_check(void);

#endif
