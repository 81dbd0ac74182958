/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * PAPI's interface, on libpmctrack: counters of threads and CPUs, exact on machines
 * whose cores differ.
 *
 * Constants, types and calls are those of PAPI 7. Programs written for PAPI 7.0 to 7.3
 * build unchanged. Layouts and values are those of PAPI 7.0 and 7.1, so that programs
 * built with their header run, too. PAPI 7.2 has changed some of them; what it added is
 * here in a place that leaves the layout as it was.
 *
 * Hybrid machines. An event whose name has no PMU is counted on every core type. Its value
 * is the sum over the core types. An event with a PMU, such as adl_glc::INST_RETIRED, is
 * counted while the thread runs on that core type. A preset is the sum of what each core
 * type's own formula yields. No count is scaled, unless the EventSet is multiplexed.
 *
 * Errors. Unless stated otherwise a call returns PAPI_OK (0) or a positive value, and on
 * failure one of the negative codes below. Before PAPI_library_init() nearly every call
 * returns PAPI_ENOINIT, and with a number that is no EventSet PAPI_ENOEVST; descriptions
 * of calls do not repeat this. NULL for a pointer that is needed is PAPI_EINVAL.
 *
 * Units. Times are in the unit that the name of the call has. Sizes of caches are in bytes,
 * sizes of memory in KiB, frequencies in MHz.
 */
#ifndef _PAPI
#define _PAPI

#include <limits.h>
#include <signal.h>
#include <sys/types.h>

#include "papiStdEventDefs.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PAPI_API
#ifdef __GNUC__
#define PAPI_API __attribute__((visibility("default")))
#else
#define PAPI_API
#endif
#endif

/* ------------------------------------------------------------------------
 * Version
 *
 * Each part of a version number has eight bits. The interface is that of PAPI_VERSION;
 * its major and minor number, PAPI_VER_CURRENT, are the argument of PAPI_library_init().
 */
#define PAPI_VERSION_NUMBER(maj, min, rev, inc) \
	(((maj) << 24) | ((min) << 16) | ((rev) << 8) | (inc))
#define PAPI_VERSION_MAJOR(x)		(((x) >> 24) & 0xff)
#define PAPI_VERSION_MINOR(x)		(((x) >> 16) & 0xff)
#define PAPI_VERSION_REVISION(x)	(((x) >> 8) & 0xff)
#define PAPI_VERSION_INCREMENT(x)	((x) & 0xff)

#define PAPI_VERSION		PAPI_VERSION_NUMBER(7, 1, 0, 0)
#define PAPI_VER_CURRENT	(PAPI_VERSION & 0xffff0000)

/* What an event code stands for */
#define IS_NATIVE(code)		(((code) & PAPI_NATIVE_MASK) && !((code) & PAPI_PRESET_MASK))
#define IS_PRESET(code)		(((code) & PAPI_PRESET_MASK) && !((code) & PAPI_NATIVE_MASK))
#define IS_USER_DEFINED(code)	(((code) & PAPI_PRESET_MASK) && ((code) & PAPI_NATIVE_MASK))

/* ------------------------------------------------------------------------
 * Error codes
 */
#define PAPI_OK			0
#define PAPI_EINVAL		(-1)	/* an argument is wrong */
#define PAPI_ENOMEM		(-2)	/* no memory */
#define PAPI_ESYS		(-3)	/* a system call failed; errno says why */
#define PAPI_ECMP		(-4)	/* the component cannot do this */
#define PAPI_ESBSTR		(-4)	/* older name of PAPI_ECMP */
#define PAPI_ECLOST		(-5)	/* the counters were taken away */
#define PAPI_EBUG		(-6)	/* a fault of the library */
#define PAPI_ENOEVNT		(-7)	/* there is no such event */
#define PAPI_ECNFLCT		(-8)	/* the counters cannot count these events at once */
#define PAPI_ENOTRUN		(-9)	/* the EventSet does not count */
#define PAPI_EISRUN		(-10)	/* the EventSet counts */
#define PAPI_ENOEVST		(-11)	/* there is no such EventSet */
#define PAPI_ENOTPRESET		(-12)	/* the event is no preset */
#define PAPI_ENOCNTR		(-13)	/* the machine has no counters */
#define PAPI_EMISC		(-14)	/* a reason without a code */
#define PAPI_EPERM		(-15)	/* no permission */
#define PAPI_ENOINIT		(-16)	/* PAPI_library_init() has not been called */
#define PAPI_ENOCMP		(-17)	/* there is no such component, or none is set */
#define PAPI_ENOSUPP		(-18)	/* not possible here */
#define PAPI_ENOIMPL		(-19)	/* not written */
#define PAPI_EBUF		(-20)	/* a buffer is too small */
#define PAPI_EINVAL_DOM		(-21)	/* the EventSet's domain does not allow this */
#define PAPI_EATTR		(-22)	/* attributes of an event are wrong or missing */
#define PAPI_ECOUNT		(-23)	/* too many events or attributes */
#define PAPI_ECOMBO		(-24)	/* features that exclude each other */
#define PAPI_ECMP_DISABLED	(-25)	/* the event's component is disabled */
#define PAPI_EDELAY_INIT	(-26)	/* the component is initialized when it is first used */
#define PAPI_EMULPASS		(-27)	/* the event needs several runs */
#define PAPI_PARTIAL		(-28)	/* a part of the component is disabled */
#define PAPI_NUM_ERRORS		29	/* number of codes */

/* What PAPI_is_initialized() returns */
#define PAPI_NOT_INITED			0
#define PAPI_LOW_LEVEL_INITED		1	/* PAPI_library_init() was called */
#define PAPI_HIGH_LEVEL_INITED		2	/* a call of the high level was first */
#define PAPI_THREAD_LEVEL_INITED	4	/* PAPI_thread_init() was called */

/* ------------------------------------------------------------------------
 * Constants
 */

/* No EventSet, or no event */
#define PAPI_NULL		(-1)

/* Domains: modes of the CPU in which events count */
#define PAPI_DOM_USER		0x1
#define PAPI_DOM_MIN		PAPI_DOM_USER
#define PAPI_DOM_KERNEL		0x2
#define PAPI_DOM_OTHER		0x4	/* modes that are neither, as on some older CPUs */
#define PAPI_DOM_SUPERVISOR	0x8	/* the hypervisor */
#define PAPI_DOM_ALL \
	(PAPI_DOM_USER | PAPI_DOM_KERNEL | PAPI_DOM_OTHER | PAPI_DOM_SUPERVISOR)
#define PAPI_DOM_MAX		PAPI_DOM_ALL
#define PAPI_DOM_HWSPEC		0x80000000	/* the other bits are the component's own */

/* Tags of PAPI_set_thr_specific() */
#define PAPI_USR1_TLS		0x0
#define PAPI_USR2_TLS		0x1
#define PAPI_TLS_HIGH_LEVEL	0x2
#define PAPI_NUM_TLS		0x3
#define PAPI_TLS_USR1		PAPI_USR1_TLS
#define PAPI_TLS_USR2		PAPI_USR2_TLS
#define PAPI_TLS_NUM		PAPI_NUM_TLS
#define PAPI_TLS_ALL_THREADS	0x10	/* flag: what each thread has set, not the caller only */

/* Locks of PAPI_lock() */
#define PAPI_USR1_LOCK		0x0
#define PAPI_USR2_LOCK		0x1
#define PAPI_NUM_LOCK		0x2
#define PAPI_LOCK_USR1		PAPI_USR1_LOCK
#define PAPI_LOCK_USR2		PAPI_USR2_LOCK
#define PAPI_LOCK_NUM		PAPI_NUM_LOCK

/* Vendors of CPUs; those of Arm's architecture are the implementer's number in MIDR */
#define PAPI_VENDOR_UNKNOWN		0
#define PAPI_VENDOR_INTEL		1
#define PAPI_VENDOR_AMD			2
#define PAPI_VENDOR_IBM			3
#define PAPI_VENDOR_CRAY		4
#define PAPI_VENDOR_SUN			5
#define PAPI_VENDOR_FREESCALE		6
#define PAPI_VENDOR_ARM			7
#define PAPI_VENDOR_MIPS		8
#define PAPI_VENDOR_ARM_ARM		0x41
#define PAPI_VENDOR_ARM_BROADCOM	0x42
#define PAPI_VENDOR_ARM_CAVIUM		0x43
#define PAPI_VENDOR_ARM_FUJITSU		0x46
#define PAPI_VENDOR_ARM_HISILICON	0x48
#define PAPI_VENDOR_ARM_APM		0x50
#define PAPI_VENDOR_ARM_QUALCOMM	0x51

/* Granularity: what an EventSet counts */
#define PAPI_GRN_THR		0x1	/* a thread */
#define PAPI_GRN_MIN		PAPI_GRN_THR
#define PAPI_GRN_PROC		0x2	/* a process */
#define PAPI_GRN_PROCG		0x4	/* a process group */
#define PAPI_GRN_SYS		0x8	/* the CPU that the caller runs on */
#define PAPI_GRN_SYS_CPU	0x10	/* each CPU */
#define PAPI_GRN_MAX		PAPI_GRN_SYS_CPU

/* States of an EventSet, of which several may hold */
#define PAPI_STOPPED		0x01
#define PAPI_RUNNING		0x02
#define PAPI_PAUSED		0x04	/* the library has stopped it for a while */
#define PAPI_NOT_INIT		0x08	/* it has no event */
#define PAPI_OVERFLOWING	0x10	/* PAPI_overflow() */
#define PAPI_PROFILING		0x20	/* PAPI_profil(), PAPI_sprofil() */
#define PAPI_MULTIPLEXING	0x40	/* events take turns on the counters */
#define PAPI_ATTACHED		0x80	/* it counts another thread */
#define PAPI_CPU_ATTACHED	0x100	/* it counts a CPU */

/* PAPI_set_debug(): what happens when a call fails */
#define PAPI_QUIET		0	/* the caller gets the code */
#define PAPI_VERB_ECONT		1	/* a message on stderr, too */
#define PAPI_VERB_ESTOP		2	/* a message on stderr; the program aborts */

/* Flags of PAPI_profil() and PAPI_sprofil() */
#define PAPI_PROFIL_POSIX	0x0	/* as profil() does: one per sample, 16 bits */
#define PAPI_PROFIL_RANDOM	0x1	/* drop a quarter of the samples, by chance */
#define PAPI_PROFIL_WEIGHTED	0x2	/* add more than one where samples are far apart */
#define PAPI_PROFIL_COMPRESS	0x4	/* ignore samples of buckets that get large */
#define PAPI_PROFIL_BUCKET_16	0x8	/* size of a bucket, in bits */
#define PAPI_PROFIL_BUCKET_32	0x10
#define PAPI_PROFIL_BUCKET_64	0x20
#define PAPI_PROFIL_FORCE_SW	0x40	/* sample by a timer instead of the counter */
#define PAPI_PROFIL_DATA_EAR	0x80	/* addresses of data */
#define PAPI_PROFIL_INST_EAR	0x100	/* addresses of instructions, by hardware */
#define PAPI_PROFIL_BUCKETS \
	(PAPI_PROFIL_BUCKET_16 | PAPI_PROFIL_BUCKET_32 | PAPI_PROFIL_BUCKET_64)

/* Flags of PAPI_overflow() */
#define PAPI_OVERFLOW_FORCE_SW	0x40	/* look at the counts when a timer expires */
#define PAPI_OVERFLOW_HARDWARE	0x80	/* the counter's interrupt */

/* Flags of PAPI_multiplex_option_t */
#define PAPI_MULTIPLEX_DEFAULT	0x0
#define PAPI_MULTIPLEX_FORCE_SW	0x1	/* the library takes turns, not the kernel */

/* PAPI_inherit_option_t: are children counted? */
#define PAPI_INHERIT_ALL	1
#define PAPI_INHERIT_NONE	0

/*
 * Options of PAPI_get_opt() and PAPI_set_opt(). Most use a member of PAPI_option_t; some
 * of PAPI_get_opt() return their value.
 */
#define PAPI_DETACH		1	/* attach: count the caller again */
#define PAPI_DEBUG		2	/* debug: what happens when a call fails */
#define PAPI_MULTIPLEX		3	/* multiplex */
#define PAPI_DEFDOM		4	/* defdomain: domain of new EventSets */
#define PAPI_DOMAIN		5	/* domain: of an EventSet */
#define PAPI_DEFGRN		6	/* defgranularity: of new EventSets */
#define PAPI_GRANUL		7	/* granularity: of an EventSet */
#define PAPI_DEF_MPX_NS		8	/* multiplex: ns that a turn lasts */
#define PAPI_MAX_MPX_CTRS	11	/* returned: most events of a multiplexed EventSet */
#define PAPI_PROFIL		12	/* not served */
#define PAPI_PRELOAD		13	/* preload */
#define PAPI_CLOCKRATE		14	/* returned: MHz */
#define PAPI_MAX_HWCTRS		15	/* returned: counters of the CPU */
#define PAPI_HWINFO		16	/* hw_info */
#define PAPI_EXEINFO		17	/* exe_info */
#define PAPI_MAX_CPUS		18	/* returned: CPUs of the machine */
#define PAPI_ATTACH		19	/* attach: count another thread */
#define PAPI_SHLIBINFO		20	/* shlib_info */
#define PAPI_LIB_VERSION	21	/* returned: PAPI_VERSION of the library */
#define PAPI_COMPONENTINFO	22	/* cmp_info */
#define PAPI_DATA_ADDRESS	23	/* not served */
#define PAPI_INSTR_ADDRESS	24	/* not served */
#define PAPI_DEF_ITIMER		25	/* itimer: the timer of software overflow */
#define PAPI_DEF_ITIMER_NS	26	/* itimer: its period in ns */
#define PAPI_CPU_ATTACH		27	/* cpu: count a CPU */
#define PAPI_INHERIT		28	/* inherit: count children, too */
#define PAPI_USER_EVENTS_FILE	29	/* not served */

/* EventSets that there is room for at first */
#define PAPI_INIT_SLOTS		64

/* Sizes of strings, with the terminating zero */
#define PAPI_MIN_STR_LEN	64
#define PAPI_MAX_STR_LEN	128
#define PAPI_2MAX_STR_LEN	256
#define PAPI_HUGE_STR_LEN	1024

#define PAPI_PMU_MAX		80	/* PMUs of a component */
#define PAPI_DERIVED		0x1	/* flag: an event is computed from several */

/* Modifiers of PAPI_enum_event(). Programs hold these numbers, so new ones are at the end. */
enum {
	PAPI_ENUM_EVENTS = 0,		/* the next event */
	PAPI_ENUM_FIRST,		/* the first event */
	PAPI_PRESET_ENUM_AVAIL,		/* the next preset that the machine has */
	PAPI_PRESET_ENUM_MSC,		/* the next preset of: no other class, */
	PAPI_PRESET_ENUM_INS,		/* instructions, */
	PAPI_PRESET_ENUM_IDL,		/* stalls and idle units, */
	PAPI_PRESET_ENUM_BR,		/* branches, */
	PAPI_PRESET_ENUM_CND,		/* store conditionals, */
	PAPI_PRESET_ENUM_MEM,		/* memory, */
	PAPI_PRESET_ENUM_CACH,		/* caches, */
	PAPI_PRESET_ENUM_L1,		/* caches of one level, */
	PAPI_PRESET_ENUM_L2,
	PAPI_PRESET_ENUM_L3,
	PAPI_PRESET_ENUM_TLB,		/* TLBs, */
	PAPI_PRESET_ENUM_FP,		/* floating point */
	PAPI_NTV_ENUM_UMASKS,		/* the next unit mask of a native event */
	PAPI_NTV_ENUM_UMASK_COMBOS,	/* the next combination of unit masks */
	PAPI_NTV_ENUM_IARR,		/* the next event that allows PAPI_INSTR_ADDRESS, */
	PAPI_NTV_ENUM_DARR,		/* PAPI_DATA_ADDRESS, */
	PAPI_NTV_ENUM_OPCM,		/* a choice of instructions, */
	PAPI_NTV_ENUM_IEAR,		/* exact addresses of instructions, */
	PAPI_NTV_ENUM_DEAR,		/* exact addresses of data */
	PAPI_NTV_ENUM_GROUPS,		/* the next group that an event belongs to */
	/* of PAPI 7.2 */
	PAPI_PRESET_ENUM_FIRST_COMP,	/* the first preset of components other than the CPU's */
	PAPI_PRESET_ENUM_CPU,		/* the next preset of the CPU's component, */
	PAPI_PRESET_ENUM_CPU_AVAIL	/* that the machine has */
};

#define PAPI_ENUM_ALL		PAPI_ENUM_EVENTS

/* Classes of a preset: PAPI_event_info_t.event_type */
#define PAPI_PRESET_BIT_MSC	(1 << PAPI_PRESET_ENUM_MSC)
#define PAPI_PRESET_BIT_INS	(1 << PAPI_PRESET_ENUM_INS)
#define PAPI_PRESET_BIT_IDL	(1 << PAPI_PRESET_ENUM_IDL)
#define PAPI_PRESET_BIT_BR	(1 << PAPI_PRESET_ENUM_BR)
#define PAPI_PRESET_BIT_CND	(1 << PAPI_PRESET_ENUM_CND)
#define PAPI_PRESET_BIT_MEM	(1 << PAPI_PRESET_ENUM_MEM)
#define PAPI_PRESET_BIT_CACH	(1 << PAPI_PRESET_ENUM_CACH)
#define PAPI_PRESET_BIT_L1	(1 << PAPI_PRESET_ENUM_L1)
#define PAPI_PRESET_BIT_L2	(1 << PAPI_PRESET_ENUM_L2)
#define PAPI_PRESET_BIT_L3	(1 << PAPI_PRESET_ENUM_L3)
#define PAPI_PRESET_BIT_TLB	(1 << PAPI_PRESET_ENUM_TLB)
#define PAPI_PRESET_BIT_FP	(1 << PAPI_PRESET_ENUM_FP)

/* The number of an event's group, in codes of PAPI_NTV_ENUM_GROUPS */
#define PAPI_NTV_GROUP_AND_MASK	0x00FF0000
#define PAPI_NTV_GROUP_SHIFT	16

/* Older names of types */
#define long_long	long long
#define u_long_long	unsigned long long

/* ------------------------------------------------------------------------
 * Types
 */
typedef void *vptr_t;
typedef unsigned long PAPI_thread_id_t;

/* What every thread has set for a tag: PAPI_get_thr_specific(), PAPI_TLS_ALL_THREADS */
typedef struct _papi_all_thr_spec {
	int num;		/* in: room; out: threads */
	PAPI_thread_id_t *id;	/* NULL: not wanted. Both are: the threads are only counted */
	void **data;
} PAPI_all_thr_spec_t;

/*
 * Called in the thread that an EventSet counts when its events overflow. @address is the
 * instruction, bit N of @overflow_vector stands for the EventSet's event N, see
 * PAPI_get_overflow_event_index(). @context is the signal's ucontext_t.
 */
typedef void (*PAPI_overflow_handler_t)(int EventSet, void *address,
					long long overflow_vector, void *context);

/* Called with the code of a call that failed; what it returns is the call's value. */
typedef int (*PAPI_debug_handler_t)(int code);

/* A histogram of a range of addresses, as of profil() */
typedef struct _papi_sprofil {
	void *pr_base;		/* its buckets */
	unsigned pr_size;	/* bytes of them */
	vptr_t pr_off;		/* the lowest address */
	/*
	 * 65536 is one bucket for two bytes, 32768 for four, ...; 2 with the address 0 is one for
	 * all addresses that are in no other range
	 */
	unsigned pr_scale;
} PAPI_sprofil_t;

typedef struct _papi_itimer_option {
	int itimer_num;		/* ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF */
	int itimer_sig;		/* its signal */
	int ns;			/* its period */
	int flags;
} PAPI_itimer_option_t;

typedef struct _papi_inherit_option {
	int eventset;
	int inherit;		/* PAPI_INHERIT_... */
} PAPI_inherit_option_t;

typedef struct _papi_domain_option {
	int def_cidx;		/* the component, for a default */
	int eventset;
	int domain;		/* PAPI_DOM_... */
} PAPI_domain_option_t;

typedef struct _papi_granularity_option {
	int def_cidx;		/* the component, for a default */
	int eventset;
	int granularity;	/* PAPI_GRN_... */
} PAPI_granularity_option_t;

/* How a library is loaded into a program that was not linked with it */
typedef struct _papi_preload_option {
	char lib_preload_env[PAPI_MAX_STR_LEN];	/* the environment variable, */
	char lib_preload_sep;			/* what separates its words */
	char lib_dir_env[PAPI_MAX_STR_LEN];	/* the same for folders */
	char lib_dir_sep;
} PAPI_preload_info_t;

/* A component: a source of events */
typedef struct _papi_component_option {
	char name[PAPI_MAX_STR_LEN];
	char short_name[PAPI_MIN_STR_LEN];		/* the prefix of its events */
	char description[PAPI_MAX_STR_LEN];
	char version[PAPI_MIN_STR_LEN];
	char support_version[PAPI_MIN_STR_LEN];		/* of the library it uses */
	char kernel_version[PAPI_MIN_STR_LEN];		/* of the kernel's driver */
	char disabled_reason[PAPI_HUGE_STR_LEN];	/* why it cannot count */
	int disabled;					/* 0, or an error code */
	int initialized;
	int CmpIdx;					/* its number */
	int num_cntrs;					/* events at once */
	int num_mpx_cntrs;				/* events of a multiplexed EventSet */
	int num_preset_events;
	int num_native_events;
	int default_domain;
	int available_domains;
	int default_granularity;
	int available_granularities;
	int hardware_intr_sig;				/* the signal of overflows */
	int component_type;
	char *pmu_names[PAPI_PMU_MAX];			/* up to the first NULL */
	__extension__ union {
		int reserved[8];
		/* of PAPI 7.2: some PMUs or devices cannot be counted */
		__extension__ struct {
			int partially_disabled;
			const char *partially_disabled_reason;
		};
	};
	unsigned int hardware_intr:1;		/* overflow by the counter's interrupt */
	unsigned int precise_intr:1;		/* the address of an overflow is exact */
	unsigned int posix1b_timers:1;
	unsigned int kernel_profile:1;		/* the kernel collects histograms */
	unsigned int kernel_multiplex:1;
	unsigned int fast_counter_read:1;	/* counters are read without a system call */
	unsigned int fast_real_timer:1;
	unsigned int fast_virtual_timer:1;
	unsigned int attach:1;			/* another thread can be counted, */
	unsigned int attach_must_ptrace:1;	/* if the caller traces it */
	unsigned int cntr_umasks:1;		/* events have unit masks */
	unsigned int cpu:1;			/* a CPU can be counted */
	unsigned int inherit:1;			/* children can be counted */
	unsigned int reserved_bits:19;
} PAPI_component_info_t;

typedef struct _papi_mpx_info {
	int timer_sig;
	int timer_num;
	int timer_us;
} PAPI_mpx_info_t;

typedef struct _papi_debug_option {
	int level;			/* PAPI_QUIET, ... */
	PAPI_debug_handler_t handler;	/* NULL for the library's */
} PAPI_debug_option_t;

/* Where a program or library is in memory. Parts that it lacks are NULL to NULL. */
typedef struct _papi_address_map {
	char name[PAPI_HUGE_STR_LEN];
	vptr_t text_start;
	vptr_t text_end;		/* first address after the part */
	vptr_t data_start;
	vptr_t data_end;
	vptr_t bss_start;
	vptr_t bss_end;
} PAPI_address_map_t;

typedef struct _papi_program_info {
	char fullname[PAPI_HUGE_STR_LEN];	/* with its folder */
	PAPI_address_map_t address_info;	/* its name is without folder */
} PAPI_exe_info_t;

typedef struct _papi_shared_lib_info {
	PAPI_address_map_t *map;
	int count;
} PAPI_shlib_info_t;

typedef char *PAPI_user_defined_events_file_t;

/*
 * Caches and TLBs. An associativity of 1 is direct mapped, SHRT_MAX fully associative,
 * 0 not known. A type is a value of each of these groups.
 */
#define PAPI_MH_TYPE_EMPTY	0x0	/* no cache */
#define PAPI_MH_TYPE_INST	0x1
#define PAPI_MH_TYPE_DATA	0x2
#define PAPI_MH_TYPE_VECTOR	0x4
#define PAPI_MH_TYPE_TRACE	0x8
#define PAPI_MH_TYPE_UNIFIED	(PAPI_MH_TYPE_INST | PAPI_MH_TYPE_DATA)
#define PAPI_MH_CACHE_TYPE(a)	((a) & 0xf)
#define PAPI_MH_TYPE_WT		0x00	/* write through */
#define PAPI_MH_TYPE_WB		0x10	/* write back */
#define PAPI_MH_CACHE_WRITE_POLICY(a)	((a) & 0xf0)
#define PAPI_MH_TYPE_UNKNOWN	0x000	/* replacement */
#define PAPI_MH_TYPE_LRU	0x100
#define PAPI_MH_TYPE_PSEUDO_LRU	0x200
#define PAPI_MH_TYPE_FIFO	0x400
#define PAPI_MH_CACHE_REPLACEMENT_POLICY(a)	((a) & 0xf00)
#define PAPI_MH_TYPE_TLB	0x1000
#define PAPI_MH_TYPE_PREF	0x2000	/* prefetch buffer */
#define PAPI_MH_TYPE_RD_ALLOC	0x10000	/* a line is allocated by reads, */
#define PAPI_MH_TYPE_WR_ALLOC	0x20000	/* by writes, */
#define PAPI_MH_TYPE_RW_ALLOC	0x40000	/* by both */
#define PAPI_MH_CACHE_ALLOCATION_POLICY(a)	((a) & 0xf0000)

#define PAPI_MH_MAX_LEVELS		6	/* caches, or TLBs, of a level */
#define PAPI_MAX_MEM_HIERARCHY_LEVELS	4

typedef struct _papi_mh_tlb_info {
	int type;
	int num_entries;
	int page_size;		/* bytes */
	int associativity;
} PAPI_mh_tlb_info_t;

typedef struct _papi_mh_cache_info {
	int type;
	int size;		/* bytes */
	int line_size;		/* bytes */
	int num_lines;
	int associativity;
} PAPI_mh_cache_info_t;

typedef struct _papi_mh_level_info {
	PAPI_mh_tlb_info_t tlb[PAPI_MH_MAX_LEVELS];
	PAPI_mh_cache_info_t cache[PAPI_MH_MAX_LEVELS];
} PAPI_mh_level_t;

typedef struct _papi_mh_info {
	int levels;
	PAPI_mh_level_t level[PAPI_MAX_MEM_HIERARCHY_LEVELS];
} PAPI_mh_info_t;

/*
 * The machine. Where cores differ, caches, model and frequencies are those of the fastest
 * core type; PAPI_get_dev_attr() has those of each.
 */
typedef struct _papi_hw_info {
	int ncpu;		/* CPUs of a NUMA node, the largest number */
	int threads;		/* hardware threads of a core, the largest number */
	int cores;		/* cores of a socket, of all core types; the largest number */
	int sockets;
	int nnodes;		/* NUMA nodes */
	int totalcpus;		/* CPUs that are online; not always the product of others */
	int vendor;		/* PAPI_VENDOR_... */
	char vendor_string[PAPI_MAX_STR_LEN];
	int model;
	char model_string[PAPI_MAX_STR_LEN];
	float revision;
	int cpuid_family;	/* x86: of CPUID; Arm: of the architecture */
	int cpuid_model;	/* x86: of CPUID; Arm: MIDR's part */
	int cpuid_stepping;	/* x86: of CPUID; Arm: MIDR's variant */
	int cpu_max_mhz;	/* highest and lowest that may be set, 0 if not known */
	int cpu_min_mhz;
	PAPI_mh_info_t mem_hierarchy;
	int virtualized;	/* 1 in a virtual machine, if that can be seen */
	char virtual_vendor_string[PAPI_MAX_STR_LEN];
	char virtual_vendor_version[PAPI_MAX_STR_LEN];
	float mhz;		/* cpu_max_mhz */
	int clock_mhz;		/* cpu_max_mhz */
	int reserved[8];
} PAPI_hw_info_t;

typedef struct _papi_attach_option {
	int eventset;
	unsigned long tid;
} PAPI_attach_option_t;

typedef struct _papi_cpu_option {
	int eventset;
	unsigned int cpu_num;
} PAPI_cpu_option_t;

typedef struct _papi_multiplex_option {
	int eventset;
	int ns;			/* how long a turn lasts, 1000000 at least */
	int flags;		/* PAPI_MULTIPLEX_... */
} PAPI_multiplex_option_t;

typedef struct _papi_addr_range_option {
	int eventset;
	vptr_t start;		/* the range that is asked for; NULL to NULL for all */
	vptr_t end;
	int start_off;		/* out: how far the hardware's range is off */
	int end_off;
} PAPI_addr_range_option_t;

/* Argument of PAPI_get_opt() and PAPI_set_opt(); what is pointed to is the library's */
typedef union {
	PAPI_preload_info_t preload;
	PAPI_debug_option_t debug;
	PAPI_inherit_option_t inherit;
	PAPI_granularity_option_t granularity;
	PAPI_granularity_option_t defgranularity;
	PAPI_domain_option_t domain;
	PAPI_domain_option_t defdomain;
	PAPI_attach_option_t attach;
	PAPI_cpu_option_t cpu;
	PAPI_multiplex_option_t multiplex;
	PAPI_itimer_option_t itimer;
	PAPI_hw_info_t *hw_info;
	PAPI_shlib_info_t *shlib_info;
	PAPI_exe_info_t *exe_info;
	PAPI_component_info_t *cmp_info;
	PAPI_addr_range_option_t addr;
	PAPI_user_defined_events_file_t events_file;
} PAPI_option_t;

/* Memory of the process, in KiB unless stated otherwise */
typedef struct _dmem_t {
	long long peak;			/* largest address space so far */
	long long size;			/* address space */
	long long resident;		/* what of it is in memory */
	long long high_water_mark;	/* most that was in memory so far */
	long long shared;		/* resident memory of files and shared mappings */
	long long text;			/* the program's code */
	long long library;		/* the libraries' code */
	long long heap;			/* private data that can be written, without the stack */
	long long locked;		/* cannot be swapped out */
	long long stack;		/* of the first thread */
	long long pagesize;		/* in bytes */
	long long pte;			/* page tables */
} PAPI_dmem_info_t;

/* Members of PAPI_dmem_info_t in Fortran */
#define PAPIF_DMEM_VMPEAK	1
#define PAPIF_DMEM_VMSIZE	2
#define PAPIF_DMEM_RESIDENT	3
#define PAPIF_DMEM_HIGH_WATER	4
#define PAPIF_DMEM_SHARED	5
#define PAPIF_DMEM_TEXT		6
#define PAPIF_DMEM_LIBRARY	7
#define PAPIF_DMEM_HEAP		8
#define PAPIF_DMEM_LOCKED	9
#define PAPIF_DMEM_STACK	10
#define PAPIF_DMEM_PAGESIZE	11
#define PAPIF_DMEM_PTE		12
#define PAPIF_DMEM_MAXVAL	12

#define PAPI_MAX_INFO_TERMS	12	/* native events of a preset */
#define PAPI_MAX_COMP_QUALS	8	/* qualifiers of an event */

/* PAPI_event_info_t.location: what has the counter */
enum {
	PAPI_LOCATION_CORE = 0,
	PAPI_LOCATION_CPU,
	PAPI_LOCATION_PACKAGE,
	PAPI_LOCATION_UNCORE
};

/* PAPI_event_info_t.data_type: what the 64 bits of a value are */
enum {
	PAPI_DATATYPE_INT64 = 0,
	PAPI_DATATYPE_UINT64,
	PAPI_DATATYPE_FP64,
	PAPI_DATATYPE_BIT64
};

/* PAPI_event_info_t.value_type */
enum {
	PAPI_VALUETYPE_RUNNING_SUM = 0,	/* a count */
	PAPI_VALUETYPE_ABSOLUTE		/* a level */
};

/* PAPI_event_info_t.timescope: the time that a value is of */
enum {
	PAPI_TIMESCOPE_SINCE_START = 0,
	PAPI_TIMESCOPE_SINCE_LAST,
	PAPI_TIMESCOPE_UNTIL_NEXT,
	PAPI_TIMESCOPE_POINT
};

/* PAPI_event_info_t.update_type: when the source has a new value */
enum {
	PAPI_UPDATETYPE_ARBITRARY = 0,
	PAPI_UPDATETYPE_PUSH,
	PAPI_UPDATETYPE_PULL,
	PAPI_UPDATETYPE_FIXEDFREQ
};

/* An event. The caller provides the structure, which is large. */
typedef struct event_info {
	unsigned int event_code;
	char symbol[PAPI_HUGE_STR_LEN];		/* its name */
	char short_descr[PAPI_MIN_STR_LEN];
	char long_descr[PAPI_HUGE_STR_LEN];
	int component_index;
	char units[PAPI_MIN_STR_LEN];		/* "" for a number of events */
	int location;				/* enums above */
	int data_type;
	int value_type;
	int timescope;
	int update_type;
	int update_freq;
	unsigned int count;			/* presets: terms in @code and @name */
	unsigned int event_type;		/* presets: PAPI_PRESET_BIT_... */
	char derived[PAPI_MIN_STR_LEN];		/* presets: how terms are combined */
	char postfix[PAPI_2MAX_STR_LEN];	/* presets: formula, if that is DERIVED_POSTFIX */
	unsigned int code[PAPI_MAX_INFO_TERMS];	/* presets: native events */
	/*
	 * PAPI 7.2 has put qualifiers at the end of the structure. No event of this library
	 * has any: their number is always 0, and they need no memory of their own.
	 */
	__extension__ union {
		char name[PAPI_MAX_INFO_TERMS][PAPI_2MAX_STR_LEN];	/* presets: of @code */
		char quals[PAPI_MAX_INFO_TERMS / 4][PAPI_HUGE_STR_LEN];
		char quals_descrs[PAPI_MAX_INFO_TERMS / 4][PAPI_HUGE_STR_LEN];
	};
	__extension__ union {
		char note[PAPI_HUGE_STR_LEN];	/* a remark; its last four bytes are 0 */
		__extension__ struct {
			char note_text[PAPI_HUGE_STR_LEN - sizeof(int)];
			int num_quals;
		};
	};
} PAPI_event_info_t;

/* Types of devices. CPUs have a device for each core type, the fastest first. */
typedef enum {
	PAPI_DEV_TYPE_ID__CPU,
	PAPI_DEV_TYPE_ID__CUDA,
	PAPI_DEV_TYPE_ID__ROCM,
	PAPI_DEV_TYPE_ID__MAX_NUM
} PAPI_dev_type_id_e;

/* Modifiers of PAPI_enum_dev_type(): the first, or the next one of those whose bit is set */
enum {
	PAPI_DEV_TYPE_ENUM__FIRST = 0,
	PAPI_DEV_TYPE_ENUM__CPU = (1 << PAPI_DEV_TYPE_ID__CPU),
	PAPI_DEV_TYPE_ENUM__CUDA = (1 << PAPI_DEV_TYPE_ID__CUDA),
	PAPI_DEV_TYPE_ENUM__ROCM = (1 << PAPI_DEV_TYPE_ID__ROCM),
	PAPI_DEV_TYPE_ENUM__ALL = (1 << PAPI_DEV_TYPE_ID__MAX_NUM) - 1
};

/* Attributes of a type of devices. The name has the type of the value; CHAR is const char *. */
typedef enum {
	PAPI_DEV_TYPE_ATTR__INT_PAPI_ID,	/* PAPI_dev_type_id_e */
	PAPI_DEV_TYPE_ATTR__INT_VENDOR_ID,	/* PAPI_VENDOR_... */
	PAPI_DEV_TYPE_ATTR__CHAR_NAME,		/* the vendor's name */
	PAPI_DEV_TYPE_ATTR__INT_COUNT,		/* devices; CPUs: core types */
	PAPI_DEV_TYPE_ATTR__CHAR_STATUS
} PAPI_dev_type_attr_e;

/*
 * Attributes of a device: PAPI_DEV_ATTR__DEVICE_TYPE_NAME. For CPUs the id is the number of
 * a core type, with these exceptions: of NUMA_MEM_SIZE (MiB) and THR_PER_NUMA it is that of
 * a NUMA node, of THR_NUMA_AFFINITY that of a CPU.
 */
typedef enum {
	PAPI_DEV_ATTR__CPU_CHAR_NAME,
	PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L1D_CACHE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L2U_CACHE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L3U_CACHE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_LINE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L1D_CACHE_LINE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L2U_CACHE_LINE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L3U_CACHE_LINE_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_LINE_COUNT,
	PAPI_DEV_ATTR__CPU_UINT_L1D_CACHE_LINE_COUNT,
	PAPI_DEV_ATTR__CPU_UINT_L2U_CACHE_LINE_COUNT,
	PAPI_DEV_ATTR__CPU_UINT_L3U_CACHE_LINE_COUNT,
	PAPI_DEV_ATTR__CPU_UINT_L1I_CACHE_ASSOC,
	PAPI_DEV_ATTR__CPU_UINT_L1D_CACHE_ASSOC,
	PAPI_DEV_ATTR__CPU_UINT_L2U_CACHE_ASSOC,
	PAPI_DEV_ATTR__CPU_UINT_L3U_CACHE_ASSOC,
	PAPI_DEV_ATTR__CPU_UINT_SOCKET_COUNT,
	PAPI_DEV_ATTR__CPU_UINT_NUMA_COUNT,
	PAPI_DEV_ATTR__CPU_UINT_CORE_COUNT,	/* the core type's cores of a socket */
	PAPI_DEV_ATTR__CPU_UINT_THREAD_COUNT,	/* the core type's CPUs */
	PAPI_DEV_ATTR__CPU_UINT_FAMILY,
	PAPI_DEV_ATTR__CPU_UINT_MODEL,
	PAPI_DEV_ATTR__CPU_UINT_STEPPING,
	PAPI_DEV_ATTR__CPU_UINT_NUMA_MEM_SIZE,
	PAPI_DEV_ATTR__CPU_UINT_THR_NUMA_AFFINITY,
	PAPI_DEV_ATTR__CPU_UINT_THR_PER_NUMA,
	PAPI_DEV_ATTR__CUDA_ULONG_UID,
	PAPI_DEV_ATTR__CUDA_CHAR_DEVICE_NAME,
	PAPI_DEV_ATTR__CUDA_UINT_WARP_SIZE,
	PAPI_DEV_ATTR__CUDA_UINT_SHM_PER_BLK,
	PAPI_DEV_ATTR__CUDA_UINT_SHM_PER_SM,
	PAPI_DEV_ATTR__CUDA_UINT_BLK_DIM_X,
	PAPI_DEV_ATTR__CUDA_UINT_BLK_DIM_Y,
	PAPI_DEV_ATTR__CUDA_UINT_BLK_DIM_Z,
	PAPI_DEV_ATTR__CUDA_UINT_GRD_DIM_X,
	PAPI_DEV_ATTR__CUDA_UINT_GRD_DIM_Y,
	PAPI_DEV_ATTR__CUDA_UINT_GRD_DIM_Z,
	PAPI_DEV_ATTR__CUDA_UINT_THR_PER_BLK,
	PAPI_DEV_ATTR__CUDA_UINT_SM_COUNT,
	PAPI_DEV_ATTR__CUDA_UINT_MULTI_KERNEL,
	PAPI_DEV_ATTR__CUDA_UINT_MAP_HOST_MEM,
	PAPI_DEV_ATTR__CUDA_UINT_MEMCPY_OVERLAP,
	PAPI_DEV_ATTR__CUDA_UINT_UNIFIED_ADDR,
	PAPI_DEV_ATTR__CUDA_UINT_MANAGED_MEM,
	PAPI_DEV_ATTR__CUDA_UINT_COMP_CAP_MAJOR,
	PAPI_DEV_ATTR__CUDA_UINT_COMP_CAP_MINOR,
	PAPI_DEV_ATTR__CUDA_UINT_BLK_PER_SM,
	PAPI_DEV_ATTR__ROCM_ULONG_UID,
	PAPI_DEV_ATTR__ROCM_CHAR_DEVICE_NAME,
	PAPI_DEV_ATTR__ROCM_UINT_WAVEFRONT_SIZE,
	PAPI_DEV_ATTR__ROCM_UINT_WORKGROUP_SIZE,
	PAPI_DEV_ATTR__ROCM_UINT_WAVE_PER_CU,
	PAPI_DEV_ATTR__ROCM_UINT_SHM_PER_WG,
	PAPI_DEV_ATTR__ROCM_UINT_WG_DIM_X,
	PAPI_DEV_ATTR__ROCM_UINT_WG_DIM_Y,
	PAPI_DEV_ATTR__ROCM_UINT_WG_DIM_Z,
	PAPI_DEV_ATTR__ROCM_UINT_GRD_DIM_X,
	PAPI_DEV_ATTR__ROCM_UINT_GRD_DIM_Y,
	PAPI_DEV_ATTR__ROCM_UINT_GRD_DIM_Z,
	PAPI_DEV_ATTR__ROCM_UINT_CU_COUNT,
	PAPI_DEV_ATTR__ROCM_UINT_SIMD_PER_CU,
	PAPI_DEV_ATTR__ROCM_UINT_COMP_CAP_MAJOR,
	PAPI_DEV_ATTR__ROCM_UINT_COMP_CAP_MINOR
} PAPI_dev_attr_e;

/* ------------------------------------------------------------------------
 * The library
 */

/*
 * Initialize the library. Return: @version, with which programs compare the value;
 * PAPI_EINVAL if the library does not serve this version.
 */
PAPI_API int PAPI_library_init(int version);
/* Release everything. EventSets are gone; threads should have stopped theirs before. */
PAPI_API void PAPI_shutdown(void);
/* How far the library is initialized: PAPI_NOT_INITED, ... */
PAPI_API int PAPI_is_initialized(void);
/* Choose what happens when a call fails: PAPI_QUIET, ... May be called before the others. */
PAPI_API int PAPI_set_debug(int level);
/* The description of an error code; NULL if there is no such code. Not to be changed. */
PAPI_API char *PAPI_strerror(int code);
/* Print @msg, a colon and the description of the caller's last error on stderr. */
PAPI_API void PAPI_perror(const char *msg);
/* Take, or release, one of the locks of the user: PAPI_USR1_LOCK, PAPI_USR2_LOCK. */
PAPI_API int PAPI_lock(int lock);
PAPI_API int PAPI_unlock(int lock);
/* Read an option. See the list of options; some are the value of the call. */
PAPI_API int PAPI_get_opt(int option, PAPI_option_t *ptr);
/* Read an option of a component. PAPI_ECMP: there is no such component. */
PAPI_API int PAPI_get_cmp_opt(int option, PAPI_option_t *ptr, int cidx);
/* Set an option. PAPI_EISRUN: the EventSet counts. PAPI_ECMP: its component cannot. */
PAPI_API int PAPI_set_opt(int option, PAPI_option_t *ptr);

/* ------------------------------------------------------------------------
 * Components
 */

/* Number of components; they count from 0, the CPU's component first. */
PAPI_API int PAPI_num_components(void);
/*
 * Describe a component; before PAPI_library_init() only by its names. Return: NULL if there is no
 * such component.
 */
PAPI_API const PAPI_component_info_t *PAPI_get_component_info(int cidx);
/* Number of the component with this name. PAPI_ENOCMP */
PAPI_API int PAPI_get_component_index(const char *name);
/* Component of an event, or of an EventSet. PAPI_ENOCMP: it has none yet. */
PAPI_API int PAPI_get_event_component(int EventCode);
PAPI_API int PAPI_get_eventset_component(int EventSet);
/* Leave a component out. PAPI_ENOINIT: only before PAPI_library_init(); PAPI_ENOCMP */
PAPI_API int PAPI_disable_component(int cidx);
PAPI_API int PAPI_disable_component_by_name(const char *name);
/* Number of events that a component counts at once. PAPI_ECMP: there is no such component. */
PAPI_API int PAPI_num_cmp_hwctrs(int cidx);
/* The same for the CPU's component */
PAPI_API int PAPI_num_hwctrs(void);

/* ------------------------------------------------------------------------
 * Events
 */

/* PAPI_OK if the event can be counted on this machine. PAPI_ENOEVNT */
PAPI_API int PAPI_query_event(int EventCode);
PAPI_API int PAPI_query_named_event(const char *EventName);
/*
 * Replace *@EventCode by the next event. Without one: PAPI_ENOEVNT; of native events PAPI_EINVAL,
 * as in PAPI.
 */
PAPI_API int PAPI_enum_event(int *EventCode, int modifier);
/* The same within a component. PAPI_ENOCMP: there is no such component, or it is disabled */
PAPI_API int PAPI_enum_cmp_event(int *EventCode, int modifier, int cidx);
/* Name of an event, at most PAPI_MAX_STR_LEN bytes with the zero. PAPI_ENOEVNT, PAPI_ENOTPRESET */
PAPI_API int PAPI_event_code_to_name(int EventCode, char *out);
/* Code of an event, valid until PAPI_shutdown(). PAPI_ENOEVNT */
PAPI_API int PAPI_event_name_to_code(const char *in, int *out);
/* Describe an event. PAPI_ENOEVNT, PAPI_ENOTPRESET */
PAPI_API int PAPI_get_event_info(int EventCode, PAPI_event_info_t *info);

/* ------------------------------------------------------------------------
 * EventSets
 */

/* Make an EventSet; *@EventSet has to be PAPI_NULL and becomes its number. PAPI_ENOMEM */
PAPI_API int PAPI_create_eventset(int *EventSet);
/* Free an EventSet without events; *@EventSet becomes PAPI_NULL. PAPI_EISRUN, PAPI_EINVAL */
PAPI_API int PAPI_destroy_eventset(int *EventSet);
/* Remove all events. PAPI_EISRUN */
PAPI_API int PAPI_cleanup_eventset(int EventSet);
/* Bind an EventSet without events to a component. PAPI_ENOCMP, PAPI_EINVAL */
PAPI_API int PAPI_assign_eventset_component(int EventSet, int cidx);
/*
 * Add an event as the last. PAPI_ENOEVNT; PAPI_ECNFLCT: no counter is left for it;
 * PAPI_EISRUN; PAPI_EPERM
 */
PAPI_API int PAPI_add_event(int EventSet, int Event);
PAPI_API int PAPI_add_named_event(int EventSet, const char *EventName);
/* Add events. If it fails for one, the value is the number of those added, if there are any. */
PAPI_API int PAPI_add_events(int EventSet, int *Events, int number);
/* Remove events; those after them move up. PAPI_ENOEVNT, PAPI_EISRUN; PAPI_EINVAL: not in there */
PAPI_API int PAPI_remove_event(int EventSet, int EventCode);
PAPI_API int PAPI_remove_named_event(int EventSet, const char *EventName);
PAPI_API int PAPI_remove_events(int EventSet, int *Events, int number);
/* The events of an EventSet. *@number is the room in @Events, then the number of events. */
PAPI_API int PAPI_list_events(int EventSet, int *Events, int *number);
/* Number of events */
PAPI_API int PAPI_num_events(int EventSet);
/* Count another thread from now on, or the caller again. PAPI_EISRUN, PAPI_EPERM, PAPI_ESYS */
PAPI_API int PAPI_attach(int EventSet, unsigned long tid);
PAPI_API int PAPI_detach(int EventSet);
/* Domain of EventSets made later: PAPI_DOM_... PAPI_EINVAL, PAPI_ENOCMP */
PAPI_API int PAPI_set_domain(int domain);
PAPI_API int PAPI_set_cmp_domain(int domain, int cidx);
/* Granularity of EventSets made later: PAPI_GRN_... PAPI_EINVAL, PAPI_ENOCMP */
PAPI_API int PAPI_set_granularity(int granularity);
PAPI_API int PAPI_set_cmp_granularity(int granularity, int cidx);
/* Allow multiplexing, once. Without it no count is ever an estimate. */
PAPI_API int PAPI_multiplex_init(void);
/* Let the events of an EventSet take turns; counts are then estimates. PAPI_EISRUN, PAPI_ENOCMP */
PAPI_API int PAPI_set_multiplex(int EventSet);
/* 1 if the EventSet is multiplexed, else 0 */
PAPI_API int PAPI_get_multiplex(int EventSet);

/* ------------------------------------------------------------------------
 * Counting
 *
 * Arrays of values have one for each event, in the order in which events were added.
 */

/* Set the counts to zero and count. PAPI_EISRUN, PAPI_ECNFLCT, PAPI_EPERM, PAPI_ESYS */
PAPI_API int PAPI_start(int EventSet);
/* Stop counting; @values may be NULL. PAPI_ENOTRUN */
PAPI_API int PAPI_stop(int EventSet, long long *values);
/* Copy the counts. */
PAPI_API int PAPI_read(int EventSet, long long *values);
/* Copy the counts, and PAPI_get_real_cyc() of the same moment. */
PAPI_API int PAPI_read_ts(int EventSet, long long *values, long long *cyc);
/* Add the counts to @values and set them to zero. */
PAPI_API int PAPI_accum(int EventSet, long long *values);
/* Set the counts to zero; counting goes on. */
PAPI_API int PAPI_reset(int EventSet);
/* Has no effect while the EventSet is stopped. PAPI_ENOSUPP: it counts. */
PAPI_API int PAPI_write(int EventSet, long long *values);
/* The state of an EventSet: PAPI_STOPPED, ..., combined */
PAPI_API int PAPI_state(int EventSet, int *status);

/* ------------------------------------------------------------------------
 * Overflow and profiling
 */

/*
 * Call @handler each time that an event has occurred @threshold times; 0 ends it. The event
 * has to be in the EventSet. PAPI_EISRUN, PAPI_ENOEVNT, PAPI_ECNFLCT; PAPI_EINVAL: no
 * threshold, or a derived event that is not one native event.
 */
PAPI_API int PAPI_overflow(int EventSet, int EventCode, int threshold, int flags,
			   PAPI_overflow_handler_t handler);
/* The events of an overflow: *@number is the room in @array, then how many they are. */
PAPI_API int PAPI_get_overflow_event_index(int EventSet, long long overflow_vector, int *array,
					   int *number);
/* Count where an event overflows in a histogram of addresses; @threshold 0 ends it. */
PAPI_API int PAPI_profil(void *buf, unsigned bufsiz, vptr_t offset, unsigned scale, int EventSet,
			 int EventCode, int threshold, int flags);
/* The same for @profcnt ranges of addresses */
PAPI_API int PAPI_sprofil(PAPI_sprofil_t *prof, int profcnt, int EventSet, int EventCode,
			  int threshold, int flags);

/* ------------------------------------------------------------------------
 * Threads
 */

/* Allow several threads; @id_fn returns the caller's id, as pthread_self() does. PAPI_EINVAL */
PAPI_API int PAPI_thread_init(unsigned long (*id_fn)(void));
/* Return: the value of the function that PAPI_thread_init() was given; PAPI_EMISC: none was given. */
PAPI_API unsigned long PAPI_thread_id(void);
/*
 * Announce the calling thread, or free what the library has for it, which stops its EventSets.
 * PAPI_ENOMEM; PAPI_EMISC: the library has nothing for it
 */
PAPI_API int PAPI_register_thread(void);
PAPI_API int PAPI_unregister_thread(void);
/* Known threads. *@number is the room in @tids (NULL: just count), then their number. */
PAPI_API int PAPI_list_threads(unsigned long *tids, int *number);
/* A pointer for each thread and tag: PAPI_USR1_TLS, ... PAPI_EINVAL: no such tag */
PAPI_API int PAPI_set_thr_specific(int tag, void *ptr);
PAPI_API int PAPI_get_thr_specific(int tag, void **ptr);

/* ------------------------------------------------------------------------
 * Time
 *
 * Real time passes always, virtual time while the calling thread runs. Each has its own
 * beginning, so that only differences mean something. Cycles are those of the CPU's counter
 * of time, which has a constant rate; they are not the core's cycles (PAPI_TOT_CYC).
 */
PAPI_API long long PAPI_get_real_cyc(void);
PAPI_API long long PAPI_get_real_nsec(void);
PAPI_API long long PAPI_get_real_usec(void);
PAPI_API long long PAPI_get_virt_cyc(void);
PAPI_API long long PAPI_get_virt_nsec(void);
PAPI_API long long PAPI_get_virt_usec(void);

/* ------------------------------------------------------------------------
 * The machine and the program
 *
 * The returned structure belongs to the library and does not change before PAPI_shutdown(),
 * except that PAPI_get_shared_lib_info() replaces its earlier value. NULL: failed.
 */
PAPI_API const PAPI_hw_info_t *PAPI_get_hardware_info(void);
PAPI_API const PAPI_exe_info_t *PAPI_get_executable_info(void);
PAPI_API const PAPI_shlib_info_t *PAPI_get_shared_lib_info(void);
/* Memory of the process, now. PAPI_ESYS: /proc cannot be read. */
PAPI_API int PAPI_get_dmem_info(PAPI_dmem_info_t *dest);
/* The next type of devices, or the first. PAPI_EINVAL: there is no further. */
PAPI_API int PAPI_enum_dev_type(int enum_modifier, void **handle);
/* An attribute of a type of devices. PAPI_ENOSUPP: there is no such attribute. */
PAPI_API int PAPI_get_dev_type_attr(void *handle, PAPI_dev_type_attr_e attr, void *value);
/* An attribute of a device. PAPI_EINVAL: no such device; PAPI_ENOSUPP: no such attribute */
PAPI_API int PAPI_get_dev_attr(void *handle, int id, PAPI_dev_attr_e attr, void *value);

/* ------------------------------------------------------------------------
 * Rates
 *
 * The first call starts counting and returns zeros; the next ones return what was counted since
 * the last call. Times are in seconds. PAPI_rate_stop() ends it.
 */

/* Floating-point instructions, or operations, in millions per second; @event is their preset */
PAPI_API int PAPI_flips_rate(int event, float *rtime, float *ptime, long long *flpins,
			     float *mflips);
PAPI_API int PAPI_flops_rate(int event, float *rtime, float *ptime, long long *flpops,
			     float *mflops);
/* Instructions per cycle */
PAPI_API int PAPI_ipc(float *rtime, float *ptime, long long *ins, float *ipc);
/* Events per cycle of the core; @event 0 is PAPI_TOT_INS */
PAPI_API int PAPI_epc(int event, float *rtime, float *ptime, long long *ref, long long *core,
		      long long *evt, float *epc);
/* Stop the calling thread's rate. PAPI_ENOEVNT: none is counted. */
PAPI_API int PAPI_rate_stop(void);

/* ------------------------------------------------------------------------
 * The high level: regions of code
 *
 * The environment variable PAPI_EVENTS names the events. Results are written to files when
 * the program ends. Regions nest; equal names are one region.
 */
PAPI_API int PAPI_hl_region_begin(const char *region);
/* Read the counts inside a region: the differences to its beginning are written, too. */
PAPI_API int PAPI_hl_read(const char *region);
PAPI_API int PAPI_hl_region_end(const char *region);
/* Stop counting regions. */
PAPI_API int PAPI_hl_stop(void);

/* Older names */
#define PAPI_COMPONENT_INDEX(a)	PAPI_get_event_component(a)
#define PAPI_descr_error(a)	PAPI_strerror(a)

#ifdef __cplusplus
}
#endif

#endif /* _PAPI */
