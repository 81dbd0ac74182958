// SPDX-License-Identifier: LGPL-2.1-or-later
/* Sessions of the kernel module: each is an open file of /proc/pmc/monitor. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "accuracy.h"
#include "error.h"
#include "module_version.h"
#include "proc.h"
#include "session.h"

static void refuse(int err, const char *path)
{
	if (err == ENOENT)
		pmc_fail(err, "no %s: load the kernel module first (modprobe pmctrack)", path);
	else if (err == EACCES || err == EPERM)
		pmc_fail(err, "no permission for %s: ask for access, or run as root", path);
	else
		pmc_fail(err, "cannot open %s: %m", path);
}

pmc_session_t *kernel_session_open(void)
{
	char path[256];
	pmc_session_t *session;
	int fd;

	proc_path(path, sizeof(path), "monitor");
	fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		refuse(errno, path);
		return NULL;
	}
	session = module_version_check() ? NULL : session_new(&kernel_session_ops, fd);
	if (!session)
		close(fd);
	return session;
}

/*
 * Closing the file is not enough if a child of fork() has it open, too. The session is
 * closed even if the kernel refuses these commands.
 */
static void kernel_end(pmc_session_t *session)
{
	static const char commands[] = "stop\nclear\n";

	if (write(session->fd, commands, strlen(commands)) < 0)
		return;
}

/* After a call on the session failed, make the kernel module's message the error line. */
static int explain(pmc_session_t *session, int err)
{
	char line[PMC_ERROR_LEN] = "";

	if (!ioctl(session->fd, PMC_IOC_ERROR, line) && *line)
		return pmc_fail(err, "%.*s", (int)sizeof(line) - 1, line);
	errno = err;
	if (err == EPERM || err == EACCES)
		return pmc_fail(err, "no permission: this needs CAP_PERFMON, or a process of your own");
	return pmc_fail(err, "the kernel module refused the call: %m");
}

/*
 * The ring has its final size when counting begins. One thread maps it. Other threads that
 * start at the same time need not wait for that, because they do not read it.
 */
static void map_ring(pmc_session_t *session)
{
	if (__atomic_load_n(&session->tried_ring, __ATOMIC_RELAXED) ||
	    __atomic_exchange_n(&session->tried_ring, 1, __ATOMIC_RELAXED))
		return;
	ring_map(&session->ring, session->fd);
}

static int attaches(const char *line)
{
	return !strncmp(line, "attach", 6) || !strncmp(line, "syswide", 7);
}

static int kernel_command(pmc_session_t *session, char *line)
{
	size_t len = strlen(line);

	if (attaches(line))
		map_ring(session);
	if (write(session->fd, line, len) != (ssize_t)len)
		return explain(session, errno);
	return 0;
}

static int kernel_start(pmc_session_t *session)
{
	map_ring(session);
	return ioctl(session->fd, PMC_IOC_START) ? explain(session, errno) : 0;
}

static int kernel_stop(pmc_session_t *session)
{
	return ioctl(session->fd, PMC_IOC_STOP) ? explain(session, errno) : 0;
}

static int kernel_read(pmc_session_t *session, struct pmc_read *arg)
{
	return ioctl(session->fd, PMC_IOC_READ, arg) ? explain(session, errno) : 0;
}

static int kernel_totals(pmc_session_t *session, struct pmc_totals *arg)
{
	return ioctl(session->fd, PMC_IOC_TOTALS, arg) ? explain(session, errno) : 0;
}

static int kernel_placement(pmc_session_t *session, struct pmc_placement *arg)
{
	return ioctl(session->fd, PMC_IOC_PLACEMENT, arg) ? explain(session, errno) : 0;
}

const struct session_ops kernel_session_ops = {
	.command = kernel_command,
	.start = kernel_start,
	.stop = kernel_stop,
	.read = kernel_read,
	.totals = kernel_totals,
	.placement = kernel_placement,
	.accuracy = kernel_accuracy,
	.end = kernel_end,
};
