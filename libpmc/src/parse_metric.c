// SPDX-License-Identifier: LGPL-2.1-or-later
/* The text of a metric's definition, as users write it: NAME[FORMAT UNIT]=EXPRESSION. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "error.h"
#include "metric_defs.h"

static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	for (end = text + strlen(text); end > text && isspace((unsigned char)end[-1]); end--)
		;
	*end = '\0';
	return text;
}

static int is_name(const char *name)
{
	const char *p;

	if (!isalpha((unsigned char)*name) && *name != '_')
		return 0;
	for (p = name; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.-", *p))
			return 0;
	return 1;
}

/* %.2f and a unit, one of them, or nothing */
static int parse_brackets(struct metric_def *def, char *text)
{
	text = trim(text);
	if (*text == '%' && text[1] == '.') {
		if (!isdigit((unsigned char)text[2]) || text[3] != 'f')
			return pmc_fail(EINVAL, "metric '%s': the format '%s' is not of the form %%.2f",
					def->name, text);
		def->digits = text[2] - '0';
		text += 4;
	}
	def->unit = trim(text);
	return 0;
}

int metric_def_parse(struct metric_def *def, char *text)
{
	char *equals, *open, *end;

	memset(def, 0, sizeof(*def));
	def->unit = "";
	def->groups = "";
	def->source = "";
	def->scale = 1;
	def->digits = METRIC_DIGITS;
	open = text + strcspn(text, "[=");
	end = *open == '[' ? strchr(open, ']') : open;
	if (!end)
		return pmc_fail(EINVAL, "'%.200s': ] is missing", text);
	equals = end + strcspn(end, "=");
	if (!*equals)
		return pmc_fail(EINVAL, "'%.200s' is not of the form NAME=EXPRESSION", text);
	*equals = '\0';
	if (*open == '[') {
		*open = '\0';
		*end = '\0';
		if (*trim(end + 1))
			return pmc_fail(EINVAL, "metric '%.100s': = is missing after ]", text);
	}
	def->name = trim(text);
	def->expr = trim(equals + 1);
	def->desc = def->expr;
	if (!is_name(def->name))
		return pmc_fail(EINVAL, "'%.100s' is no name for a metric: write letters, digits and _",
				def->name);
	if (!*def->expr)
		return pmc_fail(EINVAL, "metric '%s' has no expression after =", def->name);
	return *open == '\0' && open != equals ? parse_brackets(def, open + 1) : 0;
}
