/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The backends for some processors, most exact first: PMC_BACKEND(NAME) stands for
 * pmc_backend_NAME of the backend's file. backends.h and backends.c define what becomes of a
 * row, and include this file.
 */
#ifdef CONFIG_ARM64
PMC_BACKEND(armv8)
#endif
#ifdef CONFIG_ARM
PMC_BACKEND(armv7)
#endif
#ifdef CONFIG_X86_64
PMC_BACKEND(amd)
PMC_BACKEND(intel)
PMC_BACKEND(knc)
#endif
