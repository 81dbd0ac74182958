/* SPDX-License-Identifier: GPL-2.0 */
/* The description of a session, which its owner writes for listeners, and its sampling period. */
#ifndef PMC_SESSION_DESCRIPTION_H
#define PMC_SESSION_DESCRIPTION_H

#include <linux/types.h>

struct pmc_session;

/**
 * struct pmc_description - the description of a session
 * @text: one line; NULL: none
 * @generation: how often the text has changed, or the sampling period
 */
struct pmc_description {
	char *text;
	u32 generation;
};

void pmc_session_set_period(struct pmc_session *s, u64 period);
int pmc_session_describe(struct pmc_session *s, const char *text, size_t len);
void pmc_session_get_description(const struct pmc_session *s, char *buf);

#endif /* PMC_SESSION_DESCRIPTION_H */
