// SPDX-License-Identifier: GPL-2.0
/*
 * Each shape that is shipped is fitted with the commands in its first lines, in
 * docs/models.md and in the manual page, to counts of invented programs whose speedup or
 * efficiency factor is known, or has nothing to do with the counts. pmc-model runs like a user's command. The kernel's code reads
 * its models and computes the estimates.
 */
#include <glob.h>
#include <math.h>
#include <unistd.h>

#include "unit.h"

#include "estimated/text.h"
#include "module_error.h"
#include <pmctrack/monitoring_module.h>

#define SHAPES		TOP "/monitoring-modules/estimated/models/"
/* So many that a formula may have as many terms as there are metrics */
#define PROGRAMS	36
#define WINDOWS		(PROGRAMS * 6)
#define INSTRUCTIONS	1000000000
#define GROUPS		4
#define ALL		(-1)
#define NONE		(-2)

/* A model file, by its two core types in order */
static struct platform {
	char path[512];
	unsigned int nr;
	char name[2][32];
	struct model model[2];
} shape, fitted;

/* The two commands that users type. */
static struct example {
	const char *where;
	unsigned int nr_groups;
	char group[GROUPS][200];
	char virtual[64];
	char time[32];
	char energy[64];
	char options[200];
	char shape[64];
} example;

/* Counts of the invented program in each window on each core type, by event */
static struct {
	u64 count[2][MODEL_EVENTS_MAX];
	u64 time[2];
	u64 energy[2];
	double truth;
} window[WINDOWS];

static char folder[] = "/tmp/shapes.XXXXXX";
static u64 random_state;

static double uniform(double least, double most)
{
	return least + (most - least) * (next_random(&random_state) >> 11) / (1ULL << 53);
}

static char *contents(const char *path)
{
	static char text[1 << 18];
	FILE *f = fopen(path, "r");

	if (!f)
		fail_msg("%s can't be read", path);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* MODULE.CORETYPE.KEY=VALUE, as params.c in monitoring-modules/estimated has it */
static void read_line(struct platform *p, char *line)
{
	char events[MODEL_EVENTS_LEN], *value = strchr(line, '='), *core, *key;
	unsigned int i;

	assert_non_null(value);
	*value++ = '\0';
	core = strchr(line, '.') + 1;
	key = strchr(core, '.');
	if (!key)
		return;
	*key++ = '\0';
	for (i = 0; i < p->nr && strcmp(p->name[i], core); i++)
		;
	if (i == p->nr) {
		assert_in_range(i, 0, 1);
		strcpy(p->name[p->nr], core);
		model_init(&p->model[p->nr++]);
	}
	if (model_line(&p->model[i], core, key, value, events))
		fail_msg("%s: %s", p->path, error.text);
}

static void read_platform(struct platform *p, const char *path)
{
	char *line, *rest;

	memset(p, 0, sizeof(*p));
	strcpy(p->path, path);
	for (line = strtok_r(contents(path), "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (line[0] != '#')
			read_line(p, line);
	assert_int_equal(p->nr, 2);
}

/* Join continued lines, also those of a comment or a manual page. */
static void join_lines(char *text)
{
	char *to = text, *from;

	for (from = text; *from; from++) {
		if (!strncmp(from, "\\\n", 2) || !strncmp(from, "\\e\n", 3)) {
			from = strchr(from, '\n') + 1;
			from += strspn(from, "# ") - 1;
		} else if (*from != '\\') {
			*to++ = *from;
		}
	}
	*to = '\0';
}

/* The word after an option, or after --option= */
static bool option(const char *word, const char *name, char **rest, char *to)
{
	size_t len = strlen(name);

	if (strncmp(word, name, len))
		return false;
	strcpy(to, name[1] == '-' ? word + len : strtok_r(NULL, " ", rest));
	return true;
}

static void read_training(char *line)
{
	char *word, *rest, *sets, none[64];

	for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		assert_true(example.nr_groups < GROUPS);
		if (option(word, "-c", &rest, example.group[example.nr_groups]))
			example.nr_groups++;
		else if (!option(word, "-V", &rest, example.virtual))
			option(word, "-w", &rest, none);
	}
	if (example.nr_groups)
		return;
	sets = strstr(contents(TOP "/scripts/pmc-train-model"), "${sets:=");
	assert_int_equal(sscanf(sets, "${sets:=%199[a-z0-9_,]}", example.group[0]), 1);
	example.nr_groups = 1;
}

static void read_fit(char *line)
{
	char *word, *rest;
	size_t len;

	strcpy(example.time, "running_us");
	for (word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		len = strlen(word);
		if (option(word, "-T", &rest, example.time))
			sprintf(example.options + strlen(example.options), " -T %s", example.time);
		else if (option(word, "--energy=", &rest, example.energy))
			sprintf(example.options + strlen(example.options), " %s", word);
		else if (len > 6 && !strcmp(word + len - 6, ".shape"))
			strcpy(example.shape, strrchr(word, '/') ? strrchr(word, '/') + 1 : word);
	}
}

/* The line with pmc-model comes after that with pmc-train-model. */
static void read_example(const char *path)
{
	static char text[1 << 18];
	char *training, *fit;

	memset(&example, 0, sizeof(example));
	example.where = path;
	strcpy(text, contents(path));
	join_lines(text);
	training = strstr(text, "pmc-train-model /");
	fit = training ? strstr(training, "\npmc-model ") : NULL;
	fit = fit ?: training ? strstr(training, " pmc-model ") : NULL;
	if (!fit)
		fail_msg("%s does not say how a model is fitted", path);
	*strchr(training, '\n') = '\0';
	*strchr(fit + 1, '\n') = '\0';
	read_training(training);
	read_fit(fit + 1);
}

/* NAME of NAME=EVENT, or the name of the event */
static void column_name(const char *word, char *name)
{
	size_t len = strcspn(word, "=");

	memcpy(name, word, len);
	name[len] = '\0';
}

static double metric_of(const struct model *m, int i, const u64 *count)
{
	return (double)count[m->metric[i].over] / count[m->metric[i].under] * m->metric[i].factor;
}

/* The order of magnitude of a metric */
static double size_of(const struct model *m, int i)
{
	return m->metric[i].over == model_event(m, "instr") ? 1 : m->metric[i].factor * 0.01;
}

/* The truth: 1 + metric / size, or the same with the mean of all metrics */
static double truth_of(const struct model *m, int metric, const u64 *count)
{
	double sum = 0;
	int i;

	for (i = 0; i < m->nr_metrics; i++)
		if (metric == ALL || metric == i)
			sum += metric_of(m, i, count) / size_of(m, i);
	return 1 + (metric == ALL ? sum / m->nr_metrics : sum);
}

/*
 * Have the first metric of a core type that is made of neither instructions nor cycles alone
 * say the truth.
 */
static void tell_truth(const struct model *m, u64 *count, double truth)
{
	int i = 0;

	while (m->metric[i].over == model_event(m, "instr"))
		i++;
	count[m->metric[i].over] = (truth - 1) * size_of(m, i) / m->metric[i].factor *
		count[m->metric[i].under];
}

/*
 * The metric on one core type determines the time on the other, and the other's counts have
 * it, too. NONE: the truth has nothing to do with any metric.
 */
static void make_windows(int core, int metric)
{
	bool by_cycles = !strcmp(example.time, "cycles");
	int w, c, e, cycles;

	random_state = 1;
	for (w = 0; w < WINDOWS; w++) {
		u64 (*count)[MODEL_EVENTS_MAX] = window[w].count;
		double factor;

		for (c = 0; c < 2; c++) {
			for (e = 0; e < shape.model[c].nr_events; e++)
				count[c][e] = uniform(0.001, 0.01) * INSTRUCTIONS;
			count[c][model_event(&shape.model[c], "instr")] = INSTRUCTIONS;
			cycles = model_event(&shape.model[c], "cycles");
			count[c][cycles] = uniform(0.5, 2) * INSTRUCTIONS;
			window[w].time[c] = by_cycles ? count[c][cycles] : uniform(1e8, 2e8);
			window[w].energy[c] = uniform(1e8, 2e8);
		}
		factor = metric == NONE ? uniform(1.1, 2.5) :
			 truth_of(&shape.model[core], metric, count[core]);
		window[w].truth = factor;
		if (core)
			factor = 1 / factor;
		if (example.energy[0]) {
			factor /= (double)window[w].time[!core] / window[w].time[core];
			window[w].energy[!core] = window[w].energy[core] * factor;
		} else {
			window[w].time[!core] = window[w].time[core] * factor;
			if (by_cycles)
				count[!core][model_event(&shape.model[!core], "cycles")] =
					window[w].time[!core];
		}
		if (metric != NONE)
			tell_truth(&shape.model[!core], count[!core], window[w].truth);
	}
}

/* Write a file like pmctrack's for one -c of pmc-train-model, with some of the windows. */
static void write_group(FILE *f, int core, const char *group, int first, int nr)
{
	char words[200], name[64], *word, *rest;
	int w, cycles = model_event(&shape.model[core], "cycles"), event;

	fprintf(f, "nsample,event,running_us,instr:ebs=%d,cycles", INSTRUCTIONS);
	for (strcpy(words, group), word = strtok_r(words, ",", &rest); word;
	     word = strtok_r(NULL, ",", &rest)) {
		column_name(word, name);
		fprintf(f, ",%s", name);
	}
	if (example.virtual[0])
		fprintf(f, ",%s[uJ]", example.virtual);
	/* The first one is the program's start, and is left out. */
	for (w = -1; w < nr; w++) {
		int from = first + (w < 0 ? 0 : w);

		fprintf(f, "\n%d,ebs,%llu,%d,%llu", w + 2, window[from].time[core], INSTRUCTIONS,
			window[from].count[core][cycles]);
		for (strcpy(words, group), word = strtok_r(words, ",", &rest); word;
		     word = strtok_r(NULL, ",", &rest)) {
			column_name(word, name);
			event = model_event(&shape.model[core], name);
			fprintf(f, ",%llu", event < 0 ? 0 : window[from].count[core][event]);
		}
		if (example.virtual[0])
			fprintf(f, ",%llu", window[from].energy[core]);
	}
	fputc('\n', f);
	fclose(f);
}

static FILE *create(const char *name)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	assert_non_null(f);
	return f;
}

static void write_runs(int nr_programs)
{
	FILE *runs = create("RUNS");
	int program, core, i;
	char name[40];

	for (program = 0; program < nr_programs; program++) {
		for (core = 0; core < 2; core++) {
			fprintf(runs, "made_up.%d %s", program, shape.name[core]);
			for (i = 0; i < (int)example.nr_groups; i++) {
				snprintf(name, sizeof(name), "%d.%d.%d", program, core, i);
				write_group(create(name), core, example.group[i],
					    program * (WINDOWS / PROGRAMS), WINDOWS / PROGRAMS);
				fprintf(runs, " %s", name);
			}
			fputc('\n', runs);
		}
	}
	fclose(runs);
}

/* The exit status. The new model is in new.model, and messages are in messages. */
static int run_pmc_model(int nr_programs)
{
	char command[1024];

	write_runs(nr_programs);
	snprintf(command, sizeof(command), "cd %s && %s%s %s RUNS >new.model 2>messages", folder,
		 PMC_MODEL, example.options, shape.path);
	return WEXITSTATUS(system(command));
}

static char *output(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return contents(path);
}

static void must_fit(void)
{
	char path[64];

	if (run_pmc_model(PROGRAMS))
		fail_msg("%s: %s: %s", example.where, example.options, output("messages"));
	snprintf(path, sizeof(path), "%s/new.model", folder);
	read_platform(&fitted, path);
}

/* The worst estimate of the model's formula for a core type, relative to the truth */
static double worst_estimate(int core)
{
	const struct model *m = &fitted.model[core], *s = &shape.model[core];
	double worst = 0;
	int w, i;
	s64 value;

	assert_true(m->estimates);
	for (w = 0; w < WINDOWS; w++) {
		const u64 *count = window[w].count[core];
		u64 metrics[MODEL_METRICS_MAX];

		for (i = 0; i < m->nr_metrics; i++) {
			const struct model_metric *metric = &m->metric[i];

			metrics[i] = model_ratio(count[model_event(s, m->event[metric->over])],
						 count[model_event(s, m->event[metric->under])],
						 metric->factor);
		}
		assert_true(model_estimate(m, metrics, &value));
		worst = fmax(worst, fabs((double)value / MODEL_ONE / window[w].truth - 1));
	}
	return worst;
}

static void close_to(double value, double want, const char *what, const char *metric)
{
	if (fabs(value - want) > 1e-4 * fabs(want))
		fail_msg("%s, %s: %s is %.9f, not %.9f", example.where, metric, what, value, want);
}

/* A truth that depends on one metric is fitted with that metric, and no other. */
static void find_metric(int core, int metric)
{
	const struct model *s = &shape.model[core], *m = &fitted.model[core];
	const char *name = s->metric[metric].name;
	unsigned int i, found = 0;

	must_fit();
	assert_false(m->inverse);
	close_to((double)m->constant / (1LL << 40), 1, "constant", name);
	for (i = 0; i < m->nr_terms; i++) {
		const struct model_term *term = &m->term[i];

		if (term->shape != MODEL_LINEAR || strcmp(m->metric[term->metric].name, name))
			continue;
		found++;
		close_to((double)term->a / (1LL << 40), 1 / size_of(s, metric), "coefficient",
			 name);
	}
	assert_int_equal(found, 1);
	close_to(1 + worst_estimate(core), 1, "worst estimate", name);
}

/* All metrics on each core type take a minute; with few rounds every eighth is tested. */
static bool is_left_out(int core, int metric)
{
	const char *size = getenv("SIZE");

	return (!size || strcmp(size, "long")) && metric % 8 != 2 * core;
}

static void fit_as_documented(const char *where)
{
	char path[512];
	double worst;
	int core, i;

	read_example(where);
	snprintf(path, sizeof(path), "%s%s", SHAPES, example.shape);
	read_platform(&shape, path);
	for (core = 0; core < 2; core++) {
		for (i = 0; i < shape.model[core].nr_metrics; i++) {
			if (is_left_out(core, i))
				continue;
			make_windows(core, i);
			find_metric(core, i);
		}
		make_windows(core, ALL);
		must_fit();
		worst = worst_estimate(core);
		printf("%s, core type %s: %d metrics, all of them: worst estimate %.4f %%\n",
		       example.shape, shape.name[core], shape.model[core].nr_metrics, worst * 100);
		assert_true(worst < 0.005);
	}
}

static void each_shape_as_it_says_itself(void **state)
{
	glob_t shapes;
	size_t i;

	assert_int_equal(glob(SHAPES "*.shape", 0, NULL, &shapes), 0);
	assert_true(shapes.gl_pathc >= 3);
	for (i = 0; i < shapes.gl_pathc; i++) {
		fit_as_documented(shapes.gl_pathv[i]);
		assert_string_equal(example.shape, strrchr(shapes.gl_pathv[i], '/') + 1);
	}
	globfree(&shapes);
}

static void as_the_documents_say(void **state)
{
	fit_as_documented(TOP "/docs/models.md");
}

static void as_the_manual_page_says(void **state)
{
	fit_as_documented(TOP "/pmctrack-cli/man/pmc-model.1");
}

/* If counts have no relation to the factor, no model is written. */
static void nothing_to_find(void **state)
{
	const char *last;

	read_example(SHAPES "four-counters.shape");
	read_platform(&shape, SHAPES "four-counters.shape");
	make_windows(0, NONE);
	assert_int_equal(run_pmc_model(PROGRAMS), 1);
	assert_string_equal(output("new.model"), "");
	last = output("messages");
	assert_non_null(strstr(last, "pmc-model: the metrics on P say nothing about the factor: "));
	assert_non_null(strstr(last, "pmc-model: the metrics on E say nothing about the factor: "));
	assert_non_null(strstr(last, "\npmc-model: no model is written\n"));
	assert_null(strstr(last, "warning"));
}

static void few_programs(void **state)
{
	int core = 0;

	read_example(SHAPES "four-counters.shape");
	read_platform(&shape, SHAPES "four-counters.shape");
	make_windows(core, 1);
	assert_int_equal(run_pmc_model(4), 2);
	assert_string_equal(output("messages"),
			    "pmc-model: 4 programs: too few to tell what a model is worth; run 5 or more\n");
	assert_int_equal(run_pmc_model(19), 0);
	assert_non_null(strstr(output("messages"),
			       "pmc-model: warning: 19 programs are few, and the errors uncertain; run 20 or more\n"));
	assert_non_null(strstr(output("messages"), "\nmade_up.18 "));
}

static int make_folder(void **state)
{
	return !mkdtemp(folder);
}

static int remove_folder(void **state)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_shape_as_it_says_itself),
		cmocka_unit_test(as_the_documents_say),
		cmocka_unit_test(as_the_manual_page_says),
		cmocka_unit_test(nothing_to_find),
		cmocka_unit_test(few_programs),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
