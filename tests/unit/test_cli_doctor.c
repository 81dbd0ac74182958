// SPDX-License-Identifier: GPL-2.0
/* pmctrack doctor: each of its checks, with a fault in a root folder made for it. */
#include <unistd.h>

#include "lib.h"
#include "doctor.h"
#include "made_files.h"

#define RELEASE "6.12.1-test"
#define MODULES "lib/modules/" RELEASE "/"
#define SECURE_BOOT "sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define MOK_LIST "sys/firmware/efi/mok-variables/MokListRT"
#define WIDTH 80

static struct fixture {
	char root[64];
	char version[32];
	struct doctor d;
	pmc_machine_t *machine;
	int perf_errno;
	int nr_free;
	int count_fails;
	uint64_t counts[2];
	int runs;
	char *lines;	/* as printed */
	char *text;	/* each finding on one line, single blanks */
} x;

/* ---- the root ---- */

static void put_bytes(const char *file, const char *bytes, size_t size)
{
	made_write(x.root, file, "w", bytes, size);
}

static void put(const char *file, const char *text)
{
	put_bytes(file, text, strlen(text));
}

static void take_away(const char *file)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", x.root, file);
	assert_int_equal(made_remove(path), 0);
}

static void put_info(const char *version, int exclusive)
{
	char text[128];

	snprintf(text, sizeof(text), "pmctrack %s uapi 1\nbackend intel\nexclusive %d\n", version, exclusive);
	put("proc/pmc/info", text);
}

static void put_status(const char *caps, int seccomp)
{
	char text[128];

	snprintf(text, sizeof(text), "Name:\tpmctrack\nCapEff:\t%s\nSeccomp:\t%d\nSeccomp_filters:\t0\n", caps,
		 seccomp);
	put("proc/self/status", text);
}

static void put_cpuinfo(const char *flags)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 151\nmodel name\t: 12th Gen\nflags\t\t: fpu%s\n",
		 flags);
	put("proc/cpuinfo", text);
}

static void read_version(void)
{
	FILE *f = fopen(INFO_DIR "/../../../VERSION", "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%31s", x.version), 1);
	fclose(f);
}

#define NO_CAPS "0000000000000000"
#define PERFMON "0000004000000000"

/* A machine on which everything works. */
static void put_all(void)
{
	put("proc/sys/kernel/osrelease", RELEASE "\n");
	put("proc/sys/kernel/arch", "x86_64\n");
	put("proc/sys/kernel/perf_event_paranoid", "2\n");
	put("proc/sys/kernel/nmi_watchdog", "0\n");
	put_status(NO_CAPS, 0);
	put("proc/self/uid_map", "         0          0 4294967295\n");
	put("proc/self/limits", "Limit  Soft Limit  Hard Limit  Units\nMax locked memory         8388608              8388608              bytes\n");
	put_cpuinfo("");
	put_info(x.version, 0);
	put("proc/pmc/monitor", "");
	put("proc/pmc/stats", "sessions 0\nthreads 0\n");
	put("sys/devices/system/cpu/online", "0-23\n");
	put("sys/devices/system/cpu/offline", "\n");
	put("sys/bus/event_source/devices/cpu_core/type", "4\n");
	put("sys/bus/event_source/devices/cpu_atom/type", "10\n");
	put("sys/bus/event_source/devices/cstate_core/type", "11\n");
	put("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put("usr/sbin/dkms", "");
	put("var/lib/dkms/pmctrack/version", "");
	put(MODULES "build/Makefile", "");
	put(MODULES "modules.dep", "kernel/a.ko: kernel/pmctrack.ko\nupdates/dkms/pmctrack.ko.xz:\n");
	put(MODULES "updates/dkms/pmctrack.ko.xz", "xz");
	put("events/index", "GenuineIntel-6-97-2 - adl.csv\n");
	put("events/adl.csv", "THING,-,0x99,-,-\n");
}

/* ---- the probes ---- */

static int perf_open(void)
{
	return x.perf_errno;
}

static int free_counters(const struct doctor *d, const struct pmc_core_type_info *ct, int nr)
{
	return x.nr_free < 0 ? -1 : nr <= x.nr_free;
}

static int count(const struct doctor *d, const struct pmc_core_type_info *ct, uint64_t *instructions, uint64_t *known)
{
	*known = 2000000;
	*instructions = x.counts[x.runs++ % 2];
	return x.count_fails;
}

static const struct doctor_probes probes = { perf_open, free_counters, count };

/* The machine that @folder/info describes, with the tables of x.root/events. */
static void use_machine(const char *folder)
{
	char events[128];

	snprintf(events, sizeof(events), "%s/events:", x.root);
	setenv("PMCTRACK_PROC", folder, 1);
	setenv("PMCTRACK_EVENTS", events, 1);
	pmc_machine_close(x.machine);
	x.machine = pmc_machine_open();
	unsetenv("PMCTRACK_PROC");
	assert_non_null(x.machine);
	x.d.machine = x.machine;
}

/* That of x.root/@folder */
static void use_machine_of(const char *folder)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", x.root, folder);
	use_machine(path);
}

static int setup(void **state)
{
	memset(&x, 0, sizeof(x));
	snprintf(x.root, sizeof(x.root), "/tmp/test_cli_doctor.XXXXXX");
	assert_non_null(mkdtemp(x.root));
	read_version();
	put_all();
	x.d = (struct doctor){ .root = x.root, .probes = &probes, .machine_error = "" };
	use_machine(INFO_DIR "/hybrid");
	x.nr_free = 100;
	x.counts[0] = x.counts[1] = 2000769;
	return 0;
}

static int teardown(void **state)
{
	free(x.lines);
	free(x.text);
	pmc_machine_close(x.machine);
	take_away("");
	return 0;
}

/* ---- what it says ---- */

/* Findings and remedies begin anew; other line breaks are those of a narrow terminal. */
static char *unwrapped(const char *lines)
{
	char *text = calloc(1, strlen(lines) + 1), *to = text;

	for (; *lines; lines++) {
		int again = *lines == '\n' && !strncmp(lines + 1, "         ", 9);

		if ((*lines == ' ' || again) && to > text && to[-1] == ' ')
			continue;
		*to++ = again ? ' ' : *lines;
	}
	return text;
}

static void check_width(const char *lines)
{
	for (; *lines; lines += strcspn(lines, "\n") + 1)
		if (strcspn(lines, "\n") > WIDTH)
			fail_msg("longer than %d: %.*s", WIDTH, (int)strcspn(lines, "\n"), lines);
}

static void examine(int status)
{
	size_t size;
	int rc;

	free(x.lines);
	free(x.text);
	x.d.f = open_memstream(&x.lines, &size);
	x.d.failed = 0;
	rc = doctor_examine(&x.d);
	fclose(x.d.f);
	x.text = unwrapped(x.lines);
	check_width(x.lines);
	if (rc != status)
		fail_msg("exit status %d instead of %d:\n%s", rc, status, x.lines);
}

static void says(const char *part)
{
	if (!strstr(x.text, part))
		fail_msg("no '%s' in:\n%s", part, x.text);
}

static void says_not(const char *part)
{
	if (strstr(x.text, part))
		fail_msg("'%s' in:\n%s", part, x.text);
}

static void test_all_is_well(void **state)
{
	char head[128];

	examine(0);
	snprintf(head, sizeof(head), "pmctrack %s on Linux " RELEASE ", x86_64, CPUs 0-23\n", x.version);
	says(head);
	says_not("FAIL");
	says_not("note");
	says_not("->");
	says("ok counting E: 2,000,769 instructions, in each of two runs\n");
}

/* ---- the module ---- */

static void test_old_module(void **state)
{
	put_info("0.9", 0);
	examine(1);
	says("FAIL module version 0.9 is loaded; this command's version is ");
	says("\n -> sudo modprobe -r pmctrack && sudo modprobe pmctrack\n");
}

static void test_not_loaded(void **state)
{
	take_away("proc/pmc");
	examine(1);
	says("FAIL module installed for this kernel, but not loaded\n -> sudo modprobe pmctrack\n");
	says("note sessions no /proc/pmc/monitor");
	put("perf/info", "pmctrack 1.0 uapi 1\nbackend perf_event\ncore_types 1\n"
	    "core_type 0 cpus 0-3 name core pmu cpu capacity 1024 cpuid 0x0\ncounter 0 pmc0-pmc3 general any\n");
	use_machine_of("perf");
	examine(1);
	says("note module without it, perf_event_open() counts:");
}

static void test_not_listed(void **state)
{
	take_away("proc/pmc");
	take_away(MODULES "updates/dkms/pmctrack.ko.xz");
	put(MODULES "extra/pmctrack.ko.zst", "");
	put(MODULES "modules.dep", "extra/other.ko.zst:\n");
	examine(1);
	says("/" MODULES "extra/pmctrack.ko.zst is not in the kernel's list of modules\n -> sudo depmod -a && ");
}

static void test_other_kernel(void **state)
{
	take_away("proc/pmc");
	take_away(MODULES "updates");
	put("lib/modules/6.1.0/updates/pmctrack.ko", "");
	put("lib/modules/5.0/kernel/x", "");
	examine(1);
	says("FAIL module installed for Linux 6.1.0, but not for this kernel\n -> sudo dkms install pmctrack/");
	take_away(MODULES "build");
	examine(1);
	says("but not for this kernel, whose headers are missing\n -> sudo apt-get install linux-headers-$(uname -r)\n -> sudo dkms");
}

static void test_not_installed(void **state)
{
	take_away("proc/pmc");
	take_away(MODULES "updates");
	take_away("var/lib/dkms");
	examine(1);
	says("FAIL module not installed for this kernel\n -> in pmctrack's source: sudo make install && sudo modprobe");
	says("note new kernels DKMS does not know the module");
	take_away("lib/modules");
	examine(1);
	says("(a container?)\n -> outside of the container: sudo modprobe pmctrack\n");
}

static void test_no_dkms(void **state)
{
	take_away("usr/sbin/dkms");
	examine(0);
	says("note new kernels the module is for this kernel only: DKMS is not installed\n -> sudo apt-get install dkms; in");
	put("usr/sbin/dkms", "");
	take_away("var/lib/dkms");
	examine(0);
	says("DKMS does not know it\n -> in pmctrack's source: sudo make install\n");
}

/* ---- signatures ---- */

static void lock_down(void)
{
	put("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	put_bytes(SECURE_BOOT, "\6\0\0\0\1", 5);
	put_bytes("var/lib/dkms/mok.pub", "\x30\0KEY", 5);
	put_bytes(MOK_LIST, "list\0\x30\0KEYend", 13);
}

static void test_signed(void **state)
{
	lock_down();
	examine(0);
	says("ok secure boot only signed modules are loaded (Secure Boot is on, lockdown integrity), and this one is\n");
	take_away("proc/pmc");
	examine(1);
	says("ok secure boot only signed modules are loaded (Secure Boot is on, lockdown integrity), and DKMS's key is enrolled\n");
}

static void test_no_key(void **state)
{
	lock_down();
	take_away("proc/pmc");
	take_away("var/lib/dkms/mok.pub");
	examine(1);
	says("FAIL secure boot");
	says("no key to sign them is here (/var/lib/dkms/mok.pub)\n -> sudo apt-get install dkms openssl mokutil\n");
}

static void test_not_signed(void **state)
{
	lock_down();
	take_away("proc/pmc");
	take_away(MODULES "updates");
	put(MODULES "updates/pmctrack.ko", "a module without a signature, a signature is at the end");
	examine(1);
	says("FAIL secure boot");
	says("and this one is not signed\n");
	put(MODULES "updates/pmctrack.ko", "a module~Module signature appended~\n");
	examine(1);
	says("ok secure boot");
}

static void test_key_not_enrolled(void **state)
{
	lock_down();
	take_away("proc/pmc");
	put(MOK_LIST, "another");
	examine(1);
	says("FAIL secure boot");
	says("the firmware does not know DKMS's key\n -> sudo mokutil --import /var/lib/dkms/mok.pub\n");
	take_away(MOK_LIST);
	examine(1);
	says("note secure boot");
	says("If modprobe says 'Key was rejected by service'");
}

static void test_refused_by_the_kernel(void **state)
{
	lock_down();
	take_away("proc/pmc");
	put("dev/kmsg", "5,1,1,-;a\n5,2,2,-;Loading of module with unavailable key is rejected\n5,3,3,-;b\n");
	examine(1);
	says("the kernel has refused a module although DKMS's key is enrolled\n -> sudo dkms install --force pmctrack/");
	take_away(MOK_LIST);
	examine(1);
	says("the kernel has refused a module\n -> sudo mokutil --import");
}

/* Without lockdown a kernel may insist on signatures, too. */
static void test_signature_enforced(void **state)
{
	lock_down();
	take_away("proc/pmc");
	put("sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	examine(1);
	says("ok secure boot Secure Boot is on; modules need no signature\n");
	put("sys/module/module/parameters/sig_enforce", "Y\n");
	put(MOK_LIST, "another");
	examine(1);
	says("FAIL secure boot");
}

/* ---- the hardware ---- */

static void test_no_pmu(void **state)
{
	static const struct { const char *vendor, *remedy; } all[] = {
		{ "QEMU", "QEMU: -cpu host,pmu=on" },
		{ "VMware, Inc.", "vpmc.enable" },
		{ "Microsoft Corporation", "Set-VMProcessor" },
		{ "Unheard of", "switch the virtual PMU on" },
	};
	size_t i;

	take_away("sys/bus/event_source/devices/cpu_core");
	take_away("sys/bus/event_source/devices/cpu_atom");
	examine(1);
	says("FAIL PMU the kernel has found none, or has no driver for it\n");
	put_cpuinfo(" hypervisor");
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		put("sys/class/dmi/id/sys_vendor", all[i].vendor);
		examine(1);
		says("FAIL PMU this virtual machine has none\n");
		says(all[i].remedy);
	}
	/* arm64 has no such flag. */
	put("proc/cpuinfo", "processor\t: 0\nCPU part\t: 0xd08\n");
	put("sys/class/dmi/id/sys_vendor", "QEMU\n");
	examine(1);
	says("FAIL PMU this virtual machine has none\n");
	put("sys/bus/event_source/devices/armv8_pmuv3_0/type", "8\n");
	examine(0);
	says("ok PMU armv8_pmuv3_0\n");
}

static void test_offline(void **state)
{
	put("sys/devices/system/cpu/offline", "16-23\n");
	examine(0);
	says("note CPUs 16-23 are offline");
	says(" -> echo 1 | sudo tee /sys/devices/system/cpu/cpu16/online\n");
}

static void test_half_a_hybrid(void **state)
{
	put_cpuinfo(" hypervisor");
	examine(0);
	says("ok core types P (CPUs 0-15), E (CPUs 16-23)\n");
	use_machine(INFO_DIR "/skylake");
	examine(0);
	says("note core types core");
	says("its counts mix them\n -> in the host");
	put_cpuinfo("");
	examine(0);
	says("ok core types core");
}

static void test_no_counters(void **state)
{
	use_machine(INFO_DIR "/software");
	examine(1);
	says("FAIL counters none: see PMU\n");
	says("FAIL counting not tried: no core type has counters\n");
	says("note event names not known: see PMU\n");
}

static void test_no_table(void **state)
{
	take_away("events");
	use_machine(INFO_DIR "/hybrid");
	examine(0);
	says("note event names P: no table of this model (0x90672) is installed; generic events work (builtin adl_glc)\n");
	says("\n -> in pmctrack's source: sudo make install; or see: man pmctrack-events\n");
}

/* The processor implements no event but cycles. */
static void test_no_event(void **state)
{
	put("strange/info", "pmctrack 1.0 uapi 1\nbackend armv8\ncore_types 1\n"
	    "core_type 0 cpus 0-3 name core pmu armv8_pmuv3 capacity 1024 cpuid 0x0\n"
	    "counter 0 pmc0 fixed cycles\ncounter 0 pmc1-pmc3 general any\nevents 0 0x11\n");
	use_machine_of("strange");
	examine(1);
	says("FAIL event names core: ");
	says("\n -> write events as codes");
}

/* ---- rights ---- */

static void test_paranoid(void **state)
{
	x.perf_errno = EACCES;
	put("proc/sys/kernel/perf_event_paranoid", "3\n");
	examine(1);
	says("FAIL rights only root may count: kernel.perf_event_paranoid is 3\n -> sudo sysctl kernel.perf_event_paranoid=2\n");
	says("note perf calls perf_event_open() is refused to this user: see rights\n");
	x.perf_errno = 0;
	put_status(PERFMON, 0);
	examine(0);
	says("ok rights this user may count all processes and CPUs\n");
	/* The root user of a container with its own users */
	put("proc/self/uid_map", "         0     100000      65536\n");
	examine(1);
	says("FAIL rights");
	put("proc/sys/kernel/perf_event_paranoid", "2\n");
	examine(0);
	says("own processes in user mode (");
	put("proc/sys/kernel/perf_event_paranoid", "1\n");
	examine(0);
	says("own processes in user and kernel mode (");
	put("proc/sys/kernel/perf_event_paranoid", "-1\n");
	examine(0);
	says("own processes and whole CPUs (");
	take_away("proc/sys/kernel/perf_event_paranoid");
	examine(1);
	says("FAIL rights /proc/sys/kernel/perf_event_paranoid cannot be read");
}

static void test_seccomp(void **state)
{
	x.perf_errno = EPERM;
	put_status(NO_CAPS, 2);
	examine(0);
	says("note perf calls a seccomp filter refuses perf_event_open()");
	says("\n -> docker run --cap-add PERFMON");
	take_away("proc/pmc");
	examine(1);
	says("FAIL perf calls a seccomp filter");
	put_status(NO_CAPS, 0);
	examine(1);
	says("FAIL perf calls perf_event_open() fails: Operation not permitted; a security module may refuse it\n");
	/* A filter that lets the call pass */
	x.perf_errno = 0;
	put_status(NO_CAPS, 2);
	examine(1);
	says("ok perf calls perf_event_open() works\n");
}

static void test_locked_memory(void **state)
{
	static const char little[] = "Max locked memory         65536                65536                bytes\n";

	put("proc/self/limits", little);
	examine(1);
	says("FAIL memory no room for a buffer of samples: 64 KiB");
	says("\n -> sudo prlimit --pid $$ --memlock=8388608\n");
	put_status(PERFMON, 0);
	examine(0);
	says("ok memory no limit for buffers\n");
	put_status(NO_CAPS, 0);
	put("proc/self/limits", "Max locked memory         unlimited            unlimited            bytes\n");
	examine(0);
	says("ok memory no limit for buffers\n");
}

/* ---- others with counters ---- */

static void test_watchdog(void **state)
{
	put("proc/sys/kernel/nmi_watchdog", "1\n");
	examine(0);
	says("note watchdog the NMI watchdog has a counter of each CPU\n");
	put_info(x.version, 1);
	examine(1);
	says("FAIL watchdog");
	says(" -> sudo sysctl kernel.nmi_watchdog=0\n");
	says("note others the module is loaded with exclusive=1");
}

static void test_mediated_vpmu(void **state)
{
	put("sys/module/kvm_amd/parameters/enable_mediated_pmu", "N\n");
	examine(0);
	says("ok KVM");
	put("sys/module/kvm_amd/parameters/enable_mediated_pmu", "Y\n");
	examine(0);
	says("note KVM virtual machines may take the PMU (kvm_amd: enable_mediated_pmu=Y)");
	says("\n -> sudo rmmod kvm_amd; sudo modprobe kvm_amd enable_mediated_pmu=0\n");
}

static void test_sessions(void **state)
{
	put("proc/pmc/stats", "sessions 2\nthreads 7\n");
	examine(0);
	says("note others 2 other sessions are open\n");
	take_away("proc/pmc/stats");
	examine(0);
	says("ok others the PMU can be shared with perf\n");
}

static void test_counters_in_use(void **state)
{
	x.nr_free = 6;
	examine(0);
	says("note counters P: 6 of 8 general ones are free");
	says("ok counters E: all 6 general ones are free\n");
	x.nr_free = 0;
	examine(1);
	says("FAIL counters E: 0 of 6 general ones are free");
	x.nr_free = -1;
	examine(0);
	says("ok counters P: 8 general ones; how many are in use is not known\n");
}

/* ---- counting ---- */

static void test_counts(void **state)
{
	x.counts[1]++;
	examine(0);
	says("ok counting P: 2,000,769 instructions; a second run differs by 1\n");
	x.counts[1] = 2010000;
	examine(0);
	says("note counting P: 2,000,769 instructions; a second run differs by 9231\n");
	x.counts[0] = x.counts[1] = 1999999;
	examine(1);
	says("FAIL counting P: 1,999,999 instructions of a program that has 2000000 in its loop\n");
	x.counts[0] = x.counts[1] = 2100000;
	examine(1);
	says("FAIL counting P: 2,100,000 instructions of");
	x.counts[0] = 2000769;
	x.counts[1] = 0;
	examine(1);
	says("FAIL counting P: 0 instructions of a program that has 2000000 in its loop\n");
	x.count_fails = 1;
	examine(0);
	says("note counting P: not tried, as this process may not run on CPUs 0-15\n");
}

static void test_cannot_count(void **state)
{
	assert_null(pmc_machine_core_type(x.machine, 7));
	assert_int_equal(pmc_machine_find_core_type(x.machine, "nosuch"), -1);
	x.count_fails = -1;
	examine(1);
	says("FAIL counting P: no core type 'nosuch'");
	x.d.machine = NULL;
	x.d.machine_error = "no machine";
	examine(1);
	says("FAIL counting not tried: no machine\n");
	says("note core types not known: see counting\n");
	says("note counters not known: see counting\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_all_is_well), TEST(test_old_module), TEST(test_not_loaded), TEST(test_not_listed),
		TEST(test_other_kernel), TEST(test_not_installed), TEST(test_no_dkms), TEST(test_signed),
		TEST(test_no_key), TEST(test_not_signed), TEST(test_key_not_enrolled),
		TEST(test_refused_by_the_kernel), TEST(test_signature_enforced), TEST(test_no_pmu),
		TEST(test_offline), TEST(test_half_a_hybrid), TEST(test_no_counters), TEST(test_no_table), TEST(test_no_event),
		TEST(test_paranoid), TEST(test_seccomp), TEST(test_locked_memory), TEST(test_watchdog),
		TEST(test_mediated_vpmu), TEST(test_sessions), TEST(test_counters_in_use), TEST(test_counts),
		TEST(test_cannot_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
