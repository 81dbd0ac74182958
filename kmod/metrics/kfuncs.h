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

struct pmc_metric_value;
struct task_struct;

/* For BPF programs alone. */
int bpf_pmcs_get_metric(struct task_struct *p, int metric,
			struct pmc_metric_value *value);
int bpf_pmcs_monitor_task(struct task_struct *p, bool on);

#endif /* PMC_KFUNCS_H */
