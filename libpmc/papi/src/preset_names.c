// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names, types and descriptions of the presets. Their order is that of their codes, which
 * papiStdEventDefs.h has; a preset that this table lacks does not compile.
 */
#include <string.h>

#include "papi.h"
#include "preset_names.h"

#define INDEX(code) ((code) & PAPI_PRESET_AND_MASK)

#define MSC PAPI_PRESET_BIT_MSC
#define INS PAPI_PRESET_BIT_INS
#define IDL PAPI_PRESET_BIT_IDL
#define BR PAPI_PRESET_BIT_BR
#define CND PAPI_PRESET_BIT_CND
#define MEM PAPI_PRESET_BIT_MEM
#define CACHE PAPI_PRESET_BIT_CACH
#define L1 PAPI_PRESET_BIT_L1
#define L2 PAPI_PRESET_BIT_L2
#define L3 PAPI_PRESET_BIT_L3
#define TLB PAPI_PRESET_BIT_TLB
#define FP PAPI_PRESET_BIT_FP

#define PRESET(name, type, short_descr, long_descr) \
	[INDEX(PAPI_##name)] = { "PAPI_" #name, type, short_descr, long_descr }

/* The events of a cache: of data, of instructions, and of both together */
#define LEVEL(n, bit) \
	PRESET(L##n##_DCM, CACHE | bit, "L" #n " data misses", \
	       "Data accesses that miss the level " #n " cache"), \
	PRESET(L##n##_ICM, CACHE | bit | INS, "L" #n " instruction misses", \
	       "Instruction fetches that miss the level " #n " cache"), \
	PRESET(L##n##_TCM, CACHE | bit, "L" #n " misses", \
	       "Accesses to data and instructions that miss the level " #n " cache"), \
	PRESET(L##n##_LDM, CACHE | bit, "L" #n " load misses", \
	       "Loads that miss the level " #n " cache"), \
	PRESET(L##n##_STM, CACHE | bit, "L" #n " store misses", \
	       "Stores that miss the level " #n " cache"), \
	PRESET(L##n##_DCH, CACHE | bit, "L" #n " data hits", \
	       "Data accesses that hit the level " #n " cache"), \
	PRESET(L##n##_DCA, CACHE | bit, "L" #n " data accesses", \
	       "Data accesses to the level " #n " cache"), \
	PRESET(L##n##_DCR, CACHE | bit, "L" #n " data reads", \
	       "Reads of data from the level " #n " cache"), \
	PRESET(L##n##_DCW, CACHE | bit, "L" #n " data writes", \
	       "Writes of data to the level " #n " cache"), \
	PRESET(L##n##_ICH, CACHE | bit | INS, "L" #n " instruction hits", \
	       "Instruction fetches that hit the level " #n " cache"), \
	PRESET(L##n##_ICA, CACHE | bit | INS, "L" #n " instruction accesses", \
	       "Accesses for instructions to the level " #n " cache"), \
	PRESET(L##n##_ICR, CACHE | bit | INS, "L" #n " instruction reads", \
	       "Reads of instructions from the level " #n " cache"), \
	PRESET(L##n##_ICW, CACHE | bit | INS, "L" #n " instruction writes", \
	       "Writes of instructions to the level " #n " cache"), \
	PRESET(L##n##_TCH, CACHE | bit, "L" #n " hits", \
	       "Accesses to data and instructions that hit the level " #n " cache"), \
	PRESET(L##n##_TCA, CACHE | bit, "L" #n " accesses", \
	       "Accesses for data and instructions to the level " #n " cache"), \
	PRESET(L##n##_TCR, CACHE | bit, "L" #n " reads", \
	       "Reads of data and instructions from the level " #n " cache"), \
	PRESET(L##n##_TCW, CACHE | bit, "L" #n " writes", \
	       "Writes of data and instructions to the level " #n " cache")

const struct preset_name preset_names[] = {
	LEVEL(1, L1),
	LEVEL(2, L2),
	LEVEL(3, L3),

	PRESET(CA_SNP, CACHE, "Snoops", "Snoops of caches that were requested"),
	PRESET(CA_SHR, CACHE, "Own shared line",
	       "Exclusive access that was requested to a cache line that others share"),
	PRESET(CA_CLN, CACHE, "Own clean line",
	       "Exclusive access that was requested to a cache line that is clean"),
	PRESET(CA_INV, CACHE, "Invalidations", "Invalidations of a cache line that were requested"),
	PRESET(CA_ITV, CACHE, "Interventions",
	       "Cache lines that were requested of another cache that has modified them"),
	PRESET(PRF_DM, CACHE, "Prefetch misses", "Prefetches of data that miss the cache"),

	PRESET(BRU_IDL, IDL | BR, "Branch unit idle", "Cycles in which the branch units have no work"),
	PRESET(FXU_IDL, IDL, "Integer unit idle", "Cycles in which the integer units have no work"),
	PRESET(FPU_IDL, IDL | FP, "FP unit idle",
	       "Cycles in which the floating-point units have no work"),
	PRESET(LSU_IDL, IDL | MEM, "Load-store unit idle",
	       "Cycles in which the load and store units have no work"),

	PRESET(TLB_DM, TLB, "Data TLB misses", "Translations of data addresses that miss the TLB"),
	PRESET(TLB_IM, TLB | INS, "Instr. TLB misses",
	       "Translations of instruction addresses that miss the TLB"),
	PRESET(TLB_TL, TLB, "TLB misses", "Translations of addresses that miss the TLB"),
	PRESET(TLB_SD, TLB, "TLB shootdowns", "Translations that another CPU has had removed"),

	PRESET(BTAC_M, BR, "Branch target misses",
	       "Branches with a target that the branch target cache does not have"),
	PRESET(CSR_FAL, CND | MEM, "Failed cond. stores", "Store-conditional instructions that failed"),
	PRESET(CSR_SUC, CND | MEM, "Good cond. stores", "Store-conditional instructions that succeeded"),
	PRESET(CSR_TOT, CND | MEM, "Conditional stores", "Store-conditional instructions"),

	PRESET(MEM_SCY, MEM, "Memory stalls", "Cycles in which work waits for memory"),
	PRESET(MEM_RCY, MEM, "Memory read stalls", "Cycles in which work waits for reads of memory"),
	PRESET(MEM_WCY, MEM, "Memory write stalls", "Cycles in which work waits for writes to memory"),

	PRESET(STL_ICY, INS, "No issue", "Cycles in which no instruction is issued"),
	PRESET(FUL_ICY, INS, "Full issue", "Cycles in which as many instructions as possible are issued"),
	PRESET(STL_CCY, INS, "No completion", "Cycles in which no instruction is completed"),
	PRESET(FUL_CCY, INS, "Full completion",
	       "Cycles in which as many instructions as possible are completed"),

	PRESET(HW_INT, MSC, "Interrupts", "Interrupts from hardware"),

	PRESET(BR_UCN, BR | CND, "Unconditional", "Unconditional branch instructions"),
	PRESET(BR_CN, BR | CND, "Conditional branches", "Conditional branch instructions"),
	PRESET(BR_TKN, BR | CND, "Branches taken", "Conditional branch instructions that are taken"),
	PRESET(BR_NTK, BR | CND, "Branches not taken",
	       "Conditional branch instructions that are not taken"),
	PRESET(BR_MSP, BR | CND, "Mispredictions",
	       "Conditional branch instructions that were predicted wrongly"),
	PRESET(BR_PRC, BR | CND, "Right predictions",
	       "Conditional branch instructions that were predicted correctly"),
	PRESET(BR_INS, BR, "Branches", "Branch instructions"),

	PRESET(FMA_INS, INS | FP, "FMA instructions", "Fused multiply-add instructions"),
	PRESET(TOT_IIS, INS, "Instructions issued", "Instructions that were issued, completed or not"),
	PRESET(TOT_INS, INS, "Instructions", "Instructions that were completed"),
	PRESET(INT_INS, INS, "Integer instructions", "Integer arithmetic instructions"),
	PRESET(FP_INS, INS | FP, "FP instructions", "Floating-point instructions"),
	PRESET(LD_INS, MEM, "Loads", "Load instructions"),
	PRESET(SR_INS, MEM, "Stores", "Store instructions"),
	PRESET(LST_INS, INS | MEM, "Loads and stores", "Load and store instructions"),
	PRESET(VEC_INS, MSC, "Vector instructions",
	       "Vector instructions, of floating point and where they are counted of integers"),
	PRESET(SYC_INS, INS | MSC, "Synchronizing instr.",
	       "Instructions that order memory accesses or synchronize the pipeline"),

	PRESET(RES_STL, IDL | MSC, "Resource stalls", "Cycles in which work waits for any resource"),
	PRESET(FP_STAL, IDL | FP, "FP stalls", "Cycles in which floating-point work waits"),
	PRESET(TOT_CYC, MSC, "Cycles", "Cycles in which the core runs"),
	PRESET(REF_CYC, MSC, "Reference cycles", "Cycles of a clock of constant frequency"),

	PRESET(FML_INS, INS | FP, "FP multiplies", "Floating-point multiply instructions"),
	PRESET(FAD_INS, INS | FP, "FP adds", "Floating-point add and subtract instructions"),
	PRESET(FDV_INS, INS | FP, "FP divides", "Floating-point divide instructions"),
	PRESET(FSQ_INS, INS | FP, "FP square roots", "Floating-point square root instructions"),
	PRESET(FNV_INS, INS | FP, "FP reciprocals", "Floating-point reciprocal instructions"),
	PRESET(FP_OPS, INS | FP, "FP operations", "Floating-point operations, each element of a vector"),
	PRESET(HP_OPS, INS | FP, "Half prec. operations",
	       "Floating-point operations of half precision, each element of a vector"),
	PRESET(SP_OPS, INS | FP, "Single prec. operations",
	       "Floating-point operations of single precision, each element of a vector"),
	PRESET(DP_OPS, INS | FP, "Double prec. operations",
	       "Floating-point operations of double precision, each element of a vector"),
	PRESET(VEC_HP, INS | FP, "Half prec. vectors", "Vector instructions of half precision"),
	PRESET(VEC_SP, INS | FP, "Single prec. vectors", "Vector instructions of single precision"),
	PRESET(VEC_DP, INS | FP, "Double prec. vectors", "Vector instructions of double precision"),
};

const int nr_preset_names = sizeof(preset_names) / sizeof(preset_names[0]);

_Static_assert(sizeof(preset_names) / sizeof(preset_names[0]) == INDEX(PAPI_END),
	       "a description is missing for the last preset of papiStdEventDefs.h");

const struct preset_name *preset_name_of(unsigned int code)
{
	const unsigned int index = INDEX(code);

	if (code != (PAPI_PRESET_MASK | index) || index >= (unsigned int)nr_preset_names)
		return NULL;
	return &preset_names[index];
}

unsigned int preset_code_of(const char *name)
{
	int i;

	for (i = 0; i < nr_preset_names; i++)
		if (preset_names[i].name && !strcmp(preset_names[i].name, name))
			return PAPI_PRESET_MASK | i;
	return 0;
}
