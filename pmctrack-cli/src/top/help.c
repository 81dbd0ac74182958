// SPDX-License-Identifier: GPL-2.0
/* The keys of pmctrack top, and which processes are not counted. */
#include "top/view.h"

static const char *const lines[] = {
	"",
	"  up, down, PgUp, PgDn   select a thread",
	"  Enter                  show this thread: metrics on each core type, since the start",
	"  < >                    sort by the column to the left, to the right",
	"  r                      least first, or most first",
	"  /                      show threads with this name, user or number; empty: all",
	"  left, right            show other columns of values",
	"  m                      pick metrics",
	"  a                      add metrics by name, or 'x[%.1f]=1000*llc_misses/instr'",
	"  v                      add virtual counters (energy, occupancy, speedup factor)",
	"  d                      change the time between two looks, in seconds",
	"  space                  pause: the screen stays, counting goes on",
	"  q                      quit; Escape: back to the threads",
	"",
	"%CPU is the part of the time in which the thread ran. A thread that sleeps is sampled when it",
	"runs next: then its line has what it counted since its sample before.",
	"",
};

void help_frame(const struct thread_counting *c, struct top_frame *frame)
{
	struct top_line *line = frame_line(frame, STYLE_TITLE);
	size_t i;

	frame_put(frame, line, "Keys of pmctrack top");
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		frame_put(frame, frame_line(frame, STYLE_PLAIN), "%s", lines[i]);
	if (!c->nr_refused)
		return;
	line = frame_line(frame, STYLE_NOTE);
	frame_put(frame, line, "%d processes are not counted. The last of them:", c->nr_refused);
	frame_put(frame, frame_line(frame, STYLE_NOTE), "  %s", c->why);
}
