// SPDX-License-Identifier: GPL-2.0
/*
 * Events and counters that all machines have, under this machine's names: the words with an
 * @ in the commands of a test.
 */
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "vm.h"

/*
 * INST_RETIRED and CPU_CYCLES (Arm ARM, "PMU events"); instructions retired and
 * unhalted core cycles (Intel SDM volume 3, "Pre-defined architectural
 * performance events"); retired instructions and cycles not in halt (AMD PPR,
 * PMCx0C0 and PMCx076).
 */
const struct codes *event_codes(void)
{
#ifdef __x86_64__
	static const struct codes intel = { 0xc0, 0x3c }, amd = { 0xc0, 0x76 };
	unsigned int eax, name[3];

	/* AuthenticAMD, HygonGenuine */
	if (__get_cpuid(0, &eax, &name[0], &name[2], &name[1]) &&
	    (!memcmp(name, "Auth", 4) || !memcmp(name, "Hygo", 4)))
		return &amd;
	return &intel;
#else
	static const struct codes arm = { 0x8, 0x11 };

	return &arm;
#endif
}

/* Counters for any event, of a core type, or those that all core types have. */
static uint64_t general_slots(int core_type)
{
	uint64_t slots = ~0ULL;
	int ct;

	if (core_type >= 0 && core_type < nr_core_types)
		return core_types[core_type].general;
	for (ct = 0; ct < nr_core_types; ct++)
		slots &= core_types[ct].general;
	return slots;
}

int general_slot(int core_type, int nr)
{
	uint64_t slots = general_slots(core_type);

	if (!core_types[0].nr_hw)
		return nr;
	if (nr < 1 || nr > __builtin_popcountll(slots))
		die("this machine has not %d counters for any event", nr);
	while (--nr)
		slots &= slots - 1;
	return __builtin_ctzll(slots);
}

int cycles_slot(int core_type)
{
	int fixed = core_types[core_type < 0 ? 0 : core_type].fixed_cycles;

	if (fixed >= 0)
		return fixed;
	return general_slot(core_type, __builtin_popcountll(general_slots(core_type)));
}

/* The replacement of @X. */
static int word(char *out, size_t size, char x, int core_type)
{
	const struct core_type *ct = &core_types[core_type < 0 ? 0 : core_type];

	switch (x) {
	case 'I':
		return snprintf(out, size, "0x%x", event_codes()->instructions);
	case 'C':
		return snprintf(out, size, "0x%x", event_codes()->cycles);
	case 'F':
		if (!ct->nr_hw || ct->fixed_cycles >= 0)
			return snprintf(out, size, "pmc%d", ct->nr_hw ? ct->fixed_cycles : 0);
		return snprintf(out, size, "pmc%d=0x%x", cycles_slot(core_type),
				event_codes()->cycles);
	case 'f':
		return snprintf(out, size, "%d", ct->nr_hw ? cycles_slot(core_type) : 0);
	case 's':
		return snprintf(out, size, "%d", first_software);
	case '1' ... '9':
		return snprintf(out, size, "%d", general_slot(core_type, x - '0'));
	default:
		die("a test says @%c", x);
	}
}

/* Slots are those of the core type given in the line. */
static int core_type_in(const char *line)
{
	const char *end = strchrnul(line, '\n');
	const char *found = strstr(line, "coretype=");
	int ct;

	if (!found || found > end || sscanf(found, "coretype=%d", &ct) != 1 ||
	    ct < 0 || ct >= nr_core_types)
		return -1;
	return ct;
}

void expand(char *out, size_t size, const char *text)
{
	size_t len = 0;
	int ct = -1;

	if (!nr_core_types && strchr(text, '@'))
		read_machine();
	for (; *text && len + 1 < size; text++) {
		if (!len || text[-1] == '\n')
			ct = core_type_in(text);
		if (*text == '@')
			len += word(out + len, size - len, *++text, ct);
		else
			out[len++] = *text;
	}
	if (len >= size)
		die("a command too long for a test");
	out[len] = '\0';
}

const char *expanded(const char *text)
{
	static _Thread_local char out[1000];

	expand(out, sizeof(out), text);
	return out;
}
