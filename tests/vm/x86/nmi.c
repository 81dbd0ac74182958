// SPDX-License-Identifier: GPL-2.0
/*
 * Very many overflow interrupts, which are NMIs, in user mode and anywhere in the kernel.
 * They interrupt threads of known length in all their activities. The counts must be exact
 * to the instruction, there must be no unknown NMI, and the PMU must work afterwards.
 *
 * usage: x86/nmi [NMIS [PERIOD]]
 *
 * In the first half of the NMIs the module throttles interrupts with its default limit, in
 * the second half as little as possible. Ten million of each at the shortest period take
 * some minutes:
 *	scripts/vm --machine x86-hybrid --timeout 7200 /tests/x86/nmi 20000000 1000
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"

#define NMIS		20000
#define PERIOD		5000
#define STEPS		60
/*
 * Kernel-mode instructions between starting and stopping two counters at a switch; the same
 * in a kernel that checks each of its memory accesses
 */
#define OFFSET		500
#define OFFSET_CHECKED	2000
/* The same at an NMI, where counters are stopped one by one. Measured: 12 */
#define OFFSET_NMI	20
/* Readings, 20 ms apart, of an interrupt count that does not change */
#define STILL		100

static atomic_bool enough;
static int session, nr_cpus;

struct worker {
	pthread_t id;
	int nr;
	long truth;
	uint64_t found;
	uint64_t interrupting;
	struct step steps[STEPS];
};

/* NMIs of all CPUs. */
static long long nmis(void)
{
	FILE *f = fopen("/proc/interrupts", "r");
	long long sum = 0, n;
	char line[4000], *at, *end;

	if (!f)
		die("/proc/interrupts: %s", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		at = line + strspn(line, " ");
		if (strncmp(at, "NMI:", 4))
			continue;
		at += 4;
		while (n = strtoll(at, &end, 10), end != at) {
			sum += n;
			at = end;
		}
	}
	fclose(f);
	return sum;
}

/* System calls with different paths and states in the kernel. */
static void make_work(struct worker *w)
{
	static char path[] = "/proc/self/stat";
	struct step *s = w->steps;
	int i;

	make_step(&s[0], SYS_ioctl, session, PMC_IOC_START, 0);
	for (i = 1; i < STEPS - 1; i++) {
		switch (i % (w->nr % 4 == 3 ? 6 : 4)) {
		case 0:
			make_step(&s[i], SYS_sched_yield, 0, 0, 0);
			break;
		case 1:
			make_step(&s[i], SYS_faccessat, AT_FDCWD, (long)path, R_OK);
			break;
		case 2:
			make_step(&s[i], SYS_madvise, (long)w & -4096L, 4096, MADV_NORMAL);
			break;
		case 3:
			make_step(&s[i], SYS_getppid, 0, 0, 0);
			break;
		case 4:
			/* Without a signal at the child's end, which would restart another fork. */
			make_step(&s[i], SYS_clone, 0, 0, 0);
			s[i].quit_if = 0;
			break;
		case 5:
			make_step(&s[i], SYS_wait4, -1, 0, __WALL);
			break;
		}
		s[i].loops = 3000 + 10 * i + w->nr;
	}
	make_step(&s[i], SYS_ioctl, session, PMC_IOC_STOP, 0);
	w->truth = 0;
}

static void *work(void *arg)
{
	struct worker *w = arg;

	while (!enough) {
		script(w->steps, STEPS);
		w->truth += script_length(w->steps, STEPS);
	}
	w->found = own_count(session, -1, 0, 0);
	w->interrupting = own_count(session, -1, 0, 5);
	return NULL;
}

/* Read once: there may be more records than can be read. */
static void read_some(long *samples, long *flagged)
{
	static char buf[65536] __attribute__((aligned(8)));
	ssize_t len = read(session, buf, sizeof(buf));
	char *at = buf;

	while (at < buf + len) {
		const struct pmc_record *r = (void *)at;

		*samples += r->event == PMC_SAMPLE_EBS;
		*flagged += !!(r->flags & PMC_REC_COUNTER_LOST);
		at += record_size(r);
	}
}

/* Many interrupts on all CPUs, throttled or not. */
/* Has the PMU registers that control all counters? AMD's has since perfmon_v2. */
static bool stops_at_once(void)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	bool amd = false, global = false;
	char line[8192];

	while (f && fgets(line, sizeof(line), f)) {
		amd |= !!strstr(line, "AuthenticAMD");
		global |= !!strstr(line, " perfmon_v2");
	}
	if (f)
		fclose(f);
	return !amd || global;
}

static void interrupts(long target, int period, struct worker *workers)
{
	long long before = nmis(), held = proc_value("stats", "throttled"), now;
	long long samples_before = proc_value("stats", "samples"), last = 0;
	int offset = access("/proc/lockdep", F_OK) ? OFFSET : OFFSET_CHECKED;
	int offset_nmi = stops_at_once() ? 0 : OFFSET_NMI;
	long flagged = 0, samples = 0;
	uint64_t counted;
	int i, still = 0;

	enough = false;
	session = open_session();
	command(session, "ring 65536\n"
		"events ev=@I:u,ev=@I:u:k:ebs=%d,ev=@C:u:k,ev=@I:u:k,sw=context_switches,ev=@I:u:ebs=%d", period,
		period);
	for (i = 0; i < 2 * nr_cpus; i++) {
		workers[i].nr = i;
		make_work(&workers[i]);
		pthread_create(&workers[i].id, NULL, work, &workers[i]);
	}
	do {
		usleep(20000);
		read_some(&samples, &flagged);
		now = nmis() - before;
		still = now == last ? still + 1 : 0;
		last = now;
	} while (now < target && still < STILL);
	if (now < target)
		fail("no more NMIs after %lld", now);
	enough = true;
	for (i = 0; i < 2 * nr_cpus; i++) {
		pthread_join(workers[i].id, NULL);
		same(workers[i].found, workers[i].truth,
		     "thread %d: instructions in user mode", i);
		same(workers[i].interrupting, workers[i].truth,
		     "thread %d: the same by a counter that interrupts", i);
	}
	same(flagged, 0, "records with a lost counter");
	if (!samples)
		fail("no samples");
	counted = total(session, -1, 0, 1);
	/*
	 * Compare with a counter that does not interrupt. The two are not set at the same
	 * time, so they differ by some of the kernel's instructions.
	 */
	within(total(session, -1, 0, 3) - counted, 0,
	       offset * total(session, -1, 0, 4) + offset_nmi * (nmis() - before),
	       "instructions that the counter which interrupts has not counted");
	printf("%lld NMIs, %lld samples, %ld of them read, throttled %lld times; ",
	       nmis() - before, proc_value("stats", "samples") - samples_before, samples,
	       proc_value("stats", "throttled") - held);
	printf("%llu periods of %d instructions\n", (unsigned long long)counted / period,
	       period);
	close(session);
}

/* Afterwards everything works. */
static void afterwards(void)
{
	struct records records = { };
	int cpu;
	long truth;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		session = open_session();
		command(session, "ring 4096\nevents ev=@I:u:ebs=20000");
		pin(0, cpu);
		truth = counted_loop(session, 1000000);
		read_records(session, &records);
		same(sum_records(&records, 0, -1, -1, 0), truth, "CPU %d, later: instructions", cpu);
		same(nr_records(&records, 0, PMC_SAMPLE_EBS), truth / 20000,
		     "CPU %d, later: samples", cpu);
		forget_records(&records);
		close(session);
	}
	unpin(0);
}

int main(int argc, char **argv)
{
	long target = argc > 1 ? atol(argv[1]) : NMIS;
	int period = argc > 2 ? atoi(argv[2]) : PERIOD;
	long long rate = proc_value("config", "ebs_max_rate");
	struct worker *workers;

	need_counters();
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	/* Children of clone() share this process' memory. */
	workers = mmap(NULL, 2 * nr_cpus * sizeof(*workers), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (workers == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	interrupts(target / 2, period, workers);
	set_config("ebs_max_rate=10000");
	interrupts(target / 2, period, workers);
	set_config("ebs_max_rate=%lld", rate);
	afterwards();
	wait_until_idle();
	return result();
}
