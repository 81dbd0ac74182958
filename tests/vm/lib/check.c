// SPDX-License-Identifier: GPL-2.0
/* Report errors. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "vm.h"

/* Further errors are usually of the same type. */
#define MOST_REPORTS	40

static atomic_int failures;

static void report(const char *fmt, va_list args, const char *end)
{
	char text[600];

	vsnprintf(text, sizeof(text), fmt, args);
	if (atomic_fetch_add(&failures, 1) < MOST_REPORTS)
		printf("%s%s\n", text, end);
	fflush(stdout);
}

void fail(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	report(fmt, args, "");
	va_end(args);
}

void die(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	report(fmt, args, "");
	va_end(args);
	_Exit(1);
}

void skip(const char *fmt, ...)
{
	va_list args;

	if (failures)
		_Exit(1);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	puts("");
	fflush(stdout);
	_Exit(77);
}

bool same(long long got, long long expected, const char *fmt, ...)
{
	char end[100];
	va_list args;

	if (got == expected)
		return true;
	snprintf(end, sizeof(end), ": %lld, expected %lld (%+lld)", got,
		 expected, got - expected);
	va_start(args, fmt);
	report(fmt, args, end);
	va_end(args);
	return false;
}

bool within(long long got, long long low, long long high, const char *fmt, ...)
{
	char end[100];
	va_list args;

	if (got >= low && got <= high)
		return true;
	snprintf(end, sizeof(end), ": %lld, expected %lld to %lld", got, low,
		 high);
	va_start(args, fmt);
	report(fmt, args, end);
	va_end(args);
	return false;
}

bool mentions(const char *text, const char *word, const char *fmt, ...)
{
	char end[500];
	va_list args;

	if (strstr(text, word))
		return true;
	snprintf(end, sizeof(end), ": \"%s\" does not say '%s'", text, word);
	va_start(args, fmt);
	report(fmt, args, end);
	va_end(args);
	return false;
}

int result(void)
{
	if (failures)
		printf("%d checks failed\n", failures);
	return failures != 0;
}

int by_size(int few, int many)
{
	const char *size = getenv("SIZE");

	return size && !strcmp(size, "long") ? many : few;
}
