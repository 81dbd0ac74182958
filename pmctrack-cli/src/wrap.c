// SPDX-License-Identifier: GPL-2.0
/* Long lines on a terminal. */
#include <string.h>

#include "wrap.h"

void print_wrapped(FILE *f, const char *text, int at, int indent, int width)
{
	size_t blanks, len;

	for (; *text; text += len) {
		blanks = strspn(text, " ");
		len = blanks + strcspn(text + blanks, " ");
		if (width && at + (int)len > width && at > indent) {
			fprintf(f, "\n%*s", indent, "");
			at = indent;
			text += blanks;
			len -= blanks;
		}
		fwrite(text, 1, len, f);
		at += len;
	}
	fputc('\n', f);
}
