/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Preset events: their codes, which are those of PAPI.
 *
 * A preset is an event by meaning rather than by model. Tables say which native
 * events it is computed from on each core type; a core type may lack it. The code of
 * a preset is its index in the list with PAPI_PRESET_MASK set. The list only grows at
 * its end, as programs hold these codes.
 *
 * Counts are of the thread, in user mode, unless the EventSet says otherwise.
 */
#ifndef _PAPISTDEVENTDEFS
#define _PAPISTDEVENTDEFS

/* The two highest bits of a code say what the event is: both are set if the user defined it. */
#define PAPI_PRESET_MASK	((int)0x80000000)
#define PAPI_NATIVE_MASK	((int)0x40000000)
#define PAPI_UE_MASK		((int)0xC0000000)

/* An index, from the code */
#define PAPI_PRESET_AND_MASK	0x7FFFFFFF
#define PAPI_NATIVE_AND_MASK	0xBFFFFFFF
#define PAPI_UE_AND_MASK	0x3FFFFFFF

#define PAPI_MAX_PRESET_EVENTS	128
#define PAPI_MAX_USER_EVENTS	50
/* Longest formula of an event that the user defines, in bytes */
#define USER_EVENT_OPERATION_LEN 512

enum {
	PAPI_L1_DCM_idx = 0,
	PAPI_L1_ICM_idx,
	PAPI_L2_DCM_idx,
	PAPI_L2_ICM_idx,
	PAPI_L3_DCM_idx,
	PAPI_L3_ICM_idx,
	PAPI_L1_TCM_idx,
	PAPI_L2_TCM_idx,
	PAPI_L3_TCM_idx,
	PAPI_CA_SNP_idx,
	PAPI_CA_SHR_idx,
	PAPI_CA_CLN_idx,
	PAPI_CA_INV_idx,
	PAPI_CA_ITV_idx,
	PAPI_L3_LDM_idx,
	PAPI_L3_STM_idx,
	PAPI_BRU_IDL_idx,
	PAPI_FXU_IDL_idx,
	PAPI_FPU_IDL_idx,
	PAPI_LSU_IDL_idx,
	PAPI_TLB_DM_idx,
	PAPI_TLB_IM_idx,
	PAPI_TLB_TL_idx,
	PAPI_L1_LDM_idx,
	PAPI_L1_STM_idx,
	PAPI_L2_LDM_idx,
	PAPI_L2_STM_idx,
	PAPI_BTAC_M_idx,
	PAPI_PRF_DM_idx,
	PAPI_L3_DCH_idx,
	PAPI_TLB_SD_idx,
	PAPI_CSR_FAL_idx,
	PAPI_CSR_SUC_idx,
	PAPI_CSR_TOT_idx,
	PAPI_MEM_SCY_idx,
	PAPI_MEM_RCY_idx,
	PAPI_MEM_WCY_idx,
	PAPI_STL_ICY_idx,
	PAPI_FUL_ICY_idx,
	PAPI_STL_CCY_idx,
	PAPI_FUL_CCY_idx,
	PAPI_HW_INT_idx,
	PAPI_BR_UCN_idx,
	PAPI_BR_CN_idx,
	PAPI_BR_TKN_idx,
	PAPI_BR_NTK_idx,
	PAPI_BR_MSP_idx,
	PAPI_BR_PRC_idx,
	PAPI_FMA_INS_idx,
	PAPI_TOT_IIS_idx,
	PAPI_TOT_INS_idx,
	PAPI_INT_INS_idx,
	PAPI_FP_INS_idx,
	PAPI_LD_INS_idx,
	PAPI_SR_INS_idx,
	PAPI_BR_INS_idx,
	PAPI_VEC_INS_idx,
	PAPI_RES_STL_idx,
	PAPI_FP_STAL_idx,
	PAPI_TOT_CYC_idx,
	PAPI_LST_INS_idx,
	PAPI_SYC_INS_idx,
	PAPI_L1_DCH_idx,
	PAPI_L2_DCH_idx,
	PAPI_L1_DCA_idx,
	PAPI_L2_DCA_idx,
	PAPI_L3_DCA_idx,
	PAPI_L1_DCR_idx,
	PAPI_L2_DCR_idx,
	PAPI_L3_DCR_idx,
	PAPI_L1_DCW_idx,
	PAPI_L2_DCW_idx,
	PAPI_L3_DCW_idx,
	PAPI_L1_ICH_idx,
	PAPI_L2_ICH_idx,
	PAPI_L3_ICH_idx,
	PAPI_L1_ICA_idx,
	PAPI_L2_ICA_idx,
	PAPI_L3_ICA_idx,
	PAPI_L1_ICR_idx,
	PAPI_L2_ICR_idx,
	PAPI_L3_ICR_idx,
	PAPI_L1_ICW_idx,
	PAPI_L2_ICW_idx,
	PAPI_L3_ICW_idx,
	PAPI_L1_TCH_idx,
	PAPI_L2_TCH_idx,
	PAPI_L3_TCH_idx,
	PAPI_L1_TCA_idx,
	PAPI_L2_TCA_idx,
	PAPI_L3_TCA_idx,
	PAPI_L1_TCR_idx,
	PAPI_L2_TCR_idx,
	PAPI_L3_TCR_idx,
	PAPI_L1_TCW_idx,
	PAPI_L2_TCW_idx,
	PAPI_L3_TCW_idx,
	PAPI_FML_INS_idx,
	PAPI_FAD_INS_idx,
	PAPI_FDV_INS_idx,
	PAPI_FSQ_INS_idx,
	PAPI_FNV_INS_idx,
	PAPI_FP_OPS_idx,
	PAPI_SP_OPS_idx,
	PAPI_DP_OPS_idx,
	PAPI_VEC_SP_idx,
	PAPI_VEC_DP_idx,
	PAPI_REF_CYC_idx,
	PAPI_HP_OPS_idx,
	PAPI_VEC_HP_idx,
	/* Number of presets */
	PAPI_END_idx
};

/* Level 1 data cache: misses */
#define PAPI_L1_DCM	(PAPI_L1_DCM_idx | PAPI_PRESET_MASK)
/* Level 1 instruction cache: misses */
#define PAPI_L1_ICM	(PAPI_L1_ICM_idx | PAPI_PRESET_MASK)
/* Level 2 data cache: misses */
#define PAPI_L2_DCM	(PAPI_L2_DCM_idx | PAPI_PRESET_MASK)
/* Level 2 instruction cache: misses */
#define PAPI_L2_ICM	(PAPI_L2_ICM_idx | PAPI_PRESET_MASK)
/* Level 3 data cache: misses */
#define PAPI_L3_DCM	(PAPI_L3_DCM_idx | PAPI_PRESET_MASK)
/* Level 3 instruction cache: misses */
#define PAPI_L3_ICM	(PAPI_L3_ICM_idx | PAPI_PRESET_MASK)
/* Level 1 data and instruction cache: misses */
#define PAPI_L1_TCM	(PAPI_L1_TCM_idx | PAPI_PRESET_MASK)
/* Level 2 data and instruction cache: misses */
#define PAPI_L2_TCM	(PAPI_L2_TCM_idx | PAPI_PRESET_MASK)
/* Level 3 data and instruction cache: misses */
#define PAPI_L3_TCM	(PAPI_L3_TCM_idx | PAPI_PRESET_MASK)
/* Snoops of caches */
#define PAPI_CA_SNP	(PAPI_CA_SNP_idx | PAPI_PRESET_MASK)
/* Requests for a cache line to share */
#define PAPI_CA_SHR	(PAPI_CA_SHR_idx | PAPI_PRESET_MASK)
/* Requests for a cache line to own, unmodified */
#define PAPI_CA_CLN	(PAPI_CA_CLN_idx | PAPI_PRESET_MASK)
/* Requests to invalidate a cache line */
#define PAPI_CA_INV	(PAPI_CA_INV_idx | PAPI_PRESET_MASK)
/* Requests that another cache intervenes in */
#define PAPI_CA_ITV	(PAPI_CA_ITV_idx | PAPI_PRESET_MASK)
/* Level 3 cache: load misses */
#define PAPI_L3_LDM	(PAPI_L3_LDM_idx | PAPI_PRESET_MASK)
/* Level 3 cache: store misses */
#define PAPI_L3_STM	(PAPI_L3_STM_idx | PAPI_PRESET_MASK)
/* Cycles without work for branch units */
#define PAPI_BRU_IDL	(PAPI_BRU_IDL_idx | PAPI_PRESET_MASK)
/* Cycles without work for integer units */
#define PAPI_FXU_IDL	(PAPI_FXU_IDL_idx | PAPI_PRESET_MASK)
/* Cycles without work for floating-point units */
#define PAPI_FPU_IDL	(PAPI_FPU_IDL_idx | PAPI_PRESET_MASK)
/* Cycles without work for load and store units */
#define PAPI_LSU_IDL	(PAPI_LSU_IDL_idx | PAPI_PRESET_MASK)
/* Data TLB: misses */
#define PAPI_TLB_DM	(PAPI_TLB_DM_idx | PAPI_PRESET_MASK)
/* Instruction TLB: misses */
#define PAPI_TLB_IM	(PAPI_TLB_IM_idx | PAPI_PRESET_MASK)
/* Data and instruction TLB: misses */
#define PAPI_TLB_TL	(PAPI_TLB_TL_idx | PAPI_PRESET_MASK)
/* Level 1 cache: load misses */
#define PAPI_L1_LDM	(PAPI_L1_LDM_idx | PAPI_PRESET_MASK)
/* Level 1 cache: store misses */
#define PAPI_L1_STM	(PAPI_L1_STM_idx | PAPI_PRESET_MASK)
/* Level 2 cache: load misses */
#define PAPI_L2_LDM	(PAPI_L2_LDM_idx | PAPI_PRESET_MASK)
/* Level 2 cache: store misses */
#define PAPI_L2_STM	(PAPI_L2_STM_idx | PAPI_PRESET_MASK)
/* Branch target address cache: misses */
#define PAPI_BTAC_M	(PAPI_BTAC_M_idx | PAPI_PRESET_MASK)
/* Data prefetches that missed */
#define PAPI_PRF_DM	(PAPI_PRF_DM_idx | PAPI_PRESET_MASK)
/* Level 3 data cache: hits */
#define PAPI_L3_DCH	(PAPI_L3_DCH_idx | PAPI_PRESET_MASK)
/* TLB shootdowns */
#define PAPI_TLB_SD	(PAPI_TLB_SD_idx | PAPI_PRESET_MASK)
/* Store conditionals that failed */
#define PAPI_CSR_FAL	(PAPI_CSR_FAL_idx | PAPI_PRESET_MASK)
/* Store conditionals that succeeded */
#define PAPI_CSR_SUC	(PAPI_CSR_SUC_idx | PAPI_PRESET_MASK)
/* Store conditionals */
#define PAPI_CSR_TOT	(PAPI_CSR_TOT_idx | PAPI_PRESET_MASK)
/* Stall cycles: memory accesses */
#define PAPI_MEM_SCY	(PAPI_MEM_SCY_idx | PAPI_PRESET_MASK)
/* Stall cycles: memory reads */
#define PAPI_MEM_RCY	(PAPI_MEM_RCY_idx | PAPI_PRESET_MASK)
/* Stall cycles: memory writes */
#define PAPI_MEM_WCY	(PAPI_MEM_WCY_idx | PAPI_PRESET_MASK)
/* Cycles in which nothing was issued */
#define PAPI_STL_ICY	(PAPI_STL_ICY_idx | PAPI_PRESET_MASK)
/* Cycles in which as much as possible was issued */
#define PAPI_FUL_ICY	(PAPI_FUL_ICY_idx | PAPI_PRESET_MASK)
/* Cycles in which nothing was retired */
#define PAPI_STL_CCY	(PAPI_STL_CCY_idx | PAPI_PRESET_MASK)
/* Cycles in which as much as possible was retired */
#define PAPI_FUL_CCY	(PAPI_FUL_CCY_idx | PAPI_PRESET_MASK)
/* Hardware interrupts */
#define PAPI_HW_INT	(PAPI_HW_INT_idx | PAPI_PRESET_MASK)
/* Branches, unconditional */
#define PAPI_BR_UCN	(PAPI_BR_UCN_idx | PAPI_PRESET_MASK)
/* Branches, conditional */
#define PAPI_BR_CN	(PAPI_BR_CN_idx | PAPI_PRESET_MASK)
/* Branches, conditional, taken */
#define PAPI_BR_TKN	(PAPI_BR_TKN_idx | PAPI_PRESET_MASK)
/* Branches, conditional, not taken */
#define PAPI_BR_NTK	(PAPI_BR_NTK_idx | PAPI_PRESET_MASK)
/* Branches, conditional, predicted wrong */
#define PAPI_BR_MSP	(PAPI_BR_MSP_idx | PAPI_PRESET_MASK)
/* Branches, conditional, predicted right */
#define PAPI_BR_PRC	(PAPI_BR_PRC_idx | PAPI_PRESET_MASK)
/* Fused multiply-add instructions */
#define PAPI_FMA_INS	(PAPI_FMA_INS_idx | PAPI_PRESET_MASK)
/* Instructions issued */
#define PAPI_TOT_IIS	(PAPI_TOT_IIS_idx | PAPI_PRESET_MASK)
/* Instructions retired */
#define PAPI_TOT_INS	(PAPI_TOT_INS_idx | PAPI_PRESET_MASK)
/* Integer instructions */
#define PAPI_INT_INS	(PAPI_INT_INS_idx | PAPI_PRESET_MASK)
/* Floating-point instructions */
#define PAPI_FP_INS	(PAPI_FP_INS_idx | PAPI_PRESET_MASK)
/* Load instructions */
#define PAPI_LD_INS	(PAPI_LD_INS_idx | PAPI_PRESET_MASK)
/* Store instructions */
#define PAPI_SR_INS	(PAPI_SR_INS_idx | PAPI_PRESET_MASK)
/* Branch instructions */
#define PAPI_BR_INS	(PAPI_BR_INS_idx | PAPI_PRESET_MASK)
/* Vector instructions */
#define PAPI_VEC_INS	(PAPI_VEC_INS_idx | PAPI_PRESET_MASK)
/* Stall cycles: any resource */
#define PAPI_RES_STL	(PAPI_RES_STL_idx | PAPI_PRESET_MASK)
/* Stall cycles: floating-point units */
#define PAPI_FP_STAL	(PAPI_FP_STAL_idx | PAPI_PRESET_MASK)
/* Core cycles */
#define PAPI_TOT_CYC	(PAPI_TOT_CYC_idx | PAPI_PRESET_MASK)
/* Load and store instructions */
#define PAPI_LST_INS	(PAPI_LST_INS_idx | PAPI_PRESET_MASK)
/* Synchronization instructions */
#define PAPI_SYC_INS	(PAPI_SYC_INS_idx | PAPI_PRESET_MASK)
/* Level 1 data cache: hits */
#define PAPI_L1_DCH	(PAPI_L1_DCH_idx | PAPI_PRESET_MASK)
/* Level 2 data cache: hits */
#define PAPI_L2_DCH	(PAPI_L2_DCH_idx | PAPI_PRESET_MASK)
/* Level 1 data cache: accesses */
#define PAPI_L1_DCA	(PAPI_L1_DCA_idx | PAPI_PRESET_MASK)
/* Level 2 data cache: accesses */
#define PAPI_L2_DCA	(PAPI_L2_DCA_idx | PAPI_PRESET_MASK)
/* Level 3 data cache: accesses */
#define PAPI_L3_DCA	(PAPI_L3_DCA_idx | PAPI_PRESET_MASK)
/* Level 1 data cache: reads */
#define PAPI_L1_DCR	(PAPI_L1_DCR_idx | PAPI_PRESET_MASK)
/* Level 2 data cache: reads */
#define PAPI_L2_DCR	(PAPI_L2_DCR_idx | PAPI_PRESET_MASK)
/* Level 3 data cache: reads */
#define PAPI_L3_DCR	(PAPI_L3_DCR_idx | PAPI_PRESET_MASK)
/* Level 1 data cache: writes */
#define PAPI_L1_DCW	(PAPI_L1_DCW_idx | PAPI_PRESET_MASK)
/* Level 2 data cache: writes */
#define PAPI_L2_DCW	(PAPI_L2_DCW_idx | PAPI_PRESET_MASK)
/* Level 3 data cache: writes */
#define PAPI_L3_DCW	(PAPI_L3_DCW_idx | PAPI_PRESET_MASK)
/* Level 1 instruction cache: hits */
#define PAPI_L1_ICH	(PAPI_L1_ICH_idx | PAPI_PRESET_MASK)
/* Level 2 instruction cache: hits */
#define PAPI_L2_ICH	(PAPI_L2_ICH_idx | PAPI_PRESET_MASK)
/* Level 3 instruction cache: hits */
#define PAPI_L3_ICH	(PAPI_L3_ICH_idx | PAPI_PRESET_MASK)
/* Level 1 instruction cache: accesses */
#define PAPI_L1_ICA	(PAPI_L1_ICA_idx | PAPI_PRESET_MASK)
/* Level 2 instruction cache: accesses */
#define PAPI_L2_ICA	(PAPI_L2_ICA_idx | PAPI_PRESET_MASK)
/* Level 3 instruction cache: accesses */
#define PAPI_L3_ICA	(PAPI_L3_ICA_idx | PAPI_PRESET_MASK)
/* Level 1 instruction cache: reads */
#define PAPI_L1_ICR	(PAPI_L1_ICR_idx | PAPI_PRESET_MASK)
/* Level 2 instruction cache: reads */
#define PAPI_L2_ICR	(PAPI_L2_ICR_idx | PAPI_PRESET_MASK)
/* Level 3 instruction cache: reads */
#define PAPI_L3_ICR	(PAPI_L3_ICR_idx | PAPI_PRESET_MASK)
/* Level 1 instruction cache: writes */
#define PAPI_L1_ICW	(PAPI_L1_ICW_idx | PAPI_PRESET_MASK)
/* Level 2 instruction cache: writes */
#define PAPI_L2_ICW	(PAPI_L2_ICW_idx | PAPI_PRESET_MASK)
/* Level 3 instruction cache: writes */
#define PAPI_L3_ICW	(PAPI_L3_ICW_idx | PAPI_PRESET_MASK)
/* Level 1 data and instruction cache: hits */
#define PAPI_L1_TCH	(PAPI_L1_TCH_idx | PAPI_PRESET_MASK)
/* Level 2 data and instruction cache: hits */
#define PAPI_L2_TCH	(PAPI_L2_TCH_idx | PAPI_PRESET_MASK)
/* Level 3 data and instruction cache: hits */
#define PAPI_L3_TCH	(PAPI_L3_TCH_idx | PAPI_PRESET_MASK)
/* Level 1 data and instruction cache: accesses */
#define PAPI_L1_TCA	(PAPI_L1_TCA_idx | PAPI_PRESET_MASK)
/* Level 2 data and instruction cache: accesses */
#define PAPI_L2_TCA	(PAPI_L2_TCA_idx | PAPI_PRESET_MASK)
/* Level 3 data and instruction cache: accesses */
#define PAPI_L3_TCA	(PAPI_L3_TCA_idx | PAPI_PRESET_MASK)
/* Level 1 data and instruction cache: reads */
#define PAPI_L1_TCR	(PAPI_L1_TCR_idx | PAPI_PRESET_MASK)
/* Level 2 data and instruction cache: reads */
#define PAPI_L2_TCR	(PAPI_L2_TCR_idx | PAPI_PRESET_MASK)
/* Level 3 data and instruction cache: reads */
#define PAPI_L3_TCR	(PAPI_L3_TCR_idx | PAPI_PRESET_MASK)
/* Level 1 data and instruction cache: writes */
#define PAPI_L1_TCW	(PAPI_L1_TCW_idx | PAPI_PRESET_MASK)
/* Level 2 data and instruction cache: writes */
#define PAPI_L2_TCW	(PAPI_L2_TCW_idx | PAPI_PRESET_MASK)
/* Level 3 data and instruction cache: writes */
#define PAPI_L3_TCW	(PAPI_L3_TCW_idx | PAPI_PRESET_MASK)
/* Floating-point multiplications */
#define PAPI_FML_INS	(PAPI_FML_INS_idx | PAPI_PRESET_MASK)
/* Floating-point additions */
#define PAPI_FAD_INS	(PAPI_FAD_INS_idx | PAPI_PRESET_MASK)
/* Floating-point divisions */
#define PAPI_FDV_INS	(PAPI_FDV_INS_idx | PAPI_PRESET_MASK)
/* Floating-point square roots */
#define PAPI_FSQ_INS	(PAPI_FSQ_INS_idx | PAPI_PRESET_MASK)
/* Floating-point reciprocals */
#define PAPI_FNV_INS	(PAPI_FNV_INS_idx | PAPI_PRESET_MASK)
/* Floating-point operations */
#define PAPI_FP_OPS	(PAPI_FP_OPS_idx | PAPI_PRESET_MASK)
/* Floating-point operations, single precision, a vector counts its elements */
#define PAPI_SP_OPS	(PAPI_SP_OPS_idx | PAPI_PRESET_MASK)
/* Floating-point operations, double precision, a vector counts its elements */
#define PAPI_DP_OPS	(PAPI_DP_OPS_idx | PAPI_PRESET_MASK)
/* Vector instructions, single precision */
#define PAPI_VEC_SP	(PAPI_VEC_SP_idx | PAPI_PRESET_MASK)
/* Vector instructions, double precision */
#define PAPI_VEC_DP	(PAPI_VEC_DP_idx | PAPI_PRESET_MASK)
/* Reference cycles, at a constant rate */
#define PAPI_REF_CYC	(PAPI_REF_CYC_idx | PAPI_PRESET_MASK)
/* Floating-point operations, half precision, a vector counts its elements */
#define PAPI_HP_OPS	(PAPI_HP_OPS_idx | PAPI_PRESET_MASK)
/* Vector instructions, half precision */
#define PAPI_VEC_HP	(PAPI_VEC_HP_idx | PAPI_PRESET_MASK)

/* The code after the last preset */
#define PAPI_END	(PAPI_END_idx | PAPI_PRESET_MASK)

#endif /* _PAPISTDEVENTDEFS */
