// SPDX-License-Identifier: GPL-2.0
/*
 * pmdapmctrack: Performance Co-Pilot's agent for pmctrack. It starts pmctrack openmetrics, and answers
 * PCP's collector, pmcd, with the values of the latest text that is whole.
 */
#include <pcp/pmapi.h>
#include <pcp/pmda.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "domain.h"
#include "parse_openmetrics.h"

#define LAST_LINE "# EOF\n"
#define HELP_FILE "help"

/**
 * struct values - those of a text
 * @all: by their order in it
 * @nr: how many
 * @size: the room in @all
 */
struct values {
	struct value *all;
	int nr, size;
};

/* The latest whole text, which the thread that reads replaces, and whether it is new */
static struct values latest;
static int is_new;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The values that PCP's instances point to */
static struct values shown;
static const struct value *single[NR_FAMILIES];

static pmdaIndom domains[] = {
	{ FAMILY_EVENTS, 0, NULL }, { FAMILY_COUNTED, 0, NULL }, { FAMILY_METRIC, 0, NULL },
	{ FAMILY_VIRTUAL_COUNT, 0, NULL }, { FAMILY_VIRTUAL_LEVEL, 0, NULL },
	{ FAMILY_THREAD_TIME, 0, NULL }, { FAMILY_THREAD_COUNTED, 0, NULL },
	{ FAMILY_THREAD_EVENTS, 0, NULL }, { FAMILY_THREAD_METRIC, 0, NULL }, { FAMILY_THREADS, 0, NULL },
};

/* Clusters of metrics: those of families, by their number, and that of the process of a thread */
enum { OF_FAMILIES, OF_PROCESSES };

/* An instance that has no value for so many seconds is forgotten, and may have another number later. */
#define FORGET_AFTER 600

#define NR_DOMAINS ((int)(sizeof(domains) / sizeof(domains[0])))
#define METRIC(family, type, domain, semantics, ...) \
	{ NULL, { PMDA_PMID(OF_FAMILIES, family), type, domain, semantics, PMDA_PMUNITS(__VA_ARGS__) } }

/* The first ones are in the order of families. */
static pmdaMetric metrics[] = {
	METRIC(FAMILY_EVENTS, PM_TYPE_U64, FAMILY_EVENTS, PM_SEM_COUNTER, 0, 0, 1, 0, 0, PM_COUNT_ONE),
	METRIC(FAMILY_COUNTED, PM_TYPE_DOUBLE, FAMILY_COUNTED, PM_SEM_COUNTER, 0, 1, 0, 0, PM_TIME_SEC, 0),
	METRIC(FAMILY_METRIC, PM_TYPE_DOUBLE, FAMILY_METRIC, PM_SEM_INSTANT, 0, 0, 0, 0, 0, 0),
	METRIC(FAMILY_VIRTUAL_COUNT, PM_TYPE_DOUBLE, FAMILY_VIRTUAL_COUNT, PM_SEM_COUNTER, 0, 0, 0, 0, 0, 0),
	METRIC(FAMILY_VIRTUAL_LEVEL, PM_TYPE_DOUBLE, FAMILY_VIRTUAL_LEVEL, PM_SEM_INSTANT, 0, 0, 0, 0, 0, 0),
	METRIC(FAMILY_INTERVAL, PM_TYPE_DOUBLE, PM_INDOM_NULL, PM_SEM_INSTANT, 0, 1, 0, 0, PM_TIME_SEC, 0),
	METRIC(FAMILY_LOST, PM_TYPE_U64, PM_INDOM_NULL, PM_SEM_COUNTER, 0, 0, 1, 0, 0, PM_COUNT_ONE),
	METRIC(FAMILY_THREAD_TIME, PM_TYPE_DOUBLE, FAMILY_THREAD_TIME, PM_SEM_COUNTER, 0, 1, 0, 0, PM_TIME_SEC, 0),
	METRIC(FAMILY_THREAD_COUNTED, PM_TYPE_DOUBLE, FAMILY_THREAD_COUNTED, PM_SEM_COUNTER, 0, 1, 0, 0, PM_TIME_SEC, 0),
	METRIC(FAMILY_THREAD_EVENTS, PM_TYPE_U64, FAMILY_THREAD_EVENTS, PM_SEM_COUNTER, 0, 0, 1, 0, 0, PM_COUNT_ONE),
	METRIC(FAMILY_THREAD_METRIC, PM_TYPE_DOUBLE, FAMILY_THREAD_METRIC, PM_SEM_INSTANT, 0, 0, 0, 0, 0, 0),
	METRIC(FAMILY_THREADS, PM_TYPE_U64, FAMILY_THREADS, PM_SEM_INSTANT, 0, 0, 1, 0, 0, PM_COUNT_ONE),
	METRIC(FAMILY_THREADS_LOST, PM_TYPE_U64, PM_INDOM_NULL, PM_SEM_COUNTER, 0, 0, 1, 0, 0, PM_COUNT_ONE),
	{ NULL, { PMDA_PMID(OF_PROCESSES, 0), PM_TYPE_U32, FAMILY_THREAD_TIME, PM_SEM_DISCRETE, PMDA_PMUNITS(0, 0, 0, 0, 0, 0) } },
};

#define NR_METRICS ((int)(sizeof(metrics) / sizeof(metrics[0])))

/* ---- Texts ---- */

static void add(struct values *values, const struct value *v)
{
	struct value *all;
	int size = values->size ? 2 * values->size : 64;

	if (values->nr == values->size) {
		all = realloc(values->all, size * sizeof(*all));
		if (!all) {
			fprintf(stderr, "pmdapmctrack: no memory for %d values\n", size);
			_exit(1);
		}
		values->all = all;
		values->size = size;
	}
	values->all[values->nr++] = *v;
}

/* Take text after text. pmcd starts the agent again when pmctrack, and with it the agent, has ended. */
static void *read_texts(void *of)
{
	struct values values = { 0 }, old;
	FILE *f = of;
	char *line = NULL;
	size_t size = 0;
	struct value v;

	while (getline(&line, &size, f) > 0) {
		if (text_parse(line, &v))
			add(&values, &v);
		if (strcmp(line, LAST_LINE))
			continue;
		pthread_mutex_lock(&lock);
		old = latest;
		latest = values;
		is_new = 1;
		pthread_mutex_unlock(&lock);
		values = old;
		values.nr = 0;
	}
	fprintf(stderr, "pmdapmctrack: pmctrack openmetrics has ended: its messages are above\n");
	_exit(1);
}

/* Start a program, whose output a thread reads. Return: 0 or -1 */
static int start(char **words)
{
	pthread_t thread;
	int pipe_ends[2];
	FILE *f;

	if (pipe2(pipe_ends, O_CLOEXEC))
		return -1;
	switch (fork()) {
	case -1:
		return -1;
	case 0:
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		dup2(pipe_ends[1], STDOUT_FILENO);
		execvp(words[0], words);
		fprintf(stderr, "pmdapmctrack: cannot run %s: %s\n", words[0], osstrerror());
		_exit(127);
	}
	close(pipe_ends[1]);
	f = fdopen(pipe_ends[0], "r");
	return f ? pthread_create(&thread, NULL, read_texts, f) : -1;
}

/* ---- Answers ---- */

/* A thread that has changed its name, or the next one with its number, is another instance. */
static void forget_same_thread(pmInDom domain, const struct value *v)
{
	char number[sizeof(v->instance)], *name;
	int id;

	snprintf(number, sizeof(number), "%.*s", (int)strcspn(v->instance, " "), v->instance);
	if (pmdaCacheLookupName(domain, number, &id, NULL) < 0 || pmdaCacheLookup(domain, id, &name, NULL) < 0)
		return;
	name = strdup(name);
	if (name)
		pmdaCacheStore(domain, PMDA_CACHE_CULL, name, NULL);
	free(name);
}

static void store(pmInDom domain, const struct value *v)
{
	if (pmdaCacheStore(domain, PMDA_CACHE_ADD, v->instance, (void *)v) >= 0)
		return;
	forget_same_thread(domain, v);
	pmdaCacheStore(domain, PMDA_CACHE_ADD, v->instance, (void *)v);
}

/* An instance for each value; those of earlier texts that are not in this one have no value. */
static void show(void)
{
	const struct value *v;
	pmInDom domain;
	int i;

	for (i = 0; i < NR_DOMAINS; i++)
		pmdaCacheOp(domains[i].it_indom, PMDA_CACHE_INACTIVE);
	memset(single, 0, sizeof(single));
	for (v = shown.all; v < shown.all + shown.nr; v++) {
		domain = metrics[v->family].m_desc.indom;
		if (domain == PM_INDOM_NULL)
			single[v->family] = v;
		else
			store(domain, v);
	}
	for (i = 0; i < NR_DOMAINS; i++)
		pmdaCachePurge(domains[i].it_indom, FORGET_AFTER);
}

static void take_latest(void)
{
	struct values old;
	int has_new;

	pthread_mutex_lock(&lock);
	has_new = is_new;
	if (has_new) {
		old = shown;
		shown = latest;
		latest = old;
		is_new = 0;
	}
	pthread_mutex_unlock(&lock);
	if (has_new)
		show();
}

static int fetch(int nr, pmID *ids, pmResult **result, pmdaExt *pmda)
{
	take_latest();
	return pmdaFetch(nr, ids, result, pmda);
}

static int instance(pmInDom domain, int id, char *name, pmInResult **result, pmdaExt *pmda)
{
	take_latest();
	return pmdaInstance(domain, id, name, result, pmda);
}

static int fetch_value(pmdaMetric *metric, unsigned int id, pmAtomValue *atom)
{
	unsigned int cluster = pmID_cluster(metric->m_desc.pmid), family = pmID_item(metric->m_desc.pmid);
	const struct value *v = NULL;
	void *found = NULL;

	if (cluster > OF_PROCESSES || family >= NR_FAMILIES)
		return PM_ERR_PMID;
	if (metric->m_desc.indom == PM_INDOM_NULL)
		v = single[family];
	else if (pmdaCacheLookup(metric->m_desc.indom, id, NULL, &found) == PMDA_CACHE_ACTIVE)
		v = found;
	if (!v)
		return PMDA_FETCH_NOVALUES;
	if (cluster == OF_PROCESSES)
		atom->ul = v->pid;
	else if (metric->m_desc.type == PM_TYPE_U64)
		atom->ull = v->count;
	else
		atom->d = v->number;
	return PMDA_FETCH_STATIC;
}

static pmLongOptions long_options[] = {
	PMDA_OPTIONS_HEADER("Options"),
	PMOPT_DEBUG,
	PMDAOPT_DOMAIN,
	PMDAOPT_LOGFILE,
	PMOPT_HELP,
	PMDA_OPTIONS_TEXT("\nBehind them is the command that writes texts: default pmctrack openmetrics -d 1"),
	PMDA_OPTIONS_END
};

static pmdaOptions options = {
	.flags = PM_OPTFLAG_POSIX,
	.short_options = "D:d:l:?",
	.long_options = long_options,
};

int main(int argc, char **argv)
{
	static char *usual[] = { "pmctrack", "openmetrics", "-d", "1", NULL };
	pmdaInterface interface;
	char help[MAXPATHLEN];

	pmSetProgname(argv[0]);
	pmsprintf(help, sizeof(help), "%s/pmctrack/" HELP_FILE, pmGetConfig("PCP_PMDAS_DIR"));
	pmdaDaemon(&interface, PMDA_INTERFACE_7, pmGetProgname(), PMCTRACK, "pmctrack.log", help);
	pmdaGetOptions(argc, argv, &options, &interface);
	if (options.errors) {
		pmdaUsageMessage(&options);
		return 1;
	}
	pmdaOpenLog(&interface);
	if (start(options.optind < argc ? argv + options.optind : usual)) {
		fprintf(stderr, "pmdapmctrack: cannot start the command: %s\n", osstrerror());
		return 1;
	}
	pmdaConnect(&interface);
	interface.version.seven.fetch = fetch;
	interface.version.seven.instance = instance;
	pmdaSetFetchCallBack(&interface, fetch_value);
	pmdaInit(&interface, domains, NR_DOMAINS, metrics, NR_METRICS);
	pmdaMain(&interface);
	return 0;
}
