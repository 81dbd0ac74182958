// SPDX-License-Identifier: GPL-2.0
/* The terminal, by ncurses. */
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <string.h>

#include "common.h"
#include "text_chart.h"
#include "top/screen.h"
#include "top/view.h"

/* Time that ncurses waits for the rest of a key that begins with Escape, in ms */
#define ESCAPE_MS 25

#define COLOUR_CORE_TYPE 1
#define COLOUR_NOTE 2

static SCREEN *screen;
static int utf8;

/* The user's locale may not be installed. */
static void choose_locale(void)
{
	if (!setlocale(LC_CTYPE, "") && chart_utf8())
		setlocale(LC_CTYPE, "C.UTF-8");
	utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
}

int screen_begin(void)
{
	choose_locale();
	set_escdelay(ESCAPE_MS);
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return -1;
	bad_begins_with(screen_end);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	if (has_colors()) {
		start_color();
		use_default_colors();
		init_pair(COLOUR_CORE_TYPE, COLOR_CYAN, -1);
		init_pair(COLOUR_NOTE, COLOR_YELLOW, -1);
	}
	return 0;
}

void screen_end(void)
{
	bad_begins_with(NULL);
	endwin();
	delscreen(screen);
}

void screen_size(struct top_frame *frame)
{
	frame->width = COLS;
	frame->height = LINES;
	frame->utf8 = utf8;
}

static attr_t attributes(enum top_style style)
{
	switch (style) {
	case STYLE_TITLE:
		return A_BOLD;
	case STYLE_HEADING:
		return A_UNDERLINE;
	case STYLE_SELECTED:
		return A_REVERSE;
	case STYLE_NOTE:
		return A_BOLD | (has_colors() ? COLOR_PAIR(COLOUR_NOTE) : 0);
	case STYLE_CORE_TYPE:
		return has_colors() ? COLOR_PAIR(COLOUR_CORE_TYPE) : 0;
	case STYLE_PLAIN:
		break;
	}
	return A_NORMAL;
}

void screen_draw(const struct top_frame *frame)
{
	const struct top_line *line;
	int i, column;

	erase();
	for (i = 0; i < frame->nr && i < LINES; i++) {
		line = &frame->lines[i];
		attrset(attributes(line->style));
		mvaddstr(i, 0, line->text);
		/* The line of a heading, or of what is selected, goes across the screen. */
		for (column = line->columns; column < COLS &&
		     (line->style == STYLE_HEADING || line->style == STYLE_SELECTED); column++)
			addch(' ');
	}
	attrset(A_NORMAL);
	refresh();
}

int screen_key(void)
{
	int key = getch();

	switch (key) {
	case ERR:
		return -1;
	case KEY_RESIZE:
		return 0;
	case KEY_UP:
		return KEY_OF_UP;
	case KEY_DOWN:
		return KEY_OF_DOWN;
	case KEY_LEFT:
		return KEY_OF_LEFT;
	case KEY_RIGHT:
		return KEY_OF_RIGHT;
	case KEY_PPAGE:
		return KEY_OF_PAGE_UP;
	case KEY_NPAGE:
		return KEY_OF_PAGE_DOWN;
	case KEY_HOME:
		return KEY_OF_HOME;
	case KEY_END:
		return KEY_OF_END;
	case KEY_ENTER:
	case '\r':
	case '\n':
		return KEY_OF_ENTER;
	case '\033':
		return KEY_OF_ESCAPE;
	case KEY_BACKSPACE:
	case '\b':
	case 127:
		return KEY_OF_BACKSPACE;
	}
	/* Other keys of ncurses mean nothing. */
	return key > 0 && key < KEY_MIN ? key : 0;
}
