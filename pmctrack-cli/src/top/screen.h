/* SPDX-License-Identifier: GPL-2.0 */
/* The terminal, by ncurses. */
#ifndef PMCTRACK_TOP_SCREEN_H
#define PMCTRACK_TOP_SCREEN_H

#include "top/frame.h"

/* Take the terminal. Return: 0; -1 if ncurses does not know it */
int screen_begin(void);
/* Give the terminal back as it was. */
void screen_end(void);

/* The size of the terminal, and whether it has block elements */
void screen_size(struct top_frame *frame);

void screen_draw(const struct top_frame *frame);

/*
 * The next key that was pressed: a character, or one of enum top_key; 0: the terminal has another
 * size; -1: none. This call does not wait.
 */
int screen_key(void);

#endif
