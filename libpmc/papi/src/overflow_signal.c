// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counters that interrupt the calling thread: an event of perf_event_open() on each core type,
 * whose overflow sends a signal to the thread. The signal's handler finds the addresses of the
 * overflows in the event's ring buffer.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "errors.h"
#include "eventset.h"
#include "kernel_file.h"
#include "library.h"
#include "overflow_events.h"
#include "papi_thread.h"

/* Pages of the ring buffer beside the one that describes it: room for 256 overflows */
#define RING_PAGES	1

/*
 * A counter stops after so many overflows, and goes on when the handler of the last one has
 * returned. So the number of waiting signals is limited, and most overflows take no system call.
 */
#define LIMIT		32

/**
 * struct one - the counter of one core type
 * @attr: its event
 * @ring: NULL: none
 * @limit: overflows after which it stops: LIMIT or 1
 * @left: overflows until it stops, without those in the ring
 */
struct one {
	struct perf_event_attr attr;
	int fd;
	struct perf_event_mmap_page *ring;
	int limit;
	int left;
};

struct overflow_counter {
	int nr;
	struct one all[];
};

static size_t page_size;
static int signal_number;

/* Initial-exec, so that access takes no memory */
static __thread int in_handler __attribute__((tls_model("initial-exec")));

int overflow_in_handler(void)
{
	return in_handler;
}

static size_t ring_size(void)
{
	return (1 + RING_PAGES) * page_size;
}

/* The handler may stop the EventSet, or close its counters. */
static int still_runs(const struct eventset *set, const struct overflow *overflow, unsigned int closed)
{
	return papi_this_thread && papi_this_thread->running[COMPONENT_CPU] == set &&
	       set->overflow == overflow && overflow->closed == closed;
}

static int has_record(const struct one *one)
{
	return one->ring->data_tail < __atomic_load_n(&one->ring->data_head, __ATOMIC_ACQUIRE);
}

/* Take a record out of the ring buffer. Return: it is an overflow. */
static int take(struct one *one, uint64_t *address)
{
	const char *data = (const char *)one->ring + page_size;
	uint64_t tail = one->ring->data_tail;
	struct perf_event_header header;

	/* Records are a multiple of 8 bytes long, and so is the buffer: only that much is whole. */
	memcpy(&header, data + tail % (RING_PAGES * page_size), sizeof(header));
	tail += sizeof(header);
	memcpy(address, data + tail % (RING_PAGES * page_size), sizeof(*address));
	tail += header.size - sizeof(header);
	__atomic_store_n(&one->ring->data_tail, tail, __ATOMIC_RELEASE);
	if (header.type != PERF_RECORD_SAMPLE)
		return 0;
	one->left--;
	return 1;
}

/*
 * Call @fn for each overflow in the ring buffer. If there are two, handlers take longer than the
 * period: from now on the counter stops while they run. Return: 1: the counter is still in use;
 * 0: the handler has stopped the EventSet.
 */
static int drain(struct eventset *set, int index, struct one *one, void *context)
{
	struct overflow *overflow = set->overflow;
	unsigned int closed = overflow->closed;
	uint64_t address;
	int nr = 0;

	while (has_record(one)) {
		if (!take(one, &address))
			continue;
		if (nr++)
			one->limit = 1;
		overflow->fn(set, index, (void *)(uintptr_t)address, 0, context);
		if (!still_runs(set, overflow, closed))
			return 0;
	}
	return 1;
}

static int place_of(const struct eventset *set, const struct papi_event *event)
{
	int i;

	for (i = 0; i < set->nr; i++)
		if (set->events[i] == event)
			return i;
	return -1;
}

/* The counter that has sent the signal; NULL: it is closed meanwhile. */
static struct one *find(struct eventset *set, int fd, int *index)
{
	int i, j;

	for (i = 0; i < set->overflow->nr; i++) {
		struct overflow_event *event = &set->overflow->events[i];

		*index = place_of(set, event->event);
		for (j = 0; event->counters && j < event->counters->nr; j++)
			if (event->counters->all[j].fd == fd)
				return &event->counters->all[j];
	}
	return NULL;
}

/* The counter has stopped, and goes on. */
static void go_on(struct one *one)
{
	one->left = one->limit;
	ioctl(one->fd, PERF_EVENT_IOC_REFRESH, one->limit);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	struct eventset *set = papi_this_thread ? papi_this_thread->running[COMPONENT_CPU] : NULL;
	int err = errno, index;
	struct one *one;

	(void)number;
	one = set && set->overflow ? find(set, info->si_fd, &index) : NULL;
	if (!one)
		return;
	in_handler = 1;
	if (drain(set, index, one, context) && info->si_code == POLL_HUP)
		go_on(one);
	in_handler = 0;
	errno = err;
}

/* A real-time signal, as in PAPI. The first two are left to the program. */
static void install_handler(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART };

	page_size = sysconf(_SC_PAGESIZE);
	signal_number = SIGRTMIN + 2;
	sigaction(signal_number, &action, NULL);
}

int overflow_signal_number(void)
{
	return signal_number;
}

static int send_signals(int fd)
{
	struct f_owner_ex owner = { .type = F_OWNER_TID, .pid = gettid() };
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 || fcntl(fd, F_SETFL, flags | O_ASYNC | O_NONBLOCK) ||
	       fcntl(fd, F_SETSIG, signal_number) || fcntl(fd, F_SETOWN_EX, &owner) ? -1 : 0;
}

static int encode(struct perf_event_attr *attr, const struct papi_part *part, int domain, int threshold,
		  int pinned)
{
	char words[COUNTING_WORDS];

	counting_words(part->terms[0], domain, words);
	if (pmc_event_perf_attr(papi_machine(), part->core_type, words, attr))
		return -1;
	attr->sample_period = threshold;
	attr->sample_type = PERF_SAMPLE_IP;
	attr->pinned = pinned;
	attr->disabled = 1;
	return 0;
}

/* Core types may share a PMU: one counter then counts on all of them. */
static int is_open(const struct overflow_counter *counters, const struct perf_event_attr *attr)
{
	int i;

	for (i = 0; i < counters->nr; i++)
		if (!memcmp(&counters->all[i].attr, attr, sizeof(*attr)))
			return 1;
	return 0;
}

/* Addresses are those of the instructions from 2 on; the kernel has another event for 3. */
static int max_precise(int core_type)
{
	const char *pmu = pmc_machine_core_type(papi_machine(), core_type)->pmu;
	int most = kernel_file_number(0, "", "/sys/bus/event_source/devices/%s/caps/max_precise", pmu);

	return most < 2 ? most : 2;
}

/* Not every event of a PMU has precise addresses. */
static int open_event(struct perf_event_attr attr, int precise)
{
	int fd;

	do {
		attr.precise_ip = precise;
		/* Else the kernel interrupts only when there are many addresses. */
		attr.wakeup_events = precise > 0;
		fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	} while (fd < 0 && precise-- > 0);
	return fd;
}

static int open_one(struct one *one, int core_type)
{
	one->fd = open_event(one->attr, max_precise(core_type));
	if (one->fd < 0)
		return -1;
	one->ring = mmap(NULL, ring_size(), PROT_READ | PROT_WRITE, MAP_SHARED, one->fd, 0);
	if (one->ring == MAP_FAILED) {
		one->ring = NULL;
		return -1;
	}
	return send_signals(one->fd);
}

struct overflow_counter *overflow_counter_open(const struct papi_event *event, int domain,
					       int threshold, int pinned, int *error)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct overflow_counter *counters;
	struct perf_event_attr attr;
	struct one *one;
	int i, rc = 0;

	pthread_once(&once, install_handler);
	counters = calloc(1, sizeof(*counters) + event->nr_parts * sizeof(counters->all[0]));
	if (!counters) {
		*error = PAPI_ENOMEM;
		return NULL;
	}
	for (i = 0; i < event->nr_parts && !rc; i++) {
		rc = encode(&attr, &event->parts[i], domain, threshold, pinned);
		if (rc || is_open(counters, &attr))
			continue;
		one = &counters->all[counters->nr++];
		one->attr = attr;
		rc = open_one(one, event->parts[i].core_type);
	}
	if (!rc)
		return counters;
	*error = papi_error_of(errno);
	overflow_counter_close(counters);
	return NULL;
}

/* Overflows of the time before are not reported. */
static void enable_one(struct one *one)
{
	uint64_t address;

	while (has_record(one))
		take(one, &address);
	ioctl(one->fd, PERF_EVENT_IOC_RESET, 0);
	one->limit = LIMIT;
	/* With no overflow left, the kernel would take ENABLE for no limit. */
	if (one->left > 0)
		ioctl(one->fd, PERF_EVENT_IOC_ENABLE, 0);
	else
		go_on(one);
}

void overflow_counter_enable(struct overflow_counter *counters)
{
	int i;

	for (i = 0; i < counters->nr; i++)
		enable_one(&counters->all[i]);
}

void overflow_counter_disable(struct overflow_counter *counters)
{
	int i;

	for (i = 0; i < counters->nr; i++)
		ioctl(counters->all[i].fd, PERF_EVENT_IOC_DISABLE, 0);
}

int overflow_counter_count(const struct overflow_counter *counters, long long *sum)
{
	int i, rc = PAPI_OK;
	long long count;

	*sum = 0;
	for (i = 0; i < counters->nr; i++)
		/* A pinned event that has found no counter has no value. */
		if (read(counters->all[i].fd, &count, sizeof(count)) == sizeof(count))
			*sum += count;
		else
			rc = PAPI_ECLOST;
	return rc;
}

void overflow_counter_forget_parent(struct overflow_counter *counters)
{
	int i;

	for (i = 0; counters && i < counters->nr; i++)
		close(counters->all[i].fd);
	free(counters);
}

void overflow_counter_close(struct overflow_counter *counters)
{
	int i;

	for (i = 0; counters && i < counters->nr; i++) {
		if (counters->all[i].ring)
			munmap(counters->all[i].ring, ring_size());
		if (counters->all[i].fd >= 0)
			close(counters->all[i].fd);
	}
	free(counters);
}
