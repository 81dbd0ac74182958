// SPDX-License-Identifier: GPL-2.0
/*
 * The emulated machine's thermal sensors and hardware feedback are as documented, and the
 * kernel's own drivers read the same.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/thermal.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"

#define THERM_INTERRUPT		0x19b
#define THERM_STATUS		0x19c
#define TEMPERATURE_TARGET	0x1a2
#define PACKAGE_THERM_STATUS	0x1b1
#define HW_FEEDBACK_PTR		0x17d0
#define HW_FEEDBACK_CONFIG	0x17d1

#define THRESHOLD1		(1 << 6)
#define THRESHOLD1_LOG		(1 << 7)
#define HFI_LOG			(1 << 26)

/* CPUs 0 and 1 are P-cores, 2 and 3 E-cores. */
#define CPUS	4

/* ---- temperature ---- */

static int temperature(int cpu, uint32_t msr)
{
	uint64_t value = read_msr(cpu, msr);

	same(value >> 31, 1, "MSR %x: reading is valid", msr);
	return 100 - (value >> 16 & 0x7f);
}

/* Keep the CPU busy for this long, in instructions, which take a ns here. */
static void work_on(int cpu, long ns)
{
	pin(0, cpu);
	spin(ns / 2);
}

static void sensors(void)
{
	int cpu;

	same(read_msr(0, TEMPERATURE_TARGET), 100 << 16, "TEMPERATURE_TARGET");
	msr_refuses(0, TEMPERATURE_TARGET, 0);
	sleep(2);
	for (cpu = 0; cpu < CPUS; cpu++)
		within(temperature(cpu, THERM_STATUS), 40, 42, "CPU %d, cool", cpu);
	within(temperature(0, PACKAGE_THERM_STATUS), 40, 42, "the package, cool");

	/* The temperature rises by 40 degrees, to within 2 %. */
	work_on(0, 320000000);
	within(temperature(0, THERM_STATUS), 78, 80, "P-core, hot");
	within(temperature(0, PACKAGE_THERM_STATUS), 78, 80, "the package, as its hottest core");
	within(temperature(2, THERM_STATUS), 40, 43, "an idle core beside it");
	work_on(2, 320000000);
	within(temperature(2, THERM_STATUS), 53, 55, "E-core, hot");
}

static long long thermal_interrupts(int cpu)
{
	FILE *f = fopen("/proc/interrupts", "r");
	long long n[CPUS] = {};
	char line[1000];

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, " TRM: %lld %lld %lld %lld", &n[0], &n[1], &n[2], &n[3]);
	fclose(f);
	return n[cpu];
}

/* A threshold at 60 degrees causes an interrupt when it is crossed, in both directions. */
static void threshold(void)
{
	uint64_t before = read_msr(1, THERM_INTERRUPT);
	long long interrupts;

	/*
	 * Hardware feedback that is still pending, because the kernel has not handled the
	 * previous one, would cause another interrupt after the threshold's.
	 */
	write_msr(0, PACKAGE_THERM_STATUS, 0);
	sleep(2);
	same(read_msr(0, PACKAGE_THERM_STATUS) & HFI_LOG, 0, "hardware feedback is pending");
	write_msr(1, THERM_INTERRUPT, before | 1 << 15 | (100 - 60) << 8);
	write_msr(1, THERM_STATUS, 0);
	interrupts = thermal_interrupts(1);
	/* To 65 degrees: at 70, hardware feedback would cause an interrupt, too. */
	work_on(1, 80000000);
	within(temperature(1, THERM_STATUS), 61, 68, "P-core, warm");
	same(read_msr(1, THERM_STATUS) & (THRESHOLD1 | THRESHOLD1_LOG),
	     THRESHOLD1 | THRESHOLD1_LOG, "status above the threshold");
	same(thermal_interrupts(1), interrupts + 1, "interrupts at the threshold");
	write_msr(1, THERM_STATUS, 0);
	same(read_msr(1, THERM_STATUS) & (THRESHOLD1 | THRESHOLD1_LOG),
	     THRESHOLD1, "status, the log cleared");
	sleep(2);
	same(read_msr(1, THERM_STATUS) & (THRESHOLD1 | THRESHOLD1_LOG),
	     THRESHOLD1_LOG, "status below the threshold again");
	same(thermal_interrupts(1), interrupts + 2, "interrupts on the way down");
	write_msr(1, THERM_INTERRUPT, before);
	msr_refuses(1, THERM_INTERRUPT, 1ull << 40);
}

static void driver_agrees(void)
{
	char type[40] = "";
	FILE *f;

	load_driver("x86_pkg_temp_thermal");
	f = fopen("/sys/class/thermal/thermal_zone0/type", "r");
	if (!f || fscanf(f, "%39s", type) != 1 || strcmp(type, "x86_pkg_temp"))
		die("thermal_zone0 is '%s'", type);
	fclose(f);
	work_on(0, 320000000);
	within(file_number("/sys/class/thermal/thermal_zone0/temp"), 77000, 80000,
	       "the kernel's temperature of the package");
}

/* ---- hardware feedback: events of the kernel's driver, by generic netlink ---- */

struct message {
	struct nlmsghdr nl;
	struct genlmsghdr genl;
	char attrs[4000];
};

/* The attribute of a type, in a row of them; NULL if it is not there */
static struct nlattr *find(void *attrs, int len, int type)
{
	struct nlattr *a = attrs;

	while (len >= NLA_HDRLEN && a->nla_len >= NLA_HDRLEN && a->nla_len <= len) {
		if ((a->nla_type & NLA_TYPE_MASK) == type)
			return a;
		len -= NLA_ALIGN(a->nla_len);
		a = (void *)a + NLA_ALIGN(a->nla_len);
	}
	return NULL;
}

static void *inside(struct nlattr *a)
{
	return (void *)a + NLA_HDRLEN;
}

static int attrs_len(const struct message *m)
{
	return m->nl.nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN;
}

/* The number of the family's multicast group */
static int group_number(int fd, const char *family, const char *group)
{
	struct message m = {
		.nl = {
			.nlmsg_type = GENL_ID_CTRL,
			.nlmsg_flags = NLM_F_REQUEST,
		},
		.genl = { .cmd = CTRL_CMD_GETFAMILY, .version = 1 },
	};
	struct nlattr *a = (void *)m.attrs, *groups;
	int len;

	a->nla_type = CTRL_ATTR_FAMILY_NAME;
	a->nla_len = NLA_HDRLEN + strlen(family) + 1;
	strcpy(inside(a), family);
	m.nl.nlmsg_len = NLMSG_HDRLEN + GENL_HDRLEN + NLA_ALIGN(a->nla_len);
	if (send(fd, &m, m.nl.nlmsg_len, 0) < 0 || recv(fd, &m, sizeof(m), 0) < 0 ||
	    m.nl.nlmsg_type != GENL_ID_CTRL)
		die("the kernel does not know of %s", family);
	groups = find(m.attrs, attrs_len(&m), CTRL_ATTR_MCAST_GROUPS);
	if (!groups)
		die("%s has no groups", family);
	len = groups->nla_len - NLA_HDRLEN;
	for (a = inside(groups); len >= NLA_HDRLEN; a = (void *)a + NLA_ALIGN(a->nla_len)) {
		struct nlattr *name = find(inside(a), a->nla_len - NLA_HDRLEN,
					   CTRL_ATTR_MCAST_GRP_NAME);
		struct nlattr *id = find(inside(a), a->nla_len - NLA_HDRLEN,
					 CTRL_ATTR_MCAST_GRP_ID);

		if (name && id && !strcmp(inside(name), group))
			return *(uint32_t *)inside(id);
		len -= NLA_ALIGN(a->nla_len);
	}
	die("%s has no group %s", family, group);
}

static int listen_to_events(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC), group;

	if (fd < 0)
		die("no netlink socket: %s", strerror(errno));
	group = group_number(fd, THERMAL_GENL_FAMILY_NAME, THERMAL_GENL_EVENT_GROUP_NAME);
	if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof(group)))
		die("no thermal events: %s", strerror(errno));
	return fd;
}

struct capability {
	int performance, efficiency;
};

/*
 * The next event on CPUs' capabilities, within 5 s of waiting, or, to keep the
 * CPU hot, 2 s of work. Return: was there one?
 */
static bool next_capabilities(int fd, struct capability cpus[CPUS], bool working)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int len, cpu = -1, seen = 0, rounds = 0;
	struct message m;
	struct nlattr *all, *a;
	uint32_t value;

	do {
		for (; working && rounds < 40 && !poll(&p, 1, 0); rounds++)
			spin(25000000);
		if (poll(&p, 1, working ? 0 : 5000) <= 0)
			return false;
		if (recv(fd, &m, sizeof(m), 0) < 0)
			die("no event: %s", strerror(errno));
	} while (m.genl.cmd != THERMAL_GENL_EVENT_CPU_CAPABILITY_CHANGE);

	all = find(m.attrs, attrs_len(&m), THERMAL_GENL_ATTR_CPU_CAPABILITY);
	if (!all)
		die("an event on capabilities without capabilities");
	len = all->nla_len - NLA_HDRLEN;
	for (a = inside(all); len >= NLA_HDRLEN; a = (void *)a + NLA_ALIGN(a->nla_len)) {
		value = *(uint32_t *)inside(a);
		if (a->nla_type == THERMAL_GENL_ATTR_CPU_CAPABILITY_ID)
			cpu = value;
		if (cpu < 0 || cpu >= CPUS)
			die("an event on CPU %d", cpu);
		if (a->nla_type == THERMAL_GENL_ATTR_CPU_CAPABILITY_PERFORMANCE)
			cpus[cpu].performance = value;
		if (a->nla_type == THERMAL_GENL_ATTR_CPU_CAPABILITY_EFFICIENCY) {
			cpus[cpu].efficiency = value;
			seen++;
		}
		len -= NLA_ALIGN(a->nla_len);
	}
	same(seen, CPUS, "CPUs in the event");
	return true;
}

/* The driver reports four times the values of the table. */
static void check_capabilities(int fd, int hot, bool working, const char *when)
{
	struct capability cpus[CPUS] = {};
	int cpu;

	if (!next_capabilities(fd, cpus, working)) {
		fail("%s: no event", when);
		return;
	}
	for (cpu = 0; cpu < CPUS; cpu++) {
		int cool = cpu < 2 ? 200 : 100;

		same(cpus[cpu].performance, 4 * (cpu == hot ? cool * 3 / 4 : cool),
		     "%s: performance of CPU %d", when, cpu);
		same(cpus[cpu].efficiency, 4 * (cpu < 2 ? 50 : 100),
		     "%s: efficiency of CPU %d", when, cpu);
	}
}

static void feedback(void)
{
	struct capability cpus[CPUS];
	struct timespec delay = { .tv_nsec = 500000000 };
	int fd;

	sleep(2);
	fd = listen_to_events();
	/* A kernel that had it enabled before reports nothing now. */
	nanosleep(&delay, NULL);
	same(read_msr(0, HW_FEEDBACK_CONFIG), 1, "hardware feedback is enabled");
	same(read_msr(0, HW_FEEDBACK_PTR) & 0xfff, 1, "its table is valid");
	msr_refuses(0, HW_FEEDBACK_CONFIG, 2);
	while (next_capabilities(fd, cpus, false))
		same(cpus[0].performance, 800, "performance of CPU 0 at first");

	/* Before 6.12, the driver reports it a second later. */
	pin(0, 0);
	check_capabilities(fd, 0, true, "CPU 0 hot");
	check_capabilities(fd, -1, false, "cool again");
	work_on(2, 200000000);
	if (next_capabilities(fd, cpus, false))
		fail("an E-core does not get hot enough for an event");
	close(fd);
}

int main(void)
{
	sensors();
	threshold();
	driver_agrees();
	feedback();
	return result();
}
