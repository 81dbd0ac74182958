// SPDX-License-Identifier: GPL-2.0
/* Without a verb: sample a program, a process or the machine, and print a report. */
#include <errno.h>
#include <string.h>

#include "common.h"
#include "output.h"
#include "sampling_loop.h"
#include "split_evsets.h"
#include "verb.h"

static int has_ebs(const struct layout_set *s)
{
	int i;

	for (i = 0; i < s->nr; i++)
		if (s->periods[i])
			return 1;
	return 0;
}

/*
 * Each sample switches to the next event set. If one set has ebs=, no samples are taken by
 * time, so a set without ebs= would never be switched.
 */
static void check_multiplexing(const struct options *o, const struct layout *layout)
{
	const struct layout_core_type *ct;
	const struct layout_set *s;
	int id, set;

	for (id = 0; id < layout->nr_core_types; id++) {
		ct = &layout->core_types[id];
		for (set = 0; ct->nr_sets > 1 && (s = layout_set(layout, id, set)); set++)
			if (!has_ebs(s) && o->nr_metrics)
				bad("-m: with ebs= the events of metrics have to fit one event set: on core type %d (%s) there is none for '%s'",
				    id, ct->info->name, s->names[0]);
			else if (!has_ebs(s))
				bad("-c: if one of several event sets has ebs=, all need it: on core type %d (%s) the set with '%s' has none",
				    id, ct->info->name, s->names[0]);
	}
}

/* The events without -c and -V: every machine has them. */
static const char *default_config(const pmc_machine_t *machine)
{
	int id;

	for (id = 0; id < pmc_machine_nr_core_types(machine); id++)
		if (!pmc_machine_core_type(machine, id)->nr_hw_counters)
			return "task_clock,context_switches,migrations,page_faults";
	return "instr,cycles";
}

static void add_virtual(const struct options *o, pmc_config_t *config)
{
	const struct pmc_virtual_info *v;
	int i;

	for (i = 0; i < o->nr_virtuals; i++)
		if (pmc_config_add_virtual(config, o->virtuals[i]))
			bad("-V: %s", pmc_last_error());
	for (i = 0; (v = pmc_config_virtual(config, i)); i++) {
		if (o->syswide && !(v->flags & PMC_VIRTUAL_SYSWIDE))
			bad("-V: %s is available for threads, not for CPUs: leave out -S", v->name);
		if (!o->syswide && !(v->flags & PMC_VIRTUAL_THREADS))
			bad("-V: %s is available for CPUs, not for threads: add -S", v->name);
	}
}

/* A set was refused. If it has too many events, the error names one, and what to type. */
static void __attribute__((noreturn))
refuse(const struct options *o, const pmc_machine_t *machine, int core_type)
{
	char *why = must_have(strdup(pmc_last_error()));
	int i;

	for (i = 0; i < o->nr_configs && !o->raw && !o->split; i++)
		split_explain(o, machine, core_type, o->configs[i]);
	bad("%s", why);
}

/* The core type of -P */
static int wanted_core_type(const struct options *o, const pmc_machine_t *machine)
{
	int id = o->pmu ? pmc_machine_find_core_type(machine, o->pmu) : PMC_EVERY_CORE_TYPE;

	if (o->pmu && id < 0)
		bad("-P: %s", pmc_last_error());
	return id;
}

/* The event sets that were asked for */
static void add_sets(const struct options *o, const pmc_machine_t *machine, pmc_config_t *config)
{
	int core_type = wanted_core_type(o, machine), i;

	if (!o->nr_configs && !o->nr_virtuals && !o->nr_metrics &&
	    pmc_config_add(config, default_config(machine), core_type, 0))
		bad("%s", pmc_last_error());
	if (o->split)
		split_sets(o, machine, core_type, config);
	for (i = 0; i < o->nr_configs && !o->split; i++)
		if (pmc_config_add(config, o->configs[i], core_type, o->raw ? PMC_CONFIG_RAW : 0))
			refuse(o, machine, core_type);
}

static pmc_session_t *open_session(const struct options *o)
{
	pmc_session_t *session = pmc_session_open();

	/* The filter applies to the events that are sent after it. */
	if (!session || (o->filter && pmc_session_command(session, "filter %s", o->filter)))
		bad("%s", pmc_last_error());
	return session;
}

/*
 * With -m: put the events of metrics into the event sets that were asked for, where these have
 * room, and into others.
 */
static pmc_plan_t *make_plan(const struct options *o, const pmc_machine_t *machine,
			     pmc_config_t *config)
{
	pmc_plan_t *plan = pmc_plan_new(machine);
	pmc_session_t *scratch = open_session(o);
	int core_type = wanted_core_type(o, machine), i, rc = plan ? 0 : -1;

	for (i = 0; i < o->nr_configs && !rc; i++)
		rc = o->split ? pmc_plan_add_events(plan, o->configs[i], core_type) :
				pmc_plan_add_set(plan, o->configs[i], core_type);
	for (i = 0; i < o->nr_metrics && !rc; i++)
		if (pmc_plan_add_metrics(plan, o->metrics[i], core_type))
			bad("-m: %s", pmc_last_error());
	if (rc || pmc_plan_make(plan, config, pmc_plan_fits, scratch))
		refuse(o, machine, core_type);
	pmc_session_close(scratch);
	return plan;
}

static const struct report_ops *form(const struct options *o)
{
	return o->plot && o->format == &report_table ? &report_plot : o->format;
}

int run_main(int argc, char **argv)
{
	struct options o;
	struct layout layout;
	struct report report = { .o = &o, .layout = &layout };
	pmc_config_t *asked, *config;
	pmc_plan_t *plan = NULL;
	pmc_machine_t *machine;
	pmc_session_t *session;
	int status;

	options_parse(&o, argc, argv);
	machine = pmc_machine_open();
	if (!machine)
		bad("%s", pmc_last_error());
	asked = must_have(pmc_config_new(machine));
	add_virtual(&o, asked);
	add_sets(&o, machine, asked);
	config = asked;
	if (o.nr_metrics) {
		config = must_have(pmc_config_new(machine));
		add_virtual(&o, config);
		plan = make_plan(&o, machine, config);
	}
	session = open_session(&o);
	if (pmc_session_configure(session, config))
		refuse(&o, machine, wanted_core_type(&o, machine));
	if (layout_init(&layout, machine, config, session))
		bad("%s", pmc_last_error());
	if (plan && layout_set_plan(&layout, plan, asked))
		bad("out of memory");
	if (o.split || plan)
		split_print_same(stderr, &o, machine, &layout);
	if (layout.uses_ebs)
		check_multiplexing(&o, &layout);
	else if (o.max_ebs_samples)
		bad("-K: no event has ebs=: give one a period, or use -n");
	report.ops = form(&o);
	report.f = output_open(&o);
	if (!report.f)
		bad("%scannot write %s: %s", o.output ? "-o: " : "", output_name(&o), strerror(errno));

	report.width = output_width(report.f);
	if (o.command && report.ops->prepare)
		report.ops->prepare();
	status = monitor(&o, session, &report, layout.uses_ebs, layout_most_sets(&layout));

	if (fclose(report.f) && !report.failed) {
		fprintf(stderr, "pmctrack: cannot write the report to %s: %s\n", output_name(&o),
			strerror(errno));
		status = 2;
	}
	pmc_session_close(session);
	layout_free(&layout);
	pmc_plan_free(plan);
	if (config != asked)
		pmc_config_free(config);
	pmc_config_free(asked);
	pmc_machine_close(machine);
	return status;
}
