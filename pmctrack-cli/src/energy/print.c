// SPDX-License-Identifier: GPL-2.0
/* The reports of pmctrack energy: a table, and CSV with microjoules. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "common.h"
#include "energy/energy.h"
#include "quote.h"

/* The row of a thread, or of something else, which belongs to no core type */
struct row {
	const char *name;
	const uint64_t *by_core_type;
	uint64_t all;
	uint64_t running;
};

static const char *idle_name(const struct energy_result *r)
{
	return r->by_cores ? "packages without cores" : "idle machine";
}

static const char *rest_name(const struct energy_result *r)
{
	return r->by_cores ? "other threads, idle cores" : "other threads, error of the model";
}

static void print_row(struct columns *c, const struct energy_result *r, const struct row *row, FILE *f)
{
	int id, nr = r->threads.nr_core_types;

	columns_text(c, 0, row->name);
	for (id = 0; row->by_core_type && nr > 1 && id < nr; id++)
		columns_value(c, 1 + id, "%.6f", row->by_core_type[id] / 1e6);
	id = nr > 1 ? 1 + nr : 1;
	columns_value(c, id, "%.6f", row->all / 1e6);
	columns_value(c, id + 1, "%.1f", r->balance.package ? 100.0 * row->all / r->balance.package : 0);
	if (row->by_core_type) {
		columns_value(c, id + 2, "%.3f", row->running / 1e9);
		columns_value(c, id + 3, "%.3f", row->running ? row->all * 1e3 / row->running : 0);
	}
	columns_print_row(c, f);
}

static uint64_t sum_of(const uint64_t *values, int nr)
{
	uint64_t sum = 0;

	while (nr--)
		sum += values[nr];
	return sum;
}

static void print_threads(struct columns *c, const struct energy_result *r, FILE *f)
{
	const struct energy_threads *threads = &r->threads;
	int i, id, nr = threads->nr_core_types;
	uint64_t *all = new_array(nr, sizeof(*all)), running = 0, *shares, *times;
	char name[NAME_QUOTED], text[NAME_QUOTED + 16];

	for (i = 0; i < threads->nr; i++) {
		shares = r->balance.shares + (size_t)i * nr;
		times = threads->running + (size_t)i * nr;
		snprintf(text, sizeof(text), "%s-%d", quote_name(name, sizeof(name), threads->all[i].name, ""),
			 threads->all[i].tid);
		print_row(c, r, &(struct row){ text, shares, sum_of(shares, nr), sum_of(times, nr) }, f);
		for (id = 0; id < nr; id++)
			all[id] += shares[id];
		running += sum_of(times, nr);
	}
	if (threads->nr > 1)
		print_row(c, r, &(struct row){ "all these threads", all, sum_of(all, nr), running }, f);
	free(all);
}

static void add_columns(struct columns *c, const struct energy_result *r)
{
	char heading[64];
	int id;

	columns_must_add(c, "", -(int)strlen("other threads, error of the model"));
	for (id = 0; r->threads.nr_core_types > 1 && id < r->threads.nr_core_types; id++) {
		snprintf(heading, sizeof(heading), "%s[J]", pmc_machine_core_type(r->machine, id)->name);
		columns_must_add(c, heading, 12);
	}
	columns_must_add(c, "energy[J]", 12);
	columns_must_add(c, "share[%]", 8);
	columns_must_add(c, "running[s]", 10);
	columns_must_add(c, "power[W]", 9);
	columns_fit(c, 0, NUMBERS_RAW);
}

static void print_notes(FILE *f, const char *prefix, const struct energy_result *r)
{
	if (r->balance.factor < 1)
		fprintf(f, "%s%s: all are reduced by %.1f %%.\n", prefix, r->by_cores ?
			"Threads that shared a core have more energy together than the cores" :
			"The model's energies and the idle machine's are more than was measured",
			100 * (1 - r->balance.factor));
	if (r->missing)
		fprintf(f, "%sSome threads, or some of their time, could not be counted: their energy is in the rest.\n",
			prefix);
}

void energy_print_table(FILE *f, const struct energy_result *r)
{
	const struct energy_balance *b = &r->balance;
	struct columns c = { 0 };

	fprintf(f, "pmctrack energy: %s, %.3f s; threads: ", r->title, r->seconds);
	if (r->by_cores)
		fprintf(f, "energy of the core while they ran, measured\n");
	else
		fprintf(f, "estimated by a model; idle machine: %.3f W\n", r->idle_watts);
	add_columns(&c, r);
	columns_print_heading(&c, f);
	print_threads(&c, r, f);
	print_row(&c, r, &(struct row){ rest_name(r), NULL, b->rest, 0 }, f);
	print_row(&c, r, &(struct row){ idle_name(r), NULL, b->idle, 0 }, f);
	print_row(&c, r, &(struct row){ "packages, measured", NULL, b->package, 0 }, f);
	columns_free(&c);
	print_notes(f, "", r);
}

void energy_print_csv(FILE *f, const struct energy_result *r)
{
	int i, id, nr = r->threads.nr_core_types;
	const struct energy_thread *t;
	char name[NAME_QUOTED];

	fprintf(f, "kind,pid,tid,name,core_type,microjoules,running_ns\n");
	for (i = 0; i < r->threads.nr * nr; i++) {
		t = &r->threads.all[i / nr];
		id = i % nr;
		fprintf(f, "thread,%d,%d,", t->pid, t->tid);
		print_csv_string(f, quote_name(name, sizeof(name), t->name, ""));
		fprintf(f, ",%s,%" PRIu64 ",%" PRIu64 "\n", pmc_machine_core_type(r->machine, id)->name,
			r->balance.shares[i], r->threads.running[i]);
	}
	fprintf(f, "rest,,,,,%" PRIu64 ",\nidle,,,,,%" PRIu64 ",\npackages,,,,,%" PRIu64 ",\n",
		r->balance.rest, r->balance.idle, r->balance.package);
	print_notes(stderr, "pmctrack energy: ", r);
}
