// SPDX-License-Identifier: LGPL-2.1-or-later
/* Commands of the session protocol, for sessions without the kernel module. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "perf_protocol.h"
#include "perf_set.h"

enum kind {
	NOTHING,
	TEXT,		/* something */
	MAYBE_TEXT,
	TIME,
	NUMBER,
	CHOICE,
};

struct choice {
	const char *name;
	unsigned int value;
};

static const struct choice filters[] = {
	{ "user", FILTER_USER }, { "kernel", FILTER_KERNEL }, { "all", FILTER_USER | FILTER_KERNEL }, { 0 },
};

static const struct choice follows[] = {
	{ "none", FOLLOW_NONE }, { "threads", FOLLOW_THREADS }, { "children", FOLLOW_CHILDREN }, { 0 },
};

static const struct choice enables[] = {
	{ "now", ENABLE_NOW }, { "exec", ENABLE_EXEC }, { 0 },
};

static const struct verb {
	const char *name;
	enum kind kind;
	const char *example;
	const struct choice *choices;
} verbs[] = {
	[PERF_EVENTS] = { "events", TEXT, "events ev=0x8", NULL },
	[PERF_VIRTUAL] = { "virtual", TEXT, "virtual energy_pkg", NULL },
	[PERF_PERIOD] = { "period", TIME, "period 100ms", NULL },
	[PERF_FILTER] = { "filter", CHOICE, "filter user", filters },
	[PERF_FOLLOW] = { "follow", CHOICE, "follow children", follows },
	[PERF_ENABLE] = { "enable", CHOICE, "enable exec", enables },
	[PERF_RING] = { "ring", NUMBER, "ring 1024", NULL },
	[PERF_NAMES] = { "names", NOTHING, "names", NULL },
	[PERF_WAKEUP] = { "wakeup", NUMBER, "wakeup 1", NULL },
	[PERF_ATTACH] = { "attach", NUMBER, "attach 1234", NULL },
	[PERF_ATTACH_THREAD] = { "attach-thread", NUMBER, "attach-thread 1234", NULL },
	[PERF_DETACH] = { "detach", NUMBER, "detach 1234", NULL },
	[PERF_DETACH_THREAD] = { "detach-thread", NUMBER, "detach-thread 1234", NULL },
	[PERF_SYSWIDE] = { "syswide", MAYBE_TEXT, "syswide 0-3", NULL },
	[PERF_SAMPLE] = { "sample", NOTHING, "sample", NULL },
	[PERF_STOP] = { "stop", NOTHING, "stop", NULL },
	[PERF_CLEAR] = { "clear", NOTHING, "clear", NULL },
};

static const struct choice units[] = {
	{ "ns", 1 }, { "us", 1000 }, { "ms", 1000 * 1000 }, { "s", 1000 * 1000 * 1000 }, { 0 },
};

static const struct choice *find_choice(const struct choice *choices, const char *name)
{
	for (; choices->name; choices++)
		if (!strcmp(choices->name, name))
			return choices;
	return NULL;
}

/* The unit behind the digits */
static const char *unit_text(const char *text)
{
	return text + strspn(text, ".0123456789");
}

static int bad_time(const char *text)
{
	return pmc_fail(EINVAL, "time '%s': write it as 100ms, 0.5s or 2000us", text);
}

/* 100ms, 0.5s; a plain 0 needs no unit. */
static int parse_time(struct perf_command *command)
{
	const char *text = command->arg;
	const struct choice *unit;
	uint64_t scale, sum;
	char *end;

	if (!isdigit((unsigned char)*text))
		return bad_time(text);
	errno = 0;
	sum = strtoull(text, &end, 10);
	unit = find_choice(units, unit_text(text));
	if (!unit && strcmp(text, "0"))
		return bad_time(text);
	scale = unit ? unit->value : 1;
	if (errno || sum > INT64_MAX / scale)
		return pmc_fail(EINVAL, "time '%s' is too long", text);
	sum *= scale;
	if (*end == '.')
		for (end++; isdigit((unsigned char)*end); end++) {
			scale /= 10;
			sum += (*end - '0') * scale;
		}
	if (unit && end != unit_text(text))
		return bad_time(text);
	command->value = sum;
	return 0;
}

static int parse_value(struct perf_command *command, const struct verb *verb)
{
	const struct choice *choice;

	switch (verb->kind) {
	case TIME:
		return parse_time(command);
	case NUMBER:
		if (!parse_number(command->arg, &command->value) && command->value &&
		    command->value <= INT_MAX)
			return 0;
		return pmc_fail(EINVAL, "%s: '%s' is not a number from 1 to %d, as in '%s'", verb->name,
				command->arg, INT_MAX, verb->example);
	case CHOICE:
		choice = find_choice(verb->choices, command->arg);
		if (!choice)
			return pmc_fail(EINVAL, "%s: '%s' is not one of its words, as in '%s'",
					verb->name, command->arg, verb->example);
		command->value = choice->value;
		return 0;
	case NOTHING:
	case TEXT:
	case MAYBE_TEXT:
		break;
	}
	return 0;
}

int perf_command_parse(struct perf_command *command, char *line)
{
	char *word = line + strspn(line, " \t"), *end;
	size_t len = strcspn(word, " \t"), i;

	command->arg = word + len + strspn(word + len, " \t");
	word[len] = '\0';
	for (end = command->arg + strlen(command->arg);
	     end > command->arg && isspace((unsigned char)end[-1]); end--)
		end[-1] = '\0';
	for (i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
		if (strcmp(verbs[i].name, word))
			continue;
		command->verb = i;
		command->value = 0;
		if (*command->arg && verbs[i].kind == NOTHING)
			return pmc_fail(EINVAL, "%s takes no argument", word);
		if (!*command->arg && verbs[i].kind != NOTHING && verbs[i].kind != MAYBE_TEXT)
			return pmc_fail(EINVAL, "%s needs an argument, as in '%s'", word,
					verbs[i].example);
		return parse_value(command, &verbs[i]);
	}
	return pmc_fail(EINVAL, "there is no command '%s'", word);
}
