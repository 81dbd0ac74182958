// SPDX-License-Identifier: GPL-2.0
/*
 * User mode, kernel mode, both; events pinned to counters and events that the
 * kernel places; sets of one core type.
 *
 * The number of instructions in user mode between start and stop is known. That in kernel
 * mode is not known, but is the same for all counters: the counter for both modes has the
 * sum of the two others, and a constant difference because counters are read one after the
 * other.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vm.h"

#define CALLS	200

/* Number of cheap system calls, each followed by a loop. */
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

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

static void modes(void)
{
	long long user, kernel, all, truth, residue = 0, before[3] = { };
	/* With few and with many calls, in rounds too short for interrupts. */
	long long least[2] = { LLONG_MAX, LLONG_MAX };
	int fd = open_session(), undisturbed = 0, i, j;

	command(fd, "events " INSTRUCTIONS ":u," INSTRUCTIONS ":k," INSTRUCTIONS ":u:k");
	for (i = 0; i < 12; i++) {
		long switched = switches();
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
		/* The first round also programs the counters. */
		if (i < 2)
			residue = all - user - kernel;
		/*
		 * A timer interrupt does not switch threads, so the difference is the same. A
		 * switch adds to the difference.
		 */
		if (switches() == switched) {
			same(all - user - kernel, residue, "round %d: residue", i);
			undisturbed++;
		}
		if (kernel < least[i % 2])
			least[i % 2] = kernel;
	}
	within(least[1] - least[0], (CALLS - 10) * 100LL, (CALLS - 10) * 5000LL,
	       "kernel mode, %d calls more", CALLS - 10);
	within(residue, -100, 100, "residue");
	within(undisturbed, 8, 12, "rounds without a switch");
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

/* Check the slots of a set; counters for any event are given by their order. */
enum { ANYWHERE = 0, ON_CYCLES = 100, SOFTWARE = 200 };

static void placed(int fd, int ct, const char *spec, int nr, const int *where)
{
	struct pmc_placement p = { .core_type = ct };
	int i, slot;

	if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
		die("PMC_IOC_PLACEMENT: %s", strerror(errno));
	if (!same(p.nr_counts, nr, "'%s', core type %d: counts", spec, ct))
		return;
	for (i = 0; i < nr; i++) {
		if (where[i] == ANYWHERE)
			continue;
		slot = where[i] >= SOFTWARE ? first_software + where[i] - SOFTWARE :
		       where[i] == ON_CYCLES ? cycles_slot(ct) : general_slot(ct, where[i]);
		same(p.slot[i], slot, "'%s', core type %d, count %d: slot", spec, ct, i);
	}
}

static void raw_grammar(int ct)
{
	static const struct {
		const char *spec;
		int nr, where[8];
		int instructions;	/* a count that must be the truth */
		int equal[2];		/* counts that must be equal */
	} cases[] = {
		{ "@F,pmc@3=@I,pmc@1=@I", 3, { ON_CYCLES, 3, 1 }, 1, { 1, 2 } },
		{ "pmc@1=@I,@F,pmc@5=@I", 3, { 1, ON_CYCLES, 5 }, 0, { 0, 2 } },
		{ "usr@2=1,os@2=0,pmc@2=@I,@F,pmc@5=@I", 3, { 2, ON_CYCLES, 5 }, 0, { 0, 2 } },
		{ "ev=@I,pmc@1=@I,pmc@2=@I", 3, { ANYWHERE, 1, 2 }, 0, { 1, 2 } },
		{ "sw=migrations,ev=@I,sw=task_clock,pmc@5=@I,@F", 5,
		  { SOFTWARE + 2, ANYWHERE, SOFTWARE, 5, ON_CYCLES }, 1, { 1, 3 } },
		{ "pmc@s,ev=@I,ev=@I,ev=@C", 4, { SOFTWARE }, 1, { 1, 2 } },
		{ "ev=@I,ev=@I,ev=@I,ev=@I,@F,ev=@I", 6,
		  { [4] = ON_CYCLES }, 5, { 2, 3 } },
		{ "edge@1=0,inv@1=0,any@1=0,umask@1=0,cmask@1=0,pmc@1=@I,pmc@2=@I,@F", 3,
		  { 1, 2, ON_CYCLES }, 0, { 0, 1 } },
	};
	unsigned int i;

	pin(0, core_types[ct].first_cpu);
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int fd = open_session();
		long truth;

		command(fd, "events coretype=%d,%s", ct, cases[i].spec);
		placed(fd, ct, cases[i].spec, cases[i].nr, cases[i].where);
		truth = calls(fd, 5, 10000);
		same(own_count(fd, ct, 0, cases[i].instructions), truth,
		     "'%s': instructions", cases[i].spec);
		same(own_count(fd, ct, 0, cases[i].equal[0]),
		     own_count(fd, ct, 0, cases[i].equal[1]), "'%s': the same, twice",
		     cases[i].spec);
		close(fd);
	}
	unpin(0);
}

/* The same counters on every core type, by one line. */
static void every_core_type(void)
{
	static const char spec[] = "pmc@2=@I,pmc@1=@I,sw=migrations";
	int fd = open_session(), ct, slots[2] = { general_slot(-1, 2), general_slot(-1, 1) }, i;
	long truth = 0;

	command(fd, "events %s", spec);
	for (ct = 0; ct < nr_core_types; ct++) {
		struct pmc_placement p = { .core_type = ct };

		if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
			die("PMC_IOC_PLACEMENT: %s", strerror(errno));
		for (i = 0; i < 2; i++)
			same(p.slot[i], slots[i], "'%s', core type %d, count %d: slot", spec, ct, i);
		pin(0, core_types[ct].first_cpu);
		truth += calls(fd, 5, 10000);
		same(own_count(fd, -1, 0, 0), truth, "instructions up to core type %d", ct);
		same(own_count(fd, -1, 0, 1), truth, "the same on another counter");
	}
	unpin(0);
	close(fd);
}

/* A set for one core type does not count on another. */
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

/* @nr events of the same kind. */
static const char *times(char *buf, const char *event, int nr)
{
	char *end = buf;

	while (nr--)
		end += sprintf(end, "%s%s", end == buf ? "" : ",", event);
	return buf;
}

/* More events than suitable counters, and all counters by number. */
static void too_many(int fd, int ct)
{
	const struct core_type *t = &core_types[ct];
	int nr = __builtin_popcountll(t->general), i;
	char buf[1000], word[100], *end;

	i = nr + t->fixed_instructions + 1;
	snprintf(word, sizeof(word), "number %d finds none free", i);
	refused(fd, ENOSPC, word, "events coretype=%d,%s", ct, times(buf, INSTRUCTIONS, i));
	end = buf + sprintf(buf, "%s", t->fixed_cycles < 0 ? "" : ",@F");
	for (i = 1; i <= nr; i++)
		end += sprintf(end, ",pmc%d=@I", general_slot(ct, i));
	refused(fd, ENOSPC, "number", "events coretype=%d%s," CYCLES, ct, buf);
	/* None of these may have reserved a counter. */
	command(fd, "events coretype=%d%s", ct, buf);
	command(fd, "clear");
	snprintf(word, sizeof(word), "pmc%d", first_software + 6);
	refused(fd, EINVAL, word, "events coretype=%d,%s", ct, word);
}

int main(void)
{
	int ct, fd;

	need_counters();
	pin(0, 0);
	modes();
	unpin(0);
	session_filter("user", INSTRUCTIONS, true, false);
	session_filter("kernel", INSTRUCTIONS, false, true);
	session_filter("all", INSTRUCTIONS, true, true);
	session_filter("kernel", INSTRUCTIONS ":u", true, false);
	session_filter("user", INSTRUCTIONS ":k", false, true);
	session_filter("kernel", "pmc@2=@I,usr@2=1,os@2=0", true, false);
	session_filter("user", "pmc@2=@I,usr@2=0,os@2=1", false, true);
	session_filter("all", "pmc@2=@I,usr@2=1,os@2=1", true, true);
	for (ct = 0; ct < nr_core_types; ct++)
		raw_grammar(ct);
	every_core_type();
	one_core_type();
	fd = open_session();
	for (ct = 0; ct < nr_core_types; ct++)
		too_many(fd, ct);
	close(fd);
	wait_until_idle();
	return result();
}
