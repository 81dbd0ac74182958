/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A page for a browser that shows a report in JSON: the files of pmctrack-cli/page, which are part
 * of the program, and dygraphs, which draws charts. The page needs nothing else. Without a report
 * in the page, it asks for one where it comes from (web/server.h).
 */
#ifndef PMCTRACK_PAGE_H
#define PMCTRACK_PAGE_H

#include <stdio.h>

/* bad() if a page cannot be written, because dygraphs is not installed */
void page_check(void);

/*
 * Print what is before the report, and what is behind it. In the report, < must be written as
 * \u003c. bad() if dygraphs cannot be read.
 */
void page_begin(FILE *f);
void page_end(FILE *f);

#endif
