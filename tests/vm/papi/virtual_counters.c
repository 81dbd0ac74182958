// SPDX-License-Identifier: GPL-2.0
/*
 * One EventSet with events of counters and virtual counters: the calling thread's, as those of the
 * template module, and the machine's, as energy, which has to be what the register says.
 */
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "papi_calls.h"
#include "msr.h"

#define N	20000000L
#define LIMIT	6000

static void sleep_times(int n)
{
	const struct timespec ms = { .tv_nsec = 1000000 };

	while (n--)
		nanosleep(&ms, NULL);
}

static void no_handler(int set, void *address, long long vector, void *context)
{
	fail("EventSet %d: an overflow at %p, %llx, %p", set, address, vector, context);
}

static void test_thread(void)
{
	int set = new_set("instr,pmctrack:::template_switches"), other = new_set("instr"), code;
	PAPI_event_info_t info;
	long long values[2], first;

	same(PAPI_get_component_index("pmctrack"), 1, "component");
	OK(PAPI_start(set));
	RETURNS(PAPI_EISRUN, PAPI_start(other));
	spin(N);
	sleep_times(5);
	OK(PAPI_read(set, values));
	first = values[1];
	within(values[0], 2 * N, 2 * N + LIMIT, "instructions");
	within(values[1], 5, 12, "switches");
	OK(PAPI_reset(set));
	spin(N);
	OK(PAPI_stop(set, values));
	within(values[0], 2 * N, 2 * N + LIMIT, "instructions after a reset");
	within(values[1], 0, first, "switches after a reset");
	OK(PAPI_event_name_to_code("pmctrack:::template_switches", &code));
	OK(PAPI_get_event_info(code, &info));
	same(info.component_index, 1, "component of the event");
	same(PAPI_get_event_component(code), 1, "component of the event");
	code = PAPI_NATIVE_MASK;
	OK(PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, 1));
	OK(PAPI_get_event_info(code, &info));
	CHECK(!strncmp(info.symbol, "pmctrack:::", 11), "first event of the component: %s", info.symbol);
	RETURNS(PAPI_ENOEVNT, PAPI_add_named_event(set, "pmctrack:::no_such_counter"));
	OK(PAPI_event_name_to_code("pmctrack:::template_switches", &code));
	RETURNS(PAPI_ENOSUPP, PAPI_overflow(set, code, 1000, 0, no_handler));
	end_set(set);
	end_set(other);
	/* The default modes are those of the events beside virtual counters, too. */
	OK(PAPI_set_domain(PAPI_DOM_ALL));
	set = new_set("pmctrack:::template_switches,instr");
	OK(PAPI_start(set));
	sleep_times(5);
	OK(PAPI_stop(set, values));
	CHECK(values[1] > 5 * 500, "%lld instructions with those in kernel mode", values[1]);
	end_set(set);
	OK(PAPI_set_domain(PAPI_DOM_USER));
	/* Virtual counters alone */
	set = new_set("pmctrack:::template_switches");
	OK(PAPI_start(set));
	sleep_times(3);
	OK(PAPI_stop(set, values));
	within(values[0], 3, 9, "switches alone");
	end_set(set);
}

#ifdef __x86_64__

#include <cpuid.h>

static int is_amd(void)
{
	unsigned int a, b, c, d;

	__cpuid(0, a, b, c, d);
	return b == signature_AMD_ebx;
}

static uint32_t read_energy(void)
{
	return read_msr(0, is_amd() ? 0xc001029b : 0x611);
}

/* The register has 32 bits, and wraps. */
static long long uj_since(uint32_t before)
{
	return (long long)(uint32_t)(read_energy() - before) * 1000000 >> (is_amd() ? 16 : 14);
}

/* Instructions of the thread, on all and on one core type, and energy of the package */
static void test_energy(void)
{
	char names[128];
	long long values[3], least, most;
	uint32_t before, begun;
	int set;

	load_module("pmc_energy");
	activate("energy");
	snprintf(names, sizeof(names), "instr,pmctrack:::energy_pkg,%s::instr", core_types[0].name);
	set = new_set(names);
	pin(0, core_types[0].first_cpu);
	before = read_energy();
	OK(PAPI_start(set));
	begun = read_energy();
	spin(5 * N);
	least = uj_since(begun);
	OK(PAPI_stop(set, values));
	most = uj_since(before);
	within(values[0], 10 * N, 10 * N + LIMIT, "instructions beside energy");
	same(values[2], values[0], "instructions on the core type");
	within(values[1], least - least / 50, most + most / 50, "energy, uJ");
	printf("%lld uJ, register between %lld and %lld\n", values[1], least, most);
	end_set(set);
	unpin(0);
	deactivate("energy");
	unload_module("pmc_energy");
}

#else

static void test_energy(void)
{
}

#endif

int main(void)
{
	need_counters();
	load_module("pmc_template");
	activate("template");
	begin_papi();
	test_thread();
	PAPI_shutdown();
	deactivate("template");
	unload_module("pmc_template");
	begin_papi();
	test_energy();
	PAPI_shutdown();
	return result();
}
