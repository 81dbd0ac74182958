// SPDX-License-Identifier: GPL-2.0
/* The table: PMCTrack's columns, and totals by core type at the end. */
#include <string.h>

#include "event_names.h"
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

static int same_sets(const struct layout_core_type *a, const struct layout_core_type *b)
{
	int i, j;

	if (a->nr_sets != b->nr_sets)
		return 0;
	for (i = 0; i < a->nr_sets; i++) {
		if (a->sets[i].nr != b->sets[i].nr)
			return 0;
		for (j = 0; j < a->sets[i].nr; j++)
			if (a->sets[i].slots[j] != b->sets[i].slots[j] ||
			    strcmp(a->sets[i].names[j], b->sets[i].names[j]))
				return 0;
	}
	return 1;
}

/* pmc3=llc_misses, or with several sets pmc3=llc_misses(0),instr(1) */
static void print_slot(FILE *f, const struct layout_core_type *ct, int slot)
{
	int set, i, n = 0;

	for (set = 0; set < ct->nr_sets; set++) {
		for (i = 0; i < ct->sets[set].nr; i++) {
			if (ct->sets[set].slots[i] != slot)
				continue;
			if (!n++)
				fprintf(f, "pmc%d=", slot);
			else
				fprintf(f, ",");
			fprintf(f, "%s", ct->sets[set].names[i]);
			if (ct->nr_sets > 1)
				fprintf(f, "(%d)", set);
		}
	}
	if (n)
		fprintf(f, "\n");
}

static void print_mapping(FILE *f, const struct layout *layout)
{
	int id, slot, alike = 1;

	for (id = 1; id < layout->nr_core_types; id++)
		alike &= same_sets(&layout->core_types[0], &layout->core_types[id]);
	for (id = 0; id < (alike ? 1 : layout->nr_core_types); id++) {
		const struct layout_core_type *ct = &layout->core_types[id];

		if (!ct->nr_sets)
			continue;
		if (!alike)
			fprintf(f, "core type %d (%s):\n", id, ct->info->name);
		for (slot = 0; slot < 64; slot++)
			print_slot(f, ct, slot);
	}
}

/* -V takes virtual counters by these numbers, too. */
static void print_virtual_mapping(FILE *f, const struct layout *layout)
{
	char label[LABEL_MAX];
	int i;

	for (i = 0; i < layout->nr_virtual; i++) {
		pmc_virtual_label(layout->virtuals[i], label, sizeof(label));
		fprintf(f, "virt%d=%s\n", layout->virtual_numbers[i], label);
	}
}

static void print_virtuals(FILE *f, const struct layout *layout)
{
	char label[LABEL_MAX];
	int i;

	fprintf(f, "[Virtual counters]\n");
	for (i = 0; i < layout->nr_virtual; i++) {
		const struct pmc_virtual_info *v = layout->virtuals[i];

		pmc_virtual_label(v, label, sizeof(label));
		fprintf(f, "%s: %s%s\n", label, v->desc,
			v->flags & PMC_VIRTUAL_ESTIMATED ? " (estimated)" : "");
	}
}

/* A column is at least as wide as its heading. */
static int virtual_width(const struct pmc_virtual_info *v)
{
	char label[LABEL_MAX];
	int width;

	pmc_virtual_label(v, label, sizeof(label));
	width = strlen(label);
	return width > 13 ? width : 13;
}

static void print_virtual_headings(FILE *f, const struct layout *layout)
{
	char label[LABEL_MAX];
	int i;

	for (i = 0; i < layout->nr_virtual; i++) {
		pmc_virtual_label(layout->virtuals[i], label, sizeof(label));
		fprintf(f, " %13s", label);
	}
}

static void print_virtual_values(FILE *f, const struct layout *layout,
				 const struct pmc_reading *r)
{
	char text[32];
	int i;

	for (i = 0; i < layout->nr_virtual; i++) {
		pmc_virtual_format(layout->virtuals[i],
				   i < r->nr_virtual ? r->virtual_counts[i] : PMC_NO_VALUE,
				   text, sizeof(text));
		fprintf(f, " %*s", virtual_width(layout->virtuals[i]), text);
	}
}

static void print_heads(struct report *report)
{
	const struct layout *layout = report->layout;

	fprintf(report->f, "[Event-to-counter mappings]\n");
	if (layout->slots)
		print_mapping(report->f, layout);
	print_virtual_mapping(report->f, layout);
	if (layout->nr_virtual)
		print_virtuals(report->f, layout);
	fprintf(report->f, layout->slots ? "[Event counts]\n" : "[Values]\n");
}

/* As in PMCTrack, these columns appear with -e, and always with several event sets. */
static int has_set_columns(const struct report *report)
{
	return report->o->extended || layout_has_several_sets(report->layout);
}

static int begin(struct report *report)
{
	const struct options *o = report->o;
	FILE *f = report->f;
	char column[16];
	int slot;

	if (!o->no_mapping && !o->raw)
		print_heads(report);
	fprintf(f, "%7s %6s", "nsample", o->syswide ? "cpu" : "pid");
	if (o->extended && !o->syswide)
		fprintf(f, " %7s %3s", "process", "cpu");
	if (has_set_columns(report))
		fprintf(f, " %8s %5s", "coretype", "expid");
	fprintf(f, " %10s", "event");
	for (slot = 0; slot < 64; slot++) {
		if (!(report->layout->slots & 1ULL << slot))
			continue;
		snprintf(column, sizeof(column), "pmc%d", slot);
		fprintf(f, " %13s", column);
	}
	if (o->elapsed)
		fprintf(f, " %12s", "etime_us");
	print_virtual_headings(f, report->layout);
	fprintf(f, "\n");
	return 0;
}

static void print_row(struct report *report, uint64_t nr, const struct pmc_reading *r,
		      const char *type)
{
	const struct layout_set *set = layout_set(report->layout, r->core_type, r->set);
	const struct options *o = report->o;
	FILE *f = report->f;
	int slot, i;

	fprintf(f, "%7llu %6d", (unsigned long long)nr, o->syswide ? r->cpu : r->tid);
	if (o->extended && !o->syswide && has_cpu(o))
		fprintf(f, " %7d %3d", r->pid, r->cpu);
	else if (o->extended && !o->syswide)
		fprintf(f, " %7d %3s", r->pid, "-");
	if (has_set_columns(report))
		fprintf(f, " %8d %5d", r->core_type, r->set);
	fprintf(f, " %10s", type);
	for (slot = 0; slot < 64; slot++) {
		if (!(report->layout->slots & 1ULL << slot))
			continue;
		for (i = 0; set && i < set->nr && i < r->nr_counts; i++)
			if (set->slots[i] == slot)
				break;
		if (set && i < set->nr && i < r->nr_counts)
			fprintf(f, " %13llu", (unsigned long long)r->counts[i]);
		else
			fprintf(f, " %13s", "-");
	}
	if (o->elapsed)
		fprintf(f, " %12llu", (unsigned long long)r->elapsed / 1000);
	print_virtual_values(f, report->layout, r);
	fprintf(f, "\n");
}

/* "ebs*": samples are missing before this one. */
static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	char type[16];

	snprintf(type, sizeof(type), "%s%s",
		 report->o->aggregate ? "total" : sample_type_name(r->type),
		 report->left_out ? "*" : "");
	report->marked |= report->left_out != 0;
	print_row(report, nr, r, type);
}

/* "~sf (mean)" */
static void total_label(const struct pmc_virtual_info *v, char *buf, size_t size)
{
	char label[LABEL_MAX];

	pmc_virtual_label(v, label, sizeof(label));
	snprintf(buf, size, "%s%s", label, v->kind == PMC_VIRTUAL_COUNT ? "" : " (mean)");
}

static void print_virtual_totals(FILE *f, const struct layout *layout,
				 const struct totals *totals, int width)
{
	char label[LABEL_MAX + 8], text[32];
	int i, id;

	for (i = 0; i < layout->nr_virtual; i++) {
		total_label(layout->virtuals[i], label, sizeof(label));
		fprintf(f, "%-*s", width, label);
		for (id = 0; id <= layout->nr_core_types; id++) {
			int all = id == layout->nr_core_types;

			pmc_virtual_format(layout->virtuals[i],
					   totals_virtual(totals, layout,
							  all ? PMC_EVERY_CORE_TYPE : id, i),
					   text, sizeof(text));
			fprintf(f, " %15s", text);
		}
		fprintf(f, "\n");
	}
}

static int totals_width(const struct layout *layout)
{
	char label[LABEL_MAX + 8];
	int i, width = strlen("running");

	for (i = 0; i < layout->nr_names; i++)
		if ((int)strlen(layout->names[i]) > width)
			width = strlen(layout->names[i]);
	for (i = 0; i < layout->nr_virtual; i++) {
		total_label(layout->virtuals[i], label, sizeof(label));
		if ((int)strlen(label) > width)
			width = strlen(label);
	}
	return width;
}

static void print_total(FILE *f, int valid, uint64_t count)
{
	if (valid)
		fprintf(f, " %15llu", (unsigned long long)count);
	else
		fprintf(f, " %15s", "-");
}

/* The name of the layout with these spellings and the modifiers of @like, or -1 */
static int find_event(const struct layout *layout, const char *spellings, const char *like)
{
	int i;

	for (i = 0; i < layout->nr_names; i++)
		if (event_is(layout->names[i], spellings) &&
		    (!like || event_same_modifiers(layout->names[i], like)))
			return i;
	return -1;
}

/* Instructions and cycles on a core type, or on all */
struct work {
	double instructions;
	double cycles;
};

/* A count, scaled to the time that the core type's counters were loaded: sets may take turns. */
static double scaled(const struct layout *layout, const struct totals *totals, int id, int name)
{
	int at = id * layout->nr_names + name;

	return totals->covered[at] ?
	       (double)totals->counts[at] * totals->running[id] / totals->covered[at] : 0;
}

static void print_ratio(FILE *f, const struct work *work)
{
	if (work->cycles > 0)
		fprintf(f, " %15.3f", work->instructions / work->cycles);
	else
		fprintf(f, " %15s", "-");
}

/*
 * Instructions per cycle, without being asked. If the two were counted at different times, the
 * ratio is an estimate: ~ipc.
 */
static void print_ipc(FILE *f, const struct layout *layout, const struct totals *totals, int width)
{
	int instr = find_event(layout, EVENT_INSTR, NULL), cycles, id, estimated = 0;
	struct work work[layout->nr_core_types], all = { 0 };

	cycles = instr < 0 ? -1 : find_event(layout, EVENT_CYCLES, layout->names[instr]);
	for (id = 0; cycles >= 0 && id < layout->nr_core_types; id++) {
		work[id].instructions = scaled(layout, totals, id, instr);
		work[id].cycles = scaled(layout, totals, id, cycles);
		all.instructions += work[id].instructions;
		all.cycles += work[id].cycles;
		estimated |= totals->covered[id * layout->nr_names + instr] !=
			     totals->covered[id * layout->nr_names + cycles];
	}
	if (!(all.cycles > 0))
		return;
	fprintf(f, "%-*s", width, estimated ? "~ipc" : "ipc");
	for (id = 0; id < layout->nr_core_types; id++)
		print_ratio(f, &work[id]);
	print_ratio(f, &all);
	fputc('\n', f);
}

static void print_totals(struct report *report, const struct totals *totals, int lost)
{
	const struct layout *layout = report->layout;
	FILE *f = report->f;
	char column[64];
	uint64_t sum;
	int id, i, at, width = totals_width(layout), multiplexed = 0, valid;

	fprintf(f, "[Totals by core type]\n%-*s", width, "event");
	for (id = 0; id < layout->nr_core_types; id++) {
		snprintf(column, sizeof(column), "%d:%s", id, layout->core_types[id].info->name);
		fprintf(f, " %15s", column);
		multiplexed |= layout->core_types[id].nr_sets > 1;
	}
	fprintf(f, " %15s\n", "all");
	for (i = 0; i < layout->nr_names; i++) {
		fprintf(f, "%-*s", width, layout->names[i]);
		sum = 0;
		valid = 0;
		for (id = 0; id < layout->nr_core_types; id++) {
			at = id * layout->nr_names + i;
			sum += totals->counts[at];
			valid |= totals->valid[at];
			print_total(f, totals->valid[at], totals->counts[at]);
		}
		print_total(f, valid, sum);
		fprintf(f, "\n");
	}
	print_ipc(f, layout, totals, width);
	print_virtual_totals(f, layout, totals, width);
	fprintf(f, "%-*s", width, "running");
	for (id = 0, sum = 0; id < layout->nr_core_types; id++) {
		sum += totals->running[id];
		fprintf(f, " %13.6f s", totals->running[id] / 1e9);
	}
	fprintf(f, " %13.6f s\n", sum / 1e9);
	if (multiplexed)
		fprintf(f, "(event sets were multiplexed: each count covers only its own set's time)\n");
	if (layout_has_means(layout))
		fprintf(f, "(means are over running time%s)\n",
			lost ? ", of the samples that were not lost" : "");
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
	if (summary->counter_lost)
		fprintf(f, "%sin %llu samples a counter is missing for part of the time: another user, such as perf, took it\n",
			prefix, (unsigned long long)summary->counter_lost);
	if (summary->evicted)
		fprintf(f, "%s%u threads or CPUs were not counted to the end: a privileged session, a monitoring module or a scheduler needed their counters\n",
			prefix, summary->evicted);
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

static void end(struct report *report, const struct summary *summary)
{
	if (report->marked)
		fprintf(report->f, "(*: samples by event count are missing before this one, which has their counts)\n");
	if (summary->totals.exact && (report->layout->nr_core_types > 1 || report->o->aggregate))
		print_totals(report, &summary->totals, summary->lost != 0);
	print_losses(report->f, "", summary);
	print_times(report->f, report->o, summary);
}

const struct report_ops report_table = { begin, sample, end };
