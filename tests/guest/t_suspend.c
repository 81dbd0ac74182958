// SPDX-License-Identifier: GPL-2.0
/*
 * Counted threads are frozen for a suspend and thawed again, and lose nothing.
 *
 * What really takes a PMU's state away, and tells drivers by cpu_pm notifiers,
 * is idle states and suspend to memory. The test machine has neither: no
 * cpuidle driver (/sys/devices/system/cpu/cpu0/cpuidle does not exist), and
 * QEMU's firmware no PSCI SYSTEM_SUSPEND, so that /sys/power/mem_sleep offers
 * s2idle alone, which tells nobody. The kernel's own tests of suspend
 * (/sys/power/pm_test) go as far for "freeze" as to suspend the devices, the
 * console of this very test among them; those for "disk" would reach the
 * notifiers, but wait there for 5 s in a loop that the emulator takes many
 * minutes for. So freezing is tested here; a PMU that is reset under us, as
 * the kernel's driver does when a CPU comes online, is in t_hotplug.
 */
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

#define THREADS	8
#define STEPS	40
#define FREEZES	5

static struct thread {
	pthread_t id;
	struct step steps[STEPS];
	uint64_t found;
	int fd;
} threads[THREADS];

/* No call in here waits: one that does is begun anew when it is thawed. */
static void *run(void *arg)
{
	struct thread *t = arg;

	script(t->steps, STEPS);
	t->found = own_count(t->fd, -1, 0, 0);
	return NULL;
}

static void frozen(const char *options)
{
	struct records records = { };
	int fd = open_session(), i, j, ret;

	command(fd, "ring 8192\nevents " INSTRUCTIONS "%s", options);
	for (i = 0; i < THREADS; i++) {
		struct step *s = threads[i].steps;

		threads[i].fd = fd;
		threads[i].found = 0;
		for (j = 0; j < STEPS; j++) {
			make_step(&s[j], j % 2 ? SYS_getppid : SYS_sched_yield, 0, 0, 0);
			s[j].loops = 300000 + 1000 * i + 100 * j;
		}
		make_step(&s[0], SYS_ioctl, fd, PMC_IOC_START, 0);
		make_step(&s[STEPS - 1], SYS_ioctl, fd, PMC_IOC_STOP, 0);
		pthread_create(&threads[i].id, NULL, run, &threads[i]);
	}
	usleep(2000);
	for (i = 0; i < FREEZES; i++) {
		ret = write_file("/sys/power/state", "freeze");
		same(ret, 0, "freezing (%s)", strerror(-ret));
		usleep(5000);
	}
	/* Or there was nothing to freeze. */
	if (__atomic_load_n(&threads[THREADS - 1].found, __ATOMIC_RELAXED))
		fail("the threads had ended before they were frozen");
	for (i = 0; i < THREADS; i++) {
		pthread_join(threads[i].id, NULL);
		same(threads[i].found, script_length(threads[i].steps, STEPS),
		     "thread %d: instructions", i);
	}
	command(fd, "stop");
	read_records(fd, &records);
	check_records(&records);
	same(sum_records(&records, 0, -1, -1, 0), total(fd, -1, 0, 0), "sum of the samples");
	forget_records(&records);
	close(fd);
}

int main(void)
{
	need_counters();
	if (write_file("/sys/module/suspend/parameters/pm_test_delay", "0") ||
	    write_file("/sys/power/pm_test", "freezer"))
		skip("this kernel has no tests of suspend");
	frozen("");
	frozen(":ebs=50000\nperiod 1ms");
	write_file("/sys/power/pm_test", "none");
	nobody_counts();
	return result();
}
