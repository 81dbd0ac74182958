// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: the PMU, the CPUs, the core types and their event names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define DEVICES "sys/bus/event_source/devices/"

/* How each kind of virtual machine gets a PMU */
static const struct vendor {
	const char *dmi;	/* part of the vendor's name in the firmware's tables */
	const char *remedy;
} vendors[] = {
	{ "QEMU", "in the host: virsh edit VM: <pmu state='on'/>; QEMU: -cpu host,pmu=on" },
	{ "VMware", "with the VM off, in its .vmx file: vpmc.enable = \"TRUE\"" },
	{ "Microsoft", "in the host: Set-VMProcessor VM -Perfmon @(\"pmu\")" },
	{ "innotek", "VirtualBox has no PMU for its machines: use KVM or VMware" },
	{ "Amazon", "choose a .metal instance, or one with a whole processor" },
	{ "Google", "gcloud compute instances create --performance-monitoring-unit=standard" },
	{ "Xen", "start the hypervisor with: vpmu=1" },
	{ "", "switch the virtual PMU on in the host" },
};

/* Models of Intel's processors (family 6) with cores of two types */
static const int hybrid_models[] = {
	0x97, 0x9a,		/* Alder Lake */
	0xb7, 0xba, 0xbf,	/* Raptor Lake */
	0xaa, 0xac,		/* Meteor Lake */
	0xb5, 0xc5, 0xc6,	/* Arrow Lake */
	0xbd,			/* Lunar Lake */
	0xcc,			/* Panther Lake */
};

static const struct vendor *vendor_of(const struct doctor *d)
{
	char *dmi = doctor_text(d, "sys/class/dmi/id/sys_vendor");
	const struct vendor *v = vendors;

	while (*v->dmi && !(dmi && strstr(dmi, v->dmi)))
		v++;
	free(dmi);
	return v;
}

/* x86 has a flag for it; other processors are known by their devices. */
static int is_virtual(const struct doctor *d)
{
	char flags[8192];

	doctor_field(d, "proc/cpuinfo", "flags", flags, sizeof(flags));
	return strstr(flags, " hypervisor") || doctor_exists(d, "sys/firmware/devicetree/base/hypervisor") ||
	       (!*flags && *vendor_of(d)->dmi);
}

static void say_no_pmu(struct doctor *d)
{
	if (is_virtual(d)) {
		doctor_say(d, FAIL, "this virtual machine has none");
		doctor_remedy(d, "%s", vendor_of(d)->remedy);
	} else {
		doctor_say(d, FAIL, "the kernel has found none, or has no driver for it");
		doctor_remedy(d, "sudo dmesg | grep -i -e 'performance events' -e pmu");
	}
}

void doctor_pmu(struct doctor *d)
{
	static const char *const patterns[] = { "cpu", "cpu_core", "cpu_atom", "cpu_lowpower", "armv[0-9]*", "apple_*" };
	char list[512] = "", pattern[128];
	size_t i, j, nr, len = 0;
	glob_t found;

	for (i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		snprintf(pattern, sizeof(pattern), DEVICES "%s", patterns[i]);
		nr = doctor_find(d, pattern, &found);
		for (j = 0; j < nr && len < sizeof(list); j++)
			len += snprintf(list + len, sizeof(list) - len, "%s%s", len ? ", " : "",
					strrchr(found.gl_pathv[j], '/') + 1);
		globfree(&found);
	}
	if (len)
		doctor_say(d, OK, "%s", list);
	else
		say_no_pmu(d);
}

void doctor_cpus(struct doctor *d)
{
	char *online = doctor_text(d, "sys/devices/system/cpu/online");
	char *offline = doctor_text(d, "sys/devices/system/cpu/offline");

	if (offline && *offline) {
		doctor_say(d, NOTE, "%s are offline: nothing runs and nothing counts there", offline);
		doctor_remedy(d, "echo 1 | sudo tee /sys/devices/system/cpu/cpu%d/online", atoi(offline));
	} else {
		doctor_say(d, OK, "all are online (%s)", online ? online : "unknown");
	}
	free(online);
	free(offline);
}

static int is_hybrid_model(const struct doctor *d)
{
	char family[32], model[32], vendor[32];
	size_t i;

	doctor_field(d, "proc/cpuinfo", "vendor_id", vendor, sizeof(vendor));
	doctor_field(d, "proc/cpuinfo", "cpu family", family, sizeof(family));
	doctor_field(d, "proc/cpuinfo", "model", model, sizeof(model));
	for (i = 0; i < sizeof(hybrid_models) / sizeof(hybrid_models[0]); i++)
		if (!strcmp(vendor, "GenuineIntel") && atoi(family) == 6 && atoi(model) == hybrid_models[i])
			return 1;
	return 0;
}

void doctor_core_types(struct doctor *d)
{
	int id, nr = d->machine ? pmc_machine_nr_core_types(d->machine) : 0;
	char list[512] = "";
	size_t len = 0;

	for (id = 0; id < nr && len < sizeof(list); id++) {
		const struct pmc_core_type_info *ct = pmc_machine_core_type(d->machine, id);

		len += snprintf(list + len, sizeof(list) - len, "%s%s (CPUs %s)", id ? ", " : "", ct->name, ct->cpus);
	}
	if (!nr) {
		doctor_say(d, NOTE, "not known: see counting");
	} else if (nr == 1 && is_virtual(d) && is_hybrid_model(d)) {
		doctor_say(d, NOTE, "%s: if the host has cores of two types, this virtual machine does not show them, and its counts mix them",
			   list);
		doctor_remedy(d, "in the host, keep its CPUs on one type: virsh vcpupin VM VCPU CPUS");
	} else {
		doctor_say(d, OK, "%s", list);
	}
}

/* Do the events of a command without -c have codes? */
static int encodes(const struct doctor *d, const struct pmc_core_type_info *ct)
{
	pmc_config_t *config = pmc_config_new(d->machine);
	int rc = config ? pmc_config_add(config, "instr,cycles", ct->id, 0) : -1;

	pmc_config_free(config);
	return rc >= 0;
}

/* A table of this model comes from a file or from libpfm4. */
static int is_of_model(const char *table)
{
	return strcmp(table, "none") && strncmp(table, "builtin ", 8);
}

static void examine_names(struct doctor *d, const struct pmc_core_type_info *ct)
{
	const char *table = pmc_machine_event_table(d->machine, ct->id);

	if (!encodes(d, ct)) {
		doctor_say(d, FAIL, "%s: %s", ct->name, pmc_last_error());
		doctor_remedy(d, "write events as codes, as 0xc0; see: man pmctrack-events");
	} else if (!is_of_model(table)) {
		doctor_say(d, NOTE, "%s: no table of this model (0x%llx) is installed; generic events work (%s)",
			   ct->name, (unsigned long long)ct->cpuid, table);
		doctor_remedy(d, "in pmctrack's source: sudo make install; or see: man pmctrack-events");
	} else {
		doctor_say(d, OK, "%s: from %s", ct->name, table);
	}
}

void doctor_names(struct doctor *d)
{
	int id, nr = 0;

	for (id = 0; d->machine && id < pmc_machine_nr_core_types(d->machine); id++) {
		const struct pmc_core_type_info *ct = pmc_machine_core_type(d->machine, id);

		if (!ct->nr_hw_counters)
			continue;
		nr++;
		examine_names(d, ct);
	}
	if (!nr)
		doctor_say(d, NOTE, "not known: see %s", d->machine ? "PMU" : "counting");
}
