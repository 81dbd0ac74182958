// SPDX-License-Identifier: GPL-2.0
/* The report of a run in JSON, as it is being written. */
#include <stdlib.h>
#include <string.h>

#include "history.h"

/* The samples begin behind this (report_json.c). */
#define SAMPLES "\"samples\": ["

void history_init(struct history *h, size_t most)
{
	*h = (struct history){ .most = most };
}

void history_free(struct history *h)
{
	free(h->text);
	*h = (struct history){ 0 };
}

/* Make room for @len bytes more. */
static int grow(struct history *h, size_t len)
{
	size_t size = h->size ? h->size : 4096;
	char *text;

	while (size - h->len < len)
		size *= 2;
	if (size == h->size)
		return 0;
	text = realloc(h->text, size);
	if (!text)
		return -1;
	h->text = text;
	h->size = size;
	return 0;
}

static void find_head(struct history *h)
{
	const char *samples = memmem(h->text, h->len, SAMPLES, strlen(SAMPLES));

	if (samples)
		h->head_len = samples + strlen(SAMPLES) - h->text;
}

/* Drop the first half of the samples, up to the end of a line. */
static void drop(struct history *h)
{
	char *samples = h->text + h->head_len, *end = h->text + h->len, *line;

	line = memchr(samples + (end - samples) / 2, '\n', end - samples - (end - samples) / 2);
	if (!line)
		return;
	memmove(samples, line, end - line);
	h->dropped += line - samples;
	h->len -= line - samples;
}

int history_add(struct history *h, const char *text, size_t len)
{
	if (grow(h, len))
		return -1;
	memcpy(h->text + h->len, text, len);
	h->len += len;
	if (!h->head_len)
		find_head(h);
	if (h->head_len && h->len > h->most)
		drop(h);
	return 0;
}

size_t history_read(const struct history *h, uint64_t *place, char *buf, size_t size)
{
	uint64_t at = *place;
	size_t end = h->len, n;

	if (h->dropped && at < h->head_len) {
		end = h->head_len;
	} else {
		if (at < h->head_len + h->dropped && at >= h->head_len)
			at = h->head_len + h->dropped;
		if (at >= h->head_len)
			at -= h->dropped;
	}
	n = end - at < size ? end - at : size;
	if (!n)
		return 0;
	memcpy(buf, h->text + at, n);
	/* Behind the head, places include what is gone. */
	*place = (at < h->head_len ? at : at + h->dropped) + n;
	return n;
}
