/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the files of the cmt module. In short: each monitored process has
 * an RMID of its own (processes.c), which is written to a CPU when one of its
 * threads is switched in (main.c); the hardware marks the lines that the CPU
 * brings in by it, and counts them for each cache (domains.c).
 */
#ifndef PMC_CMT_H
#define PMC_CMT_H

#include <base/compat.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/types.h>
#include <pmctrack/monitoring_module.h>

#include "counter.h"
#include "errata.h"
#include "rmid.h"

/* ---- the hardware: hardware.c ---- */

/* As the registers number them, which is the same for Intel and AMD. */
enum cmt_event {
	CMT_OCCUPANCY = 1,
	CMT_TOTAL = 2,
	CMT_LOCAL = 3,
};

/* The same, as virtual counters and arrays do. */
#define CMT_EVENTS	3
#define CMT_PLACE(event)	((event) - CMT_OCCUPANCY)

/**
 * struct cmt_hardware - what the processors have
 * @nr_rmids: RMIDs, 0 included
 * @events: events there are, BIT(enum cmt_event) each
 * @scale: bytes for each unit of all events
 * @mask: bits of a counter of traffic
 * @cache: bytes of a cache
 * @nr_classes: classes of service of cache allocation; 0: there is none
 * @ways: bits of a class's mask
 * @gaps: a mask's bits need not follow one another
 * @errata: its errata
 */
struct cmt_hardware {
	u32 nr_rmids;
	u32 events;
	u32 scale;
	u64 mask;
	u64 cache;
	u32 nr_classes;
	u32 ways;
	bool gaps;
	struct cmt_errata errata;
};

extern struct cmt_hardware cmt_hw;

#define CMT_PQR_ASSOC	0xc8f

bool cmt_find_hardware(void);
u32 cmt_cache_id(void);
u64 cmt_read_raw(u32 rmid, enum cmt_event event);
u64 cmt_read_mask(u32 class);
void cmt_write_mask(u32 class, u64 mask);

/*
 * PQR_ASSOC: what this CPU works for. By the bare instructions: a switch is no
 * place for the kernel's tracing of registers.
 */
static __always_inline u64 cmt_read_association(void)
{
	return __rdmsr(CMT_PQR_ASSOC);
}

static __always_inline void cmt_write_association(u32 rmid, u32 class)
{
	native_wrmsrq(CMT_PQR_ASSOC, (u64)class << 32 | rmid);
}

/* ---- CPUs and their caches: domains.c ---- */

/**
 * struct cmt_use - what an RMID uses of a cache
 * @lines: units of occupancy when it was looked at last, or CMT_UNAVAILABLE
 * @traffic: total and local traffic
 */
struct cmt_use {
	u64 lines;
	struct cmt_counter traffic[2];
};

/**
 * struct cmt_mask - the mask of a class of a cache's
 * @own: what it was before us; 0: we did not change it
 * @ours: what we wrote last
 */
struct cmt_mask {
	u64 own;
	u64 ours;
};

/**
 * struct cmt_domain - a last-level cache
 * @id: its number, from CPUID
 * @node: NUMA node of its first CPU
 * @cpus: CPUs that share it and are online
 * @masks: by class
 * @use: by RMID
 */
struct cmt_domain {
	u32 id;
	int node;
	struct cpumask cpus;
	struct cmt_mask *masks;
	struct cmt_use use[];
};

/**
 * struct cmt_cpu - a CPU
 * @domain: its cache; NULL: it is offline
 * @loaded: the monitored thread that runs on it
 * @rmid: what its PQR_ASSOC has from us
 * @class: the same
 * @own_class: the class it had before us
 * @writing: PQR_ASSOC may not be what @rmid and @class say
 */
struct cmt_cpu {
	struct cmt_domain *domain;
	struct pmc_module_thread *loaded;
	u32 rmid;
	u32 class;
	u32 own_class;
	bool writing;
};

DECLARE_PER_CPU(struct cmt_cpu, cmt_cpus);

int cmt_domains_start(void);
void cmt_domains_stop(void);
void cmt_domains_suspend(void);
void cmt_domains_resume(void);
void cmt_domains_look(void);
void cmt_domains_each(void (*fn)(struct cmt_domain *domain));
unsigned int cmt_domains_nr(void);
u64 cmt_domains_residue(u32 rmid);
u64 cmt_value(u32 rmid, enum cmt_event event);
u64 cmt_traffic_so_far(u32 rmid, enum cmt_event event);
void cmt_dissociate(void);

/* ---- registers of the kernel's resctrl: resctrl.c ---- */

/* The registers are another one's now, and we leave them alone. */
extern bool cmt_lost;

void cmt_lose(const char *why);
const char *cmt_lost_why(void);
void cmt_resctrl_find(void);
void cmt_resctrl_forget(void);
bool cmt_resctrl_mounted(void);

/* ---- which RMID this CPU works for; the rest of it is in domains.c ---- */

#define CMT_NO_CLASS	(~0U)

/**
 * cmt_associate - what this CPU does from now on, it does for an RMID
 * @c: this CPU
 * @rmid: the RMID
 * @class: its class of service; CMT_NO_CLASS: the CPU's own
 *
 * The register is written only if it is to change: it is slow.
 *
 * Context: Interrupts off.
 */
static __always_inline void cmt_associate(struct cmt_cpu *c, u32 rmid, u32 class)
{
	if (class == CMT_NO_CLASS)
		class = c->own_class;
	if ((c->rmid == rmid && c->class == class) || !c->domain ||
	    READ_ONCE(cmt_lost))
		return;
	/* An NMI in between must not take this for another program's write. */
	WRITE_ONCE(c->writing, true);
	barrier();
	cmt_write_association(rmid, class);
	c->rmid = rmid;
	c->class = class;
	barrier();
	WRITE_ONCE(c->writing, false);
}

/* ---- processes and their RMIDs: processes.c ---- */

/**
 * struct cmt_process - a monitored process; there is one for each RMID
 * @next: of the same hash
 * @rmid: the RMID
 * @tgid: the process
 * @threads: monitored threads it has; 0: the RMID has no owner
 * @class: class of service it was given, or CMT_NO_CLASS
 * @left: number of the look at which its RMID went to limbo
 * @watched: the RMID is in use or in limbo
 */
struct cmt_process {
	struct cmt_process *next;
	u32 rmid;
	pid_t tgid;
	u32 threads;
	u32 class;
	u32 left;
	bool watched;
};

/**
 * struct cmt_thread - what is kept of each thread
 * @process: its process; NULL when that has no RMID, and at the end
 * @base: traffic of the RMID when the thread got it
 * @last: the values when it ended
 * @ended: it is monitored no more
 * @waits: it waits for an RMID
 * @reported: jiffies when its metric was set last
 */
struct cmt_thread {
	struct cmt_process *process;
	u64 base[2];
	u64 last[CMT_EVENTS];
	bool ended;
	bool waits;
	unsigned long reported;
};

#define CMT_RESIDUE_OFF		(~0ULL)

/**
 * struct cmt_settings - what the administrator set
 * @policy: which free RMID is taken
 * @residue_max: bytes of its last owner's that an RMID may still have when it
 *	is free again; 0: as much as makes sure that there always is one, see
 *	cmt_processes_start(); CMT_RESIDUE_OFF: however much
 * @class: class of service of processes that are monitored from now on
 */
struct cmt_settings {
	enum rmid_policy policy;
	u64 residue_max;
	u32 class;
};

extern struct cmt_settings cmt_settings;

struct cmt_rmid_counts {
	u32 free, limbo, waiting;
	u64 refused;
};

int cmt_processes_start(void);
void cmt_processes_stop(void);
bool cmt_join(struct task_struct *task, struct cmt_thread *t);
void cmt_leave(struct cmt_thread *t);
bool cmt_rmid_free(void);
void cmt_set_policy(enum rmid_policy policy);
int cmt_set_class(pid_t tgid, u32 class);
u64 cmt_residue_max(void);
void cmt_watch_limbo(void (*look)(void));
bool cmt_watched(u32 rmid);
void cmt_count_rmids(struct cmt_rmid_counts *counts);

/* ---- classes of service: classes.c ---- */

int cmt_classes_set(char *value);
int cmt_classes_assign(char *value, void (*refresh)(void));
void cmt_classes_show(struct seq_file *m);
int cmt_classes_start(void);
void cmt_classes_stop(void);
void cmt_classes_apply(struct cmt_domain *domain);
void cmt_classes_restore(void);

#endif /* PMC_CMT_H */
