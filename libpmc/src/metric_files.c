// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where metrics are defined: in users' files, in the library's table, and in tables of the model
 * (event_files.h), in this order.
 *
 * Users' files have a definition a line. $PMCTRACK_METRICS names a file, which
 * comes first, then the user's own and the administrator's. Of several definitions of a name
 * the first counts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "error.h"
#include "event_files.h"
#include "expr.h"
#include "metric_defs.h"

#define SYSTEM_FILE "/etc/pmctrack/metrics"

static int parse_line(const char *path, int number, char *line, metric_def_fn fn, void *arg)
{
	struct metric_def def;
	char source[512], why[ERROR_LINE];

	line += strspn(line, " \t");
	line[strcspn(line, "\n")] = '\0';
	if (!*line || *line == '#')
		return 0;
	snprintf(source, sizeof(source), "%s:%d", path, number);
	if (metric_def_parse(&def, line)) {
		snprintf(why, sizeof(why), "%s", pmc_last_error());
		return pmc_fail(EINVAL, "%s: %s", source, why);
	}
	def.source = source;
	return fn(arg, &def);
}

/* A file that there is not has no metrics. */
static int read_file(const char *path, int must_exist, metric_def_fn fn, void *arg)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	int number = 0, rc = 0;

	if (!f && !must_exist && (errno == ENOENT || errno == ENOTDIR || errno == EACCES))
		return 0;
	if (!f)
		return pmc_fail(errno, "cannot read the metrics in %s: %m", path);
	while (!rc && getline(&line, &size, f) >= 0)
		rc = parse_line(path, ++number, line, fn, arg);
	free(line);
	fclose(f);
	return rc;
}

int metric_files_each(metric_def_fn fn, void *arg)
{
	const char *file = secure_getenv("PMCTRACK_METRICS");
	const char *config = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");
	char path[512] = "";
	int rc = 0;

	if (file && *file)
		rc = read_file(file, 1, fn, arg);
	if (config && *config)
		snprintf(path, sizeof(path), "%s/pmctrack/metrics", config);
	else if (home && *home)
		snprintf(path, sizeof(path), "%s/.config/pmctrack/metrics", home);
	if (!rc && *path)
		rc = read_file(path, 0, fn, arg);
	return rc ? rc : read_file(SYSTEM_FILE, 0, fn, arg);
}

/* A search for a metric by name */
struct search {
	const char *name;
	metric_def_fn fn;
	void *arg;
};

static int call_if_wanted(void *arg, const struct metric_def *def)
{
	struct search *search = arg;

	return strcasecmp(def->name, search->name) ? 0 : search->fn(search->arg, def);
}

static int call_row(const struct metric_row *row, metric_def_fn fn, void *arg)
{
	struct metric_def def = {
		.name = row->name, .expr = row->expr, .unit = row->unit, .groups = row->groups,
		.desc = row->desc ? row->desc : "", .source = "built in",
		.scale = row->scale, .digits = row->digits,
	};

	return fn(arg, &def);
}

/* The row of @name that is the core type's, or NULL */
static const struct metric_row *find_row(const pmc_machine_t *machine, const struct core_type *ct,
					 const char *name)
{
	const struct metric_row *row;

	for (row = metric_rows; row < metric_rows + nr_metric_rows; row++)
		if (!strcasecmp(row->name, name) &&
		    (!row->needs || metric_event_known(machine, ct, row->needs)))
			return row;
	return NULL;
}

/* A visit of the metrics in the tables of a model */
struct visit {
	const pmc_machine_t *machine;
	const struct core_type *ct;
	metric_def_fn fn;
	void *arg;
};

/* perf's scale is a factor and a unit, as in 100% and 1e3per_1k_instr. */
static int call_line(const struct visit *visit, const struct file_metric *line)
{
	struct metric_def def = {
		.name = line->name, .expr = line->expr, .unit = line->scale,
		.groups = line->groups, .desc = line->desc,
		.source = event_files_name(visit->ct->files), .scale = 1,
		.digits = METRIC_DIGITS,
	};
	double scale;

	def.unit = expr_number(line->scale, &scale);
	if (def.unit != line->scale)
		def.scale = scale;
	if (!strcmp(def.unit, "%"))
		def.digits = 1;
	return visit->fn(visit->arg, &def);
}

/* The library's rows come first. */
static int visit_line(void *arg, const struct file_metric *line)
{
	struct visit *visit = arg;

	return find_row(visit->machine, visit->ct, line->name) ? 0 : call_line(visit, line);
}

static int find_line(struct visit *visit, const char *name)
{
	struct file_metric line;
	int rc = event_files_find_metric(visit->ct, name, &line);

	if (rc <= 0)
		return rc;
	rc = call_line(visit, &line);
	free(line.line);
	return rc;
}

int metric_def_find(const pmc_machine_t *machine, const struct core_type *ct, const char *name,
		    metric_def_fn fn, void *arg)
{
	struct search search = { name, fn, arg };
	struct visit visit = { machine, ct, fn, arg };
	const struct metric_row *row;
	int rc = metric_files_each(call_if_wanted, &search);

	if (rc)
		return rc;
	row = find_row(machine, ct, name);
	return row ? call_row(row, fn, arg) : find_line(&visit, name);
}

int metric_def_each(const pmc_machine_t *machine, const struct core_type *ct, metric_def_fn fn,
		    void *arg)
{
	struct visit visit = { machine, ct, fn, arg };
	const struct metric_row *row;
	int rc = metric_files_each(fn, arg);

	for (row = metric_rows; !rc && row < metric_rows + nr_metric_rows; row++)
		if (row->desc && row == find_row(machine, ct, row->name))
			rc = call_row(row, fn, arg);
	return rc ? rc : event_files_each_metric(ct, visit_line, &visit);
}
