/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of CPUs, as the kernel writes them: 0-3,8 */
#ifndef LIBPMC_CPU_LIST_H
#define LIBPMC_CPU_LIST_H

#define CPU_LIST_MAX 8192

struct cpu_list {
	unsigned char has[CPU_LIST_MAX / 8];
};

/* Return: 0, or -1 if @text is no such list. */
int cpu_list_parse(struct cpu_list *list, const char *text);
int cpu_list_has(const struct cpu_list *list, int cpu);

#endif
