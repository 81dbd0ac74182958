// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: who else has counters: the NMI watchdog, KVM, perf, other sessions. */
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

/* The number in a "name number" line of a file of the module, or @otherwise */
static long module_number(const struct doctor *d, const char *file, const char *name, long otherwise)
{
	char *text = doctor_text(d, "proc/pmc/%s", file), *line = text, *next;
	size_t len = strlen(name);
	long number = otherwise;

	for (; line; line = next ? next + 1 : NULL) {
		next = strchr(line, '\n');
		if (!strncmp(line, name, len) && line[len] == ' ')
			number = strtol(line + len, NULL, 0);
	}
	free(text);
	return number;
}

static int is_exclusive(const struct doctor *d)
{
	return module_number(d, "info", "exclusive", 0) == 1;
}

/* On arm64 the watchdog may have a counter in Linux 7.3. */
void doctor_watchdog(struct doctor *d)
{
	long on = 0;

	doctor_number(d, "proc/sys/kernel/nmi_watchdog", &on);
	if (!on) {
		doctor_say(d, OK, "the NMI watchdog is off");
	} else if (is_exclusive(d)) {
		doctor_say(d, FAIL, "the NMI watchdog has the PMU, and the module is loaded with exclusive=1");
		doctor_remedy(d, "sudo sysctl kernel.nmi_watchdog=0");
	} else {
		doctor_say(d, NOTE, "the NMI watchdog has a counter of each CPU");
		doctor_remedy(d, "if you need it: sudo sysctl kernel.nmi_watchdog=0");
	}
}

/* From Linux 7.0 on, KVM may give the whole PMU to a machine while that runs. */
void doctor_kvm(struct doctor *d)
{
	static const char *const drivers[] = { "kvm_intel", "kvm_amd" };
	char file[128];
	size_t i;

	for (i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		snprintf(file, sizeof(file), "sys/module/%s/parameters/enable_mediated_pmu", drivers[i]);
		if (!doctor_is(d, file, "Y"))
			continue;
		doctor_say(d, NOTE, "virtual machines may take the PMU (%s: enable_mediated_pmu=Y): they are not counted then, and cannot start while a session counts guests",
			   drivers[i]);
		doctor_remedy(d, "sudo rmmod %s; sudo modprobe %s enable_mediated_pmu=0",
			      drivers[i], drivers[i]);
		return;
	}
	doctor_say(d, OK, "no virtual machine can take the PMU");
}

/* Only root may read the number of sessions. */
void doctor_others(struct doctor *d)
{
	long sessions = module_number(d, "stats", "sessions", -1);

	if (is_exclusive(d)) {
		doctor_say(d, NOTE, "the module is loaded with exclusive=1: perf cannot count while it does, nor it while perf does");
		doctor_remedy(d, "to share the PMU: sudo modprobe -r pmctrack && sudo modprobe pmctrack");
	} else if (sessions > 0) {
		doctor_say(d, NOTE, "%ld other session%s open", sessions, sessions == 1 ? " is" : "s are");
	} else {
		doctor_say(d, OK, "%s", sessions < 0 ? "the PMU can be shared with perf" : "no other session is open");
	}
}

static int nr_general(const struct pmc_core_type_info *ct)
{
	int i, nr = 0;

	for (i = 0; i < ct->nr_counters; i++)
		if (ct->counters[i].kind == PMC_COUNTER_GENERAL)
			nr += ct->counters[i].last - ct->counters[i].first + 1;
	return nr;
}

static void examine_counters(struct doctor *d, const struct pmc_core_type_info *ct)
{
	int nr = nr_general(ct), left = nr, rc = 0;

	while (left && !(rc = d->probes->free_counters(d, ct, left)))
		left--;
	if (rc < 0) {
		doctor_say(d, OK, "%s: %d general ones; how many are in use is not known", ct->name, nr);
	} else if (left == nr) {
		doctor_say(d, OK, "%s: all %d general ones are free", ct->name, nr);
	} else {
		doctor_say(d, left ? NOTE : FAIL, "%s: %d of %d general ones are free; perf, the NMI watchdog or sessions have the others",
			   ct->name, left, nr);
		if (!left)
			doctor_remedy(d, "end what counts: sudo fuser -v /proc/pmc/monitor; pgrep -a perf");
	}
}

void doctor_counters(struct doctor *d)
{
	int id, nr = 0;

	for (id = 0; d->machine && id < pmc_machine_nr_core_types(d->machine); id++) {
		const struct pmc_core_type_info *ct = pmc_machine_core_type(d->machine, id);

		if (!nr_general(ct))
			continue;
		nr++;
		examine_counters(d, ct);
	}
	if (!nr)
		doctor_say(d, d->machine ? FAIL : NOTE, "%s", d->machine ? "none: see PMU" : "not known: see counting");
}
