// SPDX-License-Identifier: GPL-2.0
/* Gauges: open files that have one number, each for a column of a record. */
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common.h"
#include "node/gauge.h"

struct gauge *gauge_add_fd(struct gauges *gauges, struct record *record, const char *quantity,
			   const char *where, double scale, int fd)
{
	struct gauge *gauge;

	gauges->all = must_have(realloc(gauges->all, (gauges->nr + 1) * sizeof(*gauges->all)));
	gauge = &gauges->all[gauges->nr++];
	*gauge = (struct gauge){ .fd = fd, .scale = scale };
	gauge->column = record_add(record, quantity, where);
	gauge->is_count = record->is_count[gauge->column];
	return gauge;
}

struct gauge *gauge_add(struct gauges *gauges, struct record *record, const char *quantity,
			const char *where, double scale, const char *path, ...)
{
	char name[512], text[32];
	va_list args;
	int fd;

	va_start(args, path);
	vsnprintf(name, sizeof(name), path, args);
	va_end(args);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	/* A sensor may be there and have nothing to read. */
	if (pread(fd, text, sizeof(text), 0) <= 0) {
		close(fd);
		return NULL;
	}
	return gauge_add_fd(gauges, record, quantity, where, scale, fd);
}

/* Return: 0, or -1 if the file has no number now. */
static int read_number(const struct gauge *gauge, int64_t *number)
{
	char text[32], *end;
	ssize_t n;

	if (gauge->binary)
		return read(gauge->fd, number, sizeof(*number)) == sizeof(*number) ? 0 : -1;
	n = pread(gauge->fd, text, sizeof(text) - 1, 0);
	if (n <= 0)
		return -1;
	text[n] = '\0';
	*number = strtoll(text, &end, 10);
	return end == text ? -1 : 0;
}

/* The increase of a count, which may have wrapped since the last reading */
static uint64_t increase(struct gauge *gauge, uint64_t number)
{
	uint64_t before = gauge->last;

	gauge->last = number;
	if (number >= before)
		return number - before;
	return gauge->wrap ? number + gauge->wrap - before + 1 : 0;
}

void gauges_start(struct gauges *gauges)
{
	int64_t number;
	int i;

	for (i = 0; i < gauges->nr; i++)
		if (!read_number(&gauges->all[i], &number))
			gauges->all[i].last = number;
}

void gauges_read(struct gauges *gauges, double *row)
{
	struct gauge *gauge;
	int64_t number;
	int i;

	for (i = 0; i < gauges->nr; i++) {
		gauge = &gauges->all[i];
		if (read_number(gauge, &number))
			row[gauge->column] = NAN;
		else if (gauge->is_count)
			row[gauge->column] = increase(gauge, number) * gauge->scale;
		else
			row[gauge->column] = number * gauge->scale;
	}
}

void gauges_free(struct gauges *gauges)
{
	int i;

	for (i = 0; i < gauges->nr; i++)
		close(gauges->all[i].fd);
	free(gauges->all);
}
