// SPDX-License-Identifier: GPL-2.0
/* pmc-additivity energy: a model of dynamic energy, by events that are potentially additive */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "additivity/energy_model.h"
#include "additivity/metric_model.h"
#include "additivity/module_model.h"
#include "additivity/verb.h"
#include "additivity/verdicts.h"
#include "columns.h"
#include "common.h"
#include "event_spelling.h"

static const char help[] =
"Usage: pmc-additivity energy [OPTION]... FOLDER\n"
"Fit a model of the dynamic energy that `pmc-additivity run` has measured: a sum of events,\n"
"each with an energy that is not negative. Only potentially additive events are used; if\n"
"dynamic energy itself is non-additive, no model is fitted. The errors of programs are those of\n"
"models that they were left out of; the errors of compounds are those of the model of all base\n"
"programs, so of compounds of the programs of the fit.\n"
"\n"
"  -n, --terms=N            use at most N events (default: a third of the number of base\n"
"                           programs, and at most 4)\n"
"  -e, --events=LIST        choose among these events only\n"
"  -t, --tolerance=PERCENT  of potentially additive events, and of energy (default 5)\n"
"  -o, --output=FILE        write the model as a metric: PMCTRACK_METRICS=FILE\n"
"                           pmctrack -m energy ... prints the energy of threads\n"
"  -M, --module=FILE        write the model for the monitoring module estimated_power, which\n"
"                           has the power of each thread: pmc-load-model FILE\n"
"  -h, --help               show this text\n"
"\n"
"If the model is not better than chance, the exit status is 1, and no model is written.\n";

struct energy_options {
	double tolerance;
	int terms;
	const char *events;
	const char *output;
	const char *module;
	const char *folder;
};

/* With fewer base programs the errors themselves are uncertain. */
#define PROGRAMS_LEAST 6
#define TERMS_MOST 4

/**
 * struct energy_study - what is compared
 * @bases: base programs
 * @compounds: the compounds of the programs that models are fitted to
 * @may: the events that are potentially additive
 * @non_additive: those that are not
 * @terms: most events of a model
 */
struct energy_study {
	const struct results *r;
	struct energy_data bases;
	struct energy_data compounds;
	char *may;
	char *non_additive;
	int terms;
};

static void parse(struct energy_options *o, int argc, char **argv)
{
	static const struct option names[] = {
		{ "terms", required_argument, NULL, 'n' }, { "events", required_argument, NULL, 'e' },
		{ "tolerance", required_argument, NULL, 't' }, { "output", required_argument, NULL, 'o' },
		{ "module", required_argument, NULL, 'M' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, "n:e:t:o:M:h", names, NULL)) != -1)
		switch (letter) {
		case 'n': o->terms = option_number("--terms", optarg, 1, NNLS_MOST - 1); break;
		case 'e': o->events = optarg; break;
		case 't': o->tolerance = option_percent("--tolerance", optarg); break;
		case 'o': o->output = optarg; break;
		case 'M': o->module = optarg; break;
		case 'h': fputs(help, stdout); exit(0);
		default: bad("option '%s' is not known, or has no argument; see pmc-additivity energy --help",
			     argv[optind - 1]);
		}
	if (argc - optind != 1)
		bad("name one folder; see pmc-additivity energy --help");
	o->folder = argv[optind];
}

static double mean_value(const struct results *r, int program, int variable)
{
	double *values;
	int nr = judge_values(r, PHASE_CORES, program, variable, &values);
	double mean = mean_of(values, nr).mean;

	free(values);
	return mean;
}

/* Programs from number @first to the one before @end */
static void take_programs(struct energy_data *data, const struct results *r, int first, int end)
{
	int i, event;

	data->nr = end - first;
	data->nr_events = r->nr_events;
	data->counts = new_array((size_t)data->nr * data->nr_events, sizeof(*data->counts));
	data->joules = new_array(data->nr, sizeof(*data->joules));
	for (i = 0; i < data->nr; i++) {
		data->joules[i] = mean_value(r, first + i, VARIABLE_ENERGY);
		if (isnan(data->joules[i]))
			bad("%s has no energy of '%s': energy could not be read, or the idle machine was not measured",
			    r->path, r->programs.all[first + i].name);
		if (data->joules[i] <= 0)
			bad("'%s' takes no more energy than the idle machine: it is too short, or other programs ran",
			    r->programs.all[first + i].name);
		for (event = 0; event < r->nr_events; event++)
			data->counts[i * data->nr_events + event] = mean_value(r, first + i, event);
	}
}

/* Is this nothing, or ":u:k" and the like, which `run` puts behind names? */
static int are_modes(const char *text)
{
	return !*text || (*text == ':' && text[strspn(text, ":uk")] == '\0');
}

/* Is the event in a list, with its modes or without them? */
static int is_listed(const char *list, const char *event)
{
	size_t len;

	if (!list)
		return 1;
	for (; *list; list += len + (list[len] == ',')) {
		len = event_length(list);
		if (!strncmp(list, event, len) && are_modes(event + len))
			return 1;
	}
	return 0;
}

static void choose_events(struct energy_study *s, const struct verdicts *v, const char *list)
{
	int i, nr = 0, event;

	s->may = new_array(s->r->nr_events, 1);
	s->non_additive = new_array(s->r->nr_events, 1);
	for (i = 0; i < v->nr; i++) {
		event = v->events[i]->variable;
		s->non_additive[event] = v->events[i]->verdict == NON_ADDITIVE;
		s->may[event] = v->events[i]->verdict == POTENTIALLY_ADDITIVE &&
				is_listed(list, judge_name(s->r, event));
		nr += s->may[event];
	}
	if (!nr)
		bad("no event is potentially additive%s", list ? ", and in the list of -e" : "");
}

/* The response variable passes the test first. */
static void check_energy(const struct verdicts *v)
{
	const struct judgement *j = v->energy;

	if (!j || j->verdict == POTENTIALLY_ADDITIVE)
		return;
	if (j->verdict == NON_ADDITIVE)
		bad("dynamic energy is non-additive, by %.1f %% in '%s', so that no sum of events has it: measure on a quieter machine, or see -t",
		    100 * judge_error(j), v->results->programs.all[j->pairs[j->worst].program].name);
	fprintf(stderr, "pmc-additivity: dynamic energy is %s within %.4g %%: a model cannot be better than that\n",
		verdict_names[j->verdict], 100 * v->tolerance);
}

static double mean_error(const double *errors, int nr)
{
	return mean_of(errors, nr).mean;
}

static double largest(const double *errors, int nr)
{
	double most = 0;
	int i;

	for (i = 0; i < nr; i++)
		most = fmax(most, errors[i]);
	return most;
}

static void print_programs(const struct energy_study *s, const double *errors, FILE *f)
{
	struct columns c = { 0 };
	int i;

	columns_must_add(&c, "left out", -16);
	columns_must_add(&c, "joules", 12);
	columns_must_add(&c, "error %", 9);
	columns_fit(&c, 0, NUMBERS_RAW);
	columns_print_heading(&c, f);
	for (i = 0; i < s->bases.nr; i++) {
		columns_text(&c, 0, s->r->programs.all[i].name);
		columns_value(&c, 1, "%.6f", s->bases.joules[i]);
		columns_value(&c, 2, "%.2f", 100 * errors[i]);
		columns_print_row(&c, f);
	}
	columns_free(&c);
}

static void print_model(const struct energy_study *s, const struct energy_model *m, const char *title, FILE *f)
{
	struct columns c = { 0 };
	int i;

	columns_must_add(&c, title, -44);
	columns_must_add(&c, "nanojoules each", 15);
	columns_fit(&c, 0, NUMBERS_RAW);
	fputc('\n', f);
	columns_print_heading(&c, f);
	for (i = 0; i < m->nr; i++) {
		columns_text(&c, 0, s->r->events[m->events[i]]);
		columns_value(&c, 1, "%.6g", 1e9 * m->joules[i]);
		columns_print_row(&c, f);
	}
	columns_free(&c);
}

static void print_compounds(const struct energy_study *s, const struct energy_model *m, FILE *f)
{
	double *errors = new_array(s->compounds.nr, sizeof(*errors));
	int i;

	for (i = 0; i < s->compounds.nr; i++)
		errors[i] = fabs(energy_of(m, s->compounds.counts + (size_t)i * s->compounds.nr_events) /
				 s->compounds.joules[i] - 1);
	fprintf(f, "errors of %d compounds of the programs of the fit: mean %.2f %%, largest %.2f %%\n", s->compounds.nr,
		100 * mean_error(errors, s->compounds.nr), 100 * largest(errors, s->compounds.nr));
	free(errors);
}

static void print_left_out(const struct energy_study *s, const double *errors, FILE *f)
{
	fprintf(f, "errors of %d programs that were left out: mean %.2f %%, largest %.2f %%", s->bases.nr,
		100 * mean_error(errors, s->bases.nr), 100 * largest(errors, s->bases.nr));
}

/* For comparison: a model that has the non-additive event which says most about the base programs */
static void compare(const struct energy_study *s, FILE *f)
{
	struct energy_model other = { 0 };
	double *errors;

	energy_fit(&other, &s->bases, s->non_additive, 0, 1);
	if (!other.nr)
		return;
	errors = new_array(s->bases.nr, sizeof(*errors));
	energy_left_out(&s->bases, s->may, other.events[0], s->terms, errors);
	energy_fit(&other, &s->bases, s->may, 1, s->terms);
	print_model(s, &other, "for comparison: with a non-additive event", f);
	print_left_out(s, errors, f);
	fputc('\n', f);
	print_compounds(s, &other, f);
	free(errors);
}

static int is_user_mode(const struct energy_study *s)
{
	const char *modes = about_get(&s->r->about, MODES_FACT);

	return modes && !strcmp(modes, MODES_USER);
}

static void write_metric(const struct energy_study *s, const struct energy_model *m, const char **events,
			 const char *path)
{
	const char *domain = about_get(&s->r->about, DOMAIN_FACT);
	pmc_machine_t *machine = pmc_machine_open();
	struct metric_model model = {
		.machine = machine, .core_type = about_get(&s->r->about, CORE_TYPE_FACT),
		.domain = domain ? domain : "package", .user = is_user_mode(s),
		.nr = m->nr, .events = events, .joules = m->joules,
	};
	FILE *f = fopen(path, "we");

	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	metric_model_write(f, &model);
	written(f, path);
	fclose(f);
	if (machine)
		pmc_machine_close(machine);
}

static void write_module(const struct energy_study *s, const struct energy_model *m, const char **events,
			 const char *path)
{
	pmc_machine_t *machine = pmc_machine_open();
	struct module_model model = {
		.machine = machine, .modes = is_user_mode(s) ? "" : ":u:k", .nr = m->nr, .events = events,
		.joules = m->joules,
	};
	FILE *f;

	if (!machine)
		bad("cannot write %s: %s", path, pmc_last_error());
	model.core_type = pmc_machine_find_core_type(machine, about_get(&s->r->about, CORE_TYPE_FACT));
	if (model.core_type < 0)
		bad("cannot write %s, as the model is not of this machine: %s", path, pmc_last_error());
	f = fopen(path, "we");
	if (!f)
		bad("cannot write %s: %s", path, strerror(errno));
	module_model_write(f, &model);
	written(f, path);
	fclose(f);
	pmc_machine_close(machine);
}

static void write_models(const struct energy_study *s, const struct energy_model *m, const struct energy_options *o)
{
	const char *events[NNLS_MOST];
	int i;

	for (i = 0; i < m->nr; i++)
		events[i] = s->r->events[m->events[i]];
	if (o->output)
		write_metric(s, m, events, o->output);
	if (o->module)
		write_module(s, m, events, o->module);
}

/* Return: 0: the model is worth something */
static int study(const struct energy_study *s, const struct energy_options *o, FILE *f)
{
	double *errors = new_array(s->bases.nr, sizeof(*errors)), error, constant, chance;
	struct energy_model model;

	energy_left_out(&s->bases, s->may, -1, s->terms, errors);
	error = mean_error(errors, s->bases.nr);
	constant = energy_constant_error(&s->bases);
	chance = energy_chance(&s->bases, s->may, s->terms);
	print_programs(s, errors, f);
	fputc('\n', f);
	print_left_out(s, errors, f);
	fprintf(f, "; of a constant: mean %.2f %%; p = %.3f\n", 100 * constant, chance);
	free(errors);
	energy_fit(&model, &s->bases, s->may, 0, s->terms);
	print_model(s, &model, "model of all base programs", f);
	print_compounds(s, &model, f);
	compare(s, f);
	written(f, "standard output");
	if (!energy_is_good(error, constant, chance)) {
		fprintf(stderr, "pmc-additivity: the events say nothing about energy: no model is written\n");
		return 1;
	}
	write_models(s, &model, o);
	return 0;
}

static int default_terms(int programs)
{
	return programs / 3 < TERMS_MOST ? programs / 3 : TERMS_MOST;
}

int verb_energy(int argc, char **argv)
{
	struct energy_options o = { .tolerance = 0.05 };
	struct energy_study s = { 0 };
	struct verdicts v;
	struct results r;
	int status;

	parse(&o, argc, argv);
	results_read(&r, o.folder);
	if (r.programs.nr_bases < PROGRAMS_LEAST)
		bad("%d base programs are too few to say what a model is worth: run %d or more",
		    r.programs.nr_bases, PROGRAMS_LEAST);
	verdicts_find(&v, &r, o.tolerance);
	check_energy(&v);
	s.r = &r;
	s.terms = o.terms ? o.terms : default_terms(r.programs.nr_bases);
	choose_events(&s, &v, o.events);
	take_programs(&s.bases, &r, 0, r.programs.nr_bases);
	take_programs(&s.compounds, &r, r.programs.nr_bases, r.programs.nr);
	status = study(&s, &o, stdout);
	energy_data_free(&s.bases);
	energy_data_free(&s.compounds);
	free(s.may);
	free(s.non_additive);
	verdicts_free(&v);
	results_free(&r);
	return status;
}
