// SPDX-License-Identifier: GPL-2.0
/*
 * pmctrack energy: the energy of each thread of a program. The energies of threads, of other threads
 * and of the idle machine add up to what the energy counters of the packages have counted.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "energy/energy.h"
#include "energy/measured.h"
#include "energy/model.h"
#include "option_table.h"
#include "output.h"
#include "sampling_loop.h"
#include "verb.h"

/* How long the idle machine is measured without --idle */
#define IDLE_US 2000000
/* AMD's registers are those of each core; others cover all cores of a package. */
#define BACKEND_WITH_CORES "amd"

static const char help[] =
"Usage: pmctrack energy [OPTION]... PROGRAM [ARGUMENT]...\n"
"       pmctrack energy [OPTION]... -p PID[,PID]...\n"
"Print the energy of each thread of a program. Threads, other threads and the idle machine add\n"
"up to what the packages have consumed, to the microjoule. The monitoring module `energy` has\n"
"to be active (modprobe pmc_energy; echo activate energy > /proc/pmc/mm_manager).\n"
"\n"
"On AMD a thread has the energy of its core while it ran, which is measured. Elsewhere counters\n"
"cover all cores, and a thread has the energy that a model computes from its events.\n"
"\n"
"  -m, --model=[CORETYPE=]FILE  a model of a core type, from `pmc-additivity energy -o FILE`; one\n"
"                            for each core type that the program runs on\n"
"      --idle=SECONDS        how long the idle machine is measured before the program starts\n"
"                            (default 2)\n"
"      --idle-power=WATTS    take this as the power of the idle machine\n"
"  -p, --pid=PID[,PID]...    running processes, until they end or ^C\n"
"  -N, --limit=SECONDS       end after this time\n"
"  -b, --bind=CPUS           run the program on these CPUs\n"
"  -o, --output=FILE         print to FILE instead of standard error\n"
"      --csv                 values separated by commas, in microjoules\n"
"  -h, --help                show this text\n"
"\n"
"Example: pmctrack energy -m P=p.metric -m E=e.metric -- xz -T4 file\n";

struct energy_options {
	struct options o;		/* for the monitor; first, for the table */
	const char *models[MAX_CONFIGS];	/* -m */
	int nr_models;
	uint64_t idle_us;
	double idle_watts;
	int has_idle_watts;
	int csv;
};

static struct energy_options *of(struct options *o)
{
	return (struct energy_options *)o;
}

static void take_model(struct options *o, const char *text)
{
	if (of(o)->nr_models == MAX_CONFIGS)
		bad("energy: more than %d -m options", MAX_CONFIGS);
	of(o)->models[of(o)->nr_models++] = text;
}

static void take_idle(struct options *o, const char *text)
{
	of(o)->idle_us = options_seconds("--idle", text);
}

static void take_idle_power(struct options *o, const char *text)
{
	char *end;

	of(o)->idle_watts = strtod(text, &end);
	of(o)->has_idle_watts = 1;
	if (end == text || *end || !(of(o)->idle_watts >= 0 && of(o)->idle_watts <= 1e6))
		bad("energy: --idle-power takes watts, as 12.5, not '%s'", text);
}

static void take_limit(struct options *o, const char *text)
{
	o->limit_us = options_seconds("-N", text);
}

#define FLAG(letter, name, member) OPTION_FLAG(letter, name, struct energy_options, member)
#define TEXT(letter, name, member) OPTION_TEXT(letter, name, struct energy_options, member)

static const struct option_row rows[] = {
	OPTION_TAKE('m', "model", take_model),
	OPTION_TAKE(LONG_ONLY(0), "idle", take_idle),
	OPTION_TAKE(LONG_ONLY(1), "idle-power", take_idle_power),
	OPTION_TAKE('p', "pid", options_take_pids),
	OPTION_TAKE('N', "limit", take_limit),
	OPTION_TAKE('b', "bind", options_take_bind),
	TEXT('o', "output", o.output),
	FLAG(LONG_ONLY(2), "csv", csv),
	{ 0 }
};

static void parse(struct energy_options *e, int argc, char **argv)
{
	struct options *o = &e->o;

	memset(e, 0, sizeof(*e));
	e->idle_us = IDLE_US;
	o->aggregate = 1;
	o->filter = "all";
	argv[0] = "pmctrack energy";
	o->command = option_table_parse(rows, help, o, argc, argv);
	if (!o->command && !o->nr_pids)
		bad("energy: no program to run: name one, or processes with -p");
	if (o->command && o->nr_pids)
		bad("energy: -p measures processes: leave out %s", o->command[0]);
	if (o->has_bind && !o->command)
		bad("energy: -b is for a program that pmctrack runs");
}

/**
 * struct energy_run - a run
 * @plan: the models
 * @ended: the program has run, and all of its threads are known
 */
struct energy_run {
	const struct energy_options *e;
	pmc_plan_t *plan;
	pmc_config_t *config;
	int ended;
	struct energy_result result;
};

static double estimate(const struct energy_run *run, const struct pmc_reading *sum)
{
	struct pmc_set_counts counts = {
		.core_type = sum->core_type, .set = sum->set, .running = sum->running, .nr_counts = sum->nr_counts,
	};
	int n = model_of(run->plan, sum->core_type);
	double joules;

	memcpy(counts.counts, sum->counts, sum->nr_counts * sizeof(*sum->counts));
	joules = n < 0 ? NAN : pmc_plan_value(run->plan, n, sum->core_type, &counts, 1, sum->running, NULL);
	/* A model's coefficients are not negative, but the user may have written one. */
	return joules > 0 ? joules * 1e6 : 0;
}

static int begin(struct report *report)
{
	(void)report;
	return 0;
}

static void sample(struct report *report, uint64_t nr, const struct pmc_reading *sum)
{
	struct energy_run *run = report->data;
	double microjoules;

	(void)nr;
	if (!run->result.by_cores)
		microjoules = estimate(run, sum);
	else
		microjoules = sum->virtual_counts[0] == PMC_NO_VALUE ? 0 : sum->virtual_counts[0];
	energy_threads_add(&run->result.threads, sum, microjoules);
}

static void end(struct report *report, const struct summary *summary)
{
	struct energy_run *run = report->data;

	run->result.missing |= summary->lost || summary->missed_threads || losses_any(summary->losses);
	run->ended = 1;
}

static const struct report_ops report_energy = {
	.begin = begin,
	.sample = sample,
	.end = end,
};

static void settle(struct energy_result *r, const struct measured *m)
{
	struct energy_balance *b = &r->balance;

	r->seconds = m->seconds;
	b->package = m->package;
	b->idle = llround(r->idle_watts * r->seconds * 1e6);
	b->nr = r->threads.nr * r->threads.nr_core_types;
	b->estimates = r->threads.estimates;
	b->shares = new_array(b->nr, sizeof(*b->shares));
	if (r->by_cores)
		energy_balance_cores(b, m->cores);
	else
		energy_balance(b);
}

static void plan(struct energy_run *run)
{
	const struct energy_options *e = run->e;
	pmc_session_t *scratch = pmc_session_open();
	int i, id;

	run->plan = must_have(pmc_plan_new(run->result.machine));
	run->config = must_have(pmc_config_new(run->result.machine));
	for (i = 0; i < e->nr_models; i++)
		model_add(run->plan, run->result.machine, e->models[i]);
	if (!scratch || pmc_session_command(scratch, "filter all") ||
	    pmc_plan_make(run->plan, run->config, pmc_plan_fits, scratch))
		bad("energy: %s", pmc_last_error());
	pmc_session_close(scratch);
	for (id = 0; id < run->result.threads.nr_core_types; id++)
		if (model_of(run->plan, id) >= 0 && pmc_plan_is_estimated(run->plan, model_of(run->plan, id), id))
			bad("energy: -m: the model of core type %s has more events than there are counters",
			    pmc_machine_core_type(run->result.machine, id)->name);
}

static void measure_idle(struct energy_run *run)
{
	struct measured idle;

	if (run->e->has_idle_watts) {
		run->result.idle_watts = run->e->idle_watts;
		return;
	}
	if (run->e->idle_us >= 1000000)
		fprintf(stderr, "pmctrack energy: the idle machine is measured for %.3g s\n", run->e->idle_us / 1e6);
	measured_begin(&idle, run->result.machine);
	sleep_us(run->e->idle_us);
	measured_end(&idle);
	run->result.idle_watts = idle.package / idle.seconds / 1e6;
}

static void choose(struct energy_run *run)
{
	run->result.by_cores = !run->e->nr_models;
	if (!run->result.by_cores) {
		plan(run);
		measure_idle(run);
		return;
	}
	if (strcmp(pmc_machine_backend(run->result.machine), BACKEND_WITH_CORES))
		bad("energy: this machine has no energy counters of single cores: name a model with -m (pmc-additivity energy fits one)");
	run->config = must_have(pmc_config_new(run->result.machine));
	if (pmc_config_add_virtual(run->config, "energy_core"))
		bad("energy: the energy of cores is not measured: %s", pmc_last_error());
}

static char *title(const struct options *o)
{
	size_t size;
	char *text;
	FILE *f = must_have(open_memstream(&text, &size));
	int i;

	if (o->command)
		print_command_line(f, o->command);
	for (i = 0; i < o->nr_pids; i++)
		fprintf(f, "%s%d", i ? "," : "process ", o->pids[i]);
	if (fclose(f))
		bad("out of memory");
	return text;
}

static int count(struct energy_run *run, FILE *f)
{
	pmc_session_t *session = pmc_session_open();
	struct measured measured;
	struct layout layout;
	struct report report = {
		.ops = &report_energy, .o = &run->e->o, .layout = &layout, .f = f, .data = run,
	};
	int status;

	if (!session || pmc_session_command(session, "filter all") ||
	    pmc_session_configure(session, run->config) ||
	    layout_init(&layout, run->result.machine, run->config, session))
		bad("energy: %s", pmc_last_error());
	/* The program starts and ends while this is measured. */
	measured_begin(&measured, run->result.machine);
	status = monitor(&run->e->o, session, &report, 0, 1);
	measured_end(&measured);
	if (run->ended)
		settle(&run->result, &measured);
	pmc_session_close(session);
	layout_free(&layout);
	return status;
}

int energy_main(int argc, char **argv)
{
	struct energy_options e;
	struct energy_run run = { .e = &e };
	struct energy_result *r = &run.result;
	pmc_machine_t *machine;
	int status;
	FILE *f;

	parse(&e, argc, argv);
	machine = pmc_machine_open();
	if (!machine)
		bad("%s", pmc_last_error());
	if (!pmc_machine_has_module(machine))
		bad("energy: the kernel module is not loaded: modprobe pmctrack");
	r->machine = machine;
	r->threads.nr_core_types = pmc_machine_nr_core_types(machine);
	r->title = title(&e.o);
	f = output_open(&e.o);
	if (!f)
		bad("-o: cannot write %s: %s", output_name(&e.o), strerror(errno));
	choose(&run);
	status = count(&run, f);
	if (run.ended) {
		(e.csv ? energy_print_csv : energy_print_table)(f, r);
		written(f, e.o.output ? output_name(&e.o) : "standard error");
	}
	free(r->balance.shares);
	free(r->title);
	energy_threads_free(&r->threads);
	pmc_plan_free(run.plan);
	pmc_config_free(run.config);
	pmc_machine_close(machine);
	return status;
}
