// SPDX-License-Identifier: GPL-2.0
/* What all reports end with: samples that were lost, a hint if nothing was counted, and times. */
#include <string.h>

#include "report.h"

const char *sample_type_name(sample_type_t type)
{
	static const char *const names[PMC_NR_SAMPLE_TYPES] = {
		[PMC_TICK_SAMPLE] = "tick",
		[PMC_EBS_SAMPLE] = "ebs",
		[PMC_EXIT_SAMPLE] = "exit",
		[PMC_MIGRATION_SAMPLE] = "migration",
		[PMC_SELF_SAMPLE] = "self",
	};

	return type < PMC_NR_SAMPLE_TYPES ? names[type] : "?";
}

void print_losses(FILE *f, const char *prefix, const struct summary *summary)
{
	if (summary->lost)
		fprintf(f, "%s%llu samples were lost: use a larger -k, or sample less often%s\n",
			prefix, (unsigned long long)summary->lost,
			summary->totals.exact ? " (the totals are complete)" : "");
	if (summary->throttled)
		fprintf(f, "%s%llu samples by event count were left out in %llu pauses: use a larger ebs=, or raise ebs_max_rate in /proc/pmc/config%s\n",
			prefix, (unsigned long long)summary->left_out,
			(unsigned long long)summary->throttled,
			summary->totals.exact ? " (the totals are complete)" : "");
	else if (summary->left_out)
		fprintf(f, "%s%llu samples by event count were left out, because the next period ended during an interrupt: use a larger ebs=%s\n",
			prefix, (unsigned long long)summary->left_out,
			summary->totals.exact ? " (the totals are complete)" : "");
	if (summary->missed_threads)
		fprintf(f, "%s%u threads could not be counted: no memory was available, or too many sessions count them\n",
			prefix, summary->missed_threads);
	losses_print(f, prefix, summary->losses);
}

void print_times(FILE *f, const struct options *o, const struct summary *summary)
{
	const struct rusage *u = summary->usage;
	uint64_t cs = summary->real_ns / 10000000, s = cs / 100;

	if (!o->times || !u)
		return;
	fprintf(f, "[Process times]\nreal\t");
	if (o->plain_seconds)
		fprintf(f, "%llu.%02u\n", (unsigned long long)s, (unsigned int)(cs % 100));
	else if (s >= 3600)
		fprintf(f, "%llu:%02u:%02u\n", (unsigned long long)s / 3600,
			(unsigned int)(s % 3600 / 60), (unsigned int)(s % 60));
	else
		fprintf(f, "%llu:%02u.%02u\n", (unsigned long long)s / 60,
			(unsigned int)(s % 60), (unsigned int)(cs % 100));
	fprintf(f, "user\t%ld.%02ld\n", (long)u->ru_utime.tv_sec, (long)u->ru_utime.tv_usec / 10000);
	fprintf(f, "sys\t%ld.%02ld\n", (long)u->ru_stime.tv_sec, (long)u->ru_stime.tv_usec / 10000);
}

/* Does every hardware counter say 0, although threads have run on core types that have one? */
static int counted_nothing(const struct report *report, const struct totals *totals)
{
	const struct layout *layout = report->layout;
	uint64_t running = 0;
	int i, id;

	for (i = 0; i < layout->nr_names; i++) {
		if (layout_is_software(layout, i))
			continue;
		for (id = 0; id < layout->nr_core_types; id++) {
			if (totals->counts[id * layout->nr_names + i])
				return 0;
			if (layout_has_event(layout, id, i))
				running |= totals->running[id];
		}
	}
	return running != 0;
}

void print_hint(FILE *f, const char *prefix, const struct report *report,
		const struct summary *summary)
{
	const char *filter = report->o->filter;

	if (summary->totals.exact && (!filter || !strcmp(filter, "user")) &&
	    counted_nothing(report, &summary->totals))
		fprintf(f, "%sall counts are 0: only user mode is counted, and a kernel thread runs in kernel mode: add --filter=all\n",
			prefix);
}

/* Totals that are above the sums of the samples shown */
static void print_limit(FILE *f, const struct options *o)
{
	fprintf(f, "(totals cover the time until counting stopped, which is later than the last sample of %s)\n",
		o->max_samples ? "-n" : "-K");
}

void print_summary(const struct report *report, const struct summary *summary)
{
	if (summary->totals.exact && (report->layout->nr_core_types > 1 || report->o->aggregate)) {
		print_totals(report, &summary->totals, summary->lost != 0);
		if (summary->limited && !report->o->aggregate)
			print_limit(report->f, report->o);
	}
	print_losses(report->f, "", summary);
	print_hint(report->f, "", report, summary);
	print_times(report->f, report->o, summary);
}
