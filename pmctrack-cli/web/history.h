/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The report of a run in JSON, as it is being written. Many viewers read it, each at its own place.
 * A report that becomes too long loses its first samples, but never the part before the samples.
 * Nothing here is locked.
 */
#ifndef PMCTRACK_WEB_HISTORY_H
#define PMCTRACK_WEB_HISTORY_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct history - the part of a report that is kept
 * @text: what is before the samples, and the samples from some line on
 * @len: its length
 * @size: the room in @text
 * @most: keep so many bytes at most
 * @head_len: the length of what is before the samples; 0: they have not begun yet
 * @dropped: so many bytes behind @head_len are gone
 *
 * A place in the report is a number of bytes from its begin, those included that are gone.
 */
struct history {
	char *text;
	size_t len, size, most;
	size_t head_len;
	uint64_t dropped;
};

/* An empty report, of which @most bytes are kept */
void history_init(struct history *h, size_t most);

void history_free(struct history *h);

/* Append to the report. Return: 0, or -1 without memory. */
int history_add(struct history *h, const char *text, size_t len);

/*
 * Copy at most @size bytes from @place on, and move @place behind them. If the text there is gone,
 * go on with the first sample that is kept: its line begins with a newline.
 * Return: the number of bytes copied; 0: there is no more yet.
 */
size_t history_read(const struct history *h, uint64_t *place, char *buf, size_t size);

#endif
