// SPDX-License-Identifier: GPL-2.0
/* Arm: from an event asked for to its number, its modes and its counters. */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "base/err.h"
#include "base/parse_evset.h"
#include "pmu/arm/arm_encode.h"

/* Words that other processors know. */
static int check_foreign(const char *arch, const struct pmc_evreq *req,
			 struct pmc_err *err)
{
	const char *word = req->umask ? "umask" :
			   req->cmask ? "cmask" :
			   req->edge ? "edge" :
			   req->inv ? "inv" :
			   req->any ? "any" :
			   req->extra ? "extra" : NULL;

	if (!word)
		return 0;

	return pmc_err(err, -EINVAL,
		       "%s means nothing on %s: leave it out, the event's code is all there is",
		       word, arch);
}

static int check_slot(unsigned int slot, unsigned int nr_events,
		      struct pmc_err *err)
{
	if (slot > nr_events)
		return pmc_err(err, -EINVAL,
			       "pmc%u: the counters of this core type are pmc0 to pmc%u",
			       slot, nr_events);

	return 0;
}

static int pinned_code(const struct pmc_evreq *req, u64 *code,
		       struct pmc_err *err)
{
	if (req->slot == PMC_ARM_SLOT_CYCLES) {
		if (req->has_code && req->code != PMC_ARM_CPU_CYCLES)
			return pmc_err(err, -EINVAL,
				       "pmc0 counts cycles (0x11) only, not event 0x%llx: use ev=0x%llx",
				       (unsigned long long)req->code,
				       (unsigned long long)req->code);
		*code = PMC_ARM_CPU_CYCLES;
		return 0;
	}

	if (!req->has_code)
		return pmc_err(err, -EINVAL,
			       "pmc%u needs an event code, as in pmc%u=0x8",
			       req->slot, req->slot);
	*code = req->code;

	return 0;
}

/**
 * pmc_arm_serving_slot() - the counter that counts an event
 * @slot: the one that was asked for or that the event was placed on
 * @config: the event as encoded
 *
 * Cycles are counted by the cycle counter, whatever number they were asked for
 * by. An event counter can count them, too, but the kernel's driver would move
 * that to the cycle counter when it next places events, and there it could not
 * count anything else afterwards.
 *
 * Context: any.
 * Return: the counter.
 */
unsigned int pmc_arm_serving_slot(unsigned int slot, u64 config)
{
	return (config & PMC_ARM_EVENT) == PMC_ARM_CPU_CYCLES ?
		       PMC_ARM_SLOT_CYCLES : slot;
}

/**
 * pmc_arm_resolve() - find an event's number, modes and counters
 * @arch: the architecture's name in messages
 * @nr_events: event counters of the core type
 * @req: the event; not a software counter's
 * @default_user: whether an event that names no mode counts in user mode
 * @default_kernel: the same for the kernel
 * @ev: out: what was found
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_arm_resolve(const char *arch, unsigned int nr_events,
		    const struct pmc_evreq *req, bool default_user,
		    bool default_kernel, struct pmc_arm_event *ev,
		    struct pmc_err *err)
{
	int ret;

	ret = check_foreign(arch, req, err);
	if (ret)
		return ret;
	ev->code = req->code;
	if (req->kind == PMC_EVREQ_PINNED) {
		ret = check_slot(req->slot, nr_events, err);
		if (!ret)
			ret = pinned_code(req, &ev->code, err);
		if (ret)
			return ret;
		ev->candidates = BIT_ULL(req->slot);
	} else if (ev->code == PMC_ARM_CPU_CYCLES) {
		ev->candidates = BIT_ULL(PMC_ARM_SLOT_CYCLES);
	} else {
		ev->candidates = GENMASK_ULL(nr_events, 1);
	}
	pmc_evreq_modes(req, default_user, default_kernel, &ev->user,
			&ev->kernel);
	if (!ev->user && !ev->kernel)
		return pmc_err(err, -EINVAL,
			       "the event counts neither in user mode nor in the kernel: set usr or os");

	return 0;
}
