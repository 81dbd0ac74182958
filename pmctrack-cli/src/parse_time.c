// SPDX-License-Identifier: GPL-2.0
/* Times in options */
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "options.h"

/* A unit of time in seconds; 0: the text is no unit. */
static double unit_of_time(const char *text)
{
	if (!*text || !strcmp(text, "s"))
		return 1;
	if (!strcmp(text, "ms"))
		return 1e-3;
	return strcmp(text, "us") ? 0 : 1e-6;
}

uint64_t options_seconds(const char *option, const char *text)
{
	char *end;
	double s = strtod(text, &end);

	s *= unit_of_time(end);
	if (!unit_of_time(end) || end == text || !(s >= 0 && s < 1e9))
		bad("%s takes a number of seconds, as 1 or 0.01, or 10ms, not '%s'", option, text);
	if (s * 1e6 < 1)
		bad("%s %s: the time must be above zero", option, text);
	return s * 1e6 + 0.5;
}
