// SPDX-License-Identifier: GPL-2.0
/* A screenful of text. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "top/frame.h"

static const char *const blocks[] = { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
static const char *const ascii[] = { " ", ".", ".", ":", ":", "|", "|", "#", "#" };
#define HEIGHTS 8

void frame_clear(struct top_frame *frame)
{
	frame->nr = 0;
}

void frame_free(struct top_frame *frame)
{
	free(frame->lines);
	frame->lines = NULL;
	frame->nr = frame->room = 0;
}

int frame_lines_left(const struct top_frame *frame)
{
	return frame->height ? frame->height - frame->nr : INT_MAX;
}

struct top_line *frame_line(struct top_frame *frame, enum top_style style)
{
	struct top_line *line;

	/* One more than the height, for what is not shown */
	if (frame->nr + 1 >= frame->room) {
		frame->room = frame->room ? 2 * frame->room : 64;
		frame->lines = must_have(realloc(frame->lines, frame->room * sizeof(*frame->lines)));
	}
	line = &frame->lines[frame->nr];
	if (frame_lines_left(frame) > 0)
		frame->nr++;
	line->len = 0;
	line->columns = 0;
	line->text[0] = '\0';
	line->style = style;
	return line;
}

static int frame_width(const struct top_frame *frame)
{
	return frame->width < FRAME_WIDTH_MAX ? frame->width : FRAME_WIDTH_MAX;
}

/* One character of UTF-8 */
static void put_character(const struct top_frame *frame, struct top_line *line, const char *bytes, size_t len)
{
	if (line->columns >= frame_width(frame) || line->len + len >= sizeof(line->text))
		return;
	memcpy(line->text + line->len, bytes, len);
	line->len += len;
	line->text[line->len] = '\0';
	line->columns++;
}

static void put_text(const struct top_frame *frame, struct top_line *line, const char *text)
{
	size_t len;

	for (; *text; text += len) {
		for (len = 1; (text[len] & 0xc0) == 0x80; len++)
			;
		put_character(frame, line, text, len);
	}
}

void frame_put(const struct top_frame *frame, struct top_line *line, const char *fmt, ...)
{
	char text[4 * FRAME_WIDTH_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	put_text(frame, line, text);
}

void frame_pad(const struct top_frame *frame, struct top_line *line, int column)
{
	while (line->columns < column && line->columns < frame_width(frame))
		put_character(frame, line, " ", 1);
}

void frame_bar(const struct top_frame *frame, struct top_line *line, double share, int width)
{
	int i, filled = isnan(share) ? 0 : (int)(share * width + 0.5);

	for (i = 0; i < width; i++) {
		if (i < filled)
			put_text(frame, line, frame->utf8 ? "█" : "#");
		else
			put_text(frame, line, frame->utf8 ? "░" : ".");
	}
}

static double largest(const struct thread_history *h, int width)
{
	double most = 0;
	int i;

	for (i = THREAD_HISTORY - width; i < THREAD_HISTORY; i++)
		if (h->values[i] > most)
			most = h->values[i];
	return most;
}

void frame_history(const struct top_frame *frame, struct top_line *line, const struct thread_history *h,
		   int width, double most)
{
	const char *const *heights = frame->utf8 ? blocks : ascii;
	int i, height;

	if (width > THREAD_HISTORY)
		width = THREAD_HISTORY;
	if (most <= 0)
		most = largest(h, width);
	for (i = THREAD_HISTORY - width; i < THREAD_HISTORY; i++) {
		height = 0;
		/* A value that is known is seen, however small. */
		if (h->values[i] >= 0)
			height = 1 + (most > 0 ? (int)(h->values[i] / most * (HEIGHTS - 1) + 0.5) : 0);
		put_text(frame, line, heights[height > HEIGHTS ? HEIGHTS : height]);
	}
}

void frame_text(const struct top_frame *frame, struct top_line *line, const char *text, int width)
{
	int end = line->columns + width;
	char c;

	for (; *text && line->columns < end; text++) {
		c = *text >= ' ' && *text <= '~' ? *text : '?';
		put_character(frame, line, &c, 1);
		if (line->columns >= frame_width(frame))
			return;
	}
	frame_pad(frame, line, end);
}
