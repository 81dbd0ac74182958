// SPDX-License-Identifier: GPL-2.0
/* Quote strings for comma-separated values (RFC 4180), JSON (RFC 8259), OpenMetrics and terminals. */
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

/* Does the character of @n bytes at @s control a terminal? U+0080 to U+009F do, too. */
static int is_control(const unsigned char *s, int n)
{
	return (n == 1 && (*s < ' ' || *s == 0x7f)) || (n == 2 && *s == 0xc2 && s[1] < 0xa0);
}

char *quote_name(char *buf, size_t size, const char *name, const char *also)
{
	const unsigned char *s = (const unsigned char *)name;
	size_t len = 0;
	int n, escape;

	for (*buf = '\0'; *s; s++) {
		n = character_length(s);
		escape = !n || is_control(s, n) || *s == '\\' || strchr(also, *s);
		/* All bytes of a character are treated alike. */
		for (n = n ? n : 1; n && len + 4 < size; n--, s++) {
			if (escape)
				len += sprintf(buf + len, "\\x%02x", *s);
			else
				buf[len++] = *s;
		}
		buf[len] = '\0';
		if (n)
			return buf;
		s--;
	}
	return buf;
}

int text_columns(const char *text)
{
	int nr = 0;

	for (; *text; text++)
		nr += (*text & 0xc0) != 0x80;
	return nr;
}

void shorten_name(char *text, int columns)
{
	size_t len = strlen(text);
	char *escape;

	while (text_columns(text) > columns)
		text[--len] = '\0';
	escape = strrchr(text, '\\');
	if (escape && strlen(escape) < strlen("\\xNN"))
		*escape = '\0';
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
		} else if (is_control((const unsigned char *)s, n) || c == '<') {
			fprintf(f, "\\u%04x", n == 1 ? c : (unsigned char)s[1]);
		} else {
			fwrite(s, 1, n, f);
		}
	}
	fputc('"', f);
}

void print_openmetrics_string(FILE *f, const char *s)
{
	int n;

	fputc('"', f);
	for (; *s; s += n ? n : 1) {
		n = character_length((const unsigned char *)s);
		if (*s == '\n')
			fputs("\\n", f);
		else if (!n || is_control((const unsigned char *)s, n))
			fputs("\xef\xbf\xbd", f);
		else if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else
			fwrite(s, 1, n, f);
	}
	fputc('"', f);
}
