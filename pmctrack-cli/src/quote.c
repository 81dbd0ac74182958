// SPDX-License-Identifier: GPL-2.0
/* Quote strings for comma-separated values (RFC 4180) and JSON (RFC 8259). */
#include <string.h>

#include "quote.h"

void print_csv_string(FILE *f, const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		fputs(s, f);
		return;
	}
	fputc('"', f);
	for (; *s; s++)
		fprintf(f, *s == '"' ? "\"\"" : "%c", *s);
	fputc('"', f);
}

/*
 * Length of the UTF-8 character (RFC 3629) at the start of @s; 0: there is none. The range
 * of the second byte excludes overlong forms, surrogates and numbers above the last
 * character's.
 */
static int character_length(const unsigned char *s)
{
	int least = *s == 0xe0 ? 0xa0 : *s == 0xf0 ? 0x90 : 0x80;
	int most = *s == 0xed ? 0x9f : *s == 0xf4 ? 0x8f : 0xbf;
	int i, n = *s < 0x80 ? 1 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;

	if ((*s >= 0x80 && *s < 0xc2) || *s > 0xf4)
		return 0;
	for (i = 1; i < n; i++) {
		if (s[i] < least || s[i] > most)
			return 0;
		least = 0x80;
		most = 0xbf;
	}
	return n;
}

void print_json_string(FILE *f, const char *s)
{
	int n;

	fputc('"', f);
	for (; *s; s += n) {
		unsigned char c = *s;

		n = character_length((const unsigned char *)s);
		if (!n) {
			fputs("\\ufffd", f);
			n = 1;
		} else if (c == '"' || c == '\\') {
			fprintf(f, "\\%c", c);
		} else if (c < ' ') {
			fprintf(f, "\\u%04x", c);
		} else {
			fwrite(s, 1, n, f);
		}
	}
	fputc('"', f);
}
