// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: what this user may count, and what forbids it. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"
#include "doctor.h"

#define CAP_SYS_ADMIN 21
#define CAP_PERFMON 38
#define PARANOID "proc/sys/kernel/perf_event_paranoid"
#define NOTHING_ALLOWED 3

/* A session's ring for samples, of the default size */
#define RING_BYTES (140 * 1024)

/* Capabilities count in the first user namespace, which maps all ids to themselves. */
static int in_first_namespace(const struct doctor *d)
{
	char *map = doctor_text(d, "proc/self/uid_map");
	unsigned int inside = 0, outside = 0, nr = -1U;

	if (map && sscanf(map, "%u %u %u", &inside, &outside, &nr) != 3)
		nr = -1U;
	free(map);
	return !inside && !outside && nr == -1U;
}

int doctor_is_privileged(const struct doctor *d)
{
	char caps[32];
	uint64_t bits;

	doctor_field(d, "proc/self/status", "CapEff", caps, sizeof(caps));
	bits = strtoull(caps, NULL, 16);
	return bits & (1ULL << CAP_SYS_ADMIN | 1ULL << CAP_PERFMON) && in_first_namespace(d);
}

void doctor_rights(struct doctor *d)
{
	int privileged = doctor_is_privileged(d);
	long paranoid;

	if (doctor_number(d, PARANOID, &paranoid)) {
		doctor_say(d, FAIL, "/" PARANOID " cannot be read: a kernel without perf events?");
		doctor_remedy(d, "start a kernel with CONFIG_PERF_EVENTS, such as the distribution's");
	} else if (privileged) {
		doctor_say(d, OK, "this user may count all processes and CPUs");
	} else if (paranoid >= NOTHING_ALLOWED) {
		doctor_say(d, FAIL, "only root may count: kernel.perf_event_paranoid is %ld", paranoid);
		doctor_remedy(d, "sudo sysctl kernel.perf_event_paranoid=2");
	} else {
		doctor_say(d, OK, "this user may count %s (kernel.perf_event_paranoid is %ld)",
			   paranoid == 2 ? "own processes in user mode" :
			   paranoid == 1 ? "own processes in user and kernel mode" :
					   "own processes and whole CPUs", paranoid);
	}
}

/* The administrator may keep users from the file (monitor_mode=). */
void doctor_sessions_file(struct doctor *d)
{
	char *path;
	int rc;

	if (asprintf(&path, "%s/proc/pmc/monitor", d->root) < 0)
		bad("out of memory");
	rc = access(path, R_OK | W_OK);
	free(path);
	if (!rc) {
		doctor_say(d, OK, "this user may open /proc/pmc/monitor");
	} else if (errno == EACCES) {
		doctor_say(d, FAIL, "this user may not open /proc/pmc/monitor");
		doctor_remedy(d, "become a member of its group, or: sudo chmod 0666 /proc/pmc/monitor");
	} else {
		doctor_say(d, NOTE, "no /proc/pmc/monitor: see module");
	}
}

static int filters_calls(const struct doctor *d)
{
	char mode[16];

	doctor_field(d, "proc/self/status", "Seccomp", mode, sizeof(mode));
	return atoi(mode) == 2;
}

/* The module needs no such call; what works without the module does. */
void doctor_perf_call(struct doctor *d)
{
	enum finding finding = doctor_exists(d, "proc/pmc/info") ? NOTE : FAIL;
	int err = d->probes->perf_open();
	long paranoid = NOTHING_ALLOWED;

	doctor_number(d, PARANOID, &paranoid);
	if (!err) {
		doctor_say(d, OK, "perf_event_open() works");
	} else if (paranoid >= NOTHING_ALLOWED && !doctor_is_privileged(d)) {
		doctor_say(d, NOTE, "perf_event_open() is refused to this user: see rights");
	} else if (filters_calls(d)) {
		doctor_say(d, finding, "a seccomp filter refuses perf_event_open() (%s), as in containers", strerror(err));
		doctor_remedy(d, "docker run --cap-add PERFMON --security-opt seccomp=unconfined ...");
	} else {
		doctor_say(d, finding, "perf_event_open() fails: %s; a security module may refuse it", strerror(err));
		doctor_remedy(d, "sudo dmesg | grep -i -e denied -e perf");
	}
}

/* "Max locked memory         8388608              8388608              bytes" */
static uint64_t locked_memory(const struct doctor *d)
{
	static const char name[] = "Max locked memory";
	char *limits = doctor_text(d, "proc/self/limits"), *line = limits ? strstr(limits, name) : NULL;
	uint64_t bytes = UINT64_MAX;

	if (line)
		sscanf(line + sizeof(name) - 1, "%" SCNu64, &bytes);
	free(limits);
	return bytes;
}

void doctor_memory(struct doctor *d)
{
	uint64_t bytes = locked_memory(d);

	if (doctor_is_privileged(d) || bytes == UINT64_MAX) {
		doctor_say(d, OK, "no limit for buffers");
	} else if (bytes < RING_BYTES) {
		doctor_say(d, FAIL, "no room for a buffer of samples: %" PRIu64 " KiB of locked memory (ulimit -l), %d are needed",
			   bytes / 1024, RING_BYTES / 1024);
		doctor_remedy(d, "sudo prlimit --pid $$ --memlock=8388608");
	} else {
		doctor_say(d, OK, "%" PRIu64 " KiB of locked memory (ulimit -l): %" PRIu64 " buffers of samples",
			   bytes / 1024, bytes / RING_BYTES);
	}
}
