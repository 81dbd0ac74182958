// SPDX-License-Identifier: GPL-2.0
/* A page for a browser (-o NAME.html): the report in JSON, and what shows it. */
#include "page.h"
#include "report.h"

static void check(const char *path)
{
	(void)path;
	page_check();
}

static int begin(struct report *report)
{
	page_begin(report->f);
	return report_json.begin(report);
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	report_json.sample(report, nr, r);
}

static void end(struct report *report, const struct summary *summary)
{
	report_json.end(report, summary);
	page_end(report->f);
	print_losses(stderr, "pmctrack: ", summary);
	print_hint(stderr, "pmctrack: ", report, summary);
	print_times(stderr, report->o, summary);
}

const struct report_ops report_page = {
	.endings = ".html",
	.needs_samples = "a page",
	.check = check,
	.begin = begin,
	.sample = sample,
	.end = end,
};
