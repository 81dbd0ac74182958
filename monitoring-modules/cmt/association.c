// SPDX-License-Identifier: GPL-2.0
/* Which RMID each CPU works for; the part that is on no hot path. */
#include <linux/irqflags.h>

#include "association.h"

DEFINE_PER_CPU(struct cmt_cpu, cmt_cpus);

/**
 * cmt_dissociate - this CPU has no RMID, as before us
 *
 * Unless another program has written the register since.
 *
 * Context: Any but NMI, on this CPU only.
 */
void cmt_dissociate(void)
{
	struct cmt_cpu *c = this_cpu_ptr(&cmt_cpus);
	unsigned long flags;

	local_irq_save(flags);
	WRITE_ONCE(c->writing, true);
	barrier();
	c->loaded = NULL;
	if (c->domain && (c->rmid || c->class != c->own_class) &&
	    cmt_read_association() == ((u64)c->class << 32 | c->rmid))
		cmt_write_association(0, c->own_class);
	c->rmid = 0;
	c->class = c->own_class;
	barrier();
	WRITE_ONCE(c->writing, false);
	local_irq_restore(flags);
}
