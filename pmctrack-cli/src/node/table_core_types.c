// SPDX-License-Identifier: GPL-2.0
/* Miss rates and shares of instructions on each core type, of each program on its cores */
#include <stdlib.h>

#include "columns.h"
#include "common.h"
#include "node/stats.h"
#include "node/tables.h"

static double share(const struct run_data *run, int type)
{
	return stats_share(run, type, "instr");
}

static const struct row {
	const char *title;
	double (*value)(const struct run_data *run, int type);
} rows[] = {
	{ "LLC miss rate", stats_miss_rate },
	{ "instructions", share },
};

static int heading(struct columns *c, const char *what, const char *cores, const char *type)
{
	char text[96];

	snprintf(text, sizeof(text), "%s%s%s:%s", what, *cores ? " on " : "", cores, type);
	return columns_add(c, text, 10) < 0;
}

/* With two groups, columns of changes follow. */
static int add_columns(struct columns *c, const struct run_groups *groups, int nr_types)
{
	int i, type, failed = columns_add(c, "", -14) < 0;

	c->nr_fixed = 1;
	for (i = 0; i < groups->nr; i++)
		for (type = 0; type < nr_types; type++)
			failed |= heading(c, groups->all[i].name, groups->all[i].cores,
					  groups->all[i].mean.types.names[type]);
	for (type = 0; type < nr_types && groups->nr == 2; type++)
		failed |= heading(c, "change", "", groups->all[0].mean.types.names[type]);
	return failed;
}

static void print_row(struct columns *c, const struct run_groups *groups, int nr_types,
		      const struct row *row, FILE *f)
{
	const struct run_group *all = groups->all;
	int i, type, column = 1;

	columns_text(c, 0, row->title);
	for (i = 0; i < groups->nr; i++)
		for (type = 0; type < nr_types; type++)
			columns_value(c, column++, "%.2f %%", row->value(&all[i].mean, type));
	for (type = 0; type < nr_types && groups->nr == 2; type++)
		columns_value(c, column++, "%+.1f %%", 100 * (row->value(&all[1].mean, type) /
						    row->value(&all[0].mean, type) - 1));
	columns_print_row(c, f);
}

void table_core_types(const struct run_groups *groups, FILE *f)
{
	int nr_types = groups->all[0].mean.types.nr, i;
	struct columns c = { 0 };
	size_t row;

	for (i = 1; i < groups->nr; i++)
		if (groups->all[i].mean.types.nr != nr_types)
			bad("%s and %s are of machines with other core types", groups->all[0].mean.path,
			    groups->all[i].mean.path);
	if (add_columns(&c, groups, nr_types))
		bad("out of memory");
	columns_fit(&c, 0, NUMBERS_RAW);
	columns_print_heading(&c, f);
	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
		print_row(&c, groups, nr_types, &rows[row], f);
	columns_free(&c);
}
