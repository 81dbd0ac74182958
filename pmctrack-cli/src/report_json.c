// SPDX-License-Identifier: GPL-2.0
/* One JSON object: the configuration, the samples, the totals. */
#include "quote.h"
#include "report.h"

static void print_set(FILE *f, const struct layout_set *set)
{
	int i;

	fputc('[', f);
	for (i = 0; i < set->nr; i++) {
		fprintf(f, "%s{\"event\": ", i ? ", " : "");
		print_json_string(f, set->names[i]);
		fprintf(f, ", \"counter\": %d}", set->slots[i]);
	}
	fputc(']', f);
}

static void print_virtuals(FILE *f, const struct layout *layout)
{
	static const char *const kinds[] = {
		[PMC_VIRTUAL_COUNT] = "count",
		[PMC_VIRTUAL_LEVEL] = "level",
		[PMC_VIRTUAL_RATIO] = "ratio",
	};
	int i;

	fprintf(f, "\"virtual_counters\": [");
	for (i = 0; i < layout->nr_virtual; i++) {
		const struct pmc_virtual_info *v = layout->virtuals[i];

		fprintf(f, "%s\n{\"name\": ", i ? "," : "");
		print_json_string(f, v->name);
		fprintf(f, ", \"module\": ");
		print_json_string(f, v->module);
		fprintf(f, ", \"kind\": \"%s\", \"unit\": ", kinds[v->kind]);
		print_json_string(f, v->unit);
		fprintf(f, ", \"estimated\": %s, \"description\": ",
			v->flags & PMC_VIRTUAL_ESTIMATED ? "true" : "false");
		print_json_string(f, v->desc);
		fprintf(f, "}");
	}
	fprintf(f, "\n],\n");
}

static void print_value(FILE *f, const struct pmc_virtual_info *v, uint64_t value, int nth)
{
	char text[32];

	pmc_virtual_format(v, value, text, sizeof(text));
	fprintf(f, "%s", nth ? ", " : "");
	print_json_string(f, v->name);
	fprintf(f, ": %s", value == PMC_NO_VALUE ? "null" : text);
}

static int begin(struct report *report)
{
	const struct layout *layout = report->layout;
	FILE *f = report->f;
	char **arg;
	int id, set;

	fprintf(f, "{\n\"command\": [");
	for (arg = report->o->command; arg && *arg; arg++) {
		fprintf(f, "%s", arg == report->o->command ? "" : ", ");
		print_json_string(f, *arg);
	}
	fprintf(f, "],\n\"core_types\": [\n");
	for (id = 0; id < layout->nr_core_types; id++) {
		const struct layout_core_type *ct = &layout->core_types[id];

		fprintf(f, "%s{\"id\": %d, \"name\": ", id ? ",\n" : "", id);
		print_json_string(f, ct->info->name);
		fprintf(f, ", \"pmu\": ");
		print_json_string(f, ct->info->pmu);
		fprintf(f, ", \"cpus\": ");
		print_json_string(f, ct->info->cpus);
		fprintf(f, ", \"sets\": [");
		for (set = 0; set < ct->nr_sets; set++) {
			fprintf(f, "%s", set ? ", " : "");
			print_set(f, &ct->sets[set]);
		}
		fprintf(f, "]}");
	}
	fprintf(f, "\n],\n");
	if (layout->nr_virtual)
		print_virtuals(f, layout);
	fprintf(f, "\"samples\": [");
	return 0;
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *r)
{
	const struct layout_set *set = layout_set(report->layout, r->core_type, r->set);
	FILE *f = report->f;
	int i;

	fprintf(f, "%s\n{\"nsample\": %llu, \"time_ns\": %llu", report->nr++ ? "," : "",
		(unsigned long long)nr, (unsigned long long)r->time);
	if (!report->o->syswide)
		fprintf(f, ", \"pid\": %d, \"tid\": %d", r->pid, r->tid);
	if (has_cpu(report->o))
		fprintf(f, ", \"cpu\": %d", r->cpu);
	fprintf(f, ", \"core_type\": %d, \"set\": %d, \"type\": \"%s\"", r->core_type, r->set,
		report->o->aggregate ? "sum" : sample_type_name(r->type));
	fprintf(f, ", \"elapsed_ns\": %llu, \"running_ns\": %llu, \"lost\": %u, \"throttled\": %s",
		(unsigned long long)r->elapsed, (unsigned long long)r->running, r->lost,
		r->flags & PMC_READING_THROTTLED ? "true" : "false");
	if (report->layout->uses_ebs)
		fprintf(f, ", \"left_out\": %llu", (unsigned long long)report->left_out);
	fprintf(f, ", \"counts\": {");
	for (i = 0; set && i < set->nr && i < r->nr_counts; i++) {
		fprintf(f, "%s", i ? ", " : "");
		print_json_string(f, set->names[i]);
		fprintf(f, ": %llu", (unsigned long long)r->counts[i]);
	}
	if (report->layout->nr_virtual)
		fprintf(f, "}, \"virtual\": {");
	for (i = 0; i < report->layout->nr_virtual; i++)
		print_value(f, report->layout->virtuals[i],
			    i < r->nr_virtual ? r->virtual_counts[i] : PMC_NO_VALUE, i);
	fprintf(f, "}}");
}

/* Totals of virtual counters: sums of counts, or means of the others */
static void print_virtual_totals(FILE *f, const struct layout *layout,
				 const struct totals *totals, int id, int means)
{
	const struct pmc_virtual_info *v;
	int i, n = 0;

	fprintf(f, "}, \"%s\": {", means ? "virtual_means" : "virtual");
	for (i = 0; i < layout->nr_virtual; i++) {
		v = layout->virtuals[i];
		if ((v->kind != PMC_VIRTUAL_COUNT) == means)
			print_value(f, v, totals_virtual(totals, layout, id, i), n++);
	}
}

static void print_totals(struct report *report, const struct totals *totals)
{
	const struct layout *layout = report->layout;
	FILE *f = report->f;
	int id, i, at, n;

	for (id = 0; id < layout->nr_core_types; id++) {
		fprintf(f, "%s\n{\"core_type\": %d, \"running_ns\": %llu, \"counts\": {",
			id ? "," : "", id, (unsigned long long)totals->running[id]);
		for (i = n = 0; i < layout->nr_names; i++) {
			at = id * layout->nr_names + i;
			if (!totals->valid[at])
				continue;
			fprintf(f, "%s", n++ ? ", " : "");
			print_json_string(f, layout->names[i]);
			fprintf(f, ": %llu", (unsigned long long)totals->counts[at]);
		}
		if (layout->nr_virtual) {
			print_virtual_totals(f, layout, totals, id, 0);
			print_virtual_totals(f, layout, totals, id, 1);
		}
		fprintf(f, "}}");
	}
}

static void end(struct report *report, const struct summary *summary)
{
	const struct rusage *u = summary->usage;
	FILE *f = report->f;

	fprintf(f, "\n],\n\"totals\": [");
	if (summary->totals.exact)
		print_totals(report, &summary->totals);
	fprintf(f, "\n],\n\"threads\": %llu, \"lost\": %llu, \"throttled\": %llu, \"left_out\": %llu, \"missed_threads\": %u, \"counter_lost\": %llu, \"evicted\": %u",
		(unsigned long long)summary->totals.nr_threads,
		(unsigned long long)summary->lost, (unsigned long long)summary->throttled,
		(unsigned long long)summary->left_out, summary->missed_threads,
		(unsigned long long)summary->counter_lost, summary->evicted);
	if (u)
		fprintf(f, ",\n\"real_s\": %.6f, \"user_s\": %.6f, \"sys_s\": %.6f",
			summary->real_ns / 1e9, u->ru_utime.tv_sec + u->ru_utime.tv_usec / 1e6,
			u->ru_stime.tv_sec + u->ru_stime.tv_usec / 1e6);
	fprintf(f, "\n}\n");
}

const struct report_ops report_json = { begin, sample, end };
