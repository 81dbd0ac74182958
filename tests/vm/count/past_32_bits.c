// SPDX-License-Identifier: GPL-2.0
/*
 * A thread runs on while its counters pass 2^31 and 2^32, and no switch saves their counts. Its
 * user page has had them started anew, so that the backend has chosen when they overflow.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vm.h"

/* Instructions pass 2^31; cycles pass 2^32 on slow cores, which take two for each. */
#define LOOPS	1100000000L
#define SYSCTL	"/proc/sys/kernel/"

static int watchdog, runtime;
static bool has_watchdog;

/* From here on no other thread runs on the CPU, unless this one sleeps. */
static void take_cpu(int cpu)
{
	const struct sched_param param = { .sched_priority = 10 };
	char path[100];

	pin(0, cpu);
	has_watchdog = !access(SYSCTL "watchdog", F_OK);
	if (has_watchdog)
		watchdog = change_number(SYSCTL "watchdog", 0);
	runtime = change_number(SYSCTL "sched_rt_runtime_us", -1);
	/* Linux 6.12 and later reserve some time for other threads. */
	snprintf(path, sizeof(path), "/sys/kernel/debug/sched/fair_server/cpu%d/runtime", cpu);
	write_file(path, "0");
	if (sched_setscheduler(0, SCHED_FIFO, &param))
		die("sched_setscheduler: %s", strerror(errno));
}

/* The thread may read counters by instruction then: they have no old counts. */
static void *map_page(int fd)
{
	void *page = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, PMC_MMAP_CALIPER);

	if (page == MAP_FAILED)
		die("mmap of the page: %s", strerror(errno));
	usleep(100000);
	return page;
}

int main(void)
{
	long truth, cycles_each;
	void *page;
	int fd;

	need_counters();
	take_cpu(core_types[nr_core_types - 1].first_cpu);
	fd = open_session();
	command(fd, "events pmc@1=@I,pmc@2=@C");
	truth = counted_loop(fd, 1000);
	cycles_each = own_count(fd, -1, 0, 1) / truth;
	same(own_count(fd, -1, 0, 1), truth * cycles_each, "cycles of %ld instructions", truth);
	page = map_page(fd);
	truth += counted_loop(fd, LOOPS);
	same(own_count(fd, -1, 0, 0), truth, "instructions");
	same(own_count(fd, -1, 0, 1), truth * cycles_each, "cycles");
	printf("%ld instructions, %ld cycles\n", truth, truth * cycles_each);
	munmap(page, getpagesize());
	close(fd);
	change_number(SYSCTL "sched_rt_runtime_us", runtime);
	if (has_watchdog)
		change_number(SYSCTL "watchdog", watchdog);
	wait_until_idle();
	return result();
}
