/* SPDX-License-Identifier: GPL-2.0 */
/* Classes of service: the ways of the caches that each may fill */
#ifndef PMC_CMT_CLASSES_H
#define PMC_CMT_CLASSES_H

#include <linux/types.h>

struct cmt_domain;
struct seq_file;

int cmt_classes_set(char *value);
int cmt_classes_assign(char *value, void (*refresh)(void));
void cmt_classes_show(struct seq_file *m);
int cmt_classes_start(void);
void cmt_classes_stop(void);
void cmt_classes_apply(struct cmt_domain *domain);
void cmt_classes_restore(void);

#endif /* PMC_CMT_CLASSES_H */
