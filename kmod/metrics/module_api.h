/* SPDX-License-Identifier: GPL-2.0 */
/* Parameters of monitoring modules. */
#ifndef PMC_MODULE_API_H
#define PMC_MODULE_API_H

struct seq_file;

void pmc_module_params_show(struct seq_file *m);
int pmc_module_params_set(const char *name, const char *key, char *value);

#endif /* PMC_MODULE_API_H */
