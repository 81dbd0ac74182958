/* SPDX-License-Identifier: GPL-2.0 */
/* A screenful of text: lines with a style each, which the terminal or a file receives. */
#ifndef PMCTRACK_TOP_FRAME_H
#define PMCTRACK_TOP_FRAME_H

#include <stddef.h>

#include "threads/thread_counts.h"

#define FRAME_WIDTH_MAX 512

enum top_style {
	STYLE_PLAIN,
	STYLE_TITLE,
	STYLE_HEADING,
	STYLE_SELECTED,
	STYLE_NOTE,	/* something that the user may want to change */
	STYLE_CORE_TYPE,	/* of core types of odd numbers */
};

/**
 * struct top_line - a line
 * @text: in UTF-8, each character one column wide
 * @columns: number of characters
 */
struct top_line {
	char text[4 * FRAME_WIDTH_MAX];
	size_t len;
	int columns;
	enum top_style style;
};

/**
 * struct top_frame - the lines
 * @width, @height: those of the terminal; @height 0: as many lines as there are
 * @utf8: block elements may be used
 */
struct top_frame {
	int width;
	int height;
	int utf8;
	int nr;
	int room;
	struct top_line *lines;
};

void frame_clear(struct top_frame *frame);
void frame_free(struct top_frame *frame);

/* A new line, which may be the frame's last. Where the frame is full, its text is not shown. */
struct top_line *frame_line(struct top_frame *frame, enum top_style style);

/* Lines that are left; a large number if there is no limit */
int frame_lines_left(const struct top_frame *frame);

/* Add text to a line, up to the width of the frame. */
void frame_put(const struct top_frame *frame, struct top_line *line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Fill the line with blanks up to a column. */
void frame_pad(const struct top_frame *frame, struct top_line *line, int column);

/* A horizontal bar of @width characters, of which @share is filled */
void frame_bar(const struct top_frame *frame, struct top_line *line, double share, int width);

/*
 * The newest @width values of a history, as characters of different heights. @most is the value of
 * the full height, or 0 for the largest one.
 */
void frame_history(const struct top_frame *frame, struct top_line *line, const struct thread_history *h,
		   int width, double most);

/* A thread's name or another text that may have any bytes: those that are no printable ASCII are "?" */
void frame_text(const struct top_frame *frame, struct top_line *line, const char *text, int width);

#endif
