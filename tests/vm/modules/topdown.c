// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module topdown on the emulated hybrid machine, whose cores have
 * 6 slots a cycle, of which an instruction uses one and the backend leaves the
 * rest empty: of a P-core's 6 slots of one cycle, and of an E-core's 12 of two.
 */
#include <errno.h>
#include <unistd.h>

#include "vm.h"
#include "worker.h"

#define VIRTUALS \
	"topdown_retiring,topdown_bad_speculation,topdown_frontend_bound,topdown_backend_bound"
enum { RETIRING, BAD_SPECULATION, FRONTEND, BACKEND };

/* Thousandths, rounded down. */
static void check(const uint64_t v[WORKER_VALUES], int cpu, const char *when)
{
	int slots = cpu < 2 ? 6 : 12;

	within(v[RETIRING], 1000 / slots - 1, 1000 / slots, "%s: retiring", when);
	within(v[BACKEND], 1000 - 1000 / slots - 2, 1000 - 1000 / slots + 1,
	       "%s: backend bound", when);
	/* Counters are not read in the same instant. */
	within(v[BAD_SPECULATION], 0, 1, "%s: bad speculation", when);
	within(v[FRONTEND], 0, 1, "%s: frontend bound", when);
}

static void set_online(int cpu, int online)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	same(write_file(path, "%d", online), 0, "%s CPU %d", online ? "starting" : "stopping", cpu);
}

/* Of a core type whose CPUs were all offline nothing is known, and so nothing told. */
static void nobody_to_ask(void)
{
	uint64_t v[WORKER_VALUES];
	struct worker p;
	int cpu;

	for (cpu = 2; cpu < 4; cpu++)
		set_online(cpu, 0);
	activate("topdown");
	for (cpu = 2; cpu < 4; cpu++)
		set_online(cpu, 1);
	p = worker_start(2, VIRTUALS);
	worker_spin(&p, 100000000);
	worker_spun(&p, v);
	same(v[RETIRING], PMC_NO_VALUE, "retiring of an E-core that is not known");
	pin(p.pid, 0);
	worker_spin(&p, 100000000);
	worker_spun(&p, v);
	check(v, 0, "from there to a P-core");
	worker_end(&p);
	nobody_counts();
	deactivate("topdown");
}

int main(void)
{
	uint64_t v[WORKER_VALUES];
	struct worker p;
	int cpu;

	load_module("pmc_topdown");
	activate("topdown");
	set_config("topdown.period_ms=10");
	same(write_file("/proc/pmc/config", "topdown.period_ms=0"), -ERANGE, "no period");
	for (cpu = 0; cpu < 4; cpu += 2) {
		p = worker_start(cpu, VIRTUALS);
		worker_read(&p, v);
		worker_spin(&p, 100000000);
		worker_spun(&p, v);
		check(v, cpu, cpu < 2 ? "P-core" : "E-core");

		/* It says nothing of the other core type until there is a sample. */
		pin(p.pid, 2 - cpu);
		worker_read(&p, v);
		if (v[RETIRING] != PMC_NO_VALUE)
			check(v, 2 - cpu, "just moved");
		worker_spin(&p, 100000000);
		worker_spun(&p, v);
		check(v, 2 - cpu, "moved");
		worker_end(&p);
	}
	nobody_counts();
	deactivate("topdown");
	nobody_to_ask();
	unload_module("pmc_topdown");
	return result();
}
