// SPDX-License-Identifier: GPL-2.0
/* Use a session by the calls of the uapi header alone. */
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "vm.h"

int open_session(void)
{
	int fd = open("/proc/pmc/monitor", O_RDWR | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		die("/proc/pmc/monitor: %s", strerror(errno));
	return fd;
}

const char *why(int fd)
{
	static _Thread_local char text[PMC_ERROR_LEN];

	if (ioctl(fd, PMC_IOC_ERROR, text))
		die("PMC_IOC_ERROR: %s", strerror(errno));
	return text;
}

static int send(int fd, const char *text)
{
	char real[8192];
	ssize_t len, done;

	expand(real, sizeof(real), text);
	len = strlen(real);
	done = write(fd, real, len);

	if (done < 0)
		return -errno;
	same(done, len, "bytes written of '%s'", text);
	return 0;
}

int try_command(int fd, const char *fmt, ...)
{
	char text[4096];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return send(fd, text);
}

void command(int fd, const char *fmt, ...)
{
	char text[4096];
	va_list args;
	int ret;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	ret = send(fd, text);
	if (ret)
		die("'%s': %s: %s", text, strerror(-ret), why(fd));
}

void refused(int fd, int error, const char *word, const char *fmt, ...)
{
	char text[4096];
	va_list args;
	int ret;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	ret = send(fd, text);
	same(-ret, error, "errno of '%s' (%s)", text, why(fd));
	if (ret)
		mentions(why(fd), expanded(word), "'%s'", text);
}

int try_start(int fd)
{
	return ioctl(fd, PMC_IOC_START) ? -errno : 0;
}

void start(int fd)
{
	if (try_start(fd))
		die("PMC_IOC_START: %s: %s", strerror(errno), why(fd));
}

void refused_start(int fd, int error, const char *word)
{
	same(-try_start(fd), error, "errno of PMC_IOC_START (%s)", why(fd));
	mentions(why(fd), expanded(word), "PMC_IOC_START");
}

void stop(int fd)
{
	if (ioctl(fd, PMC_IOC_STOP))
		die("PMC_IOC_STOP: %s: %s", strerror(errno), why(fd));
}

uint64_t total(int fd, int core_type, int set, int count)
{
	struct pmc_totals t = {
		.core_type = core_type < 0 ? PMC_ALL_CORE_TYPES : core_type,
		.set = set,
	};

	if (ioctl(fd, PMC_IOC_TOTALS, &t))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	return t.counts[count];
}

uint64_t threads_counted(int fd)
{
	struct pmc_totals t = { .core_type = PMC_ALL_CORE_TYPES };

	if (ioctl(fd, PMC_IOC_TOTALS, &t))
		die("PMC_IOC_TOTALS: %s", strerror(errno));
	return t.nr_threads;
}

void own_reading(int fd, int core_type, int set, struct pmc_read *r)
{
	*r = (struct pmc_read){
		.core_type = core_type < 0 ? PMC_ALL_CORE_TYPES : core_type,
		.set = set,
	};
	if (ioctl(fd, PMC_IOC_READ, r))
		die("PMC_IOC_READ: %s", strerror(errno));
}

uint64_t own_count(int fd, int core_type, int set, int count)
{
	struct pmc_read r;

	own_reading(fd, core_type, set, &r);
	return r.counts[count];
}

size_t record_size(const struct pmc_record *record)
{
	return sizeof(*record) +
	       (record->nr_counts + record->nr_virtual) * sizeof(record->counts[0]) +
	       (record->flags & PMC_REC_NAME ? PMC_NAME_LEN : 0) +
	       (record->flags & PMC_REC_ADDRESS ? sizeof(record->counts[0]) : 0);
}

static void append(struct records *records, const struct pmc_record *head)
{
	struct record *r;

	if (!(records->nr & (records->nr - 1))) {
		size_t room = records->nr ? records->nr * 2 : 1;

		records->all = realloc(records->all, room * sizeof(*r));
		if (!records->all)
			die("no memory for records");
	}
	r = &records->all[records->nr++];
	memset(r, 0, sizeof(*r));
	memcpy(r, head, record_size(head));
}

int read_records(int fd, struct records *records)
{
	static _Thread_local char buf[65536] __attribute__((aligned(8)));
	int before = records->nr;
	ssize_t len;

	while ((len = read(fd, buf, sizeof(buf))) > 0) {
		char *at = buf;

		while (at < buf + len) {
			const struct pmc_record *head = (void *)at;

			append(records, head);
			at += record_size(head);
		}
		if (at != buf + len)
			fail("read() gave part of a record");
	}
	if (len < 0 && errno != EAGAIN)
		fail("read(): %s", strerror(errno));
	return records->nr - before;
}

void read_to_end(int fd, struct records *records)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	do {
		if (poll(&p, 1, 60000) != 1)
			die("poll(): no record and no end for a minute");
		read_records(fd, records);
	} while (!(p.revents & POLLHUP));
	read_records(fd, records);
}

void forget_records(struct records *records)
{
	free(records->all);
	memset(records, 0, sizeof(*records));
}

uint64_t sum_records(const struct records *records, pid_t tid, int core_type,
		     int set, int count)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < records->nr; i++) {
		const struct record *r = &records->all[i];

		if ((!tid || (pid_t)r->head.tid == tid) &&
		    (core_type < 0 || r->head.core_type == core_type) &&
		    (set < 0 || r->head.set == set))
			sum += r->counts[count];
	}
	return sum;
}

int nr_records(const struct records *records, pid_t tid, int event)
{
	int i, nr = 0;

	for (i = 0; i < records->nr; i++) {
		const struct pmc_record *h = &records->all[i].head;

		nr += (!tid || (pid_t)h->tid == tid) && (event < 0 || h->event == event);
	}
	return nr;
}

void check_records(const struct records *records)
{
	int i;

	for (i = 0; i < records->nr; i++) {
		const struct pmc_record *h = &records->all[i].head;

		if (i && h->seq <= records->all[i - 1].head.seq)
			fail("record %d has number %llu, the one before %llu", i,
			     h->seq, records->all[i - 1].head.seq);
		if (h->core_type >= nr_core_types)
			fail("record %d: core type %u", i, h->core_type);
		else if (!CPU_ISSET(h->cpu, &core_types[h->core_type].cpus) &&
			 h->event != PMC_SAMPLE_MIGRATION &&
			 h->event != PMC_SAMPLE_SELF &&
			 h->event != PMC_SAMPLE_EXIT && !(h->flags & PMC_REC_LAST))
			fail("record %d: CPU %u is not of core type %u (event %u)",
			     i, h->cpu, h->core_type, h->event);
		if (h->event >= PMC_SAMPLE_NR)
			fail("record %d: event %u", i, h->event);
		if (h->nr_counts + h->nr_virtual > PMC_MAX_COUNTS)
			fail("record %d: %u counts and %u virtual counters", i, h->nr_counts,
			     h->nr_virtual);
	}
}
