/* SPDX-License-Identifier: GPL-2.0 */
/* The generic netlink family by which others than a session's owner see it. */
#ifndef PMC_NETLINK_H
#define PMC_NETLINK_H

#ifdef CONFIG_NET

int pmc_netlink_init(void);
void pmc_netlink_exit(void);

#else

static inline int pmc_netlink_init(void)
{
	return 0;
}

static inline void pmc_netlink_exit(void)
{
}

#endif /* CONFIG_NET */

#endif /* PMC_NETLINK_H */
