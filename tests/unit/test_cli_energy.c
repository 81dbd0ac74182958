// SPDX-License-Identifier: GPL-2.0
/* pmctrack energy: shares that add up to the microjoule, threads, model files. */
#include <errno.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "energy/balance.h"
#include "energy/energy.h"
#include "energy/model.h"
#include "energy/threads.h"
#include "lib.h"

#define SHARES_MOST 64

static uint64_t shares[SHARES_MOST];

static struct energy_balance balance_of(uint64_t package, uint64_t idle, int nr, const double *estimates)
{
	struct energy_balance b = {
		.package = package, .idle = idle, .nr = nr, .estimates = estimates, .shares = shares,
	};

	energy_balance(&b);
	return b;
}

static uint64_t sum_of(int nr)
{
	uint64_t sum = 0;

	while (nr--)
		sum += shares[nr];
	return sum;
}

static void estimates_below_the_measured_energy_are_kept(void **state)
{
	const double estimates[] = { 100.4, 0, 250.4, 50.4 };
	struct energy_balance b = balance_of(1000, 300, 4, estimates);

	/* 401.2 is 401: the largest fraction gets one more. */
	assert_int_equal(shares[0], 100);
	assert_int_equal(shares[1], 0);
	assert_int_equal(shares[2], 250);
	assert_int_equal(shares[3], 51);
	assert_int_equal(b.rest, 299);
	assert_int_equal(b.idle, 300);
}

static void more_than_the_measured_energy_is_reduced_by_the_same_factor(void **state)
{
	const double estimates[] = { 600, 200, 600 };
	struct energy_balance b = balance_of(1000, 600, 3, estimates);

	assert_int_equal(shares[0], 300);
	assert_int_equal(shares[1], 100);
	assert_int_equal(shares[2], 300);
	assert_int_equal(b.idle, 300);
	assert_int_equal(b.rest, 0);
	assert_true(b.estimated == 1400 && b.factor == 0.5);
}

static void nothing_is_negative(void **state)
{
	const double estimates[] = { 0.5, 0.5 }, none[] = { 0, 0 };
	struct energy_balance b;

	/* The machine consumed less than when it was idle. */
	b = balance_of(100, 300, 2, none);
	assert_int_equal(b.idle, 100);
	assert_int_equal(b.rest, 0);
	/* Without a rest, and both would be rounded up. */
	b = balance_of(3, 5, 2, estimates);
	assert_int_equal(b.idle + sum_of(2), 3);
	b = balance_of(100, 30, 2, none);
	assert_int_equal(b.rest, 70);
	b = balance_of(100, 30, 0, NULL);
	assert_int_equal(b.rest, 70);
	b = balance_of(0, 0, 2, estimates);
	assert_int_equal(b.rest + sum_of(2), 0);
}

/* With SMT, both threads of a core get the energy of that core. The energy outside cores is measured, too. */
static void only_threads_are_reduced_where_cores_are_measured(void **state)
{
	const double shared[] = { 400, 400 }, alone[] = { 300, 200 };
	struct energy_balance b = {
		.package = 1000, .nr = 2, .estimates = shared, .shares = shares,
	};

	energy_balance_cores(&b, 600);
	assert_int_equal(shares[0], 300);
	assert_int_equal(shares[1], 300);
	assert_int_equal(b.rest, 0);
	assert_int_equal(b.idle, 400);
	assert_int_equal(b.package, 1000);
	assert_true(b.factor == 0.75);
	b.estimates = alone;
	energy_balance_cores(&b, 600);
	assert_int_equal(shares[0], 300);
	assert_int_equal(b.rest, 100);
	assert_int_equal(b.idle, 400);
	/* The register of the package was read before those of cores. */
	b.package = 590;
	energy_balance_cores(&b, 600);
	assert_int_equal(b.idle, 0);
	assert_int_equal(b.rest + sum_of(2), 590);
}

/* xorshift, with the same numbers each time */
static uint64_t next(void)
{
	static uint64_t seed = 88172645463325252ULL;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	return seed ^= seed << 17;
}

static void all_add_up_exactly(void **state)
{
	double estimates[SHARES_MOST], exact;
	struct energy_balance b;
	int round, i, nr;

	for (round = 0; round < 20000; round++) {
		nr = 1 + next() % SHARES_MOST;
		for (i = 0; i < nr; i++)
			estimates[i] = next() % 3 ? next() % 1000000000000 / 1e3 : 0;
		b = balance_of(next() % 20000000000, next() % 10000000000, nr, estimates);
		assert_true(sum_of(nr) + b.rest + b.idle == b.package);
		for (i = 0; i < nr; i++) {
			exact = b.estimated ? estimates[i] / b.estimated * sum_of(nr) : 0;
			assert_in_range(shares[i], exact > 1 ? exact - 1 : 0, exact + 1);
		}
	}
}

static void sums_of_a_thread_are_together(void **state)
{
	struct energy_threads threads = { .nr_core_types = 2 };
	struct pmc_reading sum = { .pid = 10, .tid = 10, .core_type = 0, .running = 5, .name = "one" };

	energy_threads_add(&threads, &sum, 100);
	sum.core_type = 1;
	energy_threads_add(&threads, &sum, 30);
	sum.tid = 11;
	energy_threads_add(&threads, &sum, 7);
	/* A later thread with the same number */
	strcpy(sum.name, "two");
	energy_threads_add(&threads, &sum, 8);
	assert_int_equal(threads.nr, 3);
	assert_true(threads.estimates[0] == 100 && threads.estimates[1] == 30);
	assert_true(threads.estimates[2] == 0 && threads.estimates[3] == 7);
	assert_true(threads.estimates[4] == 0 && threads.estimates[5] == 8);
	assert_int_equal(threads.running[1], 5);
	assert_string_equal(threads.all[0].name, "one");
	assert_string_equal(threads.all[2].name, "two");
	energy_threads_free(&threads);
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void a_model_is_that_of_its_core_type(void **state)
{
	pmc_machine_t *machine = open_machine("biglittle");
	pmc_plan_t *plan = pmc_plan_new(machine);
	char path[] = "/tmp/pmctrack-energy-XXXXXX", option[80];
	int fd = mkstemp(path);

	close(fd);
	write_file(path, "# a comment\n\nenergy[%.6f J]=4e-9*instr+1e-9*cycles\n");
	assert_int_equal(model_of(plan, 0), -1);
	snprintf(option, sizeof(option), "little=%s", path);
	model_add(plan, machine, option);
	assert_int_equal(model_of(plan, 0), -1);
	assert_int_equal(model_of(plan, 1), 0);
	write_file(path, "energy[%.6f J]=9e-9*instr\n");
	snprintf(option, sizeof(option), "0=%s", path);
	model_add(plan, machine, option);
	unlink(path);
	/* Both have the same name. */
	assert_int_equal(pmc_plan_nr_metrics(plan), 1);
	assert_string_equal(pmc_metric_expr(pmc_plan_metric(plan, 0, 0)), "9e-9*instr");
	assert_string_equal(pmc_metric_expr(pmc_plan_metric(plan, 0, 1)), "4e-9*instr+1e-9*cycles");
	pmc_plan_free(plan);
	pmc_machine_close(machine);
}

/* The exit status of a process that adds a model */
static int status_of_model(const char *text)
{
	pmc_machine_t *machine = open_machine("biglittle");
	pmc_plan_t *plan = pmc_plan_new(machine);
	char path[] = "/tmp/pmctrack-energy-XXXXXX", option[80];
	int status;
	pid_t pid;

	close(mkstemp(path));
	write_file(path, text);
	snprintf(option, sizeof(option), "little=%s", path);
	pid = fork();
	if (!pid) {
		model_add(plan, machine, option);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	unlink(path);
	pmc_plan_free(plan);
	pmc_machine_close(machine);
	return WEXITSTATUS(status);
}

/* The energy of memory, or of the platform, has no share in that of packages. */
static void a_model_is_that_of_packages(void **state)
{
	assert_int_equal(status_of_model("energy[%.6f J]=4e-9*instr:u\n"), 0);
	assert_int_equal(status_of_model("energy_dram[%.6f J]=4e-9*instr:u\n"), 2);
	assert_int_equal(status_of_model("joules[%.6f J]=4e-9*instr:u\n"), 0);
}

int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

/* The time that was asked for; a signal interrupts the first call half a second before the end. */
static struct timespec slept[2];
static int nr_slept;

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	assert_in_range(nr_slept, 0, 1);
	slept[nr_slept++] = *time;
	if (nr_slept == 2)
		return 0;
	*left = (struct timespec){ .tv_nsec = 500000000 };
	errno = EINTR;
	return -1;
}

/* --idle takes up to 1e9 seconds; 2^32 microseconds are 4295 seconds. */
static void the_idle_machine_is_measured_for_hours(void **state)
{
	sleep_us(10000 * 1000000ULL + 250000);
	assert_int_equal(nr_slept, 2);
	assert_int_equal(slept[0].tv_sec, 10000);
	assert_int_equal(slept[0].tv_nsec, 250000000);
	assert_int_equal(slept[1].tv_sec, 0);
	assert_int_equal(slept[1].tv_nsec, 500000000);
}

/* What a report prints on standard error; its text is dropped. */
static void errors_of(void (*print)(FILE *f, const struct energy_result *r), const struct energy_result *r,
		      char *buf, size_t size)
{
	FILE *out = tmpfile(), *err = tmpfile();
	int saved = dup(STDERR_FILENO);

	fflush(stderr);
	dup2(fileno(err), STDERR_FILENO);
	print(out, r);
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(err);
	buf[fread(buf, 1, size - 1, err)] = '\0';
	fclose(err);
	fclose(out);
}

static void csv_has_its_notes_on_standard_error(void **state)
{
	struct energy_result r = { .title = "./app", .by_cores = 1, .balance = { .factor = 0.75 }, .missing = 1 };
	char text[512];

	errors_of(energy_print_csv, &r, text, sizeof(text));
	assert_string_equal(text,
		"pmctrack energy: Threads that shared a core have more energy together than the cores: all are reduced by 25.0 %.\n"
		"pmctrack energy: Some threads, or some of their time, could not be counted: their energy is in the rest.\n");
	r.balance.factor = 1;
	r.missing = 0;
	errors_of(energy_print_csv, &r, text, sizeof(text));
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(estimates_below_the_measured_energy_are_kept),
		cmocka_unit_test(more_than_the_measured_energy_is_reduced_by_the_same_factor),
		cmocka_unit_test(only_threads_are_reduced_where_cores_are_measured),
		cmocka_unit_test(nothing_is_negative),
		cmocka_unit_test(all_add_up_exactly),
		cmocka_unit_test(sums_of_a_thread_are_together),
		cmocka_unit_test(a_model_is_that_of_its_core_type),
		cmocka_unit_test(a_model_is_that_of_packages),
		cmocka_unit_test(the_idle_machine_is_measured_for_hours),
		cmocka_unit_test(csv_has_its_notes_on_standard_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
