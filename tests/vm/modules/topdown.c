// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module topdown on the emulated hybrid machine. Its cores have 6 slots a
 * cycle. An instruction uses one slot, and the rest is backend-bound: of 6 slots in one
 * cycle on a P-core, of 12 slots in two cycles on an E-core.
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
	/* Counters are not read at the same moment. */
	within(v[BAD_SPECULATION], 0, 1, "%s: bad speculation", when);
	within(v[FRONTEND], 0, 1, "%s: frontend bound", when);
}

static void set_online(int cpu, int online)
{
	char path[80];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	same(write_file(path, "%d", online), 0, "%s CPU %d", online ? "starting" : "stopping", cpu);
}

/* A core type whose CPUs were all offline is unknown, so there are no values. */
static void unknown_core_type(void)
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
	wait_until_idle();
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

		/* There is no value for the other core type before its first sample. */
		pin(p.pid, 2 - cpu);
		worker_read(&p, v);
		if (v[RETIRING] != PMC_NO_VALUE)
			check(v, 2 - cpu, "just moved");
		worker_spin(&p, 100000000);
		worker_spun(&p, v);
		check(v, 2 - cpu, "moved");
		worker_end(&p);
	}
	wait_until_idle();
	deactivate("topdown");
	unknown_core_type();
	unload_module("pmc_topdown");
	return result();
}
