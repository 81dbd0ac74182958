// SPDX-License-Identifier: GPL-2.0
/*
 * The emulated machine's last-level cache, with its monitoring and partitioning, behaves as
 * documented: 1 MiB and 16 ways; a line belongs to the RMID that brought it in. The
 * kernel's own resctrl reads the same values.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "vm.h"
#include "msr.h"

#define RMIDS		8
#define CLASSES		4
#define LINE		64
#define WAYS		16
#define KIB		1024l
#define CACHE		(1024 * KIB)
/* Physical memory from here on is not local to the CPUs; see scripts/vm. */
#define FAR		0x20000000

#define RESCTRL		"/sys/fs/resctrl"

static bool amd;
static char *memory;

static void form(void)
{
	static const char dir[] = "/sys/devices/system/cpu/cpu0/cache/index3/";
	char path[100];
	int i;
	static const struct {
		const char *file;
		long long value;
	} expected[] = {
		{ "size", CACHE / KIB }, { "ways_of_associativity", WAYS },
		{ "number_of_sets", CACHE / LINE / WAYS }, { "coherency_line_size", LINE },
	};

	for (i = 0; i < 4; i++) {
		snprintf(path, sizeof(path), "%s%s", dir, expected[i].file);
		same(file_number(path), expected[i].value, "%s", path);
	}
}

static uint64_t counter(int rmid, int event)
{
	write_msr(0, QM_EVTSEL, (uint64_t)rmid << 32 | event);
	return read_msr(0, QM_CTR);
}

static void associate(int cpu, int rmid, int class)
{
	write_msr(cpu, PQR_ASSOC, (uint64_t)class << 32 | rmid);
	same(read_msr(cpu, PQR_ASSOC), (long long)class << 32 | rmid, "PQR_ASSOC");
}

static void registers(void)
{
	int i;

	same(counter(0, 4), QM_ERROR, "an event that does not exist");
	same(counter(0, 0), QM_ERROR, "no event");
	same(counter(RMIDS, QM_OCCUPANCY), QM_ERROR, "an RMID that does not exist");
	same(counter(RMIDS - 1, QM_OCCUPANCY), 0, "occupancy of an unused RMID");
	same(counter(RMIDS - 1, QM_TOTAL), QM_UNAVAILABLE, "bandwidth of an unused RMID");
	same(counter(RMIDS - 1, QM_LOCAL), QM_UNAVAILABLE, "bandwidth of an unused RMID");
	same(counter(0, QM_TOTAL) >> (amd ? 44 : 24), 0, "bandwidth of RMID 0, beyond its width");
	msr_refuses(0, QM_EVTSEL, 1 << 8);
	msr_refuses(0, QM_EVTSEL, 1ull << 42);
	msr_refuses(0, QM_CTR, 0);
	msr_refuses(0, PQR_ASSOC, RMIDS);
	msr_refuses(0, PQR_ASSOC, 1 << 10);
	msr_refuses(0, PQR_ASSOC, (uint64_t)CLASSES << 32);
	for (i = 0; i < CLASSES; i++)
		same(read_msr(i, L3_MASK + i), 0xffff, "the mask of class %d", i);
	write_msr(0, L3_MASK + 1, 0x0f0);
	same(read_msr(3, L3_MASK + 1), 0x0f0, "class 1, on another CPU");
	msr_refuses(0, L3_MASK + 1, 0);
	msr_refuses(0, L3_MASK + 1, 0x10000);
	if (amd)
		write_msr(0, L3_MASK + 1, 0x5050);
	else
		msr_refuses(0, L3_MASK + 1, 0x5050);
	write_msr(0, L3_MASK + 1, 0xffff);
}

/* Pages that follow one another in physical memory fill all sets alike. */
static void get_memory(void)
{
	memory = mmap(NULL, 8 * CACHE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		die("no memory: %s", strerror(errno));
	memory = (char *)(((uintptr_t)memory + 2 * CACHE) & ~(2 * CACHE - 1));
	if (madvise(memory, 4 * CACHE, MADV_HUGEPAGE))
		die("huge pages: %s", strerror(errno));
	memset(memory, 1, 4 * CACHE);
}

/* The part of the first @size bytes that is memory local to the CPUs. */
static long near_bytes(long size)
{
	long page = getpagesize(), near = 0, i;
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry;

	for (i = 0; i < size; i += page) {
		if (pread(fd, &entry, 8, (uintptr_t)(memory + i) / page * 8) != 8 ||
		    !(entry >> 63))
			die("where is the memory? %s", strerror(errno));
		if ((entry << 9 >> 9) * page < FAR)
			near += page;
	}
	close(fd);
	return near;
}

static void load_all(long size)
{
	long i;

	for (i = 0; i < size; i += LINE)
		*(volatile char *)(memory + i);
}

static void store_all(long size)
{
	long i;

	for (i = 0; i < size; i += LINE)
		*(volatile char *)(memory + i) = 2;
}

/* Check for this many bytes; other processes may add less than 10 % of the cache. */
static void lines(uint64_t got, long bytes, const char *what)
{
	within(got * LINE, bytes, bytes + CACHE / 10, "%s", what);
}

/* Evict the lines of other processes, so that the contents are known. */
static void owners(void)
{
	uint64_t total, local;

	pin(0, 0);
	associate(0, 2, 0);
	load_all(4 * CACHE);
	within(counter(2, QM_OCCUPANCY) * LINE, CACHE - CACHE / 10, CACHE, "after 4 times the cache");
	associate(0, 3, 0);
	total = counter(3, QM_TOTAL);
	load_all(CACHE / 2);
	lines(counter(3, QM_OCCUPANCY), CACHE / 2, "half of the cache is RMID 3's");
	lines(counter(3, QM_TOTAL) - total, CACHE / 2, "that was fetched");
	within(counter(2, QM_OCCUPANCY) * LINE, CACHE / 2 - CACHE / 5, CACHE / 2,
	       "the other is RMID 2's");

	/* All lines are in the cache. */
	total = counter(3, QM_TOTAL);
	load_all(CACHE / 2);
	lines(counter(3, QM_TOTAL) - total, 0, "fetched again");

	/* A line stays with the RMID that brought it in, even if others use it. */
	associate(0, 4, 0);
	total = counter(4, QM_TOTAL);
	load_all(CACHE / 2);
	lines(counter(4, QM_TOTAL) - total, 0, "fetched by another one");
	lines(counter(4, QM_OCCUPANCY), 0, "lines of this one");
	within(counter(3, QM_OCCUPANCY) * LINE, CACHE / 2 - CACHE / 5, CACHE / 2 + CACHE / 10,
	       "lines stay when their owner has left");

	/* A store brings the line in; the line is written back when it is evicted. */
	associate(0, 5, 0);
	load_all(4 * CACHE);
	total = counter(5, QM_TOTAL);
	local = counter(5, QM_LOCAL);
	store_all(4 * CACHE);
	load_all(4 * CACHE);
	within((counter(5, QM_TOTAL) - total) * LINE, 12 * CACHE - CACHE / 4, 12 * CACHE + CACHE / 2,
	       "fetched twice, written once");
	local = (counter(5, QM_LOCAL) - local) * LINE;
	within(local, 3 * near_bytes(4 * CACHE) - CACHE / 4, 3 * near_bytes(4 * CACHE) + CACHE / 2,
	       "what of it was local");
	associate(0, 0, 0);
}

static void classes(void)
{
	uint64_t total;

	write_msr(0, L3_MASK + 1, 0x000f);
	write_msr(0, L3_MASK + 2, 0xfff0);
	associate(0, 6, 1);
	load_all(4 * CACHE);
	within(counter(6, QM_OCCUPANCY) * LINE, CACHE / 4 - CACHE / 40, CACHE / 4, "4 ways of 16");
	total = counter(6, QM_TOTAL);
	load_all(CACHE / 2);
	within((counter(6, QM_TOTAL) - total) * LINE, CACHE / 2 - CACHE / 40, CACHE / 2 + CACHE / 10,
	       "twice what fits into 4 ways is fetched each time");

	/* Other classes do not evict the lines, and can hit them. */
	associate(0, 7, 2);
	load_all(4 * CACHE);
	within(counter(6, QM_OCCUPANCY) * LINE, CACHE / 4 - CACHE / 40, CACHE / 4, "4 ways still");
	within(counter(7, QM_OCCUPANCY) * LINE, CACHE * 3 / 4 - CACHE / 10, CACHE * 3 / 4, "12 ways");
	associate(0, 0, 0);
	write_msr(0, L3_MASK + 1, 0xffff);
	write_msr(0, L3_MASK + 2, 0xffff);
}

/*
 * Twice as many lines as ways, in a few sets: each store is a miss that brings in one line
 * and writes back another.
 */
#define STORES		(128 * 16 * 2 * WAYS)
static void store_misses(void)
{
	long set, line, round;

	for (round = 0; round < 128; round++)
		for (set = 0; set < 16; set++)
			for (line = 0; line < 2 * WAYS; line++)
				*(volatile char *)(memory + line * CACHE / WAYS + set * LINE) = 2;
}

static void bandwidth_wraps(void)
{
	uint64_t before, previous, after;

	if (amd)
		return;
	associate(0, 1, 0);
	before = counter(1, QM_TOTAL);
	after = before;
	do {
		previous = after;
		store_misses();
		after = counter(1, QM_TOTAL);
		if (after >> 24)
			die("a counter has more than 24 bits: %llx", (long long)after);
	} while (after > previous);
	associate(0, 0, 0);
	/* The last round may have gone beyond it. */
	within((after + (1 << 24) - previous) * LINE, 2 * STORES * LINE,
	       2 * STORES * LINE + CACHE / 10, "traffic while the counter wrapped");
	within((previous - before) * LINE, (1l << 24) * LINE - 8 * CACHE,
	       (1l << 24) * LINE, "traffic until then");
}

static long long group_value(const char *group, const char *file)
{
	char path[200];

	snprintf(path, sizeof(path), RESCTRL "/%s/mon_data/mon_L3_00/%s", group, file);
	return file_number(path);
}

/* A child in a group of resctrl that works on request. */
static void child_in(const char *group, void (*work)(long), long size)
{
	char path[200];
	int status;
	pid_t pid = fork();

	if (!pid) {
		snprintf(path, sizeof(path), RESCTRL "/%s/tasks", group);
		if (write_file(path, "%d", getpid()))
			_exit(1);
		work(size);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		fail("the child in %s: status %x", group, status);
}

static void make_group(const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), RESCTRL "/%s", name);
	if (mkdir(path, 0755))
		die("%s: %s", path, strerror(errno));
}

static void kernel_agrees(void)
{
	char schemata[100] = "";
	long long total;
	FILE *f;

	if (mount("resctrl", RESCTRL, "resctrl", 0, NULL))
		die("resctrl cannot be mounted: %s", strerror(errno));
	f = fopen(RESCTRL "/schemata", "r");
	if (!f || !fgets(schemata, sizeof(schemata), f))
		die("resctrl has no schemata");
	fclose(f);
	mentions(schemata, "L3:0=ffff\n", "schemata");
	same(file_number(RESCTRL "/info/L3_MON/num_rmids"), RMIDS, "RMIDs");
	same(file_number(RESCTRL "/info/L3/num_closids"), CLASSES, "classes of service");

	make_group("mon_groups/watched");
	child_in("mon_groups/watched", load_all, 4 * CACHE);
	within(group_value("mon_groups/watched", "llc_occupancy"), CACHE / 2, CACHE,
	       "resctrl: occupancy after 4 times the cache");
	within(group_value("mon_groups/watched", "mbm_total_bytes"), 4 * CACHE, 5 * CACHE,
	       "resctrl: total traffic");
	within(group_value("mon_groups/watched", "mbm_local_bytes"), 0,
	       group_value("mon_groups/watched", "mbm_total_bytes"), "resctrl: local traffic");

	make_group("small");
	if (write_file(RESCTRL "/small/schemata", "L3:0=3\n"))
		fail("resctrl does not take a mask of 2 ways");
	child_in("small", load_all, 4 * CACHE);
	within(group_value("small", "llc_occupancy"), CACHE / 8 - CACHE / 40, CACHE / 8,
	       "resctrl: occupancy with 2 ways of 16");
	total = group_value("small", "mbm_total_bytes");
	/* The first group's lines in the other ways can be hit. */
	within(total, 3 * CACHE, 5 * CACHE, "resctrl: traffic with 2 ways of 16");
	umount(RESCTRL);
}

int main(void)
{
	char vendor[100] = "";
	FILE *f = fopen("/proc/cpuinfo", "r");

	while (f && !strstr(vendor, "vendor_id") && fgets(vendor, sizeof(vendor), f))
		;
	amd = strstr(vendor, "AMD");
	/* Wait for the kernel's work after its boot. */
	sleep(5);
	form();
	registers();
	get_memory();
	owners();
	classes();
	bandwidth_wraps();
	kernel_agrees();
	return result();
}
