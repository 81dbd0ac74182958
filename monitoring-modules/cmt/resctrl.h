/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's resctrl, or another program, may take the registers. Then this module
 * leaves them alone.
 */
#ifndef PMC_CMT_RESCTRL_H
#define PMC_CMT_RESCTRL_H

#include <linux/types.h>

/* The registers are another one's now, and we leave them alone. */
extern bool cmt_lost;

void cmt_lose(const char *why);
const char *cmt_lost_why(void);
void cmt_resctrl_find(void);
void cmt_resctrl_forget(void);
bool cmt_resctrl_mounted(void);

#endif /* PMC_CMT_RESCTRL_H */
