// SPDX-License-Identifier: GPL-2.0
/*
 * Command lines of a session, from text to values.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/overflow.h>
#include <linux/string.h>

#include "base/err.h"
#include "base/parse_command.h"
#include "base/tokenize.h"

enum arg_kind {
	ARG_NONE,
	ARG_TEXT,		/* anything, but something */
	ARG_OPTIONAL_TEXT,
	ARG_TIME,
	ARG_COUNT,
	ARG_ID,
	ARG_FILTER,
	ARG_FOLLOW,
	ARG_ENABLE,
};

static const char *const verb_names[] = {
#define PMC_COMMAND(verb, word, ...) \
	[PMC_CMD_##verb] = word,
#include "base/command_rows.h"
};

/* The argument of each verb, and an example. */
static const struct {
	const char *name;
	enum arg_kind kind;
	const char *example;
} verbs[] = {
#define PMC_COMMAND(verb, word, kind, example) \
	[PMC_CMD_##verb] = { word, ARG_##kind, example },
#include "base/command_rows.h"
};

static const char *const filter_names[] = {
	[PMC_FILTER_USER] = "user",
	[PMC_FILTER_KERNEL] = "kernel",
	[PMC_FILTER_USER | PMC_FILTER_KERNEL] = "all",
};

static const char *const follow_names[] = {
	[PMC_FOLLOW_NONE] = "none",
	[PMC_FOLLOW_THREADS] = "threads",
	[PMC_FOLLOW_CHILDREN] = "children",
};

static const char *const enable_names[] = {
	[PMC_ENABLE_NOW] = "now",
	[PMC_ENABLE_EXEC] = "exec",
};

static int err_time(struct pmc_err *err, const char *text, size_t len,
		    const char *wrong)
{
	struct pmc_quoted q;

	return pmc_err(err, -EINVAL,
		       "time %s %s: write it as 100ms, 0.5s or 2000us",
		       pmc_quote(&q, text, len), wrong);
}

/* Nanoseconds in a unit, 0 when there is no such unit. */
static u64 unit_ns(struct pmc_tok unit)
{
	if (pmc_tok_is(unit, "ns"))
		return 1;
	if (pmc_tok_is(unit, "us"))
		return 1000;
	if (pmc_tok_is(unit, "ms"))
		return 1000 * 1000;
	if (pmc_tok_is(unit, "s"))
		return 1000 * 1000 * 1000;

	return 0;
}

static size_t count_digits(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && isdigit(text[n]))
		n++;

	return n;
}

/**
 * pmc_parse_time() - read a time with its unit
 * @text: digits, perhaps a point and digits, and ns, us, ms or s; a plain 0
 *	needs no unit
 * @len: length of @text in bytes
 * @ns: out: the time in ns, at most S64_MAX as for ktime_t; untouched on error
 * @err: out: on error, what was wrong
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_parse_time(const char *text, size_t len, u64 *ns, struct pmc_err *err)
{
	size_t whole = count_digits(text, len), point = 0, i;
	struct pmc_tok unit;
	u64 scale, sum;
	int ret;

	if (!whole)
		return err_time(err, text, len, "is no number with a unit");
	if (whole < len && text[whole] == '.') {
		point = 1 + count_digits(text + whole + 1, len - whole - 1);
		if (point == 1)
			return err_time(err, text, len,
					"has no digit behind the point");
	}

	unit.text = text + whole + point;
	unit.len = len - whole - point;
	ret = pmc_parse_number(text, whole, &sum);
	if (!ret && !sum && !point && !unit.len) {
		*ns = 0;
		return 0;
	}
	scale = unit_ns(unit);
	if (!scale)
		return err_time(err, text, len,
				"needs one of the units ns, us, ms, s");
	if (ret || check_mul_overflow(sum, scale, &sum))
		return err_time(err, text, len, "is too long");

	for (i = 1; i < point; i++) {
		unsigned int digit = text[whole + i] - '0';

		scale /= 10;
		if (digit && !scale)
			return err_time(err, text, len,
					"is finer than a nanosecond");
		if (check_add_overflow(sum, digit * scale, &sum))
			return err_time(err, text, len, "is too long");
	}
	if (sum > S64_MAX)
		return err_time(err, text, len, "is too long");

	*ns = sum;
	return 0;
}

static int get_count(struct pmc_command *cmd, u64 max, struct pmc_err *err)
{
	const char *verb = verbs[cmd->verb].name;
	struct pmc_quoted q;
	u64 value;

	if (pmc_parse_number(cmd->arg, cmd->arg_len, &value) || !value ||
	    value > max)
		return pmc_err(err, -EINVAL,
			       "%s: %s is not a number from 1 to %llu, as in '%s'",
			       verb, pmc_quote(&q, cmd->arg, cmd->arg_len),
			       (unsigned long long)max,
			       verbs[cmd->verb].example);

	cmd->value = value;
	return 0;
}

static int get_choice(struct pmc_command *cmd, const char *const *names,
		      unsigned int nr, struct pmc_err *err)
{
	int i = pmc_name_index(names, nr, cmd->arg, cmd->arg_len);

	if (i < 0)
		return pmc_err_choice(err, verbs[cmd->verb].name, cmd->arg,
				      cmd->arg_len, names, nr);

	cmd->value = i;
	return 0;
}

static int get_arg(struct pmc_command *cmd, enum arg_kind kind,
		   struct pmc_err *err)
{
	switch (kind) {
	case ARG_TIME:
		return pmc_parse_time(cmd->arg, cmd->arg_len, &cmd->value, err);
	case ARG_COUNT:
		return get_count(cmd, U32_MAX, err);
	case ARG_ID:
		return get_count(cmd, INT_MAX, err);
	case ARG_FILTER:
		return get_choice(cmd, filter_names, ARRAY_SIZE(filter_names),
				  err);
	case ARG_FOLLOW:
		return get_choice(cmd, follow_names, ARRAY_SIZE(follow_names),
				  err);
	case ARG_ENABLE:
		return get_choice(cmd, enable_names, ARRAY_SIZE(enable_names),
				  err);
	case ARG_NONE:
	case ARG_TEXT:
	case ARG_OPTIONAL_TEXT:
		break;
	}

	return 0;
}

/**
 * pmc_parse_command() - understand one line written to a session
 * @line: the line, ended by a zero, without newline. It is written to: the
 *	argument is ended by a zero in place
 * @cmd: out: the command; points into @line. PMC_CMD_NONE for an empty line
 * @err: out: on error, what was wrong and what is right
 *
 * The text of an event set or a CPU list is left for its own parser.
 *
 * Context: any but NMI.
 * Return: 0 or -EINVAL.
 */
int pmc_parse_command(char *line, struct pmc_command *cmd, struct pmc_err *err)
{
	char *verb = line + strspn(line, " \t\r\n\v\f");
	size_t len = strcspn(verb, " \t\r\n\v\f");
	enum arg_kind kind;
	struct pmc_tok arg;
	int i;

	arg.text = verb + len;
	arg.len = strlen(arg.text);
	arg = pmc_tok_trim(arg);

	cmd->verb = PMC_CMD_NONE;
	cmd->arg = line + (arg.text - line);
	cmd->arg_len = arg.len;
	cmd->arg[arg.len] = '\0';
	cmd->value = 0;
	if (!len)
		return 0;

	i = pmc_name_index(verb_names, ARRAY_SIZE(verb_names), verb, len);
	if (i < 0)
		return pmc_err_choice(err, "command", verb, len, verb_names,
				      ARRAY_SIZE(verb_names));

	kind = verbs[i].kind;
	if (arg.len && kind == ARG_NONE)
		return pmc_err(err, -EINVAL, "%s takes no argument",
			       verbs[i].name);
	if (!arg.len && kind != ARG_NONE && kind != ARG_OPTIONAL_TEXT)
		return pmc_err(err, -EINVAL, "%s needs an argument, as in '%s'",
			       verbs[i].name, verbs[i].example);

	cmd->verb = i;
	return get_arg(cmd, kind, err);
}
