/* SPDX-License-Identifier: GPL-2.0 */
/* A domain that PCP's stdpmid leaves to agents of others */
#define PMCTRACK 411
