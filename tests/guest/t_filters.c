// SPDX-License-Identifier: GPL-2.0
/*
 * User mode, kernel mode, both; events pinned to counters and events that the
 * kernel places; sets of one core type.
 *
 * What is executed in user mode between start and stop is known. In kernel
 * mode it is not, but the same code counts on all counters: the counter for
 * both modes tells the sum of the two others, and a residue for reading one
 * after the other, the same each time.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

#ifndef __aarch64__
int main(void)
{
	skip("no hardware counters on this architecture's test machine");
}
#else

#define CALLS	200

/* So many cheap system calls, each with a loop after it. */
static long calls(int fd, int nr, long loops)
{
	struct step s[CALLS + 2];
	int i;

	make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
	for (i = 1; i <= nr; i++)
		make_step(&s[i], SYS_getppid, 0, 0, 0);
	make_step(&s[i], SYS_ioctl, fd, PMC_IOC_STOP, 0);
	for (i = 0; i <= nr; i++)
		s[i].loops = loops;
	script(s, nr + 2);
	return script_length(s, nr + 2);
}

static void modes(void)
{
	long long user, kernel, all, truth, residue = 0, few = 0, before[3] = { };
	int fd = open_session(), i, j;

	command(fd, "events ev=0x8:u,ev=0x8:k,ev=0x8:u:k");
	for (i = 0; i < 12; i++) {
		long long now[3];

		truth = calls(fd, i % 2 ? CALLS : 10, 100 + 100 * i);
		for (j = 0; j < 3; j++) {
			now[j] = own_count(fd, -1, 0, j) - before[j];
			before[j] += now[j];
		}
		user = now[0];
		kernel = now[1];
		all = now[2];
		same(user, truth, "round %d: user mode", i);
		if (!i)
			residue = all - user - kernel;
		/* A timer's interrupt is no switch: the residue stays. */
		same(all - user - kernel, residue, "round %d: residue", i);
		if (i % 2 == 0)
			few = kernel;
		else
			within(kernel - few, (CALLS - 10) * 200LL, (CALLS - 10) * 5000LL,
			       "round %d: kernel mode, %d calls more", i, CALLS - 10);
	}
	within(residue, -100, 100, "residue");
	printf("user + kernel differs from all by %lld each time\n", residue);
	close(fd);
}

static void session_filter(const char *filter, const char *event, bool user, bool kernel)
{
	int fd = open_session();
	long long truth, count;

	command(fd, "filter %s\nevents %s", filter, event);
	truth = calls(fd, 20, 100000);
	count = own_count(fd, -1, 0, 0);
	if (user && !kernel)
		same(count, truth, "filter %s, %s", filter, event);
	else if (kernel && !user)
		within(count, 20 * 200, truth / 2, "filter %s, %s", filter, event);
	else
		within(count, truth + 20 * 200, truth * 3 / 2, "filter %s, %s", filter, event);
	close(fd);
}

static void placed(int fd, int ct, int set, const char *spec, int nr, const int *slots)
{
	struct pmc_placement p = { .core_type = ct, .set = set };
	int i;

	if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
		die("PMC_IOC_PLACEMENT: %s", strerror(errno));
	if (!same(p.nr_counts, nr, "'%s', core type %d: counts", spec, ct))
		return;
	for (i = 0; i < nr; i++)
		if (slots[i] >= 0)
			same(p.slot[i], slots[i], "'%s', core type %d, count %d: slot", spec, ct, i);
}

static void raw_grammar(void)
{
	static const struct {
		const char *spec;
		int nr, slots[8];
		int instructions;	/* a count that must be the truth */
		int equal[2];		/* counts that must be equal */
	} cases[] = {
		{ "pmc0,pmc3=0x8,pmc1=0x8", 3, { 0, 3, 1 }, 1, { 1, 2 } },
		{ "pmc1=8,pmc0,pmc6=8", 3, { 1, 0, 6 }, 0, { 0, 2 } },
		{ "usr2=1,os2=0,pmc2=0x8,pmc0,pmc5=0x8", 3, { 2, 0, 5 }, 0, { 0, 2 } },
		{ "ev=0x8,pmc1=0x8,pmc2=0x8", 3, { -1, 1, 2 }, 0, { 1, 2 } },
		{ "sw=migrations,ev=0x8,sw=task_clock,pmc6=0x8,pmc0", 5,
		  { 9, -1, 7, 6, 0 }, 1, { 1, 3 } },
		{ "pmc7,ev=0x8,ev=0x8,ev=0x11", 4, { 7, -1, -1, 0 }, 1, { 1, 2 } },
		{ "ev=0x8,ev=0x8,ev=0x8,ev=0x8,ev=0x8,pmc0,ev=0x8", 7,
		  { -1, -1, -1, -1, -1, 0, -1 }, 6, { 3, 4 } },
		{ "edge1=0,inv1=0,any1=0,umask1=0,cmask1=0,pmc1=0x8,pmc2=0x8,pmc0", 3,
		  { 1, 2, 0 }, 0, { 0, 1 } },
	};
	unsigned int i, ct;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int fd = open_session();
		long truth;

		command(fd, "events %s", cases[i].spec);
		for (ct = 0; ct < (unsigned int)nr_core_types; ct++)
			placed(fd, ct, 0, cases[i].spec, cases[i].nr, cases[i].slots);
		truth = calls(fd, 5, 10000);
		same(own_count(fd, -1, 0, cases[i].instructions), truth,
		     "'%s': instructions", cases[i].spec);
		same(own_count(fd, -1, 0, cases[i].equal[0]),
		     own_count(fd, -1, 0, cases[i].equal[1]), "'%s': the same, twice",
		     cases[i].spec);
		close(fd);
	}
}

/* What is for one core type does not count on another. */
static void one_core_type(void)
{
	int fd, ct, other;
	struct pmc_placement p;
	long truth;

	for (ct = 0; ct < nr_core_types; ct++) {
		fd = open_session();
		command(fd, "events coretype=%d," INSTRUCTIONS, ct);
		for (other = 0; other < nr_core_types; other++) {
			p = (struct pmc_placement){ .core_type = other };
			if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
				die("PMC_IOC_PLACEMENT: %s", strerror(errno));
			same(p.nr_counts, other == ct, "core type %d: counts in a set of %d", other, ct);
		}
		for (other = 0; other < nr_core_types; other++) {
			uint64_t before = other ? own_count(fd, -1, 0, 0) : 0;

			pin(0, core_types[other].first_cpu);
			truth = calls(fd, 3, 50000);
			same(own_count(fd, -1, 0, 0) - before, other == ct ? truth : 0,
			     "set of core type %d on core type %d", ct, other);
		}
		unpin(0);
		close(fd);
	}
	fd = open_session();
	p = (struct pmc_placement){ .core_type = nr_core_types };
	same(ioctl(fd, PMC_IOC_PLACEMENT, &p), -1, "placement on no core type");
	same(errno, EINVAL, "errno of it");
	refused(fd, EINVAL, "coretype", "events coretype=%d," INSTRUCTIONS, nr_core_types);
	close(fd);
}

static void too_many(void)
{
	int fd = open_session();

	refused(fd, ENOSPC, "number 7 finds none free",
		"events ev=0x8,ev=0x8,ev=0x8,ev=0x8,ev=0x8,ev=0x8,ev=0x8");
	refused(fd, ENOSPC, "number", "events pmc0,pmc1=8,pmc2=8,pmc3=8,pmc4=8,pmc5=8,pmc6=8,ev=0x11");
	refused(fd, EINVAL, "pmc13", "events pmc13");
	/* None of these may have taken anything. */
	command(fd, "events pmc0,pmc1=8,pmc2=8,pmc3=8,pmc4=8,pmc5=8,pmc6=8");
	close(fd);
}

int main(void)
{
	need_counters();
	pin(0, 0);
	modes();
	unpin(0);
	session_filter("user", "ev=0x8", true, false);
	session_filter("kernel", "ev=0x8", false, true);
	session_filter("all", "ev=0x8", true, true);
	session_filter("kernel", "ev=0x8:u", true, false);
	session_filter("user", "ev=0x8:k", false, true);
	session_filter("kernel", "pmc2=0x8,usr2=1,os2=0", true, false);
	session_filter("user", "pmc2=0x8,usr2=0,os2=1", false, true);
	session_filter("all", "pmc2=0x8,usr2=1,os2=1", true, true);
	raw_grammar();
	one_core_type();
	too_many();
	nobody_counts();
	return result();
}
#endif
