/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which RMID each CPU works for: the hardware marks the cache lines that the CPU brings in by
 * it. A CPU has the RMID of its monitored thread's process, or else RMID 0.
 */
#ifndef PMC_CMT_ASSOCIATION_H
#define PMC_CMT_ASSOCIATION_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "hardware.h"
#include "resctrl.h"

struct cmt_domain;
struct pmc_module_thread;

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

void cmt_dissociate(void);

#endif /* PMC_CMT_ASSOCIATION_H */
