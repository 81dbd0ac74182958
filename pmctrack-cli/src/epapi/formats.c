// SPDX-License-Identifier: GPL-2.0
/* Print results areas as a table, as comma-separated values and as JSON. */
#include <inttypes.h>
#include <string.h>

#include "../quote.h"
#include "dump.h"
#include "tricore.h"

static const char *const counter_names[PMC_TRICORE_NR] = {
	"CCNT", "ICNT", "M1CNT", "M2CNT", "M3CNT",
};

/*
 * pmctrack's generic events that ePAPI's events correspond to. TriCore has one level of
 * caches, so the first level is also the last one.
 */
static const struct {
	const char *event;
	const char *name;
} generic[] = {
	{ "PAPI_TOT_INS", "instr" },
	{ "PAPI_TOT_CYC", "cycles" },
	{ "PAPI_L1_DCA", "l1d_references" },
	{ "PAPI_L1_DCM", "l1d_misses" },
	{ "PAPI_L1_ICM", "l1i_misses" },
	{ "PAPI_L1_TCA", "llc_references" },
	{ "PAPI_L1_TCM", "llc_misses" },
};

const char *dump_generic_name(uint32_t code)
{
	size_t i;

	for (i = 0; i < sizeof(generic) / sizeof(generic[0]); i++)
		if (pmc_tricore_find_name(generic[i].event)->code == code)
			return generic[i].name;
	return NULL;
}

/* An event that this version does not know is printed as its code. */
static const char *event_name(uint32_t code, char *buffer, size_t size)
{
	const struct pmc_tricore_event *ev = pmc_tricore_find(code);

	if (ev)
		return ev->name;
	snprintf(buffer, size, "0x%08" PRIx32, code);
	return buffer;
}

/* Print the counters of an event, as CCNT - M1CNT. */
static void formula(uint32_t code, char *buffer, size_t size)
{
	const struct pmc_tricore_event *ev = pmc_tricore_find(code);
	size_t n = 0;
	int i;

	buffer[0] = '\0';
	for (i = 0; ev && i < PMC_TRICORE_NR; i++) {
		if (ev->plus & PMC_TRICORE_BIT(i))
			n += snprintf(buffer + n, size - n, "%s%s", n ? " + " : "",
				      counter_names[i]);
		if (ev->minus & PMC_TRICORE_BIT(i))
			n += snprintf(buffer + n, size - n, " - %s", counter_names[i]);
	}
}

/* Remark on overflows */
static const char *remark_on(const struct dump_event *ev)
{
	const struct pmc_tricore_event *known = pmc_tricore_find(ev->code);

	if (ev->inexact && known && known->minus)
		return "overflowed, maybe more often than seen: means nothing";
	if (ev->inexact)
		return "overflowed, maybe more often than seen: at least that";
	return ev->wrapped ? "overflowed, which is counted in" : "";
}

static void table_area(FILE *f, const char *file, const struct dump_area *area, bool first)
{
	char name[16], counters[32];
	unsigned int i;

	fprintf(f, "%s[Core %u: %s, %s mode, CCTRL 0x%" PRIx32 "]\n", first ? "" : "\n",
		area->core, area->running ? "running" : "stopped",
		area->cctrl & PMC_TRICORE_CCTRL_TASK ? "task" : "normal", area->cctrl);
	fprintf(f, "%-18s %-22s %20s  %-14s %s\n", "event", "counters", "value", "in pmctrack",
		"remarks");
	for (i = 0; i < area->nr; i++) {
		const struct dump_event *ev = &area->events[i];
		const char *same = dump_generic_name(ev->code);
		const char *remark = remark_on(ev);
		int width = *remark ? 14 : 0;

		formula(ev->code, counters, sizeof(counters));
		fprintf(f, "%-18s %-22s %20" PRId64, event_name(ev->code, name, sizeof(name)),
			counters, ev->value);
		if (same || *remark)
			fprintf(f, "  %-*s", width, same ? same : "");
		fprintf(f, *remark ? " %s\n" : "%s\n", remark);
	}
}

static void csv_begin(FILE *f)
{
	fprintf(f, "file,offset,core,state,mode,cctrl,event,code,pmctrack,value,wrapped,inexact\n");
}

static void csv_area(FILE *f, const char *file, const struct dump_area *area, bool first)
{
	char name[16];
	unsigned int i;

	for (i = 0; i < area->nr; i++) {
		const struct dump_event *ev = &area->events[i];
		const char *same = dump_generic_name(ev->code);

		print_csv_string(f, file);
		fprintf(f, ",%zu,%u,%s,%s,0x%" PRIx32 ",%s,0x%08" PRIx32 ",%s,%" PRId64 ",%d,%d\n",
			area->offset, area->core, area->running ? "running" : "stopped",
			area->cctrl & PMC_TRICORE_CCTRL_TASK ? "task" : "normal", area->cctrl,
			event_name(ev->code, name, sizeof(name)), ev->code, same ? same : "",
			ev->value, ev->wrapped, ev->inexact);
	}
}

static void json_begin(FILE *f)
{
	fprintf(f, "{\"areas\": [");
}

static void json_area(FILE *f, const char *file, const struct dump_area *area, bool first)
{
	char name[16];
	unsigned int i;

	fprintf(f, "%s\n{\"file\": ", first ? "" : ",");
	print_json_string(f, file);
	fprintf(f, ", \"offset\": %zu, \"core\": %u, \"running\": %s, \"task_mode\": %s, \"cctrl\": %" PRIu32 ", \"events\": [",
		area->offset, area->core, area->running ? "true" : "false",
		area->cctrl & PMC_TRICORE_CCTRL_TASK ? "true" : "false", area->cctrl);
	for (i = 0; i < area->nr; i++) {
		const struct dump_event *ev = &area->events[i];
		const char *same = dump_generic_name(ev->code);

		fprintf(f, "%s\n  {\"event\": \"%s\", \"code\": %" PRIu32 ", \"pmctrack\": ",
			i ? "," : "", event_name(ev->code, name, sizeof(name)), ev->code);
		fprintf(f, same ? "\"%s\"" : "null", same);
		fprintf(f, ", \"value\": %" PRId64 ", \"wrapped\": %s, \"inexact\": %s}",
			ev->value, ev->wrapped ? "true" : "false", ev->inexact ? "true" : "false");
	}
	fprintf(f, "]}");
}

static void json_end(FILE *f)
{
	fprintf(f, "\n]}\n");
}

const struct dump_format dump_formats[] = {
	{ "table", NULL, table_area, NULL },
	{ "csv", csv_begin, csv_area, NULL },
	{ "json", json_begin, json_area, json_end },
	{ NULL, NULL, NULL, NULL }
};

const struct dump_format *dump_find_format(const char *name)
{
	const struct dump_format *format;

	for (format = dump_formats; format->name; format++)
		if (!strcmp(format->name, name))
			return format;
	return NULL;
}
