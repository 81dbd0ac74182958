// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /proc/cpuinfo. It has a block of lines for each CPU, as cores may differ; a block begins
 * with the CPU's number and ends with an empty line. Some architectures have lines for all
 * CPUs before or after the blocks.
 */
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cpuinfo.h"
#include "kernel_file.h"

#define EVERY_CPU (-1)

struct vendor {
	int number;
	const char *name;
};

/* Names of vendors in vendor_id */
static const struct vendor vendors[] = {
	{ PAPI_VENDOR_INTEL, "GenuineIntel" },
	{ PAPI_VENDOR_AMD, "AuthenticAMD" },
	{ PAPI_VENDOR_AMD, "AMD" },
	{ PAPI_VENDOR_IBM, "IBM" },
	{ PAPI_VENDOR_IBM, "IBM/S390" },
};

/* Implementers of Arm's architecture. PAPI has no constants for those with numbers only. */
static const struct vendor implementers[] = {
	{ PAPI_VENDOR_ARM_ARM, "ARM_ARM" },
	{ PAPI_VENDOR_ARM_BROADCOM, "ARM_BROADCOM" },
	{ PAPI_VENDOR_ARM_CAVIUM, "ARM_CAVIUM" },
	{ PAPI_VENDOR_ARM_FUJITSU, "ARM_FUJITSU" },
	{ PAPI_VENDOR_ARM_HISILICON, "ARM_HISILICON" },
	{ PAPI_VENDOR_ARM_APM, "ARM_APM" },
	{ PAPI_VENDOR_ARM_QUALCOMM, "ARM_QUALCOMM" },
	{ 0x4e, "ARM_NVIDIA" },
	{ 0x53, "ARM_SAMSUNG" },
	{ 0x61, "ARM_APPLE" },
	{ 0xc0, "ARM_AMPERE" },
};

/* Lines with a number, the first name that a CPU has */
static const struct number_line {
	const char *name;
	size_t member;
} number_lines[] = {
	{ "cpu family", offsetof(struct cpuinfo, family) },
	{ "model", offsetof(struct cpuinfo, model) },
	{ "stepping", offsetof(struct cpuinfo, stepping) },
	{ "CPU implementer", offsetof(struct cpuinfo, implementer) },
	{ "CPU architecture", offsetof(struct cpuinfo, family) },
	{ "CPU part", offsetof(struct cpuinfo, model) },
	{ "CPU variant", offsetof(struct cpuinfo, stepping) },
	{ "CPU revision", offsetof(struct cpuinfo, revision) },
};

static void set_text(char *member, const char *value)
{
	snprintf(member, PAPI_MAX_STR_LEN, "%s", value);
}

static void set_number(struct cpuinfo *info, const char *name, const char *value)
{
	int *member;
	size_t i;

	for (i = 0; i < sizeof(number_lines) / sizeof(*number_lines); i++)
		if (!strcmp(name, number_lines[i].name)) {
			member = (int *)((char *)info + number_lines[i].member);
			*member = strtol(value, NULL, 0);
			/* Linux before 3.19 has words. */
			if (!strcmp(value, "AArch64"))
				*member = 8;
		}
}

static void set_line(struct cpuinfo *info, const char *name, const char *value)
{
	if (!strcmp(name, "vendor_id"))
		set_text(info->vendor_name, value);
	else if (!strcmp(name, "model name") || !strcmp(name, "cpu"))
		set_text(info->model_name, value);
	else if (!strcmp(name, "cpu MHz") || !strcmp(name, "clock"))
		info->mhz = strtod(value, NULL);
	else if (!strcmp(name, "flags"))
		info->hypervisor = strstr(value, " hypervisor") != NULL;
	else if (!strcmp(name, "platform") &&
		 (!strcmp(value, "PowerNV") || !strcmp(value, "pSeries")))
		set_text(info->vendor_name, "IBM");
	else
		set_number(info, name, value);
}

static void trim_end(char *text)
{
	size_t length = strlen(text);

	while (length && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
}

/* Take a line if it is of this CPU. Return: the CPU that the next line is of */
static int read_line(struct cpuinfo *info, char *line, int cpu, int block)
{
	char *value = strchr(line, ':');

	if (!value)
		return EVERY_CPU;
	*value++ = '\0';
	value += strspn(value, " \t");
	trim_end(line);
	trim_end(value);
	/* 32-bit Arm has a line "Processor" for all. */
	if (!strcmp(line, "processor"))
		return atoi(value);
	if (block == cpu || block == EVERY_CPU)
		set_line(info, line, value);
	return block;
}

static void read_file(struct cpuinfo *info, const char *root, int cpu)
{
	FILE *f = kernel_file_open(root, "/proc/cpuinfo");
	int block = EVERY_CPU;
	char *line = NULL;
	size_t size = 0;

	if (!f)
		return;
	while (getline(&line, &size, f) > 0)
		block = read_line(info, line, cpu, block);
	free(line);
	fclose(f);
}

static void name_arm(struct cpuinfo *info)
{
	const char *name = arm_part_name(info->implementer, info->model);
	size_t i;

	info->vendor = info->implementer;
	set_text(info->vendor_name, "ARM_UNKNOWN");
	for (i = 0; i < sizeof(implementers) / sizeof(*implementers); i++)
		if (implementers[i].number == info->implementer)
			set_text(info->vendor_name, implementers[i].name);
	if (name)
		snprintf(info->model_name, sizeof(info->model_name), "ARM %s", name);
	else if (!*info->model_name || info->family >= 8)
		snprintf(info->model_name, sizeof(info->model_name),
			 "ARM implementer 0x%02x part 0x%03x", info->implementer, info->model);
}

static void find_vendor(struct cpuinfo *info)
{
	size_t i;

	for (i = 0; i < sizeof(vendors) / sizeof(*vendors); i++)
		if (!strcasecmp(vendors[i].name, info->vendor_name))
			info->vendor = vendors[i].number;
}

void cpuinfo_read(struct cpuinfo *info, const char *root, int cpu)
{
	memset(info, 0, sizeof(*info));
	read_file(info, root, cpu);
	if (info->implementer) {
		name_arm(info);
		return;
	}
	find_vendor(info);
	info->revision = info->stepping;
}
