// SPDX-License-Identifier: GPL-2.0
/*
 * Virtual counters in the library: in regions of calipers, in PMCTrack's calls
 * and in sessions, with those of the template module.
 */
#include <errno.h>
#include <pmctrack.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vm.h"

#define MANAGER "/proc/pmc/mm_manager"
#define N 1000000

/* Indexes in the list of virtual counters below */
enum {
	SWITCHES,
	IPC,
};

static const char both[] = "template_switches,template_ipc";

/* Each call switches the thread out and in again. */
static void sleep_times(int n)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	while (n--)
		nanosleep(&ms, NULL);
}

/* IPC in thousandths of one or a half, or no value yet. */
static bool is_ipc(uint64_t value)
{
	return value == PMC_NO_VALUE || (value >= 490 && value <= 510) ||
	       (value >= 980 && value <= 1000);
}

static void regions(void)
{
	pmc_caliper_t *caliper = pmc_caliper_open_virtual("instr", both);
	uint64_t before[PMC_MAX_VIRTUALS], after[PMC_MAX_VIRTUALS];
	struct pmc_region region;
	int i;

	if (!caliper)
		die("caliper: %s", pmc_last_error());
	same(pmc_caliper_read_virtual(caliper, before), 2, "values of a caliper");
	for (i = 0; i < 3; i++) {
		CHECK(!pmc_region_begin(caliper, "outer"), "begin: %s", pmc_last_error());
		sleep_times(2);
		CHECK(!pmc_region_begin(caliper, "inner"), "begin: %s", pmc_last_error());
		sleep_times(4);
		spin(N);
		CHECK(!pmc_region_end(caliper, "inner"), "end: %s", pmc_last_error());
		CHECK(!pmc_region_end(caliper, "outer"), "end: %s", pmc_last_error());
	}
	pmc_caliper_read_virtual(caliper, after);
	CHECK(!pmc_region_read(caliper, "inner", &region), "no region");
	same(region.nr_counts, 1, "counts of a region");
	same(region.nr_virtual, 2, "values of a region");
	CHECK(region.counts[0] >= 3 * N, "%lu instructions", region.counts[0]);
	within(region.virtual_counts[SWITCHES], 12, 30, "switches of the inner region");
	CHECK(is_ipc(region.virtual_counts[IPC]), "IPC %lu", region.virtual_counts[IPC]);
	before[SWITCHES] += region.virtual_counts[SWITCHES] + 6;
	CHECK(!pmc_region_read(caliper, "outer", &region), "no region");
	within(region.virtual_counts[SWITCHES], 18, after[SWITCHES], "switches of the outer region");
	CHECK(after[SWITCHES] >= before[SWITCHES], "%lu switches in all", after[SWITCHES]);
	pmc_caliper_close(caliper);
}

/* Without events; and configurations that are refused. */
static void calipers(void)
{
	pmc_caliper_t *caliper = pmc_caliper_open_virtual(NULL, "template_switches");
	uint64_t values[PMC_MAX_VIRTUALS], counts[PMC_MAX_COUNTS];

	if (!caliper)
		die("caliper without events: %s", pmc_last_error());
	sleep_times(3);
	same(pmc_caliper_read(caliper, counts), 0, "counts without events");
	same(pmc_caliper_read_virtual(caliper, values), 1, "values");
	within(values[0], 3, 20, "switches");
	pmc_caliper_close(caliper);
	CHECK(!pmc_caliper_open_virtual("instr", "template_nonsense"), "an unknown one");
	same(errno, ENOENT, "errno");
	mentions(pmc_last_error(), "template_nonsense", "the error line");
	CHECK(!pmc_caliper_open_virtual(NULL, NULL), "a caliper of nothing");
	same(errno, EINVAL, "errno");
}

static uint64_t sum_of_switches(pmctrack_desc_t *desc, unsigned int nr_counts)
{
	pmc_sample_t *samples;
	uint64_t sum = 0;
	int i, n;

	samples = pmctrack_get_samples(desc, &n);
	CHECK(n > 0, "no samples");
	for (i = 0; i < n; i++) {
		const pmc_sample_t *s = &samples[i];

		same(s->nr_counts, nr_counts, "sample %d: counts", i);
		CHECK(s->virt_mask & 1 && !(s->virt_mask & ~3), "sample %d: virt_mask %x", i,
		      s->virt_mask);
		same(s->nr_virt_counts, __builtin_popcount(s->virt_mask), "sample %d: values", i);
		if (s->virt_mask & 2)
			CHECK(is_ipc(s->virtual_counts[1]), "sample %d: IPC %lu", i,
			      s->virtual_counts[1]);
		sum += s->virtual_counts[0];
	}
	return sum;
}

static void run(pmctrack_desc_t *desc, unsigned int nr_counts)
{
	CHECK(!pmctrack_start_counters(desc), "start");
	sleep_times(5);
	spin(20 * N);
	CHECK(!pmctrack_stop_counters(desc), "stop");
	within(sum_of_switches(desc, nr_counts), 5, 50, "switches of the samples");
}

static void check_printed(pmctrack_desc_t *desc)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		die("no memory");
	pmctrack_print_counts(desc, f, 0);
	fclose(f);
	mentions(text, "virt0=template_switches\nvirt1=template_ipc\n", "the mapping");
	mentions(text, "         virt0         virt1\n", "the heading");
	free(text);
}

static void descriptors(void)
{
	static const char *const sets[] = { "instr", NULL };
	pmctrack_desc_t *desc = pmctrack_init(1000), *clone;

	if (!desc)
		die("pmctrack_init()");
	/* Values are in the order of their numbers, not of the names. */
	CHECK(!pmctrack_config_counters_mnemonic(desc, (const char **)sets,
						 "template_ipc,template_switches", 5, 0),
	      "configuration");
	run(desc, 1);
	check_printed(desc);
	run(desc, 1);
	clone = pmctrack_clone_descriptor(desc);
	if (!clone)
		die("no clone");
	run(clone, 1);
	pmctrack_destroy(clone);
	/* One sample only: with events alone a snapshot would do. */
	CHECK(!pmctrack_config_counters_mnemonic(desc, (const char **)sets, both, 0, 0),
	      "configuration");
	run(desc, 1);
	CHECK(!pmctrack_config_counters(desc, NULL, "virt0", 0), "the raw form, alone");
	run(desc, 0);
	CHECK(pmctrack_config_counters(desc, NULL, "virt9", 0), "one that is not there");
	run(desc, 0);
	pmctrack_destroy(desc);
}

/* Samples, readings and totals have the same values. */
static void sessions(void)
{
	uint64_t read[PMC_MAX_VIRTUALS], totals[PMC_MAX_VIRTUALS], sum = 0, before;
	uint64_t counts[PMC_MAX_COUNTS], running, ran = 0, all_ran;
	pmc_machine_t *machine = pmc_machine_open();
	pmc_config_t *config = pmc_config_new(machine);
	pmc_session_t *session = pmc_session_open();
	struct pmc_reading r;
	int n = 0;

	CHECK(!pmc_config_add(config, "instr", PMC_EVERY_CORE_TYPE, 0) &&
	      !pmc_config_add_virtual(config, both), "%s", pmc_last_error());
	CHECK(!pmc_session_command(session, "period 5ms") &&
	      !pmc_session_configure(session, config) && !pmc_session_start(session),
	      "%s", pmc_last_error());
	sleep_times(5);
	spin(20 * N);
	same(pmc_session_read_virtual(session, PMC_EVERY_CORE_TYPE, 0, read), 2, "values");
	before = read[SWITCHES];
	CHECK(is_ipc(read[IPC]), "IPC %lu", read[IPC]);
	sleep_times(3);
	pmc_session_read_virtual(session, PMC_EVERY_CORE_TYPE, 0, read);
	within(read[SWITCHES] - before, 3, 20, "switches between readings");
	CHECK(!pmc_session_stop(session), "%s", pmc_last_error());
	same(pmc_session_totals_virtual(session, PMC_EVERY_CORE_TYPE, 0, totals), 2, "values");
	same(pmc_session_read(session, PMC_EVERY_CORE_TYPE, 0, counts, &running), 1, "counts");
	same(pmc_session_totals(session, PMC_EVERY_CORE_TYPE, 0, counts, &all_ran, NULL), 1, "counts");
	same(running, all_ran, "running time, read and in all");
	while (pmc_session_next(session, &r) > 0) {
		same(r.nr_counts, 1, "counts of a sample");
		same(r.nr_virtual, 2, "values of a sample");
		CHECK(is_ipc(r.virtual_counts[IPC]), "IPC %lu", r.virtual_counts[IPC]);
		sum += r.virtual_counts[SWITCHES];
		ran += r.running;
		n++;
	}
	/* Samples have two clocks. */
	within(running, ran, ran + 1000 * n, "running time, read and of all samples");
	same(totals[SWITCHES], sum, "totals are the sum of the samples");
	CHECK(totals[IPC] == PMC_NO_VALUE, "a total of a ratio: %lu", totals[IPC]);
	within(totals[SWITCHES], read[SWITCHES], read[SWITCHES] + 5, "switches of all samples");
	pmc_session_close(session);
	pmc_config_free(config);
	pmc_machine_close(machine);
}

int main(void)
{
	need_counters();
	CHECK(!pmc_caliper_open_virtual(NULL, both), "no module is loaded");
	if (system("insmod /lib/pmctrack/pmc_template.ko"))
		die("the template module can't be loaded");
	CHECK(!pmc_caliper_open_virtual(NULL, both), "no module is active");
	same(errno, ENODEV, "errno of an inactive module");
	if (write_file(MANAGER, "activate template") ||
	    write_file("/proc/pmc/config", "template.period_ms=5"))
		die("the template module can't be activated");
	regions();
	calipers();
	descriptors();
	sessions();
	same(write_file(MANAGER, "deactivate template"), 0, "deactivate");
	same(system("rmmod pmc_template"), 0, "rmmod");
	return result();
}
