// SPDX-License-Identifier: GPL-2.0
/* The command line of pmctrack. */
#include <fcntl.h>
#include <unistd.h>

#include "lib.h"
#include "refused.h"
#include "report.h"

#define MAX_ARGS 48

static struct options o;

/* Split at blanks. */
static void parse(const char *line)
{
	static char copy[256];
	static char *argv[MAX_ARGS + 1];
	char *next = copy;
	int argc = 0;

	strcpy(copy, line);
	while ((argv[argc] = strsep(&next, " ")))
		argc++;
	options_parse(&o, argc, argv);
}

static void parse_line(void *line)
{
	parse(line);
}

static void refused(const char *line, const char *part)
{
	check_refused(parse_line, (void *)line, part);
}

static void test_perfetto(void **state)
{
	parse("pmctrack -o run.pftrace prog");
	assert_ptr_equal(o.format, &report_perfetto);
	parse("pmctrack -o .pftrace prog");
	assert_ptr_equal(o.format, &report_table);
	parse("pmctrack --format=csv -o run.pftrace prog");
	assert_ptr_equal(o.format, &report_csv);
}

/* The name of a file says the form, if nothing else does. */
static void test_file(void **state)
{
	parse("pmctrack prog");
	assert_ptr_equal(o.format, &report_table);
	parse("pmctrack -o run.txt prog");
	assert_ptr_equal(o.format, &report_table);
	parse("pmctrack -o run.csv prog");
	assert_ptr_equal(o.format, &report_csv);
	parse("pmctrack -A -o run.json prog");
	assert_ptr_equal(o.format, &report_json);
	parse("pmctrack --format=table -o run.json prog");
	assert_ptr_equal(o.format, &report_table);
	parse("pmctrack --plot -o run.json prog");
	assert_ptr_equal(o.format, &report_table);
}

static void test_figure(void **state)
{
	parse("pmctrack -o run.gp prog");
	assert_ptr_equal(o.format, &report_image);
	parse("pmctrack --plot -o run.gp prog");
	assert_ptr_equal(o.format, &report_image);
	assert_int_equal(o.plot, PLOT_CORE_TYPES);
	parse("pmctrack --format=csv -o run.gp prog");
	assert_ptr_equal(o.format, &report_csv);
	refused("pmctrack -A -o run.gp prog", "a figure needs the samples that -A leaves out");
	setenv("PMCTRACK_DYGRAPHS", "/nonexistent", 1);
	refused("pmctrack -o run.html prog", "install Debian's package libjs-dygraphs");
	refused("pmctrack -A -o run.html prog", "a page needs the samples that -A leaves out");
	/* What cannot be drawn is refused before the program runs. */
	setenv("PATH", "/nonexistent", 1);
	refused("pmctrack -o run.svg prog", "install Debian's package gnuplot-nox");
}

static void test_short(void **state)
{
	parse("pmctrack -c instr -c cycles -T 0.01 -e -E -L -t -s -k 64 -n 3 -N 1.5 -K 7 -r -b 0-1 -B 2 -o f -P big prog -c x");
	assert_int_equal(o.nr_configs, 2);
	assert_string_equal(o.configs[1], "cycles");
	assert_int_equal(o.period_us, 10000);
	assert_true(o.extended && o.elapsed && o.no_mapping && o.times && o.plain_seconds && o.raw);
	assert_int_equal(o.ring, 64);
	assert_int_equal(o.max_samples, 3);
	assert_int_equal(o.limit_us, 1500000);
	assert_int_equal(o.max_ebs_samples, 7);
	assert_int_equal(CPU_COUNT(&o.bind), 2);
	assert_true(CPU_ISSET(2, &o.bind_monitor));
	assert_string_equal(o.output, "f");
	assert_string_equal(o.pmu, "big");
	/* Options after the program's name belong to the program. */
	assert_string_equal(o.command[0], "prog");
	assert_string_equal(o.command[1], "-c");
}

static void test_long(void **state)
{
	parse("pmctrack --syswide --aggregate --format=json --filter=all --config=instr");
	assert_true(o.syswide && o.aggregate);
	assert_ptr_equal(o.format, &report_json);
	assert_string_equal(o.filter, "all");
	assert_null(o.command);
	assert_int_equal(o.period_us, 1000000);
	parse("pmctrack -V energy_core,sf --virtual=ipc x");
	assert_int_equal(o.nr_virtuals, 2);
	assert_string_equal(o.virtuals[0], "energy_core,sf");
	assert_string_equal(o.virtuals[1], "ipc");
	assert_int_equal(o.nr_configs, 0);
	parse("pmctrack --plot=thread --pid=12");
	assert_int_equal(o.plot, PLOT_THREADS);
	assert_int_equal(o.nr_pids, 1);
	assert_int_equal(o.pids[0], 12);
	parse("pmctrack -p 1,23 --pid=4");
	assert_int_equal(o.nr_pids, 3);
	assert_int_equal(o.pids[1], 23);
	assert_int_equal(o.pids[2], 4);
	parse("pmctrack -p 12,23,12 -p23");
	assert_int_equal(o.nr_pids, 2);
	parse("pmctrack -T 100ms -N 2s x");
	assert_int_equal(o.period_us, 100000);
	assert_int_equal(o.limit_us, 2000000);
	parse("pmctrack -T 500us x");
	assert_int_equal(o.period_us, 500);
	parse("pmctrack -C 0-2,5");
	assert_true(o.syswide);
	assert_string_equal(o.cpus, "0-2,5");
	assert_int_equal(CPU_COUNT(&o.count_cpus), 4);
}

static void test_refused(void **state)
{
	refused("pmctrack", "no program to run");
	refused("pmctrack -c instr", "no program to run");
	refused("pmctrack -T 0 x", "must be above zero");
	refused("pmctrack -T 0.0000001 x", "must be above zero");
	refused("pmctrack -T -1 x", "number of seconds");
	refused("pmctrack -T fast x", "number of seconds");
	refused("pmctrack -T 1min x", "number of seconds");
	refused("pmctrack -T ms x", "number of seconds");
	refused("pmctrack -T nan x", "number of seconds");
	refused("pmctrack -n 0 x", "-n takes a number from 1");
	refused("pmctrack -n -5 x", "-n takes a number from 1");
	refused("pmctrack -k 99999999999999999999 x", "-k takes a number");
	refused("pmctrack -p init", "-p takes a number");
	refused("pmctrack -p 1,x", "-p takes a number");
	refused("pmctrack -p 1,", "-p takes a number");
	refused("pmctrack -C x", "-C takes CPUs as 3");
	refused("pmctrack -p 1 x", "leave out 'x'");
	refused("pmctrack -p 1 -S", "choose one");
	refused("pmctrack -b 3-1 x", "-b takes CPUs");
	refused("pmctrack -b 1 -S", "-b is for a program that pmctrack runs; to count some CPUs, write -C instead\n");
	refused("pmctrack -b 1 -p 1", "-b is for a program that pmctrack runs\n");
	refused("pmctrack --format=xml x", "table, csv, json or perfetto");
	refused("pmctrack --format=perfetto x", "name it with -o");
	refused("pmctrack -A -o f.pftrace x", "needs the samples that -A leaves out");
	refused("pmctrack --plot=all x", "coretype or thread");
	refused("pmctrack --plot --format=csv x", "leave out --format");
	refused("pmctrack --plot -A x", "choose one");
	refused("pmctrack --filter=none x", "user, kernel or all");
	refused("pmctrack -Z x", "invalid option -- 'Z'; see pmctrack --help");
	refused("pmctrack -c", "option '-c' requires an argument; see pmctrack --help");
	refused("pmctrack --fromat x", "unrecognized option '--fromat'; see pmctrack --help");
}

static void test_cpus(void **state)
{
	static const char *const bad[] = {
		"", "a", "1,", ",1", "1-", "-1", "3-1", "0x", "0x0", "0xg", "1 2", "99999",
		"0x11111111111111111",
	};
	cpu_set_t set;
	size_t i;

	assert_int_equal(cpus_parse("3", &set), 0);
	assert_int_equal(CPU_COUNT(&set), 1);
	assert_true(CPU_ISSET(3, &set));
	assert_int_equal(cpus_parse("0-2,5", &set), 0);
	assert_int_equal(CPU_COUNT(&set), 4);
	assert_true(CPU_ISSET(5, &set));
	assert_int_equal(cpus_parse("0x2f", &set), 0);
	assert_int_equal(CPU_COUNT(&set), 5);
	assert_false(CPU_ISSET(4, &set));
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(cpus_parse(bad[i], &set), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perfetto),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_figure),
		cmocka_unit_test(test_short),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
