// SPDX-License-Identifier: GPL-2.0
/*
 * The monitoring module hfi, compared with the emulated machine's hardware feedback: a cool
 * P-core has performance 200 and efficiency 50, an E-core 100 and 100; a hot core has three
 * quarters of its performance. There is one class.
 */
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"
#include "worker.h"

#define HW_FEEDBACK_PTR		0x17d0
#define HW_FEEDBACK_CONFIG	0x17d1

#define VIRTUALS	"hfi_perf, hfi_eff, hfi_class"
enum { PERF, EFF, CLASS };

/* CPUs 0 and 1 are P-cores, 2 and 3 E-cores. */
#define CPUS	4

static void check(const struct worker *p, int cpu, bool hot, const char *when)
{
	uint64_t v[WORKER_VALUES];
	int cool = cpu < 2 ? 200 : 100;

	worker_read(p, v);
	same(v[PERF], hot ? cool * 3 / 4 : cool, "%s: performance of CPU %d", when, cpu);
	same(v[EFF], cpu < 2 ? 50 : 100, "%s: efficiency of CPU %d", when, cpu);
	same(v[CLASS], PMC_NO_VALUE, "%s: class on CPU %d", when, cpu);
}

static void threads(void)
{
	struct worker p[CPUS];
	uint64_t v[WORKER_VALUES];
	int cpu;

	for (cpu = 0; cpu < CPUS; cpu++) {
		p[cpu] = worker_start(cpu, VIRTUALS);
		check(&p[cpu], cpu, false, "cool");
	}
	/* The core reaches 70 degrees after 55 ms. */
	worker_spin(&p[0], 300000000);
	worker_spun(&p[0], v);
	same(v[PERF], 150, "performance of a hot core");
	check(&p[1], 1, false, "beside a hot core");
	sleep(5);
	check(&p[0], 0, false, "cool again");

	/* The value follows the thread to another CPU. */
	pin(p[0].pid, 3);
	check(&p[0], 3, false, "moved");
	for (cpu = 0; cpu < CPUS; cpu++)
		worker_end(&p[cpu]);
}

static void online(int cpu, int on)
{
	char path[100];
	int ret;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	ret = write_file(path, "%d", on);
	if (ret)
		die("%s: %d", path, ret);
	/* The module reads the table every second. */
	sleep(2);
}

static void whole_cpus(void)
{
	struct records records = {};
	int fd = open_session(), i;

	command(fd, "virtual " VIRTUALS "\nperiod 20ms\nsyswide");
	usleep(100000);
	command(fd, "stop");
	read_records(fd, &records);
	within(records.nr, 2 * CPUS, 100, "samples of CPUs");
	for (i = 0; i < records.nr; i++) {
		const struct record *r = &records.all[i];

		same(r->counts[PERF], r->head.cpu < 2 ? 200 : 100, "performance of CPU %d",
		     r->head.cpu);
		same(r->counts[EFF], r->head.cpu < 2 ? 50 : 100, "efficiency of CPU %d",
		     r->head.cpu);
	}
	forget_records(&records);
	close(fd);
}

/* Linux 6.1 enables hardware feedback even if no process listens. */
static bool always_enabled(void)
{
	struct utsname kernel;

	if (uname(&kernel))
		die("uname: %s", strerror(errno));
	return !strncmp(kernel.release, "6.1.", 4);
}

int main(void)
{
	struct worker p;

	sleep(3);
	load_module("pmc_hfi");
	activate("hfi");
	same(read_msr(0, HW_FEEDBACK_CONFIG), 1, "hardware feedback is enabled");
	/* The module notices a change that the driver did not handle. */
	sleep(3);
	threads();
	whole_cpus();
	online(3, 0);
	online(3, 1);
	p = worker_start(3, VIRTUALS);
	check(&p, 3, false, "came back");
	worker_end(&p);

	/* Other users of the registers may disable hardware feedback. */
	write_msr(0, HW_FEEDBACK_CONFIG, 0);
	sleep(2);
	p = worker_start(0, VIRTUALS);
	same(worker_value(&p), PMC_NO_VALUE, "disabled");
	write_msr(0, HW_FEEDBACK_CONFIG, 1);
	sleep(2);
	check(&p, 0, false, "enabled again");
	worker_end(&p);
	wait_until_idle();
	deactivate("hfi");
	/* No process listens to thermal events any more; see the module's listen.c. */
	same(read_msr(0, HW_FEEDBACK_CONFIG), always_enabled(), "hardware feedback is enabled");
	unload_module("pmc_hfi");
	load_module("pmc_hfi");
	activate("hfi");
	p = worker_start(0, VIRTUALS);
	check(&p, 0, false, "a second time");
	worker_end(&p);
	unload_module("pmc_hfi");
	return result();
}
