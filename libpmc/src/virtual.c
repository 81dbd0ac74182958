// SPDX-License-Identifier: LGPL-2.1-or-later
/* Virtual counters and the monitoring modules they come from. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "proc.h"
#include "session.h"
#include "suggest.h"
#include "virtual.h"

struct pmc_virtuals {
	int nr_virtuals;
	struct pmc_virtual_info *virtuals;
	int nr_modules;
	struct pmc_module_info *modules;
	char *texts[2];		/* hold all strings of the list */
};

/* Take the next word off the front of a line; NULL at its end. */
static char *word(char **line)
{
	char *w = *line;

	while (*w == ' ')
		w++;
	if (!*w)
		return NULL;
	*line = w + strcspn(w, " ");
	if (**line)
		*(*line)++ = '\0';
	return w;
}

static unsigned int parse_flags(char *text)
{
	static const struct {
		const char *name;
		unsigned int flag;
	} names[] = {
		{ "estimated", PMC_VIRTUAL_ESTIMATED },
		{ "unprivileged", PMC_VIRTUAL_UNPRIVILEGED },
		{ "shared", PMC_VIRTUAL_SHARED },
		{ "syswide", PMC_VIRTUAL_SYSWIDE },
		{ "threads", PMC_VIRTUAL_THREADS },
	};
	unsigned int flags = 0;
	char *name, *save;
	size_t i;

	for (name = strtok_r(text, ",", &save); name; name = strtok_r(NULL, ",", &save))
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (!strcmp(name, names[i].name))
				flags |= names[i].flag;
	return flags;
}

/* energy_core energy count uJ 1 syswide,shared energy of the cores */
static int parse_virtual(pmc_virtuals_t *list, char *line)
{
	char *name = word(&line), *module = word(&line), *kind = word(&line), *unit = word(&line);
	char *scale = word(&line), *flags = word(&line);
	struct pmc_virtual_info *all, *v;

	if (!flags)
		return pmc_fail(EPROTO, "a virtual counter lacks a field");
	all = realloc(list->virtuals, (list->nr_virtuals + 1) * sizeof(*all));
	if (!all)
		return pmc_fail_nomem();
	list->virtuals = all;
	v = &all[list->nr_virtuals];
	v->name = name;
	v->module = module;
	v->unit = strcmp(unit, "-") ? unit : "";
	v->kind = !strcmp(kind, "count") ? PMC_VIRTUAL_COUNT :
		  !strcmp(kind, "ratio") ? PMC_VIRTUAL_RATIO : PMC_VIRTUAL_LEVEL;
	v->scale = strtoul(scale, NULL, 0);
	v->flags = parse_flags(flags);
	v->desc = line + strspn(line, " ");
	if (!v->scale)
		return pmc_fail(EPROTO, "virtual counter %s has scale '%s'", name, scale);
	list->nr_virtuals++;
	return 0;
}

/* 1 active 2 energy energy of packages, from the processor's own meters */
static int parse_module(pmc_virtuals_t *list, char *line)
{
	char *id = word(&line), *state = word(&line), *users = word(&line), *name = word(&line);
	struct pmc_module_info *all, *m;

	if (!id || !name)
		return pmc_fail(EPROTO, "a monitoring module lacks a field");
	all = realloc(list->modules, (list->nr_modules + 1) * sizeof(*all));
	if (!all)
		return pmc_fail_nomem();
	list->modules = all;
	m = &all[list->nr_modules++];
	m->name = name;
	m->desc = line + strspn(line, " ");
	m->active = !strcmp(state, "active");
	m->users = strtol(users, NULL, 0);
	return 0;
}

static int parse_text(pmc_virtuals_t *list, char *text,
		      int (*parse)(pmc_virtuals_t *list, char *line))
{
	char *line, *save;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		if (*line != '#' && parse(list, line))
			return -1;
	return 0;
}

static int load(pmc_virtuals_t *list, int n, const char *file,
		int (*parse)(pmc_virtuals_t *list, char *line))
{
	list->texts[n] = proc_read(file);
	if (!list->texts[n])
		return -1;
	if (!parse_text(list, list->texts[n], parse))
		return 0;
	if (errno == EPROTO)
		pmc_fail(EPROTO, "cannot understand /proc/pmc/%s: %s; are the kernel module and the library of the same version?",
			 file, pmc_last_error());
	return -1;
}

pmc_virtuals_t *pmc_virtuals_open(void)
{
	pmc_virtuals_t *list = calloc(1, sizeof(*list));

	if (!list) {
		pmc_fail_nomem();
		return NULL;
	}
	if (!load(list, 0, "virtual", parse_virtual) &&
	    !load(list, 1, "mm_manager", parse_module))
		return list;
	pmc_virtuals_close(list);
	return NULL;
}

void pmc_virtuals_close(pmc_virtuals_t *list)
{
	int err = errno;

	if (!list)
		return;
	free(list->virtuals);
	free(list->modules);
	free(list->texts[0]);
	free(list->texts[1]);
	free(list);
	errno = err;
}

const struct pmc_virtual_info *pmc_virtuals_get(const pmc_virtuals_t *list, int n)
{
	return n >= 0 && n < list->nr_virtuals ? &list->virtuals[n] : NULL;
}

const struct pmc_module_info *pmc_virtuals_module(const pmc_virtuals_t *list, int n)
{
	return n >= 0 && n < list->nr_modules ? &list->modules[n] : NULL;
}

/* For a virtual counter of an inactive module the kernel's error says how to activate it. */
static int of_inactive(const char *name)
{
	pmc_session_t *session;
	int err;

	if (name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")])
		return 0;
	session = kernel_session_open();
	if (!session)
		return 0;
	err = pmc_session_command(session, "virtual %s", name) ? errno : 0;
	pmc_session_close(session);
	return err == ENODEV;
}

/* Is one the beginning of the other, as freq and frequency, energy and energy_core? */
static int begins_like(const char *a, const char *b)
{
	size_t m = strlen(a), n = strlen(b), len = m < n ? m : n;

	return len > 2 && !strncmp(a, b, len);
}

static int unknown(const pmc_virtuals_t *list, const char *name)
{
	struct nearest nearest = { .name = name };
	char text[ERROR_LINE / 2];
	int i;

	if (of_inactive(name))
		return -1;
	for (i = 0; i < list->nr_virtuals; i++) {
		if (begins_like(list->virtuals[i].name, name))
			nearest_put(&nearest, list->virtuals[i].name);
		else
			nearest_add(&nearest, list->virtuals[i].name);
	}
	nearest_print(&nearest, text, sizeof(text));
	if (*text)
		return pmc_fail(ENOENT, "no virtual counter '%s'%s", name, text);
	if (!list->nr_modules)
		return pmc_fail(ENOENT, "no virtual counter '%s': no monitoring module is loaded; `pmc-events -V` says how to load one",
				name);
	return pmc_fail(ENOENT, "no virtual counter '%s' in any monitoring module; `pmc-events -V` lists those of the active ones",
			name);
}

const struct pmc_virtual_info *pmc_virtuals_find(const pmc_virtuals_t *list, const char *name)
{
	uint64_t n;
	int i;

	for (i = 0; i < list->nr_virtuals; i++)
		if (!strcmp(list->virtuals[i].name, name))
			return &list->virtuals[i];
	/* PMCTrack's raw form */
	if (!strncmp(name, "virt", 4) && !parse_number(name + 4, &n) &&
	    n < (uint64_t)list->nr_virtuals)
		return &list->virtuals[n];
	unknown(list, name);
	return NULL;
}

int virtual_is_known(const char *name)
{
	pmc_virtuals_t *list = pmc_virtuals_open();
	int i, known = 0;

	for (i = 0; list && i < list->nr_virtuals && !known; i++)
		known = !strcmp(list->virtuals[i].name, name);
	if (list && !known)
		known = of_inactive(name);
	pmc_virtuals_close(list);
	return known;
}

int virtual_number(const pmc_virtuals_t *list, const struct pmc_virtual_info *v)
{
	return v - list->virtuals;
}

void pmc_virtual_label(const struct pmc_virtual_info *v, char *buf, size_t size)
{
	snprintf(buf, size, *v->unit ? "%s%s[%s]" : "%s%s",
		 v->flags & PMC_VIRTUAL_ESTIMATED ? "~" : "", v->name, v->unit);
}

void pmc_virtual_format(const struct pmc_virtual_info *v, uint64_t value, char *buf, size_t size)
{
	uint64_t rest = value % v->scale, power = 1;
	int digits = 0;

	/* Enough digits to tell neighbouring values apart; at most 9, to avoid an overflow */
	for (; power < v->scale && digits < 9; power *= 10)
		digits++;
	if (value == PMC_NO_VALUE)
		snprintf(buf, size, "-");
	else if (!digits)
		snprintf(buf, size, "%llu", (unsigned long long)value);
	else
		snprintf(buf, size, "%llu.%0*llu", (unsigned long long)(value / v->scale), digits,
			 (unsigned long long)(rest * power / v->scale));
}

double pmc_virtual_value(const struct pmc_virtual_info *v, uint64_t value)
{
	return value == PMC_NO_VALUE ? NAN : (double)value / v->scale;
}
