// SPDX-License-Identifier: GPL-2.0
/*
 * Every command with wrong input is refused with a message that contains the word at fault,
 * and changes nothing: the earlier configuration still counts, and nothing else does.
 */
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vm.h"

struct refusal {
	const char *command;
	int error;
	const char *word;
};

static const struct refusal refusals[] = {
	{ "nonsense", EINVAL, "nonsense" },
	{ "Events ev=0x8", EINVAL, "Events" },
	{ "event ev=0x8", EINVAL, "'event'" },
	{ "events", EINVAL, "events" },
	{ "events ", EINVAL, "events" },
	{ "events ,", EINVAL, "empty word" },
	{ "events sw=page_faults,", EINVAL, "empty word" },
	{ "events sw=", EINVAL, "software counter" },
	{ "events sw=nothing", EINVAL, "nothing" },
	{ "events sw=page_faults,sw=page_faults", EINVAL, "page_faults" },
	{ "events page_faults", EINVAL, "page_faults" },
	{ "events coretype=0", EINVAL, "no event" },
	{ "events coretype=99,sw=migrations", EINVAL, "coretype=99" },
	{ "events coretype=x,sw=migrations", EINVAL, "x" },
	{ "events coretype=0,coretype=0,sw=migrations", EINVAL, "coretype=0" },
	{ "events pmc,sw=migrations", EINVAL, "pmc" },
	{ "events pmcx=8", EINVAL, "pmcx" },
	{ "events pmc64=8", EINVAL, "64" },
	{ "events pmc99999999999999999999=8", EINVAL, "99999999999999999999" },
	{ "events pmc1=", EINVAL, "pmc1" },
	{ "events pmc1=zz", EINVAL, "zz" },
	{ "events pmc1=8,pmc1=8", EINVAL, "pmc1=8" },
	{ "events pmc1=8,umask2=1", EINVAL, "pmc2" },
	{ "events pmc1=8,usr1=2", EINVAL, "usr1=2" },
	{ "events pmc1=8,usr1=1,usr1=0", EINVAL, "twice" },
	{ "events pmc1=8,ebs1=0", EINVAL, "ebs1=0" },
	{ "events pmc1=8,ebs1=-5", EINVAL, "-5" },
	{ "events pmc1=8,ebs1=", EINVAL, "ebs1" },
	{ "events pmc1=8,ebs1=99999999999999999999", EINVAL, "99999999999999999999" },
	{ "events ev=", EINVAL, "ev=" },
	{ "events ev=0x8:q", EINVAL, "q" },
	{ "events ev=0x8:u=1", EINVAL, "u=1" },
	{ "events ev=0x8:umask", EINVAL, "umask" },
	{ "events ev=0x8:ebs", EINVAL, "ebs" },
	{ "events ev=0x8::", EINVAL, "" },
	{ "events ev=0xzz", EINVAL, "0xzz" },
	{ "events \xff\xfe\x01", EINVAL, "" },
	{ "period", EINVAL, "period" },
	{ "period soon", EINVAL, "soon" },
	{ "period 5", EINVAL, "5" },
	{ "period 5h", EINVAL, "5h" },
	{ "period 1us", EINVAL, "tbs_min_us" },
	{ "period 10ms 20ms", EINVAL, "10ms 20ms" },
	{ "filter", EINVAL, "filter" },
	{ "filter nobody", EINVAL, "nobody" },
	{ "follow", EINVAL, "follow" },
	{ "follow everybody", EINVAL, "everybody" },
	{ "enable", EINVAL, "enable" },
	{ "enable later", EINVAL, "later" },
	{ "ring", EINVAL, "ring" },
	{ "ring 0", EINVAL, "0" },
	{ "ring x", EINVAL, "x" },
	{ "ring 4294967296", EINVAL, "4294967296" },
	{ "wakeup", EINVAL, "wakeup" },
	{ "wakeup 0", EINVAL, "0" },
	{ "wakeup x", EINVAL, "x" },
	{ "attach", EINVAL, "attach" },
	{ "attach me", EINVAL, "me" },
	{ "attach 0", EINVAL, "0" },
	{ "attach -1", EINVAL, "-1" },
	{ "attach 99999999999", EINVAL, "99999999999" },
	{ "attach 4000000", ESRCH, "4000000" },
	{ "attach-thread", EINVAL, "attach-thread" },
	{ "attach-thread 4000000", ESRCH, "4000000" },
	{ "detach", EINVAL, "detach" },
	{ "detach 4000000", ESRCH, "4000000" },
	{ "detach 1", ESRCH, "1" },
	{ "detach-thread 1", ESRCH, "1" },
	{ "syswide 5000", EINVAL, "syswide" },
	{ "syswide x", EINVAL, "syswide" },
	{ "syswide 3-1", EINVAL, "syswide" },
	{ "sample now", EINVAL, "takes no argument" },
	{ "stop it", EINVAL, "takes no argument" },
	{ "clear all", EINVAL, "takes no argument" },
};

/* For machines with hardware counters. */
static const struct refusal hardware_refusals[] = {
	{ "events ev=0x100000000", EINVAL, "0x100000000" },
	{ "events pmc40", EINVAL, "pmc40" },
	{ "events pmc@2", EINVAL, "pmc@2" },
	{ "events pmc@1=@I,usr@1=0,os@1=0", EINVAL, "neither" },
	{ "events ev=@I:ebs=10", EINVAL, "ebs_min_period" },
	{ "events ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I,ev=@I",
	  ENOSPC, "finds none free" },
};

/* Values that do not fit the registers of an architecture, or have no meaning there. */
static const struct refusal architecture_refusals[] = {
#if defined(__aarch64__)
	{ "events ev=0x5", EINVAL, "0x5" },
	{ "events ev=0x19", EINVAL, "0x19" },
	/* These machines' cores have PMUv3.0: event numbers have 10 bits. */
	{ "events ev=0x408", EINVAL, "end at 0x3ff" },
	{ "events pmc@1=0x10008", EINVAL, "end at 0x3ff" },
	{ "events pmc0=0x8", EINVAL, "pmc0" },
	{ "events ev=0x8:umask=1", EINVAL, "umask" },
	{ "events ev=0x8:cmask=1", EINVAL, "cmask" },
	{ "events ev=0x8:edge", EINVAL, "edge" },
	{ "events ev=0x8:inv", EINVAL, "inv" },
	{ "events ev=0x8:any", EINVAL, "any" },
	{ "events ev=0x8:extra=1", EINVAL, "extra" },
#elif defined(__x86_64__)
	{ "events ev=@I:umask=0x100", EINVAL, "umask" },
	{ "events ev=@I:cmask=0x100", EINVAL, "cmask" },
	{ "events pmc@1=@I,umask@1=256", EINVAL, "umask" },
	{ "events pmc@1=@I,cmask@1=256", EINVAL, "cmask" },
	{ "events ev=@I:any", EINVAL, "any" },
	{ "events ev=@I:extra=1", EINVAL, "extra" },
	{ "events pmc@1=@I,extra@1=0", EINVAL, "extra" },
#endif
};

/* A counter for one event refuses all others. */
static const struct refusal fixed_refusals[] = {
	{ "events pmc@f=@I", EINVAL, "pmc@f" },
	{ "events pmc@f=0x2e", EINVAL, "pmc@f" },
};

/* Settings that must not change while a session counts. */
static const struct refusal busy[] = {
	{ "events sw=page_faults", EBUSY, "stop" },
	{ "period 10ms", EBUSY, "stop" },
	{ "filter all", EBUSY, "stop" },
	{ "follow none", EBUSY, "stop" },
	{ "enable now", EBUSY, "stop" },
	{ "ring 16", EBUSY, "stop" },
	{ "clear", EBUSY, "stop" },
	{ "syswide", EBUSY, "stop" },
};

static void refuse_all(int fd, const struct refusal *r, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		refused(fd, r[i].error, r[i].word, "%s", r[i].command);
		if (strchr(why(fd), '\n'))
			fail("'%s': more than one line: %s", r[i].command, why(fd));
	}
}

/* A software counter takes no attributes, neither by number nor by name. */
static void pinned_software(int fd)
{
	static const char *const attributes[] = {
		"umask@=1", "cmask@=1", "edge@=1", "inv@=1", "usr@=1",
		"usr@=0", "os@=0", "ebs@=1000000", "extra@=1",
	};
	int slot = first_software + 1;
	struct pmc_placement p = { };
	char word[32];
	size_t i;

	for (i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		int name = strchr(attributes[i], '@') - attributes[i];

		snprintf(word, sizeof(word), "%.*s%d%s", name, attributes[i],
			 slot, attributes[i] + name + 1);
		refused(fd, EINVAL, "software counter context_switches",
			"events coretype=0,%s,pmc%d", word, slot);
		*strchr(word, '=') = '\0';
		mentions(why(fd), word, "the attribute that is wrong");
	}
	command(fd, "events coretype=0,pmc%d", slot);
	if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
		die("PMC_IOC_PLACEMENT: %s", strerror(errno));
	same(p.nr_counts, 1, "counts of a software counter by its number");
	same(p.slot[0], slot, "its counter");
	command(fd, "clear");
}

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* Check that the session counts its earlier configuration, and nothing else. */
static void still_counts(int fd, bool hardware)
{
	struct pmc_placement p = { };
	struct records records = { };
	uint64_t before, pages;
	long truth;

	if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
		die("PMC_IOC_PLACEMENT: %s", strerror(errno));
	same(p.nr_sets, 1, "event sets after all those errors");
	same(p.nr_counts, hardware ? 2 : 1, "counts in it");
	start(fd);
	before = own_count(fd, -1, 0, 0);
	touch_pages(100);
	pages = own_count(fd, -1, 0, 0) - before;
	stop(fd);
	within(pages, 100, 110, "page faults");
	if (hardware) {
		before = own_count(fd, -1, 0, 1);
		truth = counted_loop(fd, 10000);
		same(own_count(fd, -1, 0, 1) - before, truth, "instructions");
	}
	read_records(fd, &records);
	same(nr_records(&records, 0, PMC_SAMPLE_TICK), 0, "ticks without a period");
	forget_records(&records);
}

static void several_lines(void)
{
	int fd = open_session();
	struct pmc_placement p = { };

	/* In order, up to the first error. */
	refused(fd, EINVAL, "wrong",
		"events sw=page_faults\n\nevents sw=migrations\nwrong\nevents sw=task_clock");
	if (ioctl(fd, PMC_IOC_PLACEMENT, &p))
		die("PMC_IOC_PLACEMENT: %s", strerror(errno));
	same(p.nr_sets, 2, "event sets before the wrong line");
	command(fd, "\n\n");
	same(strlen(why(fd)), 0, "length of the message when all went well");
	command(fd, "clear");
	p = (struct pmc_placement){ };
	ioctl(fd, PMC_IOC_PLACEMENT, &p);
	same(p.nr_counts, 0, "counts after clear");
	refused(fd, EINVAL, "events", "attach %d", getpid());
	same(ioctl(fd, PMC_IOC_START), -1, "start without events");
	same(errno, EINVAL, "errno of it");
	mentions(why(fd), "events", "start without events");
	same(ioctl(fd, PMC_IOC_STOP), -1, "stop without start");
	same(errno, ESRCH, "errno of it");
	mentions(why(fd), "does not count the calling thread", "stop without start");
	close(fd);
}

/* Records behind the slots of a ring would overwrite what is there. */
static void more_than_the_ring(bool hardware)
{
	int fd = open_session();

	command(fd, "ring 16\nevents sw=page_faults");
	start(fd);
	command(fd, "stop\nring 32");
	refused_start(fd, EBUSY, "16 samples");
	command(fd, "ring 16");
	start(fd);
	command(fd, "stop");
	if (hardware) {
		/* A ring has room for 8 counts in a sample, if no more are wanted. */
		command(fd, "clear\nevents sw=task_clock,sw=context_switches,sw=migrations,"
			"sw=page_faults,sw=minor_faults,sw=major_faults,pmc@1=@I,pmc@2=@I,@F");
		refused_start(fd, EBUSY, "8 counts");
		command(fd, "clear\nevents sw=page_faults");
		start(fd);
	}
	close(fd);
}

/* The rotation goes on with each sample, so that it would stop at a set without any. */
static void rotation_without_samples(void)
{
	int fd = open_session();

	command(fd, "events " INSTRUCTIONS ":ebs=1000000\nevents " CYCLES);
	refused_start(fd, EINVAL, "event set 1 of core type 0");
	mentions(why(fd), "has no sampling period", "a set without samples");
	refused(fd, EINVAL, "has no sampling period", "attach %d", getpid());
	command(fd, "period 10ms");
	start(fd);
	close(fd);
}

static void long_text(void)
{
	static char text[40000];
	void *volatile nowhere = NULL;
	int fd = open_session();

	memset(text, 'x', sizeof(text));
	same(write(fd, text, sizeof(text)), -1, "a write too long");
	same(errno, EMSGSIZE, "errno of it");
	mentions(why(fd), "40000 bytes", "a write too long");
	same(write(fd, text, 16384), -1, "a word of 16384 letters");
	same(errno, EINVAL, "errno of it");
	mentions(why(fd), "xxxx", "a word of 16384 letters");
	memset(text, '\n', sizeof(text));
	same(write(fd, text, 16384), 16384, "16384 empty lines");
	same(write(fd, "", 0), 0, "an empty write");
	same(write(fd, nowhere, 100), -1, "a write from nowhere");
	same(errno, EFAULT, "errno of it");
	same(write(fd, "sto\0p", 5), -1, "a zero byte in a command");
	close(fd);
}

static void ioctls(void)
{
	struct pmc_totals t = { .core_type = 77 };
	struct pmc_placement p = { .core_type = 78 };
	struct pmc_read r = { .set = 5 };
	int fd = open_session();

	/* Each error has a line of its own, independent of earlier ones. */
	refused(fd, EINVAL, "nonsense", "nonsense");
	same(ioctl(fd, PMC_IOC_READ, &r), -1, "read of a thread not counted");
	same(errno, ESRCH, "errno of it");
	mentions(why(fd), "does not count the calling thread", "read of a thread not counted");
	command(fd, "events sw=page_faults");
	start(fd);
	same(ioctl(fd, PMC_IOC_READ, &r), -1, "read of a set that is not");
	same(errno, EINVAL, "errno of it");
	mentions(why(fd), "core type 0 with an event set 5", "read of a set that is not");
	r.core_type = PMC_ALL_CORE_TYPES;
	same(ioctl(fd, PMC_IOC_READ, &r), -1, "read of a set that is nowhere");
	mentions(why(fd), "no core type has an event set 5", "read of a set that is nowhere");
	same(ioctl(fd, PMC_IOC_TOTALS, &t), -1, "totals of a core type that is not");
	same(errno, EINVAL, "errno of it");
	mentions(why(fd), "core type 77 with an event set 0", "totals of a core type that is not");
	same(ioctl(fd, PMC_IOC_PLACEMENT, &p), -1, "placement on a core type that is not");
	same(errno, EINVAL, "errno of it");
	mentions(why(fd), "no core type 78", "placement on a core type that is not");
	same(ioctl(fd, PMC_IOC_READ, NULL), -1, "read to nowhere");
	same(errno, EFAULT, "errno of it");
	same(ioctl(fd, PMC_IOC_TOTALS, NULL), -1, "totals to nowhere");
	same(errno, EFAULT, "errno of it");
	same(ioctl(fd, PMC_IOC_PLACEMENT, NULL), -1, "placement to nowhere");
	same(errno, EFAULT, "errno of it");
	same(ioctl(fd, PMC_IOC_ERROR, NULL), -1, "message to nowhere");
	same(errno, EFAULT, "errno of it");
	same(ioctl(fd, _IO(PMC_IOC_MAGIC, 0xff)), -1, "an unknown ioctl");
	same(errno, ENOTTY, "errno of it");
	close(fd);
}

int main(void)
{
	bool hardware;
	int fd;

	read_machine();
	hardware = core_types[0].nr_hw;
	fd = open_session();
	refuse_all(fd, refusals, COUNT(refusals));
	if (hardware) {
		refuse_all(fd, hardware_refusals, COUNT(hardware_refusals));
		refuse_all(fd, architecture_refusals, COUNT(architecture_refusals));
	}
	if (hardware && core_types[0].fixed_cycles >= 0)
		refuse_all(fd, fixed_refusals, COUNT(fixed_refusals));
	pinned_software(fd);
	command(fd, "events sw=page_faults%s", hardware ? "," INSTRUCTIONS : "");
	refuse_all(fd, refusals, COUNT(refusals));
	still_counts(fd, hardware);
	refuse_all(fd, busy, COUNT(busy));
	refuse_all(fd, refusals + COUNT(refusals) - 3, 3);
	still_counts(fd, hardware);
	command(fd, "stop\nclear");
	close(fd);
	several_lines();
	more_than_the_ring(hardware);
	if (hardware)
		rotation_without_samples();
	long_text();
	ioctls();
	wait_until_idle();
	return result();
}
