// SPDX-License-Identifier: GPL-2.0
/*
 * Which events of which Intel cores need a second register, and which one. Pure.
 *
 * Off-core responses are in SDM volume 3B, 20.3.1.1.3 (Nehalem) and what follows
 * for later cores, FRONTEND_RETIRED in 20.3.8.2 (Skylake); event numbers of each
 * core are those of Intel's event lists (perfmon, column "MSRIndex").
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>

#include "base/err.h"
#include "base/parse_evset.h"
#include "pmu/x86/intel_extra.h"

/*
 * SDM volume 4: MSR_OFFCORE_RSP_0, MSR_OFFCORE_RSP_1, MSR_PEBS_FRONTEND,
 * MSR_SNOOP_RSP_0, MSR_SNOOP_RSP_1.
 */
const u32 pmc_intel_extra_msr[PMC_INTEL_NR_EXTRA] = {
	0x1a6, 0x1a7, 0x3f7, 0x1328, 0x1329,
};

#define RSP_0		PMC_INTEL_OFFCORE_RSP_0
#define RSP_1		PMC_INTEL_OFFCORE_RSP_1
#define FRONTEND	PMC_INTEL_FRONTEND
#define SNOOP_0		PMC_INTEL_SNOOP_RSP_0
#define SNOOP_1		PMC_INTEL_SNOOP_RSP_1
#define PEBS_ONLY	PMC_INTEL_PEBS_ONLY

/* Up to Broadwell. */
static const struct pmc_intel_extra_event sandy_bridge[] = {
	{ 0xb7, 0x01, RSP_0 },
	{ 0xbb, 0x01, RSP_1 },
	{ 0xcd, 0x01, PEBS_ONLY },
	{ }
};

/* Up to Cypress Cove. */
static const struct pmc_intel_extra_event skylake[] = {
	{ 0xb7, 0x01, RSP_0 },
	{ 0xbb, 0x01, RSP_1 },
	{ 0xc6, 0x01, FRONTEND },
	{ 0xcd, 0x01, PEBS_ONLY },
	{ }
};

static const struct pmc_intel_extra_event golden_cove[] = {
	{ 0x2a, 0x01, RSP_0 },
	{ 0x2b, 0x01, RSP_1 },
	{ 0xc6, 0x01, FRONTEND },
	{ 0xad, 0x40, FRONTEND },
	{ 0xc2, 0x04, FRONTEND },
	{ 0xcd, 0x01, PEBS_ONLY },
	{ }
};

/* And Lion Cove. */
static const struct pmc_intel_extra_event redwood_cove[] = {
	{ 0x2a, 0x01, RSP_0 },
	{ 0x2b, 0x01, RSP_1 },
	{ 0xc6, 0x02, FRONTEND },
	{ 0xc6, 0x03, FRONTEND },
	{ 0xad, 0x40, FRONTEND },
	{ 0xc2, 0x04, FRONTEND },
	{ 0xcd, 0x01, PEBS_ONLY },
	{ }
};

/* Silvermont to Tremont, Xeon Phi. */
static const struct pmc_intel_extra_event silvermont[] = {
	{ 0xb7, 0x01, RSP_0 },
	{ 0xb7, 0x02, RSP_1 },
	{ }
};

static const struct pmc_intel_extra_event gracemont[] = {
	{ 0xb7, 0x01, RSP_0 },
	{ 0xb7, 0x02, RSP_1 },
	{ 0xd0, 0x05, PEBS_ONLY },
	{ }
};

/* And Skymont, Darkmont. */
static const struct pmc_intel_extra_event crestmont[] = {
	{ 0xb7, 0x01, RSP_0 },
	{ 0xb7, 0x02, RSP_1 },
	{ 0x27, 0x01, SNOOP_0 },
	{ 0x27, 0x02, SNOOP_1 },
	{ 0xd0, 0x05, PEBS_ONLY },
	{ }
};

/*
 * Of family 6 (SDM volume 4, table 2-1); each list of models ends with 0. The
 * small cores of hybrid processors have their own events.
 */
static const struct {
	u8 models[16];
	const struct pmc_intel_extra_event *events;
	const struct pmc_intel_extra_event *small;
} tables[] = {
	{ { 0x2a, 0x2d, 0x3a, 0x3c, 0x3d, 0x3e, 0x3f, 0x45, 0x46, 0x47, 0x4f,
	    0x56 }, sandy_bridge, NULL },
	{ { 0x4e, 0x55, 0x5e, 0x66, 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0x8e,
	    0x9e, 0xa5, 0xa6, 0xa7 }, skylake, NULL },
	{ { 0x8a }, skylake, silvermont },
	{ { 0x8f, 0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xcf, 0xd7 }, golden_cove, gracemont },
	{ { 0xaa, 0xac, 0xad, 0xae, 0xb5, 0xbd, 0xc5, 0xc6, 0xcc, 0xd5, 0xe5 },
	  redwood_cove, crestmont },
	{ { 0x37, 0x4a, 0x4c, 0x4d, 0x57, 0x5a, 0x5c, 0x5f, 0x7a, 0x85, 0x86,
	    0x96, 0x9c }, silvermont, silvermont },
	{ { 0xbe }, gracemont, gracemont },
	{ { 0xaf, 0xb6, 0xdd }, crestmont, crestmont },
};

/**
 * pmc_intel_extra_events() - the events of a model that need a second register
 * @family: as in CPUID leaf 1 EAX, extensions added
 * @model: the same
 * @atom: the core is an Atom
 *
 * Return: a table that ends with one whose @code is 0, or NULL: the model is
 * not known, or has none.
 */
const struct pmc_intel_extra_event *
pmc_intel_extra_events(unsigned int family, unsigned int model, bool atom)
{
	unsigned int i, k;

	if (family != 6)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(tables); i++)
		for (k = 0; tables[i].models[k]; k++)
			if (tables[i].models[k] == model)
				return atom ? tables[i].small :
					      tables[i].events;
	return NULL;
}

/**
 * pmc_intel_extra_find() - look an event up
 * @events: table of the core type, or NULL
 * @code: the event's number
 * @umask: its unit mask
 *
 * Return: its row, or NULL: it needs no second register.
 */
const struct pmc_intel_extra_event *
pmc_intel_extra_find(const struct pmc_intel_extra_event *events, u64 code,
		     u64 umask)
{
	for (; events && events->code; events++)
		if (events->code == code && events->umask == umask)
			return events;
	return NULL;
}

/**
 * pmc_intel_extra_twin() - another event that means the same
 * @events: table of the core type
 * @event: a row of it
 *
 * Off-core responses have two events with a register each, so that two choices
 * can be counted at a time.
 *
 * Return: the other row, or NULL.
 */
const struct pmc_intel_extra_event *
pmc_intel_extra_twin(const struct pmc_intel_extra_event *events,
		     const struct pmc_intel_extra_event *event)
{
	if (event->reg > RSP_1)
		return NULL;
	for (; events->code; events++)
		if (events->reg <= RSP_1 && events->reg != event->reg)
			return events;
	return NULL;
}

/**
 * pmc_intel_extra_check() - has an event a second register, if it needs one
 * @events: table of the core type, or NULL
 * @regs: registers that the core type has, one bit each by enum pmc_intel_extra
 * @ev: the event
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_intel_extra_check(const struct pmc_intel_extra_event *events,
			  unsigned int regs, const struct pmc_evreq *ev,
			  struct pmc_err *err)
{
	const struct pmc_intel_extra_event *e;
	unsigned long long code = ev->code, umask = ev->umask;

	e = pmc_intel_extra_find(events, ev->code, ev->umask);
	if (!e && !ev->extra)
		return 0;
	if (!events)
		return pmc_err(err, -EINVAL,
			       "extra: of this core type no event is known that has a second register");
	if (!e)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx has no second register: leave extra out",
			       code, umask);
	if (e->reg == PEBS_ONLY)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx counts with PEBS only, which is not supported",
			       code, umask);
	if (!(regs & BIT(e->reg)))
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx needs register 0x%x, which is not there",
			       code, umask, pmc_intel_extra_msr[e->reg]);
	if (!ev->extra)
		return pmc_err(err, -EINVAL,
			       "event 0x%llx, umask 0x%llx counts what register 0x%x chooses: add the register's value, as extra=X, for a pmcN as extraN=X",
			       code, umask, pmc_intel_extra_msr[e->reg]);
	return 0;
}
