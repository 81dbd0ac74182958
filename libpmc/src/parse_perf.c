// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * perf's form of an event, PMU/TERM,.../MODIFIERS, is put into the library's own:
 * cpu_core/event=0xc0,umask=0x1/u is 0xc0:umask=0x1:u for the core type of the PMU cpu_core.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "event_attr.h"

struct text {
	char *buf;
	size_t size;
	size_t len;
};

static void add(struct text *t, const char *before, const char *text, size_t n)
{
	if (t->len < t->size)
		t->len += snprintf(t->buf + t->len, t->size - t->len, "%s%.*s", before, (int)n, text);
}

/* The value after = in a term of @n bytes, or "" */
static const char *value_of(const char *term, size_t n)
{
	const char *equals = memchr(term, '=', n);

	return equals ? equals + 1 : term + n;
}

/* One term that is not the event itself. 1: added, 0: no such term. */
static int add_term(struct text *t, const char *term, size_t n)
{
	const char *value = value_of(term, n);
	size_t key = value - term - (value > term && value[-1] == '=');
	const struct event_attr *attr = attr_by_perf(term, key);

	if (!attr)
		return 0;
	add(t, ":", attr->name, strlen(attr->name));
	if (term + n > value)
		add(t, "=", value, term + n - value);
	return 1;
}

/* The value of a register: perf's numbers are decimal or 0x.., those of rNNN hexadecimal. */
static int add_register(struct text *t, const char *word, const char *value, size_t len)
{
	char number[24], reg[24];
	uint64_t n;

	snprintf(number, sizeof(number), "%.*s", (int)len, value);
	if (len >= sizeof(number) || parse_number(number, &n))
		return pmc_fail(EINVAL, "'%s': config= takes a number: write 0x.. if it is hexadecimal",
				word);
	snprintf(reg, sizeof(reg), "%llx", (unsigned long long)n);
	add(t, "r", reg, strlen(reg));
	return 1;
}

/*
 * The event itself: event=CODE, config=REGISTER, or a name. 1: added, 0: it is another term, -1:
 * error.
 */
static int add_base(struct text *t, const char *word, const char *term, size_t n)
{
	const char *value = value_of(term, n);
	size_t len = term + n - value;

	if (!strncmp(term, "event=", 6) && len) {
		add(t, "", value, len);
	} else if (!strncmp(term, "config=", 7) && len) {
		return add_register(t, word, value, len);
	} else if (len || value > term + n || memchr(term, '=', n)) {
		return 0;
	} else {
		add(t, "", term, n);
	}
	return 1;
}

static int is_flag(const char *term, size_t n)
{
	const struct event_attr *attr = attr_by_perf(term, n);

	return attr && attr->kind == ATTR_FLAG;
}

static int refuse_term(const char *word, const char *term, size_t n)
{
	char terms[200];

	attr_print_perf(terms, sizeof(terms));
	return pmc_fail(EINVAL, "'%s': '%.*s' is none of event=, config=, %s", word, (int)n, term,
			terms);
}

/* Terms up to the slash: first the event, then all others. */
static int add_terms(struct text *t, const char *word, const char *start, const char *end)
{
	const char *term;
	int pass, rc, nr = 0;
	size_t n;

	for (pass = 0; pass < 2; pass++) {
		for (term = start; term < end; term += n + 1) {
			n = strcspn(term, ",/");
			if (!pass && !is_flag(term, n)) {
				rc = add_base(t, word, term, n);
				if (rc < 0)
					return -1;
				nr += rc;
				continue;
			}
			if (!pass || !strncmp(term, "event=", 6) || !strncmp(term, "config=", 7) ||
			    !strncmp(term, "name=", 5) || (!memchr(term, '=', n) && !is_flag(term, n)))
				continue;
			if (!add_term(t, term, n))
				return refuse_term(word, term, n);
		}
	}
	if (nr != 1)
		return pmc_fail(EINVAL, "'%s': between the slashes there has to be one name of an event, or event=CODE",
				word);
	return 0;
}

/* The modifiers behind the second slash, with or without a colon before them */
static int add_modifiers(struct text *t, const char *word, const char *end)
{
	const char *m = end + (*end == ':');

	/* Modifiers of the library's own may follow after colons. */
	while (*m == 'u' || *m == 'k')
		add(t, ":", m++, 1);
	if (*m && *m != ':')
		return pmc_fail(EINVAL, "'%s': of perf's modifiers there are u and k, not '%s'", word, m);
	add(t, "", m, strlen(m));
	return 0;
}

int parse_perf(const char *word, char *own, size_t size, char *pmu, size_t pmu_size)
{
	const char *start = strchr(word, '/'), *end = start ? strchr(start + 1, '/') : NULL;
	struct text t = { own, size, 0 };

	if (!start)
		return 0;
	if (!end || start == word || (size_t)(start - word) >= pmu_size)
		return pmc_fail(EINVAL, "'%s': perf's form is PMU/TERM,.../, as in cpu_core/event=0xc0,umask=0x0/",
				word);
	snprintf(pmu, pmu_size, "%.*s", (int)(start - word), word);
	*own = '\0';
	if (add_terms(&t, word, start + 1, end) || add_modifiers(&t, word, end + 1))
		return -1;
	if (t.len >= size)
		return pmc_fail(EINVAL, "the event '%.20s...' is too long", word);
	return 1;
}
