// SPDX-License-Identifier: GPL-2.0
/*
 * The library on QEMU's TriCore test board: its writes to the registers and the results
 * area, and the return values of its calls. The emulated counters are plain memory that
 * does not count; this program writes counts to them.
 *
 * A failed check stores to an unused address, FAILED plus the line number here, which QEMU
 * logs. The program ends by storing 0 or 1 to the exit register.
 */
#include "core.h"

#define EXIT	0xf0000000u
#define FAILED	0xe0000000u

#define CSFR(name)	port_mfcr(PMC_TRICORE_##name)
#define SET_CSFR(name, value) do { \
	port_mtcr(PMC_TRICORE_##name, (u32)(value)); \
	port_isync(); \
} while (0)

#define check(condition) do { \
	if (!(condition)) { \
		port_store(FAILED + __LINE__ * 4u, 0u); \
		failed = 1u; \
	} \
} while (0)

static u32 failed;

/* Registers with different values */
static void count(void)
{
	SET_CSFR(CCNT, 1000003);
	SET_CSFR(ICNT, 700001);
	SET_CSFR(M1CNT, 11);
	SET_CSFR(M2CNT, 23);
	SET_CSFR(M3CNT, 47);
}

static int all_clear(void)
{
	return !(CSFR(CCNT) | CSFR(ICNT) | CSFR(M1CNT) | CSFR(M2CNT) | CSFR(M3CNT));
}

static const struct {
	int code;
	u32 cctrl;
	int value;
} events[] = {
	{ EPAPI_IP_DISPATCH_STALL, 0x002, 11 },
	{ EPAPI_LS_DISPATCH_STALL, 0x002, 23 },
	{ EPAPI_LP_DISPATCH_STALL, 0x002, 47 },
	{ EPAPI_PCACHE_HIT, 0x006, 11 },
	{ EPAPI_PCACHE_MISS, 0x022, 23 },
	{ EPAPI_MULTI_ISSUE, 0x102, 47 },
	{ EPAPI_DCACHE_HIT, 0x00a, 11 },
	{ EPAPI_DCACHE_MISS_CLEAN, 0x042, 23 },
	{ EPAPI_DCACHE_MISS_DIRTY, 0x202, 47 },
	{ EPAPI_TOTAL_BRANCH, 0x00e, 11 },
	{ EPAPI_PMEM_STALL, 0x062, 23 },
	{ EPAPI_DMEM_STALL, 0x302, 47 },
	{ PAPI_L1_DCM, 0x242, 23 + 47 },
	{ PAPI_L1_ICM, 0x022, 23 },
	{ PAPI_BRU_IDL, 0x00e, 1000003 - 11 },
	{ PAPI_MEM_SCY, 0x362, 23 + 47 },
	{ PAPI_TOT_INS, 0x002, 700001 },
	{ PAPI_TOT_CYC, 0x002, 1000003 },
	{ PAPI_L1_DCH, 0x00a, 11 },
	{ PAPI_L1_DCA, 0x24a, 11 + 23 + 47 },
	{ PAPI_L1_ICH, 0x006, 11 },
	{ PAPI_L1_ICA, 0x026, 11 + 23 },
	{ PAPI_L1_ICR, 0x026, 11 + 23 },
};

#define NR_EVENTS	(sizeof(events) / sizeof(events[0]))

static void every_event(void)
{
	unsigned int i;

	for (i = 0; i < NR_EVENTS; i++) {
		int code = events[i].code, set = PAPI_NULL;
		long long value = 0;

		check(ePAPI_start_counters(&code, 1) == PAPI_OK);
		check(CSFR(CCTRL) == events[i].cctrl);
		check(all_clear());
		count();
		check(ePAPI_read_counters(&value, 1) == PAPI_OK);
		check(value == events[i].value);
		check(CSFR(CCTRL) == events[i].cctrl);
		check(epapi_results.entry[0].value == (u64)events[i].value);
		count();
		check(ePAPI_accum_counters(&value, 1) == PAPI_OK);
		check(value == 2 * events[i].value);
		count();
		check(ePAPI_stop_counters(&value, 1) == PAPI_OK);
		check(value == events[i].value);
		check(CSFR(CCTRL) == 0u);

		check(ePAPI_create_eventset(&set) == PAPI_OK);
		check(ePAPI_add_event(set, code) == PAPI_OK);
		check(ePAPI_start(set) == PAPI_OK);
		check(CSFR(CCTRL) == events[i].cctrl);
		count();
		check(ePAPI_read(set, &value) == PAPI_OK);
		check(value == events[i].value);
		check(all_clear());
		count();
		check(ePAPI_stop(set, &value) == PAPI_OK);
		check(value == 2 * events[i].value);
		check(ePAPI_cleanup_eventset(set) == PAPI_OK);
		check(ePAPI_destroy_eventset(&set) == PAPI_OK);
	}
}

static void overflow(void)
{
	int code = PAPI_TOT_CYC;
	long long value = -1;

	check(ePAPI_start_counters(&code, 1) == PAPI_OK);
	SET_CSFR(CCNT, 0x80000005u);
	check(ePAPI_accum_counters(&value, 1) == PAPI_OK);
	check(value == 0x80000004ll);
	check(CSFR(CCNT) == 0u);
	check(epapi_results.entry[0].flags & EPAPI_VALUE_WRAPPED);
	SET_CSFR(CCNT, 0xffffffffu);
	check(ePAPI_accum_counters(&value, 1) == PAPI_OK);
	check(value == 0x180000003ll);
	check(ePAPI_stop_counters(&value, 1) == PAPI_OK);
}

static void conflicts_and_errors(void)
{
	const int several = EPAPI_MAX_EVENTS > 1;
	int set = PAPI_NULL, other = PAPI_NULL, code, runs[2];
	int list[] = { PAPI_L1_DCH, PAPI_L1_ICH };
	long long value;

	check(ePAPI_create_eventset(&set) == PAPI_OK);
	check(ePAPI_add_event(set, PAPI_L1_DCH) == PAPI_OK);
	check(ePAPI_add_event(set, PAPI_L1_ICH) == (several ? PAPI_ECNFLCT : PAPI_ENOMEM));
	check(ePAPI_add_event(set, PAPI_L1_TCM) == PAPI_EMULPASS);
	check(ePAPI_add_event(set, PAPI_PRESET_MASK | 0x66) == PAPI_ENOEVNT);
	check(ePAPI_add_named_event(set, "PAPI_L1_ICM") == (several ? PAPI_OK : PAPI_ENOMEM));
	check(ePAPI_event_name_to_code("DMEM_STALL", &code) == PAPI_OK);
	check(code == EPAPI_DMEM_STALL);
	check(ePAPI_num_events(set) == (several ? 2 : 1));
	check(ePAPI_remove_named_event(set, "PAPI_L1_DCH") == PAPI_OK);
	check(ePAPI_add_event(set, PAPI_L1_ICH) == PAPI_OK);
	check(ePAPI_add_event(EPAPI_MAX_SETS, PAPI_L1_ICH) == PAPI_ENOEVST);
	if (several)
		check(ePAPI_start_counters(list, 2) == PAPI_ECNFLCT);
	check(ePAPI_start(set) == PAPI_OK);
	check(ePAPI_start(set) == PAPI_EISRUN);
	check(ePAPI_stop(set, NULL) == PAPI_OK);
	check(ePAPI_stop(set, NULL) == PAPI_ENOTRUN);
	check(ePAPI_stop_counters(&value, 1) == PAPI_ENOTRUN);
	check(ePAPI_create_eventset(&other) == PAPI_OK);
	check(ePAPI_start(other) == PAPI_EINVAL);
	check(epapi_two_runs(PAPI_L1_TCA, runs) == PAPI_OK);
	check(runs[0] == PAPI_L1_ICA && runs[1] == PAPI_L1_DCA);
	check(epapi_combine(PAPI_L1_TCA, 1ll << 40, 5, &value) == PAPI_OK);
	check(value == (1ll << 40) + 5);
	check(ePAPI_num_counters() == 5);
	check(ePAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
	epapi_forget();
}

static void supervisor(void)
{
	u32 psw = CSFR(PSW);
	int code = PAPI_TOT_CYC;

	SET_CSFR(PSW, (psw & ~PMC_TRICORE_PSW_IO) | 0x400u);
	check(ePAPI_start_counters(&code, 1) == PAPI_EPERM);
	SET_CSFR(PSW, psw);
	check(ePAPI_start_counters(&code, 1) == PAPI_OK);
	epapi_forget();
}

static void task_mode_and_tasks(void)
{
	struct epapi_task first = { 0 }, second = { 0 };
	int hits = PAPI_L1_DCH, misses = PAPI_L1_ICM;
	long long value = 0;

	check(epapi_task_mode(1) == PAPI_OK);
	check(ePAPI_start_counters(&hits, 1) == PAPI_OK);
	check(CSFR(CCTRL) == 0x00bu);
	count();
	epapi_task_save(&first);
	check(CSFR(CCTRL) == 0u);
	check(all_clear());
	check(ePAPI_stop_counters(&value, 1) == PAPI_ENOTRUN);
	check(epapi_task_mode(0) == PAPI_OK);
	check(ePAPI_start_counters(&misses, 1) == PAPI_OK);
	check(CSFR(CCTRL) == 0x022u);
	count();
	epapi_task_save(&second);
	epapi_task_restore(&first);
	check(CSFR(CCTRL) == 0x00bu);
	count();
	check(ePAPI_stop_counters(&value, 1) == PAPI_OK);
	check(value == 22);
	epapi_task_save(&first);
	epapi_task_restore(&second);
	check(ePAPI_stop_counters(&value, 1) == PAPI_OK);
	check(value == 23);
}

/* The board has no OCDS: writes to it have no effect. */
static void debug_unit(void)
{
	int code = PAPI_TOT_CYC;
	long long value;

	check(ePAPI_start_counters(&code, 1) == PAPI_OK);
	check(epapi_disable_counters() == PAPI_EISRUN);
	check(ePAPI_stop_counters(&value, 1) == PAPI_OK);
	check(epapi_disable_counters() == PAPI_OK);
}

static void rates(void)
{
	float real, processor, per_cycle;
	long long instructions, reference, cycles;

	check(ePAPI_ipc(&real, &processor, &instructions, &per_cycle) == PAPI_OK);
	SET_CSFR(CCNT, 600000000);
	SET_CSFR(ICNT, 1200000000);
	check(ePAPI_ipc(&real, &processor, &instructions, &per_cycle) == PAPI_OK);
	check(processor == 600000000.0f / EPAPI_CPU_HZ && per_cycle == 2.0f);
	check(instructions == 1200000000);
	check(ePAPI_stop_counters(NULL, 0) == PAPI_OK);
	check(ePAPI_epc(EPAPI_MULTI_ISSUE, &real, &processor, &reference, &cycles, &instructions,
			&per_cycle) == PAPI_OK);
	count();
	check(ePAPI_epc(EPAPI_MULTI_ISSUE, &real, &processor, &reference, &cycles, &instructions,
			&per_cycle) == PAPI_OK);
	check(cycles == 1000003 && instructions == 47);
	check(ePAPI_stop_counters(NULL, 0) == PAPI_OK);
}

static void results_area(void)
{
	const u8 *byte = (const u8 *)&epapi_results;
	int list[] = { PAPI_TOT_CYC, PAPI_L1_DCM };
	const u32 size = 16 + 16 * EPAPI_MAX_EVENTS;
	long long values[2];

	check((uintptr_t)byte == 0xd0000000u);
	if (EPAPI_MAX_EVENTS < 2)
		return;
	check(ePAPI_start_counters(list, 2) == PAPI_OK);
	count();
	check(ePAPI_read_counters(values, 2) == PAPI_OK);
	check(byte[0] == 'e' && byte[1] == 'P' && byte[2] == 'A' && byte[3] == 'P');
	check(byte[4] == 1 && byte[5] == 0 && byte[6] == 2 && byte[7] == 1);
	check(byte[8] == (size & 0xff) && byte[9] == size >> 8 && byte[10] == 16 && byte[11] == 0);
	check(byte[12] == 0x42 && byte[13] == 0x02);
	check(byte[16] == 0x43 && byte[17] == 0x42 && byte[18] == 0x0f && byte[23] == 0);
	check(byte[24] == 0x3b && byte[27] == 0x80);
	check(byte[32] == 70 && byte[40] == 0x00 && byte[43] == 0x80);
	check(ePAPI_stop_counters(values, 2) == PAPI_OK);
	check(byte[7] == 0);
}

int main(void)
{
	/* The emulated debug unit can't be enabled by OEC. */
	int code = PAPI_TOT_CYC;

	SET_CSFR(DBGSR, 0);
	check(ePAPI_start_counters(&code, 1) == PAPI_ENOCNTR);
	SET_CSFR(DBGSR, 1);

	every_event();
	overflow();
	conflicts_and_errors();
	supervisor();
	task_mode_and_tasks();
	rates();
	debug_unit();
	results_area();

	port_store(EXIT, failed);
	return 0;
}
