// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Sessions without the kernel module: perf_event_open() counts, with a group of events for
 * each set of each core type. The protocol is that of the module (docs/protocol.md).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "cpu_list.h"
#include "error.h"
#include "perf_accuracy.h"
#include "perf_protocol.h"
#include "perf_session.h"
#include "sysfs.h"

#define SYSFS		"/sys"
#define PERIOD_MIN	1000000
#define PERIOD_MAX	(24 * 3600 * 1000000000ULL)

#define NEEDS_MODULE	"need%s the kernel module: load it (modprobe pmctrack)"

static struct perf_session *of(pmc_session_t *session)
{
	return session->data;
}

static void forget_subjects(struct perf_session *s)
{
	int i;

	for (i = 0; i < s->nr_subjects; i++)
		perf_subject_free(s, &s->subjects[i]);
	s->nr_subjects = 0;
	s->slack = 0;
}

/* Sets that only measure time come last. */
static void forget_clocks(struct perf_session *s)
{
	while (s->nr_sets && s->sets[s->nr_sets - 1].index < 0)
		s->nr_sets--;
}

static int nr_sets_of(const struct perf_session *s, int core_type)
{
	int i, n = 0;

	for (i = 0; i < s->nr_sets; i++)
		n += s->sets[i].core_type == core_type && s->sets[i].index >= 0;
	return n;
}

/* A copy of @nr elements of @size bytes, with room for another one; NULL without memory */
static void *larger(const void *old, int nr, size_t size)
{
	void *array = calloc(nr + 1, size);

	if (array && nr)
		memcpy(array, old, nr * size);
	return array;
}

static struct perf_set *new_set(struct perf_session *s)
{
	struct perf_set *sets = larger(s->sets, s->nr_sets, sizeof(*sets)), *old = s->sets;
	struct perf_values *sums = calloc(s->nr_sets + 1, sizeof(*sums)), *old_sums = s->sums;

	if (!sets || !sums) {
		free(sets);
		free(sums);
		pmc_fail_nomem();
		return NULL;
	}
	s->sets = sets;
	s->sums = sums;
	perf_free_apart(old);
	perf_free_apart(old_sums);
	return &sets[s->nr_sets];
}

/* Number of the core type's PMU; one without counters needs none. */
static int pmu_type(const struct core_type *ct)
{
	int type = ct->info.nr_hw_counters ? perf_pmu_type(ct, SYSFS) : 0;

	return type < 0 ? pmc_fail(ENODEV, "the kernel does not say the type of the PMU %s",
				   ct->info.pmu) : type;
}

static int add_set(struct perf_session *s, const struct event_set *events,
		   const struct core_type *ct)
{
	struct perf_set *set = new_set(s);
	int type = pmu_type(ct);

	if (!set || type < 0 ||
	    perf_set_make(set, events, ct, type, s->filter, s->machine->nr_core_types > 1))
		return -1;
	set->index = nr_sets_of(s, ct->info.id);
	s->nr_sets++;
	return 0;
}

static int add_events(struct perf_session *s, char *text)
{
	struct event_set events;
	int id, before;

	if (perf_set_parse(&events, text))
		return -1;
	if (events.core_type >= s->machine->nr_core_types)
		return pmc_fail(EINVAL, "there is no core type %d", events.core_type);
	forget_subjects(s);
	forget_clocks(s);
	before = s->nr_sets;
	for (id = 0; id < s->machine->nr_core_types; id++)
		if ((events.core_type == PMC_EVERY_CORE_TYPE || events.core_type == id) &&
		    add_set(s, &events, machine_core_type(s->machine, id))) {
			s->nr_sets = before;
			return -1;
		}
	return 0;
}

/* The set of a core type that measures the time on it, or NULL */
static struct perf_set *find_clock(const struct perf_session *s, int core_type)
{
	int i;

	for (i = 0; i < s->nr_sets; i++)
		if (s->sets[i].core_type == core_type && s->sets[i].has_clock)
			return &s->sets[i];
	return NULL;
}

static struct perf_set *add_clock(struct perf_session *s, const struct core_type *ct)
{
	struct perf_set *set = new_set(s);
	int type = pmu_type(ct);

	if (!set || type < 0)
		return NULL;
	if (s->machine->nr_core_types > 1)
		perf_set_clock(set, ct, type);
	else
		perf_set_time(set, ct);
	s->nr_sets++;
	return set;
}

/*
 * 1: the counters can count the set, beside an event of cycles if @clock; 0: they cannot; -1: error
 *
 * The kernel refuses a group that the counters cannot count together. The NMI watchdog has one
 * of them, which counts cycles, and which the kernel does not think of here.
 */
static int set_fits(const struct perf_set *events, const struct core_type *ct, int clock)
{
	static const struct perf_target self = { .cpu = -1 };
	struct perf_set set = *events;
	unsigned int type = set.attrs[0].type;
	struct perf_group group;
	char text[16];

	if (clock && set.nr_attrs < GROUP_MAX)
		perf_attr_cycles(&set.attrs[set.nr_attrs++], ct, type);
	if (type != PERF_TYPE_SOFTWARE && set.nr_attrs < GROUP_MAX &&
	    !sysfs_read(text, sizeof(text), "/proc/sys/kernel/nmi_watchdog") && *text == '1')
		perf_attr_cycles(&set.attrs[set.nr_attrs++], ct, type);
	if (!perf_group_open(&group, &set, &self)) {
		perf_group_close(&group);
		return 1;
	}
	return errno == EINVAL || errno == ENOSPC ? 0 : -1;
}

/*
 * Does each set of the core type leave a counter for the clock? A pinned clock would keep a set
 * of all counters from being counted at all.
 */
static int leave_a_counter(const struct perf_session *s, const struct core_type *ct)
{
	int i;

	if (s->machine->nr_core_types == 1)
		return 1;
	for (i = 0; i < s->nr_sets; i++)
		if (s->sets[i].core_type == ct->info.id && !s->sets[i].has_clock &&
		    !set_fits(&s->sets[i], ct, 1))
			return 0;
	return 1;
}

/* One set measures the time itself, and without others it needs no time on core types. */
static int needs_clock(const struct perf_session *s, int id)
{
	int nr = nr_sets_of(s, id);

	return !s->by_cpu && machine_core_type(s->machine, id)->info.nr_hw_counters &&
	       (nr > 1 || (!nr && s->machine->nr_core_types > 1));
}

/*
 * On machines with several core types the time on each of them has to be known, and several
 * sets may each be counted for a part of it only. On others the kernel should know the
 * time that a group is enabled. Linux 7.3 does not count it for a process that ends while
 * another group has the counters.
 */
static int add_clocks(struct perf_session *s)
{
	struct perf_set *set;
	int id;

	for (id = 0; id < s->machine->nr_core_types; id++) {
		const struct core_type *ct = machine_core_type(s->machine, id);

		if (!needs_clock(s, id))
			continue;
		set = find_clock(s, id);
		if (!set)
			set = add_clock(s, ct);
		if (!set)
			return -1;
		set->pinned = nr_sets_of(s, id) > 1 && leave_a_counter(s, ct);
	}
	return 0;
}

static int prepare(struct perf_session *s, int by_cpu)
{
	if (s->counting && (by_cpu || s->by_cpu))
		return pmc_fail(EBUSY, "the session is counting: write 'stop' first");
	if (s->counting)
		return 0;
	forget_clocks(s);
	if (!s->nr_sets)
		return pmc_fail(EINVAL, "there is nothing to count: write 'events SPEC' first");
	if (s->by_cpu != by_cpu)
		forget_subjects(s);
	s->by_cpu = by_cpu;
	return add_clocks(s);
}

/* Nothing is counted: the sampler was started in vain. */
static void end_sampler(struct perf_session *s)
{
	int err = errno;

	pthread_mutex_lock(&s->lock);
	perf_sampler_quit(s);
	pthread_mutex_unlock(&s->lock);
	perf_sampler_join(s);
	errno = err;
}

/* Subjects have been added, or could not be. */
static int sample_from_now(struct perf_session *s, int rc)
{
	if (rc && !s->counting) {
		end_sampler(s);
		return -1;
	}
	s->counting = 1;
	perf_sampler_wake(s);
	return rc;
}

/* What stop() leaves: the sampler's end, and groups that count no more */
static void end_last_run(struct perf_session *s)
{
	int i;

	if (s->counting)
		return;
	perf_sampler_join(s);
	for (i = 0; i < s->nr_subjects; i++)
		perf_subject_close(s, &s->subjects[i]);
}

static int attach(pmc_session_t *session, pid_t pid, int whole)
{
	struct perf_session *s = of(session);
	int rc;

	end_last_run(s);
	if (session_take_buffer(session))
		return -1;
	pthread_mutex_lock(&s->lock);
	rc = prepare(s, 0);
	/* Groups that children inherit are opened when the caller has made its own thread. */
	if (!rc)
		rc = s->counting ? perf_sampler_resume(s, session->fd) :
				   perf_sampler_start(s, session->fd);
	if (!rc)
		rc = perf_subject_attach(s, pid, whole);
	pthread_mutex_unlock(&s->lock);
	return sample_from_now(s, rc);
}

static int detach(pmc_session_t *session, pid_t pid)
{
	struct perf_session *s = of(session);
	int i, found = 0;

	pthread_mutex_lock(&s->lock);
	for (i = 0; i < s->nr_subjects; i++)
		if (s->subjects[i].pid == pid && !s->subjects[i].done) {
			perf_sample_last(s, &s->subjects[i]);
			perf_subject_close(s, &s->subjects[i]);
			found = 1;
		}
	pthread_mutex_unlock(&s->lock);
	if (!found)
		return pmc_fail(ESRCH, "the session does not count a process %d", pid);
	/* No more samples come if it was the last one. */
	perf_sampler_wake(s);
	return 0;
}

static int core_type_of(const struct perf_session *s, int cpu)
{
	struct cpu_list cpus;
	int id;

	for (id = 0; id < s->machine->nr_core_types; id++)
		if (!cpu_list_parse(&cpus, machine_core_type(s->machine, id)->info.cpus) &&
		    cpu_list_has(&cpus, cpu))
			return id;
	return -1;
}

static int attach_cpus(struct perf_session *s, const struct cpu_list *cpus,
		       const struct cpu_list *online)
{
	int cpu, id, n = 0;

	for (cpu = 0; cpu < CPU_LIST_MAX; cpu++) {
		if (!cpu_list_has(cpus, cpu))
			continue;
		id = core_type_of(s, cpu);
		if (!cpu_list_has(online, cpu) || id < 0)
			return pmc_fail(EINVAL, "syswide: there is no CPU %d online", cpu);
		if (!nr_sets_of(s, id))
			continue;
		if (perf_subject_attach_cpu(s, cpu, id))
			return -1;
		n++;
	}
	return n ? 0 : pmc_fail(EINVAL, "syswide: none of the CPUs is of a core type with events");
}

static int syswide(pmc_session_t *session, const char *list)
{
	struct perf_session *s = of(session);
	struct cpu_list cpus, online;
	char text[1024];
	int rc;

	if (sysfs_read(text, sizeof(text), SYSFS "/devices/system/cpu/online"))
		return pmc_fail(ENOENT, "cannot read which CPUs are online");
	if (cpu_list_parse(&online, text) || cpu_list_parse(&cpus, *list ? list : text))
		return pmc_fail(EINVAL, "syswide: '%s' is no list of CPUs: write it as 0-3,8", list);
	end_last_run(s);
	if (session_take_buffer(session))
		return -1;
	pthread_mutex_lock(&s->lock);
	rc = prepare(s, 1);
	if (!rc)
		rc = perf_sampler_start(s, session->fd);
	if (!rc) {
		rc = attach_cpus(s, &cpus, &online);
		if (rc)
			forget_subjects(s);
	}
	pthread_mutex_unlock(&s->lock);
	return sample_from_now(s, rc);
}

static int sample(struct perf_session *s)
{
	int i;

	pthread_mutex_lock(&s->lock);
	for (i = 0; i < s->nr_subjects; i++)
		perf_sample(s, &s->subjects[i], PMC_SELF_SAMPLE);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

/* Neither takes memory nor waits for the sampler, which may take some: see the session's lock. */
static int stop(struct perf_session *s)
{
	int i;

	pthread_mutex_lock(&s->lock);
	for (i = 0; i < s->nr_subjects; i++)
		perf_sample_last(s, &s->subjects[i]);
	perf_sampler_quit(s);
	pthread_mutex_unlock(&s->lock);
	s->counting = 0;
	return 0;
}

static int clear(struct perf_session *s)
{
	forget_subjects(s);
	s->nr_sets = 0;
	return 0;
}

static int set_period(struct perf_session *s, uint64_t ns)
{
	if (ns && ns < PERIOD_MIN)
		return pmc_fail(EINVAL, "period: %llu ns is too short, the shortest is 1 ms",
				(unsigned long long)ns);
	if (ns > PERIOD_MAX)
		return pmc_fail(EINVAL, "period: %llu ns is more than a day",
				(unsigned long long)ns);
	s->period = ns;
	return 0;
}

/* Commands that change what is counted: not while the session counts. */
static int configure(struct perf_session *s, const struct perf_command *command)
{
	if (s->counting)
		return pmc_fail(EBUSY, "the session is counting: write 'stop' first");
	end_last_run(s);
	switch (command->verb) {
	case PERF_EVENTS:
		return add_events(s, command->arg);
	case PERF_VIRTUAL:
		return pmc_fail(EOPNOTSUPP, "virtual counters " NEEDS_MODULE, "");
	case PERF_CLEAR:
		return clear(s);
	case PERF_PERIOD:
		return set_period(s, command->value);
	case PERF_FILTER:
		s->filter = command->value;
		return 0;
	case PERF_FOLLOW:
		s->follow = command->value;
		return 0;
	case PERF_ENABLE:
		s->enable = command->value;
		return 0;
	case PERF_RING:
		s->ring = command->value;
		return 0;
	case PERF_NAMES:
		s->names = 1;
		return 0;
	default:
		return pmc_fail(EINVAL, "this command is not known here");
	}
}

static int perf_command(pmc_session_t *session, char *line)
{
	struct perf_session *s = of(session);
	struct perf_command command;

	if (perf_command_parse(&command, line))
		return -1;
	switch (command.verb) {
	case PERF_WAKEUP:	/* each sample wakes the reader */
		return 0;
	case PERF_ATTACH:
	case PERF_ATTACH_THREAD:
		return attach(session, command.value, command.verb == PERF_ATTACH);
	case PERF_DETACH:
	case PERF_DETACH_THREAD:
		return detach(session, command.value);
	case PERF_SYSWIDE:
		return syswide(session, command.arg);
	case PERF_SAMPLE:
		return sample(s);
	case PERF_STOP:
		return stop(s);
	default:
		return configure(s, &command);
	}
}

static int refuse_calling_thread(void)
{
	return pmc_fail(EOPNOTSUPP, "a thread that counts itself " NEEDS_MODULE, "s");
}

static int perf_start(pmc_session_t *session)
{
	(void)session;
	return refuse_calling_thread();
}

static int perf_read(pmc_session_t *session, struct pmc_read *arg)
{
	(void)session;
	(void)arg;
	return refuse_calling_thread();
}

/* What each set has counted, in all; the lock is held. */
static void add_up(struct perf_session *s)
{
	int i, set, n;

	memset(s->sums, 0, s->nr_sets * sizeof(*s->sums));
	for (i = 0; i < s->nr_subjects; i++)
		for (set = 0; set < s->nr_sets; set++) {
			const struct perf_values *last = &s->subjects[i].last[set];

			s->sums[set].enabled += last->enabled;
			s->sums[set].running += last->running;
			for (n = 0; n < s->sets[set].nr; n++)
				s->sums[set].counts[n] += last->counts[n];
		}
}

/* The first set from @from on that is the wanted one; -1: none */
static int find_set(const struct perf_session *s, int from, int core_type, int index)
{
	int i;

	for (i = from; i < s->nr_sets; i++)
		if (s->sets[i].index == index &&
		    (core_type == PMC_EVERY_CORE_TYPE || s->sets[i].core_type == core_type))
			return i;
	return -1;
}

static int no_set(int core_type, int set)
{
	if (core_type == PMC_EVERY_CORE_TYPE)
		return pmc_fail(EINVAL, "no core type has an event set %d", set);
	return pmc_fail(EINVAL, "core type %d has no event set %d", core_type, set);
}

static void add_totals(const struct perf_session *s, int i, struct pmc_totals *arg)
{
	const struct perf_values *sum = &s->sums[i];
	struct accuracy accuracy;
	int n;

	perf_accuracy(s->sets, s->sums, s->nr_sets, i, s->by_cpu, s->slack, &accuracy);
	arg->running += sum->running;
	for (n = 0; n < s->sets[i].nr; n++)
		arg->counts[n] += accuracy.is != PMC_ESTIMATED ? sum->counts[n] :
				  perf_scale(sum->counts[n], sum->running, accuracy.available);
	if (arg->nr_counts < s->sets[i].nr)
		arg->nr_counts = s->sets[i].nr;
}

static int wanted_core_type(unsigned int core_type)
{
	return core_type == PMC_ALL_CORE_TYPES ? PMC_EVERY_CORE_TYPE : (int)core_type;
}

static int perf_totals(pmc_session_t *session, struct pmc_totals *arg)
{
	int core_type = wanted_core_type(arg->core_type), set = arg->set, i;
	struct perf_session *s = of(session);

	i = find_set(s, 0, core_type, set);
	if (i < 0)
		return no_set(core_type, set);
	memset(arg, 0, sizeof(*arg));
	pthread_mutex_lock(&s->lock);
	add_up(s);
	arg->nr_threads = s->nr_subjects;
	for (; i >= 0; i = find_set(s, i + 1, core_type, set))
		add_totals(s, i, arg);
	pthread_mutex_unlock(&s->lock);
	return 0;
}

static void copy_unscaled(const struct perf_session *s, int i, struct pmc_set_counts *set)
{
	const struct perf_values *sum = &s->sums[i];
	struct accuracy accuracy;

	perf_accuracy(s->sets, s->sums, s->nr_sets, i, s->by_cpu, s->slack, &accuracy);
	set->core_type = s->sets[i].core_type;
	set->set = s->sets[i].index;
	set->running = sum->running;
	/* Clocks of sets differ by a little. */
	set->available = accuracy.is == PMC_EXACT ? sum->running : accuracy.available;
	set->nr_counts = s->sets[i].nr;
	memcpy(set->counts, sum->counts, set->nr_counts * sizeof(*set->counts));
}

static int perf_unscaled(pmc_session_t *session, int core_type, struct pmc_set_counts *sets, int nr)
{
	struct perf_session *s = of(session);
	int i, n, rc = 0;

	pthread_mutex_lock(&s->lock);
	add_up(s);
	for (n = 0; n < nr && !rc; n++) {
		i = find_set(s, 0, core_type, n);
		if (i < 0)
			rc = no_set(core_type, n);
		else
			copy_unscaled(s, i, &sets[n]);
	}
	pthread_mutex_unlock(&s->lock);
	return rc;
}

static int perf_placement(pmc_session_t *session, struct pmc_placement *arg)
{
	struct perf_session *s = of(session);
	int i = find_set(s, 0, arg->core_type, arg->set);

	if (arg->core_type >= s->machine->nr_core_types)
		return pmc_fail(EINVAL, "there is no core type %d", arg->core_type);
	arg->nr_sets = nr_sets_of(s, arg->core_type);
	arg->nr_counts = i < 0 ? 0 : s->sets[i].nr;
	if (i >= 0)
		memcpy(arg->slot, s->sets[i].slots, s->sets[i].nr);
	return 0;
}

static int is_incomplete(const struct perf_session *s)
{
	int i;

	for (i = 0; i < s->nr_subjects; i++)
		if (s->subjects[i].incomplete)
			return 1;
	return 0;
}

static void accuracy_of_event(const struct perf_session *s, int i, int event,
			      struct accuracy *accuracy)
{
	perf_accuracy(s->sets, s->sums, s->nr_sets, i, s->by_cpu, s->slack, accuracy);
	if ((is_incomplete(s) || s->sets[i].partial >> event & 1) && accuracy->is == PMC_EXACT)
		accuracy->is = PMC_PARTIAL;
}

static int perf_session_accuracy(pmc_session_t *session, int core_type, int set, int event,
				 struct accuracy *sum)
{
	struct perf_session *s = of(session);
	struct accuracy one;
	int i, found = 0;

	pthread_mutex_lock(&s->lock);
	add_up(s);
	sum->available = 0;
	for (i = find_set(s, 0, core_type, set); i >= 0; i = find_set(s, i + 1, core_type, set)) {
		if (event < 0 || event >= s->sets[i].nr)
			continue;
		accuracy_of_event(s, i, event, &one);
		sum->is = found++ ? accuracy_of_sum(sum->is, one.is) : one.is;
		sum->available += one.available;
	}
	pthread_mutex_unlock(&s->lock);
	return found ? 0 : pmc_fail(EINVAL, "there is no event %d in an event set %d", event, set);
}

static int perf_fits(pmc_session_t *session)
{
	struct perf_session *s = of(session);
	const struct perf_set *set = &s->sets[s->nr_sets - 1];

	return set_fits(set, machine_core_type(s->machine, set->core_type), 0);
}

static uint64_t perf_lost(const pmc_session_t *session)
{
	const struct perf_session *s = session->data;

	return __atomic_load_n(&s->all_lost, __ATOMIC_RELAXED);
}

static uint64_t perf_losses(const pmc_session_t *session)
{
	const struct perf_session *s = session->data;

	return __atomic_load_n(&s->losses, __ATOMIC_RELAXED);
}

static void perf_end(pmc_session_t *session)
{
	stop(of(session));
	perf_sampler_join(of(session));
}

/* In a child of fork() there is no sampler, and its lock may be held for ever. */
static void perf_release(pmc_session_t *session)
{
	struct perf_session *s = of(session);

	forget_subjects(s);
	perf_sampler_end_stream(s);
	free(s->subjects);
	free(s->sets);
	free(s->sums);
	pmc_machine_close(s->machine);
	if (s->wake >= 0)
		close(s->wake);
	free(s);
}

static const struct session_ops perf_session_ops = {
	.command = perf_command,
	.start = perf_start,
	.stop = perf_start,
	.read = perf_read,
	.totals = perf_totals,
	.placement = perf_placement,
	.accuracy = perf_session_accuracy,
	.unscaled = perf_unscaled,
	.fits = perf_fits,
	.lost = perf_lost,
	.losses = perf_losses,
	.at_once = 1,
	.end = perf_end,
	.release = perf_release,
};

static struct perf_session *new_perf_session(void)
{
	struct perf_session *s = calloc(1, sizeof(*s));

	if (!s) {
		pmc_fail_nomem();
		return NULL;
	}
	s->machine = machine_from_sysfs(SYSFS);
	s->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->machine && s->wake >= 0) {
		pthread_mutex_init(&s->lock, NULL);
		sem_init(&s->sampler_has_tid, 0, 0);
		s->filter = FILTER_USER;
		s->out = -1;
		return s;
	}
	if (s->machine)
		pmc_fail(errno, "cannot open a session: %m");
	pmc_machine_close(s->machine);
	if (s->wake >= 0)
		close(s->wake);
	free(s);
	return NULL;
}

/* The session's file becomes the pipe of samples when counting begins. */
pmc_session_t *perf_session_open(void)
{
	struct perf_session *s = new_perf_session();
	pmc_session_t *session;
	int fd;

	if (!s)
		return NULL;
	fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	session = fd < 0 ? NULL : session_new(&perf_session_ops, fd);
	if (session) {
		session->tried_ring = 1;
		session->data = s;
		return session;
	}
	pmc_fail(errno, "cannot open a session: %m");
	if (fd >= 0)
		close(fd);
	close(s->wake);
	pmc_machine_close(s->machine);
	free(s);
	return NULL;
}
