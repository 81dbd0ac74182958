// SPDX-License-Identifier: GPL-2.0
/*
 * contained [--perf] ROOT PROGRAM [ARGUMENT]...: run the program as a container's first process
 * runs: with ROOT as its root folder, /proc and /sys of its own, without the capabilities that
 * container runtimes take away, and with a seccomp filter that refuses perf_event_open() with
 * EPERM. With --perf the filter lets that call pass. The exit status is the program's.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CAP_BIT(cap) (1U << ((cap) & 31))

static void check(int rc, const char *what)
{
	if (rc) {
		fprintf(stderr, "contained: %s: %s\n", what, strerror(errno));
		exit(125);
	}
}

static void enter(const char *root)
{
	check(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), "private mounts");
	check(chroot(root) || chdir("/"), root);
	check(mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "/proc");
	check(mount("sysfs", "/sys", "sysfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL), "/sys");
}

/* Those that Docker leaves its containers by default; all of them are among the first 32. */
static void drop_capabilities(void)
{
	static const unsigned int left = CAP_BIT(CAP_CHOWN) | CAP_BIT(CAP_DAC_OVERRIDE) | CAP_BIT(CAP_FOWNER) |
		CAP_BIT(CAP_FSETID) | CAP_BIT(CAP_KILL) | CAP_BIT(CAP_SETGID) | CAP_BIT(CAP_SETUID) |
		CAP_BIT(CAP_SETPCAP) | CAP_BIT(CAP_NET_BIND_SERVICE) | CAP_BIT(CAP_NET_RAW) |
		CAP_BIT(CAP_SYS_CHROOT) | CAP_BIT(CAP_MKNOD) | CAP_BIT(CAP_AUDIT_WRITE) | CAP_BIT(CAP_SETFCAP);
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { left, left, 0 } };
	int cap;

	for (cap = 0; prctl(PR_CAPBSET_READ, cap) >= 0; cap++)
		if (cap > 31 || !(left & CAP_BIT(cap)))
			check(prctl(PR_CAPBSET_DROP, cap), "bounding set");
	check(syscall(SYS_capset, &header, data), "capset()");
}

static void filter_calls(int perf)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, perf ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program),
	      "seccomp");
}

int main(int argc, char **argv)
{
	int perf = argc > 1 && !strcmp(argv[1], "--perf"), status;
	pid_t pid;

	argv += 1 + perf;
	if (argc < 3 + perf) {
		fprintf(stderr, "contained [--perf] ROOT PROGRAM [ARGUMENT]...\n");
		return 125;
	}
	check(unshare(CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS), "unshare()");
	pid = fork();
	check(pid < 0, "fork()");
	if (!pid) {
		enter(argv[0]);
		drop_capabilities();
		filter_calls(perf);
		execvp(argv[1], argv + 1);
		check(-1, argv[1]);
	}
	check(waitpid(pid, &status, 0) != pid, "waitpid()");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
