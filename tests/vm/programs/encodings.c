// SPDX-License-Identifier: GPL-2.0
/*
 * encodings CORETYPE: for each event name on standard input, a line NAME CONFIG CONFIG1, as the
 * library encodes it and perf_event_open(2) has it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmctrack.h>

/* Where attr.config has an event's fields on x86 */
static const struct {
	const char *key;
	int shift;
} fields[] = {
	{ "umask", 8 }, { "edge", 18 }, { "any", 21 }, { "inv", 23 }, { "cmask", 24 },
};

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

/* On x86 bits 8 to 11 of an event's number are at 32. */
static uint64_t number_bits(uint64_t number)
{
#ifdef __aarch64__
	return number;
#else
	return (number & 0xff) | number >> 8 << 32;
#endif
}

/* One part of an event in the kernel's form: ev=0xc6, umask=0x01, edge, extra=0x11, counters=0-3 */
static void take(const char *part, uint64_t *config, uint64_t *config1)
{
	size_t i, len = strcspn(part, "=");
	uint64_t value = part[len] ? strtoull(part + len + 1, NULL, 0) : 1;

	if (!strncmp(part, "ev", len))
		*config |= number_bits(value);
	else if (!strncmp(part, "extra", len))
		*config1 = value;
	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strlen(fields[i].key) == len && !strncmp(part, fields[i].key, len))
			*config |= value << fields[i].shift;
}

static void print(const pmc_machine_t *machine, int core_type, const char *name)
{
	pmc_config_t *config = pmc_config_new(machine);
	uint64_t value = 0, second = 0;
	char *raw, *part;

	if (!config || pmc_config_add(config, name, core_type, 0))
		fail(name, pmc_last_error());
	raw = strdup(pmc_config_raw(config, 0));
	raw[strcspn(raw, ",")] = '\0';
	for (part = strtok(raw, ":"); part; part = strtok(NULL, ":"))
		take(part, &value, &second);
	printf("%s 0x%" PRIx64 " 0x%" PRIx64 "\n", name, value, second);
	free(raw);
	pmc_config_free(config);
}

int main(int argc, char **argv)
{
	pmc_machine_t *machine = pmc_machine_open();
	int core_type = argc == 2 && machine ? pmc_machine_find_core_type(machine, argv[1]) : -1;
	char name[256];

	if (core_type < 0)
		fail("encodings", machine ? pmc_last_error() : "no machine");
	while (scanf("%255s", name) == 1)
		print(machine, core_type, name);
	pmc_machine_close(machine);
	return 0;
}
