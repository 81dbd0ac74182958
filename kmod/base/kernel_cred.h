/* SPDX-License-Identifier: GPL-2.0 */
/* Calls that the module makes with the kernel's rights. */
#ifndef PMC_KERNEL_CRED_H
#define PMC_KERNEL_CRED_H

struct cred;

const struct cred *pmc_kernel_creds_begin(void);
void pmc_kernel_creds_end(const struct cred *own);
int pmc_read_setting(const char *path, int *value);

#endif /* PMC_KERNEL_CRED_H */
