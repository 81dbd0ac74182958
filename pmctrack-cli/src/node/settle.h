/* SPDX-License-Identifier: GPL-2.0 */
/* Waiting before a run, until the machine is as it was before the other runs. */
#ifndef PMCTRACK_NODE_SETTLE_H
#define PMCTRACK_NODE_SETTLE_H

#include <stdint.h>

/**
 * struct settle - what to wait for
 * @us: a time; 0: none
 * @path: file with the temperature of a zone; "": none
 * @zone: name of the zone
 * @bound: in thousandths of a degree
 * @limit_us: the longest time to wait for the zone
 */
struct settle {
	uint64_t us;
	char path[300];
	char zone[64];
	long bound;
	uint64_t limit_us;
};

/*
 * Parse "60" or "10ms", a time; "thermal_zone9:35000" or "x86_pkg_temp:35000", a zone or its
 * type, and thousandths of a degree. @sys: where sysfs is. bad() if there is no such zone.
 */
void settle_parse(struct settle *settle, const char *text, const char *sys);

/*
 * Wait; a line on standard error says for what. Return: 1; 0 if the zone is still hotter than
 * its bound at the end of the limit; below 0 the number of the signal of @signals, a signalfd,
 * that ended it. SIGCHLD does not.
 */
int settle_wait(const struct settle *settle, int signals);

#endif
