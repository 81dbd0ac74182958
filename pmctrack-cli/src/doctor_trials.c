// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: what only a trial shows. */
#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "options.h"

#define MAX_GROUP 64
#define LOOPS 1000000UL
#define CANNOT_BIND 3

/* An event of the calling thread in user mode. Return: a file, or -1 and errno. */
static int open_event(struct perf_event_attr *attr, int group)
{
	attr->size = sizeof(*attr);
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	return syscall(SYS_perf_event_open, attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);
}

static int perf_open(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK };
	int fd = open_event(&attr, -1);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* An event that no fixed counter can count, on the PMU of a core type */
static int general_event(const struct doctor *d, const struct pmc_core_type_info *ct, struct perf_event_attr *attr)
{
	char file[128];
	long type;

	memset(attr, 0, sizeof(*attr));
	snprintf(file, sizeof(file), "sys/bus/event_source/devices/%s/type", ct->pmu);
	if (doctor_number(d, file, &type))
		return -1;
#if defined(__x86_64__) || defined(__i386__)
	attr->type = PERF_TYPE_HARDWARE;
	attr->config = PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
	if (strcmp(ct->pmu, "cpu"))
		attr->config |= (uint64_t)type << 32;
#else
	attr->type = type;
	attr->config = 0x08;	/* INST_RETIRED */
#endif
	return 0;
}

/* Pinned events count at once, or never: reading such a group says end of file. */
static int open_group(struct perf_event_attr *attr, int nr, int *fds)
{
	int i;

	for (i = 0; i < nr; i++) {
		attr->pinned = attr->disabled = !i;
		fds[i] = open_event(attr, i ? fds[0] : -1);
		if (fds[i] < 0)
			break;
	}
	return i;
}

static int group_counts(struct perf_event_attr *attr, int nr)
{
	int fds[MAX_GROUP], opened = open_group(attr, nr, fds), counts = -1;
	uint64_t value;

	if (opened == nr && !ioctl(fds[0], PERF_EVENT_IOC_ENABLE, 0))
		counts = read(fds[0], &value, sizeof(value)) == sizeof(value);
	else if (errno == EBUSY)
		counts = 0;
	while (opened--)
		close(fds[opened]);
	return counts;
}

static int free_counters(const struct doctor *d, const struct pmc_core_type_info *ct, int nr)
{
	struct perf_event_attr attr;
	cpu_set_t before, cpus;
	int counts = -1;

	if (nr > MAX_GROUP || general_event(d, ct, &attr) || cpus_parse(ct->cpus, &cpus) ||
	    sched_getaffinity(0, sizeof(before), &before) || sched_setaffinity(0, sizeof(cpus), &cpus))
		return -1;
	counts = group_counts(&attr, nr);
	sched_setaffinity(0, sizeof(before), &before);
	return counts;
}

/* Two instructions a round */
static void loop(unsigned long rounds)
{
#if defined(__x86_64__) || defined(__i386__)
	asm volatile("1: dec %0\n\tjnz 1b" : "+r" (rounds) : : "cc");
#elif defined(__aarch64__)
	asm volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r" (rounds) : : "cc");
#else
	while (rounds--)
		asm volatile("");
#endif
}

/* Stopped, it waits for the session to be ready. */
static _Noreturn void run_child(const cpu_set_t *cpus)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sched_setaffinity(0, sizeof(*cpus), cpus))
		_exit(CANNOT_BIND);
	raise(SIGSTOP);
	loop(LOOPS);
	_exit(0);
}

static pmc_session_t *open_session(const pmc_machine_t *machine, int core_type)
{
	pmc_config_t *config = pmc_config_new(machine);
	pmc_session_t *session = config ? pmc_session_open() : NULL;

	if (session && (pmc_config_add(config, "instr", core_type, 0) || pmc_session_command(session, "filter user") ||
			pmc_session_configure(session, config))) {
		pmc_session_close(session);
		session = NULL;
	}
	pmc_config_free(config);
	return session;
}

/* @pid is stopped. */
static int count_child(const struct doctor *d, const struct pmc_core_type_info *ct, pid_t pid,
		       uint64_t *instructions)
{
	pmc_session_t *session = open_session(d->machine, ct->id);
	uint64_t counts[PMC_MAX_COUNTS] = { 0 };
	int rc = -1;

	if (session && !pmc_session_command(session, "attach %d", (int)pid)) {
		kill(pid, SIGCONT);
		waitpid(pid, NULL, 0);
		rc = pmc_session_command(session, "stop") ||
		     pmc_session_totals(session, ct->id, 0, counts, NULL, NULL) < 0 ? -1 : 0;
	} else {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	pmc_session_close(session);
	*instructions = counts[0];
	return rc;
}

static int count(const struct doctor *d, const struct pmc_core_type_info *ct, uint64_t *instructions,
		 uint64_t *known)
{
	cpu_set_t cpus;
	int status;
	pid_t pid;

	*known = 2 * LOOPS;
	if (cpus_parse(ct->cpus, &cpus))
		return 1;
	fflush(d->f);
	pid = fork();
	if (!pid)
		run_child(&cpus);
	if (pid < 0 || waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return 1;
	return count_child(d, ct, pid, instructions);
}

const struct doctor_probes doctor_probes = { perf_open, free_counters, count };
