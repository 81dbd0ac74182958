/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines written to /proc/pmc/monitor: a verb and its argument.
 */
#ifndef PMC_PARSE_COMMAND_H
#define PMC_PARSE_COMMAND_H

#include <linux/types.h>

#include "base/err.h"

enum pmc_verb {
	PMC_CMD_NONE,		/* an empty line */
#define PMC_COMMAND(verb, ...)	PMC_CMD_##verb,
#include "base/command_rows.h"
};

/* Value of PMC_CMD_FILTER: bits */
#define PMC_FILTER_USER		0x1
#define PMC_FILTER_KERNEL	0x2

/* Value of PMC_CMD_FOLLOW */
enum pmc_follow {
	PMC_FOLLOW_NONE,
	PMC_FOLLOW_THREADS,
	PMC_FOLLOW_CHILDREN,
};

/* Value of PMC_CMD_ENABLE */
enum pmc_enable {
	PMC_ENABLE_NOW,
	PMC_ENABLE_EXEC,
};

/**
 * struct pmc_command - one line, understood
 * @verb: what to do
 * @arg: the argument's text inside the line, without the spaces around it;
 *	never NULL, "" when there is none. For PMC_CMD_EVENTS it is what
 *	pmc_parse_events() takes; for PMC_CMD_SYSWIDE a CPU list, not checked,
 *	or "" for every CPU; for PMC_CMD_VIRTUAL names, separated by commas
 * @arg_len: its length in bytes
 * @value: the argument's value:
 *	PMC_CMD_PERIOD: ns, 0 for none; at most S64_MAX
 *	PMC_CMD_FILTER: PMC_FILTER_*
 *	PMC_CMD_FOLLOW: enum pmc_follow
 *	PMC_CMD_ENABLE: enum pmc_enable
 *	PMC_CMD_RING, PMC_CMD_WAKEUP: 1 to U32_MAX
 *	PMC_CMD_(ATTACH|DETACH)[_THREAD]: the id, 1 to INT_MAX
 *	others: 0
 */
struct pmc_command {
	enum pmc_verb verb;
	char *arg;
	size_t arg_len;
	u64 value;
};

int pmc_parse_command(char *line, struct pmc_command *cmd, struct pmc_err *err);
int pmc_parse_time(const char *text, size_t len, u64 *ns, struct pmc_err *err);

#endif /* PMC_PARSE_COMMAND_H */
