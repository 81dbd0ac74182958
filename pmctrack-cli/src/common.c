// SPDX-License-Identifier: GPL-2.0
/* Functions that all commands use. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common.h"

static void (*first_of_bad)(void);

void bad_begins_with(void (*function)(void))
{
	first_of_bad = function;
}

void bad(const char *fmt, ...)
{
	va_list args;

	if (first_of_bad)
		first_of_bad();
	/* Earlier output has to appear before the error. */
	fflush(stdout);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

uint64_t option_number(const char *option, const char *text, uint64_t least, uint64_t most)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || end == text || strchr(text, '-') || n < least || n > most)
		bad("%s takes a number from %llu to %llu, not '%s'", option,
		    (unsigned long long)least, (unsigned long long)most, text);
	return n;
}

double option_percent(const char *option, const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end || !(value > 0 && value <= 1000))
		bad("%s takes percent, from above 0 to 1000, not '%s'", option, text);
	return value / 100;
}

void *must_have(void *memory)
{
	if (!memory)
		bad("out of memory");
	return memory;
}

void *new_array(size_t nr, size_t size)
{
	return must_have(calloc(nr ? nr : 1, size));
}

void print_command_line(FILE *f, char *const *words)
{
	int i;

	for (i = 0; words[i]; i++)
		fprintf(f, "%s%s", i ? " " : "", words[i]);
}

void written(FILE *f, const char *name)
{
	int fd = fileno(f);

	if (fflush(f))
		bad("cannot write %s: %s", name, strerror(errno));
	if (!ferror(f))
		return;
	/* An earlier write failed; its errno is lost. As a rule, one more fails in the same way. */
	if (fd >= 0 && write(fd, "\n", 1) < 0)
		bad("cannot write %s: %s", name, strerror(errno));
	bad("cannot write %s: a part of it is missing", name);
}

void sleep_us(uint64_t us)
{
	struct timespec left = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}
