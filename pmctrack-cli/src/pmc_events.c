// SPDX-License-Identifier: GPL-2.0
/* pmc-events: list core types, counters and events, and encode events. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common.h"
#include "output.h"
#include "pmctrack.h"
#include "wrap.h"

/* Columns of names, and a blank */
#define NAME_WIDTH 37

static const char help[] =
"Usage: pmc-events [OPTION]... [WORD]...\n"
"List the core types, counters and events of this machine, and encode events.\n"
"\n"
"  -I, --info              list core types and their counters (default)\n"
"  -L, --list              list events; with words, as in pmc-events -L cache miss, those\n"
"                          that have all the words in their name or description\n"
"  -V, --virtual           list virtual counters and monitoring modules\n"
"  -v, --verbose           with -L: also list unit masks, and show encodings\n"
"  -n, --pmu=CORETYPE      list or encode for this core type only (number or name)\n"
"  -e, --encode=EVENTS     print an event set, as instr,cycles, in the kernel's form\n"
"  -h, --help              show this text\n";

static const struct option long_options[] = {
	{ "info", no_argument, NULL, 'I' },
	{ "list", no_argument, NULL, 'L' },
	{ "virtual", no_argument, NULL, 'V' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "pmu", required_argument, NULL, 'n' },
	{ "encode", required_argument, NULL, 'e' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 }
};

struct what {
	int info;
	int list;
	int virtual;
	int verbose;
	const char *pmu;
	const char *encode;
	const pmc_machine_t *machine;
	char **words;		/* all must occur in an event; NULL at the end */
	const struct pmc_core_type_info *heading; /* core type whose heading is not printed yet */
	int found;		/* some event was listed */
	int width;		/* of the terminal, or 0 */
};

static void fail(void)
{
	bad("%s", pmc_last_error());
}

static void print_info(const pmc_machine_t *machine, int id)
{
	static const char *const kinds[] = { "fixed", "general", "software" };
	const struct pmc_core_type_info *info = pmc_machine_core_type(machine, id);
	char range[32];
	int i;

	printf("[Core type %d: %s]\n", id, info->name);
	printf("pmu          %s\n", info->pmu);
	printf("cpus         %s\n", info->cpus);
	if (info->capacity)
		printf("capacity     %u\n", info->capacity);
	if (info->cpuid)
		printf("cpuid        0x%llx\n", (unsigned long long)info->cpuid);
	printf("event names  %s\n", pmc_machine_event_table(machine, info->id));
	printf("counters     %d in hardware\n", info->nr_hw_counters);
	for (i = 0; i < info->nr_counters; i++) {
		const struct pmc_counter_info *c = &info->counters[i];

		if (c->first == c->last)
			snprintf(range, sizeof(range), "pmc%d", c->first);
		else
			snprintf(range, sizeof(range), "pmc%d-pmc%d", c->first, c->last);
		printf("  %-12s %-9s %s%s\n", range, kinds[c->kind], c->event,
		       c->interrupt ? ", samples by event count" : "");
	}
}

static int has_words(const struct pmc_event_info *ev, char **words)
{
	for (; *words; words++)
		if (!strcasestr(ev->name, *words) && !(ev->desc && strcasestr(ev->desc, *words)))
			return 0;
	return 1;
}

static void print_heading(const struct what *what)
{
	const struct pmc_core_type_info *info = what->heading;

	printf("[Core type %d: %s, event names: %s]\n", info->id, info->name,
	       pmc_machine_event_table(what->machine, info->id));
}

static int print_event(void *arg, const struct pmc_event_info *ev)
{
	struct what *what = arg;
	int at;

	if (!has_words(ev, what->words))
		return 0;
	if (ev->umask_of && !what->verbose && !*what->words)
		return 0;
	if (what->heading)
		print_heading(what);
	what->heading = NULL;
	what->found = 1;
	at = printf("%-*s", NAME_WIDTH - 1, ev->name);
	if (what->verbose)
		at += printf(" %-28s", ev->raw);
	at += printf(" ");
	print_wrapped(stdout, ev->desc ? ev->desc : "", at, NAME_WIDTH, what->width);
	return 0;
}

static void print_list(const pmc_machine_t *machine, int id, struct what *what)
{
	what->machine = machine;
	what->heading = pmc_machine_core_type(machine, id);
	pmc_machine_each_event(machine, id, print_event, what);
}

static void check_found(const struct what *what)
{
	char list[256] = "", **word;
	size_t len = 0;

	if (what->found)
		return;
	for (word = what->words; *word && len < sizeof(list); word++)
		len += snprintf(list + len, sizeof(list) - len, "%s'%s'",
				word == what->words ? "" : " and ", *word);
	bad("no event has %s in its name or description; pmc-events -V lists virtual counters", list);
}

static void print_encoded(const pmc_machine_t *machine, int core_type, const char *spec)
{
	pmc_config_t *config = pmc_config_new(machine);
	const char *raw;
	int i;

	if (!config || pmc_config_add(config, spec, core_type, 0))
		fail();
	for (i = 0; (raw = pmc_config_raw(config, i)); i++)
		puts(raw);
	pmc_config_free(config);
}

/* Widths of columns */
struct widths {
	int name;
	int unit;
	int module;
};

static void widen(int *width, const char *text)
{
	if ((int)strlen(text) > *width)
		*width = strlen(text);
}

static void print_virtual(const struct pmc_virtual_info *v, const struct widths *w)
{
	static const char *const kinds[] = {
		[PMC_VIRTUAL_COUNT] = "count",
		[PMC_VIRTUAL_LEVEL] = "level",
		[PMC_VIRTUAL_RATIO] = "ratio",
	};

	printf("%-*s  %-*s  %-5s  %-*s  %s%s%s%s\n", w->name, v->name, w->unit,
	       *v->unit ? v->unit : "-", kinds[v->kind], w->module, v->module, v->desc,
	       v->flags & PMC_VIRTUAL_ESTIMATED ? " (estimated)" : "",
	       v->flags & PMC_VIRTUAL_SYSWIDE ? "" : " (not with -S)",
	       v->flags & PMC_VIRTUAL_THREADS ? "" : " (only with -S)");
}

static void print_virtuals(const pmc_virtuals_t *list)
{
	const struct pmc_virtual_info *v;
	struct widths w = { strlen("name"), strlen("unit"), strlen("module") };
	int i;

	for (i = 0; (v = pmc_virtuals_get(list, i)); i++) {
		widen(&w.name, v->name);
		widen(&w.unit, v->unit);
		widen(&w.module, v->module);
	}
	printf("[Virtual counters]\n");
	if (!i) {
		printf("none: no monitoring module is active\n");
		return;
	}
	printf("%-*s  %-*s  %-5s  %-*s  description\n", w.name, "name", w.unit, "unit", "kind",
	       w.module, "module");
	for (i = 0; (v = pmc_virtuals_get(list, i)); i++)
		print_virtual(v, &w);
}

static void print_modules(const pmc_virtuals_t *list)
{
	const struct pmc_module_info *m, *inactive = NULL;
	int i, width = strlen("name");

	for (i = 0; (m = pmc_virtuals_module(list, i)); i++) {
		widen(&width, m->name);
		if (!m->active && !inactive)
			inactive = m;
	}
	printf("[Monitoring modules]\n");
	if (i)
		printf("%-*s  %-8s  %5s  description\n", width, "name", "state", "users");
	else
		printf("none is loaded; to load and activate one, as root: modprobe pmc_NAME; echo activate NAME >/proc/pmc/mm_manager\n");
	for (i = 0; (m = pmc_virtuals_module(list, i)); i++)
		printf("%-*s  %-8s  %5d  %s\n", width, m->name,
		       m->active ? "active" : "inactive", m->users, m->desc);
	if (inactive)
		printf("To activate a module, as root: echo activate %s >/proc/pmc/mm_manager\n",
		       inactive->name);
}

static void list_virtuals(void)
{
	pmc_virtuals_t *list = pmc_virtuals_open();

	if (!list)
		fail();
	print_virtuals(list);
	print_modules(list);
	pmc_virtuals_close(list);
}

static void parse(struct what *what, int argc, char **argv)
{
	int opt;

	while ((opt = getopt_long(argc, argv, "ILVvn:e:h", long_options, NULL)) != -1) {
		switch (opt) {
		case 'I':
			what->info = 1;
			break;
		case 'L':
			what->list = 1;
			break;
		case 'V':
			what->virtual = 1;
			break;
		case 'v':
			what->verbose = 1;
			break;
		case 'n':
			what->pmu = optarg;
			break;
		case 'e':
			what->encode = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			exit(0);
		default:
			exit(2);
		}
	}
	what->words = argv + optind;
	if (*what->words)
		what->list = 1;
}

int main(int argc, char **argv)
{
	struct what what = { 0 };
	int core_type = PMC_EVERY_CORE_TYPE, id;
	pmc_machine_t *machine;

	parse(&what, argc, argv);
	what.width = output_width(stdout);
	machine = pmc_machine_open();
	if (!machine)
		fail();
	if (what.pmu) {
		core_type = pmc_machine_find_core_type(machine, what.pmu);
		if (core_type < 0)
			fail();
	}
	if (what.encode)
		print_encoded(machine, core_type, what.encode);
	if (what.virtual)
		list_virtuals();
	if (!what.encode && !what.virtual && !what.list)
		what.info = 1;
	for (id = 0; id < pmc_machine_nr_core_types(machine); id++) {
		if (core_type != PMC_EVERY_CORE_TYPE && core_type != id)
			continue;
		if (what.info)
			print_info(machine, id);
		if (what.list)
			print_list(machine, id, &what);
	}
	pmc_machine_close(machine);
	if (what.list)
		check_found(&what);
	written(stdout, "the list");
	return 0;
}
