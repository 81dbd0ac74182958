// SPDX-License-Identifier: GPL-2.0
/* Domains of energy counters: packages, cores, memory, the platform. */
#include <stddef.h>
#include <string.h>

#include "additivity/energy_domain.h"
#include "common.h"

/* AMD's families from Zen on, and Hygon's; Intel's are below. */
#define FAMILY_ZEN 0x17

/**
 * struct energy_domain - a domain
 * @name: its name in options
 * @zone: what the names of its zones of powercap begin with, behind that of the package: "package-0",
 *	"package-0/dram"
 * @event: what the names of perf's events of it begin with: "pkg-cpu0", "ram-cpu0"
 */
struct energy_domain {
	const char *name;
	const char *zone;
	const char *event;
};

static const struct energy_domain domains[] = {
	{ "package", "package-", "pkg-" },
	{ "core", "core", "cores-" },
	{ "dram", "dram", "ram-" },
	{ "psys", "psys", "psys-" },
};

const struct energy_domain *energy_domain_find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(domains) / sizeof(domains[0]); i++)
		if (!strcmp(domains[i].name, name))
			return &domains[i];
	bad("--domain takes package, core, dram or psys, not '%s'", name);
}

static int begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

int energy_domain_has(const struct energy_domain *domain, const char *where)
{
	const char *slash = strrchr(where, '/');

	return begins(slash ? slash + 1 : where, domain->zone) || begins(where, domain->event);
}

/* Family 15 of the signature has an extended family that is added. */
static unsigned int family_of(uint64_t cpuid)
{
	unsigned int family = cpuid >> 8 & 0xf;

	return family == 0xf ? family + (cpuid >> 20 & 0xff) : family;
}

/* Linux reads the register of cores, which each of AMD's cores has, on one CPU of a package. */
int energy_domain_is_whole(const struct energy_domain *domain, uint64_t cpuid)
{
	return strcmp(domain->name, "core") || family_of(cpuid) < FAMILY_ZEN;
}
