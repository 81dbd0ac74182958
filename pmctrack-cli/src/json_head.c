// SPDX-License-Identifier: GPL-2.0
/*
 * What JSON begins with: the command, the core types with their events, and the metrics
 * (pmctrack-output(5)).
 */
#include "json_head.h"
#include "quote.h"
#include "report.h"

void json_command(FILE *f, char *const *words)
{
	int i;

	fprintf(f, "\"command\": [");
	for (i = 0; words && words[i]; i++) {
		fprintf(f, "%s", i ? ", " : "");
		print_json_string(f, words[i]);
	}
	fprintf(f, "],\n");
}

void json_period(FILE *f, uint64_t period)
{
	if (period)
		fprintf(f, "%llu", (unsigned long long)period);
	else
		fputs("null", f);
}

static void print_set(FILE *f, const struct layout *layout, const struct layout_set *set)
{
	int i;

	fputc('[', f);
	for (i = 0; i < set->nr; i++) {
		fprintf(f, "%s{\"event\": ", i ? ", " : "");
		print_json_string(f, layout->names[set->columns[i]]);
		fprintf(f, ", \"counter\": %d, \"ebs_period\": ", set->slots[i]);
		json_period(f, set->periods[i]);
		if (nr_metrics(layout))
			fprintf(f, ", \"for_metrics\": %s",
				layout->hidden[set->columns[i]] ? "true" : "false");
		fputc('}', f);
	}
	fputc(']', f);
}

static void print_core_type(FILE *f, const struct layout *layout, int id)
{
	const struct layout_core_type *ct = &layout->core_types[id];
	int set;

	fprintf(f, "%s{\"id\": %d, \"name\": ", id ? ",\n" : "", id);
	print_json_string(f, ct->info->name);
	fprintf(f, ", \"pmu\": ");
	print_json_string(f, ct->info->pmu);
	fprintf(f, ", \"cpus\": ");
	print_json_string(f, ct->info->cpus);
	fprintf(f, ", \"sets\": [");
	for (set = 0; set < ct->nr_sets; set++) {
		fprintf(f, "%s", set ? ", " : "");
		print_set(f, layout, &ct->sets[set]);
	}
	fprintf(f, "]}");
}

void json_core_types(FILE *f, const struct layout *layout)
{
	int id;

	fprintf(f, "\"core_types\": [\n");
	for (id = 0; id < layout->nr_core_types; id++)
		print_core_type(f, layout, id);
	fprintf(f, "\n],\n");
}

void json_metrics(FILE *f, const struct layout *layout)
{
	int i;

	fprintf(f, "\"metrics\": [");
	for (i = 0; i < nr_metrics(layout); i++) {
		fprintf(f, "%s\n{\"name\": ", i ? "," : "");
		print_json_string(f, pmc_plan_name(layout->plan, i));
		fprintf(f, ", \"unit\": ");
		print_json_string(f, pmc_metric_unit(metric_of(layout, i, PMC_EVERY_CORE_TYPE)));
		fprintf(f, ", \"estimated\": %s}", metric_is_estimated(layout, i) ? "true" : "false");
	}
	fprintf(f, "\n],\n");
}
