/* SPDX-License-Identifier: GPL-2.0 */
/* Where BPF programs can call: kfuncs.c. */
#ifndef PMC_KFUNCS_H
#define PMC_KFUNCS_H

#ifdef PMC_HAS_KFUNCS
int pmc_kfuncs_init(void);
#else
static inline int pmc_kfuncs_init(void)
{
	return 0;
}
#endif

#endif /* PMC_KFUNCS_H */
