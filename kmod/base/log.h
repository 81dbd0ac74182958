/* SPDX-License-Identifier: GPL-2.0 */
/* Included before everything else: our messages bear our name. */
#ifndef PMC_LOG_H
#define PMC_LOG_H

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#endif /* PMC_LOG_H */
